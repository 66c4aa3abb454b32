//! A view that has lost arguments may be used by one rule that only passes it on: its rules take the place of that
//! rule.
//!
//! ```text
//! (<= (line ?p) (row_any ?p))
//! ```
//!
//! While there was an atom for each row, with one rule, inlining did away with these; now one atom has the rules of all rows.

use std::ops::Range;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::Exceeded;

use super::super::redundant_arguments::Filtered;
use crate::compact::unfolding;
use crate::compact::variables::variables_of;
use crate::flat::{FlatLiteral, FlatProgram, FlatRule, FormId, Forms};
use crate::ticker::Ticker;

/// Puts the rules of views in the place of their literals, where only one rule uses them, and for nothing else that is
/// stored: there are no more rules than before.
///
/// # Errors
/// A limit that was exceeded.
pub(super) fn unfold(
    flat: &mut FlatProgram,
    forms: &Forms,
    views: &[Filtered],
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    let given: FxHashSet<FormId> = flat.facts(forms).map(|it| it.0).collect();
    let mut rules = Places::new(std::mem::take(&mut flat.rules), views);
    for view in views.iter().map(|it| it.rest) {
        let Some(asking) = rules.only_user(view) else { continue };
        let user = rules.rule(asking);
        let Some(at) = passed_on(user, view) else { continue };
        if given.contains(&view) {
            continue;
        }
        let own = rules.of(view);
        if !ticker.ticks(own.iter().map(|it| 1 + it.body.len() as u32).sum()) {
            break;
        }
        let unfolded = unfolding::unfold(user, at, own);
        rules.replace(asking, unfolded);
        rules.remove(view);
    }
    flat.rules = rules.into_rules();
    ticker.finish()
}

/// Rules, with those that have come of each in its place.
struct Places {
    nodes: Vec<Place>,
    /// How many there were at first.
    count: usize,
    /// By view: the first places of its rules.
    own: FxHashMap<FormId, Vec<usize>>,
    /// By view: the rules that use it, and some that are no more.
    asking: FxHashMap<FormId, Vec<usize>>,
}

/// A rule, or where those are that took its place.
enum Place {
    Rule(FlatRule),
    Others(Range<usize>),
}

impl Places {
    fn new(rules: Vec<FlatRule>, views: &[Filtered]) -> Self {
        let lists = || views.iter().map(|it| (it.rest, Vec::new())).collect();
        let mut places =
            Places { nodes: Vec::new(), count: rules.len(), own: lists(), asking: lists() };
        for (place, rule) in rules.into_iter().enumerate() {
            if let Some(own) = places.own.get_mut(&rule.head.form) {
                own.push(place);
            }
            places.push(rule);
        }
        places
    }

    fn push(&mut self, rule: FlatRule) {
        let place = self.nodes.len();
        for form in rule.body.iter().filter_map(FlatLiteral::form) {
            if let Some(asking) = self.asking.get_mut(&form) {
                asking.push(place);
            }
        }
        self.nodes.push(Place::Rule(rule));
    }

    fn rule(&self, place: usize) -> &FlatRule {
        match &self.nodes[place] {
            Place::Rule(rule) => rule,
            Place::Others(_) => unreachable!("only of rules it is known what they ask for"),
        }
    }

    /// The place of the only rule that uses a view.
    fn only_user(&mut self, view: FormId) -> Option<usize> {
        let nodes = &self.nodes;
        let asking = self.asking.get_mut(&view)?;
        asking.retain(|&it| matches!(nodes[it], Place::Rule(_)));
        asking.dedup();
        match asking[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The rules of a view, in their order.
    fn of(&self, view: FormId) -> Vec<&FlatRule> {
        let mut rules = Vec::new();
        let own = self.own.get(&view).map_or(&[][..], Vec::as_slice);
        let mut rest: Vec<usize> = own.iter().rev().copied().collect();
        while let Some(place) = rest.pop() {
            match &self.nodes[place] {
                Place::Rule(rule) => rules.push(rule),
                Place::Others(others) => rest.extend(others.clone().rev()),
            }
        }
        rules
    }

    fn replace(&mut self, place: usize, rules: Vec<FlatRule>) {
        let first = self.nodes.len();
        rules.into_iter().for_each(|it| self.push(it));
        self.nodes[place] = Place::Others(first..self.nodes.len());
    }

    /// Removes the rules of a view.
    fn remove(&mut self, view: FormId) {
        let mut rest = self.own.remove(&view).unwrap_or_default();
        while let Some(place) = rest.pop() {
            if let Place::Others(others) =
                std::mem::replace(&mut self.nodes[place], Place::Others(0..0))
            {
                rest.extend(others);
            }
        }
    }

    /// All that are left, in their order.
    fn into_rules(mut self) -> Vec<FlatRule> {
        let mut rules = Vec::with_capacity(self.nodes.len());
        let mut rest: Vec<usize> = (0..self.count).rev().collect();
        while let Some(place) = rest.pop() {
            match std::mem::replace(&mut self.nodes[place], Place::Others(0..0)) {
                Place::Rule(rule) => rules.push(rule),
                Place::Others(others) => rest.extend(others.rev()),
            }
        }
        rules
    }
}

/// The literal with a view, if a rule for another says nothing but that, static conditions aside.
fn passed_on(rule: &FlatRule, view: FormId) -> Option<usize> {
    let mut stored = (0..rule.body.len()).filter(|&it| rule.body[it].stored);
    let (Some(at), None) = (stored.next(), stored.next()) else { return None };
    let literal: &FlatLiteral = &rule.body[at];
    let known = variables_of(literal);
    let mut of_head = rule.head.arguments.iter().filter_map(|it| it.variable());
    let is_passed_on = literal.is_positive()
        && literal.joined
        && literal.form() == Some(view)
        && rule.head.form != view
        && of_head.all(|it| known.contains(&it));
    is_passed_on.then_some(at)
}
