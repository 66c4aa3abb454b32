//! Rules that are the same but for the kind of moves that they are about: one complement for all of them.
//!
//! What several kinds of moves leave as it is takes a rule for each kind. That a role makes a move of one of them that
//! does not touch it, is that it makes none of those that do, nor one of any other kind.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, set_of};

use super::kinds::{add_exception, implies};
use super::one_move::OneMove;
use super::{
    Complement, complement_of, estimate, may_have_complement, one_move_of, put_in_place, unjudged,
};
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::complete_tables::decomposition::alike::Rest;
use crate::compact::complete_tables::decomposition::draft::Draft;
use crate::compact::complete_tables::decomposition::guards::guarded;
use crate::compact::complete_tables::decomposition::proposal::{Proposal, RuleGroup, RuleMember};
use crate::compact::complete_tables::decomposition::world::World;
use crate::compact::estimate::{fits, variables};
use crate::compact::variables::number;
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};

/// A rule without the part about a move; and whose moves the part is about, if not those of any role.
type RestAndRole = (Rest, Option<Argument>);

/// Rules that are the same but for their parts: one of them, and what takes the place of the parts. Conditions that the
/// rest of this rule implies are conditions that the rest of each implies.
#[derive(Clone)]
struct UnitedRules {
    rule: usize,
    /// The others that it takes the place of.
    others: Vec<usize>,
    /// The variables that the rest mentions, in this order.
    names: Vec<u32>,
    /// The places among these of what the part shares with the rest.
    interface: VariableSet,
    one: OneMove,
    complement: Complement,
}

/// ElementGroups of rules that are the same but for a part about a move: those whose parts have complements that pay, and behind
/// them those whose parts may join them.
pub(crate) fn same_but_for_moves(rules: &[FlatRule], draft: &Draft<'_, '_>) -> Vec<RuleGroup> {
    let world = draft.world;
    let mut groups: Vec<RuleGroup> = Vec::new();
    let mut by_rest: FxHashMap<RestAndRole, usize> = FxHashMap::default();
    let mut others: Vec<usize> = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        if !rule.body.iter().any(|literal| world.is_move(literal)) || !fits(rule) {
            continue;
        }
        if !world.goes_on(rule) {
            return Vec::new();
        }
        let end = if may_have_complement(rule, world) { rule.body.len() } else { 0 };
        let first = (0..end).find_map(|at| Some((at, complement_of(rule, at, draft)?)));
        let Some((at, (one, complement))) = first else {
            others.push(index);
            continue;
        };
        let (rest, _) = alone(0, rule, one, complement, world);
        let group = *by_rest.entry(rest).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push((index, at));
    }
    if groups.is_empty() {
        return groups;
    }
    for index in others {
        let rule = &rules[index];
        let is_wanted = rule.stored && world.goes_on(rule);
        for at in (0..rule.body.len()).filter(|_| is_wanted) {
            let Some(one) = one_move_of(rule, at, world) else { continue };
            let Some(complement) = unjudged(&one, Vec::new(), 0.0, world) else { continue };
            if let Some(&group) = by_rest.get(&alone(0, rule, one, complement, world).0) {
                groups[group].push((index, at));
                break;
            }
        }
    }
    groups
}

/// One rule with a complement in the place of those of a group that say the same of different kinds of moves. Parts that
/// alone are not worth it join the others if that makes the ground program smaller.
pub(crate) fn complement(members: &[RuleMember<'_>], draft: &Draft<'_, '_>) -> Option<Proposal> {
    let mut union: Option<UnitedRules> = None;
    for (place, &(rule, at)) in members.iter().enumerate() {
        let Some(one) = one_move_of(rule, at, draft.world) else { continue };
        let (guards, before) = guarded(rule, &one.part, draft);
        let Some(own) = unjudged(&one, guards, before, draft.world) else { continue };
        let (_, mut other) = alone(place, rule, one, own, draft.world);
        estimate(&other.one, rule.origin, &mut other.complement, draft);
        let Some(union) = &mut union else {
            union = Some(other);
            continue;
        };
        if !union.has_other_kinds(&other) {
            continue;
        }
        // One shares all with the rest that the other does.
        let (mut base, added) = match () {
            () if union.covers(&other) => (union.clone(), other),
            () if other.covers(union) && union.others.is_empty() => (other, union.clone()),
            () => continue,
        };
        let spared_rule = members[added.rule].0;
        let (_, left) = added.one.part.divide(&spared_rule.body);
        let left = draft.cost(left.iter(), variables(&spared_rule.head.arguments)).size;
        let apart = base.complement.after + added.complement.before + left;
        base.add(added);
        let origin = members[base.rule].0.origin;
        estimate(&base.one, origin, &mut base.complement, draft);
        if base.complement.after < apart {
            *union = base;
        }
    }
    let UnitedRules { rule, others, one, complement, .. } = union?;
    let (mut above, mut new) = (draft.above(), members[rule].0.clone());
    let sizes = (complement.before, complement.after);
    put_in_place(&mut new, &one, complement, &mut above);
    let replaced = [&[rule], &others[..]].concat();
    let proposal = Proposal::new(Change::Complemented, vec![new], (above.into_made(), 0.0));
    Some(Proposal { replaced, sizes: Some(sizes), ..proposal })
}

/// The union of one rule, and what it shares with others.
fn alone(
    index: usize,
    rule: &FlatRule,
    one: OneMove,
    complement: Complement,
    world: &World<'_>,
) -> (RestAndRole, UnitedRules) {
    let outside = |at: usize| !one.part.taken[at];
    let of_body = 0..rule.body.len();
    let is_left: Vec<bool> =
        of_body.map(|at| outside(at) && !is_implied(&rule.body, at, outside, world)).collect();
    let (rest, names) = Rest::new(rule, |at| is_left[at]);
    let role = (!one.is_anyones).then(|| number(&names, one.role));
    let places = (0..).zip(&names).filter(|(_, it)| one.part.interface >> **it & 1 == 1);
    let interface = set_of(places.map(|(place, _)| place));
    (
        (rest, role),
        UnitedRules { rule: index, others: Vec::new(), names, interface, one, complement },
    )
}

/// Whether a literal is a condition that holds for all that one of the others that are left can say.
fn is_implied(
    body: &[FlatLiteral],
    at: usize,
    is_left: impl Fn(usize) -> bool,
    world: &World<'_>,
) -> bool {
    let LiteralKind::Positive(condition) = &body[at].kind else { return false };
    let others = body.iter().enumerate().filter(|&(it, _)| it != at && is_left(it));
    let mut known = others.filter_map(|(_, it)| match &it.kind {
        LiteralKind::Positive(atom) if it.joined && it.stored => Some(atom),
        _ => None,
    });
    !body[at].stored && known.any(|atom| implies(atom, condition, world))
}

impl UnitedRules {
    fn has_other_kinds(&self, other: &UnitedRules) -> bool {
        other.complement.kinds.iter().all(|it| !self.complement.kinds.contains(it))
    }

    /// Whether its part shares all with the rest that the other's does.
    fn covers(&self, other: &UnitedRules) -> bool {
        other.interface & !self.interface == 0
    }

    fn add(&mut self, other: UnitedRules) {
        let UnitedRules { rule, others, names, complement: other, .. } = other;
        self.others.push(rule);
        self.others.extend(others);
        let complement = &mut self.complement;
        for (columns, rules) in other.exceptions {
            let place = |it: &u32| names.iter().position(|name| name == it);
            let renamed = columns.iter().map(|it| self.names[place(it).expect("it is shared")]);
            let columns: Vec<u32> = renamed.collect();
            for rule in rules {
                add_exception(&mut complement.exceptions, columns.clone(), rule);
            }
        }
        complement.kinds.extend(other.kinds);
        complement.before += other.before;
        // A role that the rest names is the same in both.
        if self.one.is_anyones {
            complement.roles.extend(other.roles);
            complement.roles.sort_unstable();
            complement.roles.dedup();
        }
    }
}
