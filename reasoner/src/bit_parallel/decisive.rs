//! Moves that end a match at once in the best way for whoever makes them, and moves that keep others from that, found by gates (decisive and
//! anti-decisive moves: Teytaud & Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search algorithms", 2010).
//!
//! One sweep back over the gates of the end, from those of its parts that bring the best goal to the fluents, tells for each fluent when it is
//! enough that it alone begins or ceases to hold: a row of four, say, lacks just that one. A move is decisive where it changes such a fluent
//! and none that others count on. The sweep is made once for a role, whatever the number of its moves. A second sweep, from what others could do if
//! it were their turn, tells which fluents are enough to keep them from all of it.

mod sweep;

use std::collections::BTreeMap;

use super::compile::LaneMove;
use crate::network::Network;
use crate::network::{Code, FALSE, TRUE};
use groundfrog::game::RoleId;
use sweep::{Support, Sweep};

/// Nodes that are looked at, for all moves together.
const MOST_WORK: usize = 100_000_000;
/// Gates that are added for all moves together.
const MOST_GATES: usize = 100_000;

/// Adds the gates to a network that say which legal moves are decisive, and if `blocks` which keep others from such. Each other role is taken
/// to have one legal move. None where no decisive moves are found, an end depends on recursive rules, or it would take too long.
pub(super) fn decisive(
    network: &mut Network,
    legal: &[Vec<(u32, Code)>],
    blocks: bool,
) -> Option<Vec<Vec<LaneMove>>> {
    let goals = best_goals(network, legal.len());
    let support = Support::new(network, goals.iter().copied().chain([network.terminal]))?;
    if network.gates.nodes().checked_mul(network.moves.len())? > MOST_WORK {
        return None;
    }
    let most = network.gates.len() + MOST_GATES;
    let mut sweep = Sweep::new(network, support);
    let (mut chosen, mut threats) = (Vec::new(), Vec::new());
    for (moves, &goal) in legal.iter().zip(&goals) {
        let parts = sweep.parts_with(goal);
        let flips = sweep.flips(&parts);
        let turn = sweep.turn(moves);
        let mut own = Vec::new();
        // By what a move uses up, such as a piece that goes: without that none of them can be made.
        let mut threat: BTreeMap<Code, Vec<Code>> = BTreeMap::new();
        for &(number, legal) in moves {
            if sweep.network.gates.len() > most {
                return None;
            }
            let wins = sweep.brings(number as usize, &flips, true);
            let win = sweep.network.gates.and(&mut vec![legal, wins]);
            own.push(LaneMove { number, legal, win, block: FALSE });
            let mut possible = sweep.conditions(legal);
            possible.retain(|condition| !turn.contains(condition));
            let used = possible.iter().position(|&condition| sweep.ceases(condition));
            let used = used.map_or(TRUE, |place| possible.swap_remove(place));
            possible.push(wins);
            let possible = sweep.network.gates.and(&mut possible);
            threat.entry(used).or_default().push(possible);
        }
        chosen.push(own);
        threats.push(sweep.one_of(threat));
    }
    for (role, moves) in chosen.iter_mut().enumerate().filter(|_| blocks) {
        let mut others = threats.clone();
        others.remove(role);
        let threat = sweep.network.gates.or(&mut others);
        let Some(support) = Support::new(sweep.network, [threat].into_iter()) else { continue };
        sweep.support = support;
        let flips = sweep.flips(&[threat ^ 1]);
        for one in moves {
            if sweep.network.gates.len() > most {
                return None;
            }
            let keeps = sweep.brings(one.number as usize, &flips, false);
            one.block = sweep.network.gates.and(&mut vec![one.legal, threat, keeps]);
        }
    }
    network.gates.forget();
    chosen.iter().flatten().any(|found| found.win != FALSE).then_some(chosen)
}

/// By role: the code of its best goal.
fn best_goals(network: &Network, roles: usize) -> Vec<Code> {
    let best = |role: u32| {
        let goals = network.goals_of(RoleId(role)).filter(|goal| goal.value.is_some());
        goals.max_by_key(|goal| goal.value).map_or(FALSE, |goal| goal.code)
    };
    (0..roles as u32).map(best).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{BitParallel, CompiledLanes};
    use super::*;
    use crate::{GroundReasoner, MoveId, Random, Reasoner, State};

    /// Two roles in turn go up by one or two steps; whoever is first on the tenth wins.
    const RACE: &str = "(role ann) (role bob) (init (at ann 0)) (init (at bob 0)) (init (turn ann))
        (step 1) (step 2) (plus 0 1 1) (plus 0 2 2) (plus 1 1 2) (plus 1 2 3) (plus 2 1 3) (plus 2 2 4)
        (plus 3 1 4) (plus 3 2 5) (plus 4 1 5) (plus 4 2 6)
        (<= (legal ?r (go ?s)) (true (turn ?r)) (step ?s))
        (<= (legal ann wait) (true (turn bob))) (<= (legal bob wait) (true (turn ann)))
        (<= (next (at ?r ?y)) (true (at ?r ?x)) (does ?r (go ?s)) (plus ?x ?s ?y))
        (<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r wait))
        (<= (next (turn ann)) (true (turn bob))) (<= (next (turn bob)) (true (turn ann)))
        (<= (won ?r) (true (at ?r 5))) (<= (won ?r) (true (at ?r 6)))
        (<= terminal (won ?r))
        (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))";

    /// The moves of the only role that has a choice that end the match with 100 for it.
    fn winning(rules: &mut GroundReasoner, state: &State, made: &[MoveId]) -> (usize, Vec<MoveId>) {
        let (mut legal, mut next, mut wins, mut mover) =
            (Vec::new(), State::default(), Vec::new(), 0);
        for role in 0..2 {
            rules.legal_moves(state, RoleId(role), &mut legal).expect("are known");
            assert!(legal.contains(&made[role as usize]), "only legal moves are made");
            if legal.len() == 1 {
                continue;
            }
            mover = role as usize;
            for &it in &legal {
                let mut joint = made.to_vec();
                joint[mover] = it;
                rules.next_state(state, &joint, &mut next).expect("is known");
                let is_end = rules.is_terminal(&next).expect("is known");
                if is_end && rules.goal(&next, RoleId(role)).expect("is one") == 100 {
                    wins.push(it);
                }
            }
        }
        (mover, wins)
    }

    #[test]
    fn who_can_win_at_once_does_so_where_decisive_moves_are_wanted() {
        let breakthrough = groundfrog_corpus::game("breakthrough").expect("a game").text;
        let four = groundfrog_corpus::game("connect_four").expect("a game").text;
        for (name, text) in [("race", RACE), ("breakthrough", breakthrough), ("four", four)] {
            let mut scalar = GroundReasoner::of_text(text).expect("is ground");
            let game = Arc::clone(scalar.game());
            let compiled = CompiledLanes::with_all_decisive_moves(&game, true).expect("compiles");
            let mut lanes = BitParallel::of_compiled(game, compiled.expect("has decisive moves"));
            let mut random = Random::new(7);
            let (mut decided, mut open) = (0, 0);
            lanes.start_from(&[scalar.initial().clone()]).expect("is a state");
            loop {
                let state = |lane| lanes.lane_state(lane).expect("a lane");
                let states: Vec<State> = (0..64).map(state).collect();
                if !lanes.run_step(&mut random, 1000) {
                    break;
                }
                for (lane, state) in states.iter().enumerate() {
                    let made = lanes.lane_moves(lane);
                    if made.is_empty() {
                        continue;
                    }
                    let (mover, wins) = winning(&mut scalar, state, &made);
                    decided += usize::from(!wins.is_empty());
                    open += usize::from(wins.is_empty());
                    assert!(wins.is_empty() || wins.contains(&made[mover]), "{name}: {made:?}");
                }
            }
            assert!(decided >= 60 && open > 100, "{name}: {decided} decided, {open} not");
        }
    }

    #[test]
    fn who_cannot_win_at_once_keeps_the_other_from_it() {
        let text = groundfrog_corpus::game("connect_four").expect("a game").text;
        let mut scalar = GroundReasoner::of_text(text).expect("is ground");
        let game = Arc::clone(scalar.game());
        let compiled = CompiledLanes::with_all_decisive_moves(&game, true).expect("compiles");
        let mut lanes = BitParallel::of_compiled(game, compiled.expect("has decisive moves"));
        let mut random = Random::new(3);
        let (mut kept, mut lost) = (0, 0);
        lanes.start_from(&[scalar.initial().clone()]).expect("is a state");
        loop {
            let states: Vec<State> =
                (0..64).map(|lane| lanes.lane_state(lane).expect("a lane")).collect();
            if !lanes.run_step(&mut random, 1000) {
                break;
            }
            for (lane, state) in states.iter().enumerate() {
                let made = lanes.lane_moves(lane);
                if made.is_empty() || !winning(&mut scalar, state, &made).1.is_empty() {
                    continue;
                }
                let safe = safe_moves(&mut scalar, state, &made);
                if let ([only], mover) = (&safe.0[..], safe.1) {
                    kept += usize::from(made[mover] == *only);
                    lost += usize::from(made[mover] != *only);
                }
            }
        }
        assert!(kept > 30 && lost * 4 < kept, "{kept} kept the other from winning, {lost} did not");
    }

    /// The moves of the only role that has a choice after which the other one cannot win at once, if there are others, and that role.
    fn safe_moves(
        rules: &mut GroundReasoner,
        state: &State,
        made: &[MoveId],
    ) -> (Vec<MoveId>, usize) {
        let (mut legal, mut next, mut safe, mut mover) =
            (Vec::new(), State::default(), Vec::new(), 0);
        for role in 0..2 {
            rules.legal_moves(state, RoleId(role), &mut legal).expect("are known");
            if legal.len() == 1 {
                continue;
            }
            mover = role as usize;
            for &one in &legal {
                let mut joint = made.to_vec();
                joint[mover] = one;
                rules.next_state(state, &joint, &mut next).expect("is known");
                let mut answers: Vec<MoveId> = Vec::new();
                let mut first = Vec::new();
                for role in 0..2 {
                    rules.legal_moves(&next, RoleId(role), &mut first).expect("are known");
                    answers.extend(first.first());
                }
                let is_end = rules.is_terminal(&next).expect("is known");
                if is_end || winning(rules, &next, &answers).1.is_empty() {
                    safe.push(one);
                }
            }
        }
        (safe, mover)
    }
}
