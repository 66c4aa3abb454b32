//! The passes over ground rules, one after the other.

mod factor;

use std::cell::LazyCell;

use groundfrog_engine::instantiate::{
    Edits, ExtraAtoms, GroundRule, Instantiation, RuleStore, Template,
};
use groundfrog_engine::{Exceeded, Tables};

use super::levels::levels;
use super::tables::Flattened;
use crate::compact::ground_rules::occurrences::Occurrences;
use crate::compact::ground_rules::{ends, equal_views, inline, moves, reach, rigid_fluents};
use crate::description::Predicate;
use crate::domains::program::predicate;
use crate::game::Layout;
use crate::options::Passes;
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::ShapeId;
use crate::simplify::{self, subsumption};
use crate::symbols::fresh;

/// Replaces the flat program by its residual.
pub(crate) fn simplify(
    stored: &mut Instantiation,
    layout: &Layout,
    pulse: &mut Pulse<'_>,
) -> Result<(), Exceeded> {
    let atoms = layout.first_extra() as usize + stored.extra.len();
    let shortened = std::mem::take(&mut stored.shortened);
    let is_open = |atom| layout.is_open(atom);
    simplify::residual_of_shortened(&mut stored.rules, &shortened, atoms, is_open, pulse)
}

/// Removes the rules of the residual that say nothing new.
pub(crate) fn subsume(
    stored: &mut Instantiation,
    layout: &Layout,
    pulse: &mut Pulse<'_>,
) -> Result<(), Exceeded> {
    let atoms = layout.first_extra() as usize + stored.extra.len();
    subsumption::remove_subsumed(&mut stored.rules, atoms, |_| true, |_| true, pulse)?;
    Ok(())
}

/// Passes over ground rules, to a fixpoint; `templates` are those that they were made from. `done` is told of each pass
/// and the rules that it leaves.
pub(crate) fn compact(
    stored: &mut Instantiation,
    (flattened, templates): (&mut Flattened, &[Template]),
    (layout, tables): (&mut Layout, &mut Tables),
    passes: Passes,
    pulse: &mut Pulse<'_>,
    mut done: impl FnMut(&str, &RuleStore),
) -> Result<(), Exceeded> {
    if passes.reach {
        keep_reachable(stored, layout, pulse)?;
        done("reach", &stored.rules);
    }
    if passes.rigid_fluents {
        let changed = settle_rigid(stored, flattened, (layout, tables), pulse)?;
        if passes.reach && changed {
            keep_reachable(stored, layout, pulse)?;
        }
        done("rigid-fluents", &stored.rules);
    }
    // What never changes is part of no end any more.
    if passes.reachability {
        let cut_off = drop_following(stored, flattened, (layout, tables), pulse)?;
        if passes.reach && cut_off {
            keep_reachable(stored, layout, pulse)?;
        }
        done("reachability", &stored.rules);
    }
    // The heads of rules that have changed, so that they may be superfluous. At first all may be, but of the
    // residual no rule occurs twice.
    let mut changed = vec![false; layout.first_extra() as usize + stored.extra.len()];
    if passes.moves {
        let merged = merge_moves(stored, flattened, layout, tables, pulse)?;
        // Views that said which moves are made may be of no use any more.
        if passes.reach && !merged.is_empty() {
            keep_reachable(stored, layout, pulse)?;
        }
        done("moves", &stored.rules);
        changed.resize(layout.first_extra() as usize + stored.extra.len(), false);
        merged.into_iter().for_each(|head| changed[head as usize] = true);
    }
    to_fixpoint(stored, (changed, true), templates, (layout, tables), passes, pulse, &mut done)?;
    if passes.factoring {
        factor::factor(stored, (flattened, templates), (layout, tables), passes, pulse, &mut done)?;
    }
    Ok(())
}

/// Simplifies the rules by the fluents that always hold. Returns whether there are any.
fn settle_rigid(
    stored: &mut Instantiation,
    flattened: &Flattened,
    (layout, tables): (&Layout, &Tables),
    pulse: &mut Pulse<'_>,
) -> Result<bool, Exceeded> {
    let atoms = layout.first_extra() as usize + stored.extra.len();
    let keywords = &flattened.prepared.rules.keywords;
    let course = || layout.course(&flattened.forms, keywords, tables);
    let states = (layout.fluents(), layout.next());
    rigid_fluents::settle(&mut stored.rules, atoms, states, course, pulse)
}

/// Drops what would follow a terminal state, and what could only come about after one. Returns whether there is any of that.
fn drop_following(
    stored: &mut Instantiation,
    flattened: &Flattened,
    (layout, tables): (&Layout, &Tables),
    pulse: &mut Pulse<'_>,
) -> Result<bool, Exceeded> {
    let Some(terminal) = layout.terminal() else { return Ok(false) };
    let atoms = layout.first_extra() as usize + stored.extra.len();
    let rules = &mut stored.rules;
    let dropped = ends::drop_following(rules, atoms, (terminal, layout.next()), pulse)?;
    if dropped.is_empty() {
        return Ok(false);
    }
    let course = layout.course(&flattened.forms, &flattened.prepared.rules.keywords, tables);
    rigid_fluents::drop_cut_off(rules, atoms, &dropped, &course, pulse)
}

/// Removes the rules that nothing asks for.
fn keep_reachable(
    stored: &mut Instantiation,
    layout: &Layout,
    pulse: &mut Pulse<'_>,
) -> Result<(), Exceeded> {
    let atoms = layout.first_extra() as usize + stored.extra.len();
    let views = layout.views();
    reach::keep_reachable(&mut stored.rules, atoms, |atom| atom < views.start, pulse)
}

/// The passes that give each other something to do, until they do nothing; `changed` are the heads of rules that have
/// changed before.
fn to_fixpoint(
    stored: &mut Instantiation,
    (mut changed, mut is_first): (Vec<bool>, bool),
    templates: &[Template],
    (layout, tables): (&Layout, &Tables),
    passes: Passes,
    pulse: &mut Pulse<'_>,
    done: &mut impl FnMut(&str, &RuleStore),
) -> Result<(), Exceeded> {
    let atoms = changed.len();
    let rules = &mut stored.rules;
    let views = layout.views();
    let mut occurrences = Occurrences::new(rules, views.clone());
    let levels = LazyCell::new(|| levels(templates, layout));
    let comes_before = |one: u32, other: u32| {
        let [level, of_other] = [one, other].map(|it| levels[layout.space_of(it)]);
        level < of_other || level == of_other && layout.comes_before(one, other, tables)
    };
    loop {
        // Before one view is inlined and its twin is not.
        let concerns = |atom: u32| is_first || changed[atom as usize];
        let merged = passes.equal_views
            && equal_views::are_promising(rules.len(), &occurrences, concerns)
            && equal_views::merge_equal(rules, &mut changed, views.clone(), comes_before, pulse)?;
        if merged {
            occurrences = Occurrences::new(rules, views.clone());
        }
        if passes.equal_views {
            done("equal-views", rules);
        }
        let inlined =
            passes.inline && inline::inline(rules, &mut occurrences, &mut changed, pulse)?;
        if passes.inline {
            done("inline", rules);
        }
        let has_changed = |atom: u32| changed[atom as usize];
        let concerns = |atom: u32| is_first || has_changed(atom);
        let subsumed = if passes.subsumption && (is_first || merged || inlined) {
            subsumption::subsumed(rules, atoms, concerns, has_changed, pulse)?
        } else {
            Edits::default()
        };
        occurrences.edit(rules, &subsumed);
        if passes.subsumption {
            done("subsumption", rules);
        }
        if merged || inlined || !subsumed.is_empty() {
            changed.fill(false);
            is_first = false;
            continue;
        }
        let before = (rules.len(), rules.literals().len());
        if is_unsettled(rules, &occurrences) {
            simplify::residual_within(rules, atoms, |atom| layout.is_open(atom), pulse)?;
            if passes.reach {
                reach::keep_reachable(rules, atoms, |atom| atom < views.start, pulse)?;
            }
            done("simplification", rules);
        }
        if before == (rules.len(), rules.literals().len()) {
            return Ok(());
        }
        occurrences = Occurrences::new(rules, views.clone());
        is_first = true;
    }
}

/// Whether rules ask for views that always hold or never do, by what the passes have made of their own rules, or there are
/// rules for views that nothing asks for.
fn is_unsettled(rules: &RuleStore, occurrences: &Occurrences) -> bool {
    let views = occurrences.views();
    let is_fact = |rule: GroundRule<'_>| rule.body.is_empty() && views.contains(&rule.head);
    views.clone().any(|view| (occurrences.rules(view) > 0) != (occurrences.uses(view) > 0))
        || rules.iter().any(is_fact)
}

/// Merges rules that differ in one move; the atoms for sets of moves become a view with a number for each.
/// Returns the heads of new rules.
fn merge_moves(
    stored: &mut Instantiation,
    flattened: &mut Flattened,
    layout: &mut Layout,
    tables: &mut Tables,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<u32>, Exceeded> {
    let first_new = layout.first_extra();
    let rules = &mut stored.rules;
    if !are_in_tables(rules, layout) {
        return Ok(Vec::new());
    }
    let keywords = &flattened.prepared.rules.keywords;
    let moves = layout.moves(rules, &flattened.forms, keywords, tables);
    let views = layout.views();
    let is_view = |atom: u32| views.contains(&atom);
    let codes = LazyCell::new(|| flattened.codes_of_atoms(layout));
    let code = |atom: u32| codes.of(atom, layout, tables);
    let merged = moves::merge(rules, &moves, is_view, first_new, code, pulse)?;
    if merged.atoms == 0 {
        return Ok(merged.heads);
    }
    add_view(stored, flattened, (layout, tables), "some_move", merged.atoms)?;
    Ok(merged.heads)
}

/// Whether all atoms have a table: those of the residual do, as others never hold.
fn are_in_tables(rules: &RuleStore, layout: &Layout) -> bool {
    let first_extra = layout.first_extra();
    rules.literals().iter().all(|it| it.atom() < first_extra)
        && rules.heads().iter().all(|&it| it < first_extra)
}

/// Adds a view with a number for each of so many new atoms.
fn add_view(
    stored: &mut Instantiation,
    flattened: &mut Flattened,
    (layout, tables): (&mut Layout, &mut Tables),
    name: &str,
    atoms: u32,
) -> Result<(), Exceeded> {
    let symbols = &mut flattened.prepared.rules.symbols;
    let name = fresh(symbols, name);
    let form = flattened.forms.intern(Predicate { name, arity: 1 }, &[ShapeId::HOLE]);
    tables.add(1);
    let mut digits = itoa::Buffer::new();
    for number in 1..=atoms {
        tables.insert(predicate(form), &[symbols.intern(digits.format(number)).0]);
    }
    layout.add_view(name, form, tables)?;
    let arities = layout.atom_spaces().iter().map(|space| tables[space.predicate].arity());
    stored.extra = ExtraAtoms::with_arities(arities);
    Ok(())
}
