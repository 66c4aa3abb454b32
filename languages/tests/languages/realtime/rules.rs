//! What is no game of rtGDL.

use groundfrog::description::Language;
use groundfrog::options::Limits;
use groundfrog_corpus::{relative, relatives};
use groundfrog_languages::realtime::{RealTimeError, RealTimeReasoner, Timeline};
use groundfrog_languages::rules::Rulebook;

use super::{book, findings, lines, play, start};

/// A game in which nothing is wrong.
const LAMP: &str = "(role ann) (init 1 lit) (legal ann push) (<= (next 1 lit) (does ann push))
    (<= (next ?t lit) (true ?t lit) (not (does ann push))) (<= terminal (expired lit)) (goal ann 0)\n";

fn with(rules: &str) -> Vec<String> {
    findings(&format!("{LAMP}{rules}"))
}

#[test]
fn the_corpus_is_right() {
    for game in relatives().iter().filter(|it| !it.is_market) {
        assert_eq!(findings(game.text), [""; 0], "{}", game.name);
        assert_eq!(Language::of_text(game.text, 100), Ok(Language::RealTime), "{}", game.name);
    }
}

#[test]
fn keywords_stand_where_they_may() {
    assert_eq!(with(""), [""; 0]);
    let starts = |rules: &str, start: &str| {
        let found = with(rules);
        assert!(found.iter().any(|it| it.starts_with(start)), "{rules}: {found:?}");
    };
    starts("(expired lit)", "GF0406 `expired` is the head of a fact");
    starts("(<= (true ?t lit) (true ?t lit))", "GF0406 `true` is the head of a rule");
    starts("(<= (p ?t) (next ?t lit))", "GF0407 `next` stands in the body");
    starts("(<= (init 1 a) (true ?t lit))", "GF0405 `init` depends on `true`");
    starts("(<= (role bob) (expired lit))", "GF0405 `role` depends on `expired`");
    starts("(<= (legal ann pull) (does ann push))", "GF0408 `legal` depends on `does`");
    starts("(<= (goal ann 5) (p)) (<= p (does ann push))", "GF0408 `goal` depends on `does`");
    starts("(goal ann 101)", "GF0409 the goal value `101`");
    starts("(<= (p ?x) (not (q ?x))) (q 1)", "GF0302 the variable `?x` is not bound");
    starts("(<= p (not q)) (<= q (not p))", "GF0306 ");
    assert!(findings("(init 1 a)").iter().any(|it| it.contains("GF0401")));
}

#[test]
fn keywords_take_their_arguments() {
    let read = |text: &str| {
        Rulebook::read(text.as_bytes(), Language::RealTime, "t", &Limits::default())
            .expect_err("it is no rtGDL")
            .to_string()
    };
    assert_eq!(read("(role a) (init f)"), "t:1:10: `init` takes 2 arguments, not 1");
    assert_eq!(read("(role a) (<= p (expired 1 f))"), "t:1:16: `expired` takes 1 argument, not 2");
    let mixed = "(role a) (init 1 f)\n(<= (next f) (true f))";
    assert!(read(mixed).contains("`next` takes 2 arguments"));
    assert!(Language::of_text(mixed, 100).expect_err("a mixture").message.contains("mixture"));
}

#[test]
fn chance_moves_at_once_and_percepts_are_told() {
    let mut timeline = start(relative("fuse").expect("of the corpus").text);
    assert_eq!(timeline.random(), Some(1));
    // It has moved before any time has passed.
    assert_eq!(timeline.events().len(), 2);
    assert!(timeline.events()[1].moves.iter().all(|it| it.0 == 1));
    play(&mut timeline, "(1.5 sapper (cut red))", "10");
    assert!(timeline.is_over());
    let shown = lines(&mut timeline);
    assert!(shown[0].starts_with("0  (random (charge ") && shown[1] == "1  expired tick");
    let percepts: Vec<usize> = timeline.events().iter().map(|it| it.percepts.len()).collect();
    assert_eq!(percepts, [0, 0, 1, 0]);
}

#[test]
fn chance_that_never_rests_is_ended() {
    let text = "(role random) (role ann) (init 1 a) (legal random roll) (legal ann push)
        (<= (next 1 a) (true ?t a)) (<= terminal (expired a)) (goal ann 0)";
    let reasoner = RealTimeReasoner::new(&book(text), Limits::default()).expect("rules");
    let ended = Timeline::new(reasoner, 1, None);
    assert!(matches!(ended, Err(RealTimeError::Restless(1000))));
}
