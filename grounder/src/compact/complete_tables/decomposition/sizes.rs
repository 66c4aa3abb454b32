//! How large rules are expected to be, and what is left of them when they are split.

use groundfrog_engine::projection::{Part, VariableSet, members};

use super::{AN_ESTIMATE, Splitter};
use crate::compact::complete_tables::auxiliaries::Definition;
use crate::compact::estimate::{Bindings, fits, literal_variables, variables};
use crate::flat::{FlatLiteral, FlatRule};

/// How large a rule is.
pub(super) struct Cost {
    /// Expected ground rules.
    pub(super) rules: f64,
    /// Expected ground rules times their length.
    pub(super) size: f64,
}

impl Splitter<'_> {
    /// The expected number of instances of a rule with this body.
    pub(super) fn cost<'a>(
        &mut self,
        body: impl Iterator<Item = &'a FlatLiteral> + Clone,
        head: VariableSet,
    ) -> Cost {
        let all = self.estimates.bindings(body.clone(), 0);
        self.cost_of(&all, body, head)
    }

    /// The cost of a rule, given the bindings of all variables.
    pub(super) fn cost_of<'a>(
        &mut self,
        all: &Bindings,
        body: impl Iterator<Item = &'a FlatLiteral> + Clone,
        head: VariableSet,
    ) -> Cost {
        // Loops that see that a limit is exceeded stop.
        self.ticker.ticks(AN_ESTIMATE);
        let stored = body.clone().filter(|literal| literal.stored);
        let wanted = stored.clone().map(literal_variables).fold(head, |all, it| all | it);
        let rules = all.count_of(wanted);
        Cost { rules, size: rules * (2.0 + stored.count() as f64) }
    }

    /// The size of a rule once a part is split off, with that of the rules of the part's auxiliary predicate if it is new.
    /// `all` are the bindings of the rule's variables.
    pub(super) fn cost_of_split(&mut self, rule: &FlatRule, all: &Bindings, part: &Part) -> f64 {
        let own = if self.is_made(rule, part) { 0.0 } else { self.size_of_part(rule, part) };
        own + self.size_of_rest(rule, all, part)
    }

    /// Whether a part has an auxiliary predicate.
    pub(super) fn is_made(&self, rule: &FlatRule, part: &Part) -> bool {
        let auxiliaries = &self.made.auxiliaries;
        !auxiliaries.rules.is_empty() && {
            let body: Vec<&FlatLiteral> = rule.body.iter().collect();
            let columns: Vec<u32> = members(part.interface).collect();
            let definition = Definition::new(&part.divide(&body).0, &columns, self.forms);
            auxiliaries.find(&definition).is_some()
        }
    }

    /// The expected size of the rules of a part's auxiliary predicate, which are not stored if nothing in them is.
    pub(super) fn size_of_part(&mut self, rule: &FlatRule, part: &Part) -> f64 {
        let inner = rule.body.iter().zip(&part.taken).filter(|it| *it.1);
        let is_dynamic = inner.map(|it| it.0).any(|literal| literal.stored);
        if is_dynamic { self.guarded(rule, part).1 } else { 0.0 }
    }

    /// The expected size of what is left of a rule of which a part is split off.
    pub(super) fn size_of_rest(&mut self, rule: &FlatRule, all: &Bindings, part: &Part) -> f64 {
        let head = variables(&rule.head.arguments);
        let body: Vec<&FlatLiteral> = rule.body.iter().collect();
        let (inner, mut rest) = part.divide(&body);
        let is_dynamic = inner.iter().any(|literal| literal.stored);
        // The auxiliary literal restricts the rest as its definition does; count it as one more literal.
        let stored = rest.iter().filter(|it| it.stored);
        let wanted = stored.map(|it| literal_variables(it)).fold(head, |all, it| all | it)
            | if is_dynamic { part.interface } else { 0 };
        // Of the bindings of the part, those that differ in the interface alone are left.
        let interface = part.interface;
        let part = self.estimates.bindings(inner.iter().copied(), interface);
        let left = all.count_of_part(wanted, part.count() / part.rows);
        rest.retain(|literal| literal.stored);
        left * (2.0 + rest.len() as f64 + f64::from(u8::from(is_dynamic)))
    }

    /// Splits a rule. Returns the expected size of its instances, and of those of what is split off.
    pub(super) fn size_when_split(&mut self, rule: FlatRule) -> f64 {
        let (whole, first) = (self.size(&rule), self.made.auxiliaries.splits.len());
        self.split(rule);
        self.size_after(whole, first)
    }

    /// The expected size of a rule's instances.
    pub(super) fn size(&mut self, rule: &FlatRule) -> f64 {
        self.cost(rule.body.iter(), variables(&rule.head.arguments)).size
    }

    /// How many instances an auxiliary rule is expected to have.
    pub(super) fn expected_instances(&mut self, rule: &FlatRule) -> f64 {
        match fits(rule) {
            true => self.cost(rule.body.iter(), variables(&rule.head.arguments)).rules,
            false => f64::INFINITY,
        }
    }

    /// The size of a rule that is split in some way, with what is split off when that is split in its turn.
    pub(super) fn size_when_all_split(
        &mut self,
        rule: FlatRule,
        split: impl FnOnce(&mut Self, FlatRule) -> FlatRule,
    ) -> f64 {
        let (whole, first) = (self.size(&rule), self.made.auxiliaries.splits.len());
        let next = self.made.auxiliaries.rules.len();
        split(self, rule);
        self.split_auxiliaries(next);
        self.size_after(whole, first)
    }

    /// The expected size of what had this size before the steps from a first one on.
    pub(super) fn size_after(&self, whole: f64, first: usize) -> f64 {
        // What a split leaves is what the next one begins with; the difference is what it splits off.
        let splits = &self.made.auxiliaries.splits[first..];
        let size = splits.iter().fold(whole, |size, it| size - it.before + it.after);
        // Not all steps agree on what there was before; nothing is a gain on less than nothing.
        size.max(0.0)
    }
}
