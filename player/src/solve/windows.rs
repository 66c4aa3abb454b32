//! Values by boolean questions.

use std::time::Duration;

use fxhash::FxHashSet;
use groundfrog::game::{GroundGame, RoleId};
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, analyse};
use groundfrog_reasoner::{MoveId, Random, Reasoner, ReasonerError, State};

use super::force::{Answer, Chooser, Force, History, RoleGame, Rows, Seen};
use super::position::{Children, Rules};
use super::table::{SharedTable, Symmetric};
use super::{
    LEAST, LineStop, RoleValue, Solution, SolveError, SolveMethod, SolveOptions, Undecided, bounds,
    texts, values_of,
};
use crate::clock::StateBudget;

/// The children of states on the way may take an eighth of the memory, and at least so many bytes.
const LEAST_ROOM: u64 = 1 << 20;

/// Less than any goal value: what a role "has" where the match does not end.
const NO_END: i64 = i64::MIN;
/// So many values have positions in the table.
const MOST_VALUES: usize = 255;
/// So many states are looked at for whether a role can force an end, before proofs about all matches are looked for; these take no longer
/// than that.
const STATES_BEFORE_PROOFS: u64 = 1 << 14;
const PROVING: Duration = Duration::from_secs(1);

/// Finds what each role can force.
pub(super) fn solve(
    game: &GroundGame,
    rules: &mut Rules,
    budget: &mut StateBudget<'_>,
    options: &SolveOptions,
) -> Result<Solution, SolveError> {
    let root = rules.whole(rules.reasoner.initial());
    let (memory, threads) = (options.memory, options.threads.max(1));
    let symmetric = Symmetric::new(game, budget.time_left());
    let mut values = bounds(game);
    let (means, goals) = prior(rules, || !budget.is_over());
    let rows = Rows::new(game, rules, || !budget.is_over());
    let mut proofs = Proofs { options, known: None };
    let mut best = None;
    let (mut bytes, mut all_seen) = (0, Seen::default());
    for role in 0..rules.roles {
        if values[role].decided {
            continue;
        }
        let mut asked = vec![NO_END];
        asked.extend(values_of(game, RoleId(role as u32)));
        if asked.len() == 1 {
            // No end has a goal: one that is met is an error.
            asked.push(0);
        }
        if asked.len() > MOST_VALUES {
            // They are looked at state by state.
            all_seen.deep = true;
            continue;
        }
        let role_game = RoleGame {
            role: RoleId(role as u32),
            values: asked.clone(),
            table: SharedTable::new(rules.words, memory, threads),
            symmetric: &symmetric,
            rows: &rows,
            room: (memory / 8 / threads as u64).max(LEAST_ROOM),
        };
        let history = History::of(rules, &means);
        let mut force = Force::new(&role_game, rules, history, 0, budget);
        let (lower, upper) = narrow(&mut force, &root, &asked, goals[role], threads)?;
        let top = asked.len() - 1;
        let proven = [(lower > 0).then(|| asked[lower]), (upper < top).then(|| asked[upper])];
        // Nobody gets less than nothing; any other least value only who can force an end is sure of.
        let is_nothing = asked[1] as f64 == LEAST && upper < top;
        let is_sure = lower > 0
            || upper == 1 && (is_nothing || can_end(&mut force, &root, threads, &mut proofs)?);
        let lower = lower.max(1);
        let value = &mut values[role];
        value.lower = value.lower.max(asked[lower] as f64);
        value.upper = value.upper.min(asked[upper] as f64);
        value.decided = is_sure && lower == upper;
        if value.decided && best.is_none() {
            let (moves, stop) = best_line(&mut force, &root, lower as u8)?;
            let is_for_all = force.rules.roles == 2
                && force.seen.constant_sum().is_some()
                && proofs.has_one_sum(&mut force);
            let best_for = (!is_for_all).then(|| values[role].role.clone());
            best = Some((moves, stop, best_for));
        }
        if force.rules.roles == 2
            && let Some(sum) = force.seen.constant_sum()
        {
            of_other(&mut values[1 - role], sum, proven);
        }
        bytes = bytes.max(role_game.table.bytes());
        all_seen = all_seen.or(force.seen);
    }
    let decided = values.iter().all(|it| it.decided);
    let (moves, line_stop, line_role) =
        best.unwrap_or((Vec::new(), Some(LineStop::Undecided), None));
    let roles = rules.roles;
    let undecided = (!decided).then(|| reason(budget, all_seen));
    Ok(Solution {
        values,
        line: moves.chunks_exact(roles).map(|it| texts(rules, it)).collect(),
        line_role,
        line_is_complete: line_stop.is_none(),
        line_stop,
        states: budget.steps(),
        memory: bytes,
        ..Solution::open(game, SolveMethod::AlphaBeta, undecided)
    })
}

/// Why something is undecided.
fn reason(budget: &StateBudget<'_>, seen: Seen) -> Undecided {
    match seen {
        _ if budget.is_spent() => Undecided::Budget,
        Seen { simultaneous: true, .. } => Undecided::Simultaneous,
        Seen { full: true, .. } => Undecided::Memory,
        Seen { wide: true, .. } => Undecided::TooWide,
        Seen { deep: true, .. } => Undecided::TooDeep,
        _ => Undecided::Endless,
    }
}

/// What was proven of one of two roles says of the other, where the goals at all ends that were seen have one sum. The proof of
/// a bound has seen an end of each play that it is about, so it holds for the other as well.
fn of_other(value: &mut RoleValue, sum: i128, [lower, upper]: [Option<i64>; 2]) {
    if value.decided {
        return;
    }
    let rest = |known: i64| (sum - i128::from(known)) as f64;
    if let Some(lower) = lower {
        value.upper = value.upper.min(rest(lower));
    }
    if let Some(upper) = upper {
        value.lower = value.lower.max(rest(upper));
        value.decided = value.lower == value.upper;
    }
}

/// What is proven of all matches; it is looked for once, where it is asked for.
struct Proofs<'run> {
    options: &'run SolveOptions,
    known: Option<Analysis>,
}

impl Proofs<'_> {
    fn known(&mut self, force: &mut Force<'_, '_>) -> &Analysis {
        let SolveOptions { stop, .. } = self.options;
        self.known.get_or_insert_with(|| {
            let time = force.budget.time_left().map_or(PROVING, |it| PROVING.min(it / 8));
            let options =
                AnalysisOptions { time, stop: stop.clone(), ..AnalysisOptions::default() };
            // A match that cannot be played proves nothing.
            analyse(&mut force.rules.reasoner, &options).unwrap_or_default()
        })
    }

    /// Whether every match ends, with one goal for each role.
    fn has_an_end(&mut self, force: &mut Force<'_, '_>) -> bool {
        let known = self.known(force);
        known.is_proved(|it| matches!(it, Property::Terminating { .. }))
            && known.is_proved(|it| *it == Property::Playable)
            && known.is_proved(|it| *it == Property::OneGoal)
    }

    /// Whether the goals add up to the same at all ends.
    fn has_one_sum(&mut self, force: &mut Force<'_, '_>) -> bool {
        let known = self.known(force);
        known.is_proved(|it| matches!(it, Property::ConstantSum { .. }))
            && known.is_proved(|it| *it == Property::OneGoal)
    }
}

/// Whether the role can force an end: by a short search, else as all matches end, else by a long search.
fn can_end(
    force: &mut Force<'_, '_>,
    root: &State,
    threads: usize,
    proofs: &mut Proofs<'_>,
) -> Result<bool, SolveError> {
    let before = force.budget.narrow(STATES_BEFORE_PROOFS);
    let answer = force.ask(root, 1)?;
    let is_cut = force.budget.is_spent();
    force.budget.widen(before);
    if !is_cut || force.budget.is_spent() {
        return Ok(answer == Answer::Yes);
    }
    Ok(proofs.has_an_end(force) || force.ask_together(root, 1, threads)? == Answer::Yes)
}

/// The positions of the greatest value that is proven from below and of the least from above.
fn narrow(
    force: &mut Force<'_, '_>,
    root: &State,
    values: &[i64],
    guess: f64,
    threads: usize,
) -> Result<(usize, usize), SolveError> {
    let (mut lower, mut upper) = (0, values.len() - 1);
    let mut open: Vec<usize> = (2..values.len()).collect();
    while !open.is_empty() && !force.budget.is_spent() {
        // The question about what is between two values: the one whose middle is nearest to the guess.
        let gap = |it: usize| (values[it - 1] as f64 / 2.0 + values[it] as f64 / 2.0 - guess).abs();
        let nearest = open.iter().copied().min_by(|&one, &other| gap(one).total_cmp(&gap(other)));
        let wanted = nearest.expect("a question is open");
        open.retain(|&it| it != wanted);
        match force.ask_together(root, wanted as u8, threads)? {
            Answer::Yes => {
                lower = lower.max(wanted);
                open.retain(|&it| it > wanted);
            }
            Answer::No => {
                upper = upper.min(wanted - 1);
                open.retain(|&it| it < wanted);
            }
            Answer::Open => {}
        }
    }
    Ok((lower, upper))
}

/// Random playouts that are looked at.
const PLAYOUTS: u32 = 1000;
/// Longer ones are given up.
const LONGEST_PLAYOUT: u32 = 1000;
/// So many joint moves are enough.
const MOST_MOVES: usize = 200_000;

/// What moves are worth in random play, where the order of moves begins. By move: in how many playouts it was made, and how well its maker did, 0 to 1; and by role the mean goal.
pub(crate) fn prior(
    rules: &mut Rules,
    may_go_on: impl Fn() -> bool,
) -> (Vec<(f32, f32)>, Vec<f64>) {
    let moves = rules.reasoner.game().moves().len();
    let roles = rules.roles;
    let mut sums = vec![(0.0_f32, 0.0_f32); moves];
    let mut goals = vec![(0.0, 0.0); roles];
    let mut random = Random::new(1);
    let mut made: Vec<MoveId> = Vec::new();
    let owners: Vec<RoleId> = rules.reasoner.game().moves().iter().map(|it| it.role).collect();
    let mut count = 0;
    for _ in 0..PLAYOUTS {
        count += made.len() / roles.max(1);
        if count > MOST_MOVES || !may_go_on() {
            break;
        }
        made.clear();
        let playout = &mut rules.reasoner;
        playout.playout_observed(&mut random, LONGEST_PLAYOUT, |_, moves| {
            made.extend_from_slice(moves)
        });
        let values: Vec<Option<i64>> = (0..roles as u32)
            .map(|role| playout.final_goals(RoleId(role)).first().copied())
            .collect();
        for (sum, value) in goals.iter_mut().zip(&values) {
            if let Some(value) = value {
                *sum = (sum.0 + 1.0, sum.1 + *value as f64);
            }
        }
        for it in &made {
            if let Some(value) = values[owners[it.index()].index()] {
                let sum = &mut sums[it.index()];
                *sum = (sum.0 + 1.0, sum.1 + value as f32 / 100.0);
            }
        }
    }
    let means = sums.into_iter().map(|it| (it.0, if it.0 > 0.0 { it.1 / it.0 } else { 0.0 }));
    let goals = goals.into_iter().map(|it| if it.0 > 0.0 { it.1 / it.0 } else { 0.0 });
    (means.collect(), goals.collect())
}

/// Longer lines are cut.
const LONGEST_LINE: usize = 10_000;

/// Joint moves by which both sides keep the value that was proven, which is at this position of the list, one after the other;
/// and why they do not lead to the end, if they do not.
pub(super) fn best_line(
    force: &mut Force<'_, '_>,
    root: &State,
    value: u8,
) -> Result<(Vec<MoveId>, Option<LineStop>), ReasonerError> {
    let (mut line, mut state) = (Vec::new(), root.clone());
    let mut children = Children::default();
    let roles = force.rules.roles;
    let mut met = FxHashSet::default();
    for _ in 0..LONGEST_LINE {
        // What keeps the value need not come nearer to the end.
        if !met.insert(state.clone()) {
            break;
        }
        if force.rules.is_terminal(&state)? {
            return Ok((line, None));
        }
        if !force.expand(&state, &mut children)? {
            break;
        }
        let chooser = force.chooser();
        if chooser == Chooser::Both {
            return Ok((line, Some(LineStop::Simultaneous)));
        }
        // Who chooses keeps what is proven; the move that decided the search comes first.
        let (wanted, keeps) = match chooser {
            Chooser::Own => (value, Answer::Yes),
            _ => (value + 1, Answer::No),
        };
        let first = force.best(&state).filter(|&it| it < children.len());
        let mut found = None;
        for child in first.into_iter().chain(0..children.len()) {
            if force.ask(children.state(child), wanted)? == keeps {
                found = Some(child);
                break;
            }
        }
        let Some(child) = found else { break };
        line.extend_from_slice(&children.moves[child * roles..(child + 1) * roles]);
        state = children.state(child).clone();
    }
    Ok((line, Some(LineStop::Unproven)))
}
