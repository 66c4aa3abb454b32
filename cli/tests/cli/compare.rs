//! `groundfrog compare`: what counts as a change, and how it ends.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::{Folder, corpus, run, run_with};

/// What `bench` writes for one game, to be changed.
fn record() -> Value {
    static RECORD: LazyLock<Value> = LazyLock::new(measured);
    RECORD.clone()
}

fn measured() -> Value {
    let folder = Folder::new();
    let out = folder.text_path("out");
    run(["bench", &corpus("nim"), "--out", &out, "-q"]).succeeds();
    let text = std::fs::read_to_string(folder.path("out/results.jsonl")).expect("results");
    let mut record: Value = serde_json::from_str(text.trim()).expect("JSON");
    for method in ["one-step", "iterative"] {
        record["domains"][method]["time"] = times(&[0.1, 0.11, 0.12]);
    }
    for form in ["flat", "compact"] {
        record["groundings"][form]["time"] = times(&[0.2, 0.21, 0.22]);
    }
    record
}

fn times(runs: &[f64; 3]) -> Value {
    json!({ "median": runs[1], "runs": runs })
}

/// Compares a record with a changed one, and fails above 1.3.
fn compare(folder: &Folder, old: &Value, change: impl FnOnce(&mut Value)) -> super::Run {
    let mut new = old.clone();
    change(&mut new);
    let old = folder.file("old.jsonl", format!("{old}\n"));
    let new = folder.file("new.jsonl", format!("{new}\n"));
    run(["compare", &old, &new, "--fail-above", "1.3"])
}

#[test]
fn slower_and_faster() {
    let folder = Folder::new();
    let old = record();
    let flat =
        |runs: [f64; 3]| move |it: &mut Value| it["groundings"]["flat"]["time"] = times(&runs);
    let slower = compare(&folder, &old, flat([0.4, 0.42, 0.43])).fails(9, &[]);
    slower.says(&["\nslower: 1\n     2.00  nim flat: 210 ms to 420 ms\n"]);
    slower.says(&["flat: 2.000 of the time (geometric mean of 1 game)"]);
    let a_little = compare(&folder, &old, flat([0.24, 0.25, 0.26])).succeeds();
    a_little.says(&["\nslower: 1\n     1.19  nim flat"]);
    let faster = compare(&folder, &old, flat([0.1, 0.105, 0.11])).succeeds();
    faster.says(&["\nfaster: 1\n     0.50  nim flat: 210 ms to 105 ms\n"]);
    assert!(!faster.stdout.contains("slower"), "{}", faster.stdout);
}

#[test]
fn json_has_each_change() {
    let folder = Folder::new();
    let old = record();
    compare(&folder, &old, |it| it["groundings"]["flat"]["time"] = times(&[0.4, 0.42, 0.43]));
    let paths = ["old.jsonl", "new.jsonl"].map(|it| folder.text_path(it));
    let run = run(["compare", &paths[0], &paths[1], "--json"]).succeeds();
    let report = run.json();
    assert_eq!(report["schema"], 1);
    let expected = json!([{ "game": "nim", "measure": "flat", "old": 0.21, "new": 0.42 }]);
    assert_eq!(report["slower"], expected);
    assert_eq!(report["lost"], json!([]));
}

#[test]
fn runs_without_a_common_game_cannot_be_compared() {
    let folder = Folder::new();
    let old = record();
    let other = |it: &mut Value| it["game"] = json!("other");
    compare(&folder, &old, other).fails(2, &["no game in common"]);
}

#[test]
fn noise_is_no_change() {
    let folder = Folder::new();
    let old = record();
    // The median has doubled, but one run was as fast as before.
    let noisy = compare(&folder, &old, |record| {
        record["groundings"]["flat"]["time"] = times(&[0.21, 0.42, 0.5]);
    });
    noisy.succeeds().says(&["no change beyond the noise"]);
    compare(&folder, &old, |_| {}).succeeds().says(&["no change beyond the noise"]);
}

/// One run of a program may take many times as long as another of the same one.
#[test]
fn few_runs_cannot_be_told_apart() {
    let folder = Folder::new();
    let mut old = record();
    let once = |seconds: f64| json!({ "median": seconds, "runs": [seconds] });
    old["options"]["runs"] = 1.into();
    old["groundings"]["flat"]["time"] = once(0.002);
    let run = compare(&folder, &old, |it| it["groundings"]["flat"]["time"] = once(0.022));
    let run = run.succeeds();
    let unclear = "\ncannot be told apart with fewer than 3 runs: 1\n    11.00  nim flat: 2.00 ms to 22.0 ms\n";
    run.says(&[unclear, "note: fewer than 3 runs say nothing about the noise"]);
    assert!(!run.stdout.contains("\nslower: "), "{}", run.stdout);
    let same = compare(&folder, &old, |_| {}).succeeds();
    same.says(&["no change beyond the noise"]);
}

#[test]
fn lost_and_newly_solved() {
    let folder = Folder::new();
    let old = record();
    let fail = |result: &mut Value| {
        result["status"] = "limit".into();
        result["domains"]["iterative"]["status"] = "limit".into();
        result["domains"]["iterative"]["reason"] = "too long".into();
    };
    let lost = compare(&folder, &old, fail).fails(9, &[]);
    lost.says(&["\nlost: 1\n  nim iterative; now: too long\n"]);
    let mut failed = old.clone();
    fail(&mut failed);
    let solved = compare(&folder, &failed, |it| *it = old.clone()).succeeds();
    solved.says(&["\nnewly solved: 1\n  nim iterative; before: too long\n"]);
}

#[test]
fn sizes_and_contradictions() {
    let folder = Folder::new();
    let old = record();
    let larger = compare(&folder, &old, |record| {
        record["groundings"]["compact"]["rules"] = 10_000.into();
    });
    larger.succeeds().says(&["\nlarger: 1\n", "nim compact: rules: ", " to 10000\n"]);
    let base = |it: &mut Value| it["groundings"]["flat"]["base"] = 1.into();
    let other = compare(&folder, &old, base).fails(9, &[]);
    other.says(&["\nother results for the same rules: 1\n", "nim flat: base: "]);
    let changed = compare(&folder, &old, |record| {
        base(record);
        record["sha256"] = "other".into();
    });
    changed.succeeds().says(&["note: 1 games have other rules: nim", "\nsmaller: 1\n"]);
}

#[test]
fn other_machines_and_games_are_told() {
    let folder = Folder::new();
    let old = record();
    let run = compare(&folder, &old, |record| {
        record["machine"]["cores"] = 1000.into();
        record["version"] = "9.9.9".into();
        record["options"]["time_limit"] = 77.into();
        record["game"] = "chess".into();
    });
    run.fails(2, &["no game in common"]).says(&[
        "note: other machines: times cannot be compared: ",
        " now\n",
        "1000 cores",
        "note: other versions: 0.1.0 before, 9.9.9 now",
        "note: other options: ",
        "limits 77 ms",
        "note: 1 games only before: nim",
        "note: 1 games only now: chess",
    ]);
}

#[test]
fn what_is_no_result_is_refused() {
    let folder = Folder::new();
    let old = folder.file("old.jsonl", format!("{}\n{{\"torn", record()));
    let run = run(["compare", &old, &old]).succeeds();
    assert!(run.stderr.contains("old.jsonl:2: left out: it is torn"), "{}", run.stderr);
    let future = record_of_schema(&folder, 99);
    super::run(["compare", &old, &future]).fails(4, &["line 1 has schema 99"]);
    super::run(["compare", &old, "/missing.jsonl"]).fails(4, &["cannot read `/missing.jsonl`"]);
    super::run(["compare", &old, &old, "--fail-above", "0.5"]).fails(2, &["a ratio of 1 or more"]);
}

fn record_of_schema(folder: &Folder, schema: u32) -> String {
    let mut record = record();
    record["schema"] = schema.into();
    folder.file("future.jsonl", format!("{record}\n"))
}

// `groundfrog report`.

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
fn no_report_is_made_of_what_is_no_result() {
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
