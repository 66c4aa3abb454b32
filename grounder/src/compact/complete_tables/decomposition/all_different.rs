//! Variables any two of which differ, as the digits of a row: a chain from each to the next that knows which values are
//! taken.
//!
//! ```text
//! (<= row_is_full (true (cell 1 ?a)) (true (cell 2 ?b)) ... (distinct ?a ?b) (distinct ?a ?c) (distinct ?b ?c) ...)
//! ```
//!
//! Such a rule has an instance for each order of the values. Which of them the first cells have, in whatever order, is
//! all that matters of these: with `step_1(?a, ?s), step_2(?s, ?b, ?t), ...` in the place of what says that they differ,
//! `?s` being the set of the values that are taken, decomposition cuts the rule between any two cells. Where the
//! condition has a name and is larger, `diagrams` does the same before there are any tables.

use std::collections::BTreeMap;
use std::rc::Rc;

use fxhash::FxHashMap;
use groundfrog_engine::projection::{self, VariableSet, members};
use groundfrog_engine::{Argument, Constants, Table};

use super::MOST_LOOKED_AT;
use super::Splitter;
use super::acceptance::is_gain;
use crate::compact::complete_tables::auxiliaries::{Change, use_of};
use crate::compact::estimate::fits;
use crate::compact::variables::variables_of;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, LiteralKind};
use crate::tuning::complete_tables::all_different::{
    IN_MANY_ORDERS, LARGE, LEAST, MOST_STEPS, MOST_VALUES,
};

/// Variables have smaller numbers than this in a set.
const MOST_VARIABLES: u32 = projection::MAX_VARIABLES as u32;

/// What a chain is made from: by variable, its values, ascending.
pub(super) type Values = Vec<Vec<u32>>;

/// The tables of the steps of a chain.
pub(super) type Steps = Rc<Vec<Rc<Table>>>;

impl Splitter<'_> {
    /// A rule with chains in the place of what says that variables differ from each other, if that pays.
    pub(super) fn chained(&mut self, rule: &FlatRule) -> Option<FlatRule> {
        let differences = differences(rule);
        if !self.may_change(rule) || differences.len() < LEAST || !fits(rule) {
            return None;
        }
        let cliques = cliques(&differences);
        if cliques.is_empty() || !self.goes_on(rule) {
            return None;
        }
        if self.size(rule) < LARGE { None } else { self.chained_if_smaller(rule, &cliques) }
    }

    /// A large rule with a chain, if that is smaller; its variables differ within these groups.
    fn chained_if_smaller(&mut self, rule: &FlatRule, cliques: &[Vec<u32>]) -> Option<FlatRule> {
        let before = self.size_on_trial(rule, Self::split_greedily);
        // Where a step is about something stored, each of its rows has an instance, of size one at least.
        let most = MOST_STEPS.min(before as usize);
        let chained = |trial: &mut Self| trial.with_chains(rule, cliques, most);
        let after = self.size_made_on_trial(chained, Self::split_greedily)?;
        if !is_gain(before * IN_MANY_ORDERS, after) {
            return None;
        }
        let chained = self.with_chains(rule, cliques, most)?;
        // As steps that follow begin with the whole rule, the sizes are those before anything is split off.
        let sizes = (self.size(rule), self.size(&chained));
        self.note(Change::Chained, [rule.origin], sizes);
        Some(chained)
    }

    /// A rule with a chain of at most so many rows for each of these sets of variables; variables that nothing stored
    /// mentions may have longer ones.
    fn with_chains(
        &mut self,
        rule: &FlatRule,
        cliques: &[Vec<u32>],
        most: usize,
    ) -> Option<FlatRule> {
        let mut chained = rule.clone();
        let stored = self.stored_variables(rule);
        let mut next = rule.body.iter().flat_map(variables_of).max()? + 1;
        let mut has_chain = false;
        for clique in cliques {
            let values: Option<Values> = clique.iter().map(|&it| self.values(rule, it)).collect();
            let is_stored = clique.iter().all(|it| stored >> it & 1 == 1);
            let most = if is_stored { most } else { MOST_STEPS };
            let Some(steps) = values.and_then(|it| self.steps(it, most)) else { continue };
            has_chain = true;
            let is_said = |it: &FlatLiteral| {
                pair(it)
                    .is_some_and(|(one, other)| clique.contains(&one) && clique.contains(&other))
            };
            chained.body.retain(|it| !is_said(it));
            for (at, (table, &variable)) in steps.iter().zip(clique).enumerate() {
                let mut columns = vec![variable];
                if at > 0 {
                    columns.insert(0, next - 1);
                }
                if at + 1 < steps.len() {
                    columns.push(next);
                    next += 1;
                }
                let form = self.given(table);
                self.made.chain_steps.insert(form);
                chained.body.push(use_of(form, &columns, false, self.forms));
            }
        }
        (has_chain && fits(&chained)).then_some(chained)
    }

    /// The values that a variable can have, by the tables of the literals that bind it.
    pub(super) fn values(&mut self, rule: &FlatRule, variable: u32) -> Option<Vec<u32>> {
        let mut common: Option<Vec<u32>> = None;
        let wanted = Argument::Variable(variable);
        let place = |atom: &FlatAtom| atom.arguments.iter().position(|it| *it == wanted);
        let literal_key: Vec<(&FlatAtom, usize)> =
            self.tabled(rule).filter_map(|it| Some((it, place(it)?))).collect();
        for (atom, column) in literal_key {
            let table = &self.known.tables[predicate(atom.form)];
            if table.len() > MOST_LOOKED_AT {
                continue;
            }
            let fits = |row: &Constants<'_>| {
                let mut arguments = atom.arguments.iter().zip(row.iter());
                arguments
                    .all(|(it, value)| *it == Argument::Constant(value) || it.variable().is_some())
            };
            let rows = table.rows().take_while(|_| self.ticker.tick()).filter(fits);
            let mut own: Vec<u32> = rows.map(|row| row[column]).collect();
            own.sort_unstable();
            own.dedup();
            common = Some(match common {
                Some(common) => {
                    common.into_iter().filter(|it| own.binary_search(it).is_ok()).collect()
                }
                None => own,
            });
        }
        common
    }

    /// The steps of the chain over variables with these values: `[value, taken]`, `[taken, value, taken]`, ...,
    /// `[taken, value]`. None if there are more than `most`.
    fn steps(&mut self, values: Values, most: usize) -> Option<Steps> {
        let rows = |it: &Steps| it.iter().map(|it| it.len()).sum::<usize>();
        if let Some(known) = self.made.chains.get(&values) {
            return known.clone().filter(|it| rows(it) <= most);
        }
        let steps = self.new_steps(&values, most).map(Rc::new);
        if steps.is_some() || most == MOST_STEPS {
            self.made.chains.insert(values, steps.clone());
        }
        steps
    }

    fn new_steps(&mut self, values: &Values, most: usize) -> Option<Vec<Rc<Table>>> {
        let mut all: Vec<u32> = values.concat();
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST_VALUES {
            return None;
        }
        let bit = |value: &u32| 1u32 << all.binary_search(value).expect("it is one of all");
        let bits = |values: &[u32]| values.iter().fold(0, |all, it| all | bit(it));
        let mut count = 0;
        // The sets that lead to this variable, in order, each with the name of its number.
        let mut taken: BTreeMap<u32, u32> = BTreeMap::from([(0, 0)]);
        let mut tables = Vec::with_capacity(values.len());
        for (at, own) in values.iter().enumerate() {
            let is_last = at + 1 == values.len();
            // What no later variable can be need not be kept in mind.
            let matters = values[at + 1..].iter().fold(0, |all, it| all | bits(it));
            let mut after: BTreeMap<u32, u32> = BTreeMap::new();
            let mut rows: Vec<(u32, u32, u32)> = Vec::new();
            for (&set, &name) in &taken {
                for value in own.iter().filter(|it| set & bit(it) == 0) {
                    count += 1;
                    if count > most || !self.ticker.ticks(8) {
                        return None;
                    }
                    let next = (set | bit(value)) & matters;
                    after.insert(next, 0);
                    rows.push((name, *value, next));
                }
            }
            for (number, name) in after.values_mut().enumerate() {
                *name = self.symbols.intern(&(number + 1).to_string()).0;
            }
            let columns = usize::from(at == 0)..if is_last { 2 } else { 3 };
            let mut table = Table::new(columns.len());
            for (from, value, to) in rows {
                table.insert(&[from, value, after[&to]][columns.clone()]);
            }
            tables.push(Rc::new(table));
            taken = after;
        }
        Some(tables)
    }
}

/// The two variables that a literal says differ.
fn pair(literal: &FlatLiteral) -> Option<(u32, u32)> {
    match &literal.kind {
        LiteralKind::Distinct(left, right) => match (&left[..], &right[..]) {
            ([Argument::Variable(left)], [Argument::Variable(right)]) => {
                // A variable that differs from itself, as unfolding may leave it, is in no set of variables that differ.
                (left != right).then_some((*left, *right))
            }
            _ => None,
        },
        _ => None,
    }
}

/// By variable of a rule: the variables that it differs from, as far as there are any.
fn differences(rule: &FlatRule) -> FxHashMap<u32, VariableSet> {
    let mut differences: FxHashMap<u32, VariableSet> = FxHashMap::default();
    if rule.body.iter().filter_map(pair).any(|(one, other)| one.max(other) >= MOST_VARIABLES) {
        return differences;
    }
    for (one, other) in rule.body.iter().filter_map(pair) {
        *differences.entry(one).or_default() |= 1 << other;
        *differences.entry(other).or_default() |= 1 << one;
    }
    differences
}

/// Large sets of variables any two of which differ, ascending: for each variable one that it is in, unless they are all in
/// one already.
fn cliques(differences: &FxHashMap<u32, VariableSet>) -> Vec<Vec<u32>> {
    let mut all: Vec<u32> = differences.keys().copied().collect();
    all.sort_unstable();
    let mut cliques: Vec<VariableSet> = Vec::new();
    for &first in &all {
        let mut clique: VariableSet = 1 << first;
        let mut common = differences[&first];
        while common != 0 {
            // That which has the most in common with the rest; of several the first.
            let shared = |it: &u32| (differences[it] & common).count_ones();
            let next = members(common).max_by_key(|it| (shared(it), u32::MAX - it));
            let next = next.expect("there is one");
            clique |= 1 << next;
            common &= differences[&next];
        }
        if clique.count_ones() as usize >= LEAST && !cliques.contains(&clique) {
            cliques.push(clique);
        }
    }
    cliques.into_iter().map(|it| members(it).collect()).collect()
}
