//! Nothing that is proved is violated in a million states of random matches, and what is refuted fails.

use std::path::PathBuf;
use std::time::Duration;

use groundfrog::{Description, GroundOptions, Limits, ParseOptions, Silent, ground};
use groundfrog_knowledge::{AnalysisOptions, Property, Verdict, analyse};
use groundfrog_reasoner::{GroundReasoner, Random, Reasoner};

/// States over all games.
const STATES: usize = 1_000_000;
/// Longer matches are given up.
const LONGEST: u64 = 400;

fn paths() -> Vec<PathBuf> {
    let folder =
        std::env::var("GROUNDFROG_GAMES").unwrap_or_else(|_| "../../shared/games".to_owned());
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: there are no games in {folder}");
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "kif")).collect();
    paths.sort();
    paths
}

#[test]
#[ignore = "slow: some minutes"]
fn nothing_that_is_proved_is_violated() {
    let paths = paths();
    let (mut checked, mut proved) = (0, 0);
    for path in &paths {
        let Ok(text) = std::fs::read(path) else { continue };
        let Ok(description) = Description::parse(&text, &ParseOptions::default()) else { continue };
        let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
        let options = GroundOptions { limits, ..GroundOptions::compact() };
        let Ok(grounding) = ground(&description, &options, &mut Silent) else { continue };
        let Ok(mut rules) = GroundReasoner::new(grounding.game) else { continue };
        let found =
            analyse(&mut rules, &AnalysisOptions::default()).expect("rules that can be evaluated");
        proved += found.findings.iter().filter(|it| it.verdict == Verdict::Proved).count();
        let longest = found.findings.iter().find_map(|it| match it.property {
            Property::Terminating { moves } => moves,
            _ => None,
        });
        let mut random = Random::new(4711);
        let wanted = checked + STATES / paths.len() + 1;
        while checked < wanted {
            let (mut state, mut moves, mut made) = (rules.initial().clone(), Vec::new(), 0);
            loop {
                checked += 1;
                let is_over = rules.is_terminal(&state).expect("a state of this game")
                    || made >= LONGEST
                    || rules.random_joint_move(&state, &mut random, &mut moves).is_err();
                let mut next = state.clone();
                if !is_over {
                    rules.advance(&mut next, &moves).expect("legal moves");
                }
                let step = (!is_over).then_some((moves.as_slice(), &next));
                let violated =
                    found.violated_by(&mut rules, &state, step).expect("a state of this game");
                assert_eq!(violated, None, "{}", path.display());
                assert!(
                    longest.is_none_or(|longest| made <= longest),
                    "{}: {made} moves",
                    path.display()
                );
                if is_over {
                    break;
                }
                state = next;
                made += 1;
            }
        }
    }
    println!("{checked} states of {} games, {proved} properties", paths.len());
    assert!(paths.is_empty() || checked >= STATES);
}
