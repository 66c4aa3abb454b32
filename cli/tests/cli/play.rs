//! `groundfrog play`.

use super::{ENDLESS, Folder, corpus, run, run_with};

#[test]
fn a_match_to_its_end() {
    let moves = "1\n".repeat(9);
    let run = run_with(&["play", &corpus("tictactoe"), "--seed", "3"], moves).succeeds();
    let end = run.stdout.split("The match is over.\n").nth(1).expect("the end");
    let goals: Vec<u32> = end
        .lines()
        .filter(|it| it.contains(": "))
        .map(|it| it.rsplit(' ').next().and_then(|it| it.parse().ok()).expect("a goal"))
        .collect();
    assert!(end.ends_with(" wins.\n") || end.ends_with("Nobody wins.\n"), "{end}");
    assert!(goals.len() == 2 && goals.iter().sum::<u32>() == 100, "{end}");
    run.says(&["  1  (place 1 1)\n"]);
}

#[test]
fn boards_are_drawn() {
    let run = run_with(&["play", &corpus("tictactoe")], "").succeeds();
    let board = " 3 . . .\n 2 . . .\n 1 . . .\n   1 2 3\n";
    run.says(&[board]);
    assert!(run.stdout.ends_with("The match is left.\n"), "{}", run.stdout);
}

#[test]
fn a_hint_is_a_move_that_wins() {
    // Who takes both stones at once wins.
    let folder = Folder::new();
    let text = "(role ann) (init (stones 2)) (amount 1) (amount 2) (minus 2 1 1) (minus 2 2 0)
        (<= (legal ann (take ?n)) (amount ?n))
        (<= (next (stones ?m)) (does ann (take ?n)) (true (stones ?k)) (minus ?k ?n ?m))
        (<= (next over) (does ann (take 1))) (<= terminal (true over)) (<= terminal (true (stones 0)))
        (<= (goal ann 100) (true (stones 0))) (<= (goal ann 0) (not (true (stones 0))))";
    let game = folder.file("take.kif", text);
    let run = run_with(&["play", &game, "--play-clock", "1s"], "hint\n(take 2)\n").succeeds();
    run.says(&["(take 2), number 2 in the list", "ann: 100"]);
}

#[test]
fn what_is_no_move_is_asked_for_again() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let run = run_with(&["play", &game], "3\nsleep\n\npush\n2\nquit\n").succeeds();
    run.says(&["`3` is none of the moves: give a number from 1 to 2", "`sleep` is none"]);
    let lamps: Vec<&str> = run.stdout.lines().filter(|it| it.starts_with("(lamp ")).collect();
    assert_eq!(lamps, ["(lamp on)", "(lamp off)", "(lamp on)"]);
}

#[test]
fn a_move_that_is_a_number_is_the_one_that_was_typed() {
    let folder = Folder::new();
    let text = "(role ann) (init (at 0)) (num 0) (num 1) (num 2) (legal ann undo)
        (<= (legal ann ?x) (num ?x)) (<= (next (at ?x)) (does ann ?x) (num ?x))
        (<= (next (at home)) (does ann undo)) (<= terminal (true (at 2))) (goal ann 50)";
    let game = folder.file("numbers.kif", text);
    let run = run_with(&["play", &game], "1\nundo\n4\n(2)\n").succeeds();
    let places: Vec<&str> = run.stdout.lines().filter(|it| it.starts_with("(at ")).collect();
    assert_eq!(places[..3], ["(at 0)", "(at 1)", "(at home)"], "{}", run.stdout);
    assert!(places.len() > 3 && run.stdout.contains("The match is over."), "{}", run.stdout);
}

#[test]
fn a_match_without_an_end_is_given_up() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let run = run_with(&["play", &game, "--max-length", "2"], "1\n1\n1\n").succeeds();
    assert!(run.stdout.ends_with("The match is given up after 2 steps.\n"), "{}", run.stdout);
}

#[test]
fn a_role_that_cannot_move() {
    let folder = Folder::new();
    let text = "(role ann) (init (lamp on)) (<= (legal ann wait) (true (lamp off)))
        (<= (next (lamp off)) (does ann wait)) (<= terminal (true (lamp broken)))
        (<= (next (lamp broken)) (true (lamp off))) (goal ann 50)";
    let game = folder.file("stuck.kif", text);
    run(["play", &game]).fails(1, &["`ann` has no legal move"]);
}

#[test]
fn unknown_roles_and_no_input() {
    run(["play", &corpus("tictactoe"), "--role", "zoe"])
        .fails(2, &["nobody plays `zoe`: the roles"]);
    run(["play", "-"]).fails(2, &["the game must be in a file"]);
}

/// Chance deals one of two cards, which only bob sees; ann guesses.
const HIDDEN: &str = "(role random) (role ann) (role bob) (card red) (card blue)
    (init (turn 1)) (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
    (<= (legal random (deal ?c)) (card ?c) (true (turn 1)))
    (<= (legal random wait) (not (true (turn 1))))
    (<= (legal ann (guess ?c)) (card ?c) (true (turn 2)))
    (<= (legal ann wait) (not (true (turn 2))))
    (<= (legal bob (say ?c)) (card ?c)) (<= (next (dealt ?c)) (does random (deal ?c)))
    (<= (next (dealt ?c)) (true (dealt ?c)))
    (<= (next right) (does ann (guess ?c)) (true (dealt ?c)))
    (<= (sees bob (card ?c)) (does random (deal ?c)))
    (<= (sees ann dealt) (true (turn 1)))
    (<= terminal (true (turn 3))) (goal random 0) (goal bob 50)
    (<= (goal ann 100) (true right)) (<= (goal ann 0) (not (true right)))";

#[test]
fn what_a_role_does_not_see_is_not_shown() {
    let folder = Folder::new();
    let game = folder.file("cards.kif", HIDDEN);
    let seen = |seed: &str| {
        let words = ["play", &game, "--seed", seed];
        run_with(&words, "undo\n(guess red)\n").succeeds().stdout
    };
    // Without --role nobody is chance.
    let told = seen("1");
    assert!(told.contains("ann: wait\nann sees dealt\n"), "{told}");
    assert!(told.contains("Moves of ann:\n  1  (guess"), "{told}");
    assert!(told.contains("Nothing is taken back in a game with percepts."), "{told}");
    assert!(told.contains("ann: (guess red)\nann sees nothing\n"), "{told}");
    for hidden in ["bob: ", "random: ", "(deal", "(say", "turn", "(dealt"] {
        let before_the_end = told.split("The match is over").next().expect("a text");
        assert!(!before_the_end.contains(hidden), "`{hidden}` is in:\n{told}");
    }
    // Whatever was dealt and said, the same is shown until the end.
    let until_the_end = |text: String| text.split("The match is over").next().map(str::to_owned);
    let (mut shown, mut ends) = (Vec::new(), Vec::new());
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let text = seen(seed);
        ends.push(
            text.lines().find(|it| it.starts_with("ann: ") && it.len() < 9).map(str::to_owned),
        );
        shown.push(until_the_end(text));
    }
    assert!(shown.iter().all(|it| *it == shown[0]), "{shown:?}");
    assert!(ends.iter().any(|it| *it != ends[0]), "both cards were dealt: {ends:?}");
    let bob = run_with(&["play", &game, "--role", "bob"], "(say red)\n(say blue)\n").succeeds();
    let bob = bob.stdout;
    assert!(bob.contains("bob sees (card ") && !bob.contains("ann: (guess"), "{bob}");
}

/// Bob has one good move of eight, after ann's, who has the last word.
const ONE_GOOD_MOVE: &str = "(role ann) (role bob) (init (turn ann))
    (after ann bob) (after bob late) (after late none)
    (number 0) (number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (number 7)
    (<= (legal ?r (take ?n)) (role ?r) (number ?n) (true (turn ?r)))
    (<= (legal ann noop) (true (turn bob))) (<= (legal bob noop) (not (true (turn bob))))
    (<= (legal ann stop) (true (turn late))) (<= (legal ann rest) (true (turn late)))
    (<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s)) (<= terminal (true (turn none)))
    (<= (next (taken ?n)) (does ann (take ?n)))
    (<= (next good) (does bob (take ?n)) (true (taken ?n))) (<= (next good) (true good))
    (<= (goal ann 0) (true good)) (<= (goal ann 100) (not (true good)))
    (<= (goal bob 100) (true good)) (<= (goal bob 0) (not (true good)))";

#[test]
fn a_strategy_plays_against_persons() {
    let folder = Folder::new();
    let game = folder.file("take.kif", ONE_GOOD_MOVE);
    let words = ["play", &game, "--against", "greedy", "--play-clock", "200ms"];
    for number in 0..3 {
        let run = run_with(&words, format!("(take {number})\nstop\n")).succeeds();
        let made = format!("ann: noop; bob: (take {number})");
        run.says(&[&made]);
        assert!(!run.stdout.contains("at random"), "{}", run.stdout);
        assert!(run.stdout.ends_with("ann: 0\nbob: 100\nbob wins.\n"), "{}", run.stdout);
    }
    let run = run_with(&words, "(take 2)\nundo\n(take 5)\nrest\n").succeeds();
    for made in ["bob: (take 2)", "bob: (take 5)", "ann: rest", "bob: 100"] {
        assert!(run.stdout.contains(made), "no {made} in {}", run.stdout);
    }
}

#[test]
fn strategies_that_are_not_there() {
    let run = run(["play", &corpus("tictactoe"), "--against", "genius"]);
    run.fails(2, &["there is no strategy `genius`: take random, greedy"]);
}

#[test]
fn a_game_that_is_not_ground_is_played_by_its_rules_with_a_board() {
    let arguments = ["play", &corpus("tictactoe"), "--max-rules", "5", "--seed", "3"];
    let run = run_with(&arguments, "(place 2 2)\nquit\n").succeeds();
    let ground = run_with(&["play", &corpus("tictactoe"), "--seed", "3"], "quit\n").succeeds();
    assert!(run.stderr.contains("played by its rules with variables"), "{}", run.stderr);
    let first = ground.stdout.split("Moves of").next().expect("a board");
    let board = first.trim_start().trim_start_matches("Step 0").trim();
    assert!(run.stdout.contains(board), "{board}\n{}", run.stdout);
}
