//! Splits a part off a rule: an auxiliary predicate takes its place.

use groundfrog_engine::projection::{Part, Piece, members, set_of};
use groundfrog_engine::statistics::Measure;

use super::Splitter;
use crate::compact::complete_tables::auxiliaries::Definition;
use crate::compact::estimate::{literal_variables, variables};
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};

impl Splitter<'_> {
    /// Whether a part may be split off that needs conditions from the rest. Not if the rest is nothing but
    /// conditions; and of a part that says no more than that some move is made only if they are static: that
    /// another is made is expressed best by merging rules.
    pub(super) fn may_be_bound_outside(&self, rule: &FlatRule, part: &Part) -> bool {
        let of_body = rule.body.iter().zip(&part.taken);
        let (inside, outside): (Vec<_>, Vec<_>) = of_body.partition(|(_, taken)| **taken);
        let conditions =
            outside.iter().map(|it| it.0).filter(|it| it.joined && !it.stored && it.is_positive());
        let bound = conditions.map(literal_variables).fold(0, |all, it| all | it);
        (outside.iter().any(|it| it.0.stored)
            || variables(&rule.head.arguments) & !part.interface != 0)
            && (part.unbound & !bound == 0 || !self.are_about_moves(inside.iter().map(|it| it.0)))
    }

    /// Whether what is stored of some literals says no more than what moves are made.
    pub(super) fn are_about_moves<'a>(
        &self,
        mut literals: impl Iterator<Item = &'a FlatLiteral>,
    ) -> bool {
        literals.all(|literal| match &literal.kind {
            _ if !literal.stored => true,
            LiteralKind::Positive(atom) => {
                atom.name == self.known.keywords.does || self.made.about_moves.contains(&atom.form)
            }
            _ => false,
        })
    }

    /// Splits a part off a rule. Returns whether that can be done: with the conditions that it needs from the rest,
    /// a part of an auxiliary predicate's rule may be all of that rule.
    pub(super) fn apply(&mut self, rule: &mut FlatRule, part: &Part) -> bool {
        let (mut inner, mut rest) = part.divide(&rule.body);
        if part.unbound != 0 || inner.iter().any(|literal| literal.stored) {
            for guard in self.guarded(rule, part).0 {
                let guard = self.guard(guard, part.interface, rule.origin);
                if !inner.contains(&guard) {
                    inner.push(guard);
                }
            }
        }
        let definition = Definition::new(
            &inner.iter().collect::<Vec<_>>(),
            &members(part.interface).collect::<Vec<_>>(),
            self.forms,
        );
        if self.made.auxiliaries.find(&definition) == Some(rule.head.form) {
            return false;
        }
        rest.push(self.auxiliary(definition, rule.origin));
        rule.body = rest;
        true
    }

    /// The literal that stands for a part of a body.
    pub(super) fn auxiliary(&mut self, definition: Definition, origin: u32) -> FlatLiteral {
        self.auxiliary_of_expected_size(definition, origin).0
    }

    /// The auxiliary predicate of a part, and whether it is new.
    pub(super) fn auxiliary_of_expected_size(
        &mut self,
        definition: Definition,
        origin: u32,
    ) -> (FlatLiteral, bool) {
        let columns = 0..definition.columns as u32;
        let bindings = self.estimates.bindings(definition.body.iter(), set_of(columns.clone()));
        let distinct = columns.map(|it| bindings.domain(it).min(bindings.count())).collect();
        let measure = Measure { rows: bindings.count(), distinct };
        self.auxiliary_of_size(definition, origin, measure)
    }

    /// The literal that stands for a part of a body, whose predicate is expected to have this size; and whether the
    /// predicate is new.
    pub(super) fn auxiliary_of_size(
        &mut self,
        definition: Definition,
        origin: u32,
        measure: Measure,
    ) -> (FlatLiteral, bool) {
        let about_moves = self.are_about_moves(definition.body.iter());
        let (literal, new) =
            self.made.auxiliaries.literal(definition, origin, self.forms, self.symbols);
        if new {
            if about_moves && let LiteralKind::Positive(atom) = &literal.kind {
                self.made.about_moves.push(atom.form);
            }
            self.estimates.add(measure);
        }
        (literal, new)
    }
}

/// What matters of a literal: a static condition restricts the part that has its variables; a dynamic literal
/// must free a variable, or its instances would be stored twice.
pub(super) fn piece(literal: &FlatLiteral) -> Piece {
    let binds = literal.is_positive();
    let restricts = !literal.stored && !binds;
    Piece { variables: literal_variables(literal), binds, restricts, may_be_unbound: !binds }
}
