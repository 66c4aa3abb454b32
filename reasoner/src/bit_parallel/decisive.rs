//! Moves that end a match at once in the best way for whoever makes them, and moves that keep others from that, found by gates (decisive and
//! anti-decisive moves: Teytaud & Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search algorithms", 2010).
//!
//! One sweep back over the gates of the end, from those of its parts that bring the best goal to the fluents, tells for each fluent when it is
//! enough that it alone begins or ceases to hold: a row of four, say, lacks just that one. A move is decisive where it changes such a fluent
//! and none that others count on. The sweep is made once for a role, whatever the number of its moves. A second sweep, from what others could do if
//! it were their turn, tells which fluents are enough to keep them from all of it.

use std::collections::BTreeMap;

use super::compile::LaneMove;
use crate::network::code::{Code, FALSE, TRUE};
use crate::network::gates::{ACYCLIC, GateKind, mapped};
use crate::network::{MoveGate, Network};
use groundfrog::game::RoleId;

/// Nodes that are looked at, for all moves together.
const MOST_WORK: usize = 100_000_000;
/// Gates that are added for all moves together.
const MOST_GATES: usize = 100_000;

/// Conditions of a part of the end: where it takes more, rarely just one is missing.
const MOST_CONDITIONS: usize = 16;

/// Adds the gates to a network that say which legal moves are decisive, and if `blocks` which keep others from such. Each other role is taken to have one
/// legal move. None where no decisive moves are found, an end depends on recursive rules, or it would take too long.
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
    let mut sweep = Sweep { network, support, known: Vec::new(), codes: Vec::new() };
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

/// What some signed nodes depend on.
struct Support {
    /// Their gates, in their order, and the fluents that these read.
    gates: Vec<usize>,
    fluents: Vec<usize>,
    /// The gates of what these fluents are in the next state.
    after: Vec<usize>,
}

impl Support {
    /// None where recursive rules are among it.
    fn new(network: &Network, roots: impl Iterator<Item = Code>) -> Option<Self> {
        let gates = &network.gates;
        let of = |needed: &[bool]| -> Option<Vec<usize>> {
            let found: Vec<usize> =
                (0..gates.len()).filter(|gate| needed[gates.sources() + gate]).collect();
            found.iter().all(|&gate| gates.component(gate) == ACYCLIC).then_some(found)
        };
        let needed = gates.needed(roots);
        let fluents: Vec<usize> = (0..network.fluents()).filter(|&node| needed[node]).collect();
        let after = of(&gates.needed(fluents.iter().map(|&fluent| network.next[fluent])))?;
        Some(Support { gates: of(&needed)?, fluents, after })
    }
}

/// Finds what moves bring about, one after the other.
struct Sweep<'run> {
    network: &'run mut Network,
    support: Support,
    /// By node: what stands for it now, and after the move.
    known: Vec<Code>,
    codes: Vec<Code>,
}

impl Sweep<'_> {
    /// The parts of the end with which a goal comes, if no other part holds.
    fn parts_with(&mut self, goal: Code) -> Vec<Code> {
        let parts = self.alternatives(self.network.terminal);
        let mut found = Vec::new();
        for &part in &parts {
            if self.conditions(part).len() > MOST_CONDITIONS {
                continue;
            }
            let others = parts.iter().filter(|&&other| other != part).map(|other| other ^ 1);
            let facts: Vec<Code> = others.chain([part]).collect();
            self.know(&facts);
            if mapped(&self.known, goal) == TRUE {
                found.push(part);
            }
        }
        found
    }

    /// By signed fluent: when it is enough that it begins to hold for one of some signed nodes to do so, in a state that is no end.
    fn flips(&mut self, causes: &[Code]) -> Vec<Code> {
        let sources = self.network.gates.sources();
        let mut enough: Vec<Vec<Code>> = vec![Vec::new(); 2 * self.network.gates.nodes()];
        for &cause in causes.iter().filter(|&&cause| cause < TRUE) {
            enough[cause as usize].push(TRUE);
        }
        self.know(&[self.network.terminal ^ 1]);
        for &gate in self.support.gates.iter().rev() {
            for sign in 0..2 {
                let gates = &mut self.network.gates;
                let own = (sources + gate) << 1 | sign as usize;
                let when = gates.or(&mut std::mem::take(&mut enough[own]));
                if when == FALSE {
                    continue;
                }
                let inputs: Vec<Code> = gates.inputs(gate).iter().map(|it| it ^ sign).collect();
                // The negation of a disjunction is a conjunction.
                if (gates.kind(gate) == GateKind::Or) == (sign == 0) {
                    inputs.iter().for_each(|&it| enough[it as usize].push(when));
                    continue;
                }
                let values: Vec<Code> = inputs.iter().map(|&it| mapped(&self.known, it)).collect();
                let mut after = vec![TRUE; inputs.len()];
                for place in (1..inputs.len()).rev() {
                    after[place - 1] = gates.and(&mut vec![values[place], after[place]]);
                }
                let mut before = when;
                for (place, &input) in inputs.iter().enumerate() {
                    let others = gates.and(&mut vec![before, after[place]]);
                    enough[input as usize].push(others);
                    before = gates.and(&mut vec![before, values[place]]);
                }
            }
        }
        let fluents = enough.iter_mut().take(2 * self.network.fluents());
        fluents.map(|when| self.network.gates.or(when)).collect()
    }

    /// What must hold for most of these moves to be legal: that it is the role's turn.
    fn turn(&self, moves: &[(u32, Code)]) -> Vec<Code> {
        let mut all: Vec<Code> =
            moves.iter().flat_map(|&(_, legal)| self.conditions(legal)).collect();
        all.sort_unstable();
        let common = all.chunk_by(|one, other| one == other);
        common.filter(|equal| 2 * equal.len() >= moves.len()).map(|equal| equal[0]).collect()
    }

    /// Whether a fluent certainly ceases to hold by the move that was looked at last.
    fn ceases(&self, code: Code) -> bool {
        let next = self.network.next.get(code as usize >> 1).filter(|_| code & 1 == 0);
        next.is_some_and(|&next| mapped(&self.codes, next) == FALSE)
    }

    /// Whether, with one of the keys, one of what goes with it holds.
    fn one_of(&mut self, groups: BTreeMap<Code, Vec<Code>>) -> Code {
        let gates = &mut self.network.gates;
        let mut all: Vec<Code> = Vec::new();
        for (key, mut group) in groups {
            let any = gates.or(&mut group);
            all.push(gates.and(&mut vec![key, any]));
        }
        gates.or(&mut all)
    }

    /// The parts of a conjunction, or the signed node itself.
    fn conditions(&self, code: Code) -> Vec<Code> {
        if code >= TRUE {
            return vec![code];
        }
        self.alternatives(code ^ 1).into_iter().map(|part| part ^ 1).collect()
    }

    /// The parts of a disjunction, or the signed node itself.
    fn alternatives(&self, code: Code) -> Vec<Code> {
        let (mut parts, mut waiting) = (Vec::new(), vec![code]);
        let gates = &self.network.gates;
        while let Some(code) = waiting.pop().filter(|&it| it < TRUE) {
            let gate = (code as usize >> 1).checked_sub(gates.sources());
            match gate.filter(|&it| (gates.kind(it) == GateKind::Or) == (code & 1 == 0)) {
                Some(gate) => waiting.extend(gates.inputs(gate).iter().map(|it| it ^ (code & 1))),
                None => parts.push(code),
            }
        }
        parts
    }

    /// When a move brings about what these flips are enough for. If `counts`, it is taken not to where it changes what a flip may count on.
    fn brings(&mut self, made: usize, flips: &[Code], counts: bool) -> Code {
        let MoveGate { role, legal } = self.network.moves[made];
        self.know(&[legal, self.network.terminal ^ 1]);
        self.codes.clone_from(&self.known);
        let fluents = self.network.fluents();
        let is_forced = |other: &&MoveGate| mapped(&self.known, other.legal) == TRUE;
        let forced: Vec<RoleId> =
            self.network.moves.iter().filter(is_forced).map(|it| it.role).collect();
        for (number, other) in self.network.moves.iter().enumerate() {
            self.codes[fluents + number] = match mapped(&self.known, other.legal) {
                _ if number == made => TRUE,
                _ if other.role == role => FALSE,
                legal if legal != TRUE && forced.contains(&other.role) => FALSE,
                legal => legal,
            };
        }
        self.copy();
        let mut ways = Vec::new();
        for &fluent in &self.support.fluents {
            let begins = mapped(&self.known, flips[2 * fluent]);
            let ceases = mapped(&self.known, flips[2 * fluent + 1]);
            let now = self.known[fluent];
            let next = mapped(&self.codes, self.network.next[fluent]);
            if next == now || (begins, ceases) == (FALSE, FALSE) {
                continue;
            }
            let may_begin = !self.is_at_least(next ^ 1, now ^ 1);
            let may_cease = !self.is_at_least(next, now);
            // Others may count on what holds now, or on what does not.
            if counts && (begins != FALSE && may_cease || ceases != FALSE && may_begin) {
                return FALSE;
            }
            let gates = &mut self.network.gates;
            if may_begin {
                ways.push(gates.and(&mut vec![next, begins]));
            }
            if may_cease {
                ways.push(gates.and(&mut vec![next ^ 1, ceases]));
            }
        }
        self.network.gates.or(&mut ways)
    }

    /// Whether a signed node or constant plainly holds wherever another one does.
    fn is_at_least(&self, code: Code, other: Code) -> bool {
        if code == TRUE || other == FALSE || code == other {
            return true;
        }
        let gates = &self.network.gates;
        let gate = (code as usize >> 1).checked_sub(gates.sources()).filter(|_| code < TRUE);
        let or = gate.filter(|&it| (gates.kind(it) == GateKind::Or) == (code & 1 == 0));
        or.is_some_and(|gate| gates.inputs(gate).contains(&(other ^ (code & 1))))
    }

    /// Takes signed nodes to hold, and what follows for the end and the next state; nothing else.
    fn know(&mut self, facts: &[Code]) {
        self.known = (0..self.network.gates.nodes() as Code).map(|node| node << 1).collect();
        facts.iter().for_each(|&fact| self.assume(fact));
        self.simplify();
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
        for &gate in self.support.after.iter().chain(&self.support.gates) {
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

    /// Finds what stands for the gates of the next state by what stands for their sources: for a gate that reads what it reads now, what is
    /// known of it now.
    fn copy(&mut self) {
        let mut inputs: Vec<Code> = Vec::new();
        for &gate in &self.support.after {
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
