//! Games that must be refused, each for its reason and with its place, under every treatment.

use groundfrog::GroundError;
use groundfrog::options::{Domains, Engine, GroundOptions};
use groundfrog_corpus::{Game, Outcome, games};
use libtest_mimic::{Failed, Trial};

use crate::support;

/// Game, code of the error, and what its message or its place in the text must show.
const REASONS: &[(&str, &str, &str)] = &[
    ("negative_cycle", "GF0306", "shaves"),
    ("unbounded", "GF0305", "hedge"),
    ("unbounded_view", "GF0305", "natural"),
    ("unsafe_rule", "GF0302", "?door"),
];

/// What fuzzing found to be ground though it means nothing: name, text, code of the error, place.
const TEXTS: &[(&str, &str, &str, &str)] = &[
    ("rule_about_true", "(role r) (init a) (<= (true b) (true a))", "GF0406", "(true b)"),
    ("fact_about_does", "(role r) (init a) (does r push)", "GF0406", "(does r push)"),
];

pub fn trials() -> Vec<Trial> {
    let refused: Vec<&Game> =
        games().iter().filter(|game| game.expect == Outcome::Refused).collect();
    let named: Vec<&str> = refused.iter().map(|game| game.name).collect();
    let known: Vec<&str> = REASONS.iter().map(|reason| reason.0).collect();
    assert_eq!(named, known, "each refused game has its reason");
    let mut trials: Vec<Trial> = TEXTS
        .iter()
        .map(|&(name, text, code, shown)| {
            Trial::test(format!("refused::{name}"), move || {
                is_refused(name, text, &GroundOptions::flat(), code, shown)
            })
        })
        .collect();
    for (game, &(_, code, shown)) in refused.into_iter().zip(REASONS) {
        for engine in [Engine::Datafrog, Engine::Naive] {
            for domains in [Domains::OneStep, Domains::Iterative] {
                let name = format!("{}::refused_{engine:?}_{domains:?}", game.name);
                let options = GroundOptions { engine, domains, ..GroundOptions::flat() };
                trials.push(Trial::test(name.to_lowercase(), move || {
                    is_refused(game.name, game.text, &options, code, shown)
                }));
            }
        }
    }
    trials
}

fn is_refused(
    name: &str,
    text: &str,
    options: &GroundOptions,
    code: &str,
    shown: &str,
) -> Result<(), Failed> {
    let error = match support::ground_text(name, text.as_bytes(), options) {
        Ok(_) => return Err("it was grounded".into()),
        Err(error) => error,
    };
    let as_expected = match &error {
        GroundError::Unbounded(_) => code == "GF0305",
        GroundError::Description(_) => code != "GF0305",
        _ => false,
    };
    let faults = error.faults().ok_or("an error without faults")?;
    let diagnostic = faults.diagnostics.first().ok_or("no diagnostics")?;
    support::same("code", &diagnostic.code, &code)?;
    let place = diagnostic.span().text(&faults.text);
    if !as_expected || !(place.contains(shown) || error.to_string().contains(shown)) {
        return Err(format!("{error}\nat {place}").into());
    }
    Ok(())
}
