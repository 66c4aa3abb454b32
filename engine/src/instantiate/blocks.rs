//! Where the blocks of a plan begin: at the last step that has several rows, or earlier.

use smallvec::SmallVec;

use super::contribute::{Actions, AtomLookUp, By, Contributions, Narrow, Narrowed};
use super::relations::Planner;
use crate::index::Index;
use crate::plan::{Access, Check, Plan, Step, Wide};
use crate::program::{Argument, PredicateId};
use crate::table::Tables;
use crate::tuning::{ANSWERS_OF_A_BLOCK, MOST_COMPARED, ROWS_OF_A_BLOCK};

/// The step from which on rows can be taken in blocks: the last one that has several rows. Those behind it have at
/// most one.
pub(super) fn block_from(plan: &Plan, indexes: &[Index]) -> Option<usize> {
    // Behind the significant steps, one answer is enough.
    if plan.significant < plan.steps.len() {
        return None;
    }
    let behind =
        plan.steps.iter().rev().take_while(|it| is_known(it) && is_one_row(it, indexes)).count();
    let first = (plan.steps.len() - behind).checked_sub(1)?;
    let step = &plan.steps[first];
    (is_group(step) && is_known(step)).then_some(first)
}

/// The steps before the one where blocks begin otherwise, if the rows of that one are few for each of theirs.
///
/// What steps in a block find out for look-ups behind them is not used there: a part of these look-ups is then done before
/// the block.
pub(super) fn wide(
    plan: &Plan,
    contributions: &mut Contributions,
    planner: &mut Planner<'_>,
) -> Option<Wide> {
    let tables = planner.request.tables;
    let all = steps(plan, tables, &planner.joins.indexes.all, |_| true)?;
    if !(all.from..plan.block_from?).any(|it| divides(contributions, it))
        || narrow_before(all.from, plan, contributions, planner).is_some()
    {
        return Some(all);
    }
    steps(plan, tables, &planner.joins.indexes.all, |it| !divides(contributions, it))
}

/// Whether a step does a part of look-ups that codes do not divide.
fn divides(contributions: &Contributions, step: usize) -> bool {
    contributions.steps[step].narrow.iter().any(|it| it.by != By::Code)
}

/// The steps, as far as they `may` be in a block.
fn steps(
    plan: &Plan,
    tables: &Tables,
    indexes: &[Index],
    may: impl Fn(usize) -> bool,
) -> Option<Wide> {
    let last = plan.block_from?;
    let rows_of = |step: &Step| match step.access {
        Access::Index(index) => indexes[index as usize].typical_group(),
        _ => tables[step.predicate].len(),
    };
    let mut wide = None;
    let (mut rows, mut several) = (rows_of(&plan.steps[last]), SmallVec::from_slice(&[last]));
    for (position, step) in plan.steps[..last].iter().enumerate().rev() {
        let enough = if wide.is_none() { ROWS_OF_A_BLOCK as usize } else { ANSWERS_OF_A_BLOCK };
        if rows >= enough || !is_known(step) || !may(position) {
            break;
        }
        if is_one_row(step, indexes) {
            continue;
        }
        if !is_group(step) {
            break;
        }
        let least = ANSWERS_OF_A_BLOCK.div_ceil(rows.max(1)) as u32;
        wide = Some(Wide { from: position, least: least.max(2), several: several.clone() });
        several.insert(0, position);
        rows *= rows_of(step);
    }
    wide
}

/// Has the look-ups that steps of a block divide divided before the block, too. `None` if that is of no use.
fn narrow_before(
    from: usize,
    plan: &Plan,
    contributions: &mut Contributions,
    planner: &mut Planner<'_>,
) -> Option<()> {
    let divided = contributions.steps[from..].iter().flat_map(|it| &it.narrow);
    let divided: SmallVec<[usize; 4]> =
        divided.filter(|it| it.by != By::Code).map(|it| it.slot).collect();
    let is_divided = |look_up: &&mut AtomLookUp| {
        look_up.narrowed.as_ref().is_some_and(|narrowed| divided.contains(&narrowed.slot))
    };
    let mut divisions: SmallVec<[Division; 4]> = SmallVec::new();
    let own = contributions.steps[from..].iter_mut().flat_map(Actions::look_ups_mut);
    for look_up in own.filter(is_divided) {
        divisions.push(division_before(from, look_up, plan, planner)?);
    }
    let narrowed: SmallVec<[Narrowed; 4]> = divisions
        .into_iter()
        .map(|Division { step, predicate, by, known, rest }| {
            let slot = contributions.divided;
            let narrow = Narrow { slot, before: None, predicate, by, known };
            Narrowed { slot: contributions.part(step, narrow), by, fixed: 0, rest }
        })
        .collect();
    let own = contributions.steps[from..].iter_mut().flat_map(Actions::look_ups_mut);
    for (look_up, narrowed) in own.filter(is_divided).zip(narrowed) {
        look_up.before_blocks = Some(narrowed);
    }
    Some(())
}

/// What can be done of a look-up before a step, and what is left.
struct Division {
    /// The step that does it.
    step: usize,
    predicate: PredicateId,
    by: By,
    known: Box<[(u32, Argument)]>,
    rest: Box<[(u32, Argument)]>,
}

/// What can be done of a look-up before a step; `None` if that leaves many rows.
fn division_before(
    from: usize,
    look_up: &AtomLookUp,
    plan: &Plan,
    planner: &mut Planner<'_>,
) -> Option<Division> {
    let binding = |argument: Argument| plan.last_binding(&[argument]);
    let columns = || (0..).zip(look_up.arguments.iter().copied());
    let is_known = |argument: Argument| binding(argument).is_none_or(|step| step < from);
    let step = columns().filter_map(|it| binding(it.1)).filter(|&step| step < from).max()?;
    let (known, rest): (Vec<_>, Vec<_>) = columns().partition(|it| is_known(it.1));
    let numbers: SmallVec<[usize; 8]> = known.iter().map(|it| it.0 as usize).collect();
    let Access::Index(index) = planner.index(look_up.predicate, &numbers) else { return None };
    let is_small = planner.joins.indexes.all[index as usize].typical_group() <= MOST_COMPARED;
    let (by, predicate) = (By::Index(index), look_up.predicate);
    is_small.then(|| Division { step, predicate, by, known: known.into(), rest: rest.into() })
}

fn is_one_row(step: &Step, indexes: &[Index]) -> bool {
    match step.access {
        Access::Row => true,
        Access::Index(index) => indexes[index as usize].is_unique(),
        _ => false,
    }
}

fn is_group(step: &Step) -> bool {
    matches!(step.access, Access::Scan | Access::Index(_))
}

/// Whether a block knows what a step needs.
fn is_known(step: &Step) -> bool {
    !step.once && step.checks.iter().all(|check| matches!(check, Check::Distinct(_)))
}
