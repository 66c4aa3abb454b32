//! Proofs by induction over the steps of a match.

use groundfrog::game::{AtomId, GroundGame};
use rustsat::types::Lit;

use crate::formula::{Answer, Limits};
use crate::property::Claim;
use crate::unrolling::Unrolling;

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Proved,
    /// With a state after which the claim may be violated, if one was found: no match need reach it.
    Unknown(Option<Vec<AtomId>>),
}

/// Proves those of the claims that hold after `depth` states in which they all hold: the largest such set, so that each
/// is a lemma for the others. The initial state, and for a greater depth the states after it, are looked at as well.
///
/// The lemmas hold in every state that a match can reach.
pub(crate) fn prove(
    game: &GroundGame,
    limits: &Limits,
    lemmas: &[Claim],
    claims: &[Claim],
    depth: usize,
) -> Vec<Outcome> {
    if claims.is_empty() {
        return Vec::new();
    }
    let mut unrolling = Unrolling::new(game, limits.clone());
    (0..depth).for_each(|state| unrolling.go_on(state));
    assume(&mut unrolling, lemmas, depth);
    let mut pairs = Vec::with_capacity(claims.len());
    for claim in claims {
        let assumed = unrolling.formula.variable();
        for state in 0..depth {
            let violated = claim.violated(&mut unrolling, state);
            unrolling.formula.add(&[!assumed, !violated]);
        }
        pairs.push((assumed, claim.violated(&mut unrolling, depth)));
    }
    let outcomes = exclude(&mut unrolling, &pairs);
    let begins = begins(game, limits, lemmas, claims, depth);
    let both = outcomes.into_iter().zip(begins);
    both.map(|(outcome, begins)| if begins { outcome } else { Outcome::Unknown(None) }).collect()
}

/// Assumes lemmas in the states up to the last.
pub(crate) fn assume(unrolling: &mut Unrolling<'_>, lemmas: &[Claim], last: usize) {
    for lemma in lemmas {
        for state in 0..=last {
            let violated = lemma.violated(unrolling, state);
            unrolling.formula.add(&[!violated]);
        }
    }
}

/// Of pairs of a literal that assumes a claim and one that holds where it is violated later: drops claims until none is
/// violated under the assumptions of those that are left.
pub(crate) fn exclude(unrolling: &mut Unrolling<'_>, pairs: &[(Lit, Lit)]) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::Proved; pairs.len()];
    let formula = &mut unrolling.formula;
    let chosen: Vec<Lit> = pairs.iter().map(|_| formula.variable()).collect();
    for (&choice, &(_, violated)) in chosen.iter().zip(pairs) {
        formula.add(&[!choice, violated]);
    }
    formula.add(&chosen);
    loop {
        let mut assumptions = Vec::with_capacity(pairs.len());
        for ((&(assumed, _), &choice), outcome) in pairs.iter().zip(&chosen).zip(&outcomes) {
            assumptions.push(if *outcome == Outcome::Proved { assumed } else { !choice });
        }
        match unrolling.formula.solve(&assumptions) {
            Answer::Unsatisfiable => return outcomes,
            Answer::Unknown => {
                let open = outcomes.iter_mut().filter(|outcome| **outcome == Outcome::Proved);
                open.for_each(|outcome| *outcome = Outcome::Unknown(None));
                return outcomes;
            }
            Answer::Satisfiable => {
                let state = unrolling.state(0);
                for (outcome, &(_, violated)) in outcomes.iter_mut().zip(pairs) {
                    if *outcome == Outcome::Proved && unrolling.formula.value(violated) {
                        *outcome = Outcome::Unknown(Some(state.clone()));
                    }
                }
            }
        }
    }
}

/// By claim: whether it holds in the initial state, and in those that follow it by fewer than `depth` joint moves.
fn begins(
    game: &GroundGame,
    limits: &Limits,
    lemmas: &[Claim],
    claims: &[Claim],
    depth: usize,
) -> Vec<bool> {
    let mut holds = vec![true; claims.len()];
    for last in 0..depth {
        let mut unrolling = Unrolling::new(game, limits.clone());
        for fluent in game.fluents() {
            let literal = unrolling.literal(0, fluent);
            let is_initial = game.init().binary_search(&fluent).is_ok();
            unrolling.formula.add(&[if is_initial { literal } else { !literal }]);
        }
        (0..last).for_each(|state| unrolling.go_on(state));
        assume(&mut unrolling, lemmas, last);
        let yes = unrolling.formula.yes();
        let mut pairs = Vec::with_capacity(claims.len());
        for claim in claims {
            pairs.push((yes, claim.violated(&mut unrolling, last)));
        }
        let outcomes = exclude(&mut unrolling, &pairs);
        for (holds, outcome) in holds.iter_mut().zip(outcomes) {
            *holds &= outcome == Outcome::Proved;
        }
    }
    holds
}
