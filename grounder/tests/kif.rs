//! Reading descriptions: what is tolerated, what is an error and where, and what is warned of.

#[path = "kif/errors.rs"]
mod errors;
#[path = "kif/infix.rs"]
mod infix;
#[path = "kif/round_trip.rs"]
mod round_trip;
#[path = "kif/tolerance.rs"]
mod tolerance;
#[path = "kif/warnings.rs"]
mod warnings;

use groundfrog::description::Printer;
use groundfrog::description::{Description, Formula, ParseError, ParseOptions, Statement};
use groundfrog::kif::{Diagnostic, Label, Span};

fn parse(source: impl AsRef<[u8]>) -> Result<Description, ParseError> {
    let options = ParseOptions { name: "game.kif".to_owned(), ..ParseOptions::default() };
    Description::parse(source.as_ref(), &options)
}

fn parse_folded(source: &str) -> Description {
    let options = ParseOptions { fold_case: true, ..ParseOptions::default() };
    Description::parse(source.as_bytes(), &options).expect("a description")
}

/// The statements on a line each.
fn print(description: &Description) -> String {
    let printer = Printer::new(&description.symbols);
    let lines = description.statements.iter().map(|one| printer.statement(one).to_string() + "\n");
    lines.collect()
}

/// The statements of `source` on one line.
fn read(source: impl AsRef<[u8]>) -> String {
    let description = parse(source).unwrap_or_else(|error| panic!("{error}"));
    print(&description).trim_end().replace('\n', " ")
}

/// Each diagnostic as `code line:column: message`.
fn show(diagnostics: &[Diagnostic], source: &str) -> Vec<String> {
    let show_one =
        |d: &Diagnostic| format!("{} {}", d.code, d.display("", source)).replace(" :", " ");
    diagnostics.iter().map(show_one).collect()
}

/// The labels' texts of the source.
fn marked<'s>(labels: &[Label], source: &'s str) -> Vec<&'s str> {
    labels.iter().map(|label| label.span.text(source)).collect()
}

/// The same statements as if all stood at the same place.
fn without_places(statements: &[Statement]) -> Vec<Statement> {
    let mut statements = statements.to_vec();
    for statement in &mut statements {
        statement.span = Span::default();
        statement.head.span = Span::default();
        statement.body.iter_mut().for_each(forget_place);
    }
    statements
}

fn forget_place(formula: &mut Formula) {
    match formula {
        Formula::Atom(atom) => atom.span = Span::default(),
        Formula::Not(formula, span) => {
            *span = Span::default();
            forget_place(formula);
        }
        Formula::Or(formulas, span) | Formula::And(formulas, span) => {
            *span = Span::default();
            formulas.iter_mut().for_each(forget_place);
        }
        Formula::Distinct(_, _, span) => *span = Span::default(),
    }
}
