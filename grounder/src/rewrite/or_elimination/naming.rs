//! Names for `or`s that would multiply each other: a predicate for what a rule says with one of them.
//!
//! `(<= h (or a b c) (or d e f))` stands for nine rules, with three more such `or`s for 243. A predicate that holds if one
//! of the alternatives does takes three rules for each `or`, and one that uses them (Tseitin's transformation).

use crate::description::{Atom, Formula, Statement, Term};
use crate::pulse::Pulse;
use crate::rewrite::base_input_renaming::fresh;
use crate::rules::for_each_variable;
use crate::symbols::{Symbol, Symbols};

/// A statement that stands for more rules is shortened.
pub(super) const MOST_TOGETHER: usize = 64;

/// How many beats a formula of a body takes.
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
    pulse: &mut Pulse<'_>,
) -> Option<(Statement, Vec<Statement>)> {
    let product = |counts: &[usize]| counts.iter().fold(1usize, |all, &it| all.saturating_mul(it));
    let counts =
        |body: &[Formula]| -> Vec<usize> { body.iter().map(|it| count(it, false)).collect() };
    if product(&counts(&statement.body)) <= MOST_TOGETHER {
        return None;
    }
    let mut body = Vec::new();
    statement.body.iter().for_each(|it| conjuncts(it, false, &mut body));
    let mut counts = counts(&body);
    let statement = Statement { body, ..statement.clone() };
    let mut shorter = statement.clone();
    let mut definitions = Vec::new();
    while product(&counts) > MOST_TOGETHER && pulse.beats(FORMULA * counts.len() as u32) {
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
    (!definitions.is_empty()).then_some((shorter, definitions))
}

/// How many alternatives a formula, or its negation, has.
fn count(formula: &Formula, negated: bool) -> usize {
    let counts = |formulas: &[Formula]| -> Vec<usize> {
        formulas.iter().map(|it| count(it, negated)).collect()
    };
    match formula {
        Formula::Atom(_) | Formula::Distinct(..) => 1,
        Formula::Not(formula, _) => count(formula, !negated),
        Formula::Or(formulas, _) if !negated => {
            counts(formulas).into_iter().fold(0, usize::saturating_add)
        }
        Formula::And(formulas, _) if negated => {
            counts(formulas).into_iter().fold(0, usize::saturating_add)
        }
        Formula::Or(formulas, _) | Formula::And(formulas, _) => {
            counts(formulas).into_iter().fold(1, usize::saturating_mul)
        }
    }
}

/// Adds the formulas that all have to hold for a formula, or its negation, to hold. What is left of these has several
/// alternatives or is a literal.
fn conjuncts(formula: &Formula, negated: bool, all: &mut Vec<Formula>) {
    match formula {
        Formula::Not(formula, _) => conjuncts(formula, !negated, all),
        Formula::And(formulas, _) if !negated || formulas.len() == 1 => {
            formulas.iter().for_each(|it| conjuncts(it, negated, all));
        }
        Formula::Or(formulas, _) if negated || formulas.len() == 1 => {
            formulas.iter().for_each(|it| conjuncts(it, negated, all));
        }
        _ if negated => all.push(Formula::Not(Box::new(formula.clone()), formula.span())),
        _ => all.push(formula.clone()),
    }
}

/// The formulas of which one has to hold for a formula, or its negation, to hold.
fn alternatives(formula: &Formula, negated: bool) -> Vec<Formula> {
    match formula {
        Formula::Not(formula, _) => alternatives(formula, !negated),
        Formula::Or(formulas, _) if !negated => formulas.clone(),
        Formula::And(formulas, span) if negated => {
            formulas.iter().map(|it| Formula::Not(Box::new(it.clone()), *span)).collect()
        }
        formula if negated => vec![Formula::Not(Box::new(formula.clone()), formula.span())],
        formula => vec![formula.clone()],
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
    let mut elsewhere = Vec::new();
    statement.head.arguments.iter().for_each(|it| variables_of_term(it, &mut elsewhere));
    let rest = || (0..statement.body.len()).filter(|&it| it != at).map(|it| &statement.body[it]);
    rest().for_each(|it| variables(it, &mut elsewhere));
    let formula = &statement.body[at];
    let mut shared = Vec::new();
    variables(formula, &mut shared);
    shared.retain(|it| elsewhere.contains(it));
    let is_bound_always = |it: &Symbol| {
        alternatives(formula, false).iter().all(|alternative| binds(alternative, *it))
    };
    let mut unbound: Vec<Symbol> =
        shared.iter().copied().filter(|it| !is_bound_always(it)).collect();
    let mut binders: Vec<Formula> = Vec::new();
    for binder in rest().filter(|it| matches!(it, Formula::Atom(_))) {
        let before = unbound.len();
        unbound.retain(|&it| !binds(binder, it));
        if unbound.len() < before {
            binders.push(binder.clone());
        }
    }
    unbound.is_empty().then_some(Interface { variables: shared, binders })
}

/// Whether a formula that holds says what a variable is.
fn binds(formula: &Formula, variable: Symbol) -> bool {
    match formula {
        Formula::Atom(_) => {
            let mut own = Vec::new();
            variables(formula, &mut own);
            own.contains(&variable)
        }
        Formula::And(formulas, _) => formulas.iter().any(|it| binds(it, variable)),
        Formula::Or(formulas, _) => formulas.iter().all(|it| binds(it, variable)),
        Formula::Not(..) | Formula::Distinct(..) => false,
    }
}

/// Adds the variables of a formula, each once.
fn variables(formula: &Formula, found: &mut Vec<Symbol>) {
    match formula {
        Formula::Atom(atom) => atom.arguments.iter().for_each(|it| variables_of_term(it, found)),
        Formula::Not(formula, _) => variables(formula, found),
        Formula::Or(formulas, _) | Formula::And(formulas, _) => {
            formulas.iter().for_each(|it| variables(it, found));
        }
        Formula::Distinct(left, right, _) => {
            variables_of_term(left, found);
            variables_of_term(right, found);
        }
    }
}

fn variables_of_term(term: &Term, found: &mut Vec<Symbol>) {
    for_each_variable(term, &mut |it| {
        if !found.contains(&it) {
            found.push(it);
        }
    });
}
