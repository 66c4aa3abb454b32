//! Moves: rules that differ only in the move say together that a role makes one of some moves.
//!
//! `next(c) <- true(c), does(r, a)` for each of the moves a in S becomes `next(c) <- true(c), some(S)`, with
//! `some(S) <- does(r, a)` for each a in S, once for all rules that speak of the same S. In every state a
//! role makes exactly one move. So where S is most of the moves, as in the frame rules of boards,
//! `not some(others)` takes the place of `some(S)`, with rules for the few other moves. A view that only says
//! which moves are made counts as these moves.
//!
//! The rules are grouped by all but what they say about moves ([`Grouping`]); what each group speaks of are sets of moves, of
//! which those that pay get an atom ([`sets`]).

mod sets;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};
use hashbrown::HashTable;

use self::sets::{Becomes, MoveSets};
use crate::game::{Moves, NOBODY};
use crate::simplify::subsumption::{hash, mix, sorted_without};
use crate::ticker::Ticker;
use crate::tuning::{MOST_TURNS, PROMISING, SAMPLE, WORTH_A_SAMPLE};

/// What merging rules has changed.
#[derive(Debug, Default)]
pub struct Merged {
    /// How many new atoms there are.
    pub atoms: u32,
    /// The heads of new rules.
    pub heads: Vec<u32>,
}

/// Merges rules. New atoms, which stand for sets of moves, are numbered from `first_new`, above all others, in an
/// order that follows from the `code` of the moves. Sums of codes should differ if the moves do.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn merge(
    rules: &mut RuleStore,
    moves: &Moves,
    is_view: impl Fn(u32) -> bool,
    first_new: u32,
    code: impl Fn(u32) -> u64,
    ticker: &mut Ticker<'_>,
) -> Result<Merged, Exceeded> {
    let possible = moves.possible();
    let mut merged = Merged::default();
    for attempt in 0..MOST_TURNS {
        let first_new = first_new + merged.atoms;
        let is_about_moves = about_moves(rules, moves, &is_view, first_new);
        if rules.len() > WORTH_A_SAMPLE {
            let is_sampled = |head: u32| head.is_multiple_of(SAMPLE);
            let sample = Grouping::new(rules, &is_about_moves, attempt, is_sampled, ticker)?;
            if sample.shared() * (PROMISING as f64) < 1.0 {
                break;
            }
        }
        let grouping = Grouping::new(rules, &is_about_moves, attempt, |_| true, ticker)?;
        if grouping.is_worth_a_look() {
            let meanings = Meanings { moves, grouping: &grouping };
            let mut sets = MoveSets::new(&grouping, &meanings, &possible, ticker)?;
            let (definitions, named) = sets.choose(&possible, first_new, &code);
            if sets.is_chosen.contains(&true) {
                *rules = rewrite(rules, &grouping, &sets, &mut merged.heads, ticker)?;
                rules.append(&definitions, |literal| literal);
                merged.heads.extend(first_new..first_new + named);
                merged.atoms += named;
            }
        }
        if !grouping.has_more {
            break;
        }
    }
    Ok(merged)
}

/// By atom below `atoms`: whether it says that one of some moves is made. Besides the moves these are the views
/// all whose rules have one move as their body.
fn about_moves(
    rules: &RuleStore,
    moves: &Moves,
    is_view: &impl Fn(u32) -> bool,
    atoms: u32,
) -> Vec<bool> {
    const MOVE: u8 = 1;
    const OTHER: u8 = 2;
    let mut bodies = vec![0u8; atoms as usize];
    for (rule, &head) in (0..).zip(rules.heads()).filter(|&(_, &head)| is_view(head)) {
        let is_move = match rules.rule(rule).body {
            [it] => !it.is_negated() && moves.mover(it.atom()) != NOBODY,
            _ => false,
        };
        bodies[head as usize] |= if is_move { MOVE } else { OTHER };
    }
    let mut is_about_moves: Vec<bool> = bodies.iter().map(|&it| it == MOVE).collect();
    moves.of_roles().for_each(|it| is_about_moves[it as usize] = true);
    is_about_moves
}

/// Puts the rules that are chosen for each group in its place.
fn rewrite(
    rules: &RuleStore,
    grouping: &Grouping,
    sets: &MoveSets,
    heads: &mut Vec<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<RuleStore, Exceeded> {
    let mut result = RuleStore::default();
    let mut body: Vec<GroundLiteral> = Vec::new();
    // Up to here the rules have been copied or replaced.
    let mut done = 0;
    let grouped = grouping.rules().filter(|&(_, group)| sets.is_chosen[group]);
    for (number, group) in grouped {
        ticker.tick()?;
        result.extend(rules, done..number as usize);
        done = number as usize + 1;
        let first = &grouping.groups[group];
        if first.rule != number {
            continue;
        }
        let rule = rules.rule(number as usize);
        heads.push(rule.head);
        let becomes = || sets.of_group(group).map(|set| set.becomes);
        let is_always = becomes().any(|it| it == Becomes::Always);
        for it in becomes() {
            body.clear();
            let (before, after) = rest(rule.body, first.position);
            body.extend(before.iter().chain(after));
            match it {
                Becomes::Never => continue,
                Becomes::Literal(_) if is_always => continue,
                Becomes::Always => {}
                Becomes::Literal(literal) => body.push(literal),
            }
            body.sort_unstable();
            body.dedup();
            result.push(rule.head, &body);
            if is_always {
                break;
            }
        }
    }
    result.extend(rules, done..rules.len());
    Ok(result)
}

const NONE: u32 = u32::MAX;
/// A rule with a literal about moves.
struct MoveRule {
    rule: u32,
    /// What that literal is about.
    atom: u32,
    group: u32,
}

/// Rules with one head whose bodies differ in one literal, which is about moves.
struct Group {
    /// The first of them.
    rule: u32,
    /// Where its body has that literal.
    position: u32,
    rules: u32,
    /// A hash of its head and the rest of its body, if there is one.
    hash: u64,
}

/// Rules grouped by all but one literal.
struct Grouping {
    groups: Vec<Group>,
    candidates: Vec<MoveRule>,
    /// The atoms about moves of the rules of each group, one group after the other.
    atoms: Vec<u32>,
    /// By group: where its atoms end.
    ends: Vec<u32>,
    /// By head: the group of its rules that have no other literal.
    by_head: Vec<u32>,
    /// By atom about moves: in how many bodies it is; many if it is negated in one.
    uses: Vec<u32>,
    /// How many rules were looked at.
    looked_at: usize,
    /// Whether some have more literals about moves than were tried.
    has_more: bool,
}

impl Grouping {
    /// Groups rules by all but one literal about moves: that of the number of the attempt, or their last. Rules with
    /// other heads than those wanted are left out.
    fn new(
        rules: &RuleStore,
        is_about_moves: &[bool],
        attempt: usize,
        is_wanted: impl Fn(u32) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Grouping, Exceeded> {
        let mut grouping = Grouping {
            groups: Vec::new(),
            candidates: Vec::new(),
            atoms: Vec::new(),
            ends: Vec::new(),
            by_head: vec![NONE; is_about_moves.len()],
            uses: vec![0; is_about_moves.len()],
            looked_at: 0,
            has_more: false,
        };
        let mut by_rest = HashTable::new();
        let wanted = (0..).zip(rules.heads()).filter(|&(_, &head)| is_wanted(head));
        for (number, _) in wanted {
            ticker.tick()?;
            let rule = rules.rule(number as usize);
            grouping.looked_at += 1;
            if let Some(position) = grouping.position(rule, is_about_moves, attempt) {
                grouping.add(rules, (number, rule), position, &mut by_rest);
            }
        }
        grouping.collect_atoms();
        Ok(grouping)
    }

    /// Where a body has the literal about moves of an attempt.
    #[inline]
    fn position(
        &mut self,
        rule: GroundRule<'_>,
        is_about_moves: &[bool],
        attempt: usize,
    ) -> Option<u32> {
        let (mut position, mut passed) = (None, 0);
        for (at, literal) in (0..).zip(rule.body) {
            let atom = literal.atom() as usize;
            if !is_about_moves[atom] {
                continue;
            }
            let uses = &mut self.uses[atom];
            if literal.is_negated() {
                *uses = u32::MAX;
                continue;
            }
            *uses = uses.saturating_add(1);
            if passed <= attempt {
                position = Some(at);
            }
            passed += 1;
        }
        self.has_more |= passed > attempt + 1;
        position
    }

    /// Adds a rule to its group.
    #[inline]
    fn add(
        &mut self,
        rules: &RuleStore,
        (number, rule): (u32, GroundRule<'_>),
        position: u32,
        by_rest: &mut HashTable<u32>,
    ) {
        let new = self.groups.len() as u32;
        let own = rule.body[position as usize];
        let (group, hash) = if rule.body.len() == 1 {
            let group = &mut self.by_head[rule.head as usize];
            *group = if *group == NONE { new } else { *group };
            (*group, 0)
        } else {
            let (all, groups) = (hash(rule.body).wrapping_add(mix(!rule.head)), &self.groups);
            let hash = all.wrapping_sub(mix(own.code()));
            let hash_of = |&group: &u32| groups[group as usize].hash;
            let is_same = |group: &u32| {
                hash_of(group) == hash && is_like(rules, &groups[*group as usize], rule, position)
            };
            (*by_rest.entry(hash, is_same, hash_of).or_insert(new).get(), hash)
        };
        if group == new {
            self.groups.push(Group { rule: number, position, rules: 0, hash });
        }
        self.groups[group as usize].rules += 1;
        self.candidates.push(MoveRule { rule: number, atom: own.atom(), group });
    }

    fn collect_atoms(&mut self) {
        // Where each group's atoms begin, then where they end.
        self.ends.reserve_exact(self.groups.len());
        let mut end = 0;
        for group in &self.groups {
            self.ends.push(end);
            end += group.rules;
        }
        self.atoms.resize(end as usize, 0);
        for candidate in &self.candidates {
            let end = &mut self.ends[candidate.group as usize];
            self.atoms[*end as usize] = candidate.atom;
            *end += 1;
        }
    }

    /// How many of the rules that were looked at share their group with an earlier one, as a part of them.
    fn shared(&self) -> f64 {
        (self.candidates.len() - self.groups.len()) as f64 / self.looked_at.max(1) as f64
    }

    /// Whether there are rules that share their group.
    fn is_worth_a_look(&self) -> bool {
        self.groups.len() < self.candidates.len()
    }

    /// The rules, ascending, each with its group.
    fn rules(&self) -> impl Iterator<Item = (u32, usize)> {
        self.candidates.iter().map(|it| (it.rule, it.group as usize))
    }

    fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// The atoms about moves of the rules of a group, in the order of the rules.
    fn atoms(&self, group: usize) -> &[u32] {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.atoms[start as usize..self.ends[group] as usize]
    }

    /// The atoms of the rules for a head that have no other literal.
    fn atoms_alone(&self, head: u32) -> &[u32] {
        match self.by_head[head as usize] {
            NONE => &[],
            group => self.atoms(group as usize),
        }
    }
}

/// Whether a rule has the head and the rest of a group, in whatever order.
#[inline]
fn is_like(rules: &RuleStore, group: &Group, rule: GroundRule<'_>, position: u32) -> bool {
    let first = rules.rule(group.rule as usize);
    if first.head != rule.head || first.body.len() != rule.body.len() {
        return false;
    }
    // Loops over the few literals that there are take less time than iterators in two parts.
    let skip = |at: usize, position: u32| at + usize::from(at >= position as usize);
    let is_in_order = (0..rule.body.len() - 1)
        .all(|at| rule.body[skip(at, position)] == first.body[skip(at, group.position)]);
    let rest = |body: &[GroundLiteral], position: u32| {
        sorted_without(body, body[position as usize].code())
    };
    is_in_order || rest(rule.body, position) == rest(first.body, group.position)
}

/// What is before and after a literal of a body.
fn rest(body: &[GroundLiteral], position: u32) -> (&[GroundLiteral], &[GroundLiteral]) {
    let position = position as usize;
    (&body[..position], &body[position + 1..])
}

/// What atoms say about moves: which of some is made.
#[derive(Clone, Copy)]
struct Meanings<'run> {
    moves: &'run Moves,
    grouping: &'run Grouping,
}

impl Meanings<'_> {
    /// The moves of which an atom says that one is made: itself, or all that the rules of a view have as their body.
    #[inline]
    fn of<'it>(&'it self, atom: &'it u32) -> &'it [u32] {
        if self.moves.contain(*atom) {
            std::slice::from_ref(atom)
        } else {
            self.grouping.atoms_alone(*atom)
        }
    }

    /// How many rules go if a rule with this atom does: itself, and its share of those of a view.
    fn weight(&self, atom: u32) -> f64 {
        if self.moves.contain(atom) {
            return 1.0;
        }
        let uses = self.grouping.uses[atom as usize];
        1.0 + self.of(&atom).len() as f64 / f64::from(uses)
    }
}
