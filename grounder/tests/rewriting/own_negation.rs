//! Predicates that are the same in every state and depend on their own negations, though no atom does.

use groundfrog::compact::Passes;
use groundfrog::ground::ground;
use groundfrog::options::{Domains, Engine, GroundOptions};
use groundfrog_engine::observe::Silent;

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// A token that is moved up to a number; definitions of the numbers that are `good`.
fn steps(definitions: &str) -> String {
    let succ: String = (0..12).map(|it| format!("(succ {it} {}) ", it + 1)).collect();
    format!(
        "(role r) (init (at 0)) {succ} (<= (number ?x) (succ ?x ?y)) (number 12) {definitions}
        (<= (legal r one) (true (at ?x)) (good ?x))
        (<= (legal r two) (true (at ?x)) (not (good ?x)))
        (<= (legal r wait) (true (at ?x)) (number ?x))
        (<= (next (at ?y)) (does r one) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?z)) (does r two) (true (at ?x)) (succ ?x ?y) (succ ?y ?z))
        (<= (next (at ?x)) (does r wait) (true (at ?x)))
        (<= terminal (true (at 12)))
        (<= (goal r 100) (true (at ?x)) (good ?x))
        (<= (goal r 0) (true (at ?x)) (not (good ?x)))"
    )
}

/// By what comes before, by another value of the same predicate, and by each other.
const DEFINITIONS: [&str; 3] = [
    "(good 0) (<= (good ?y) (succ ?x ?y) (not (good ?x)))",
    "(<= (kind ?x low) (number ?x) (or (succ ?x 1) (succ ?x 2) (succ ?x 7)))
     (<= (kind ?x high) (number ?x) (not (kind ?x low)))
     (<= (good ?x) (kind ?x high))",
    "(<= (cold ?x) (succ ?x ?y) (not (good ?y))) (<= (good ?x) (number ?x) (not (cold ?x)))",
];

#[test]
fn they_are_what_their_ground_rules_say() {
    for definitions in DEFINITIONS {
        let text = steps(definitions);
        let game = grounded(&text, &options(Passes::ALL));
        for engine in [Engine::Datafrog, Engine::Naive] {
            for domains in [Domains::OneStep, Domains::Iterative] {
                let plain = GroundOptions { engine, domains, ..options(Passes::NONE) };
                let as_it_was = grounded(&text, &plain);
                assert!(plays_the_same(&description(&text), &game, &as_it_was, 4) > 8, "{text}");
            }
        }
        // They are known, so that nothing of them is left.
        assert!(game.rules().len() < 80, "{} rules:\n{text}", game.rules().len());
    }
}

#[test]
fn there_may_be_many_of_them() {
    let definition = |number: u32| {
        format!(
            "(kind{number} 0) (<= (kind{number} ?y) (succ ?x ?y) (not (kind{number} ?x)))
             (<= (good ?x) (number ?x) (kind{number} ?x))"
        )
    };
    let text = steps(&(0..300).map(definition).collect::<String>());
    let game = grounded(&text, &options(Passes::ALL));
    assert!(game.rules().len() < 80, "{} rules", game.rules().len());
}

#[test]
fn what_depends_on_itself_once_ground_is_refused() {
    let of_state =
        "(<= (good ?x) (number ?x) (not (bad ?x))) (<= (bad ?x) (number ?x) (not (good ?x)))";
    // The first state must be known before anything else is.
    let of_first_state = format!("{} (<= (init (at ?x)) (succ 11 ?x) (good ?x))", DEFINITIONS[0]);
    for definitions in [of_state, &of_first_state] {
        let text = steps(definitions);
        let error = ground(&description(&text), &options(Passes::ALL), &mut Silent)
            .expect_err("it depends on its own negation");
        assert!(error.to_string().contains("good") || error.to_string().contains("bad"), "{error}");
    }
}
