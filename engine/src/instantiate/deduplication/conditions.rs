//! The conditions under which instances exist.

use super::terms::Side;
use crate::program::{Argument, Atom, Literal, PredicateId};

/// The conditions of one template or of two, over the variables of their sides.
pub(super) struct Conditions {
    pub(super) positive: Vec<(PredicateId, Vec<Argument>)>,
    pub(super) negative: Vec<(PredicateId, Vec<Argument>)>,
    pub(super) distinct: Vec<Vec<(Argument, Argument)>>,
}

impl Conditions {
    pub(super) fn of(sides: &[Side<'_>]) -> Self {
        let (mut positive, mut negative, mut distinct) = (Vec::new(), Vec::new(), Vec::new());
        for side in sides {
            let atom = |atom: &Atom| {
                (atom.predicate, atom.arguments.iter().map(|&it| side.term(it)).collect::<Vec<_>>())
            };
            for literal in &side.template.rule.body {
                match literal {
                    Literal::Positive(it) => positive.push(atom(it)),
                    Literal::Negative(it) => negative.push(atom(it)),
                    Literal::Distinct(left, right) => {
                        let pairs = left.iter().zip(right);
                        distinct
                            .push(pairs.map(|(&it, &at)| (side.term(it), side.term(at))).collect());
                    }
                }
            }
        }
        Conditions { positive, negative, distinct }
    }
}
