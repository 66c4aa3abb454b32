//! Goal-directed evaluation of static rules: SLD resolution, where negation is failure of a ground atom.
//!
//! Lists and counters make tables without end, so these rules are not evaluated bottom-up: a question is
//! resolved with the rules that its predicates have. What is ground is answered once and remembered. Work, memory and
//! depth are bounded: beyond that there is no answer. Views of the state are there without what depends on the state
//! itself, and with more answers for it.

use fxhash::{FxBuildHasher, FxHashMap};
use indexmap::IndexSet;

use crate::compact::definitions::{Copies, Definitions};
use crate::description::{Atom, Predicate, Term, Terms};
use crate::kif::Span;
use crate::rules::{Literal, Substitution, for_each_variable, may_be_same};
use crate::symbols::Symbol;
use crate::ticker::Ticker;
use crate::tuning::visited::resolution::{MOST_ANSWERS, MOST_LEVELS, MOST_OPEN, MOST_STEPS};

/// Answers: the terms of a head, each once.
pub(super) type Answers = IndexSet<Terms, FxBuildHasher>;

/// Whether one answer is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    First,
    All,
}

/// What is known of ground atoms, and how much work was done.
pub(super) struct Resolution<'d, 'r, 'p, 'b> {
    pub(super) definitions: &'d Definitions<'r>,
    ticker: &'p mut Ticker<'b>,
    steps: u32,
    /// How many questions about ground atoms are open, one within the other.
    levels: usize,
    known: FxHashMap<(Predicate, Terms), bool>,
}

/// What is left to be shown, and the head that holds then.
struct Goals {
    head: Terms,
    body: Vec<Literal>,
    copies: Copies,
}

impl<'d, 'r, 'p, 'b> Resolution<'d, 'r, 'p, 'b> {
    pub(super) fn new(definitions: &'d Definitions<'r>, ticker: &'p mut Ticker<'b>) -> Self {
        Resolution { definitions, ticker, steps: 0, levels: 0, known: FxHashMap::default() }
    }

    /// One step. `None` if there were too many, or a limit of the user is exceeded.
    pub(super) fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.ticker.tick() && self.steps < MOST_STEPS).then_some(())
    }

    /// The instances of a head for which a body holds. `None` if that is not known: it takes too long, or something is
    /// left open.
    pub(super) fn answers(
        &mut self,
        head: Terms,
        body: Vec<Literal>,
        wanted: Wanted,
    ) -> Option<Answers> {
        let copies = self.definitions.copies();
        self.answers_to(vec![Goals { head, body, copies }], wanted)
    }

    /// All rows of a predicate.
    pub(super) fn table(&mut self, predicate: Predicate) -> Option<Answers> {
        // The names of variables mean nothing outside of the question.
        let arguments: Terms = (0..predicate.arity).map(|it| Term::Variable(Symbol(it))).collect();
        let span = Span::default();
        let atom = Atom { predicate: predicate.name, arguments: arguments.clone(), span };
        self.answers(arguments, vec![Literal::Positive(atom)], Wanted::All)
    }

    /// The answers to some questions, of which the last is looked at first.
    fn answers_to(&mut self, mut open: Vec<Goals>, wanted: Wanted) -> Option<Answers> {
        let mut found = Answers::default();
        while let Some(mut goals) = open.pop() {
            self.step()?;
            if goals.body.is_empty() {
                found.insert(is_ground(&goals.head).then_some(goals.head)?);
                if wanted == Wanted::First {
                    break;
                }
                if found.len() == MOST_ANSWERS {
                    return None;
                }
                continue;
            }
            let next = next_goal(&goals.body)?;
            let holds = match goals.body.remove(next) {
                Literal::Distinct(left, right) => left != right,
                Literal::Negative(atom) => !self.holds(&atom)?,
                Literal::Positive(atom) if is_ground(&atom.arguments) => self.holds(&atom)?,
                Literal::Positive(atom) => {
                    open.extend(self.resolvents(&goals, &atom)?.into_iter().rev());
                    (open.len() < MOST_OPEN).then_some(())?;
                    false
                }
            };
            if holds {
                open.push(goals);
            }
        }
        Some(found)
    }

    /// Whether a ground atom holds.
    fn holds(&mut self, atom: &Atom) -> Option<bool> {
        let key = (atom.predicate(), atom.arguments.clone());
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.levels += 1;
        (self.levels < MOST_LEVELS && self.known.len() < MOST_OPEN).then_some(())?;
        let (head, body) = (Terms::new(), Vec::new());
        let nothing_else = Goals { head, body, copies: self.definitions.copies() };
        let mut open = self.resolvents(&nothing_else, atom)?;
        open.reverse();
        let holds = !self.answers_to(open, Wanted::First)?.is_empty();
        self.levels -= 1;
        self.known.insert(key, holds);
        Some(holds)
    }

    /// Goals with the body of a rule in the place of an atom, for each rule that derives it.
    fn resolvents(&mut self, goals: &Goals, atom: &Atom) -> Option<Vec<Goals>> {
        let definitions = self.definitions;
        let mut resolvents = Vec::new();
        for rule in definitions.of(atom.predicate()) {
            self.step()?;
            let mut pairs = rule.head.arguments.iter().zip(&atom.arguments);
            if !pairs.all(|(one, other)| may_be_same(one, other)) {
                continue;
            }
            let (mut copies, mut values) = (goals.copies.clone(), Substitution::default());
            let rule = copies.of(rule)?;
            if values.unify_all(&rule.head.arguments, &atom.arguments) {
                let own = rule.body.iter().filter(|it| is_known(it, definitions));
                let body = own.chain(&goals.body).map(|it| it.substitute(&values)).collect();
                resolvents.push(Goals { head: values.terms(&goals.head), body, copies });
            }
            (!values.is_exhausted()).then_some(())?;
        }
        Some(resolvents)
    }
}

/// Whether a literal is static, or a view.
fn is_known(literal: &Literal, definitions: &Definitions<'_>) -> bool {
    match literal {
        Literal::Positive(atom) if definitions.is_view(atom) => true,
        _ => definitions.is_static(literal),
    }
}

/// The next literal of a body: one without variables, else the positive one with the most arguments that have none.
/// Order means nothing in a body, and so most goals are about terms that are known. `None` if the literals that are left
/// are bound by no positive one: the rules are not safe.
fn next_goal(body: &[Literal]) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    for (at, literal) in body.iter().enumerate() {
        let open = match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => &atom.arguments[..],
            Literal::Distinct(left, right) => &[left.clone(), right.clone()],
        };
        let bound = open.iter().filter(|it| is_ground(std::slice::from_ref(it))).count();
        if bound == open.len() {
            return Some(at);
        }
        let is_call = matches!(literal, Literal::Positive(_));
        if is_call && best.is_none_or(|(_, most)| bound > most) {
            best = Some((at, bound));
        }
    }
    best.map(|it| it.0)
}

/// Whether there are no variables in some terms.
pub(super) fn is_ground(terms: &[Term]) -> bool {
    let mut is_ground = true;
    terms.iter().for_each(|it| for_each_variable(it, &mut |_| is_ground = false));
    is_ground
}
