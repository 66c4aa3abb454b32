//! Rules that ask for the parts of a move mean the same: a role makes one.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::options::{Engine, GroundOptions};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const MOVE_PARTS: Passes = Passes::of(&[PassId::Decomposition, PassId::MoveParts]);

fn means_the_same(text: &str, passes: Passes) -> u64 {
    let (game, as_it_was) =
        (grounded(text, &options(passes)), grounded(text, &options(Passes::NONE)));
    plays_the_same(&description(text), &game, &as_it_was, 2)
}

/// How many rules ask for parts of moves, as `explain` tells.
fn taken_apart(text: &str) -> u32 {
    let told = explain(&description(text), Step::Passes, &options(MOVE_PARTS)).expect("explained");
    let line = told.lines().find_map(|it| it.strip_prefix("; move-parts: "));
    let number = line.and_then(|it| it.split(' ').next()).expect("a line for the pass");
    number.parse().unwrap_or_else(|_| panic!("{told}"))
}

/// How many ground rules there are with this pass and without, before they share what they have in common.
fn rules_with_and_without(text: &str) -> [usize; 2] {
    const BEFORE: Passes = Passes::ALL.without(PassId::Factoring);
    [BEFORE, BEFORE.without(PassId::MoveParts)]
        .map(|passes| grounded(text, &options(passes)).rules().len())
}

/// A board of five by five cells with six kinds of pieces that go anywhere, for a few steps.
fn board(roles: &str, rules: &str) -> String {
    format!(
        "{roles} (index 1) (index 2) (index 3) (index 4) (index 5)
        (kind a) (kind b) (kind c) (kind d) (kind e) (kind f)
        (after t0 t1) (after t1 t2) (after t2 t3) (after t3 t4) (after t4 t5)
        (beside 1 2) (beside 2 3) (beside 3 4) (beside 4 5)
        (beside 2 1) (beside 3 2) (beside 4 3) (beside 5 4)
        (init (turn t0)) (<= (next (turn ?t)) (true (turn ?s)) (after ?s ?t))
        (<= terminal (true (turn t5))) (<= (goal ?r 50) (role ?r))
        (init (at 1 1 a)) (init (at 2 2 a)) (init (at 3 1 b)) (init (at 2 4 c)) (init (at 4 4 d))
        (init (at 5 1 e)) (init (at 3 5 f))
        (init (mark 1)) (init (mark 3)) (<= (even ?x) (beside 1 ?x)) (even 4)
        (<= (holds ?x ?y) (true (at ?x ?y ?p)))
        (<= (legal ?r (move ?x ?y ?u ?v)) (role ?r) (holds ?x ?y) (index ?u) (index ?v))
        (<= (legal ?r (drop ?x ?y ?p)) (role ?r) (index ?x) (index ?y) (kind ?p))
        (<= (legal ?r stay) (role ?r))
        (<= (next (mark ?y)) (true (mark ?x)) (beside ?x ?y))
        {rules}"
    )
}

const TWO: &str = "(role white) (role black)";
const ARRIVES: &str = "(<= (next (at ?u ?v ?p)) (does ?r (move ?x ?y ?u ?v)) (true (at ?x ?y ?p)))
    (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (true (mark ?x)))";

#[test]
fn where_a_piece_goes_is_asked_apart_from_which_it_is() {
    let text = board(TWO, ARRIVES);
    assert_eq!(taken_apart(&text), 1);
    let [with, without] = rules_with_and_without(&text);
    // Six pieces for each of 625 moves, or for each of 25 cells and of two players beside the moves by cell.
    assert!(without > with + 1500, "{with} of {without} rules");
    assert!(means_the_same(&text, MOVE_PARTS) > 10);
    assert!(means_the_same(&text, Passes::ALL) > 10);
}

#[test]
fn conditions_of_a_move_stay_with_what_they_are_about() {
    let conditions = [
        "(distinct ?v 4)",
        "(not (true (at ?u ?v a)))",
        "(true (mark ?u))",
        "(not (holds ?u ?v))",
        "(not (beside ?v 1))",
        "(true (mark ?x))",
        "(distinct ?r black)",
        "(beside ?x ?z) (true (mark ?z))",
        "(not (does ?r (drop ?u ?v ?p)))",
    ];
    for condition in conditions {
        let rule = ARRIVES.replacen(
            "(true (at ?x ?y ?p))",
            &format!("(true (at ?x ?y ?p)) {condition}"),
            1,
        );
        let text = board(TWO, &rule);
        assert_eq!(taken_apart(&text), 1, "{condition}");
        assert!(means_the_same(&text, MOVE_PARTS) > 10);
    }
    // What compares the parts keeps them together, or apart from the rest.
    for condition in
        ["(distinct ?x ?u)", "(beside ?x ?u)", "(true (mark ?z)) (not (true (at ?z ?v ?p)))"]
    {
        let rule = ARRIVES.replacen(
            "(true (at ?x ?y ?p))",
            &format!("(true (at ?x ?y ?p)) {condition}"),
            1,
        );
        let text = board(TWO, &rule);
        assert!(means_the_same(&text, MOVE_PARTS) > 20, "{condition}");
    }
}

/// Groups of stones, named after one of them: each that touches a new stone becomes its group.
const GROUPS: &str = "
    (<= (next (group ?x ?y ?x ?y)) (does ?r (drop ?x ?y ?p)))
    (<= (joins ?a ?b ?c ?d) (does ?r (drop ?c ?d ?p)) (touches ?c ?d ?e ?f) (true (at ?e ?f ?p))
        (true (group ?e ?f ?a ?b)))
    (<= (joined ?a ?b) (joins ?a ?b ?c ?d))
    (<= (next (group ?x ?y ?a ?b)) (true (group ?x ?y ?a ?b)) (not (joined ?a ?b)))
    (<= (next (group ?x ?y ?c ?d)) (true (group ?x ?y ?a ?b)) (joins ?a ?b ?c ?d))
    (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)))
    (<= (next (at ?x ?y ?p)) (does ?r (drop ?x ?y ?p)))
    (<= (touches ?x ?y ?x ?z) (index ?x) (beside ?y ?z))
    (<= (touches ?y ?x ?z ?x) (index ?x) (beside ?y ?z))";

#[test]
fn what_a_move_says_is_not_handed_on() {
    let text = board(TWO, GROUPS);
    assert!(taken_apart(&text) > 0);
    let [with, without] = rules_with_and_without(&text);
    assert!(with * 3 < without * 2, "{with} of {without} rules");
    assert!(means_the_same(&text, MOVE_PARTS) > 10);
    assert!(means_the_same(&text, Passes::ALL) > 10);
}

/// The rule of `joins` with one for each player in its place, which are not alike, and these rules beside them.
fn groups_by_player(beside: &str) -> String {
    let (before, rest) = GROUPS.split_once("(<= (joins ").expect("there is one");
    let (joins, after) = rest.split_once("(<= ").expect("it is not the last");
    let [white, black] =
        ["white", "black"].map(|it| format!("(<= (joins {}", joins.replace("?r", it)));
    let black = black.replace("(true", "(distinct ?p f) (true");
    format!("{before} {white} {black} {beside} (<= {after}")
}

#[test]
fn views_with_a_rule_for_each_player_are_unfolded() {
    let asked = "(<= (joins ?a ?b ?c ?d)";
    for beside in [
        "".to_string(),
        format!("{asked} (does ?r (move ?a ?b ?c ?d)) (true (group ?a ?b ?a ?b)))"),
        format!("{asked} (true (mark ?a)) (true (mark ?b)) (true (mark ?c)) (true (mark ?d)))"),
    ] {
        let text = board(TWO, &groups_by_player(&beside));
        let [with, without] = rules_with_and_without(&text);
        assert!(with * 3 < without * 2, "{beside}: {with} of {without} rules");
        assert!(means_the_same(&text, MOVE_PARTS) > 10, "{beside}");
        assert!(means_the_same(&text, Passes::ALL) > 10, "{beside}");
    }
}

/// A rule that is better taken apart by the pairs that may differ keeps its view.
#[test]
fn a_view_of_several_kinds_of_moves_stays_where_it_serves_better() {
    let cells: String = (1..=5).map(|it| format!("(index {it})")).collect();
    let beside: String =
        (1..5).map(|it| format!("(beside {it} {0}) (beside {0} {it})", it + 1)).collect();
    let kinds: String = "abcdef".chars().map(|it| format!("(kind {it})")).collect();
    let text = format!(
        "{TWO} {cells} {beside} {kinds} (after t0 t1) (after t1 t2) (after t2 t3) (init (turn t0))
        (<= (next (turn ?t)) (true (turn ?s)) (after ?s ?t)) (<= terminal (true (turn t3)))
        (<= (goal ?r 50) (role ?r)) (<= (init (at ?x 1 ?k)) (index ?x) (kind ?k))
        (<= (near ?x ?y) (beside ?x ?y)) (<= (near ?x ?x) (index ?x))
        (<= (holds ?x ?y) (true (at ?x ?y ?p))) (<= (legal ?r stay) (role ?r))
        (<= (legal ?r (move ?x ?y ?u ?v)) (role ?r) (holds ?x ?y) (near ?x ?u) (index ?v))
        (<= (legal ?r (slide ?x ?y ?u ?v)) (role ?r) (holds ?x ?y) (near ?x ?u) (index ?v))
        (<= (next (at ?u ?v ?p)) (does ?r (move ?x ?y ?u ?v)) (true (at ?x ?y ?p)))
        (<= (goes ?a ?b ?c ?d) (does ?r (move ?a ?b ?c ?d)))
        (<= (goes ?a ?b ?c ?d) (does ?r (slide ?a ?b ?c ?d)))
        (<= (differ ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?a ?c))
        (<= (differ ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?b ?d))
        (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (goes ?a ?b ?c ?d)
            (differ ?x ?y ?a ?b) (differ ?x ?y ?c ?d))"
    );
    let [with, _] = rules_with_and_without(&text);
    assert!(with < 8_500, "{with} rules");
    assert!(means_the_same(&text, Passes::ALL) > 6);
}

#[test]
fn views_with_many_rules_or_facts_or_that_ask_for_themselves_stay() {
    let asked = "(<= (joins ?a ?b ?c ?d)";
    let many: String = "abcdefg".chars().map(|it| format!(
        "{asked} (does ?r (drop ?c ?d {it})) (true (group ?c ?d ?a ?b)) (true (at ?a ?c {it})))"
    )).collect();
    let fact = "(joins 1 1 2 2)".to_string();
    let itself = format!("{asked} (joins ?c ?d ?a ?b) (true (mark ?c)))");
    let none = taken_apart(&board(TWO, &groups_by_player("(<= (other) (true (mark 1)))")));
    for beside in [many, fact, itself] {
        let text = board(TWO, &groups_by_player(&beside));
        assert!(taken_apart(&text) < none, "{beside}: {} of {none}", taken_apart(&text));
        assert!(means_the_same(&text, MOVE_PARTS) > 10, "{beside}");
    }
}

#[test]
fn a_move_may_name_who_makes_it() {
    let hands = "(<= (legal ?r (hand ?s ?x ?y ?u ?v)) (role ?r) (role ?s) (holds ?x ?y) (index ?u) (index ?v))
        (<= (next (at ?u ?v ?p)) (does ?r (hand ?r ?x ?y ?u ?v)) (true (at ?x ?y ?p)))
        (<= (next (mark ?u)) (does ?r (hand ?s ?u ?y ?y ?u)) (distinct ?r ?s))";
    let text = board(TWO, hands);
    assert_eq!(taken_apart(&text), 1);
    assert!(means_the_same(&text, MOVE_PARTS) > 10);
}

/// A view that is about a move is asked for where it does not hold.
#[test]
fn views_that_are_negated_stay() {
    let rules = "(<= (takes ?x ?y ?u ?v ?p) (does ?r (move ?x ?y ?u ?v)) (true (at ?x ?y ?p)))
        (<= (next (at ?u ?v ?p)) (index ?x) (index ?y) (index ?u) (index ?v) (kind ?p)
            (not (takes ?x ?y ?u ?v ?p)))";
    let text = board(TWO, &format!("{ARRIVES} {rules}"));
    assert_eq!(taken_apart(&text), 1);
    assert!(means_the_same(&text, MOVE_PARTS) > 10);
}

/// What only a move makes true is no view of the move: it holds in the state after it.
#[test]
fn fluents_that_say_what_was_done_are_not_the_move() {
    let last = "(<= (next (last ?r ?x ?y ?u ?v)) (does ?r (move ?x ?y ?u ?v)))
        (<= (next (at ?u ?v ?p)) (true (last ?r ?x ?y ?u ?v)) (true (at ?x ?y ?p)))";
    let text = board(TWO, &format!("{ARRIVES} {last}"));
    assert_eq!(taken_apart(&text), 1);
    assert!(means_the_same(&text, MOVE_PARTS) > 10);
    assert!(means_the_same(&text, Passes::ALL) > 10);
}

/// With the rule of the view in its place, a variable would have to differ from itself.
#[test]
fn variables_that_a_view_makes_the_same_do_not_differ() {
    let marks = "(<= (dropped ?x ?y ?x) (does ?r (drop ?x ?y ?p)) (true (at ?x ?y ?q)))
        (<= (dropped ?x ?y ?u) (does ?r (move ?x ?y ?u ?v)))
        (<= (next (mark ?c)) (dropped ?a ?e ?b) (true (mark ?c)) (true (mark ?d)) (true (mark ?e))
            (distinct ?a ?b) (distinct ?c ?d) (distinct ?d ?e))";
    let text = board(TWO, &format!("{ARRIVES} {marks}"));
    assert!(means_the_same(&text, MOVE_PARTS) > 10);
    assert!(means_the_same(&text, Passes::ALL) > 10);
}

#[test]
fn roles_that_are_terms_keep_their_moves_whole() {
    let text = board("(role (player 1)) (role (player 2))", ARRIVES);
    assert_eq!(taken_apart(&text), 0);
    assert!(means_the_same(&text, MOVE_PARTS) > 10);
}

fn random_rule(draw: &mut Draw) -> String {
    let role = draw.of(&["?r", "?r", "?s", "white"]);
    let own = draw.of(&[
        "(move ?a ?b ?c ?d)",
        "(move ?a ?b ?c ?d)",
        "(move ?a ?b ?c ?a)",
        "(move ?a ?b 2 ?d)",
        "(drop ?a ?b ?p)",
        "(drop ?a ?c ?p)",
    ]);
    let carried = draw.of(&["(true (at ?a ?b ?q))", "(true (at ?a ?k ?q))", ""]);
    let mut body = format!("(does {role} {own}) {carried}");
    for _ in 0..1 + draw.below(3) {
        let literal = draw.of(&[
            "(true (at ?a ?b ?p))",
            "(true (at ?a ?b ?q))",
            "(true (at ?c ?d ?q))",
            "(true (at ?m ?n ?q)) (beside ?a ?m)",
            "(true (at ?m ?n ?p)) (distinct ?m ?c)",
            "(near ?a ?b ?m ?n)",
            "(near ?c ?d ?m ?n)",
            "(true (mark ?b))",
            "(true (mark ?c))",
            "(not (holds ?c ?d))",
            "(not (holds ?b ?a))",
            "(distinct ?a ?c)",
            "(distinct ?d 3)",
            "(even ?b)",
            "(does ?t (move ?m ?n ?a ?b))",
            "(not (does ?t (move ?c ?d ?a ?b))) (role ?t)",
            "(or (distinct ?m ?a) (distinct ?n ?b)) (true (at ?m ?n ?q))",
        ]);
        let is_bound =
            ["?b", "?c", "?d"].iter().all(|it| own.contains(it) || !literal.contains(it));
        if is_bound && !body.contains(literal) {
            body = format!("{body} {literal}");
        }
    }
    let known = |it: &str| body.contains(it);
    let one =
        ["?c", "?m", "?a"].into_iter().find(|it| known(it) && draw.below(2) == 0).unwrap_or("?a");
    let other = ["?d", "?n", "?c", "?b"].into_iter().find(|it| known(it)).unwrap_or("?a");
    let kind = ["?q", "?p"].into_iter().find(|it| known(it)).unwrap_or("a");
    let mut view = format!("(<= (seen {one} {other} {kind}) {body})");
    let moved = ["white", "?k", "black"].map(|it| format!("(does {it} "));
    match draw.below(4) {
        0 => view = ["white", "black"].map(|it| view.replace(role, it)).concat(),
        1 => view.push_str(&view.replace(&format!("(does {role} "), &moved[draw.below(3)])),
        2 => view.push_str("(<= (seen ?x ?y a) (true (at ?x ?y a)) (true (mark ?y)))"),
        _ => {}
    }
    let asked = format!("(seen {one} {other} {kind})");
    match draw.below(4) {
        0 => format!("(<= (next (at {one} {other} {kind})) {body})"),
        1 => format!("(<= (next (mark {one})) {body})"),
        2 => format!(
            "{view} (<= (next (at {other} ?i {kind})) {asked} (true (mark {one})) (index ?i))"
        ),
        _ => {
            let bound = format!("(index {one}) (index {other}) (true (at ?i ?j {kind}))");
            format!("{view} (<= (next (at {other} ?i {kind})) {bound} (not {asked}))")
        }
    }
}

#[test]
fn random_rules_about_moves_mean_the_same() {
    let near = "(<= (near ?x ?y ?u ?v) (beside ?x ?u) (true (at ?u ?v ?p)) (index ?y))";
    let (mut states, mut parts) = (0, 0);
    for seed in 0..80_u64 {
        let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut rules = random_rule(&mut draw);
        if draw.below(2) == 0 && !rules.contains("seen") {
            rules.push_str(&random_rule(&mut draw));
        }
        let text = board(TWO, &format!("{near} {ARRIVES} {rules}"));
        parts += taken_apart(&text).saturating_sub(1);
        states += means_the_same(&text, MOVE_PARTS);
        states += means_the_same(&text, Passes::ALL);
        if seed % 10 == 0 {
            let lines = [Engine::Datafrog, Engine::Naive].map(|engine| {
                let game = grounded(&text, &GroundOptions { engine, ..options(MOVE_PARTS) });
                canonical::lines(&game).collect::<Vec<_>>()
            });
            assert_eq!(lines[0], lines[1], "{text}");
        }
    }
    assert!(parts > 15, "only {parts} rules were taken apart");
    assert!(states > 1000, "only {states} states were compared");
}

#[test]
fn the_highest_bid_is_found_without_moves_in_parts() {
    // Sizes that were estimated to be below nothing let any way seem to be a gain.
    let successors: String = (0..100).map(|it| format!("(succ {it} {}) ", it + 1)).collect();
    let text = format!(
        "(role ann) (role bob) (role cat) (init (round 1)) {successors}
        (<= (number 0) (role ann)) (<= (number ?n) (succ ?m ?n))
        (<= (most ?n ?n) (number ?n)) (<= (most ?m ?n) (most ?m ?k) (succ ?k ?n))
        (<= (less ?m ?n) (most ?m ?n) (distinct ?m ?n))
        (<= (legal ?r (bid ?n)) (role ?r) (number ?n))
        (<= (outbid ?n) (does ?r (bid ?n)) (does ?s (bid ?m)) (less ?n ?m))
        (<= (next (won ?r)) (does ?r (bid ?n)) (not (outbid ?n)))
        (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
        (<= terminal (true (round 9)))
        (<= (goal ?r 100) (true (won ?r)))
        (<= (goal ?r 0) (role ?r) (not (true (won ?r))))"
    );
    let [with, without] = rules_with_and_without(&text);
    assert!(with <= without, "{with} rules, {without} without");
}
