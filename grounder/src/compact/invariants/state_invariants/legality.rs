//! What a rule about a move may rely on: the move is legal in the state that it is made in.

mod bodies;
mod implied;
mod link;

use super::condition::{Condition, ConditionAlternative};
use super::single_valued::{Claim, Prover};
use crate::compact::definitions::Definitions;
use crate::description::{Atom, Term};
use crate::rules::{Literal, Rule, Substitution};
use crate::symbols::Symbol;
use crate::tuning::MOST_ALTERNATIVES;
use bodies::legal_bodies;
use implied::{conditions, derived};
use link::link;

/// How many ticks a way for a move to be legal takes.
const A_BODY: u32 = 1 << 11;

/// What legality says of a rule.
pub(super) enum Legality {
    /// No legal move is of the kind that the rule is for.
    Never,
    /// Conditions on variables of the rule: those of one of these ways hold.
    Says(Vec<Vec<Condition>>),
}

/// What follows for a rule from the legality of a move that it uses.
///
/// It is looked at first what there would be if everything had only one value that has to and that may, as most rules gain
/// nothing.
pub(super) fn of(rule: &Rule, made: &Atom, prover: &mut Prover<'_, '_, '_, '_>) -> Legality {
    let definitions = prover.definitions;
    let Some(legal) = legal_bodies(rule, made, definitions) else {
        return Legality::Says(Vec::new());
    };
    if !prover.passes(A_BODY * legal.len() as u32) {
        return Legality::Says(Vec::new());
    }
    let mut claims = Vec::new();
    let mut assume = |claim| {
        let may_hold = prover.may_hold(claim);
        claims.extend(may_hold.then_some(claim));
        may_hold
    };
    let hoped = follows((rule, made), legal.clone(), definitions, &mut assume);
    let is_nothing = matches!(&hoped, Legality::Says(conditions) if conditions.is_empty());
    if is_nothing || claims.into_iter().all(|it| prover.holds(it)) {
        return hoped;
    }
    follows((rule, made), legal, definitions, &mut |claim| prover.holds(claim))
}

/// What follows from the legality of moves and from fluents that have one value.
fn follows(
    (rule, made): (&Rule, &Atom),
    legal: Vec<(Vec<Literal>, Substitution)>,
    definitions: &Definitions<'_>,
    holds: &mut dyn FnMut(Claim) -> bool,
) -> Legality {
    let mut alternatives = Vec::with_capacity(legal.len());
    let mut is_possible = false;
    for (body, mut values) in legal {
        let linked = link((rule, made), &body, &mut values, definitions, holds);
        if values.is_exhausted() {
            return Legality::Says(Vec::new());
        }
        let Some(linked) = linked else { continue };
        let statics = body.iter().filter(|it| definitions.is_static(it));
        let statics: Vec<Literal> = statics.map(|it| it.substitute(&values)).collect();
        if statics.iter().any(|it| definitions.is_false(it)) {
            continue;
        }
        is_possible = true;
        match conditions(rule, made, (statics, &values), &linked, definitions) {
            Some(alternative) if !values.is_exhausted() => alternatives.push(alternative),
            _ => return Legality::Says(Vec::new()),
        }
    }
    if !is_possible {
        return Legality::Never;
    }
    if alternatives.len() == 1 {
        return Legality::Says(alternatives);
    }
    Legality::Says(match together(&alternatives) {
        Some(condition) => vec![vec![condition]],
        // A rule for each way, where each says that variables are the same.
        None if may_be_taken_apart(rule, &alternatives, definitions) => alternatives,
        None => Vec::new(),
    })
}

/// Whether there is a rule for each way, where each says that variables are the same, and only of what the rule derives.
fn may_be_taken_apart(
    rule: &Rule,
    alternatives: &[Vec<Condition>],
    definitions: &Definitions<'_>,
) -> bool {
    let derived = derived(rule, definitions);
    let is_of_derived =
        |it: &Condition| it.all_variables().iter().all(|variable| derived.contains(variable));
    alternatives.len() <= MOST_ALTERNATIVES
        && alternatives.iter().all(|it| it.iter().any(is_equation) && it.iter().all(is_of_derived))
}

/// Whether a condition says that two variables are the same.
fn is_equation(condition: &Condition) -> bool {
    matches!(condition.value(), Some((_, Term::Variable(_))))
}

/// One condition for several alternatives, on the variables that each says something of. `None` if there are none.
fn together(alternatives: &[Vec<Condition>]) -> Option<Condition> {
    let implied = |alternative: &[Condition]| -> Vec<Symbol> {
        let conditions = alternative.iter().filter(|it| !is_equation(it));
        conditions.flat_map(|it| it.variables.iter().copied()).collect()
    };
    let mut variables = implied(alternatives.first()?);
    alternatives.iter().for_each(|alternative| {
        let implied = implied(alternative);
        variables.retain(|it| implied.contains(it));
    });
    variables.sort_unstable();
    variables.dedup();
    let alternatives = alternatives.iter().map(|alternative| {
        let value = |&variable: &Symbol| {
            let values = alternative.iter().filter_map(Condition::value);
            let mut constants =
                values.filter(|(of, it)| *of == variable && matches!(it, Term::Constant(_)));
            constants.next().map_or(Term::Variable(variable), |(_, value)| value.clone())
        };
        let values: Vec<Term> = variables.iter().map(value).collect();
        let body = alternative
            .iter()
            .flat_map(|it| &it.alternatives)
            .flat_map(|it| it.body.clone())
            .collect();
        ConditionAlternative { values, body }
    });
    let alternatives: Vec<ConditionAlternative> = alternatives.collect();
    let condition = Condition { variables, alternatives, holds: true };
    (!condition.variables.is_empty() && condition.is_safe()).then_some(condition)
}
