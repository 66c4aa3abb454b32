//! The residual of ground rules: what is left after simplifying by their well-founded model.
//!
//! Some atoms are *open*: they hold in some states and not in others. Of the rest, an atom is *possible*
//! if some rule for it has only possible atoms positive and no certain atom negative (least such set), and
//! *certain* if some rule for it has only certain atoms positive and only impossible atoms negative (least
//! such set); the two are computed in turn until nothing changes. A certain atom then keeps a single fact,
//! rules that cannot apply are dropped, and so are literals that always hold.

mod model;
pub(crate) mod subsumption;

use groundfrog_engine::instantiate::{AtomSet, GroundLiteral, RuleStore};
use groundfrog_engine::rows::Rows;
use groundfrog_engine::{Budget, Exceeded};

use crate::ticker::Ticker;
use model::Model;

/// Replaces rules by their residual. Atoms are numbered below `atoms`. No rule may occur twice.
///
/// Afterwards no literal mentions an atom that is certain or impossible, bodies are sets, and no rule
/// occurs twice.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn residual(
    rules: &mut RuleStore,
    atoms: usize,
    is_open: impl Fn(u32) -> bool,
    budget: &Budget,
) -> Result<(), Exceeded> {
    residual_within(rules, atoms, is_open, &mut Ticker::new(budget, rules.bytes()))
}

/// By the number of a literal, if it has one: the rules in whose bodies it is. There are so many numbers.
pub(crate) fn occurrences(
    rules: &RuleStore,
    numbers: usize,
    number: impl Fn(GroundLiteral) -> Option<u32> + Copy,
) -> Rows<u32> {
    let in_bodies = (0..rules.len() as u32).flat_map(|at| {
        let literals = rules.rule(at as usize).body.iter().filter_map(move |&it| number(it));
        literals.map(move |it| (it, at))
    });
    Rows::from_pairs(numbers, in_bodies)
}

/// Replaces a program by its residual, within the limits of a ticker.
#[doc(hidden)]
pub fn residual_within(
    rules: &mut RuleStore,
    atoms: usize,
    is_open: impl Fn(u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    residual_of_shortened(rules, &AtomSet::default(), atoms, is_open, ticker)
}

/// Replaces a program by its residual, where rules of the `shortened` heads may occur twice.
pub(crate) fn residual_of_shortened(
    rules: &mut RuleStore,
    shortened: &AtomSet,
    atoms: usize,
    is_open: impl Fn(u32) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    let model = Model::new(rules, atoms, is_open, ticker)?;
    if !model.changes() && shortened.is_empty() {
        return Ok(());
    }
    let mut fact_stored = vec![false; if model.has_certain() { atoms } else { 0 }];
    let mut is_shortened: Vec<bool> = match shortened.is_empty() {
        true => vec![false; atoms],
        false => (0..atoms as u32).map(|atom| shortened.contains(atom)).collect(),
    };
    rules.retain(|head, body| {
        ticker.tick()?;
        if model.is_certain(head) {
            let first = !std::mem::replace(&mut fact_stored[head as usize], true);
            return Ok(first.then_some(0));
        }
        if model.is_unaffected(body) {
            return Ok(Some(body.len()));
        }
        if body.iter().any(|&it| model.never_holds(it)) {
            return Ok(None);
        }
        let mut kept = 0;
        for position in 0..body.len() {
            if !model.always_holds(body[position]) {
                body[kept] = body[position];
                kept += 1;
            }
        }
        if kept < body.len() {
            is_shortened[head as usize] = true;
        }
        Ok(Some(kept))
    })?;
    subsumption::remove_repeated_of(rules, &is_shortened, ticker)
}
