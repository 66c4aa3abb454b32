//! A test for each known game: base, input and the residual flat program, computed in one step and
//! iteratively, against what another grounder found.

use std::process::ExitCode;
use std::time::Duration;

use groundfrog::GroundError;
use groundfrog::description::Description;
use groundfrog::description::Printer;
use groundfrog::options::{Domains, GroundOptions, Limits};
use libtest_mimic::{Failed, Trial};

use crate::support::{self, Expected, Known};

/// Runs the tests of all games.
pub fn run() -> ExitCode {
    let games = support::known_games();
    support::run(games.map(|games| games.into_iter().flat_map(trials).collect()))
}

fn trials(game: Known) -> Vec<Trial> {
    let mut trials = grounding_trials(&game);
    let name = format!("{}::reads_back", game.name);
    trials.push(Trial::test(name, move || reads_back(&game)));
    trials
}

/// A game is read again from what is printed of it.
fn reads_back(game: &Known) -> Result<(), Failed> {
    let print = |description: &Description| {
        let printer = Printer::new(&description.symbols);
        let lines = description.statements.iter().map(|it| format!("{}\n", printer.statement(it)));
        lines.collect::<String>()
    };
    let before = support::read(&game.name, &std::fs::read(&game.path)?)?;
    let after = support::read(&game.name, print(&before).as_bytes())?;
    support::same("the printed rules", &print(&after), &print(&before))?;
    let symbols = |description: &Description| -> Vec<String> {
        description.symbols.iter().map(|(_, name)| name.to_owned()).collect()
    };
    support::same("the symbols", &symbols(&after), &symbols(&before))
}

fn grounding_trials(game: &Known) -> Vec<Trial> {
    let game = game.clone();
    let Some(expected) = game.expected.clone() else {
        let name = format!("{}::grounded_or_refused", game.name);
        return vec![Trial::test(name, move || grounded_or_refused(&game))];
    };
    [("one_step", Domains::OneStep), ("iterative", Domains::Iterative)]
        .map(|(label, domains)| {
            let (game, expected) = (game.clone(), expected.clone());
            Trial::test(format!("{}::{label}", game.name), move || {
                as_expected(&game, &expected, domains)
            })
        })
        .into()
}

/// Base, input and the residual are those of the other grounder.
fn as_expected(game: &Known, expected: &Expected, domains: Domains) -> Result<(), Failed> {
    let options = GroundOptions { domains, simplify: true, ..GroundOptions::flat() };
    let text = std::fs::read(&game.path)?;
    let grounding = support::ground_text(&game.name, &text, &options)?;
    let found = Expected {
        base: grounding.game.fluents().len(),
        input: grounding.game.inputs().len(),
        residual_rules: grounding.game.rules().len(),
        residual_sha256: support::canonical_sha256(&grounding.game),
    };
    support::same("the ground game", &found, expected)
}

/// A game that was too large for the other grounder is grounded within tight limits, or refused for the
/// limit, with the rule to blame.
fn grounded_or_refused(game: &Known) -> Result<(), Failed> {
    let limits = Limits {
        time: Some(Duration::from_secs(60)),
        memory: Some(128 << 20),
        rules: Some(100_000),
        ..Limits::default()
    };
    let options = GroundOptions { limits, ..GroundOptions::flat() };
    let text = std::fs::read(&game.path)?;
    match support::ground_text(&game.name, &text, &options) {
        Ok(grounding) if grounding.game.rules().is_empty() => Err("no rules".into()),
        Ok(_) => Ok(()),
        Err(GroundError::Limit { exceeded, faults }) => {
            if exceeded.reached < exceeded.allowed {
                return Err(format!("the limit was not exceeded: {exceeded:?}").into());
            }
            let place = faults.diagnostics.first().map(|it| it.span().text(&faults.text));
            match place {
                Some(rule) if rule.starts_with('(') => Ok(()),
                _ => Err(format!("no rule is to blame: {faults}").into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}
