//! Where a description speaks of an atom.

use groundfrog::description::{Atom, Description, Term};
use groundfrog::kif::{Diagnostic, NodeId, Sexprs, Span};
use groundfrog::symbols::{Symbol, Symbols};

use super::{Reason, ReasonKind};
use crate::explore;
use crate::verify::{Difference, Subject};

/// That an atom holds or does not, at the statement that speaks of it.
pub(super) fn finding(difference: &Difference, description: &Description, by: &str) -> Diagnostic {
    let holds =
        if difference.expected { "should hold and does not" } else { "holds and should not" };
    let keywords = &description.keywords;
    let head = match difference.subject {
        Subject::Role => keywords.role,
        Subject::Initial => keywords.init,
        Subject::Legal => keywords.legal,
        Subject::Terminal => keywords.terminal,
        Subject::Goal => keywords.goal,
        Subject::Percepts => keywords.sees,
        Subject::Next => keywords.next,
    };
    let message = format!("{} {holds}, by {by}", difference.atom);
    Diagnostic::error("", message, statement_about(description, head, &difference.atom))
}

/// A difference from recorded playouts.
pub(super) fn reason(difference: &Difference, description: &Description) -> Reason {
    let mut finding = finding(difference, description, "the recorded playouts")
        .with_help(format!("in the state: {}", difference.state.join(" ")));
    if !difference.moves.is_empty() {
        let moves = difference.moves.iter().map(|(role, it)| format!("{role} {it}"));
        finding = finding.with_help(format!("after: {}", moves.collect::<Vec<_>>().join(", ")));
    }
    Reason { kind: ReasonKind::Trace, finding, edits: Vec::new() }
}

/// The head of the first statement that can derive an atom: of those with the same arguments, else of those about the predicate.
fn statement_about(description: &Description, head: Symbol, atom: &str) -> Span {
    let fits = |trees: &Sexprs| {
        let root = trees.roots().next()?;
        let about = description.statements.iter().filter(|it| it.head.predicate == head);
        let mut fitting =
            about.filter(|it| covers(&it.head, trees, root, atom, &description.symbols));
        fitting.next().map(|it| it.head.span)
    };
    let trees = Sexprs::parse(atom, 512).ok();
    trees.as_ref().and_then(fits).unwrap_or_else(|| explore::place(description, head))
}

/// Whether a head has an atom as an instance, as far as its variables may each be anything.
fn covers(head: &Atom, trees: &Sexprs, atom: NodeId, source: &str, symbols: &Symbols) -> bool {
    if !trees.is_list(atom) {
        return head.arguments.is_empty();
    }
    // An atom of `true` stands for one of `next` or `init`.
    let given: Vec<NodeId> = trees.children(atom).skip(1).collect();
    given.len() == head.arguments.len()
        && head
            .arguments
            .iter()
            .zip(given)
            .all(|(it, node)| stands_for(it, trees, node, source, symbols))
}

fn stands_for(term: &Term, trees: &Sexprs, node: NodeId, source: &str, symbols: &Symbols) -> bool {
    match term {
        Term::Variable(_) => true,
        Term::Constant(name) => trees.span(node).text(source) == symbols.name(*name),
        Term::Compound(compound) => {
            let mut parts = trees.children(node);
            let name = parts.next().map(|it| trees.span(it).text(source));
            let arguments: Vec<NodeId> = parts.collect();
            trees.is_list(node)
                && name == Some(symbols.name(compound.functor))
                && arguments.len() == compound.arguments.len()
                && compound
                    .arguments
                    .iter()
                    .zip(arguments)
                    .all(|(term, node)| stands_for(term, trees, node, source, symbols))
        }
    }
}
