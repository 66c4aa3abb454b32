//! Moves that end a match at once in the best way for whoever makes them, found by gates (decisive moves: Teytaud & Teytaud, "On the huge
//! benefit of decisive moves in Monte-Carlo tree search algorithms", 2010).
//!
//! For each move the gates of the end and of the best goal are copied with what holds after the move in the place of fluents. The move is
//! known to be legal, and the state not to be an end: most of the copy is constant or there already.

use crate::network::code::{Code, FALSE, TRUE};
use crate::network::gates::{ACYCLIC, GateKind, mapped};
use crate::network::{MoveGate, Network};
use groundfrog::game::RoleId;

/// Nodes that are looked at, for all moves together.
const MOST_WORK: usize = 100_000_000;
/// Gates that are added for all moves together.
const MOST_GATES: usize = 100_000;
/// Inputs of gates that are added for a move: where an end depends on more, finding it out costs more than it is worth.
const MOST_INPUTS: usize = 16;

/// Adds the gates to a network that say which moves are to be chosen from: the decisive ones of a role that has some, else all that are
/// legal. Each other role is taken to have one legal move. None where no decisive moves are found, an end depends on recursive rules, or it
/// would take too long.
pub(super) fn decisive(
    network: &mut Network,
    legal: &[Vec<(u32, Code)>],
) -> Option<Vec<Vec<(u32, Code)>>> {
    let ends = Ends::new(network, legal.len())?;
    if network.gates.nodes().checked_mul(network.moves.len())? > MOST_WORK {
        return None;
    }
    let most = network.gates.len() + MOST_GATES;
    let mut copies = Copies { network, ends: &ends, known: Vec::new(), codes: Vec::new() };
    let mut chosen = Vec::new();
    let mut has_decisive = false;
    for (role, moves) in legal.iter().enumerate() {
        let mut wins: Vec<Code> = Vec::new();
        for &(number, _) in moves {
            if copies.network.gates.len() > most {
                return None;
            }
            wins.push(copies.win(number as usize, ends.best[role]));
        }
        let gates = &mut copies.network.gates;
        let none = gates.or(&mut wins.clone()) ^ 1;
        has_decisive |= none != TRUE;
        let among = moves.iter().zip(&wins).map(|(&(number, legal), &win)| {
            let other = gates.and(&mut vec![legal, none]);
            (number, gates.or(&mut vec![win, other]))
        });
        chosen.push(among.collect());
    }
    copies.network.gates.forget();
    has_decisive.then_some(chosen)
}

/// What the end of a match depends on.
struct Ends {
    /// By role: the code of its best goal.
    best: Vec<Code>,
    /// The gates of the end and the best goals, in their order, and the fluents that they read.
    end: Vec<usize>,
    fluents: Vec<usize>,
    /// The gates of what these fluents are in the next state.
    after: Vec<usize>,
}

impl Ends {
    fn new(network: &Network, roles: usize) -> Option<Self> {
        let gates = &network.gates;
        let best = (0..roles as u32).map(|role| {
            let goals = network.goals_of(RoleId(role)).filter(|it| it.value.is_some());
            goals.max_by_key(|it| it.value).map_or(FALSE, |it| it.code)
        });
        let best: Vec<Code> = best.collect();
        let of = |needed: &[bool]| -> Option<Vec<usize>> {
            let found: Vec<usize> =
                (0..gates.len()).filter(|it| needed[gates.sources() + it]).collect();
            found.iter().all(|&it| gates.component(it) == ACYCLIC).then_some(found)
        };
        let needed = gates.needed(best.iter().copied().chain([network.terminal]));
        let end = of(&needed)?;
        let fluents: Vec<usize> = (0..network.fluents()).filter(|it| needed[*it]).collect();
        let after = of(&gates.needed(fluents.iter().map(|&it| network.next[it])))?;
        Some(Ends { best, end, fluents, after })
    }
}

/// Copies gates for one move after the other.
struct Copies<'run> {
    network: &'run mut Network,
    ends: &'run Ends,
    /// By node: what stands for it now, and after the move.
    known: Vec<Code>,
    codes: Vec<Code>,
}

impl Copies<'_> {
    /// Whether a move is legal and ends the match with a goal; it is taken not to where that depends on too much.
    fn win(&mut self, made: usize, goal: Code) -> Code {
        let before = self.network.gates.len();
        let MoveGate { role, legal } = self.network.moves[made];
        self.known = (0..self.network.gates.nodes() as Code).map(|node| node << 1).collect();
        self.assume(legal);
        self.assume(self.network.terminal ^ 1);
        self.simplify();
        self.codes.clone_from(&self.known);
        let fluents = self.network.fluents();
        for (number, other) in self.network.moves.iter().enumerate() {
            self.codes[fluents + number] = match (number == made, other.role == role) {
                (true, _) => TRUE,
                (_, true) => FALSE,
                _ => mapped(&self.known, other.legal),
            };
        }
        self.copy(&self.ends.after);
        let next = |&fluent: &usize| mapped(&self.codes, self.network.next[fluent]);
        let next: Vec<Code> = self.ends.fluents.iter().map(next).collect();
        self.codes.clone_from(&self.known);
        self.ends.fluents.iter().zip(next).for_each(|(&fluent, it)| self.codes[fluent] = it);
        self.copy(&self.ends.end);
        let ends = mapped(&self.codes, self.network.terminal);
        let wins = mapped(&self.codes, goal);
        let gates = &mut self.network.gates;
        let win = gates.and(&mut vec![legal, ends, wins]);
        let needed = gates.needed([win].into_iter());
        let added = (before..gates.len()).filter(|it| needed[gates.sources() + it]);
        let inputs: usize = added.map(|it| gates.inputs(it).len()).sum();
        if inputs > MOST_INPUTS { FALSE } else { win }
    }

    /// Notes that a signed node holds, and what follows.
    fn assume(&mut self, code: Code) {
        if code >= TRUE {
            return;
        }
        let (node, holds) = (code as usize >> 1, code & 1 == 0);
        self.known[node] = if holds { TRUE } else { FALSE };
        let gates = &self.network.gates;
        let Some(gate) = node.checked_sub(gates.sources()) else { return };
        if (gates.kind(gate) == GateKind::And) == holds && gates.component(gate) == ACYCLIC {
            let inputs: Vec<Code> = gates.inputs(gate).to_vec();
            inputs.into_iter().for_each(|it| self.assume(it ^ Code::from(!holds)));
        }
    }

    /// Finds the gates that are constant or one of their inputs, by what is known.
    fn simplify(&mut self) {
        let gates = &self.network.gates;
        for &gate in self.ends.after.iter().chain(&self.ends.end) {
            let node = gates.sources() + gate;
            if self.known[node] >= TRUE {
                continue;
            }
            let neutral = if gates.kind(gate) == GateKind::And { TRUE } else { FALSE };
            let inputs = gates.inputs(gate).iter().map(|&it| mapped(&self.known, it));
            let mut inputs = inputs.filter(|&it| it != neutral);
            self.known[node] = match (inputs.next(), inputs.clone().next()) {
                (None, _) => neutral,
                (Some(single), None) => single,
                (Some(first), _) if first == neutral ^ 1 || inputs.any(|it| it == neutral ^ 1) => {
                    neutral ^ 1
                }
                _ => continue,
            };
        }
    }

    /// Finds what stands for gates by what stands for their sources: for a gate that reads what it reads now, what is known of it now.
    fn copy(&mut self, copied: &[usize]) {
        let mut inputs: Vec<Code> = Vec::new();
        for &gate in copied {
            let gates = &mut self.network.gates;
            let node = gates.sources() + gate;
            let old = gates.inputs(gate);
            if old.iter().all(|&it| mapped(&self.codes, it) == mapped(&self.known, it)) {
                self.codes[node] = self.known[node];
                continue;
            }
            inputs.clear();
            inputs.extend(old.iter().map(|&it| mapped(&self.codes, it)));
            inputs.sort_unstable();
            inputs.dedup();
            let kind = gates.kind(gate);
            let contradicts = inputs.windows(2).any(|it| it[0] & 1 == 0 && it[0] ^ 1 == it[1]);
            self.codes[node] = match (contradicts, kind) {
                (true, GateKind::And) => FALSE,
                (true, GateKind::Or) => TRUE,
                _ => gates.gate(kind, inputs.clone()),
            };
        }
    }
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
        for (name, text) in [("race", RACE), ("breakthrough", breakthrough)] {
            let mut scalar = GroundReasoner::of_text(text).expect("is ground");
            let game = Arc::clone(scalar.game());
            let compiled = CompiledLanes::with_all_decisive_moves(&game).expect("compiles");
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
}
