//! Rules with many literals that have little to do with each other are split, however many they are.

use groundfrog::compact::Passes;
use groundfrog::options::Limits;
use groundfrog::reasoner::{GroundReasoner, InterpretedReasoner};
use groundfrog::verify::{VerifyOptions, compare};

use super::beside::{description, grounded, options, plays_the_same};

/// A board of so many columns and rows, of which a whole column is filled with one of three marks in a turn; and what
/// it is when each cell is filled.
fn board(columns: usize, rows: usize, full: &str) -> String {
    let cells = || (1..=columns).flat_map(|x| (1..=rows).map(move |y| (x, y)));
    let all: String = cells().map(|(x, y)| format!("(true (cell {x} {y} ?c{x}x{y}))")).collect();
    let column: String = (1..=columns).map(|it| format!("(column {it})")).collect();
    let row: String = (1..=rows).map(|it| format!("(row {it})")).collect();
    format!(
        "(role r) {column} {row} (mark 1) (mark 2) (mark 3) (next_mark 1 2) (next_mark 2 3) (next_mark 3 1)
        (<= (legal r (fill ?x ?m)) (column ?x) (mark ?m) (not (filled ?x)))
        (<= (filled ?x) (true (cell ?x 1 ?m)))
        (<= (next (cell ?x ?y ?m)) (does r (fill ?x ?m)) (row ?y) (distinct ?y {rows}))
        (<= (next (cell ?x {rows} ?n)) (does r (fill ?x ?m)) (next_mark ?m ?n))
        (<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)))
        (<= terminal (full)) (<= (goal r 100) (full)) (<= (goal r 0) (not (full)))
        (<= (full) {all} {full})"
    )
}

/// What is asked of a full board: nothing more; of two cells something; of all cells of the first row something.
fn questions(columns: usize) -> Vec<String> {
    let neighbours = (1..columns).map(|x| format!("(next_mark ?c{x}x1 ?c{}x1)", x + 1));
    vec![
        String::new(),
        "(next_mark ?c1x1 ?c2x2) (distinct ?c1x2 ?c2x1)".into(),
        neighbours.collect::<String>() + "(true (cell 1 2 ?again))",
    ]
}

#[test]
fn what_is_asked_of_every_cell_takes_a_rule_for_each() {
    for full in questions(12) {
        let text = board(12, 12, &full);
        let game = grounded(&text, &options(Passes::ALL));
        assert!(game.rules().len() < 2500, "{} rules", game.rules().len());
        let mut tested = GroundReasoner::new(game.clone()).expect("it can be played");
        let mut rules = InterpretedReasoner::new(&description(&text), Limits::default())
            .expect("it can be played");
        let options = VerifyOptions { playouts: 3, ..VerifyOptions::default() };
        let report = compare(&mut tested, &mut rules, Some(&game), &options, &mut ());
        let report = report.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(report.difference, None, "{report}\n{text}");
        assert!(report.states >= 36, "each playout fills twelve columns: {report}");
    }
}

#[test]
fn wide_rules_mean_what_their_instances_do() {
    for full in questions(5) {
        let text = board(5, 3, &full).replace("(mark 3)", "");
        let [flat, compact] = [Passes::NONE, Passes::ALL].map(|it| grounded(&text, &options(it)));
        let [few, many] = [&compact, &flat].map(|it| it.rules().len());
        assert!(!full.is_empty() || few * 100 < many, "{few} instead of {many} rules");
        assert!(plays_the_same(&description(&text), &compact, &flat, 6) >= 50);
    }
}
