//! Turing machines: GDL, not bounded, not to be ground, and played as they run.

use groundfrog::check::Fragment;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::GroundError;
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_corpus::{BUSY_BEAVER, turing_machine};
use groundfrog_engine::observe::Silent;

use super::{check, show_all};

fn game() -> String {
    turing_machine(BUSY_BEAVER).expect("a machine")
}

/// The ground rules of a description, a line each.
fn ground_lines(text: &str) -> Result<Vec<String>, GroundError> {
    let description =
        Description::parse(text.as_bytes(), &ParseOptions::default()).expect("a description");
    let grounding = ground(&description, &GroundOptions::default(), &mut Silent)?;
    let mut lines = Vec::new();
    groundfrog::emit::canonical::write(&grounding.game, &mut lines).expect("a vector");
    Ok(String::from_utf8(lines).expect("text").lines().map(str::to_owned).collect())
}

#[test]
fn it_is_gdl_but_not_bounded_and_cannot_be_ground() {
    let report = check(game());
    assert_eq!(report.fragment, Fragment::Unbounded);
    let [only] = report.diagnostics.as_slice() else { panic!("{:#?}", show_all(&report)) };
    assert_eq!(only.code, "GF0503");
    assert!(only.help[0].contains("`(next (tape ...) )`") || only.help[0].contains("(tape ...)"));
    let error = ground_lines(&game()).expect_err("terms without bound");
    assert!(matches!(error, GroundError::Unbounded(_)), "{error}");
    assert!(error.to_string().contains("grow without bound"), "{error}");
}

/// The fluents, moves and outcomes of one state: with the state and the moves as facts, what is left of
/// the rules can be ground.
fn derived(state: &[String], moves: &[String]) -> Vec<String> {
    let rules = game().replace("(true ", "(holds ").replace("(does ", "(done ");
    let rules: Vec<&str> = rules.lines().filter(|line| !line.starts_with("(init ")).collect();
    let holds = state.iter().map(|fluent| format!("(holds {fluent})"));
    let done = moves.iter().map(|action| format!("(done {action})"));
    let facts: Vec<String> = holds.chain(done).collect();
    ground_lines(&format!("{}\n{}", rules.join("\n"), facts.join("\n"))).expect("a ground game")
}

/// What is derived about a predicate, without its name and parentheses.
fn about(lines: &[String], name: &str) -> Vec<String> {
    let prefix = format!("({name} ");
    let of = |line: &String| Some(line.strip_prefix(&prefix)?.strip_suffix(')')?.to_owned());
    lines.iter().filter_map(of).collect()
}

#[test]
fn the_busy_beaver_accepts_after_fourteen_moves_with_six_ones() {
    let mut state = vec!["(state A)".to_owned(), "(tape end 0 end)".to_owned()];
    let mut steps = 0;
    let last = loop {
        let lines = derived(&state, &[]);
        if lines.iter().any(|line| line == "terminal") {
            break lines;
        }
        let moves = about(&lines, "legal");
        assert_eq!(moves.len(), 1, "the machine is deterministic: {moves:?}");
        state = about(&derived(&state, &moves), "next");
        steps += 1;
        assert!(steps <= 14, "{state:?}");
    };
    assert_eq!(steps, 14);
    assert_eq!(about(&last, "goal"), ["machine 100"]);
    assert!(state.contains(&"(state H)".to_owned()), "{state:?}");
    let tape = state.iter().find(|it| it.starts_with("(tape ")).expect("a tape");
    assert_eq!(tape.matches('1').count(), 6, "{tape}");
}
