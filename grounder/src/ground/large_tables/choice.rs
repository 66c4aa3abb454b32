//! Which predicates are on demand, which are computed whole, and how large each may get before that changes.

use fxhash::{FxHashMap, FxHashSet};

use crate::flat::{FlatLiteral, FlatRule, FormId};
use crate::tuning::{ATTEMPTS, LARGE_DEMAND, LARGE_STATIC, LARGE_VIEW, LARGE_WHOLE};

/// What is computed in which way.
#[derive(Default)]
pub(super) struct DemandChoice {
    /// Predicates on demand, if all their uses bind an argument.
    pub(super) wanted: Vec<FormId>,
    /// Predicates that must not be on demand.
    excluded: FxHashSet<FormId>,
    /// Predicates on demand of which much may be demanded.
    widened: FxHashSet<FormId>,
    /// Predicates that are computed whole, as much is demanded of them.
    spared: Vec<FormId>,
    /// Predicates that are too large for that.
    vast: FxHashSet<FormId>,
    /// Views that are computed whole, as more is demanded of them than they are expected to have rows.
    whole: Vec<FormId>,
    /// How often this was tried.
    attempts: FxHashMap<FormId, usize>,
    /// Whether too much was demanded of others because of that.
    has_failed: bool,
}

impl DemandChoice {
    /// Puts predicates on demand of which nothing is known yet.
    pub(super) fn want(&mut self, predicates: impl IntoIterator<Item = FormId>) {
        for it in predicates {
            let is_known = self.wanted.contains(&it)
                || self.excluded.contains(&it)
                || self.spared.contains(&it)
                || self.whole.contains(&it);
            if !is_known {
                self.wanted.push(it);
            }
        }
    }

    /// Whether a predicate may be unfolded: neither it nor what it is defined by is on demand.
    pub(super) fn allows_unfolding(&self, rules: &[FlatRule], form: FormId) -> bool {
        let own = rules.iter().filter(|rule| rule.head.form == form);
        let body = own.flat_map(|rule| &rule.body).filter_map(FlatLiteral::form);
        ![form].into_iter().chain(body).any(|it| self.wanted.contains(&it))
    }

    /// Much is demanded of a predicate. Returns whether it is computed whole from now on.
    fn spare(&mut self, form: FormId) -> bool {
        let may_spare = !self.has_failed && !self.vast.contains(&form);
        if may_spare {
            self.wanted.retain(|it| *it != form);
            self.spared.push(form);
        }
        may_spare
    }

    /// A predicate that is computed whole is too large.
    fn note_vast(&mut self, form: FormId) {
        self.vast.insert(form);
        self.spared.retain(|it| *it != form);
        self.wanted.push(form);
    }

    /// How many rows the table of a predicate may have that is not demanded by every game.
    pub(super) fn most_rows(&self, form: FormId, is_static: bool) -> u64 {
        if self.excluded.contains(&form) {
            u64::MAX
        } else if self.whole.contains(&form) {
            ATTEMPTS[self.attempts[&form] - 1].1
        } else if self.wanted.contains(&form) {
            self.unless_sparing(LARGE_WHOLE)
        } else if self.spared.contains(&form) {
            if is_static { LARGE_WHOLE } else { LARGE_STATIC }
        } else if !is_static {
            LARGE_VIEW
        } else {
            LARGE_STATIC
        }
    }

    /// How much may be demanded of a predicate on demand.
    pub(super) fn most_demanded(&self, form: FormId, is_static: bool) -> u64 {
        if !self.widened.contains(&form) {
            return LARGE_VIEW;
        }
        let attempts = self.attempts.get(&form).copied().unwrap_or(0);
        let whole = ATTEMPTS.get(attempts).filter(|_| !is_static).map_or(u64::MAX, |it| it.0);
        self.unless_sparing(LARGE_DEMAND).min(whole)
    }

    /// Any number while nothing is computed whole.
    fn unless_sparing(&self, rows: u64) -> u64 {
        if self.spared.is_empty() { u64::MAX } else { rows }
    }

    /// More is demanded of a predicate on demand than may be. `users` demand it.
    pub(super) fn note_large_demand(&mut self, form: FormId, users: impl Iterator<Item = FormId>) {
        if self.widened.contains(&form) {
            if self.spared.is_empty() {
                self.compute_whole(form);
            } else {
                self.fail();
            }
        } else if !self.spare(form) {
            // What demands it should be demanded as well.
            self.widened.insert(form);
            self.want(users);
        }
    }

    /// A predicate has more rows than it may have. `users` use them.
    pub(super) fn note_large(&mut self, form: FormId, users: impl Iterator<Item = FormId>) {
        if self.whole.contains(&form) {
            self.give_up_whole(form);
        } else if self.spared.contains(&form) {
            self.note_vast(form);
        } else if self.wanted.contains(&form) {
            self.fail();
        } else {
            self.want(users);
        }
    }

    /// More may be demanded of a view than it has rows: it is computed whole from now on.
    fn compute_whole(&mut self, form: FormId) {
        *self.attempts.entry(form).or_insert(0) += 1;
        self.wanted.retain(|it| *it != form);
        self.whole.push(form);
    }

    /// A view has more rows than could be demanded.
    fn give_up_whole(&mut self, form: FormId) {
        self.whole.retain(|it| *it != form);
        self.wanted.push(form);
    }

    /// Nothing is computed whole any more.
    fn fail(&mut self) {
        self.has_failed = true;
        self.wanted.append(&mut self.spared);
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
