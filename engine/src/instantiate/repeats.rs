//! Which templates can give the same ground rule, so that only those pay for looking.
//!
//! Two instances are the same rule if their heads and their sets of literals are; see [`overlap`].

use std::borrow::Cow;

use fxhash::FxHashMap;

use super::coincide::Pair;
use super::compile::{Compiled, needed_variables};
use super::contribute::last_binding;
use super::earlier::{Earlier, Equalities};
use super::facts::Facts;
use super::overlap::{self, Rows};
use super::terms::Terms;
use super::{Request, Template, dependencies, symmetry};
use crate::plan::{Plan, Step};
use crate::program::Argument;

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

/// Whether instances of a template have to be looked for among those that are stored.
#[derive(Debug, Clone)]
pub(super) enum LookUps {
    Never,
    /// Those that fulfil one of these.
    If(Vec<Equalities>),
    Always,
}

impl LookUps {
    pub(super) fn are_needed(&self) -> bool {
        !matches!(self, LookUps::Never)
    }

    /// Instances that fulfil these have to be looked for, too.
    fn add(&mut self, equal: Equalities) {
        let mut all = match std::mem::replace(self, LookUps::Always) {
            LookUps::Always => return,
            LookUps::Never => Vec::new(),
            LookUps::If(all) => all,
        };
        if equal.is_empty() {
            return;
        }
        if !all.iter().any(|it| equal.imply(it)) {
            all.retain(|it| !it.imply(&equal));
            all.push(equal);
        }
        if all.len() <= MOST_CONDITIONS {
            *self = LookUps::If(all);
        }
    }
}

/// Plans that look at more rows are worth a closer look.
const LONG: f64 = 1024.0;

/// With more conditions, all instances are looked for.
const MOST_CONDITIONS: usize = 8;

/// With more earlier templates that have instances of a template, the rest is looked for.
const MOST_EARLIER: usize = 16;

/// Finds out for the templates of a group which of their instances have to be looked for, and leaves out those that
/// another template has. Returns the templates, apart where they need not know of each other, in order.
pub(super) fn settle(
    mut group: Vec<(&Template, Compiled)>,
    request: &Request<'_>,
    rows: &Rows<'_>,
    facts: &mut Facts<'_>,
) -> Vec<Vec<Compiled>> {
    let cost: f64 = group.iter().map(|(_, it)| it.plan.cost).sum();
    // Short runs are over before a closer look is.
    if cost <= LONG {
        if let [(template, compiled)] = group.as_mut_slice() {
            let needed = needed_variables(template);
            let may_repeat = loses(&compiled.plan, &needed)
                || overlap::may_coincide_with_itself(template, &needed, rows);
            compiled.look_ups = if may_repeat { LookUps::Always } else { LookUps::Never };
            compiled.may_double = may_repeat || overlap::may_have_literal_twice(template, rows);
        }
        return vec![group.into_iter().map(|(_, it)| it).collect()];
    }
    facts.work = cost as u64 / 4;
    let needed: Vec<Vec<bool>> = group.iter().map(|(it, _)| needed_variables(it)).collect();
    for ((template, compiled), needed) in group.iter_mut().zip(&needed) {
        compiled.look_ups = own(template, compiled, needed, facts);
        compiled.may_double = overlap::may_have_literal_twice(template, rows);
    }
    let mut leader: Vec<usize> = (0..group.len()).collect();
    for later in 1..group.len() {
        let mut found: Vec<Earlier> = Vec::new();
        for earlier in 0..later {
            let pair = Pair::of_two(group[earlier].0, group[later].0);
            let both = [earlier, later];
            let are_looked_for =
                both.iter().all(|&it| matches!(group[it].1.look_ups, LookUps::Always));
            let ways = if are_looked_for { None } else { pair.coincidences(facts) };
            let Some(ways) = ways else {
                union(&mut leader, earlier, later);
                both.iter().for_each(|&it| group[it].1.look_ups = LookUps::Always);
                continue;
            };
            for way in ways {
                match Earlier::of(&pair, &way, &needed[later], request) {
                    Some(it) if found.contains(&it) => {}
                    Some(it) if found.len() < MOST_EARLIER => found.push(it),
                    _ => {
                        union(&mut leader, earlier, later);
                        for (member, side) in both.into_iter().zip(&pair.sides) {
                            let equal = Equalities::of(&way.implied, side, &needed[member]);
                            group[member].1.look_ups.add(equal);
                        }
                    }
                }
            }
        }
        let Compiled { plan, contributions, .. } = &mut group[later].1;
        for it in found {
            let step = last_binding(&it.arguments(), plan).unwrap_or(0);
            contributions.steps[step].earlier.push(it);
        }
    }
    let mut apart: Vec<(usize, Vec<Compiled>)> = Vec::new();
    for (position, (_, compiled)) in group.into_iter().enumerate() {
        let root = find(&mut leader, position);
        match apart.iter_mut().find(|it| it.0 == root) {
            Some((_, together)) => together.push(compiled),
            None => apart.push((root, vec![compiled])),
        }
    }
    apart.into_iter().map(|(_, together)| together).collect()
}

/// Whether a join may find an instance again because of constants that are not needed.
fn loses(plan: &Plan, known: &[bool]) -> bool {
    let binds_lost = |step: &Step| step.bind.iter().any(|&(_, it)| !known[it as usize]);
    plan.steps[..plan.significant].iter().any(|step| !step.once && binds_lost(step))
}

/// Which instances of one template have to be looked for because of others. Where instances repeat only because
/// variables change places, all but the first are left out.
fn own(
    template: &Template,
    compiled: &mut Compiled,
    needed: &[bool],
    facts: &mut Facts<'_>,
) -> LookUps {
    let plan = &compiled.plan;
    let determined =
        || dependencies::determined(template, needed, facts.tables, plan.cost as usize / 4);
    if loses(plan, needed) && loses(plan, &determined()) {
        return LookUps::Always;
    }
    let pair = Pair::of_one(template, needed);
    let Some(ways) = pair.coincidences(facts) else { return LookUps::Always };
    let (mut look_ups, mut renamings) = (LookUps::Never, Vec::new());
    for way in ways {
        let [one, other] = pair.sides.map(|side| Equalities::of(&way.implied, &side, needed));
        if one.is_empty() && other.is_empty() {
            let Some(renaming) = renaming(&way.implied, needed.len()) else {
                return LookUps::Always;
            };
            renamings.push(renaming);
        } else {
            look_ups.add(one);
            look_ups.add(other);
        }
    }
    if !renamings.is_empty()
        && !symmetry::leave_out(template, &renamings, plan, &mut compiled.contributions)
    {
        return LookUps::Always;
    }
    look_ups
}

/// By variable of one instance, the variable of the other that is equal, if there is one for each.
fn renaming(terms: &Terms, variables: usize) -> Option<Vec<u32>> {
    let of = |variable: usize| Argument::Variable(variable as u32);
    let partner = |variable: usize| {
        let is_equal = |it: &usize| terms.are_equal(of(it + variables), of(variable));
        let mut equal = (0..variables).filter(is_equal);
        equal.next().filter(|_| equal.next().is_none()).map(|it| it as u32)
    };
    (0..variables).map(partner).collect()
}

/// Whether instances of a template may be the same as others, of any template, if negated literals are left out
/// of them.
pub(super) fn shortened(
    plan: &Plan,
    index: usize,
    templates: &[Cow<'_, Template>],
    facts: &mut Facts<'_>,
) -> bool {
    let without_negated = |template: &Template| {
        let mut shortened = template.clone();
        shortened.body.retain(|literal| !literal.negated);
        shortened
    };
    facts.work = plan.cost as u64 / 4;
    let own = without_negated(&templates[index]);
    let needed = needed_variables(&own);
    let determined =
        || dependencies::determined(&own, &needed, facts.tables, plan.cost as usize / 4);
    if loses(plan, &needed) && loses(plan, &determined()) {
        return true;
    }
    let mut may_be_one = |pair: Pair<'_>| pair.coincidences(facts).is_none_or(|it| !it.is_empty());
    let signature = signature(&own);
    let alike = |other: &Template| {
        let other = without_negated(other);
        (self::signature(&other) == signature).then_some(other)
    };
    let others = templates.iter().enumerate().filter(|&(other, _)| other != index);
    may_be_one(Pair::of_one(&own, &needed))
        || others
            .filter(|(_, it)| it.head.space == own.head.space)
            .filter_map(|(_, it)| alike(it))
            .enumerate()
            .any(|(count, other)| count >= PAIRWISE || may_be_one(Pair::of_two(&own, &other)))
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
