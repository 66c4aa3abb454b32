//! Which predicates depend on which.

use fxhash::FxHashMap;
use groundfrog_engine::graph::Graph;

use super::{Literal, Rule};
use crate::description::Predicate;

/// The predicates of some rules, numbered, and how they depend on each other: the head of a rule on those of its body.
#[derive(Clone, Debug, Default)]
pub struct PredicateGraph {
    numbers: FxHashMap<Predicate, u32>,
    predicates: Vec<Predicate>,
    /// Head and body.
    depends: Vec<(u32, u32)>,
    /// Those of literals that are negated.
    negations: Vec<(u32, u32)>,
}

impl PredicateGraph {
    /// The graph of some rules. Numbers go first to their heads, in order.
    pub fn new<'r>(rules: impl Iterator<Item = &'r Rule> + Clone) -> Self {
        let mut graph = PredicateGraph::default();
        for rule in rules.clone() {
            graph.number(rule.head.predicate());
        }
        for rule in rules.filter(|it| !it.body.is_empty()) {
            let head = graph.number(rule.head.predicate());
            for literal in &rule.body {
                let Some(atom) = literal.atom() else { continue };
                let dependence = (head, graph.number(atom.predicate()));
                graph.depends.push(dependence);
                if matches!(literal, Literal::Negative(_)) {
                    graph.negations.push(dependence);
                }
            }
        }
        graph
    }

    /// The number of a predicate, which is added if it is new.
    pub fn number(&mut self, predicate: Predicate) -> u32 {
        let next = self.predicates.len() as u32;
        let number = *self.numbers.entry(predicate).or_insert(next);
        if number == next {
            self.predicates.push(predicate);
        }
        number
    }

    /// The predicates by number.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// Heads and negated predicates of their bodies, in the order of the rules.
    pub fn negations(&self) -> &[(u32, u32)] {
        &self.negations
    }

    /// From heads to bodies.
    pub fn graph(&self) -> Graph {
        Graph::new(self.predicates.len(), self.depends.clone())
    }

    /// Whether no predicate depends on its own negation.
    pub fn is_stratified(&self) -> bool {
        if self.negations.is_empty() {
            return true;
        }
        let components = self.graph().components();
        !self.negations.iter().any(|&(head, negated)| components.together(head, negated))
    }
}
