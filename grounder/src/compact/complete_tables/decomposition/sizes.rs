//! How large rules are, as they are or when a part is split off.

use groundfrog_engine::projection::{Part, VariableSet, members};

use super::draft::Draft;
use super::guards::guarded;
use crate::compact::estimate::{self, Bindings, literal_variables, variables};
use crate::flat::{FlatLiteral, FlatRule};

/// Ticks that it takes to estimate a size.
const AN_ESTIMATE: u32 = 64;

/// How large a rule is.
pub(super) struct Cost {
    /// Expected ground rules.
    pub(super) rules: f64,
    /// Expected ground rules times their length.
    pub(super) size: f64,
}

impl Draft<'_, '_> {
    /// The expected number of different bindings of variables of some literals.
    pub(super) fn bindings<'l>(
        &self,
        literals: impl Iterator<Item = &'l FlatLiteral>,
        wanted: VariableSet,
    ) -> Bindings {
        estimate::bindings(literals, wanted, |form| self.measure(form))
    }

    /// The expected number of instances of a rule with this body.
    pub(super) fn cost<'l>(
        &self,
        body: impl Iterator<Item = &'l FlatLiteral> + Clone,
        head: VariableSet,
    ) -> Cost {
        let all = self.bindings(body.clone(), 0);
        self.cost_of(&all, body, head)
    }

    /// The cost of a rule, given the bindings of all variables.
    pub(super) fn cost_of<'l>(
        &self,
        all: &Bindings,
        body: impl Iterator<Item = &'l FlatLiteral> + Clone,
        head: VariableSet,
    ) -> Cost {
        // Loops that see that a limit is exceeded stop.
        self.world.ticks(AN_ESTIMATE);
        let stored = body.filter(|literal| literal.stored);
        let wanted = stored.clone().map(literal_variables).fold(head, |all, own| all | own);
        let rules = all.count_of(wanted);
        Cost { rules, size: rules * (2.0 + stored.count() as f64) }
    }

    /// The expected size of a rule's instances.
    pub(super) fn size(&self, rule: &FlatRule) -> f64 {
        self.cost(rule.body.iter(), variables(&rule.head.arguments)).size
    }

    /// The size of a rule once a part is split off, with that of the rules of the part's auxiliary predicate if it is new.
    /// `all` are the bindings of the rule's variables.
    pub(super) fn size_of_split(&self, rule: &FlatRule, all: &Bindings, part: &Part) -> f64 {
        let own = if self.is_made(rule, part) { 0.0 } else { self.size_of_part(rule, part) };
        own + self.size_of_rest(rule, all, part)
    }

    /// Whether a part has an auxiliary predicate.
    pub(super) fn is_made(&self, rule: &FlatRule, part: &Part) -> bool {
        self.rules() > 0 && {
            let body: Vec<&FlatLiteral> = rule.body.iter().collect();
            let columns: Vec<u32> = members(part.interface).collect();
            self.find(&self.definition(&part.divide(&body).0, &columns)).is_some()
        }
    }

    /// The expected size of the rules of a part's auxiliary predicate, which are not stored if nothing in them is.
    pub(super) fn size_of_part(&self, rule: &FlatRule, part: &Part) -> f64 {
        let inner = rule.body.iter().zip(&part.taken).filter(|(_, taken)| **taken);
        let is_dynamic = inner.map(|(literal, _)| literal).any(|literal| literal.stored);
        if is_dynamic { guarded(rule, part, self).1 } else { 0.0 }
    }

    /// The expected size of what is left of a rule of which a part is split off.
    pub(super) fn size_of_rest(&self, rule: &FlatRule, all: &Bindings, part: &Part) -> f64 {
        let head = variables(&rule.head.arguments);
        let body: Vec<&FlatLiteral> = rule.body.iter().collect();
        let (inner, mut rest) = part.divide(&body);
        let is_dynamic = inner.iter().any(|literal| literal.stored);
        // The auxiliary literal restricts the rest as its definition does; count it as one more literal.
        let stored = rest.iter().filter(|literal| literal.stored);
        let wanted =
            stored.map(|literal| literal_variables(literal)).fold(head, |all, own| all | own)
                | if is_dynamic { part.interface } else { 0 };
        // Of the bindings of the part, those that differ in the interface alone are left.
        let part = self.bindings(inner.iter().copied(), part.interface);
        let left = all.count_of_part(wanted, part.count() / part.rows);
        rest.retain(|literal| literal.stored);
        left * (2.0 + rest.len() as f64 + f64::from(u8::from(is_dynamic)))
    }
}
