//! Static predicates that say that two tuples differ, as `different_cells` of many boards: their literals are replaced by what they
//! say, `distinct` on tuples.
//!
//! GDL has no `distinct` on tuples, so games define one: with a rule for each pair of arguments, of which one has to differ, and the
//! same conditions on the arguments in every rule. Its table has the square of the rows that each tuple has, only to be looked up.
//! The conditions and one comparison take the place of each literal; the rules have the same instances.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Arguments};

use crate::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind};

/// What a predicate says of its arguments, which are the variables 0, 1, ...
struct Meaning {
    /// Positive literals.
    conditions: Vec<FlatLiteral>,
    left: Arguments,
    right: Arguments,
}

/// Replaces literals of candidates that say that tuples differ.
pub fn unfold(flat: &mut FlatProgram, forms: &Forms, is_candidate: impl Fn(FormId) -> bool) {
    let meanings = meanings(flat, forms, is_candidate);
    if !meanings.is_empty() {
        flat.rules.retain_mut(|rule| {
            !meanings.contains_key(&rule.head.form) && unfold_in(rule, &meanings)
        });
    }
}

/// The candidates that say that tuples differ and are never negated.
fn meanings(
    flat: &FlatProgram,
    forms: &Forms,
    is_candidate: impl Fn(FormId) -> bool,
) -> FxHashMap<FormId, Meaning> {
    let mut out: FxHashSet<FormId> = flat.facts(forms).map(|it| it.0).collect();
    for literal in flat.rules.iter().flat_map(|rule| &rule.body) {
        if let LiteralKind::Negative(atom) = &literal.kind {
            out.insert(atom.form);
        }
    }
    let mut meanings: FxHashMap<FormId, Meaning> = FxHashMap::default();
    for rule in &flat.rules {
        let form = rule.head.form;
        if rule.stored || out.contains(&form) || !is_candidate(form) {
            continue;
        }
        match (meaning(rule), meanings.get_mut(&form)) {
            (Some(meaning), None) => _ = meanings.insert(form, meaning),
            (Some(meaning), Some(all)) if are_same(&meaning.conditions, &all.conditions) => {
                all.left.extend(meaning.left);
                all.right.extend(meaning.right);
            }
            _ => {
                meanings.remove(&form);
                out.insert(form);
            }
        }
    }
    // A table that compares one pair, as that of an order, says more than that it differs.
    meanings.retain(|_, meaning| meaning.left.len() > 1);
    // No predicate is defined by another that goes as well.
    let conditions = meanings.values().flat_map(|it| &it.conditions);
    let below: FxHashSet<FormId> = conditions.filter_map(FlatLiteral::form).collect();
    meanings.retain(|form, _| !below.contains(form));
    meanings
}

fn are_same(one: &[FlatLiteral], other: &[FlatLiteral]) -> bool {
    one.iter().all(|it| other.contains(it)) && other.iter().all(|it| one.contains(it))
}

/// What a rule says if it says that two tuples differ: its head has different variables, which are all that there are, and it has
/// one comparison.
fn meaning(rule: &FlatRule) -> Option<Meaning> {
    let is_comparison = |it: &&FlatLiteral| matches!(it.kind, LiteralKind::Distinct(..));
    if rule.body.iter().filter(is_comparison).count() != 1 {
        return None;
    }
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
    let mut compared = None;
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
            LiteralKind::Distinct(left, right) => {
                compared = Some((renamed(left)?, renamed(right)?))
            }
            LiteralKind::Negative(_) => return None,
        }
    }
    let (left, right) = compared?;
    Some(Meaning { conditions, left, right })
}

/// Replaces the literals of a rule. Returns whether the rule can still apply.
fn unfold_in(rule: &mut FlatRule, meanings: &FxHashMap<FormId, Meaning>) -> bool {
    let meaning = |literal: &FlatLiteral| meanings.get(&literal.form()?);
    if rule.body.iter().all(|literal| meaning(literal).is_none()) {
        return true;
    }
    for literal in std::mem::take(&mut rule.body) {
        let (Some(meaning), Some(atom)) = (meaning(&literal), literal.atom()) else {
            rule.body.push(literal);
            continue;
        };
        let value = |it: &Argument| match it {
            Argument::Variable(place) => atom.arguments[*place as usize],
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
        let (left, right): (Arguments, Arguments) =
            pairs.filter(|(one, other)| one != other).unzip();
        // If each pair is the same twice, none differs.
        if left.is_empty() {
            return false;
        }
        let is_constant = |it: &Argument| it.variable().is_none();
        let mut compared = left.iter().zip(&right);
        // Two constants always differ.
        if !compared.any(|(one, other)| is_constant(one) && is_constant(other)) {
            rule.body.push(FlatLiteral { kind: LiteralKind::Distinct(left, right), ..literal });
        }
    }
    true
}
