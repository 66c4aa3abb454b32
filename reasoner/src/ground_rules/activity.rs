//! What holds in the present state.

/// The changing part of a network: what holds in the present state.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    /// By node: whether it holds.
    pub(crate) values: Vec<u8>,
    /// By slot: how many inputs hold, minus how many must hold.
    pub(super) counts: Vec<i32>,
    /// By slot, one bit each: whether the sign of the count is not the one that was passed on.
    pub(super) crossed: Vec<u64>,
    pub(crate) outputs: Vec<u64>,
    pub(super) recursive: RecursiveActivity,
}

/// The changing part of recursion.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecursiveActivity {
    /// By gate: how many inputs hold, minus how many must hold.
    pub(super) counts: Vec<i32>,
    /// By gate: the count without the inputs from inside.
    pub(super) external: Vec<i32>,
    /// By component.
    pub(super) lost: Vec<bool>,
    pub(super) agendas: Vec<Vec<u32>>,
    pub(super) changed: Vec<u32>,
    pub(super) before: Vec<u8>,
}
