//! Lemmas of other kinds that what is open may need, guessed from matches and proved by induction.

use groundfrog::Budget;
use groundfrog::game::AtomId;
use groundfrog_reasoner::{FluentId, GroundReasoner, Random, ReasonerError, State};

use super::Investigation;
use crate::families::{Family, single_groups};
use crate::induction::Outcome;
use crate::occupancy;
use crate::property::Claim;
use crate::sample::walk;
use crate::situation::Situation;
use crate::total::{self, Fill};

/// Of families with more groups the values of groups are not compared, nor is anything counted by them.
const FEW_KEYS: usize = 8;
/// Of families with more groups the values are not counted.
const FEW_NUMBERS: usize = 16;
/// So often totals are tried that need each other.
const TOTAL_ROUNDS: usize = 2;
/// So often random moves are made from a state that an induction finds, and so many.
const WALKS: usize = 3;
const WALK: usize = 40;
const WALK_SEED: u64 = 5;

impl Investigation<'_> {
    /// Looks for lemmas of other kinds that what is open may need. Says whether it found one.
    pub(super) fn strengthen(&mut self) -> bool {
        if !self.has_open() {
            return false;
        }
        let states: Vec<&State> = self.sample.states().collect();
        let mut candidates: Vec<Claim> = single_groups(self.game, &self.forms, &states)
            .into_iter()
            .flat_map(|(group, is_exact)| {
                let at_least = is_exact.then(|| Claim::at_least_one(std::slice::from_ref(&group)));
                [Some(Claim::at_most_one(&[group])), at_least]
            })
            .flatten()
            .collect();
        candidates.extend(occupancy::never(self.game, &states));
        for (family, &(at_most, _)) in self.families.iter().zip(&self.of_family) {
            if self.tasks[at_most].is_open() {
                candidates.extend(occupancy::candidates(self.game, family, &states));
            }
        }
        let mut small = self.prover.of_fluents(self.budget.share(1, 4));
        let mut outcomes = small.prove(&candidates, 1);
        self.give_time(2);
        small.proofs.into_iter().skip(1).for_each(|proof| self.prover.add_lemmas(proof));
        let mut left = self.totals(&states);
        // What is proved may be what others need.
        for _ in 0..TOTAL_ROUNDS {
            let mut proofs = Vec::new();
            left.retain(|total| {
                // With nothing in it that was learnt of another, which takes less time.
                let mut small = self.prover.of_fluents(self.budget.share(3, 4));
                let outcome = small.prove(std::slice::from_ref(total), 1).remove(0);
                proofs.extend(small.proofs.into_iter().skip(1));
                // Otherwise it may need what ends matches.
                matches!(outcome, Outcome::Unknown(Some(_)))
            });
            if proofs.is_empty() {
                break;
            }
            outcomes.push(Outcome::Proved);
            self.give_time(2);
            proofs.into_iter().for_each(|proof| self.prover.add_lemmas(proof));
        }
        // What is open first follows from those that are proved; those of few groups take less time to prove with it.
        let few = left.partition_point(|total| total::size(total) <= FEW_KEYS);
        for count in [0, few, left.len()] {
            outcomes.extend(self.prove_with_open(&left[..count], 3));
        }
        self.give_time(1);
        outcomes.contains(&Outcome::Proved)
    }

    /// Totals that may help to prove what is open.
    fn totals(&self, states: &[&State]) -> Vec<Claim> {
        let (groups, of_group) = self.groups();
        let is_few = |group: &usize| self.families[of_group[*group]].groups.len() <= FEW_NUMBERS;
        let numbers: Vec<&Vec<AtomId>> =
            (0..groups.len()).filter(is_few).map(|group| &groups[group].0).collect();
        let fill = |group: usize| match groups[group].1 {
            true => Fill::Exact,
            false if self.families[of_group[group]].is_exact => Fill::SeemsExact,
            false => Fill::AtMostOne,
        };
        let filled: Vec<(Vec<AtomId>, Fill)> =
            (0..groups.len()).map(|group| (groups[group].0.clone(), fill(group))).collect();
        total::candidates(self.game, &self.forms, &numbers, &filled, states)
    }

    /// Proves claims about states together with what is open, each a lemma for the others.
    fn prove_with_open(&mut self, claims: &[Claim], share: u32) -> Vec<Outcome> {
        let (open, of_open) = self.open(0..self.tasks.len(), |it| !it.is_of_step);
        if open.is_empty() {
            return Vec::new();
        }
        self.give_time(share);
        let outcomes = self.prover.prove(&[claims, &of_open].concat(), 1);
        self.note(open, outcomes[claims.len()..].to_vec());
        outcomes
    }

    /// Looks for values of groups that exclude each other, and for groups of which one is always filled. Says whether it found some.
    pub(super) fn find_exclusions(
        &mut self,
        reasoner: &mut GroundReasoner,
        most: usize,
        parts: u32,
    ) -> Result<bool, ReasonerError> {
        if !self.has_open() {
            return Ok(false);
        }
        let states: Vec<&State> = self.sample.states().collect();
        let is_few = |family: &Family| family.groups.len() <= FEW_KEYS;
        let few = self.families.iter().filter(|it| is_few(it));
        let groups: Vec<Vec<AtomId>> = few.flat_map(|it| it.groups.clone()).collect();
        let mut claims = occupancy::phases(self.game, &groups, &states);
        // What is open of these families may need the exclusions, as these may need it.
        claims.extend(self.open(self.tasks_of(is_few).into_iter(), |_| true).1);
        let pairs = occupancy::exclusions(self.game, &groups, &states, most);
        self.keep_inductive(claims, &pairs, reasoner, self.budget.share(1, parts))
    }

    /// Looks for fluents anywhere that exclude each other. Says whether it found some.
    pub(super) fn find_surprises(
        &mut self,
        reasoner: &mut GroundReasoner,
    ) -> Result<bool, ReasonerError> {
        if !self.has_open() {
            return Ok(false);
        }
        let states: Vec<&State> = self.sample.states().collect();
        let known: Vec<Vec<AtomId>> = self.groups().0.into_iter().map(|it| it.0).collect();
        let pairs = occupancy::surprises(self.game, &known, &states);
        let claims = self.open(self.tasks_of(|_| true).into_iter(), |_| true).1;
        self.keep_inductive(claims, &pairs, reasoner, self.budget.share(1, 3))
    }

    /// Proves claims about fluents together, and that those of each pair exclude each other. Says whether some are proved. Random moves from states that the
    /// induction finds help to leave out what cannot be proved.
    fn keep_inductive(
        &mut self,
        mut claims: Vec<Claim>,
        pairs: &[(AtomId, AtomId)],
        reasoner: &mut GroundReasoner,
        budget: Budget,
    ) -> Result<bool, ReasonerError> {
        let mut prover = self.prover.of_fluents(budget);
        let others = claims.len();
        claims.extend(pairs.iter().map(|&(one, other)| Claim::exclusive(one, other)));
        let first = self.game.fluents().next().map_or(0, |fluent| fluent.0);
        // By fluent: those that it excludes, and the claims.
        let mut excluded: Vec<Vec<(FluentId, usize)>> =
            vec![Vec::new(); self.game.fluents().count()];
        for (&(one, other), claim) in pairs.iter().zip(others..) {
            excluded[(one.0 - first) as usize].push((FluentId(other.0 - first), claim));
        }
        let mut situation = Situation::new(self.game);
        let mut random = Random::new(WALK_SEED);
        let mut fault = None;
        let mut is_seen = vec![false; claims.len()];
        let outcomes = prover.prove_together(&claims, &mut |found, is_kept| {
            let state = State::of(found.iter().map(|it| FluentId(it.0 - first)));
            for _ in 0..WALKS {
                let states = match walk(reasoner, &mut random, state.clone(), WALK) {
                    Ok(states) => states,
                    Err(error) => return fault = Some(error),
                };
                for state in states {
                    situation.enter_fluents(&state);
                    for claim in 0..others {
                        is_seen[claim] |= !claims[claim].holds(&situation);
                    }
                    for FluentId(fluent) in state.fluents() {
                        let excluded = &mut excluded[fluent as usize];
                        excluded.retain(|&(other, claim)| {
                            is_seen[claim] |= state.contains(other);
                            !is_seen[claim]
                        });
                    }
                }
            }
            is_kept.iter_mut().zip(&is_seen).for_each(|(is_kept, is_seen)| *is_kept &= !is_seen);
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        prover.proofs.into_iter().skip(1).for_each(|proof| self.prover.add_lemmas(proof));
        Ok(outcomes.contains(&Outcome::Proved))
    }
}
