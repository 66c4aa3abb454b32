//! Join plans: the order of a rule's literals and how each is looked up.

mod compile;
mod complete;
mod order;
mod steps;

pub(crate) use compile::{Catalog, PlanRequest, compile};
pub(crate) use complete::JoinPlanner;
pub(crate) use order::{Order, Search, order};
pub(crate) use steps::{Access, Check, Flags, Plan, Register, Step, Wide};
