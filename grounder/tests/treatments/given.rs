//! The description's own base and input.
//!
//! Where they cover those that one step finds, the game is the same but for what can never be reached:
//! once the fluents and moves that one step does not find are held to be impossible, the residual is the
//! same text. Where they miss something, the flat program is a part of the other one, and a warning
//! gives examples.

use std::collections::BTreeSet;

use groundfrog::game::{AtomId, GroundGame, RuleStore};
use groundfrog::ground::Grounding;
use groundfrog::options::{Domains, GroundOptions, Limits};
use groundfrog::simplify;
use groundfrog_corpus::game;
use groundfrog_engine::Budget;
use libtest_mimic::{Failed, Trial};

use crate::support::{self, Known};

pub fn trials() -> Vec<Trial> {
    let own = |name: &'static str, test: fn(&str, &[u8]) -> Result<(), Failed>| {
        Trial::test(format!("{name}::given"), move || {
            test(name, game(name).ok_or("no such game")?.text.as_bytes())
        })
    };
    vec![
        own("given_domains", exact),
        own("wide_domains", wide),
        own("missing_domains", missing),
        own("tictactoe", absent),
    ]
}

fn run(name: &str, text: &[u8], domains: Domains, simplify: bool) -> Result<Grounding, Failed> {
    let limits = Limits { rules: Some(300_000), ..Limits::default() };
    let options = GroundOptions { domains, simplify, limits, ..GroundOptions::flat() };
    Ok(support::ground_text(name, text, &options)?)
}

fn codes(grounding: &Grounding) -> Vec<&str> {
    grounding.warnings.iter().map(|warning| warning.code).collect()
}

fn fluents(game: &GroundGame) -> BTreeSet<String> {
    game.fluents().map(|atom| game.display(atom).to_string()).collect()
}

fn inputs(game: &GroundGame) -> BTreeSet<String> {
    game.inputs().map(|atom| game.display(atom).to_string()).collect()
}

fn rules(game: &GroundGame) -> BTreeSet<String> {
    groundfrog::emit::canonical::lines(game).collect()
}

/// Base and input are given as they are found.
fn exact(name: &str, text: &[u8]) -> Result<(), Failed> {
    let given = run(name, text, Domains::Given, true)?;
    let found = run(name, text, Domains::OneStep, true)?;
    support::same("warnings", &codes(&given), &codes(&found))?;
    support::same("base", &fluents(&given.game), &fluents(&found.game))?;
    support::same("input", &inputs(&given.game), &inputs(&found.game))?;
    support::same("rules", &rules(&given.game), &rules(&found.game))
}

/// More is given than found.
fn wide(name: &str, text: &[u8]) -> Result<(), Failed> {
    let given = run(name, text, Domains::Given, true)?;
    let found = run(name, text, Domains::OneStep, true)?;
    support::same("warnings", &codes(&given), &codes(&found))?;
    let (own, needed) = (fluents(&given.game), fluents(&found.game));
    support::same("base covered", &needed.is_subset(&own), &true)?;
    support::same("more than that", &(own.len() > needed.len()), &true)?;
    support::same("more rules", &(given.game.rules().len() > found.game.rules().len()), &true)?;
    restricted(name, text)
}

/// Less is given than found.
fn missing(name: &str, text: &[u8]) -> Result<(), Failed> {
    let given = run(name, text, Domains::Given, false)?;
    let found = run(name, text, Domains::OneStep, false)?;
    let misses: Vec<_> = given.warnings.iter().filter(|it| it.code == "GF0308").collect();
    support::same("warnings about base and input", &misses.len(), &2)?;
    let (own, all) = (fluents(&given.game), fluents(&found.game));
    let missing = all.difference(&own).next().ok_or("nothing is missing")?;
    let fluent = missing.trim_start_matches("(true ").trim_end_matches(')');
    let shown = misses.iter().any(|it| format!("{it:?}").contains(fluent));
    support::same("an example in a warning", &shown, &true)?;
    let (part, whole) = (rules(&given.game), rules(&found.game));
    support::same("a part of the rules", &part.is_subset(&whole), &true)?;
    support::same("not all of them", &(part.len() < whole.len()), &true)
}

/// Nothing is given.
fn absent(name: &str, text: &[u8]) -> Result<(), Failed> {
    let given = run(name, text, Domains::Given, true)?;
    support::same("a warning", &codes(&given).contains(&"GF0304"), &true)?;
    support::same("base", &given.game.fluents().len(), &0)
}

/// The residual of the flat program over the given base and input, without what one step does not find.
fn restricted(name: &str, text: &[u8]) -> Result<(), Failed> {
    let given = run(name, text, Domains::Given, false)?.game;
    let found = run(name, text, Domains::OneStep, true)?.game;
    let mut open = fluents(&found);
    open.extend(inputs(&found));
    let is_open: Vec<bool> = (0..given.atom_count() as u32)
        .map(|atom| open.contains(&given.display(AtomId(atom)).to_string()))
        .collect();
    let mut rest = given.rules().clone();
    let unlimited = Budget::unlimited();
    let open = |atom: u32| is_open[atom as usize];
    simplify::residual(&mut rest, is_open.len(), open, &unlimited)
        .map_err(|exceeded| exceeded.to_string())?;
    let (rest, expected) = (spell(&given, &rest), rules(&found));
    match rest.symmetric_difference(&expected).next() {
        None => Ok(()),
        Some(rule) => Err(format!("only one of them has {rule}").into()),
    }
}

/// Rules over the atoms of a game as canonical lines.
fn spell(game: &GroundGame, rules: &RuleStore) -> BTreeSet<String> {
    let line = |rule: groundfrog::game::GroundRule<'_>| {
        let head = game.display(AtomId(rule.head)).to_string();
        let literal = |literal: &groundfrog::game::GroundLiteral| {
            let atom = game.display(AtomId(literal.atom()));
            if literal.is_negated() { format!("(not {atom})") } else { atom.to_string() }
        };
        let body: BTreeSet<String> = rule.body.iter().map(literal).collect();
        match body.is_empty() {
            true => head,
            false => format!("(<= {head} {})", body.into_iter().collect::<Vec<_>>().join(" ")),
        }
    };
    rules.iter().map(line).collect()
}

/// Known games whose own base and input cover those that one step finds.
pub fn known(game: &Known) -> Result<(), Failed> {
    let text = std::fs::read(&game.path)?;
    let given = run(&game.name, &text, Domains::Given, false)?;
    let misses = codes(&given).into_iter().any(|code| code == "GF0308" || code == "GF0304");
    support::same("something is missing", &misses, &false)?;
    restricted(&game.name, &text)
}
