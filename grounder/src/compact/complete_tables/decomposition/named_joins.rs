//! Large conditions that only name a join of smaller ones: their rules take the place of their literals, where the rules
//! that use them can then be split better.
//!
//! ```text
//! (<= (sum ?a ?b ?c ?d ?s) (plus ?a ?b ?p) (plus ?p ?c ?q) (plus ?q ?d ?s))
//! ```
//!
//! A rule that uses `sum` has an instance for each of its rows. With the sums one after the other it is split
//! between any two of them. As in `products`, the rule has as many instances as its head. It need not be
//! complete: a table that has only what is demanded has it by this rule.

use fxhash::{FxHashMap, FxHashSet};

use super::Splitter;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::fits;
use crate::compact::large_tables::products::{is_determined, is_join, is_joined_only};
use crate::compact::unfolding::resolvent;
use crate::flat::lowering::predicate;
use crate::flat::{FlatLiteral, FlatRule, FormId};
use crate::tuning::complete_tables::named_joins::{DEEPEST, LARGE, SMALLER};

/// The only rules of conditions.
type Definitions = FxHashMap<FormId, FlatRule>;

impl Splitter<'_> {
    /// Rules with the rules of large conditions in the place of these, where that makes the ground program smaller.
    pub(super) fn unfold_named_joins(&mut self, mut rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let definitions = self.named_joins(&rules);
        if definitions.is_empty() {
            return rules;
        }
        for rule in &mut rules {
            if !self.may_change(rule) {
                continue;
            }
            for _ in 0..DEEPEST {
                let Some(unfolded) = self.with_joins(rule, &definitions) else { break };
                *rule = unfolded;
            }
        }
        rules
    }

    /// The conditions that stored rules use, and those in their rules, that are large joins of smaller ones.
    fn named_joins(&mut self, rules: &[FlatRule]) -> Definitions {
        let tables = self.known.tables;
        let count = tables.iter().len();
        let is_large = |form: &FormId| {
            // Complements have none yet.
            form.index() < count && tables[predicate(*form)].len() >= LARGE
        };
        let literal_key = |rule: &FlatRule| -> Vec<FormId> {
            let conditions = rule.body.iter().filter(|it| is_joined_only(it));
            conditions.filter_map(FlatLiteral::form).filter(is_large).collect()
        };
        let stored = rules.iter().filter(|rule| rule.stored);
        let agenda: Vec<FormId> = stored.flat_map(literal_key).collect();
        if agenda.is_empty() {
            Definitions::default()
        } else {
            self.joins_below(agenda, rules, literal_key)
        }
    }

    /// Those that are joins among conditions, and those in their rules that are `literal_key` for.
    fn joins_below(
        &mut self,
        mut agenda: Vec<FormId>,
        rules: &[FlatRule],
        literal_key: impl Fn(&FlatRule) -> Vec<FormId>,
    ) -> Definitions {
        let tables = self.known.tables;
        let mut own: FxHashMap<FormId, Vec<&FlatRule>> = FxHashMap::default();
        rules.iter().for_each(|rule| own.entry(rule.head.form).or_default().push(rule));
        let given: FxHashSet<FormId> = self.known.facts.facts(self.forms).map(|it| it.0).collect();
        let mut definitions = Definitions::default();
        let mut seen = FxHashSet::default();
        while let Some(form) = agenda.pop() {
            let Some([only]) = own.get(&form).map(Vec::as_slice) else { continue };
            if !seen.insert(form) || given.contains(&form) || !self.goes_on(only) {
                continue;
            }
            let rows = |it: &FlatLiteral| it.form().map_or(0, |it| tables[predicate(it)].len());
            let together: usize = only.body.iter().map(rows).sum();
            let is_smaller = together * SMALLER <= tables[predicate(form)].len();
            if is_smaller && is_join(only) && is_determined(only, tables) {
                agenda.extend(literal_key(only));
                definitions.insert(form, (*only).clone());
            }
        }
        definitions
    }

    /// A rule with the rules of all its large conditions in their place, or of one of them, if that pays.
    fn with_joins(&mut self, rule: &FlatRule, definitions: &Definitions) -> Option<FlatRule> {
        let is_named = |it: &FlatLiteral| {
            is_joined_only(it) && it.form().is_some_and(|form| definitions.contains_key(&form))
        };
        let places: Vec<usize> =
            (0..rule.body.len()).filter(|&at| is_named(&rule.body[at])).collect();
        if places.is_empty() || !fits(rule) || !self.goes_on(rule) {
            return None;
        }
        if self.size(rule) < LARGE as f64 {
            return None;
        }
        let before = self.size_on_trial(rule, Self::split);
        let unfold = |rule: &FlatRule, at: usize| {
            resolvent(rule, at, &definitions[&rule.body[at].form()?]).filter(fits)
        };
        let mut all = Some(rule.clone());
        for _ in &places {
            all = all.and_then(|rule| unfold(&rule, rule.body.iter().position(is_named)?));
        }
        let one = places.iter().filter(|_| places.len() > 1).map(|&at| unfold(rule, at));
        let candidates = [all].into_iter().chain(one).flatten();
        let sized: Vec<(f64, FlatRule)> =
            candidates.map(|it| (self.size_on_trial(&it, Self::split), it)).collect();
        self.accept_smallest(Change::Unfolded, rule.origin, before, sized)
    }
}
