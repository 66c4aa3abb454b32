//! A folder of records that is watched.

use groundfrog_arena::record::MatchRecord;
use groundfrog_arena::referee::LiveRecord;
use groundfrog_arena::referee::MatchObserver;
use groundfrog_arena::serve::PageOptions;
use serde_json::{Value, json};

use super::{get, page_with, wait};

#[test]
fn records_are_shown_and_grow() {
    let folder = std::env::temp_dir().join(format!("groundfrog-records-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("round")).expect("a folder");
    let page = page_with(PageOptions { watch: Some(folder.clone()), ..PageOptions::default() });
    let state = |lit: &str, turn: &str| {
        let lamp = |it: &str| format!("(lamp {it} {})", if it == lit { "ann" } else { "off" });
        format!("({} (turn {turn}))", ["1 1", "1 2", "2 1", "2 2"].map(lamp).join(" "))
    };
    let mut record = MatchRecord {
        match_id: "m.1".into(),
        game_meta_url: "games/lamps.kif".into(),
        states: vec![state("", "ann")],
        player_names_from_host: vec!["one".into(), "two".into()],
        ..MatchRecord::default()
    };
    let path = folder.join("round/m.1.json");
    std::fs::write(folder.join("other.json"), "{\"a\": 1}").expect("a file");
    std::fs::write(folder.join("half.json"), "{\"matchId\": \"x\", \"sta").expect("a file");
    std::fs::write(&path, record.to_json()).expect("a file");
    let list = |it: &Value| it["matches"].as_array().is_some_and(|it| it.len() == 1);
    let all = wait(&page, "/api/matches", list);
    assert_eq!(all["matches"][0]["title"], "lamps");
    let shown = format!("/api/matches/{}", all["matches"][0]["id"].as_str().expect("a number"));
    let first = get(&page, &shown).succeeds();
    assert_eq!(
        first["seats"],
        json!([
            { "role": "ann", "name": "one", "kind": "recorded" },
            { "role": "bob", "name": "two", "kind": "recorded" }
        ])
    );
    record.moves.push(vec!["( light 2 1 )".into(), "noop".into()]);
    record.states.push(state("2 1", "bob"));
    record.errors = vec![vec![String::new(); 2], vec!["TO".into(), String::new()]];
    std::fs::write(&path, record.to_json()).expect("a file");
    let grown = wait(&page, &shown, |it| it["turn"] == 1);
    assert_eq!(grown["moves"], json!([["(light 2 1)", "noop"]]));
    assert_eq!(grown["faults"], json!([["no answer in time", null]]));
    let position = get(&page, &format!("{shown}/positions/1")).succeeds();
    let legal = |role: usize| position["legal"][role].as_array().map(Vec::len);
    assert_eq!((legal(0), legal(1)), (Some(1), Some(3)), "{position}");
    assert_eq!(position["cells"].as_array().map(Vec::len), Some(4), "{position}");
    assert_eq!(position["changed"], json!([[0, 1, 0]]), "{position}");
    // The same match under another name goes on; that its first file is gone is no end.
    let whole = folder.join("whole.json");
    record.is_completed = true;
    record.goal_values = vec![Some(50), Some(50)];
    std::fs::write(&whole, record.to_json()).expect("a file");
    std::fs::remove_file(&path).expect("a file");
    let over = wait(&page, &shown, |it| it["status"] != "running");
    assert_eq!((&over["status"], &over["goals"]), (&json!("completed"), &json!([50, 50])));
    drop(page);
    std::fs::remove_dir_all(&folder).expect("its own folder");
}

#[test]
fn a_match_is_looked_at_while_it_is_played() {
    let folder = std::env::temp_dir().join(format!("groundfrog-live-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut live = LiveRecord::new(&folder, "cup.1/2");
    let path = folder.join("cup.1_2.json");
    let mut record = MatchRecord { match_id: "cup.1/2".into(), ..MatchRecord::default() };
    record.states.push("()".into());
    live.recorded(&record);
    let read = || MatchRecord::parse(&std::fs::read_to_string(&path).expect("a file"));
    assert_eq!(read().expect("a record"), record);
    let page = page_with(PageOptions { watch: Some(folder.clone()), ..PageOptions::default() });
    let status = |it: &Value| it["matches"][0]["status"].as_str().map(str::to_owned);
    wait(&page, "/api/matches", |it| status(it).as_deref() == Some("running"));
    // Without a record at the end it was given up.
    drop(live);
    assert!(!path.exists());
    wait(&page, "/api/matches", |it| status(it).as_deref() == Some("aborted"));
    drop(page);
    std::fs::remove_dir_all(&folder).expect("its own folder");
}
