//! Matches that are begun on the page.

use std::time::{Duration, Instant};

use groundfrog_arena::serve::PageOptions;
use serde_json::{Value, json};

use super::{begin, get, make, page, page_with, post, wait};

fn turn(shown: &Value) -> u64 {
    shown["turn"].as_u64().expect("a number")
}

#[test]
fn a_whole_match_against_a_built_in_player() {
    let page = page();
    let players =
        json!([{ "kind": "person", "name": "ann" }, { "kind": "built_in", "strategy": "random" }]);
    let path = begin(&page, "tictactoe", &players);
    let mut shown = wait(&page, &path, |it| it["ready"] == true);
    assert_eq!(shown["seats"][0]["name"], "ann");
    assert_eq!(shown["seats"][1]["kind"], "built_in");
    let role = shown["seats"][0]["role"].as_str().expect("a name").to_owned();
    make(&page, &path, &role, 0, "(place 9 9)").fails(422, "`(place 9 9)` is not legal");
    make(&page, &path, &role, 5, "(place 1 1)").fails(409, "in another turn");
    make(&page, &path, "nobody", 0, "noop").fails(422, "no role `nobody`");
    let other = shown["seats"][1]["role"].as_str().expect("a name").to_owned();
    make(&page, &path, &other, 0, "noop").fails(409, "not played by a person");
    let mut made = 0;
    while shown["status"] == "running" && made < 20 {
        let now = turn(&shown);
        let position = get(&page, &format!("{path}/positions/{now}")).succeeds();
        let legal = position["legal"][0].as_array().expect("a list");
        let is_asked = shown["chosen"][0] == false && legal.len() > 1;
        if is_asked {
            assert_eq!(legal[0]["clicks"].as_array().map(Vec::len), Some(1), "{position}");
            let action = legal[0]["move"].as_str().expect("a move");
            make(&page, &path, &role, now, &format!(" {action} ")).succeeds();
            make(&page, &path, &role, now, action);
            made += 1;
        }
        shown = wait(&page, &path, |it| turn(it) > now || it["status"] != "running");
    }
    assert_eq!(shown["status"], "completed", "{shown}");
    assert!(made >= 3, "{made}");
    let last = get(&page, &format!("{path}/positions/{}", turn(&shown))).succeeds();
    assert_eq!(last["terminal"], true);
    assert!(last["changed"].as_array().is_some_and(|it| !it.is_empty()), "{last}");
    let record = get(&page, &format!("{path}/record"));
    assert!(record.head.to_lowercase().contains("content-disposition: attachment"));
    let record = groundfrog_arena::record::MatchRecord::parse(&record.body).expect("a record");
    assert!(record.is_completed && record.is_player_human[0], "{record:?}");
    assert_eq!(record.moves.len() as u64, turn(&shown));
    get(&page, &format!("{path}/positions/99")).fails(404, "no state after 99 turns");
    make(&page, &path, &role, 3, "noop").fails(409, "the match is over");
    let all = get(&page, "/api/matches").succeeds();
    assert_eq!(all["matches"][0]["goals"], shown["goals"], "{all}");
}

#[test]
fn what_built_in_players_think_is_shown() {
    let page = page();
    let player = json!({ "kind": "built_in", "strategy": "mcts" });
    let path = begin(&page, "lamps", &json!([player, player]));
    let shown = wait(&page, &path, |it| it["status"] == "completed");
    assert_eq!(turn(&shown), 4);
    assert_eq!(shown["moves"].as_array().map(Vec::len), Some(4));
    let later = get(&page, &format!("{path}?from=3")).succeeds();
    assert_eq!(
        (later["from"].as_u64(), later["moves"].as_array().map(Vec::len)),
        (Some(3), Some(1))
    );
    let first = get(&page, &format!("{path}/positions/0")).succeeds();
    let decision = &first["seats"][0]["decision"];
    assert_eq!(decision["method"], "mcts", "{first}");
    let visits: u64 = decision["candidates"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["visits"].as_u64())
        .sum();
    assert!(visits > 10, "{decision}");
    let second = get(&page, &format!("{path}/positions/1")).succeeds();
    assert_eq!(second["last_clicks"][0].as_array().map(Vec::len), Some(1), "{second}");
    assert_eq!(second["changed"].as_array().map(Vec::len), Some(1), "{second}");
}

#[test]
fn moves_at_the_same_time_are_told_when_all_are_in() {
    let page = page();
    let person = json!({ "kind": "person" });
    let path = begin(&page, "rock_paper_scissors", &json!([person, person]));
    let shown = wait(&page, &path, |it| it["ready"] == true);
    let roles: Vec<&str> = shown["seats"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["role"].as_str())
        .collect();
    let first = get(&page, &format!("{path}/positions/0")).succeeds();
    let action = |role: usize| first["legal"][role][0]["move"].as_str().expect("a move");
    make(&page, &path, roles[0], 0, action(0)).succeeds();
    let told = wait(&page, &path, |it| it["chosen"] == json!([true, false]));
    assert_eq!((turn(&told), &told["moves"]), (0, &json!([])));
    let text = get(&page, &format!("{path}/positions/0")).succeeds();
    assert_eq!(text["made"], json!(null));
    make(&page, &path, roles[0], 0, action(0)).fails(409, "already chosen");
    make(&page, &path, roles[1], 0, action(1)).succeeds();
    let told = wait(&page, &path, |it| turn(it) == 1);
    assert_eq!(told["moves"], json!([[action(0), action(1)]]));
    post(&page, &format!("{path}/abort"), &json!({})).succeeds();
    let over = wait(&page, &path, |it| it["status"] == "aborted");
    assert_eq!(over["record"], true);
}

#[test]
fn a_person_sees_percepts_only() {
    let page = page();
    let players = json!([{ "kind": "person" }, { "kind": "built_in", "strategy": "random" }]);
    let path = begin(&page, "card_draw", &players);
    let shown = wait(&page, &path, |it| it["ready"] == true);
    assert_eq!(shown["hidden"], true, "{shown}");
    let seats = shown["seats"].as_array().expect("a list");
    assert!(seats.iter().any(|it| it["kind"] == "chance"), "{shown}");
    let person = seats.iter().position(|it| it["kind"] == "person").expect("a person");
    let role = seats[person]["role"].as_str().expect("a name");
    let mut shown = wait(&page, &path, |it| turn(it) >= 1);
    let now = turn(&shown);
    let seen = get(&page, &format!("{path}/positions/{now}?role={role}")).succeeds();
    assert_eq!(seen["known"]["sampled"], false, "{seen}");
    assert!(seen["percepts"][person].as_array().is_some_and(|it| !it.is_empty()), "{seen}");
    let others = |turn: &Value| {
        let percepts = turn["percepts"].as_array().expect("a list");
        percepts
            .iter()
            .enumerate()
            .filter(|(role, _)| *role != person)
            .all(|(_, it)| *it == json!([]))
    };
    assert!(others(&seen), "{seen}");
    let unseen = get(&page, &format!("{path}/positions/{now}")).succeeds();
    assert_eq!(unseen["legal"][person], json!([]), "{unseen}");
    // Nobody sees through the eyes of those who are no persons.
    for seat in seats.iter().filter(|it| it["kind"] != "person") {
        let other = seat["role"].as_str().expect("a name");
        let seen = get(&page, &format!("{path}/positions/0?role={other}")).succeeds();
        assert_eq!(seen["legal"], json!([[], [], []]), "{other}: {seen}");
        assert_eq!(seen["made"], json!([null, null, null]), "{other}: {seen}");
        let told = get(&page, &format!("{path}?role={other}")).succeeds();
        assert_eq!(told["moves"][0], json!([null, null, null]), "{other}: {told}");
    }
    for _ in 0..20 {
        let now = turn(&shown);
        let seen = get(&page, &format!("{path}/positions/{now}?role={role}")).succeeds();
        if let Some(action) = seen["legal"][person][0]["move"].as_str() {
            make(&page, &path, role, now, action);
        }
        shown = wait(&page, &path, |it| turn(it) > now || it["status"] != "running");
        if shown["status"] != "running" {
            break;
        }
    }
    assert_eq!(
        (&shown["status"], &shown["hidden"]),
        (&json!("completed"), &json!(false)),
        "{shown}"
    );
    let after = get(&page, &format!("{path}/positions/0")).succeeds();
    assert!(after["facts"].as_array().is_some_and(|it| !it.is_empty()), "{after}");
}

#[test]
fn matches_that_cannot_begin() {
    let page = page();
    let game = post(&page, "/api/games", &json!({ "name": "lamps" })).succeeds();
    let person = json!({ "kind": "person" });
    let ask = |players: Value, play: f64| {
        let request =
            json!({ "game": game["id"], "players": players, "start_clock": 1, "play_clock": play });
        post(&page, "/api/matches", &request)
    };
    ask(json!([person]), 1.0).fails(422, "1 players for 2 roles: ann, bob");
    ask(json!([person, person]), 1e9).fails(422, "play clock has to be between");
    let genius = json!({ "kind": "built_in", "strategy": "genius" });
    ask(json!([person, genius]), 1.0).fails(422, "no strategy `genius`");
    let remote = json!({ "kind": "remote", "url": "ftp://x" });
    ask(json!([person, remote]), 1.0).fails(422, "is no address");
    ask(json!([person, { "kind": "oracle" }]), 1.0).fails(400, "not understood");
    // Their number has no limit.
    for _ in 0..20 {
        ask(json!([person, person]), 1.0).succeeds();
    }
}

#[test]
fn matches_at_which_nobody_looks_end() {
    let abandoned_after = Duration::from_secs(1);
    let page = page_with(PageOptions { abandoned_after, ..PageOptions::default() });
    let persons = json!([{ "kind": "person" }, { "kind": "person" }]);
    let (left, kept) = (begin(&page, "lamps", &persons), begin(&page, "lamps", &persons));
    let number = left.rsplit('/').next().expect("a number");
    // The list shows it, which is not to look at it.
    let line = || {
        let all = get(&page, "/api/matches").succeeds();
        let all = all["matches"].as_array().expect("a list").clone();
        all.into_iter().find(|it| it["id"] == number).expect("the match")
    };
    let until = Instant::now() + Duration::from_secs(10);
    while line()["status"] != "aborted" {
        assert!(Instant::now() < until, "{}", line());
        get(&page, &kept).succeeds();
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(get(&page, &kept).succeeds()["status"], "running");
    let told = get(&page, &left).succeeds();
    assert!(told["trouble"].as_str().is_some_and(|it| it.contains("nobody looked")), "{told}");
}

#[test]
fn what_a_new_match_needs_to_be_like_the_last_one_is_told() {
    let page = page();
    let game = post(&page, "/api/games", &json!({ "name": "lamps" })).succeeds();
    let players = json!([{ "kind": "person" }, { "kind": "built_in", "strategy": "greedy" }]);
    let request = json!({ "game": game["id"], "players": players, "start_clock": 0.5,
        "play_clock": 0.25, "person_clock": 90 });
    let begun = post(&page, "/api/matches", &request).succeeds();
    let path = format!("/api/matches/{}", begun["id"].as_str().expect("a number"));
    let told = get(&page, &path).succeeds();
    assert_eq!(told["clocks"], json!({ "start": 0.5, "play": 0.25, "person": 90.0 }));
    assert_eq!(told["seats"][0]["kind"], "person", "{told}");
    let other = &told["seats"][1];
    assert_eq!((&other["kind"], &other["name"]), (&json!("built_in"), &json!("greedy")));
}

#[test]
fn a_move_is_taken_back_and_a_search_gives_a_hint() {
    let page = page();
    let players = json!([{ "kind": "person" }, { "kind": "built_in", "strategy": "random" }]);
    let path = begin(&page, "tictactoe", &players);
    wait(&page, &path, |it| it["ready"] == true);
    post(&page, &format!("{path}/undo"), &json!({})).fails(409, "no choice to take back");
    let hint = |path: &str, turn: u64| {
        post(&page, &format!("{path}/hint"), &json!({ "role": "cross", "turn": turn }))
    };
    let position = get(&page, &format!("{path}/positions/0")).succeeds();
    let told = hint(&path, 0).succeeds();
    let legal = position["legal"][0].as_array().expect("a list");
    assert!(legal.iter().any(|it| it["move"] == told["move"]), "{told} of {legal:?}");
    assert_eq!(legal[0]["words"]["name"], "place", "{legal:?}");
    hint(&path, 1).fails(409, "another turn");
    post(&page, &format!("{path}/hint"), &json!({ "role": "nought", "turn": 0 }))
        .fails(422, "no person's role");
    make(&page, &path, "cross", 0, "(place 2 2)").succeeds();
    wait(&page, &path, |it| turn(it) == 2);
    let other = post(&page, &format!("{path}/undo"), &json!({})).succeeds();
    let next = format!("/api/matches/{}", other["id"].as_str().expect("a name"));
    // Whoever looks at the match is told where it goes on, and the list has that one only.
    let old = wait(&page, &path, |it| it["goes_on_as"] == other["id"]);
    assert_eq!(old["goes_on_as"], other["id"]);
    let shown = wait(&page, &next, |it| it["ready"] == true);
    assert_eq!(turn(&shown), 0);
    let listed = get(&page, "/api/matches").succeeds();
    let ids: Vec<&Value> =
        listed["matches"].as_array().expect("a list").iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, [&other["id"]]);
    // Later moves are taken back one by one: what was made before stays made.
    make(&page, &next, "cross", 0, "(place 1 1)").succeeds();
    let shown = wait(&page, &next, |it| turn(it) == 2);
    let free = get(&page, &format!("{next}/positions/2")).succeeds();
    let action = free["legal"][0][0]["move"].as_str().expect("a move").to_owned();
    make(&page, &next, "cross", 2, &action).succeeds();
    wait(&page, &next, |it| turn(it) == 4);
    let last = post(&page, &format!("{next}/undo"), &json!({})).succeeds();
    let last = format!("/api/matches/{}", last["id"].as_str().expect("a name"));
    let again = wait(&page, &last, |it| turn(it) == 2);
    assert_eq!(again["moves"], shown["moves"]);
    assert_eq!(again["words"][0][0]["places"], json!(["1,1"]), "{again}");
}
