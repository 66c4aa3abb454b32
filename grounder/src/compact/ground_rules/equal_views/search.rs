//! Looks at each view once, after those that it depends on.

use groundfrog_engine::Exceeded;
use std::ops::Range;

use groundfrog_engine::instantiate::RuleStore;
use groundfrog_engine::rows::Rows;

use super::bodies::Bodies;
use super::classes::Classes;
use super::twins::{Hashes, Twins};
use crate::ticker::Ticker;

/// The classes of views with the same rules. `hashes` are those of the rules as they are; atoms are numbered below
/// `atoms`.
pub(super) fn classes(
    rules: &RuleStore,
    hashes: Hashes,
    atoms: usize,
    views: Range<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<Classes, Exceeded> {
    let mut search = Search {
        rules,
        by_head: rules.by_head(atoms, |head| views.contains(&head)),
        twins: Twins::new(&hashes),
        hashes,
        classes: Classes::new(views.clone()),
        agenda: Vec::new(),
        own: Bodies::default(),
        other: Bodies::default(),
    };
    for view in views {
        search.agenda.push(view);
        while let Some(&view) = search.agenda.last() {
            ticker.ticks(1 + 4 * search.by_head.row(view as usize).len() as u32)?;
            if search.classes.begin(view) && search.descends_from(view) {
                continue;
            }
            search.agenda.pop();
            if !search.classes.is_closed(view) {
                let twin = search.twin(view);
                search.classes.close(view, twin);
            }
        }
    }
    Ok(search.classes)
}

struct Search<'run> {
    rules: &'run RuleStore,
    by_head: Rows<u32>,
    hashes: Hashes,
    classes: Classes,
    twins: Twins,
    /// Views whose turn comes once those above them are closed; a view may be in it several times.
    agenda: Vec<u32>,
    own: Bodies,
    other: Bodies,
}

impl Search<'_> {
    /// Puts the views that a view depends on and that are to be looked at on the agenda. Returns whether there are any.
    fn descends_from(&mut self, view: u32) -> bool {
        let before = self.agenda.len();
        for &rule in self.by_head.row(view as usize) {
            let atoms = self.rules.rule(rule as usize).body.iter().map(|it| it.atom());
            self.agenda.extend(atoms.filter(|&it| self.classes.is_open(it)));
        }
        self.agenda.len() > before
    }

    /// A view with the same rules that has been looked at.
    fn twin(&mut self, view: u32) -> Option<u32> {
        let numbers = self.by_head.row(view as usize);
        let (own, other) = (&mut self.own, &mut self.other);
        let mut is_other = false;
        for &number in numbers {
            for &literal in self.rules.rule(number as usize).body {
                is_other |= self.classes.literal(literal) != literal;
            }
        }
        // Most views say what they did and have no twin: their rules need not be read.
        if is_other && let Some(hash) = own.read(self.rules, numbers, |it| self.classes.literal(it))
        {
            self.hashes.set(view, hash);
        }
        let twin = self.twins.find_or_add(view, &self.hashes)?;
        if !is_other {
            own.read(self.rules, numbers, |it| it);
        }
        other.read(self.rules, self.by_head.row(twin as usize), |it| self.classes.literal(it));
        own.is_the_same_as(other).then_some(twin)
    }
}
