//! The dependency graph of a program: components in evaluation order, and stratification.

use smallvec::SmallVec;

use crate::error::EngineError;
use crate::program::{Literal, PredicateId, Program};

/// A strongly connected component of the dependency graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Its predicates, ascending; mostly there is but one.
    pub predicates: SmallVec<[PredicateId; 4]>,
    /// The rules whose heads are in it, as positions in [`Program::rules`], ascending.
    pub rules: Vec<usize>,
    /// Whether a predicate depends on itself.
    pub recursive: bool,
}

impl Component {
    /// Whether a predicate is in it.
    pub(crate) fn contains(&self, predicate: PredicateId) -> bool {
        self.predicates.binary_search(&predicate).is_ok()
    }
}

/// The components of a program in an order such that each reads only itself and earlier ones.
///
/// # Errors
/// [`EngineError::NotStratified`] with one cycle through a negation.
pub fn components(program: &Program) -> Result<Vec<Component>, EngineError> {
    let graph = Graph::new(program);
    let (order, component_of) = graph.strongly_connected();
    let mut components: Vec<Component> = order
        .into_iter()
        .map(|mut predicates| {
            predicates.sort_unstable();
            Component { predicates, rules: Vec::new(), recursive: false }
        })
        .collect();
    for (position, rule) in program.rules().iter().enumerate() {
        let index = component_of[rule.head.predicate.index()];
        let component = &mut components[index];
        component.rules.push(position);
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) if component_of[atom.predicate.index()] == index => {
                    component.recursive = true;
                }
                Literal::Negative(atom) if component_of[atom.predicate.index()] == index => {
                    let cycle = graph.path(rule.head.predicate, atom.predicate);
                    let names = cycle.into_iter().map(|it| program[it].name.clone()).collect();
                    return Err(EngineError::NotStratified { cycle: names });
                }
                _ => {}
            }
        }
    }
    Ok(components)
}

/// Whether no predicate depends on its own negation. Given are the number of predicates, and for each literal
/// the head of its rule, its predicate and whether it is negated.
pub fn is_stratified(predicates: usize, literals: &[(u32, u32, bool)]) -> bool {
    let negated = literals.iter().filter(|literal| literal.2);
    if negated.clone().next().is_none() {
        return true;
    }
    let edges = literals.iter().map(|&(head, body, _)| (head, body)).collect();
    let (_, component_of) = Graph::of_edges(predicates, edges).strongly_connected();
    let mut negated = negated;
    negated.all(|&(head, body, _)| component_of[head as usize] != component_of[body as usize])
}

/// Body predicates by head predicate.
struct Graph {
    /// By head: where its body predicates begin; they end where those of the next head begin.
    starts: Vec<u32>,
    successors: Vec<u32>,
}

impl Graph {
    fn new(program: &Program) -> Self {
        let literals = program.rules().iter().map(|rule| rule.body.len()).sum();
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(literals);
        for rule in program.rules() {
            for literal in &rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                    edges.push((rule.head.predicate.0, atom.predicate.0));
                }
            }
        }
        Self::of_edges(program.predicates().len(), edges)
    }

    /// The graph of heads and predicates of their bodies.
    fn of_edges(predicates: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; predicates + 1];
        edges.iter().for_each(|edge| starts[edge.0 as usize + 1] += 1);
        for head in 1..starts.len() {
            starts[head] += starts[head - 1];
        }
        Graph { starts, successors: edges.into_iter().map(|edge| edge.1).collect() }
    }

    /// The body predicates of a head, ascending.
    fn of(&self, head: usize) -> &[u32] {
        &self.successors[self.starts[head] as usize..self.starts[head + 1] as usize]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Tarjan's algorithm with an explicit stack, so that long chains of predicates are no danger.
    /// Returns the components, dependencies first, and the component of each predicate.
    fn strongly_connected(&self) -> (Vec<SmallVec<[PredicateId; 4]>>, Vec<usize>) {
        const UNSEEN: u32 = u32::MAX;
        let count = self.len();
        let mut number = vec![UNSEEN; count];
        let mut low = vec![0u32; count];
        let mut component_of = vec![usize::MAX; count];
        let mut components = Vec::with_capacity(count);
        let (mut open, mut next_number) = (Vec::new(), 0u32);
        let mut calls: Vec<(u32, usize)> = Vec::new();
        for root in 0..count as u32 {
            if number[root as usize] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, edge)) = calls.pop() {
                let at = node as usize;
                if edge == 0 {
                    number[at] = next_number;
                    low[at] = next_number;
                    next_number += 1;
                    open.push(node);
                } else {
                    let child = self.of(at)[edge - 1] as usize;
                    low[at] = low[at].min(low[child]);
                }
                let mut edge = edge;
                let mut descended = false;
                while let Some(&child) = self.of(at).get(edge) {
                    edge += 1;
                    if number[child as usize] == UNSEEN {
                        calls.push((node, edge));
                        calls.push((child, 0));
                        descended = true;
                        break;
                    }
                    if component_of[child as usize] == usize::MAX {
                        low[at] = low[at].min(number[child as usize]);
                    }
                }
                if !descended && low[at] == number[at] {
                    let mut members = SmallVec::new();
                    while let Some(member) = open.pop() {
                        component_of[member as usize] = components.len();
                        members.push(PredicateId(member));
                        if member == node {
                            break;
                        }
                    }
                    components.push(members);
                }
            }
        }
        (components, component_of)
    }

    /// A path from `to` back to `from`: the cycle closed by the negative edge `from -> to`.
    fn path(&self, from: PredicateId, to: PredicateId) -> Vec<PredicateId> {
        let mut parent = vec![u32::MAX; self.len()];
        let mut queue = std::collections::VecDeque::from([to.0]);
        parent[to.index()] = to.0;
        while let Some(node) = queue.pop_front() {
            if node == from.0 {
                break;
            }
            for &child in self.of(node as usize) {
                if parent[child as usize] == u32::MAX {
                    parent[child as usize] = node;
                    queue.push_back(child);
                }
            }
        }
        let mut path = vec![from];
        let mut node = from.0;
        while node != to.0 && parent[node as usize] != u32::MAX {
            node = parent[node as usize];
            path.push(PredicateId(node));
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Atom, Rule};

    fn nullary(predicate: PredicateId) -> Atom {
        Atom { predicate, arguments: Vec::new().into() }
    }

    #[test]
    fn dependencies_come_first_and_recursion_is_seen() {
        let mut program = Program::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| program.add_predicate(name, 0));
        program.add_rule(Rule::new(nullary(a), vec![Literal::Positive(nullary(b))]));
        program.add_rule(Rule::new(
            nullary(b),
            vec![Literal::Positive(nullary(b)), Literal::Negative(nullary(c))],
        ));
        let components = components(&program).expect("stratified");
        let order: Vec<_> =
            components.iter().map(|it| (it.predicates.to_vec(), it.recursive)).collect();
        assert_eq!(order, [(vec![c], false), (vec![b], true), (vec![a], false)]);
    }

    #[test]
    fn a_negative_cycle_is_named() {
        let mut program = Program::default();
        let [p, q, r] = ["p", "q", "r"].map(|name| program.add_predicate(name, 0));
        program.add_rule(Rule::new(nullary(p), vec![Literal::Positive(nullary(q))]));
        program.add_rule(Rule::new(nullary(q), vec![Literal::Positive(nullary(r))]));
        program.add_rule(Rule::new(nullary(r), vec![Literal::Negative(nullary(p))]));
        let error = components(&program).expect_err("p depends on not p");
        assert_eq!(
            error,
            EngineError::NotStratified { cycle: vec!["p".into(), "q".into(), "r".into()] }
        );
    }
}
