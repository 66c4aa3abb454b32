use groundfrog_engine::observe::Silent;

use super::*;
use crate::description::{Description, ParseOptions};
use crate::emit::canonical;
use crate::ground::{flatten_rules, ground};
use crate::options::{Domains, GroundOptions};
use crate::options::{PassId, Passes};

/// What every game here has besides its closure: roads as fluents that stay, towns and streets as facts.
const FRAME: &str = "(role r) (legal r wait) (init (road a b)) (init (road b c))
    (<= (next (road ?x ?y)) (true (road ?x ?y)))
    (town a) (town b) (town c) (street a b) (street b c)
    (<= terminal (path a c))";

fn description(text: &str) -> Description {
    Description::parse(text.as_bytes(), &ParseOptions::default()).expect("the text is well formed")
}

/// The predicates with linear recursion, and the facts about each step.
fn found(text: &str, domains: Domains) -> Vec<(String, usize)> {
    let options = GroundOptions { domains, ..GroundOptions::flat() };
    let (mut flattened, ..) =
        flatten_rules(&description(text), &options).expect("the rules are bounded");
    let rules = &mut flattened.prepared.rules;
    let statics = &mut flattened.prepared.statics;
    let flat = &mut flattened.flat;
    let closures =
        linearise(flat, &mut flattened.forms, &mut rules.symbols, statics, &rules.keywords);
    let forms = &flattened.forms;
    let describe = |closure: &Closure| {
        let name = rules.symbols.name(forms.form(closure.closed).predicate.name);
        let facts = flattened.flat.facts(forms).filter(|(form, _)| *form == closure.step);
        (name.to_owned(), facts.count())
    };
    closures.iter().map(describe).collect()
}

/// Whether `path` is recognised; whatever way the domains are computed, that must be the same.
fn is_closure(rules: &str) -> bool {
    let text = format!("{FRAME} {rules}");
    let found = [Domains::OneStep, Domains::Iterative].map(|domains| found(&text, domains));
    assert_eq!(found[0], found[1]);
    found[0].iter().any(|(name, _)| name == "path")
}

const STREET: &str = "(<= (path ?x ?y) (street ?x ?y))";
const ROAD: &str = "(<= (path ?x ?y) (true (road ?x ?y)))";

#[test]
fn composition_with_itself_is_recognised() {
    for base in [STREET, ROAD] {
        for composition in [
            "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y))",
            "(<= (path ?x ?y) (path ?z ?y) (path ?x ?z))",
            "(<= (path ?x ?y) (path ?x ?z) (town ?z) (path ?z ?y))",
            "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y) (distinct ?z a))",
            "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y) (not (true (road ?z ?z))))",
        ] {
            assert!(is_closure(&format!("{base} {composition}")), "{base} {composition}");
        }
    }
}

#[test]
fn parameters_and_wide_ends_are_recognised() {
    for rules in [
        "(<= (path ?x ?y) (way r ?x ?y)) (<= (way r ?x ?y) (true (road ?x ?y)))
         (<= (way ?p ?x ?y) (way ?p ?x ?z) (way ?p ?z ?y))",
        "(<= (path ?x ?y) (way ?x b b ?y)) (<= (way ?x ?y ?x ?y) (true (road ?x ?y)))
         (<= (way ?x1 ?y1 ?x2 ?y2) (way ?x1 ?y1 ?u ?v) (way ?u ?v ?x2 ?y2))",
        "(<= (path ?x ?y) (way ?x b b ?y)) (<= (way ?x ?y ?x ?y) (true (road ?x ?y)))
         (<= (way ?x1 ?y1 ?x2 ?y2) (way ?x1 ?y1 ?v ?u) (way ?u ?v ?x2 ?y2))",
        "(<= (path ?x ?y) (way (at ?x) (at ?y))) (<= (way (at ?x) (at ?y)) (true (road ?x ?y)))
         (<= (way ?x ?y) (way ?x ?z) (way ?z ?y))",
    ] {
        let names = found(&format!("{FRAME} {rules}"), Domains::OneStep);
        assert_eq!(names, [("way".to_owned(), 0)], "{rules}");
    }
}

#[test]
fn other_recursion_is_left_alone() {
    let composition = "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y))";
    for rules in [
        // Conditions on an end, which composition in another order checks elsewhere.
        "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y) (town ?x))",
        "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y) (distinct ?x ?y))",
        "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y) (not (true (road ?x ?y))))",
        "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y) (street ?z ?other))",
        // Other columns.
        "(<= (path ?x ?y) (path ?x ?z) (path ?y ?z))",
        "(<= (path ?x ?y) (path ?z ?x) (path ?z ?y))",
        "(<= (path ?y ?x) (path ?x ?z) (path ?z ?y))",
        "(<= (path ?x ?y) (path ?x ?z) (path ?u ?y))",
        "(<= (path ?x ?x) (path ?x ?z) (path ?z ?x))",
        "(<= (path ?x ?y) (path ?x b) (path b ?y))",
        "(<= (path ?x ?y) (path ?x ?z) (path ?z ?u) (path ?u ?y))",
        "(<= (path ?x ?y) (street ?x ?z) (path ?z ?y))",
        // More than one recursive rule.
        &format!("{composition} (<= (path ?x ?y) (path ?y ?x))"),
        &format!("{composition} (<= (path ?x ?y) (street ?x ?z) (path ?z ?y))"),
        &format!("{composition} (<= (path ?x ?y) (back ?x ?y)) (<= (back ?x ?y) (path ?y ?x))"),
        "(<= (path ?x ?y) (path ?x ?z) (path ?z ?y) (hub ?z)) (<= (hub ?z) (path ?z ?z))",
    ] {
        assert!(!is_closure(&format!("{STREET} {rules}")), "{rules}");
        assert!(!is_closure(&format!("{ROAD} {rules}")), "{rules}");
    }
}

#[test]
fn predicates_with_a_fixed_meaning_are_left_alone() {
    let text = "(role a) (role b) (<= (legal ?p ?q) (legal ?p ?r) (legal ?r ?q)) (legal a b)
        (legal b a) (<= terminal (legal a a))";
    assert_eq!(found(text, Domains::OneStep), []);
}

#[test]
fn facts_become_facts_about_the_step() {
    let rules = "(path a b) (path b c) (<= (path ?x ?y) (path ?x ?z) (path ?z ?y))";
    let found = found(&format!("{FRAME} {rules}"), Domains::OneStep);
    assert_eq!(found, [("path".to_owned(), 2)]);
}

/// The ground rules about paths of a game with these roads, by the predicates of their bodies.
fn stored(roads: &[(&str, &str)]) -> Vec<String> {
    let roads: String = roads.iter().map(|(x, y)| format!("(init (road {x} {y}))")).collect();
    let text = format!(
        "(role r) (legal r wait) {roads} (<= (next (road ?x ?y)) (true (road ?x ?y)))
         {ROAD} (<= (path ?x ?y) (path ?x ?z) (path ?z ?y)) (<= terminal (path ?x ?x))"
    );
    let passes = Passes::of(&[PassId::LinearRecursion]);
    let options = GroundOptions { passes, simplify: false, ..GroundOptions::flat() };
    let grounding = ground(&description(&text), &options, &mut Silent).expect("it is small");
    let about_path = |line: &String| line.starts_with("(<= (path ");
    canonical::lines(&grounding.game).filter(about_path).collect()
}

#[test]
fn the_smallest_of_three_is_stored() {
    // Six layers of towns, with roads from all towns of one to all of the next.
    let layers = [3, 3, 3, 3, 1, 1];
    let town = |layer: usize, number: usize| format!("l{layer}n{number}");
    let mut roads = Vec::new();
    for layer in 0..layers.len() - 1 {
        for from in 0..layers[layer] {
            let ahead = (0..layers[layer + 1]).map(|to| town(layer + 1, to));
            roads.extend(ahead.map(|to| (town(layer, from), to)));
        }
    }
    let onward: Vec<_> = roads.iter().map(|(x, y)| (x.as_str(), y.as_str())).collect();
    let back: Vec<_> = onward.iter().map(|&(x, y)| (y, x)).collect();
    let (onward, back) = (stored(&onward), stored(&back));
    // There are three ways to begin, and one to end.
    let step_last = "(<= (path l0n0 l5n0) (path l0n0 l4n0) (path_step l4n0 l5n0))";
    let step_first = "(<= (path l5n0 l0n0) (path l4n0 l0n0) (path_step l5n0 l4n0))";
    assert!(onward.iter().any(|it| it == step_last));
    assert!(back.iter().any(|it| it == step_first));
    // Of the three ways: 31 copies with 138 or 120 rules, or 228.
    assert_eq!((onward.len(), back.len()), (31 + 120, 31 + 120));
    // What is transitive already gains nothing.
    let closed = stored(&[("x", "y"), ("y", "z"), ("x", "z")]);
    let expected = [
        "(<= (path x y) (true (road x y)))",
        "(<= (path x z) (path x y) (path y z))",
        "(<= (path x z) (true (road x z)))",
        "(<= (path y z) (true (road y z)))",
    ];
    assert_eq!(closed, expected);
}
