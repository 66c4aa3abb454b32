//! Games, texts, and who may ask.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use groundfrog_player::serve::{GameText, OfferedGame, PageOptions};
use serde_json::json;

use super::{get, page, page_with, post, send};

#[test]
fn games_are_listed_and_opened() {
    let page = page();
    let all = get(&page, "/api/games").succeeds();
    let names: Vec<&str> = all["games"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert!(names.contains(&"tictactoe") && names.contains(&"lamps"), "{names:?}");
    let game = post(&page, "/api/games", &json!({ "name": "tictactoe" })).succeeds();
    assert_eq!(game["roles"].as_array().map(Vec::len), Some(2));
    assert_eq!(game["boards"][0]["columns"].as_array().map(Vec::len), Some(3));
    assert_eq!(game["not_ground"], json!(null));
    let owners = |content: &str| {
        let all = game["boards"][0]["contents"].as_array().expect("a list");
        all.iter().find(|it| it["text"] == content).map(|it| it["owner"].clone())
    };
    assert_eq!([owners("cross"), owners("nought")], [Some(json!(0)), Some(json!(1))], "{game}");
    // The same game is opened once.
    let again = post(&page, "/api/games", &json!({ "name": "tictactoe" })).succeeds();
    assert_eq!(game["id"], again["id"]);
    let path = format!("/api/games/{}", game["id"].as_str().expect("a number"));
    assert_eq!(get(&page, &path).succeeds(), game);
    get(&page, "/api/games/g99").fails(404, "no longer open");
    post(&page, "/api/games", &json!({ "name": "go_fish" })).fails(404, "no game called `go_fish`");
}

#[test]
fn pasted_rules_come_with_findings() {
    let page = page();
    let text = "(role ann)\n(init (lamp on))\n(legal ann push)\n(<= (next ?x) (true ?y))";
    let report = post(&page, "/api/check", &json!({ "text": text })).succeeds();
    assert_eq!(report["fragment"], "not_gdl");
    let lines: Vec<_> = report["diagnostics"].as_array().expect("a list").iter().collect();
    assert!(lines.iter().any(|it| it["severity"] == "error" && it["labels"][0]["line"] == 4));
    let refused = post(&page, "/api/games", &json!({ "text": text, "title": "mine" }));
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(refused.json()["check"]["fragment"], "not_gdl");
    let good =
        post(&page, "/api/games", &json!({ "text": super::LAMPS, "title": "mine" })).succeeds();
    assert_eq!((good["title"].as_str(), &good["roles"]), (Some("mine"), &json!(["ann", "bob"])));
    for text in ["", "(", ")))", "\u{0}", "(role a)", "(role a) (<= (p ?x) (p (f ?x))) (p a)"] {
        let answer = post(&page, "/api/games", &json!({ "text": text }));
        assert!([200, 422].contains(&answer.status), "{text:?}: {}", answer.body);
    }
}

#[test]
fn a_file_that_has_changed_is_read_again() {
    let text = Arc::new(Mutex::new(super::LAMPS.to_owned()));
    let own = Arc::clone(&text);
    let read = move || Ok(own.lock().expect("no panic").clone().into_bytes());
    let file = OfferedGame {
        name: "file".to_owned(),
        summary: String::new(),
        text: GameText::Read(Arc::new(read)),
        given: true,
    };
    let page = page_with(PageOptions { games: vec![file], ..PageOptions::default() });
    let open = || post(&page, "/api/games", &json!({ "name": "file" }));
    let first = open().succeeds();
    assert_eq!(first["roles"], json!(["ann", "bob"]));
    assert_eq!(open().succeeds()["id"], first["id"]);
    let path = format!("/api/games/{}", first["id"].as_str().expect("a number"));
    let change = |new: &str| *text.lock().expect("no panic") = new.to_owned();
    change(&super::LAMPS.replace("bob", "cat"));
    // By the number of what was open, as after a match.
    let second = get(&page, &path).succeeds();
    assert_eq!(second["roles"], json!(["ann", "cat"]));
    assert_ne!(second["id"], first["id"]);
    assert_eq!(open().succeeds()["id"], second["id"]);
    // What is wrong with it comes with the text that it is about.
    let broken = super::LAMPS.replace("(goal ?r 50) (role ?r)", "(goal ?r 50) (role ?q)");
    change(&broken);
    let refused = open();
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(refused.json()["text"], json!(broken));
    let findings = refused.json()["check"]["diagnostics"].clone();
    assert!(findings.as_array().is_some_and(|it| !it.is_empty()), "{findings}");
}

#[test]
fn what_cannot_be_ground_in_time_is_interpreted() {
    let options = PageOptions { ground_time: std::time::Duration::ZERO, ..PageOptions::default() };
    let page = page_with(options);
    let game = post(&page, "/api/games", &json!({ "name": "lamps" })).succeeds();
    assert!(game["not_ground"].as_str().is_some_and(|it| it.contains("time")), "{game}");
    assert_eq!(game["boards"][0]["columns"], json!(["1", "2"]));
}

#[test]
fn what_is_too_long_or_no_request_is_refused() {
    let page = page();
    let long = "; ".repeat(600_000);
    post(&page, "/api/check", &json!({ "text": long })).fails(413, "1048576 are allowed");
    post(&page, "/api/games", &json!({ "text": long })).fails(413, "1048576 are allowed");
    let host = format!("Host: {}", page.address());
    let head = [host.as_str(), "Content-Type: application/json"];
    for body in ["", "{", "[]", "{\"text\": 5}", "{\"txt\": \"\"}"] {
        let answer = send(&page, "POST /api/check", &head, body.as_bytes());
        answer.fails(400, "the request is not understood");
    }
    let plain = [host.as_str(), "Content-Type: text/plain"];
    send(&page, "POST /api/check", &plain, b"{\"text\": \"\"}").fails(415, "application/json");
    send(&page, "DELETE /api/games", &head, b"").fails(405, "other methods");
    get(&page, "/api/nothing").fails(404, "there is no `/api/nothing`");
    get(&page, "/../Cargo.toml").fails(404, "there is no");
    get(&page, "/api/matches?version=x").fails(400, "version");
}

#[test]
fn other_sites_are_not_answered() {
    let page =
        page_with(PageOptions { hosts: vec!["board.test".into()], ..PageOptions::default() });
    let port = page.address().port();
    let ask = |head: &[&str]| send(&page, "GET /api/games", head, b"");
    for name in ["localhost", "127.0.0.1", "[::1]", "board.test"] {
        ask(&[&format!("Host: {name}:{port}")]).succeeds();
    }
    ask(&["Host: evil.test"]).fails(403, "`evil.test` is no name of this page");
    ask(&["Host: 127.0.0.1.evil.test"]).fails(403, "is no name of this page");
    ask(&["Accept: */*"]).fails(403, "is no name of this page");
    let host = format!("Host: 127.0.0.1:{port}");
    for origin in ["null", "http://evil.test", "http://127.0.0.1:1"] {
        ask(&[&host, &format!("Origin: {origin}")]).fails(403, "other sites");
    }
    ask(&[&host, &format!("Origin: http://127.0.0.1:{port}")]).succeeds();
}

#[test]
fn the_page_is_there_and_takes_nothing_from_elsewhere() {
    let page = page();
    let html = get(&page, "/");
    assert_eq!(html.status, 200);
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "nosniff"] {
        assert!(html.head.contains(part), "{}", html.head);
    }
    // All that the page and its modules name is there.
    let mut paths = vec!["/".to_owned()];
    let mut next = 0;
    while let Some(path) = paths.get(next).cloned() {
        next += 1;
        let file = get(&page, &path);
        assert_eq!(file.status, 200, "{path}");
        assert!(!file.body.contains("https://"), "{path} asks elsewhere");
        for name in file.body.split(['"', '\'']).filter(|it| {
            [".js", ".css", ".svg"].iter().any(|end| it.ends_with(end))
                && !it.contains(char::is_whitespace)
        }) {
            let name = format!("/{}", name.trim_start_matches("./").trim_start_matches('/'));
            if !paths.contains(&name) {
                paths.push(name);
            }
        }
    }
    assert!(paths.len() > 8, "{paths:?}");
}

#[test]
fn no_more_connections_are_open_than_there_is_room_for() {
    let page = page();
    // Each has been answered once, so that it is open, and then says nothing more.
    let silent = || {
        let mut stream = TcpStream::connect(page.address()).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_millis(300))).expect("a time");
        let request = format!("GET /icon.svg HTTP/1.1\r\nHost: {}\r\n\r\n", page.address());
        stream.write_all(request.as_bytes()).expect("it is sent");
        let read = stream.read(&mut [0; 1 << 12]);
        (stream, read)
    };
    let mut open = Vec::new();
    // 64 are served, and at most one more could be on its way.
    let refused = loop {
        let (stream, read) = silent();
        match read {
            Ok(read) if read > 0 => open.push(stream),
            _ => break stream,
        }
        assert!(open.len() <= 64, "all connections are served");
    };
    // When others are closed, it has its turn.
    drop(open);
    let mut refused = refused;
    refused.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    assert!(refused.read(&mut [0; 1 << 12]).expect("it is answered") > 0);
}
