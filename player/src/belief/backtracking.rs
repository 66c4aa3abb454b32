//! Histories that agree with everything from the beginning, by depth-first search.

use groundfrog_reasoner::{MoveId, Random};

use super::demands::{Demanded, Demands};
use super::steps::{JointMoves, drawn, product};
use super::{BeliefLimits, Experience, Merged, Steps, World, initial};
use crate::strategy::StrategyError;

/// Joint moves that are tried for one state before some are drawn at random.
const MOST_JOINT_MOVES: usize = 1024;
/// Histories that are looked for. They stand for all that agree.
const WANTED: usize = 64;
/// The search ends after so many histories, one after the other, that lead where others have led.
const ALIKE: usize = 4;
/// Each search for one history has this part of all joint moves.
const PART: usize = 16;

/// Worlds of histories that agree with a role's experience, whose moves are those that the percepts demand.
pub(super) fn search(
    steps: &mut Steps<'_>,
    demands: Option<&Demands<'_>>,
    history: &[Experience],
    limits: BeliefLimits,
    random: &mut Random,
) -> Result<Vec<World>, StrategyError> {
    let mut found = Merged::default();
    let (mut left, mut alike, mut attempts) = (limits.search, 0, 0);
    while alike < ALIKE && attempts < WANTED && left > 0 {
        // What is demanded is one way of many, and there may be none: sometimes all moves are tried.
        let is_free = attempts % 4 == 3 && alike == 0;
        let demanded = demands.filter(|_| !is_free).and_then(|it| it.derive(history, random));
        let is_free = demanded.is_none();
        let part = (limits.search / PART).max(history.len()).min(left);
        let mut search = Search { steps, history, demanded: demanded.unwrap_or_default(), part };
        let world = search.run(random)?;
        left = left.saturating_sub((part - search.part).max(1));
        let is_exhausted = is_free && search.part > 0;
        match world {
            Some(world) => {
                attempts += 1;
                alike = if found.add(world) { 0 } else { alike + 1 };
            }
            None if is_exhausted && found.is_empty() => break,
            None if !found.is_empty() => alike += 1,
            None => {}
        }
    }
    Ok(found.into_worlds())
}

/// The search for one history.
struct Search<'search, 'run> {
    steps: &'search mut Steps<'run>,
    history: &'search [Experience],
    demanded: Demanded,
    /// Joint moves that may still be followed.
    part: usize,
}

/// A world on the way, and the joint moves that are yet to be tried in it, each with a weight.
struct Branch {
    world: World,
    moves: Vec<(Vec<MoveId>, f64)>,
}

impl Search<'_, '_> {
    fn run(&mut self, random: &mut Random) -> Result<Option<World>, StrategyError> {
        let first = initial(self.steps.machine);
        let mut path = vec![self.node(first, 0, random)?];
        while let Some(node) = path.last_mut() {
            let Some((moves, weight)) = node.moves.pop() else {
                path.pop();
                continue;
            };
            if self.part == 0 {
                return Ok(None);
            }
            self.part -= 1;
            let world = node.world.clone();
            let depth = path.len();
            let next = self.steps.follow(&world, &moves, &self.history[depth - 1].seen)?;
            let Some(mut next) = next else { continue };
            next.weight *= weight;
            if depth == self.history.len() {
                return Ok(Some(next));
            }
            path.push(self.node(next, depth, random)?);
        }
        Ok(None)
    }

    /// A world with the joint moves of a step in random order, the likely ones sooner. What is drawn is not weighed again; what is
    /// demanded weighs what it is likely.
    fn node(
        &mut self,
        world: World,
        step: usize,
        random: &mut Random,
    ) -> Result<Branch, StrategyError> {
        let choices = self.steps.choices(&world.state, self.history[step].own)?;
        let Some(mut choices) = choices else { return Ok(Branch { world, moves: Vec::new() }) };
        let mut weight = 1.0;
        for (role, choice) in self.steps.machine.role_ids().zip(&mut choices) {
            if let Some(&demanded) = self.demanded.get(&(step, role)) {
                choice.retain(|it| it.0 == demanded);
                let Some(&(_, likely)) = choice.first() else {
                    return Ok(Branch { world, moves: Vec::new() });
                };
                weight *= likely;
            }
        }
        let mut moves: Vec<(f64, Vec<MoveId>)> = Vec::new();
        if product(&choices).is_some_and(|it| it <= MOST_JOINT_MOVES) {
            let mut joint = JointMoves::new(&choices);
            while let Some((made, likely)) = joint.next() {
                // The least of exponential variables is each with a probability in proportion to its rate.
                moves.push((-(1.0 - random.fraction()).ln() / likely, made.to_vec()));
            }
            moves.sort_by(|one, other| other.0.total_cmp(&one.0));
        } else {
            for _ in 0..MOST_JOINT_MOVES {
                moves.push((0.0, choices.iter().map(|it| drawn(it, random)).collect()));
            }
        }
        Ok(Branch { world, moves: moves.into_iter().map(|it| (it.1, weight)).collect() })
    }
}
