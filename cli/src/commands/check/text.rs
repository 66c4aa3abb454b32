//! Reports for people.

use std::fmt::Write;

use groundfrog::kif::Severity;
use groundfrog::visible::{visible, visible_lines};
use groundfrog_check::explore::{Exploration, Verdict, Witness};
use groundfrog_check::knowledge::Knows;
use groundfrog_check::{CheckReport, codes};

use crate::arguments::CheckArguments;
use crate::diagnostics::Reporter;

/// How many moves of a way are shown.
const MOST_MOVES: usize = 12;

/// All reports, and a table if there are several. If quiet, errors only.
pub(super) fn text(reports: &[CheckReport], arguments: &CheckArguments) -> String {
    let reporter = Reporter::for_stdout(arguments.output.is_some());
    let mut text = String::new();
    for report in reports {
        let least = if arguments.quiet { Severity::Error } else { Severity::Note };
        text += &reporter.findings(report, least);
        if !arguments.quiet {
            text += &visible_lines(&summary(report));
        }
    }
    if !arguments.quiet && reports.len() > 1 {
        text += "\n";
        text += &visible_lines(&table(reports));
    }
    text
}

/// What a report says of the description as a whole.
fn summary(report: &CheckReport) -> String {
    let counts = &report.counts;
    let mut text = format!("{}: {}", visible(&report.name), report.fragment);
    if report.gdl_ii {
        text += " (GDL-II)";
    }
    add(
        &mut text,
        format_args!("; {}, {}", number(counts.facts, "fact"), number(counts.rules, "rule")),
    );
    if let Some(domains) = counts.domains {
        let roles = number(domains.roles, "role");
        add(&mut text, format_args!("; {roles}, base {}, input {}", domains.base, domains.input));
    }
    let found = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| (report.count(severity), severity.name()))
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, name)| number(count, name))
        .collect::<Vec<String>>();
    let found = if found.is_empty() { "nothing found".to_owned() } else { found.join(", ") };
    let follow = report.diagnostics.iter().filter(|it| it.follows.is_some()).count();
    let follow =
        if follow > 0 { format!(" ({follow} of them follow from others)") } else { String::new() };
    add(&mut text, format_args!("; {found}{follow}\n"));
    if let Some(reason) = &report.undecided {
        add(&mut text, format_args!("  not decided          {reason}\n"));
    }
    for remark in &report.remarks {
        add(&mut text, format_args!("  {remark}\n"));
    }
    if let Some(exploration) = &report.exploration {
        text += &explored(exploration);
    }
    text
}

/// What was found out about the states.
fn explored(found: &Exploration) -> String {
    let mut text = String::new();
    if found.visited > 0 {
        let more = if found.limit.is_some() { "at least " } else { "" };
        add(
            &mut text,
            format_args!(
                "  states               {more}{}, {} terminal; {:.0} bytes each\n  depth                {more}{}\n  \
                 branching            {:.2} joint moves on average, {more}{}\n",
                found.states,
                found.terminal_states,
                found.bytes_per_state,
                found.depth,
                found.branching(),
                if more.is_empty() {
                    format!("{} at the most", found.max_branching)
                } else {
                    format!("{} somewhere", found.max_branching)
                },
            ),
        );
    }
    if let Some(playouts) = found.playouts {
        add(&mut text, format_args!("  random matches       {playouts}"));
        if found.visited == 0 {
            add(&mut text, format_args!(", of {} moves at the most", found.depth));
        }
        text.push('\n');
    }
    let undecided = match &found.limit {
        Some(limit) => format!("not decided within {limit}"),
        None => "not decided".to_owned(),
    };
    let verdict = |verdict: &Verdict, holds: &str, code: &str| match verdict {
        Verdict::Holds(_) => format!("yes: {holds}"),
        Verdict::Fails(_) => format!("no: see {code}"),
        Verdict::Undecided => undecided.clone(),
    };
    // That there is no end is known where all states were visited.
    let has_ends = found.terminal_states > 0 || found.limit.is_some() || found.visited == 0;
    let ends = if has_ends { "every match ends" } else { "no match goes on for ever" };
    let values = match has_ends {
        true => "each role always has one goal value in the end",
        false => "there is no terminal state",
    };
    for (property, is, holds, code) in [
        ("termination", &found.termination, ends, "GF0701"),
        ("playability", &found.playability, "each role always has a move", "GF0702"),
        ("utility", &found.utility, values, "GF0703"),
    ] {
        add(&mut text, format_args!("  {property:<20} {}\n", verdict(is, holds, code)));
    }
    for (role, is) in &found.winnable {
        let shown = match is {
            Verdict::Holds(Some(witness)) => way(witness, found.visited > 0),
            other => verdict(other, "", "GF0704"),
        };
        add(&mut text, format_args!("  {:<20} {shown}\n", format!("winnable, {role}")));
    }
    for known in &found.knowledge {
        let parts = [
            ("its moves", &known.moves, "GF0705"),
            ("the end", &known.end, "GF0706"),
            ("its goal", &known.goal, "GF0707"),
        ];
        let part = |(what, knows, code): (&str, &Knows, &str)| match knows {
            Knows::Always => format!("{what}: yes"),
            Knows::Not(_) => format!("{what}: no, see {code}"),
            Knows::Undecided => format!("{what}: not decided"),
        };
        let parts = parts.map(part).join("; ");
        add(&mut text, format_args!("  {:<20} {parts}\n", format!("known to {}", known.role)));
    }
    text
}

/// The moves to a state.
fn way(witness: &Witness, is_shortest: bool) -> String {
    let count = number(witness.moves.len(), "move");
    let shortest = if is_shortest { "in " } else { "for example in " };
    let moves: Vec<String> =
        witness.moves.iter().take(MOST_MOVES).map(|it| it.join(" + ")).collect();
    let more = witness.moves.len().saturating_sub(MOST_MOVES);
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("yes: {shortest}{count}: {}{rest}", moves.join(", "))
}

/// A line for each report.
fn table(reports: &[CheckReport]) -> String {
    let is_explored = reports.iter().any(|it| it.exploration.is_some());
    let mut rows = vec![header(is_explored)];
    rows.extend(reports.iter().map(|report| row(report, is_explored)));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..rows[0].len()).filter_map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            // Words to the left, numbers to the right.
            match column {
                0 | 1 => add(&mut line, format_args!("{cell:<width$}  ")),
                _ => add(&mut line, format_args!("{cell:>width$}  ")),
            }
        }
        text += line.trim_end();
        text.push('\n');
    }
    let with_errors = reports.iter().filter(|it| it.count(Severity::Error) > 0).count();
    let games = number(reports.len(), "description");
    let is_clean = |it: &&CheckReport| it.diagnostics.is_empty() && it.undecided.is_none();
    let clean = reports.iter().filter(is_clean).count();
    add(&mut text, format_args!("{games}: {with_errors} with errors, {clean} without findings\n"));
    let undecided = reports.iter().filter(|it| it.undecided.is_some());
    let undecided: Vec<&str> = undecided.map(|it| it.name.as_str()).collect();
    let undecided: Vec<_> = undecided.into_iter().map(visible).collect();
    if !undecided.is_empty() {
        add(&mut text, format_args!("something is not decided about {}\n", undecided.join(", ")));
    }
    text
}

fn header(is_explored: bool) -> Vec<String> {
    let mut header = vec!["game", "fragment", "errors", "warnings", "notes", "base", "input"];
    if is_explored {
        header.extend(["states", "depth", "terminates", "playable", "utility", "winnable"]);
    }
    header.into_iter().map(str::to_owned).collect()
}

fn row(report: &CheckReport, is_explored: bool) -> Vec<String> {
    let (base, input) = match report.counts.domains {
        Some(domains) => (domains.base.to_string(), domains.input.to_string()),
        None => ("?".to_owned(), "?".to_owned()),
    };
    let mut row = vec![visible(&report.name).into_owned(), report.fragment.to_string()];
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    row.extend(severities.map(|severity| report.count(severity).to_string()));
    row.extend([base, input]);
    if !is_explored {
        return row;
    }
    let Some(found) = &report.exploration else {
        row.extend(["?"; 6].map(str::to_owned));
        return row;
    };
    let more = if found.limit.is_some() && found.visited > 0 { ">=" } else { "" };
    let states =
        if found.visited == 0 { "?".to_owned() } else { format!("{more}{}", found.states) };
    row.extend([states, format!("{more}{}", found.depth)]);
    for verdict in [&found.termination, &found.playability, &found.utility] {
        row.push(mark(verdict).to_owned());
    }
    let wins: Vec<&str> = found.winnable.iter().map(|(_, verdict)| mark(verdict)).collect();
    row.push(wins.join(" "));
    row
}

fn mark(verdict: &Verdict) -> &'static str {
    if *verdict == Verdict::Undecided { "?" } else { verdict.name() }
}

fn number(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn add(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string cannot fail");
}

// What the codes of findings mean, for a terminal.

/// The width of lines of text.
const WIDTH: usize = 80;

/// All codes, a line each.
pub(super) fn list() -> String {
    let line = |code: &codes::Code| {
        format!("{}  {:<7}  {}\n", code.code, code.severity.name(), code.title)
    };
    codes::codes().iter().map(line).collect()
}

/// A section of the page about them: what Markdown marks is indented or underlined, and lines are no longer than a
/// terminal is wide.
pub(super) fn laid_out(section: &str) -> String {
    let (mut text, mut paragraph) = (String::new(), String::new());
    let mut is_code = false;
    for line in section.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            fill(&mut text, &mut paragraph);
            is_code = !is_code;
            if is_code {
                text += match kind.split(' ').nth(1) {
                    Some("wrong") => "\nWrong:\n\n",
                    Some("right") => "\nRight:\n\n",
                    _ => "\nIt says:\n\n",
                };
            }
        } else if is_code {
            writeln!(text, "    {line}").expect("writing to a string cannot fail");
        } else if let Some(title) = line.strip_prefix("### ") {
            writeln!(text, "{title}\n{}", "=".repeat(title.chars().count()))
                .expect("writing to a string cannot fail");
        } else if line.is_empty() {
            fill(&mut text, &mut paragraph);
        } else {
            let starts_item = line.starts_with("- ");
            if starts_item {
                fill(&mut text, &mut paragraph);
            }
            paragraph += if paragraph.is_empty() { "" } else { " " };
            paragraph += &without_links(line.trim()).replace('*', "");
        }
    }
    fill(&mut text, &mut paragraph);
    text
}

/// Adds a paragraph, in lines.
fn fill(text: &mut String, paragraph: &mut String) {
    if paragraph.is_empty() {
        return;
    }
    let indent = if paragraph.starts_with("- ") { "  " } else { "" };
    text.push('\n');
    let mut width = 0;
    for word in paragraph.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            text.push_str(indent);
            width = indent.len();
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
    paragraph.clear();
}

/// `[text](address)` as `text`.
fn without_links(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((text, end)) = after.split_once("](") else { break };
        let Some((_, behind)) = end.split_once(')') else { break };
        plain += before;
        plain += text;
        rest = behind;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_explanation_fits_a_terminal_and_has_no_marks_of_markdown() {
        for code in codes::codes() {
            let text = laid_out(codes::explanation(code.code).expect("each has one"));
            let prose = text.lines().filter(|it| !it.starts_with("    "));
            for line in prose {
                assert!(line.chars().count() <= WIDTH, "{}: {line}", code.code);
                assert!(!["```", "###", "](", "*"].iter().any(|it| line.contains(it)), "{line}");
            }
            assert!(text.starts_with(&format!("{}: {}\n===", code.code, code.title)), "{text}");
        }
    }

    #[test]
    fn a_section_is_laid_out() {
        let section = "### GF1: odd\n\n*Error.* See\n[the page](page.md#x) of it.\n\n```kif wrong\n(a)\n```\n";
        assert_eq!(
            laid_out(section),
            "GF1: odd\n========\n\nError. See the page of it.\n\nWrong:\n\n    (a)\n"
        );
    }
}
