//! x
/// x
pub struct InterpretedReasoner;
