//! Values by boolean questions.

use groundfrog::game::{GroundGame, RoleId};
use groundfrog_reasoner::{Reasoner, State};

use super::budget::Budget;
use super::force::{Answer, Force};
use super::line::best_line;
use super::position::Rules;
use super::prior::prior;
use super::{Solution, SolveError, SolveMethod, Undecided, bounds, table, texts, values_of};

/// Finds what each role can force.
pub(super) fn solve(
    game: &GroundGame,
    rules: &mut Rules,
    budget: &mut Budget<'_>,
    memory: u64,
) -> Result<Solution, SolveError> {
    let root = rules.whole(rules.reasoner.initial());
    let mut values = bounds(game);
    let (means, goals) = prior(rules, || !budget.is_over());
    let (mut line, mut line_is_complete, mut bytes) = (Vec::new(), false, 0);
    let mut chose_at_once = false;
    for role in 0..rules.roles {
        if values[role].exact().is_some() {
            continue;
        }
        let own = values_of(game, RoleId(role as u32));
        let table = table(rules, memory);
        let mut force = Force::new(rules, RoleId(role as u32), own.clone(), table, budget);
        force.prepare_order(&means);
        let (lower, upper) = narrow(&mut force, &root, &own, goals[role])?;
        values[role].lower = own[lower] as f64;
        values[role].upper = own[upper] as f64;
        bytes = bytes.max(force.table.bytes());
        chose_at_once |= force.chose_at_once;
        if lower == upper && force.rules.roles == 2 {
            let sum = force.constant_sum();
            if line.is_empty() {
                let (moves, complete) = best_line(&mut force, &root, lower as u8)?;
                let roles = rules.roles;
                line = moves.chunks_exact(roles).map(|it| texts(rules, it)).collect();
                // Without a constant sum it is best for one role and worst for the other.
                line_is_complete = complete;
            }
            if let Some(sum) = sum {
                let other = (sum - own[lower]) as f64;
                (values[1 - role].lower, values[1 - role].upper) = (other, other);
            }
        }
    }
    let decided = values.iter().all(|it| it.exact().is_some());
    let undecided = match (budget.is_spent(), chose_at_once) {
        _ if decided => None,
        (true, _) => Some(Undecided::Budget),
        (_, true) => Some(Undecided::Simultaneous),
        _ => Some(Undecided::Endless),
    };
    Ok(Solution {
        values,
        line,
        line_is_complete,
        strategies: Vec::new(),
        method: SolveMethod::AlphaBeta,
        undecided,
        states: budget.steps(),
        memory: bytes,
    })
}

/// The positions of the greatest value that is proven from below and of the least from above.
fn narrow(
    force: &mut Force<'_, '_>,
    root: &State,
    values: &[i64],
    guess: f64,
) -> Result<(usize, usize), SolveError> {
    let (mut lower, mut upper) = (0, values.len() - 1);
    let mut open: Vec<usize> = (1..values.len()).collect();
    while !open.is_empty() && !force.is_spent() {
        // The question about what is between two values: the one whose middle is nearest to the guess.
        let gap = |it: usize| ((values[it - 1] + values[it]) as f64 / 2.0 - guess).abs();
        let nearest = open.iter().copied().min_by(|&one, &other| gap(one).total_cmp(&gap(other)));
        let wanted = nearest.expect("a question is open");
        open.retain(|&it| it != wanted);
        match force.ask(root, wanted as u8)? {
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
