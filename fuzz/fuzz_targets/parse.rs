//! Any bytes are a description or an error that can be shown; a description reads back as printed.
#![no_main]

use groundfrog::description::Printer;
use groundfrog::description::{Description, ParseError, ParseOptions};
use libfuzzer_sys::fuzz_target;

fn print(description: &Description) -> String {
    let printer = Printer::new(&description.symbols);
    let statements = description.statements.iter();
    statements.map(|statement| printer.statement(statement).to_string() + "\n").collect()
}

fn show(error: &ParseError) {
    assert!(!error.diagnostics.is_empty(), "an error without a diagnostic");
    let shown = error.to_string();
    assert!(!shown.is_empty());
    for diagnostic in &error.diagnostics {
        let span = diagnostic.span();
        // Slices the text: panics outside of it or inside of a character.
        let _ = span.text(&error.text);
    }
}

fuzz_target!(|bytes: &[u8]| {
    for fold_case in [false, true] {
        let options = ParseOptions { fold_case, ..ParseOptions::default() };
        match Description::parse(bytes, &options) {
            Err(error) => show(&error),
            Ok(description) => {
                for warning in &description.warnings {
                    let _ = warning.span().text(&description.source);
                    assert!(!warning.display("", &description.source).to_string().is_empty());
                }
                let printed = print(&description);
                match Description::parse(printed.as_bytes(), &options) {
                    Err(error) => panic!("printed but not read: {error}\n{printed}"),
                    Ok(again) => assert_eq!(print(&again), printed, "reads back differently"),
                }
            }
        }
    }
});
