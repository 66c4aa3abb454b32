//! Static conditions that say that two tuples differ, however they are defined: by their tables.
//!
//! ```text
//! (<= (elsewhere ?x ?y ?u ?v) (cell ?x ?y) (cell ?u ?v) (not (same_cell ?x ?y ?u ?v)))
//! ```
//!
//! [`crate::compact::differences`] knows a few ways to write such a definition. The table of any of them has each tuple of
//! one set with each of another, but none with itself; the table of `same_cell` has nothing but tuples with themselves.
//! Where the rest of a rule says that the tuples are in these sets, the literal says no more than `distinct` does,
//! and gives way to it: the passes over rules know what that means. The rule has the same instances.

use std::rc::Rc;

use fxhash::FxHashSet;
use groundfrog_engine::{Argument, Arguments, Constants, Table};

use super::Splitter;
use super::about_tables::MOST_LOOKED_AT;
use crate::domains::program::predicate;
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};

/// That one of two things differs from the other is said as well by the one that it is.
const LEAST_TUPLES: usize = 3;

/// The tuples of a table's columns, and whether these are all tuples of the columns' values.
#[derive(Debug)]
struct Tuples {
    columns: Vec<usize>,
    found: FxHashSet<Vec<u32>>,
    is_product: bool,
}

/// What a table says of the two halves of its rows.
#[derive(Debug)]
pub(super) struct Comparison {
    /// They differ; otherwise they are the same.
    is_difference: bool,
    left: Tuples,
    right: Tuples,
}

impl Splitter<'_> {
    /// Puts `distinct` in the place of conditions that say no more than that two tuples differ.
    pub(super) fn compare_tuples(&mut self, mut rules: Vec<FlatRule>) -> Vec<FlatRule> {
        for rule in rules.iter_mut().filter(|rule| rule.stored) {
            for at in 0..rule.body.len() {
                if let Some(kind) = self.comparison_of(rule, at) {
                    rule.body[at].kind = kind;
                }
            }
        }
        rules
    }

    /// The comparison that says what a literal says in its rule, if there is one.
    fn comparison_of(&mut self, rule: &FlatRule, at: usize) -> Option<LiteralKind> {
        let literal = &rule.body[at];
        let atom = literal.atom().filter(|it| it.arguments.len() > 1)?;
        if literal.stored || !literal.joined || !self.goes_on(rule) {
            return None;
        }
        let comparison = self.comparison(atom.form)?;
        let Comparison { is_difference, left, right } = &*comparison;
        // That two tuples are the same is not said by `distinct`. What must not be the case between a move and the rest has
        // a complement as it is, which is smaller than that of a comparison.
        let is_about_moves = || rule.body.iter().any(|it| self.is_move(it));
        if *is_difference != literal.is_positive() || !is_difference && is_about_moves() {
            return None;
        }
        let [own, others] = [left, right].map(|it| arguments(atom, &it.columns));
        let pairs = own.iter().copied().zip(others.iter().copied());
        let (one, other): (Arguments, Arguments) =
            pairs.filter(|(one, other)| one != other).unzip();
        let is_decided = one
            .iter()
            .zip(&other)
            .any(|(one, other)| one.variable().is_none() && other.variable().is_none());
        if one.is_empty() || is_decided {
            return None;
        }
        let mut is_within =
            |tuple: &[Argument], set: &Tuples| self.is_within(rule, at, tuple, (atom.form, set));
        // A difference does not hold of what is in none of the sets either. That two tuples are not the same holds if they
        // differ; if they are the same, then both are in the set as soon as one is, and it does not hold.
        let holds = if *is_difference {
            is_within(&own, left) && is_within(&others, right)
        } else {
            is_within(&own, left) || is_within(&others, right)
        };
        holds.then_some(LiteralKind::Distinct(one, other))
    }

    /// Whether the other literals of a rule say that a tuple is in a set; and bind its variables.
    fn is_within(
        &mut self,
        rule: &FlatRule,
        at: usize,
        tuple: &[Argument],
        (form, set): (FormId, &Tuples),
    ) -> bool {
        let others = rule.body.iter().enumerate().filter(|(it, _)| *it != at);
        let binders = others.map(|it| it.1).filter(|it| it.joined && it.is_positive());
        let binders: Vec<&FlatAtom> =
            binders.filter_map(FlatLiteral::atom).filter(|it| self.has_table(it.form)).collect();
        if set.is_product {
            return tuple.iter().zip(&set.columns).all(|(argument, &column)| {
                let wanted = self.values_of(form, column);
                let is_in = |constant: usize| wanted.get(constant) == Some(&true);
                match *argument {
                    Argument::Constant(it) => is_in(it as usize),
                    Argument::Variable(_) => binders.iter().any(|atom| {
                        let mut places = (0..).zip(&atom.arguments);
                        let place = places.find_map(|(at, it)| (it == argument).then_some(at));
                        place.is_some_and(|place| {
                            let own = self.values_of(atom.form, place);
                            (0..own.len()).all(|it| !own[it] || is_in(it))
                        })
                    }),
                }
            });
        }
        binders.iter().any(|atom| {
            let place = |it: &Argument| atom.arguments.iter().position(|other| other == it);
            let places: Vec<Option<usize>> = tuple.iter().map(place).collect();
            let is_bound = |(it, place): (&Argument, &Option<usize>)| {
                it.variable().is_none() || place.is_some()
            };
            let table = &self.known.tables[predicate(atom.form)];
            let mut said = Vec::with_capacity(tuple.len());
            tuple.iter().zip(&places).all(is_bound)
                && table.len() <= MOST_LOOKED_AT
                && table.rows().take_while(|_| self.pulse.beat()).all(|row| {
                    said.clear();
                    said.extend(tuple.iter().zip(&places).map(|(it, place)| match (it, place) {
                        (Argument::Constant(it), _) => *it,
                        (_, Some(place)) => row[*place],
                        (_, None) => unreachable!("it is bound"),
                    }));
                    set.found.contains(&said)
                })
        })
    }

    /// Whether a predicate's table has all that rules find there. One on demand may lack what none asks for, but as the
    /// literal and what binds its arguments are looked up in these very tables, no rule can tell.
    fn has_table(&self, form: FormId) -> bool {
        !self.known.steps.contains_key(&form)
    }

    fn values_of(&mut self, form: FormId, column: usize) -> Rc<Vec<bool>> {
        self.about_tables.values(self.known.tables, form, column, &mut self.pulse)
    }

    /// What the table of a predicate says of two halves of its rows, looked up once.
    fn comparison(&mut self, form: FormId) -> Option<Rc<Comparison>> {
        if let Some(known) = self.comparisons.get(&form) {
            return known.clone();
        }
        let found = self.read_comparison(form).map(Rc::new);
        self.comparisons.insert(form, found.clone());
        found
    }

    fn read_comparison(&mut self, form: FormId) -> Option<Comparison> {
        let table = &self.known.tables[predicate(form)];
        let width = table.arity() / 2;
        if table.arity() % 2 != 0
            || table.len() < LEAST_TUPLES
            || table.len() > MOST_LOOKED_AT
            || !self.has_table(form)
        {
            return None;
        }
        let counts: Vec<usize> = (0..table.arity())
            .map(|column| self.values_of(form, column).iter().filter(|it| **it).count())
            .collect();
        let one_behind_the_other = (0..width).map(|it| (it, width + it)).collect();
        let side_by_side = (0..width).map(|it| (2 * it, 2 * it + 1)).collect();
        let orders: [Vec<(usize, usize)>; 2] = [one_behind_the_other, side_by_side];
        let orders = orders.iter().take(width.min(2));
        orders.into_iter().find_map(|pairs| self.comparison_by(table, pairs, &counts))
    }

    /// The comparison of some pairs of columns that a table is; `counts` are the numbers of values of all columns.
    fn comparison_by(
        &mut self,
        table: &Table,
        pairs: &[(usize, usize)],
        counts: &[usize],
    ) -> Option<Comparison> {
        let (left, right): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
        let are_the_same =
            |row: Constants<'_>| pairs.iter().all(|&(left, right)| row[left] == row[right]);
        let is_difference = !are_the_same(table.rows().next()?);
        let most = |columns: &[usize]| columns.iter().map(|&it| counts[it]).max().unwrap_or(0);
        let least = [most(&left), most(&right)];
        // There are as many tuples as one column has values, at least.
        let is_too_small = || least[0] * least[1] > table.len() + least[0].min(least[1]);
        let mut rows = table.rows().take_while(|_| self.pulse.beat());
        if is_difference && is_too_small() || !rows.all(|row| are_the_same(row) != is_difference) {
            return None;
        }
        let [left, right] = [left, right].map(|columns| {
            let mut found: FxHashSet<Vec<u32>> = FxHashSet::default();
            let mut tuple = Vec::with_capacity(columns.len());
            for row in table.rows().take_while(|_| self.pulse.beat()) {
                tuple.clear();
                tuple.extend(columns.iter().map(|&it| row[it]));
                if !found.contains(&tuple) {
                    found.insert(tuple.clone());
                }
            }
            let all = columns.iter().fold(1, |all: usize, &it| all.saturating_mul(counts[it]));
            Tuples { is_product: all == found.len(), columns, found }
        });
        let (of_left, of_right) = (left.found.len(), right.found.len());
        let in_both = left.found.intersection(&right.found).count();
        // No row is a tuple with itself, so these are all others if they are as many.
        let is_comparison = of_left >= LEAST_TUPLES
            && (!is_difference || of_left * of_right - in_both == table.len());
        is_comparison.then_some(Comparison { is_difference, left, right })
    }
}

fn arguments(atom: &FlatAtom, columns: &[usize]) -> Arguments {
    columns.iter().map(|&it| atom.arguments[it]).collect()
}
