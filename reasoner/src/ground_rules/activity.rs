//! What holds in the present state.

/// The changing part of a network: what holds in the present state.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    /// By node: whether it holds.
    pub(crate) values: Vec<u8>,
    /// By gate.
    pub(super) counts: Vec<i32>,
    /// Output bits, flipped with their nodes.
    pub(crate) outputs: Vec<u64>,
    /// By level: the gates whose counts have changed sign; one that has changed it back comes twice.
    pub(super) queues: Vec<Vec<u32>>,
    /// The levels whose queues are not empty, one bit each.
    pub(super) pending: Vec<u64>,
    pub(super) recursive: RecursiveActivity,
}

/// The changing part of recursion.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecursiveActivity {
    /// By gate: the count without the inputs from inside.
    pub(super) external: Vec<i32>,
    /// By component.
    pub(super) lost: Vec<bool>,
    pub(super) agendas: Vec<Vec<u32>>,
    pub(super) changed: Vec<u32>,
    pub(super) before: Vec<u8>,
}

impl Activity {
    /// Lets a level be looked at.
    #[inline]
    pub(super) fn mark_level(&mut self, level: u32) {
        self.pending[level as usize / 64] |= 1 << (level % 64);
    }
}
