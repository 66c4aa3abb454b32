//! The programs for other systems: those systems find with them what is found here.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use groundfrog::compact::Passes;
use groundfrog::emit::canonical;
use groundfrog::export::{asp, projection, prolog};
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::prepare::{Prepared, prepare};
use groundfrog_corpus::Game;
use groundfrog_engine::observe::Silent;
use groundfrog_testing::{description, needs, own_games, read_game};

/// A game takes SWI-Prolog well below a second; one that takes this long does not end.
const LIMIT: Duration = Duration::from_secs(120);

/// Small games of the known ones, with all that descriptions contain.
const KNOWN: [&str; 34] = [
    "3pConnectFour",
    "asteroids",
    "beatMania",
    "blocker",
    "blocksWorld",
    "blocksWorldSerial",
    "breakthroughSmallHoles",
    "buttons",
    "chickentictactoe",
    "circlesolitaire",
    "coins",
    "coins_atomic",
    "connectFour",
    "duplicateStateSmall",
    "factoringMediumTurtleBrain",
    "firefighter",
    "futoshiki4",
    "gt_coordination",
    "gt_prisoner",
    "hanoi",
    "haystack",
    "knightsTour",
    "lightsOn",
    "maze",
    "nim1",
    "nineBoardTicTacToe",
    "queens06ug",
    "ruleDepthLinear",
    "stateSpaceMedium",
    "ticTacToe",
    "ticTacToeNoVars",
    "ticTacToeSerial",
    "troublemaker01",
    "untwistycomplex2",
];

/// Every kind of name, one game: operators and what else means something to Prolog, words that differ in
/// nothing but what must be quoted, predicates and functions that share names, heads of all kinds.
const NAMES: &str = "(role white) (role |) (role ++)
(init (- - .)) (init (. [] mod)) (init (f)) (init f) (init ([] {} ! dynamic)) (init (:- is table))
(init (' \\ '\\'')) (init 1) (init 01) (init (1 -1)) (init (not (p))) (init é) (init (Ab _b V0 ab))
(- 1 2) (- 1) (. 1 2) (true_ x) (append a b) (ground_rules a) (main x) (p_base 1) (\\+ 1)
(<= (legal ?r ?R) (role ?r) (true ?R) (not (- ?R)))
(<= (legal ?r noop) (distinct ?r |) (not (true (f))) (role ?r))
(<= (next ?V0) (does ?++ ?V0) (distinct ?V0 mod))
(<= (next (. ?a ?b)) (true (. ?a ?b)) (not (p ?a)) (not (. ?a ?b)))
(<= (p ?a) (true (. ?a ?a)) (or (append ?a ?b) (not (p_base ?a))))
(<= (p ?a ?b) (true (- ?a ?b))) (<= p (true f)) (<= (p ?a) (. ?a ?b) p)
(<= (write ?a) (append ?a ?b)) (<= (halt ?a) (write ?a) (true f) (undefined ?a))
(<= (base ?a) (append ?a ?b)) (<= (input ?r ?a) (role ?r) (base ?a) (append ?a ?b))
(<= (sees ?r (saw ?m)) (does ?r ?m) (\\+ 1)) (<= (sees | ?a) (base ?a))
(<= (goal ?r 100) (role ?r) p) (<= (goal ?r 0) (role ?r) (not p)) (<= terminal (not (p . .)))";

fn prepared(text: impl AsRef<[u8]>) -> Prepared {
    prepare(&description(&text), &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// With existential variables projected.
fn projected(text: impl AsRef<[u8]>) -> Prepared {
    projection::projected(&description(&text), &Limits::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The canonical text of the flat program.
fn flat(text: impl AsRef<[u8]>) -> String {
    let options = GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() };
    let grounding = ground(&description(&text), &options, &mut Silent);
    let mut lines = Vec::new();
    let game = grounding.unwrap_or_else(|error| panic!("{error}")).game;
    canonical::write(&game, &mut lines).expect("memory takes everything");
    String::from_utf8(lines).expect("names are UTF-8")
}

/// What a program writes of a text in a file.
fn output(name: &str, program: &str, arguments: &[&str], text: &[u8], after: &[&str]) -> String {
    // Tests run at the same time.
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let file = std::env::temp_dir().join(format!("groundfrog-{process}-{thread:?}-{name}"));
    std::fs::write(&file, text).expect("a file for the text");
    let mut command = Command::new(program);
    command.args(arguments).arg(&file).args(after).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let mut reader = child.stdout.take().expect("a pipe");
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        reader.read_to_string(&mut text).map(|_| text)
    });
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => {
                child.kill().expect("it is still running");
                panic!("{name}: {program} takes longer than {LIMIT:?}");
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let mut errors = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("messages are text");
    std::fs::remove_file(&file).expect("it was written");
    assert!(status.success(), "{name}: {program} fails\n{errors}");
    assert_eq!(errors, "", "{name}: {program} complains");
    reading.join().expect("reading ends").expect("the output is text")
}

/// What SWI-Prolog writes when it runs the export.
fn swipl(name: &str, prepared: &Prepared, after: &[&str]) -> String {
    let mut program = Vec::new();
    prolog::write(prepared, &mut program).expect("memory takes everything");
    output(name, "swipl", &["-q"], &program, after)
}

fn small_games() -> impl Iterator<Item = &'static Game> {
    own_games().filter(|game| !game.tags.contains(&"large"))
}

#[track_caller]
fn prolog_agrees(name: &str, text: impl AsRef<[u8]>) {
    let found = swipl(name, &prepared(text.as_ref()), &["--", "rules"]);
    let expected = flat(text);
    let line = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(found == expected, "{name}: {line:?} is the first line that differs");
}

#[needs(swipl)]
#[test]
fn prolog_finds_the_flat_rules_of_own_games() {
    small_games().for_each(|game| prolog_agrees(game.name, game.text));
}

#[needs(swipl, games)]
#[test]
fn prolog_finds_the_flat_rules_of_known_games() {
    for name in KNOWN {
        prolog_agrees(name, read_game(&format!("{name}.kif")));
    }
}

#[needs(swipl)]
#[test]
fn prolog_takes_names_of_any_kind() {
    prolog_agrees("names", NAMES);
    assert!(flat(NAMES).contains("(<= (next (. [] mod)) (not (p [])) (true (. [] mod)))\n"));
}

#[needs(swipl)]
#[test]
fn prolog_counts() {
    let text = "(role a) (init (c 0)) (s 0 1) (s 1 2) (<= (next (c ?y)) (true (c ?x)) (s ?x ?y))
        (<= (legal a go) (true (c 0))) (<= (goal a 1) terminal) (<= terminal (true (c 2)))";
    let found = swipl("counts", &prepared(text), &[]);
    let lines: Vec<(&str, &str)> = found.lines().filter_map(|it| it.split_once(' ')).collect();
    assert_eq!(lines[..3], [("base", "3"), ("input", "1"), ("stored", "5")], "{found}");
    for (line, name) in lines[3..].iter().zip(["base_input_ms", "ground_ms"]) {
        assert_eq!(line.0, name);
        assert!(line.1.parse::<f64>().is_ok_and(|it| it >= 0.0), "{found}");
    }
    assert_eq!(lines.len(), 5);
}

/// The atoms that gringo derives, auxiliary ones left out, and how many rules it writes.
fn gringo(name: &str, prepared: &Prepared) -> (BTreeSet<String>, usize) {
    let mut program = Vec::new();
    asp::write(prepared, &mut program).expect("memory takes everything");
    let text = output(name, "gringo", &["--text", "-Wnone"], &program, &[]);
    let head = |line: &str| {
        let end = line.find(":-").unwrap_or(line.len());
        line[..end].trim_end_matches('.').to_owned()
    };
    let heads = text.lines().map(head).filter(|it| !it.starts_with("project_"));
    (heads.collect(), text.lines().count())
}

#[needs(gringo)]
#[test]
fn gringo_finds_the_same_atoms_with_and_without_projection() {
    for game in small_games() {
        let plain = prepared(game.text);
        let projected = projected(game.text);
        let (expected, _) = gringo(game.name, &plain);
        let (found, _) = gringo(game.name, &projected);
        assert!(found == expected, "{}: {:?}", game.name, found.symmetric_difference(&expected));
    }
}

#[needs(gringo)]
#[test]
fn projection_keeps_values_from_being_multiplied() {
    // 8 columns, 8 rows, 64 moves: 4096 rules of `next` without projection.
    let numbers: String = (1..=8).map(|it| format!("(n {it})")).collect();
    let text = format!(
        "{numbers} (role a) (init (cell 1 1))
        (<= (legal a (go ?x ?y)) (n ?x) (n ?y)) (<= (next (cell ?x ?y)) (does a (go ?x ?y)))
        (<= (next (cell ?x ?y)) (true (cell ?x ?y)) (does ?r (go ?u ?v)) (distinct ?x ?u))
        (<= (goal a 1) (n 1)) (<= terminal (true (cell 8 8)))"
    );
    let (_, before) = gringo("multiplied", &prepared(&text));
    let (_, after) = gringo("projected", &projected(&text));
    assert!(before > 64 * 56 && after < 64 * 16, "{before} rules, projected {after}");
}
