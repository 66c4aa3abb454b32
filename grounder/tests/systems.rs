//! Descriptions and ground games as other systems read them: infix notation, programs with time, planning tasks, SMV.

use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::process::Command;

use groundfrog::emit::{self, Format};
use groundfrog::export::{asp, infix, sas, smv};
use groundfrog::game::GroundGame;
use groundfrog::kif::infix::{is_infix, to_kif};
use groundfrog::prepare::prepare;
use groundfrog::{Description, GroundOptions, Limits, Silent, ground};
use groundfrog_testing::{description, needs};

const LAMP: &str = "(role ann) (init (lamp off)) (init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (legal ann press) (legal ann wait)
    (<= (next (lamp on)) (does ann press) (true (lamp off)))
    (<= (next (lamp off)) (does ann press) (true (lamp on)))
    (<= (next (lamp ?x)) (does ann wait) (true (lamp ?x)))
    (<= (next (count ?n)) (true (count ?m)) (succ ?m ?n))
    (<= terminal (true (count 3))) (<= (goal ann 100) (true (lamp on))) (<= (goal ann 0) (not (true (lamp on))))";

fn game(text: &str) -> GroundGame {
    ground(&description(text), &GroundOptions::compact(), &mut Silent)
        .expect("it can be ground")
        .game
}

fn canonical(description: &Description) -> Vec<u8> {
    let game =
        ground(description, &GroundOptions::flat(), &mut Silent).expect("it can be ground").game;
    let mut text = Vec::new();
    emit::write(&game, Format::Canonical, &mut text).expect("memory takes everything");
    text
}

#[test]
fn infix_notation_is_read_back() {
    for name in [
        "tictactoe",
        "nim",
        "hanoi",
        "nested_logic",
        "nested_terms",
        "nullary_terms",
        "mixed_case",
        "blocks_world",
    ] {
        let text = groundfrog_corpus::game(name).expect("a game of the corpus").text;
        let own = description(text);
        let mut written = Vec::new();
        infix::write(&own, &mut written).expect("memory takes everything");
        let written = String::from_utf8(written).expect("names are UTF-8");
        assert!(is_infix(&written) && !is_infix(text), "{name}");
        let back = description(
            &to_kif(&written)
                .unwrap_or_else(|fault| panic!("{name}: {}", fault.snippet(name, &written))),
        );
        assert_eq!(canonical(&back), canonical(&own), "{name}");
    }
}

#[needs(clingo)]
#[test]
fn clingo_reads_programs_with_time() {
    let prepared = prepare(&description(LAMP), &Limits::default()).expect("it is sound");
    let mut program = Vec::new();
    asp::write_timed(&prepared, 3, &mut program).expect("memory takes everything");
    let mut program = String::from_utf8(program).expect("names are UTF-8");
    // Any legal move; who never presses, or twice, has the lamp off at the end.
    program.push_str("1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), mtdom(T), not terminal(T).\n:- not goal(ann,100,4).\n:- not terminal(4).\n");
    let file = std::env::temp_dir().join(format!("groundfrog-timed-{}.lp", std::process::id()));
    std::fs::write(&file, &program).expect("a temporary file");
    let output =
        Command::new("clingo").arg("-n").arg("0").arg("-q").arg(&file).output().expect("it runs");
    let _ = std::fs::remove_file(&file);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let models = text.lines().find_map(|line| line.strip_prefix("Models")).expect("a count");
    assert_eq!(models.trim_matches([' ', ':', '+']), "4", "{program}\n{text}");
}

#[test]
fn rules_are_numbered_in_comments() {
    let game = game(LAMP);
    let mut text = Vec::new();
    emit::write_numbered(&game, Format::Kif, &mut text).expect("memory takes everything");
    let text = String::from_utf8(text).expect("names are UTF-8");
    let numbers: Vec<usize> =
        text.lines().filter_map(|line| line.split(" ; ").nth(1)?.parse().ok()).collect();
    assert_eq!(numbers, (1..=game.rules().len()).collect::<Vec<usize>>());
    assert_eq!(description(&text).statements.len(), text.lines().count());
}

#[test]
fn every_name_of_a_model_is_defined_once() {
    for name in ["tictactoe", "nim", "rock_paper_scissors"] {
        let text =
            smv::text(&game(groundfrog_corpus::game(name).expect("a game of the corpus").text));
        let text = text.expect("nothing is recursive");
        let lines =
            || text.lines().map(|line| line.split(" -- ").next().unwrap_or_default().trim());
        let mut defined: BTreeSet<&str> = BTreeSet::new();
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for line in lines() {
            let (name, rest) =
                line.split_once(" := ").or_else(|| line.split_once(" : ")).unwrap_or(("", line));
            assert!(
                line.ends_with(';') || ["MODULE main", "VAR", "DEFINE", "ASSIGN"].contains(&line),
                "{line}"
            );
            if !name.is_empty() && !name.contains('(') && !line.starts_with("INVAR") {
                assert!(defined.insert(name), "{name} is defined twice");
            }
            let words = rest.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
            used.extend(words.filter(|it| it.starts_with('a') && it[1..].parse::<u32>().is_ok()));
        }
        let open: Vec<&&str> = used.difference(&defined).collect();
        assert!(open.is_empty() && used.len() > 10, "{name}: {open:?}");
    }
    let connected = groundfrog_corpus::game("hex_five").expect("a game of the corpus").text;
    assert!(smv::text(&game(connected)).is_err(), "connections depend on themselves");
}

type Pairs = Vec<(usize, usize)>;
/// Conditions, variable, value before if it matters, value after.
type Effect = (Pairs, usize, Option<usize>, usize);

/// A planning task, as its text says.
struct Task {
    layers: Vec<i64>,
    start: Vec<usize>,
    goal: Pairs,
    /// What has to hold, effects, the cost.
    operators: Vec<(Pairs, Vec<Effect>, usize)>,
    /// Conditions, variable, value after.
    axioms: Vec<(Pairs, usize, usize)>,
}

impl Task {
    fn parse(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let place = Cell::new(0);
        let line = || lines[place.replace(place.get() + 1)];
        let numbers = |line: &str| -> Vec<i64> {
            line.split(' ').map(|it| it.parse().expect("a number")).collect()
        };
        assert_eq!([line(), line(), line()], ["begin_version", "3", "end_version"]);
        assert_eq!([line(), line(), line()], ["begin_metric", "1", "end_metric"]);
        let count = numbers(line())[0];
        let mut layers = Vec::new();
        for _ in 0..count {
            assert_eq!(line(), "begin_variable");
            line();
            layers.push(numbers(line())[0]);
            for _ in 0..numbers(line())[0] {
                line();
            }
            assert_eq!(line(), "end_variable");
        }
        assert_eq!([line(), line()], ["0", "begin_state"]);
        let start = (0..count).map(|_| numbers(line())[0] as usize).collect();
        assert_eq!([line(), line()], ["end_state", "begin_goal"]);
        let pairs = || -> Pairs {
            let pair = |_| {
                let pair = numbers(line());
                (pair[0] as usize, pair[1] as usize)
            };
            (0..numbers(line())[0]).map(pair).collect()
        };
        let goal = pairs();
        assert_eq!(line(), "end_goal");
        let mut operators = Vec::new();
        for _ in 0..numbers(line())[0] {
            assert_eq!(line(), "begin_operator");
            line();
            let before = pairs();
            let mut effects = Vec::new();
            for _ in 0..numbers(line())[0] {
                let effect = numbers(line());
                let conditions = effect[1..][..effect[0] as usize * 2].chunks(2);
                let conditions = conditions.map(|it| (it[0] as usize, it[1] as usize)).collect();
                let [variable, old, new] = effect[effect[0] as usize * 2 + 1..] else {
                    panic!("{effect:?}")
                };
                effects.push((
                    conditions,
                    variable as usize,
                    usize::try_from(old).ok(),
                    new as usize,
                ));
            }
            operators.push((before, effects, numbers(line())[0] as usize));
            assert_eq!(line(), "end_operator");
        }
        let mut axioms = Vec::new();
        for _ in 0..numbers(line())[0] {
            assert_eq!(line(), "begin_rule");
            let before = pairs();
            let head = numbers(line());
            assert_eq!(head[1], 1, "what is derived is false at first");
            axioms.push((before, head[0] as usize, head[2] as usize));
            assert_eq!(line(), "end_rule");
        }
        Task { layers, start, goal, operators, axioms }
    }

    /// Derives what axioms say, layer by layer.
    fn derive(&self, state: &mut [usize]) {
        let derived = (0..state.len()).filter(|&it| self.layers[it] >= 0);
        derived.for_each(|it| state[it] = self.start[it]);
        for layer in 0..=self.layers.iter().copied().max().unwrap_or(0) {
            let own = || self.axioms.iter().filter(|it| self.layers[it.1] == layer);
            while let Some((_, variable, value)) = own().find(|step| {
                state[step.1] != step.2 && step.0.iter().all(|&(at, value)| state[at] == value)
            }) {
                state[*variable] = *value;
            }
        }
    }

    /// The least cost of a plan.
    fn cost(&self) -> Option<usize> {
        let holds = |conditions: &Pairs, state: &[usize]| {
            conditions.iter().all(|&(at, it)| state[at] == it)
        };
        let mut start = self.start.clone();
        self.derive(&mut start);
        let (mut seen, mut waiting) = (BTreeSet::new(), VecDeque::from([(start, 0)]));
        while let Some((state, cost)) = waiting.pop_front() {
            if holds(&self.goal, &state) {
                return Some(cost);
            }
            if !seen.insert(state.clone()) {
                continue;
            }
            for (before, effects, own) in &self.operators {
                let is_open = effects.iter().all(|it| it.2.is_none_or(|old| state[it.1] == old));
                if !is_open || !holds(before, &state) {
                    continue;
                }
                let mut next = state.clone();
                for (_, variable, _, new) in effects.iter().filter(|it| holds(&it.0, &state)) {
                    next[*variable] = *new;
                }
                self.derive(&mut next);
                match own {
                    0 => waiting.push_front((next, cost)),
                    own => waiting.push_back((next, cost + own)),
                }
            }
        }
        None
    }
}

#[test]
fn plans_of_a_task_are_ways_to_goal_100() {
    let task = |text: &str| Task::parse(&sas::text(&game(text)).expect("a puzzle"));
    assert_eq!(task(LAMP).cost(), Some(3), "the match ends after three moves");
    let hanoi = "(role ann) (init (at a)) (way a b) (way b c) (way c d) (way a d)
        (<= (legal ann (go ?y)) (true (at ?x)) (way ?x ?y) (not closed)) (<= closed (true (at b)) (true (at c)))
        (<= (next (at ?y)) (does ann (go ?y))) (<= (next seen) (true seen)) (<= (next seen) (true (at b)))
        (<= terminal (true (at d))) (<= (goal ann 100) (true (at d)) (true seen)) (<= (goal ann 0) (not (true seen)))";
    assert_eq!(task(hanoi).cost(), Some(3), "not the short way, where nothing is seen");
    let two = groundfrog_corpus::game("nim").expect("a game of the corpus").text;
    assert_eq!(sas::text(&game(two)), Err(sas::SasError::Roles(2)));
}
