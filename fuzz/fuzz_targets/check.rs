//! Any bytes can be checked within limits, and every finding can be shown.
#![no_main]

use std::time::Duration;

use groundfrog::description::ParseOptions;
use groundfrog::options::Limits;
use groundfrog_check::{CheckOptions, check_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits {
        time: Some(Duration::from_secs(1)),
        memory: Some(64 << 20),
        term_depth: 8,
        ..Limits::default()
    };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let report = check_text(bytes, &ParseOptions::default(), &options);
    for diagnostic in &report.diagnostics {
        let _ = diagnostic.span().text(&report.source);
        assert!(!diagnostic.display("", &report.source).to_string().is_empty());
    }
});
