//! Levels of predicates: what is written as GDL is still GDL when one atom takes the place of another whose level is no
//! lower.

use fxhash::FxHashMap;
use groundfrog_engine::instantiate::Template;

use crate::game::{AtomKind, Layout};
use crate::symbols::Symbol;

/// By atom space: a number that is no smaller than those of the predicates that its own depends on, larger than those
/// that it negates, and larger than all that do not depend on moves if it does.
pub(super) fn levels(templates: &[Template], layout: &Layout) -> Vec<u32> {
    let mut numbers: FxHashMap<Symbol, u32> = FxHashMap::default();
    let mut number = |name| {
        let next = numbers.len() as u32;
        *numbers.entry(name).or_insert(next)
    };
    let names: Vec<u32> = layout.kinds_and_names().map(|(_, name)| number(name)).collect();
    let mut levels = vec![0; numbers.len()];
    raise(&mut levels, &names, templates);
    let of_moves = levels.iter().max().map_or(0, |it| it + 1);
    let mut has_rules = vec![false; names.len()];
    templates.iter().for_each(|it| has_rules[it.head.space as usize] = true);
    for (space, (kind, _)) in layout.kinds_and_names().enumerate() {
        // A view that has no rules with variables stands for sets of moves.
        if kind == AtomKind::Does || kind == AtomKind::View && !has_rules[space] {
            levels[names[space] as usize] = of_moves;
        }
    }
    raise(&mut levels, &names, templates);
    names.iter().map(|&it| levels[it as usize]).collect()
}

/// Raises levels until each rule is on one that its head has.
fn raise(levels: &mut [u32], names: &[u32], templates: &[Template]) {
    let name = |space: u32| names[space as usize] as usize;
    // Atoms of a predicate may negate each other where the predicate must not: there is no end to that.
    for _ in 0..=levels.len() {
        let mut has_changed = false;
        for Template { head, body, .. } in templates {
            let of_body = body.iter().map(|it| levels[name(it.atom.space)] + u32::from(it.negated));
            let least = of_body.max().unwrap_or(0);
            let own = &mut levels[name(head.space)];
            has_changed |= *own < least;
            *own = least.max(*own);
        }
        if !has_changed {
            return;
        }
    }
}
