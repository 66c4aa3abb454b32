//! Solved values of small games, and random games against exhaustive minimax.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{grounded, own, solved};
use groundfrog_corpus::{Parameters, family, game, random_game};
use groundfrog_player::solve::{
    LineStop, Solution, SolveError, SolveMethod, SolveOptions, Undecided, solve,
};
use groundfrog_reasoner::{GroundReasoner, Reasoner, State, Vocabulary};

fn values(solution: &Solution) -> Vec<f64> {
    solution.values.iter().map(|it| it.exact().expect("is decided")).collect()
}

fn generated(name: &str, parameters: &[(&str, u32)]) -> String {
    let given = parameters.iter().fold(Parameters::new(), |all, it| all.with(it.0, it.1));
    family(name).expect("a family").generate(&given).expect("in range")
}

/// Plays a line and returns the goals at its end.
fn goals_after(text: &str, line: &[Vec<String>]) -> Vec<i64> {
    let mut reasoner = GroundReasoner::new(grounded(text)).expect("can be played");
    let (mut state, mut next) = (reasoner.initial().clone(), State::default());
    for texts in line {
        let roles = reasoner.role_ids().zip(texts);
        let moves: Vec<_> =
            roles.map(|(role, it)| reasoner.find_move(role, it).expect("a move")).collect();
        reasoner.next_state(&state, &moves, &mut next).expect("is legal");
        std::mem::swap(&mut state, &mut next);
    }
    assert!(reasoner.is_terminal(&state).expect("known"), "the line ends the match");
    let roles = reasoner.role_ids();
    roles.map(|role| reasoner.goal(&state, role).expect("one goal")).collect()
}

#[test]
fn games_of_two_have_their_known_values() {
    let own = |name| game(name).expect("is there").text.to_string();
    let games = [
        ("tic-tac-toe", own("tictactoe"), [50.0, 50.0]),
        ("nim 1 3 5 7", own("nim"), [0.0, 100.0]),
        ("nim 3 times 2", generated("nim", &[("heaps", 3), ("objects", 2)]), [100.0, 0.0]),
        (
            "connect 4 on 4x4",
            generated("connect_four", &[("width", 4), ("height", 4)]),
            [50.0, 50.0],
        ),
        (
            "breakthrough 4x4",
            generated("breakthrough", &[("width", 4), ("height", 4)]),
            [0.0, 100.0],
        ),
        ("hex 3x3", generated("hex", &[("size", 3)]), [100.0, 0.0]),
    ];
    for (name, text, expected) in games {
        let solution = solved(&text, &SolveOptions::default());
        assert_eq!(values(&solution), expected, "{name}");
        assert!(solution.line_is_complete, "{name}");
        let goals: Vec<f64> =
            goals_after(&text, &solution.line).iter().map(|&it| it as f64).collect();
        assert_eq!(goals, expected, "{name}: the line leads to the value");
    }
}

#[test]
fn several_threads_find_the_same_values_and_a_line_that_keeps_them() {
    let connect = generated("connect_four", &[("width", 5), ("height", 4)]);
    let breakthrough = generated("breakthrough", &[("width", 3), ("height", 5)]);
    for text in [connect, breakthrough] {
        let one = solved(&text, &SolveOptions::default());
        let three = solved(&text, &SolveOptions { threads: 3, ..SolveOptions::default() });
        assert_eq!(one.values, three.values);
        assert!(three.line_is_complete && three.states > 0);
        let expected: Vec<i64> = values(&one).iter().map(|value| *value as i64).collect();
        assert_eq!(goals_after(&text, &three.line), expected);
    }
    // What is undecided remains so.
    let few = SolveOptions { threads: 3, states: 600, ..SolveOptions::default() };
    let solution = solved(game("connect_four").expect("is there").text, &few);
    assert_eq!(solution.undecided, Some(Undecided::Budget));
    let endless = "(role a) (role b) (init (at 1)) (legal a go) (legal a stay) (legal b wait)
        (<= (next (at 1)) (does a stay)) (<= (next (at 2)) (does a go))
        (<= terminal (true (at 3))) (goal a 100) (goal b 0)";
    let three = solved(endless, &SolveOptions { threads: 3, ..SolveOptions::default() });
    assert_eq!(three.undecided, Some(Undecided::Endless));
}

#[test]
fn puzzles_are_solved_by_a_line() {
    let games = [
        ("blocks_world", 100),
        ("eight_puzzle", 100),
        ("knights_tour", 100),
        ("lights_out", 100),
        ("hanoi", 100),
        ("sudoku_four", 100),
        ("given_domains", 100),
    ];
    for (name, expected) in games {
        let text = game(name).expect("is there").text;
        let solution = solved(text, &SolveOptions::default());
        assert_eq!(values(&solution), [f64::from(expected)], "{name}");
        assert_eq!(goals_after(text, &solution.line), [i64::from(expected)], "{name}");
    }
}

#[test]
fn what_is_not_proven_is_undecided() {
    let own = |name| game(name).expect("is there").text.to_string();
    let watched = own("card_draw") + "(role watcher) (legal watcher wait) (goal watcher 0)";
    let hidden = solved(&watched, &SolveOptions::default());
    assert_eq!(hidden.undecided, Some(Undecided::ImperfectInformation));
    let few = SolveOptions { states: 100, ..SolveOptions::default() };
    let stopped = solved(&own("connect_four"), &few);
    assert_eq!(stopped.undecided, Some(Undecided::Budget));
    assert!(stopped.states <= 101, "{}", stopped.states);
}

fn attempted(text: &str, options: &SolveOptions) -> Result<Solution, SolveError> {
    solve(grounded(text), options, |_| {})
}

/// Two roles move on one step; what is left out is added by each test.
const STEPS: &str = "(role a) (role b) (init (s 1)) (<= (next (s 2)) (true (s 1)))";
const ALWAYS: &str = "(<= (legal ?r go) (role ?r))";
const HALF_EACH: &str = "(goal a 50) (goal b 50)";

#[test]
fn a_value_rests_on_ends_that_were_seen() {
    let end = "(<= terminal (true (s 2)))";
    let fails = |rules: &str, expected: &str| {
        let error = attempted(rules, &SolveOptions::default()).expect_err(rules);
        assert_eq!(error.to_string(), expected, "{rules}");
    };
    fails(&format!("{STEPS} {ALWAYS} {end}"), "the state has no goal value for `a`");
    let words = "(goal a lose) (goal b win)";
    fails(&format!("{STEPS} {ALWAYS} {end} {words}"), "the state has no goal value for `a`");
    let one_sided = "(<= (goal a 100) (true (s 1))) (goal b 100)";
    fails(&format!("{STEPS} {ALWAYS} {end} {one_sided}"), "the state has no goal value for `a`");
    let stuck = "(<= (legal ?r go) (role ?r) (true (s 1))) (<= terminal (true (s 3)))";
    fails(
        &format!("{STEPS} {stuck} {HALF_EACH}"),
        "`a` has no legal move in a state that is not terminal",
    );
    // Only the end that `a` may choose as well has no goals.
    let either = "(role a) (role b) (init (s 1)) (legal a x) (legal a y) (legal b wait)
        (<= (next (s 2)) (does a x)) (<= (next (s 3)) (does a y))
        (<= terminal (true (s 2))) (<= terminal (true (s 3)))
        (<= (goal a 50) (true (s 2))) (<= (goal b 50) (true (s 2)))";
    fails(either, "the state has no goal value for `a`");

    let fine = solved(&format!("{STEPS} {ALWAYS} {end} {HALF_EACH}"), &SolveOptions::default());
    assert_eq!(values(&fine), [50.0, 50.0]);
    assert!(fine.states > 0 && fine.line_is_complete, "{fine:?}");
}

#[test]
fn play_without_an_end_has_no_value() {
    let round = "(<= (next (s 1)) (true (s 2))) (<= terminal (true (s 3)))";
    let endless =
        solved(&format!("{STEPS} {ALWAYS} {round} {HALF_EACH}"), &SolveOptions::default());
    assert_eq!(endless.undecided, Some(Undecided::Endless));
    assert!(endless.values.iter().all(|it| it.exact().is_none()), "{endless:?}");
    assert_eq!((endless.values[0].lower, endless.values[0].upper), (50.0, 50.0));
    assert_eq!(endless.line_stop, Some(LineStop::Undecided));
    let alone = "(role a) (init (s 1)) (<= (next (s 2)) (true (s 1))) (legal a go) (goal a 50)";
    let alone = solved(&format!("{alone} {round}"), &SolveOptions::default());
    assert_eq!((alone.undecided, alone.values[0].exact()), (Some(Undecided::Endless), None));
}

/// A counter in binary, of so many bits, which is what the way is long by, and does not come back.
fn counter(bits: usize) -> String {
    let mut text =
        String::from("(role a) (role b) (legal a go) (legal b go) (legal b stay) (init (no 0))");
    for bit in 0..bits {
        let below: String = (0..bit).map(|it| format!("(true (bit {it}))")).collect();
        text += &format!("(<= (carry {bit}) (does a go) {below})");
        text += &format!("(<= (next (bit {bit})) (carry {bit}) (not (true (bit {bit}))))");
        text += &format!("(<= (next (bit {bit})) (true (bit {bit})) (not (carry {bit})))");
    }
    let all: String = (0..bits).map(|it| format!("(true (bit {it}))")).collect();
    let goals = "(<= (goal ?r 100) (role ?r) (true (bit 0))) (<= (goal ?r 0) (role ?r) (not (true (bit 0))))";
    format!("{text} (<= terminal {all}) {goals}")
}

/// A cat waits while a mouse runs round, or ends the match as it likes; each end is worth so much to the cat, all of a hundred.
fn chase(home: i64, trap: i64, more: &str) -> String {
    format!(
        "(role cat) (role mouse) (init (at out)) (init free) (way run out) (way home home) (way trap trap)
         (<= (legal mouse ?m) (true (at out)) (way ?m ?p)) (legal cat wait)
         (<= (next (at ?p)) (does mouse ?m) (way ?m ?p) (not (does cat shut)))
         (<= (next (at trap)) (does cat shut)) (<= (next free) (true free) (does cat wait))
         (<= terminal (not (true (at out)))) {more}
         (<= (goal cat {home}) (true (at home))) (<= (goal mouse {}) (true (at home)))
         (<= (goal cat {trap}) (true (at trap))) (<= (goal mouse {}) (true (at trap)))",
        100 - home,
        100 - trap
    )
}

#[test]
fn what_can_be_escaped_for_ever_is_undecided() {
    let exact = |text: &str| -> (Vec<Option<f64>>, Option<Undecided>) {
        let solution = solved(text, &SolveOptions::default());
        (solution.values.iter().map(|it| it.exact()).collect(), solution.undecided)
    };
    let endless = Some(Undecided::Endless);
    // The cat cannot make the mouse stop, which can have its best end.
    assert_eq!(exact(&chase(60, 100, "")), (vec![None, Some(40.0)], endless));
    // Both ends are worth the same, and the cat may see none.
    assert_eq!(exact(&chase(60, 60, "")), (vec![None, Some(40.0)], endless));
    // Less than nothing it does not get.
    assert_eq!(exact(&chase(0, 100, "")), (vec![Some(0.0), Some(100.0)], None));
    // Where the cat can shut the door, the match ends as it wants.
    assert_eq!(exact(&chase(60, 100, "(legal cat shut)")), (vec![Some(100.0), Some(0.0)], None));
    // Where every match ends, nobody escapes: from the fourth step on there is no running.
    let steps = "(init (step 0)) (after 0 1) (after 1 2) (after 2 3) (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
        (<= terminal (true (step 3)))
        (<= (goal cat 70) (true (at out))) (<= (goal mouse 30) (true (at out)))";
    assert_eq!(exact(&chase(60, 100, steps)), (vec![Some(60.0), Some(40.0)], None));
}

#[test]
fn an_end_is_forced_past_circles_and_the_line_does_not_go_round() {
    // In, up and out; round and down lead back to the door.
    let house = "(role a) (role b) (init (at door)) (legal b noop)
        (way door in hall) (way door round yard) (way yard back door)
        (way hall up loft) (way hall down door) (way loft out roof) (way loft down hall)
        (<= (legal a ?m) (true (at ?x)) (way ?x ?m ?y)) (<= (next (at ?y)) (true (at ?x)) (does a ?m) (way ?x ?m ?y))
        (<= terminal (true (at roof))) (<= (goal a 100) (true (at roof))) (<= (goal b 0) (true (at roof)))
        (<= (goal a 0) (not (true (at roof)))) (<= (goal b 100) (not (true (at roof))))";
    let solution = solved(house, &SolveOptions::default());
    assert_eq!(values(&solution), [100.0, 0.0]);
    assert_eq!(solution.line, [["in", "noop"], ["up", "noop"], ["out", "noop"]]);
    // Rings of many states: the way back to the first one is open all the time, and the end is far away.
    let mut ring =
        String::from("(role a) (role b) (init (at 0)) (legal b noop) (legal a on) (legal a back)");
    (0..40).for_each(|it| ring += &format!("(after {it} {})", it + 1));
    ring += "(<= (next (at ?y)) (true (at ?x)) (does a on) (after ?x ?y)) (<= (next (at 0)) (does a back))
        (<= terminal (true (at 40))) (goal a 30) (goal b 70)";
    let solution = solved(&ring, &SolveOptions::default());
    assert_eq!(solution.values[0].exact(), Some(30.0), "`a` can force the only end");
    assert_eq!(solution.values[1].exact(), None, "`a` can go round for ever");
    assert_eq!((solution.line.len(), solution.line_is_complete), (40, true));
}

#[test]
fn chance_that_ends_play_some_time_has_a_value() {
    let die = "(role a) (role random) (init (at start)) (legal a roll) (<= (legal a stop) (true (at start)))
        (legal random six) (legal random other)
        (<= (next (at won)) (does random six) (does a roll)) (<= (next (at start)) (does random other) (does a roll))
        (<= (next (at left)) (does a stop))
        (<= terminal (not (true (at start)))) (goal random 0)
        (<= (goal a 80) (true (at won))) (<= (goal a 40) (true (at left)))";
    let solution = solved(die, &SolveOptions::default());
    assert_eq!((values(&solution), solution.method), (vec![80.0], SolveMethod::Expectimax));
}

#[test]
fn many_goal_values_are_told_apart() {
    let mut text = String::from(
        "(role a) (role b) (init start) (legal b wait) (<= terminal (not (true start)))",
    );
    for value in 0..300 {
        text += &format!("(number {value}) (<= (goal a {value}) (true (took {value})))");
    }
    text +=
        "(<= (legal a (take ?n)) (number ?n)) (<= (next (took ?n)) (does a (take ?n))) (goal b 0)";
    let solution = solved(&text, &SolveOptions::default());
    assert_eq!(solution.values[0].exact(), Some(299.0));
    // Sums of goals do not wrap.
    let most = i64::MAX;
    let large =
        format!("{STEPS} {ALWAYS} (<= terminal (true (s 2))) (goal a {most}) (goal b {most})");
    let large = solved(&large, &SolveOptions::default());
    assert_eq!(values(&large), [most as f64, most as f64]);
}

#[test]
fn long_play_is_solved_from_its_ends() {
    let long = solved(&counter(12), &SolveOptions::default());
    assert_eq!((values(&long), long.method), (vec![100.0, 100.0], SolveMethod::Retrograde));
    assert_eq!(long.line.len(), 4095);
    let short = solved(&counter(8), &SolveOptions::default());
    assert_eq!(values(&short), [100.0, 100.0]);
    assert_eq!(short.line.len(), 255);
}

/// Two roles choose among so many numbers at once, in each of so many steps; `a` wins if they meet in the end.
fn meeting(moves: usize, steps: usize) -> String {
    let mut text = String::from("(role a) (role b) (init (s 0))");
    (0..moves).for_each(|it| text += &format!("(num {it})"));
    (0..steps).for_each(|it| text += &format!("(succ {it} {})", it + 1));
    let rules = "(<= (legal ?r (pick ?x)) (role ?r) (num ?x)) (<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
        (<= (next (p ?r ?x)) (does ?r (pick ?x))) (<= (next (q ?r ?x)) (true (p ?r ?x)))
        (<= met (true (p a ?x)) (true (p b ?x)))
        (<= (goal a 100) met) (<= (goal a 0) (not met)) (<= (goal b 0) met) (<= (goal b 100) (not met))";
    format!("{text} {rules} (<= terminal (true (s {steps})))")
}

#[test]
fn wide_games_heed_limits_and_keep_their_bounds() {
    let soon = Instant::now() + Duration::from_millis(300);
    let limited = SolveOptions { deadline: Some(soon), ..SolveOptions::default() };
    let wide = solved(&meeting(100, 6), &limited);
    let after = Instant::now().saturating_duration_since(soon);
    assert!(after < Duration::from_secs(5), "{after:?} after the deadline");
    assert_eq!(wide.undecided, Some(Undecided::Budget));
    for value in &wide.values {
        assert_eq!((value.lower, value.upper, value.exact()), (0.0, 100.0, None));
    }
    let wider = solved(&meeting(300, 2), &SolveOptions::default());
    assert_eq!(wider.undecided, Some(Undecided::TooWide));
    let narrow = solved(&meeting(4, 2), &SolveOptions::default());
    assert_eq!((narrow.undecided, narrow.method), (None, SolveMethod::MatrixGames));
}

#[test]
fn where_several_choose_at_once_moves_are_mixed() {
    let pennies = "(role even) (role odd) (init open) (side heads) (side tails)
        (<= (legal ?r ?x) (role ?r) (side ?x)) (<= (next same) (does even ?x) (does odd ?x))
        (<= (next over) (does even ?x)) (<= terminal (true over))
        (<= (goal even 100) (true same)) (<= (goal even 0) (not (true same)))
        (<= (goal odd 0) (true same)) (<= (goal odd 100) (not (true same)))";
    let solution = solved(pennies, &SolveOptions::default());
    assert_eq!(values(&solution), [50.0, 50.0]);
    assert_eq!(solution.method, SolveMethod::MatrixGames);
    assert_eq!(solution.strategies.len(), 2);
    for set in &solution.strategies {
        assert!(set.moves.iter().all(|(_, share)| (share - 0.5).abs() < 1e-9), "{set:?}");
    }
    let rounds = game("rock_paper_scissors").expect("is there").text;
    let solution = solved(rounds, &SolveOptions::default());
    assert_eq!(solution.undecided, None);
    for value in values(&solution) {
        assert!((value - 50.0).abs() < 1e-6, "{value}");
    }
    // Both can force what they get if both confess, whoever the other is: no mixing is needed.
    let prisoners =
        solved(game("prisoners_dilemma").expect("is there").text, &SolveOptions::default());
    assert_eq!(prisoners.undecided, None);
}

#[test]
fn a_line_without_a_constant_sum_says_whom_it_is_best_for() {
    // What `a` takes is worth nothing to `b`, and `b` is given something for the other.
    let rules = "(role a) (role b) (init (s 1)) (legal a x) (legal a y) (legal b wait)
        (<= (next (s 2)) (does a x)) (<= (next (s 3)) (does a y))
        (<= terminal (true (s 2))) (<= terminal (true (s 3)))
        (<= (goal a 100) (true (s 2))) (<= (goal b 50) (true (s 2)))
        (<= (goal a 0) (true (s 3))) (<= (goal b 0) (true (s 3)))";
    let solution = solved(rules, &SolveOptions::default());
    assert_eq!(values(&solution), [100.0, 0.0], "`b` can force nothing");
    assert_eq!(solution.line, [["x", "wait"]]);
    // The line is the same where ends that the search need not look at have another sum.
    let unseen = "(role a) (role b) (init start) (legal a l) (legal a r) (legal b wait) (<= (next (made ?m)) (does a ?m))
        (<= terminal (true (made ?m))) (<= (goal a 75) (true (made l))) (<= (goal b 100) (true (made l)))
        (<= (goal a 0) (true (made r))) (<= (goal b 30) (true (made r)))";
    let unseen = solved(unseen, &SolveOptions::default());
    assert_eq!(values(&unseen), [75.0, 30.0]);
    assert_eq!((unseen.line.len(), unseen.line_role.as_deref()), (1, Some("a")));
    let equal = solved(game("nim").expect("is there").text, &SolveOptions::default());
    assert_eq!(equal.line_role, None, "all ends are worth a hundred");
    let three = "(role a) (role b) (role c) (init (s 1)) (<= (next (s 2)) (true (s 1))) (<= terminal (true (s 2)))
        (<= (legal ?r go) (role ?r)) (<= (goal ?r 30) (role ?r))";
    let three = solved(three, &SolveOptions::default());
    assert_eq!(values(&three), [30.0, 30.0, 30.0]);
    assert_eq!((three.line_role.as_deref(), three.line.len()), (Some("a"), 1));
    let chance = solved(CHANCE, &SolveOptions::default());
    assert_eq!((chance.line.len(), chance.line_stop), (0, Some(LineStop::Chance)));
}

/// A coin decides.
const CHANCE: &str = "(role a) (role random) (init (s 1)) (legal random heads) (legal random tails) (legal a wait)
    (<= (next (s 2)) (does random heads)) (<= (next (s 3)) (does random tails))
    (<= terminal (not (true (s 1)))) (<= (goal a 100) (true (s 2))) (<= (goal a 0) (not (true (s 2))))
    (goal random 0)";

#[test]
fn small_memory_changes_no_value() {
    let text = generated("connect_four", &[("width", 4), ("height", 4)]);
    let small = SolveOptions { memory: 1 << 16, ..SolveOptions::default() };
    let solution = solved(&text, &small);
    assert_eq!(values(&solution), [50.0, 50.0]);
    assert!(solution.memory <= 1 << 16, "{}", solution.memory);
}

/// What a role can be sure of if the others know its move, or it knows theirs.
fn bound(
    reasoner: &mut GroundReasoner,
    state: &State,
    role: usize,
    knows: bool,
    memo: &mut HashMap<State, i64>,
) -> i64 {
    if let Some(&value) = memo.get(state) {
        return value;
    }
    let roles: Vec<_> = reasoner.role_ids().collect();
    if reasoner.is_terminal(state).expect("known") {
        return reasoner.goal(state, roles[role]).expect("one goal");
    }
    let mut joint = vec![Vec::new()];
    for &role in &roles {
        let mut legal = Vec::new();
        reasoner.legal_moves(state, role, &mut legal).expect("known");
        let longer = |joint: &Vec<_>| {
            let joint = joint.clone();
            legal
                .iter()
                .map(move |&last| joint.iter().copied().chain([last]).collect())
                .collect::<Vec<Vec<_>>>()
        };
        joint = joint.iter().flat_map(longer).collect();
    }
    let mut best: std::collections::BTreeMap<Vec<_>, i64> = std::collections::BTreeMap::new();
    for moves in joint {
        let mut next = State::default();
        reasoner.next_state(state, &moves, &mut next).expect("is legal");
        let value = bound(reasoner, &next, role, knows, memo);
        let mut key = moves.clone();
        if knows {
            key.remove(role);
        } else {
            key = vec![moves[role]];
        }
        let entry = best.entry(key).or_insert(value);
        *entry = if knows { value.max(*entry) } else { value.min(*entry) };
    }
    let values = best.into_values();
    let value = if knows { values.min() } else { values.max() }.expect("a move");
    memo.insert(state.clone(), value);
    value
}

#[test]
fn random_games_agree_with_exhaustive_minimax() {
    let mut decided = 0;
    for seed in 0..60 {
        let text = random_game(seed);
        let game = grounded(&text);
        if game.role_names().any(|it| it == "random") || text.contains("sees") {
            continue;
        }
        let mut reasoner = GroundReasoner::new(game.clone()).expect("can be played");
        let solution = solve(game, &SolveOptions::default(), |_| {}).expect("can be played");
        let root = reasoner.initial().clone();
        for role in 0..solution.values.len() {
            let value = &solution.values[role];
            let surely = bound(&mut reasoner, &root, role, false, &mut HashMap::new()) as f64;
            let at_most = bound(&mut reasoner, &root, role, true, &mut HashMap::new()) as f64;
            assert!(value.lower >= surely && value.upper <= at_most, "seed {seed}: {value:?}");
            assert!(value.lower <= value.upper, "seed {seed}: {value:?}");
            decided += u32::from(value.exact().is_some());
        }
    }
    assert!(decided > 20, "{decided} values are decided");
}

/// The values of all roles.
fn of_rules(text: &str) -> Vec<f64> {
    values(&solved(text, &SolveOptions::default()))
}

#[test]
fn peg_solitaire_ends_in_the_middle() {
    assert_eq!(of_rules(own("peg_solitaire")), [100.0]);
}

#[test]
fn nobody_wins_on_small_boards() {
    let line = [("width", 4), ("height", 4), ("in_a_row", 4)];
    assert_eq!(of_rules(&generated("tic_tac_toe", &line)), [50.0, 50.0]);
    for height in [4, 5] {
        let board = [("width", 5), ("height", height)];
        assert_eq!(of_rules(&generated("connect_four", &board)), [50.0, 50.0]);
    }
}

#[test]
fn the_second_wins_connect_four_on_six_low_columns() {
    let board = [("width", 6), ("height", 4)];
    assert_eq!(of_rules(&generated("connect_four", &board)), [0.0, 100.0]);
}

#[test]
fn the_second_wins_breakthrough_on_three_columns() {
    let board = [("width", 3), ("height", 5)];
    assert_eq!(of_rules(&generated("breakthrough", &board)), [0.0, 100.0]);
}
