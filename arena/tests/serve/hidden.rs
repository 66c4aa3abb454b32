//! Matches in which roles see a part of the state only.

use groundfrog_arena::serve::PageServer;
use serde_json::{Value, json};

use super::{get, make, page, post, wait};

/// Chance hides a coin on a board of four places; who opens a place is told whether it is there.
const COIN: &str = "(role random) (role ann) (side 1) (side 2) (init hiding)
    (<= (init (cell ?x ?y closed)) (side ?x) (side ?y))
    (<= (legal random (hide ?x ?y)) (true hiding) (side ?x) (side ?y))
    (<= (legal random wait) (not (true hiding)))
    (<= (legal ann wait) (true hiding))
    (<= (legal ann (open ?x ?y)) (not (true hiding)) (side ?x) (side ?y))
    (<= (next (cell ?x ?y coin)) (does random (hide ?x ?y)))
    (<= (next (cell ?x ?y empty)) (side ?x) (side ?y) (does random (hide ?u ?v)) (or (distinct ?x ?u) (distinct ?y ?v)))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (true hiding)))
    (<= (next (opened ?x ?y)) (does ann (open ?x ?y)))
    (<= (next (opened ?x ?y)) (true (opened ?x ?y)))
    (<= (sees ann (found ?c)) (does ann (open ?x ?y)) (true (cell ?x ?y ?c)))
    (<= terminal (true (opened 1 1)) (true (opened 1 2)) (true (opened 2 1)))
    (<= (goal ann 100) (true (cell 2 2 coin))) (<= (goal ann 0) (not (true (cell 2 2 coin)))) (goal random 100)";

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

/// A match of poker in which bea has bet after a check of ann's, so that ann has to call or fold.
fn poker(page: &PageServer) -> (String, Value) {
    let players = json!([{ "kind": "person" }, { "kind": "built_in", "strategy": "random" }]);
    let game = post(page, "/api/games", &json!({ "name": "kuhn_poker" })).succeeds();
    for seed in 1..50 {
        let request = json!({ "game": game["id"], "players": players, "start_clock": 1,
            "play_clock": 1, "seed": seed });
        let begun = post(page, "/api/matches", &request).succeeds();
        let path = format!("/api/matches/{}", begun["id"].as_str().expect("a number"));
        let seen = format!("{path}?role=ann");
        wait(page, &seen, |it| it["turn"] == 1);
        make(page, &path, "ann", 1, "check").succeeds();
        // The goals of an end are told before the match is called over.
        let shown = wait(page, &seen, |it| it["turn"] == 3);
        if shown["goals"].is_null() {
            return (path, shown);
        }
    }
    panic!("bea never bets");
}

#[test]
fn a_person_sees_all_that_the_role_has_perceived_and_what_follows_from_it() {
    let page = page();
    let (path, shown) = poker(&page);
    // Each turn has what ann perceived in it, the first one the own card.
    let dealt = shown["percepts"][0][1][0].as_str().expect("a card").to_owned();
    let card = dealt.trim_start_matches("(dealt ").trim_end_matches(')').to_owned();
    assert!(["jack", "queen", "king"].contains(&card.as_str()), "{shown}");
    assert_eq!(shown["percepts"][0][0], json!([]), "chance perceives nothing");
    assert_eq!(shown["percepts"][0][2], json!([]), "of others nothing is told");
    assert_eq!(shown["percepts"][2][1], json!(["(did bea bet)"]), "{shown}");
    let position =
        |turn: u64, role: &str| get(&page, &format!("{path}/positions/{turn}?role={role}"));
    let now = position(3, "ann").succeeds();
    assert_eq!(strings(&now["facts"]), ["(story raised)"], "{now}");
    // Who holds which card is on a board: the own card is there, and two may be bea's.
    let columns = strings(&shown["game"]["boards"][0]["columns"]);
    let cells = now["cells"].as_array().expect("a list");
    assert_eq!(cells.len(), 1, "{now}");
    let column = cells[0][1].as_u64().expect("a number") as usize;
    assert_eq!((columns[column], &cells[0][3]), (card.as_str(), &json!("ann")), "{now}");
    assert_eq!(now["known"]["unsure"].as_array().map(Vec::len), Some(2), "{now}");
    assert_eq!((&now["known"]["states"], &now["known"]["sampled"]), (&json!(2), &json!(false)));
    assert_eq!(strings(&now["new_facts"]), ["(story raised)"], "{now}");
    let first = position(1, "ann").succeeds();
    assert!(strings(&first["facts"]).contains(&"(story opening)"), "{first}");
    // Nobody sees through the eyes of those who are no persons.
    for other in ["bea", "random"] {
        let seen = position(3, other).succeeds();
        assert_eq!((&seen["facts"], &seen["known"]), (&json!(null), &json!(null)), "{seen}");
    }
    // Nothing is taken back, neither now nor after the end.
    let undo = || post(&page, &format!("{path}/undo"), &json!({}));
    undo().fails(409, "nothing is taken back");
    make(&page, &path, "ann", 3, "call").succeeds();
    let over = wait(&page, &path, |it| it["status"] == "completed");
    assert_eq!(over["hidden"], false);
    assert_eq!(over["percepts"][0][1], json!([dealt]), "{over}");
    undo().fails(409, "nothing is taken back");
}

#[test]
fn what_is_not_known_of_a_board_is_no_empty_place() {
    let page = page();
    // The coin is at one of the first two places, or it is not.
    let left: Vec<u64> = (1..=12).map(|seed| states_left(&page, seed)).collect();
    assert!(left.contains(&1) && left.contains(&2), "{left:?}");
}

/// Opens two places, looks at what is known at each turn, and returns how many states are possible then.
fn states_left(page: &PageServer, seed: u64) -> u64 {
    let game = post(page, "/api/games", &json!({ "text": COIN, "title": "coin" })).succeeds();
    let request = json!({ "game": game["id"], "players": [{ "kind": "person" }], "start_clock": 1,
        "play_clock": 1, "seed": seed });
    let begun = post(page, "/api/matches", &request).succeeds();
    let path = format!("/api/matches/{}", begun["id"].as_str().expect("a number"));
    let seen = format!("{path}?role=ann");
    let shown = wait(page, &seen, |it| it["turn"] == 1 || it["chosen"][1] == false);
    if shown["turn"] == 0 {
        make(page, &path, "ann", 0, "wait").succeeds();
        wait(page, &seen, |it| it["turn"] == 1);
    }
    let position = |turn: u64| get(page, &format!("{path}/positions/{turn}?role=ann")).succeeds();
    let hidden = position(1);
    assert_eq!(hidden["known"]["states"], 4, "{hidden}");
    assert_eq!((&hidden["cells"], &hidden["facts"]), (&json!([]), &json!([])), "{hidden}");
    assert_eq!(hidden["known"]["unsure"].as_array().map(Vec::len), Some(4), "{hidden}");
    let mut turn = 1;
    for place in ["(open 1 1)", "(open 1 2)"] {
        make(page, &path, "ann", turn, place).succeeds();
        turn += 1;
        let shown = wait(page, &seen, |it| it["turn"] == turn);
        let told = shown["percepts"].as_array().expect("a list").len() as u64;
        assert_eq!(told, turn, "each turn has what was perceived: {shown}");
    }
    let later = position(3);
    let found = later["percepts"][1][0].as_str().expect("a percept").to_owned();
    let cells = later["cells"].as_array().expect("a list");
    let states = later["known"]["states"].as_u64().expect("a number");
    let unsure = later["known"]["unsure"].as_array().map(Vec::len);
    // Two places are known, or all are as the coin is found.
    let contents = cells.iter().filter_map(|it| it[3].as_str());
    let contents: Vec<&str> = contents.filter(|it| !it.contains("opened")).collect();
    match states {
        1 => assert!(contents.len() == 4 && unsure == Some(0), "{later}"),
        _ => {
            assert_eq!(states, 2, "{later}");
            assert!(found.contains("empty") && unsure == Some(2), "{later}");
            assert!(contents == ["empty", "empty"], "{later}");
        }
    }
    make(page, &path, "ann", 3, "(open 2 1)").succeeds();
    let over = wait(page, &path, |it| it["status"] == "completed");
    assert_eq!(over["goals"][0], json!(null), "chance has no score: {over}");
    assert!(over["goals"][1].is_number(), "{over}");
    let end = get(page, &format!("{path}/positions/4")).succeeds();
    assert_eq!(end["goals"][0], json!([]), "{end}");
    assert!(end["cells"].as_array().is_some_and(|it| it.len() >= 4), "{end}");
    states
}
