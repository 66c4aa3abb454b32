//! Levels of predicates: what is written as GDL is still GDL when one atom takes the place of another whose level is no
//! lower.

use groundfrog_engine::instantiate::Template;

use crate::game::{AtomKind, Layout};

/// By atom space: a number that is no smaller than those of the predicates that its own depends on, larger than those
/// that it negates, and larger than all that do not depend on moves if it does.
pub(super) fn levels(templates: &[Template], layout: &Layout) -> Vec<u32> {
    let spaces = layout.atom_spaces().len();
    let names: Vec<u32> = (0..spaces).map(|space| layout.first_of_name(space)).collect();
    let mut levels = vec![0; spaces];
    raise(&mut levels, &names, templates);
    let of_moves = levels.iter().max().map_or(0, |it| it + 1);
    // A view that has no rules with variables stands for sets of moves.
    let is_about_moves = |space: usize| match layout.kind_of_space(space) {
        AtomKind::Does => true,
        AtomKind::View => !templates.iter().any(|it| it.head.space as usize == space),
        _ => false,
    };
    for space in (0..spaces).filter(|&it| is_about_moves(it)) {
        levels[names[space] as usize] = of_moves;
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
