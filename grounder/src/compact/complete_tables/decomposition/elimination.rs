//! Eliminates variables of a rule one after the other: of all parts that can be split off, the one that makes it smallest
//! comes first, as long as that pays.
//!
//! Guards are literals of the rule as conditions on a part that is split off, where the part needs values from the rest or is
//! much smaller with them ([`guarded`]).
//!
//! There is a second way to split a large rule: its variables are eliminated in the order of least fill, however much each
//! step seems to be worth ([`better_by_fill`]). What the sizes of auxiliary predicates will be is a guess that becomes worse with each step, so that the way to a
//! small program may begin with steps that seem to be of no use.

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{self, Part, Piece, VariableSet, members};

use super::PartStep;
use super::draft::Draft;
use super::nested_sets::split_nested;
use super::proposal::{Strategy, is_gain, size_when_split};
use crate::compact::complete_tables::auxiliaries::{Change, Split};
use crate::compact::estimate::{Bindings, all_variables, fits, literal_variables, variables};
use crate::compact::unfolding::map_arguments;
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};
use crate::options::PassId;
use crate::tuning::{GUESSED, SMALL, STEP_GAIN, TRUSTED, WORTH_A_PROPOSAL};

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
fn may_be_bound_outside(rule: &FlatRule, part: &Part, draft: &Draft<'_, '_>) -> bool {
    let (inside, outside) = part.divide(&rule.body.iter().collect::<Vec<_>>());
    let conditions = outside.iter().filter(|it| it.joined && !it.stored && it.is_positive());
    let bound = all_variables(conditions.copied());
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

/// Literals of the rest that bind what the part leaves unbound or make it smaller, as conditions on its
/// interface; and the expected size of the part with them.
pub(super) fn guarded(
    rule: &FlatRule,
    part: &Part,
    draft: &Draft<'_, '_>,
) -> (Vec<FlatLiteral>, f64) {
    let body: Vec<&FlatLiteral> = rule.body.iter().collect();
    let (inner, rest) = part.divide(&body);
    let mut guards: Vec<FlatLiteral> = Vec::new();
    let mut unbound = part.unbound;
    while unbound != 0 {
        let binders = rest.iter().filter(|it| it.joined && it.is_positive());
        let binders = binders.filter(|it| literal_variables(it) & unbound != 0);
        let values = |literal: &FlatLiteral| {
            let own = literal_variables(literal) & part.interface;
            draft.bindings(std::iter::once(literal), own).count()
        };
        let cheapest = binders.map(|it| (values(it), it)).min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, binder) = cheapest.expect("the rest binds what the part does not");
        unbound &= !literal_variables(binder);
        guards.push(FlatLiteral { stored: false, ..(*binder).clone() });
    }
    let all = all_variables(&rule.body);
    let mut names = members(!all).collect::<Vec<u32>>().into_iter();
    // Each guard is projected by itself: what two of them share outside of the interface does not join them.
    let mut conditions: Vec<FlatLiteral> =
        guards.iter().map(|it| with_own_names(it, part.interface, &mut names)).collect();
    let mut size = draft.cost(inner.iter().copied().chain(&conditions), part.interface).size;
    let may_guard = |literal: &&&FlatLiteral| {
        literal.joined && literal.is_positive() && literal_variables(literal) & part.interface != 0
    };
    for literal in rest.iter().filter(may_guard) {
        let own = FlatLiteral { stored: false, ..(*literal).clone() };
        // What binds is a condition already, and would count twice.
        if guards.contains(&own) {
            continue;
        }
        conditions.push(with_own_names(&own, part.interface, &mut names));
        let guarded = draft.cost(inner.iter().copied().chain(&conditions), part.interface).size;
        if is_gain(size, guarded) {
            guards.push(own);
            size = guarded;
        } else {
            conditions.pop();
        }
    }
    (guards, size)
}

/// A condition on the interface: the literal, without its other variables.
pub(super) fn guard(
    literal: FlatLiteral,
    interface: VariableSet,
    origin: u32,
    draft: &mut Draft<'_, '_>,
) -> FlatLiteral {
    let own = literal_variables(&literal);
    if own & !interface == 0 {
        return literal;
    }
    let columns: Vec<u32> = members(own & interface).collect();
    let definition = draft.definition(&[&literal], &columns);
    draft.stand_for(definition, origin).0
}

/// A literal with other names for the variables that are not in the interface, as far as there are any.
fn with_own_names(
    literal: &FlatLiteral,
    interface: VariableSet,
    names: &mut impl Iterator<Item = u32>,
) -> FlatLiteral {
    let inner: Vec<u32> = members(literal_variables(literal) & !interface).collect();
    let names: Vec<u32> = names.take(inner.len()).collect();
    let rename = |argument: Argument| {
        let place = argument.variable().and_then(|it| inner.iter().position(|&inner| inner == it));
        place.and_then(|it| names.get(it)).map_or(argument, |&it| Argument::Variable(it))
    };
    FlatLiteral { kind: map_arguments(&literal.kind, &rename), ..*literal }
}

/// What is left of a large rule that is split in the order of least fill, if that is better than to split off what pays: where
/// it seems so, and where so much would be left that its size is a guess.
pub(super) fn better_by_fill(rule: &FlatRule, draft: &mut Draft<'_, '_>) -> Option<FlatRule> {
    if !rule.stored || !fits(rule) || draft.size(rule) < WORTH_A_PROPOSAL {
        return None;
    }
    let size = size_when_split(rule, draft);
    let mut above = draft.above();
    let (other, expected) = eliminated_by_fill(rule.clone(), &mut above);
    let made = above.into_made();
    let is_better = is_gain(size, expected) || size >= GUESSED && expected < size * TRUSTED;
    is_better.then(|| {
        draft.absorb(made);
        other
    })
}

/// Splits a rule in the order of least fill. Returns what is left of it, and the expected size of all.
fn eliminated_by_fill(mut rule: FlatRule, draft: &mut Draft<'_, '_>) -> (FlatRule, f64) {
    let all = all_variables(&rule.body);
    let domains = draft.bindings(rule.body.iter(), all | variables(&rule.head.arguments));
    let mut parts = 0.0;
    while draft.world.goes_on(&rule) {
        let all = draft.bindings(rule.body.iter(), 0);
        let before = draft.cost_of(&all, rule.body.iter(), variables(&rule.head.arguments)).size;
        let Some(part) = part_of_least_fill(&rule, &domains, draft) else { break };
        let own = draft.size_of_part(&rule, &part);
        let new = if draft.is_made(&rule, &part) { 0.0 } else { own };
        let after = new + draft.size_of_rest(&rule, &all, &part);
        if !split_off(&mut rule, &part, draft) {
            break;
        }
        parts += own;
        draft.note((PassId::Decomposition, Change::Split), [rule.origin], (before, after));
    }
    let rest = draft.size(&rule);
    (rule, parts + rest)
}

/// The part that eliminates the variable of least fill, and of several such the one whose interface has the fewest
/// values.
fn part_of_least_fill(rule: &FlatRule, domains: &Bindings, draft: &Draft<'_, '_>) -> Option<Part> {
    let head = variables(&rule.head.arguments);
    let pieces: Vec<Piece> = rule.body.iter().map(piece).collect();
    let parts = projection::parts(&pieces, head).into_iter();
    let parts = parts.filter(|part| part.unbound == 0 || may_be_bound_outside(rule, part, draft));
    let with_fill = parts.map(|part| {
        let values: f64 = members(part.interface).map(|it| domains.domain(it)).product();
        (fill(&pieces, &part, head), values, part)
    });
    let least =
        with_fill.min_by(|one, other| one.0.cmp(&other.0).then_with(|| one.1.total_cmp(&other.1)));
    least.map(|part| part.2)
}

/// How many pairs of variables of a part's interface no literal, nor the head, has together.
fn fill(pieces: &[Piece], part: &Part, head: VariableSet) -> u32 {
    let sets = || pieces.iter().map(|it| it.variables).chain([head]);
    let missing = |variable: u32| {
        let together = sets().filter(|it| it >> variable & 1 == 1).fold(0, |all, it| all | it);
        (part.interface & !together).count_ones()
    };
    members(part.interface).map(missing).sum()
}
