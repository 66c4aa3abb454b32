//! A query of a recursive view: which arguments it needs, and which conditions on them are checked elsewhere.

use groundfrog_engine::Argument;

use super::passing::Passing;
use crate::compact::unfolding::resolvent;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, LiteralKind};

/// What is asked of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Its value.
    Value,
    /// Whether it can be this constant.
    Constant(u32),
    /// Whether there is a value that fulfils the conditions.
    Any,
}

/// What a use needs. The variables of the conditions are columns of the view, and others behind these.
#[derive(PartialEq, Eq)]
pub(super) struct Query {
    pub(super) columns: Vec<Need>,
    pub(super) conditions: Vec<FlatLiteral>,
}

impl Query {
    /// The columns that have values.
    pub(super) fn kept(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&it| self.columns[it] == Need::Value).collect()
    }

    /// A rule of the view with its constants in some arguments, and with its conditions, if they are wanted; nothing if it
    /// has no such answers. The head has all arguments.
    pub(super) fn answers_from(
        &self,
        rule: &FlatRule,
        is_restricted: impl Fn(usize) -> bool,
        with_conditions: bool,
    ) -> Option<FlatRule> {
        let argument = |(column, it): (usize, &Need)| match *it {
            Need::Constant(constant) if is_restricted(column) => Argument::Constant(constant),
            _ => Argument::Variable(column as u32),
        };
        let arguments = self.columns.iter().enumerate().map(argument).collect();
        let head = FlatAtom { arguments, ..rule.head.clone() };
        let kind = LiteralKind::Positive(head.clone());
        let mut body = vec![FlatLiteral { kind, joined: true, stored: rule.stored }];
        body.extend(self.conditions.iter().filter(|_| with_conditions).cloned());
        resolvent(&FlatRule { head, body, ..*rule }, 0, rule)
    }

    /// Whether two queries have no answer in common, as other constants are passed on.
    pub(super) fn is_apart_from(&self, other: &Query, passing: &[Passing]) -> bool {
        let both = self.columns.iter().zip(&other.columns).zip(passing);
        both.into_iter().any(|it| match it {
            (_, Passing::Changed) => false,
            ((Need::Constant(one), Need::Constant(other)), _) => one != other,
            _ => false,
        })
    }

    /// Whether it drops more than the constants that another way has as well.
    pub(super) fn drops_more_than(&self, other: &Query) -> bool {
        let mut both = self.columns.iter().zip(&other.columns);
        both.any(|(one, other)| match one {
            Need::Value => false,
            Need::Constant(_) => one != other,
            Need::Any => true,
        })
    }
}
