//! Formulas and their negations, with `not` before atoms only (De Morgan).

use crate::description::Formula;

/// What has to hold for a formula, or for its negation, to hold.
pub(super) enum Demand<'f> {
    /// An atom or a `distinct`, or, if it is so, its negation.
    One(&'f Formula, bool),
    /// Each of some formulas, or of their negations.
    Each(&'f [Formula], bool),
    /// At least one of them.
    Any(&'f [Formula], bool),
}

impl<'f> Demand<'f> {
    pub(super) fn of(formula: &'f Formula, negated: bool) -> Self {
        match stripped(formula, negated) {
            (Formula::And(formulas, _), false) => Demand::Each(formulas, false),
            (Formula::Or(formulas, _), true) => Demand::Each(formulas, true),
            (Formula::And(formulas, _) | Formula::Or(formulas, _), negated) => {
                Demand::Any(formulas, negated)
            }
            (formula, negated) => Demand::One(formula, negated),
        }
    }
}

/// A formula without `not` before it, and whether it is negated then.
pub(super) fn stripped(mut formula: &Formula, mut negated: bool) -> (&Formula, bool) {
    while let Formula::Not(inner, _) = formula {
        (formula, negated) = (inner, !negated);
    }
    (formula, negated)
}

/// A formula, or its negation.
pub(super) fn written(formula: &Formula, negated: bool) -> Formula {
    match negated {
        true => Formula::Not(Box::new(formula.clone()), formula.span()),
        false => formula.clone(),
    }
}
