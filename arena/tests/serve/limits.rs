//! What one text, one person and one match may take.

use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

use groundfrog_arena::serve::PageOptions;
use serde_json::{Value, json};

use super::{begin, get, page, page_with, post, wait};

/// A game whose rule with this head asks whether twelve pigeons fit into eleven holes.
fn pigeonhole(head: &str, condition: &str) -> String {
    let mut text = "(role r) (init (s 0)) (legal r a) (<= (next (s 1)) (does r a)) (<= terminal (true (s 1))) (goal r 50)".to_owned();
    for hole in 0..11 {
        let _ = write!(text, " (hole {hole})");
    }
    let _ = write!(text, " (<= {head} {condition}");
    for pigeon in 0..12 {
        let _ = write!(text, " (hole ?x{pigeon})");
    }
    for (pigeon, other) in (0..12).flat_map(|it| (it + 1..12).map(move |other| (it, other))) {
        let _ = write!(text, " (distinct ?x{pigeon} ?x{other})");
    }
    text + ")"
}

/// Whatever is hard in a text, all of its work together holds nobody else up.
#[test]
fn a_hard_text_is_given_up_in_time_and_others_find_a_place() {
    let open_time = Duration::from_secs(1);
    let page = page_with(PageOptions { open_time, ..PageOptions::default() });
    let hard = [
        ("(init (s 2))", ""),
        ("(legal r b)", ""),
        ("(legal r b)", "(true (s 0))"),
        ("terminal", "(true (s 0))"),
        ("(goal r 100)", "(true (s 0))"),
        ("(next (s 2))", "(does r a)"),
    ];
    let start = Instant::now();
    thread::scope(|scope| {
        for (head, condition) in hard {
            let text = pigeonhole(head, condition);
            let page = &page;
            scope.spawn(move || {
                let began = Instant::now();
                post(page, "/api/check", &json!({ "text": text }));
                let opened = post(page, "/api/games", &json!({ "text": text, "title": head }));
                if opened.status == 200 {
                    let game = opened.json();
                    let path = format!("/api/games/{}", game["id"].as_str().expect("a number"));
                    let drawn = get(page, &path);
                    assert_eq!(drawn.status, 200, "{head}: {}", drawn.body);
                }
                // Each has to wait for the others, who all have their time.
                assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
            });
        }
        scope.spawn(|| {
            while start.elapsed() < Duration::from_secs(3) {
                let asked = Instant::now();
                post(&page, "/api/games", &json!({ "name": "tictactoe" })).succeeds();
                assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
                thread::sleep(Duration::from_millis(50));
            }
        });
    });
}

#[test]
fn the_match_that_nobody_has_looked_at_for_longest_makes_way() {
    // Room for four matches of two persons.
    let page = page_with(PageOptions { memory: 32 << 20, ..PageOptions::default() });
    let persons = json!([{ "kind": "person" }, { "kind": "person" }]);
    let all: Vec<String> = (0..4).map(|_| begin(&page, "lamps", &persons)).collect();
    for path in &all {
        wait(&page, path, |it| it["ready"] == true);
    }
    // The first one is looked at again.
    get(&page, &all[0]).succeeds();
    let fifth = begin(&page, "lamps", &persons);
    let gone = wait(&page, &all[1], |it| it["status"] == "aborted");
    assert_eq!(gone["trouble"], "it made way for another match", "{gone}");
    assert_eq!(gone["record"], true, "its record is kept");
    assert_eq!(get(&page, &format!("{}/record", all[1])).status, 200);
    for path in [&all[0], &all[2], &all[3], &fifth] {
        assert_eq!(get(&page, path).succeeds()["status"], "running", "{path}");
    }
    // Built-in players take more; what never fits is refused.
    let built_in = json!({ "kind": "built_in", "strategy": "random" });
    begin(&page, "tictactoe", &json!([built_in, built_in]));
    let small = page_with(PageOptions { memory: 16 << 20, ..PageOptions::default() });
    let game = post(&small, "/api/games", &json!({ "name": "lamps" })).succeeds();
    let request = json!({ "game": game["id"], "players": [built_in, built_in], "start_clock": 1,
        "play_clock": 1 });
    post(&small, "/api/matches", &request).fails(429, "need 24 MiB at least, of 16");
}

#[test]
fn a_match_that_somebody_looks_at_stays() {
    let page = page_with(PageOptions { memory: 8 << 20, ..PageOptions::default() });
    let persons = json!([{ "kind": "person" }, { "kind": "person" }]);
    let path = begin(&page, "lamps", &persons);
    let shown = wait(&page, &path, |it| it["ready"] == true);
    thread::scope(|scope| {
        let version = shown["version"].as_u64().expect("a version");
        let looking = format!("{path}?version={version}");
        let page = &page;
        let waits = scope.spawn(move || get(page, &looking).succeeds());
        let game = post(page, "/api/games", &json!({ "name": "lamps" })).succeeds();
        let request = json!({ "game": game["id"], "players": persons, "start_clock": 1,
            "play_clock": 1 });
        // Until the other one waits.
        thread::sleep(Duration::from_millis(500));
        post(page, "/api/matches", &request).fails(429, "somebody is looking at each match");
        post(page, &format!("{path}/abort"), &json!({})).succeeds();
        waits.join().expect("it is answered");
    });
    begin(&page, "lamps", &persons);
}

fn codes(report: &Value) -> Vec<&str> {
    let all = report["diagnostics"].as_array().expect("a list");
    all.iter().filter_map(|it| it["code"].as_str()).collect()
}

#[test]
fn texts_in_other_languages_are_called_by_their_names() {
    let page = page();
    for (name, language, fragment) in [("chicken", "rtGDL", "rtgdl"), ("sealed_bid", "MSL", "msl")]
    {
        let text = groundfrog_corpus::relative(name).expect("is in the corpus").text;
        let opened = post(&page, "/api/games", &json!({ "text": text, "title": name }));
        opened.fails(422, &format!("the description is in {language}, and this command reads GDL"));
        let refused = opened.json();
        assert_eq!(refused["error"].as_str().map(|it| it.lines().count() <= 3), Some(true));
        assert_eq!(refused["check"]["fragment"], fragment, "{refused}");
        let checked = post(&page, "/api/check", &json!({ "text": text })).succeeds();
        assert_eq!(checked["fragment"], fragment, "{checked}");
        assert!(!codes(&checked).contains(&"GF0109"), "{checked}");
    }
    let mixture = "(role a) (init 1 (p 1)) (init (p 2)) (legal a go)";
    let checked = post(&page, "/api/check", &json!({ "text": mixture })).succeeds();
    assert!(codes(&checked).contains(&"GF0801"), "{checked}");
}

#[test]
fn a_check_finds_what_the_command_line_finds() {
    let page = page();
    // In its second state nobody can move: that is seen in a match, not in the text.
    let text = "(role ann) (init (at 1)) (<= (legal ann go) (true (at 1)))
        (<= (next (at 2)) (does ann go)) (<= terminal (true (at 3))) (<= (next (at 3)) (true (at 2)))
        (<= (goal ann 100) (true (at 3))) (<= (goal ann 0) (not (true (at 3))))";
    let checked = post(&page, "/api/check", &json!({ "text": text })).succeeds();
    assert!(codes(&checked).contains(&"GF0702"), "{checked}");
}
