//! What the rows of an auxiliary predicate hand to each other.

use groundfrog_engine::{Argument, Arguments};

use super::use_of;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};

/// What holds for a key holds for the keys that contain it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::compact::complete_tables) struct PassedOn {
    /// The static predicate of pairs of keys: the first contains the second.
    pub(in crate::compact::complete_tables) contained: FormId,
    /// By column of the auxiliary predicate: which part of the key it has, if it has one.
    pub(in crate::compact::complete_tables) of_keys: Vec<Option<usize>>,
}

impl PassedOn {
    /// The rule that says so of the predicate with this atom.
    pub(in crate::compact::complete_tables) fn rule(
        &self,
        atom: &FlatAtom,
        origin: u32,
    ) -> FlatRule {
        let columns = self.of_keys.len() as u32;
        let head: Arguments = (0..columns).map(Argument::Variable).collect();
        let keys = self.of_keys.iter().flatten().count();
        let mut pair: Vec<u32> = vec![0; 2 * keys];
        let mut of_contained = head.clone();
        for (column, key) in (0..columns).zip(&self.of_keys) {
            let Some(key) = *key else { continue };
            let other = columns + key as u32;
            (pair[key], pair[keys + key]) = (column, other);
            of_contained[column as usize] = Argument::Variable(other);
        }
        let kind = LiteralKind::Positive(FlatAtom { arguments: of_contained, ..atom.clone() });
        let contained = use_of(self.contained, atom.name, &pair, false);
        FlatRule {
            head: FlatAtom { arguments: head, ..atom.clone() },
            body: vec![contained, FlatLiteral { kind, joined: true, stored: true }],
            origin,
            stored: true,
        }
    }
}
