//! What cannot be shown as one example beside a game: what is missing, and what is left out.

use std::time::Duration;

use groundfrog::kif::Severity;
use groundfrog::options::Limits;
use groundfrog::{Description, GroundError, GroundOptions, ParseOptions, Silent};
use groundfrog_check::{CheckOptions, Fragment, check_text};

use super::{check, show_all};

#[test]
fn what_every_game_needs() {
    let report = check("(p a)");
    let found = show_all(&report);
    for expected in [
        "1:1: error GF0401: there is no rule or fact about `role`: nobody plays",
        "1:1: warning GF0402: there is no rule or fact about `legal`: nobody can ever move",
        "1:1: warning GF0402: there is no rule or fact about `next`: every state after the first is empty",
        "1:1: warning GF0402: there is no rule or fact about `terminal`: a match never ends",
        "1:1: warning GF0402: there is no rule or fact about `goal`: no state is worth anything to anybody",
        "1:1: note GF0403: there is no rule or fact about `init`: the first state is empty",
    ] {
        assert!(found.iter().any(|it| it == expected), "{expected} is missing in {found:#?}");
    }
    assert_eq!(report.fragment, Fragment::NotGdl);
}

#[test]
fn unsafe_rules_that_nothing_needs_are_warned_of() {
    let game = "(role r)\n(init a)\n(legal r m)\n(next a)\n(<= terminal (true a))\n(goal r 50)\n";
    let report = check(format!("{game}(<= (p ?x) (true a))"));
    let found = show_all(&report);
    let expected = "7:5: warning GF0303: the variable `?x` is not bound by a positive literal";
    assert!(found.iter().any(|it| it == expected), "{found:#?}");
    assert_eq!(report.fragment, Fragment::Bounded);
    assert_eq!(check(game).fragment, Fragment::Propositional);
    assert_eq!(show_all(&check(game)), [""; 0]);
}

#[test]
fn the_literal_of_an_unsafe_variable_is_shown() {
    let game = "(role r)\n(init a)\n(legal r m)\n(next a)\n(<= terminal (true a))\n(goal r 50)\n";
    for (body, literal) in [
        ("(not (true ?x))", "(true ?x)"),
        ("(true a) (distinct ?x a)", "(distinct ?x a)"),
        ("(true a) (or (true b) (distinct a ?x))", "(distinct a ?x)"),
        ("(or (true b) (not (and (true a) (true ?x)))) (true a)", "(true ?x)"),
    ] {
        let report = check(format!("{game}(<= (legal r n) {body})"));
        let faults: Vec<_> = report.diagnostics.iter().filter(|it| it.code == "GF0302").collect();
        let [fault] = faults.as_slice() else { panic!("{body}: {faults:?}") };
        assert_eq!(fault.span().text(&report.source), literal, "{body}");
    }
}

#[test]
fn gdl_ii_is_recognised() {
    let game = "(role r)\n(init a)\n(legal r m)\n(next a)\n(<= terminal (true a))\n(goal r 50)\n";
    assert!(!check(game).gdl_ii);
    let random = format!("{game}(role random)\n(legal random roll)\n");
    let random = check(random);
    assert!(random.gdl_ii, "a role random");
    assert_eq!(
        show_all(&random),
        ["7:1: warning GF0608: `random` moves, and no rule is about `sees`"]
    );
    let sees = check(format!("{game}(<= (sees r ?m) (does r ?m))"));
    assert!(sees.gdl_ii, "sees");
    assert_eq!(show_all(&sees), [""; 0]);
}

#[test]
fn cycles_are_shown_with_each_of_their_literals() {
    let report = check(
        "(role r)\n(init a)\n(<= (legal r m)\n    odd)\n(next a)\n(<= terminal (true a))\n(goal r 50)\n\
         (<= odd\n    even)\n(<= even\n    (true a)\n    (not odd))\n",
    );
    let [cycle] = report.diagnostics.as_slice() else { panic!("{:?}", report.diagnostics) };
    assert_eq!(cycle.code, "GF0306");
    let labels: Vec<_> =
        cycle.labels.iter().map(|it| (it.span.text(&report.source), &*it.text)).collect();
    assert_eq!(
        labels,
        [
            ("odd", "`even` depends on the negation of `odd` here"),
            ("even", "`odd` depends on `even` here")
        ]
    );
    assert_eq!(cycle.help[0], "the path: even <- not odd <- even");
    assert_eq!(cycle.help[1], "once ground: odd <- even <- odd");
}

#[test]
fn recursion_is_shown_with_rule_argument_and_cycle() {
    let report = check(
        "(role r)\n(init a)\n(<= (legal r ?m) (true ?m) (p ?m))\n(next a)\n(<= terminal (true a))\n(goal r 50)\n\
         (<= (p ?x)\n    (q (f ?x)))\n(<= (q ?x)\n    (true ?x)\n    (p ?x))\n",
    );
    let found: Vec<_> = report.diagnostics.iter().filter(|it| it.code == "GF0502").collect();
    let [violation] = found.as_slice() else { panic!("{found:?}") };
    let labels: Vec<_> =
        violation.labels.iter().map(|it| (it.span.text(&report.source), &*it.text)).collect();
    assert_eq!(
        labels,
        [
            ("(q (f ?x))", "argument 1 of `q`"),
            ("(p ?x)", "`(f ?x)` is not an argument of this head")
        ]
    );
    assert_eq!(violation.help[0], "the cycle: p <- q <- p");
}

/// Two games that break the recursion restriction: one for a kind of moves, one with terms that grow.
#[test]
fn recursion_is_an_error_only_where_terms_grow() {
    let game = "(role r)\n(init a)\n(next a)\n(<= terminal (true a))\n(goal r 50)\n";
    let ground = |text: &str| {
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("a description");
        groundfrog::ground(&description, &GroundOptions::compact(), &mut Silent).map(|it| it.game)
    };
    let kinds = format!(
        "{game}(<= (legal ?r (go ?x)) (role ?r) (true ?x))\n(<= (legal ?r wait) (role ?r) (not (goes ?r)))\n\
         (<= (goes ?r) (legal ?r (go ?x)))\n"
    );
    let report = check(&kinds);
    let found: Vec<_> = report.diagnostics.iter().map(|it| (it.code, it.severity)).collect();
    assert_eq!(found, [("GF0501", Severity::Warning), ("GF0502", Severity::Warning)]);
    assert_eq!(report.fragment, Fragment::Bounded);
    assert_eq!(ground(&kinds).expect("no atom depends on itself").moves().len(), 2);
    let growing = format!("{game}(<= (legal r ?m) (p ?m))\n(p a)\n(<= (p (f ?x)) (p ?x))\n");
    let report = check(&growing);
    let found: Vec<_> = report.diagnostics.iter().map(|it| (it.code, it.severity)).collect();
    assert_eq!(found, [("GF0503", Severity::Warning), ("GF0502", Severity::Error)]);
    assert_eq!(report.fragment, Fragment::NotGdl);
    assert!(matches!(ground(&growing), Err(GroundError::Unbounded(_))));
}

#[test]
fn bad_input_gives_a_report_and_no_panic() {
    for text in
        ["", "(", ")", "()", "(<= (legal ?x", "\u{0}", "(role ?x)", "(<= p (not p))", "(p (q))"]
    {
        let report = check(text);
        assert_eq!(report.fragment, Fragment::NotGdl, "{text}");
        assert!(!report.diagnostics.is_empty(), "{text}");
    }
    let ring: String = (0..3000).map(|it| format!("(<= p{it} p{})\n", (it + 1) % 3000)).collect();
    let report = check(ring);
    assert!(report.undecided.expect("too many").contains("1024 predicates"));
}

/// A limit is no fault of the description, also where one is exceeded while `or`s are taken apart.
#[test]
fn a_limit_in_the_first_step_leaves_all_undecided() {
    let one_of_two =
        |it| format!("(or (num ?x{it}) (num2 ?x{it}) (distinct ?x{it} ?x{}))", (it + 1) % 10);
    let alternatives: String = (0..10).map(one_of_two).collect();
    let text = format!("(role r)\n(num 1)\n(num2 2)\n(<= (legal r (all ?x0)) {alternatives})");
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let report = check_text(text.as_bytes(), &ParseOptions::default(), &options);
    assert_eq!(show_all(&report), Vec::<String>::new());
    assert!(report.undecided.expect("a limit").contains("the time limit"));
}

/// A view with 30^4 instances, of which the game asks for one.
const LARGE: &str = "(role r)\n(init a)\n(next a)\n(<= terminal (true a))\n(goal r 50)\n\
    (<= (quad ?a ?b ?c ?d)\n    (num ?a)\n    (num ?b)\n    (num ?c)\n    (num ?d))\n";

#[test]
fn large_tables_are_computed_on_demand() {
    let numbers: String = (0..30).map(|it| format!("(num {it})\n")).collect();
    let game = format!("{LARGE}{numbers}");
    let fine = check(format!("{game}(<= (legal r m) (quad 1 2 3 4))"));
    assert_eq!((show_all(&fine), fine.undecided), (Vec::new(), None));
    let never = check(format!("{game}(legal r m)\n(<= (legal r n)\n    (quad 1 2 3 none))"));
    assert_eq!(
        show_all(&never),
        ["42:5: warning GF0602: this rule about `legal` can never fire"],
        "all that the rule asks for is known"
    );
    let [fault] = never.diagnostics.as_slice() else { unreachable!("just seen") };
    assert_eq!(fault.labels.len(), 1, "nothing is said of what is on demand: {:?}", fault.labels);
    let unasked = check(format!(
        "{game}(<= (legal r m) (quad 1 2 3 4))\n(<= (quad ?a ?a ?a 7)\n    (num ?a)\n    (distinct ?a 1))"
    ));
    assert_eq!(show_all(&unasked), [""; 0], "it does fire, although nobody asks for it");
}
