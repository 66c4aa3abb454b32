//! Which rules compose a predicate with itself, and are its only recursive ones.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::Argument;

use crate::description::Keywords;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::rewrite::statics::always_dynamic;
use crate::symbols::Symbol;

/// The rules that compose a predicate with itself and are its only recursive ones.
pub(super) fn compositions(rules: &[FlatRule], keywords: &Keywords) -> Vec<usize> {
    let fixed = fixed_meaning(keywords);
    let composes = |rule: &FlatRule| !fixed.contains(&rule.head.name) && composed(rule).is_some();
    let mut found: Vec<usize> = (0..rules.len()).filter(|&it| composes(&rules[it])).collect();
    if found.is_empty() {
        return found;
    }
    let mut by_head: FxHashMap<FormId, Vec<usize>> = FxHashMap::default();
    for (number, rule) in rules.iter().enumerate() {
        by_head.entry(rule.head.form).or_default().push(number);
    }
    found.retain(|&number| !others_depend(number, rules, &by_head, keywords));
    found
}

/// The names of predicates that mean something outside the rules.
fn fixed_meaning(keywords: &Keywords) -> Vec<Symbol> {
    let domains = [keywords.role, keywords.init, keywords.base, keywords.input];
    always_dynamic(keywords).map(|it| it.name).into_iter().chain(domains).collect()
}

/// Whether anything but the two atoms that a rule composes depends on its head within a state.
fn others_depend(
    number: usize,
    rules: &[FlatRule],
    by_head: &FxHashMap<FormId, Vec<usize>>,
    keywords: &Keywords,
) -> bool {
    let closed = rules[number].head.form;
    let mut agenda = by_head[&closed].clone();
    let mut seen: FxHashSet<FormId> = FxHashSet::default();
    while let Some(rule) = agenda.pop() {
        for literal in &rules[rule].body {
            let (LiteralKind::Positive(atom) | LiteralKind::Negative(atom)) = &literal.kind else {
                continue;
            };
            // The state and the moves are given; their tables belong to the heads of `next` and `legal`.
            if atom.name == keywords.true_ || atom.name == keywords.does {
                continue;
            }
            if atom.form == closed {
                if rule != number {
                    return true;
                }
            } else if seen.insert(atom.form) {
                agenda.extend(by_head.get(&atom.form).into_iter().flatten());
            }
        }
    }
    false
}

/// The two body literals of a rule that composes a predicate with itself: their positions, in the order of
/// the composition.
///
/// The other literals are conditions on what the two share, so that composition is associative with them
/// as without.
pub(super) fn composed(rule: &FlatRule) -> Option<[usize; 2]> {
    let of_head: Vec<usize> =
        (0..rule.body.len()).filter(|&it| mentions(&rule.body[it], rule.head.form)).collect();
    let [one, other] = of_head[..] else { return None };
    let (first, second) = (joined_atom(rule, one)?, joined_atom(rule, other)?);
    let shared = |it: &Argument| match it {
        Argument::Variable(_) => first.arguments.contains(it) && second.arguments.contains(it),
        Argument::Constant(_) => true,
    };
    let is_condition = |(at, literal): (usize, &FlatLiteral)| {
        at == one || at == other || arguments(literal).all(shared)
    };
    if !rule.body.iter().enumerate().all(is_condition) {
        return None;
    }
    if composes(&rule.head, first, second) {
        Some([one, other])
    } else {
        composes(&rule.head, second, first).then_some([other, one])
    }
}

fn mentions(literal: &FlatLiteral, form: FormId) -> bool {
    match &literal.kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => atom.form == form,
        LiteralKind::Distinct(..) => false,
    }
}

fn arguments(literal: &FlatLiteral) -> impl Iterator<Item = &Argument> {
    let (one, other): (&[Argument], &[Argument]) = match &literal.kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => (&atom.arguments, &[]),
        LiteralKind::Distinct(left, right) => (left, right),
    };
    one.iter().chain(other)
}

/// The atom of a positive literal that has the same part in its rule as the head.
fn joined_atom(rule: &FlatRule, position: usize) -> Option<&FlatAtom> {
    let literal = &rule.body[position];
    match &literal.kind {
        LiteralKind::Positive(atom) if literal.joined && literal.stored == rule.stored => {
            Some(atom)
        }
        _ => None,
    }
}

/// Whether the head is the composition of the two atoms: each column is a parameter, the same in all three
/// atoms; a source, which the head has from the first; or a target, which it has from the second. The
/// first atom's targets are the second one's sources, one to one.
///
/// The first column that is no parameter is a source, so that of the two orders one fits.
fn composes(head: &FlatAtom, first: &FlatAtom, second: &FlatAtom) -> bool {
    let (Some(head), Some(first), Some(second)) =
        (distinct_variables(head), distinct_variables(first), distinct_variables(second))
    else {
        return false;
    };
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    for ((&in_head, &in_first), &in_second) in head.iter().zip(&first).zip(&second) {
        match (in_head == in_first, in_head == in_second) {
            (true, true) => {}
            (true, false) => sources.push(in_second),
            (false, true) if sources.is_empty() => return false,
            (false, true) => targets.push(in_first),
            (false, false) => return false,
        }
    }
    let is_middle = |it: &u32| sources.contains(it) && !head.contains(it);
    !sources.is_empty() && sources.len() == targets.len() && targets.iter().all(is_middle)
}

/// The arguments of an atom, if all are variables and no two the same.
fn distinct_variables(atom: &FlatAtom) -> Option<Vec<u32>> {
    let variables: Vec<u32> =
        atom.arguments.iter().map(|it| it.variable()).collect::<Option<_>>()?;
    let is_new = |(at, it): (usize, &u32)| !variables[..at].contains(it);
    variables.iter().enumerate().all(is_new).then_some(variables)
}
