//! A judge of generated rules.

use std::sync::Arc;

use groundfrog::Limits;
use groundfrog_check::json::judgement;
use groundfrog_check::judge::{JudgeOptions, judge};
use groundfrog_check::verify::Trace;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use rayon::prelude::*;
use serde_json::Value;

use crate::calls::{Bounds, from_json, run_shown, seconds};
use crate::game::{Game, bytes};

/// Judges a description: `valid`, `fragment`, `reasons`, each with a `kind`, a `code`, a `message`, the `places` in the text, how to
/// `repair` it and `edits` that do, `warnings`, and `mended`, the text with the edits of the first reason that has any, or None.
///
/// Kinds are `syntax`, `safety`, `fragment`, `restriction`, `playability`, `trace` (it does not play as recorded in `traces`, lines of
/// JSON), `reference` (it does not play as another game) and `limit`; a limit decides nothing, and `valid` is None then.
#[pyfunction]
#[pyo3(signature = (text, *, traces=None, reference=None, playouts=8, seed=1, timeout=1.0))]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    traces: Option<&str>,
    reference: Option<&Game>,
    playouts: u64,
    seed: u64,
    timeout: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let options = options(py, traces, reference, playouts, seed)?;
    let text = bytes(text)?;
    let judged = run_shown(py, seconds(Some(timeout))?, None, |bounds| {
        judgement(&judge(&text, &within(&options, &bounds)))
    })?;
    from_json(py, &judged.to_string())
}

/// Judges many descriptions on all processors; each as `validate`, in the order of the texts, within the time for one.
#[pyfunction]
#[pyo3(signature = (texts, *, traces=None, reference=None, playouts=8, seed=1, timeout=1.0, progress=None))]
#[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
pub(crate) fn validate_all<'py>(
    py: Python<'py>,
    texts: Vec<Bound<'py, PyString>>,
    traces: Option<&str>,
    reference: Option<&Game>,
    playouts: u64,
    seed: u64,
    timeout: f64,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = options(py, traces, reference, playouts, seed)?;
    let options = JudgeOptions {
        limits: Limits { time: seconds(Some(timeout))?, ..options.limits },
        ..options
    };
    let texts: Vec<Vec<u8>> = texts.iter().map(bytes).collect::<PyResult<_>>()?;
    let done = std::sync::atomic::AtomicU64::new(0);
    let judged: Vec<Value> = run_shown(py, None, progress, |bounds| {
        let limits = Limits { stop: Some(bounds.stop.clone()), ..options.limits.clone() };
        let options = JudgeOptions { limits, ..options.clone() };
        let one = |text: &Vec<u8>| {
            let judged = judgement(&judge(text, &options));
            let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            bounds.reached(before + 1, Some(texts.len() as u64));
            judged
        };
        texts.par_iter().map(one).collect()
    })?;
    from_json(py, &Value::from(judged).to_string())
}

fn options(
    py: Python<'_>,
    traces: Option<&str>,
    reference: Option<&Game>,
    playouts: u64,
    seed: u64,
) -> PyResult<JudgeOptions> {
    let trace = traces.map(Trace::parse).transpose();
    let trace = trace.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let reference = reference.map(|game| game.rules.reasoner(py));
    Ok(JudgeOptions {
        trace: trace.map(Arc::new),
        reference: reference.transpose()?,
        playouts,
        seed,
        ..JudgeOptions::default()
    })
}

fn within(options: &JudgeOptions, bounds: &Bounds) -> JudgeOptions {
    JudgeOptions { limits: bounds.limits(), ..options.clone() }
}
