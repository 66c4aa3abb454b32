//! Rows of a step in blocks: each part of the work is one loop over a block, instead of every row going through all
//! parts. What is the same for all rows is done once. As in Boncz, Zukowski and Nes, "MonetDB/X100: Hyper-Pipelining
//! Query Execution" (2005).

mod answers;
mod multiply;
mod operand;
mod probe;

pub(crate) use answers::Block;
pub(crate) use multiply::Found;
pub(crate) use operand::{AnswerPart, Bound, Comparison, Comparisons, bound};
