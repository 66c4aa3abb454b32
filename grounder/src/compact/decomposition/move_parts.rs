//! Rules that need one part of a move here and another there: the move is asked for part by part.
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

use super::Splitter;
use crate::compact::auxiliaries::{Change, Definition, Split};
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::compact::unfolding::replace;
use crate::compact::variables::{map_arguments, renumbered, variables_of};
use crate::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId};

/// Rules of at least this size may ask for the parts of a move,
const LARGE: f64 = 1_000.0;
/// if that makes them smaller than this part of what they are, when all is split.
const GAIN: f64 = 0.8;
/// So many moves of a rule may be taken into parts.
const MOST_MOVES: usize = 4;

/// The rules of views that have one rule each, which is about a move.
type Views = FxHashMap<FormId, FlatRule>;

impl Splitter<'_> {
    /// Rules that ask for the parts of moves where that makes the ground program smaller.
    pub(super) fn take_moves_apart(&mut self, mut rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let is_about_move = |it: &FlatRule| it.stored && it.body.iter().any(|it| self.is_move(it));
        if !rules.iter().any(is_about_move) {
            return rules;
        }
        let views = self.views_about_moves(&rules);
        for rule in rules.iter_mut().filter(|rule| rule.stored) {
            for _ in 0..MOST_MOVES {
                let Some(parted) = self.with_move_parts(rule, &views) else { break };
                *rule = parted;
            }
        }
        rules
    }

    /// The views that only name a conjunction with a move.
    fn views_about_moves(&self, rules: &[FlatRule]) -> Views {
        let mut views = Views::default();
        let mut others = Vec::new();
        for rule in rules {
            let form = rule.head.form;
            let is_view = rule.stored && rule.body.iter().any(|it| self.is_move(it));
            if !is_view || views.insert(form, rule.clone()).is_some() {
                others.push(form);
            }
        }
        let given = self.known.facts.facts(self.forms).map(|it| it.0);
        others.into_iter().chain(given).for_each(|it| drop(views.remove(&it)));
        views
    }

    /// A rule that asks for the parts of one of its moves, or of the move of a view whose rule takes its place, if that
    /// pays.
    fn with_move_parts(&mut self, rule: &FlatRule, views: &Views) -> Option<FlatRule> {
        if !fits(rule) || !self.goes_on(rule) {
            return None;
        }
        let mut candidates = self.all_parted(rule);
        for (at, literal) in rule.body.iter().enumerate() {
            let is_asked = literal.stored && literal.is_positive();
            let view = literal.form().filter(|_| is_asked).and_then(|it| views.get(&it));
            let unfolded = view.and_then(|it| replace(rule, at, it)).filter(fits);
            candidates.extend(unfolded.iter().flat_map(|it| self.all_parted(it)));
        }
        if candidates.is_empty() || self.size(rule) < LARGE {
            return None;
        }
        self.smallest_parted(rule, candidates)
    }

    /// The rule that asks for the parts of a move, for each move for which there is one.
    fn all_parted(&self, rule: &FlatRule) -> Vec<FlatRule> {
        let is_taken_apart = |it: &FlatLiteral| {
            let has_simple_role = |form| self.has_simple_role(form);
            it.stored && self.is_move(it) && it.form().is_some_and(has_simple_role)
        };
        let places = (0..rule.body.len()).filter(|&at| is_taken_apart(&rule.body[at]));
        places.flat_map(|at| parted(rule, at)).collect()
    }

    /// The candidate that is smallest, with predicates for the parts of its moves, if it pays to have it for the rule.
    #[inline(never)]
    fn smallest_parted(&mut self, rule: &FlatRule, candidates: Vec<FlatRule>) -> Option<FlatRule> {
        let before = self.on_trial(|trial| trial.size_when_all_split(rule.clone(), Self::split));
        let mut best: Option<(f64, FlatRule)> = None;
        for candidate in candidates {
            if !self.goes_on(&candidate) {
                return None;
            }
            let after = self.on_trial(|trial| {
                let (projected, own) = trial.with_projected_moves(candidate.clone());
                own + trial.size_when_all_split(projected, Self::split)
            });
            if after < before * GAIN && best.as_ref().is_none_or(|(least, _)| after < *least) {
                best = Some((after, candidate));
            }
        }
        let (after, parted) = best?;
        let split = Split::new(Change::MovesTakenApart, [rule.origin], (before, after));
        self.auxiliaries.splits.push(split);
        Some(self.with_projected_moves(parted).0)
    }

    /// A rule with auxiliary predicates for moves of which it needs some arguments, and the size of the rules of those
    /// that are new.
    fn with_projected_moves(&mut self, mut rule: FlatRule) -> (FlatRule, f64) {
        let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
        let of_head = rule.head.arguments.iter().filter_map(|it| it.variable());
        let of_body = rule.body.iter().flat_map(variables_of);
        of_head.chain(of_body).for_each(|it| *uses.entry(it).or_default() += 1);
        let mut size = 0.0;
        for at in 0..rule.body.len() {
            let literal = &rule.body[at];
            let shared: Vec<u32> =
                variables_of(literal).into_iter().filter(|it| uses[it] > 1).collect();
            if !self.is_move(literal) || shared.len() == variables_of(literal).len() {
                continue;
            }
            let definition = Definition::new(&[literal], &shared);
            if self.auxiliaries.find(&definition).is_none() {
                size += self.cost(definition.body.iter(), !0).size;
            }
            rule.body[at] = self.auxiliary(definition, rule.origin);
        }
        (renumbered(&rule), size)
    }
}

/// The head, or literals, that ask for a move once.
#[derive(Default, PartialEq)]
struct Group {
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
struct Move {
    at: usize,
    own: VariableSet,
    of_role: VariableSet,
}

/// The rules that ask for a move of a rule once for each group, with names of their own for its arguments.
fn parted(rule: &FlatRule, at: usize) -> Vec<FlatRule> {
    let atom = rule.body[at].atom();
    let Some((&role, arguments)) = atom.and_then(|it| it.arguments.split_first()) else {
        return Vec::new();
    };
    let of_role = variables(&[role]);
    let one = Move { at, own: variables(arguments) & !of_role, of_role };
    let groups = |bond| groups(rule, &one, bond);
    let (first, second) = (groups(Bond::Variables), groups(Bond::Arguments));
    let second = (second != first).then_some(second);
    let all = [Some(first), second].into_iter().flatten();
    all.filter_map(|groups| parted_by(rule, &one, &groups)).collect()
}

/// The rule that asks for a move once for each group that needs arguments of it; none if there are not several.
fn parted_by(rule: &FlatRule, one: &Move, groups: &[Group]) -> Option<FlatRule> {
    if groups.iter().filter(|it| it.needed != 0).count() < 2 {
        return None;
    }
    let mut next = rule.body.iter().flat_map(variables_of).max()? + 1;
    let mut body = Vec::new();
    for (position, group) in groups.iter().enumerate() {
        // The head keeps its names.
        let kept = if position == 0 { group.needed } else { 0 };
        let first = next;
        let name = |it: Argument| match it.variable() {
            Some(own) if one.own & !kept & (1 << own) != 0 => Argument::Variable(first + own),
            _ => it,
        };
        let renamed = |it: usize| {
            let literal = &rule.body[it];
            FlatLiteral { kind: map_arguments(&literal.kind, &name), ..*literal }
        };
        let asked = (group.needed != 0).then_some(one.at);
        body.extend(asked.into_iter().chain(group.literals.iter().copied()).map(renamed));
        next = first + VariableSet::BITS;
    }
    let parted = renumbered(&FlatRule { body, ..rule.clone() });
    fits(&parted).then_some(parted)
}

/// The head, and the groups of the rest of a rule's body.
fn groups(rule: &FlatRule, one: &Move, bond: Bond) -> Vec<Group> {
    let head = variables(&rule.head.arguments) & one.own;
    let mut groups = vec![Group { needed: head, ..Group::default() }];
    let mut about_move_alone = Vec::new();
    for it in (0..rule.body.len()).filter(|&it| it != one.at) {
        let all = literal_variables(&rule.body[it]);
        let (needed, others) = (all & one.own, all & !(one.own | one.of_role));
        if others == 0 && needed != 0 {
            about_move_alone.push((it, needed));
            continue;
        }
        let mut group = Group { needed, others, literals: vec![it] };
        let is_bound = |other: &Group| match bond {
            Bond::Variables => other.others & others != 0,
            Bond::Arguments => other.needed == needed && needed != 0,
        };
        for other in groups.extract_if(1.., |other| is_bound(other)) {
            group.needed |= other.needed;
            group.others |= other.others;
            group.literals.extend(other.literals);
        }
        group.literals.sort_unstable();
        groups.push(group);
    }
    // What restricts a move is said wherever its arguments are needed; what is stored, once.
    for (it, needed) in about_move_alone {
        let mut places = groups.iter_mut().filter(|group| needed & !group.needed == 0).peekable();
        if places.peek().is_none() {
            drop(places);
            groups.push(Group { needed, others: 0, literals: vec![it] });
        } else {
            let count = if rule.body[it].stored { 1 } else { usize::MAX };
            places.take(count).for_each(|group| group.literals.push(it));
        }
    }
    groups
}
