//! What a store pass has stored.

use super::atom_set::AtomSet;
use super::extra_atoms::ExtraAtoms;
use super::request::Request;
use crate::error::Exceeded;
use crate::numbers;
use crate::rule_store::{GroundLiteral, RuleStore};

/// The ground rules of a store pass.
#[derive(Debug, Clone)]
pub struct Instantiation {
    /// The rules: bodies are sets, and no rule occurs twice but for those of shortened heads.
    pub rules: RuleStore,
    /// The heads of rules that may have become the same as others because literals were left out.
    pub shortened: AtomSet,
    /// The atoms numbered from [`Request::first_extra`].
    pub extra: ExtraAtoms,
    /// How many instances the joins found, with repeated ones that had to be looked for.
    pub answers: u64,
}

impl Instantiation {
    /// Nothing yet.
    pub(crate) fn new(request: &Request<'_>) -> Self {
        Instantiation {
            rules: RuleStore::default(),
            shortened: AtomSet::default(),
            extra: ExtraAtoms::new(request),
            answers: 0,
        }
    }

    /// Adds the rules of a later part; its extra atoms are numbered anew.
    pub(super) fn append(
        &mut self,
        part: Instantiation,
        request: &Request<'_>,
    ) -> Result<(), Exceeded> {
        let first_extra = request.first_extra;
        let renumbered: Vec<u32> = (0..part.extra.len())
            .map(|number| {
                let (space, tuple) = part.extra.get(number).expect("number is below the length");
                self.extra.intern(space, &tuple.to_vec())
            })
            .collect();
        self.check_numbers(request)?;
        self.rules.append(&part.rules, |literal| match literal.atom().checked_sub(first_extra) {
            Some(number) => {
                GroundLiteral::new(first_extra + renumbered[number as usize], literal.is_negated())
            }
            None => literal,
        });
        self.shortened.extend(&part.shortened);
        self.answers += part.answers;
        Ok(())
    }

    /// Whether all that is stored can be numbered.
    pub(super) fn check_numbers(&self, request: &Request<'_>) -> Result<(), Exceeded> {
        numbers::check_atoms(u64::from(request.first_extra) + self.extra.len() as u64)?;
        numbers::check_literals((self.rules.len() + self.rules.literal_count()) as u64)
    }
}
