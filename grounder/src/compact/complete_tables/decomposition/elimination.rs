//! Eliminates variables of a rule one after the other: of all parts that can be split off, the one that makes it smallest
//! comes first, as long as that pays.

use groundfrog_engine::projection::{self, Part, Piece, VariableSet, members};

use super::PartStep;
use super::draft::Draft;
use super::guards::{guard, guarded};
use super::nested_sets::split_nested;
use super::proposal::Strategy;
use crate::compact::complete_tables::auxiliaries::{Change, Split};
use crate::compact::estimate::{Bindings, fits, literal_variables, variables};
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};
use crate::options::PassId;
use crate::tuning::{SMALL, STEP_GAIN};

/// What is left of a rule when all is split off that pays.
pub(super) fn eliminated(mut rule: FlatRule, draft: &mut Draft<'_, '_>) -> FlatRule {
    while let Some(step) = best_step(&rule, draft) {
        match &step.nested {
            Some(nested) => split_nested(&mut rule, &step.part, nested, draft),
            None if !split_off(&mut rule, &step.part, draft) => break,
            None => {}
        }
        draft.note_part(&step);
    }
    rule
}

/// The part that is best split off, if that pays.
fn best_step(rule: &FlatRule, draft: &Draft<'_, '_>) -> Option<PartStep> {
    let world = draft.world;
    if !rule.stored || !fits(rule) || !world.goes_on(rule) {
        return None;
    }
    let head = variables(&rule.head.arguments);
    if rule.body.iter().all(|literal| literal_variables(literal) & !head == 0) {
        return None;
    }
    let all = draft.bindings(rule.body.iter(), 0);
    let cost = draft.cost_of(&all, rule.body.iter(), head);
    if cost.rules < SMALL {
        return None;
    }
    let mut best: Option<PartStep> = None;
    for (_, strategy) in world.wanted {
        if let Strategy::Part(propose) = strategy
            && let Some(step) = propose(rule, (&all, cost.size), draft)
            && best.as_ref().is_none_or(|best| step.split.after < best.split.after)
        {
            best = Some(step);
        }
    }
    best
}

/// The part that eliminates a variable, if it makes the ground program smaller.
pub(crate) fn best_part(
    rule: &FlatRule,
    (all, size): (&Bindings, f64),
    draft: &Draft<'_, '_>,
) -> Option<PartStep> {
    let head = variables(&rule.head.arguments);
    let pieces: Vec<Piece> = rule.body.iter().map(piece).collect();
    let mut best: Option<(f64, Part)> = None;
    let cuts = cuts(&rule.body, &pieces, head, draft);
    for part in projection::parts(&pieces, head).into_iter().chain(cuts) {
        if part.unbound != 0 && !may_be_bound_outside(rule, &part, draft) {
            continue;
        }
        let total = draft.size_of_split(rule, all, &part);
        if total < size * STEP_GAIN && best.as_ref().is_none_or(|(least, _)| total < *least) {
            best = Some((total, part));
        }
    }
    let (after, part) = best?;
    let change = (PassId::Decomposition, Change::Split);
    Some(PartStep { split: Split::new(change, [rule.origin], (size, after)), part, nested: None })
}

/// What matters of a literal: a static condition restricts the part that has its variables; a dynamic literal
/// must free a variable, or its instances would be stored twice.
pub(super) fn piece(literal: &FlatLiteral) -> Piece {
    let binds = literal.is_positive();
    let restricts = !literal.stored && !binds;
    Piece { variables: literal_variables(literal), binds, restricts, may_be_unbound: !binds }
}

/// The parts before and behind each step of a chain, with all variables that only they have.
///
/// Up to the second step a chain forgets nothing, so that it may not pay to eliminate one variable of it.
fn cuts(
    body: &[FlatLiteral],
    pieces: &[Piece],
    head: VariableSet,
    draft: &Draft<'_, '_>,
) -> Vec<Part> {
    let is_step = |literal: &FlatLiteral| match &literal.kind {
        LiteralKind::Positive(atom) => draft.world.known.steps.contains_key(&atom.form),
        _ => false,
    };
    let steps: Vec<VariableSet> =
        body.iter().filter(|literal| is_step(literal)).map(literal_variables).collect();
    let of = |steps: &[VariableSet]| steps.iter().fold(0, |all, own| all | own);
    let mut parts = Vec::new();
    for at in 1..steps.len() {
        let (before, behind) = steps.split_at(at);
        let (before, behind) = (of(before), of(behind));
        let eliminated = [before & !behind & !head, behind & !before & !head];
        let found = eliminated.into_iter().filter(|set| set.count_ones() > 1);
        parts.extend(found.filter_map(|set| projection::part(pieces, head, set)));
    }
    parts
}

/// Whether a part may be split off that needs conditions from the rest. Not if the rest is nothing but
/// conditions; and of a part that says no more than that some move is made only if they are static: that
/// another is made is expressed best by merging rules.
pub(super) fn may_be_bound_outside(rule: &FlatRule, part: &Part, draft: &Draft<'_, '_>) -> bool {
    let (inside, outside) = part.divide(&rule.body.iter().collect::<Vec<_>>());
    let conditions =
        outside.iter().filter(|literal| literal.joined && !literal.stored && literal.is_positive());
    let bound = conditions.map(|literal| literal_variables(literal)).fold(0, |all, own| all | own);
    (outside.iter().any(|literal| literal.stored)
        || variables(&rule.head.arguments) & !part.interface != 0)
        && (part.unbound & !bound == 0 || !draft.are_about_moves(inside.into_iter()))
}

/// Splits a part off a rule. Returns whether that can be done: with the conditions that it needs from the rest,
/// a part of an auxiliary predicate's rule may be all of that rule.
pub(super) fn split_off(rule: &mut FlatRule, part: &Part, draft: &mut Draft<'_, '_>) -> bool {
    let (mut inner, mut rest) = part.divide(&rule.body);
    if part.unbound != 0 || inner.iter().any(|literal| literal.stored) {
        for own in guarded(rule, part, draft).0 {
            let guard = guard(own, part.interface, rule.origin, draft);
            if !inner.contains(&guard) {
                inner.push(guard);
            }
        }
    }
    let columns: Vec<u32> = members(part.interface).collect();
    let definition = draft.definition(&inner.iter().collect::<Vec<_>>(), &columns);
    if draft.find(&definition) == Some(rule.head.form) {
        return false;
    }
    rest.push(draft.stand_for(definition, rule.origin).0);
    rule.body = rest;
    true
}
