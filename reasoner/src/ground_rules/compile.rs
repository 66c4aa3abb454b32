//! From the network of a game to what plays it.
//!
//! [`evaluate`] computes gates by a pass over them, each after those that it reads.

use std::ops::Range;

use groundfrog::game::GroundGame;

use super::counters::{Activity, Counters};
use super::legal::{Legal, Outputs};
use super::successor::{self, Successor};
use super::transients::Transients;
use crate::BuildError;
use crate::network::gates::{ACYCLIC, Extract, GateKind, Gates};
use crate::network::{Code, GoalGate, Network, PerceptGate, holds, holds_or_constant};

/// The fixed part of a reasoner. Nodes are the fluents, the moves and the other transients, and the gates.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) gates: Gates,
    /// The first gates are those that are counted, up to here.
    pub(crate) hot: usize,
    /// Then come those of goals, up to here; the rest is for percepts.
    pub(crate) cold: usize,
    pub(crate) counters: Counters,
    pub(crate) legal: Legal,
    pub(crate) successor: Successor,
    pub(crate) terminal: Code,
    pub(crate) goals: Vec<GoalGate>,
    pub(crate) percepts: Vec<PerceptGate>,
}

impl Compiled {
    /// Compiles a game. The activity is that of the empty state.
    pub(crate) fn new(game: &GroundGame) -> Result<(Self, Activity), BuildError> {
        let mut outputs = Outputs::default();
        let (network, mut legal) =
            Legal::new(&Network::new(game)?, game.roles().len(), &mut outputs);
        let transients = Transients::new(&network);
        let sources = network.fluents() + transients.levels.len();
        let mut gates = Extract::new(&network.gates, sources);
        let read = transients.all_rules().flatten().copied();
        let read = read.filter(|&code| transients.number(code).is_none());
        let bits = outputs.bits.iter().map(|&(code, _)| code);
        gates.take(bits.chain(read).chain(legal.guards()).chain([network.terminal]));
        outputs.bits.iter_mut().for_each(|(code, _)| *code = gates.code(*code));
        legal.map_guards(|code| gates.code(code));
        let terminal = gates.code(network.terminal);
        let successor = successor::build(&network, &transients, &mut gates, &mut outputs);
        let hot = gates.len();
        gates.take(network.goal_codes());
        let cold = gates.len();
        gates.take(network.percept_codes());
        let Network { mut goals, mut percepts, .. } = network.clone();
        goals.iter_mut().for_each(|goal| goal.code = gates.code(goal.code));
        percepts.iter_mut().for_each(|percept| percept.code = gates.code(percept.code));
        let gates = gates.finish();
        let others = goals.iter().map(|goal| goal.code);
        let others = others.chain(percepts.iter().map(|percept| percept.code));
        let others = others.chain(legal.guards()).chain(successor.codes()).chain([terminal]);
        let is_read = read_nodes(&gates, others);
        let counters = Counters::new(&gates, hot, &outputs.bits, outputs.words.len(), &is_read);
        let activity = counters.rest(gates.nodes(), outputs.words);
        let compiled =
            Compiled { gates, hot, cold, counters, legal, successor, terminal, goals, percepts };
        Ok((compiled, activity))
    }

    /// Whether a signed node or constant holds.
    #[inline]
    pub(crate) fn holds(&self, code: Code, activity: &Activity) -> bool {
        holds_or_constant(code, &activity.values)
    }
}

/// By node: whether a gate reads it, or it is among the others.
fn read_nodes(gates: &Gates, others: impl Iterator<Item = Code>) -> Vec<bool> {
    let mut is_read = vec![false; gates.nodes()];
    let inputs = (0..gates.len()).flat_map(|gate| gates.inputs(gate)).copied();
    for code in inputs.chain(others) {
        // Constants and views that depend on moves are no nodes of gates.
        if let Some(node) = is_read.get_mut(code as usize >> 1) {
            *node = true;
        }
    }
    is_read
}

/// Computes the gates of a range from sources and gates before it.
pub(crate) fn evaluate(gates: &Gates, range: Range<usize>, values: &mut [u8]) {
    let mut gate = range.start;
    while gate < range.end {
        let component = gates.component(gate);
        if component == ACYCLIC {
            values[gates.sources() + gate] = u8::from(value(gates, gate, values));
            gate += 1;
            continue;
        }
        let end = (gate..range.end).find(|&it| gates.component(it) != component);
        let end = end.unwrap_or(range.end);
        values[gates.sources() + gate..gates.sources() + end].fill(0);
        loop {
            let mut changed = false;
            for it in gate..end {
                let node = gates.sources() + it;
                if values[node] == 0 && value(gates, it, values) {
                    values[node] = 1;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        gate = end;
    }
}

fn value(gates: &Gates, gate: usize, values: &[u8]) -> bool {
    let mut inputs = gates.inputs(gate).iter();
    match gates.kind(gate) {
        GateKind::And => inputs.all(|&code| holds(code, values)),
        GateKind::Or => inputs.any(|&code| holds(code, values)),
    }
}
