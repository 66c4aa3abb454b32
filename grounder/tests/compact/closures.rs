//! Transitive closures of random relations, by linear recursion.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::game::GroundGame;
use groundfrog::options::{Domains, Engine, GroundOptions};

use super::text::grounded;
use super::{means_the_same, options};

/// A game whose moves show a transitive closure, by quadratic recursion, of a relation drawn from a seed:
/// one of facts, or one that the player draws edge by edge.
fn closure_of_random_relation(seed: u64, is_dynamic: bool) -> String {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let nodes = 2 + draw(8);
    let mut text = String::from(
        "(role r) (colour red) (colour blue) (init (day 1)) (after 1 2) (after 2 3) (after 3 4)
         (<= (next (day ?e)) (true (day ?d)) (after ?d ?e)) (<= terminal (true (day 4)))
         (<= (goal r 100) (path red n0 n1)) (<= (goal r 0) (not (path red n0 n1)))
         (legal r wait) (<= (legal r (ride ?c ?x ?y)) (path ?c ?x ?y))
         (<= (next (edge ?c ?x ?y)) (true (edge ?c ?x ?y)) (not (does r wait)))
         (base (day 1)) (<= (base (day ?e)) (after ?d ?e)) (<= (base (edge ?c ?x ?y)) (pair ?c ?x ?y))
         (input r wait) (<= (input r (lay ?x ?y)) (pair ?c ?x ?y))
         (<= (input r (ride ?c ?x ?y)) (colour ?c) (node ?x) (node ?y))
         (<= (path ?c ?x ?y) (path ?c ?x ?z) (path ?c ?z ?y) (node ?z))",
    );
    text += if is_dynamic {
        "(<= (path ?c ?x ?y) (true (edge ?c ?x ?y))) (<= (legal r (lay ?x ?y)) (pair ?c ?x ?y))
         (<= (next (edge ?c ?x ?y)) (does r (lay ?x ?y)) (pair ?c ?x ?y))"
    } else {
        "(<= (path ?c ?x ?y) (pair ?c ?x ?y)) (path blue n0 n1)"
    };
    for node in 0..nodes {
        text += &format!("(node n{node})");
    }
    for _ in 0..1 + draw(4 * nodes) {
        let (colour, from, to) = (["red", "blue"][draw(2) as usize], draw(nodes), draw(nodes));
        text += &format!("(pair {colour} n{from} n{to})");
        if draw(2) == 0 {
            text += &format!("(init (edge {colour} n{from} n{to}))");
        }
    }
    text
}

#[test]
fn closures_of_random_relations_mean_the_same() {
    let mut states = 0;
    for seed in 0..40 {
        for is_dynamic in [false, true] {
            let text = closure_of_random_relation(seed, is_dynamic);
            states += means_the_same(&format!("closure {seed}, {is_dynamic}"), &text);
        }
    }
    assert!(states > 4000, "only {states} states were compared");
}

#[test]
fn closures_of_random_relations_have_the_same_tables() {
    let linear = Passes::of(&[PassId::LinearRecursion]);
    let (mut fewer, mut static_closures) = (0, 0);
    for seed in 100..160 {
        for is_dynamic in [false, true] {
            let text = closure_of_random_relation(seed, is_dynamic);
            let ground = |passes, engine, domains| {
                let options = GroundOptions { simplify: false, domains, ..options(passes, engine) };
                grounded(&text, &options)
            };
            let rides = |game: &GroundGame| {
                let is_ride = |line: &String| line.starts_with("(<= (legal r (ride ");
                let is_fact = |line: &String| line.starts_with("(legal r (ride ");
                canonical::lines(game).filter(|it| is_ride(it) || is_fact(it)).collect::<Vec<_>>()
            };
            for domains in [Domains::OneStep, Domains::Iterative, Domains::Given] {
                let quadratic = ground(Passes::NONE, Engine::Datafrog, domains);
                let [datafrog, naive] =
                    [Engine::Datafrog, Engine::Naive].map(|engine| ground(linear, engine, domains));
                assert_eq!(rides(&quadratic), rides(&datafrog), "{text}");
                assert_eq!(rides(&quadratic), rides(&naive), "{text}");
                assert!(datafrog.rules().len() <= quadratic.rules().len(), "{text}");
                fewer += usize::from(datafrog.rules().len() < quadratic.rules().len());
                static_closures += usize::from(!is_dynamic && !rides(&datafrog).is_empty());
            }
        }
    }
    assert!(fewer > 20 && static_closures == 180, "{fewer} are smaller");
}
