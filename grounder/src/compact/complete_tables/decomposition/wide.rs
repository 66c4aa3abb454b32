//! Wide rules, as that each cell of a board is filled: literals with variables that nothing else mentions are projected,
//! all of them at once.
//!
//! Looking for the best split after each would take time with the fifth power of their number, and is not possible for
//! more variables than fit in a set.

use fxhash::FxHashMap;
use groundfrog_engine::projection::set_of;

use super::{Splitter, WORTH_A_GUARD};
use crate::compact::complete_tables::auxiliaries::{Change, Definition};
use crate::compact::estimate::fits;
use crate::compact::variables::{mention, renumbered, variables_of};
use crate::flat::{FlatLiteral, FlatRule};
use crate::tuning::complete_tables::wide::LEAST_PROJECTED;

impl Splitter<'_> {
    /// Projects the literals of a wide rule that have variables of their own.
    pub(super) fn project_wide(&mut self, rule: &mut FlatRule) {
        if !self.may_change(rule) || rule.body.len() < LEAST_PROJECTED {
            return;
        }
        let uses = uses(rule);
        let is_projected = |literal: &FlatLiteral| {
            let is_join = literal.joined && literal.stored && literal.is_positive();
            is_join && variables_of(literal).iter().any(|it| uses[it] == 1)
        };
        if rule.body.iter().filter(|it| is_projected(it)).count() < LEAST_PROJECTED {
            return;
        }
        let (mut before, mut after) = (1.0, 0.0);
        for literal in &mut rule.body {
            if !is_projected(literal) || !self.ticker.tick() {
                continue;
            }
            let shared: Vec<u32> =
                variables_of(literal).into_iter().filter(|it| uses[it] > 1).collect();
            let definition = Definition::new(&[literal], &shared, self.forms);
            let columns = set_of(0..definition.columns as u32);
            let all = self.estimates.bindings(definition.body.iter(), !0).count();
            let different = self.estimates.bindings(definition.body.iter(), columns).count();
            let size = self.cost(definition.body.iter(), !0).size;
            if different >= all || size >= WORTH_A_GUARD {
                continue;
            }
            before *= all / different;
            after += size;
            *literal = self.auxiliary(definition, rule.origin);
        }
        if after == 0.0 {
            return;
        }
        self.note(Change::Split, [rule.origin], (before, after));
        let mut literals = std::mem::take(&mut rule.body);
        for literal in literals.drain(..) {
            if !rule.body.contains(&literal) {
                rule.body.push(literal);
            }
        }
        if !fits(rule) {
            *rule = renumbered(rule);
        }
    }
}

/// How many literals mention each variable, the head counted as well.
fn uses(rule: &FlatRule) -> FxHashMap<u32, u32> {
    let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
    let mut add = |mentioned: Vec<u32>| {
        mentioned.into_iter().for_each(|it| *uses.entry(it).or_default() += 1);
    };
    let mut of_head = Vec::new();
    rule.head.arguments.iter().for_each(|&it| mention(&mut of_head, it));
    add(of_head);
    for literal in &rule.body {
        add(variables_of(literal));
    }
    uses
}
