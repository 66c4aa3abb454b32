//! Passes over rules as people write them.

use super::Found;
use crate::compact::invariants::rigid_fluents as rigid;
use crate::ground::stratified;
use crate::prepare::Prepared;

/// Has rules look up in the first state what is never changed.
pub(super) fn rigid_fluents(prepared: &mut Prepared) -> Found {
    let mut kinds = rigid::find(&prepared.rules);
    // What depends on its own negation may do so among atoms of different states only.
    if !kinds.is_empty() && !stratified::by_predicate(&prepared.rules) {
        kinds.clear();
    }
    if !kinds.is_empty() {
        rigid::look_up_at_first(prepared, &kinds);
    }
    Found::Fluents(kinds)
}
