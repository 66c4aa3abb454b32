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
mod union;

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, members, set_of};
use groundfrog_engine::statistics::Measure;

use self::kinds::{exceptions, own_exceptions, role as role_of, roles_of};
use self::one_move::{OneMove, one_move};
pub(crate) use self::union::{complement, same_but_for_moves};
use super::draft::Draft;
use super::guards::{guard as guard_of, guarded};
use super::proposal::is_gain;
use super::world::World;
use crate::compact::complete_tables::auxiliaries::Alternative;
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};

/// For each set of variables that moves depend on: the rules of a predicate for these moves.
type Exceptions = Vec<(Vec<u32>, Vec<Alternative>)>;

/// The rules that take the place of a part of a rule, or of a part of each of several rules.
#[derive(Clone)]
struct Complement {
    /// The kinds of moves that the parts are about.
    kinds: Vec<FormId>,
    /// Moves of these kinds that the parts do not hold for.
    exceptions: Exceptions,
    /// The roles whose moves count.
    roles: Vec<Argument>,
    /// Conditions that bind what the part shares with the rest.
    guards: Vec<FlatLiteral>,
    before: f64,
    after: f64,
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

/// The complement of the part of a rule that is about the move of the literal `at`, if it pays.
fn complement_of(
    rule: &FlatRule,
    at: usize,
    draft: &Draft<'_, '_>,
) -> Option<(OneMove, Complement)> {
    let one = one_move_of(rule, at, draft.world).filter(OneMove::depends_on_rest)?;
    let (guards, before) = guarded(rule, &one.part, draft);
    let mut complement = unjudged(&one, guards, before, draft.world)?;
    estimate(&one, rule.origin, &mut complement, draft);
    is_gain(before, complement.after).then_some((one, complement))
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

/// The complement of a part, not yet known to pay.
fn unjudged(
    one: &OneMove,
    guards: Vec<FlatLiteral>,
    before: f64,
    world: &World<'_>,
) -> Option<Complement> {
    let roles = roles_of(one, world)?;
    let exceptions = own_exceptions(one, world);
    Some(Complement { kinds: vec![one.form], exceptions, roles, guards, before, after: 0.0 })
}

/// Estimates how large a complement is.
fn estimate(one: &OneMove, origin: u32, complement: &mut Complement, draft: &Draft<'_, '_>) {
    let exceptions = exceptions(one, origin, complement, draft.world);
    let holds = draft.cost(complement.guards.iter(), one.part.interface).rules;
    let holds = complement.roles.len() as f64 * holds;
    let definitions = exceptions.iter().flat_map(|(_, rules)| rules);
    let of_definitions: f64 = definitions.map(|it| size_of(it, draft)).sum();
    complement.after = holds * (2.0 + exceptions.len() as f64) + of_definitions;
}

/// The expected size of the instances of an auxiliary rule.
fn size_of(rule: &Alternative, draft: &Draft<'_, '_>) -> f64 {
    draft.cost(rule.body.iter(), variables(&rule.arguments)).size
}

/// Puts a complement in the place of its part.
fn put_in_place(
    rule: &mut FlatRule,
    one: &OneMove,
    complement: Complement,
    draft: &mut Draft<'_, '_>,
) {
    let interface = one.part.interface;
    let origin = rule.origin;
    let exceptions = exceptions(one, origin, &complement, draft.world);
    let Complement { roles, guards, .. } = complement;
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
    let (_, mut rest) = one.part.divide(&rule.body);
    rest.push(draft.use_of(form, &columns, true));
    rule.body = rest;
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
