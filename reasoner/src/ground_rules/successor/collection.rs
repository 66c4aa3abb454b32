//! Views that only collect moves need no evaluation: each of the moves has what the view has.
//!
//! All rules of such a view are triggered and ask for nothing else, and no other rule asks for the view beside its trigger.
//! Compact ground games have many: they split frame rules in two.

use super::build::SuccessorBuilder;
use crate::network::code::Code;

/// Entries that this may add; beyond, nothing is collected.
const MOST_ENTRIES: usize = 1 << 24;

/// What views collect.
#[derive(Debug)]
pub(super) struct Collection {
    /// By transient: what triggers it, if it is such a view.
    collected: Vec<Option<Vec<u32>>>,
}

impl Collection {
    /// What the views collect whose rules are compiled.
    pub(super) fn new(builder: &SuccessorBuilder<'_, '_>) -> Self {
        let count = builder.transients.levels.len();
        let mut is_kept = vec![false; count];
        let mut keep = |number: u32| is_kept.get_mut(number as usize).map(|kept| *kept = true);
        let read =
            builder.successor.conditions.items().iter().chain(builder.successor.bodies.items());
        read.filter_map(|code: &Code| (code >> 1).checked_sub(builder.successor.first)).for_each(
            |number| {
                keep(number);
            },
        );
        let rules = builder.successor.view_rules.iter().zip(builder.successor.bodies.iter());
        rules.filter(|(_, body)| !body.is_empty()).for_each(|(rule, _)| {
            keep(rule.head);
        });
        builder.untriggered.iter().for_each(|&(_, rule)| {
            keep(builder.successor.view_rules[rule as usize].head);
        });
        let mut triggers: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &(trigger, rule) in &builder.triggered {
            triggers[builder.successor.view_rules[rule as usize].head as usize].push(trigger);
        }
        let mut collection = Collection { collected: vec![None; count] };
        let mut uses = vec![0; count];
        let pairs = builder.triggered.iter().chain(&builder.triggers).chain(&builder.strikes);
        let effects = builder.effects.iter().map(|&(row, _)| row as usize);
        pairs.map(|&(number, _)| number as usize).chain(effects).for_each(|number| {
            uses.get_mut(number).into_iter().for_each(|uses| *uses += 1);
        });
        let mut room = MOST_ENTRIES;
        // Those below a view come before it, but within a recursion.
        for view in builder.transients.moves()..count {
            if is_kept[view] || builder.transients.is_recursive(view) {
                continue;
            }
            let through = triggers[view].iter().flat_map(|&number| collection.of(number));
            let mut through: Vec<u32> = through.collect();
            through.sort_unstable();
            through.dedup();
            let Some(rest) = room.checked_sub(through.len() * uses[view]) else { continue };
            room = rest;
            collection.collected[view] = Some(through);
        }
        collection
    }

    /// What a transient collects; itself, if it is no such view.
    fn of(&self, number: u32) -> Vec<u32> {
        let collected = self.collected.get(number as usize).cloned().flatten();
        collected.unwrap_or_else(|| vec![number])
    }

    /// Whether a transient is no more evaluated.
    pub(super) fn drops(&self, number: u32) -> bool {
        self.collected[number as usize].is_some()
    }

    /// Lets those that a view collects have what the view has.
    pub(super) fn spread<T: Copy>(&self, pairs: &[(u32, T)]) -> Vec<(u32, T)> {
        let mut spread = Vec::with_capacity(pairs.len());
        for &(number, item) in pairs {
            match self.collected.get(number as usize) {
                Some(Some(collected)) => spread.extend(collected.iter().map(|&made| (made, item))),
                _ => spread.push((number, item)),
            }
        }
        spread
    }
}
