//! Reports as JSON, for programs.
//!
//! One object: `format` is `"groundfrog-check"` and `version` is [`VERSION`], which grows when a field
//! changes its meaning or goes away; new fields may come without that. `files` has one object for each
//! text:
//!
//! | Field | Meaning |
//! | --- | --- |
//! | `name` | what the text is called |
//! | `fragment` | `propositional`, `bounded`, `unbounded`, `not_gdl`, `rtgdl`, `msl`, or `unknown` where a limit was exceeded |
//! | `gdl_ii` | whether it uses `sees` or has a role `random` |
//! | `counts` | `facts`, `rules`, `literals`, `predicates`, and, where computed, `roles`, `base`, `input` |
//! | `undecided` | what was not decided, and why, or `null` |
//! | `exploration` | what exploring the states found, or `null` where that was not done |
//! | `diagnostics` | the findings: slips first, else in the order of the text, and what follows from a finding behind it |
//!
//! An exploration has `complete` and `limit` (why the search ended early, or `null`), `playouts` (random
//! matches played, or `null`), `states`, `visited`, `terminal_states`, `joint_moves`, `branching` (the mean),
//! `max_branching`, `depth` and `bytes_per_state`; `termination`, `playability` and `utility`, and `winnable`, a
//! list of these with a `role`: `verdict` is `yes`, `no` or `undecided`, and `witness` (or `null`) has `moves`
//! from the initial state, each a list with one move a role, the `state` they lead to, `cycle`, the moves from
//! it back to it, and `remark`. `knowledge` has, in a game with percepts, for each `role` what it always knows: its `moves`, the
//! `end` and its `goal`, each a `verdict` and a `witness` with two `histories` that it cannot tell apart, and what `differs`;
//! `sets` counts the sets of states that were looked at.
//!
//! A finding has `code`, `severity` (`error`, `warning`, `note`), `message`, `help` (a list of sentences)
//! and `labels`, the place of the message first. A label has `text`, `line` and `column` (from 1, in
//! characters), `end_line` and `end_column` (after the last character), and `start` and `end` in bytes. `follows_from` is the number of
//! the finding in `diagnostics`, from 0, that it follows from, or `null`: whoever shows findings may leave out those that have one.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::CheckReport;
use super::explore::{Exploration, Verdict};
use super::judge::{Edit, Judgement, Reason};
use super::knowledge::{Knows, RoleKnowledge};
use groundfrog::kif::{Diagnostic, Label, locate};

/// The version of the format.
pub const VERSION: u32 = 1;

/// Writes reports as one JSON object, indented, with a line end.
///
/// # Errors
/// What writing gives.
pub fn write(reports: &[CheckReport], out: &mut impl Write) -> io::Result<()> {
    let files: Vec<Value> = reports.iter().map(file).collect();
    let all = json!({ "format": "groundfrog-check", "version": VERSION, "files": files });
    serde_json::to_writer_pretty(&mut *out, &all)?;
    out.write_all(b"\n")
}

/// What a judge says: `valid` (`null` where a limit was reached), `fragment`, `reasons`, `warnings`, which are findings, and `mended`, the
/// text with the edits of the first reason that has any, or `null`. A reason has `kind`, `code`, `message`, `places` (the labels of
/// a finding), `repair` (a list of sentences) and `edits`, each with `start` and `end` in bytes and the `text` to put there.
pub fn judgement(judged: &Judgement) -> Value {
    let reason = |reason: &Reason| {
        let found = finding(&reason.finding, &judged.source);
        let edit =
            |it: &Edit| json!({ "start": it.span.start, "end": it.span.end, "text": it.text });
        json!({
            "kind": reason.kind.name(),
            "code": found["code"],
            "message": found["message"],
            "places": found["labels"],
            "repair": found["help"],
            "edits": reason.edits.iter().map(edit).collect::<Vec<Value>>(),
        })
    };
    let warnings = judged.warnings.iter().map(|it| finding(it, &judged.source));
    json!({
        "valid": judged.valid(),
        "fragment": judged.fragment.name(),
        "reasons": judged.reasons.iter().map(reason).collect::<Vec<Value>>(),
        "warnings": warnings.collect::<Vec<Value>>(),
        "mended": judged.mended(),
    })
}

fn file(report: &CheckReport) -> Value {
    let counts = &report.counts;
    let mut sizes = json!({
        "facts": counts.facts,
        "rules": counts.rules,
        "literals": counts.literals,
        "predicates": counts.predicates,
    });
    if let Some(domains) = counts.domains {
        sizes["roles"] = domains.roles.into();
        sizes["base"] = domains.base.into();
        sizes["input"] = domains.input.into();
    }
    let with_cause = |it: &Diagnostic| {
        let cause = report.diagnostics.iter().position(|cause| it.follows_from(cause));
        let mut value = finding(it, &report.source);
        value["follows_from"] = cause.into();
        value
    };
    let findings: Vec<Value> = report.diagnostics.iter().map(with_cause).collect();
    json!({
        "name": report.name,
        "fragment": report.fragment.name(),
        "gdl_ii": report.gdl_ii,
        "counts": sizes,
        "undecided": report.undecided,
        "exploration": report.exploration.as_deref().map(exploration),
        "diagnostics": findings,
    })
}

fn exploration(found: &Exploration) -> Value {
    let winnable: Vec<Value> = found
        .winnable
        .iter()
        .map(|(role, it)| {
            let mut value = verdict(it);
            value["role"] = role.as_str().into();
            value
        })
        .collect();
    json!({
        "complete": found.limit.is_none(),
        "limit": found.limit,
        "playouts": found.playouts,
        "states": found.states,
        "visited": found.visited,
        "terminal_states": found.terminal_states,
        "joint_moves": found.joint_moves,
        "branching": found.branching(),
        "max_branching": found.max_branching,
        "depth": found.depth,
        "bytes_per_state": found.bytes_per_state,
        "termination": verdict(&found.termination),
        "playability": verdict(&found.playability),
        "utility": verdict(&found.utility),
        "winnable": winnable,
        "knowledge": found.knowledge.iter().map(knowledge).collect::<Vec<Value>>(),
    })
}

fn knowledge(known: &RoleKnowledge) -> Value {
    let verdict = |knows: &Knows| {
        let witness = match knows {
            Knows::Not(witness) => Some(witness),
            Knows::Always | Knows::Undecided => None,
        };
        let witness = witness.map(|it| json!({ "histories": it.histories, "differs": it.differs }));
        json!({ "verdict": knows.name(), "witness": witness })
    };
    json!({
        "role": known.role,
        "moves": verdict(&known.moves),
        "end": verdict(&known.end),
        "goal": verdict(&known.goal),
        "sets": known.sets,
    })
}

fn verdict(verdict: &Verdict) -> Value {
    let witness = match verdict {
        Verdict::Holds(witness) | Verdict::Fails(witness) => witness.as_deref(),
        Verdict::Undecided => None,
    };
    let witness = witness.map(|witness| {
        json!({ "moves": witness.moves, "state": witness.state, "cycle": witness.cycle, "remark": witness.remark })
    });
    json!({ "verdict": verdict.name(), "witness": witness })
}

fn finding(diagnostic: &Diagnostic, source: &str) -> Value {
    let label = |label: &Label| {
        let (start, end) = (locate(source, label.span.start), locate(source, label.span.end));
        json!({
            "text": label.text,
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
            "start": label.span.start,
            "end": label.span.end,
        })
    };
    json!({
        "code": diagnostic.code,
        "severity": diagnostic.severity.name(),
        "message": diagnostic.message,
        "labels": diagnostic.labels.iter().map(label).collect::<Vec<Value>>(),
        "help": diagnostic.help,
    })
}
