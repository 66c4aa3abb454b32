//! `groundfrog analyse`.

mod structures;

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use groundfrog::compact::PassId;
use groundfrog::game::GroundGame;
use groundfrog_knowledge::{
    AnalysisOptions, Finding, Obligation, Property, Statement, Survey, Verdict, survey,
};
use groundfrog_reasoner::GroundReasoner;
use serde::Serialize;

use super::Session;
use crate::arguments::AnalyseArguments;
use crate::destination::Destination;
use crate::failure::Failure;
use crate::progress::Activity;

/// The passes that bring predicates of their own.
const NEW_PREDICATES: [PassId; 8] = [
    PassId::Demand,
    PassId::ComparedTuples,
    PassId::Complements,
    PassId::MoveParts,
    PassId::Decomposition,
    PassId::NestedSets,
    PassId::Moves,
    PassId::Factoring,
];

/// The version of the fields below; it grows when one changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// What is known of a game. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct AnalysisReport<'run> {
    schema: u32,
    game: String,
    seconds: f64,
    #[serde(flatten)]
    survey: &'run Survey,
}

/// Proves what is true of a game.
pub(crate) fn work(arguments: &AnalyseArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let description = session.read(&arguments.game.input)?;
    let grounding = &arguments.game.grounding;
    let passes = match arguments.emit {
        // Programs that people read have the predicates of the description, and no others.
        Some(_) => grounding.rules.passes().without_all(&NEW_PREDICATES),
        None => grounding.rules.passes(),
    };
    let limits = session.limits(&grounding.limits);
    let game = session.playable_by(&description, grounding, passes, limits)?;
    let mut reasoner = session.compiled(&game, GroundReasoner::new)?;
    let statements = match &arguments.property {
        None => Vec::new(),
        Some(path) => statements(path, &game)?,
    };
    supervisor.progress().enter(Activity::Proving);
    let start = Instant::now();
    let left = supervisor.time_left().map(|left| left / 10 * 9);
    let options = AnalysisOptions {
        time: left.map_or(arguments.proof_time.0, |left| left.min(arguments.proof_time.0)),
        seed: arguments.seed,
        stop: Some(supervisor.stop()),
        statements,
        obligations: arguments.emit.is_some(),
        ..AnalysisOptions::default()
    };
    let found = survey(&description, &mut reasoner, &options)?;
    supervisor.check()?;
    if let Some(folder) = &arguments.into {
        write_obligations(&found.analysis.obligations, folder, session)?;
    }
    let report = AnalysisReport {
        schema: SCHEMA,
        game: arguments.game.input.game.to_string_lossy().into_owned(),
        seconds: start.elapsed().as_secs_f64(),
        survey: &found,
    };
    session.report(&arguments.format, &report, |out| report.write_text(out))
}

/// The statements of a file about a game.
fn statements(path: &Path, game: &GroundGame) -> Result<Vec<Statement>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| Failure::io("cannot read", path, error))?;
    Statement::parse(&text, game).map_err(|error| Failure::Plan {
        diagnostic: error.0,
        name: path.to_string_lossy().into_owned(),
        text,
    })
}

/// Writes each obligation into a file of its own.
fn write_obligations(
    obligations: &[Obligation],
    folder: &Path,
    session: &Session,
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::io("cannot make", folder, error))?;
    let mut properties: Vec<&Property> = Vec::new();
    for obligation in obligations {
        let known = properties.iter().position(|property| **property == obligation.property);
        let number = known.unwrap_or_else(|| {
            properties.push(&obligation.property);
            properties.len() - 1
        });
        let path = folder.join(format!("{:03}-{}.lp", number + 1, obligation.part));
        let expected = if obligation.has_answer_set { "an" } else { "no" };
        Destination::new(Some(&path))?.write(&session.supervisor, |out| {
            writeln!(out, "% {}", obligation.property)?;
            writeln!(out, "% {}: this has to have {expected} answer set.", obligation.part)?;
            out.write_all(obligation.text.as_bytes())
        })?;
    }
    Ok(())
}

impl AnalysisReport<'_> {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for finding in &self.survey.analysis.findings {
            write_finding(finding, out)?;
        }
        structures::write(self.survey, out)?;
        let (matches, states) = (self.survey.analysis.matches, self.survey.analysis.states);
        writeln!(out, "{matches} random matches, {states} states, {:.3} s", self.seconds)
    }
}

fn write_finding(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let (word, rest) = match &finding.verdict {
        Verdict::Proved => ("proved ", String::new()),
        Verdict::Refuted { moves } if moves.is_empty() => {
            ("refuted", ": not in the initial state".to_owned())
        }
        Verdict::Refuted { moves } => {
            let joint: Vec<String> = moves.iter().map(|joint| joint.join(" ")).collect();
            ("refuted", format!(": after {}", joint.join(", ")))
        }
        Verdict::Unknown { state: Some(state) } => {
            ("unknown", format!(": not excluded is {}", state.join(" ")))
        }
        Verdict::Unknown { state: None } => ("unknown", String::new()),
    };
    writeln!(out, "{word}  {}{rest}", finding.property)
}
