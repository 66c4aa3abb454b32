//! Boards, symmetries and parts as text.

use std::io::{self, Write};

use groundfrog_knowledge::Survey;
use groundfrog_knowledge::factors::{Combination, Ends, Factors};
use groundfrog_knowledge::structures::{AxisKind, Board, Output, Shape, Structures};
use groundfrog_knowledge::symmetry::{Group, Symmetries};

/// More values of a list are only counted.
const MOST_SHOWN: usize = 12;

/// Writes what a game is made of.
pub(super) fn write(survey: &Survey, out: &mut dyn Write) -> io::Result<()> {
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
