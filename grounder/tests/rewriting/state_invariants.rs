//! Games mean the same where rules are only for the steps that a match can make.

use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::{Step, explain};
use groundfrog::options::{Domains, GroundOptions};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const REACHABLE: Passes = Passes::of(&[PassId::StateInvariants]);
const WITHOUT: Passes = Passes::ALL.without(PassId::StateInvariants);

/// Plays the game with this pass, and with all, beside one with none; returns how many states were compared.
fn means_the_same(text: &str) -> u64 {
    let as_it_was = grounded(text, &options(Passes::NONE));
    let of = |passes| {
        let game = grounded(text, &options(passes));
        plays_the_same(&description(text), &game, &as_it_was, 4)
    };
    of(REACHABLE).min(of(Passes::ALL))
}

/// How many fluents there are with this pass alone, and with none.
fn fluents(text: &str) -> [usize; 2] {
    [REACHABLE, Passes::NONE].map(|passes| grounded(text, &options(passes)).fluents().len())
}

/// How many ground rules there are with all passes, and without this one.
fn rules_with_and_without(text: &str) -> [usize; 2] {
    [Passes::ALL, WITHOUT].map(|passes| grounded(text, &options(passes)).rules().len())
}

/// What `explain` tells of the pass: a line of counts and one for each invariant.
fn told(text: &str) -> Vec<String> {
    let told = explain(&description(text), Step::Passes, &options(REACHABLE)).expect("explained");
    let lines = told.lines().skip_while(|it| !it.starts_with("; state-invariants: "));
    let own = lines.enumerate().take_while(|(at, it)| *at == 0 || it.starts_with(";   "));
    own.map(|(_, it)| it.trim_start_matches("; ").trim().to_owned()).collect()
}

/// So many numbers, each the successor of the one before.
fn numbers(most: usize) -> String {
    (0..most).map(|n| format!("(succ {n} {}) ", n + 1)).collect()
}

/// A walker on a board of four by four cells, whose numbers count steps too; `rules` say when he may go where, and where he
/// is then.
fn walk(rules: &str) -> String {
    format!(
        "(role walker) {} (index 1) (index 2) (index 3) (index 4) (init (step 0)) (init (at 2 3))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 12)))
        (<= (legal walker rest) (true (at ?x ?y)))
        (<= (goal walker 100) (true (at 4 ?y))) (<= (goal walker 0) (true (at 1 ?y)))
        {rules}",
        numbers(60)
    )
}

const RESTS: &str = "(<= (next (at ?x ?y)) (true (at ?x ?y)) (does walker rest))";
const EAST_AND_NORTH: &str = "
    (<= (legal walker (go east)) (true (at ?x ?y)) (succ ?x ?u) (index ?u))
    (<= (legal walker (go north)) (true (at ?x ?y)) (succ ?y ?v) (index ?v))
    (<= (next (at ?u ?y)) (does walker (go east)) (true (at ?x ?y)) (succ ?x ?u))
    (<= (next (at ?x ?v)) (does walker (go north)) (true (at ?x ?y)) (succ ?y ?v))";

#[test]
fn who_makes_legal_moves_stays_on_the_board() {
    let text = walk(&[RESTS, EAST_AND_NORTH].concat());
    // Steps 0 to 12, and six cells; else all columns and rows up to 60, and as many steps.
    assert_eq!(fluents(&text), [13 + 6, 61 + 59 * 58]);
    assert!(means_the_same(&text) > 40);
    let told = told(&text);
    assert_eq!(told[0], "state-invariants: 3 rules for fewer steps.");
    assert_eq!(told[1..], ["0 rules dropped, 0 auxiliary rules", "(at _ _): at most one"]);
    let [with, without] = rules_with_and_without(&text);
    assert!(20 * with < without, "{with} of {without} rules");
    let iteratively = GroundOptions { domains: Domains::Iterative, ..options(REACHABLE) };
    assert_eq!(grounded(&text, &iteratively).fluents().len(), 13 + 6);
}

#[test]
fn directions_and_differences_may_be_said_by_static_predicates() {
    let text = walk(&format!(
        "{RESTS} (dir e 1 0) (dir n 0 1) (dir ne 1 1) (dir sw -1 -1)
        (<= (number 0) (role walker)) (<= (number ?n) (succ ?m ?n))
        (<= (shifted ?x 0 ?x) (number ?x))
        (<= (shifted ?x 1 ?y) (succ ?x ?y)) (<= (shifted ?x -1 ?y) (succ ?y ?x))
        (<= (inside ?x) (index ?x)) (rock 3 3)
        (<= (legal walker (go ?d)) (true (at ?x ?y)) (dir ?d ?a ?b) (shifted ?x ?a ?u) (shifted ?y ?b ?v)
            (inside ?u) (inside ?v) (not (rock ?u ?v)))
        (<= (next (at ?u ?v)) (does walker (go ?d)) (true (at ?x ?y)) (dir ?d ?a ?b) (shifted ?x ?a ?u) (shifted ?y ?b ?v))"
    ));
    let [with, without] = fluents(&text);
    assert!(with <= 13 + 15, "{with} fluents");
    assert!(without > 1000, "{without} fluents");
    assert!(means_the_same(&text) > 40);
}

#[test]
fn speed_is_added_step_by_step() {
    // `shifted` is defined by itself: that it has one value is shown by induction.
    let text = walk(&format!(
        "{RESTS} (positive 1) (positive 2) (negative -1) (negative -2)
        (more -2 -1) (more -1 0) (more 0 1) (more 1 2)
        (<= (number 0) (role walker)) (<= (number ?n) (succ ?m ?n))
        (<= (shifted ?x 0 ?x) (number ?x))
        (<= (shifted ?x ?v ?z) (shifted ?x ?u ?y) (more ?u ?v) (positive ?v) (succ ?y ?z))
        (<= (shifted ?x ?u ?z) (shifted ?x ?v ?y) (more ?u ?v) (negative ?u) (succ ?z ?y))
        (<= (speed ?v) (more ?u ?v)) (speed -2)
        (<= (legal walker (fly ?v)) (speed ?v) (true (at ?x ?y)) (shifted ?x ?v ?u) (index ?u))
        (<= (arrives ?u ?y) (does walker (fly ?v)) (true (at ?x ?y)) (shifted ?x ?v ?u))
        (<= (next (at ?u ?y)) (arrives ?u ?y))"
    ));
    assert_eq!(fluents(&text), [13 + 4, 61 + 61]);
    assert!(means_the_same(&text) > 40);
}

#[test]
fn a_move_says_where_to_and_legality_where_from() {
    let text = walk(
        "(<= (legal walker (to ?u ?y)) (true (at ?x ?y)) (beside ?x ?u))
        (<= (legal walker (to ?x ?v)) (true (at ?x ?y)) (beside ?y ?v))
        (<= (next (at ?u ?v)) (does walker (to ?u ?v)))
        (<= (next (at ?x ?y)) (does walker rest) (true (at ?x ?y)))
        (beside 1 2) (beside 2 3) (beside 3 4) (beside 4 3) (beside 3 2) (beside 2 1)
        (<= (next (went ?x ?y ?u ?v)) (does walker (to ?u ?v)) (true (at ?x ?y)))
        (<= (next (went ?x ?y ?u ?v)) (true (went ?x ?y ?u ?v)))",
    );
    // Two ways for a move to be legal: 48 pairs of neighbours of 256 pairs.
    assert_eq!(fluents(&text), [13 + 16 + 48, 61 + 16 + 256]);
    assert!(means_the_same(&text) > 40);
    assert_eq!(told(&text)[2..], ["(at _ _): at most one"]);
}

#[test]
fn what_may_be_in_two_places_is_not_taken_for_one() {
    let each = [
        // Two walkers, a trail, and one that another rule puts somewhere.
        "(init (at 4 4))",
        "(<= (next (at ?x ?y)) (true (at ?x ?y)))",
        "(<= (next (at 1 ?y)) (true (at ?x ?y)) (does walker (go east)))",
        "(<= (next ?f) (true ?f) (does walker (go ?d)))",
        "(<= (next (at ?n 1)) (true (step ?n)))",
        // Successors of a number that has two.
        "(succ 2 4)",
        "(<= (succ ?x 3) (index ?x))",
        "(<= (init (at ?x ?x)) (index ?x))",
    ];
    for more in each {
        let text = walk(&[RESTS, EAST_AND_NORTH, more].concat());
        assert!(!told(&text).contains(&"(at _ _): at most one".to_owned()), "{more}");
        assert!(means_the_same(&text) > 40, "{more}");
    }
}

#[test]
fn one_for_each_key() {
    let text = format!(
        "(role left) (role right) {} (index 1) (index 2) (index 3)
        (init (step 0)) (init (at left 1)) (init (at right 3)) (init (control left))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 9)))
        (<= (legal ?r up) (true (control ?r)) (true (at ?r ?x)) (succ ?x ?y) (index ?y))
        (<= (legal ?r down) (true (control ?r)) (true (at ?r ?x)) (succ ?y ?x) (index ?y))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (legal ?r pass) (true (control ?r)))
        (<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))
        (<= (moves ?r) (does ?r up)) (<= (moves ?r) (does ?r down))
        (<= (next (at ?r ?y)) (does ?r up) (true (at ?r ?x)) (succ ?x ?y))
        (<= (next (at ?r ?y)) (does ?r down) (true (at ?r ?x)) (succ ?y ?x))
        (<= (next (at ?r ?x)) (true (at ?r ?x)) (not (moves ?r)))
        (<= (goal ?r 100) (true (at ?r 2))) (<= (goal ?r 0) (role ?r) (not (true (at ?r 2))))",
        numbers(30)
    );
    assert_eq!(fluents(&text), [10 + 2 + 6, 31 + 2 + 62]);
    assert!(
        told(&text).contains(&"(at * _): at most one for each *".to_owned()),
        "{:?}",
        told(&text)
    );
    assert!(means_the_same(&text) > 30);
}

#[test]
fn nothing_comes_after_the_end() {
    let counts = |ends: &str| {
        format!(
            "(role r) {} (last 7) (init (count ?x 0)) (legal r go) (legal r stay) (goal r 50) (kind a) (kind b)
            (<= (init (count ?k 0)) (kind ?k))
            (<= (next (count ?k ?n)) (true (count ?k ?m)) (succ ?m ?n) (does r go))
            (<= (next (count ?k ?n)) (true (count ?k ?n)) (does r stay)) {ends}",
            numbers(20)
        )
        .replace("(init (count ?x 0))", "")
    };
    let each = [
        ("(<= terminal (true (count ?k 5)))", 2 * 6),
        ("(<= terminal late) (<= late (true (count ?k ?n)) (last ?n))", 2 * 8),
        ("(<= terminal (late ?n ?k)) (<= (late ?k ?n) (true (count ?n ?k)) (last ?k))", 2 * 8),
        // The names of variables are those of other rules, with another meaning.
        ("(<= terminal (true (count ?n ?k)) (succ ?k 4) (kind ?n))", 2 * 4),
        // Not both at once, and not without the other.
        ("(<= terminal (true (count a 4)) (true (count b 5)))", 2 * 21),
        ("(<= terminal (true (count a 4)) (not (true (count b 5))))", 2 * 21),
        ("(<= terminal (true (count ?k 4)) (true (count ?j 20)))", 2 * 21),
    ];
    for (ends, count) in each {
        let text = counts(ends);
        assert_eq!(fluents(&text), [count, 2 * 21], "{ends}");
        assert!(means_the_same(&text) > 20, "{ends}");
    }
}

#[test]
fn rules_for_moves_that_nobody_can_make_are_left_out() {
    let text = walk(&format!(
        "{RESTS} {EAST_AND_NORTH} (init (lost 0)) (<= (next (lost ?x)) (true (lost ?x)) (true (at ?x ?y)))
        (<= (next (found ?x)) (does walker (dig ?x)) (true (at ?x ?y)))
        (<= (legal walker (dig ?x)) (true (at ?x ?y)) (true (at ?u ?v)) (distinct ?x ?x))"
    ));
    assert!(told(&text)[1].contains("1 rule dropped"), "{:?}", told(&text));
    assert!(means_the_same(&text) > 40);
}

/// Things move on a ring and a line, by rules drawn at random, some of which keep them in one place and some of which do not.
fn drawn(draw: &mut Draw) -> String {
    let legal = [
        "(<= (legal ?r (go ?d)) (true (at ?r ?x)) (way ?d ?x ?y) (index ?y))",
        "(<= (legal ?r (go ?d)) (true (at ?r ?x)) (way ?d ?x ?y) (index ?y) (role ?s) (not (true (at ?s ?y))))",
        "(<= (legal ?r (go ?d)) (role ?r) (true (at ?s ?x)) (way ?d ?x ?y))",
        "(<= (legal ?r (go up)) (true (at ?r ?x)) (succ ?x ?y) (index ?y))
         (<= (legal ?r (go down)) (may ?r)) (<= (may ?r) (true (at ?r ?x)) (index ?x))",
    ];
    let steps = [
        "(<= (next (at ?r ?y)) (does ?r (go ?d)) (true (at ?r ?x)) (way ?d ?x ?y))",
        "(<= (next (at ?r ?y)) (does ?r (go ?d)) (true (at ?s ?x)) (way ?d ?x ?y))",
        "(<= (next (at ?r ?y)) (gone ?r ?y)) (<= (gone ?r ?y) (does ?r (go ?d)) (true (at ?r ?x)) (way ?d ?x ?y))",
    ];
    let stays = [
        "(<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r wait))",
        "(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (moves ?r))) (<= (moves ?r) (does ?r (go ?d)))",
        "(<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r ?m) (distinct ?m (go up)))",
        "(<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?s wait))",
    ];
    let ways = [
        "(<= (way up ?x ?y) (succ ?x ?y)) (<= (way down ?x ?y) (succ ?y ?x))",
        "(<= (way up ?x ?y) (succ ?x ?y)) (<= (way down ?x ?y) (succ ?y ?x)) (way up 4 1) (way down 1 4)",
        "(<= (way ?d ?x ?y) (dir ?d) (succ ?x ?y)) (<= (way ?d ?x ?x) (dir ?d) (index ?x)) (dir up) (dir down)",
        "(<= (way up ?x ?y) (succ ?x ?y)) (<= (way down ?x ?y) (succ ?y ?x)) (<= (way down ?x 2) (index ?x))",
    ];
    let starts =
        ["(init (at a 1)) (init (at b 4))", "(init (at a 1)) (init (at b 1)) (init (at b 3))"];
    let ends = [
        "(<= terminal (true (step 8)))",
        "(<= terminal (true (step ?n)) (succ 7 ?n)) (<= terminal (true (at a 4)) (true (at b 1)))",
        "(<= terminal (over ?x)) (<= (over ?x) (true (step ?x)) (late ?x)) (late 8) (late 9)
         (<= terminal (true (at ?r 11)))",
    ];
    let more = [
        "",
        "(<= (next (met ?x)) (does a (go ?d)) (true (at a ?x)) (true (at b ?y)) (way ?d ?x ?y))",
        "(<= (next (pair ?x ?y)) (does a (go ?d)) (does b (go ?e)) (true (at a ?x)) (true (at b ?y)))",
        "(init (lamp on)) (<= (next (lamp off)) (true (lamp on)) (does a (go up)))
         (<= (next (lamp on)) (true (lamp ?s)) (not (does a (go up))))",
    ];
    let any = [&legal[..], &steps, &stays, &ways, &starts, &ends, &more].map(|of| draw.of(of));
    format!(
        "(role a) (role b) {} (index 1) (index 2) (index 3) (index 4) (init (step 0))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (legal ?r wait) (role ?r))
        (<= (goal ?r 100) (true (at ?r 3))) (<= (goal ?r 0) (role ?r) (not (true (at ?r 3)))) {}",
        numbers(12),
        any.join("\n")
    )
}

#[test]
fn random_steps_mean_the_same() {
    let mut draw = Draw(17);
    let mut smaller = 0;
    for _ in 0..60 {
        let text = drawn(&mut draw);
        assert!(means_the_same(&text) > 4, "{text}");
        let [with, without] = fluents(&text);
        assert!(with <= without, "{text}");
        smaller += usize::from(with < without);
    }
    assert!(smaller > 30, "{smaller} games have fewer fluents");
}

/// Terms that hold others twice double with each that is replaced, forty times over: they are not compared to the end.
#[test]
fn terms_that_multiply_are_left_alone() {
    let list = |of: &dyn Fn(usize) -> String| -> String { (0..40).map(of).collect() };
    let [x, y] = ["x", "y"].map(|name| list(&|it| format!("?{name}{} ", it + 1)));
    let twice = list(&|it| format!("(f ?x{it} ?x{it}) "));
    let constants = list(&|_| "a ".to_owned());
    let game = |rules: String| {
        format!(
            "(role r) (init (q a)) (init (p a {constants} {constants})) (<= (next (q ?y)) (true (q ?y)))
            (<= (legal r rest) (true (q ?y))) (<= terminal (true (q b))) (<= (goal r 100) (true (q a))) {rules}"
        )
    };
    let by_a_move = game(format!(
        "(<= (legal r (go ?k)) (true (p ?k {x} {y})))
        (<= (next (p a {x} {twice})) (does r (go ?k)) (true (p ?k {x} {twice})))
        (<= (next (p b {x} {twice})) (does r (go ?k)) (true (p ?k {x} {twice})) (true (p ?k {twice} {x})))"
    ));
    let to_the_end = game(format!(
        "(<= (v {x} {twice}) (true (q ?x0)) (true (p a {x} {twice})))
        (<= terminal (v {x} {x})) (<= terminal (v {x} {twice})) (<= (legal r rest) (v {x} {y}))
        (<= (next (p b {x} {twice})) (does r rest) (true (p b {x} {twice})))"
    ));
    for text in [by_a_move, to_the_end] {
        assert!(means_the_same(&text) > 0);
    }
}

/// What asks for the next state does so at the end as well, where no state comes after it.
#[test]
fn what_asks_for_the_next_state_asks_at_the_end_too() {
    let asked = [
        "(<= (goal p 100) (next (at 3)))",
        "(<= (goal p 100) (not (next (at 3))))",
        "(<= (goal p 100) view) (<= view (next (at 3)))",
    ];
    for goal in asked {
        let text = format!(
            "(role p) (init (at 1)) (succ 1 2) (succ 2 3) (legal p n)
            (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true (at 2))) {goal}"
        );
        assert!(means_the_same(&text) > 0);
    }
}

/// A field of two columns is painted row by row until the third row begins; what of it is further on is never reached, as
/// large as it may be.
#[test]
fn nothing_comes_about_after_the_end() {
    let painting = |rows: usize| {
        let below: String = (1..rows).map(|it| format!("(below {it} {}) ", it + 1)).collect();
        format!(
            "(role p) (init (brush 1 left)) {below} (colour red) (colour blue)
            (<= (legal p (paint ?c)) (colour ?c))
            (<= (next (painted ?x ?y ?c)) (true (brush ?x ?y)) (does p (paint ?c)))
            (<= (next (painted ?x ?y ?c)) (true (painted ?x ?y ?c)))
            (<= (next (brush ?x right)) (true (brush ?x left)))
            (<= (next (brush ?z left)) (true (brush ?x right)) (below ?x ?z))
            (<= terminal (true (brush 3 left)))
            (<= (goal p 100) (true (painted ?x left ?c)) (true (painted ?x right ?c)))
            (<= (goal p 0) (not (true (painted 1 left red))))"
        )
    };
    let [rules, without] = rules_with_and_without(&painting(20));
    assert_eq!(rules, rules_with_and_without(&painting(3))[0]);
    assert!(without > 5 * rules, "{without} rules, {rules}");
    assert!(means_the_same(&painting(20)) > 0);
}
