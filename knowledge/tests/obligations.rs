//! clingo says of every obligation what the prover says.

use std::process::{Command, Stdio};
use std::time::Duration;

use cpu_time::ThreadTime;
use groundfrog_knowledge::{AnalysisOptions, Obligation, Property, Statement, analyse};
use groundfrog_needs::needs;
use groundfrog_reasoner::GroundReasoner;

/// Whether a program has an answer set, as clingo says, and the processor time that it took; the first is `None` if it has not found
/// out in five seconds.
fn has_answer_set(obligation: &Obligation, file: &std::path::Path) -> (Option<bool>, Duration) {
    std::fs::write(file, &obligation.text).expect("a temporary file");
    let mut clingo = Command::new("clingo");
    clingo
        .arg("--outf=2")
        .arg("--warn=none")
        .arg("--time-limit=5")
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let output = clingo.output().expect("clingo is there");
    let text = String::from_utf8_lossy(&output.stdout);
    let seconds = text.split("\"CPU\":").nth(1).and_then(|rest| {
        let number = rest.trim_start().split([',', '}', '\n']).next()?;
        number.trim().parse().ok()
    });
    let time = Duration::from_secs_f64(seconds.unwrap_or_default());
    let answer = match output.status.code() {
        Some(10 | 11 | 30) => Some(true),
        Some(20) => Some(false),
        Some(1) => None,
        code => panic!(
            "clingo ends with {code:?}: {}\n{}",
            String::from_utf8_lossy(&output.stderr),
            obligation.text
        ),
    };
    (answer, time)
}

#[needs(clingo)]
#[test]
fn clingo_confirms_every_verdict() {
    let file =
        std::env::temp_dir().join(format!("groundfrog-obligation-{}.lp", std::process::id()));
    let (mut checked, mut refuted, mut undecided) = (0, 0, 0);
    let (mut own_time, mut clingo_time) = (Duration::ZERO, Duration::ZERO);
    for name in [
        "tictactoe",
        "nim",
        "rock_paper_scissors",
        "hanoi",
        "card_draw",
        "three_player_tictactoe",
        "connect_four",
        "breakthrough",
    ] {
        let text = groundfrog_corpus::game(name).expect("a game of the corpus").text;
        let mut rules = GroundReasoner::of_text(text).expect("a game that can be ground");
        let options = AnalysisOptions {
            time: Duration::from_secs(3),
            obligations: true,
            ..AnalysisOptions::default()
        };
        let start = ThreadTime::now();
        let found = analyse(&mut rules, &options).expect("rules that can be evaluated");
        own_time += start.elapsed();
        for obligation in &found.obligations {
            let (answer, time) = has_answer_set(obligation, &file);
            clingo_time += time;
            let Some(answer) = answer else {
                undecided += 1;
                continue;
            };
            let what = (name, &obligation.property, &obligation.part);
            assert_eq!(answer, obligation.has_answer_set, "{what:?}");
            checked += 1;
            refuted += usize::from(answer);
        }
    }
    let _ = std::fs::remove_file(&file);
    println!("{checked} obligations: {own_time:.2?} and clingo {clingo_time:.2?}");
    assert!(checked > 40 && refuted > 0, "{checked} obligations, {refuted} refutations");
    assert!(undecided < checked / 10, "{undecided} left undecided beside {checked}");
}

#[needs(clingo)]
#[test]
fn a_proof_that_needs_a_lemma_fails_without_it() {
    let text = groundfrog_corpus::game("tictactoe").expect("a game of the corpus").text;
    let mut rules = GroundReasoner::of_text(text).expect("a game that can be ground");
    let options = AnalysisOptions { obligations: true, ..AnalysisOptions::default() };
    let found = analyse(&mut rules, &options).expect("rules that can be evaluated");
    let squares = Property::ExactlyOne { pattern: "(square _ _ *)".to_owned() };
    let is_step = |it: &&Obligation| it.property == squares && it.part == "step";
    let step = found.obligations.iter().find(is_step).expect("squares have one content");
    let file = std::env::temp_dir().join(format!("groundfrog-lemma-{}.lp", std::process::id()));
    assert_eq!(has_answer_set(step, &file).0, Some(false));
    // Without what is assumed of states, both roles may mark at once.
    let lines = step.text.lines().filter(|line| !line.starts_with(":- not c("));
    let text = lines.collect::<Vec<&str>>().join("\n");
    assert_eq!(has_answer_set(&Obligation { text, ..step.clone() }, &file).0, Some(true));
    let _ = std::fs::remove_file(&file);
}

#[test]
fn statements_of_users_are_decided() {
    let text = groundfrog_corpus::game("tictactoe").expect("a game of the corpus").text;
    let mut rules = GroundReasoner::of_text(text).expect("a game that can be ground");
    let statements = "
        (initially (all (true (square ?x ?y empty)) (true (square ?x ?y empty))))
        (always (all (true (square ?x ?y cross)) (exactly 1 (true (square ?x ?y ?any)))))
        (always (all (true (square ?x ?y cross)) (=> (true (square ?x ?y cross)) (next (square ?x ?y cross)))))
        (always (at-most 8 (true (square ?x ?y empty))))
        (always (some (legal ?role ?move) (legal ?role ?move)))
        (always (not (and (true (turn cross)) (true (turn nought)))))";
    let statements = Statement::parse(statements, rules.game()).expect("statements");
    let options = AnalysisOptions { statements, ..AnalysisOptions::default() };
    let found = analyse(&mut rules, &options).expect("rules that can be evaluated");
    let mut words = Vec::new();
    for finding in &found.findings {
        if let Property::Stated { text } = &finding.property {
            let verdict = format!("{:?}", finding.verdict);
            words.push((text.split_whitespace().next().unwrap_or_default().to_owned(), verdict));
        }
    }
    assert_eq!(words.len(), 6, "{words:?}");
    let of = |start: &str, verdict: &str| {
        words.iter().filter(|it| it.0 == start && it.1.starts_with(verdict)).count()
    };
    // Nine squares are empty at first; at the end no move is legal, or all are: that is refuted or proved by the rules alone.
    assert_eq!(of("(initially", "Proved"), 1, "{words:?}");
    assert!(of("(always", "Proved") >= 3, "{words:?}");
    assert!(of("(always", "Refuted { moves: [] }") >= 1, "{words:?}");
}

#[test]
fn faults_of_statements_have_their_place() {
    let text = groundfrog_corpus::game("tictactoe").expect("a game of the corpus").text;
    let rules = GroundReasoner::of_text(text).expect("a game that can be ground");
    for (text, place, message) in [
        ("(always (true (square 1 1 mauve)))", 8, "no atom of the ground game looks like this"),
        ("(always (true (square ?x 1 cross)))", 8, "the variable `?x` is not bound"),
        ("(always (nor terminal))", 8, "this is no formula"),
        ("(never terminal)", 0, "`never` begins no statement"),
        (
            "(initially (next (turn cross)))",
            0,
            "`initially` is about a state, and `next` and `does` about a joint move",
        ),
        ("(always (at-most many (true (turn ?r))))", 17, "this is no number from 0 to 1000"),
        ("(always (all terminal", 8, "a parenthesis is never closed"),
    ] {
        let fault = Statement::parse(text, rules.game()).expect_err("it is at fault").0;
        assert!(fault.span().start <= place, "{text}: {}", fault.message);
        if place > 0 && message.starts_with("no ") {
            assert_eq!((fault.span().start, fault.message.as_str()), (place, message));
        }
    }
}
