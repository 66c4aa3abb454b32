//! The judge of rules: what is wrong, where, and whether its edits mend it.

use groundfrog_check::judge::{Edit, JudgeOptions, Judgement, ReasonKind, judge};
use groundfrog_check::verify::Trace;
use groundfrog_reasoner::GroundReasoner;

const LAMP: &str = "(role robot) (init (lamp off)) (legal robot push)
 (<= (next (lamp on)) (does robot push)) (<= terminal (true (lamp on)))
 (<= (goal robot 100) (true (lamp on))) (<= (goal robot 0) (true (lamp off)))";

fn judged(text: &str) -> Judgement {
    judge(text.as_bytes(), &JudgeOptions::default())
}

fn kinds(judged: &Judgement) -> Vec<ReasonKind> {
    judged.reasons.iter().map(|it| it.kind).collect()
}

/// Applies edits until there are none.
fn mended(text: &str) -> Judgement {
    let mut judgement = judged(text);
    for _ in 0..10 {
        let Some(text) = judgement.mended() else { return judgement };
        judgement = judged(&text);
    }
    panic!("edits do not end: {:?}", judgement.reasons)
}

#[test]
fn each_kind_of_fault_has_its_name_and_place() {
    let cases = [
        ("(role robot", ReasonKind::Syntax, "(role robot"),
        ("(<= (next (lamp ?x)) (does robot push))", ReasonKind::Safety, "(next (lamp ?x))"),
        ("(<= on (not on)) (<= (next p) on)", ReasonKind::Fragment, "on"),
        ("(goal robot 101)", ReasonKind::Restriction, "(goal robot 101)"),
    ];
    for (added, kind, place) in cases {
        let judgement = judged(&format!("{LAMP} {added}"));
        assert_eq!(judgement.valid(), Some(false), "{added}");
        assert_eq!(kinds(&judgement)[0], kind, "{added}");
        let span = judgement.reasons[0].finding.span();
        assert!(place.starts_with(span.text(&judgement.source)), "{added}: {span:?}");
    }
}

#[test]
fn edits_mend_notation() {
    let inner = LAMP.replacen("push))", "push)", 1);
    let several =
        LAMP.replacen("(does robot push)) (<= terminal", "(does robot push (<= terminal", 1);
    for damaged in
        [&LAMP[..LAMP.len() - 1], &inner, &several, &format!("{LAMP})"), &format!("{LAMP}()")]
    {
        assert_eq!(judged(damaged).valid(), Some(false), "{damaged}");
        let after = mended(damaged);
        assert_eq!(after.valid(), Some(true), "{damaged}\n{}\n{:?}", after.source, after.reasons);
    }
}

#[test]
fn a_variable_is_renamed_where_just_one_is_nearly_the_same() {
    let rule = "(<= (next (seen ?state)) (true (lamp ?stat)))";
    assert_eq!(mended(&format!("{LAMP} {rule}")).valid(), Some(true));
    let unlike = "(<= (next (seen ?state)) (true (lamp ?other)))";
    assert!(judged(&format!("{LAMP} {unlike}")).mended().is_none());
}

#[test]
fn a_role_that_sticks_gets_a_move_and_other_states_keep_theirs() {
    let stuck = LAMP.replacen(
        "(legal robot push)",
        "(<= (legal robot push) (true (lamp off)) (not dim)) (<= dim (true (lamp off))) ; always",
        1,
    );
    let judgement = judged(&stuck);
    assert_eq!(kinds(&judgement), [ReasonKind::Playability]);
    let text = judgement.mended().expect("an edit");
    assert!(text.ends_with("(<= (legal robot noop) (not (can_move robot)))\n"), "{text}");
    // Nobody is stuck. Now no match can end, which only the author can mend.
    let codes: Vec<&str> = judged(&text).reasons.iter().map(|it| it.finding.code).collect();
    assert_eq!(codes, ["GF0709"]);
    // A move that is never legal makes `terminal` one that never holds. That nobody can move is why.
    let never =
        LAMP.replacen("(legal robot push)", "(<= (legal robot push) (true (lamp broken)))", 1);
    let judgement = judged(&never);
    let codes: Vec<&str> = judgement.reasons.iter().map(|it| it.finding.code).collect();
    assert_eq!(codes, ["GF0702"]);
    assert!(judgement.mended().is_some_and(|it| it.contains("(legal robot noop)")));
}

#[test]
fn a_reference_is_compared_by_what_players_can_tell() {
    let reference = GroundReasoner::of_text(LAMP).expect("a game");
    let options = JudgeOptions { reference: Some(reference), ..JudgeOptions::default() };
    let by = |text: &str| judge(text.as_bytes(), &options);
    assert_eq!(by(&LAMP.replace("lamp", "light")).valid(), Some(true));
    let differs = by(&LAMP.replace("100", "90"));
    assert_eq!(kinds(&differs), [ReasonKind::Reference]);
    let finding = &differs.reasons[0].finding;
    assert_eq!(finding.message, "(goal robot 100) should hold and does not, by the reference game");
    assert_eq!(finding.span().text(&differs.source), "(goal robot 90)");
    let roles = by(&LAMP.replace("robot", "droid"));
    assert!(roles.reasons[0].finding.message.starts_with("(role "), "{:?}", roles.reasons);
}

#[test]
fn a_trace_is_followed() {
    let trace = "{\"playout\":0,\"step\":0,\"state\":[\"(lamp off)\"],\"legal\":{\"robot\":[\"push\"]},\
                 \"terminal\":false,\"goal\":{\"robot\":[5]},\"move\":{\"robot\":\"push\"}}\n";
    let trace = Trace::parse(trace).expect("a line");
    let options = JudgeOptions { trace: Some(trace.into()), ..JudgeOptions::default() };
    let judgement = judge(LAMP.as_bytes(), &options);
    assert_eq!(kinds(&judgement), [ReasonKind::Trace]);
    assert_eq!(judgement.reasons[0].finding.span().text(&judgement.source), "(goal robot 100)");
}

#[test]
fn edits_are_applied_in_the_order_of_their_places() {
    let judgement = judged(&format!("{LAMP} (<= (next (seen ?state)) (true (lamp ?stat)))"));
    let edits: Vec<Edit> = judgement.reasons[0].edits.iter().rev().cloned().collect();
    assert_eq!(Some(Edit::apply(&edits, &judgement.source)), judgement.mended());
}

#[test]
fn games_of_the_corpus_are_valid_and_damaged_ones_end() {
    for name in ["tictactoe", "nim", "card_draw", "breakthrough"] {
        let text = groundfrog_corpus::game(name).expect("a game").text;
        let options =
            JudgeOptions { limits: groundfrog::Limits::default(), ..JudgeOptions::default() };
        let judgement = judge(text.as_bytes(), &options);
        assert_eq!(judgement.valid(), Some(true), "{name}: {:?}", judgement.reasons);
    }
    for place in (0..LAMP.len()).step_by(5) {
        let damaged = format!("{}{}", &LAMP[..place], &LAMP[place + 1..]);
        let judgement = judged(&damaged);
        assert!(judgement.valid() == Some(true) || !judgement.reasons.is_empty());
    }
}
