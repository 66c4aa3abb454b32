//! How one state leads to the next.

use std::ops::Range;

/// How one state leads to the next.
#[derive(Clone, Debug)]
pub(crate) struct TransitionMap {
    /// The atoms that say that a fluent is true.
    pub(crate) fluents: Range<u32>,
    /// By fluent: whether it holds in the first state.
    pub(crate) is_initial: Vec<bool>,
    /// By atom, as far as there are any such: from what is true next to what is true then, from legal moves to moves that
    /// are made.
    pub(crate) leads_to: Vec<Option<u32>>,
}

impl TransitionMap {
    #[inline]
    pub(crate) fn leads_to(&self, atom: u32) -> Option<u32> {
        self.leads_to.get(atom as usize).copied().flatten()
    }

    /// Whether an atom is a fluent of the first state.
    pub(crate) fn is_initial(&self, atom: u32) -> bool {
        let position = atom.wrapping_sub(self.fluents.start) as usize;
        self.is_initial.get(position).is_some_and(|&it| it)
    }
}
