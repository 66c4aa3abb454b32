//! The rules of each predicate, and copies of rules whose variables are apart.

use std::slice;

use fxhash::FxHashMap;

use crate::description::{Atom, Keywords, Predicate, Term};
use crate::rewrite::statics::Statics;
use crate::rules::{Literal, Rule, Rules, Substitution, compound};
use crate::symbols::Symbol;

/// Whether an atom may be one of more facts than this is not looked at.
const MOST_FACTS: usize = 1000;

/// Rules by what they derive.
pub(super) struct Definitions<'r> {
    rules: &'r [Rule],
    pub(super) keywords: Keywords,
    statics: &'r Statics,
    by_head: FxHashMap<Predicate, Vec<u32>>,
    /// How many names there are: variables of copies have numbers above.
    names: u32,
}

impl<'r> Definitions<'r> {
    pub(super) fn new(rules: &'r Rules, statics: &'r Statics) -> Self {
        let mut by_head: FxHashMap<Predicate, Vec<u32>> = FxHashMap::default();
        for (number, rule) in (0..).zip(&rules.rules) {
            by_head.entry(rule.head.predicate()).or_default().push(number);
        }
        let (rules, keywords, symbols) = (&rules.rules, rules.keywords, &rules.symbols);
        Definitions { rules, keywords, statics, by_head, names: symbols.len() as u32 }
    }

    /// The rules of a predicate, in the order of the description.
    pub(super) fn of(
        &self,
        predicate: Predicate,
    ) -> impl ExactSizeIterator<Item = &'r Rule> + Clone + use<'r, '_> {
        let numbers = self.by_head.get(&predicate).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|&it| &self.rules[it as usize])
    }

    pub(super) fn is_dynamic(&self, predicate: Predicate) -> bool {
        self.statics.is_dynamic(predicate)
    }

    /// Whether a literal says the same in every state.
    pub(super) fn is_static(&self, literal: &Literal) -> bool {
        literal.atom().is_none_or(|atom| !self.is_dynamic(atom.predicate()))
    }

    /// Whether a literal is a view of the state: dynamic, and no keyword.
    pub(super) fn is_view(&self, atom: &Atom) -> bool {
        self.is_dynamic(atom.predicate()) && !self.keywords.contains(atom.predicate)
    }

    /// Whether a variable is one of the description, not of a copy.
    pub(super) fn is_own(&self, variable: Symbol) -> bool {
        variable.0 < self.names
    }

    /// Whether a static literal is false whatever its variables are: it asks for none of the facts that there are.
    pub(super) fn is_false(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Positive(atom) if !self.is_dynamic(atom.predicate()) => {
                let mut facts = self.of(atom.predicate());
                facts.len() <= MOST_FACTS
                    && !facts.any(|it| {
                        !it.body.is_empty() || may_be(&it.head.arguments, &atom.arguments)
                    })
            }
            Literal::Distinct(left, right) => left == right,
            Literal::Positive(_) | Literal::Negative(_) => false,
        }
    }

    /// Whether no fact of one argument has a value, or any value for a variable, that all these predicates have.
    pub(super) fn have_no_value(&self, value: &Term, predicates: &[Predicate]) -> bool {
        let is_open = matches!(value, Term::Variable(_));
        let has_facts_alone = |it: &Predicate| {
            let mut rules = self.of(*it);
            rules.len() <= MOST_FACTS && rules.all(|rule| rule.body.is_empty())
        };
        let is_fact = |it: &Predicate, value: &Term| {
            self.of(*it).any(|rule| may_be(&rule.head.arguments, slice::from_ref(value)))
        };
        let Some((first, rest)) = predicates.split_first() else { return false };
        predicates.iter().all(has_facts_alone)
            && !self.of(*first).any(|rule| match rule.head.arguments.as_slice() {
                [fact] => {
                    (is_open || may_be(slice::from_ref(fact), slice::from_ref(value)))
                        && rest.iter().all(|it| is_fact(it, fact))
                }
                _ => true,
            })
    }

    /// Copies of rules for a question.
    pub(super) fn copies(&self) -> Copies {
        Copies { names: self.names, made: 0 }
    }
}

/// Whether the arguments of an atom may be those of a fact.
fn may_be(fact: &[Term], atom: &[Term]) -> bool {
    let is_constant = |it: &Term| matches!(it, Term::Constant(_));
    (0..atom.len()).all(|at| match (&atom[at], &fact[at]) {
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Variable(_), value) if is_constant(value) => {
            let mut before = (0..at).filter(|&it| atom[it] == atom[at]);
            before.all(|it| !is_constant(&fact[it]) || fact[it] == *value)
        }
        _ => true,
    })
}

/// Makes copies of rules whose variables are those of no other rule.
#[derive(Clone)]
pub(super) struct Copies {
    names: u32,
    made: u32,
}

impl Copies {
    /// A copy of a rule. `None` if there are too many.
    pub(super) fn of(&mut self, rule: &Rule) -> Option<Rule> {
        self.made += 1;
        let shift = self.names.checked_mul(self.made)?;
        shift.checked_add(self.names)?;
        Some(Rule {
            head: atom(&rule.head, shift),
            body: rule.body.iter().map(|it| literal(it, shift)).collect(),
            span: rule.span,
        })
    }

    /// Whether a variable is of a copy that others have not made.
    pub(super) fn is_newer(&self, others: &Copies, variable: Symbol) -> bool {
        variable.0 / self.names > others.made
    }
}

fn literal(of: &Literal, shift: u32) -> Literal {
    match of {
        Literal::Positive(it) => Literal::Positive(atom(it, shift)),
        Literal::Negative(it) => Literal::Negative(atom(it, shift)),
        Literal::Distinct(left, right) => Literal::Distinct(term(left, shift), term(right, shift)),
    }
}

fn atom(of: &Atom, shift: u32) -> Atom {
    Atom { arguments: of.arguments.iter().map(|it| term(it, shift)).collect(), ..*of }
}

fn term(of: &Term, shift: u32) -> Term {
    match of {
        Term::Variable(name) => Term::Variable(Symbol(name.0 + shift)),
        Term::Constant(_) => of.clone(),
        Term::Compound(it) => {
            compound(it.functor, it.arguments.iter().map(|it| term(it, shift)).collect())
        }
    }
}

/// The fluent of an atom of `true`, `init` or `next`.
pub(super) fn fluent(of: &Atom, predicate: Symbol) -> Option<&Term> {
    match of.arguments.as_slice() {
        [fluent] if of.predicate == predicate => Some(fluent),
        _ => None,
    }
}

/// Whether terms, the first of which have other variables, might be made the same: a quick look that forgets no way.
pub(super) fn may_unify(one: &[Term], other: &[Term], values: &Substitution) -> bool {
    let may_be_same = |one: &Term, other: &Term| match (one, values.resolved(other)) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one), Term::Compound(other)) => {
            one.pairs(other).is_some_and(|mut pairs| {
                pairs.all(|(one, other)| match (one, values.resolved(other)) {
                    (Term::Constant(one), Term::Constant(other)) => one == other,
                    _ => true,
                })
            })
        }
        _ => false,
    };
    one.iter().zip(other).all(|(one, other)| may_be_same(one, other))
}
