//! Passes that give each other something to do: they run in turns until nothing changes.
//!
//! What is written as GDL is still GDL when one atom takes the place of another whose level is no lower.

use std::cell::LazyCell;
use std::ops::Range;

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{Edits, GroundRule, RuleStore, Template};

use super::{GroundProgram, keep_relevant};
use crate::compact::ground_rules::equal_views;
use crate::compact::ground_rules::inline::{self, Occurrences};
use crate::game::{AtomKind, Layout};
use crate::ground::passes::{Found, PASSES, Run, Seen};
use crate::simplify::{self, subsumption};
use crate::symbols::Symbol;
use crate::ticker::Ticker;

/// What the passes share that run in turns.
pub(in crate::ground::passes) struct Turn<'run> {
    rules: &'run mut RuleStore,
    /// How many atoms there are.
    atoms: usize,
    views: Range<u32>,
    occurrences: Occurrences,
    /// By atom: whether its rules have changed in the turn before.
    changed: Vec<bool>,
    /// Whether all rules may have changed.
    is_first: bool,
    /// Whether a pass has changed anything in this turn.
    has_changed: bool,
    /// Whether it is known of all views on which level they are: not of those that were made since the store pass.
    are_levels_known: bool,
    /// Which of two views takes the place of both.
    comes_before: &'run dyn Fn(u32, u32) -> bool,
}

/// Merges views that have the same rules, before one of two is inlined and the other is not.
pub(in crate::ground::passes) fn equal_views(
    turn: &mut Turn<'_>,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let Turn { rules, views, occurrences, changed, is_first, comes_before, .. } = turn;
    if !turn.are_levels_known {
        return Ok(false);
    }
    let concerns = |atom: u32| *is_first || changed[atom as usize];
    let merged = equal_views::are_promising(rules.len(), occurrences, concerns)
        && equal_views::merge_equal(rules, changed, views.clone(), *comes_before, ticker)?;
    if merged {
        turn.occurrences = Occurrences::new(turn.rules, turn.views.clone());
    }
    Ok(merged)
}

/// Replaces views that stand for something else.
pub(in crate::ground::passes) fn inline(
    turn: &mut Turn<'_>,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    inline::inline(turn.rules, &mut turn.occurrences, &mut turn.changed, ticker)
}

/// Removes rules that say nothing new, where rules have changed.
pub(in crate::ground::passes) fn subsumption(
    turn: &mut Turn<'_>,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let Turn { rules, atoms, occurrences, changed, is_first, has_changed, .. } = turn;
    if !*is_first && !*has_changed {
        return Ok(false);
    }
    let may_repeat = |atom: u32| changed[atom as usize];
    let concerns = |atom: u32| *is_first || may_repeat(atom);
    let edits: Edits = subsumption::subsumed(rules, *atoms, concerns, may_repeat, ticker)?;
    occurrences.edit(rules, &edits);
    Ok(!edits.is_empty())
}

impl GroundProgram<'_> {
    /// Runs those passes in turns that are wanted, until nothing changes; all rules are looked at, or only those whose heads
    /// have changed.
    pub(super) fn run_in_turns(&mut self, of_all: bool) -> Result<(), Exceeded> {
        self.note_changed(&[]);
        let (passes, first_view) = (self.passes, self.layout.views().start);
        let changed = std::mem::take(&mut self.changed);
        let GroundProgram { stored, templates, layout, tables, ticker, observer, .. } = self;
        let (layout, tables) = (&**layout, &**tables);
        let levels = LazyCell::new(|| levels(templates, layout));
        let comes_before = |one: u32, other: u32| {
            let [level, of_other] = [one, other].map(|it| levels[layout.space_of(it)]);
            level < of_other || level == of_other && layout.comes_before(one, other, tables)
        };
        let (rules, views) = (&mut stored.rules, layout.views());
        let occurrences = Occurrences::new(rules, views.clone());
        let (atoms, has_changed) = (changed.len(), false);
        let comes_before = &comes_before;
        let mut turn = Turn {
            rules,
            atoms,
            views,
            occurrences,
            changed,
            is_first: of_all,
            has_changed,
            are_levels_known: of_all,
            comes_before,
        };
        loop {
            turn.has_changed = false;
            for pass in &PASSES {
                let Run::InTurns(run) = pass.run else { continue };
                if passes.contains(pass.id) {
                    turn.has_changed |= run(&mut turn, ticker)?;
                    observer.after(pass.name, None, &Found::Rules, Seen::GroundRules(turn.rules));
                }
            }
            if turn.has_changed {
                turn.changed.fill(false);
                turn.is_first = false;
                continue;
            }
            let before = (turn.rules.len(), turn.rules.literals().len());
            if may_be_simplified(turn.rules, &turn.occurrences) {
                let rules = &mut *turn.rules;
                simplify::residual_within(rules, atoms, |atom| layout.is_open(atom), ticker)?;
                keep_relevant(rules, passes, atoms, first_view, ticker)?;
                observer.after("simplification", None, &Found::Rules, Seen::GroundRules(rules));
            }
            if before == (turn.rules.len(), turn.rules.literals().len()) {
                return Ok(());
            }
            turn.occurrences = Occurrences::new(turn.rules, turn.views.clone());
            turn.is_first = true;
        }
    }
}

/// Whether rules use views that always hold or never do, by what the passes have made of their own rules, or there are
/// rules for views that nothing uses.
fn may_be_simplified(rules: &RuleStore, occurrences: &Occurrences) -> bool {
    let views = occurrences.views();
    let is_fact = |rule: GroundRule<'_>| rule.body.is_empty() && views.contains(&rule.head);
    views.clone().any(|view| (occurrences.rules(view) > 0) != (occurrences.uses(view) > 0))
        || rules.iter().any(is_fact)
}

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
