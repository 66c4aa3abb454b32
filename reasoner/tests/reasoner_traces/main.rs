//! Every recorded playout is reproduced: a test for each game and reasoner.

mod lane;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::ground::ground;
use groundfrog::options::{GroundOptions, Limits};
use groundfrog_check::verify::{Trace, VerifyReport, replay};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{BitParallel, GroundReasoner, InterpretedReasoner};
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
    /// Simplified where that saves much time.
    Flat {
        simplify: bool,
    },
    /// By scalar play, and then in lanes.
    Compact,
}

fn main() {
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
            ("flat", Treatment::Flat { simplify: SLOW.contains(&name.as_str()) }),
            ("compact", Treatment::Compact),
        ];
        for (label, treatment) in treatments {
            let (game, trace) = (game.clone(), trace.clone());
            let excluded = match treatment {
                Treatment::Interpreted => &[],
                Treatment::Flat { .. } => NOT_FLAT,
                Treatment::Compact => NOT_COMPACT,
            };
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
    let options = match treatment {
        Treatment::Interpreted => {
            let mut reasoner = InterpretedReasoner::new(&description, limits)?;
            return judge(&replay(&mut reasoner, &trace, None, &mut Silent)?, &trace);
        }
        Treatment::Flat { simplify } => {
            GroundOptions { simplify, passes: Passes::NONE, limits, ..GroundOptions::flat() }
        }
        Treatment::Compact => GroundOptions { limits, ..GroundOptions::compact() },
    };
    let game = Arc::new(ground(&description, &options, &mut Silent)?.game);
    let mut scalar = GroundReasoner::new(game.clone())?;
    judge(&replay(&mut scalar, &trace, Some(&game), &mut Silent)?, &trace)?;
    if let Treatment::Compact = treatment {
        let mut lanes = LaneReasoner::new(scalar, BitParallel::new(game)?);
        judge(&replay(&mut lanes, &trace, None, &mut Silent)?, &trace)?;
    }
    Ok(())
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
