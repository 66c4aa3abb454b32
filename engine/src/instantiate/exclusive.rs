//! Templates that store the same rules under different conditions are made to exclude each other.
//!
//! What moves nothing is often written with a rule for each coordinate: the cell stays as it is if the move is
//! in another column, and if it is in another row. Nearly all instances of these rules are the same. Where a
//! rule has, beyond the conditions of a later one, a single condition, the later one need only be instantiated
//! where that condition fails.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};

use fxhash::FxBuildHasher;

use super::request::{StoredAtom, Template};
use crate::program::{Argument, Arguments, Literal};

/// With more templates that store the same, later ones are left as they are.
const MOST: usize = 48;

/// The templates, restricted so that fewer of their instances are the same. Together they store the same
/// rules; those that have no instance left are kept, with a condition that never holds.
pub(super) fn separate(templates: &[Template]) -> Vec<Cow<'_, Template>> {
    let mut separated: Vec<Cow<'_, Template>> = templates.iter().map(Cow::Borrowed).collect();
    let hash = |template: &Template| {
        let mut hasher = FxBuildHasher.build_hasher();
        template.head.hash(&mut hasher);
        stored(template).for_each(|literal| literal.hash(&mut hasher));
        hasher.finish()
    };
    let mut by_hash: Vec<(u64, usize)> =
        templates.iter().enumerate().map(|(index, it)| (hash(it), index)).collect();
    by_hash.sort_unstable();
    for alike in by_hash.chunk_by(|left, right| left.0 == right.0) {
        for (position, &(_, index)) in alike.iter().enumerate() {
            let template = &templates[index];
            let earlier = alike[..position].iter().map(|&(_, other)| &templates[other]);
            let earlier = earlier.filter(|other| store_the_same(other, template)).take(MOST);
            let mut conditions =
                earlier.filter_map(|other| only_condition(other, template)).peekable();
            if conditions.peek().is_some() {
                let template = separated[index].to_mut();
                let mut restricted = Restricted { template, equal: Vec::new() };
                conditions.for_each(|condition| restricted.exclude(condition.clone()));
            }
        }
    }
    separated
}

/// The literals that a template stores.
fn stored(template: &Template) -> impl Iterator<Item = (&StoredAtom, bool)> {
    template.body.iter().map(|it| (&it.atom, it.negated))
}

fn store_the_same(left: &Template, right: &Template) -> bool {
    left.head == right.head && stored(left).eq(stored(right))
}

/// The condition that a rule has beyond those of another, if it is the only one and about the other's
/// variables.
fn only_condition<'run>(rule: &'run Template, other: &Template) -> Option<&'run Literal> {
    let mut left: Vec<&Literal> = other.rule.body.iter().collect();
    let mut beyond = rule.rule.body.iter().filter(|literal| {
        let common = left.iter().position(|it| it == literal);
        common.map(|position| left.swap_remove(position)).is_none()
    });
    let condition = beyond.next().filter(|_| beyond.next().is_none())?;
    let known =
        |variable| other.rule.positive_atoms().any(|it| it.variables().any(|it| it == variable));
    condition.variables().all(known).then_some(condition)
}

/// A template in the making.
struct Restricted<'run> {
    template: &'run mut Template,
    /// Variables that have been replaced, in this order.
    equal: Vec<(u32, Argument)>,
}

impl Restricted<'_> {
    /// Leaves only the instances of which a condition fails.
    fn exclude(&mut self, mut condition: Literal) {
        for &(variable, value) in &self.equal {
            replace_in(&mut condition, variable, value);
        }
        let body = &mut self.template.rule.body;
        match condition {
            Literal::Positive(atom) => body.push(Literal::Negative(atom)),
            Literal::Negative(atom) => body.push(Literal::Positive(atom)),
            Literal::Distinct(left, right) => {
                if let ([left], [right]) = (left.as_slice(), right.as_slice()) {
                    self.equate(*left, *right);
                }
            }
        }
    }

    fn equate(&mut self, left: Argument, right: Argument) {
        let (variable, value) = match (left, right) {
            _ if left == right => return,
            (Argument::Variable(variable), value) | (value, Argument::Variable(variable)) => {
                (variable, value)
            }
            // They always differ: the earlier rule stores whatever this one would.
            _ => {
                let never = Literal::Distinct(Arguments::new(), Arguments::new());
                return self.template.rule.body.push(never);
            }
        };
        let template = &mut *self.template;
        let stored = template.body.iter_mut().map(|it| &mut it.atom.arguments);
        let heads = [&mut template.head.arguments, &mut template.rule.head.arguments];
        stored.chain(heads).for_each(|it| replace(it, variable, value));
        template.rule.body.iter_mut().for_each(|it| replace_in(it, variable, value));
        self.equal.push((variable, value));
    }
}

fn replace_in(literal: &mut Literal, variable: u32, value: Argument) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            replace(&mut atom.arguments, variable, value);
        }
        Literal::Distinct(left, right) => {
            replace(left, variable, value);
            replace(right, variable, value);
        }
    }
}

fn replace(arguments: &mut [Argument], variable: u32, value: Argument) {
    for argument in arguments.iter_mut().filter(|it| it.variable() == Some(variable)) {
        *argument = value;
    }
}
