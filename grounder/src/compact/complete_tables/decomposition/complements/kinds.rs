//! Whose moves there are, and of which kinds.

use groundfrog_engine::{Argument, Arguments};

use super::Exceptions;
use super::one_move::OneMove;
use crate::compact::complete_tables::auxiliaries::Alternative;
use crate::compact::complete_tables::decomposition::world::World;
use crate::description::Predicate;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FormId, LiteralKind, ShapeId};

/// The roles whose moves a part may be about; none if these are not known.
pub(super) fn roles_of(one: &OneMove, world: &World<'_>) -> Option<Vec<Argument>> {
    let role = world.forms.find(role_predicate(world), &[ShapeId::HOLE])?;
    if !world.has_simple_role(one.form) {
        return None;
    }
    let roles = &world.tables()[predicate(role)];
    match one.role {
        Argument::Constant(it) if !roles.contains(&[it]) => None,
        Argument::Variable(_) if one.is_anyones => {
            let mut movers = world.about_tables().movers(world.tables(), one.form).to_vec();
            movers.retain(|&role| roles.contains(&[role]));
            (!movers.is_empty()).then(|| movers.into_iter().map(Argument::Constant).collect())
        }
        it => Some(vec![it]),
    }
}

/// The condition that something is a role.
pub(super) fn role(role: Argument, world: &World<'_>) -> FlatLiteral {
    let role_predicate = role_predicate(world);
    let form = world.forms.find(role_predicate, &[ShapeId::HOLE]);
    let form = form.expect("roles are known by it");
    let arguments = Arguments::from_slice(&[role]);
    let atom = FlatAtom { form, name: role_predicate.name, arguments };
    FlatLiteral { kind: LiteralKind::Positive(atom), joined: true, stored: false }
}

fn role_predicate(world: &World<'_>) -> Predicate {
    Predicate { name: world.known.keywords.role, arity: 1 }
}

/// The rules for the moves of its kind that a part does not hold for, by what they depend on.
pub(super) fn exceptions(one: &OneMove, world: &World<'_>) -> Exceptions {
    let mut exceptions = Exceptions::new();
    for own in one.exceptions.iter().filter(|it| !is_never(&it.rule, world)) {
        add_exception(&mut exceptions, own.columns.clone(), own.rule.clone());
    }
    exceptions
}

/// Adds the rules for moves of all kinds but these.
pub(super) fn add_other_kinds(
    exceptions: &mut Exceptions,
    (one, kinds): (&OneMove, &[FormId]),
    origin: u32,
    world: &World<'_>,
) {
    // In one step, what can be legal is what can be done.
    let moves = world.forms.form(one.form).predicate;
    for &form in world.forms.derivable(moves) {
        if !kinds.contains(&form)
            && world.has_simple_role(form)
            && !world.tables()[predicate(form)].is_empty()
        {
            add_exception(exceptions, Vec::new(), of_kind(one, form, origin, world));
        }
    }
}

/// Whether the rule for exceptions has no instance: no move fails a static condition on it alone, as most say no more
/// than what their arguments are.
fn is_never(rule: &Alternative, world: &World<'_>) -> bool {
    match &rule.body[..] {
        [does, FlatLiteral { kind: LiteralKind::Negative(condition), stored: false, .. }] => {
            does.atom().is_some_and(|does| implies(does, condition, world))
        }
        _ => false,
    }
}

/// Whether all that an atom can say fulfils a static condition on its variables alone.
fn implies(atom: &FlatAtom, condition: &FlatAtom, world: &World<'_>) -> bool {
    let is_partial = [atom, condition].iter().any(|it| world.is_partial(it.form));
    !is_partial && world.about_tables().implies(world.tables(), atom, condition)
}

/// The rule that a role makes a move of some kind.
fn of_kind(one: &OneMove, form: FormId, origin: u32, world: &World<'_>) -> Alternative {
    let move_ = (1..world.forms.columns(form) as u32).map(Argument::Variable);
    let role = one.role.variable().map_or(one.role, |_| Argument::Variable(0));
    let arguments = std::iter::once(role).chain(move_).collect();
    let does = FlatAtom { form, name: world.known.keywords.does, arguments };
    let kind = LiteralKind::Positive(does);
    let rule = Alternative {
        arguments: role.variable().map(|_| role).into_iter().collect(),
        body: vec![FlatLiteral { kind, joined: true, stored: true }],
        origin,
    };
    rule.renumbered()
}

/// Adds a rule to those for exceptions that depend on the same variables.
pub(super) fn add_exception(exceptions: &mut Exceptions, columns: Vec<u32>, rule: Alternative) {
    match exceptions.iter_mut().find(|(other, _)| *other == columns) {
        Some((_, rules)) if rules.contains(&rule) => {}
        Some((_, rules)) => rules.push(rule),
        None => exceptions.push((columns, vec![rule])),
    }
}
