//! Names for `or`s that would multiply each other: a predicate for what a rule says with one of them.
//!
//! `(<= h (or a b c) (or d e f))` stands for nine rules, with three more such `or`s for 243. A predicate that holds if one
//! of the alternatives does takes three rules for each `or`, and one that uses them (Tseitin's transformation).

use fxhash::FxHashSet;
use groundfrog_engine::Exceeded;

use super::{Demand, stripped, written};
use crate::description::{Atom, Formula, Statement, Term};
use crate::rules::for_each_variable;
use crate::symbols::{Symbol, Symbols, fresh};
use crate::ticker::Ticker;
use crate::tuning::MOST_RULES_OF_STATEMENT;

/// The alternatives of a formula with a name may use at most so many atoms of the rest together. Protects from what multiplies; no
/// public game has as many.
const MOST_BINDERS: usize = 1 << 14;

/// How many ticks a formula of a body takes.
const FORMULA: u32 = 64;

/// Names that are not in use.
pub(super) struct Names {
    pub(super) symbols: Symbols,
    pub(super) given: Vec<Symbol>,
}

impl Names {
    pub(super) fn new(symbols: Symbols) -> Self {
        Names { symbols, given: Vec::new() }
    }

    fn next(&mut self) -> Symbol {
        let name = fresh(&mut self.symbols, &format!("or_{}", self.given.len() + 1));
        self.given.push(name);
        name
    }
}

/// A statement with names for the formulas of its body that have most alternatives, until it stands for few rules or no
/// other can have one, and the statements that say what these are; `None` if it stands for few or none can have one.
pub(super) fn shortened(
    statement: &Statement,
    names: &mut Names,
    ticker: &mut Ticker<'_>,
) -> Result<Option<(Statement, Vec<Statement>)>, Exceeded> {
    let product = |counts: &[usize]| counts.iter().fold(1usize, |all, &it| all.saturating_mul(it));
    let counts =
        |body: &[Formula]| -> Vec<usize> { body.iter().map(|it| count(it, false)).collect() };
    if product(&counts(&statement.body)) <= MOST_RULES_OF_STATEMENT {
        return Ok(None);
    }
    let mut body = Vec::new();
    statement.body.iter().for_each(|it| conjuncts(it, false, &mut body));
    let mut counts = counts(&body);
    let statement = Statement { body, ..statement.clone() };
    let mut shorter = statement.clone();
    let mut definitions = Vec::new();
    while product(&counts) > MOST_RULES_OF_STATEMENT {
        ticker.ticks(FORMULA * counts.len() as u32)?;
        let candidates = (0..counts.len()).filter(|&it| counts[it] > 1);
        let mut candidates: Vec<usize> = candidates.collect();
        // Of as many alternatives, those come first that are first.
        candidates.sort_by_key(|&it| std::cmp::Reverse(counts[it]));
        let named = candidates.into_iter().find_map(|at| Some((at, interface(&statement, at)?)));
        let Some((at, interface)) = named else { break };
        let name = names.next();
        let (formula, span) = (&statement.body[at], statement.span);
        let arguments = interface.variables.iter().map(|&it| Term::Variable(it)).collect();
        let head = Atom { predicate: name, arguments, span: formula.span() };
        for alternative in alternatives(formula, false) {
            let mut body = interface.binders.clone();
            body.push(alternative);
            definitions.push(Statement { head: head.clone(), body, span });
        }
        shorter.body[at] = Formula::Atom(head);
        counts[at] = 1;
    }
    Ok((!definitions.is_empty()).then_some((shorter, definitions)))
}

/// How many alternatives a formula, or its negation, has.
fn count(formula: &Formula, negated: bool) -> usize {
    match Demand::of(formula, negated) {
        Demand::One(..) => 1,
        Demand::Each(formulas, negated) => {
            formulas.iter().map(|it| count(it, negated)).fold(1, usize::saturating_mul)
        }
        Demand::Any(formulas, negated) => {
            formulas.iter().map(|it| count(it, negated)).fold(0, usize::saturating_add)
        }
    }
}

/// Adds the formulas that all have to hold for a formula, or its negation, to hold. What is left of these has several
/// alternatives or is a literal.
fn conjuncts(formula: &Formula, negated: bool, all: &mut Vec<Formula>) {
    let (formula, negated) = stripped(formula, negated);
    match Demand::of(formula, negated) {
        Demand::Each(formulas, negated) | Demand::Any(formulas @ [_], negated) => {
            formulas.iter().for_each(|it| conjuncts(it, negated, all));
        }
        Demand::One(..) | Demand::Any(..) => all.push(written(formula, negated)),
    }
}

/// The formulas of which one has to hold for a formula, or its negation, to hold.
fn alternatives(formula: &Formula, negated: bool) -> Vec<Formula> {
    let (formula, negated) = stripped(formula, negated);
    match Demand::of(formula, negated) {
        Demand::Any(formulas, negated) => formulas.iter().map(|it| written(it, negated)).collect(),
        Demand::One(..) | Demand::Each(..) => vec![written(formula, negated)],
    }
}

/// What a formula of a body shares with the rest of its statement.
struct Interface {
    variables: Vec<Symbol>,
    /// Atoms of the rest that bind those of them that not every alternative binds.
    binders: Vec<Formula>,
}

/// The interface of a formula; `None` if the atoms of the rest do not bind all that it needs.
fn interface(statement: &Statement, at: usize) -> Option<Interface> {
    let mut elsewhere = FxHashSet::default();
    let mut add = |it| _ = elsewhere.insert(it);
    statement.head.arguments.iter().for_each(|it| for_each_variable(it, &mut add));
    let rest = || (0..statement.body.len()).filter(|&it| it != at).map(|it| &statement.body[it]);
    rest().for_each(|it| for_each_variable_of(it, &mut add));
    let formula = &statement.body[at];
    let (mut shared, mut seen) = (Vec::new(), FxHashSet::default());
    for_each_variable_of(formula, &mut |variable| {
        if elsewhere.contains(&variable) && seen.insert(variable) {
            shared.push(variable);
        }
    });
    let alternatives = alternatives(formula, false);
    let bound_always = bound_by_each(&alternatives);
    let mut unbound: Vec<Symbol> =
        shared.iter().copied().filter(|it| !bound_always.contains(it)).collect();
    let mut binders: Vec<Formula> = Vec::new();
    for binder in rest().filter(|it| matches!(it, Formula::Atom(_))) {
        if unbound.is_empty() {
            break;
        }
        let (before, bound) = (unbound.len(), bound_by(binder));
        unbound.retain(|it| !bound.contains(it));
        if unbound.len() < before {
            binders.push(binder.clone());
        }
    }
    // Each alternative is a rule that uses them.
    let is_short = binders.len() * alternatives.len() <= MOST_BINDERS;
    (unbound.is_empty() && is_short).then_some(Interface { variables: shared, binders })
}

/// The variables whose values a formula says if it holds.
fn bound_by(formula: &Formula) -> FxHashSet<Symbol> {
    match formula {
        Formula::Atom(atom) => {
            let mut own = FxHashSet::default();
            let arguments = atom.arguments.iter();
            arguments.for_each(|it| for_each_variable(it, &mut |it| _ = own.insert(it)));
            own
        }
        Formula::And(formulas, _) => formulas.iter().flat_map(bound_by).collect(),
        Formula::Or(formulas, _) => bound_by_each(formulas),
        Formula::Not(..) | Formula::Distinct(..) => FxHashSet::default(),
    }
}

/// The variables whose values each of some formulas says.
fn bound_by_each(formulas: &[Formula]) -> FxHashSet<Symbol> {
    let mut all = formulas.iter().map(bound_by);
    let first = all.next().unwrap_or_default();
    all.fold(first, |mut common, own| {
        common.retain(|it| own.contains(it));
        common
    })
}

/// Calls `visit` with each variable of a formula, in order and with repetitions.
fn for_each_variable_of(formula: &Formula, visit: &mut impl FnMut(Symbol)) {
    match formula {
        Formula::Atom(atom) => atom.arguments.iter().for_each(|it| for_each_variable(it, visit)),
        Formula::Not(formula, _) => for_each_variable_of(formula, visit),
        Formula::Or(formulas, _) | Formula::And(formulas, _) => {
            formulas.iter().for_each(|it| for_each_variable_of(it, visit));
        }
        Formula::Distinct(left, right, _) => {
            for_each_variable(left, visit);
            for_each_variable(right, visit);
        }
    }
}
