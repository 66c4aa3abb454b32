//! Which fluents, and which static predicates, have at most one value for a key.

use fxhash::{FxHashMap, FxHashSet};

use super::Invariant;
use super::case::Case;
use crate::compact::definitions::Definitions;
use crate::description::{Keywords, Predicate, Term};
use crate::rules::{Literal, Rule, argument_of};
use crate::symbols::Symbol;
use crate::ticker::Ticker;
use crate::tuning::{MOST_COMPARED, MOST_DEPTH, MOST_KINDS};

/// How many ticks a case takes, besides those for its terms.
const CASE: u32 = 1 << 8;

/// What has arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Relation {
    /// The fluents with this function.
    Fluents(Symbol, usize),
    /// A static predicate.
    Static(Predicate),
}

/// In every reachable state, no two atoms that agree in the key differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Claim {
    pub(super) of: Relation,
    /// A bit for each argument that is part of the key.
    pub(super) key: u64,
}

impl Claim {
    fn in_key(self, position: usize) -> bool {
        self.key >> position & 1 == 1
    }
}

/// Shows claims, each by induction: over states for fluents, over derivations for static predicates.
///
/// What is being shown may be used: of the state before, or of what was derived before. So claims are shown together; where
/// one fails, all that were shown since it was assumed are open again.
pub(super) struct Prover<'g, 'r, 'p, 'b> {
    pub(super) definitions: &'g Definitions<'r>,
    ticker: &'p mut Ticker<'b>,
    /// What was shown, is being shown (both true), or could not be.
    known: FxHashMap<Claim, bool>,
    /// The claims that hold as far as is known, in the order in which they were first made.
    assumed: Vec<Claim>,
    waiting: u32,
    pairs: u32,
    cases: u32,
}

impl<'g, 'r, 'p, 'b> Prover<'g, 'r, 'p, 'b> {
    pub(super) fn new(definitions: &'g Definitions<'r>, ticker: &'p mut Ticker<'b>) -> Self {
        let (known, assumed) = (FxHashMap::default(), Vec::new());
        Prover { definitions, ticker, known, assumed, waiting: 0, pairs: 0, cases: 0 }
    }

    /// Whether a claim can be shown.
    pub(super) fn holds(&mut self, claim: Claim) -> bool {
        if let Some(&known) = self.known.get(&claim) {
            return known;
        }
        if self.waiting == MOST_DEPTH {
            return false;
        }
        let before = self.assumed.len();
        self.known.insert(claim, true);
        self.assumed.push(claim);
        self.waiting += 1;
        let is_shown = match claim.of {
            Relation::Fluents(..) => self.of_fluents(claim),
            Relation::Static(predicate) => self.of_static(claim, predicate),
        };
        self.waiting -= 1;
        if !is_shown {
            for open in self.assumed.drain(before..) {
                self.known.remove(&open);
            }
            self.known.insert(claim, false);
        }
        is_shown
    }

    /// What was shown of fluents.
    pub(super) fn invariants(&self) -> impl Iterator<Item = Invariant> {
        self.assumed.iter().filter_map(|claim| match claim.of {
            Relation::Fluents(function, arity) => {
                Some(Invariant { function, key: (0..arity).map(|at| claim.in_key(at)).collect() })
            }
            Relation::Static(_) => None,
        })
    }

    /// Notes that one more case is looked at. Returns whether it may be.
    pub(super) fn may_look(&mut self) -> bool {
        self.cases += 1;
        self.cases <= MOST_COMPARED && self.passes(CASE)
    }

    /// Notes so many ticks. Returns whether the limits let it go on; if not, no more is shown.
    pub(super) fn passes(&mut self, ticks: u32) -> bool {
        self.ticker.goes_on(ticks)
    }

    /// Whether a claim is not refuted at once: by the first state, or by facts.
    pub(super) fn may_hold(&mut self, claim: Claim) -> bool {
        if let Some(&known) = self.known.get(&claim) {
            return known;
        }
        let may_hold = match claim.of {
            Relation::Fluents(..) => self.holds_at_first(claim),
            Relation::Static(predicate) => self.holds_of_facts(claim, predicate),
        };
        if !may_hold {
            self.known.insert(claim, false);
        }
        may_hold
    }

    fn of_fluents(&mut self, claim: Claim) -> bool {
        let mut rules = Vec::new();
        for rule in self.definitions.of(self.of_one(|it| it.next)) {
            match self.of_kind(rule, claim) {
                Some(true) => rules.push(rule),
                Some(false) => {}
                None => return false,
            }
        }
        self.holds_at_first(claim) && self.of_rules(claim, &rules)
    }

    fn holds_at_first(&self, claim: Claim) -> bool {
        let mut seen = FxHashMap::default();
        let mut rules = self.definitions.of(self.of_one(|it| it.init));
        rules.all(|rule| match (self.of_kind(rule, claim), rule.head.arguments.as_slice()) {
            (Some(true), [Term::Compound(it)]) if rule.body.is_empty() => {
                agrees(claim, &it.arguments, &mut seen)
            }
            (of_kind, _) => of_kind == Some(false),
        })
    }

    /// Whether the head of a rule for fluents is one that a claim is about; `None` if it may be any.
    fn of_kind(&self, rule: &Rule, claim: Claim) -> Option<bool> {
        match rule.head.arguments.first()? {
            Term::Compound(it) => {
                Some(Relation::Fluents(it.functor, it.arguments.len()) == claim.of)
            }
            Term::Constant(_) => Some(false),
            Term::Variable(_) => None,
        }
    }

    /// The predicate of one argument with the name of a keyword.
    fn of_one(&self, name: impl Fn(&Keywords) -> Symbol) -> Predicate {
        Predicate { name: name(&self.definitions.keywords), arity: 1 }
    }

    fn of_static(&mut self, claim: Claim, predicate: Predicate) -> bool {
        let rules = self.definitions.of(predicate);
        if rules.clone().all(is_ground_fact) {
            return self.holds_of_facts(claim, predicate);
        }
        rules.len() <= MOST_KINDS && self.of_rules(claim, &rules.collect::<Vec<_>>())
    }

    /// Whether the facts of a predicate agree with a claim.
    fn holds_of_facts(&mut self, claim: Claim, predicate: Predicate) -> bool {
        let rules = self.definitions.of(predicate);
        let is_short = rules.len() <= MOST_COMPARED as usize && self.passes(rules.len() as u32);
        let mut seen = FxHashMap::default();
        let mut facts = rules.filter(|it| is_ground_fact(it));
        is_short && facts.all(|it| agrees(claim, &it.head.arguments, &mut seen))
    }

    /// Whether no two instances of rules agree in the key alone.
    fn of_rules(&mut self, claim: Claim, rules: &[&Rule]) -> bool {
        if rules.len() > MOST_KINDS {
            return false;
        }
        let mut pairs = (0..rules.len()).flat_map(|one| (0..=one).map(move |other| (one, other)));
        pairs.all(|(one, other)| self.agree(claim, rules[one], rules[other]))
    }

    fn agree(&mut self, claim: Claim, one: &Rule, other: &Rule) -> bool {
        self.pairs += 1;
        if self.pairs > MOST_COMPARED {
            return false;
        }
        let mut copies = self.definitions.copies();
        let (Some(one), Some(other)) = (copies.of(one), copies.of(other)) else { return false };
        let mut case = Case::new(copies);
        let heads = [&one, &other].map(|rule| match (claim.of, rule.head.arguments.as_slice()) {
            (Relation::Fluents(..), [Term::Compound(it)]) => it.arguments.clone(),
            _ => rule.head.arguments.clone(),
        });
        let [left, right] = heads;
        for (position, (one, other)) in left.into_iter().zip(right).enumerate() {
            if !claim.in_key(position) {
                case.to_agree.push((one, other));
            } else if !case.substitution.unify(&one, &other) {
                return !case.substitution.is_exhausted();
            }
        }
        let is_transition = matches!(claim.of, Relation::Fluents(..));
        case.assume(one.body, self.definitions);
        case.assume(other.body, self.definitions);
        case.is_closed(self, if is_transition { MOST_DEPTH } else { 0 })
    }
}

/// Whether a fact has no variables.
fn is_ground_fact(rule: &Rule) -> bool {
    let mut is_ground = rule.body.is_empty();
    let head = Literal::Positive(rule.head.clone());
    head.for_each_variable(&mut |_| is_ground = false);
    is_ground
}

/// Whether a fact differs from those that were seen before in its key, or not at all.
fn agrees<'f>(
    claim: Claim,
    fact: &'f [Term],
    seen: &mut FxHashMap<Vec<&'f Term>, &'f [Term]>,
) -> bool {
    let key = (0..fact.len()).filter(|it| claim.in_key(*it)).map(|it| &fact[it]).collect();
    let first = *seen.entry(key).or_insert(fact);
    (0..fact.len()).all(|it| claim.in_key(it) || first[it] == fact[it])
}

/// The kinds of fluents that a body uses, once each.
pub(super) fn kinds(body: &[Literal], predicate: Symbol) -> FxHashSet<(Symbol, usize)> {
    let compounds = body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => match argument_of(atom, predicate)? {
            Term::Compound(it) => Some((it.functor, it.arguments.len())),
            _ => None,
        },
        _ => None,
    });
    compounds.collect()
}
