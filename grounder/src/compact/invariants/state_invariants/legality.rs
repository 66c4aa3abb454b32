//! What a rule about a move may rely on: the move is legal in the state that it is made in.

mod bodies;
mod implied;
mod link;

use super::condition::Condition;
use super::single_valued::{Claim, Prover};
use crate::compact::definitions::Definitions;
use crate::description::Atom;
use crate::rules::{Literal, Rule, Substitution};
use bodies::legal_bodies;
use implied::conditions;
use link::link;

/// How many ticks a way for a move to be legal takes.
const A_BODY: u32 = 1 << 11;

/// What legality says of a rule.
pub(super) enum Legality {
    /// No legal move is of the kind that the rule is for.
    Never,
    /// Conditions on variables of the rule.
    Says(Vec<Condition>),
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
    let mut found = None;
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
        // Of several ways none need be the one.
        if found.is_some() {
            return Legality::Says(Vec::new());
        }
        let conditions = conditions(rule, made, (statics, &values), &linked, definitions);
        found = Some(conditions.filter(|_| !values.is_exhausted()).unwrap_or_default());
    }
    found.map_or(Legality::Never, Legality::Says)
}
