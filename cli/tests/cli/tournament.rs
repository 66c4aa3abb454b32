//! `groundfrog tournament`: what is played, what is left of it, what is wrong with a plan.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Folder, Listening, Run, matches, run, signal, started};

const CLOCKS: &str = "start-clock = 5\nplay-clock = 0.2\n";

fn player(name: &str, who: &str) -> String {
    format!("[[players]]\nname = \"{name}\"\n{who}\n")
}

fn built_in(name: &str, strategy: &str) -> String {
    player(name, &format!("strategy = \"{strategy}\""))
}

/// Plays the plan `cup.toml` of a folder, with the results in `out`.
fn play(folder: &Folder, arguments: &[&str]) -> Run {
    let (plan, out) = (folder.text_path("cup.toml"), folder.text_path("out"));
    run([&["tournament", &plan, "--out", &out], arguments].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The records by name.
fn records(folder: &Folder) -> BTreeMap<String, Value> {
    let entries = std::fs::read_dir(folder.path("out/matches")).expect("there are records");
    let record = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.expect("an entry");
        let text = std::fs::read_to_string(entry.path()).expect("it can be read");
        (entry.file_name().to_string_lossy().into_owned(), json(&text))
    };
    entries.map(record).collect()
}

/// The standing of a player.
fn of<'s>(standings: &'s Value, name: &str) -> &'s Value {
    let players = standings["players"].as_array().expect("players");
    players.iter().find(|it| it["name"] == name).expect("the player")
}

#[test]
fn a_small_tournament_of_built_in_players() {
    let folder = Folder::new();
    let games =
        "games = [\"tictactoe\", \"blocks_world\", \"games/lamp.kif\"]\nparallel = 2\nseed = 5\n";
    let players = built_in("ann", "mcts") + &built_in("bob", "random") + &built_in("cat", "greedy");
    folder.file("cup.toml", format!("{games}{CLOCKS}max-length = 30\n{players}"));
    std::fs::create_dir(folder.path("games")).expect("a folder");
    folder.file("games/lamp.kif", super::ENDLESS);
    let run = play(&folder, &["--json"]).succeeds();
    assert!(!folder.path("out/live").exists(), "no match is under way any more");
    assert!(
        run.stderr.contains("cup.1.1: ") && run.stderr.contains("report.html"),
        "{}",
        run.stderr
    );
    let standings = json(&run.stdout);
    assert_eq!((&standings["matches"], &standings["left"]), (&12.into(), &0.into()), "{standings}");
    assert_eq!(standings["without_result"], 3, "the lamp never goes out");
    assert_eq!(of(&standings, "ann")["share"]["matches"], 5);
    assert!(of(&standings, "ann")["rating"].as_f64() > of(&standings, "bob")["rating"].as_f64());
    assert_eq!(records(&folder).len(), 12);
    let page = std::fs::read_to_string(folder.path("out/report.html")).expect("a page");
    for part in [
        "Tournament cup",
        "Against each other",
        "tictactoe, ",
        "All matches",
        "cup.1.12.json",
        "95 % interval",
        "±",
        "How matches ended",
        "<figcaption>tictactoe: ",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    let inside = page.split_once("<main>").expect("main").1.split_once("</main>").expect("main").0;
    roxmltree::Document::parse(&format!("<main>{inside}</main>")).expect("the page is well-formed");

    // What is there is not lost by a second call, and nothing is played again.
    play(&folder, &[]).fails(2, &["there are records of matches", "--resume"]);
    let before = records(&folder);
    let again = play(&folder, &["--resume", "--json"]).succeeds();
    assert_eq!((again.stdout, records(&folder)), (run.stdout, before));
    let given_up =
        again.stderr.lines().filter(|it| it.contains("lamp: ") && it.contains("given up"));
    assert_eq!(given_up.count(), 3, "{}", again.stderr);
    // Records can be verified.
    let record = &records(&folder)["cup.1.1.json"];
    let game = record["gameMetaURL"].as_str().expect("a game");
    assert_eq!(record["tournamentNameFromHost"], "cup");
    assert!(["tictactoe", "blocks_world", "games/lamp.kif"].contains(&game), "{game}");
}

#[test]
fn the_game_that_cannot_be_played_is_named() {
    let folder = Folder::new();
    let players = built_in("ann", "random") + &built_in("bob", "random");
    let games = "games = [\"unbounded_view\"]\n";
    folder.file("cup.toml", format!("{games}{CLOCKS}max-length = 3\n{players}"));
    play(&folder, &[]).fails(1, &["unbounded_view: the rules could not be evaluated"]);
}

#[test]
fn a_tournament_goes_on_where_it_stopped() {
    let folder = Folder::new();
    let players = built_in("ann", "greedy") + &built_in("bob", "random");
    folder.file(
        "cup.toml",
        format!("games = [\"tictactoe\", \"nim\"]\nrounds = 3\n{CLOCKS}{players}"),
    );
    let whole = play(&folder, &["--json"]).succeeds();
    let before = records(&folder);
    assert_eq!(before.len(), 12);
    // Half of it is lost, as if it had been killed in the middle of writing.
    let lost: Vec<&String> = before.keys().step_by(2).collect();
    for name in &lost {
        std::fs::remove_file(folder.path("out/matches").join(name)).expect("it was there");
    }
    folder.file("out/matches/.groundfrog-torn.tmp", "{\"matchId\"");
    let resumed = play(&folder, &["--resume", "--json"]).succeeds();
    assert_eq!(resumed.stderr.matches(" turns").count(), 6, "{}", resumed.stderr);
    let after = records(&folder);
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    for (name, record) in &after {
        // These players need no clock: the same seeds give the same matches.
        assert_eq!(record["moves"], before[name]["moves"], "{name}");
    }
    assert_eq!(resumed.stdout, whole.stdout);
    // Another plan with the same name is told.
    let other = built_in("ann", "greedy") + &built_in("eve", "random");
    folder
        .file("cup.toml", format!("games = [\"tictactoe\", \"nim\"]\nrounds = 3\n{CLOCKS}{other}"));
    play(&folder, &["--resume"]).fails(2, &["is of another tournament", "players differ"]);
    play(&folder, &["--replace", "--quiet"]).succeeds();
}

#[test]
fn records_that_cannot_be_of_the_plan_are_not_counted() {
    let folder = Folder::new();
    let players = built_in("ann", "greedy") + &built_in("bob", "random");
    let lamp = |goal: &str| {
        format!(
            "(role x) (role y) (init off) (legal x push) (legal x wait) (legal y wait)
            (<= (next on) (does x push)) (<= (next off) (does x wait)) (<= terminal (true on))
            (<= (goal x {goal}) (true on)) (<= (goal y 0) (true on))"
        )
    };
    folder.file("lamp.kif", lamp("100"));
    folder.file("cup.toml", format!("games = [\"lamp.kif\"]\nmax-length = 50\n{CLOCKS}{players}"));
    play(&folder, &[]).succeeds();
    let path = folder.path("out/matches/cup.1.1.json");
    let (sound, name) = (records(&folder)["cup.1.1.json"].clone(), "cup.1.1.json");
    let tampered = |key: &str, value: Value| {
        let mut record = sound.clone();
        record[key] = value;
        std::fs::write(&path, record.to_string()).expect("it can be written");
        play(&folder, &["--resume"])
    };
    for goals in ["[1000000000, 0]", "[-5, 0]", "[0, 100]"] {
        tampered("goalValues", json(goals)).fails(2, &[name, "is recorded, and does not hold"]);
    }
    tampered("goalValues", json("[100, 0, 0, 0, 0]"))
        .fails(2, &[name, "5 goal values for 2 roles"]);
    tampered("matchId", "cup.1.2".into()).fails(2, &[name, "names differ"]);
    tampered("tournamentNameFromHost", "other".into()).fails(2, &[name, "tournaments differ"]);
    tampered("isCompleted", false.into()).fails(2, &[name, "greatest lengths differ"]);
    tampered("moves", json("[]")).fails(2, &[name, "states and 0 joint moves"]);
    tampered("goalValues", sound["goalValues"].clone()).succeeds();
    // By other rules it would have ended otherwise.
    folder.file("lamp.kif", lamp("90"));
    play(&folder, &["--resume"]).fails(2, &["(goal x 100)", "--replace"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_tournament_keeps_what_was_played() {
    let folder = Folder::new();
    let players = built_in("ann", "mcts") + &built_in("bob", "mcts");
    folder.file("cup.toml", format!("games = [\"tictactoe\"]\nrounds = 20\n{CLOCKS}{players}"));
    let (plan, out) = (folder.text_path("cup.toml"), folder.text_path("out"));
    let mut child = started(&["tournament", &plan, "--out", &out]);
    let stderr = child.stderr.take().expect("it is piped");
    let mut lines = BufReader::new(stderr).lines();
    let first = lines.next().expect("a match ends").expect("a line");
    assert!(first.starts_with("cup.1."), "{first}");
    signal("-INT", &child);
    let rest: Vec<String> = lines.map(|it| it.expect("a line")).collect();
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130), "{rest:?}");
    assert!(rest.iter().any(|it| it.contains("--resume plays the other")), "{rest:?}");
    let records = records(&folder);
    assert!((1..40).contains(&records.len()) && records.keys().all(|it| it.ends_with(".json")));
    assert!(records.values().all(|it| it["isCompleted"] == true));
    assert!(folder.path("out/report.html").exists());
}

#[test]
fn players_over_http_play_one_match_at_a_time() {
    let folder = Folder::new();
    let listening = |strategy| matches::player(&["--port", "0", "--strategy", strategy]);
    let (one, two) = (listening("random"), listening("greedy"));
    let url = |it: &Listening| format!("url = \"http://{}\"", it.address);
    let players = player("one", &url(&one))
        + &player("two", &url(&two))
        + &built_in("three", "random")
        + &player("nobody", "url = \"http://127.0.0.1:1\"");
    let head =
        "games = [\"tictactoe\"]\nformat = \"swiss\"\nrounds = 2\nparallel = 4\nscramble = true\n";
    folder.file("cup.toml", format!("{head}{CLOCKS}{players}"));
    let start = Instant::now();
    let standings = json(&play(&folder, &["--json"]).succeeds().stdout);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!((&standings["matches"], &standings["left"]), (&8.into(), &0.into()));
    for name in ["one", "two", "three"] {
        let faults = &of(&standings, name)["faults"];
        assert_eq!(faults, &json("{\"late\":0,\"illegal\":0,\"connection\":0}"), "{name}");
        assert_eq!(of(&standings, name)["share"]["matches"], 4);
    }
    assert!(of(&standings, "nobody")["faults"]["connection"].as_u64() > Some(4));
    assert!(records(&folder).values().all(|it| it["scrambled"] == true));
}

#[test]
fn the_schedule_is_the_same_for_the_same_seed() {
    let folder = Folder::new();
    let players =
        built_in("ann", "greedy") + &built_in("bob", "random") + &built_in("cat", "random");
    let plan = |seed: u32| {
        let text = format!(
            "games = [\"tictactoe\", \"lights_out\"]\nrounds = 2\nseed = {seed}\n{players}"
        );
        let plan = folder.file("cup.toml", text);
        run(["tournament", &plan, "--schedule"]).succeeds().stdout
    };
    let (one, again, other) = (plan(1), plan(1), plan(2));
    assert!(one == again && one != other);
    assert_eq!(one.lines().count(), 2 * (6 + 3));
    let first = json(one.lines().next().expect("a match"));
    assert_eq!(first["id"], "cup.1.1");
}

#[test]
fn faults_of_a_plan_are_shown_in_their_line() {
    let folder = Folder::new();
    let plan = |text: &str| {
        folder.file("cup.toml", text);
        play(&folder, &[])
    };
    let two = built_in("ann", "random") + &built_in("bob", "random");
    for (text, messages) in [
        ("games = [\"nim\"\n".to_owned(), vec!["cup.toml:1:"]),
        (
            format!("games = [\"nim\"]\nrounds = 0\n{two}"),
            vec!["cup.toml:2:10", "^", "from 1 to 1000"],
        ),
        (
            format!("games = [\"nim\"]\nround = 2\n{two}"),
            vec!["cup.toml:2:1", "^^^^^", "unknown field `round`"],
        ),
        (
            format!("games = [\"nim\", \"none.kif\"]\n{two}"),
            vec!["cup.toml:1:17", "there is no file", "help: paths count from"],
        ),
        (
            format!("games = [\"derived_roles\"]\n{two}"),
            vec!["it needs 4 players, and there are 2"],
        ),
        (
            format!("games = [\"nim\"]\n{two}{}", built_in("c", "best")),
            vec!["there is no strategy `best`: take random"],
        ),
        ("games = [\"nim\"]\n".to_owned(), vec!["there are no players", "[[players]]"]),
    ] {
        plan(&text).fails(1, &messages);
    }
    assert!(!folder.path("out").exists(), "nothing is made for a plan at fault");
    run(["tournament", &folder.text_path("none.toml"), "--out", "x"]).fails(4, &["cannot read"]);
    run(["tournament", &folder.text_path("cup.toml")]).fails(2, &["--out"]);
    let help = run(["tournament", "-h"]).succeeds().stdout;
    assert!(help.contains("Usage: groundfrog tournament [OPTIONS] --out <DIR> <FILE>"), "{help}");
}
