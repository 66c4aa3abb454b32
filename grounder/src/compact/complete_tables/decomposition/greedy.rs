//! Splits a rule greedily: of all parts that can be split off, the one that makes it smallest comes first, as long as that
//! pays.

use groundfrog_engine::projection::{self, Part, Piece, VariableSet};

use super::nested_sets::Nested;
use super::parts::piece;
use super::{GAIN, SMALL, Splitter};
use crate::compact::complete_tables::auxiliaries::{Change, Split};
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};
use crate::options::PassId;

impl Splitter<'_> {
    /// Splits a rule as it is: without counters, chains and joined conditions.
    pub(super) fn split_greedily(&mut self, mut rule: FlatRule) -> FlatRule {
        self.project_wide(&mut rule);
        match self.best_split(&rule) {
            Some(first) => self.split_off(rule, first),
            _ => rule,
        }
    }

    /// Splits parts off, that one first.
    fn split_off(&mut self, mut rule: FlatRule, first: Step) -> FlatRule {
        let mut next = Some(first);
        while let Some(Step { split, part, nested }) = next {
            match nested {
                Some(nested) => self.split_nested(&mut rule, &part, &nested),
                None if !self.apply(&mut rule, &part) => return rule,
                None => {}
            }
            self.made.auxiliaries.splits.push(split);
            next = self.best_split(&rule);
        }
        rule
    }

    /// The part that is best split off, if that pays.
    fn best_split(&mut self, rule: &FlatRule) -> Option<Step> {
        if !self.may_change(rule) || !fits(rule) || !self.goes_on(rule) {
            return None;
        }
        let head = variables(&rule.head.arguments);
        let pieces: Vec<Piece> = rule.body.iter().map(piece).collect();
        if pieces.iter().all(|piece| piece.variables & !head == 0) {
            return None;
        }
        let all = self.estimates.bindings(rule.body.iter(), 0);
        let cost = self.cost_of(&all, rule.body.iter(), head);
        self.whole.get_or_insert(cost.size);
        if cost.rules < SMALL {
            return None;
        }
        let mut best: Option<(f64, Part)> = None;
        let cuts = self.cuts(&rule.body, &pieces, head);
        for part in projection::parts(&pieces, head).into_iter().chain(cuts) {
            if part.unbound != 0 && !self.may_be_bound_outside(rule, &part) {
                continue;
            }
            let total = self.cost_of_split(rule, &all, &part);
            if total < cost.size * GAIN && best.as_ref().is_none_or(|(least, _)| total < *least) {
                best = Some((total, part));
            }
        }
        let nested = match self.passes.contains(PassId::NestedSets) {
            true => self.best_nested(rule, &all, cost.size),
            false => None,
        };
        let split = |change, after| Split::new(change, [rule.origin], (cost.size, after));
        match nested {
            Some((after, part, nested))
                if best.as_ref().is_none_or(|(least, _)| after < *least) =>
            {
                Some(Step { split: split(Change::Nested, after), part, nested: Some(nested) })
            }
            _ => best.map(|(after, part)| Step {
                split: split(Change::Split, after),
                part,
                nested: None,
            }),
        }
    }

    /// The parts before and behind each step of a chain, with all variables that only they have.
    ///
    /// Up to the second step a chain forgets nothing, so that it may not pay to eliminate one variable of it.
    fn cuts(&self, body: &[FlatLiteral], pieces: &[Piece], head: VariableSet) -> Vec<Part> {
        let is_step = |literal: &FlatLiteral| match &literal.kind {
            LiteralKind::Positive(atom) => self.known.steps.contains_key(&atom.form),
            _ => false,
        };
        let steps: Vec<VariableSet> =
            body.iter().filter(|it| is_step(it)).map(literal_variables).collect();
        let of = |steps: &[VariableSet]| steps.iter().fold(0, |all, it| all | it);
        let mut parts = Vec::new();
        for at in 1..steps.len() {
            let (before, behind) = steps.split_at(at);
            let (before, behind) = (of(before), of(behind));
            let eliminated = [before & !behind & !head, behind & !before & !head];
            let found = eliminated.into_iter().filter(|it| it.count_ones() > 1);
            parts.extend(found.filter_map(|it| projection::part(pieces, head, it)));
        }
        parts
    }
}

/// A part to be split off.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) split: Split,
    pub(super) part: Part,
    pub(super) nested: Option<Nested>,
}
