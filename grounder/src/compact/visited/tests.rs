use groundfrog_engine::Budget;

use super::*;
use crate::description::{Description, ParseOptions};
use crate::options::Limits;
use crate::prepare::prepare;
use crate::rules::Rule;

/// A network whose lines come and go; lists of up to four stations, and what a list holds.
const FRAME: &str = "(role r) (legal r wait) (init (line a b)) (init (line b c)) (init (line c d))
    (<= (next (line ?x ?y)) (true (line ?x ?y)))
    (station a) (station b) (station c) (station d) (<= terminal (not reached))
    (<= (near ?x ?y) (station ?x) (station ?y) (distinct ?x ?y))";
const LISTS: &str = "(list nil) (<= (list (cons ?x nil)) (station ?x))
    (<= (list (cons ?x (cons ?y nil))) (station ?x) (station ?y))
    (<= (list (cons ?x (cons ?y (cons ?z nil)))) (station ?x) (station ?y) (station ?z))";
const FOUR: &str = "(<= (list (cons ?x (cons ?y (cons ?z (cons ?u nil)))))
    (station ?x) (station ?y) (station ?z) (station ?u))";
const MEMBER: &str = "(<= (in ?x (cons ?x ?l)) (list (cons ?x ?l)))
    (<= (in ?x (cons ?y ?l)) (list (cons ?y ?l)) (in ?x ?l))";
const HERE: &str = "(<= (path ?x ?x ?l) (station ?x) (list ?l))";
const ON: &str = "(<= (path ?x ?z ?l) (near ?x ?y) (true (line ?x ?y)) (list ?l) (not (in ?y ?l))
    (path ?y ?z (cons ?y ?l)))";
const ASKED: &str = "(<= reached (path a d (cons a nil)))";

/// What is dropped, and the rules that are left of `path`.
fn dropped(parts: &[&str]) -> (Vec<Dropped>, Vec<Rule>, Rules) {
    let text = parts.join("\n");
    let description = Description::parse(text.as_bytes(), &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut prepared =
        prepare(&description, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let budget = Budget::unlimited();
    let before = prepared.rules.clone();
    let found = drop_lists(&mut prepared, &mut Ticker::new(&budget, 0)).expect("there is no limit");
    if found.is_empty() {
        assert_eq!(before.rules, prepared.rules.rules, "{text}");
    }
    let path = |rule: &&Rule| prepared.rules.symbols.name(rule.head.predicate) == "path";
    let rules = prepared.rules.rules.iter().filter(path).cloned().collect();
    (found, rules, prepared.rules)
}

/// How many elements there are, if the list is dropped.
fn elements(parts: &[&str]) -> Option<usize> {
    let (found, ..) = dropped(parts);
    assert!(found.len() < 2, "{parts:?}");
    found.first().map(|it| it.elements)
}

#[test]
fn the_list_and_what_looks_at_it_are_dropped() {
    let (found, rules, all) = dropped(&[FRAME, LISTS, FOUR, MEMBER, HERE, ON, ASKED]);
    let [search] = &found[..] else { panic!("{found:?}") };
    assert_eq!((search.elements, search.guards), (4, 3));
    assert_eq!(search.predicates.iter().map(|it| it.1).collect::<Vec<_>>(), [2]);
    assert!(rules.iter().all(|it| it.head.arguments.len() == 2));
    assert_eq!(rules.iter().map(|it| it.body.len()).collect::<Vec<_>>(), [1, 3]);
    let reached = all.rules.iter().find(|it| all.symbols.name(it.head.predicate) == "reached");
    let atom = reached.and_then(|it| it.body[0].atom()).expect("a rule about what is reached");
    assert_eq!(atom.arguments.len(), 2);
}

#[test]
fn other_ways_to_write_a_search_are_recognised() {
    let frame = [FRAME, LISTS, FOUR, MEMBER];
    for (search, count) in [
        // The list begins empty.
        (&[HERE, ON, "(<= reached (path a d nil))"] as &[&str], 4),
        // The start is a variable.
        (&[HERE, ON, "(<= reached (station ?x) (path ?x d (cons ?x nil)))"], 4),
        // The element is the node that is demanded, and the list grows before the search goes on.
        (
            &[
                "(<= (path ?x ?y ?l) (station ?x) (station ?y) (list ?l) (not (in ?x ?l))
                    (true (line ?x ?y)))",
                "(<= (path ?x ?z ?l) (station ?x) (list ?l) (not (in ?x ?l)) (true (line ?x ?y))
                    (path ?y ?z (cons ?x ?l)))",
                "(<= reached (path a d nil))",
            ],
            4,
        ),
        // A set by insertion, a table of names, two predicates.
        (
            &[
                "(name a n1) (name b n2) (name c n3) (name d n4) (<= (item ?n) (name ?x ?n))",
                "(<= (set nil) (station a)) (<= (set (cons ?x ?l)) (item ?x) (set ?l))",
                "(<= (insert ?x nil (cons ?x nil)) (item ?x))",
                "(<= (insert ?x (cons ?y ?l) (cons ?y ?m)) (item ?y) (distinct ?x ?y)
                    (insert ?x ?l ?m))",
                "(<= (path ?x ?y ?l) (name ?x ?n) (insert ?n ?l ?m) (onward ?x ?y ?m))",
                "(<= (onward ?x ?y ?l) (set ?l) (true (line ?x ?y)))",
                "(<= (onward ?x ?z ?l) (true (line ?x ?y)) (path ?y ?z ?l) (set ?l))",
                "(<= reached (path a d nil))",
            ],
            4,
        ),
        // A step that visits nothing, also in a circle.
        (
            &[
                HERE,
                ON,
                "(<= (path ?x ?y ?l) (list ?l) (true (line ?y ?x)) (detour ?x ?y ?l))",
                "(<= (detour ?x ?y ?l) (path ?x ?y ?l))",
                ASKED,
            ],
            4,
        ),
    ] {
        let parts = [&frame, search].concat();
        assert_eq!(elements(&parts), Some(count), "{search:?}");
    }
}

#[test]
fn elements_may_be_terms() {
    let grid = "(succ 0 1) (succ 1 2) (index 2) (<= (index ?i) (succ ?i ?j)) (init (wall a))
        (<= (joined ?x ?y ?u ?y) (index ?y) (succ ?x ?u) (true (line ?a ?b)))
        (<= (joined ?x ?y ?x ?v) (index ?x) (succ ?y ?v) (not (true (line a c))))";
    let path = "(<= (path ?x ?y ?u ?v ?l) (joined ?x ?y ?u ?v) (been ?l))
        (<= (path ?x ?y ?s ?t ?l) (joined ?x ?y ?u ?v) (not (in (at ?u ?v) ?l)) (been ?l)
            (path ?u ?v ?s ?t (cons (at ?u ?v) ?l)))
        (<= reached (path 0 0 2 2 (cons (at 0 0) nil)))";
    let member = "(<= (in ?x (cons ?x ?l)) (been (cons ?x ?l)))
        (<= (in ?x (cons ?y ?l)) (been (cons ?y ?l)) (in ?x ?l))";
    let been = |condition: &str| {
        format!(
            "(<= (been nil) (station a))
            (<= (been (cons (at ?x ?y) ?l)) (index ?x) (index ?y) (been ?l) {condition})"
        )
    };
    let elements = |condition: &str| elements(&[FRAME, grid, path, member, &been(condition)]);
    assert_eq!(elements(""), Some(9));
    assert_eq!(elements("(distinct ?x 3)"), Some(9));
    // Not all cells can be on a list; a cell and the list decide together; one cell is named.
    assert_eq!(elements("(succ ?x ?z)"), None);
    assert_eq!(elements("(distinct ?l (cons ?x nil))"), None);
    assert_eq!(elements("(distinct ?l (cons (at 1 1) nil))"), None);
}

#[test]
fn lists_that_may_decide_something_stay() {
    let member = [FRAME, LISTS, FOUR, MEMBER];
    let named = |names: &'static str, goes_on: &'static str| {
        vec![
            FRAME,
            LISTS,
            FOUR,
            MEMBER,
            names,
            "(<= (path ?x ?y ?l) (list ?l) (true (line ?x ?y)))",
            goes_on,
            "(<= reached (path a d nil))",
        ]
    };
    let by_name = "(<= (path ?x ?z ?l) (true (line ?x ?y)) (name ?y ?n) (list ?l) (not (in ?n ?l))
        (path ?y ?z (cons ?n ?l)))";
    let control = named("(name a a) (name b b) (name c c) (name d d)", by_name);
    assert_eq!(elements(&control), Some(4));
    let with = |others: &[&'static str]| [&member as &[&str], others].concat();
    for (why, parts) in [
        ("lists end at three stations", vec![FRAME, LISTS, MEMBER, HERE, ON, ASKED]),
        (
            "two stations have one name",
            named("(name a a) (name b b) (name c c) (name d c)", by_name),
        ),
        ("a station is treated apart", with(&[HERE, ON, ASKED, "(<= (in c ?l) (list ?l))"])),
        (
            "a station is treated apart in a table",
            with(&[
                HERE,
                "(<= (path ?x ?z ?l) (near ?x ?y) (true (line ?x ?y)) (may ?y ?l) (not (in ?y ?l))
                    (path ?y ?z (cons ?y ?l)))",
                "(<= (may ?x ?l) (list ?l) (calm ?x)) (calm a) (calm b) (calm c)",
                ASKED,
            ]),
        ),
        (
            "an order of stations",
            with(&[
                HERE,
                "(<= (path ?x ?z ?l) (near ?x ?y) (true (line ?x ?y)) (rising ?y ?l)
                    (path ?y ?z (cons ?y ?l)))",
                "(<= (rising ?y nil) (station ?y))",
                "(<= (rising ?y (cons ?x ?l)) (list (cons ?x ?l)) (below ?x ?y))",
                "(below a b) (below a c) (below a d) (below b c) (below b d) (below c d)",
                ASKED,
            ]),
        ),
        ("the list is seen from outside", with(&[HERE, ON, "(<= reached (path a d ?l))"])),
        (
            "a fluent looks at the list",
            with(&[
                HERE,
                ON,
                ASKED,
                "(<= (path ?x c ?l) (station ?x) (list ?l) (true (route ?l)))",
            ]),
        ),
        (
            "the list is compared with where the search is",
            with(&[HERE, ON, ASKED, "(<= (path ?l c ?l) (list ?l))"]),
        ),
        (
            "the list begins with a station that is no element of the search",
            with(&[HERE, ON, "(<= reached (path a d (cons b nil)))"]),
        ),
        (
            "what is remembered is not where the search is",
            with(&[
                HERE,
                "(<= (path ?x ?z ?l) (near ?x ?y) (near ?y ?u) (true (line ?x ?y)) (list ?l)
                    (not (in ?u ?l)) (path ?y ?z (cons ?u ?l)))",
                ASKED,
            ]),
        ),
        (
            "two parts of where the search is, and one is remembered",
            with(&[
                "(<= (way ?x ?u ?l) (station ?x) (station ?u) (list ?l))",
                "(<= (way ?x ?u ?l) (near ?x ?y) (near ?u ?v) (true (line ?x ?y)) (list ?l)
                    (not (in ?y ?l)) (way ?y ?v (cons ?y ?l)))",
                "(<= reached (way a a (cons a nil)))",
            ]),
        ),
        (
            "steps are counted",
            with(&[
                HERE,
                "(<= (path ?x ?z ?l) (near ?x ?y) (true (line ?x ?y)) (list ?l)
                    (path ?y ?z (cons a ?l)))",
                ASKED,
            ]),
        ),
        (
            "two searches in one step",
            with(&[
                HERE,
                "(<= (path ?x ?z ?l) (near ?x ?y) (list ?l) (not (in ?y ?l))
                    (path ?x ?y (cons ?y ?l)) (path ?y ?z (cons ?y ?l)))",
                ASKED,
            ]),
        ),
        (
            "an element belongs to two atoms of a walk",
            with(&[
                "(<= (path ?x ?y ?l) (near ?x ?y) (list ?l) (not (in ?x ?l)) (true (line ?x ?y)))",
                "(<= (path ?x ?y ?l) (station ?x) (not (in ?x ?l)) (other ?x ?y (cons ?x ?l)))",
                "(<= (other ?x ?z ?l) (near ?x ?y) (true (line ?x ?y)) (not (in ?x ?l)) (list ?l)
                    (path ?y ?z (cons ?x ?l)))",
                "(<= reached (path a d nil))",
            ]),
        ),
        (
            "only the list binds a variable",
            with(&[
                HERE,
                ON,
                ASKED,
                "(<= (path ?x ?y (cons ?u ?l)) (near ?x ?y) (list (cons ?u ?l)))",
            ]),
        ),
        ("nobody asks", with(&[HERE, ON, "(<= reached (station b))"])),
    ] {
        assert_eq!(elements(&parts), None, "{why}");
    }
}

#[test]
fn a_negative_question_from_outside_is_no_obstacle() {
    let asked = "(<= reached (station ?x) (not (path ?x d nil)))";
    assert_eq!(elements(&[FRAME, LISTS, FOUR, MEMBER, HERE, ON, asked]), Some(4));
}

#[test]
fn names_stay_apart() {
    let other = "(<= (path ?x ?y) (true (line ?x ?y))) (<= (goal r 100) (path b a))";
    let (found, rules, all) = dropped(&[FRAME, LISTS, FOUR, MEMBER, HERE, ON, ASKED, other]);
    assert_eq!((found.len(), rules.len()), (1, 1));
    let named = |rule: &&Rule| all.symbols.name(rule.head.predicate) == "path_";
    assert_eq!(all.rules.iter().filter(named).count(), 2);
}

#[test]
fn guards_without_end_are_given_up() {
    // Of the two rules for a list, the first asks the same again and again, in ever longer terms.
    let endless =
        "(<= (list ?l) (list (cons a ?l))) (<= (list ?l) (list (cons ?x ?l)) (station ?x))";
    assert_eq!(elements(&[FRAME, endless, MEMBER, HERE, ON, ASKED]), None);
}

#[test]
fn limits_are_honoured() {
    let text = [FRAME, LISTS, FOUR, MEMBER, HERE, ON, ASKED].join("\n");
    let description = Description::parse(text.as_bytes(), &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut prepared =
        prepare(&description, &Limits::default()).unwrap_or_else(|error| panic!("{error}"));
    let budget = Budget::unlimited().with_time(std::time::Duration::ZERO);
    let mut ticker = Ticker::new(&budget, 0);
    while ticker.tick() {}
    let stopped = drop_lists(&mut prepared, &mut ticker);
    assert!(stopped.is_err());
}
