//! Searches that remember what they have visited mean the same without their lists.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::options::{Engine, GroundOptions};

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

const VISITED: Passes = Passes::of(&[PassId::Visited]);

/// Plays the game without lists beside one with them.
fn means_the_same(text: &str, passes: Passes) -> u64 {
    let [game, with_lists] = [passes, Passes::NONE].map(|passes| grounded(text, &options(passes)));
    plays_the_same(&description(text), &game, &with_lists, 5)
}

/// A game with a search that remembers what it has visited, in one of several ways, through a random graph whose
/// edges come and go.
fn random_search(seed: u64) -> String {
    let mut text = String::from(
        "(role r) (init (turn 0)) (succ 0 1) (succ 1 2) (succ 2 3) (<= (legal r (flip ?x ?y)) (edge ?x ?y))
        (<= (next (turn ?n)) (true (turn ?t)) (succ ?t ?n)) (<= terminal (true (turn 3)))
        (<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does r (flip ?x ?y))))
        (<= (next (open ?x ?y)) (does r (flip ?x ?y)) (not (true (open ?x ?y))))
        (node a) (node b) (node c) (node d)
        (name a n1) (name b n2) (name c n3) (name d n4) (<= (item ?n) (name ?x ?n))
        (<= (legal r (see ?x ?y)) (found ?x ?y)) (<= (goal r 100) (found a d))
        (<= (goal r 0) (not (found a d)))",
    );
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    text.push_str("(edge a b)");
    for from in ["a", "b", "c", "d"] {
        for to in ["a", "b", "c", "d"] {
            if draw(3) == 0 {
                text.push_str(&format!("(edge {from} {to})"));
            }
            if draw(2) == 0 {
                text.push_str(&format!("(<= (init (open {from} {to})) (edge {from} {to}))"));
            }
        }
    }
    let things = if seed % 4 == 3 { "item" } else { "node" };
    let mut list = String::from("nil");
    let mut conditions = String::new();
    text.push_str("(list nil)");
    for variable in ["?x", "?y", "?z", "?u"] {
        list = format!("(cons {variable} {list})");
        conditions.push_str(&format!("({things} {variable})"));
        text.push_str(&format!("(<= (list {list}) {conditions})"));
    }
    text.push_str(
        "(<= (in ?x (cons ?x ?l)) (list (cons ?x ?l)))
        (<= (in ?x (cons ?y ?l)) (list (cons ?y ?l)) (list ?l) (in ?x ?l))",
    );
    text.push_str(match seed % 4 {
        0 => {
            "(<= (path ?x ?x ?l) (node ?x) (list ?l))
            (<= (path ?x ?z ?l) (edge ?x ?y) (true (open ?x ?y)) (list ?l) (not (in ?y ?l))
                (list (cons ?y ?l)) (path ?y ?z (cons ?y ?l)))
            (<= (found ?x ?y) (node ?x) (path ?x ?y (cons ?x nil)))"
        }
        1 => {
            "(<= (path ?x ?y ?l) (true (open ?x ?y)) (list ?l))
            (<= (path ?x ?z ?l) (edge ?x ?y) (true (open ?x ?y)) (list ?l) (not (in ?y ?l))
                (list (cons ?y ?l)) (path ?y ?z (cons ?y ?l)))
            (<= (found ?x ?y) (path ?x ?y nil))"
        }
        2 => {
            "(<= (path ?x ?y ?l) (node ?x) (true (open ?x ?y)) (list ?l) (not (in ?x ?l)))
            (<= (path ?x ?z ?l) (edge ?x ?y) (true (open ?x ?y)) (list ?l) (not (in ?x ?l))
                (list (cons ?x ?l)) (path ?y ?z (cons ?x ?l)))
            (<= (found ?x ?y) (path ?x ?y nil))"
        }
        _ => {
            "(<= (insert ?x nil (cons ?x nil)) (item ?x))
            (<= (insert ?x (cons ?y ?l) (cons ?y ?m)) (list (cons ?y ?l)) (list ?l) (distinct ?x ?y)
                (insert ?x ?l ?m) (list (cons ?y ?m)))
            (<= (path ?x ?y ?l) (name ?x ?n) (insert ?n ?l ?m) (onward ?x ?y ?m))
            (<= (onward ?x ?y ?l) (list ?l) (true (open ?x ?y)))
            (<= (onward ?x ?z ?l) (list ?l) (true (open ?x ?y)) (path ?y ?z ?l))
            (<= (found ?x ?y) (path ?x ?y nil))"
        }
    });
    text
}

#[test]
fn random_searches_mean_the_same_without_their_lists() {
    let mut states = 0;
    for seed in 0..48 {
        let text = random_search(seed);
        states += means_the_same(&text, VISITED) + means_the_same(&text, Passes::ALL);
        let atoms = |passes| grounded(&text, &options(passes)).atom_count();
        assert!(atoms(VISITED) * 4 < atoms(Passes::NONE), "{text}");
        let lines = [Engine::Datafrog, Engine::Naive].map(|engine| {
            let game = grounded(&text, &GroundOptions { engine, ..options(VISITED) });
            canonical::lines(&game).collect::<Vec<_>>()
        });
        assert_eq!(lines[0], lines[1], "{text}");
    }
    assert!(states > 2000, "only {states} states were compared");
}
