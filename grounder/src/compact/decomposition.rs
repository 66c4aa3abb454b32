//! Projection and decomposition: a rule with variables that the head does not need is split, so that
//! their values are not multiplied with each other.
//!
//! Eliminating a variable takes the literals that mention it out of the rule and puts in their place an
//! auxiliary predicate over the variables that the rest still needs. Doing so for one variable after the
//! other gives a tree decomposition of the body (lpopt's idea; projection, of Schiffel's "Optimizations",
//! is the case of one literal). Each step is taken only if it makes the estimated ground program clearly
//! smaller, the best one first.

use groundfrog_engine::Tables;
use groundfrog_engine::statistics::Measure;

use super::auxiliaries::{Auxiliaries, Definition, Split};
use super::estimate::{Estimates, MAX_VARIABLES, VariableSet, fits, literal_variables, variables};
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, FlatRule, Forms, LiteralKind};
use crate::symbols::Symbols;

/// A rule with fewer expected instances is left as it is.
const SMALL: f64 = 12.0;
/// A step must make the ground program smaller than this part of what it was.
const GAIN: f64 = 0.95;

/// Splits rules. Returns them with the auxiliary predicates that they use, which are split as well.
pub fn decompose(
    rules: Vec<FlatRule>,
    forms: &mut Forms,
    symbols: &mut Symbols,
    tables: &Tables,
) -> (Vec<FlatRule>, Auxiliaries) {
    let estimates = Estimates::new(tables, forms.len());
    let mut splitter = Splitter { forms, symbols, estimates, auxiliaries: Auxiliaries::default() };
    let rules = rules.into_iter().map(|rule| splitter.split(rule)).collect();
    let mut next = 0;
    while next < splitter.auxiliaries.rules.len() {
        let rule = splitter.auxiliaries.rules[next].clone();
        splitter.auxiliaries.rules[next] = splitter.split(rule);
        next += 1;
    }
    (rules, splitter.auxiliaries)
}

struct Splitter<'run> {
    forms: &'run mut Forms,
    symbols: &'run mut Symbols,
    estimates: Estimates<'run>,
    auxiliaries: Auxiliaries,
}

/// A part of a body that could become an auxiliary predicate.
struct Part {
    /// By literal of the body.
    taken: Vec<bool>,
    interface: VariableSet,
}

impl Splitter<'_> {
    fn split(&mut self, mut rule: FlatRule) -> FlatRule {
        if !rule.stored || !fits(&rule) {
            return rule;
        }
        loop {
            let head = variables(&rule.head.arguments);
            let cost = self.cost(&rule.body, head);
            if cost.rules < SMALL {
                return rule;
            }
            let mut best: Option<(f64, Part)> = None;
            for part in candidates(&rule) {
                let total = self.cost_of_split(&rule, &part, head);
                if total < cost.size * GAIN && best.as_ref().is_none_or(|(least, _)| total < *least)
                {
                    best = Some((total, part));
                }
            }
            let Some((total, part)) = best else { return rule };
            self.auxiliaries.splits.push(Split {
                origin: rule.origin,
                before: cost.size,
                after: total,
            });
            self.apply(&mut rule, &part);
        }
    }

    /// The expected number of instances of a rule with this body.
    fn cost(&mut self, body: &[FlatLiteral], head: VariableSet) -> Cost {
        let stored = body.iter().filter(|literal| literal.stored);
        let wanted = stored.clone().map(literal_variables).fold(head, |all, it| all | it);
        let rules = self.estimates.bindings(body.iter(), wanted).count();
        Cost { rules, size: rules * (2.0 + stored.count() as f64) }
    }

    fn cost_of_split(&mut self, rule: &FlatRule, part: &Part, head: VariableSet) -> f64 {
        let (inner, mut rest): (Vec<FlatLiteral>, Vec<FlatLiteral>) = part.divide(rule);
        let is_dynamic = inner.iter().any(|literal| literal.stored);
        let definition =
            Definition::new(&inner.iter().collect::<Vec<_>>(), &members(part.interface));
        let known = self.auxiliaries.contains(&definition);
        let own = if known || !is_dynamic { 0.0 } else { self.cost(&inner, part.interface).size };
        // The auxiliary literal restricts the rest as its definition does; count it as one more literal.
        let restricted = self.estimates.bindings(
            rule.body.iter(),
            rest.iter()
                .filter(|it| it.stored)
                .map(literal_variables)
                .fold(head, |all, it| all | it)
                | if is_dynamic { part.interface } else { 0 },
        );
        // Of the bindings of the part, those that differ in the interface alone are left.
        let part = self.estimates.bindings(inner.iter(), part.interface);
        let left = restricted.count_of_part(part.count() / part.rows);
        rest.retain(|literal| literal.stored);
        own + left * (2.0 + rest.len() as f64 + f64::from(u8::from(is_dynamic)))
    }

    fn apply(&mut self, rule: &mut FlatRule, part: &Part) {
        let (inner, mut rest) = part.divide(rule);
        let bindings = self.estimates.bindings(inner.iter(), part.interface);
        let definition =
            Definition::new(&inner.iter().collect::<Vec<_>>(), &members(part.interface));
        let distinct: Vec<f64> = definition
            .interface
            .iter()
            .map(|&it| bindings.domains[it as usize].min(bindings.count()))
            .collect();
        let (literal, new) =
            self.auxiliaries.literal(definition, rule.origin, self.forms, self.symbols);
        if new {
            self.estimates.add(Measure { rows: bindings.count(), distinct });
        }
        rest.push(literal);
        rule.body = rest;
    }
}

struct Cost {
    /// Expected ground rules.
    rules: f64,
    /// Expected ground rules times their length.
    size: f64,
}

impl Part {
    fn divide(&self, rule: &FlatRule) -> (Vec<FlatLiteral>, Vec<FlatLiteral>) {
        let (mut inner, mut rest) = (Vec::new(), Vec::new());
        for (literal, &taken) in rule.body.iter().zip(&self.taken) {
            if taken { inner.push(literal.clone()) } else { rest.push(literal.clone()) }
        }
        (inner, rest)
    }
}

/// The parts that eliminate one of the variables that the head does not need.
fn candidates(rule: &FlatRule) -> Vec<Part> {
    let head = variables(&rule.head.arguments);
    let sets: Vec<VariableSet> = rule.body.iter().map(literal_variables).collect();
    let all = sets.iter().fold(0, |all, set| all | set);
    let mut parts: Vec<Part> = Vec::new();
    for variable in members(all & !head) {
        let Some(part) = part(rule, &sets, head, 1 << variable) else { continue };
        if !parts.iter().any(|other| other.taken == part.taken) {
            parts.push(part);
        }
    }
    // A literal that shares no variable with the rest, as a move of another player does, is a part too.
    parts
}

/// The literals with these variables, and those that fit in without adding to the interface.
fn part(
    rule: &FlatRule,
    sets: &[VariableSet],
    head: VariableSet,
    eliminated: VariableSet,
) -> Option<Part> {
    let mut taken: Vec<bool> = sets.iter().map(|set| set & eliminated != 0).collect();
    let covered = |taken: &[bool]| union(sets, taken, true);
    let outside = |taken: &[bool]| union(sets, taken, false) | head;
    loop {
        let (inside, out) = (covered(&taken), outside(&taken));
        let fits = (0..taken.len()).find(|&it| {
            if taken[it] || sets[it] & !inside != 0 {
                return false;
            }
            let mut more = taken.clone();
            more[it] = true;
            // A static condition restricts the part; a dynamic literal must free a variable.
            let frees = inside & outside(&more) != inside & out;
            frees || (!rule.body[it].stored && sets[it] != 0 && !is_positive(&rule.body[it]))
        });
        match fits {
            Some(literal) => taken[literal] = true,
            None => break,
        }
    }
    if taken.iter().all(|&it| it) {
        return None;
    }
    let interface = covered(&taken) & outside(&taken);
    let bound = |wanted: bool| {
        let literals = rule.body.iter().zip(&taken).zip(sets);
        literals
            .filter(|((literal, taken), _)| **taken == wanted && is_positive(literal))
            .fold(0, |all, (_, set)| all | set)
    };
    // Both halves must be safe; the auxiliary literal binds its interface in the rest.
    let (inner, outer) = (bound(true), bound(false) | interface);
    let is_safe = covered(&taken) & !inner == 0 && outside(&taken) & !outer == 0;
    is_safe.then_some(Part { taken, interface })
}

fn union(sets: &[VariableSet], taken: &[bool], wanted: bool) -> VariableSet {
    sets.iter().zip(taken).filter(|&(_, &it)| it == wanted).fold(0, |all, (set, _)| all | set)
}

fn is_positive(literal: &FlatLiteral) -> bool {
    matches!(literal.kind, LiteralKind::Positive(FlatAtom { .. }))
}

fn members(set: VariableSet) -> Vec<u32> {
    (0..MAX_VARIABLES as u32).filter(|it| set >> it & 1 == 1).collect()
}
