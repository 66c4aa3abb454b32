//! Arguments that are used with a part of their range.
//!
//! ```text
//! (<= (next (mark ?x ?y)) (true (mark ?u ?v)) (near ?u ?v ?x ?y) (file ?x) (rank ?y))
//! (<= (near ?u ?v ?x ?y) (beside ?u ?x) (beside ?v ?y))
//! (<= (beside ?a ?b) (or (succ ?a ?b) (succ ?b ?a)))
//! ```
//!
//! If `succ` counts the steps of the game as well, `near` has a row for all pairs of neighbours among a hundred numbers;
//! those on the board are demanded. The *range* of an argument are the constants that it can have. Taking each argument
//! alone, that follows from the rules without any table: a variable has no constants but those in the ranges of all
//! arguments where it occurs in positive literals of the body. A use needs these alone, and for no others than the head is
//! demanded. Both are least fixpoints, one from the facts, one from what every game needs. A rule whose head is
//! used with less than its range gets a condition for each such argument.

mod sets;

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Arguments, Exceeded};

use super::by_head;
use crate::description::Predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, ShapeId};
use crate::symbols::{Symbols, fresh};
use crate::ticker::Ticker;
use crate::tuning::{MANY_ROWS, MOST_WORDS, SMALL_RANGE};
use sets::{RangeSets, Variables, common, size};

/// An argument that is used with a part of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowed {
    /// Of a predicate with this form.
    pub form: FormId,
    /// Which one it is.
    pub column: usize,
    /// A new predicate, which holds for the constants that are demanded.
    pub demanded: FormId,
    /// How many there are.
    pub constants: usize,
    /// How many it can have.
    pub range: usize,
}

/// What narrowing has made of rules.
#[derive(Debug, Default)]
pub struct Narrowing {
    /// The arguments for which rules have changed.
    pub arguments: Vec<Narrowed>,
    /// Facts about the new predicates.
    pub facts: Vec<(FormId, u32)>,
}

/// The ranges of all arguments, and what they are used with.
#[derive(Debug)]
pub struct Ranges<'rules> {
    rules: &'rules [FlatRule],
    possible: RangeSets,
    demanded: RangeSets,
    /// By form: whether there may be a row, and whether it is demanded at all.
    holds: Vec<bool>,
    is_used: Vec<bool>,
    /// By form: whether it is used with any constants.
    is_fixed: Vec<bool>,
}

impl<'rules> Ranges<'rules> {
    /// Finds the ranges that follow from rules and facts over so many constants. What is fixed is used with any.
    /// `None` if there are too many of them.
    ///
    /// # Errors
    /// A limit that was exceeded.
    pub fn new<'facts>(
        rules: &'rules [FlatRule],
        facts: impl Iterator<Item = (FormId, &'facts [u32])>,
        forms: &Forms,
        constants: usize,
        is_fixed: impl Fn(FormId) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Option<Self>, Exceeded> {
        let words = constants.div_ceil(64).max(1);
        let columns: usize = forms.iter().map(|(form, _)| forms.columns(form)).sum();
        if columns.saturating_mul(words) > MOST_WORDS {
            return Ok(None);
        }
        let is_fixed: Vec<bool> = forms.iter().map(|(form, _)| is_fixed(form)).collect();
        let (possible, demanded) = (RangeSets::new(forms, words), RangeSets::new(forms, words));
        let (holds, is_used) = (vec![false; forms.len()], is_fixed.clone());
        let mut ranges = Ranges { rules, possible, demanded, holds, is_used, is_fixed };
        for (form, row) in facts {
            ranges.holds[form.index()] = true;
            for (column, &constant) in row.iter().enumerate() {
                ranges.possible.add_one(form, column, constant);
            }
        }
        ranges.derive(forms, ticker);
        ranges.propagate_demand(forms, ticker);
        ticker.finish()?;
        Ok(Some(ranges))
    }

    /// Whether a predicate that may have many rows is used with a small part of what its arguments can be.
    pub fn are_worth_it(&self) -> bool {
        let heads = self.rules.iter().map(|rule| rule.head.form);
        let mut open = heads.filter(|it| !self.is_fixed[it.index()]);
        open.any(|form| {
            let columns = self.demanded.columns(form).zip(self.possible.columns(form));
            let (demanded, possible) = columns.fold((1.0, 1.0), |all, (demanded, possible)| {
                let common = size(common(demanded, possible)) as f64;
                (all.0 * common, all.1 * size(possible.iter().copied()) as f64)
            });
            possible >= MANY_ROWS && demanded <= SMALL_RANGE * possible
        })
    }

    /// Completes the ranges.
    fn derive(&mut self, forms: &Forms, ticker: &mut Ticker<'_>) {
        let mut by_body: Vec<Vec<u32>> = vec![Vec::new(); forms.len()];
        for (number, rule) in (0..).zip(self.rules) {
            positive(rule).for_each(|atom| by_body[atom.form.index()].push(number));
        }
        let mut variables = Variables::new(self.possible.words);
        let mut agenda: Vec<u32> = (0..self.rules.len() as u32).rev().collect();
        let mut waits = vec![true; self.rules.len()];
        while let Some(number) = agenda.pop() {
            waits[number as usize] = false;
            let rule = &self.rules[number as usize];
            if !ticker.ticks(self.effort(rule)) {
                return;
            }
            if !self.may_apply(rule) {
                continue;
            }
            variables.clear();
            positive(rule).for_each(|atom| variables.bind_all(atom, &self.possible));
            if variables.are_possible() && self.add_row(&rule.head, &variables) {
                for &user in &by_body[rule.head.form.index()] {
                    if !std::mem::replace(&mut waits[user as usize], true) {
                        agenda.push(user);
                    }
                }
            }
        }
    }

    /// How many steps looking at a rule takes, more or less.
    fn effort(&self, rule: &FlatRule) -> u32 {
        let arguments: usize = positive(rule).map(|it| it.arguments.len()).sum();
        (1 + arguments * self.possible.words / 8) as u32
    }

    /// Whether the positive literals of a rule may hold, their variables left out of account.
    fn may_apply(&self, rule: &FlatRule) -> bool {
        positive(rule).all(|atom| {
            let mut arguments = atom.arguments.iter().enumerate();
            let fits = |(column, argument): (usize, &Argument)| match *argument {
                Argument::Constant(it) => self.possible.contain(atom.form, column, it),
                Argument::Variable(_) => true,
            };
            self.holds[atom.form.index()] && arguments.all(fits)
        })
    }

    /// Adds what a head can be. Returns whether that is new.
    fn add_row(&mut self, head: &FlatAtom, variables: &Variables) -> bool {
        let mut is_new = !std::mem::replace(&mut self.holds[head.form.index()], true);
        for (column, argument) in head.arguments.iter().enumerate() {
            is_new |= match *argument {
                Argument::Constant(it) => self.possible.add_one(head.form, column, it),
                Argument::Variable(it) => {
                    let constants = variables.of(it).expect("a positive literal binds it");
                    self.possible.add(head.form, column, constants)
                }
            };
        }
        is_new
    }

    /// Finds out what is demanded, beginning with what is fixed.
    fn propagate_demand(&mut self, forms: &Forms, ticker: &mut Ticker<'_>) {
        let by_head = by_head(self.rules, forms.len());
        let fixed = forms.iter().map(|it| it.0).filter(|it| self.is_fixed[it.index()]);
        let mut agenda: Vec<FormId> = fixed.collect();
        for &form in &agenda {
            for (column, possible) in self.possible.columns(form).enumerate() {
                self.demanded.add(form, column, possible);
            }
        }
        let mut waits = self.is_fixed.clone();
        let mut variables = Variables::new(self.possible.words);
        while let Some(form) = agenda.pop() {
            waits[form.index()] = false;
            for &number in &by_head[form.index()] {
                let rule = &self.rules[number as usize];
                if !ticker.ticks(self.effort(rule)) {
                    return;
                }
                variables.clear();
                variables.bind_all(&rule.head, &self.demanded);
                positive(rule).for_each(|atom| variables.bind_all(atom, &self.possible));
                for atom in rule.body.iter().filter_map(FlatLiteral::atom) {
                    let is_new = self.add_demand(atom, &variables);
                    if is_new && !std::mem::replace(&mut waits[atom.form.index()], true) {
                        agenda.push(atom.form);
                    }
                }
            }
        }
    }

    /// Adds what an atom uses. Returns whether that is new.
    fn add_demand(&mut self, atom: &FlatAtom, variables: &Variables) -> bool {
        let mut is_new = !std::mem::replace(&mut self.is_used[atom.form.index()], true);
        for (column, argument) in atom.arguments.iter().enumerate() {
            is_new |= match *argument {
                Argument::Constant(it) => self.demanded.add_one(atom.form, column, it),
                Argument::Variable(it) => {
                    let any = || self.possible.of(atom.form, column);
                    let constants = variables.of(it).unwrap_or_else(any);
                    self.demanded.add(atom.form, column, constants)
                }
            };
        }
        is_new
    }

    /// The columns of a form that are used with a part of their range.
    fn narrow_columns(&self, form: FormId) -> impl Iterator<Item = usize> {
        let columns = self.demanded.columns(form).zip(self.possible.columns(form)).enumerate();
        let is_narrow = |(demanded, possible): (&[u64], &[u64])| {
            demanded.iter().zip(possible).any(|(demanded, possible)| possible & !demanded != 0)
        };
        let is_open = !self.is_fixed[form.index()] && self.is_used[form.index()];
        columns.filter(move |&(_, sets)| is_open && is_narrow(sets)).map(|it| it.0)
    }

    /// The rules, their heads restricted to what is demanded.
    pub fn narrow(&self, forms: &mut Forms, symbols: &mut Symbols) -> (Vec<FlatRule>, Narrowing) {
        let mut conditions = Conditions::new(self, forms, symbols);
        let mut rules = Vec::with_capacity(self.rules.len());
        for rule in self.rules {
            let FlatAtom { form, arguments, .. } = &rule.head;
            let is_demanded = |column: &usize| match arguments[*column] {
                Argument::Constant(it) => self.demanded.contain(*form, *column, it),
                Argument::Variable(_) => true,
            };
            if !self.narrow_columns(*form).all(|it| is_demanded(&it)) {
                continue;
            }
            let mut restricted = rule.clone();
            for column in self.narrow_columns(*form) {
                if let Argument::Variable(_) = arguments[column] {
                    let predicate = conditions.predicate(*form, column);
                    let atom = FlatAtom {
                        arguments: Arguments::from_iter([arguments[column]]),
                        ..predicate
                    };
                    let kind = LiteralKind::Positive(atom);
                    restricted.body.push(FlatLiteral { kind, joined: true, stored: false });
                }
            }
            rules.push(restricted);
        }
        (rules, conditions.narrowing)
    }
}

/// The predicates that say what is demanded.
struct Conditions<'run, 'rules> {
    ranges: &'run Ranges<'rules>,
    forms: &'run mut Forms,
    symbols: &'run mut Symbols,
    /// By set of constants: many arguments are used with the same.
    by_set: FxHashMap<Vec<u64>, FlatAtom>,
    by_argument: FxHashMap<(FormId, usize), FlatAtom>,
    narrowing: Narrowing,
}

impl<'run, 'rules> Conditions<'run, 'rules> {
    fn new(
        ranges: &'run Ranges<'rules>,
        forms: &'run mut Forms,
        symbols: &'run mut Symbols,
    ) -> Self {
        let (by_set, by_argument) = (FxHashMap::default(), FxHashMap::default());
        Conditions { ranges, forms, symbols, by_set, by_argument, narrowing: Narrowing::default() }
    }

    /// The predicate that says what an argument is used with, without its own argument.
    fn predicate(&mut self, form: FormId, column: usize) -> FlatAtom {
        if let Some(known) = self.by_argument.get(&(form, column)) {
            return known.clone();
        }
        let possible = self.ranges.possible.of(form, column);
        let set: Vec<u64> = common(self.ranges.demanded.of(form, column), possible).collect();
        let (constants, range) = (size(set.iter().copied()), size(possible.iter().copied()));
        let (forms, symbols) = (&mut *self.forms, &mut *self.symbols);
        let facts = &mut self.narrowing.facts;
        let predicate = self.by_set.entry(set).or_insert_with_key(|set| {
            let name = fresh(symbols, "needed");
            let form = forms.intern(Predicate { name, arity: 1 }, &[ShapeId::HOLE]);
            facts.extend(sets::constants(set).map(|it| (form, it)));
            FlatAtom { form, name, arguments: Arguments::new() }
        });
        let demanded = predicate.form;
        self.narrowing.arguments.push(Narrowed { form, column, demanded, constants, range });
        self.by_argument.insert((form, column), predicate.clone());
        predicate.clone()
    }
}

/// What a rule joins positively.
fn positive(rule: &FlatRule) -> impl Iterator<Item = &FlatAtom> {
    rule.body.iter().filter(|it| it.joined).filter_map(|literal| match &literal.kind {
        LiteralKind::Positive(atom) => Some(atom),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
