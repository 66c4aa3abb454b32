//! Games, texts, and who may ask.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use groundfrog_arena::serve::{GameText, OfferedGame, PageOptions};
use serde_json::json;

use super::{get, page, page_with, post, send, with_boards};

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
    assert_eq!(game["not_ground"], json!(null));
    // What the boards are is not waited for.
    assert_eq!(game["boards"], json!(null));
    let path = format!("/api/games/{}", game["id"].as_str().expect("a number"));
    assert_eq!(get(&page, &format!("{path}/outline")).succeeds(), game);
    let outline = game;
    let game = with_boards(&page, &outline);
    assert_eq!(game["boards"][0]["columns"].as_array().map(Vec::len), Some(3));
    let owners = |content: &str| {
        let all = game["boards"][0]["contents"].as_array().expect("a list");
        all.iter().find(|it| it["text"] == content).map(|it| it["owner"].clone())
    };
    assert_eq!([owners("cross"), owners("nought")], [Some(json!(0)), Some(json!(1))], "{game}");
    // The same game is opened once.
    let again = post(&page, "/api/games", &json!({ "name": "tictactoe" })).succeeds();
    assert_eq!(game["id"], again["id"]);
    assert_eq!(again, outline);
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
        look: None,
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
    // Millions of rules that grounding would have to write.
    let wide = "(<= (wide ?a ?b ?c ?d ?e ?f ?g ?h) (x ?a) (x ?b) (x ?c) (x ?d) (x ?e) (x ?f) (x ?g) (x ?h)
        (true (at ?a ?b ?c ?d ?e ?f ?g ?h)))
        (<= (next (at ?b ?c ?d ?e ?f ?g ?h ?x)) (true (at ?a ?b ?c ?d ?e ?f ?g ?h)) (does ann (go ?x)))
        (role ann) (init (at 1 1 1 1 1 1 1 1)) (<= (legal ann (go ?x)) (x ?x))
        (<= terminal (wide 12 12 12 12 12 12 12 12)) (<= (goal ann 100) terminal)";
    let facts: String = (1..=12).map(|it| format!("(x {it})")).collect();
    let seconds = |it| Duration::from_secs_f64(it);
    let page = page_with(PageOptions { open_time: seconds(1.5), ..PageOptions::default() });
    let start = Instant::now();
    let text = json!({ "text": format!("{wide}{facts}"), "title": "wide" });
    let game = post(&page, "/api/games", &text).succeeds();
    assert!(game["not_ground"].as_str().is_some_and(|it| it.contains("time")), "{game}");
    assert_eq!(game["roles"], json!(["ann"]));
    assert!(start.elapsed() < seconds(6.0), "one deadline for all: {:?}", start.elapsed());
    // With no time at all there is an answer, too, and soon.
    let page = page_with(PageOptions { open_time: seconds(0.001), ..PageOptions::default() });
    let start = Instant::now();
    let answer = post(&page, "/api/games", &text);
    assert!([200, 422].contains(&answer.status), "{}", answer.body);
    assert!(start.elapsed() < seconds(3.0), "{:?}", start.elapsed());
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
    ask(&["Host: board.test"]).succeeds();
    ask(&["Host: localhost:1"]).fails(403, "is no name of this page");
    ask(&[&format!("Host: localhost:x@evil:{port}")]).fails(403, "is no name of this page");
    ask(&[&format!("Host: localhost:{port}"), "Host: evil.test"]).fails(400, "more than one Host");
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
        for name in file.body.split(['"', '\'']).filter(|word| {
            [".js", ".css", ".svg"].iter().any(|end| word.ends_with(end))
                && !word.contains(char::is_whitespace)
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
fn who_does_not_go_on_keeps_nobody_from_a_place() {
    let page = page();
    // Some have said half a head, some were answered and say nothing more.
    let mut open = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(page.address()).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        let head = format!("GET /icon.svg HTTP/1.1\r\nHost: {}\r\n", page.address());
        stream.write_all(head.as_bytes()).expect("it is sent");
        if number % 2 == 0 {
            stream.write_all(b"\r\n").expect("it is sent");
            assert!(stream.read(&mut [0; 1 << 12]).expect("it is answered") > 0);
        }
        open.push(stream);
    }
    // The oldest is closed, which ends what can be read of it.
    let _ = open[0].read_to_end(&mut Vec::new());
    let start = Instant::now();
    get(&page, "/api/games").succeeds();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_head_has_its_time_and_size() {
    let page = page();
    let mut stream = TcpStream::connect(page.address()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}", page.address(), "x".repeat(1 << 18));
    let _ = stream.write_all(head.as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
    let lengths = "POST /api/check HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n";
    let request = format!("{lengths}Host: {}\r\n\r\n{{}}", page.address());
    let mut stream = TcpStream::connect(page.address()).expect("it listens");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
}

#[test]
fn a_token_is_asked_for() {
    let token = "0123456789abcdef";
    let page = page_with(PageOptions { token: Some(token.to_owned()), ..PageOptions::default() });
    let host = format!("Host: {}", page.address());
    let ask = |path: &str, head: &str| send(&page, &format!("GET {path}"), &[&host, head], b"");
    ask("/api/games", "Accept: */*").fails(401, "asks for its token");
    ask("/api/games", "Authorization: token 0123456789abcdeX").fails(401, "asks for its token");
    ask("/api/games", "Authorization: token 0123456789abcdef").succeeds();
    let form = ask("/", "Accept: */*");
    assert!(form.status == 401 && form.body.contains("name=\"token\""), "{}", form.body);
    assert_eq!(ask("/?token=0123456789abcde", "Accept: */*").status, 401);
    let entered = ask("//evil.test/?token=0123456789abcdef", "Accept: */*");
    assert_eq!(entered.status, 303);
    assert!(entered.head.contains("location: /evil.test/\r\n"), "{}", entered.head);
    let entered = ask(&format!("/?token={token}"), "Accept: */*");
    let cookie = entered.head.lines().find_map(|it| it.strip_prefix("set-cookie: "));
    let cookie = cookie.expect("a cookie");
    assert!(cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
    let cookie = format!("Cookie: a=b; {}", cookie.split(';').next().unwrap_or_default());
    assert_eq!(ask("/", &cookie).status, 200);
    ask("/api/games", &cookie).succeeds();
    ask("/api/games", &format!("Cookie: groundfrog-1={token}")).fails(401, "asks for its token");
}

#[test]
fn many_roles_and_moves_are_too_many() {
    let page = page();
    let roles: String = (0..200).map(|it| format!("(role r{it})")).collect();
    let text = format!(
        "{roles} (init on) (<= (legal ?r wait) (role ?r)) (<= (next on) (true on)) (<= terminal (true off)) (<= (goal ?r 50) (role ?r))"
    );
    let game = post(&page, "/api/games", &json!({ "text": text })).succeeds();
    let players = vec![json!({ "kind": "built_in", "strategy": "random" }); 200];
    let request =
        json!({ "game": game["id"], "players": players, "start_clock": 1, "play_clock": 1 });
    post(&page, "/api/matches", &request).fails(422, "64 players are allowed");

    let numbers: String = (0..100).map(|it| format!("(n {it})")).collect();
    let text = format!(
        "(role ann) {numbers} (init on) (<= (legal ann (go ?x ?y)) (n ?x) (n ?y)) (<= (next on) (true on)) (<= terminal (true off)) (goal ann 50)"
    );
    let game = post(&page, "/api/games", &json!({ "text": text })).succeeds();
    let request = json!({ "game": game["id"], "players": [{ "kind": "person" }], "start_clock": 1, "play_clock": 1 });
    let id = post(&page, "/api/matches", &request).succeeds();
    let path = format!("/api/matches/{}", id["id"].as_str().expect("a number"));
    super::wait(&page, &path, |it| it["ready"] == true);
    let position = get(&page, &format!("{path}/positions/0?role=ann")).succeeds();
    assert_eq!(position["legal"][0].as_array().map(Vec::len), Some(5000));
    assert_eq!(position["more_moves"], json!([5000]));
}

#[test]
fn remote_players_come_from_a_list_and_only_their_status_is_shown() {
    let peer = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", peer.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for (number, stream) in peer.incoming().enumerate() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 1 << 16]);
            let status = if number % 2 == 0 { "500 Secret" } else { "200 OK" };
            let _ = write!(stream, "HTTP/1.0 {status}\r\nContent-Length: 11\r\n\r\nthe-secret!");
        }
    });
    let remote_players = Some(vec![url.clone()]);
    let page = page_with(PageOptions { remote_players, ..PageOptions::default() });
    let game = post(&page, "/api/games", &json!({ "name": "lamps" })).succeeds();
    let begin = |url: &str| {
        let players =
            json!([{ "kind": "remote", "url": url }, { "kind": "built_in", "strategy": "random" }]);
        let request =
            json!({ "game": game["id"], "players": players, "start_clock": 1, "play_clock": 1 });
        post(&page, "/api/matches", &request)
    };
    begin("http://127.0.0.1:1").fails(403, "allow it with --allow-player");
    let begun = begin(&url).succeeds();
    let path = format!("/api/matches/{}", begun["id"].as_str().expect("a number"));
    let shown = super::wait(&page, &path, |it| it["status"] == "completed");
    let text = shown.to_string() + &get(&page, &format!("{path}/record")).body;
    assert!(text.contains("the answer has status 500"), "{text}");
    assert!(text.contains("the answer is not legal"), "{text}");
    assert!(!text.to_lowercase().contains("secret"), "{text}");
}

#[test]
fn rules_are_told_and_games_have_pictures() {
    let page = page();
    let game = post(&page, "/api/games", &json!({ "name": "lamps" })).succeeds();
    let path = format!("/api/games/{}/rules", game["id"].as_str().expect("a name"));
    let rules = get(&page, &path).succeeds();
    assert_eq!(rules["title"], "lamps");
    assert!(rules["text"].as_str().is_some_and(|it| it.starts_with("(role ann)")), "{rules}");
    let path = format!("/api/games/{}/knowledge", game["id"].as_str().expect("a name"));
    let known = get(&page, &path).succeeds();
    let findings = known["known"]["findings"].as_array().expect("a list");
    assert!(findings.iter().any(|it| it["property"] == "turn-taking"), "{known}");
    assert_eq!(known["known"]["structures"]["boards"].as_array().map(Vec::len), Some(1), "{known}");
    let picture = get(&page, "/api/pictures?name=lamps").succeeds();
    assert_eq!(picture["first"]["cells"].as_array().map(Vec::len), Some(4), "{picture}");
    assert_eq!(picture["boards"], with_boards(&page, &game)["boards"]);
    get(&page, "/api/pictures?name=nobody").fails(404, "no game called `nobody`");
}

#[test]
fn a_hint_file_says_how_a_game_looks() {
    let text = |it: &'static str| GameText::Fixed(Cow::Borrowed(it.as_bytes()));
    let game = |name: &str, look| OfferedGame {
        name: name.to_owned(),
        summary: String::new(),
        text: text(super::LAMPS),
        look: Some(text(look)),
        given: true,
    };
    let games = vec![
        game("dim", "shape = \"hexagonal\"\n[colours]\nann = \"teal\"\n"),
        game("torn", "colour = 3\n"),
        game("listed", "facts = [\"lamp\"]\n"),
    ];
    let page = page_with(PageOptions { games, ..PageOptions::default() });
    let open = |name: &str| post(&page, "/api/games", &json!({ "name": name }));
    let dim = with_boards(&page, &open("dim").succeeds());
    assert_eq!(dim["look"]["colours"]["ann"], "teal");
    assert_eq!(dim["boards"][0]["shape"], "hexagonal", "{dim}");
    open("torn").fails(422, "unknown field `colour`");
    let listed = with_boards(&page, &open("listed").succeeds());
    assert_eq!(listed["first"]["cells"], json!([]), "{listed}");
}
