//! Terms from text.

use groundfrog::description::{Term, Terms};
use groundfrog::kif::{DEFAULT_NESTING, NodeId, Sexprs};
use groundfrog::rules::compound;
use groundfrog::symbols::Symbols;

/// The term that a text stands for; `None` if it is no term or has a name that is not known.
pub(super) fn term(text: &str, symbols: &Symbols) -> Option<Term> {
    let trees = Sexprs::parse(text, DEFAULT_NESTING).ok()?;
    let mut roots = trees.roots();
    let root = roots.next().filter(|_| roots.next().is_none())?;
    of_node(root, &trees, text, symbols)
}

fn of_node(node: NodeId, trees: &Sexprs, text: &str, symbols: &Symbols) -> Option<Term> {
    if !trees.is_list(node) {
        return symbols.get(trees.span(node).text(text)).map(Term::Constant);
    }
    let mut children = trees.children(node);
    let functor = symbols.get(trees.span(children.next()?).text(text))?;
    let arguments: Option<Terms> = children.map(|it| of_node(it, trees, text, symbols)).collect();
    Some(compound(functor, arguments?))
}
