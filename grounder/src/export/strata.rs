//! In which order the atoms of a ground game can be computed.

use crate::game::{AtomGraph, AtomKind, GroundGame};

/// By atom: a layer above those of the atoms that its rules negate, and not below those that they read; 0 for `does`, 1 for what
/// negates nothing. `None` if an atom depends on its own negation.
pub(super) fn layers(game: &GroundGame) -> Option<Vec<u32>> {
    let by_head = game.rules().by_head(game.atom_count(), |_| true);
    let graph = AtomGraph::new(game.rules(), &by_head);
    let components = graph.components();
    if graph.negative_cycle(&components).is_some() {
        return None;
    }
    let mut layers = vec![1_u32; game.atom_count()];
    game.inputs().for_each(|it| layers[it.index()] = 0);
    game.fluents().for_each(|it| layers[it.index()] = 0);
    for component in 0..components.len() {
        let members = components.members(component);
        let mut layer = 1;
        for &atom in members {
            for &rule in by_head.row(atom as usize) {
                for literal in game.rules().rule(rule as usize).body {
                    let below = layers[literal.atom() as usize];
                    let is_own = components.together(atom, literal.atom());
                    if !is_own {
                        layer = layer.max(below + u32::from(literal.is_negated()));
                    }
                }
            }
        }
        members.iter().for_each(|&atom| layers[atom as usize] = layer);
    }
    Some(layers)
}

/// The atoms that rules define, each after those that its rules read; `None` if one depends on itself.
pub(super) fn in_order(game: &GroundGame) -> Option<Vec<u32>> {
    let by_head = game.rules().by_head(game.atom_count(), |_| true);
    let graph = AtomGraph::new(game.rules(), &by_head);
    let components = graph.components();
    let mut order = Vec::new();
    for component in 0..components.len() {
        if components.is_recursive(component) {
            return None;
        }
        order.extend_from_slice(components.members(component));
    }
    debug_assert!(order.iter().all(|&it| game.kind(crate::game::AtomId(it)) != AtomKind::True));
    Some(order)
}
