//! The fluents of a form, and what is known of their arguments.

use std::collections::BTreeSet;

use groundfrog::game::TermShape;
use groundfrog::symbols::{Symbol, Symbols};

use super::axes::{Order, Orders};
use super::sorts::{Path, STATE, Sorts};
use super::{AxisKind, Output};
use crate::analysis::{Analysis, Verdict};
use crate::families::Form;
use crate::property::Property;

/// Fluents with more constants are not looked at.
const MOST_ARGUMENTS: usize = 8;

/// A form of fluents, and what is known of its arguments.
#[derive(Debug)]
pub(crate) struct Fluents {
    pub(crate) form: Form,
    /// By argument: its values.
    pub(crate) domains: Vec<Vec<u32>>,
    /// By argument: its class.
    pub(crate) sorts: Vec<Option<usize>>,
    /// By argument: its class where relations that do not change join nothing.
    pub(crate) flows: Vec<Option<usize>>,
    pub(crate) orders: Vec<Option<Order>>,
    /// Sets of arguments, as bits, of which the others are a key, with how many fluents of a key hold, and whether that is proved.
    pub(crate) contents: Vec<(u32, Output, bool)>,
}

impl Fluents {
    pub(super) fn size(&self) -> usize {
        self.domains.len()
    }

    pub(super) fn is_ordered(&self, argument: usize) -> bool {
        self.orders[argument].is_some()
    }
}

pub(super) fn view(
    form: Form,
    sorts: &Sorts,
    flows: &Sorts,
    orders: &Orders<'_>,
    roles: Option<usize>,
    analysis: &Analysis,
    symbols: &Symbols,
) -> Fluents {
    let mut paths: Vec<Path> = Vec::new();
    if let Some(fluent) = form.shape.arguments.first() {
        holes(fluent, vec![STATE], &mut paths);
    }
    let domains: Vec<Vec<u32>> = (0..paths.len())
        .map(|hole| form.rows.iter().map(|row| row[hole]).collect::<BTreeSet<u32>>())
        .map(|values| values.into_iter().collect())
        .collect();
    let classes: Vec<Option<usize>> = paths.iter().map(|path| sorts.of(path)).collect();
    let flows: Vec<Option<usize>> = paths.iter().map(|path| flows.of(path)).collect();
    // Who is next after whom orders roles, and no board.
    let found = (0..paths.len()).map(|hole| {
        let is_role = roles.is_some() && flows[hole] == roles;
        orders.order(&domains[hole], classes[hole]).filter(|_| !is_role)
    });
    let orders = found.collect();
    let mut contents = Vec::new();
    if (1..=MOST_ARGUMENTS).contains(&paths.len()) {
        for mask in 1..1u32 << paths.len() {
            let pattern = form.pattern(mask, symbols);
            contents
                .extend(known(analysis, &pattern).map(|(output, proved)| (mask, output, proved)));
        }
    }
    Fluents { form, domains, sorts: classes, flows, orders, contents }
}

/// The paths of the constants of a term.
fn holes(shape: &TermShape, path: Path, paths: &mut Vec<Path>) {
    match shape {
        TermShape::Constant => paths.push(path),
        TermShape::Function(functor, arguments) => {
            for (position, argument) in arguments.iter().enumerate() {
                let mut inner = path.clone();
                inner.extend([functor.0, arguments.len() as u32, position as u32]);
                holes(argument, inner, paths);
            }
        }
    }
}

/// How many fluents of a key of a pattern hold, and whether that is proved.
pub(super) fn known(analysis: &Analysis, pattern: &str) -> Option<(Output, bool)> {
    let mut best = None;
    for finding in &analysis.findings {
        let output = match &finding.property {
            Property::ExactlyOne { pattern: it } if it == pattern => Output::One,
            Property::AtMostOne { pattern: it } if it == pattern => Output::AtMostOne,
            _ => continue,
        };
        match finding.verdict {
            Verdict::Proved => return Some((output, true)),
            Verdict::Unknown { .. } => best = best.or(Some((output, false))),
            Verdict::Refuted { .. } => {}
        }
    }
    best
}

/// Whether the arguments of a key have as many values, or pass them on.
pub(super) fn is_of_one_kind(fluents: &Fluents, key: &[usize]) -> bool {
    let first = key[0];
    key.iter().all(|&argument| {
        fluents.domains[argument] == fluents.domains[first]
            || fluents.sorts[argument] == fluents.sorts[first]
            || fluents.domains[argument].len().abs_diff(fluents.domains[first].len()) <= 2
    })
}

pub(super) fn is_line(order: &Option<Order>) -> bool {
    order.as_ref().is_some_and(|it| it.axis.kind == AxisKind::Line)
}

/// The names of the functions of a fluent.
pub(super) fn functor(form: &Form, symbols: &Symbols) -> String {
    fn walk<'text>(shape: &TermShape, symbols: &'text Symbols, found: &mut Vec<&'text str>) {
        if let TermShape::Function(functor, arguments) = shape {
            found.push(symbols.name(Symbol(functor.0)));
            arguments.iter().for_each(|it| walk(it, symbols, found));
        }
    }
    let mut found = Vec::new();
    form.shape.arguments.iter().for_each(|it| walk(it, symbols, &mut found));
    found.join(" ")
}
