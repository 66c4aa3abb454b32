//! What an earlier template demands of the instances of a later one that it has too.

use super::overlap::{Overlap, Pair};
use super::terms::{Side, Terms};
use crate::instantiate::earlier::{Demand, Earlier};
use crate::instantiate::request::Request;
use crate::program::{Argument, Literal, PredicateId};

/// More demands are not worth it.
const MOST_DEMANDS: usize = 4;

/// The instances of the right template that the left one has too because of an overlap. `None` if that
/// cannot be decided by an instance alone.
pub(super) fn earlier(
    pair: &Pair<'_>,
    overlap: &Overlap,
    needed: &[bool],
    request: &Request<'_>,
) -> Option<Earlier> {
    let [left, right] = &pair.sides;
    let terms = &overlap.unified;
    let mut instance = Instance {
        terms,
        right,
        present: present(right, request),
        values: values(terms, left, right, needed),
    };
    let chosen = instance.bind_others(left)?;
    let mut demands = Vec::new();
    for literal in &left.template.rule.body {
        if let Some(demand) = instance.demand(literal) {
            // What is chosen is one way to fulfil the conditions; where it fails, there may be another.
            if literal.variables().any(|it| chosen.contains(&it)) {
                return None;
            }
            demands.push(demand);
        }
    }
    let is_worth_it = demands.len() <= MOST_DEMANDS;
    is_worth_it.then(|| Earlier::new(terms.equalities(right, needed), demands))
}

/// An atom over the variables of the right template.
type Row<'run> = (PredicateId, &'run [Argument]);

/// The atoms that are in their tables if there is an instance.
fn present<'run>(side: &Side<'run>, request: &Request<'_>) -> Vec<Row<'run>> {
    let joined = side.template.rule.positive_atoms();
    let joined = joined.map(|it| (it.predicate, it.arguments.as_slice()));
    let stored = side.template.body.iter().filter(|it| !it.negated).map(|literal| {
        (request.spaces[literal.atom.space as usize].predicate, literal.atom.arguments.as_slice())
    });
    joined.chain(stored).collect()
}

/// By variable of the left template: what it is in terms of the needed variables of the right one.
fn values(
    terms: &Terms,
    left: &Side<'_>,
    right: &Side<'_>,
    needed: &[bool],
) -> Vec<Option<Argument>> {
    let value =
        |variable: usize| match terms.resolve(left.term(Argument::Variable(variable as u32))) {
            constant @ Argument::Constant(_) => Some(constant),
            resolved => (0..needed.len() as u32)
                .filter(|&it| needed[it as usize])
                .map(Argument::Variable)
                .find(|&it| terms.resolve(right.term(it)) == resolved),
        };
    (0..left.template.rule.variable_count()).map(value).collect()
}

/// An instance of the left template that stores the same as one of the right.
struct Instance<'run> {
    terms: &'run Terms,
    right: &'run Side<'run>,
    /// What is there because of the right instance.
    present: Vec<Row<'run>>,
    /// By variable of the left template: what it is in terms of the right one.
    values: Vec<Option<Argument>>,
}

impl Instance<'_> {
    fn are_equal(&self, one: Argument, other: Argument) -> bool {
        self.terms.are_equal(self.right.term(one), self.right.term(other))
    }

    fn value(&self, argument: Argument) -> Option<Argument> {
        match argument {
            Argument::Variable(variable) => self.values[variable as usize],
            constant => Some(constant),
        }
    }

    /// Gives variables that are not stored what makes their literals rows of the right instance, and returns those
    /// variables. `None` if that cannot be done at once.
    fn bind_others(&mut self, left: &Side<'_>) -> Option<Vec<u32>> {
        let mut chosen = Vec::new();
        for atom in left.template.rule.positive_atoms() {
            if atom.variables().all(|it| self.values[it as usize].is_some()) {
                continue;
            }
            let fits =
                |(predicate, row): &&Row<'_>| {
                    *predicate == atom.predicate
                        && atom.arguments.iter().zip(*row).all(|(&it, &at)| {
                            self.value(it).is_none_or(|it| self.are_equal(it, at))
                        })
                };
            let (_, row) = *self.present.iter().find(fits)?;
            for (&argument, &value) in atom.arguments.iter().zip(row) {
                if let (Some(variable), None) = (argument.variable(), self.value(argument)) {
                    self.values[variable as usize] = Some(value);
                    chosen.push(variable);
                }
            }
        }
        Some(chosen)
    }

    /// What a literal of the left rule demands that does not hold anyway.
    fn demand(&self, literal: &Literal) -> Option<Demand> {
        let value = |it: Argument| self.value(it).expect("every variable has a value");
        let same = |one: &[Argument], other: &[Argument]| {
            one.iter().zip(other).all(|(&one, &other)| self.are_equal(one, other))
        };
        let body = &self.right.template.rule.body;
        let all = |arguments: &[Argument]| -> Box<[Argument]> {
            arguments.iter().map(|&it| value(it)).collect()
        };
        match literal {
            Literal::Positive(atom) => {
                let arguments = all(&atom.arguments);
                let is_there = |it: &Row<'_>| it.0 == atom.predicate && same(it.1, &arguments);
                let demand = Demand::Row {
                    negated: false,
                    predicate: atom.predicate,
                    arguments: arguments.clone(),
                };
                (!self.present.iter().any(is_there)).then_some(demand)
            }
            Literal::Negative(atom) => {
                let arguments = all(&atom.arguments);
                let is_absent = |literal: &Literal| match literal {
                    Literal::Negative(it) => {
                        it.predicate == atom.predicate && same(&it.arguments, &arguments)
                    }
                    _ => false,
                };
                let demand = Demand::Row {
                    negated: true,
                    predicate: atom.predicate,
                    arguments: arguments.clone(),
                };
                (!body.iter().any(is_absent)).then_some(demand)
            }
            Literal::Distinct(left, right) => {
                let (left, right) = (all(left), all(right));
                let differ = |literal: &Literal| match literal {
                    Literal::Distinct(one, other) if one.len() == left.len() => {
                        (same(one, &left) && same(other, &right))
                            || (same(one, &right) && same(other, &left))
                    }
                    _ => false,
                };
                let pairs = left.iter().copied().zip(right.iter().copied()).collect();
                (!body.iter().any(differ)).then_some(Demand::Distinct(pairs))
            }
        }
    }
}
