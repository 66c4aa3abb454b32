//! Which templates can give the same ground rule, so that only those pay for looking.
//!
//! Two instances are the same rule if their heads and their sets of literals are; see [`overlap`].

mod conditions;
mod consequences;
mod demands;
mod dependencies;
mod facts;
mod overlap;
mod satisfy;
mod symmetry;
mod terms;

use fxhash::FxHashMap;

use super::contributions::Condition;
use super::earlier::Earlier;
use super::equalities::When;
use super::request::{Request, Template};
use super::task::Compiled;
use crate::plan::{Plan, Step};
use crate::program::Argument;
use crate::tuning::{PAIRWISE, WORTH_A_LOOK};
use conditions::Conditions;
use consequences::Known;
use overlap::Pair;
use terms::{Side, Terms, unify};

pub(super) use facts::Facts;

/// Groups of templates; those of different groups never give the same rule. Groups come in the order of
/// their first templates, templates ascending.
pub(super) fn groups(templates: &[Template]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: FxHashMap<Signature, usize> = FxHashMap::default();
    for (index, template) in templates.iter().enumerate() {
        let group = *group_of.entry(signature(template)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(index);
    }
    groups
}

/// Finds out for the templates of a group which of their instances have to be looked for, and leaves out those that
/// another template has. Returns the templates, apart where they need not know of each other, in order.
pub(super) fn deduplicate(
    mut group: Vec<(&Template, Compiled)>,
    request: &Request<'_>,
    facts: &mut Facts<'_>,
) -> Vec<Vec<Compiled>> {
    let cost: f64 = group.iter().map(|(_, it)| it.plan.cost).sum();
    // Short runs are over before a closer look is.
    facts.allow(cost, 2);
    for (template, compiled) in &mut group {
        compiled.repeats = own(template, compiled, facts);
        compiled.doubles = doubles(template, &compiled.needed, facts);
    }
    if group.len() == 1 {
        return vec![group.into_iter().map(|(_, it)| it).collect()];
    }
    let is_worth_it = group.len() <= PAIRWISE || group.len().pow(2) as u64 <= facts.work;
    if !is_worth_it {
        group.iter_mut().for_each(|(_, it)| it.repeats = When::Always);
        return vec![group.into_iter().map(|(_, it)| it).collect()];
    }
    let mut leader: Vec<usize> = (0..group.len()).collect();
    for later in 1..group.len() {
        let found = earlier_of(&mut group, later, &mut leader, request, facts);
        let Compiled { plan, contributions, .. } = &mut group[later].1;
        for it in found {
            let step = plan.last_binding(&it.arguments()).unwrap_or(0);
            contributions.steps[step].conditions.insert(0, Condition::Later(it));
        }
    }
    apart(group, leader)
}

/// The earlier templates that have instances of a later one, where these can be left out by a condition. With those whose
/// instances have to be looked for, the later one is put together.
fn earlier_of(
    group: &mut [(&Template, Compiled)],
    later: usize,
    leader: &mut [usize],
    request: &Request<'_>,
    facts: &mut Facts<'_>,
) -> Vec<Earlier> {
    let mut found: Vec<Earlier> = Vec::new();
    // Without a step there is nowhere to leave out instances.
    let may_leave_out = !group[later].1.plan.steps.is_empty();
    for earlier in 0..later {
        let pair = Pair::of_two(group[earlier].0, group[later].0);
        let both = [earlier, later];
        let Some(ways) = pair.overlaps(facts) else {
            union(leader, earlier, later);
            both.iter().for_each(|&it| group[it].1.repeats = When::Always);
            continue;
        };
        for way in ways {
            match demands::earlier(&pair, &way, &group[later].1.needed, request) {
                Some(it) if found.contains(&it) => {}
                Some(it) if may_leave_out => found.push(it),
                _ => {
                    union(leader, earlier, later);
                    for (member, side) in both.into_iter().zip(&pair.sides) {
                        let Compiled { needed, repeats, .. } = &mut group[member].1;
                        repeats.add(way.implied.equalities(side, needed));
                    }
                }
            }
        }
    }
    found
}

/// The templates that were put together, in order.
fn apart(group: Vec<(&Template, Compiled)>, mut leader: Vec<usize>) -> Vec<Vec<Compiled>> {
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
fn own(template: &Template, compiled: &mut Compiled, facts: &mut Facts<'_>) -> When {
    let Compiled { plan, needed, contributions, .. } = compiled;
    let determined = || {
        dependencies::determined_variables(template, needed, facts.tables, plan.cost as usize / 4)
    };
    if loses(plan, needed) && (plan.cost <= WORTH_A_LOOK || loses(plan, &determined())) {
        return When::Always;
    }
    let pair = Pair::of_one(template, needed);
    let Some(ways) = pair.overlaps(facts) else { return When::Always };
    let (mut repeats, mut renamings) = (When::Never, Vec::new());
    for way in ways {
        let [one, other] = pair.sides.map(|side| way.implied.equalities(&side, needed));
        if one.is_empty() && other.is_empty() {
            let Some(renaming) = renaming(&way.implied, needed.len()) else {
                return When::Always;
            };
            renamings.push(renaming);
        } else {
            repeats.add(one);
            repeats.add(other);
        }
    }
    if !renamings.is_empty() && !symmetry::leave_out(template, &renamings, plan, contributions) {
        return When::Always;
    }
    repeats
}

/// Which instances of a template may have a literal twice.
fn doubles(template: &Template, needed: &[bool], facts: &mut Facts<'_>) -> When {
    let [side, _] = Side::both(template, template);
    let end = side.end();
    let mut conditions = None;
    let mut doubles = When::Never;
    for (position, one) in template.body.iter().enumerate() {
        for other in &template.body[..position] {
            if one.negated != other.negated || one.atom.space != other.atom.space {
                continue;
            }
            if doubles.is_always() {
                return doubles;
            }
            let mut terms = Terms::new(end);
            if !unify(&side, &one.atom, &side, &other.atom, &mut terms) {
                continue;
            }
            let conditions = conditions.get_or_insert_with(|| Conditions::of(&[side]));
            let mut known = Known::of(terms, conditions);
            if conditions.may_hold(&mut known, facts) {
                doubles.add(known.terms.equalities(&side, needed));
            }
        }
    }
    doubles
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
    templates: &[Template],
    facts: &mut Facts<'_>,
) -> bool {
    let without_negated = |template: &Template| {
        let mut shortened = template.clone();
        shortened.body.retain(|literal| !literal.negated);
        shortened
    };
    facts.allow(plan.cost, 4);
    let own = without_negated(&templates[index]);
    let needed = own.needed_variables();
    let determined =
        || dependencies::determined_variables(&own, &needed, facts.tables, plan.cost as usize / 4);
    if loses(plan, &needed) && loses(plan, &determined()) {
        return true;
    }
    let mut may_be_one = |pair: Pair<'_>| pair.overlaps(facts).is_none_or(|it| !it.is_empty());
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
