//! Searches that remember in a list what they have visited: the list is dropped.
//!
//! In Prolog a search through a graph carries a list, or it would not end:
//!
//! ```kif
//! (<= (way ?a ?a ?trail) (island ?a) (trail ?trail))
//! (<= (way ?a ?c ?trail)
//!     (near ?a ?b) (true (bridge ?a ?b)) (trail ?trail) (not (on ?b ?trail))
//!     (way ?b ?c (then ?b ?trail)))
//! (<= escape (way beach beacon (then beach start)))
//! ```
//!
//! Bottom-up this makes an atom for every list. But whether there is a way does not depend on the list: where a
//! walk leads, a path leads that visits nothing twice. So `(way ?a ?c)` without the list, and without the
//! *guards*, the literals that look at it, means the same where others use it. This is shown of each
//! search before its list is dropped; what cannot be shown stays as it is.
//!
//! **The shape.** A *search* is a set P of predicates that depend on each other, without keywords. Each rule
//! has at most one literal of P, a positive one; so a derivation is a walk of *steps* a₀, a₁, ... aₙ from atom to
//! atom. One argument of each predicate is the list: in heads a variable L, which besides occurs only in guards,
//! static literals, and in the list that is passed on. That is L itself; or a variable that only guards mention
//! as well, or a term. All other variables that guards and the passed list share with the rest of the rule
//! form one term e, the *element* of the step. A step without an element passes L on as it is. Where others
//! use P, the list is a term, without variables or with one element.
//!
//! **One direction** is trivial: the new rules only lack conditions and an argument.
//!
//! **The other direction.** Let P' be P without the list, and a₀, ... aₙ a shortest derivation in P' of an atom
//! that others use, in some state. No atom occurs twice in it, or what lies between could be cut out: no other
//! literal depends on the steps before. Going along it, we make up the lists.
//!
//! 1. *Elements are different.* All elements belong to atoms of one predicate p: to the atom of the head, or all to
//!    the atom that is called; elements in the lists of others to what they call. Arguments of p that any walk from
//!    p to p leaves as they are, are the same throughout. The others are functions of the element: the rows that
//!    the static literals beside it allow (and views, without what they say of the state) are computed, and no
//!    element has two. So, as the atoms are different, the elements are. Walks without an element do
//!    no harm: they change no list.
//! 2. *Elements are alike.* Let U be all elements. Each is a constant, or a function of constants outside U. The
//!    guards, the passed lists and the rules that guards depend on mention none of U, nor its functions,
//!    besides e itself; or they do so in a predicate whose table is finite and stays as it is when elements are
//!    permuted, which is tested with two permutations that generate all. Then each permutation of U is an
//!    automorphism of these rules, and so of what holds by them.
//! 3. *One list of each length will do.* Let u₁, u₂, ... be U in some order. Starting with the lists of others, for each
//!    k the lists are computed that the steps with elements can pass on after k elements u₁ ... uₖ, taking the
//!    first answer of the guards. If for all these lists, up to the length of U, all guards have answers, those of
//!    every step with the element uₖ₊₁, and those of every step without an element, they have answers along a₀,
//!    ... aₙ as well, since a permutation takes uₖ to the k-th element there. These are the lists of a derivation
//!    in P.
//!
//! A list predicate that is too short for U, an element that is treated apart, a graph with two nodes of one name
//! fail one of these. Guards are evaluated goal by goal (SLD resolution), as the tables of lists are what makes
//! such games impossible to ground. Games without static rules about terms are not
//! looked at any further.

mod components;
mod proof;
mod resolution;
mod search;

use fxhash::FxHashSet;
use groundfrog_engine::Exceeded;

use crate::compact::definitions::Definitions;
use crate::description::{Atom, Predicate};
use crate::prepare::Prepared;
use crate::rewrite::statics::analyse;
use crate::rules::{Literal, Rules};
use crate::symbols::fresh;
use crate::ticker::Ticker;
use crate::tuning::visited::searches::MAX_SEARCHES;
use proof::Proof;
use search::{Search, has_terms, searches};

/// A search whose list was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The predicates, each with the position of the list among its arguments, counted from 0.
    pub predicates: Vec<(Predicate, usize)>,
    /// How many things can be visited.
    pub elements: usize,
    /// How many literals looked at the list.
    pub guards: usize,
}

/// Drops the lists of searches that decide nothing. Returns the searches, in the order of the rules.
///
/// # Errors
/// A limit that was exceeded.
pub fn drop_lists(
    prepared: &mut Prepared,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Dropped>, Exceeded> {
    if has_terms(prepared) { drop_found(prepared, ticker) } else { Ok(Vec::new()) }
}

/// Drops the lists of searches in rules that have terms.
fn drop_found(prepared: &mut Prepared, ticker: &mut Ticker<'_>) -> Result<Vec<Dropped>, Exceeded> {
    let mut dropped = Vec::new();
    let Prepared { rules, statics, .. } = prepared;
    let mut tried: Vec<Vec<(Predicate, usize)>> = Vec::new();
    while let Some(search) =
        searches(rules, statics).into_iter().find(|it| !tried.contains(&it.positions))
    {
        if tried.len() == MAX_SEARCHES {
            break;
        }
        tried.push(search.positions.clone());
        let definitions = Definitions::new(rules, statics);
        let elements = Proof::new(rules, &definitions, &search, ticker).elements();
        ticker.finish()?;
        let Some(elements) = elements else { continue };
        let Some(rewritten) = without_list(rules, &search) else { continue };
        *rules = rewritten;
        *statics = analyse(rules);
        let guards = search.steps.iter().map(|it| it.guards.len()).sum();
        dropped.push(Dropped { predicates: search.positions, elements, guards });
    }
    Ok(dropped)
}

/// The rules without the list of a search and what looks at it. `None` if a variable is bound by that alone.
fn without_list(rules: &Rules, search: &Search) -> Option<Rules> {
    let mut rewritten = rules.clone();
    let mut taken: FxHashSet<Predicate> = FxHashSet::default();
    for rule in &rules.rules {
        taken.insert(rule.head.predicate());
        taken.extend(rule.body.iter().filter_map(Literal::atom).map(Atom::predicate));
    }
    let mut names = Vec::with_capacity(search.positions.len());
    for &(predicate, position) in &search.positions {
        let shorter = Predicate { arity: predicate.arity - 1, ..predicate };
        let name = if taken.contains(&shorter) {
            fresh(&mut rewritten.symbols, rules.symbols.name(predicate.name))
        } else {
            predicate.name
        };
        names.push((predicate, position, name));
    }
    let shorten = |atom: &mut Atom| {
        let predicate = atom.predicate();
        if let Some(&(_, position, name)) = names.iter().find(|it| it.0 == predicate) {
            atom.arguments.remove(position);
            atom.predicate = name;
        }
    };
    for step in &search.steps {
        let mut position = 0;
        rewritten.rules[step.rule].body.retain(|_| {
            position += 1;
            !step.guards.contains(&(position - 1))
        });
    }
    for rule in &mut rewritten.rules {
        shorten(&mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                shorten(atom);
            }
        }
    }
    let changed = search.steps.iter().map(|it| it.rule).chain(search.entries.iter().map(|it| it.0));
    changed.into_iter().all(|it| rewritten.rules[it].is_safe()).then_some(rewritten)
}

#[cfg(test)]
mod tests;
