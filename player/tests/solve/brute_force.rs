//! `solve` against brute force on generated games: every state by rules with variables, and what can be forced by least fixpoints.
//!
//! Seeds come from the clock and are printed; `GROUNDFROG_SEED` gives the first one, `GROUNDFROG_SEEDS` how many games there are.

mod hidden;
mod space;

use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::described;
use groundfrog::{Description, GroundOptions, Limits, Silent, ground};
use groundfrog_corpus::random_rough_game;
use groundfrog_player::solve::{Solution, SolveError, SolveOptions, Undecided, solve};
use groundfrog_reasoner::InterpretedReasoner;
use groundfrog_reasoner::open::is_imperfect;
use space::{Bounds, Space};

/// Games with more states or joint moves are left out.
const MOST_STATES: usize = 400;
const MOST_MOVES: usize = 1500;

/// What is not more than this is rounding.
const ROUNDING: f64 = 1e-4;

/// A number from the environment.
fn given(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The first seed, printed whether the test fails or not.
fn first_seed(test: &str) -> u64 {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    let seed = given("GROUNDFROG_SEED").unwrap_or_else(|| clock() * 1000);
    writeln!(std::io::stderr(), "{test}: GROUNDFROG_SEED={seed}").expect("somewhere to print");
    seed
}

fn solved(description: &Description, threads: usize) -> Result<Solution, SolveError> {
    let game = ground(description, &GroundOptions::compact(), &mut Silent).expect("grounds").game;
    // No game here needs so many; one that does is told by its reason.
    let states = 200_000;
    let is_imperfect = is_imperfect(description);
    let options = SolveOptions { threads, states, is_imperfect, ..SolveOptions::default() };
    solve(game, &options, |_| {})
}

/// What a solution says must be so, by what is known of all states.
fn check(space: &mut Space, result: Result<Solution, SolveError>, counts: &mut Counts) {
    let solution = match result {
        Ok(solution) => solution,
        Err(error) => {
            counts.faulty += 1;
            return assert!(space.is_faulty(), "nothing is at fault with this game: {error}");
        }
    };
    let players = space.players();
    assert_eq!(solution.values.len(), players.len());
    let mut all = true;
    for (&role, value) in players.iter().zip(&solution.values) {
        let Bounds { lower, upper } = space.forced(role);
        let greatest = space.greatest(role);
        let has_value = upper.min(greatest) - lower < ROUNDING;
        all &= value.exact().is_some();
        if let Some(exact) = value.exact() {
            // What is at fault might be an end, of which the rules may say enough.
            assert!(
                has_value || space.is_faulty(),
                "{value:?} depends on play without end: {lower} to {upper}"
            );
            assert!((exact - lower).abs() < ROUNDING, "{value:?}: {lower} to {upper}");
            counts.decided += 1;
        } else {
            let why = solution.undecided;
            assert!(!has_value || space.is_faulty(), "{value:?}, {lower} to {upper}: {why:?}");
            counts.undecided += 1;
            // Where nothing more is proven, bounds are those of the goals.
            let [least, most] = space.range(role);
            let (lower, upper) = (lower.max(least), upper.min(most));
            assert!(
                value.lower < lower + ROUNDING && value.upper > upper - ROUNDING,
                "{value:?}, {lower} to {upper}"
            );
        }
    }
    assert_eq!(solution.is_decided(), all);
    if !all && !space.is_faulty() {
        assert_eq!(solution.undecided, Some(Undecided::Endless));
        counts.endless += 1;
    }
    check_line(space, &solution, counts);
}

/// A line ends where it says, with the value of who it is best for, and goes through no state twice.
fn check_line(space: &mut Space, solution: &Solution, counts: &mut Counts) {
    if solution.line.is_empty() {
        return;
    }
    let (states, goals) = space.replayed(&solution.line);
    let mut once = states.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), states.len(), "the line goes round");
    assert_eq!(goals.is_some(), solution.line_is_complete);
    let Some(goals) = goals else { return };
    counts.lines += 1;
    let is_for = |name: &str| solution.line_role.as_deref().is_none_or(|it| it == name);
    let mut exact = 0;
    for (value, goal) in solution.values.iter().zip(goals).filter(|it| is_for(&it.0.role)) {
        // Who may go round for ever leaves the other one without a value.
        let Some(value) = value.exact() else { continue };
        assert!((value - goal as f64).abs() < ROUNDING, "{value}, and the line gives {goal}");
        exact += 1;
    }
    assert!(exact > 0, "the line is best for nobody");
    if solution.values.len() > 1 && solution.line_role.is_none() {
        assert!(space.has_one_sum(), "the line is not best for all");
    }
}

/// How often what was seen.
#[derive(Debug, Default)]
struct Counts {
    compared: usize,
    large: usize,
    faulty: usize,
    decided: usize,
    undecided: usize,
    endless: usize,
    lines: usize,
    hidden: usize,
}

#[test]
fn generated_games_are_worth_what_brute_force_says() {
    let (first, most) = (first_seed("solve"), given("GROUNDFROG_SEEDS").unwrap_or(500) as usize);
    let mut counts = Counts::default();
    let mut seed = first;
    while counts.compared < most {
        let text = random_rough_game(seed);
        let description = described(&text);
        let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
        let rules = InterpretedReasoner::new(&description, limits).expect("can be played");
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let Some(mut space) = Space::explore(rules, MOST_STATES, MOST_MOVES) else {
                counts.large += 1;
                return;
            };
            counts.compared += 1;
            let result = solved(&description, 1 + seed as usize % 2);
            if space.is_hidden(&description) {
                counts.hidden += 1;
                hidden::check(&mut space, result);
            } else {
                check(&mut space, result, &mut counts);
            }
        }));
        if let Err(panic) = found {
            let _ =
                writeln!(std::io::stderr(), "GROUNDFROG_SEED={seed} GROUNDFROG_SEEDS=1\n{text}");
            std::panic::resume_unwind(panic);
        }
        seed += 1;
    }
    println!("{counts:?}");
    // Nothing is left out that there is to see; a few games by hand need not show it.
    if most >= 500 {
        let Counts { faulty, decided, undecided, endless, lines, hidden, .. } = counts;
        let seen = [faulty, decided, undecided, endless, lines, hidden];
        assert!(seen.iter().all(|&it| it >= 10), "{counts:?}");
    }
}
