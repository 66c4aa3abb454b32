//! Rules, predicates and paths in words.

use crate::description::Predicate;
use crate::kif::Diagnostic;
use crate::rules::{Rule, Rules};

use super::dependencies::{Dependencies, Edge};

/// `fact` or `rule`.
pub fn kind(rule: &Rule) -> &'static str {
    if rule.body.is_empty() { "fact" } else { "rule" }
}

/// The predicate's name; with its number of arguments if another predicate has the name too.
pub fn predicate(rules: &Rules, graph: &Dependencies, predicate: Predicate) -> String {
    let name = rules.symbols.name(predicate.name);
    let others = graph.arities(predicate.name);
    if others > 1 { format!("{name}/{}", predicate.arity) } else { name.to_owned() }
}

/// Adds a path to a diagnostic: a label at each of its literals, and the path in one line.
pub fn chain(
    mut diagnostic: Diagnostic,
    path: &[Edge],
    graph: &Dependencies,
    rules: &Rules,
) -> Diagnostic {
    let name = |number| predicate(rules, graph, graph.predicate(number));
    for (position, edge) in path.iter().enumerate() {
        let not = if edge.negative { "the negation of " } else { "" };
        let text = format!("`{}` depends on {not}`{}` here", name(edge.from), name(edge.to));
        diagnostic = match position {
            0 => diagnostic.with_remark(text),
            _ => diagnostic.with_label(edge.span, text),
        };
    }
    if path.len() > 1 {
        let first = path.iter().map(|edge| name(edge.from)).next().unwrap_or_default();
        let steps = path.iter().map(|edge| {
            let not = if edge.negative { "not " } else { "" };
            format!(" <- {not}{}", name(edge.to))
        });
        diagnostic =
            diagnostic.with_help(format!("the path: {first}{}", steps.collect::<String>()));
    }
    diagnostic
}
