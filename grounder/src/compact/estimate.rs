//! How many ground rules a rule has, estimated from the sizes of complete tables.

use std::rc::Rc;

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{MAX_VARIABLES, VariableSet, different, members, set_of};
use groundfrog_engine::statistics::Measure;
use smallvec::SmallVec;

use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};

/// Whether a rule's variables fit in a set.
pub(super) fn fits(rule: &FlatRule) -> bool {
    let largest = |arguments: &[Argument]| arguments.iter().filter_map(|it| it.variable()).max();
    let of_literal = |literal: &FlatLiteral| match &literal.kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => largest(&atom.arguments),
        LiteralKind::Distinct(left, right) => largest(left).max(largest(right)),
    };
    let largest = rule.body.iter().filter_map(of_literal).max().max(largest(&rule.head.arguments));
    largest.is_none_or(|it| (it as usize) < MAX_VARIABLES)
}

/// The variables among some arguments.
pub(super) fn variables(arguments: &[Argument]) -> VariableSet {
    set_of(arguments.iter().filter_map(|it| it.variable()))
}

/// The variables of a literal.
pub(super) fn literal_variables(literal: &FlatLiteral) -> VariableSet {
    match &literal.kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => variables(&atom.arguments),
        LiteralKind::Distinct(left, right) => variables(left) | variables(right),
    }
}

/// The variables of some literals.
pub(super) fn all_variables<'a>(
    literals: impl IntoIterator<Item = &'a FlatLiteral>,
) -> VariableSet {
    literals.into_iter().map(literal_variables).fold(0, |all, own| all | own)
}

/// The expected number of different bindings of the variables in `wanted` that make all positive literals true, and the
/// number of constants that each variable can be; `measure` gives the size of a predicate.
pub(super) fn bindings<'a>(
    literals: impl Iterator<Item = &'a FlatLiteral>,
    wanted: VariableSet,
    measure: impl Fn(FormId) -> Rc<Measure>,
) -> Bindings {
    let mut rows = 1.0f64;
    let mut columns = ColumnSizes::new();
    let mut used: VariableSet = 0;
    for literal in literals {
        let LiteralKind::Positive(atom) = &literal.kind else { continue };
        let measure = measure(atom.form);
        let selected = selected(atom, &measure).max(1.0);
        rows *= selected;
        let mut seen: VariableSet = 0;
        for (argument, &distinct) in atom.arguments.iter().zip(&measure.distinct) {
            let Some(variable) = argument.variable() else { continue };
            if seen >> variable & 1 == 0 {
                seen |= 1 << variable;
                if columns.len() <= variable as usize {
                    columns.resize(variable as usize + 1, (1.0, f64::INFINITY));
                }
                let column = &mut columns[variable as usize];
                let distinct = distinct.clamp(1.0, selected);
                column.0 *= distinct;
                column.1 = column.1.min(distinct);
            }
        }
        used |= seen;
    }
    for variable in members(used) {
        let (product, least) = columns[variable as usize];
        // Equal columns: all but the one with the fewest constants restrict.
        rows /= product / least;
    }
    Bindings { rows: rows.max(1.0), wanted: wanted & used, used, columns }
}

/// The expected number of rows that have an atom's constants and repetitions.
fn selected(atom: &FlatAtom, measure: &Measure) -> f64 {
    let mut rows = measure.rows;
    let mut seen: VariableSet = 0;
    for (argument, &distinct) in atom.arguments.iter().zip(&measure.distinct) {
        match argument {
            Argument::Variable(variable) if seen >> variable & 1 == 0 => seen |= 1 << variable,
            _ => rows /= distinct.max(1.0),
        }
    }
    rows
}

/// By variable: the product of the distinct constants of its columns, and the smallest of them. Nothing for variables behind
/// the last that is in a column.
type ColumnSizes = SmallVec<[(f64, f64); 16]>;

/// What [`bindings`] finds.
pub(crate) struct Bindings {
    /// How many bindings of all variables.
    pub(super) rows: f64,
    /// The wanted variables, and all, of the literals.
    wanted: VariableSet,
    used: VariableSet,
    columns: ColumnSizes,
}

impl Bindings {
    /// How many constants a variable can be.
    pub(super) fn domain(&self, variable: u32) -> f64 {
        self.columns.get(variable as usize).map_or(f64::INFINITY, |it| it.1)
    }

    /// How many different bindings of the wanted variables.
    pub(super) fn count(&self) -> f64 {
        self.count_of(self.wanted)
    }

    /// How many different bindings of these variables.
    pub(super) fn count_of(&self, wanted: VariableSet) -> f64 {
        different(self.rows, self.most(wanted))
    }

    /// How many values wanted variables have if this part of the bindings of all variables is counted.
    pub(super) fn count_of_part(&self, wanted: VariableSet, part: f64) -> f64 {
        different((self.rows * part).max(1.0), self.most(wanted))
    }

    /// How many bindings of some variables there can be at most.
    fn most(&self, wanted: VariableSet) -> f64 {
        members(wanted & self.used).map(|it| self.columns[it as usize].1).product()
    }
}
