//! Any subset of the passes, on any game, plays the same.
//!
//! `passes/*.kif` are small games on which passes act, apart by lines `;;; NAME`: what one pass or another was once found to
//! get wrong, and what it is for.

#[path = "passes/settled.rs"]
mod settled;

use std::path::Path;

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::ground::{PASSES, Pass, ground};
use groundfrog::options::{Domains, Engine, GroundOptions, Limits};
use groundfrog_corpus::{random_game, random_hidden_game};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::Random;
use groundfrog_testing::{
    change_ringing, description, grounded, interpreted, options, own_games, plays_the_same,
    reasoner,
};

/// The small games of a file, or of all, by name.
fn small_games(of: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let files = std::fs::read_dir(folder).expect("the folder of games");
    let mut paths: Vec<_> = files.map(|it| it.expect("a file").path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "kif"));
    paths.sort();
    let mut games = Vec::new();
    for path in paths {
        let file = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if !of(&file) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let parts = text.split(";;; ").skip(1);
        games.extend(parts.map(|part| {
            let (name, rules) = part.split_once('\n').expect("a line with the name");
            (format!("{file}: {name}"), rules.to_owned())
        }));
    }
    assert!(!games.is_empty());
    games
}

/// Whether the games of a file are few and small enough for each pass to be tried alone.
fn is_small(file: &str) -> bool {
    !file.starts_with("drawn") && file != "larger"
}

/// With every condition that can be a diagram as one.
fn with_diagrams(passes: Passes) -> GroundOptions {
    GroundOptions { large_static: 0, ..options(passes) }
}

/// All passes, none, and each pass either left out or alone.
fn singly(random: &mut Random) -> Vec<(String, GroundOptions)> {
    let mut treatments = vec![
        ("none".to_owned(), options(Passes::NONE)),
        ("all".to_owned(), options(Passes::ALL)),
        ("all, diagrams throughout".to_owned(), with_diagrams(Passes::ALL)),
    ];
    treatments.extend(PASSES.iter().map(|pass| match random.below(2) {
        0 => (format!("without {}", pass.name), with_diagrams(Passes::ALL.without(pass.id))),
        _ => (format!("{} alone", pass.name), with_diagrams(Passes::of(&[pass.id]))),
    }));
    treatments
}

/// Some of the passes, on some way through the grounder.
fn drawn(random: &mut Random) -> (String, GroundOptions) {
    let chosen: Vec<&Pass> = PASSES.iter().filter(|_| random.below(2) == 0).collect();
    let passes = Passes::of(&chosen.iter().map(|it| it.id).collect::<Vec<PassId>>());
    let plain = if random.below(4) == 0 { with_diagrams(passes) } else { options(passes) };
    let domains = if random.below(4) == 0 { Domains::Iterative } else { Domains::OneStep };
    let options = GroundOptions { domains, threads: 1 + random.below(2) as usize, ..plain };
    let names: Vec<&str> = chosen.iter().map(|it| it.name).collect();
    (format!("{domains:?} with {}", names.join(",")), options)
}

/// All passes, and some subsets of them.
fn subsets(random: &mut Random, count: usize) -> Vec<(String, GroundOptions)> {
    let all = ("all".to_owned(), options(Passes::ALL));
    std::iter::once(all).chain((0..count).map(|_| drawn(random))).collect()
}

/// Plays a game by the flat rules beside the rules with variables, and ground in each of some ways beside the flat rules.
/// Returns how many states were compared.
fn play(name: &str, text: &str, treatments: Vec<(String, GroundOptions)>, playouts: u64) -> u64 {
    let flat = grounded(text, &GroundOptions { simplify: false, ..options(Passes::NONE) });
    let mut states = plays_the_same(name, &flat, &mut interpreted(text), 2);
    let mut oracle = reasoner(&flat);
    for (label, options) in treatments {
        let label = format!("{name}, {label}");
        states += plays_the_same(&label, &grounded(text, &options), &mut oracle, playouts);
    }
    states
}

fn lines(text: &str, options: &GroundOptions) -> Vec<String> {
    canonical::lines(&grounded(text, options)).collect()
}

#[test]
fn subsets_play_the_games_of_the_corpus() {
    let mut random = Random::new(1);
    let play = |it: &groundfrog_corpus::Game| play(it.name, it.text, subsets(&mut random, 3), 3);
    let states: u64 = own_games().map(play).sum();
    assert!(states > 5000, "only {states} states were compared");
}

#[test]
fn subsets_play_generated_games() {
    let mut random = Random::new(2);
    let visible = (1000..1100).map(|seed| (format!("seed {seed}"), random_game(seed)));
    let hidden = (0..20).map(|seed| (format!("hidden, seed {seed}"), random_hidden_game(seed)));
    let states: u64 = visible
        .chain(hidden)
        .map(|(name, text)| play(&name, &text, subsets(&mut random, 4), 4))
        .sum();
    assert!(states > 5000, "only {states} states were compared");
}

#[test]
fn each_pass_alone_or_left_out_plays_small_games() {
    let mut random = Random::new(5);
    let mut games = small_games(is_small);
    for (bells, rows) in [(2, 2), (3, 2), (4, 1)] {
        games.push((format!("{bells} bells"), change_ringing(bells, rows)));
    }
    let states: u64 =
        games.iter().map(|(name, text)| play(name, text, singly(&mut random), 2)).sum();
    assert!(states > 5000, "only {states} states were compared");
}

#[test]
fn subsets_play_larger_games_and_those_drawn_for_a_pass() {
    let mut random = Random::new(3);
    let games = small_games(|file| !is_small(file));
    let states: u64 =
        games.iter().map(|(name, text)| play(name, text, subsets(&mut random, 2), 2)).sum();
    assert!(states > 5000, "only {states} states were compared");
}

/// Else the tests above would show nothing of it.
#[test]
fn each_pass_changes_the_rules_of_some_small_game() {
    let mut missing: Vec<&Pass> = PASSES.iter().collect();
    let of = |passes, text: &str| lines(text, &with_diagrams(passes));
    let games = [small_games(is_small), small_games(|file| !is_small(file))].concat();
    for (_, text) in games {
        let [all, none] = [Passes::ALL, Passes::NONE].map(|passes| of(passes, &text));
        missing.retain(|pass| {
            of(Passes::ALL.without(pass.id), &text) == all
                && of(Passes::of(&[pass.id]), &text) == none
        });
        if missing.is_empty() {
            return;
        }
    }
    panic!("no game is changed by {:?}", missing.iter().map(|it| it.name).collect::<Vec<_>>());
}

#[test]
fn the_textbook_evaluator_gives_the_same_games() {
    let mut random = Random::new(4);
    let mut games = small_games(|file| file.starts_with("drawn"));
    games.extend((2000..2040).map(|seed| (format!("seed {seed}"), random_game(seed))));
    for (name, text) in games.iter().step_by(2) {
        for (label, options) in subsets(&mut random, 2) {
            let naive = GroundOptions { engine: Engine::Naive, ..options.clone() };
            assert_eq!(lines(text, &options), lines(text, &naive), "{name}, {label}");
        }
    }
}

/// A game whose legal move asks for one instance of a chain of ever wider predicates.
fn chain(levels: usize) -> String {
    let mut text = String::from(
        "(role prober) (init (level l1)) (digit d0) (digit d1) (digit d2) (legal prober stop)
         (<= (legal prober ask) (need1 d0)) (<= terminal (true (level done))) (goal prober 100)
         (<= (next (level done)) (does prober stop))",
    );
    for level in 1..=levels {
        let variables: Vec<String> = (1..=level).map(|it| format!("?v{it}")).collect();
        let digits: String = variables.iter().map(|it| format!("(digit {it})")).collect();
        let variables = variables.join(" ");
        let head = format!("(need{level} {variables})");
        text += &format!("(<= {head} {digits} (true (level l{level})))");
        text += &format!("(<= (next (level l{})) (true (level l{level})))", level + 1);
        if level < levels {
            text += &format!("(<= {head} {digits} (need{} {variables} d1))", level + 1);
        }
    }
    text
}

/// What would be lost without passes: the flat rules of these games fill any memory.
#[test]
fn compact_games_are_ground_that_cannot_be_flat() {
    let limits = Limits { memory: Some(128 << 20), ..Limits::default() };
    for text in [chain(16), change_ringing(9, 1)] {
        let of = |passes| {
            let options = GroundOptions { passes, limits: limits.clone(), ..options(passes) };
            ground(&description(&text), &options, &mut Silent)
        };
        assert!(of(Passes::ALL).is_ok());
        assert!(matches!(of(Passes::NONE), Err(groundfrog::GroundError::Limit { .. })));
    }
}

#[test]
fn the_page_of_passes_is_made_from_the_table() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/passes.md");
    let page = std::fs::read_to_string(page).expect("the page is beside the crate");
    let rows: Vec<&str> = page.lines().filter(|it| it.starts_with("| `")).collect();
    let row = |pass: &Pass| {
        let (name, program) = (pass.name, pass.program.name());
        format!("| `{name}` | {program} | {}. | {} |", pass.summary, pass.source)
    };
    let expected: Vec<String> = PASSES.iter().map(row).collect();
    assert!(rows == expected, "docs/passes.md should have these rows:\n{}", expected.join("\n"));
}
