//! `groundfrog play`.

use super::{ENDLESS, Folder, corpus, run, run_with};

#[test]
fn a_match_to_its_end() {
    let moves = "1\n".repeat(9);
    let run = run_with(&["play", &corpus("tictactoe"), "--seed", "3"], moves).succeeds();
    let end = run.stdout.split("The match is over.\n").nth(1).expect("the end");
    let goals: Vec<u32> = end
        .lines()
        .map(|it| it.rsplit(' ').next().and_then(|it| it.parse().ok()).expect("a goal"))
        .collect();
    assert!(goals.len() == 2 && goals.iter().sum::<u32>() == 100, "{end}");
}

#[test]
fn boards_are_drawn() {
    let run = run_with(&["play", &corpus("tictactoe")], "").succeeds();
    let board = "    3  . . .\n    2  . . .\n    1  . . .\n       1 2 3\n";
    assert!(run.stdout.contains(board), "{}", run.stdout);
    assert!(run.stdout.ends_with("The match is left.\n"), "{}", run.stdout);
}

#[test]
fn what_is_no_move_is_asked_for_again() {
    let folder = Folder::new();
    let game = folder.file("endless.kif", ENDLESS);
    let run = run_with(&["play", &game], "3\nsleep\n\npush\n2\nquit\n").succeeds();
    for text in ["`3` is none of the moves: give a number from 1 to 2", "`sleep` is none"] {
        assert!(run.stdout.contains(text), "{}", run.stdout);
    }
    let lamps: Vec<&str> = run.stdout.lines().filter(|it| it.starts_with("lamp: ")).collect();
    assert_eq!(lamps, ["lamp: on", "lamp: off", "lamp: on"]);
}

#[test]
fn a_move_that_is_a_number_is_the_one_that_was_typed() {
    let folder = Folder::new();
    let text = "(role ann) (init (at 0)) (num 0) (num 1) (num 2) (legal ann undo)
        (<= (legal ann ?x) (num ?x)) (<= (next (at ?x)) (does ann ?x) (num ?x))
        (<= (next (at home)) (does ann undo)) (<= terminal (true (at 2))) (goal ann 50)";
    let game = folder.file("numbers.kif", text);
    let run = run_with(&["play", &game], "1\nundo\n4\n(2)\n").succeeds();
    let places: Vec<&str> = run.stdout.lines().filter(|it| it.starts_with("at: ")).collect();
    assert_eq!(places[..3], ["at: 0", "at: 1", "at: home"], "{}", run.stdout);
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
