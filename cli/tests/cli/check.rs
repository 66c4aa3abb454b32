//! `groundfrog check`: findings, exploration, formats, exit codes.

use super::{Folder, corpus, run, run_with};

#[test]
fn tictactoe_is_explored_completely() {
    let run = run(["check", &corpus("tictactoe"), "--explore"]).succeeds();
    for part in ["bounded GDL", "nothing found", "5478, 958 terminal", "termination          yes"] {
        assert!(run.stdout.contains(part), "no `{part}` in:\n{}", run.stdout);
    }
    assert!(run.stdout.contains("winnable, cross      yes: in 5 moves: "), "{}", run.stdout);
}

#[test]
fn limits_leave_things_undecided() {
    let run = run(["check", &corpus("tictactoe"), "--explore", "--max-states", "1000"]).succeeds();
    let told = "utility              not decided within the limit of 1000 states";
    assert!(run.stdout.contains(told), "{}", run.stdout);
}

#[test]
fn errors_are_underlined_and_fail() {
    let run = run(["check", &corpus("unsafe_rule")]).fails(1, &[]);
    assert!(
        run.stdout.contains("error[GF0302]") && run.stdout.contains("    ^^^^"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("not GDL"), "{}", run.stdout);
}

#[test]
fn severity_decides_the_exit_code() {
    let game = corpus("unbounded");
    run(["check", &game]).succeeds();
    run(["check", &game, "--fail-on", "warning"]).fails(8, &[]);
}

#[test]
fn many_files_end_with_a_table_and_the_others_are_checked() {
    let all = run(["check", &corpus("nim"), &corpus("nowhere"), &corpus("hanoi")]);
    let all = all.fails(4, &["cannot read"]);
    assert!(all.stdout.contains("2 descriptions: 0 with errors"), "{}", all.stdout);
}

#[test]
fn formats_for_programs() {
    let json = run(["check", &corpus("nim"), "--explore", "--format", "json"]).succeeds().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["files"][0]["exploration"]["states"], 752);
    let sarif = run_with(&["check", "-", "--format", "sarif"], "(role").fails(1, &[]).stdout;
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "GF0005");
}

#[test]
fn codes_are_explained() {
    let text = run(["check", "--explain", "gf0302"]).succeeds().stdout;
    assert!(text.starts_with("### GF0302: an unsafe variable"), "{text}");
    run(["check", "--explain", "GF9999"]).fails(2, &["there is no such code"]);
    run(["check"]).fails(2, &["GAME"]);
}

#[test]
fn the_busy_beaver_is_gdl_but_not_bounded() {
    let folder = Folder::new();
    let table = folder.file("beaver.tm", groundfrog_corpus::BUSY_BEAVER);
    let game = folder.text_path("beaver.kif");
    run(["generate", "turing-machine", &table, "-o", &game]).succeeds();
    let text = run(["check", &game]).succeeds().stdout;
    assert!(text.contains("GDL, but not bounded") && text.contains("GF0503"), "{text}");
    assert!(!text.contains("GF0502"), "{text}");
    run(["ground", &game]).fails(5, &["GF0305"]);
    let bad = folder.file("bad.tm", "A 0 -> 1 X B");
    run(["generate", "turing-machine", &bad]).fails(1, &["the head can go `L` or `R`"]);
}
