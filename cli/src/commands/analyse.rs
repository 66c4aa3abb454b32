//! `groundfrog analyse`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use groundfrog::compact::PassId;
use groundfrog::game::GroundGame;
use groundfrog::options::GroundOptions;
use groundfrog_knowledge::factors::{Combination, Ends, Factors};
use groundfrog_knowledge::structures::{AxisKind, Board, Output, Shape, Structures};
use groundfrog_knowledge::symmetry::{Group, Symmetries};
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

/// What is known of a game. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct AnalysisReport<'run> {
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
    let passes = match &arguments.emit {
        // Programs that people read have the predicates of the description, and no others.
        Some(_) => grounding.rules.passes().without_all(&NEW_PREDICATES),
        None => grounding.rules.passes(),
    };
    let options = session.options(&grounding.method, &grounding.rules, &grounding.limits);
    let game = session.playable_by(&description, &GroundOptions { passes, ..options })?;
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
        write(self.survey, out)?;
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

// Boards, symmetries and parts as text.

/// More values of a list are only counted.
const MOST_SHOWN: usize = 12;

/// Writes what a game is made of.
fn write(survey: &Survey, out: &mut dyn Write) -> io::Result<()> {
    write_structures(&survey.structures, out)?;
    if let Some(symmetries) = &survey.symmetries {
        write_symmetries(symmetries, out)?;
    }
    survey.factors.as_ref().map_or(Ok(()), |factors| write_factors(factors, out))
}

fn write_structures(structures: &Structures, out: &mut dyn Write) -> io::Result<()> {
    for board in &structures.boards {
        write_board(board, out)?;
    }
    for counter in &structures.counters {
        let how = if counter.is_clock { "with each move" } else { "with some moves" };
        writeln!(out, "counter  {} counts {how}: {}", counter.pattern, list(&counter.values))?;
    }
    for quantity in &structures.quantities {
        writeln!(out, "number   {}: {}", quantity.pattern, list(&quantity.values))?;
    }
    for stack in &structures.stacks {
        writeln!(out, "stacks   {}: {}", stack.pattern, list(&stack.things))?;
    }
    Ok(())
}

fn write_board(board: &Board, out: &mut dyn Write) -> io::Result<()> {
    let shape = match board.shape {
        Shape::Grid => "grid",
        Shape::Hexagonal => "hexagonal grid",
        Shape::Rings => "rings",
        Shape::Ring => "ring",
        Shape::Graph => "places with neighbours",
        Shape::Edges => "edges between points",
        Shape::Places => "places",
    };
    let axis = |axis: &groundfrog_knowledge::structures::Axis| {
        let kind = match axis.kind {
            AxisKind::Line => "",
            AxisKind::Ring => " round",
            AxisKind::Unordered => " unordered",
        };
        format!("{}{kind}", axis.values.len())
    };
    let axes: Vec<String> = board.axes.iter().map(axis).collect();
    let size = if axes.is_empty() { board.cells.len().to_string() } else { axes.join(" x ") };
    let fluents: Vec<&str> = board.fluents.iter().map(|it| it.pattern.as_str()).collect();
    let output = match board.fluents[0].output {
        Output::One => "one at a place",
        Output::AtMostOne => "one at a place at most",
        Output::Several => "any number at a place",
    };
    let is_proved = if board.fluents[0].is_proved { "" } else { " (not proved)" };
    writeln!(out, "board    {shape}, {size}: {}, {output}{is_proved}", fluents.join(", "))?;
    let markers = |is_piece: bool| -> Vec<String> {
        let own = board.markers.iter().filter(|it| it.is_piece == is_piece);
        own.map(|it| it.content.clone()).collect()
    };
    for (word, contents) in [("markers", markers(false)), ("pieces", markers(true))] {
        if !contents.is_empty() {
            writeln!(out, "         {word}: {}", list(&contents))?;
        }
    }
    Ok(())
}

fn write_symmetries(symmetries: &Symmetries, out: &mut dyn Write) -> io::Result<()> {
    for (of, group) in
        [("the rules", &symmetries.rules), ("the initial state", &symmetries.initial)]
    {
        let Group { order, is_complete, generators } = group;
        let known = if *is_complete { "" } else { " at least" };
        writeln!(out, "symmetry {order}{known} of {of}")?;
        for generator in generators.iter().filter(|it| !it.name.is_empty()) {
            writeln!(out, "         {}", generator.name)?;
        }
    }
    Ok(())
}

fn write_factors(factors: &Factors, out: &mut dyn Write) -> io::Result<()> {
    let how = match factors.combination {
        Combination::Whole => return Ok(()),
        Combination::Roles => "each role has its own",
        Combination::Compound => "each move is one in all of them",
        Combination::Choice => "each move is one in one of them",
        Combination::Serial => "one after the other",
    };
    let ends = match factors.ends {
        Ends::First => "over with the first",
        Ends::All => "over with all",
        Ends::Shared => "over with what they share",
        Ends::Mixed => "over in another way",
    };
    writeln!(out, "parts    {}: {how}, {ends}", factors.parts.len())?;
    for part in &factors.parts {
        writeln!(out, "         {}, {} fluents", part.patterns.join(" "), part.fluents.len())?;
    }
    Ok(())
}

/// Values, the first of which are written.
fn list(values: &[String]) -> String {
    let mut text = values[..values.len().min(MOST_SHOWN)].join(" ");
    if values.len() > MOST_SHOWN {
        text.push_str(&format!(" and {} more", values.len() - MOST_SHOWN));
    }
    text
}
