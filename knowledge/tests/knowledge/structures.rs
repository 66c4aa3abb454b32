//! What games are made of, and that names do not matter for it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use groundfrog::GroundOptions;
use groundfrog::description::{Description, Printer};
use groundfrog_knowledge::structures::{AxisKind, Board, Shape, Structures};
use groundfrog_knowledge::{AnalysisOptions, Survey, Verdict, survey};
use groundfrog_reasoner::Random;
use groundfrog_testing::{description as parsed, grounded, needs, read_game, reasoner, words};
use serde::Deserialize;

use super::corpus;

#[derive(Debug, Deserialize)]
struct Games {
    game: Vec<Expected>,
}

/// What a game is made of, by hand.
#[derive(Debug, Deserialize)]
struct Expected {
    name: String,
    boards: Vec<String>,
    pieces: Option<Vec<String>>,
    counters: Option<Vec<String>>,
    quantities: Option<Vec<String>>,
    stacks: Option<Vec<String>>,
    symmetries: Option<u128>,
    parts: Option<String>,
}

fn found(text: &(impl AsRef<[u8]> + ?Sized), time: Duration) -> Survey {
    let mut reasoner = reasoner(&grounded(text, &GroundOptions::compact()));
    let options = AnalysisOptions { time, ..AnalysisOptions::default() };
    survey(&parsed(text), &mut reasoner, &options).expect("rules that can be evaluated")
}

fn written(board: &Board) -> String {
    let shape = match board.shape {
        Shape::Grid => "grid",
        Shape::Hexagonal => "hexagonal",
        Shape::Rings => "rings",
        Shape::Ring => "ring",
        Shape::Graph => "graph",
        Shape::Edges => "edges",
        Shape::Places => "places",
    };
    let mut text = shape.to_owned();
    let is_plain = board.axes.is_empty() || board.shape == Shape::Ring;
    for axis in board.axes.iter().filter(|_| !is_plain) {
        let round = if axis.kind == AxisKind::Ring && shape == "grid" { "round" } else { "" };
        text.push_str(&format!(" {}{round}", axis.values.len()));
    }
    if is_plain {
        text.push_str(&format!(" {}", board.cells.len()));
    }
    if !board.layers.is_empty() {
        text.push_str(&format!(" layers {}", board.layers.len()));
    }
    text
}

/// What of a game was not found as it was written down.
fn missing(expected: &Expected, found: &Survey) -> Vec<String> {
    let mut missing = Vec::new();
    let mut compare = |what: &str, expected: &[String], found: Vec<String>| {
        let sorted = |it: &[String]| it.iter().cloned().collect::<BTreeSet<String>>();
        if what == "boards" {
            let mut left = found.clone();
            for board in expected {
                match left.iter().position(|it| it == board) {
                    Some(at) => drop(left.remove(at)),
                    None => missing.push(format!("no {board} in {found:?}")),
                }
            }
            if expected.is_empty() && !found.is_empty() {
                missing.push(format!("boards {found:?}"));
            }
        } else if !sorted(expected).is_subset(&sorted(&found))
            || (what == "pieces" && sorted(expected) != sorted(&found))
        {
            missing.push(format!("{what}: {found:?}"));
        }
    };
    let Structures { boards, counters, quantities, stacks, .. } = &found.structures;
    compare("boards", &expected.boards, boards.iter().map(written).collect());
    let markers = boards.iter().flat_map(|it| &it.markers).filter(|it| it.is_piece);
    let pieces = markers.map(|it| it.content.clone()).collect();
    let patterns = [
        ("pieces", &expected.pieces, pieces),
        ("counters", &expected.counters, counters.iter().map(|it| it.pattern.clone()).collect()),
        ("numbers", &expected.quantities, quantities.iter().map(|it| it.pattern.clone()).collect()),
        ("stacks", &expected.stacks, stacks.iter().map(|it| it.pattern.clone()).collect()),
    ];
    for (what, expected, found) in patterns {
        if let Some(expected) = expected {
            compare(what, expected, found);
        }
    }
    let order = found.symmetries.as_ref().map(|it| it.initial.order);
    if expected.symmetries.is_some() && order != expected.symmetries {
        missing.push(format!("symmetries: {order:?}"));
    }
    let parts = found.factors.as_ref().map(|it| format!("{:?}", it.combination).to_lowercase());
    if expected.parts.is_some() && parts != expected.parts {
        missing.push(format!("parts: {parts:?}"));
    }
    missing
}

#[needs(games)]
#[test]
fn games_are_made_of_what_was_written_down_by_hand() {
    let games: Games = toml::from_str(include_str!("structures.toml")).expect("a list of games");
    let (mut all, mut right) = (0, 0);
    // Every third one: it takes seconds for each, and more where others use the processors.
    for expected in games.game.iter().step_by(3) {
        let found = found(&read_game(&format!("{}.kif", expected.name)), Duration::from_secs(16));
        let missing = missing(expected, &found);
        all += 1;
        right += usize::from(missing.is_empty());
        if !missing.is_empty() {
            println!("{}: {missing:?}", expected.name);
        }
    }
    assert!(all >= 11 && right * 10 >= all * 9, "{right} of {all}");
}

/// A game with other names for everything but keywords and goals, and its rules in another order; and the names back.
fn scrambled(description: &Description, seed: u64) -> (String, BTreeMap<String, String>) {
    let printer = Printer::new(&description.symbols);
    let keywords = description.keywords;
    let mut kept: BTreeSet<String> =
        ["and", "or", "not", "distinct", "<=", "random"].map(str::to_owned).into();
    for name in [
        "role", "init", "true", "does", "legal", "next", "goal", "terminal", "base", "input",
        "sees",
    ] {
        kept.insert(name.to_owned());
    }
    for statement in description.statements.iter().filter(|it| it.head.predicate == keywords.goal) {
        kept.insert(printer.term(&statement.head.arguments[1]).to_string());
    }
    let mut random = Random::new(seed);
    let mut there: BTreeMap<String, String> = BTreeMap::new();
    let mut lines: Vec<String> = Vec::new();
    let mut roles: Vec<String> = Vec::new();
    for statement in &description.statements {
        let line = printer.statement(statement).to_string();
        match statement.head.predicate == keywords.role {
            true => roles.push(line),
            false => lines.push(line),
        }
    }
    let mut all: BTreeSet<String> = BTreeSet::new();
    for line in lines.iter().chain(&roles) {
        words(line, |word| {
            all.insert(word.to_owned());
            String::new()
        });
    }
    for word in all.into_iter().filter(|it| !kept.contains(it) && !it.starts_with('?')) {
        let name = loop {
            let name = format!("w{}", random.below(1_000_000));
            if !there.values().any(|it| *it == name) {
                break name;
            }
        };
        there.insert(word, name);
    }
    random.shuffle(&mut lines);
    let change = |line: &String| words(line, |it| there.get(it).cloned().unwrap_or(it.to_owned()));
    let text: Vec<String> = roles.iter().chain(&lines).map(change).collect();
    let back = there.iter().map(|(from, to)| (to.clone(), from.clone())).collect();
    (text.join("\n"), back)
}

/// What structures say in the names of a game, whatever has no order in a fixed one.
fn portrait(structures: &Structures, back: &BTreeMap<String, String>) -> BTreeSet<String> {
    let text =
        |it: &str| words(it, |it| back.get(it).cloned().unwrap_or(it.to_owned())).trim().to_owned();
    let list = |it: &[String]| it.iter().map(|it| text(it)).collect::<Vec<String>>();
    let set = |it: &[String]| list(it).into_iter().collect::<BTreeSet<String>>();
    let mut lines: BTreeSet<String> = BTreeSet::new();
    for it in &structures.relations {
        let chains: BTreeSet<BTreeSet<String>> = it.chains.iter().map(|it| set(it)).collect();
        lines.insert(format!("{} {:?} {chains:?}", text(&it.pattern), it.kind));
    }
    for it in &structures.counters {
        lines.insert(format!("{} {:?} {}", text(&it.pattern), list(&it.values), it.is_clock));
    }
    for it in &structures.quantities {
        lines.insert(format!("{} {:?} {:?}", text(&it.pattern), set(&it.values), set(&it.keys)));
    }
    for it in &structures.stacks {
        lines.insert(format!("{} {:?} {:?}", text(&it.pattern), set(&it.things), set(&it.grounds)));
    }
    for board in &structures.boards {
        let text_of = |axis: &groundfrog_knowledge::structures::Axis| {
            let (values, mut other) = (list(&axis.values), list(&axis.values));
            other.reverse();
            match (axis.kind, axis.is_directed) {
                (AxisKind::Line, true) => format!("{values:?}"),
                (AxisKind::Line, false) => format!("{:?}", values.min(other)),
                _ => format!("{:?}", set(&axis.values)),
            }
        };
        let axes: Vec<String> = board.axes.iter().map(text_of).collect();
        let name = |it: usize| list(&board.cells[it].names).join(" ");
        let neighbours: BTreeSet<BTreeSet<String>> =
            board.neighbours.iter().map(|&(one, other)| [name(one), name(other)].into()).collect();
        let cells: BTreeSet<String> = (0..board.cells.len()).map(name).collect();
        let markers: BTreeSet<(String, bool)> =
            board.markers.iter().map(|it| (text(&it.content), it.is_piece)).collect();
        let fluents: BTreeSet<String> = board
            .fluents
            .iter()
            .map(|it| format!("{} {:?} {:?}", text(&it.pattern), it.output, it.arguments))
            .collect();
        lines.insert(format!(
            "{:?} {axes:?} {cells:?} {neighbours:?} {markers:?} {fluents:?} {:?}",
            board.shape,
            set(&board.layers)
        ));
    }
    lines
}

/// Each property with its verdict in the names of a game, the parts of a pattern in one order. Bounds on moves, and what exactly is listed of rules,
/// may depend on the order of the rules.
fn verdicts(found: &Survey, back: &BTreeMap<String, String>) -> BTreeSet<String> {
    let line = |finding: &groundfrog_knowledge::Finding| {
        let verdict = match finding.verdict {
            Verdict::Proved => "proved",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Unknown { .. } => "unknown",
        };
        let property = format!("{:?}", finding.property).replace(['(', ')', '"'], " ");
        let text = words(&property, |it| back.get(it).cloned().unwrap_or(it.to_owned()));
        let mut parts: Vec<&str> = text.split(" | ").map(str::trim).collect();
        parts.sort_unstable();
        format!("{verdict} {}", parts.join(" | "))
    };
    let is_shown = |it: &String| !it.contains("Terminating") && !it.contains("ExclusiveRules");
    found.analysis.findings.iter().map(line).filter(is_shown).collect()
}

#[test]
fn scrambled_games_are_made_of_the_same() {
    // In these there is time enough to decide whatever can be.
    let small = ["tictactoe", "nim", "hanoi", "peg_solitaire", "rock_paper_scissors", "card_draw"];
    for name in [
        "rock_paper_scissors",
        "card_draw",
        "tictactoe",
        "connect_four",
        "breakthrough",
        "hex_five",
        "eight_puzzle",
        "hanoi",
        "nim",
        "peg_solitaire",
        "blocks_world",
        "light_trails",
        "small_kalaha",
        "three_player_tictactoe",
        "rope_bridges",
    ] {
        let text = corpus(name);
        let time = Duration::from_secs(if small.contains(&name) { 200 } else { 8 });
        let own = found(text, time);
        let (other, back) = scrambled(&parsed(text), 11);
        let again = found(&other, time);
        if small.contains(&name) {
            let proved = verdicts(&own, &BTreeMap::new());
            assert!(proved.len() > 2, "{name}: {proved:?}");
            assert_eq!(proved, verdicts(&again, &back), "{name}");
        }
        assert_eq!(
            portrait(&own.structures, &BTreeMap::new()),
            portrait(&again.structures, &back),
            "{name}"
        );
        let orders =
            |it: &Survey| it.symmetries.as_ref().map(|it| (it.rules.order, it.initial.order));
        assert_eq!(orders(&own), orders(&again), "{name}");
        let parts =
            |it: &Survey| it.factors.as_ref().map(|it| (it.combination, it.ends, it.parts.len()));
        assert_eq!(parts(&own), parts(&again), "{name}");
    }
}
