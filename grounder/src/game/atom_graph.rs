//! Which atoms depend on which, by ground rules.

use std::convert::Infallible;

use groundfrog_engine::graph::{self, Components, Edges};
use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::rows::Rows;

/// The atoms that are heads of rules, each with an edge to those in the bodies of its rules.
#[derive(Clone, Copy, Debug)]
pub struct AtomGraph<'run> {
    rules: &'run RuleStore,
    /// By atom: its rules. Others are left out.
    by_head: &'run Rows<u32>,
}

impl<'run> AtomGraph<'run> {
    /// The graph of the atoms of these rules.
    pub fn new(rules: &'run RuleStore, by_head: &'run Rows<u32>) -> Self {
        AtomGraph { rules, by_head }
    }

    /// The strongly connected components, each after those that it reads.
    pub fn components(&self) -> Components {
        let Ok(components) = self.components_within(|| Ok::<_, Infallible>(()));
        components
    }

    /// The same, within limits.
    ///
    /// # Errors
    /// What `tick`, which is called at each literal, fails with.
    pub fn components_within<Stop>(
        &self,
        tick: impl FnMut() -> Result<(), Stop>,
    ) -> Result<Components, Stop> {
        let atoms = (0..self.nodes() as u32).filter(|&it| !self.by_head.is_empty_row(it as usize));
        graph::components(self, atoms, tick)
    }

    /// A cycle through a negation, if an atom depends on its own: from the negated atom to the head of the first such rule.
    pub fn negative_cycle(&self, components: &Components) -> Option<Vec<u32>> {
        let recursive = |head| components.of(head).is_some_and(|it| components.is_recursive(it));
        let mut rules = self.rules.iter().filter(|rule| recursive(rule.head));
        let (head, negated) = rules.find_map(|rule| {
            let mut negated = rule.body.iter().filter(|it| it.is_negated()).map(|it| it.atom());
            Some((rule.head, negated.find(|&it| components.together(rule.head, it))?))
        })?;
        Some(graph::path(self, negated, head, |it| components.together(head, it)))
    }
}

impl Edges for AtomGraph<'_> {
    /// A rule of the atom, and a literal of its body.
    type Place = (u32, u32);

    fn nodes(&self) -> usize {
        self.by_head.len()
    }

    #[inline]
    fn next(&self, atom: u32, place: &mut (u32, u32)) -> Option<u32> {
        let rules = self.by_head.row(atom as usize);
        while let Some(&rule) = rules.get(place.0 as usize) {
            let body = self.rules.rule(rule as usize).body;
            while let Some(literal) = body.get(place.1 as usize) {
                place.1 += 1;
                if !self.by_head.is_empty_row(literal.atom() as usize) {
                    return Some(literal.atom());
                }
            }
            *place = (place.0 + 1, 0);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use groundfrog_engine::instantiate::GroundLiteral;

    use super::*;

    /// Rules by numbers of atoms; those of negated literals are negative.
    fn store(rules: &[(u32, &[i32])]) -> RuleStore {
        let mut store = RuleStore::default();
        for &(head, body) in rules {
            let literal = |&it: &i32| GroundLiteral::new(it.unsigned_abs(), it < 0);
            store.push(head, &body.iter().map(literal).collect::<Vec<_>>());
        }
        store
    }

    fn cycle(rules: &[(u32, &[i32])]) -> Option<Vec<u32>> {
        let store = store(rules);
        let by_head = store.by_head(10, |_| true);
        let graph = AtomGraph::new(&store, &by_head);
        graph.negative_cycle(&graph.components())
    }

    #[test]
    fn a_cycle_needs_a_negation_in_it() {
        assert_eq!(cycle(&[(1, &[2]), (2, &[1, -3]), (3, &[-4])]), None);
        assert_eq!(cycle(&[(1, &[2]), (2, &[5, 3]), (3, &[-1, -4])]), Some(vec![1, 2, 3]));
        assert_eq!(cycle(&[(2, &[1]), (1, &[1, -1])]), Some(vec![1]));
    }

    #[test]
    fn it_ends_when_it_is_told_to() {
        let store = store(&[(1, &[2]), (2, &[1])]);
        let by_head = store.by_head(3, |_| true);
        assert!(AtomGraph::new(&store, &by_head).components_within(|| Err(())).is_err());
    }
}
