//! Predicates that depend on each other.

use fxhash::FxHashMap;

use crate::description::Predicate;
use crate::rules::{Literal, Rules};

/// The strongly connected components of the dependency graph whose predicates depend on themselves, in the
/// order of the rules. The state and the moves are given: `true` and `does` depend on nothing.
pub(super) fn components(rules: &Rules) -> Vec<Vec<Predicate>> {
    let mut numbers: FxHashMap<Predicate, usize> = FxHashMap::default();
    let mut predicates = Vec::new();
    for rule in rules.rules.iter().filter(|rule| !rule.body.is_empty()) {
        let predicate = rule.head.predicate();
        numbers.entry(predicate).or_insert_with(|| {
            predicates.push(predicate);
            predicates.len() - 1
        });
    }
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); predicates.len()];
    let mut above = below.clone();
    for rule in &rules.rules {
        for atom in rule.body.iter().filter_map(Literal::atom) {
            let Some(&body) = numbers.get(&atom.predicate()) else { continue };
            let head = numbers[&rule.head.predicate()];
            below[head].push(body);
            above[body].push(head);
        }
    }
    // Kosaraju's algorithm: a depth-first search downward gives the order of searches upward.
    let mut order = Vec::with_capacity(predicates.len());
    let mut is_seen = vec![false; predicates.len()];
    for root in 0..predicates.len() {
        depth_first(root, &below, &mut is_seen, &mut order);
    }
    is_seen.fill(false);
    let mut found: Vec<Vec<usize>> = Vec::new();
    for &root in order.iter().rev() {
        let mut component = Vec::new();
        depth_first(root, &above, &mut is_seen, &mut component);
        let is_recursive = match component[..] {
            [] => false,
            [single] => below[single].contains(&single),
            _ => true,
        };
        if is_recursive {
            component.sort_unstable();
            found.push(component);
        }
    }
    found.sort_unstable();
    let named = |component: Vec<usize>| component.into_iter().map(|it| predicates[it]).collect();
    found.into_iter().map(named).collect()
}

/// Adds what can be reached and has not been seen, each after what it leads to.
fn depth_first(root: usize, edges: &[Vec<usize>], is_seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut is_seen[root], true) {
        return;
    }
    let mut open = vec![(root, 0)];
    while let Some((node, next)) = open.last_mut() {
        match edges[*node].get(*next) {
            Some(&child) => {
                *next += 1;
                if !std::mem::replace(&mut is_seen[child], true) {
                    open.push((child, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
}
