//! Reports in SARIF 2.1.0, which editors and code hosts read.
//!
//! One run: its tool lists the codes that were found as rules, with their explanations; each finding is a
//! result, the places that have to do with it are related locations. Of what follows from another finding the last one is the place of that,
//! with the words `follows from` and its code. What could not be decided about a game
//! is a notification, its fragment of GDL a property of its artifact. Columns count characters.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::CheckReport;
use super::codes::{code, explanation};
use groundfrog::kif::{Diagnostic, Label, Span, locate};

/// Where the format is defined.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes reports as a SARIF log of one run, indented, with a line end. Names of reports are taken for
/// paths.
///
/// # Errors
/// What writing gives.
pub fn write(reports: &[CheckReport], out: &mut impl Write) -> io::Result<()> {
    let found = reports.iter().flat_map(|report| &report.diagnostics).map(|it| it.code);
    let found: Vec<&str> = found.collect::<BTreeSet<&str>>().into_iter().collect();
    let rules: Vec<Value> = found.iter().map(|name| rule(name)).collect();
    let results = reports.iter().flat_map(|report| {
        report.diagnostics.iter().map(|diagnostic| result(diagnostic, report, &found))
    });
    let driver = json!({
        "name": "Groundfrog",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let notifications = reports.iter().filter_map(|report| {
        let reason = report.undecided.as_ref()?;
        let place = json!({ "artifactLocation": { "uri": uri(&report.name) } });
        Some(json!({
            "level": "warning",
            "message": { "text": format!("not decided: {reason}") },
            "locations": [{ "physicalLocation": place }],
        }))
    });
    let artifacts = reports.iter().map(|report| {
        let fragment = json!({ "fragment": report.fragment.name() });
        json!({ "location": { "uri": uri(&report.name) }, "properties": fragment })
    });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications.collect::<Vec<Value>>(),
            }],
            "artifacts": artifacts.collect::<Vec<Value>>(),
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<Value>>(),
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")
}

fn rule(name: &str) -> Value {
    let Some(code) = code(name) else { return json!({ "id": name }) };
    let text = explanation(name).unwrap_or_default();
    json!({
        "id": code.code,
        "shortDescription": { "text": code.title },
        "help": { "text": text, "markdown": text },
        "defaultConfiguration": { "level": code.severity.name() },
    })
}

fn result(diagnostic: &Diagnostic, report: &CheckReport, found: &[&str]) -> Value {
    let mut message = diagnostic.message.clone();
    for help in &diagnostic.help {
        message.push('\n');
        message.push_str(help);
    }
    let cause = diagnostic.follows.as_ref();
    let cause = cause.map(|it| Label { span: it.1, text: format!("follows from {}", it.0) });
    let labels = diagnostic.labels.iter().skip(1).chain(&cause);
    let related: Vec<Value> = labels.map(|label| related(label, report)).collect();
    let mut result = json!({
        "ruleId": diagnostic.code,
        "ruleIndex": found.binary_search(&diagnostic.code).unwrap_or_default(),
        "level": diagnostic.severity.name(),
        "message": { "text": message },
        "locations": [{ "physicalLocation": place(diagnostic.span(), report) }],
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

fn related(label: &Label, report: &CheckReport) -> Value {
    json!({
        "physicalLocation": place(label.span, report),
        "message": { "text": label.text },
    })
}

fn place(span: Span, report: &CheckReport) -> Value {
    let (start, end) = (locate(&report.source, span.start), locate(&report.source, span.end));
    json!({
        "artifactLocation": { "uri": uri(&report.name) },
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    })
}

/// A path as a relative or absolute URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
