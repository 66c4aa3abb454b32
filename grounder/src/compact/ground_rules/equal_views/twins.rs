//! Views by the hashes of their rules.

use groundfrog_engine::Exceeded;
use std::ops::Range;

use groundfrog_engine::instantiate::RuleStore;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::bodies::hash_of_body;
use crate::ticker::Ticker;

/// The hash of the rules of each view.
pub(super) struct Hashes {
    views: Range<u32>,
    /// By view: the hash and the number of its rules.
    by_view: Vec<(u64, u32)>,
}

impl Hashes {
    /// Those of the rules as they are.
    pub(super) fn new(
        rules: &RuleStore,
        views: Range<u32>,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        let mut by_view = vec![(0u64, 0); views.len()];
        for rule in rules.iter() {
            ticker.tick()?;
            let view = rule.head.wrapping_sub(views.start) as usize;
            if let Some((hash, count)) = by_view.get_mut(view) {
                *hash = hash.wrapping_add(hash_of_body(rule.body));
                *count += 1;
            }
        }
        Ok(Hashes { views, by_view })
    }

    fn of(&self, view: u32) -> (u64, u32) {
        self.by_view[(view - self.views.start) as usize]
    }

    /// The view's rules have become others.
    pub(super) fn set(&mut self, view: u32, hash: u64) {
        self.by_view[(view - self.views.start) as usize].0 = hash;
    }

    /// The views that have the same rules as one before them, by their hashes.
    pub(super) fn twins(&self, ticker: &mut Ticker<'_>) -> Result<Later, Exceeded> {
        let mut twins = Twins::new(self);
        let mut later = Later { views: self.views.clone(), is_twin: Vec::new(), rules: 0 };
        for view in self.views.clone() {
            ticker.tick()?;
            if twins.find_or_add(view, self).is_some() {
                later.is_twin.resize(self.views.len(), false);
                later.is_twin[(view - self.views.start) as usize] = true;
                later.rules += self.of(view).1 as usize;
            }
        }
        Ok(later)
    }
}

/// The views with an earlier twin.
pub(super) struct Later {
    views: Range<u32>,
    /// By view; of length 0 if none is.
    is_twin: Vec<bool>,
    /// How many rules they have.
    pub(super) rules: usize,
}

impl Later {
    /// How often rules use them.
    pub(super) fn uses(
        &self,
        rules: &RuleStore,
        ticker: &mut Ticker<'_>,
    ) -> Result<usize, Exceeded> {
        let is_twin = |atom: u32| {
            self.is_twin.get(atom.wrapping_sub(self.views.start) as usize) == Some(&true)
        };
        let mut uses = 0;
        for rule in rules.iter() {
            ticker.tick()?;
            uses += rule.body.iter().filter(|it| is_twin(it.atom())).count();
        }
        Ok(uses)
    }
}

/// A view for each hash.
pub(super) struct Twins(HashTable<u32>);

impl Twins {
    /// Room for all views with rules.
    pub(super) fn new(hashes: &Hashes) -> Self {
        Twins(HashTable::with_capacity(hashes.by_view.iter().filter(|it| it.1 > 0).count()))
    }

    /// A view that was added before, with the same hash; if there is none, the view is added. One without rules
    /// may hold otherwise and has no twin.
    pub(super) fn find_or_add(&mut self, view: u32, hashes: &Hashes) -> Option<u32> {
        let (hash, rules) = hashes.of(view);
        if rules == 0 {
            return None;
        }
        let same = |&other: &u32| hashes.of(other).0 == hash;
        match self.0.entry(hash, same, |&other| hashes.of(other).0) {
            Entry::Occupied(other) => Some(*other.get()),
            Entry::Vacant(free) => {
                free.insert(view);
                None
            }
        }
    }
}
