//! The passes that make a game compact: each may be left out, and none changes what the game means.

#[path = "compact/alternatives.rs"]
mod alternatives;
#[path = "compact/settled.rs"]
mod settled;
#[path = "shared/text.rs"]
mod text;
#[path = "compact/views.rs"]
mod views;

use groundfrog::compact::Passes;
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::ground::{PASSES, Pass, ground};
use groundfrog::options::{Domains, Engine, GroundOptions, Limits};
use groundfrog_check::verify::{VerifyOptions, compare};
use groundfrog_corpus::random_game;
use groundfrog_engine::observe::Silent;
use text::{change_ringing, description, grounded, own_games, reasoner};

/// All passes, and all but one of them.
fn treatments() -> Vec<(String, Passes)> {
    let all = ("all".to_owned(), Passes::ALL);
    let without = |pass: &Pass| (format!("without {}", pass.name), Passes::ALL.without(pass.id));
    std::iter::once(all).chain(PASSES.iter().map(without)).collect()
}

fn options(passes: Passes, engine: Engine) -> GroundOptions {
    GroundOptions { engine, ..text::options(passes) }
}

/// Plays each compact game beside the flat one; returns how many states were compared.
fn means_the_same(name: &str, text: &str) -> u64 {
    let flat = GroundOptions { simplify: false, ..options(Passes::NONE, Engine::Datafrog) };
    let flat = grounded(text, &flat);
    let mut states = 0;
    let with = |(label, passes)| (label, options(passes, Engine::Datafrog));
    let mut treatments: Vec<(String, GroundOptions)> = treatments().into_iter().map(with).collect();
    // Every condition that can be a diagram is one.
    let all = options(Passes::ALL, Engine::Datafrog);
    treatments.push(("diagrams throughout".to_owned(), GroundOptions { large_static: 0, ..all }));
    for (label, options) in treatments {
        let compact = grounded(text, &options);
        let (mut tested, mut oracle) = (reasoner(&compact), reasoner(&flat));
        let options = VerifyOptions { playouts: 5, ..VerifyOptions::default() };
        let report = compare(&mut tested, &mut oracle, Some(&compact), &options, &mut Silent)
            .unwrap_or_else(|error| panic!("{name}, {label}: {error}"));
        assert_eq!(report.difference, None, "{name}, {label}: {report}");
        states += report.states;
    }
    states
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

#[test]
fn own_games_mean_the_same() {
    let states: u64 = own_games().map(|game| means_the_same(game.name, game.text)).sum();
    assert!(states > 5000, "only {states} states were compared");
}

#[test]
fn random_games_mean_the_same() {
    let states: u64 =
        (1000..1120).map(|seed| means_the_same(&format!("seed {seed}"), &random_game(seed))).sum();
    assert!(states > 5000, "only {states} states were compared");
}

#[test]
fn the_textbook_evaluator_gives_the_same_compact_games() {
    for seed in 2000..2060 {
        let (name, text) = (format!("seed {seed}"), random_game(seed));
        for (label, passes) in treatments() {
            let [datafrog, naive] = [Engine::Datafrog, Engine::Naive].map(|engine| {
                let game = grounded(&text, &options(passes, engine));
                canonical::lines(&game).collect::<Vec<_>>()
            });
            assert_eq!(datafrog, naive, "{name}, {label}");
        }
    }
}

#[test]
fn iterative_domains_lead_to_the_same_compact_games() {
    // Views of light_trails are unfolded in one step alone.
    for game in own_games().filter(|game| game.name != "light_trails") {
        let [one_step, iterative] = [Domains::OneStep, Domains::Iterative].map(|domains| {
            let options = GroundOptions { domains, ..text::options(Passes::ALL) };
            canonical::lines(&grounded(game.text, &options)).collect::<Vec<_>>()
        });
        assert!(one_step == iterative, "{}", game.name);
    }
}

#[test]
fn compact_games_are_small() {
    for (name, factor) in
        [("eight_puzzle", 2), ("breakthrough", 1), ("lights_out", 1), ("rival_railways", 1)]
    {
        let text = groundfrog_corpus::game(name).expect("a game of the corpus").text;
        let residual = grounded(text, &options(Passes::NONE, Engine::Datafrog));
        let compact = grounded(text, &options(Passes::ALL, Engine::Datafrog));
        let (compact, residual) = (compact.rules().len(), residual.rules().len());
        assert!(compact * factor <= residual, "{name}: {compact} of {residual} rules");
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
        let (head, digits) = (
            format!("(need{level} {})", variables.join(" ")),
            variables.iter().map(|it| format!("(digit {it})")).collect::<Vec<_>>().join(" "),
        );
        text += &format!("(<= {head} {digits} (true (level l{level})))");
        text += &format!("(<= (next (level l{})) (true (level l{level})))", level + 1);
        if level < levels {
            text += &format!("(<= {head} {digits} (need{} {} d1))", level + 1, variables.join(" "));
        }
    }
    text
}

#[test]
fn demand_grounds_what_nothing_else_does() {
    let text = chain(16);
    let compact = grounded(&text, &options(Passes::ALL, Engine::Datafrog));
    assert!(compact.rules().len() < 100, "{} rules", compact.rules().len());
    let flat = GroundOptions {
        limits: Limits { memory: Some(256 << 20), ..Limits::default() },
        ..options(Passes::NONE, Engine::Datafrog)
    };
    let error = ground(&description(&text), &flat, &mut Silent);
    error.expect_err("3^16 instances take more memory");
}

/// A game that asks for all of a large predicate.
fn cube(size: usize) -> String {
    let indices: String = (1..=size).map(|it| format!("(index {it})")).collect();
    format!(
        "(role r) (init (lit 1)) (init (day 1)) (legal r wait) (<= (next (lit ?z)) (does r (light ?x ?y ?z)))
         (<= (next (day 2)) (true (day 1))) (<= terminal (true (day 2))) (goal r 100)
         (<= (legal r (light ?x ?y ?z)) (index ?x) (index ?y) (index ?z) (bright ?x ?y ?z))
         (<= (bright ?x ?y ?z) (edge ?x ?y ?z) (true (lit ?y)))
         (<= (edge ?x ?y ?z) (index ?x) (index ?y) (index ?z) (true (lit ?x))) {indices}"
    )
}

#[test]
fn what_is_needed_throughout_is_on_demand() {
    let text = cube(30);
    let options = options(Passes::ALL, Engine::Datafrog);
    let passes = explain(&description(&text), Step::Passes, &options).expect("the game is small");
    assert!(passes.contains("demand_bright"), "{passes}");
    assert!(means_the_same("cube", &text) > 50);
}

#[test]
fn small_diagrams_mean_the_same() {
    for (bells, rows) in [(2, 2), (3, 2), (4, 1)] {
        means_the_same(&format!("{bells} bells"), &change_ringing(bells, rows));
    }
}
