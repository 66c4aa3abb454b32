//! Our own games under every treatment, with snapshots.

use groundfrog::game::{AtomKind, GroundGame};
use groundfrog::ground::Grounding;
use groundfrog::options::{Domains, Engine, GroundOptions};
use groundfrog_corpus::{Game, Outcome, games};
use libtest_mimic::{Failed, Trial};

use crate::support;

/// Games whose canonical text has fewer lines have it in their snapshot.
const SMALL: usize = 120;

/// Games that the textbook evaluator takes longer than a few seconds for.
const TOO_LARGE_FOR_NAIVE: &[&str] = &["small_chess"];

pub fn trials() -> Vec<Trial> {
    let groundable = games().iter().filter(|game| game.expect == Outcome::Groundable);
    let mut trials: Vec<Trial> = groundable.flat_map(of_game).collect();
    trials.push(Trial::test("docs::method", documented));
    trials
}

/// The worked example of the documentation is what the program does.
fn documented() -> Result<(), Failed> {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let text = std::fs::read(docs.join("method.kif"))?;
    let page = std::fs::read_to_string(docs.join("method.md"))?;
    let options = |domains, simplify| GroundOptions { domains, simplify, ..GroundOptions::flat() };
    let flat = support::ground_text("method", &text, &options(Domains::OneStep, false))?;
    let residual = support::ground_text("method", &text, &options(Domains::OneStep, true))?;
    let found = groundfrog::emit::canonical::lines(&flat.game).collect::<Vec<_>>().join("\n");
    let block = page.split("```kif ground\n").nth(1).and_then(|rest| rest.split("\n```").next());
    support::same("ground rules", &block, &Some(found.as_str()))?;
    let counts =
        |it: &Grounding| (it.game.fluents().len(), it.game.inputs().len(), it.game.rules().len());
    support::same("flat", &counts(&flat), &(7, 3, 21))?;
    support::same("residual", &counts(&residual), &(7, 3, 21))?;
    let iterative = support::ground_text("method", &text, &options(Domains::Iterative, false))?;
    let iterations = iterative.report.iterations.map(|it| (it.fake_match, it.growth));
    support::same("iterations", &iterations, &Some((3, 1)))
}

fn of_game(game: &'static Game) -> Vec<Trial> {
    let mut trials = vec![
        Trial::test(format!("{}::snapshot", game.name), || snapshot(game)),
        Trial::test(format!("{}::flat", game.name), || flat(game)),
    ];
    for (label, engine, domains, threads) in [
        ("two_threads", Engine::Datafrog, Domains::OneStep, 2),
        ("iterative", Engine::Datafrog, Domains::Iterative, 1),
        ("iterative_two_threads", Engine::Datafrog, Domains::Iterative, 2),
        ("naive", Engine::Naive, Domains::OneStep, 1),
        ("naive_iterative", Engine::Naive, Domains::Iterative, 1),
    ] {
        if engine == Engine::Naive && TOO_LARGE_FOR_NAIVE.contains(&game.name) {
            continue;
        }
        let options = GroundOptions { engine, domains, threads, ..GroundOptions::flat() };
        let test = move || same_as_default(game, &options);
        trials.push(Trial::test(format!("{}::{label}", game.name), test));
    }
    trials
}

fn run(game: &Game, options: &GroundOptions) -> Result<Grounding, Failed> {
    Ok(support::ground_text(game.name, game.text.as_bytes(), options)?)
}

/// The rules, and what else a ground game says.
fn text(game: &GroundGame) -> String {
    let mut facts: Vec<String> = groundfrog::emit::kif::facts(game).collect();
    facts.sort_unstable();
    facts.extend(groundfrog::emit::canonical::lines(game));
    facts.join("\n")
}

fn same_as_default(game: &Game, options: &GroundOptions) -> Result<(), Failed> {
    let expected = text(&run(game, &GroundOptions::flat())?.game);
    let found = text(&run(game, options)?.game);
    if found == expected {
        return Ok(());
    }
    let differs = found.lines().zip(expected.lines()).find(|(one, other)| one != other);
    Err(format!("not as with one step on datafrog; first found and expected: {differs:?}").into())
}

/// The flat program, which the treatments above do not show: both evaluators agree on it, and two
/// threads give the very numbers that one gives.
fn flat(game: &Game) -> Result<(), Failed> {
    let flat = GroundOptions { simplify: false, ..GroundOptions::flat() };
    let one = run(game, &flat)?;
    let two = run(game, &GroundOptions { threads: 2, ..flat.clone() })?;
    if one.game.rules() != two.game.rules() {
        return Err("one thread and two give other rules".into());
    }
    if text(&one.game) != text(&two.game) {
        return Err("one thread and two give other atoms".into());
    }
    if !TOO_LARGE_FOR_NAIVE.contains(&game.name) {
        run(game, &GroundOptions { engine: Engine::Compare, ..flat })?;
    }
    Ok(())
}

fn snapshot(game: &Game) -> Result<(), Failed> {
    let flat = run(game, &GroundOptions { simplify: false, ..GroundOptions::flat() })?;
    let residual = run(game, &GroundOptions::flat())?.game;
    let lines: Vec<String> = groundfrog::emit::canonical::lines(&residual).collect();
    let roles: Vec<String> = residual
        .roles()
        .iter()
        .map(|role| {
            groundfrog::description::Printer::new(residual.symbols()).term(role).to_string()
        })
        .collect();
    let heads = |kind: AtomKind| {
        let is_kind = |rule: &groundfrog::game::GroundRule<'_>| {
            residual.atom(groundfrog::game::AtomId(rule.head)).kind == kind
        };
        residual.rules().iter().filter(is_kind).count()
    };
    let mut summary = format!(
        "roles: {}\ninit: {}\nbase: {}\ninput: {}\nflat rules: {}\nresidual rules: {}\n\
         of legal: {}, next: {}, goal: {}, terminal: {}\ngoals: {}\nwarnings: {:?}\nsha256: {}\n",
        roles.join(" "),
        residual.init().len(),
        residual.fluents().len(),
        residual.inputs().len(),
        flat.game.rules().len(),
        residual.rules().len(),
        heads(AtomKind::Legal),
        heads(AtomKind::Next),
        heads(AtomKind::Goal),
        heads(AtomKind::Terminal),
        residual.goals().len(),
        flat.warnings.iter().map(|it| it.code).collect::<Vec<_>>(),
        support::canonical_sha256(&residual),
    );
    if lines.len() < SMALL {
        summary.push('\n');
        summary.push_str(&(lines.join("\n") + "\n"));
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(game.name, summary));
    Ok(())
}
