//! Auxiliary predicates: each is defined once, however many rules use it.

mod passed_on;

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Arguments, Table};

use crate::compact::variables::{for_each_argument, map_arguments, mention, number};
use crate::description::Predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, ShapeId};
use crate::symbols::{Symbols, fresh};
pub(super) use passed_on::PassedOn;

/// The definitions of the auxiliary predicates.
#[derive(Clone, Debug, Default)]
pub struct Auxiliaries {
    by_definition: FxHashMap<Key, FormId>,
    by_alternatives: FxHashMap<Vec<AlternativeKey>, FormId>,
    /// How many predicates there ever were.
    made: usize,
    /// The rules: one a definition, or two if it has nested sets, and one an alternative.
    pub rules: Vec<FlatRule>,
    /// The static predicates that have no rules, with their rows.
    pub tables: Vec<(FormId, Rc<Table>)>,
    /// The predicates whose definitions are dynamic: they are stored.
    pub dynamic: Vec<FormId>,
    /// The steps that were taken, in order.
    pub splits: Vec<Split>,
    /// The rules that were split in two ways.
    pub choices: Vec<Choice>,
    /// What became of auxiliary rules, as far as they were split.
    pub(crate) steps: Vec<RuleSteps>,
}

/// How many there are of what auxiliary predicates are made of.
pub(super) struct Mark {
    forms: usize,
    made: usize,
    rules: usize,
    tables: usize,
    dynamic: usize,
    splits: usize,
    choices: usize,
    steps: usize,
}

/// What became of an auxiliary rule.
#[derive(Clone, Debug)]
pub(crate) struct RuleSteps {
    /// Its position among `rules`.
    pub(crate) rule: usize,
    /// How many instances it was expected to have before it was split.
    pub(crate) expected: f64,
    /// Its steps among `splits`.
    pub(super) steps: Range<usize>,
}

/// A rule that was split in two ways: the one is among the rules that were split, this is the other.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Which of the rules it is.
    pub(super) index: usize,
    /// What is left of the rule in the other way.
    pub(super) other: FlatRule,
    /// The steps of the two ways, among all of them.
    pub(super) steps: [Range<usize>; 2],
}

/// What became of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A part of a rule was split off.
    Split,
    /// A comparison of tuples took the place of a condition.
    Compared,
    /// A rule was taken apart: one for each pair of which one differs.
    TakenApart,
    /// Rules that are alike but for one literal were put together.
    PutTogether,
    /// Counters took the place of things that all differ.
    Counted,
    /// One condition took the place of several.
    Joined,
    /// A rule uses the parts of a move where it used all of it.
    MovesTakenApart,
    /// A part was split off, in which values use what their sets contain.
    Nested,
    /// Rules use a projection of a literal that others use too.
    Shared,
    /// The moves that a rule is not for took the place of those that it is for.
    Complemented,
}

/// A step that made the ground program smaller, or is one of several that did.
///
/// Sizes are estimates: the expected ground rules, each with the number of its literals and two more.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// What was done.
    pub change: Change,
    /// The rule of the description that it was done to, or one of them.
    pub origin: u32,
    /// The others, ascending.
    pub others: Vec<u32>,
    /// The size of the instances before.
    pub before: f64,
    /// The size after, with the instances of auxiliary rules.
    pub after: f64,
}

impl Split {
    /// A step that something was done in to rules from these of the description, of which there is one at least.
    pub(super) fn new(
        change: Change,
        origins: impl IntoIterator<Item = u32>,
        (before, after): (f64, f64),
    ) -> Self {
        let mut origins = origins.into_iter();
        let origin = origins.next().expect("something was done to a rule");
        let mut others: Vec<u32> = origins.filter(|&it| it != origin).collect();
        others.sort_unstable();
        others.dedup();
        Split { change, origin, others, before, after }
    }
}

/// A definition with its variables numbered by first occurrence, the interface first.
pub(super) struct Definition {
    pub(super) body: Vec<FlatLiteral>,
    /// How many columns the predicate has: variables 0 to this.
    pub(super) columns: usize,
    /// The variables of the rule that the columns stand for.
    pub(super) interface: Vec<u32>,
    /// What is passed on from one row to others, besides what the body says.
    pub(super) passed_on: Option<PassedOn>,
}

impl Definition {
    /// The definition of a part of a rule's body; `interface` are the variables it shares with the rest.
    /// Literals are ordered by their names and the functions in their arguments, not by the numbers of their forms, which depend
    /// on how base and input are computed.
    pub(super) fn new(part: &[&FlatLiteral], interface: &[u32], forms: &Forms) -> Self {
        let mut ordered: Vec<&FlatLiteral> = part.to_vec();
        let sign = |literal: &FlatLiteral| match &literal.kind {
            LiteralKind::Positive(_) => 0,
            LiteralKind::Negative(_) => 1,
            LiteralKind::Distinct(..) => 2,
        };
        ordered.sort_by(|one, other| {
            sign(one).cmp(&sign(other)).then_with(|| match (one.atom(), other.atom()) {
                (Some(one), Some(other)) => (one.name.cmp(&other.name))
                    .then_with(|| forms.compare_arguments(one.form, other.form)),
                _ => Ordering::Equal,
            })
        });
        // The columns come in the order in which the body mentions them, so that the same part of another
        // rule gives the same definition.
        let mut mentioned: Vec<u32> = Vec::new();
        for literal in &ordered {
            for_each_argument(&literal.kind, &mut |it| mention(&mut mentioned, it));
        }
        let (mut numbers, inner): (Vec<u32>, Vec<u32>) =
            mentioned.into_iter().partition(|it| interface.contains(it));
        let columns = numbers.len();
        let interface = numbers.clone();
        numbers.extend(inner);
        let rename = |literal: &&FlatLiteral| FlatLiteral {
            kind: map_arguments(&literal.kind, &|it| number(&numbers, it)),
            joined: literal.joined,
            stored: literal.stored,
        };
        Definition {
            body: ordered.iter().map(rename).collect(),
            columns,
            interface,
            passed_on: None,
        }
    }
}

impl Auxiliaries {
    /// The predicate of a definition, if it has one already.
    pub(super) fn find(&self, definition: &Definition) -> Option<FormId> {
        self.by_definition.get(&key(definition)).copied()
    }

    /// The literal that stands for a definition in the rule that it was taken from; and whether its
    /// predicate is new.
    pub(super) fn literal(
        &mut self,
        definition: Definition,
        origin: u32,
        forms: &mut Forms,
        symbols: &mut Symbols,
    ) -> (FlatLiteral, bool) {
        let is_dynamic = definition.body.iter().any(|literal| literal.stored);
        let key = key(&definition);
        let known = self.by_definition.get(&key).copied();
        let form = known.unwrap_or_else(|| {
            let head = self.head(definition.columns, is_dynamic, forms, symbols);
            let form = head.form;
            self.by_definition.insert(key, form);
            let body = definition.body.clone();
            let passed_on = definition.passed_on.as_ref().map(|it| it.rule(&head, origin, forms));
            self.rules.push(FlatRule { head, body, origin, stored: is_dynamic });
            self.rules.extend(passed_on);
            form
        });
        (use_of(form, &definition.interface, is_dynamic, forms), known.is_none())
    }

    /// The predicate with these rules, which are stored, and whether it is new.
    pub(super) fn union(
        &mut self,
        alternatives: Vec<Alternative>,
        forms: &mut Forms,
        symbols: &mut Symbols,
    ) -> (FormId, bool) {
        let keys: Vec<AlternativeKey> = alternatives.iter().map(Alternative::key).collect();
        if let Some(&known) = self.by_alternatives.get(&keys) {
            return (known, false);
        }
        let columns = alternatives.first().map_or(0, |it| it.arguments.len());
        let head = self.head(columns, true, forms, symbols);
        let form = head.form;
        self.by_alternatives.insert(keys, form);
        self.rules.extend(alternatives.into_iter().map(|it| FlatRule {
            head: FlatAtom { arguments: it.arguments, ..head.clone() },
            body: it.body,
            origin: it.origin,
            stored: true,
        }));
        (form, true)
    }

    /// The rows of a predicate that was given.
    pub(super) fn given_rows(&self, form: FormId) -> Option<&Rc<Table>> {
        self.tables.iter().find(|it| it.0 == form).map(|it| &it.1)
    }

    /// The predicate with these rows, and whether it is new.
    pub(super) fn given(
        &mut self,
        table: &Rc<Table>,
        forms: &mut Forms,
        symbols: &mut Symbols,
    ) -> (FormId, bool) {
        if let Some((known, _)) = self.tables.iter().find(|(_, it)| Rc::ptr_eq(it, table)) {
            return (*known, false);
        }
        let form = self.head(table.arity(), false, forms, symbols).form;
        self.tables.push((form, Rc::clone(table)));
        (form, true)
    }

    /// How many predicates there are.
    pub fn predicates(&self) -> usize {
        let defined: FxHashSet<FormId> = self.rules.iter().map(|it| it.head.form).collect();
        defined.len() + self.tables.len()
    }

    /// How far things have come, for [`Auxiliaries::reset`].
    pub(super) fn mark(&self, forms: usize) -> Mark {
        Mark {
            forms,
            made: self.made,
            rules: self.rules.len(),
            tables: self.tables.len(),
            dynamic: self.dynamic.len(),
            splits: self.splits.len(),
            choices: self.choices.len(),
            steps: self.steps.len(),
        }
    }

    /// Takes back all that came after a mark. Nothing that was there before has been changed since.
    pub(super) fn reset(&mut self, mark: &Mark) {
        let is_old = |form: &FormId| form.index() < mark.forms;
        if self.made > mark.made {
            self.by_definition.retain(|_, form| is_old(form));
            self.by_alternatives.retain(|_, form| is_old(form));
        }
        self.made = mark.made;
        self.rules.truncate(mark.rules);
        self.tables.truncate(mark.tables);
        self.dynamic.truncate(mark.dynamic);
        self.splits.truncate(mark.splits);
        self.choices.truncate(mark.choices);
        self.steps.truncate(mark.steps);
    }

    /// Takes back the definitions whose rules come behind so many.
    pub(super) fn take_back(&mut self, rules: usize) {
        let taken: FxHashSet<FormId> = self.rules.drain(rules..).map(|it| it.head.form).collect();
        self.by_definition.retain(|_, form| !taken.contains(form));
        self.by_alternatives.retain(|_, form| !taken.contains(form));
        self.dynamic.retain(|form| !taken.contains(form));
    }

    /// The head of a new predicate.
    fn head(
        &mut self,
        columns: usize,
        is_dynamic: bool,
        forms: &mut Forms,
        symbols: &mut Symbols,
    ) -> FlatAtom {
        self.made += 1;
        let name = fresh(symbols, &format!("aux_{}", self.made));
        let predicate = Predicate { name, arity: columns as u32 };
        let form = forms.intern(predicate, &vec![ShapeId::HOLE; columns]);
        if is_dynamic {
            self.dynamic.push(form);
        }
        let arguments = (0..columns as u32).map(Argument::Variable).collect();
        FlatAtom { form, name, arguments }
    }
}

/// The literal with an auxiliary predicate in a rule that it was made for.
pub(super) fn use_of(
    form: FormId,
    interface: &[u32],
    is_dynamic: bool,
    forms: &Forms,
) -> FlatLiteral {
    let name = forms.form(form).predicate.name;
    let arguments = interface.iter().map(|&it| Argument::Variable(it)).collect();
    let kind = LiteralKind::Positive(FlatAtom { form, name, arguments });
    FlatLiteral { kind, joined: true, stored: is_dynamic }
}

/// One of the rules of an auxiliary predicate.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Alternative {
    /// The arguments of the head.
    pub(super) arguments: Arguments,
    pub(super) body: Vec<FlatLiteral>,
    /// The rule of the description that it comes from.
    pub(super) origin: u32,
}

/// What a rule of an auxiliary predicate says, wherever it is from.
type AlternativeKey = (Arguments, Vec<(LiteralKind, bool)>);

impl Alternative {
    /// This alternative with its variables numbered as they are first mentioned, so that it is the same wherever it is
    /// from.
    pub(super) fn renumbered(&self) -> Alternative {
        let mut mentioned: Vec<u32> = Vec::new();
        let mut visit = |it: Argument| mention(&mut mentioned, it);
        self.arguments.iter().for_each(|&it| visit(it));
        self.body.iter().for_each(|literal| for_each_argument(&literal.kind, &mut visit));
        let renumbered = |literal: &FlatLiteral| FlatLiteral {
            kind: map_arguments(&literal.kind, &|it| number(&mentioned, it)),
            ..literal.clone()
        };
        Alternative {
            arguments: self.arguments.iter().map(|&it| number(&mentioned, it)).collect(),
            body: self.body.iter().map(renumbered).collect(),
            origin: self.origin,
        }
    }

    fn key(&self) -> AlternativeKey {
        let body = self.body.iter().map(|literal| (literal.kind.clone(), literal.stored));
        (self.arguments.clone(), body.collect())
    }
}

/// What a definition is found by: its columns, its literals with whether they are stored, and what is passed on. The same
/// literals may also be a condition, which is not stored.
type Key = (usize, Vec<(LiteralKind, bool)>, Option<PassedOn>);

fn key(definition: &Definition) -> Key {
    let body = definition.body.iter().map(|literal| (literal.kind.clone(), literal.stored));
    (definition.columns, body.collect(), definition.passed_on.clone())
}

#[cfg(test)]
mod tests;
