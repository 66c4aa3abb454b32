//! Terms from text.

use groundfrog::description::{Term, Terms};
use groundfrog::kif::{DEFAULT_NESTING, NodeId, Sexprs};
use groundfrog::rules::compound;
use groundfrog::symbols::{Symbol, Symbols};

/// Whether upper and lower case are different letters, where text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// They are different.
    #[default]
    Exact,
    /// What is written exactly so comes first; else ASCII letters are alike, if just one name is meant then.
    Folded,
}

/// The term that a text stands for; `None` if it is no term or has a name that is not known.
pub(super) fn term(text: &str, symbols: &Symbols, case: Case) -> Option<Term> {
    let trees = Sexprs::parse(text, DEFAULT_NESTING).ok()?;
    of_node(only(trees.roots())?, &trees, text, symbols, case)
}

/// A term with a single space between its parts; `None` if it is no term.
pub(super) fn normal(text: &str) -> Option<String> {
    let trees = Sexprs::parse(text, DEFAULT_NESTING).ok()?;
    let mut normal = String::with_capacity(text.len());
    write(only(trees.roots())?, &trees, text, &mut normal);
    Some(normal)
}

/// The only one of all, if there is just one.
pub(super) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

fn write(node: NodeId, trees: &Sexprs, text: &str, normal: &mut String) {
    if !trees.is_list(node) {
        return normal.push_str(trees.span(node).text(text));
    }
    normal.push('(');
    for (index, child) in trees.children(node).enumerate() {
        if index > 0 {
            normal.push(' ');
        }
        write(child, trees, text, normal);
    }
    normal.push(')');
}

fn symbol(name: &str, symbols: &Symbols, case: Case) -> Option<Symbol> {
    let exact = symbols.get(name);
    if exact.is_some() || case == Case::Exact {
        return exact;
    }
    only(symbols.iter().filter(|it| it.1.eq_ignore_ascii_case(name)).map(|it| it.0))
}

fn of_node(
    node: NodeId,
    trees: &Sexprs,
    text: &str,
    symbols: &Symbols,
    case: Case,
) -> Option<Term> {
    if !trees.is_list(node) {
        return symbol(trees.span(node).text(text), symbols, case).map(Term::Constant);
    }
    let mut children = trees.children(node);
    let functor = symbol(trees.span(children.next()?).text(text), symbols, case)?;
    let arguments: Option<Terms> =
        children.map(|it| of_node(it, trees, text, symbols, case)).collect();
    Some(compound(functor, arguments?))
}
