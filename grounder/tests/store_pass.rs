//! The store pass stores each rule once, on one thread or several, and its analyses end.

#[path = "shared/text.rs"]
mod text;

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::options::{Engine, GroundOptions};

/// How many rules, and what they say.
fn rules(text: &str, options: &GroundOptions) -> (usize, Vec<String>) {
    let game = text::grounded(text, options);
    (game.rules().len(), canonical::lines(&game).collect())
}

/// As many rules as `expected`, the same on one thread and on several, and no rule twice.
fn are_stored_once(text: &str, expected: usize) {
    for passes in [Passes::NONE, Passes::ALL] {
        let stored = [1, 2, 4].map(|threads| {
            let options = GroundOptions { threads, passes, ..GroundOptions::flat() };
            rules(text, &options)
        });
        let counts = stored.each_ref().map(|it| it.0);
        assert!(counts.iter().all(|&it| it == counts[0] && it <= expected), "{counts:?}");
        assert!(stored.iter().all(|it| it.1 == stored[0].1));
    }
}

#[test]
fn a_witness_is_looked_for_once() {
    // Whichever of the two `w` there is: 2^18 rules, so that the rows of the first step are given to several threads.
    let digits: String = (1..=8).map(|it| format!("(d {it})")).collect();
    let text = format!(
        "(role x) (w 1) (w 2) {digits} (legal x go)
        (<= (init (p ?a ?b ?c)) (d ?a) (d ?b) (d ?c)) (<= (init (q ?a ?b ?c)) (d ?a) (d ?b) (d ?c))
        (<= (next (r ?a ?b ?c ?x ?y ?z)) (true (p ?a ?b ?c)) (true (q ?x ?y ?z)) (w ?w))"
    );
    are_stored_once(&text, 1 + (1 << 18));
}

#[test]
fn one_answer_is_enough_for_what_has_no_variables() {
    let cards: String = (0..700).map(|it| format!("(card {it})")).collect();
    let text = format!(
        "(role x) (legal x go) (init flag) {cards}
        (<= (goal x 25) (card ?a) (card ?b) (not (true flag)) (distinct ?a ?b))"
    );
    are_stored_once(&text, 2);
}

/// The analysis of which rules may be the same had more work left than it began with.
#[test]
fn an_analysis_that_has_run_out_of_work_ends() {
    let text = "(role x) (role o) (role z) (num 1) (num 2) (num 3) (pc b) (pc w) (pc k)
        (card 1) (card 2) (card 3) (card 4) (succ 1 2) (init (at b 3 3))
        (<= (init (mark ?r ?n)) (role ?r) (num ?n)) (<= (init (hand ?r ?c)) (role ?r) (card ?c))
        (<= (seen ?n ?p) (true (at ?a ?x1 ?y1)) (true (at ?b ?x2 ?y2)) (true (at ?c ?x3 ?y3))
            (true (at ?d ?x4 ?y4)) (true (mark ?r ?m)) (true (mark ?r ?n)) (true (hand ?r ?h))
            (pc ?p) (not (succ ?y1 1)))
        (<= (legal ?r (play ?c)) (card ?c) (seen ?n ?p) (role ?r))";
    for passes in [Passes::ALL.without(PassId::Decomposition), Passes::NONE, Passes::ALL] {
        let [stored, naive] = [Engine::Datafrog, Engine::Naive]
            .map(|engine| rules(text, &GroundOptions { engine, passes, ..GroundOptions::flat() }));
        assert!(stored.0 > 0);
        assert_eq!(stored, naive);
    }
}
