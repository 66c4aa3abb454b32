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
