//! Sums of weights of fluents, and what joint moves do to them, followed move by move.

use std::collections::BTreeMap;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::game::{AtomId, GroundGame, Move, RoleId};
use rustsat::types::Lit;

use crate::formula::Answer;
use crate::unrolling::Unrolling;

/// More partial sums are not written.
const MOST_SUMS: usize = 200_000;

/// Literals of which one at most holds, each with a weight.
pub(crate) type Choice = Vec<(i64, Lit)>;

/// The weights of a group in a state, times the sign; fluents of the same weight are one literal.
pub(crate) fn choice(
    unrolling: &mut Unrolling<'_>,
    state: usize,
    sign: i64,
    group: &[(AtomId, i64)],
) -> Choice {
    let mut of_weight: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
    for &(fluent, weight) in group {
        of_weight.entry(sign * weight).or_default().push(unrolling.literal(state, fluent));
    }
    of_weight.into_iter().map(|(weight, all)| (weight, unrolling.formula.any(&all))).collect()
}

/// What joint moves out of a state may change of groups of fluents. Each group is shown to change by those moves only that its
/// rules read; so moves can be looked at one after the other, each with the groups that it can change.
pub(crate) struct Changes<'game> {
    /// Moves and the groups that they touch.
    moves: Vec<(&'game Move, Vec<usize>)>,
    made: Vec<Lit>,
    /// Groups that may change with any move.
    free: Vec<usize>,
    assumptions: Vec<Lit>,
}

impl<'game> Changes<'game> {
    /// The changes where the assumptions hold; none if the time is over.
    pub(crate) fn new(
        unrolling: &mut Unrolling<'game>,
        state: usize,
        assumptions: &[Lit],
        groups: &[Vec<AtomId>],
    ) -> Option<Self> {
        let mut differs: Vec<Lit> = Vec::new();
        for group in groups {
            let mut ways = Vec::new();
            for &fluent in group {
                let now = unrolling.literal(state, fluent);
                let next = unrolling.literal(state + 1, fluent);
                ways.extend([[now, !next], [!now, next]].map(|both| unrolling.formula.all(&both)));
            }
            differs.push(unrolling.formula.any(&ways));
        }
        let mut moves = touched_groups(unrolling.game, groups);
        moves.retain(|(_, touched)| !touched.is_empty());
        moves.sort_by_key(|(_, touched)| std::cmp::Reverse(touched.len()));
        let made: Vec<Lit> =
            moves.iter().map(|(made, _)| unrolling.literal(state, made.does)).collect();
        let mut assumptions = assumptions.to_vec();
        assumptions.push(unrolling.goes_on(state));
        // Where two roles can change groups at once, any group may change with any move.
        let mut of_role: BTreeMap<RoleId, Vec<Lit>> = BTreeMap::new();
        for ((of_move, _), &made) in moves.iter().zip(&made) {
            of_role.entry(of_move.role).or_default().push(made);
        }
        let touching: Vec<Lit> = of_role.values().map(|all| unrolling.formula.any(all)).collect();
        let two = unrolling.formula.more_than(1, &touching);
        let mut free: Vec<usize> = match unrolling.solve_with(&assumptions, &[two]) {
            Answer::Unknown => return None,
            Answer::Satisfiable => (0..groups.len()).collect(),
            Answer::Unsatisfiable => {
                assumptions.push(!two);
                Vec::new()
            }
        };
        for (group, &differs) in differs.iter().enumerate() {
            if free.contains(&group) {
                continue;
            }
            let mut untouched = vec![differs];
            let all = moves.iter().zip(&made);
            let of_group = all.filter(|((_, touched), _)| touched.contains(&group));
            untouched.extend(of_group.map(|(_, &made)| !made));
            match unrolling.solve_with(&assumptions, &untouched) {
                Answer::Unknown => return None,
                Answer::Satisfiable => free.push(group),
                Answer::Unsatisfiable => {}
            }
        }
        Some(Changes { moves, made, free, assumptions })
    }

    /// Whether some joint move may break a rule. `breaks` makes a literal that holds where the rule is broken, if the groups with
    /// these numbers are all that change. `found` is called for joint moves that may, until it wants no more.
    pub(crate) fn solve(
        &self,
        unrolling: &mut Unrolling<'game>,
        mut breaks: impl FnMut(&mut Unrolling<'game>, &[usize]) -> Lit,
        mut found: impl FnMut(&Unrolling<'game>) -> bool,
    ) -> Answer {
        let mut known_answer = Answer::Unsatisfiable;
        // What holds of the moves that are left.
        let left = unrolling.formula.variable();
        let assumptions = [&self.assumptions[..], &[left]].concat();
        let mut known: FxHashMap<Vec<usize>, Lit> = FxHashMap::default();
        for ((_, touched), &made) in self.moves.iter().zip(&self.made) {
            let changed = self.changed(touched);
            let breaks = *known.entry(changed).or_insert_with_key(|it| breaks(unrolling, it));
            let answer = unrolling.solve_with(&assumptions, &[made, breaks]);
            match answer {
                Answer::Unknown => return known_answer.or(answer),
                Answer::Satisfiable if !found(unrolling) => return answer,
                Answer::Satisfiable => known_answer = answer,
                Answer::Unsatisfiable => {}
            }
            unrolling.formula.add(&[!left, !made]);
        }
        let breaks = breaks(unrolling, &self.free);
        let answer = unrolling.solve_with(&assumptions, &[breaks]);
        if answer == Answer::Satisfiable {
            found(unrolling);
        }
        known_answer.or(answer)
    }

    /// The moves with which no joint move breaks a rule, `breaks` as above.
    pub(crate) fn keeping(
        &self,
        unrolling: &mut Unrolling<'game>,
        mut breaks: impl FnMut(&mut Unrolling<'game>, &[usize]) -> Lit,
    ) -> Vec<AtomId> {
        let mut known: FxHashMap<Vec<usize>, Lit> = FxHashMap::default();
        let mut keeping = Vec::new();
        for ((of_move, touched), &made) in self.moves.iter().zip(&self.made) {
            let changed = self.changed(touched);
            let breaks = *known.entry(changed).or_insert_with_key(|it| breaks(unrolling, it));
            if unrolling.solve_with(&self.assumptions, &[made, breaks]) == Answer::Unsatisfiable {
                keeping.push(of_move.does);
            }
        }
        keeping
    }

    fn changed(&self, touched: &[usize]) -> Vec<usize> {
        let mut changed = [touched, &self.free].concat();
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// By move: the groups with a fluent whose next value depends on it; none where these are most, as rules read of passing that all
/// stays as it is.
fn touched_groups<'game>(
    game: &'game GroundGame,
    groups: &[Vec<AtomId>],
) -> Vec<(&'game Move, Vec<usize>)> {
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); game.atom_count()];
    for rule in game.rules().iter() {
        rule.body.iter().for_each(|literal| readers[literal.atom() as usize].push(rule.head));
    }
    let mut group_of: FxHashMap<u32, usize> = FxHashMap::default();
    for (number, group) in groups.iter().enumerate() {
        let next = group.iter().filter_map(|&fluent| game.next(fluent));
        group_of.extend(next.map(|next| (next.0, number)));
    }
    let touched = |made: &'game Move| {
        let (mut open, mut met) = (vec![made.does.0], FxHashSet::default());
        let mut touched = Vec::new();
        while let Some(atom) = open.pop() {
            touched.extend(group_of.get(&atom));
            open.extend(readers[atom as usize].iter().filter(|head| met.insert(**head)));
        }
        touched.sort_unstable();
        touched.dedup();
        if touched.len() * 2 > groups.len() {
            touched.clear();
        }
        (made, touched)
    };
    game.moves().iter().map(touched).collect()
}

/// Literals of which one holds where a sum is less than another, as much, or more.
#[derive(Default)]
pub(crate) struct Sum {
    pub(crate) less: Vec<Lit>,
    pub(crate) equal: Vec<Lit>,
    pub(crate) more: Vec<Lit>,
}

impl Sum {
    /// Those where it is less or more.
    pub(crate) fn others(self) -> Vec<Lit> {
        [self.less, self.more].concat()
    }
}

/// Compares the sum of the choices with one that is wanted. Where there are too many sums, nothing is claimed.
pub(crate) fn sum_of(unrolling: &mut Unrolling<'_>, choices: &[Choice], wanted: i64) -> Sum {
    let formula = &mut unrolling.formula;
    // How much less and more the choices that are left can add.
    let mut left: Vec<(i64, i64)> = vec![(0, 0)];
    for choice in choices.iter().rev() {
        let weights = || choice.iter().map(|&(weight, _)| weight).chain([0]);
        let (least, most) = left[left.len() - 1];
        left.push((least + weights().min().unwrap_or(0), most + weights().max().unwrap_or(0)));
    }
    left.reverse();
    let mut found = Sum::default();
    let mut reached: BTreeMap<i64, Lit> = BTreeMap::from([(0, formula.yes())]);
    let mut count = 0;
    for (choice, &(least, most)) in choices.iter().zip(&left[1..]) {
        let mut next: BTreeMap<i64, Lit> = BTreeMap::new();
        for (&sum, &here) in &reached {
            let none: Vec<Lit> = choice.iter().map(|&(_, literal)| literal).collect();
            let ways = choice.iter().map(|&(weight, literal)| (weight, vec![!literal]));
            for (weight, unless) in ways.chain([(0, none)]) {
                let there = *next.entry(sum + weight).or_insert_with(|| formula.variable());
                let mut clause = vec![!here, there];
                clause.extend(unless);
                formula.add(&clause);
            }
        }
        // What cannot become the wanted sum any more is less or more.
        next.retain(|&sum, &mut it| {
            if sum + most < wanted {
                found.less.push(it);
            } else if sum + least > wanted {
                found.more.push(it);
            }
            (sum + least..=sum + most).contains(&wanted)
        });
        count += next.len();
        reached = next;
        if formula.is_over() || count > MOST_SUMS {
            let unknown = vec![formula.variable()];
            return Sum { less: unknown.clone(), equal: Vec::new(), more: unknown };
        }
    }
    let side = |sum: &i64| match sum.cmp(&wanted) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    };
    for (sum, it) in reached {
        [&mut found.less, &mut found.equal, &mut found.more][side(&sum)].push(it);
    }
    found
}
