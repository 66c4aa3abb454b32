//! Arguments that are demanded for with one constant alone, or with few of many (Schiffel's `line(x)` and `line(o)`): they
//! have no others.
//!
//! ```text
//! (<= (next (cell ?x ?y alive)) (count ?x ?y 0 3))
//! (<= (count ?x ?y ?n ?s) (one_if_alive ?x ?y ?n ?m) (rest ?x ?y ?m ?s))
//! ```
//!
//! Here `count` is demanded for with 0 alone, so its rule becomes one with 0 for `?n`. An argument of a use is that
//! constant itself, or a variable that stands for such an argument of the head. This needs no table: what is demanded
//! follows from the rules, by a least fixpoint from those that every game needs.
//!
//! With several constants a rule becomes several. That is done only where the facts that it looks at have more to give:
//! the nine cells of a block of `sudoku`, given by their first row and column, are demanded for from 1, 4 and 7.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Exceeded};
use smallvec::SmallVec;

use crate::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind};
use crate::ticker::Ticker;
use crate::tuning::{MOST_CONSTANTS, WIDE, WORTH_CONSTANTS};

/// Looking at a literal takes as long as so many steps over a ground rule.
const A_LITERAL: u32 = 8;

/// Constants, none of them twice.
type Constants = SmallVec<[u32; MOST_CONSTANTS]>;

/// By form and column: constants.
type Given = FxHashMap<(FormId, usize), FxHashSet<u32>>;

/// What an argument is used with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Demanded {
    Constants(Constants),
    Any,
}

/// An argument that is used with few constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specialised {
    /// Of a predicate with this form.
    pub form: FormId,
    /// Which one it is.
    pub column: usize,
    /// With which constants.
    pub constants: Vec<u32>,
}

/// What the arguments of all forms are used with.
struct Uses {
    demanded: Vec<Demanded>,
    /// By form: where its columns begin.
    first: Vec<usize>,
    /// By form: whether it is demanded at all.
    is_used: Vec<bool>,
}

/// Gives arguments the few constants that they are demanded for with; rules for others are dropped. What is `fixed` is demanded
/// for with any. Returns the arguments for which rules have changed.
///
/// # Errors
/// A limit that was exceeded; the rules are then as they were.
pub fn specialise(
    flat: &mut FlatProgram,
    forms: &Forms,
    is_fixed: impl Fn(FormId) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Specialised>, Exceeded> {
    let uses = Uses::new(&flat.rules, forms, is_fixed, ticker)?;
    let given = given(flat, forms, &uses);
    let (mut specialised, mut known) = (Vec::new(), FxHashSet::default());
    let mut rules = Vec::with_capacity(flat.rules.len());
    for rule in std::mem::take(&mut flat.rules) {
        if uses.few(&rule.head).next().is_none() {
            rules.push(rule);
            continue;
        }
        let head = rule.head.clone();
        let mut copies = vec![rule];
        for (column, constants) in uses.few(&head) {
            if let Argument::Constant(own) = head.arguments[column] {
                copies.truncate(if constants.contains(&own) { copies.len() } else { 0 });
                continue;
            }
            if constants.len() > 1 && !is_worth_it(&copies, column, constants, &given) {
                continue;
            }
            let one = std::mem::take(&mut copies);
            for &constant in constants {
                copies.extend(one.iter().filter_map(|it| substituted(it, column, constant)));
            }
            if known.insert((head.form, column)) {
                let constants = constants.to_vec();
                specialised.push(Specialised { form: head.form, column, constants });
            }
        }
        rules.append(&mut copies);
    }
    flat.rules = rules;
    Ok(specialised)
}

/// Whether to make a rule, or its copies so far, into one for each of several constants.
fn is_worth_it(copies: &[FlatRule], column: usize, constants: &Constants, given: &Given) -> bool {
    let Some(rule) = copies.first().filter(|_| copies.len() * constants.len() <= MOST_CONSTANTS)
    else {
        return false;
    };
    // Predicates without facts restrict nothing.
    let given = sources(rule, column).filter_map(|it| given.get(&it)).map(FxHashSet::len);
    let fewest = given.filter(|&it| it > 0).min();
    is_wide(rule) && fewest.is_some_and(|it| it >= WORTH_CONSTANTS * constants.len())
}

fn is_wide(rule: &FlatRule) -> bool {
    rule.body.len() >= WIDE
}

/// The constants that facts have in the columns that may show whether several constants are few.
fn given(flat: &FlatProgram, forms: &Forms, uses: &Uses) -> Given {
    let mut given = Given::default();
    for rule in flat.rules.iter().filter(|rule| is_wide(rule)) {
        let several = uses.few(&rule.head).filter(|(_, constants)| constants.len() > 1);
        let sources = several.flat_map(|(column, _)| sources(rule, column));
        given.extend(sources.map(|it| (it, FxHashSet::default())));
    }
    if !given.is_empty() {
        for (form, row) in flat.facts(forms) {
            for (column, &constant) in row.iter().enumerate() {
                given.entry((form, column)).and_modify(|it| _ = it.insert(constant));
            }
        }
    }
    given
}

/// Where a rule's body has the variable that is in a column of its head.
fn sources(rule: &FlatRule, column: usize) -> impl Iterator<Item = (FormId, usize)> {
    let variable = rule.head.arguments[column];
    let atoms = rule.body.iter().filter_map(move |literal| match &literal.kind {
        LiteralKind::Positive(atom) if variable.variable().is_some() => Some(atom),
        _ => None,
    });
    atoms.flat_map(move |atom| {
        let columns = atom.arguments.iter().enumerate().filter(move |it| *it.1 == variable);
        columns.map(|(column, _)| (atom.form, column))
    })
}

impl Demanded {
    fn contains(&self, constant: u32) -> bool {
        match self {
            Demanded::Constants(constants) => constants.contains(&constant),
            Demanded::Any => true,
        }
    }

    /// Adds what is demanded. Returns whether that is new.
    fn add(&mut self, other: &Demanded) -> bool {
        match (&mut *self, other) {
            (Demanded::Any, _) => false,
            (_, Demanded::Any) => {
                *self = Demanded::Any;
                true
            }
            (Demanded::Constants(own), Demanded::Constants(other)) => {
                let before = own.len();
                other.iter().for_each(|it| {
                    if !own.contains(it) {
                        own.push(*it)
                    }
                });
                let is_new = own.len() > before;
                if own.len() > MOST_CONSTANTS {
                    *self = Demanded::Any;
                }
                is_new
            }
        }
    }
}

impl Uses {
    fn new(
        rules: &[FlatRule],
        forms: &Forms,
        is_fixed: impl Fn(FormId) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        let mut uses = Uses { demanded: Vec::new(), first: Vec::new(), is_used: Vec::new() };
        for (form, _) in forms.iter() {
            let is_fixed = is_fixed(form);
            let nothing = Demanded::Constants(Constants::new());
            let demanded = if is_fixed { Demanded::Any } else { nothing };
            uses.first.push(uses.demanded.len());
            uses.is_used.push(is_fixed);
            uses.demanded.extend(std::iter::repeat_n(demanded, forms.columns(form)));
        }
        uses.first.push(uses.demanded.len());
        let by_head = super::by_head(rules, forms.len());
        let is_fixed = |form: &FormId| uses.is_used[form.index()];
        let mut agenda: Vec<FormId> = forms.iter().map(|it| it.0).filter(is_fixed).collect();
        while let Some(form) = agenda.pop() {
            for &number in &by_head[form.index()] {
                let rule = &rules[number as usize];
                // A literal may have many arguments, each used with several constants.
                if !ticker.ticks(A_LITERAL * rule.body.len() as u32) {
                    agenda.clear();
                    break;
                }
                uses.add_demand(rule, &mut agenda);
            }
        }
        ticker.finish()?;
        Ok(uses)
    }

    /// What a form's arguments are used with, by column.
    fn of(&self, form: FormId) -> &[Demanded] {
        &self.demanded[self.first[form.index()]..self.first[form.index() + 1]]
    }

    /// The columns that a head is used with few constants, if it is demanded at all.
    fn few(&self, head: &FlatAtom) -> impl Iterator<Item = (usize, &Constants)> {
        let is_used = self.is_used[head.form.index()];
        let columns = self.of(head.form).iter().enumerate().filter(move |_| is_used);
        columns.filter_map(|(column, demanded)| match demanded {
            Demanded::Constants(constants) => Some((column, constants)),
            Demanded::Any => None,
        })
    }

    /// Whether the head of a rule may be demanded.
    fn concern(&self, head: &FlatAtom) -> bool {
        let fits = |(argument, demanded): (&Argument, &Demanded)| match *argument {
            Argument::Constant(constant) => demanded.contains(constant),
            Argument::Variable(_) => true,
        };
        self.is_used[head.form.index()] && head.arguments.iter().zip(self.of(head.form)).all(fits)
    }

    /// Adds what a rule uses, and the forms of which that is new.
    fn add_demand(&mut self, rule: &FlatRule, new: &mut Vec<FormId>) {
        if !self.concern(&rule.head) {
            return;
        }
        for atom in rule.body.iter().filter_map(FlatLiteral::atom) {
            let mut is_new = !std::mem::replace(&mut self.is_used[atom.form.index()], true);
            for (column, &argument) in atom.arguments.iter().enumerate() {
                let place = self.first[atom.form.index()] + column;
                if self.demanded[place] != Demanded::Any {
                    let demanded = self.by(&rule.head, argument);
                    is_new |= self.demanded[place].add(&demanded);
                }
            }
            if is_new {
                new.push(atom.form);
            }
        }
    }

    /// What an argument of a rule with this head uses.
    fn by(&self, head: &FlatAtom, argument: Argument) -> Demanded {
        let variable = match argument {
            Argument::Constant(constant) => {
                return Demanded::Constants(Constants::from_slice(&[constant]));
            }
            Argument::Variable(_) => argument,
        };
        let own = head.arguments.iter().zip(self.of(head.form));
        let known = own.filter(|&(it, demanded)| *it == variable && *demanded != Demanded::Any);
        known.map(|it| it.1.clone()).next().unwrap_or(Demanded::Any)
    }
}

/// A rule with a constant for an argument of its head, if it can still derive anything.
fn substituted(rule: &FlatRule, column: usize, constant: u32) -> Option<FlatRule> {
    let argument = rule.head.arguments[column];
    if let Argument::Constant(own) = argument {
        // The variable was in another column too.
        return (own == constant).then(|| rule.clone());
    }
    let mut rule = rule.clone();
    let own = arguments(&mut rule).filter(|it| **it == argument);
    own.for_each(|it| *it = Argument::Constant(constant));
    let mut may_apply = true;
    rule.body.retain(|literal| {
        let LiteralKind::Distinct(left, right) = &literal.kind else { return true };
        may_apply &= left != right;
        let is_constant = |it: &Argument| it.variable().is_none();
        let differ = |(left, right)| left != right && is_constant(left) && is_constant(right);
        !left.iter().zip(right).any(differ)
    });
    may_apply.then_some(rule)
}

/// All arguments of a rule.
fn arguments(rule: &mut FlatRule) -> impl Iterator<Item = &mut Argument> {
    let body = rule.body.iter_mut().flat_map(|literal| match &mut literal.kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => {
            atom.arguments.iter_mut().chain([].iter_mut())
        }
        LiteralKind::Distinct(left, right) => left.iter_mut().chain(right.iter_mut()),
    });
    rule.head.arguments.iter_mut().chain(body)
}

#[cfg(test)]
mod tests;
