//! Messages that a game manager sends, in which the rules of a game come to a player.

use crate::kif::{NodeId, Sexprs};

/// The list of rules of `(START ID ROLE (RULES) STARTCLOCK PLAYCLOCK)` or `(PREVIEW (RULES) CLOCK)`, if an outermost list
/// is such a message: as a fact it would have a list where a name should be.
pub(super) fn rules(source: &str, trees: &Sexprs, node: NodeId) -> Option<NodeId> {
    let mut parts = trees.children(node);
    let word = parts.next().filter(|&it| trees.is_list(node) && !trees.is_list(it))?;
    let word = trees.span(word).text(source);
    let place = match word {
        _ if word.eq_ignore_ascii_case("start") => 2,
        _ if word.eq_ignore_ascii_case("preview") => 0,
        _ => return None,
    };
    let rules = parts.nth(place)?;
    let first = trees.is_list(rules).then(|| trees.children(rules).next()).flatten()?;
    trees.is_list(first).then_some(rules)
}
