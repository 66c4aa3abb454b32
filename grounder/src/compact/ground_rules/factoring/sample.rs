//! Whether factoring pays, from a look at some of the rules.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::RuleStore;

use super::Atoms;
use super::groups::{Kind, wanted};
use super::shared::{Entry, Shared, mixed, set_hash};
use crate::pulse::Pulse;

/// So few rules are grouped without a look.
const FEW: usize = 200;
/// Of so many there are two looks.
const MANY: usize = 1 << 16;
/// First at the rules with one head of so many, or one body,
const FIRST_SAMPLE: u8 = 64;
/// then at those with one of so many.
const SAMPLE: u8 = 4;
/// One rule of so many should be in a group, and in one that shares its set.
const PROMISING: usize = 20;

/// The kinds of groups that are promising, of heads of the predicates that are wanted.
///
/// # Errors
/// A limit that was exceeded.
pub(crate) fn promising(
    rules: &RuleStore,
    atoms: &Atoms<impl Fn(u32) -> u32, impl Fn(u32) -> u64, impl Fn(u32) -> bool>,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Kind>, Exceeded> {
    let predicate = &atoms.predicate;
    let wanted = wanted(rules, |head| (atoms.is_wanted)(predicate(head)));
    let drawn = if wanted.len() > FEW { vec![0; atoms.end as usize] } else { Vec::new() };
    let mut draw = Draw { code: &atoms.code, drawn };
    let mut promising = Vec::new();
    for kind in [Kind::Alternatives, Kind::Heads] {
        let mut look = |of: u8, should_share: bool| {
            let sample = draw.sample(rules, kind, &wanted, of);
            let shared = Shared::new(rules, kind, &sample, predicate, pulse)?;
            let sets = shared.sets(rules, predicate);
            let shares = |group: &[Entry]| sets.contains_key(&set_hash(group, rules, predicate));
            let groups = shared.groups().filter(|group| !should_share || shares(group));
            let members: usize = groups.map(<[Entry]>::len).sum();
            Ok(members > 0 && members * PROMISING >= sample.len())
        };
        if wanted.len() <= FEW
            || (wanted.len() <= MANY || look(FIRST_SAMPLE, false)?) && look(SAMPLE, true)?
        {
            promising.push(kind);
        }
    }
    Ok(promising)
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

    /// The rules with one head, or one body, of so many, a power of two.
    fn sample(&mut self, rules: &RuleStore, kind: Kind, wanted: &[u32], of: u8) -> Vec<u32> {
        let mut is_drawn = |number: &&u32| {
            let rule = rules.rule(**number as usize);
            let drawn = match kind {
                Kind::Alternatives => self.of(rule.head),
                Kind::Heads => {
                    rule.body.iter().fold(0, |sum, it| self.of(it.atom()).wrapping_add(sum))
                }
            };
            drawn & (of - 1) == 0
        };
        wanted.iter().filter(&mut is_drawn).copied().collect()
    }
}
