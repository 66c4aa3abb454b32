//! Values by boolean questions.

use std::sync::Arc;

use groundfrog::game::{GroundGame, RoleId};
use groundfrog_reasoner::{Reasoner, State};

use super::budget::Budget;
use super::force::{Answer, Force, Obstacles, ask_together};
use super::line::best_line;
use super::position::Rules;
use super::prior::prior;
use super::shared_table::SharedTable;
use super::symmetric::Symmetric;
use super::written::Written;
use super::{
    LineStop, RoleValue, Solution, SolveError, SolveMethod, SolveOptions, Undecided, bounds, texts,
    values_of,
};

/// The children of states on the way may take an eighth of the memory, and at least so many bytes.
const LEAST_ROOM: u64 = 1 << 20;

/// Less and more than any goal value: what a role "has" where the match does not end.
const NO_END: [i64; 2] = [i64::MIN, i64::MAX];

/// Finds what each role can force.
pub(super) fn solve(
    game: &GroundGame,
    rules: &mut Rules,
    budget: &mut Budget<'_>,
    options: &SolveOptions,
) -> Result<Solution, SolveError> {
    let root = rules.whole(rules.reasoner.initial());
    let (memory, threads) = (options.memory, options.threads.max(1));
    let symmetric = match options.symmetry {
        true => Symmetric::new(game, budget.time_left()),
        false => Symmetric::default(),
    };
    let mut values = bounds(game);
    let (means, goals) = prior(rules, || !budget.is_over());
    let written = Written::new(game, rules, || !budget.is_over())?;
    let mut best = None;
    let (mut bytes, mut obstacles) = (0, Obstacles::default());
    for role in 0..rules.roles {
        if values[role].decided {
            continue;
        }
        let own = values_of(game, RoleId(role as u32));
        let is_question = own.len() > 1;
        let [below, above] = NO_END;
        let asked = match own.first() {
            _ if is_question => own,
            only => vec![below, only.copied().unwrap_or(0), above],
        };
        let table = Arc::new(SharedTable::new(rules.words, memory, threads));
        let mut force = Force::new(rules, RoleId(role as u32), asked.clone(), table, budget);
        force.set_room((memory / 8 / threads as u64).max(LEAST_ROOM));
        force.set_symmetric(symmetric.clone());
        force.set_written(written.clone());
        force.prepare_order(&means);
        let (lower, upper) = if is_question {
            narrow(&mut force, &root, &asked, goals[role], threads)?
        } else {
            end(&mut force, &root, threads)?
        };
        let value = &mut values[role];
        if is_question {
            value.lower = value.lower.max(asked[lower] as f64);
            value.upper = value.upper.min(asked[upper] as f64);
        }
        value.decided = lower == upper;
        if lower == upper && best.is_none() {
            let (moves, stop) = best_line(&mut force, &root, lower as u8)?;
            let is_for_all = force.rules.roles == 2 && force.constant_sum().is_some();
            let best_for = (!is_for_all).then(|| values[role].role.clone());
            best = Some((moves, stop, best_for));
        }
        if is_question
            && force.rules.roles == 2
            && let Some(sum) = force.constant_sum()
        {
            let is_below_top = upper + 1 < asked.len();
            let proven = [(lower > 0).then(|| asked[lower]), is_below_top.then(|| asked[upper])];
            let count = values_of(game, RoleId(1 - role as u32)).len();
            of_other(&mut values[1 - role], count, sum, proven);
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
fn of_other(value: &mut RoleValue, count: usize, sum: i64, [lower, upper]: [Option<i64>; 2]) {
    if value.decided || count < 2 {
        return;
    }
    if let Some(lower) = lower {
        value.upper = value.upper.min((sum - lower) as f64);
    }
    if let Some(upper) = upper {
        value.lower = value.lower.max((sum - upper) as f64);
    }
    value.decided = value.lower == value.upper;
}

/// Whether the match ends if one side wants it to, where a role has one goal value or none: the positions of the only value, if
/// it does.
fn end(
    force: &mut Force<'_, '_>,
    root: &State,
    threads: usize,
) -> Result<(usize, usize), SolveError> {
    let mut ask = |wanted| ask_together(force, root, wanted, threads);
    let ends = ask(1)? == Answer::Yes || ask(2)? == Answer::No;
    Ok(if ends { (1, 1) } else { (0, 2) })
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
    let mut open: Vec<usize> = (1..values.len()).collect();
    while !open.is_empty() && !force.is_spent() {
        // The question about what is between two values: the one whose middle is nearest to the guess.
        let gap = |it: usize| ((values[it - 1] + values[it]) as f64 / 2.0 - guess).abs();
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
