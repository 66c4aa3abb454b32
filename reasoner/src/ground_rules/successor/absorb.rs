//! Views that only collect moves are absorbed by the moves.
//!
//! A view all of whose rules have one literal, about moves, does nothing but pass on what it triggers. If no
//! other literal of a rule asks for it, the moves trigger that themselves. Compact ground games
//! have many such views: they split frame rules in two.

use super::parts::{PROVISIONAL, Parts};
use crate::network::code::Code;
use groundfrog_engine::rows::Rows;

/// Absorbed views may add this many entries; beyond, none is absorbed.
const MAX_ENTRIES: usize = 1 << 24;

/// By absorbed view: the transients that trigger it, directly or through other absorbed views.
pub(super) struct Absorbed {
    triggers: Vec<Option<Vec<u32>>>,
    moves: u32,
}

impl Absorbed {
    /// Finds the views that can be absorbed.
    pub(super) fn new(parts: &Parts<'_>) -> Self {
        let views = parts.levels.len() - parts.moves as usize;
        let mut keeps = vec![false; views];
        let mut ask = |codes: &[Code]| {
            for view in codes.iter().filter_map(|code| (code >> 1).checked_sub(PROVISIONAL)) {
                keeps[view as usize] = true;
            }
        };
        ask(parts.conditions.items());
        ask(parts.bodies.items());
        let view_of = |rule: u32| parts.view_rules[rule as usize].head - parts.moves;
        for (rule, _) in parts.bodies.iter().enumerate().filter(|(_, body)| !body.is_empty()) {
            keeps[view_of(rule as u32) as usize] = true;
        }
        parts.untriggered.iter().for_each(|&(_, rule)| keeps[view_of(rule) as usize] = true);
        let mut direct: Vec<Vec<u32>> = vec![Vec::new(); views];
        for &(trigger, rule) in parts.triggered {
            direct[view_of(rule) as usize].push(trigger);
            // Within a recursion rules do not wait: when a move is made, too little is known for them.
            let level_of = |transient: u32| parts.levels[transient as usize];
            if let Some(view) = trigger.checked_sub(parts.moves)
                && level_of(trigger) == level_of(parts.view_rules[rule as usize].head)
            {
                keeps[view as usize] = true;
            }
        }
        // Views are numbered by levels within each chain: those below come first.
        let mut absorbed = Absorbed { triggers: vec![None; views], moves: parts.moves };
        for (view, triggers) in direct.into_iter().enumerate() {
            let recursive = triggers.iter().any(|&it| it >= parts.moves + view as u32);
            if keeps[view] || recursive {
                continue;
            }
            let through = triggers.iter().flat_map(|&it| absorbed.triggers_of(it));
            let mut through: Vec<u32> = through.collect();
            through.sort_unstable();
            through.dedup();
            absorbed.triggers[view] = Some(through);
        }
        absorbed
    }

    /// The triggers of an absorbed view; any other transient stands for itself.
    fn triggers_of(&self, transient: u32) -> Vec<u32> {
        let view = transient.checked_sub(self.moves);
        let own = view.and_then(|view| self.triggers.get(view as usize)?.clone());
        own.unwrap_or_else(|| vec![transient])
    }

    fn is_absorbed(&self, transient: u32) -> bool {
        transient
            .checked_sub(self.moves)
            .and_then(|view| self.triggers.get(view as usize))
            .is_some_and(Option::is_some)
    }

    /// Whether anything is absorbed, and not too much.
    pub(super) fn pays(&self, parts: &Parts<'_>) -> bool {
        let mut uses = vec![1usize; parts.levels.len()];
        parts.strikes.iter().for_each(|it| uses[it.0 as usize] += 1);
        parts.groups.iter().for_each(|it| uses[it.0 as usize] += 1);
        parts.triggered.iter().for_each(|it| uses[it.0 as usize] += 1);
        let of_view = |(view, triggers): (usize, &Option<Vec<u32>>)| {
            let uses = uses[self.moves as usize + view] + parts.words / 4;
            triggers.as_ref().map_or(0, |triggers| triggers.len() * uses)
        };
        let entries: usize = self.triggers.iter().enumerate().map(of_view).sum();
        (1..=MAX_ENTRIES).contains(&entries)
    }

    /// Lets the triggers of absorbed views have what the views had. `stays` tells which entries are kept.
    pub(super) fn spread(&self, pairs: &mut Vec<(u32, u32)>, stays: impl Fn(u32) -> bool) {
        let mut spread = Vec::with_capacity(pairs.len());
        for &(transient, entry) in pairs.iter().filter(|it| stays(it.1)) {
            if self.is_absorbed(transient) {
                spread.extend(self.triggers_of(transient).into_iter().map(|it| (it, entry)));
            } else {
                spread.push((transient, entry));
            }
        }
        *pairs = spread;
    }

    /// Whether a rule derives an absorbed view.
    pub(super) fn drops(&self, head: u32) -> bool {
        self.is_absorbed(head)
    }

    /// By transient: the views that it absorbs.
    pub(super) fn rows(&self, transients: usize) -> Rows<u32> {
        let mut pairs = Vec::new();
        for (view, triggers) in self.triggers.iter().enumerate() {
            let view = self.moves + view as u32;
            pairs.extend(triggers.iter().flatten().map(|&it| (it, view)));
        }
        Rows::from_pairs(transients, pairs.iter().copied())
    }
}
