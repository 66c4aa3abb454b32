//! `groundfrog report`.

use super::{Folder, run, run_with};

/// A line of `bench`: a game, its hash, and how long its compact grounding took.
fn line(game: &str, hash: &str, seconds: f64) -> String {
    format!(
        r#"{{"schema":1,"game":"{game}","file":"games/{game}.kif","sha256":"{hash}","version":"0.1.0",
"options":{{"domains":"both","forms":["compact"],"threads":1,"runs":1,"warm_up":0,"time_limit":10000,
"memory_limit":null}},"machine":{{"cores":2,"model":null,"memory":null}},"status":"ok","reason":null,
"cpu":0.1,"wall":0.2,"peak_memory":5000000,"description":{{"bytes":100,"rules":10,"literals":20}},
"domains":{{}},"domains_agree":null,"groundings":{{"compact":{{"status":"ok","reason":null,
"time":{{"median":{seconds},"runs":[{seconds}]}},"stages":{{}},"base":7,"input":8,"atoms":30,"rules":40,
"literals":90,"components":100,"table_bytes":1000,"rule_bytes":1000}}}}}}"#
    )
    .replace('\n', "")
        + "\n"
}

#[test]
fn parts_are_merged() {
    let folder = Folder::new();
    let first = folder.file("1.jsonl", line("alpha", "aa", 0.25) + &line("beta", "bb", 0.5));
    let second = folder.file("2.jsonl", line("beta", "bb", 0.75) + "{\"schema\":1,\"ga");
    let out = folder.text_path("out/report");
    let run = run(["report", &first, &second, "--out", &out]).succeeds();
    assert_eq!(run.stdout, "");
    let messages = [
        "there are several results of some games: the last counts\n",
        "2.jsonl:2: left out: it is torn or no JSON\n",
        "report.html: 2 games\n",
    ];
    for message in messages {
        assert!(run.stderr.contains(message), "no {message} in {}", run.stderr);
    }
    let page = std::fs::read_to_string(folder.path("out/report/report.html")).expect("a page");
    assert!(page.contains(">alpha</th>") && page.contains(">250 ms</td>"), "{page}");
    assert!(page.contains(">beta</th>") && page.contains(">750 ms</td>"), "{page}");
    assert!(!page.contains(">500 ms</td>"), "the earlier line counts");
    let figures = std::fs::read_dir(folder.path("out/report")).expect("a folder").count();
    assert_eq!(figures, 3);
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let folder = Folder::new();
    let all = line("alpha", "aa", 0.25) + &line("beta", "bb", 0.5);
    let turned = line("beta", "bb", 0.5) + &line("alpha", "aa", 0.25);
    let (a, b) = (folder.file("a.jsonl", &all), folder.file("b.jsonl", &turned));
    run(["report", &a, "--out", &folder.text_path("a"), "-q"]).succeeds();
    run(["report", &b, "--out", &folder.text_path("b"), "-q"]).succeeds();
    run_with(&["report", "-", "--out", &folder.text_path("c")], &all).succeeds();
    for entry in std::fs::read_dir(folder.path("a")).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let text = |of: &str| std::fs::read(folder.path(of).join(&name)).expect("a file");
        assert!(text("a") == text("b") && text("a") == text("c"), "{name:?} differs");
    }
}

#[test]
fn a_quiet_report_tells_nothing() {
    let folder = Folder::new();
    let results = folder.file("r.jsonl", line("alpha", "aa", 0.25) + "torn");
    let run = run(["report", &results, "--out", &folder.text_path("out"), "-q"]).succeeds();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn what_is_no_result_is_refused() {
    let folder = Folder::new();
    let out = folder.text_path("out");
    let empty = folder.file("empty.jsonl", "");
    run(["report", &empty, "--out", &out]).fails(4, &["there are no results in the files"]);
    let binary = folder.file("binary.jsonl", [0xff, 0x00, b'\n', 0xfe]);
    run(["report", &binary, "--out", &out]).fails(
        4,
        &["binary.jsonl:1: left out", "binary.jsonl:2: left out", "there are no results"],
    );
    let newer = line("alpha", "aa", 0.25).replace("\"schema\":1", "\"schema\":99");
    let newer = folder.file("newer.jsonl", newer);
    run(["report", &newer, "--out", &out]).fails(
        4,
        &["newer.jsonl`: line 1 has schema 99, and this version of groundfrog knows 1 only"],
    );
    run(["report", &folder.text_path("none.jsonl"), "--out", &out])
        .fails(4, &["cannot read `", "none.jsonl`: no such file or directory"]);
    run(["report", &folder.text_path(""), "--out", &out]).fails(4, &["is a directory"]);
    assert!(!folder.path("out").exists(), "a report was begun");
    run(["report", &empty]).fails(2, &["--out"]);
}

#[test]
fn a_report_that_cannot_be_written() {
    let folder = Folder::new();
    let results = folder.file("r.jsonl", line("alpha", "aa", 0.25));
    run(["report", &results, "--out", &results]).fails(4, &["cannot make the folder"]);
}
