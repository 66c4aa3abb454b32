//! Which templates can give the same ground rule, so that only those pay for looking.
//!
//! Two instances are the same rule if their heads and their sets of literals are; see [`overlap`].

use std::borrow::Cow;

use fxhash::FxHashMap;

use super::compile::needed_variables;
use super::overlap::{self, Rows};
use super::{Template, dependencies};
use crate::plan::{Plan, Step};

/// Above this many templates with the same predicates, they are one group without a closer look.
const PAIRWISE: usize = 48;

/// Groups of templates; those of different groups never give the same rule. Groups come in the order of
/// their first templates, templates ascending.
pub(super) fn groups(templates: &[Cow<'_, Template>], rows: &Rows<'_>) -> Vec<Vec<usize>> {
    let mut alike: FxHashMap<Signature, Vec<usize>> = FxHashMap::default();
    for (index, template) in templates.iter().enumerate() {
        alike.entry(signature(template)).or_default().push(index);
    }
    let mut leader: Vec<usize> = (0..templates.len()).collect();
    for members in alike.values() {
        let all = members.len() > PAIRWISE;
        for (position, &right) in members.iter().enumerate() {
            for &left in &members[..position] {
                if all || overlap::may_coincide(&templates[left], &templates[right], rows) {
                    union(&mut leader, left, right);
                }
                if all {
                    break;
                }
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
    for index in 0..templates.len() {
        let root = find(&mut leader, index);
        let group = *group_of.entry(root).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(index);
    }
    groups
}

/// How one template alone may give a rule twice.
pub(super) enum Repeats {
    Never,
    /// Only so that variables change places: by variable, the one that has its constant in the other instance.
    Renamed(Vec<Vec<u32>>),
    Somehow,
}

/// Plans that look at more rows are worth a closer look.
const LONG: f64 = 1024.0;

/// More ways to exchange variables are not looked at.
const MOST_RENAMED: usize = 24;

/// How one template alone may give a rule twice.
pub(super) fn itself(plan: &Plan, template: &Template, rows: &Rows<'_>) -> Repeats {
    let needed = needed_variables(template);
    let steps = &plan.steps[..plan.significant];
    let loses = |known: &[bool]| {
        let binds_lost = |step: &Step| step.bind.iter().any(|&(_, it)| !known[it as usize]);
        steps.iter().any(|step| !step.once && binds_lost(step))
    };
    // Short runs are over before a closer look is.
    let is_long = plan.cost > LONG;
    let determined =
        || dependencies::determined(template, &needed, rows.tables, plan.cost as usize / 4);
    if loses(&needed) && (!is_long || loses(&determined())) {
        return Repeats::Somehow;
    }
    let most = if is_long { MOST_RENAMED } else { 0 };
    match overlap::coincidences(template, &needed, rows, most) {
        None => Repeats::Somehow,
        Some(renamings) if renamings.is_empty() => Repeats::Never,
        Some(renamings) => Repeats::Renamed(renamings),
    }
}

/// Whether instances of a template may be the same as others, of any template, if negated literals are left out
/// of them.
pub(super) fn shortened(
    plan: &Plan,
    index: usize,
    templates: &[Cow<'_, Template>],
    rows: &Rows<'_>,
) -> bool {
    let without_negated = |template: &Template| {
        let mut shortened = template.clone();
        shortened.body.retain(|literal| !literal.negated);
        shortened
    };
    let own = without_negated(&templates[index]);
    let signature = signature(&own);
    let alike = |other: &Template| {
        let other = without_negated(other);
        (self::signature(&other) == signature).then_some(other)
    };
    let others = templates.iter().enumerate().filter(|&(other, _)| other != index);
    !matches!(itself(plan, &own, rows), Repeats::Never)
        || others
            .filter(|(_, it)| it.head.space == own.head.space)
            .filter_map(|(_, it)| alike(it))
            .enumerate()
            .any(|(count, other)| count >= PAIRWISE || overlap::may_coincide(&own, &other, rows))
}

/// Head space and the set of signed body spaces.
type Signature = (u32, Vec<(u32, bool)>);

fn signature(template: &Template) -> Signature {
    let mut body: Vec<_> = template.body.iter().map(|it| (it.atom.space, it.negated)).collect();
    body.sort_unstable();
    body.dedup();
    (template.head.space, body)
}

fn find(leader: &mut [usize], mut index: usize) -> usize {
    while leader[index] != index {
        leader[index] = leader[leader[index]];
        index = leader[index];
    }
    index
}

fn union(leader: &mut [usize], left: usize, right: usize) {
    let (left, right) = (find(leader, left), find(leader, right));
    leader[left.max(right)] = left.min(right);
}
