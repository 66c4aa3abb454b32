//! A second way to split a large rule: its variables are eliminated in the order of least fill, however much each step
//! seems to be worth.
//!
//! What the sizes of auxiliary predicates will be is a guess that becomes worse with each step, so that the way to a
//! small program may begin with steps that seem to be of no use.

use groundfrog_engine::projection::{self, Part, Piece, VariableSet, members};

use super::draft::Draft;
use super::elimination::{may_be_bound_outside, piece, split_off};
use super::proposal::{is_gain, size_when_split};
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::{Bindings, fits, literal_variables, variables};
use crate::flat::FlatRule;
use crate::options::PassId;
use crate::tuning::{GUESSED, TRUSTED, WORTH_A_PROPOSAL};

/// What is left of a large rule that is split in the order of least fill, if that is better than to split off what pays: where
/// it seems so, and where so much would be left that its size is a guess.
pub(super) fn better_by_fill(rule: &FlatRule, draft: &mut Draft<'_, '_>) -> Option<FlatRule> {
    if !rule.stored || !fits(rule) || draft.size(rule) < WORTH_A_PROPOSAL {
        return None;
    }
    let size = size_when_split(rule, draft);
    let mut above = draft.above();
    let (other, expected) = eliminated_by_fill(rule.clone(), &mut above);
    let made = above.into_made();
    let is_better = is_gain(size, expected) || size >= GUESSED && expected < size * TRUSTED;
    is_better.then(|| {
        draft.absorb(made);
        other
    })
}

/// Splits a rule in the order of least fill. Returns what is left of it, and the expected size of all.
fn eliminated_by_fill(mut rule: FlatRule, draft: &mut Draft<'_, '_>) -> (FlatRule, f64) {
    let all = rule.body.iter().map(literal_variables).fold(0, |all, own| all | own);
    let domains = draft.bindings(rule.body.iter(), all | variables(&rule.head.arguments));
    let mut parts = 0.0;
    while draft.world.goes_on(&rule) {
        let all = draft.bindings(rule.body.iter(), 0);
        let before = draft.cost_of(&all, rule.body.iter(), variables(&rule.head.arguments)).size;
        let Some(part) = part_of_least_fill(&rule, &domains, draft) else { break };
        let own = draft.size_of_part(&rule, &part);
        let new = if draft.is_made(&rule, &part) { 0.0 } else { own };
        let after = new + draft.size_of_rest(&rule, &all, &part);
        if !split_off(&mut rule, &part, draft) {
            break;
        }
        parts += own;
        draft.note((PassId::Decomposition, Change::Split), [rule.origin], (before, after));
    }
    let rest = draft.size(&rule);
    (rule, parts + rest)
}

/// The part that eliminates the variable of least fill, and of several such the one whose interface has the fewest
/// values.
fn part_of_least_fill(rule: &FlatRule, domains: &Bindings, draft: &Draft<'_, '_>) -> Option<Part> {
    let head = variables(&rule.head.arguments);
    let pieces: Vec<Piece> = rule.body.iter().map(piece).collect();
    let parts = projection::parts(&pieces, head).into_iter();
    let parts = parts.filter(|part| part.unbound == 0 || may_be_bound_outside(rule, part, draft));
    let with_fill = parts.map(|part| {
        let values: f64 = members(part.interface).map(|it| domains.domain(it)).product();
        (fill(&pieces, &part, head), values, part)
    });
    let least =
        with_fill.min_by(|one, other| one.0.cmp(&other.0).then_with(|| one.1.total_cmp(&other.1)));
    least.map(|part| part.2)
}

/// How many pairs of variables of a part's interface no literal, nor the head, has together.
fn fill(pieces: &[Piece], part: &Part, head: VariableSet) -> u32 {
    let sets = || pieces.iter().map(|it| it.variables).chain([head]);
    let missing = |variable: u32| {
        let together = sets().filter(|it| it >> variable & 1 == 1).fold(0, |all, it| all | it);
        (part.interface & !together).count_ones()
    };
    members(part.interface).map(missing).sum()
}
