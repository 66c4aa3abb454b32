//! Common factors of ground rules: rules that differ in one literal, or in their heads, share an atom for what differs.
//!
//! ```text
//! a <- x, l1        a <- x, s                 a <- x, y        a <- s
//! a <- x, l2        b <- y, s                 b <- x, y        b <- s
//! b <- y, l1        s <- l1                   a <- z           s <- x, y
//! b <- y, l2        s <- l2                   b <- z           s <- z
//! ```
//!
//! On the left the literals of a set are alternatives in several contexts, each a head and the rest of a body; on the
//! right all heads of a set have several bodies in common. Both are what logic synthesis calls factors (Brayton and
//! McMullen, "The Decomposition and Factorization of Boolean Expressions", 1982): a sum that is multiplied by several things, and
//! products of the same sums. With k literals in g contexts, k g rules become k + g. Sets are taken whole, those first
//! by which most rules go.
//!
//! A set belongs to one predicate, that of the heads: its new atoms stand between that predicate and what its rules need
//! for, and the rules are stratified by predicates, and apart from moves, as they were.
//!
//! [`wanted`] are the rules that are looked at, if a look at some of the heads is promising ([`are_promising`]).

mod groups;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{Edits, GroundLiteral, RuleStore};

pub(crate) use self::groups::Kind;
use self::groups::{Groups, Shared, gain};
use crate::simplify::subsumption::mix;
use crate::ticker::Ticker;
use crate::tuning::{FEW_RULES, PROMISING, SAMPLE};

/// What factoring has changed.
#[derive(Debug, Default)]
pub(crate) struct Factored {
    /// By new atom: the predicate of the heads that its set belongs to, ascending.
    pub(crate) predicates: Vec<u32>,
    /// The heads of rules that are new or have changed.
    pub(crate) heads: Vec<u32>,
}

/// What is known of atoms.
pub(crate) struct Atoms<P, C> {
    /// They are numbered below this.
    pub(crate) end: u32,
    /// An atom's predicate.
    pub(crate) predicate: P,
    /// A number that follows from what an atom says, wherever it is in its table.
    pub(crate) code: C,
}

/// Lets the rules that are [wanted] share what they have in common. New atoms are numbered above all others, in an order
/// that follows from the codes of what they stand for.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub(crate) fn factor(
    rules: &mut RuleStore,
    kind: Kind,
    wanted: &[u32],
    atoms: &Atoms<impl Fn(u32) -> u32, impl Fn(u32) -> u64>,
    ticker: &mut Ticker<'_>,
) -> Result<Factored, Exceeded> {
    let groups = Groups::new(rules, kind, wanted, &atoms.predicate, ticker)?;
    let code = |element: u32| match kind {
        Kind::Alternatives => (atoms.code)(element >> 1) ^ u64::from(element & 1),
        Kind::Heads => (atoms.code)(element),
    };
    let sets = chosen_sets(&groups, rules.len(), &code, ticker)?;
    if sets.is_empty() {
        return Ok(Factored::default());
    }
    let mut factored = Factored::default();
    // The new rules; of the alternatives of a context the first becomes that of all.
    let mut new = RuleStore::default();
    let (mut becomes, mut dropped) = (Vec::new(), Vec::new());
    let mut body: Vec<GroundLiteral> = Vec::new();
    for (atom, set) in (atoms.end..).zip(&sets) {
        ticker.ticks(set.groups.len() as u32)?;
        let literal = GroundLiteral::new(atom, false);
        factored.predicates.push(set.predicate);
        factored.heads.push(atom);
        for element in groups.elements(set.groups[0]) {
            match kind {
                Kind::Alternatives => new.push(atom, &[GroundLiteral::from_code(element)]),
                Kind::Heads => {
                    new.push(element, &[literal]);
                    factored.heads.push(element);
                }
            }
        }
        for &group in &set.groups {
            let mut own = groups.elements(group).zip(groups.rules(group));
            let (element, number) = own.next().expect("a group has rules");
            let first = rules.rule(number as usize);
            match kind {
                Kind::Alternatives => {
                    becomes.push((number, literal, element));
                    factored.heads.push(first.head);
                }
                Kind::Heads => {
                    new.push(atom, first.body);
                    dropped.push(number);
                }
            }
            dropped.extend(own.map(|it| it.1));
        }
    }
    becomes.sort_unstable();
    dropped.sort_unstable();
    let (mut becomes, mut dropped) =
        (becomes.into_iter().peekable(), dropped.into_iter().peekable());
    let mut edits = Edits::default();
    for number in 0..rules.len() as u32 {
        if dropped.next_if_eq(&number).is_some() {
            edits.drop(number as usize);
        } else if let Some((_, literal, own)) = becomes.next_if(|it| it.0 == number) {
            body.clear();
            body.extend(rules.rule(number as usize).body.iter().filter(|it| it.code() != own));
            body.push(literal);
            edits.replace(number as usize, &body);
        }
    }
    rules.edit(&edits);
    rules.append(&new, |literal| literal);
    Ok(factored)
}

/// The rules that may be in a group that shares its set, of heads that are concerned. Alternatives are rules of one head,
/// and heads that share a set have a rule for each of its bodies.
pub(crate) fn wanted(rules: &RuleStore, is_concerned: impl Fn(u32) -> bool) -> Vec<u32> {
    let has_several = with_several_rules(rules);
    let mut wanted = Vec::with_capacity(rules.len());
    let of_several = (0..).zip(rules.heads()).filter(|(_, head)| has_several[**head as usize]);
    wanted.extend(of_several.filter(|(_, head)| is_concerned(**head)).map(|it| it.0));
    wanted
}

/// By atom: whether it has several rules.
fn with_several_rules(rules: &RuleStore) -> Vec<bool> {
    let atoms = rules.heads().iter().max().map_or(0, |it| *it as usize + 1);
    let (mut one, mut several) = (vec![false; atoms], vec![false; atoms]);
    for &head in rules.heads() {
        let has_one = std::mem::replace(&mut one[head as usize], true);
        several[head as usize] |= has_one;
    }
    several
}

/// Whether alternatives of these rules are promising. In what heads have in common it is as fast to look at all rules.
///
/// # Errors
/// A limit that was exceeded.
pub(crate) fn are_promising(
    rules: &RuleStore,
    wanted: &[u32],
    atoms: &Atoms<impl Fn(u32) -> u32, impl Fn(u32) -> u64>,
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    if wanted.len() <= FEW_RULES {
        return Ok(!wanted.is_empty());
    }
    // What is in a sample follows from what atoms say: their numbers may be others where rules are found in another order.
    // By atom: seven bits that follow from its code, and one that says that they are known.
    let mut drawn = vec![0u8; atoms.end as usize];
    let heads = rules.heads();
    let is_drawn = |number: &&u32| {
        let head = heads[**number as usize];
        let drawn = &mut drawn[head as usize];
        if *drawn == 0 {
            *drawn = 0x80 | (mix((atoms.code)(head) as u32) >> 57) as u8;
        }
        *drawn & (SAMPLE as u8 - 1) == 0
    };
    let sample: Vec<u32> = wanted.iter().filter(is_drawn).copied().collect();
    let shared = Shared::new(rules, Kind::Alternatives, &sample, &atoms.predicate, ticker)?;
    let sets = shared.sets(rules, &atoms.predicate);
    let sharing = shared.groups().zip(&sets.of_groups).filter(|it| sets.count(*it.1) > 1);
    let members: usize = sharing.map(|it| it.0.len()).sum();
    Ok(members > 0 && members * PROMISING >= sample.len())
}

/// A set that gets an atom.
struct ChosenSet {
    /// The predicate of the heads.
    predicate: u32,
    /// The groups that it takes the place of.
    groups: Vec<u32>,
}

/// The sets that get atoms, none of whose groups have a rule in common, by predicate: those by which most rules go, one after
/// the other.
fn chosen_sets(
    groups: &Groups,
    rules: usize,
    code: &impl Fn(u32) -> u64,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<ChosenSet>, Exceeded> {
    let mut alike: Vec<Vec<u32>> = vec![Vec::new(); groups.len()];
    for (group, &first) in (0..).zip(&groups.alike) {
        alike[first as usize].push(group);
    }
    let gain = |first: u32, count: usize| gain(count, groups.elements(first).len());
    let of_elements = |first: u32| groups.elements(first).map(code).fold(0, u64::wrapping_add);
    let mut heap = BinaryHeap::new();
    for first in 0..alike.len() as u32 {
        ticker.tick()?;
        if let Some(gain) = gain(first, alike[first as usize].len()) {
            heap.push((gain, Reverse(of_elements(first)), Reverse(first)));
        }
    }
    let mut is_taken = vec![false; rules];
    let mut chosen: Vec<(u32, u64, ChosenSet)> = Vec::new();
    while let Some((before, elements, Reverse(first))) = heap.pop() {
        let own = &mut alike[first as usize];
        ticker.ticks(own.len() as u32)?;
        own.retain(|&group| groups.rules(group).all(|it| !is_taken[it as usize]));
        let Some(gain) = gain(first, own.len()) else { continue };
        if gain < before {
            heap.push((gain, elements, Reverse(first)));
            continue;
        }
        let all = own.iter().flat_map(|&group| groups.rules(group));
        all.for_each(|it| is_taken[it as usize] = true);
        let (predicate, groups) = (groups.predicate(first), std::mem::take(own));
        chosen.push((predicate, elements.0, ChosenSet { predicate, groups }));
    }
    // Not in the order of the groups: the names of the atoms would depend on the order of rows in tables.
    chosen.sort_by_key(|it| (it.0, it.1));
    Ok(chosen.into_iter().map(|it| it.2).collect())
}
