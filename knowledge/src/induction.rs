//! Proofs by induction over the steps of a match.

use fxhash::FxHashSet;
use groundfrog::Budget;
use groundfrog::game::{AtomId, GroundGame};
use rustsat::types::Lit;

use crate::condition::Condition;
use crate::formula::Answer;
use crate::measure::Weights;
use crate::property::Claim;
use crate::total;
use crate::unrolling::Unrolling;

/// Of so many fluents one after the other is taken to hold, when it is shown that no other does.
const LARGE_GROUP: usize = 64;

/// A part of a claim may take one of so many parts of the time that is left for all of them.
const HARDEST: u32 = 3;
/// So many of the claims that are proved together are tried at once.
const TRIED_AT_ONCE: usize = 50;

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Proved,
    /// The moves that lead to where it does not hold, as positions in the game's moves.
    Refuted(Vec<Vec<usize>>),
    /// With a state after which the claim may be violated, if one was found: no match need reach it.
    Unknown(Option<Vec<AtomId>>),
}

/// Claims that were proved together, each of which is a lemma for the others.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    pub(crate) claims: Vec<Claim>,
    /// How many states before have to be as claimed.
    pub(crate) depth: usize,
}

/// Proves claims one after the other; what is proved is a lemma for what comes later.
pub(crate) struct Prover<'game> {
    pub(crate) unrolling: Unrolling<'game>,
    /// What was proved so far.
    pub(crate) proofs: Vec<Proof>,
}

/// How a proof goes through cases, each of which is easy to decide.
#[derive(Clone, Debug, Default)]
enum Cases {
    /// There is one.
    #[default]
    Whole,
    /// One move after the other: none changes the total of the weights of these groups.
    Moves(Vec<Weights>),
    /// One of these literals after the other; one of them holds where the claim is violated.
    Literals(Vec<Lit>),
}

/// A part of a claim that has to follow.
struct ClaimPart {
    claim: usize,
    /// It holds in the last state.
    holds: Lit,
    cases: Cases,
    /// The claims that its proof rests on, once it has one.
    rests_on: Option<Vec<usize>>,
}

impl<'game> Prover<'game> {
    pub(crate) fn new(game: &'game GroundGame, budget: Budget) -> Self {
        Prover { unrolling: Unrolling::new(game, budget), proofs: Vec::new() }
    }

    /// A prover that knows only what was proved of fluents alone, and ignores ends: its formula stays small, as no views are in it
    /// but those that moves and next states need.
    pub(crate) fn of_fluents(&self, budget: Budget) -> Self {
        let game = self.unrolling.game;
        let mut prover = Prover::new(game, budget);
        prover.unrolling.ignores_end = true;
        let of_fluents: Vec<Claim> =
            self.lemmas().filter(|claim| claim.is_of_fluents(game)).cloned().collect();
        prover.add_lemmas(Proof { claims: of_fluents, depth: 1 });
        prover
    }

    /// A prover of what is said of one joint move, which knows what was proved of fluents alone. Its formula has the rules of
    /// those moves only that matter, and of ends where they do.
    pub(crate) fn of_steps(&self, budget: Budget) -> Self {
        let game = self.unrolling.game;
        let mut prover = Prover::new(game, budget);
        prover.unrolling.is_lazy = true;
        prover.know(self.lemmas().filter(|claim| claim.is_of_fluents(game)));
        prover
    }

    /// Claims hold in the first state.
    fn know<'c>(&mut self, claims: impl Iterator<Item = &'c Claim>) {
        for part in claims.flat_map(|claim| &claim.parts) {
            let literal = part.literal(&mut self.unrolling, 0);
            self.unrolling.formula.add(&[literal]);
        }
    }

    /// The parts of numbered claims, each to be proved as a whole in a state. `None` if a limit is exceeded.
    fn parts<'c>(
        &mut self,
        claims: impl Iterator<Item = (usize, &'c Claim)>,
        state: usize,
    ) -> Option<Vec<ClaimPart>> {
        let mut parts = Vec::new();
        for (claim, it) in claims {
            if self.unrolling.formula.is_over() {
                return None;
            }
            for part in &it.parts {
                let holds = part.literal(&mut self.unrolling, state);
                parts.push(ClaimPart { claim, holds, cases: Cases::Whole, rests_on: None });
            }
        }
        Some(parts)
    }

    /// All that was proved of states.
    pub(crate) fn lemmas(&self) -> impl Iterator<Item = &Claim> {
        self.proofs.iter().flat_map(|proof| &proof.claims)
    }

    /// Proves those of the claims that hold after `depth` states in which they all hold: the largest such set, so that each
    /// is a lemma for the others. They are known to hold in the initial state.
    pub(crate) fn prove(&mut self, claims: &[Claim], depth: usize) -> Vec<Outcome> {
        self.prove_with(claims, depth, &[])
    }

    /// As [`Self::prove`]. Each of the conditions in `views`, about a state or a joint move in it, that follows from those before it is
    /// a lemma for the claims that it follows from.
    pub(crate) fn prove_with(
        &mut self,
        claims: &[Claim],
        depth: usize,
        views: &[Condition],
    ) -> Vec<Outcome> {
        let mut steps: Vec<Lit> = (0..depth).map(|state| self.unrolling.goes_on(state)).collect();
        let mut assumed = Vec::with_capacity(claims.len());
        let mut parts = Vec::new();
        for (number, claim) in claims.iter().enumerate() {
            if self.unrolling.formula.is_over() {
                return vec![Outcome::Unknown(None); claims.len()];
            }
            let assumption = self.unrolling.formula.variable();
            for part in &claim.parts {
                for state in 0..depth {
                    let literal = part.literal(&mut self.unrolling, state);
                    self.unrolling.formula.add(&[!assumption, literal]);
                }
                let cases = self.cases(part, depth);
                let holds = match cases {
                    Cases::Moves(_) => self.unrolling.formula.yes(),
                    _ => part.literal(&mut self.unrolling, depth),
                };
                parts.push(ClaimPart { claim: number, holds, cases, rests_on: None });
            }
            assumed.push(assumption);
        }
        if claims.iter().any(|claim| claim.is_of_step) {
            steps.push(self.unrolling.goes_on(depth));
        }
        self.learn(views, &[&steps[..], &assumed].concat());
        let mut outcomes = vec![Outcome::Proved; claims.len()];
        self.exclude(&steps, &assumed, &mut parts, &mut outcomes, 0);
        for last in 1..depth {
            self.begin(claims, last, &mut outcomes);
        }
        self.keep(claims, &outcomes, depth);
        outcomes
    }

    /// Proves those of the claims that hold in every state that is as the lemmas say, whether it follows another or not: what they read
    /// of one state alone takes small formulae, as no move is in them. Each of the conditions in `views` that follows from those before it is
    /// a lemma for them.
    pub(crate) fn prove_anywhere(
        &mut self,
        claims: &[Claim],
        views: &[Condition],
        budget: Budget,
    ) -> Vec<Outcome> {
        let game = self.unrolling.game;
        let mut alone = Prover::new(game, budget);
        alone.know(self.lemmas().filter(|claim| !claim.is_of_step));
        alone.learn(views, &[]);
        let mut outcomes = vec![Outcome::Proved; claims.len()];
        let Some(mut parts) = alone.parts(claims.iter().enumerate(), 0) else {
            return vec![Outcome::Unknown(None); claims.len()];
        };
        alone.exclude(&[], &[], &mut parts, &mut outcomes, 0);
        let proved = claims.iter().zip(&outcomes).filter(|it| *it.1 == Outcome::Proved);
        let proved: Vec<Claim> = proved.map(|(claim, _)| claim.clone()).collect();
        if !proved.is_empty() {
            // They are no lemmas for what comes later: what they say follows from those that there are.
            self.proofs.push(Proof { claims: proved, depth: 1 });
        }
        outcomes
    }

    /// Adds those of the conditions that follow from what is assumed, and from those before them, in half of the time.
    fn learn(&mut self, views: &[Condition], assumed: &[Lit]) {
        let budget = self.unrolling.formula.budget();
        self.unrolling.formula.set_budget(&budget.share(1, 2));
        for view in views {
            if self.unrolling.formula.is_over() {
                break;
            }
            let holds = view.literal(&mut self.unrolling, 0);
            if self.unrolling.solve_with(assumed, &[!holds]) == Answer::Unsatisfiable {
                let mut clause = self.unrolling.formula.blamed(assumed);
                clause.iter_mut().for_each(|it| *it = !*it);
                clause.push(holds);
                self.unrolling.formula.add(&clause);
            }
        }
        self.unrolling.formula.set_budget(&budget);
    }

    /// The cases in which the induction shows that a part of a claim holds after some states.
    fn cases(&mut self, part: &Condition, depth: usize) -> Cases {
        match part {
            Condition::Total { groups, .. } if depth == 1 => Cases::Moves(groups.clone()),
            Condition::AtMost(1, members) if members.len() >= LARGE_GROUP => {
                let members = members.iter();
                Cases::Literals(members.map(|it| it.literal(&mut self.unrolling, depth)).collect())
            }
            _ => Cases::Whole,
        }
    }

    /// Of claims about fluents the largest set whose members hold after a joint move out of a state in which all of them do. They
    /// are many, known to hold in the initial state, and decided together: all of them, or none if the time is over. From a state of
    /// the induction `follow` goes on by legal moves: what does not hold there is in no such set.
    pub(crate) fn prove_together(
        &mut self,
        claims: &[Claim],
        follow: &mut impl FnMut(&[AtomId], &mut [bool]),
    ) -> Vec<Outcome> {
        let unknown = vec![Outcome::Unknown(None); claims.len()];
        let goes_on = self.unrolling.goes_on(0);
        let mut assumed = Vec::with_capacity(claims.len());
        let mut violated = Vec::with_capacity(claims.len());
        for claim in claims {
            if self.unrolling.formula.is_over() {
                return unknown;
            }
            let assumption = self.unrolling.formula.variable();
            let mut violations = Vec::new();
            for part in &claim.parts {
                let literal = part.literal(&mut self.unrolling, 0);
                self.unrolling.formula.add(&[!assumption, literal]);
                violations.push(!part.literal(&mut self.unrolling, 1));
            }
            violated.push(self.unrolling.formula.any(&violations));
            assumed.push(assumption);
        }
        let mut is_kept = vec![true; claims.len()];
        // Some are tried at once, with what it rests on that none of them fails.
        let mut tries: Vec<(Vec<usize>, Option<Vec<usize>>)> = (0..claims.len())
            .step_by(TRIED_AT_ONCE)
            .map(|first| ((first..claims.len().min(first + TRIED_AT_ONCE)).collect(), None))
            .collect();
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for (tried, rests_on) in &mut tries {
                loop {
                    let is_done = |on: &Vec<usize>| on.iter().all(|&claim| is_kept[claim]);
                    tried.retain(|&claim| is_kept[claim]);
                    if tried.is_empty() || rests_on.as_ref().is_some_and(is_done) {
                        break;
                    }
                    let one_fails = self.unrolling.formula.variable();
                    let mut clause = vec![!one_fails];
                    clause.extend(tried.iter().map(|&claim| violated[claim]));
                    self.unrolling.formula.add(&clause);
                    let mut assumptions = vec![goes_on, one_fails];
                    let kept = (0..claims.len()).filter(|&claim| is_kept[claim]);
                    assumptions.extend(kept.map(|claim| assumed[claim]));
                    match self.unrolling.solve(&assumptions) {
                        Answer::Unknown => return unknown,
                        Answer::Unsatisfiable => {
                            let blamed = self.unrolling.formula.blamed(&assumptions);
                            let blamed: FxHashSet<Lit> = blamed.into_iter().collect();
                            let on = (0..claims.len()).filter(|&it| blamed.contains(&assumed[it]));
                            *rests_on = Some(on.collect());
                        }
                        Answer::Satisfiable => {
                            is_changed = true;
                            for (is_kept, &violated) in is_kept.iter_mut().zip(&violated) {
                                *is_kept &= !self.unrolling.formula.value(violated);
                            }
                            follow(&self.unrolling.state(0), &mut is_kept);
                        }
                    }
                }
            }
        }
        let mut outcomes = unknown;
        let kept = outcomes.iter_mut().zip(is_kept).filter(|it| it.1);
        kept.for_each(|(outcome, _)| *outcome = Outcome::Proved);
        self.keep(claims, &outcomes, 1);
        outcomes
    }

    /// Proves claims about joint moves, each for itself: they hold if the lemmas exclude every other joint move.
    pub(crate) fn prove_steps(&mut self, claims: &[Claim]) -> Vec<Outcome> {
        let mut outcomes = vec![Outcome::Proved; claims.len()];
        let goes_on = self.unrolling.goes_on(0);
        // Rules of states alone have to exclude each other where no move is made as well.
        for (steps, is_of_step) in [(&[goes_on][..], true), (&[], false)] {
            let claims = claims.iter().enumerate().filter(|it| it.1.is_of_step == is_of_step);
            let Some(mut parts) = self.parts(claims, 0) else {
                return vec![Outcome::Unknown(None); outcomes.len()];
            };
            self.exclude(steps, &[], &mut parts, &mut outcomes, 0);
        }
        outcomes
    }

    /// Drops claims until no part of one is violated under the assumptions of those that are left.
    fn exclude(
        &mut self,
        steps: &[Lit],
        assumed: &[Lit],
        parts: &mut [ClaimPart],
        outcomes: &mut [Outcome],
        shown: usize,
    ) {
        let budget = self.unrolling.formula.budget();
        loop {
            let mut is_changed = false;
            for number in 0..parts.len() {
                let ClaimPart { claim, holds, ref cases, ref rests_on } = parts[number];
                let is_proved = |claim: &usize| outcomes[*claim] == Outcome::Proved;
                let is_done = rests_on.as_ref().is_some_and(|claims| claims.iter().all(is_proved));
                if is_done || !is_proved(&claim) {
                    continue;
                }
                let alive: Vec<usize> =
                    (0..assumed.len()).filter(|claim| is_proved(claim)).collect();
                let mut assumptions: Vec<Lit> = steps.to_vec();
                assumptions.extend(alive.iter().map(|&claim| assumed[claim]));
                if !matches!(cases, Cases::Moves(_)) {
                    assumptions.push(!holds);
                }
                // What is hard leaves some of the time for the others.
                let left = (parts.len() - number) as u32;
                self.unrolling.formula.set_budget(&budget.share(1, left.min(HARDEST)));
                let answer = match cases {
                    Cases::Whole => self.unrolling.solve(&assumptions),
                    Cases::Moves(groups) => {
                        total::solve_change(&mut self.unrolling, &assumptions, groups)
                    }
                    Cases::Literals(cases) => self.unrolling.solve_by_cases(&assumptions, cases),
                };
                let is_whole = matches!(cases, Cases::Whole);
                match answer {
                    Answer::Unsatisfiable if !is_whole => parts[number].rests_on = Some(alive),
                    Answer::Unsatisfiable => {
                        let blamed = self.unrolling.formula.blamed(&assumptions);
                        let rests_on =
                            alive.into_iter().filter(|&it| blamed.contains(&assumed[it]));
                        parts[number].rests_on = Some(rests_on.collect());
                    }
                    Answer::Unknown => {
                        outcomes[claim] = Outcome::Unknown(None);
                        is_changed = true;
                    }
                    Answer::Satisfiable => {
                        let state = self.unrolling.state(shown);
                        outcomes[claim] = Outcome::Unknown(Some(state.clone()));
                        for part in parts.iter() {
                            let is_violated = !self.unrolling.formula.value(part.holds);
                            if is_violated && outcomes[part.claim] == Outcome::Proved {
                                outcomes[part.claim] = Outcome::Unknown(Some(state.clone()));
                            }
                        }
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                return self.unrolling.formula.set_budget(&budget);
            }
        }
    }

    /// Whether claims hold in the states that follow the initial one by so many joint moves.
    fn begin(&mut self, claims: &[Claim], last: usize, outcomes: &mut [Outcome]) {
        let mut steps: Vec<Lit> = (0..last).map(|state| self.unrolling.goes_on(state)).collect();
        steps.push(self.unrolling.begins());
        for (claim, outcome) in claims.iter().zip(outcomes) {
            if *outcome != Outcome::Proved {
                continue;
            }
            let mut found = [Outcome::Unknown(None)];
            if let Some(mut parts) = self.parts([(0, claim)].into_iter(), last) {
                found = [Outcome::Proved];
                self.exclude(&steps, &[], &mut parts, &mut found, 0);
            }
            if found[0] != Outcome::Proved {
                *outcome = Outcome::Unknown(None);
            }
        }
    }

    /// Makes lemmas of those that are proved.
    fn keep(&mut self, claims: &[Claim], outcomes: &[Outcome], depth: usize) {
        let proved = claims.iter().zip(outcomes).filter(|(_, it)| **it == Outcome::Proved);
        let proved: Vec<Claim> = proved.map(|(claim, _)| claim.clone()).collect();
        if !proved.is_empty() {
            self.add_lemmas(Proof { claims: proved, depth });
        }
    }

    /// Takes what was proved for granted.
    pub(crate) fn add_lemmas(&mut self, proof: Proof) {
        assume(&mut self.unrolling, &proof.claims);
        self.proofs.push(proof);
    }
}

/// Takes claims about states for granted in the first state, and in the next if the match goes on.
pub(crate) fn assume(unrolling: &mut Unrolling<'_>, claims: &[Claim]) {
    let goes_on = unrolling.goes_on(0);
    for claim in claims.iter().filter(|claim| !claim.is_of_step) {
        for part in &claim.parts {
            let literal = part.literal(unrolling, 0);
            unrolling.formula.add(&[literal]);
            let literal = part.literal(unrolling, 1);
            unrolling.formula.add(&[!goes_on, literal]);
        }
    }
}
