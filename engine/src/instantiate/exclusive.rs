//! Templates that store the same rules under different conditions are made to exclude each other.
//!
//! What moves nothing is often written with a rule for each coordinate: the cell stays as it is if the move is
//! in another column, and if it is in another row. Nearly all instances of these rules are the same. Where a
//! rule has, beyond the conditions of a later one, a single condition, the later one need only be instantiated
//! where that condition fails. So it is with a rule that stores a special case of what another one stores, wherever it stands.

use std::borrow::Cow;

use fxhash::FxHashMap;

use super::{StoredAtom, Template};
use crate::program::{Argument, Arguments, Literal};

/// Of templates that store the same kinds of atoms, so many before and after each are compared with it.
const MOST: usize = 48;

/// The templates, restricted so that fewer of their instances are the same. Together they store the same
/// rules; those that have no instance left are kept, with a condition that never holds.
pub(super) fn separate(templates: &[Template]) -> Vec<Cow<'_, Template>> {
    let mut separated: Vec<Cow<'_, Template>> = templates.iter().map(Cow::Borrowed).collect();
    let mut by_kind: FxHashMap<_, Vec<usize>> = FxHashMap::default();
    // Without variables there is nothing to restrict.
    let with_variables = templates.iter().enumerate().filter(|it| it.1.rule.variable_count() > 0);
    for (index, template) in with_variables {
        let kinds: Vec<_> = stored(template).map(|it| (it.0.space, it.1)).collect();
        by_kind.entry(kinds).or_default().push(index);
    }
    for alike in by_kind.into_values() {
        for (position, &index) in alike.iter().enumerate() {
            let template = &templates[index];
            // Rules that were written together are next to each other.
            let near = position.saturating_sub(MOST)..alike.len().min(position + MOST);
            let others = alike[near].iter().filter(|&&other| other != index);
            let conditions = others.filter_map(|&other| {
                let condition = only_condition(&templates[other], template)?;
                // Of two that store the same, the first one is restricted by none.
                let is_first = other < index || Case::of(template, &templates[other]).is_none();
                is_first.then_some(condition)
            });
            let conditions: Vec<Literal> = conditions.collect();
            if !conditions.is_empty() {
                let template = separated[index].to_mut();
                let mut restricted = Restricted { template, equal: Vec::new() };
                conditions.into_iter().for_each(|it| restricted.exclude(it));
            }
        }
    }
    separated
}

/// The head that a template stores, and the literals, with whether they are negated.
fn stored(template: &Template) -> impl Iterator<Item = (&StoredAtom, bool)> {
    let body = template.body.iter().map(|it| (&it.atom, it.negated));
    std::iter::once((&template.head, false)).chain(body)
}

/// What the variables of a template stand for in a special case of it, as far as that is known.
struct Case(Vec<Option<Argument>>);

impl Case {
    /// The case of a template in which it stores what another one does.
    fn of(general: &Template, special: &Template) -> Option<Self> {
        let mut case = Case(vec![None; general.rule.variable_count()]);
        let fit = |(one, other): ((&StoredAtom, bool), (&StoredAtom, bool))| {
            case.fit(&one.0.arguments, &other.0.arguments)
        };
        stored(general).zip(stored(special)).all(fit).then_some(case)
    }

    /// Whether the case can be one in which arguments are others; what is known grows.
    fn fit(&mut self, arguments: &[Argument], others: &[Argument]) -> bool {
        arguments.iter().zip(others).all(|(&argument, &other)| match argument {
            Argument::Constant(_) => argument == other,
            Argument::Variable(it) => *self.0[it as usize].get_or_insert(other) == other,
        })
    }

    /// Whether a literal is another one in this case; what is known grows.
    fn fit_literal(&mut self, literal: &Literal, other: &Literal) -> bool {
        let before = self.0.clone();
        let fits = match (literal, other) {
            (Literal::Positive(one), Literal::Positive(other))
            | (Literal::Negative(one), Literal::Negative(other)) => {
                one.predicate == other.predicate && self.fit(&one.arguments, &other.arguments)
            }
            (Literal::Distinct(left, right), Literal::Distinct(of_left, of_right)) => {
                left.len() == of_left.len() && self.fit(left, of_left) && self.fit(right, of_right)
            }
            _ => false,
        };
        if !fits {
            self.0 = before;
        }
        fits
    }

    /// The literal in this case, if all of its variables are known.
    fn literal(&self, literal: &Literal) -> Option<Literal> {
        let is_known = |it: u32| self.0[it as usize].is_some();
        literal.variables().all(is_known).then(|| {
            let mut literal = literal.clone();
            for_each_argument(&mut literal, |argument| {
                let value = argument.variable().and_then(|it| self.0[it as usize]);
                *argument = value.unwrap_or(*argument);
            });
            literal
        })
    }
}

/// The condition that a rule has beyond those of another one which stores the same in some cases, if it is the only one and
/// about the other's variables.
fn only_condition(rule: &Template, other: &Template) -> Option<Literal> {
    let mut case = Case::of(rule, other)?;
    let mut left: Vec<&Literal> = other.rule.body.iter().collect();
    let mut beyond = rule.rule.body.iter().filter(|literal| {
        let common = left.iter().position(|it| case.fit_literal(literal, it));
        common.map(|position| left.swap_remove(position)).is_none()
    });
    let condition = beyond.next().filter(|_| beyond.next().is_none())?;
    let condition = case.literal(condition)?;
    let known =
        |variable| other.rule.positive_atoms().any(|it| it.variables().any(|it| it == variable));
    let is_about_other = condition.variables().all(known);
    is_about_other.then_some(condition)
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
    for_each_argument(literal, |it| replace(std::slice::from_mut(it), variable, value));
}

fn for_each_argument(literal: &mut Literal, visit: impl FnMut(&mut Argument)) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            atom.arguments.iter_mut().for_each(visit);
        }
        Literal::Distinct(left, right) => left.iter_mut().chain(right).for_each(visit),
    }
}

fn replace(arguments: &mut [Argument], variable: u32, value: Argument) {
    for argument in arguments.iter_mut().filter(|it| it.variable() == Some(variable)) {
        *argument = value;
    }
}
