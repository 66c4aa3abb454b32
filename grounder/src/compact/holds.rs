//! Whether literals hold, as tables tell.

use groundfrog_engine::{Argument, Tables};
use smallvec::SmallVec;

use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, LiteralKind};

/// Whether a literal holds where its arguments have these values.
pub(super) fn holds(
    literal: &LiteralKind,
    value: impl Fn(&Argument) -> u32,
    tables: &Tables,
) -> bool {
    let contains = |atom: &FlatAtom| {
        let tuple: SmallVec<[u32; 8]> = atom.arguments.iter().map(&value).collect();
        tables[predicate(atom.form)].contains(&tuple)
    };
    match literal {
        LiteralKind::Positive(atom) => contains(atom),
        LiteralKind::Negative(atom) => !contains(atom),
        LiteralKind::Distinct(left, right) => {
            left.iter().zip(right).any(|(left, right)| value(left) != value(right))
        }
    }
}
