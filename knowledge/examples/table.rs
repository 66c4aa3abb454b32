//! What is decided of each game of a folder, as a table for `docs/knowledge-games.md`:
//! `cargo run --release -p groundfrog-knowledge --example table -- FOLDER SECONDS [NAME...]`. Each question has so many seconds of
//! processor time: a game has them together for all of its questions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cpu_time::ThreadTime;

use groundfrog::{Description, GroundOptions, Limits, ParseOptions, Silent, ground};
use groundfrog_knowledge::{Analysis, AnalysisClock, AnalysisOptions, Property, Verdict, analyse};
use groundfrog_reasoner::{GroundReasoner, Vocabulary};

/// The columns: turns, playable, one goal, constant sum, ends, unique contents.
const COLUMNS: usize = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder of games")?;
    let seconds: f64 =
        arguments.next().ok_or("say how many seconds a question may take")?.parse()?;
    let clock = AnalysisClock::new(|| ThreadTime::now().as_duration());
    let only: Vec<String> = arguments.collect();
    let entries = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    paths.sort();
    let (mut games, mut late) = (0, Vec::new());
    let (mut decided, mut all) = ([0; COLUMNS], [0; COLUMNS]);
    println!("| game | turns | playable | one goal | constant sum | ends | unique | seconds |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !only.is_empty() && !only.contains(&name) {
            continue;
        }
        let Some(mut rules) = rules(&path) else {
            late.push(name);
            continue;
        };
        games += 1;
        // The goals of a single role have no sum to ask for.
        let questions = if rules.role_ids().count() > 1 { COLUMNS } else { COLUMNS - 1 };
        let options = AnalysisOptions {
            time: Duration::try_from_secs_f64(seconds * questions as f64)?,
            clock: clock.clone(),
            ..AnalysisOptions::default()
        };
        let start = ThreadTime::now();
        let found = analyse(&mut rules, &options)?;
        let seconds = start.elapsed().as_secs_f64();
        let cells = cells(&found);
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            all[column] += 1;
            decided[column] += usize::from(!cell.starts_with('?'));
        }
        println!("| {name} | {} | {seconds:.2} |", cells.join(" | "));
    }
    let shares: Vec<String> =
        decided.iter().zip(all).map(|(decided, all)| format!("{decided} of {all}")).collect();
    println!("| {games} games | {} | |", shares.join(" | "));
    println!("\nNot ground in 5 s: {}", late.join(", "));
    Ok(())
}

fn rules(path: &Path) -> Option<GroundReasoner> {
    let text = std::fs::read(path).ok()?;
    let description = Description::parse(&text, &ParseOptions::default()).ok()?;
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    let options = GroundOptions { limits, ..GroundOptions::compact() };
    let game = ground(&description, &options, &mut Silent).ok()?.game;
    GroundReasoner::new(game).ok()
}

fn cells(found: &Analysis) -> [String; COLUMNS] {
    let mut cells: [String; COLUMNS] = Default::default();
    let (mut unique, mut open) = (0, 0);
    for finding in &found.findings {
        let word = match finding.verdict {
            Verdict::Proved => "yes",
            Verdict::Refuted { .. } => "no",
            Verdict::Unknown { state: Some(_) } => "? state",
            Verdict::Unknown { state: None } => "?",
        };
        let place = match finding.property {
            Property::TurnTaking => 0,
            Property::Playable => 1,
            Property::OneGoal => 2,
            Property::ConstantSum { .. } => 3,
            Property::Terminating { .. } => 4,
            Property::AtMostOne { .. } | Property::ExactlyOne { .. } => {
                unique += 1;
                open += usize::from(word.starts_with('?'));
                continue;
            }
            _ => continue,
        };
        cells[place] = word.to_owned();
    }
    if unique > 0 {
        cells[5] = if open > 0 { format!("? {open} of {unique}") } else { format!("{unique}") };
    }
    cells
}
