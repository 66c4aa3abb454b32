//! Which views take the place of which.

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::simplify::subsumption;
use crate::ticker::Ticker;

/// A view is to be looked at.
const OPEN: u32 = u32::MAX;
/// Views that it depends on come first.
const ON_PATH: u32 = u32::MAX - 1;

/// Classes of views with the same rules, each with one that takes the place of the others.
pub(super) struct Classes {
    views: Range<u32>,
    /// By view: the one that takes its place, itself if none does, or [`OPEN`] or [`ON_PATH`].
    taken_by: Vec<u32>,
    is_any_merged: bool,
}

impl Classes {
    /// All views are to be looked at.
    pub(super) fn new(views: Range<u32>) -> Self {
        let taken_by = vec![OPEN; views.len()];
        Classes { views, taken_by, is_any_merged: false }
    }

    /// Whether a view takes the place of another.
    pub(super) fn is_any_merged(&self) -> bool {
        self.is_any_merged
    }

    #[inline]
    fn position(&self, atom: u32) -> usize {
        atom.wrapping_sub(self.views.start) as usize
    }

    /// Begins to look at a view. Returns whether it is looked at for the first time.
    pub(super) fn begin(&mut self, view: u32) -> bool {
        let position = self.position(view);
        let state = &mut self.taken_by[position];
        let is_first = *state == OPEN;
        if is_first {
            *state = ON_PATH;
        }
        is_first
    }

    /// A view has been looked at.
    pub(super) fn close(&mut self, view: u32, twin: Option<u32>) {
        let position = self.position(view);
        self.taken_by[position] = twin.unwrap_or(view);
        self.is_any_merged |= twin.is_some();
    }

    pub(super) fn is_closed(&self, view: u32) -> bool {
        self.taken_by[self.position(view)] < ON_PATH
    }

    /// Whether an atom is a view that is to be looked at.
    #[inline]
    pub(super) fn is_open(&self, atom: u32) -> bool {
        self.taken_by.get(self.position(atom)) == Some(&OPEN)
    }

    /// The view that takes the place of an atom, itself if none does.
    #[inline]
    fn merged(&self, atom: u32) -> u32 {
        self.taken_by.get(self.position(atom)).copied().filter(|&it| it < ON_PATH).unwrap_or(atom)
    }

    /// The literal with the view that takes the place of its own.
    #[inline]
    pub(super) fn literal(&self, literal: GroundLiteral) -> GroundLiteral {
        GroundLiteral::new(self.merged(literal.atom()), literal.is_negated())
    }

    /// Lets the view of each class that `comes_before` the others take their place.
    pub(super) fn choose(
        &mut self,
        comes_before: impl Fn(u32, u32) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Exceeded> {
        // By view that takes the place of others: the one that is to do so.
        let mut chosen: Vec<u32> = self.views.clone().collect();
        let views = self.views.clone().zip(&self.taken_by);
        for (view, &taken_by) in views {
            ticker.tick()?;
            let chosen = &mut chosen[self.position(taken_by)];
            if view != taken_by && comes_before(view, *chosen) {
                *chosen = view;
            }
        }
        let start = self.views.start;
        self.taken_by.iter_mut().for_each(|it| *it = chosen[(*it - start) as usize]);
        Ok(())
    }

    /// Puts views in the place of others. Raises the heads of rules that change.
    pub(super) fn apply(
        &self,
        rules: &mut RuleStore,
        changed_heads: &mut [bool],
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Exceeded> {
        let mut has_changed = false;
        rules.retain(|head, body| {
            ticker.tick()?;
            if self.merged(head) != head {
                return Ok(None);
            }
            let mut kept = 0;
            for position in 0..body.len() {
                let literal = self.literal(body[position]);
                if literal != body[position] {
                    changed_heads[head as usize] = true;
                    has_changed = true;
                    // The one that takes the place may be there, before this or behind it.
                    if body[..kept].contains(&literal) || body[position + 1..].contains(&literal) {
                        continue;
                    }
                }
                body[kept] = literal;
                kept += 1;
            }
            Ok(Some(kept))
        })?;
        if has_changed {
            let (atoms, concerns) = (changed_heads.len(), |head: u32| changed_heads[head as usize]);
            subsumption::remove_repeated(rules, atoms, concerns, ticker)?;
        }
        Ok(())
    }
}
