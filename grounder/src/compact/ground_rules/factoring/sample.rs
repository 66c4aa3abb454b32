//! Whether it pays to look for alternatives, from a look at some of the heads.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::RuleStore;

use super::Atoms;
use super::shared::{Kind, Shared, mixed};
use crate::ticker::Ticker;
use crate::tuning::{FEW_RULES, PROMISING, SAMPLE};

/// Whether alternatives of these rules are promising. In what heads have in common it is as fast to look at all rules.
///
/// # Errors
/// A limit that was exceeded.
pub(crate) fn are_promising(
    rules: &RuleStore,
    wanted: &[u32],
    atoms: &Atoms<impl Fn(u32) -> u32, impl Fn(u32) -> u64>,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    if wanted.len() <= FEW_RULES {
        return Ok(!wanted.is_empty());
    }
    let mut draw = Draw { code: &atoms.code, drawn: vec![0; atoms.end as usize] };
    let sample = draw.sample(rules, wanted);
    let shared = Shared::new(rules, Kind::Alternatives, &sample, &atoms.predicate, ticker)?;
    let sets = shared.sets(rules, &atoms.predicate);
    let sharing = shared.groups().zip(&sets.of_groups).filter(|it| sets.count(*it.1) > 1);
    let members: usize = sharing.map(|it| it.0.len()).sum();
    Ok(members > 0 && members * PROMISING >= sample.len())
}

/// What is in a sample follows from what atoms say: their numbers may be others where rules are found in another order.
struct Draw<C> {
    code: C,
    /// By atom: seven bits that follow from its code, and one that says that they are known.
    drawn: Vec<u8>,
}

impl<C: Fn(u32) -> u64> Draw<C> {
    fn of(&mut self, atom: u32) -> u8 {
        let drawn = &mut self.drawn[atom as usize];
        if *drawn == 0 {
            *drawn = 0x80 | (mixed((self.code)(atom) as u32) >> 57) as u8;
        }
        *drawn
    }

    /// The rules with one head of [`SAMPLE`].
    fn sample(&mut self, rules: &RuleStore, wanted: &[u32]) -> Vec<u32> {
        let heads = rules.heads();
        let is_drawn = |number: &&u32| self.of(heads[**number as usize]) & (SAMPLE as u8 - 1) == 0;
        wanted.iter().filter(is_drawn).copied().collect()
    }
}
