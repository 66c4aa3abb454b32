//! Auxiliary predicates: each is defined once, however many rules use it.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;

use crate::description::Predicate;
use crate::rewrite::base_input_renaming::fresh;
use crate::rewrite::sentence_forms::{
    FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, ShapeId,
};
use crate::symbols::Symbols;

/// The definitions of the auxiliary predicates.
#[derive(Debug, Default)]
pub struct Auxiliaries {
    by_definition: FxHashMap<(usize, Vec<LiteralKind>), FormId>,
    /// The rules, one a predicate.
    pub rules: Vec<FlatRule>,
    /// The predicates whose definitions are dynamic: they are stored.
    pub dynamic: Vec<FormId>,
    /// The steps that were taken, in order.
    pub splits: Vec<Split>,
}

/// A rule that was split.
///
/// Sizes are estimates: the expected ground rules, each with the number of its literals and two more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The rule of the description that it comes from.
    pub origin: u32,
    /// The size of its instances before.
    pub before: f64,
    /// The size after, with the instances of the auxiliary rule.
    pub after: f64,
}

/// A definition with its variables numbered by first occurrence, the interface first.
pub(super) struct Definition {
    pub(super) body: Vec<FlatLiteral>,
    /// How many columns the predicate has: variables 0 to this.
    pub(super) columns: usize,
    /// The variables of the rule that the columns stand for.
    pub(super) interface: Vec<u32>,
}

impl Definition {
    /// The definition of a part of a rule's body; `interface` are the variables it shares with the rest.
    pub(super) fn new(part: &[&FlatLiteral], interface: &[u32]) -> Self {
        let mut ordered: Vec<&FlatLiteral> = part.to_vec();
        ordered.sort_by_key(|literal| match &literal.kind {
            LiteralKind::Positive(atom) => (0, atom.form.0),
            LiteralKind::Negative(atom) => (1, atom.form.0),
            LiteralKind::Distinct(..) => (2, 0),
        });
        // The columns come in the order in which the body mentions them, so that the same part of another
        // rule gives the same definition.
        let mut mentioned: Vec<u32> = Vec::new();
        for literal in &ordered {
            for_each_argument(&literal.kind, &mut |argument| {
                mentioned.extend(argument.variable().filter(|it| !mentioned.contains(it)));
            });
        }
        let (mut numbers, inner): (Vec<u32>, Vec<u32>) =
            mentioned.into_iter().partition(|it| interface.contains(it));
        let columns = numbers.len();
        let interface = numbers.clone();
        numbers.extend(inner);
        let number = |argument: Argument| match argument {
            Argument::Variable(variable) => {
                let position = numbers.iter().position(|&it| it == variable);
                Argument::Variable(position.expect("every variable is mentioned") as u32)
            }
            constant => constant,
        };
        let rename = |literal: &&FlatLiteral| FlatLiteral {
            kind: map_arguments(&literal.kind, &number),
            joined: literal.joined,
            stored: literal.stored,
        };
        Definition { body: ordered.iter().map(rename).collect(), columns, interface }
    }
}

impl Auxiliaries {
    /// Whether a definition has a predicate already.
    pub(super) fn contains(&self, definition: &Definition) -> bool {
        self.by_definition.contains_key(&key(definition))
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
            let name = fresh(symbols, &format!("aux_{}", self.rules.len() + 1));
            let predicate = Predicate { name, arity: definition.columns as u32 };
            let form = forms.intern(predicate, &vec![ShapeId::HOLE; definition.columns]);
            self.by_definition.insert(key, form);
            if is_dynamic {
                self.dynamic.push(form);
            }
            let columns = (0..definition.columns as u32).map(Argument::Variable).collect();
            let head = FlatAtom { form, name, arguments: columns };
            let body = definition.body.clone();
            self.rules.push(FlatRule { head, body, origin, stored: is_dynamic });
            form
        });
        let name = forms.form(form).predicate.name;
        let arguments = definition.interface.iter().map(|&it| Argument::Variable(it)).collect();
        let kind = LiteralKind::Positive(FlatAtom { form, name, arguments });
        (FlatLiteral { kind, joined: true, stored: is_dynamic }, known.is_none())
    }
}

fn key(definition: &Definition) -> (usize, Vec<LiteralKind>) {
    let body = definition.body.iter().map(|literal| literal.kind.clone());
    (definition.columns, body.collect())
}

fn for_each_argument(kind: &LiteralKind, visit: &mut impl FnMut(Argument)) {
    match kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => {
            atom.arguments.iter().for_each(|&it| visit(it));
        }
        LiteralKind::Distinct(left, right) => left.iter().chain(right).for_each(|&it| visit(it)),
    }
}

pub(super) fn map_arguments(
    kind: &LiteralKind,
    map: &impl Fn(Argument) -> Argument,
) -> LiteralKind {
    let all = |arguments: &[Argument]| arguments.iter().map(|&it| map(it)).collect();
    let atom = |atom: &FlatAtom| FlatAtom { arguments: all(&atom.arguments), ..atom.clone() };
    match kind {
        LiteralKind::Positive(it) => LiteralKind::Positive(atom(it)),
        LiteralKind::Negative(it) => LiteralKind::Negative(atom(it)),
        LiteralKind::Distinct(left, right) => LiteralKind::Distinct(all(left), all(right)),
    }
}
