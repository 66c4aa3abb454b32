//! Arguments whose values nobody asks for are dropped, and the game means the same.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::options::{Engine, GroundOptions};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const WITHOUT: Passes =
    Passes::ALL.without_all(&[PassId::RedundantArguments, PassId::ExistentialArguments]);

/// How many views go without arguments whose values nobody asks for, as `explain` tells.
fn projected(text: &str) -> u32 {
    let told = explain(&description(text), Step::Passes, &options(Passes::ALL)).expect("explained");
    let is_wanted = |it: &&str| it.ends_with("without values nobody needs.");
    let line = told.lines().find(is_wanted).expect("a line for the pass");
    let number = line.trim_start_matches("; existential-arguments: ").split(' ').next();
    number.and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("{told}"))
}

/// Plays with all passes, with this one alone and without any; and both engines find the same rules. Returns how many
/// states were compared.
fn means_the_same(text: &str, playouts: u64) -> u64 {
    let flat = grounded(text, &options(Passes::NONE));
    let alone = Passes::of(&[PassId::RedundantArguments, PassId::ExistentialArguments]);
    let games = [Passes::ALL, alone].map(|passes| grounded(text, &options(passes)));
    let states = games.map(|game| plays_the_same(&description(text), &game, &flat, playouts));
    let lines = [Engine::Datafrog, Engine::Naive].map(|engine| {
        let options = GroundOptions { engine, ..options(Passes::ALL) };
        canonical::lines(&grounded(text, &options)).collect::<Vec<_>>()
    });
    assert_eq!(lines[0], lines[1], "{text}");
    states.iter().sum()
}

/// How many rules a game has with all passes, and without the one for arguments.
fn rules(text: &str) -> (usize, usize) {
    let rules = |passes| grounded(text, &options(passes)).rules().len();
    (rules(Passes::ALL), rules(WITHOUT))
}

/// Two players fill a board of four by four cells; some cells are next to each other.
fn board(rules: &str) -> String {
    format!(
        "(role red) (role blue) (other red blue) (other blue red)
        (index 1) (index 2) (index 3) (index 4) (succ 1 2) (succ 2 3) (succ 3 4) (init (control red))
        (<= (legal ?p (place ?x ?y)) (true (control ?p)) (index ?x) (index ?y) (not (filled ?x ?y)))
        (<= (filled ?x ?y) (true (cell ?x ?y ?p)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (cell ?x ?y ?p)) (does ?p (place ?x ?y)))
        (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= terminal (not open)) (<= open (index ?x) (index ?y) (not (filled ?x ?y)))
        (<= (near ?x ?y ?x ?z) (index ?x) (or (succ ?y ?z) (succ ?z ?y)))
        (<= (near ?x ?y ?z ?y) (index ?y) (or (succ ?x ?z) (succ ?z ?x)))
        (<= (linked ?p ?x ?y ?u ?v) (true (cell ?x ?y ?p)) (true (cell ?u ?v ?p)) (near ?x ?y ?u ?v))
        (<= (goal ?p 50) (role ?p) (not (true (control ?p)))) {rules}"
    )
}

const RIGHT: &str = "(<= (joined ?p ?x ?y ?u ?v) (linked ?p ?x ?y ?u ?v))
    (<= (joined ?p ?x ?y ?u ?v) (linked ?p ?x ?y ?a ?b) (joined ?p ?a ?b ?u ?v))";
const LEFT: &str = "(<= (joined ?p ?x ?y ?u ?v) (linked ?p ?x ?y ?u ?v))
    (<= (joined ?p ?x ?y ?u ?v) (joined ?p ?x ?y ?a ?b) (linked ?p ?a ?b ?u ?v))";
const BOTH: &str = "(<= (joined ?p ?x ?y ?u ?v) (linked ?p ?x ?y ?u ?v))
    (<= (joined ?p ?x ?y ?u ?v) (joined ?p ?x ?y ?a ?b) (joined ?p ?a ?b ?u ?v))";

#[test]
fn a_recursion_need_not_say_where_it_began() {
    let text = board(
        "(<= (reach ?p ?i ?j ?x ?y) (true (cell ?i ?j ?p)) (near ?i ?j ?x ?y))
        (<= (reach ?p ?i ?j ?u ?v) (reach ?p ?i ?j ?x ?y) (not (filled ?x ?y)) (near ?x ?y ?u ?v))
        (<= (goal ?p 100) (reach ?p ?i ?j 4 4))",
    );
    // Nor from where every player gets there.
    assert_eq!(projected(&text), 2);
    assert!(means_the_same(&text, 4) > 100);
    let (with, without) = rules(&text);
    assert!(with * 4 < without, "{with} instead of {without} rules");
}

#[test]
fn views_pass_on_what_is_not_asked_for() {
    let text = board(
        "(<= (chain3 ?p ?x ?y ?i ?j) (linked ?p ?x ?y ?u ?v) (linked ?p ?u ?v ?i ?j))
        (<= (chain4 ?p ?x ?y ?i ?j) (chain3 ?p ?x ?y ?u ?v) (linked ?p ?u ?v ?i ?j))
        (<= (goal ?p 100) (chain4 ?p ?x ?y ?u ?v))",
    );
    // `linked` says where it ends, as both that ask for it do.
    assert_eq!(projected(&text), 2);
    assert!(means_the_same(&text, 4) > 100);
    let (with, without) = rules(&text);
    assert!(with * 2 < without, "{with} instead of {without} rules");
}

#[test]
fn what_the_end_of_a_recursion_is_asked_for_is_asked_where_it_begins() {
    let constants =
        "(<= (wins red) (joined red ?x 1 ?u 4)) (<= (wins blue) (joined blue 1 ?y 4 ?v))";
    let conditions = "(<= (from red ?x 1) (index ?x)) (<= (from blue 1 ?y) (index ?y))
        (<= (to red ?x 4) (index ?x)) (<= (to blue 4 ?y) (index ?y))
        (<= (wins ?p) (from ?p ?x ?y) (to ?p ?u ?v) (joined ?p ?x ?y ?u ?v))";
    let of_state = "(<= (wins ?p) (joined ?p 1 ?x ?u ?v) (true (cell ?v ?u ?q)) (other ?p ?q))";
    let of_several = "(<= (wins ?p) (joined ?p 1 1 ?u ?v) (distinct ?u ?v) (not (near ?u ?v 4 4)))
        (<= (wins ?p) (joined ?p ?u ?v 1 1) (succ ?u ?v))";
    for recursion in [RIGHT, LEFT, BOTH] {
        for (asked, views) in [(constants, 2), (conditions, 1), (of_state, 1)] {
            let text = board(&format!("{recursion} {asked} (<= (goal ?p 100) (wins ?p))"));
            assert!(projected(&text) >= views, "{recursion} {asked}");
            assert!(means_the_same(&text, 3) > 80);
            let (with, without) = rules(&text);
            assert!(with < without, "{with} instead of {without} rules: {recursion} {asked}");
        }
        let text = board(&format!("{recursion} {of_several} (<= (goal ?p 100) (wins ?p))"));
        means_the_same(&text, 3);
    }
}

#[test]
fn conditions_may_be_views() {
    let group = "(<= (group ?p ?x ?y ?x ?y) (stone ?p ?x ?y))
        (<= (group ?p ?x ?y ?u ?v) (group ?p ?x ?y ?a ?b) (near ?a ?b ?u ?v) (stone ?p ?u ?v))
        (<= (taken ?x ?y) (stone ?p ?x ?y)) (<= (stone ?p ?x ?y) (true (cell ?x ?y ?p)))
        (<= (free ?p ?x ?y) (group ?p ?x ?y ?u ?v) (near ?u ?v ?a ?b) (not (blocked ?a ?b)))
        (<= (next (mark ?x ?y)) (stone ?p ?x ?y) (not (free ?p ?x ?y)))
        (<= (placed ?x ?y) (does ?p (place ?x ?y)))";
    let moved = "(<= (stone ?p ?x ?y) (does ?p (place ?x ?y)))";
    for (moved, blocked, is_shorter) in [
        ("", "(taken ?x ?y)", true),
        (moved, "(taken ?x ?y)", true),
        (moved, "(placed ?x ?y)", true),
        // The view itself does not depend on moves, or the condition does on the view.
        ("", "(placed ?x ?y)", false),
        (moved, "(group ?p ?x ?y 1 ?v)", false),
    ] {
        let text = board(&format!("{group} {moved} (<= (blocked ?x ?y) {blocked})"));
        assert!(means_the_same(&text, 3) > 80);
        let (with, without) = rules(&text);
        assert_eq!(with * 2 < without, is_shorter, "{with}, {without} rules: {moved} {blocked}");
    }
}

#[test]
fn what_the_beginning_is_asked_for_is_told_from_what_a_recursion_ends_with() {
    for (asked, views) in [
        ("(joined ?p ?x ?y 4 ?v) (index ?v)", [1; 3]),
        ("(joined ?p 4 ?v ?x ?y) (index ?v)", [1; 3]),
        // A constant that is passed on takes the place of the argument as it is.
        ("(joined ?p ?x ?y 3 4)", [1, 0, 0]),
        ("(joined ?p 3 4 ?x ?y)", [0, 1, 1]),
        ("(joined ?p 3 ?v ?x ?y) (true (cell ?v ?v ?p))", [1; 3]),
        ("(joined red ?u ?v ?x ?y) (succ ?u ?v)", [1; 3]),
        ("(joined ?p ?x ?y ?u ?v)", [1; 3]),
        ("(joined ?p ?u ?v ?x ?y)", [1; 3]),
        ("(joined ?p ?x ?y ?u ?v) (distinct ?x ?u) (distinct ?y ?v)", [0; 3]),
    ] {
        for (recursion, views) in [LEFT, RIGHT, BOTH].into_iter().zip(views) {
            let text = board(&format!(
                "{recursion} (<= (next (mark ?x ?y)) (true (cell ?x ?y ?p)) {asked})
                (<= (goal ?p 100) (true (mark 1 1)) (role ?p))"
            ));
            let found = projected(&text);
            assert!(found >= views && (found == 0 || views > 0), "{found}: {recursion} {asked}");
            assert!(means_the_same(&text, 2) > 60);
            let (with, without) = rules(&text);
            assert!(with < without || views == 0, "{with} instead of {without} rules: {asked}");
        }
    }
}

#[test]
fn what_is_met_on_the_way_may_be_bound_by_the_next_step_alone() {
    let recursions = [
        "(<= (reach ?x ?y) (true (cell ?x ?y red)))
        (<= (reach ?x ?z) (reach ?y ?z) (index ?x) (not (filled ?x ?y)))",
        "(<= (reach ?x ?x) (index ?x)) (<= (reach ?x ?z) (true (cell ?x ?y red)) (reach ?y ?z))
        (<= (reach ?x ?z) (true (cell 1 ?x red)) (reach 1 ?z))",
        "(<= (reach 1 ?z) (index ?z)) (<= (reach ?x ?z) (index ?x) (reach 1 ?z) (true (cell ?x 1 blue)))",
    ];
    for recursion in recursions {
        for asked in
            ["(reach 2 ?z)", "(reach ?x ?z) (succ 2 ?x)", "(reach ?x ?z) (not (succ ?x 1))"]
        {
            let text = board(&format!("{recursion} (<= (next (mark ?z)) {asked})"));
            means_the_same(&text, 2);
        }
    }
}

#[test]
fn arguments_in_terms_go_and_facts_stay_facts() {
    let text = board(
        "(<= (joined ?p (at ?x ?y) (at ?u ?v)) (linked ?p ?x ?y ?u ?v)) (joined red (at 1 1) (at 2 2))
        (<= (joined ?p (at ?x ?y) (at ?u ?v)) (linked ?p ?x ?y ?a ?b) (joined ?p (at ?a ?b) (at ?u ?v)))
        (<= (goal ?p 100) (joined ?p (at 3 ?y) (at ?u ?v)))",
    );
    assert_eq!(projected(&text), 1);
    assert!(means_the_same(&text, 4) > 100);
}

#[test]
fn a_view_that_is_only_passed_on_makes_no_more_rules() {
    let text = board(
        "(<= (column ?x ?p) (index ?x) (true (cell ?x 1 ?p)) (true (cell ?x 2 ?p)) (true (cell ?x 3 ?p)))
        (<= (line ?p) (column ?x ?p)) (<= (line ?p) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)))
        (<= (goal ?p 100) (line ?p)) (<= (goal ?p 0) (other ?p ?q) (line ?q))",
    );
    assert_eq!(projected(&text), 1);
    assert!(means_the_same(&text, 4) > 100);
    let (with, without) = rules(&text);
    assert!(with <= without, "{with} instead of {without} rules");
}

#[test]
fn what_is_asked_for_stays() {
    let near = "(<= (reach ?i ?x) (true (cell ?i ?x red)))";
    let step = "(<= (reach ?i ?y) (reach ?i ?x) (true (cell ?x ?y blue)))";
    for (why, rules) in [
        ("a comparison", "(<= (goal red 100) (reach ?i ?x) (distinct ?i ?x))"),
        ("a negation", "(<= (goal red 100) (index ?i) (not (reach ?i 1)))"),
        ("a constant", "(<= (goal red 100) (reach 1 1))"),
        ("the head", "(<= (next (mark ?i)) (reach ?i 4))"),
        ("another view", "(<= (goal red 100) (reach ?i 4) (true (cell ?i ?x blue)))"),
        (
            "its own rule",
            "(<= (goal red 100) (reach ?i 4)) (<= (reach ?i ?y) (reach ?i ?x) (true (cell ?i ?y blue)))",
        ),
        (
            "a rule that changes it",
            "(<= (goal red 100) (reach ?i 4)) (<= (reach ?j ?y) (reach ?i ?y) (true (cell ?i ?j red)))",
        ),
        (
            "two steps at once",
            "(<= (goal red 100) (reach ?i 4))
            (<= (reach ?i ?z) (reach ?i ?x) (reach ?i ?y) (true (cell ?x ?y blue)) (succ ?y ?z))",
        ),
        (
            "some",
            "(<= (goal red 100) (reach ?i 4)) (<= (next (mark ?i)) (reach ?i ?x) (succ ?i ?x))",
        ),
    ] {
        let text = board(&format!("{near} {step} {rules} (<= (next over) (reach ?x ?x))"));
        assert_eq!(projected(&text), 0, "{why}");
        means_the_same(&text, 2);
    }
}

/// Bits that are flipped, views of them with up to three arguments, recursive ones as well, and rules that ask for them.
fn random_views(draw: &mut Draw) -> String {
    let mut text = String::from(
        "(role r) (bit 0) (bit 1) (bit 2) (edge 0 1) (edge 1 2) (edge 2 0) (edge 1 0)
        (init (day 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (<= terminal (true (day 5)))
        (<= (next (day ?e)) (true (day ?d)) (after ?d ?e))
        (<= (legal r (flip ?x ?y)) (bit ?x) (bit ?y)) (<= (legal r wait) (true (day 1)))
        (<= (next (on ?x ?y)) (does r (flip ?x ?y)) (not (true (on ?x ?y))))
        (<= (next (on ?x ?y)) (true (on ?x ?y)) (not (does r (flip ?x ?y))))
        (<= (goal r 100) seen) (<= (goal r 0) (not seen)) (<= (hot ?x) (true (on ?x 1)))",
    );
    const ARGUMENTS: [&str; 8] = ["?x", "?y", "?z", "?x", "?y", "?u", "1", "2"];
    for view in 0..3 {
        for rule in 0..1 + draw.below(3) {
            let head = ["?x", "?y", if rule == 2 { "0" } else { "?z" }].join(" ");
            text += &format!("(<= (view{view} {head})");
            text += draw.of(&["(true (on ?x ?y))", "(bit ?x) (true (on ?y ?u))", "(edge ?x ?y)"]);
            text += draw.of(&["(bit ?z)", "(true (on ?y ?z))", "(edge ?y ?z)"]);
            for _ in 0..draw.below(3) {
                let mut arguments = || draw.of(&ARGUMENTS);
                let [a, b, c] = [arguments(), arguments(), arguments()];
                let below = view + 1 + draw.below(3 - view);
                text += &match draw.below(7) {
                    0 => String::from("(distinct ?x ?z)"),
                    1 => String::from("(not (true (on ?z ?x)))"),
                    2 | 3 => format!("(view{view} ?v ?y ?z) (edge ?v ?x)"),
                    4 => format!("(view{view} ?v ?w ?z)"),
                    _ if below < 3 => format!("(view{below} {a} {b} {c})"),
                    _ => String::from("(true (on ?x ?z))"),
                };
            }
            text += ")";
        }
    }
    let asked = ["?a ?b ?c", "1 ?b ?c", "?a ?b 2", "?a 0 ?c", "?a ?a ?c", "?a ?b ?b"];
    for _ in 0..1 + draw.below(3) {
        let (arguments, view) = (draw.of(&asked), draw.below(3));
        let others =
            ["", "(hot ?c)", "(edge ?c 1)", "(true (on ?c 2))", "(not (hot ?c))", "(edge ?b ?c)"];
        let other = draw.of(&others);
        let is_bound = arguments.contains("?c") || !other.contains("?c");
        let other = if is_bound && arguments.contains("?b") { other } else { "" };
        text += &format!("(<= seen (view{view} {arguments}) {other})");
    }
    let told =
        ["(view0 ?a ?b ?c)", "(view0 2 ?b ?a)", "(view0 ?b ?c ?a) (edge ?c ?b)", "(view1 1 0 ?a)"];
    text + &format!("(<= (next (told ?a)) {})", draw.of(&told))
}

#[test]
fn random_views_mean_the_same() {
    let (mut draw, mut states, mut found) = (Draw(7), 0, 0);
    for _ in 0..100 {
        let text = random_views(&mut draw);
        found += u32::from(projected(&text) > 0);
        states += means_the_same(&text, 3);
    }
    assert!(states > 1500 && found > 30, "{states} states, {found} with views that lose arguments");
}
