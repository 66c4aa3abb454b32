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
//! products of the same sums. With k literals in g contexts, k g rules become k + g. SharedSets are taken whole, those first
//! by which most rules go.
//!
//! A set belongs to one predicate, that of the heads: its new atoms stand between that predicate and what its rules need
//! for, and the rules are stratified by predicates, and apart from moves, as they were.

mod choice;
mod groups;
mod sample;
mod shared;
mod wanted;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{Edits, GroundLiteral, RuleStore};

use crate::ticker::Ticker;
use choice::FactorChoice;
use groups::Groups;
pub(crate) use sample::are_promising;
pub(crate) use shared::Kind;
pub(crate) use wanted::wanted;

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
    let choice = FactorChoice::new(&groups, rules.len(), &code, ticker)?;
    if choice.sets.is_empty() {
        return Ok(Factored::default());
    }
    let mut factored = Factored::default();
    // The new rules; of the alternatives of a context the first becomes that of all.
    let mut new = RuleStore::default();
    let (mut becomes, mut dropped) = (Vec::new(), Vec::new());
    let mut body: Vec<GroundLiteral> = Vec::new();
    for (atom, set) in (atoms.end..).zip(&choice.sets) {
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
