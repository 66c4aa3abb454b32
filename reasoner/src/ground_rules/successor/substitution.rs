//! Views that need no evaluation, as rules are compiled without them.
//!
//! A rule by which a view holds *unless* some moves are made is put into the rules that read the view, which then hold unless
//! they are made ([`Substitutions`]). Compact ground games say so of most frame rules.
//!
//! A view that only collects moves gives each of them what it has itself ([`Collection`]): all its rules are triggered and ask for
//! nothing else, and no other rule asks for the view beside its trigger. Compact ground games have many: they split frame rules in
//! two.

use super::build::SuccessorBuilder;
use crate::ground_rules::transients::Transients;
use crate::network::Code;
use crate::tuning::{LONGEST_SUBSTITUTED, MOST_SUBSTITUTED_RULES, MOST_SUBSTITUTED_VIEWS};

/// What stands for views.
#[derive(Debug)]
pub(super) struct Substitutions<'run> {
    transients: &'run Transients<'run>,
    /// By view: the rules that stand for it, each of negated literals, and whether it has others.
    unless: Vec<(Vec<Vec<Code>>, bool)>,
}

impl<'run> Substitutions<'run> {
    pub(super) fn new(transients: &'run Transients<'run>) -> Self {
        let views = transients.views.len();
        let mut substitutions =
            Substitutions { transients, unless: vec![(Vec::new(), true); views] };
        let mut is_negated = vec![false; views];
        for &code in transients.all_rules().flatten().filter(|&code| code & 1 == 1) {
            transients.view(code).into_iter().for_each(|view| is_negated[view] = true);
        }
        for view in (0..views).filter(|&view| {
            !is_negated[view] && !transients.is_recursive(transients.moves() + view)
        }) {
            substitutions.find_unless(view);
        }
        for rule in transients.all_rules() {
            let read = || rule.iter().filter_map(|&code| substitutions.stands_unless(code));
            if read().count() > MOST_SUBSTITUTED_VIEWS {
                let read: Vec<usize> = read().collect();
                read.into_iter().for_each(|view| substitutions.unless[view] = (Vec::new(), true));
            }
        }
        substitutions
    }

    /// Whether all literals of a rule are negated and about moves, or views of which only that is known.
    fn holds_unless(&self, rule: &[Code]) -> bool {
        let is_unless = |&code: &Code| match (code & 1, self.transients.view(code)) {
            (1, _) => self.transients.number(code).is_some(),
            (_, Some(view)) => !self.unless[view].1,
            _ => false,
        };
        (1..=LONGEST_SUBSTITUTED).contains(&rule.len()) && rule.iter().all(is_unless)
    }

    /// The view that a code is, if rules stand for it.
    fn stands_unless(&self, code: Code) -> Option<usize> {
        let view = self.transients.view(code).filter(|_| code & 1 == 0)?;
        (!self.unless[view].0.is_empty()).then_some(view)
    }

    fn find_unless(&mut self, view: usize) {
        let (mut found, mut others) = (Vec::new(), false);
        for rule in self.transients.rules(view) {
            if self.holds_unless(rule) {
                self.for_each_rule(rule, |rule| found.push(rule.to_vec()));
            } else {
                others = true;
            }
        }
        if found.len() <= MOST_SUBSTITUTED_RULES
            && found.iter().all(|rule| rule.len() <= LONGEST_SUBSTITUTED)
        {
            self.unless[view] = (found, others);
        }
    }

    /// Calls a function with the rules that a rule stands for when views that hold unless moves are made are replaced.
    pub(super) fn for_each_rule(&self, rule: &[Code], mut visit: impl FnMut(&[Code])) {
        if !rule.iter().any(|&code| self.stands_unless(code).is_some()) {
            return visit(rule);
        }
        let mut bodies = vec![Vec::new()];
        for &code in rule {
            let view = self.stands_unless(code);
            let (unless, others) = view
                .map_or((&[][..], true), |view| (&self.unless[view].0[..], self.unless[view].1));
            let own = [code];
            let choices = unless.iter().map(Vec::as_slice).chain(others.then_some(&own[..]));
            bodies = choices
                .flat_map(|choice| bodies.iter().map(move |body| [body, choice].concat()))
                .collect();
        }
        bodies.iter().for_each(|body| visit(body));
    }

    /// The rules of a view that are left.
    pub(super) fn rules(&self, view: usize) -> impl Iterator<Item = &[Code]> {
        let has_unless = !self.unless[view].0.is_empty();
        let rules = self.transients.rules(view);
        rules.filter(move |rule| !has_unless || !self.holds_unless(rule))
    }
}

/// Entries that this may add; beyond, nothing is collected.
const MOST_ENTRIES: usize = 1 << 24;

/// What views collect.
#[derive(Debug)]
pub(super) struct Collection {
    /// By transient: what triggers it, if it is such a view.
    collected: Vec<Option<Vec<u32>>>,
}

impl Collection {
    /// What the views collect whose rules are compiled.
    pub(super) fn new(builder: &SuccessorBuilder<'_, '_>) -> Self {
        let count = builder.transients.levels.len();
        let mut is_kept = vec![false; count];
        let mut keep = |number: u32| is_kept.get_mut(number as usize).map(|kept| *kept = true);
        let read =
            builder.successor.conditions.items().iter().chain(builder.successor.bodies.items());
        read.filter_map(|code: &Code| (code >> 1).checked_sub(builder.successor.first)).for_each(
            |number| {
                keep(number);
            },
        );
        let rules = builder.successor.view_rules.iter().zip(builder.successor.bodies.iter());
        rules.filter(|(_, body)| !body.is_empty()).for_each(|(rule, _)| {
            keep(rule.head);
        });
        builder.untriggered.iter().for_each(|&(_, rule)| {
            keep(builder.successor.view_rules[rule as usize].head);
        });
        let mut triggers: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &(trigger, rule) in &builder.triggered {
            triggers[builder.successor.view_rules[rule as usize].head as usize].push(trigger);
        }
        let mut collection = Collection { collected: vec![None; count] };
        let mut uses = vec![0; count];
        let pairs = builder.triggered.iter().chain(&builder.triggers).chain(&builder.strikes);
        let effects = builder.effects.iter().map(|&(row, _)| row as usize);
        pairs.map(|&(number, _)| number as usize).chain(effects).for_each(|number| {
            uses.get_mut(number).into_iter().for_each(|uses| *uses += 1);
        });
        let mut room = MOST_ENTRIES;
        // Those below a view come before it, but within a recursion.
        for view in builder.transients.moves()..count {
            if is_kept[view] || builder.transients.is_recursive(view) {
                continue;
            }
            let through = triggers[view].iter().flat_map(|&number| collection.of(number));
            let mut through: Vec<u32> = through.collect();
            through.sort_unstable();
            through.dedup();
            let Some(rest) = room.checked_sub(through.len() * uses[view]) else { continue };
            room = rest;
            collection.collected[view] = Some(through);
        }
        collection
    }

    /// What a transient collects; itself, if it is no such view.
    fn of(&self, number: u32) -> Vec<u32> {
        let collected = self.collected.get(number as usize).cloned().flatten();
        collected.unwrap_or_else(|| vec![number])
    }

    /// Whether a transient is no more evaluated.
    pub(super) fn drops(&self, number: u32) -> bool {
        self.collected[number as usize].is_some()
    }

    /// Lets those that a view collects have what the view has.
    pub(super) fn spread<T: Copy>(&self, pairs: &[(u32, T)]) -> Vec<(u32, T)> {
        let mut spread = Vec::with_capacity(pairs.len());
        for &(number, item) in pairs {
            match self.collected.get(number as usize) {
                Some(Some(collected)) => spread.extend(collected.iter().map(|&made| (made, item))),
                _ => spread.push((number, item)),
            }
        }
        spread
    }
}
