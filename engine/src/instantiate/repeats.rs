//! Which templates can give the same ground rule, so that only those pay for looking.
//!
//! Two instances are the same rule if their heads and their sets of literals are; see [`overlap`].

use fxhash::FxHashMap;

use super::Template;
use super::overlap::{self, Rows};

/// Above this many templates with the same predicates, they are one group without a closer look.
const PAIRWISE: usize = 48;

/// Groups of templates; those of different groups never give the same rule. Groups come in the order of
/// their first templates, templates ascending.
pub(super) fn groups(templates: &[Template], rows: &Rows<'_>) -> Vec<Vec<usize>> {
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
