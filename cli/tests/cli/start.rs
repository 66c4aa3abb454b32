//! What a process begins with: its words and its standard files.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use super::{Folder, Run, corpus, program};

#[test]
fn messages_do_not_go_where_a_result_has_the_number_of_a_closed_file() {
    let folder = Folder::new();
    for closed in ["", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec \"$0\" \"$@\" {closed}")]);
        command.arg(program().get_program()).args(["bench", &corpus("tictactoe")]);
        command.args(["--runs", "1", "--replace", "--out", &folder.text_path("results")]);
        Run::from(command.output().expect("sh is there")).succeeds();
        let results = std::fs::read_to_string(folder.path("results/results.jsonl"));
        for line in results.expect("a file").lines() {
            let record: Result<serde_json::Value, _> = serde_json::from_str(line);
            assert_eq!(record.expect("a record")["game"], "tictactoe", "{closed}");
        }
    }
}

#[test]
fn words_need_not_be_text() {
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"\xff.kif");
    std::fs::copy(corpus("tictactoe"), folder.path("").join(name)).expect("a copy");
    let mut command = program();
    command.arg("ground").arg(folder.path("").join(name)).arg("-q");
    let run: Run = command.output().expect("it starts").into();
    assert_eq!(run.succeeds().stdout, super::run(["ground", &corpus("tictactoe"), "-q"]).stdout);
}

#[test]
fn no_words_at_all() {
    let run: Run = program().output().expect("it starts").into();
    run.fails(2, &["Usage: groundfrog [OPTIONS] <COMMAND>"]);
}
