//! `groundfrog bench`: what is measured, what survives, how it ends.

use groundfrog_needs::needs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{ENDLESS, Folder, Run, corpus, run, started};

/// Runs `bench` on paths, with the results in `out`.
fn bench(folder: &Folder, arguments: &[&str]) -> Run {
    run([&["bench", "--out", &folder.text_path("out")], arguments].concat())
}

/// The records in a file of the folder, each of which has to be whole.
#[track_caller]
fn records(path: impl AsRef<Path>) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("there are results");
    assert!(text.is_empty() || text.ends_with('\n'), "a torn line: {text}");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn results(folder: &Folder) -> Vec<Value> {
    records(folder.path("out/results.jsonl"))
}

fn names(records: &[Value]) -> Vec<&str> {
    records.iter().map(|it| it["game"].as_str().expect("a name")).collect()
}

/// Small games `a`, `b`, ... in a folder of their own.
fn small_games(folder: &Folder, names: &[&str]) -> String {
    std::fs::create_dir(folder.path("games")).expect("the folder can be written to");
    for name in names {
        folder.file(&format!("games/{name}.kif"), ENDLESS);
    }
    folder.text_path("games")
}

/// A game whose grounding would never end.
fn endless(folder: &Folder, name: &str) -> String {
    let game = folder.text_path(name);
    run(["generate", "domain-product", "--wheels", "9", "--values", "40", "-o", &game]).succeeds();
    game
}

#[test]
fn everything_is_measured_and_the_methods_agree() {
    let folder = Folder::new();
    let run = bench(&folder, &[&corpus("breakthrough"), &corpus("tictactoe"), "--runs", "3"]);
    let run = run.succeeds();
    run.says(&["\n2 games: 2 ok\n", "one-step against iterative: "]);
    let records = results(&folder);
    assert_eq!(names(&records), ["breakthrough", "tictactoe"]);
    let page = std::fs::read_to_string(folder.path("out/report.html")).expect("a report");
    assert!(page.contains("breakthrough"), "the report has the games");
    for record in &records {
        assert_eq!((&record["schema"], &record["status"]), (&1.into(), &"ok".into()), "{record}");
        assert_eq!(record["domains_agree"], true);
        for method in ["one-step", "iterative"] {
            let domains = &record["domains"][method];
            let runs = domains["time"]["runs"].as_array().expect("times").len();
            assert_eq!((runs, &domains["status"]), (3, &"ok".into()));
            assert_eq!(domains["base"], record["groundings"]["flat"]["base"]);
            assert_eq!(domains["input"], record["groundings"]["compact"]["input"]);
        }
        for form in ["flat", "compact"] {
            let grounding = &record["groundings"][form];
            for stage in ["parse", "rewrite", "domains", "store", "assemble", "emit"] {
                assert!(grounding["stages"][stage]["median"].is_f64(), "{stage} of {grounding}");
            }
            assert!(grounding["components"].as_u64() > Some(10), "{grounding}");
            let (alone, all) = (&grounding["peak_memory"], &record["peak_memory"]);
            assert!(alone.as_u64() > Some(1 << 20) || !cfg!(target_os = "linux"), "{grounding}");
            assert!(alone.as_u64() <= all.as_u64().map(|it| it + (4 << 20)), "{alone} {all}");
        }
        assert!(record["cpu"].as_f64() > Some(0.0) || !cfg!(unix), "{record}");
        assert!(record["peak_memory"].as_u64() > Some(1 << 20) || !cfg!(target_os = "linux"));
    }
    let flat = &records[0]["groundings"]["flat"];
    let counts = ["base", "input", "rules"].map(|name| flat[name].as_u64());
    assert_eq!(counts, [Some(130), Some(310), Some(1644)]);
    let text = std::fs::read(corpus("tictactoe")).expect("a game");
    assert_eq!(records[1]["description"]["bytes"].as_u64(), Some(text.len() as u64));
}

#[test]
fn only_what_is_asked_for_is_measured() {
    let folder = Folder::new();
    let options = ["--domains", "iterative", "--forms", "compact", "--runs", "2", "--warm-up", "1"];
    bench(&folder, &[&[corpus("nim").as_str()], &options[..]].concat()).succeeds();
    let record = &results(&folder)[0];
    let keys =
        |value: &Value| value.as_object().expect("a map").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&record["domains"]), ["iterative"]);
    assert_eq!(keys(&record["groundings"]), ["compact"]);
    assert_eq!(record["domains_agree"], Value::Null);
    let runs = record["groundings"]["compact"]["time"]["runs"].as_array().expect("times");
    assert_eq!(runs.len(), 2);
}

#[test]
fn a_worker_that_dies_costs_one_measurement() {
    let folder = Folder::new();
    let games = small_games(&folder, &["a", "b", "c"]);
    let run = bench(&folder, &[&games, "--crash-on", "a"]).fails(101, &[]);
    run.says(&["CRASHED: compact: the worker died: "]);
    let records = results(&folder);
    assert_eq!(names(&records), ["a", "b", "c"]);
    assert_eq!(records[0]["status"], "crash");
    assert_eq!(records[0]["groundings"]["compact"]["status"], "crash");
    assert_eq!(records[0]["groundings"]["compact"]["time"], Value::Null);
    let flat = &records[0]["groundings"]["flat"];
    assert_eq!(
        (&flat["status"], flat["time"]["runs"].as_array().map(Vec::len)),
        (&"ok".into(), Some(3))
    );
    assert_eq!(records[0]["domains_agree"], true);
    assert_eq!((&records[1]["status"], &records[2]["status"]), (&"ok".into(), &"ok".into()));
}

#[test]
fn a_game_over_its_limit_stops_and_the_others_are_measured() {
    let folder = Folder::new();
    let game = endless(&folder, "product.kif");
    let start = Instant::now();
    let options = ["--time-limit", "300ms", "--forms", "flat", "--runs", "1"];
    let run = bench(&folder, &[&[game.as_str(), &corpus("nim")], &options[..]].concat()).succeeds();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    run.says(&["1 ok, 1 over the limit"]);
    let records = results(&folder);
    assert_eq!(names(&records), ["nim", "product"]);
    assert_eq!((&records[0]["status"], &records[1]["status"]), (&"ok".into(), &"limit".into()));
    let flat = &records[1]["groundings"]["flat"];
    let reason = flat["reason"].as_str().expect("a reason");
    assert!(
        reason.starts_with("the time limit of 300 ms was exceeded, while deriving"),
        "{reason}"
    );
    assert_eq!(records[1]["domains"]["one-step"]["status"], "ok");
}

#[test]
fn a_worker_that_heeds_no_limit_is_killed() {
    let folder = Folder::new();
    let games = small_games(&folder, &["a"]);
    let start = Instant::now();
    bench(&folder, &[&games, "--hang-on", "a", "--time-limit", "200ms"]).succeeds();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let record = &results(&folder)[0];
    assert_eq!(record["status"], "limit");
    let reason = record["groundings"]["compact"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("200 ms was exceeded, and the worker had to be killed"), "{reason}");
    assert_eq!(record["groundings"]["flat"]["status"], "ok");
}

#[test]
fn descriptions_at_fault_are_results() {
    let folder = Folder::new();
    let bad = folder.file("bad.kif", "(role x");
    let games = [bad.as_str(), &corpus("unbounded"), &corpus("unsafe_rule")];
    bench(&folder, &games).succeeds();
    let records = results(&folder);
    let statuses: Vec<&str> = records.iter().filter_map(|it| it["status"].as_str()).collect();
    assert_eq!(statuses, ["description", "unbounded", "description"]);
    assert_eq!(records[0]["description"], Value::Null);
    assert_eq!(records[0]["reason"], "this parenthesis is never closed: 1 `)` missing");
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_others() {
    let folder = Folder::new();
    let missing = folder.text_path("missing.kif");
    let run = bench(&folder, &[&missing, &corpus("nim"), "--runs", "1"]).fails(4, &[]);
    run.says(&["missing: not read: cannot read `"]);
    let records = results(&folder);
    assert_eq!(names(&records), ["missing", "nim"]);
    assert_eq!((&records[0]["status"], &records[0]["sha256"]), (&"io".into(), &Value::Null));
    assert_eq!(records[1]["status"], "ok");
}

#[test]
fn folders_without_games_and_games_of_one_name() {
    let folder = Folder::new();
    let empty = small_games(&folder, &[]);
    bench(&folder, &[&empty]).fails(2, &["there is no game in `", "no file *.kif or *.gdl"]);
    assert!(!folder.path("out").exists(), "nothing is created");
    folder.file("games/a.kif", ENDLESS);
    folder.file("games/a.gdl", ENDLESS);
    folder.file("games/readme.txt", "not a game");
    std::fs::create_dir_all(folder.path("games/chess")).expect("the folder is made");
    folder.file("games/chess/rulesheet.kif", ENDLESS);
    bench(&folder, &[&empty, "--runs", "1"]).succeeds();
    let records = records(folder.path("out/results.jsonl"));
    let names = names(&records);
    assert!(names.len() == 3 && names.contains(&"chess/rulesheet"), "{names:?}");
    assert!(names.iter().any(|it| it.ends_with("games/a.gdl")), "{names:?}");
}

#[test]
fn shards_cover_everything_once() {
    let folder = Folder::new();
    let all = ["a", "b", "c", "d", "e", "f", "g"];
    let games = small_games(&folder, &all);
    let options = ["--runs", "1", "--forms", "flat", "--domains", "one-step", "-q"];
    let mut found = Vec::new();
    for number in 1..=3 {
        let shard = format!("{number}/3");
        bench(&folder, &[&[games.as_str(), "--shard", &shard], &options[..]].concat()).succeeds();
        let records = records(folder.path(&format!("out/results-{number}-of-3.jsonl")));
        found.extend(names(&records).into_iter().map(str::to_owned));
    }
    found.sort();
    assert_eq!(found, all);
    bench(&folder, &[&games, "--shard", "4/3"]).fails(2, &["expected a part such as `2/5`"]);
}

#[test]
fn results_are_neither_lost_nor_measured_twice() {
    let folder = Folder::new();
    let games = small_games(&folder, &["a", "b"]);
    let options = ["--runs", "1", "-q"];
    let again = |more: &[&str]| bench(&folder, &[&[games.as_str()], &options[..], more].concat());
    again(&[]).succeeds();
    let first = std::fs::read_to_string(folder.path("out/results.jsonl")).expect("results");
    again(&[]).fails(2, &["there are results in `", "--resume", "--replace"]);
    again(&["--resume"]).succeeds();
    let resumed = std::fs::read_to_string(folder.path("out/results.jsonl")).expect("results");
    assert_eq!(resumed, first, "there was nothing to do");
    // Other rules, other options: measured anew.
    folder.file("games/b.kif", format!("{ENDLESS}; changed"));
    again(&["--resume"]).succeeds();
    assert_eq!(names(&results(&folder)), ["a", "b", "b"]);
    again(&["--resume", "--time-limit", "9s"]).succeeds();
    assert_eq!(names(&results(&folder)), ["a", "b", "b", "a", "b"]);
    again(&["--replace"]).succeeds();
    assert_eq!(names(&results(&folder)), ["a", "b"]);
}

#[test]
fn a_torn_line_is_cut_off_and_its_game_measured_again() {
    let folder = Folder::new();
    let games = small_games(&folder, &["a", "b"]);
    bench(&folder, &[&games, "--runs", "1"]).succeeds();
    let whole = std::fs::read_to_string(folder.path("out/results.jsonl")).expect("results");
    let first = whole.lines().next().expect("two lines");
    folder.file("out/results.jsonl", &whole[..whole.len() - 40]);
    let resumed = bench(&folder, &[&games, "--runs", "1", "--resume"]).succeeds();
    assert!(resumed.stderr.contains("1 games are measured already"), "{}", resumed.stderr);
    let text = std::fs::read_to_string(folder.path("out/results.jsonl")).expect("results");
    assert_eq!(text.lines().next(), Some(first));
    assert_eq!(names(&results(&folder)), ["a", "b"]);
    folder.file("out/results.jsonl", format!("nonsense\n{whole}"));
    bench(&folder, &[&games, "--resume"])
        .fails(4, &["results.jsonl:1: left out: it is torn or no JSON"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("out")).expect("the folder can be written to");
    std::os::unix::fs::symlink("/dev/full", folder.path("out/results.jsonl")).expect("a link");
    bench(&folder, &[&corpus("nim"), "--runs", "1"]).fails(
        4,
        &["error: cannot write to `", "results.jsonl`: no space left on device", "make room"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_written_before_the_disk_was_full_stays() {
    let folder = Folder::new();
    let games = small_games(&folder, &["a", "b", "c", "d", "e", "f", "g", "h"]);
    // Files may not grow beyond 8 blocks of 512 bytes, or of 1024 in some shells.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_groundfrog"), "bench", &games, "--runs", "1"]);
    let output = command.args(["--out", &folder.text_path("out")]).output().expect("there is sh");
    Run::from(output).fails(4, &["error: cannot write to `", "results.jsonl`: file too large"]);
    let written = results(&folder);
    assert!((1..8).contains(&written.len()), "{}", written.len());
    bench(&folder, &[&games, "--runs", "1", "--resume"]).succeeds();
    assert_eq!(names(&results(&folder)), ["a", "b", "c", "d", "e", "f", "g", "h"]);
}

/// Starts measuring small games and one without an end, and sends a signal when all small ones are done.
#[cfg(unix)]
fn killed(folder: &Folder, signal: &str) -> (Run, String) {
    let games = small_games(folder, &["a", "b"]);
    endless(folder, "games/c.kif");
    let out = folder.text_path("out");
    let options = ["--runs", "1", "--forms", "flat", "--time-limit", "60s", "--out", &out];
    let child = started(&[&["bench", &games][..], &options].concat());
    let start = Instant::now();
    let written = || std::fs::read_to_string(folder.path("out/results.jsonl")).unwrap_or_default();
    while written().lines().count() < 2 {
        assert!(start.elapsed() < Duration::from_secs(30), "two small games take no time");
        std::thread::sleep(Duration::from_millis(5));
    }
    // By now the worker of the third one is at work.
    std::thread::sleep(Duration::from_millis(300));
    super::signal(signal, &child);
    let start = Instant::now();
    let run = child.wait_with_output().expect("it ends").into();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    (run, games)
}

/// Waits until nobody works on a file any longer.
#[cfg(target_os = "linux")]
fn no_worker_is_left(file: &Path) {
    let is_at_work = || {
        let processes = std::fs::read_dir("/proc").expect("there is /proc").filter_map(Result::ok);
        let of = |it: std::fs::DirEntry| std::fs::read(it.path().join("cmdline")).ok();
        let mut lines = processes.filter_map(of);
        let name = file.to_str().expect("UTF-8").as_bytes();
        lines.any(|line| line.split(|&byte| byte == 0).any(|it| it == name))
    };
    let start = Instant::now();
    while is_at_work() {
        assert!(start.elapsed() < Duration::from_secs(5), "a worker outlives its harness");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(unix)]
#[test]
fn interrupted_in_the_middle() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let (run, games) = killed(&folder, signal);
        run.fails(130, &["interrupted: 2 of 3 games are in `", "--resume measures the other 1"]);
        assert_eq!(names(&results(&folder)), ["a", "b"]);
        #[cfg(target_os = "linux")]
        no_worker_is_left(&folder.path("games/c.kif"));
        std::fs::write(folder.path("games/c.kif"), ENDLESS).expect("it can be written to");
        let options = ["--runs", "1", "--forms", "flat", "--time-limit", "60s", "--resume"];
        let resumed = bench(&folder, &[&[games.as_str()], &options[..]].concat()).succeeds();
        assert!(resumed.stderr.contains("2 games are measured already"), "{}", resumed.stderr);
        assert_eq!(names(&results(&folder)), ["a", "b", "c"]);
    }
}

#[cfg(unix)]
#[test]
fn killed_in_the_middle() {
    let folder = Folder::new();
    let (run, _) = killed(&folder, "-KILL");
    assert_eq!(run.code, None, "ended by the signal");
    assert_eq!(names(&results(&folder)), ["a", "b"]);
    #[cfg(target_os = "linux")]
    no_worker_is_left(&folder.path("games/c.kif"));
}

#[test]
fn several_games_at_a_time() {
    let folder = Folder::new();
    let games = small_games(&folder, &["a", "b", "c", "d", "e"]);
    bench(&folder, &[&games, "--jobs", "2", "--threads", "2", "--runs", "2"]).succeeds();
    let records = results(&folder);
    let mut found = names(&records);
    found.sort_unstable();
    assert_eq!(found, ["a", "b", "c", "d", "e"]);
    assert!(records.iter().all(|it| it["options"]["threads"] == 2 && it["status"] == "ok"));
}

#[needs(games)]
#[test]
fn public_games_are_known() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/games");
    let games = std::env::var_os("GROUNDFROG_GAMES").map_or(default, Into::into);
    let game = games.join("ticTacToe.kif");
    let folder = Folder::new();
    let run = bench(&folder, &[game.to_str().expect("UTF-8"), "--runs", "1"]).succeeds();
    for part in ["[as known]", "gringo ", "as other grounders report: 1 of 1 games"] {
        run.says(&[part]);
    }
}
