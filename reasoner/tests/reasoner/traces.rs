//! Reasoners against recorded playouts.

#[path = "traces/lane.rs"]
mod lane;

use std::path::{Path, PathBuf};
use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::verify::{Trace, VerifyReport, replay};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, InterpretedReasoner, Play, State, Vocabulary,
};
use groundfrog_testing::games_folder;
use lane::LaneReasoner;
use libtest_mimic::{Arguments, Failed, Trial};

/// Games that take long: their flat rules are played simplified only.
const SLOW: &[&str] = &[
    "amazons",
    "amazonsSuicide",
    "blobwars",
    "chess",
    "chineseCheckers6",
    "crissrace",
    "gt_two_thirds_4p",
    "merrills",
    "mummymaze1p",
    "racer",
    "ruleDepthExponential",
    "ruledepthquadratic",
    "shogi_ctk",
    "skirmish",
    "skirmishFinal1",
    "skirmishHoles",
];

/// Games whose flat rules exceed the limits of these tests.
const NOT_FLAT: &[&str] = &["chess", "gt_two_thirds_4p", "merrills", "ruledepthquadratic"];

/// Games whose compact rules do so as well: they are interpreted only.
const NOT_COMPACT: &[&str] = &["chess", "merrills", "ruledepthquadratic"];

#[derive(Clone, Copy)]
enum Treatment {
    Interpreted,
    Flat,
    Simplified,
    Compact,
    BitParallel,
    /// Before and after the change from one reasoner to the other.
    Play,
}

pub fn run() {
    let arguments = Arguments::from_args();
    let games = games_folder();
    let traces = games.with_file_name("traces");
    let Ok(entries) = std::fs::read_dir(&traces) else {
        let why = format!("no traces in {} (set GROUNDFROG_GAMES)", traces.to_string_lossy());
        let skipped = Trial::test(format!("skipped: {why}"), || Ok(())).with_ignored_flag(true);
        libtest_mimic::run(&arguments, vec![skipped]).exit();
    };
    let mut paths: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    paths.sort();
    let mut trials = Vec::new();
    for trace in paths {
        let name = trace.file_stem().expect("a file").to_string_lossy().into_owned();
        if trace.metadata().is_ok_and(|it| it.len() == 0) {
            eprintln!("{name} is left out: the reference could not play it");
            continue;
        }
        let game = games.join(format!("{name}.kif"));
        let treatments = [
            ("interpreted", Treatment::Interpreted),
            ("flat", Treatment::Flat),
            ("simplified", Treatment::Simplified),
            ("compact", Treatment::Compact),
            ("bit_parallel", Treatment::BitParallel),
            ("play", Treatment::Play),
        ];
        for (label, treatment) in treatments {
            let (game, trace) = (game.clone(), trace.clone());
            let excluded = match treatment {
                Treatment::Interpreted => &[],
                Treatment::Flat | Treatment::Simplified => NOT_FLAT,
                Treatment::Compact | Treatment::BitParallel | Treatment::Play => NOT_COMPACT,
            };
            if label == "flat" && SLOW.contains(&name.as_str()) {
                continue;
            }
            let excluded = excluded.contains(&name.as_str());
            let test = move || reproduces(&game, &trace, treatment);
            trials.push(Trial::test(format!("{label}::{name}"), test).with_ignored_flag(excluded));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn reproduces(game: &Path, trace: &Path, treatment: Treatment) -> Result<(), Failed> {
    let source = std::fs::read(game)?;
    let trace = Trace::parse(&std::fs::read_to_string(trace)?)?;
    let description = Description::parse(&source, &ParseOptions::default())?;
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let report = match treatment {
        Treatment::Interpreted => {
            let mut reasoner = InterpretedReasoner::new(&description, limits)?;
            replay(&mut reasoner, &trace, None, &mut Silent)?
        }
        Treatment::Flat => grounded(&description, &trace, limits, false, Passes::NONE)?,
        Treatment::Simplified => grounded(&description, &trace, limits, true, Passes::NONE)?,
        Treatment::Compact => grounded(&description, &trace, limits, true, Passes::ALL)?,
        Treatment::BitParallel => {
            let options = GroundOptions { limits, ..GroundOptions::compact() };
            let game = std::sync::Arc::new(ground(&description, &options, &mut Silent)?.game);
            let (scalar, lanes) = (GroundReasoner::new(game.clone())?, BitParallel::new(game)?);
            replay(&mut LaneReasoner::new(scalar, lanes), &trace, None, &mut Silent)?
        }
        Treatment::Play => return play(&description, &trace, limits),
    };
    judge(&report, &trace)
}

fn judge(report: &VerifyReport, trace: &Trace) -> Result<(), Failed> {
    if let Some(difference) = &report.difference {
        return Err(difference.to_string().into());
    }
    if report.states as usize != trace.positions().len() {
        return Err("not all positions were compared".into());
    }
    Ok(())
}

/// The first half before the change, the second half after it, and the states of the first are carried over and back.
fn play(description: &Description, trace: &Trace, limits: Limits) -> Result<(), Failed> {
    let positions = trace.positions();
    let (before, after) = positions.split_at(positions.len() / 2);
    let (before, after) = (Trace::new(before.to_vec()), Trace::new(after.to_vec()));
    let mut play = Play::begin(description, limits)?;
    judge(&replay(play.reasoner(), &before, None, &mut Silent)?, &before)?;
    let reasoner = play.reasoner();
    let mut states = Vec::new();
    for position in before.positions() {
        let fluents: Option<Vec<_>> =
            position.state.iter().map(|it| reasoner.find_fluent(it)).collect();
        states.push(State::of(fluents.ok_or("an unknown fluent")?));
    }
    if !play.wait(Duration::from_secs(60)) {
        return Err(format!("not ground: {:?}", play.not_ground()).into());
    }
    let own = states.clone();
    play.switch(&mut states.iter_mut().collect::<Vec<_>>())?;
    if !play.is_ground() {
        return Err("it has not changed".into());
    }
    if let Some(mut oracle) = play.interpreted().cloned() {
        for (state, own) in states.iter().zip(&own) {
            if oracle.import_state(play.reasoner(), state)? != *own {
                return Err(format!(
                    "not the same when carried back: {:?}",
                    oracle.state_text(own)
                )
                .into());
            }
        }
    }
    judge(&replay(play.reasoner(), &after, None, &mut Silent)?, &after)
}

fn grounded(
    description: &Description,
    trace: &Trace,
    limits: Limits,
    simplify: bool,
    passes: Passes,
) -> Result<VerifyReport, Failed> {
    let options = GroundOptions { simplify, passes, limits, ..GroundOptions::flat() };
    let game = std::sync::Arc::new(ground(description, &options, &mut Silent)?.game);
    let mut reasoner = GroundReasoner::new(game.clone())?;
    Ok(replay(&mut reasoner, trace, Some(&game), &mut Silent)?)
}
