//! Values by boolean questions.

use std::sync::Arc;
use std::time::Duration;

use groundfrog::game::{GroundGame, RoleId};
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, analyse};
use groundfrog_reasoner::{Reasoner, State};

use super::budget::Budget;
use super::force::{Answer, Force, Obstacles, Rows, ask_together};
use super::line::best_line;
use super::position::Rules;
use super::prior::prior;
use super::shared_table::SharedTable;
use super::symmetric::Symmetric;
use super::{
    LEAST, LineStop, RoleValue, Solution, SolveError, SolveMethod, SolveOptions, Undecided, bounds,
    texts, values_of,
};

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
    budget: &mut Budget<'_>,
    options: &SolveOptions,
) -> Result<Solution, SolveError> {
    let root = rules.whole(rules.reasoner.initial());
    let (memory, threads) = (options.memory, options.threads.max(1));
    let symmetric = Symmetric::new(game, budget.time_left());
    let mut values = bounds(game);
    let (means, goals) = prior(rules, || !budget.is_over());
    let rows = Arc::new(Rows::new(game, rules, || !budget.is_over()));
    let mut proofs = Proofs { options, known: None };
    let mut best = None;
    let (mut bytes, mut obstacles) = (0, Obstacles::default());
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
            obstacles.deep = true;
            continue;
        }
        let table = Arc::new(SharedTable::new(rules.words, memory, threads));
        let mut force =
            Force::new(rules, RoleId(role as u32), asked.clone(), table, Arc::clone(&rows), budget);
        force.set_room((memory / 8 / threads as u64).max(LEAST_ROOM));
        force.set_symmetric(symmetric.clone());
        force.prepare_order(&means);
        let (lower, upper) = narrow(&mut force, &root, &asked, goals[role], threads)?;
        let top = asked.len() - 1;
        let seen = [(lower > 0).then(|| asked[lower]), (upper < top).then(|| asked[upper])];
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
                && force.constant_sum().is_some()
                && proofs.has_one_sum(&mut force);
            let best_for = (!is_for_all).then(|| values[role].role.clone());
            best = Some((moves, stop, best_for));
        }
        if force.rules.roles == 2
            && let Some(sum) = force.constant_sum()
        {
            of_other(&mut values[1 - role], sum, seen);
        }
        bytes = bytes.max(force.table.bytes());
        obstacles = obstacles.or(force.obstacles);
    }
    let decided = values.iter().all(|it| it.decided);
    let (moves, line_stop, line_role) =
        best.unwrap_or((Vec::new(), Some(LineStop::Undecided), None));
    let roles = rules.roles;
    Ok(Solution {
        values,
        line: moves.chunks_exact(roles).map(|it| texts(rules, it)).collect(),
        line_role,
        line_is_complete: line_stop.is_none(),
        line_stop,
        strategies: Vec::new(),
        method: SolveMethod::AlphaBeta,
        undecided: (!decided).then(|| reason(budget, obstacles)),
        states: budget.steps(),
        memory: bytes,
    })
}

/// Why something is undecided.
fn reason(budget: &Budget<'_>, obstacles: Obstacles) -> Undecided {
    match obstacles {
        _ if budget.is_spent() => Undecided::Budget,
        Obstacles { simultaneous: true, .. } => Undecided::Simultaneous,
        Obstacles { full: true, .. } => Undecided::Memory,
        Obstacles { wide: true, .. } => Undecided::TooWide,
        Obstacles { deep: true, .. } => Undecided::TooDeep,
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
            let time = force.time_left().map_or(PROVING, |it| PROVING.min(it / 8));
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
    match force.ask_within(root, 1, STATES_BEFORE_PROOFS)? {
        Some(answer) => Ok(answer == Answer::Yes),
        None if proofs.has_an_end(force) => Ok(true),
        None => Ok(ask_together(force, root, 1, threads)? == Answer::Yes),
    }
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
    while !open.is_empty() && !force.is_spent() {
        // The question about what is between two values: the one whose middle is nearest to the guess.
        let gap = |it: usize| (values[it - 1] as f64 / 2.0 + values[it] as f64 / 2.0 - guess).abs();
        let nearest = open.iter().copied().min_by(|&one, &other| gap(one).total_cmp(&gap(other)));
        let wanted = nearest.expect("a question is open");
        open.retain(|&it| it != wanted);
        match ask_together(force, root, wanted as u8, threads)? {
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
