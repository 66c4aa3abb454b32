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

use super::about_tables::values;
use super::draft::Draft;
use super::proposal::Proposal;
use super::world::World;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::literal_variables;
use crate::compact::holds::holds;
use crate::compact::variables::map_arguments;
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};
use crate::tuning::MOST_LOOKED_AT;

/// Conditions on two variables, which are 0 and 1, and the values that these can have.
pub(super) type Conditions = (Vec<LiteralKind>, [Vec<u32>; 2]);

/// Rules with one condition in the place of several on the same two variables.
pub(crate) fn joint_conditions(rule: &FlatRule, draft: &Draft<'_, '_>) -> Vec<Proposal> {
    let joint = |pair| {
        let table = joint_table(rule, pair, draft.world)?;
        let mut above = draft.above();
        let joint = with_table(rule, pair, &table, &mut above);
        Some(Proposal::new(Change::Joined, vec![joint], (above.into_made(), 0.0)))
    };
    pairs(rule).into_iter().filter_map(joint).collect()
}

/// A rule with a table in the place of the conditions on two variables.
fn with_table(
    rule: &FlatRule,
    pair: VariableSet,
    table: &Rc<Table>,
    draft: &mut Draft<'_, '_>,
) -> FlatRule {
    let form = draft.given(table);
    let columns: Vec<u32> = members(pair).collect();
    let mut joint = rule.clone();
    joint.body.retain(|it| !is_condition_on(it, pair));
    joint.body.push(draft.use_of(form, &columns, false));
    joint
}

/// The pairs of values that fulfil all conditions on two variables, if there are not too many to look at.
fn joint_table(rule: &FlatRule, pair: VariableSet, world: &World<'_>) -> Option<Rc<Table>> {
    let both: Vec<u32> = members(pair).collect();
    let number = |argument: Argument| match argument {
        Argument::Variable(it) => Argument::Variable(u32::from(it == both[1])),
        constant => constant,
    };
    let of_pair = rule.body.iter().filter(|it| is_condition_on(it, pair));
    let kinds: Vec<LiteralKind> = of_pair.map(|it| map_arguments(&it.kind, &number)).collect();
    let is_known = |kind: &LiteralKind| match kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => {
            world.has_all_rows(atom.form) && !world.is_partial(atom.form)
        }
        LiteralKind::Distinct(..) => true,
    };
    if !kinds.iter().all(is_known) {
        return None;
    }
    let values = [values(rule, both[0], world)?, values(rule, both[1], world)?];
    if values[0].len() * values[1].len() > MOST_LOOKED_AT {
        return None;
    }
    let key = (kinds, values);
    if let Some(known) = world.about_tables().joint_tables.get(&key) {
        return Some(Rc::clone(known));
    }
    let table = Rc::new(pairs_that_fulfil(&key, world)?);
    world.about_tables().joint_tables.insert(key, Rc::clone(&table));
    Some(table)
}

fn pairs_that_fulfil((kinds, [left, right]): &Conditions, world: &World<'_>) -> Option<Table> {
    let mut table = Table::new(2);
    for pair in left.iter().flat_map(|&one| right.iter().map(move |&other| [one, other])) {
        if !world.ticks(kinds.len() as u32) {
            return None;
        }
        let value = |argument: &Argument| match *argument {
            Argument::Constant(it) => it,
            Argument::Variable(it) => pair[it as usize],
        };
        if kinds.iter().all(|it| holds(it, value, world.tables())) {
            table.insert(&pair);
        }
    }
    Some(table)
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
