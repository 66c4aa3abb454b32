//! Which sets get an atom: those by which most rules go, one after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use groundfrog_engine::Exceeded;

use super::groups::{Groups, gain};
use crate::ticker::Ticker;

/// A set that gets an atom.
pub(super) struct ChosenSet {
    /// The predicate of the heads.
    pub(super) predicate: u32,
    /// The groups that it takes the place of.
    pub(super) groups: Vec<u32>,
}

/// The sets that get atoms, none of whose groups have a rule in common, by predicate.
#[derive(Default)]
pub(super) struct FactorChoice {
    pub(super) sets: Vec<ChosenSet>,
}

impl FactorChoice {
    pub(super) fn new(
        groups: &Groups,
        rules: usize,
        code: &impl Fn(u32) -> u64,
        ticker: &mut Ticker<'_>,
    ) -> Result<FactorChoice, Exceeded> {
        let mut alike: Vec<Vec<u32>> = vec![Vec::new(); groups.len()];
        for (group, &first) in (0..).zip(&groups.alike) {
            alike[first as usize].push(group);
        }
        let gain = |first: u32, count: usize| gain(count, groups.elements(first).len());
        let of_elements = |first: u32| groups.elements(first).map(code).fold(0, u64::wrapping_add);
        let mut heap = BinaryHeap::new();
        for first in 0..alike.len() as u32 {
            ticker.tick()?;
            if let Some(gain) = gain(first, alike[first as usize].len()) {
                heap.push((gain, Reverse(of_elements(first)), Reverse(first)));
            }
        }
        let mut is_taken = vec![false; rules];
        let mut chosen: Vec<(u32, u64, ChosenSet)> = Vec::new();
        while let Some((before, elements, Reverse(first))) = heap.pop() {
            let own = &mut alike[first as usize];
            ticker.ticks(own.len() as u32)?;
            own.retain(|&group| groups.rules(group).all(|it| !is_taken[it as usize]));
            let Some(gain) = gain(first, own.len()) else { continue };
            if gain < before {
                heap.push((gain, elements, Reverse(first)));
                continue;
            }
            let all = own.iter().flat_map(|&group| groups.rules(group));
            all.for_each(|it| is_taken[it as usize] = true);
            let (predicate, groups) = (groups.predicate(first), std::mem::take(own));
            chosen.push((predicate, elements.0, ChosenSet { predicate, groups }));
        }
        // Not in the order of the groups: the names of the atoms would depend on the order of rows in tables.
        chosen.sort_by_key(|it| (it.0, it.1));
        Ok(FactorChoice { sets: chosen.into_iter().map(|it| it.2).collect() })
    }
}
