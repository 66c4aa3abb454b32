//! Which templates can give the same ground rule, so that only those pay for looking.
//!
//! Two instances are the same rule if their heads and their sets of literals are. Within a template that
//! takes a literal whose instance can also be the instance of another literal; between templates see
//! [`overlap`]. A yes may be wrong and costs time, a no is certain.

use fxhash::FxHashMap;

use super::{Template, overlap};
use crate::program::{Argument, Literal};
use crate::table::Tables;

/// Above this many templates with the same predicates, they are one group without a closer look.
const PAIRWISE: usize = 48;

/// Groups of templates; those of different groups never give the same rule. Groups come in the order of
/// their first templates, templates ascending.
pub(super) fn groups(templates: &[Template], tables: &Tables) -> Vec<Vec<usize>> {
    let mut alike: FxHashMap<Signature, Vec<usize>> = FxHashMap::default();
    for (index, template) in templates.iter().enumerate() {
        alike.entry(signature(template)).or_default().push(index);
    }
    let mut leader: Vec<usize> = (0..templates.len()).collect();
    for members in alike.values() {
        let all = members.len() > PAIRWISE;
        for (position, &right) in members.iter().enumerate() {
            for &left in &members[..position] {
                if all || overlap::may_coincide(&templates[left], &templates[right], tables) {
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

/// Whether two literals of a template's body can become the same, in one instance or in two instances
/// with the same head.
pub(super) fn literals_may_coincide(template: &Template) -> bool {
    let head: Vec<u32> = template.head.arguments.iter().filter_map(|it| it.variable()).collect();
    let distinct = |left: &Argument, right: &Argument| match (left, right) {
        (Argument::Constant(left), Argument::Constant(right)) => left != right,
        (left, right) => {
            let of_head = |it: &Argument| it.variable().is_none_or(|it| head.contains(&it));
            of_head(left) && of_head(right) && are_distinct(template, *left, *right)
        }
    };
    let body = &template.body;
    body.iter().enumerate().any(|(position, right)| {
        body[..position].iter().any(|left| {
            left.negated == right.negated
                && left.atom.space == right.atom.space
                && !left
                    .atom
                    .arguments
                    .iter()
                    .zip(&right.atom.arguments)
                    .any(|(left, right)| distinct(left, right))
        })
    })
}

/// Whether the rule demands that two arguments differ.
fn are_distinct(template: &Template, left: Argument, right: Argument) -> bool {
    template.rule.body.iter().any(|literal| match literal {
        Literal::Distinct(one, other) => {
            let pair = (one.as_slice(), other.as_slice());
            pair == (&[left], &[right]) || pair == (&[right], &[left])
        }
        _ => false,
    })
}
