//! x
/// x
pub struct BitParallel;
