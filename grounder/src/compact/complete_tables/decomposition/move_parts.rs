//! Rules that need one part of a move here and another there: the move is demanded part by part.
//!
//! ```text
//! (<= (next (cell ?u ?v ?p)) (does ?r (move ?x ?y ?u ?v)) (true (cell ?x ?y ?p)))
//! ```
//!
//! The rule has an instance for each move and piece, and what is left of it when `?x` and `?y` are eliminated has as many,
//! as the move holds its four arguments together. But in every state a role makes one move. So who moves from here and
//! moves to there moves from here to there, and `does(r, move(x, y, _, _)), does(r, move(_, _, u, v))` means the same:
//! with a predicate for each of the two the rule is split into one for where `?p` comes from and one for where it goes.
//! For the same reason what a body and a head have in common with a move need not be handed from one to the other.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;
use groundfrog_engine::projection::VariableSet;

use super::draft::Draft;
use super::proposal::{Proposal, size_when_split};
use super::world::World;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::compact::unfolding::{map_arguments, renumbered, unfold, variables_of};
use crate::flat::{FlatLiteral, FlatRule, FormId};
use crate::tuning::MOST_ALTERNATIVES;

/// The rules of views, one or more of which are about a move.
pub(super) type Views = FxHashMap<FormId, Vec<FlatRule>>;

/// A rule, or those that the rules of a view make of it: how each may be written.
type RuleWritings = Vec<Vec<FlatRule>>;

/// Rules that use the parts of one of a rule's moves, or of those of a view each of whose rules takes its place in one
/// of them.
pub(crate) fn move_parts(rule: &FlatRule, draft: &Draft<'_, '_>) -> Vec<Proposal> {
    let world = draft.world;
    let mut candidates: Vec<RuleWritings> = vec![vec![all_parted(rule, world)]];
    let is_open = has_open_move(rule, world);
    let views = world.views(|| views_about_moves(world));
    for (at, literal) in rule.body.iter().enumerate() {
        let is_needed = literal.stored && literal.is_positive();
        let Some(atom) = literal.atom().filter(|_| is_needed) else { continue };
        // `true` shares its form with `next`, and `does` with `legal`, but neither uses what these rules derive.
        let is_own = |view: &&Vec<FlatRule>| {
            let has_open_move = is_open || view.iter().any(|own| has_open_move(own, world));
            has_open_move && view.iter().all(|own| own.head.name == atom.name)
        };
        let view = views.get(&atom.form).filter(is_own);
        candidates.extend(view.and_then(|view| unfolded(rule, at, view, world)));
    }
    candidates.retain(|candidate| candidate.iter().any(|written| !written.is_empty()));
    candidates.into_iter().filter_map(|candidate| proposal(candidate, draft)).collect()
}

/// A candidate, each of its rules as it is smallest, with predicates for the parts of their moves.
fn proposal(candidate: RuleWritings, draft: &Draft<'_, '_>) -> Option<Proposal> {
    let (mut above, mut size, mut rules) = (draft.above(), 0.0, Vec::new());
    for written in candidate {
        let mut best: Option<(f64, FlatRule)> = None;
        let is_only = written.len() == 1;
        for rule in written {
            if !draft.world.goes_on(&rule) {
                return None;
            }
            let after = match is_only {
                true => 0.0,
                false => {
                    let mut trial = above.above();
                    let (projected, own) = with_projected_moves(rule.clone(), &mut trial);
                    own + size_when_split(&projected, &trial)
                }
            };
            if best.as_ref().is_none_or(|(least, _)| after < *least) {
                best = Some((after, rule));
            }
        }
        let (projected, own) = with_projected_moves(best?.1, &mut above);
        size += own;
        rules.push(projected);
    }
    Some(Proposal::new(Change::MovesTakenApart, rules, (above.into_made(), size)))
}

/// The views that have few rules, which do not use them, and say something of a move.
fn views_about_moves(world: &World<'_>) -> Views {
    let rules = world.rules;
    let mut views = Views::default();
    let is_about_move = |it: &&FlatRule| it.stored && it.body.iter().any(|it| world.is_move(it));
    for rule in rules.iter().filter(is_about_move) {
        views.entry(rule.head.form).or_default();
    }
    let given = world.known.facts.facts(world.forms).map(|it| it.0);
    given.for_each(|it| drop(views.remove(&it)));
    let mut others = Vec::new();
    for rule in rules {
        let form = rule.head.form;
        let Some(view) = views.get_mut(&form) else { continue };
        let uses_itself = || rule.body.iter().any(|it| it.form() == Some(form));
        if !rule.stored || view.len() == MOST_ALTERNATIVES || uses_itself() {
            others.push(form);
        } else {
            view.push(rule.clone());
        }
    }
    others.iter().for_each(|it| drop(views.remove(it)));
    views
}

/// A rule with each of a view's rules in the place of its literal, which use the parts of a move if they can; none
/// if none does.
fn unfolded(
    rule: &FlatRule,
    at: usize,
    view: &[FlatRule],
    world: &World<'_>,
) -> Option<RuleWritings> {
    let unfolded = unfold(rule, at, view);
    if !unfolded.iter().all(fits) {
        return None;
    }
    let mut candidate: RuleWritings = unfolded.iter().map(|it| all_parted(it, world)).collect();
    if candidate.iter().all(Vec::is_empty) {
        return None;
    }
    for (written, own) in candidate.iter_mut().zip(unfolded).filter(|(it, _)| it.is_empty()) {
        written.push(own);
    }
    Some(candidate)
}

/// The rule that uses the parts of a move, for each move for which there is one.
fn all_parted(rule: &FlatRule, world: &World<'_>) -> Vec<FlatRule> {
    let places = (0..rule.body.len()).filter(|&at| may_be_parted(&rule.body[at], world));
    places.flat_map(|at| parted(rule, at)).collect()
}

/// Whether a rule uses a move of which it may need some arguments and not others.
fn has_open_move(rule: &FlatRule, world: &World<'_>) -> bool {
    let is_open = |literal: &FlatLiteral| {
        let mut arguments = literal.atom().into_iter().flat_map(|it| it.arguments.iter().skip(1));
        may_be_parted(literal, world) && arguments.any(|it| it.variable().is_some())
    };
    rule.body.iter().any(is_open)
}

/// Whether a literal uses a move that may be taken apart.
fn may_be_parted(literal: &FlatLiteral, world: &World<'_>) -> bool {
    let has_simple_role = |form| world.has_simple_role(form);
    literal.stored && world.is_move(literal) && literal.form().is_some_and(has_simple_role)
}

/// A rule with auxiliary predicates for moves of which it needs some arguments, and the size of the rules of those
/// that are new.
fn with_projected_moves(mut rule: FlatRule, draft: &mut Draft<'_, '_>) -> (FlatRule, f64) {
    let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
    let of_head = rule.head.arguments.iter().filter_map(|it| it.variable());
    let of_body = rule.body.iter().flat_map(variables_of);
    of_head.chain(of_body).for_each(|it| *uses.entry(it).or_default() += 1);
    let mut size = 0.0;
    for at in 0..rule.body.len() {
        let literal = &rule.body[at];
        let shared: Vec<u32> =
            variables_of(literal).into_iter().filter(|it| uses[it] > 1).collect();
        if !draft.world.is_move(literal) || shared.len() == variables_of(literal).len() {
            continue;
        }
        let definition = draft.definition(&[literal], &shared);
        if draft.find(&definition).is_none() {
            size += draft.cost(definition.body.iter(), !0).size;
        }
        rule.body[at] = draft.stand_for(definition, rule.origin).0;
    }
    (renumbered(&rule), size)
}

/// The head, or literals, that use a move once.
#[derive(Default, PartialEq)]
struct MoveUse {
    /// The arguments of the move that they need.
    needed: VariableSet,
    /// The other variables that they have.
    others: VariableSet,
    literals: Vec<usize>,
}

/// What makes a group of literals.
#[derive(Clone, Copy)]
enum Bond {
    /// They have variables in common that are no arguments of the move.
    Variables,
    /// They need the same arguments of the move.
    Arguments,
}

/// The arguments of the literal `at`, and its role.
struct MoveLiteral {
    at: usize,
    own: VariableSet,
    of_role: VariableSet,
}

/// The rules that use a move of a rule once for each group, with names of their own for its arguments.
fn parted(rule: &FlatRule, at: usize) -> Vec<FlatRule> {
    let atom = rule.body[at].atom();
    let Some((&role, arguments)) = atom.and_then(|it| it.arguments.split_first()) else {
        return Vec::new();
    };
    let of_role = variables(&[role]);
    let one = MoveLiteral { at, own: variables(arguments) & !of_role, of_role };
    let groups = |bond| groups(rule, &one, bond);
    let (first, second) = (groups(Bond::Variables), groups(Bond::Arguments));
    let second = (second != first).then_some(second);
    let all = [Some(first), second].into_iter().flatten();
    all.filter_map(|groups| parted_by(rule, &one, &groups)).collect()
}

/// The rule that uses a move once for each group that needs arguments of it; none if there are not several.
fn parted_by(rule: &FlatRule, one: &MoveLiteral, groups: &[MoveUse]) -> Option<FlatRule> {
    if groups.iter().filter(|it| it.needed != 0).count() < 2 {
        return None;
    }
    let mut next = rule.body.iter().flat_map(variables_of).max()? + 1;
    let mut body = Vec::new();
    for (position, group) in groups.iter().enumerate() {
        // The head keeps its names.
        let kept = if position == 0 { group.needed } else { 0 };
        let first = next;
        let name = |argument: Argument| match argument.variable() {
            Some(own) if one.own & !kept & (1 << own) != 0 => Argument::Variable(first + own),
            _ => argument,
        };
        let renamed = |at: usize| {
            let literal = &rule.body[at];
            FlatLiteral { kind: map_arguments(&literal.kind, &name), ..*literal }
        };
        let own_move = (group.needed != 0).then_some(one.at);
        body.extend(own_move.into_iter().chain(group.literals.iter().copied()).map(renamed));
        next = first + VariableSet::BITS;
    }
    let parted = renumbered(&FlatRule { body, ..rule.clone() });
    fits(&parted).then_some(parted)
}

/// The head, and the groups of the rest of a rule's body.
fn groups(rule: &FlatRule, one: &MoveLiteral, bond: Bond) -> Vec<MoveUse> {
    let head = variables(&rule.head.arguments) & one.own;
    let mut groups = vec![MoveUse { needed: head, ..MoveUse::default() }];
    let mut about_move_alone = Vec::new();
    for it in (0..rule.body.len()).filter(|&it| it != one.at) {
        let all = literal_variables(&rule.body[it]);
        let (needed, others) = (all & one.own, all & !(one.own | one.of_role));
        if others == 0 && needed != 0 {
            about_move_alone.push((it, needed));
            continue;
        }
        let mut group = MoveUse { needed, others, literals: vec![it] };
        let is_bound = |other: &MoveUse| match bond {
            Bond::Variables => other.others & others != 0,
            Bond::Arguments => other.needed == needed && needed != 0,
        };
        // Most literals of a long body have no variables.
        if needed | others != 0 {
            for other in groups.extract_if(1.., |other| is_bound(other)) {
                group.needed |= other.needed;
                group.others |= other.others;
                group.literals.extend(other.literals);
            }
        }
        group.literals.sort_unstable();
        groups.push(group);
    }
    // What restricts a move stands wherever its arguments are needed; what is stored, once.
    for (it, needed) in about_move_alone {
        let mut places = groups.iter_mut().filter(|group| needed & !group.needed == 0).peekable();
        if places.peek().is_none() {
            drop(places);
            groups.push(MoveUse { needed, others: 0, literals: vec![it] });
        } else {
            let count = if rule.body[it].stored { 1 } else { usize::MAX };
            places.take(count).for_each(|group| group.literals.push(it));
        }
    }
    groups
}
