//! Auxiliary predicates: each is defined once, however many rules use it.

use std::cmp::Ordering;
use std::rc::Rc;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Argument, Arguments, Table};

use crate::compact::unfolding::{for_each_argument, map_arguments, mention, number};
use crate::description::Predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, ShapeId};
use crate::options::PassId;
use crate::symbols::{Symbol, Symbols, fresh};

/// Auxiliary predicates, with all that was made for them.
#[derive(Clone, Debug, Default)]
pub struct Auxiliaries {
    /// The predicates, in the order of their numbers.
    pub(super) predicates: Vec<AuxiliaryPredicate>,
    pub(super) by_definition: FxHashMap<DefinitionKey, FormId>,
    pub(super) by_alternatives: FxHashMap<Vec<AlternativeKey>, FormId>,
    /// The rules: one a definition, or two if it has nested sets, and one an alternative.
    pub rules: Vec<FlatRule>,
    /// The static predicates that have no rules, with their rows.
    pub tables: Vec<(FormId, Rc<Table>)>,
    /// The predicates whose definitions are dynamic: they are stored.
    pub dynamic: Vec<FormId>,
    /// The steps that were taken, in order.
    pub splits: Vec<Split>,
}

/// An auxiliary predicate.
#[derive(Clone, Debug)]
pub(super) struct AuxiliaryPredicate {
    pub(super) columns: usize,
    /// How large it is expected to be.
    pub(super) measure: Rc<Measure>,
    /// Whether it says no more than what moves are made.
    pub(super) is_about_moves: bool,
}

/// What became of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A part of a rule was split off.
    Split,
    /// A rule was taken apart: one for each pair of which one differs.
    TakenApart,
    /// Rules that are alike but for one literal were put together.
    PutTogether,
    /// Counters took the place of things that all differ.
    Counted,
    /// A rule uses the parts of a move where it used all of it.
    MovesTakenApart,
    /// A part was split off, in which values use what their sets contain.
    Nested,
    /// The moves that a rule is not for took the place of those that it is for.
    Complemented,
}

/// A step that made the ground program smaller, or is one of several that did.
///
/// Sizes are estimates: the expected ground rules, each with the number of its literals and two more.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The pass that did it.
    pub pass: PassId,
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
        (pass, change): (PassId, Change),
        origins: impl IntoIterator<Item = u32>,
        (before, after): (f64, f64),
    ) -> Self {
        let mut origins = origins.into_iter();
        let origin = origins.next().expect("something was done to a rule");
        let mut others: Vec<u32> = origins.filter(|&it| it != origin).collect();
        others.sort_unstable();
        others.dedup();
        Split { pass, change, origin, others, before, after }
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
    /// What it is found by.
    pub(super) fn key(&self) -> DefinitionKey {
        let body = self.body.iter().map(|literal| (literal.kind.clone(), literal.stored));
        (self.columns, body.collect(), self.passed_on.clone())
    }

    /// The definition of a part of a rule's body; `interface` are the variables it shares with the rest.
    /// Literals are ordered by their names and the functions in their arguments, not by the numbers of their forms, which depend
    /// on how base and input are computed; those of auxiliary predicates, which have one name and forms from
    /// `first_auxiliary` on, by their numbers.
    pub(super) fn new(
        part: &[&FlatLiteral],
        interface: &[u32],
        forms: &Forms,
        first_auxiliary: usize,
    ) -> Self {
        let mut ordered: Vec<&FlatLiteral> = part.to_vec();
        let sign = |literal: &FlatLiteral| match &literal.kind {
            LiteralKind::Positive(_) => 0,
            LiteralKind::Negative(_) => 1,
            LiteralKind::Distinct(..) => 2,
        };
        let is_auxiliary = |atom: &FlatAtom| atom.form.index() >= first_auxiliary;
        ordered.sort_by(|one, other| {
            sign(one).cmp(&sign(other)).then_with(|| match (one.atom(), other.atom()) {
                (Some(one), Some(other)) if is_auxiliary(one) && is_auxiliary(other) => {
                    one.form.cmp(&other.form)
                }
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
    /// How many predicates there are.
    pub fn predicates(&self) -> usize {
        let defined: FxHashSet<FormId> = self.rules.iter().map(|rule| rule.head.form).collect();
        defined.len() + self.tables.len()
    }

    /// Adds what was made after all that is here.
    pub(super) fn append(&mut self, mut later: Auxiliaries) {
        self.predicates.append(&mut later.predicates);
        self.by_definition.extend(later.by_definition);
        self.by_alternatives.extend(later.by_alternatives);
        self.rules.append(&mut later.rules);
        self.tables.append(&mut later.tables);
        self.dynamic.append(&mut later.dynamic);
        self.splits.append(&mut later.splits);
    }

    /// Gives the predicates forms and names, as far as they have none; `first` is the form of the first.
    pub(crate) fn intern(&self, first: usize, forms: &mut Forms, symbols: &mut Symbols) {
        for number in forms.len() - first..self.predicates.len() {
            let columns = self.predicates[number].columns;
            let name = fresh(symbols, &format!("aux_{}", number + 1));
            let predicate = Predicate { name, arity: columns as u32 };
            let form = forms.intern(predicate, &vec![ShapeId::HOLE; columns]);
            debug_assert_eq!(form.index(), first + number, "predicates have numbers in order");
        }
    }

    /// Writes the names of the predicates into rules, and into those of the predicates.
    pub(crate) fn name(&mut self, rules: &mut [FlatRule], forms: &Forms) {
        let auxiliary: FxHashSet<FormId> = self
            .rules
            .iter()
            .map(|rule| rule.head.form)
            .chain(self.tables.iter().map(|it| it.0))
            .collect();
        for rule in rules.iter_mut().chain(&mut self.rules) {
            let of_body = rule.body.iter_mut().filter_map(|literal| match &mut literal.kind {
                LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => Some(atom),
                LiteralKind::Distinct(..) => None,
            });
            for atom in of_body.chain([&mut rule.head]) {
                if auxiliary.contains(&atom.form) {
                    atom.name = forms.form(atom.form).predicate.name;
                }
            }
        }
    }
}

/// The literal with an auxiliary predicate in a rule that it was made for.
pub(super) fn use_of(
    form: FormId,
    name: Symbol,
    interface: &[u32],
    is_dynamic: bool,
) -> FlatLiteral {
    let arguments = interface.iter().map(|&variable| Argument::Variable(variable)).collect();
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

    pub(super) fn key(&self) -> AlternativeKey {
        let body = self.body.iter().map(|literal| (literal.kind.clone(), literal.stored));
        (self.arguments.clone(), body.collect())
    }
}

/// What a definition is found by: its columns, its literals with whether they are stored, and what is passed on. The same
/// literals may also be a condition, which is not stored.
type DefinitionKey = (usize, Vec<(LiteralKind, bool)>, Option<PassedOn>);

/// What the rows of an auxiliary predicate hand to each other: what holds for a key holds for the keys that contain it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PassedOn {
    /// The static predicate of pairs of keys: the first contains the second.
    pub(super) contained: FormId,
    /// By column of the auxiliary predicate: which part of the key it has, if it has one.
    pub(super) of_keys: Vec<Option<usize>>,
}

impl PassedOn {
    /// The rule that says so of the predicate with this atom.
    pub(super) fn rule(&self, atom: &FlatAtom, origin: u32) -> FlatRule {
        let columns = self.of_keys.len() as u32;
        let head: Arguments = (0..columns).map(Argument::Variable).collect();
        let keys = self.of_keys.iter().flatten().count();
        let mut pair: Vec<u32> = vec![0; 2 * keys];
        let mut of_contained = head.clone();
        for (column, key) in (0..columns).zip(&self.of_keys) {
            let Some(key) = *key else { continue };
            let other = columns + key as u32;
            (pair[key], pair[keys + key]) = (column, other);
            of_contained[column as usize] = Argument::Variable(other);
        }
        let kind = LiteralKind::Positive(FlatAtom { arguments: of_contained, ..atom.clone() });
        let contained = use_of(self.contained, atom.name, &pair, false);
        FlatRule {
            head: FlatAtom { arguments: head, ..atom.clone() },
            body: vec![contained, FlatLiteral { kind, joined: true, stored: true }],
            origin,
            stored: true,
        }
    }
}
