//! Small texts that stand for rules, terms or shapes without end, or for more than there is room for: each is refused and why
//! is told.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::explain::{Step, explain};
use groundfrog::options::{Engine, GroundOptions, Limits};
use groundfrog::prepare::prepare;
use groundfrog::{GroundError, Silent, ground};
use groundfrog_check::MOST_LITERALS;
use groundfrog_reasoner::simulate::play_any;
use groundfrog_reasoner::{InterpretedReasoner, PlayoutStatistics, Random};
use groundfrog_testing::{description, grounded, interpreted, options};

/// What grounding says of a text that it refuses.
fn refused(text: &str) -> String {
    let error = ground(&description(text), &options(Passes::ALL), &mut Silent);
    error.map(|_| ()).expect_err(text).to_string()
}

/// A game about lamps, with a rule for what is on next.
fn lamps(rules: &str) -> String {
    format!(
        "(role r) (lamp 1) (lamp 2) (lamp 3) (after 1 2) (after 2 3) (init (on 2)) (legal r wait)
        (<= terminal (true (on 3))) (goal r 50) {rules}"
    )
}

/// A rule whose equalities say what `?x0` up to a last variable are, each with a term around the one before.
fn terms(count: usize, around: &str, rest: &str) -> String {
    let equalities = (0..count).map(|number| {
        let term = around.replace("?x", &format!("?x{number}"));
        format!("(not (distinct ?x{} {term}))", number + 1)
    });
    let equalities: String = equalities.collect();
    lamps(&format!("(<= (next (built ?x{count})) (lamp ?x0) {equalities} {rest})"))
}

#[test]
fn alternatives_that_multiply() {
    // No alternative binds both, and each `or` needs the other.
    let groups = "(or (lamp ?x) (true (on ?x)) (after ?x ?y) (true (built ?x)) (distinct ?y 1))
        (or (lamp ?y) (true (on ?y)) (after ?y ?x) (true (built ?y)) (distinct ?x 1)) ";
    let text = lamps(&format!("(<= (next (pair ?x ?y)) {} )", groups.repeat(4)));
    assert!(refused(&text).contains("more than 65536 rules"), "there are 390 625");
    // With large terms they are counted by their names.
    let of = |many: usize| {
        let group = |one| {
            let next = (one + 1) % many;
            format!("(or (lamp ?a{one}) (after 1 ?a{one}) (distinct ?a{one} ?a{next}))")
        };
        refused(&terms(11, "(f ?x ?x)", &(0..many).map(group).collect::<String>()))
    };
    assert!(of(10).contains("more than 4194304 names in rules"), "59 049 rules");
    assert!(of(11).contains("more than 65536 rules"), "177 147 rules");
}

#[test]
fn terms_of_equalities_that_grow() {
    let nested = format!("{}?x{}", "(f ".repeat(200), ")".repeat(200));
    for text in [
        terms(13, "(f ?x ?x)", ""),
        terms(2000, "(f ?x ?x)", ""),
        terms(2000, &nested, ""),
        terms(7, &nested, ""),
    ] {
        let error = refused(&text);
        assert!(error.contains("more than 16384 names"), "{error}");
    }
    let rules = explain(
        &description(&terms(12, "(f ?x ?x)", "")),
        Step::OrElimination,
        &options(Passes::NONE),
    );
    assert!(rules.is_ok(), "8 191 names and the rest");
}

/// There is so much to do that each looks at the limits before it is done.
#[test]
fn all_that_begins_with_alternatives_keeps_within_limits() {
    let ors = "(or (true (on 1)) (true (on 2)))".repeat(1500);
    let description = description(&lamps(&format!("(<= (pair 1 2) {ors})")));
    let limits = Limits { stop: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let options = GroundOptions { limits: limits.clone(), ..options(Passes::ALL) };
    for step in Step::ALL {
        let stopped = explain(&description, step, &options);
        assert!(matches!(stopped, Err(GroundError::Limit { .. })), "{step:?}");
    }
    assert!(matches!(prepare(&description, &limits), Err(GroundError::Limit { .. })));
    assert!(InterpretedReasoner::new(&description, limits).is_err());
}

/// Thirty functions would hold a constant a billion times.
#[test]
fn terms_that_hold_each_other_several_times() {
    let grows = "(role r) (init (t a)) (legal r grow) (<= terminal (true (t b))) (goal r 100)
        (<= (next (t (f ?x ?x))) (true (t ?x)))";
    let mut high = String::from(
        "(role r) (legal r wait) (init (t a)) (goal r 1) (<= terminal (t30 ?x)) (t0 a)",
    );
    (0..30).for_each(|it| high += &format!("(<= (t{} (f ?x ?x)) (t{it} ?x))", it + 1));
    for text in [grows, &high] {
        let error = refused(text);
        assert!(error.contains("more than 4096 constants"), "{error}");
    }
}

#[test]
fn stacks_that_grow_for_ever() {
    // A stone of its own size may be put on one; nothing counts the cards; trees have the number of their parts.
    let tower = |smaller: &str| {
        format!(
            "(role r) (init (tower (on 4 ground))) (smaller 1 2) (smaller 2 3) (smaller 3 4) {smaller}
            (<= (legal r (put ?n)) (true (tower (on ?m ?rest))) (smaller ?n ?m)) (goal r 50)
            (<= (next (tower (on ?n (on ?m ?rest)))) (true (tower (on ?m ?rest))) (does r (put ?n)) (smaller ?n ?m))
            (<= terminal (true (tower (on 1 ?rest))))"
        )
    };
    let cards =
        "(role r) (init (stack none)) (legal r push) (goal r 1) (<= terminal (true (stack end)))
        (<= (next (stack (cons a ?s))) (true (stack ?s)) (does r push))";
    for text in [&tower("(smaller 2 2)"), cards] {
        let error = refused(text);
        assert!(error.contains("grow deeper than"), "{error}");
    }
    // Four stones on each other in a fluent.
    for (term_depth, is_enough) in [(4, false), (5, true)] {
        let limits = Limits { term_depth, ..Limits::default() };
        let options = GroundOptions { limits, ..GroundOptions::flat() };
        let found = ground(&description(&tower("")), &options, &mut Silent);
        assert_eq!(found.is_ok(), is_enough, "{term_depth}");
    }
    let trees = "(role r) (succ 0 1) (succ 1 2) (init (t a 0)) (init (t b 0)) (legal r join) (goal r 50)
        (<= (next (t (f ?x ?y ?z) ?m)) (does r join) (true (t ?x ?n)) (true (t ?y ?n)) (true (t ?z ?n))
            (succ ?n ?k) (succ ?l ?m) (distinct ?x ?y))
        (<= terminal (true (t ?x 2)))";
    let error = refused(trees);
    assert!(
        error.contains("rules for the shapes") || error.contains("kinds of sentences"),
        "{error}"
    );
}

/// A tower with as many stones as there are numbers: a term of that depth, one state after the other.
#[test]
fn terms_that_get_too_deep_while_they_are_played() {
    let tall = |stones: usize| {
        let numbers: String = (0..stones).map(|it| format!("(succ {it} {})", it + 1)).collect();
        format!(
            "(role r) {numbers} (init (high 0)) (tower 0 ground) (<= (legal r put) (true (high ?n)) (succ ?n ?m))
            (<= (tower ?n (on ?t)) (tower ?m ?t) (succ ?m ?n) (built ?n))
            (<= (built ?m) (true (high ?m))) (<= (built ?m) (built ?n) (succ ?m ?n))
            (<= (next (high ?m)) (true (high ?n)) (does r put) (succ ?n ?m))
            (<= (next (top ?t)) (true (high ?n)) (tower ?n ?t))
            (<= terminal (true (high {stones}))) (goal r 100)"
        )
    };
    let play = |stones| {
        let mut statistics = PlayoutStatistics::new(1);
        let reasoner = &mut interpreted(&tall(stones));
        play_any(reasoner, &mut Random::new(1), 100, None, &mut statistics)
            .map(|()| statistics.states)
    };
    assert_eq!(play(20).expect("twenty functions are few"), 20);
    let error = play(40).expect_err("forty functions are too many").to_string();
    assert!(error.contains("deeper than 32"), "{error}");
}

#[test]
fn predicates_that_depend_on_their_negations_once_ground() {
    let of_state = "(<= (good ?x) (lamp ?x) (not (bad ?x))) (<= (bad ?x) (lamp ?x) (not (good ?x)))
         (<= (next (on ?x)) (good ?x))";
    // The first state must be known before anything else is.
    let of_first_state = "(good 1) (<= (good ?y) (after ?x ?y) (not (good ?x)))
        (<= (init (on ?x)) (after 2 ?x) (good ?x))";
    for rules in [of_state, of_first_state] {
        let error = refused(&lamps(rules));
        assert!(error.contains("good") || error.contains("bad"), "{error}");
    }
}

/// A rule with so many literals, all about one place or each about a place of its own.
fn long(literals: usize, has_variables: bool) -> String {
    let place = |it: usize| if has_variables { format!("?x{it}") } else { "a".to_owned() };
    let body: String = (0..literals).map(|it| format!("(true (on {}))", place(it))).collect();
    format!(
        "(role r) (legal r wait) (init (on a)) (<= terminal {body}) (<= (goal r 100) terminal)
        (<= (next (on b)) (true (on a)) (not terminal))"
    )
}

#[test]
fn the_longest_rule_takes_no_more_than_the_stack_of_a_thread() {
    // Tests run in threads of two megabytes.
    for has_variables in [false, true] {
        let text = long(MOST_LITERALS, has_variables);
        for (passes, engine) in [
            (Passes::ALL, Engine::Datafrog),
            (Passes::NONE, Engine::Datafrog),
            (Passes::NONE, Engine::Naive),
        ] {
            // Of 2048 places that may differ there is no end.
            let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
            let options = GroundOptions { engine, limits, ..options(passes) };
            let grounding = ground(&description(&text), &options, &mut Silent);
            assert!(!matches!(grounding, Err(GroundError::Description(_))), "it is not too long");
        }
        interpreted(&text);
    }
    let error = refused(&long(MOST_LITERALS + 1, true));
    assert!(error.contains("a rule with 2049 literals, more than 2048"), "{error}");
}

/// An `or` of so many differences that a rule with all of them would be too long.
#[test]
fn many_differences_are_one_condition() {
    for many in [16, 17, 10_000] {
        let differences = "(distinct ?x ?y)".repeat(many);
        let text = format!(
            "(role r) (init (p 1)) (n 1) (n 2) (legal r rest) (<= (legal r (go ?x ?y)) (n ?x) (n ?y) (or {differences}))
            (<= (next (p ?x)) (does r (go ?x ?y))) (<= terminal (true (p 2))) (goal r 100)"
        );
        assert_eq!(grounded(&text, &options(Passes::ALL)).moves().len(), 3, "{many}");
    }
}
