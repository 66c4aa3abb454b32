//! Predicates that say that two tuples differ, as `different_cells` of many boards: their literals are replaced
//! by what they say, `distinct` on tuples.
//!
//! GDL has no `distinct` on tuples, so games define one: with a rule for each pair of arguments, of which
//! one has to differ, and the same conditions on the arguments in every rule. Its table has the square of the
//! rows that each tuple has, only to be looked up. That one pair or the other differs is that the tuples do; so
//! the conditions and one comparison take the place of each literal. The rules have the same instances.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Arguments};

use crate::compact::comparison::{Comparison, comparison};
use crate::description::Predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind};

/// What a predicate says of its arguments, which are the variables 0, 1, ...
#[derive(Debug, PartialEq)]
struct Meaning {
    /// Positive literals.
    conditions: Vec<FlatLiteral>,
    left: Arguments,
    right: Arguments,
}

/// Replaces literals that say that tuples differ; predicates that are `fixed` stay. Returns their forms.
pub fn unfold_differences(
    flat: &mut FlatProgram,
    forms: &Forms,
    is_fixed: impl Fn(Predicate) -> bool,
) -> Vec<FormId> {
    let meanings = meanings(flat, forms, is_fixed);
    if meanings.is_empty() {
        return Vec::new();
    }
    flat.rules
        .retain_mut(|rule| !meanings.contains_key(&rule.head.form) && unfold(rule, &meanings));
    let mut found: Vec<FormId> = meanings.into_keys().collect();
    found.sort_unstable();
    found
}

/// The predicates that say that tuples differ and are never negated.
fn meanings(
    flat: &FlatProgram,
    forms: &Forms,
    is_fixed: impl Fn(Predicate) -> bool,
) -> FxHashMap<FormId, Meaning> {
    let mut meanings: FxHashMap<FormId, Meaning> = FxHashMap::default();
    let mut out: FxHashSet<FormId> = FxHashSet::default();
    for rule in &flat.rules {
        let form = rule.head.form;
        let has_difference =
            || rule.body.iter().any(|it| matches!(it.kind, LiteralKind::Distinct(..)));
        if rule.stored || out.contains(&form) {
            continue;
        }
        let meaning = if has_difference() && !is_fixed(forms.form(form).predicate) {
            meaning(rule)
        } else {
            None
        };
        match (meaning, meanings.get_mut(&form)) {
            (Some(meaning), None) => {
                meanings.insert(form, meaning);
            }
            (Some(meaning), Some(known)) if same_set(&meaning.conditions, &known.conditions) => {
                known.left.extend(meaning.left);
                known.right.extend(meaning.right);
            }
            _ => {
                meanings.remove(&form);
                out.insert(form);
            }
        }
    }
    if meanings.is_empty() {
        return meanings;
    }
    flat.facts(forms).for_each(|(form, _)| _ = meanings.remove(&form));
    for literal in flat.rules.iter().flat_map(|rule| &rule.body) {
        if let LiteralKind::Negative(atom) = &literal.kind {
            meanings.remove(&atom.form);
        }
    }
    // No predicate is defined by another that goes as well.
    let of_conditions = |meaning: &Meaning| {
        meaning.conditions.iter().filter_map(FlatLiteral::form).collect::<Vec<_>>()
    };
    let below: FxHashSet<FormId> = meanings.values().flat_map(of_conditions).collect();
    meanings.retain(|form, _| !below.contains(form));
    meanings
}

fn same_set(one: &[FlatLiteral], other: &[FlatLiteral]) -> bool {
    one.iter().all(|it| other.contains(it)) && other.iter().all(|it| one.contains(it))
}

/// What a rule says if it says that two tuples differ: its head has different variables, which are all that
/// there are, and it has one comparison.
fn meaning(rule: &FlatRule) -> Option<Meaning> {
    let mut places: FxHashMap<Argument, Argument> = FxHashMap::default();
    for (place, argument) in (0..).zip(&rule.head.arguments) {
        argument.variable()?;
        if places.insert(*argument, Argument::Variable(place)).is_some() {
            return None;
        }
    }
    let renamed = |arguments: &[Argument]| -> Option<Arguments> {
        let place = |it: &Argument| match it {
            Argument::Variable(_) => places.get(it).copied(),
            Argument::Constant(_) => Some(*it),
        };
        arguments.iter().map(place).collect()
    };
    let mut conditions: Vec<FlatLiteral> = Vec::new();
    let mut difference = None;
    for literal in &rule.body {
        match &literal.kind {
            LiteralKind::Positive(atom) => {
                let arguments = renamed(&atom.arguments)?;
                let kind = LiteralKind::Positive(FlatAtom { arguments, ..atom.clone() });
                let condition = FlatLiteral { kind, ..literal.clone() };
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
            LiteralKind::Distinct(left, right) if difference.is_none() => {
                difference = Some((renamed(left)?, renamed(right)?));
            }
            LiteralKind::Distinct(..) | LiteralKind::Negative(_) => return None,
        }
    }
    let (left, right) = difference?;
    Some(Meaning { conditions, left, right })
}

/// Replaces the literals of a rule. Returns whether the rule can still apply.
fn unfold(rule: &mut FlatRule, meanings: &FxHashMap<FormId, Meaning>) -> bool {
    // No literal with such a predicate is negated.
    let meaning = |literal: &FlatLiteral| meanings.get(&literal.form()?);
    if !rule.body.iter().any(|literal| meaning(literal).is_some()) {
        return true;
    }
    let before = std::mem::take(&mut rule.body);
    for literal in before {
        let (Some(meaning), Some(own)) = (meaning(&literal), literal.atom()) else {
            rule.body.push(literal);
            continue;
        };
        let value = |it: &Argument| match it {
            Argument::Variable(place) => own.arguments[*place as usize],
            Argument::Constant(_) => *it,
        };
        for condition in &meaning.conditions {
            let mut condition = condition.clone();
            if let LiteralKind::Positive(atom) = &mut condition.kind {
                atom.arguments.iter_mut().for_each(|it| *it = value(it));
            }
            if !rule.body.contains(&condition) {
                rule.body.push(condition);
            }
        }
        let pairs = meaning.left.iter().map(value).zip(meaning.right.iter().map(value));
        match comparison(pairs) {
            Comparison::Never => return false,
            Comparison::Always => {}
            Comparison::Open(kind) => rule.body.push(FlatLiteral { kind, ..literal }),
        }
    }
    true
}

#[cfg(test)]
mod tests;
