//! What is no market of MSL.

use groundfrog::description::Language;
use groundfrog_corpus::{relative, relatives};

use super::findings;

#[test]
fn the_corpus_is_right() {
    for market in relatives().iter().filter(|it| it.is_market) {
        assert_eq!(findings(market.text), [""; 0], "{}", market.name);
        assert_eq!(Language::of_text(market.text, 100), Ok(Language::Market), "{}", market.name);
    }
}

#[test]
fn outbid_as_printed_is_unsafe_and_the_help_has_the_literal() {
    let text = relative("sealed_bid").expect("of the corpus").text;
    let printed = text.replace("(true (bid ?b ?p)) ", "");
    assert_ne!(printed, text);
    assert_eq!(
        findings(&printed),
        [
            "GF0302 the variable `?p` is not bound by a positive literal [add `(true (bid ?b ?p))` to the rule]"
        ]
    );
}

#[test]
fn messages_are_tests() {
    let text = relative("sealed_bid").expect("of the corpus").text;
    let found = findings(&format!("{text} (<= (next (said ?m)) (trader ?a) (message ?a ?m))"));
    assert!(
        found.iter().any(|it| it.starts_with("GF0808 `message` stands in the body")),
        "{found:?}"
    );
    // Only the message is known when it is tested.
    let found = findings(&format!("{text} (<= (message ?a (offer ?p)) (>= ?p 0))"));
    assert!(found[0].starts_with("GF0302 the variable `?a`"), "{found:?}");
    let found = findings(&format!("{text} (<= (message ?a ?m) (trader ?a) (receive ?a ?m))"));
    assert!(
        found.iter().any(|it| it.starts_with("GF0408 `message` depends on `receive`")),
        "{found:?}"
    );
}

#[test]
fn keywords_stand_where_they_may() {
    let text = relative("sealed_bid").expect("of the corpus").text;
    let starts = |rules: &str, start: &str| {
        let found = findings(&format!("{text} {rules}"));
        assert!(found.iter().any(|it| it.starts_with(start)), "{rules}: {found:?}");
    };
    starts("(time 4)", "GF0406 `time` is the head of a fact");
    starts("(< 1 2)", "GF0406 `<` is the head of a fact");
    starts("(<= (legal x) (receive a_1 x))", "GF0408 `legal` depends on `receive`");
    starts("(<= (trader x) (time 2))", "GF0405 `trader` depends on `time`");
    starts("(<= (p ?x) (send ?x y))", "GF0407 `send` stands in the body");
    let found = findings("(<= terminal (time 2))");
    assert!(found.iter().any(|it| it.starts_with("GF0804")), "{found:?}");
}

#[test]
fn a_comparison_and_an_arrow_are_told_apart() {
    let found = findings(
        "(trader a) (message a x) (<= (send a x) (receive a x) (time ?t) (<= ?t 3))
        (<= terminal (time 4))",
    );
    assert_eq!(found, [""; 0]);
}
