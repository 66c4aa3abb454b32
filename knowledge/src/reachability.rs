//! Whether a state is reached that violates a claim, decided by what can be said of the states after so many joint moves.
//!
//! This is property-directed reachability (Bradley, "SAT-based model checking without unrolling", VMCAI 2011). For each number
//! of joint moves there is a set of clauses that holds in all states that are reached with no more of them. A state that violates
//! the claim is excluded by a new clause, if the clauses of one move less leave no way to it; otherwise the state before it
//! has to be excluded first. The claim is proved when two neighbouring sets of clauses are the same, as these are then
//! invariant; it is refuted when the way back arrives at the initial state.

use fxhash::FxHashSet;
use groundfrog::Budget;
use groundfrog::game::{AtomId, GroundGame};
use rustsat::types::Lit;

use crate::condition::Condition;
use crate::formula::Answer;
use crate::induction::{Outcome, Proof, assume};
use crate::property::Claim;
use crate::unrolling::Unrolling;

/// Matches with more joint moves are not followed.
const MOST_LEVELS: usize = 120;
/// A cube with more literals is not made smaller one by one.
const LONGEST: usize = 40;

/// Fluents, each of which holds or does not: a set of states.
type Cube = Vec<(AtomId, bool)>;

/// A state, and the joint move made there.
type Step = (Cube, Vec<usize>);

/// A state from which the claim can be violated.
struct Goal {
    cube: Cube,
    /// The joint move made there, and the goal that it leads to, unless it violates the claim itself.
    way: Option<(Vec<usize>, Option<usize>)>,
}

struct Search<'game> {
    unrolling: Unrolling<'game>,
    /// The initial state.
    init: FxHashSet<AtomId>,
    begins: Lit,
    goes_on: Lit,
    /// By level: holds where its clauses do; and the cubes that these exclude.
    levels: Vec<(Lit, Vec<Cube>)>,
    /// Some part of the claim is violated.
    violated: Lit,
    /// By a joint move.
    is_of_step: bool,
    goals: Vec<Goal>,
}

/// Decides a claim, if the time allows it, from lemmas that hold in every reachable state.
pub(crate) fn decide(
    game: &GroundGame,
    budget: Budget,
    lemmas: &[Claim],
    claim: &Claim,
) -> (Outcome, Option<Proof>) {
    let mut unrolling = Unrolling::new(game, budget);
    assume(&mut unrolling, lemmas);
    let (begins, goes_on) = (unrolling.begins(), unrolling.goes_on(0));
    let mut parts = Vec::with_capacity(claim.parts.len());
    for part in &claim.parts {
        if unrolling.formula.is_over() {
            return (Outcome::Unknown(None), None);
        }
        let violated = !part.literal(&mut unrolling, 0);
        parts.push(match claim.is_of_step {
            true => unrolling.formula.all(&[violated, goes_on]),
            false => violated,
        });
    }
    let violated = unrolling.formula.any(&parts);
    let init = game.init().iter().copied().collect();
    let mut search = Search {
        unrolling,
        init,
        begins,
        goes_on,
        levels: vec![(begins, Vec::new())],
        violated,
        is_of_step: claim.is_of_step,
        goals: Vec::new(),
    };
    let found = search.run();
    match found {
        Some(ReachOutcome::Invariant(cubes)) => {
            // What is about joint moves follows from the cubes, and is no part of what is invariant.
            let mut parts = if claim.is_of_step { Vec::new() } else { claim.parts.clone() };
            parts.extend(cubes.iter().map(excluded));
            let invariant = Claim::of_states(parts);
            (Outcome::Proved, Some(Proof { claims: vec![invariant], depth: 1 }))
        }
        Some(ReachOutcome::Way(moves)) => (Outcome::Refuted(moves), None),
        None => (Outcome::Unknown(None), None),
    }
}

/// The condition that a state is in none of a cube.
fn excluded(cube: &Cube) -> Condition {
    let differs = |&(fluent, holds): &(AtomId, bool)| {
        let atom = Condition::Atom(fluent);
        if holds { atom.negated() } else { atom }
    };
    Condition::Any(cube.iter().map(differs).collect())
}

enum ReachOutcome {
    Invariant(Vec<Cube>),
    Way(Vec<Vec<usize>>),
}

impl Search<'_> {
    fn run(&mut self) -> Option<ReachOutcome> {
        match self.unrolling.formula.solve(&[self.begins, self.violated]) {
            Answer::Satisfiable => {
                let made = self.unrolling.joint_move(0).filter(|_| self.is_of_step);
                return Some(ReachOutcome::Way(made.into_iter().collect()));
            }
            Answer::Unsatisfiable => {}
            Answer::Unknown => return None,
        }
        for top in 1..MOST_LEVELS {
            let level = self.unrolling.formula.variable();
            self.levels.push((level, Vec::new()));
            loop {
                let mut assumptions = self.reached_from(top);
                assumptions.push(self.violated);
                match self.unrolling.formula.solve(&assumptions) {
                    Answer::Unsatisfiable => break,
                    Answer::Unknown => return None,
                    Answer::Satisfiable => {}
                }
                let cube = self.cube();
                let made = self.unrolling.joint_move(0).filter(|_| self.is_of_step);
                self.goals = vec![Goal { cube, way: made.map(|made| (made, None)) }];
                if let Some(way) = self.exclude_goals(top)? {
                    return Some(ReachOutcome::Way(way));
                }
            }
            if let Some(invariant) = self.carry(top)? {
                return Some(ReachOutcome::Invariant(invariant));
            }
        }
        None
    }

    /// The joint move, and those that lead from one goal to the next.
    fn way(&self, first: Vec<usize>, goal: usize) -> Vec<Vec<usize>> {
        let mut moves = vec![first];
        let mut next = Some(goal);
        while let Some((made, after)) = next.and_then(|goal| self.goals[goal].way.as_ref()) {
            moves.push(made.clone());
            next = *after;
        }
        moves
    }

    /// What is assumed of states that are reached with so many joint moves.
    fn reached_from(&self, level: usize) -> Vec<Lit> {
        if level == 0 {
            return vec![self.begins];
        }
        self.levels[level..].iter().map(|&(level, _)| level).collect()
    }

    /// The first state of the model that was found last, as far as anything was asked of it.
    fn cube(&self) -> Cube {
        let unrolling = &self.unrolling;
        let known =
            |fluent: AtomId| Some((fluent, unrolling.formula.value(unrolling.known(0, fluent)?)));
        unrolling.game.fluents().filter_map(known).collect()
    }

    /// Excludes the goals, the last of which comes first. None if it cannot tell; or the way that leads to one.
    fn exclude_goals(&mut self, top: usize) -> Option<Option<Vec<Vec<usize>>>> {
        // By level, so that the lowest is looked at first.
        let mut open: Vec<(usize, usize)> = vec![(top, 0)];
        while let Some(place) =
            (0..open.len()).min_by_key(|&it| (open[it].0, usize::MAX - open[it].1))
        {
            let (level, goal) = open[place];
            let cube = self.goals[goal].cube.clone();
            match self.is_cut_off(&cube, level) {
                None => return None,
                Some(Ok(smaller)) => {
                    open.swap_remove(place);
                    let (cube, level) = self.shrink(smaller, level);
                    self.exclude(&cube, level);
                    if level < top {
                        open.push((level + 1, goal));
                    }
                }
                Some(Err((before, made))) => {
                    let differs =
                        |&(fluent, holds): &(AtomId, bool)| self.init.contains(&fluent) != holds;
                    if level == 1 || !before.iter().any(differs) {
                        return Some(Some(self.way(made, goal)));
                    }
                    self.goals.push(Goal { cube: before, way: Some((made, Some(goal))) });
                    open.push((level - 1, self.goals.len() - 1));
                }
            }
        }
        Some(None)
    }

    /// Whether no state outside of the cube that is reached with one joint move less leads into it: the part of the cube for which
    /// that was shown, or a state that does.
    fn is_cut_off(&mut self, cube: &Cube, level: usize) -> Option<Result<Cube, Step>> {
        let outside = self.unrolling.formula.variable();
        let mut clause = vec![!outside];
        let mut after = Vec::with_capacity(cube.len());
        for &(fluent, holds) in cube {
            let (now, next) =
                (self.unrolling.literal(0, fluent), self.unrolling.literal(1, fluent));
            clause.push(if holds { !now } else { now });
            after.push(if holds { next } else { !next });
        }
        self.unrolling.formula.add(&clause);
        let mut assumptions = self.reached_from(level - 1);
        assumptions.extend([self.goes_on, outside]);
        assumptions.extend(&after);
        let answer = self.unrolling.formula.solve(&assumptions);
        let found = match answer {
            Answer::Unknown => None,
            Answer::Satisfiable => {
                self.unrolling.joint_move(0).map(|made| Err((self.cube(), made)))
            }
            Answer::Unsatisfiable => {
                let blamed: FxHashSet<Lit> =
                    self.unrolling.formula.blamed(&after).into_iter().collect();
                let both = cube.iter().zip(&after);
                let smaller = both.filter(|(_, after)| blamed.contains(after));
                Some(Ok(self.outside_init(cube, smaller.map(|(&literal, _)| literal).collect())))
            }
        };
        self.unrolling.formula.add(&[!outside]);
        found
    }

    /// The smaller cube, with a literal of the larger one if it would contain the initial state otherwise.
    fn outside_init(&self, cube: &Cube, mut smaller: Cube) -> Cube {
        let differs = |&&(fluent, holds): &&(AtomId, bool)| self.init.contains(&fluent) != holds;
        if !smaller.iter().any(|literal| differs(&literal)) {
            smaller.extend(cube.iter().find(differs));
        }
        smaller
    }

    /// Leaves out literals that are not needed, and finds the highest level for which the cube is cut off.
    fn shrink(&mut self, mut cube: Cube, mut level: usize) -> (Cube, usize) {
        if cube.len() <= LONGEST {
            let mut place = 0;
            while place < cube.len() && cube.len() > 1 {
                let mut fewer = cube.clone();
                fewer.remove(place);
                let is_outside =
                    fewer.iter().any(|(fluent, holds)| self.init.contains(fluent) != *holds);
                match is_outside.then(|| self.is_cut_off(&fewer, level)).flatten() {
                    Some(Ok(smaller)) if smaller.len() <= fewer.len() => cube = smaller,
                    _ => place += 1,
                }
            }
        }
        while level + 1 < self.levels.len() {
            match self.is_cut_off(&cube, level + 1) {
                Some(Ok(_)) => level += 1,
                _ => break,
            }
        }
        (cube, level)
    }

    fn exclude(&mut self, cube: &Cube, level: usize) {
        let mut clause = vec![!self.levels[level].0];
        for &(fluent, holds) in cube {
            let literal = self.unrolling.literal(0, fluent);
            clause.push(if holds { !literal } else { literal });
        }
        self.unrolling.formula.add(&clause);
        self.levels[level].1.push(cube.clone());
    }

    /// Carries clauses on to higher levels. If all of a level are, its clauses are invariant.
    fn carry(&mut self, top: usize) -> Option<Option<Vec<Cube>>> {
        for level in 1..top {
            let cubes = std::mem::take(&mut self.levels[level].1);
            for cube in cubes {
                match self.is_cut_off(&cube, level + 1)? {
                    Ok(_) => self.exclude(&cube, level + 1),
                    Err(_) => self.levels[level].1.push(cube),
                }
            }
            if self.levels[level].1.is_empty() {
                let above = self.levels[level + 1..].iter();
                return Some(Some(above.flat_map(|(_, cubes)| cubes.clone()).collect()));
            }
        }
        Some(None)
    }
}
