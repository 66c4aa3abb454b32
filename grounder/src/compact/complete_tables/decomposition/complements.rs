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
//! one for each pair. Rules that are the same but for the kind of moves have one complement. Merging moves does the same to ground rules, but only once they are stored.

mod one_move;

use fxhash::FxHashMap;
use groundfrog_engine::projection::{VariableSet, members, set_of};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Argument, Arguments};

use self::one_move::{OneMove, one_move};
use super::alike::Rest;
use super::draft::Draft;
use super::elimination::{guard as guard_of, guarded};
use super::proposal::{Proposal, RuleGroup, RuleMember, is_gain};
use super::world::World;
use crate::compact::complete_tables::auxiliaries::{Alternative, Change};
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::compact::unfolding::number;
use crate::description::Predicate;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind, ShapeId};

/// For each set of variables that moves depend on: the rules of a predicate for these moves.
type Exceptions = Vec<(Vec<u32>, Vec<Alternative>)>;

/// What takes the place of a part of a rule, or of the parts of several rules that are the same but for the kind of moves that
/// these are about.
struct Complement {
    one: OneMove,
    /// The kinds of moves.
    kinds: Vec<FormId>,
    /// Moves of these kinds that the parts do not hold for.
    exceptions: Exceptions,
    /// The roles whose moves count.
    roles: Vec<Argument>,
    /// Conditions that bind what the part shares with the rest.
    guards: Vec<FlatLiteral>,
    /// The size of the parts.
    before: f64,
}

/// A rule without the part about a move, and whose moves the part is about, if not those of any role.
type RestAndRole = (Rest, Option<Argument>);

/// Groups of rules, each with a move for whose part a complement pays, that are the same but for this part.
pub(crate) fn same_but_for_moves(rules: &[FlatRule], draft: &Draft<'_, '_>) -> Vec<RuleGroup> {
    let mut groups: Vec<RuleGroup> = Vec::new();
    let mut by_rest: FxHashMap<RestAndRole, usize> = FxHashMap::default();
    for (index, rule) in rules.iter().enumerate() {
        if !may_have_complement(rule, draft.world) {
            continue;
        }
        if !draft.world.goes_on(rule) {
            return Vec::new();
        }
        let of_move = |at| Some((at, complement_of(rule, at, draft)?));
        let Some((at, complement)) = (0..rule.body.len()).find_map(of_move) else { continue };
        let group = *by_rest.entry(rest_of(rule, &complement.one).0).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push((index, at));
    }
    groups
}

/// One rule with a complement in the place of the parts of those rules of a group that are about different kinds of moves: that a
/// role makes a move of one of them that does not touch something is that it makes none of those that do, nor one of any other
/// kind.
pub(crate) fn complement(members: &[RuleMember<'_>], draft: &Draft<'_, '_>) -> Option<Proposal> {
    let of_member = |&(rule, at): &RuleMember<'_>| {
        let complement = complement_of(rule, at, draft)?;
        let (_, names) = rest_of(rule, &complement.one);
        Some((complement, names))
    };
    let (mut complement, names) = of_member(members.first()?)?;
    let mut replaced = vec![0];
    for (place, member) in members.iter().enumerate().skip(1) {
        if let Some((other, others)) = of_member(member)
            && complement.add(other, &names, &others)
        {
            replaced.push(place);
        }
    }
    let rule = members[0].0;
    let sizes = (complement.before, complement.size(rule.origin, draft));
    let mut above = draft.above();
    let new = complement.put_in_place(rule, &mut above);
    let proposal = Proposal::new(Change::Complemented, vec![new], (above.into_made(), 0.0));
    Some(Proposal { replaced, sizes: Some(sizes), ..proposal })
}

/// What a rule is without the part about a move.
fn rest_of(rule: &FlatRule, one: &OneMove) -> (RestAndRole, Vec<u32>) {
    let (rest, names) = Rest::new(rule, |at| !one.part.taken[at]);
    let role = (!one.is_anyones).then(|| number(&names, one.role));
    ((rest, role), names)
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
fn complement_of(rule: &FlatRule, at: usize, draft: &Draft<'_, '_>) -> Option<Complement> {
    let world = draft.world;
    let one = one_move_of(rule, at, world).filter(OneMove::depends_on_rest)?;
    let roles = roles_of(&one, world)?;
    let (guards, before) = guarded(rule, &one.part, draft);
    let exceptions = exceptions(&one, world);
    let complement = Complement { kinds: vec![one.form], one, exceptions, roles, guards, before };
    is_gain(before, complement.size(rule.origin, draft)).then_some(complement)
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

impl Complement {
    /// Adds that of a rule which is the same but for the kind of moves, if it shares the same with the rest. Both rules have the
    /// variables of the rest in the order of their names.
    fn add(&mut self, other: Complement, names: &[u32], others: &[u32]) -> bool {
        let places = |interface: VariableSet, names: &[u32]| -> Vec<bool> {
            names.iter().map(|it| interface >> it & 1 == 1).collect()
        };
        if other.kinds.iter().any(|it| self.kinds.contains(it))
            || places(self.one.part.interface, names) != places(other.one.part.interface, others)
        {
            return false;
        }
        for (columns, rules) in other.exceptions {
            let place = |it: &u32| others.iter().position(|name| name == it);
            let renamed = columns.iter().map(|it| names[place(it).expect("it is shared")]);
            let columns: Vec<u32> = renamed.collect();
            for rule in rules {
                add_exception(&mut self.exceptions, columns.clone(), rule);
            }
        }
        self.kinds.extend(other.kinds);
        self.before += other.before;
        // A role that the rest names is the same in both.
        if self.one.is_anyones {
            self.roles.extend(other.roles);
            self.roles.sort_unstable();
            self.roles.dedup();
        }
        true
    }

    /// The moves that the parts do not hold for: those of other kinds as well.
    fn all_exceptions(&self, origin: u32, world: &World<'_>) -> Exceptions {
        let mut exceptions = self.exceptions.clone();
        add_other_kinds(&mut exceptions, (&self.one, &self.kinds), origin, world);
        exceptions
    }

    /// The expected size.
    fn size(&self, origin: u32, draft: &Draft<'_, '_>) -> f64 {
        let exceptions = self.all_exceptions(origin, draft.world);
        let rules = draft.cost(self.guards.iter(), self.one.part.interface).rules;
        let definitions = exceptions.iter().flat_map(|(_, rules)| rules);
        let of_definitions: f64 = definitions.map(|it| size_of(it, draft)).sum();
        self.roles.len() as f64 * rules * (2.0 + exceptions.len() as f64) + of_definitions
    }

    /// The rule with the complement in the place of its part about a move.
    fn put_in_place(self, rule: &FlatRule, draft: &mut Draft<'_, '_>) -> FlatRule {
        let exceptions = self.all_exceptions(rule.origin, draft.world);
        let Complement { one, roles, guards, .. } = self;
        let (interface, origin) = (one.part.interface, rule.origin);
        let mut body: Vec<FlatLiteral> = Vec::new();
        for guard in guards {
            let guard = guard_of(guard, interface, origin, draft);
            if !body.contains(&guard) {
                body.push(guard);
            }
        }
        if one.role.variable().is_some() && !one.is_anyones {
            body.push(role(one.role, draft.world));
        }
        let bindings = draft.bindings(body.iter(), interface);
        let columns: Vec<u32> = members(interface).collect();
        let expected = Measure {
            rows: bindings.count(),
            distinct: columns.iter().map(|&it| bindings.domain(it)).collect(),
        };
        let exceptions: Vec<(Vec<u32>, FormId)> = exceptions
            .into_iter()
            .map(|(columns, rules)| (columns, union_of(rules, draft)))
            .collect();
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

/// The roles whose moves a part may be about; none if these are not known.
fn roles_of(one: &OneMove, world: &World<'_>) -> Option<Vec<Argument>> {
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
fn role(role: Argument, world: &World<'_>) -> FlatLiteral {
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
fn exceptions(one: &OneMove, world: &World<'_>) -> Exceptions {
    let mut exceptions = Exceptions::new();
    for own in one.exceptions.iter().filter(|it| !is_never(&it.rule, world)) {
        add_exception(&mut exceptions, own.columns.clone(), own.rule.clone());
    }
    exceptions
}

/// Adds the rules for moves of all kinds but these.
fn add_other_kinds(
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
fn add_exception(exceptions: &mut Exceptions, columns: Vec<u32>, rule: Alternative) {
    match exceptions.iter_mut().find(|(other, _)| *other == columns) {
        Some((_, rules)) if rules.contains(&rule) => {}
        Some((_, rules)) => rules.push(rule),
        None => exceptions.push((columns, vec![rule])),
    }
}
