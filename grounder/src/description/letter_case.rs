//! Warnings about names that differ only in case.

use fxhash::{FxHashMap, FxHashSet};

use super::builder::Builder;
use crate::kif::{Diagnostic, Span};
use crate::symbols::Symbol;

/// Warns of each group of names that differ only in case. Variables do not count, and neither do
/// keywords where they are used as such.
///
/// `undefined` has the names of predicates that are used and never defined: there, most likely,
/// another name of the group is meant.
pub(super) fn find(
    builder: &Builder<'_>,
    undefined: &FxHashSet<Symbol>,
    warnings: &mut Vec<Diagnostic>,
) {
    let symbols = &builder.symbols;
    let first_use = |symbol: Symbol| builder.first_uses.get(symbol.index()).copied().flatten();
    let mut groups: FxHashMap<String, Vec<(Span, Symbol)>> = FxHashMap::default();
    for (symbol, name) in symbols.iter() {
        if let Some(span) = first_use(symbol)
            && !name.starts_with('?')
            && name.chars().any(char::is_uppercase)
        {
            groups.entry(name.to_lowercase()).or_default().push((span, symbol));
        }
    }
    for (lower, mut group) in groups {
        if let Some(symbol) = symbols.get(&lower)
            && let Some(span) = first_use(symbol)
        {
            group.push((span, symbol));
        }
        group.sort_unstable();
        // Some capitals, such as the mathematical ones, have no small letter: then `symbol` was
        // there already.
        group.dedup();
        if group.len() > 1 {
            warnings.push(warning(builder, undefined, &group));
        }
    }
}

fn warning(
    builder: &Builder<'_>,
    undefined: &FxHashSet<Symbol>,
    group: &[(Span, Symbol)],
) -> Diagnostic {
    let quoted = |symbols: &mut dyn Iterator<Item = Symbol>| {
        let names: Vec<String> =
            symbols.map(|symbol| format!("`{}`", builder.symbols.name(symbol))).collect();
        names.join(" and ")
    };
    let names = quoted(&mut group.iter().map(|&(_, symbol)| symbol));
    let missing = group.iter().map(|&(_, symbol)| symbol).filter(|name| undefined.contains(name));
    let missing = quoted(&mut missing.into_iter());
    let text = match missing.is_empty() {
        true => format!("{names} differ only in case and are different names"),
        false => format!(
            "{names} differ only in case and are different names, and {missing} is never defined: \
             most likely one name is meant"
        ),
    };
    let (first, _) = group[0];
    let warning = Diagnostic::warning("GF0202", text, first);
    let warning = group[1..].iter().fold(warning, |warning, &(span, symbol)| {
        let text = format!("`{}` for the first time", builder.symbols.name(symbol));
        warning.with_label(span, text)
    });
    warning.with_help("if they are meant to be one name, fold case (`--fold-case`)")
}
