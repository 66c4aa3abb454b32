//! Whether a description is one of MSL.

use groundfrog::kif::{Diagnostic, Severity};
use groundfrog::rules::Literal;

use super::{MarketKeywords, comparisons};
use crate::rules::{KeywordUse, Rulebook, in_order};

/// What is wrong with a description in MSL, and what may be, in the order of the text.
pub fn check(book: &Rulebook) -> Vec<Diagnostic> {
    let mut book = book.clone();
    let it = MarketKeywords::of(&mut book.rules.symbols);
    let comparisons = comparisons(&mut book.rules.symbols);
    let uses = KeywordUse {
        given: it.given().to_vec(),
        derived: vec![
            (it.next, "give the condition a predicate of its own, and let both rules use it"),
            (it.init, "`true` is for the present state"),
            (it.send, "give the condition a predicate of its own, and let both rules use it"),
        ],
        fixed: vec![it.trader, it.init],
        changing: vec![
            it.true_,
            it.receive,
            it.does,
            it.time,
            it.next,
            it.legal,
            it.send,
            it.message,
            it.terminal,
        ],
        before: vec![it.legal, it.message, it.terminal],
        made: vec![it.receive, it.does],
        comparisons,
    };
    let mut found = book.findings(&uses, Some(it.message.name));
    let literals = book.rules.rules.iter().flat_map(|rule| &rule.body);
    let in_bodies =
        literals.filter_map(Literal::atom).filter(|atom| atom.predicate() == it.message);
    found.extend(in_bodies.map(|atom| {
        Diagnostic::error("GF0808", "`message` stands in the body of a rule", atom.span)
            .with_remark("messages are tested when they come, and cannot be listed")
            .with_help("`receive` holds of the messages that came and were admitted")
    }));
    found.extend(book.missing(&[
        (it.trader, Severity::Error, "GF0804", "nobody trades"),
        (it.message, Severity::Warning, "GF0402", "no message is ever admitted"),
        (it.send, Severity::Warning, "GF0402", "no trader is ever told anything"),
        (it.terminal, Severity::Warning, "GF0402", "the market never closes"),
    ]));
    in_order(&book.description, found)
}
