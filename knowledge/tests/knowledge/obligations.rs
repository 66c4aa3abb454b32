//! clingo says of every obligation what the prover says.

use std::process::{Command, Stdio};
use std::time::Duration;

use cpu_time::ThreadTime;
use groundfrog_knowledge::{AnalysisOptions, Obligation, Property, analyse};
use groundfrog_testing::needs;

use super::{corpus, rules};

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
        let mut rules = rules(corpus(name));
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
    let mut rules = rules(corpus("tictactoe"));
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
