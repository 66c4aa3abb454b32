//! Which relation orders the values of an argument.

use std::cmp::Ordering;

use groundfrog::symbols::{Symbol, Symbols};

use super::relations::{Binary, Chain, chains};
use super::{Axis, AxisKind};

/// The chains of all relations.
#[derive(Debug)]
pub(crate) struct Orders<'run> {
    chains: Vec<(&'run Binary, Chain)>,
    names: &'run Symbols,
}

/// An order of the values of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) axis: Axis,
    pub(crate) values: Vec<u32>,
}

impl<'run> Orders<'run> {
    pub(crate) fn new(binaries: &'run [Binary], names: &'run Symbols) -> Self {
        let chains = binaries
            .iter()
            .filter_map(|binary| Some((binary, chains(&binary.pairs)?)))
            .flat_map(|(binary, chains)| chains.into_iter().map(move |chain| (binary, chain)))
            .filter(|(_, chain)| chain.values.len() > 1)
            .collect();
        Orders { chains, names }
    }

    /// The order of the values of an argument of a class: by the shortest chain of that class with all of them.
    pub(crate) fn order(&self, domain: &[u32], sort: Option<usize>) -> Option<Order> {
        if domain.len() < 2 {
            return None;
        }
        let fits = |(binary, chain): &&(&Binary, Chain)| {
            let is_linked = sort.is_some() && binary.sorts.contains(&sort);
            let has_all = domain.iter().all(|value| chain.values.contains(value));
            is_linked && has_all && (!chain.is_ring || chain.values.len() == domain.len())
        };
        let fitting: Vec<&(&Binary, Chain)> = self.chains.iter().filter(fits).collect();
        let best = fitting.iter().min_by_key(|(binary, chain)| {
            (chain.values.len(), binary.is_part, std::cmp::Reverse(binary.uses))
        })?;
        let within = |chain: &Chain| -> Vec<u32> {
            chain.values.iter().copied().filter(|value| domain.contains(value)).collect()
        };
        let (binary, chain) = best;
        let is_ring = chain.is_ring;
        let mut values = self.begin(within(chain), is_ring);
        let reversed = |chain: &Chain| {
            let mut other = within(chain);
            other.reverse();
            chain.is_ring == is_ring && self.begin(other, is_ring) == values
        };
        let reverse = fitting.iter().find(|(_, chain)| reversed(chain)).map(|(other, _)| *other);
        let is_directed = reverse.is_none_or(|other| other.uses != binary.uses) && !is_ring;
        let (mut relation, mut reverse) =
            (Some(binary.name.clone()), reverse.map(|other| other.name.clone()));
        if !is_directed && self.is_descending(&values, is_ring) {
            values.reverse();
            values = self.begin(values, is_ring);
            std::mem::swap(&mut relation, &mut reverse);
            if relation.is_none() {
                std::mem::swap(&mut relation, &mut reverse);
            }
        }
        let kind = if is_ring { AxisKind::Ring } else { AxisKind::Line };
        let texts = self.texts(&values);
        Some(Order { axis: Axis { kind, relation, reverse, is_directed, values: texts }, values })
    }

    /// Values in the order of their names.
    pub(crate) fn unordered(&self, domain: &[u32]) -> Order {
        let mut values = domain.to_vec();
        values.sort_by(|&one, &other| natural(self.text(one), self.text(other)));
        let axis = Axis {
            kind: AxisKind::Unordered,
            relation: None,
            reverse: None,
            is_directed: false,
            values: self.texts(&values),
        };
        Order { axis, values }
    }

    /// A ring begins with its smallest name.
    fn begin(&self, mut values: Vec<u32>, is_ring: bool) -> Vec<u32> {
        if is_ring {
            let position = |&at: &usize| self.text(values[at]);
            let first =
                (0..values.len()).min_by(|one, other| natural(position(one), position(other)));
            values.rotate_left(first.unwrap_or(0));
        }
        values
    }

    fn is_descending(&self, values: &[u32], is_ring: bool) -> bool {
        let last = values.len() - 1;
        let first = usize::from(is_ring);
        natural(self.text(values[first]), self.text(values[last])) == Ordering::Greater
    }

    fn text(&self, value: u32) -> &str {
        self.names.name(Symbol(value))
    }

    fn texts(&self, values: &[u32]) -> Vec<String> {
        values.iter().map(|&value| self.text(value).to_owned()).collect()
    }
}

/// Numbers as numbers, names that end with one by that, all others by their letters.
pub(crate) fn natural(one: &str, other: &str) -> Ordering {
    let split = |name: &str| -> Option<(String, u64)> {
        let prefix = name.trim_end_matches(|it: char| it.is_ascii_digit());
        Some((prefix.to_owned(), name[prefix.len()..].parse().ok()?))
    };
    if let (Ok(one), Ok(other)) = (one.parse::<i64>(), other.parse::<i64>()) {
        return one.cmp(&other);
    }
    match (split(one), split(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.cmp(other),
    }
}
