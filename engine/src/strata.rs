//! The dependency graph of a program: components in evaluation order, and stratification.

use smallvec::SmallVec;

use crate::error::EngineError;
use crate::graph::{self, Graph};
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
    let graph = graph(program);
    let found = graph.components();
    let component = |number| {
        let predicates = found.members(number).iter().map(|&it| PredicateId(it)).collect();
        Component { predicates, rules: Vec::new(), recursive: found.is_recursive(number) }
    };
    let mut components: Vec<Component> = (0..found.len()).map(component).collect();
    for (position, rule) in program.rules().iter().enumerate() {
        let head = rule.head.predicate.0;
        let index = found.of(head).expect("each predicate has a component");
        components[index].rules.push(position);
        let negated = rule.body.iter().find_map(|literal| match literal {
            Literal::Negative(atom) if found.together(head, atom.predicate.0) => Some(atom),
            _ => None,
        });
        if let Some(atom) = negated {
            let cycle = graph::path(&graph, atom.predicate.0, head, |it| found.together(head, it));
            let name = |it: u32| program[PredicateId(it)].name.clone();
            return Err(EngineError::NotStratified {
                cycle: cycle.into_iter().map(name).collect(),
            });
        }
    }
    Ok(components)
}

/// Body predicates by head predicate.
fn graph(program: &Program) -> Graph {
    let literals = program.rules().iter().map(|rule| rule.body.len()).sum();
    let mut edges: Vec<(u32, u32)> = Vec::with_capacity(literals);
    for rule in program.rules() {
        for literal in &rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                edges.push((rule.head.predicate.0, atom.predicate.0));
            }
        }
    }
    Graph::new(program.predicates().len(), edges)
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
