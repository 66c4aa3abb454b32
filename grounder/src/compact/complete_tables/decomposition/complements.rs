//! Rules for all moves of a role but a few: the few take the place of the many.
//!
//! What a move does not touch stays as it is, say the frame rules of boards: they hold for every pair of a cell
//! and a move elsewhere. In every state a role makes exactly one move. So the part of such a rule that is about a
//! move becomes an auxiliary predicate, which holds for a role unless it makes one of the moves that the part does
//! not hold for:
//!
//! `next(c) <- true(c), does(r, m(u)), distinct(c, u)` becomes `next(c) <- true(c), aux_1(c)` with
//! `aux_1(c) <- not aux_2(r, c), not aux_3(r)`, with `aux_2(r, u) <- does(r, m(u))`, and with a rule
//! `aux_3(r) <- does(r, ..)` for each other kind of moves. That is a rule for each cell and each move where there was
//! one for each pair. Merging moves does the same to ground rules, but only once they are stored.

mod kinds;
mod one_move;

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, members, set_of};
use groundfrog_engine::statistics::Measure;

use self::kinds::{exceptions, role as role_of, roles_of};
use self::one_move::{OneMove, one_move};
use super::draft::Draft;
use super::guards::{guard as guard_of, guarded};
use super::proposal::{Proposal, is_gain};
use super::world::World;
use crate::compact::complete_tables::auxiliaries::{Alternative, Change};
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};

/// For each set of variables that moves depend on: the rules of a predicate for these moves.
type Exceptions = Vec<(Vec<u32>, Vec<Alternative>)>;

/// A rule with a complement in the place of its first part about a move for which that pays.
pub(crate) fn complement(rule: &FlatRule, draft: &Draft<'_, '_>) -> Vec<Proposal> {
    let world = draft.world;
    if !may_have_complement(rule, world) || !world.goes_on(rule) {
        return Vec::new();
    }
    (0..rule.body.len()).find_map(|at| complement_of(rule, at, draft)).into_iter().collect()
}

/// Whether a rule has a move, and a condition between this and something else that may be no more than what must
/// not be.
fn may_have_complement(rule: &FlatRule, world: &World<'_>) -> bool {
    let moves = || rule.body.iter().filter(|it| world.is_move(it));
    let is_between = |own: VariableSet| {
        let conditions = rule.body.iter().filter(|it| !it.is_positive()).map(literal_variables);
        conditions.into_iter().any(|it| it & own != 0 && it & !own != 0)
    };
    rule.stored
        && moves().next().is_some()
        && fits(rule)
        && moves().any(|it| is_between(literal_variables(it)))
}

/// The rule with a complement in the place of the part about the move of the literal `at`, if it pays.
fn complement_of(rule: &FlatRule, at: usize, draft: &Draft<'_, '_>) -> Option<Proposal> {
    let world = draft.world;
    let one = one_move_of(rule, at, world).filter(OneMove::depends_on_rest)?;
    let roles = roles_of(&one, world)?;
    let (guards, before) = guarded(rule, &one.part, draft);
    let exceptions = exceptions(&one, rule.origin, world);
    let holds = roles.len() as f64 * draft.cost(guards.iter(), one.part.interface).rules;
    let definitions = exceptions.iter().flat_map(|(_, rules)| rules);
    let of_definitions: f64 = definitions.map(|it| size_of(it, draft)).sum();
    let after = holds * (2.0 + exceptions.len() as f64) + of_definitions;
    if !is_gain(before, after) {
        return None;
    }
    let mut above = draft.above();
    let new = with_complement(rule, &one, (roles, guards, exceptions), &mut above);
    let proposal = Proposal::new(Change::Complemented, vec![new], (above.into_made(), 0.0));
    Some(Proposal { sizes: Some((before, after)), ..proposal })
}

/// The part of a rule that is about the move of the literal `at`, if it may have a complement.
fn one_move_of(rule: &FlatRule, at: usize, world: &World<'_>) -> Option<OneMove> {
    if !world.is_move(&rule.body[at]) {
        return None;
    }
    let one = one_move(rule, at, |it| world.is_partial(it))?;
    let rest = rule.body.iter().zip(&one.part.taken).filter(|(_, taken)| !**taken);
    let binders = rest.filter(|(it, _)| it.joined && it.is_positive());
    let bound = binders.fold(0, |all, (it, _)| all | literal_variables(it));
    (one.part.unbound & !bound == 0).then_some(one)
}

/// The expected size of the instances of an auxiliary rule.
fn size_of(rule: &Alternative, draft: &Draft<'_, '_>) -> f64 {
    draft.cost(rule.body.iter(), variables(&rule.arguments)).size
}

/// A rule with a complement in the place of its part about a move: of these roles, with conditions that bind what the part
/// shares with the rest.
fn with_complement(
    rule: &FlatRule,
    one: &OneMove,
    (roles, guards, exceptions): (Vec<Argument>, Vec<FlatLiteral>, Exceptions),
    draft: &mut Draft<'_, '_>,
) -> FlatRule {
    let (interface, origin) = (one.part.interface, rule.origin);
    let mut body: Vec<FlatLiteral> = Vec::new();
    for guard in guards {
        let guard = guard_of(guard, interface, origin, draft);
        if !body.contains(&guard) {
            body.push(guard);
        }
    }
    if one.role.variable().is_some() && !one.is_anyones {
        body.push(role_of(one.role, draft.world));
    }
    let bindings = draft.bindings(body.iter(), interface);
    let columns: Vec<u32> = members(interface).collect();
    let expected = Measure {
        rows: bindings.count(),
        distinct: columns.iter().map(|&it| bindings.domain(it)).collect(),
    };
    let exceptions: Vec<(Vec<u32>, FormId)> =
        exceptions.into_iter().map(|(columns, rules)| (columns, union_of(rules, draft))).collect();
    let alternatives = roles.into_iter().map(|role| {
        let mut body = body.clone();
        for (columns, form) in &exceptions {
            let role = one.role.variable().map(|_| role);
            let columns = columns.iter().map(|&it| Argument::Variable(it));
            let arguments = role.into_iter().chain(columns).collect();
            let name = draft.world.auxiliary;
            let kind = LiteralKind::Negative(FlatAtom { form: *form, name, arguments });
            body.push(FlatLiteral { kind, joined: false, stored: true });
        }
        let arguments = columns.iter().map(|&it| Argument::Variable(it)).collect();
        Alternative { arguments, body, origin }.renumbered()
    });
    let alternatives = alternatives.collect();
    let form = draft.union(alternatives, expected);
    let (_, mut body) = one.part.divide(&rule.body);
    body.push(draft.use_of(form, &columns, true));
    FlatRule { body, ..rule.clone() }
}

/// The predicate with these rules.
fn union_of(rules: Vec<Alternative>, draft: &mut Draft<'_, '_>) -> FormId {
    let mut expected = Measure { rows: 0.0, distinct: Vec::new() };
    for rule in &rules {
        let columns = rule.arguments.iter().map(|it| it.variable());
        let wanted = set_of(columns.clone().flatten());
        let bindings = draft.bindings(rule.body.iter(), wanted);
        expected.rows += bindings.count();
        expected.distinct.resize(rule.arguments.len(), 1.0);
        for (most, column) in expected.distinct.iter_mut().zip(columns) {
            let own = column.map_or(1.0, |it| bindings.domain(it));
            *most = own.max(*most);
        }
    }
    expected.rows = expected.rows.min(expected.distinct.iter().product());
    draft.union(rules, expected)
}
