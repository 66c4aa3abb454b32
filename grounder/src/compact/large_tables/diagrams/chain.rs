//! A decision diagram as static facts: one predicate a variable, which leads from state to state.

use fxhash::FxHashMap;

use super::diagram::{Diagrams, Node};

/// One variable of a chain.
#[derive(Debug)]
pub(super) struct Layer {
    /// The level of the variable.
    pub(super) level: u32,
    /// The state before it, its value, and the state after it. States are numbered from 1 within a layer.
    pub(super) steps: Vec<[u32; 3]>,
    /// How many states there are after it.
    pub(super) states: usize,
}

/// The layers of a diagram that is neither empty nor full, from the one state before the first variable to
/// the one after the last.
pub(super) fn layers(diagrams: &mut Diagrams<'_, '_>, root: Node) -> Option<Vec<Layer>> {
    let mut before = vec![root];
    let mut layers: Vec<Layer> = Vec::new();
    for level in diagrams.support(root) {
        let mut after: Vec<Node> = Vec::new();
        let mut numbers: FxHashMap<Node, u32> = FxHashMap::default();
        let mut steps = Vec::new();
        for (from, &node) in (1..).zip(&before) {
            for position in 0..diagrams.values(level).len() {
                let child = diagrams.child(node, level, position);
                if child == Node::FALSE {
                    continue;
                }
                if !diagrams.ticker.goes_on(1) {
                    return None;
                }
                let to = *numbers.entry(child).or_insert_with(|| {
                    after.push(child);
                    after.len() as u32
                });
                steps.push([from, diagrams.values(level)[position], to]);
            }
        }
        layers.push(Layer { level, steps, states: after.len() });
        before = after;
    }
    Some(layers)
}
