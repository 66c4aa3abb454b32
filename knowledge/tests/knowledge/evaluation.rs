//! Degrees of goals, with numbers that were worked out by hand, and kinds of pieces.

use groundfrog_knowledge::evaluation::{FuzzyGoals, Grades, Yager, kinds};
use groundfrog_knowledge::{AnalysisOptions, analyse, structures_of_fluents};
use groundfrog_reasoner::{FluentId, GroundReasoner, State, Vocabulary};
use groundfrog_testing::description;

use super::{corpus, rules};

/// Lines of marks on a board of three by three.
const LINES: &str = "(role x) (number 1) (number 2) (number 3)
    (<= (legal x (put ?a ?b)) (number ?a) (number ?b))
    (<= (next (mark ?a ?b)) (does x (put ?a ?b))) (<= (next (mark ?a ?b)) (true (mark ?a ?b)))
    (<= line (number ?a) (true (mark ?a 1)) (true (mark ?a 2)) (true (mark ?a 3)))
    (<= line (number ?b) (true (mark 1 ?b)) (true (mark 2 ?b)) (true (mark 3 ?b)))
    (<= line (true (mark 1 1)) (true (mark 2 2)) (true (mark 3 3)))
    (<= line (true (mark 1 3)) (true (mark 2 2)) (true (mark 3 1)))
    (<= terminal line) (<= (goal x 100) line) (<= (goal x 0) (not line))";

fn marked(rules: &GroundReasoner, marks: &[(u32, u32)]) -> State {
    let texts: Vec<String> = marks.iter().map(|(a, b)| format!("(mark {a} {b})")).collect();
    let fluents = rules.game().fluents().len() as u32;
    let holds = |it: &FluentId| texts.contains(&rules.fluent_text(*it));
    State::of((0..fluents).map(FluentId).filter(holds))
}

#[test]
fn tictactoe_has_the_worked_degrees() {
    let rules = rules(LINES);
    let game = rules.game();
    let goal = game.goals().iter().find(|it| it.value == Some(100)).expect("a goal").atom;
    let mut goal = FuzzyGoals::new(game, &[goal], Grades::default()).expect("it can be unfolded");
    assert!((goal.yager.exponent - 20.85).abs() < 0.01, "{}", goal.yager.exponent);
    goal.yager = Yager { holds: 0.9, exponent: 20.0 };
    let expected: [(&[(u32, u32)], f64); 6] = [
        (&[], 0.0546),
        (&[(1, 2)], 0.0707),
        (&[(1, 1)], 0.0721),
        (&[(2, 2)], 0.0732),
        (&[(1, 1), (1, 2)], 0.1000),
        (&[(1, 1), (1, 2), (1, 3)], 0.8944),
    ];
    for (marks, degree) in expected {
        let found = goal.degrees(&marked(&rules, marks))[0];
        assert!((found - degree).abs() < 0.000_2, "{marks:?}: {found}");
    }
    // Equal for symmetric states.
    let degree = |marks: &[(u32, u32)]| goal.degrees(&marked(&rules, marks))[0];
    assert!((degree(&[(1, 1), (3, 2)]) - degree(&[(3, 3), (1, 2)])).abs() < 1e-9);
}

#[test]
fn a_conjunction_of_false_literals_is_above_zero() {
    for (length, least) in [(3, 10.4), (8, 19.7), (42, 35.5)] {
        let below = Yager { holds: 0.9, exponent: least - 0.1 };
        let chosen = Yager::for_length(length, 0.9);
        let none = || std::iter::repeat_n(0.1, length);
        assert!(below.all(none()) <= 1e-12, "{length}");
        assert!(chosen.all(none()) > 0.0, "{length}");
    }
    let bounded = Yager { holds: 0.9, exponent: 2.0 };
    assert!((bounded.any([0.9, 0.9].into_iter()) - 1.0).abs() < 1e-12);
}

#[test]
fn a_piece_that_is_nearer_has_a_greater_degree() {
    let points: Vec<Vec<i32>> = (0..17).flat_map(|a| (0..17).map(move |b| vec![a, b])).collect();
    let places = |wanted: (i32, i32)| {
        let at = points.iter().position(|it| *it == [wanted.0, wanted.1]).expect("a place");
        FluentId(at as u32)
    };
    // A game of one fluent for each place, of which one holds; wanted is (e, 5).
    let text =
        "(role x) (legal x rest) (<= terminal (true (at 5 5))) (<= (goal x 100) (true (at 5 5)))
        (<= (goal x 0) (not (true (at 5 5))))
        (number 1) (<= (number ?n) (next_to ?m ?n))";
    let chain: String = (1..17).map(|it| format!("(next_to {it} {})", it + 1)).collect();
    let facts = "(init (at 1 1)) (<= (next (at ?a ?b)) (number ?a) (number ?b) (true (at ?c ?d)))";
    let rules = rules(&format!("{text} {chain} {facts}"));
    let game = rules.game();
    let mut fluents = vec![FluentId(0); 17 * 17];
    for fluent in 0..game.fluents().len() as u32 {
        let text = rules.fluent_text(FluentId(fluent));
        let numbers: Vec<i32> =
            text.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok()).collect();
        fluents[places((numbers[0] - 1, numbers[1] - 1)).index()] = FluentId(fluent);
    }
    let grades = Grades::of_points(fluents.clone(), points.clone());
    let goal = game.goals().iter().find(|it| it.value == Some(100)).expect("a goal").atom;
    let goal = FuzzyGoals::new(game, &[goal], grades).expect("it can be unfolded");
    let degree = |a: i32, b: i32| goal.degrees(&State::of([fluents[places((a, b)).index()]]))[0];
    // From (f, 10) and from (j, 5).
    assert!((degree(5, 9) - 0.082).abs() < 0.000_5, "{}", degree(5, 9));
    assert!((degree(9, 4) - 0.085).abs() < 0.000_5, "{}", degree(9, 4));
    assert!((degree(4, 4) - 0.9).abs() < 1e-9);
}

#[test]
fn what_stands_on_a_board_is_told_apart_by_kind() {
    let text = corpus("breakthrough");
    let mut rules = rules(text);
    let analysis = analyse(&mut rules, &AnalysisOptions::default()).expect("rules");
    let found = structures_of_fluents(&description(text), rules.game(), &analysis);
    let kinds = kinds(&found, rules.game());
    assert_eq!(kinds.names, ["black", "white"]);
    for (fluent, kind) in kinds.of.iter().enumerate() {
        let text = rules.fluent_text(FluentId(fluent as u32));
        let named = kinds.names.iter().position(|it| text.starts_with(&format!("(pawn {it} ")));
        assert_eq!(*kind, named, "{text}");
    }
    assert!(kinds.of.iter().flatten().count() > 64);
}
