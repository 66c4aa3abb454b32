//! `groundfrog export`: which program is written. That others run it is tested with the library.

use super::{Folder, corpus, run};

#[test]
fn each_language_is_written() {
    let export = |arguments: &[&str]| {
        let game = corpus("tictactoe");
        let all = [&["export"], arguments, &[&game]].concat();
        run(all).succeeds().stdout
    };
    let asp = export(&["asp-program"]);
    assert!(asp.starts_with("base(F) :- init(F).\n") && asp.contains("index(1).\n"), "{asp}");
    let prolog = export(&["prolog"]);
    assert!(prolog.starts_with('%') && prolog.contains("p_index('1').\n"), "{prolog}");
    assert!(prolog.contains(":- table p_base/1.\n"), "{prolog}");
}

#[test]
fn projection_is_asked_for() {
    let game = corpus("connect_four");
    let plain = run(["export", "asp-program", &game]).succeeds().stdout;
    let projected = run(["export", "asp-program", "--projected", &game]).succeeds().stdout;
    assert!(!plain.contains("project_") && projected.contains("\nproject_1("), "{projected}");
    run(["export", "prolog", "--projected", &game])
        .fails(2, &["--projected is for asp-program only"]);
}

#[test]
fn programs_go_to_files_too() {
    let folder = Folder::new();
    let out = folder.text_path("out.pl");
    assert_eq!(run(["export", "prolog", &corpus("nim"), "-o", &out]).succeeds().stdout, "");
    assert!(std::fs::read_to_string(out).expect("a file").contains("\np_base(F) :- p_init(F).\n"));
}

#[test]
fn what_is_written_in_infix_notation_is_the_same_game() {
    let folder = Folder::new();
    let out = folder.text_path("nim.infix");
    run(["export", "infix", &corpus("nim"), "-o", &out]).succeeds();
    let ground = |arguments: &[&str]| run([&["ground"], arguments].concat()).succeeds().stdout;
    let plain = ground(&[&corpus("nim")]);
    assert_eq!(ground(&[&out]), plain);
    assert_eq!(ground(&[&out, "--notation", "infix"]), plain);
    run(["ground", &out, "--notation", "kif"])
        .fails(1, &["`role(` is infix notation", "nim.infix:1:1"]);
    run(["ground", &corpus("nim"), "--notation", "infix"])
        .fails(1, &["GF0111", "a comment begins with `%`", "nim.kif:1:1"]);
}

#[test]
fn domains_are_added_to_the_description() {
    let folder = Folder::new();
    let out = folder.text_path("nim_with_domains.kif");
    run(["export", "with-domains", &corpus("nim"), "-o", &out]).succeeds();
    let text = std::fs::read_to_string(&out).expect("a file");
    assert!(text.contains("(base (heap a 1))\n") && text.contains("\n(input first "), "{text}");
    let known = run(["ground", &out]).succeeds().stdout;
    let rules = |text: &str| text.lines().filter(|it| it.starts_with("(<=")).count();
    assert_eq!(rules(&known), rules(&run(["ground", &corpus("nim")]).succeeds().stdout));
}

#[test]
fn planners_and_model_checkers_have_their_own_language() {
    let export = |language: &str, game: &str| run(["export", language, game]).succeeds().stdout;
    let puzzle = corpus("hanoi");
    assert!(export("sas", &puzzle).starts_with("begin_version\n3\nend_version\n"));
    assert!(export("smv", &puzzle).contains("MODULE main\n"));
    let moves = run(["export", "timed-asp", "--moves", "3", &puzzle]).succeeds().stdout;
    assert!(moves.contains("mtdom(1..3)."), "{moves}");
}
