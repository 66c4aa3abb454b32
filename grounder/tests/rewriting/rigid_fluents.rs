//! Games mean the same where nothing asks for fluents that are never changed.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::game::GroundGame;
use groundfrog::options::{Domains, Engine, GroundOptions};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const RIGID: Passes = Passes::of(&[PassId::RigidFluents, PassId::RigidAtoms]);
const WITHOUT: Passes = Passes::ALL.without_all(&[PassId::RigidFluents, PassId::RigidAtoms]);

/// Plays the game with these passes beside one with none.
fn means_the_same(text: &str, passes: Passes) -> u64 {
    let [game, as_it_was] = [passes, Passes::NONE].map(|passes| grounded(text, &options(passes)));
    plays_the_same(&description(text), &game, &as_it_was, 3)
}

/// The kinds of fluents that rules never change, as `explain` tells.
fn kinds(text: &str) -> Vec<String> {
    let told = explain(&description(text), Step::Passes, &options(RIGID)).expect("explained");
    let after = told.lines().skip_while(|it| !it.starts_with("; rigid-fluents: ")).skip(1);
    after.map_while(|it| it.strip_prefix(";   ")).map(str::to_owned).collect()
}

fn text_of(game: &GroundGame) -> String {
    canonical::lines(game).collect::<Vec<_>>().join("\n")
}

/// How many ground rules there are with all passes, and without this one.
fn rules_with_and_without(text: &str) -> [usize; 2] {
    [Passes::ALL, WITHOUT].map(|passes| grounded(text, &options(passes)).rules().len())
}

/// Somebody walks on a board of four by four cells with walls, five steps; `rules` say what becomes of the walls.
fn maze(rules: &str) -> String {
    format!(
        "(role walker) (index 1) (index 2) (index 3) (index 4)
        (beside 1 2) (beside 2 3) (beside 3 4) (beside 2 1) (beside 3 2) (beside 4 3)
        (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (init (turn 0)) (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
        (<= terminal (true (turn 5)))
        (init (at 1 1)) (init (wall 2 1)) (init (wall 2 2)) (init (wall 4 3))
        (<= (free ?x ?y) (index ?x) (index ?y) (not (true (wall ?x ?y))))
        (<= (way ?x ?y ?u ?y) (beside ?x ?u) (free ?x ?y) (free ?u ?y))
        (<= (way ?x ?y ?x ?v) (beside ?y ?v) (free ?x ?y) (free ?x ?v))
        (<= (legal walker (go ?u ?v)) (true (at ?x ?y)) (way ?x ?y ?u ?v))
        (<= (legal walker stay))
        (<= (next (at ?x ?y)) (does walker (go ?x ?y)))
        (<= (next (at ?x ?y)) (true (at ?x ?y)) (does walker stay))
        (<= (goal walker 100) (true (at ?x ?y)) (beside ?x ?z) (true (wall ?z ?y)))
        (<= (goal walker 0) (true (at ?x ?y)) (not (true (wall 1 ?y))))
        {rules}"
    )
}

const STAYS: &str = "(<= (next (wall ?x ?y)) (true (wall ?x ?y)))";

#[test]
fn walls_that_stay_are_no_matter_of_the_state() {
    let text = maze(STAYS);
    assert_eq!(kinds(&text), ["(wall ?x ?y)"]);
    let game = grounded(&text, &options(RIGID));
    let output = text_of(&game);
    assert!(!output.contains("(true (wall"), "{output}");
    assert!(output.contains("(next (wall 2 2))"), "{output}");
    // Which ways are free is settled: each is a move of the cell that it begins at.
    assert!(!output.contains("(way "), "{output}");
    let [with, without] = rules_with_and_without(&text);
    assert!(5 * with < 4 * without, "{with} of {without} rules");
    assert!(means_the_same(&text, RIGID) > 10);
    assert!(means_the_same(&text, Passes::ALL) > 10);
}

#[test]
fn walls_that_stay_by_a_rule_each_are_found_among_ground_rules() {
    let each =
        ["2 1", "2 2", "4 3"].map(|at| format!("(<= (next (wall {at})) (true (wall {at})))"));
    let text = maze(&each.concat());
    assert_eq!(kinds(&text), [""; 0]);
    let output = text_of(&grounded(&text, &options(RIGID)));
    assert!(!output.contains("(true (wall") && output.contains("(next (wall 2 2))"), "{output}");
    assert!(means_the_same(&text, Passes::ALL) > 10);
}

#[test]
fn many_kinds_of_walls_take_no_longer() {
    let kind = |n: usize| format!("(init (w{n} 1)) (<= (next (w{n} ?x)) (true (w{n} ?x)))");
    for (count, found) in [(60, 61), (64, 0), (3_000, 0)] {
        let asked = |n: usize| format!("(<= some (true (w{n} 2)))");
        let more: String = (0..count).map(|n| kind(n) + &asked(n)).collect();
        let text = maze(&format!("{STAYS} {more}"));
        assert_eq!(kinds(&text).len(), found, "{count} more kinds");
    }
}

#[test]
fn walls_that_something_builds_or_removes_are_asked_for() {
    let changing = [
        "(<= (next (wall ?x ?y)) (true (wall ?x ?y))) (<= (next (wall 3 ?y)) (does walker (go ?x ?y)))",
        "(<= (next (wall ?x ?y)) (true (wall ?x ?y)) (not (does walker (go ?x ?x))))",
        "(<= (next ?f) (does walker stay) (built ?f)) (built (wall 1 3))
         (<= (next (wall ?x ?y)) (true (wall ?x ?y)))",
        "(<= (next (wall ?x ?y)) (true (wall ?y ?x)))",
        "(<= (next (wall ?x ?x)) (true (wall ?x ?x)))",
    ];
    for rules in changing {
        let text = maze(rules);
        assert_eq!(kinds(&text), [""; 0], "{rules}");
        assert!(means_the_same(&text, RIGID) > 10, "{rules}");
        assert!(means_the_same(&text, Passes::ALL) > 10, "{rules}");
    }
}

#[test]
fn other_rules_may_keep_them_too() {
    let more = "(<= (next (wall ?a ?b)) (true (wall ?a ?b)) (does walker stay))
        (<= (next ?f) (true ?f) (does walker stay) (true (turn 2)))";
    let text = maze(&format!("{STAYS} {more}"));
    assert_eq!(kinds(&text), ["(wall ?x ?y)"]);
    assert!(means_the_same(&text, RIGID) > 10);
    assert!(means_the_same(&text, Passes::ALL) > 10);
}

#[test]
fn some_values_of_a_cell_may_be_fixed() {
    let text = "(role r) (index 1) (index 2) (index 3) (after 0 1) (after 1 2) (after 2 3)
        (init (turn 0)) (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n)) (<= terminal (true (turn 3)))
        (init (cell 1 wall)) (init (cell 2 free)) (init (cell 3 free))
        (<= (next (cell ?x wall)) (true (cell ?x wall)))
        (<= (next (cell ?x full)) (true (cell ?x full)))
        (<= (next (cell ?x full)) (does r (fill ?x)))
        (<= (next (cell ?x free)) (true (cell ?x free)) (not (does r (fill ?x))))
        (<= (legal r (fill ?x)) (index ?x) (not (true (cell ?x wall)))) (<= (legal r wait))
        (<= (goal r 100) (true (cell ?x ?y)) (distinct ?y free)) (<= (goal r 0) (true (cell ?x wall)))";
    assert_eq!(kinds(text), ["(cell ?x wall)"]);
    assert!(means_the_same(text, RIGID) > 5);
    assert!(means_the_same(text, Passes::ALL) > 5);
}

/// A puzzle in which some cells are given: numbers are put where nothing is yet.
const PUZZLE: &str = "(role r) (number 1) (number 2) (number 3) (index 1) (index 2) (index 3)
    (init (cell 1 1 1)) (init (cell 2 2 3)) (given 1 1) (given 2 2)
    (<= (init (cell ?x ?y blank)) (index ?x) (index ?y) (not (given ?x ?y)))
    (<= (legal r (mark ?x ?y ?n)) (true (cell ?x ?y blank)) (number ?n) (not (in_row ?x ?n)) (not (in_column ?y ?n)))
    (<= (legal r skip))
    (<= (in_row ?x ?n) (true (cell ?x ?y ?n))) (<= (in_column ?y ?n) (true (cell ?x ?y ?n)))
    (<= (next (cell ?x ?y ?n)) (does r (mark ?x ?y ?n)))
    (<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)) (number ?n))
    (<= (next (cell ?x ?y blank)) (true (cell ?x ?y blank)) (not (marked ?x ?y)))
    (<= (marked ?x ?y) (does r (mark ?x ?y ?n)))
    (init (turn 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4)
    (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n)) (<= terminal (true (turn 4)))
    (<= (goal r 100) (not open)) (<= (goal r 50) open) (<= open (true (cell ?x ?y blank)))";

#[test]
fn what_given_cells_exclude_is_left_out() {
    // By rules nothing is seen: some cells change.
    assert_eq!(kinds(PUZZLE), [""; 0]);
    let game = grounded(PUZZLE, &options(Passes::ALL));
    let output = text_of(&game);
    assert!(!output.contains("(true (cell 1 1 1))"), "{output}");
    // No 1 comes into the first row any more, nor a 3 into the second.
    assert!(!output.contains("(mark 1 2 1)") && output.contains("(mark 1 2 2)"), "{output}");
    assert!(!output.contains("(cell 2 1 3)") && output.contains("(cell 2 1 2)"), "{output}");
    let [with, without] = rules_with_and_without(PUZZLE);
    assert!(3 * with < 2 * without, "{with} of {without} rules");
    assert!(means_the_same(PUZZLE, RIGID) > 10);
    assert!(means_the_same(PUZZLE, Passes::ALL) > 10);
}

#[test]
fn fluents_may_be_kept_one_after_the_other() {
    let links: String = (0..300).map(|n| format!("(init (f {n})) (link {n} {}) ", n + 1)).collect();
    // The last one is kept by itself, or not at all.
    for (last, literals) in [("", true), ("(init (f 300))", false)] {
        let text = format!(
            "(role r) (legal r a) (legal r b) (init (turn 0)) (after 0 1) (after 1 2) (goal r 100)
            (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n)) (<= terminal (true (turn 2)))
            (<= (next (f ?x)) (true (f ?x)) (not (lost ?x)))
            (<= (lost ?x) (link ?x ?y) (not (true (f ?y)))) {links} {last}"
        );
        assert_eq!(kinds(&text), [""; 0]);
        let output = text_of(&grounded(&text, &options(Passes::ALL)));
        assert_eq!(output.contains("(true (f"), literals, "{output}");
        assert!(means_the_same(&text, RIGID) > 5);
        assert!(means_the_same(&text, Passes::ALL) > 5);
    }
}

/// A game of random fluents, some of which stay.
fn random(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::from(
        "(role r) (index a) (index b) (index c) (some a) (some b)
        (init (turn 0)) (after 0 1) (after 1 2) (after 2 3) (<= terminal (true (turn 3)))
        (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
        (<= (legal r (go ?x)) (index ?x) (not (closed ?x))) (<= (legal r wait))
        (<= (goal r 100) (open a)) (<= (goal r 0) (not (open b)))",
    );
    for name in ["p", "q", "s"] {
        for argument in ["a", "b", "c"] {
            if draw.below(2) == 0 {
                text.push_str(&format!(" (init ({name} {argument}))"));
            }
        }
        let keep = draw.of(&[
            "(<= (next (N ?x)) (true (N ?x)))",
            "(<= (next (N ?x)) (true (N ?x)))",
            "(<= (next (N ?x)) (true (N ?x)) (some ?x))",
            "(<= (next (N ?x)) (true (N ?x)) (not (does r (go ?x))))",
            "(<= (next (N ?x)) (true (N ?x)) (true (p ?x)))",
            "(<= (next (N ?x)) (true (N ?x)) (open ?x))",
            "(<= (next (N a)) (true (N a))) (<= (next (N b)) (true (q b)))",
            "(<= (next (N ?x)) (some ?x))",
            "(<= (next ?f) (true ?f) (stays ?f)) (<= (stays (N ?x)) (index ?x))",
        ]);
        text.push_str(&keep.replace('N', name));
        let change = draw.of(&[
            "",
            "",
            "(<= (next (N ?x)) (does r (go ?x)))",
            "(<= (next (N ?x)) (does r (go ?x)) (not (true (p ?x))))",
            "(<= (next (N c)) (closed a))",
            "(<= (next (N ?x)) (true (q ?x)) (true (s ?x)))",
        ]);
        text.push_str(&change.replace('N', name));
    }
    for view in ["open", "closed"] {
        for _ in 0..1 + draw.below(2) {
            let [one, other] = [(); 2].map(|()| {
                let negation = draw.below(2) == 0;
                let fluent = format!("(true ({} ?x))", draw.of(&["p", "q", "s"]));
                if negation { format!("(not {fluent})") } else { fluent }
            });
            text.push_str(&format!(" (<= ({view} ?x) (index ?x) {one} {other})"));
        }
    }
    text
}

#[test]
fn random_games_mean_the_same() {
    let mut smaller = 0;
    for seed in 0..400 {
        let text = random(seed);
        for passes in [RIGID, Passes::ALL] {
            assert!(means_the_same(&text, passes) > 0, "{text}");
        }
        let [with, without] = rules_with_and_without(&text);
        smaller += usize::from(with < without);
        if seed % 8 == 0 {
            let all = options(Passes::ALL);
            let output = |options: &GroundOptions| text_of(&grounded(&text, options));
            let expected = output(&all);
            for engine in [Engine::Naive, Engine::Compare] {
                assert_eq!(output(&GroundOptions { engine, ..all.clone() }), expected, "{text}");
            }
            let iterative = GroundOptions { domains: Domains::Iterative, ..all.clone() };
            let game = grounded(&text, &iterative);
            let as_it_was = grounded(&text, &options(Passes::NONE));
            assert!(plays_the_same(&description(&text), &game, &as_it_was, 3) > 0, "{text}");
            assert_eq!(game.rules().len(), with, "{text}");
        }
    }
    assert!(smaller > 200, "{smaller} of 400 games are smaller");
}
