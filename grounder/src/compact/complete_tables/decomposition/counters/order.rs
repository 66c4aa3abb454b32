//! Elements that can change places, in an order.
//!
//! ```text
//! (<= (triangle ?p) (near ?p ?a ?b) (near ?p ?a ?c) (near ?p ?b ?c) (distinct ?a ?b) (distinct ?a ?c) (distinct ?b ?c))
//! ```
//!
//! Something is known of several elements together, so that they cannot be counted; but with `(less ?a ?b) (less ?b ?c)` in the
//! place of what says that they differ, each triangle is found once. That `near` says the same of `?a` and `?b` as of
//! `?b` and `?a` is known by its table, or by the rules of a view, which are the same with these arguments exchanged.

use std::collections::BTreeSet;
use std::rc::Rc;

use fxhash::FxHashSet;
use groundfrog_engine::{Argument, Constants, Table};

use super::super::MOST_LOOKED_AT;
use super::super::Splitter;
use super::elements::{Elements, compared};
use crate::compact::complete_tables::auxiliaries::{Change, use_of};
use crate::compact::complete_tables::repetitions::{LiteralKey, literal_key};
use crate::compact::estimate::{fits, variables};
use crate::compact::variables::renumbered;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::tuning::complete_tables::order::{LEAST_ELEMENTS, MOST_TUPLES};

/// What is put in order: tuples, ascending.
pub(in crate::compact::complete_tables::decomposition) type Tuples = BTreeSet<Vec<u32>>;

impl Splitter<'_> {
    /// A rule with an order of elements in the place of what says that they differ, if that pays.
    pub(super) fn ordered(&mut self, rule: &FlatRule, elements: &Elements) -> Option<FlatRule> {
        if elements.keys.len() < LEAST_ELEMENTS {
            return None;
        }
        let order = self.order(rule, elements)?;
        let ordered = |trial: &mut Self| Some(trial.with_order(rule, elements, &order));
        let after = self.size_made_on_trial(ordered, Self::split_without_counters)?;
        let before = self.on_trial(|trial| trial.size_without_counters(rule));
        let is_accepted = self.accepts(Change::Ordered, [rule.origin], (before, after));
        is_accepted.then(|| self.with_order(rule, elements, &order))
    }

    fn with_order(&mut self, rule: &FlatRule, elements: &Elements, order: &Rc<Table>) -> FlatRule {
        let form = self.given(order);
        let mut ordered = rule.clone();
        ordered.body.retain(|it| !elements.are_compared(it));
        for pair in elements.keys.windows(2) {
            ordered.body.push(use_of(form, &pair.concat(), false, self.forms));
        }
        ordered
    }

    /// The pairs of what elements can be of which the first is less than the second.
    fn order(&mut self, rule: &FlatRule, elements: &Elements) -> Option<Rc<Table>> {
        let mut all = Tuples::new();
        for key in &elements.keys {
            all.extend(self.tuples(rule, key)?);
        }
        if all.len() > MOST_TUPLES {
            return None;
        }
        if let Some(known) = self.about_tables.orders.get(&all) {
            return Some(Rc::clone(known));
        }
        let mut table = Table::new(2 * elements.keys[0].len());
        for (at, more) in all.iter().enumerate() {
            for less in all.iter().take(at) {
                if !self.ticker.tick() {
                    return None;
                }
                table.insert(&[&less[..], more].concat());
            }
        }
        let table = Rc::new(table);
        self.about_tables.orders.insert(all, Rc::clone(&table));
        Some(table)
    }

    /// What a tuple of variables can be, by the smallest table that has them all.
    fn tuples(&mut self, rule: &FlatRule, key: &[u32]) -> Option<Tuples> {
        let has_all = |atom: &FlatAtom| {
            key.iter().all(|it| atom.arguments.contains(&Argument::Variable(*it)))
        };
        let binders = self.tabled(rule).filter(|it| self.has_all_rows(it.form) && has_all(it));
        let size = |atom: &FlatAtom| self.known.tables[predicate(atom.form)].len();
        let known = LiteralKind::Positive(binders.min_by_key(|it| size(it))?.clone());
        let found = self.answers(&[&known], key.iter().copied(), MOST_TUPLES)?;
        Some(found.rows().map(Constants::to_vec).collect())
    }

    /// The predicates that say the same of two elements whichever comes first, as far as there are rules that require several
    /// elements to differ.
    pub(in crate::compact::complete_tables::decomposition) fn find_symmetries(
        &mut self,
        rules: &[FlatRule],
    ) {
        let differences = |rule: &FlatRule| {
            rule.body.iter().filter(|it| matches!(it.kind, LiteralKind::Distinct(..))).count()
        };
        let mut looked_at = FxHashSet::default();
        for rule in rules.iter().filter(|it| it.stored && differences(it) >= LEAST_ELEMENTS) {
            if fits(rule) && self.goes_on(rule) {
                self.find_symmetries_for(rule, rules, &mut looked_at);
            }
        }
    }

    /// Finds the symmetries of one rule.
    fn find_symmetries_for(
        &mut self,
        rule: &FlatRule,
        rules: &[FlatRule],
        looked_at: &mut FxHashSet<(LiteralKey, Vec<usize>)>,
    ) {
        let head = variables(&rule.head.arguments);
        let pairs = rule.body.iter().filter_map(|it| compared(it, head));
        for pair in pairs {
            for literal in rule.body.iter().filter(|it| it.is_positive()) {
                let Some(atom) = literal.atom() else { continue };
                let Some(order) = exchanged(atom, &pair) else { continue };
                let literal_key = literal_key(literal, atom);
                let known = (literal_key, order);
                if looked_at.insert(known.clone())
                    && self.is_symmetric_in(literal, atom.form, &known.1, rules)
                {
                    self.made.symmetries.entry(literal_key).or_default().push(known.1);
                }
            }
        }
    }

    /// Whether a predicate says the same with its columns in another order.
    fn is_symmetric_in(
        &mut self,
        literal: &FlatLiteral,
        form: FormId,
        order: &[usize],
        rules: &[FlatRule],
    ) -> bool {
        if !literal.stored {
            if !literal.joined || !self.has_all_rows(form) || self.known.demanded.contains(&form) {
                return false;
            }
            let table = &self.known.tables[predicate(form)];
            let mut rows = table.rows().take_while(|_| self.ticker.tick());
            let mut other = vec![0; order.len()];
            return table.len() <= MOST_LOOKED_AT
                && rows.all(|row| {
                    other.iter_mut().zip(order).for_each(|(it, &place)| *it = row[place]);
                    table.contains(&other)
                });
        }
        let own: Vec<&FlatRule> = rules.iter().filter(|it| it.head.form == form).collect();
        let is_view = own
            .iter()
            .all(|it| it.stored && literal.atom().is_some_and(|atom| atom.name == it.head.name));
        let sorted = |mut rule: FlatRule| {
            rule = renumbered(&rule);
            (rule.head.arguments, rule.body)
        };
        let all: Vec<_> = own.iter().map(|it| sorted((*it).clone())).collect();
        let exchanged = |rule: &FlatRule| {
            let mut rule = rule.clone();
            rule.head.arguments = order.iter().map(|&it| rule.head.arguments[it]).collect();
            sorted(rule)
        };
        is_view
            && !own.is_empty()
            && own.iter().all(|it| {
                let (head, body) = exchanged(it);
                all.iter().any(|(other, of_other)| {
                    *other == head
                        && of_other.len() == body.len()
                        && of_other.iter().all(|it| body.contains(it))
                        && body.iter().all(|it| of_other.contains(it))
                })
            })
    }
}

/// The order of an atom's columns in which two tuples have changed places, if it has both.
fn exchanged(atom: &FlatAtom, [one, other]: &[Vec<u32>; 2]) -> Option<Vec<usize>> {
    let place = |it: u32| atom.arguments.iter().position(|at| *at == Argument::Variable(it));
    let mut order: Vec<usize> = (0..atom.arguments.len()).collect();
    for (&one, &other) in one.iter().zip(other) {
        order.swap(place(one)?, place(other)?);
    }
    Some(order)
}
