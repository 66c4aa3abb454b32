//! Turing machines: GDL, not bounded, not to be grounded, and played as they run.

use groundfrog::GroundError;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::{CheckOptions, Fragment, check_text};
use groundfrog_corpus::{BUSY_BEAVER, turing_machine};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{InterpretedReasoner, Reasoner, State, Vocabulary};

use super::show_all;

fn game() -> String {
    turing_machine(BUSY_BEAVER).expect("a machine")
}

#[test]
fn it_is_gdl_but_not_bounded_and_cannot_be_ground() {
    // On a busy machine it may take longer than by default.
    let limits = Limits { time: None, ..Limits::default() };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let report = check_text(game().as_bytes(), &ParseOptions::default(), &options);
    assert_eq!(report.fragment, Fragment::Unbounded);
    let [only] = report.diagnostics.as_slice() else { panic!("{:#?}", show_all(&report)) };
    assert_eq!(only.code, "GF0503");
    assert!(only.help[0].contains("`(next (tape ...))` <- `(true (tape ...))`"), "{:?}", only.help);
    let description =
        Description::parse(game().as_bytes(), &ParseOptions::default()).expect("a description");
    let error =
        ground(&description, &GroundOptions::flat(), &mut Silent).expect_err("terms without bound");
    assert!(matches!(error, GroundError::Unbounded(_)), "{error}");
    assert!(error.to_string().contains("grow deeper than"), "{error}");
}

#[test]
fn the_busy_beaver_accepts_after_fourteen_moves_with_six_ones() {
    let description =
        Description::parse(game().as_bytes(), &ParseOptions::default()).expect("a description");
    let mut reasoner =
        InterpretedReasoner::new(&description, Limits::default()).expect("rules to interpret");
    let machine = reasoner.role_ids().next().expect("a role");
    let (mut state, mut moves, mut steps) = (reasoner.initial().clone(), Vec::new(), 0);
    while !reasoner.is_terminal(&state).expect("an answer") {
        reasoner.legal_moves(&state, machine, &mut moves).expect("an answer");
        assert_eq!(moves.len(), 1, "the machine is deterministic");
        let mut next = State::default();
        reasoner.next_state(&state, &moves, &mut next).expect("a legal move");
        state = next;
        steps += 1;
        assert!(steps <= 14, "{:?}", reasoner.state_text(&state));
    }
    assert_eq!(steps, 14);
    assert_eq!(reasoner.goal(&state, machine), Ok(100));
    let text = reasoner.state_text(&state).expect("its own state");
    assert!(text.contains(&"(state H)".to_owned()), "{text:?}");
    let tape = text.iter().find(|it| it.starts_with("(tape ")).expect("a tape");
    assert_eq!(tape.matches('1').count(), 6, "{tape}");
}
