//! Which predicates are on demand, and how large each may get before that changes.

use fxhash::FxHashSet;

use crate::flat::FormId;
use crate::tuning::{LARGE_STATIC, LARGE_VIEW};

/// What is computed in which way.
#[derive(Default)]
pub(super) struct DemandChoice {
    /// Predicates on demand, if all their uses bind an argument.
    pub(super) wanted: Vec<FormId>,
    /// Predicates that must not be on demand.
    excluded: FxHashSet<FormId>,
    /// Predicates on demand of which much may be demanded.
    widened: FxHashSet<FormId>,
}

impl DemandChoice {
    /// Leaves out predicates that hold of nothing but what is demanded.
    pub(super) fn leave(&mut self, predicates: Vec<FormId>) {
        self.excluded.extend(predicates);
    }

    /// Puts predicates on demand of which nothing is known yet.
    pub(super) fn want(&mut self, predicates: impl IntoIterator<Item = FormId>) {
        for it in predicates {
            if !self.wanted.contains(&it) && !self.excluded.contains(&it) {
                self.wanted.push(it);
            }
        }
    }

    /// How many rows the table of a predicate may have that is not demanded by every game.
    pub(super) fn most_rows(&self, form: FormId, is_static: bool) -> u64 {
        if self.excluded.contains(&form) || self.wanted.contains(&form) {
            u64::MAX
        } else if is_static {
            LARGE_STATIC
        } else {
            LARGE_VIEW
        }
    }

    /// How much may be demanded of a predicate on demand.
    pub(super) fn most_demanded(&self, form: FormId) -> u64 {
        if self.widened.contains(&form) { u64::MAX } else { LARGE_VIEW }
    }

    /// More is demanded of a predicate on demand than may be. `users` demand it: they should be demanded as well.
    pub(super) fn note_large_demand(&mut self, form: FormId, users: impl Iterator<Item = FormId>) {
        self.widened.insert(form);
        self.want(users);
    }

    /// No predicates on demand that depend on each other's negation: at first static ones, which then depend on
    /// the course of the game. Returns whether there was one.
    pub(super) fn exclude(&mut self, is_dynamic: impl Fn(&FormId) -> bool) -> bool {
        let (dynamic, fixed): (Vec<FormId>, Vec<FormId>) =
            self.wanted.drain(..).partition(is_dynamic);
        let has_changed = !dynamic.is_empty() || !fixed.is_empty();
        if fixed.is_empty() {
            self.excluded.extend(dynamic);
        } else {
            self.excluded.extend(fixed);
            self.wanted = dynamic;
        }
        has_changed
    }
}
