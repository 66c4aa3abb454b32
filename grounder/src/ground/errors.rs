//! What the engine could not do, as errors with places in the description.

use groundfrog_engine::EngineError;

use super::tables::Flattened;
use crate::description::Description;
use crate::error::GroundError;
use crate::flat::FlatRule;
use crate::flat::form_name;
use crate::kif::{Diagnostic, Span};

/// What the engine could not do, as an error about the rules of a description.
pub(crate) fn engine_error(
    description: &Description,
    flattened: &Flattened,
    error: EngineError,
) -> GroundError {
    match error {
        EngineError::NotStratified { cycle } => {
            let names: Vec<String> = cycle.iter().map(|name| format!("`{name}`")).collect();
            let message = format!(
                "{} depends on its own negation",
                names.first().map_or("a predicate", String::as_str)
            );
            let span = rule_of(flattened, &cycle);
            let diagnostic = Diagnostic::error("GF0306", message, span)
                .with_help(format!("the cycle: {}", names.join(" <- ")));
            GroundError::description(description, vec![diagnostic])
        }
        EngineError::Limit(exceeded) => GroundError::limit(description, &flattened.spans, exceeded),
    }
}

/// The rule that closes a negative cycle: the first of the predicate named last.
fn rule_of(flattened: &Flattened, cycle: &[String]) -> Span {
    let symbols = &flattened.prepared.rules.symbols;
    let named = |rule: &&FlatRule| {
        let name = form_name(rule.head.form, &flattened.forms, symbols);
        cycle.last() == Some(&name)
    };
    let rule = flattened.flat.rules.iter().find(named);
    rule.map(|rule| flattened.spans[rule.origin as usize]).unwrap_or_default()
}
