//! Measuring grounding over a corpus: `bench`, `report` and `compare`.

pub(crate) mod record;
