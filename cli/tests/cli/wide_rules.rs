//! Small descriptions in which something could multiply: views within views, alternatives and what binds their variables,
//! names for names. They are grounded and checked within limits that none comes near.

use super::{Folder, run};

/// A game with these rules besides.
fn game(rules: &str) -> String {
    format!(
        "(role r) (init (at a)) (init (on s)) (<= (next (on s)) (true (on s))) (<= (goal r 0) (true (on s)))
        (<= terminal (true (at z))) (adj a b) (adj b a)
        (<= (next (at ?y)) (does r (go ?x ?y)) (true (at ?x)) (true (at ?z)) (adj ?z ?y))
        (<= (legal r (go ?x ?y)) (true (at ?x)) (adj ?x ?y)) (<= (legal r wait) (true (on s))) {rules}"
    )
}

fn list(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect()
}

/// Grounds and checks games; returns the ground rules.
#[track_caller]
fn grounded(rules: &str) -> String {
    let folder = Folder::new();
    let path = folder.file("game.kif", game(rules));
    // Most of these games cannot end.
    let allowed = ["--allow", "GF0709", "--fail-on", "error"];
    run([&["check", path.as_str(), "--time-limit", "20s"][..], &allowed].concat()).succeeds();
    let limits = ["--time-limit", "20s", "--max-memory", "512M"];
    run([&["ground", path.as_str(), "-q"], &limits[..]].concat()).succeeds().stdout
}

#[test]
fn views_within_views_that_are_asked_for_again_and_again() {
    let again = |view: &str| format!("{view} ").repeat(40);
    let rules = format!(
        "(<= (next (at ?x)) (true (at ?x)) (does r wait) {}) (<= v0 {}) (<= v1 {}) (<= v2 {})",
        again("v0"),
        again("v1"),
        again("v2"),
        again("(true (on s))")
    );
    assert!(grounded(&rules).contains("(<= (next (at a)) (true (at a)) (does r wait)"));
}

#[test]
fn an_or_of_many_alternatives_beside_an_atom_with_many_arguments() {
    let arguments = "?x ".repeat(600);
    let alternatives = list(600, |it| format!("(and (true (at ?x)) (distinct ?x c{it}))"));
    let rules = format!(
        "(<= (big {arguments}) (true (at ?x))) (<= (other ?y) (true (at ?y)))
        (<= (next (at z)) (does r wait) (big {arguments}) (other ?y)
            (or {alternatives}) (or (true (at ?x)) (distinct ?x ?y)))"
    );
    assert!(grounded(&rules).contains("(next (at z))"));
}

#[test]
fn names_that_stand_for_names() {
    let names = list(2000, |it| format!("(<= (n{} ?x) (n{it} ?x))", it + 1));
    let asked = list(200, |it| format!("(<= (next (on f{it})) (true (on f{it})) (n2000 ?x))"));
    let first = list(200, |it| format!("(init (on f{it}))"));
    let rules = format!("(<= (n0 ?x) (true (at ?x))) {names} {asked} {first}");
    let grounded = grounded(&rules);
    // Whatever the names stand for is said once for all that asks for them.
    for rule in ["(<= (next (on f199)) (true (on f199)) n0_any)", "(<= n0_any (true (at a)))"] {
        assert!(grounded.contains(rule), "{grounded}");
    }
}

#[test]
fn ends_by_views_that_say_nothing_of_ends() {
    let of = |name: &str, asked: &str| {
        list(30, |it| format!("(<= ({name} ?x) ({asked} ?x) (distinct ?x c{it}))"))
    };
    let rules = format!(
        "(<= terminal (v1 b)) {} {} {} (<= (v4 ?x) (true (at ?x)) (true (at z)))",
        of("v1", "v2"),
        of("v2", "v3"),
        of("v3", "v4")
    );
    assert!(grounded(&rules).contains("(next (at b))"));
}
