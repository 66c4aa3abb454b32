//! A judge of generated rules.

use std::time::Duration;

use groundfrog::kif::{Diagnostic, Severity};
use groundfrog::{Description, GroundGame, GroundOptions, Limits, ParseOptions, Silent, ground};
use groundfrog_knowledge::{Analysis, AnalysisOptions, Property, Verdict, analyse};
use groundfrog_reasoner::GroundReasoner;
use groundfrog_check::{CheckOptions, CheckReport, check, check_text, json};
use groundfrog_check::verify::{Trace, replay};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::calls::{Bounds, from_json, run, seconds};

/// Judges a description: `valid`, `fragment`, and `reasons`, each with a `kind`, a `message`, the `places` in the text and how to
/// `repair` it. Kinds are `syntax`, `restriction`, `playability`, `trace` and `limit`; a limit decides nothing, and `valid` is None
/// then.
#[pyfunction]
#[pyo3(signature = (text, *, traces=None, timeout=1.0))]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    text: &str,
    traces: Option<&str>,
    timeout: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let time = seconds(Some(timeout))?;
    let judged = run(py, time, |bounds| judge(text, traces, &bounds))?;
    from_json(py, &judged.to_string())
}

/// Judges many descriptions on all processors; as `validate`, in the order of the texts.
#[pyfunction]
#[pyo3(signature = (texts, *, timeout=1.0))]
pub(crate) fn validate_all<'py>(
    py: Python<'py>,
    texts: Vec<String>,
    timeout: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let time = seconds(Some(timeout))?;
    let judged: Vec<Value> =
        run(py, time, |bounds| texts.par_iter().map(|text| judge(text, None, &bounds)).collect())?;
    from_json(py, &Value::from(judged).to_string())
}

fn judge(text: &str, traces: Option<&str>, bounds: &Bounds) -> Value {
    let limits = Limits { time: bounds.time, stop: Some(bounds.stop.clone()), ..Limits::default() };
    let options = CheckOptions { limits: limits.clone(), ..CheckOptions::default() };
    let parse = ParseOptions::default();
    let Ok(description) = Description::parse(text.as_bytes(), &parse) else {
        let report = check_text(text.as_bytes(), &parse, &options);
        return verdict(&report, "syntax", Vec::new());
    };
    let report = check(&description, &options);
    if report.diagnostics.iter().any(|finding| finding.severity == Severity::Error) {
        return verdict(&report, "restriction", Vec::new());
    }
    let grounding =
        ground(&description, &GroundOptions { limits, ..GroundOptions::compact() }, &mut Silent);
    let further = match grounding {
        Ok(grounding) => of_game(grounding.game, traces, bounds),
        Err(error) => vec![reason("limit", error.to_string())],
    };
    verdict(&report, "restriction", further)
}

/// What is wrong with a game that can be ground.
fn of_game(game: GroundGame, traces: Option<&str>, bounds: &Bounds) -> Vec<Value> {
    let mut reasoner = match GroundReasoner::new(game) {
        Ok(reasoner) => reasoner,
        Err(error) => return vec![reason("restriction", error.to_string())],
    };
    let mut reasons = Vec::new();
    let time = bounds.time.map_or(Duration::from_millis(100), |time| time / 4);
    let options =
        AnalysisOptions { time, stop: Some(bounds.stop.clone()), ..AnalysisOptions::default() };
    match analyse(&mut reasoner, &options) {
        Ok(analysis) => reasons.extend(unplayable(&analysis)),
        Err(error) => reasons.push(reason("limit", error.to_string())),
    }
    if let Some(traces) = traces {
        reasons.extend(differing(&mut reasoner, traces));
    }
    reasons
}

/// What random matches refute of what every game must be.
fn unplayable(analysis: &Analysis) -> Vec<Value> {
    let demanded = |property: &Property| match property {
        Property::Playable => Some((
            "a role has no legal move",
            "give every role a legal move, `noop` for one, wherever the match is not over",
        )),
        Property::OneGoal => Some((
            "a role has no goal value, or several, at the end",
            "give every role just one goal value wherever `terminal` holds",
        )),
        Property::Terminating { .. } => Some((
            "a match comes back to the same state",
            "count the steps, and end the match at the last",
        )),
        _ => None,
    };
    let refuted = analysis.findings.iter().filter_map(|finding| {
        let (message, repair) = demanded(&finding.property)?;
        let Verdict::Refuted { moves } = &finding.verdict else { return None };
        Some(json!({
            "kind": "playability", "message": message, "places": [], "repair": [repair], "moves": moves,
        }))
    });
    refuted.collect()
}

/// The first difference from recorded playouts.
fn differing(reasoner: &mut GroundReasoner, traces: &str) -> Vec<Value> {
    let trace = match Trace::parse(traces) {
        Ok(trace) => trace,
        Err(error) => return vec![reason("trace", error.to_string())],
    };
    let game = reasoner.game().clone();
    match replay(reasoner, &trace, Some(&game), &mut Silent) {
        Ok(report) => {
            report.difference.map(|it| reason("trace", it.to_string())).into_iter().collect()
        }
        Err(error) => vec![reason("limit", error.to_string())],
    }
}

fn reason(kind: &str, message: String) -> Value {
    json!({ "kind": kind, "message": message, "places": [], "repair": [] })
}

/// The whole verdict: errors of a report, and what else there is.
fn verdict(report: &CheckReport, kind: &str, further: Vec<Value>) -> Value {
    let mut text = Vec::new();
    let written = json::write(std::slice::from_ref(report), &mut text);
    let parsed: Value =
        written.ok().and_then(|()| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let findings = parsed["files"][0]["diagnostics"].as_array().cloned().unwrap_or_default();
    let errors = findings.into_iter().filter(|finding| finding["severity"] == "error");
    let of_finding = |finding: Value| {
        json!({
            "kind": kind, "code": finding["code"], "message": finding["message"],
            "places": finding["labels"], "repair": finding["help"],
        })
    };
    let is_bound = report.diagnostics.iter().any(Diagnostic::is_bound);
    let mut reasons: Vec<Value> = errors.map(of_finding).collect();
    reasons.extend(further);
    if let Some(undecided) = &report.undecided {
        reasons.push(reason("limit", undecided.clone()));
    }
    let is_limit = |it: &Value| it["kind"] == "limit";
    let valid = match () {
        () if reasons.is_empty() => Value::Bool(true),
        () if is_bound || reasons.iter().all(is_limit) => Value::Null,
        () => Value::Bool(false),
    };
    json!({ "valid": valid, "fragment": report.fragment.name(), "reasons": reasons })
}
