//! What grounding makes of descriptions with a fault that does not matter, with one that does, or with nothing wrong but
//! their size.

#[path = "front_end/again.rs"]
mod again;

use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit::canonical;
use groundfrog::ground::{Grounding, ground};
use groundfrog::options::{Domains, GroundOptions};
use groundfrog::{GroundError, Silent};

/// A lamp that ann may push.
const LAMP: &str = "(role ann) (init (lamp off)) (legal ann push) (legal ann wait)
(<= (next (lamp on)) (does ann push))
(<= (next (lamp ?x)) (true (lamp ?x)) (does ann wait))
(<= terminal (true (lamp on))) (<= (goal ann 100) (true (lamp on)))
";

fn ground_as(text: &str, options: &GroundOptions) -> Result<Grounding, GroundError> {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default())?;
    ground(&description, options, &mut Silent)
}

fn with(domains: Domains) -> GroundOptions {
    GroundOptions { domains, ..GroundOptions::flat() }
}

fn lines(grounding: &Grounding) -> Vec<String> {
    canonical::lines(&grounding.game).map(|it| it.to_string()).collect()
}

/// The codes of the errors that a description is refused for.
fn refused(text: &str, options: &GroundOptions) -> Vec<&'static str> {
    match ground_as(text, options) {
        Err(GroundError::Description(faults)) => {
            faults.diagnostics.iter().map(|it| it.code).collect()
        }
        other => panic!("{text}: {:?}", other.map(|_| "grounded")),
    }
}

#[test]
fn wrong_base_and_input_stop_no_game_that_does_not_ask_for_them() {
    let plain = lines(&ground_as(LAMP, &with(Domains::OneStep)).expect("a game"));
    for (line, warning, fault) in [
        ("(base (lamp ?x))", "GF0303", "GF0302"),
        ("(base ?f)", "GF0303", "GF0302"),
        ("(input ann ?m)", "GF0303", "GF0302"),
        ("(<= (base (lamp ?x)) (shade ?y)) (shade on)", "GF0303", "GF0302"),
        (
            "(<= (base (lamp ?x)) (shade ?x)) (<= (shade ?x) (not (lit ?x))) (lit on)",
            "GF0303",
            "GF0302",
        ),
        ("(base (lamp on) (lamp off))", "GF0206", "GF0109"),
        ("(input (push))", "GF0206", "GF0109"),
        ("(<= (base lamp ?x) (shade ?x)) (shade on)", "GF0206", "GF0109"),
    ] {
        let text = format!("{LAMP}{line}");
        for domains in [Domains::OneStep, Domains::Iterative] {
            let found =
                ground_as(&text, &with(domains)).unwrap_or_else(|it| panic!("{line}: {it}"));
            assert_eq!(lines(&found), plain, "{line}");
            let codes: Vec<_> = found.warnings.iter().map(|it| it.code).collect();
            assert_eq!(codes, [warning], "{line}");
        }
        let given = format!("{text} (base (lamp off)) (input ann wait)");
        assert_eq!(refused(&given, &with(Domains::Given)), [fault], "{line}");
        let asked = match line.contains("input") {
            true => format!("{text} (<= (goal ann 7) (input ann push))"),
            false => format!("{text} (<= (goal ann 7) (base (lamp on)))"),
        };
        assert_eq!(refused(&asked, &with(Domains::OneStep)), [fault], "{line}");
    }
}

#[test]
fn base_in_the_notation_of_2011_is_taken_where_it_is_asked_for() {
    let dial =
        "(k 1) (k 2) (<= (legal ann (turn ?x)) (k ?x)) (<= (next (lamp ?x)) (does ann (turn ?x)))
        (input ann push) (input ann wait)";
    let old = format!("{LAMP}{dial} (base lamp (on off 1 2)) (input (ann) turn (1 2))");
    let new = format!(
        "{LAMP}{dial} (base (lamp on)) (base (lamp off)) (base (lamp 1)) (base (lamp 2))
        (input ann (turn 1)) (input ann (turn 2))"
    );
    let ground = |text: &str| ground_as(text, &with(Domains::Given)).expect("a game");
    assert_eq!(lines(&ground(&old)), lines(&ground(&new)));
    assert!(lines(&ground(&old)).contains(&"(<= (next (lamp 2)) (does ann (turn 2)))".to_owned()));
    let asks = "(<= (legal ann (set ?x ?y)) (base (dial ?x ?y)))";
    let old = format!("{LAMP} {asks} (base dial (1 2) (a b))");
    let new =
        format!("{LAMP} {asks} (d 1) (d 2) (e a) (e b) (<= (base (dial ?x ?y)) (d ?x) (e ?y))");
    let ground = |text: &str| ground_as(text, &with(Domains::OneStep)).expect("a game");
    assert_eq!(lines(&ground(&old)), lines(&ground(&new)));
    assert!(lines(&ground(&old)).contains(&"(legal ann (set 2 b))".to_owned()));
}

#[test]
fn what_is_known_before_a_state_may_not_depend_on_one() {
    for (rules, code, path) in [
        ("(<= (init (f 1)) (true (lamp off)))", "GF0405", "`init` depends on `true`"),
        (
            "(<= (init (f 1)) (p 1)) (<= (p ?x) (q ?x)) (<= (q 1) (not (true (lamp off))))",
            "GF0405",
            "init <- p <- q <- not true",
        ),
        ("(<= (role ben) (does ann push))", "GF0405", "`role` depends on `does`"),
        ("(<= (init (f 1)) (sees ann push)) (sees ann push)", "GF0405", "`init` depends on `sees`"),
        ("(<= (legal ann pull) (does ann push))", "GF0408", "`legal` depends on `does`"),
        ("(<= terminal (next (lamp on)))", "GF0408", "terminal <- next <- does"),
        (
            "(<= (goal ann 1) pushed) (<= pushed (does ann push))",
            "GF0408",
            "goal <- pushed <- does",
        ),
    ] {
        let text = format!("{LAMP}{rules}");
        for options in [GroundOptions::flat(), GroundOptions::compact()] {
            let error = ground_as(&text, &options).expect_err(rules);
            let GroundError::Description(faults) = error else { panic!("{rules}: {error}") };
            let [fault] = faults.diagnostics.as_slice() else { panic!("{rules}: {faults}") };
            let told =
                [std::slice::from_ref(&fault.message), fault.help.as_slice()].concat().join("\n")
                    + &fault.labels.iter().map(|it| it.text.as_str()).collect::<String>();
            assert_eq!(fault.code, code, "{rules}");
            assert!(told.contains(path), "{rules}: {told}");
        }
    }
}

#[test]
fn an_unsafe_rule_that_can_never_fire_is_left_out() {
    let plain = lines(&ground_as(LAMP, &GroundOptions::flat()).expect("a game"));
    for rule in [
        "(<= (legal ?p ?p) (never a))",
        "(<= (legal ?p ?p) (view a)) (<= (view ?x) (never ?x))",
        "(<= (legal ann ?p) (true (lamp broken ?q)))",
        "(<= (legal ann ?p) (does ben ?q))",
        "(<= (goal ann ?p) (colour red)) (colour blue)",
        "(<= (goal ann ?p) (true (lamp on)) (round ?x) (distinct ?x ?x)) (round 1)",
        "(<= (goal ann ?p) (loop ?x)) (<= (loop ?x) (loop ?x))",
    ] {
        let text = format!("{LAMP}{rule}");
        let found =
            ground_as(&text, &GroundOptions::flat()).unwrap_or_else(|it| panic!("{rule}: {it}"));
        assert!(found.warnings.iter().any(|it| it.code == "GF0303"), "{rule}");
        let rules = lines(&found);
        assert!(plain.iter().all(|it| rules.contains(it)), "{rule}: {rules:?}");
        assert!(!rules.iter().any(|it| it.contains('?')), "{rule}: {rules:?}");
    }
    for rule in [
        "(<= (legal ann ?p) (true (lamp ?q)))",
        "(<= (legal ann ?p) (does ?r push))",
        "(<= (goal ann ?p) (or (never a) (true (lamp on))))",
        "(<= (goal ann ?p) (or (true (lamp on)) (never a)))",
        "(<= (goal ann ?p) (not (never a)))",
    ] {
        assert_eq!(refused(&format!("{LAMP}{rule}"), &GroundOptions::flat()), ["GF0302"], "{rule}");
    }
}

#[test]
fn the_rules_in_a_message_of_the_protocol_are_taken() {
    let plain = lines(&ground_as(LAMP, &GroundOptions::flat()).expect("a game"));
    for text in [
        format!("(START match.1 ann ({LAMP}) 30 10)"),
        format!("(start m ann\n  ({LAMP})\n  30 10)\n"),
        format!("(Preview ({LAMP}) 10)"),
    ] {
        let found =
            ground_as(&text, &GroundOptions::flat()).unwrap_or_else(|it| panic!("{text}: {it}"));
        assert_eq!(lines(&found), plain);
        assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    }
    // Places are those in the message.
    let error = ground_as("(START m ann\n((role ann) (legal ann)) 30 10)", &GroundOptions::flat());
    assert_eq!(
        error.expect_err("`legal` takes two").to_string(),
        "<input>:2:13: `legal` takes 2 arguments, not 1"
    );
    // What is no message stays what it was.
    let fact = format!("{LAMP} (start a b (c d) e f) (preview x)");
    assert_eq!(lines(&ground_as(&fact, &GroundOptions::flat()).expect("facts")), plain);
}
