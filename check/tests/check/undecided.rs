//! What is not decided is not told as decided, and what follows from a finding is not one more.

use std::fmt::Write;
use std::time::Duration;

use groundfrog::ParseOptions;
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::explore::{ExploreOptions, Verdict, explore, findings};
use groundfrog_check::{CheckOptions, CheckReport, Fragment, check_text, json, sarif};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::GroundReasoner;

use super::{check, show_all};

/// Two stacks between which things go to and fro: shapes grow without end, and values are many.
const STACKS: &str = "(role p) (init (s (c a (c b nil)))) (init (h nil)) (legal p a) (legal p b)
(<= (next (h (c ?m ?x))) (does p a) (true (h ?x)) (true (s (c ?m ?y))))
(<= (next (s ?x)) (does p a) (true (s (c ?m ?x))))
(<= (next (s (c ?m ?x))) (does p b) (true (s ?x)) (true (h (c ?m ?y))))
(<= (next (h ?x)) (does p b) (true (h (c ?m ?x))))
(<= terminal (true (s nil))) (<= (goal p 100) (role p))";

const SMALL: &str = "(role r) (init a) (legal r m) (next a) (<= terminal (true a)) (goal r 50)";

fn check_within(text: &str, limits: Limits) -> CheckReport {
    let options = CheckOptions { limits, ..CheckOptions::default() };
    check_text(text.as_bytes(), &ParseOptions::default(), &options)
}

#[test]
fn a_game_is_not_called_bounded_when_time_runs_out() {
    let short = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let mut ring = SMALL.to_owned();
    for number in 0..1100 {
        write!(ring, "(<= (v{number} ?x) (v{} ?x)) ", (number + 1) % 1100)
            .expect("memory takes it");
    }
    let ring = format!("{ring} (<= (v0 ?x) (true ?x)) (<= (goal r 3) (v0 b))");
    for report in [
        check_within(STACKS, short),
        check(&ring),
        check(format!("{SMALL} (<= (goal r 3) {})", "(true a)".repeat(3000))),
        check("(".repeat(300)),
    ] {
        assert_eq!(report.fragment, Fragment::Unknown, "{:?}", show_all(&report));
        let why = report.undecided.clone().expect("what was not decided");
        assert!(why.contains(": "), "{why}");
        let mut text = Vec::new();
        json::write(std::slice::from_ref(&report), &mut text).expect("memory takes everything");
        let value: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!(value["files"][0]["fragment"], "unknown");
        assert_eq!(value["files"][0]["undecided"], why.as_str());
        text.clear();
        sarif::write(std::slice::from_ref(&report), &mut text).expect("memory takes everything");
        let value: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let run = &value["runs"][0];
        assert_eq!(run["artifacts"][0]["properties"]["fragment"], "unknown");
        let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(told, &format!("not decided: {why}"));
    }
    assert_eq!(check(SMALL).fragment, Fragment::Propositional);
}

/// The help of the finding with a code.
fn help(text: &str, code: &str) -> Vec<String> {
    let report = check(text);
    let found = report.diagnostics.iter().filter(|it| it.code == code);
    found.flat_map(|it| it.help.clone()).collect()
}

#[test]
fn a_variable_under_not_alone_is_helped_by_a_view() {
    for (rule, view) in [
        ("(<= terminal (not (true (cell ?x b))))", "(<= some_cell (true (cell ?x b)))"),
        ("(<= (goal r 7) (true (at ?y)) (not (line ?y ?z)))", "(<= (some_line ?y) (line ?y ?z))"),
    ] {
        let help = help(&format!("{SMALL} (init (at 1)) (line 1 1) {rule}"), "GF0302");
        let [help] = help.as_slice() else { panic!("{rule}: {help:?}") };
        assert!(help.contains(view), "{help}");
        // What is suggested is a rule that can be taken.
        let head = view.trim_start_matches("(<= ").split(" (true").next().unwrap_or_default();
        let head = head.split(" (line").next().unwrap_or_default();
        assert!(help.contains(&format!("(not {head})")), "{help}");
        let negated = rule.split("(not ").next().unwrap_or_default();
        let mended = format!("{SMALL} (init (at 1)) (line 1 1) {view} {negated} (not {head}))");
        assert!(!show_all(&check(&mended)).iter().any(|it| it.contains("GF0302")), "{mended}");
    }
    let general = help(&format!("{SMALL} (<= (goal ?x 1) (not (true (at ?x))))"), "GF0302");
    assert!(general[0].contains("add a literal without `not`"), "{general:?}");
}

#[test]
fn a_name_that_is_spelled_alike_is_suggested() {
    let text = format!(
        "{SMALL} (neighbour 1 2) (<= (goal r 1) (nieghbour 1 2)) (<= (goal r 2) (neigbour 1 2))"
    );
    for it in help(&text, "GF0201") {
        assert_eq!(it, "did you mean `neighbour`, which is defined and never used?");
    }
    assert_eq!(help(&text, "GF0201").len(), 2);
    let used = format!(
        "{SMALL} (neighbour 1 2) (<= (goal r 9) (neighbour 1 2)) (<= (goal r 1) (nieghbour 1 2))"
    );
    assert_eq!(help(&used, "GF0201"), ["did you mean `neighbour`?"]);
    // Others are not.
    for other in ["(neighbour 1)", "(kneecap 1 2)"] {
        let text = format!("{SMALL} {other} (<= (goal r 1) (nieghbour 1 2))");
        assert!(!help(&text, "GF0201").iter().any(|it| it.contains("did you mean")), "{other}");
    }
}

#[test]
fn percept_is_a_keyword_of_gdl_ii() {
    let text = "(role r)\n(init a)\n(legal r m)\n(next a)\n(<= terminal (true a))\n(goal r 50)
(<= (sees r ?p) (does r m) (kind ?p))\n(kind hot)\n(shade cold)\n(percept r hot)\n(<= (percept r ?p) (shade ?p))\n";
    assert_eq!(show_all(&check(text)), [""; 0]);
}

#[test]
fn what_follows_from_a_role_without_a_move_is_no_finding() {
    let text = "(role ann) (role ben) (init (step 0)) (legal ann wait) (<= (legal ben wait) (true (step 1)))
(<= (next (step 1)) (true (step 0))) (<= terminal (true (step 1))) (<= (goal ?r 100) (role ?r))";
    let report = check(text);
    let description = groundfrog::Description::parse(text.as_bytes(), &ParseOptions::default())
        .expect("a description");
    let game = ground(&description, &GroundOptions::flat(), &mut Silent).expect("a game").game;
    let mut reasoner = GroundReasoner::new(game).expect("a game");
    let found = explore(&mut reasoner, &ExploreOptions::default(), &mut |_| {});
    let codes: Vec<_> = findings(&found, &description).iter().map(|it| it.code).collect();
    assert_eq!(codes, ["GF0702"]);
    assert_eq!(found.termination, Verdict::Undecided);
    assert!(found.winnable.iter().all(|it| it.1 == Verdict::Undecided));
    assert_eq!(report.fragment, Fragment::Bounded);
}

#[test]
fn who_cannot_win_is_reported_at_a_goal_of_that_role() {
    let text =
        "(role ann) (role ben) (init a) (legal ann m) (legal ben m) (next b) (<= terminal (true b))
(goal ann 100)\n(<= (goal ben 100) (true a))\n(<= (goal ben 1) (true b))";
    let description = groundfrog::Description::parse(text.as_bytes(), &ParseOptions::default())
        .expect("a description");
    let game = ground(&description, &GroundOptions::flat(), &mut Silent).expect("a game").game;
    let mut reasoner = GroundReasoner::new(game).expect("a game");
    let found = explore(&mut reasoner, &ExploreOptions::default(), &mut |_| {});
    let findings = findings(&found, &description);
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.code, finding.span().text(text)), ("GF0704", "(goal ben 100)"));
}
