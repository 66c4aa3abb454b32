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

/// Whether some joint move out of a state may break a rule about groups of fluents, where the assumptions hold. Each group is
/// shown to change by those moves only that its rules read; then the moves are looked at one after the other, each with the
/// groups that it can change, and at last the joint moves of all others. `breaks` makes a literal that holds where the rule is
/// broken, if the groups with these numbers are all that change.
pub(crate) fn solve_by_moves<'game>(
    unrolling: &mut Unrolling<'game>,
    state: usize,
    assumptions: &[Lit],
    groups: &[Vec<AtomId>],
    mut breaks: impl FnMut(&mut Unrolling<'game>, &[usize]) -> Lit,
) -> Answer {
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
    let is_one = unrolling.solve_with(&assumptions, &[two]);
    let mut free: Vec<usize> = match is_one {
        Answer::Unknown => return is_one,
        Answer::Satisfiable => (0..groups.len()).collect(),
        Answer::Unsatisfiable => Vec::new(),
    };
    for (group, &differs) in differs.iter().enumerate() {
        if free.contains(&group) {
            continue;
        }
        let mut untouched = vec![differs];
        let of_group = moves.iter().zip(&made).filter(|((_, touched), _)| touched.contains(&group));
        untouched.extend(of_group.map(|(_, &made)| !made));
        match unrolling.solve_with(&assumptions, &untouched) {
            Answer::Unknown => return Answer::Unknown,
            Answer::Satisfiable => free.push(group),
            Answer::Unsatisfiable => {}
        }
    }
    // What holds of the moves that are left.
    let others = unrolling.formula.variable();
    assumptions.push(others);
    if is_one == Answer::Unsatisfiable {
        unrolling.formula.add(&[!others, !two]);
    }
    let mut known: FxHashMap<Vec<usize>, Lit> = FxHashMap::default();
    for ((_, touched), &made) in moves.iter().zip(&made) {
        let mut changed = [&touched[..], &free[..]].concat();
        changed.sort_unstable();
        changed.dedup();
        let breaks = *known.entry(changed).or_insert_with_key(|it| breaks(unrolling, it));
        let answer = unrolling.solve_with(&assumptions, &[made, breaks]);
        if answer != Answer::Unsatisfiable {
            return answer;
        }
        unrolling.formula.add(&[!others, !made]);
    }
    let breaks = breaks(unrolling, &free);
    unrolling.solve_with(&assumptions, &[breaks])
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
