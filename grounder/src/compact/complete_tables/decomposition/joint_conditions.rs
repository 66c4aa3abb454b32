//! Several static conditions between two variables, or what must not hold between them, as one condition.
//!
//! ```text
//! (<= (legal ?p (raise ?n)) (true (bid ?q ?m)) (number ?n) (not (at_most ?n ?m)) (distinct ?m ?n))
//! ```
//!
//! That `?n` is larger than `?m` is an order, of which [`super::nested_sets`] makes few rules, but only where one condition
//! says it. So a table is made of the pairs that fulfil all conditions, and takes their place where that makes the rule
//! smaller.

use std::rc::Rc;

use groundfrog_engine::projection::{VariableSet, members};
use groundfrog_engine::{Argument, Table};

use super::Splitter;
use crate::compact::complete_tables::auxiliaries::{Change, use_of};
use crate::compact::estimate::{fits, literal_variables};
use crate::compact::holds::holds;
use crate::compact::variables::map_arguments;
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};
use crate::options::PassId;
use crate::tuning::complete_tables::joint_conditions::{
    FEW_PAIRS, LARGE, MOST_PAIRS, MOST_TRIED, PAIRS_OF_INSTANCE,
};

/// Conditions on two variables, which are 0 and 1, and the values that these can have.
pub(super) type Conditions = (Vec<LiteralKind>, [Vec<u32>; 2]);

impl Splitter<'_> {
    /// A rule with one condition in the place of several on the same two variables, if that pays.
    pub(super) fn with_joint_conditions(&mut self, rule: &FlatRule) -> Option<FlatRule> {
        if !self.passes.contains(PassId::NestedSets) || !self.may_change(rule) || !fits(rule) {
            return None;
        }
        let pairs = pairs(rule);
        if pairs.is_empty() || pairs.len() > MOST_TRIED || !self.goes_on(rule) {
            return None;
        }
        let size = self.size(rule);
        if size < LARGE { None } else { self.joined_if_smaller(rule, &pairs, size) }
    }

    /// The rule with a joint condition on one of some pairs of variables, if that makes a large rule smaller.
    fn joined_if_smaller(
        &mut self,
        rule: &FlatRule,
        pairs: &[VariableSet],
        size: f64,
    ) -> Option<FlatRule> {
        let most = ((size * PAIRS_OF_INSTANCE) as usize).clamp(FEW_PAIRS, MOST_PAIRS);
        let table = |&pair| Some((pair, self.joint_table(rule, pair, most)?));
        let tables = pairs.iter().filter_map(table);
        let tables: Vec<(VariableSet, Rc<Table>)> = tables.collect();
        if tables.is_empty() {
            return None;
        }
        let before = self.size_on_trial(rule, Self::split_greedily);
        tables.iter().find_map(|(pair, table)| self.joined_on(rule, (*pair, table), before))
    }

    /// The rule with a joint condition on one pair, given its table; `before` is the size of the rule when all is split.
    fn joined_on(
        &mut self,
        rule: &FlatRule,
        (pair, table): (VariableSet, &Rc<Table>),
        before: f64,
    ) -> Option<FlatRule> {
        let joint = |trial: &mut Self| Some(trial.with_table(rule, pair, table));
        let after = self.size_made_on_trial(joint, Self::split_greedily)?;
        let is_accepted = self.accepts(Change::Joined, [rule.origin], (before, after));
        is_accepted.then(|| self.with_table(rule, pair, table))
    }

    /// A rule with a table in the place of the conditions on two variables.
    fn with_table(&mut self, rule: &FlatRule, pair: VariableSet, table: &Rc<Table>) -> FlatRule {
        let form = self.given(table);
        let columns: Vec<u32> = members(pair).collect();
        let mut joint = rule.clone();
        joint.body.retain(|it| !is_condition_on(it, pair));
        joint.body.push(use_of(form, &columns, false, self.forms));
        joint
    }

    /// The pairs of values that fulfil all conditions on two variables, if there are at most so many to look at.
    fn joint_table(
        &mut self,
        rule: &FlatRule,
        pair: VariableSet,
        most: usize,
    ) -> Option<Rc<Table>> {
        let both: Vec<u32> = members(pair).collect();
        let number = |it: Argument| match it {
            Argument::Variable(it) => Argument::Variable(u32::from(it == both[1])),
            constant => constant,
        };
        let of_pair = rule.body.iter().filter(|it| is_condition_on(it, pair));
        let kinds: Vec<LiteralKind> = of_pair.map(|it| map_arguments(&it.kind, &number)).collect();
        let is_known = |it: &LiteralKind| match it {
            LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => {
                self.has_all_rows(atom.form) && !self.known.demanded.contains(&atom.form)
            }
            LiteralKind::Distinct(..) => true,
        };
        if !kinds.iter().all(is_known) {
            return None;
        }
        let values = [self.values(rule, both[0])?, self.values(rule, both[1])?];
        if values[0].len() * values[1].len() > most {
            return None;
        }
        let key = (kinds, values);
        if let Some(known) = self.about_tables.joint_tables.get(&key) {
            return Some(Rc::clone(known));
        }
        let table = Rc::new(self.pairs_that_fulfil(&key)?);
        self.about_tables.joint_tables.insert(key, Rc::clone(&table));
        Some(table)
    }

    fn pairs_that_fulfil(&mut self, (kinds, [left, right]): &Conditions) -> Option<Table> {
        let mut table = Table::new(2);
        for pair in left.iter().flat_map(|&one| right.iter().map(move |&other| [one, other])) {
            if !self.ticker.ticks(kinds.len() as u32) {
                return None;
            }
            let value = |it: &Argument| match *it {
                Argument::Constant(it) => it,
                Argument::Variable(it) => pair[it as usize],
            };
            if kinds.iter().all(|it| holds(it, value, self.known.tables)) {
                table.insert(&pair);
            }
        }
        Some(table)
    }
}

/// Whether a literal is a static condition on just these variables.
fn is_condition_on(literal: &FlatLiteral, pair: VariableSet) -> bool {
    !literal.stored && literal_variables(literal) == pair
}

/// The pairs of variables that several conditions are about, or one that is negated, not `distinct` alone.
fn pairs(rule: &FlatRule) -> Vec<VariableSet> {
    let mut pairs: Vec<VariableSet> = Vec::new();
    let conditions = rule.body.iter().filter(|it| !it.stored);
    for pair in conditions.map(literal_variables).filter(|it| it.count_ones() == 2) {
        let on_pair = || rule.body.iter().filter(|it| is_condition_on(it, pair));
        let is_atom = |it: &FlatLiteral| it.atom().is_some();
        let is_joint =
            on_pair().count() > 1 || on_pair().any(|it| is_atom(it) && !it.is_positive());
        if is_joint && on_pair().any(is_atom) && !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}
