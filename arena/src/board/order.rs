//! The order of constants.

use std::cmp::Ordering;

use fxhash::FxHashMap;
use groundfrog::description::{Description, Term};

/// A relation in which each constant has at most one successor and one predecessor: positions in its chain.
type Chain = FxHashMap<String, usize>;

/// The orders that the facts of a description give.
#[derive(Debug, Default)]
pub(super) struct Orders {
    chains: Vec<Chain>,
}

impl Orders {
    /// Finds relations like a successor among the facts with two constants.
    pub(super) fn new(description: &Description) -> Self {
        let mut pairs: Vec<(usize, Vec<(&str, &str)>)> = Vec::new();
        let name = |it| description.symbols.name(it);
        for statement in description.statements.iter().filter(|it| it.body.is_empty()) {
            let [Term::Constant(from), Term::Constant(to)] = statement.head.arguments[..] else {
                continue;
            };
            let predicate = statement.head.predicate.index();
            let pair = (name(from), name(to));
            match pairs.iter_mut().find(|it| it.0 == predicate) {
                Some((_, known)) => known.push(pair),
                None => pairs.push((predicate, vec![pair])),
            }
        }
        let mut chains: Vec<Chain> = pairs.iter().filter_map(|(_, it)| chain(it)).collect();
        // A relation may be given in both directions: that which begins with the smaller name counts.
        chains.sort_by_key(is_descending);
        Orders { chains }
    }

    /// Constants in their order.
    pub(super) fn sort(&self, constants: &[String]) -> Vec<String> {
        let mut sorted = constants.to_vec();
        sorted.sort_by(|one, other| natural(one, other));
        if !all_numbers(constants)
            && let Some(chain) = self.chain(constants)
        {
            sorted.sort_by_key(|it| chain.get(it).copied());
        }
        sorted
    }

    /// Whether the order of constants is more than that of their letters: numbers, a chain of facts, names that are
    /// numbered, or letters one after the other.
    pub(super) fn has_order(&self, constants: &[String]) -> bool {
        all_numbers(constants)
            || self.chain(constants).is_some()
            || are_numbered(constants)
            || are_letters(constants)
    }

    fn chain(&self, constants: &[String]) -> Option<&Chain> {
        self.chains.iter().find(|chain| constants.iter().all(|it| chain.contains_key(it)))
    }
}

/// The positions in the only chain of a relation; a ring is cut before its smallest name.
fn chain(pairs: &[(&str, &str)]) -> Option<Chain> {
    let (mut next, mut previous) = (FxHashMap::default(), FxHashMap::default());
    for &(from, to) in pairs {
        let known = (next.insert(from, to), previous.insert(to, from));
        let is_repeated = known == (Some(to), Some(from));
        if from == to || (known != (None, None) && !is_repeated) {
            return None;
        }
    }
    let mut starts: Vec<&str> =
        next.keys().copied().filter(|it| !previous.contains_key(it)).collect();
    starts.sort_unstable_by(|one, other| natural(one, other));
    let smallest = next.keys().copied().min_by(|one, other| natural(one, other))?;
    // Rings of two are mostly pairs of opponents.
    let start = match starts[..] {
        [] if next.len() > 2 => smallest,
        [start] => start,
        _ => return None,
    };
    let mut positions = Chain::default();
    let mut at = Some(start);
    while let Some(name) = at {
        if positions.contains_key(name) {
            break;
        }
        positions.insert(name.to_owned(), positions.len());
        at = next.get(name).copied();
    }
    (positions.len() > next.len().max(2) - 1 && positions.len() >= next.len()).then_some(positions)
}

fn is_descending(chain: &Chain) -> bool {
    let end = |position: usize| chain.iter().find(|it| *it.1 == position).map(|it| it.0);
    match (end(0), end(chain.len() - 1)) {
        (Some(first), Some(last)) => natural(first, last) == Ordering::Greater,
        _ => false,
    }
}

fn all_numbers(constants: &[String]) -> bool {
    constants.iter().all(|it| it.parse::<i64>().is_ok())
}

/// Whether all are one name with a number.
fn are_numbered(constants: &[String]) -> bool {
    let prefix = |it: &String| split_number(it).map(|(prefix, _)| prefix.to_owned());
    let first = constants.first().and_then(prefix);
    first.is_some() && constants.iter().all(|it| prefix(it) == first)
}

/// Whether they are letters that follow each other.
fn are_letters(constants: &[String]) -> bool {
    let mut letters: Vec<u32> = Vec::new();
    for constant in constants {
        let mut characters = constant.chars();
        match (characters.next(), characters.next()) {
            (Some(letter), None) if letter.is_alphabetic() => letters.push(letter as u32),
            _ => return false,
        }
    }
    letters.sort_unstable();
    letters.len() > 1 && letters.windows(2).all(|it| it[1] == it[0] + 1)
}

fn split_number(name: &str) -> Option<(&str, u64)> {
    let prefix = name.trim_end_matches(|it: char| it.is_ascii_digit());
    Some((prefix, name[prefix.len()..].parse().ok()?))
}

/// Numbers as numbers, names that end with one by that, all others by their letters.
pub(super) fn natural(one: &str, other: &str) -> Ordering {
    if let (Ok(one), Ok(other)) = (one.parse::<i64>(), other.parse::<i64>()) {
        return one.cmp(&other);
    }
    match (split_number(one), split_number(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.cmp(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use groundfrog::ParseOptions;

    fn orders(text: &str) -> Orders {
        let text = format!("(role a) {text}");
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        Orders::new(&description.expect("is a description"))
    }

    fn sorted(orders: &Orders, names: &[&str]) -> String {
        let names: Vec<String> = names.iter().map(|&it| it.to_owned()).collect();
        orders.sort(&names).join(" ")
    }

    #[test]
    fn facts_that_are_a_chain_give_the_order() {
        let orders = orders("(after one two) (after two three) (after three four)");
        assert_eq!(sorted(&orders, &["four", "three", "one", "two"]), "one two three four");
        assert!(orders.has_order(&["two".into(), "three".into()]));
        assert!(!orders.has_order(&["two".into(), "five".into()]));
    }

    #[test]
    fn a_ring_is_cut_and_relations_that_branch_are_no_order() {
        let ring = orders("(right n e) (right e s) (right s w) (right w n)");
        assert_eq!(sorted(&ring, &["s", "n", "w", "e"]), "e s w n");
        let tree = orders("(under c a) (under b a) (under d c)");
        assert_eq!(sorted(&tree, &["d", "b", "a", "c"]), "a b c d");
        assert!(!tree.has_order(&["d".into(), "b".into()]));
        let foes = orders("(foe x y) (foe y x)");
        assert!(!foes.has_order(&["x".into(), "z".into()]));
    }

    #[test]
    fn of_two_directions_the_ascending_one_counts() {
        let orders = orders("(before z m) (before m a) (then a m) (then m z)");
        assert_eq!(sorted(&orders, &["m", "z", "a"]), "a m z");
    }

    #[test]
    fn numbers_and_numbered_names_are_in_order_by_themselves() {
        let none = orders("(less 3 2) (less 2 1)");
        assert_eq!(sorted(&none, &["10", "9", "1"]), "1 9 10");
        assert_eq!(sorted(&none, &["c10", "c9", "c1"]), "c1 c9 c10");
        assert!(none.has_order(&["c10".into(), "c9".into()]));
    }
}
