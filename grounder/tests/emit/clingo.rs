//! What clingo makes of the logic programs.

use std::collections::{BTreeSet, HashMap};
use std::io::Write as _;
use std::process::{Command, Stdio};

use groundfrog::description::Printer;
use groundfrog::emit::Format;
use groundfrog::game::GroundGame;
use groundfrog_testing::{needs, read_game};
use serde_json::Value;

use super::{ground_text, own_games, residual, treatments, write};

type Atoms = BTreeSet<String>;

/// The atoms of the only answer set.
fn answer(program: &str, arguments: &[&str]) -> Atoms {
    let mut clingo = Command::new("clingo")
        .args(["--outf=2", "-Wnone", "0"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("clingo runs");
    let mut stdin = clingo.stdin.take().expect("a pipe");
    stdin.write_all(program.as_bytes()).expect("clingo reads");
    drop(stdin);
    let output = clingo.wait_with_output().expect("clingo ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "", "{}", program.chars().take(2000).collect::<String>());
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let witnesses = json["Call"][0]["Witnesses"].as_array().expect("answer sets");
    assert_eq!(witnesses.len(), 1, "a state and a joint move have one answer set");
    let value = witnesses[0]["Value"].as_array().expect("atoms");
    value.iter().map(|atom| atom.as_str().expect("a text").to_owned()).collect()
}

/// A game as both programs.
struct Programs {
    asp: String,
    aspif: String,
    /// The arguments of `base` and `input` facts, in order.
    base: Vec<String>,
    input: Vec<String>,
    roles: Vec<String>,
}

impl Programs {
    fn new(game: &GroundGame) -> Self {
        let asp = write(game, Format::Asp);
        let facts = |name: &str| {
            let argument =
                |line: &str| Some(line.strip_prefix(name)?.strip_suffix(").")?.to_owned());
            asp.lines()
                .map_while(|line| (!line.contains(":-")).then_some(line))
                .filter_map(argument)
                .collect()
        };
        let (base, input, roles) = (facts("base("), facts("input("), facts("role("));
        Programs { base, input, roles, aspif: write(game, Format::Aspif), asp }
    }

    /// What follows from fluents and moves, by position; both programs must say the same.
    fn solve(&self, fluents: &[usize], moves: &[usize]) -> Atoms {
        let mut text = self.asp.clone();
        fluents.iter().for_each(|&it| text += &format!("true({}).\n", self.base[it]));
        moves.iter().for_each(|&it| text += &format!("does({}).\n", self.input[it]));
        let atoms = answer(&text, &[]);
        let externals = self.aspif.lines().filter(|line| line.starts_with("5 "));
        let given: BTreeSet<&str> = {
            let externals: Vec<&str> = externals.collect();
            assert_eq!(externals.len(), self.base.len() + self.input.len());
            let of_move = moves.iter().map(|it| externals[self.base.len() + it]);
            fluents.iter().map(|&it| externals[it]).chain(of_move).collect()
        };
        let replace = |line: &str| match given.contains(line) {
            true => format!("1 0 1 {} 0 0\n", line.split(' ').nth(1).expect("an atom")),
            false => line.to_owned() + "\n",
        };
        let aspif: String = self.aspif.lines().map(replace).collect();
        assert!(answer(&aspif, &["--mode=clasp"]) == atoms, "the two programs differ");
        atoms
    }
}

fn of<'a>(atoms: &'a Atoms, name: &'a str) -> impl Iterator<Item = &'a str> {
    atoms.iter().filter_map(move |atom| atom.strip_prefix(name))
}

#[needs(clingo)]
#[test]
fn both_programs_say_the_same_of_own_games() {
    let games = own_games().filter(|game| !game.tags.contains(&"large"));
    let [flat, _, compact] = treatments();
    for (game, options) in games.flat_map(|game| [(game, &flat), (game, &compact)]) {
        let name = game.name;
        let game = ground_text(game.text, options);
        let programs = Programs::new(&game);
        let init: Vec<usize> = game.init().iter().map(|atom| atom.index()).collect();
        let before = programs.solve(&init, &[]);
        let facts: Atoms =
            of(&before, "base(").map(|it| it.trim_end_matches(')').to_owned()).collect();
        assert_eq!(facts.len(), programs.base.len(), "{name}: two fluents have one term");
        assert_eq!(of(&before, "true(").count(), init.len(), "{name}");
        let first_legal = |role: &String| {
            let wanted = |it: &&String| it.starts_with(&format!("{role},"));
            let legal = |it: &&String| before.contains(&format!("legal({it})"));
            let found = programs.input.iter().filter(wanted).find(legal);
            let found = found.unwrap_or_else(|| panic!("{name}: no move for {role}"));
            programs.input.iter().position(|it| it == found).expect("just found")
        };
        let moves: Vec<usize> = programs.roles.iter().map(first_legal).collect();
        let after = programs.solve(&init, &moves);
        assert!(of(&after, "next(").count() > 0, "{name}: no next state");
    }
}

#[needs(clingo, games)]
#[test]
fn clingo_plays_as_the_reference_does() {
    for name in ["ticTacToe", "connectFour", "blocksWorldSerial", "coins_atomic"] {
        let text = read_game(&format!("{name}.kif"));
        let trace = read_game(&format!("../traces/{name}.jsonl"));
        let game = ground_text(text, &residual());
        follows(name, &game, &String::from_utf8(trace).expect("JSON lines"));
    }
}

/// Compares the first states of a trace.
fn follows(name: &str, game: &GroundGame, trace: &str) {
    let programs = Programs::new(game);
    let fluents: HashMap<String, usize> = game
        .fluents()
        .zip(0..)
        .map(|(atom, number)| (game.display(atom).to_string(), number))
        .collect();
    let inputs: HashMap<String, usize> = game
        .inputs()
        .zip(0..)
        .map(|(atom, number)| (game.display(atom).to_string(), number))
        .collect();
    let printer = Printer::new(game.symbols());
    let roles: Vec<String> = game.roles().iter().map(|it| printer.term(it).to_string()).collect();
    let strings = |value: &Value| -> Vec<String> {
        let all = value.as_array().expect("an array").iter();
        all.map(|it| it.as_str().expect("a text").to_owned()).collect()
    };
    let lines: Vec<Value> =
        trace.lines().take(8).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let state = |line: &Value| -> Vec<usize> {
        strings(&line["state"]).iter().map(|it| fluents[&format!("(true {it})")]).collect()
    };
    let input = |role: &str, it: &str| inputs[&format!("(does {role} {it})")];
    for (number, line) in lines.iter().enumerate() {
        let moves: Vec<usize> = match &line["move"] {
            Value::Object(moves) => {
                moves.iter().map(|(role, it)| input(role, it.as_str().expect("a move"))).collect()
            }
            _ => Vec::new(),
        };
        let atoms = programs.solve(&state(line), &moves);
        let mut expected = Atoms::new();
        for (role, asp_role) in roles.iter().zip(&programs.roles) {
            for it in strings(&line["legal"][role]) {
                expected.insert(format!("legal({})", programs.input[input(role, &it)]));
            }
            for value in line["goal"][role].as_array().expect("goal values") {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                expected.insert(format!("goal({asp_role},{value})"));
            }
        }
        if line["terminal"] == true {
            expected.insert("terminal".to_owned());
        }
        let after = lines.get(number + 1).filter(|after| after["playout"] == line["playout"]);
        if let Some(after) = after {
            expected.extend(state(after).iter().map(|&it| format!("next({})", programs.base[it])));
        }
        let kinds: &[&str] = match after {
            Some(_) => &["legal(", "goal(", "next("],
            None => &["legal(", "goal("],
        };
        let asked =
            |atom: &&String| kinds.iter().any(|kind| atom.starts_with(kind)) || *atom == "terminal";
        let found: Atoms = atoms.iter().filter(asked).cloned().collect();
        assert_eq!(found, expected, "{name}: line {number} of the trace");
    }
}
