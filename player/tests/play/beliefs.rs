//! What roles believe that do not see everything, and how they play.

mod exact;
mod play;
mod revealed;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{corpus, described, later};
use groundfrog::description::Printer;
use groundfrog::{Description, RoleId};
use groundfrog_player::belief::{Belief, BeliefLimits, Opponents};
use groundfrog_player::search::InformationSets;
use groundfrog_player::strategy::{Strategy, StrategyOptions, Turn};
use groundfrog_reasoner::{Machine, MoveId, OpenLimits, Random, State};

fn ground(description: &Description) -> Machine {
    let machine = Machine::new(description, &OpenLimits::default()).expect("can be ground");
    assert!(machine.ground().is_some());
    machine
}

fn role(machine: &Machine, name: &str) -> RoleId {
    machine.role_ids().find(|&it| machine.role_text(it) == name).expect("a role")
}

fn belief(machine: &mut Machine, name: &str, seed: u64) -> Belief {
    let (role, limits) = (role(machine, name), BeliefLimits::of(machine));
    Belief::new(machine, role, &Opponents::default(), limits, seed)
}

/// A match in which all moves are given or drawn.
struct Match {
    machine: Machine,
    state: State,
    random: Random,
}

impl Match {
    fn new(description: &Description, seed: u64) -> Self {
        let machine = ground(description);
        let state = machine.initial().clone();
        Match { machine, state, random: Random::new(seed) }
    }

    fn is_over(&mut self) -> bool {
        self.machine.is_terminal(&self.state).expect("known")
    }

    /// Makes a joint move: those that are given by role, others drawn. Returns the moves and the percepts by role.
    fn step(&mut self, given: &[(&str, &str)]) -> (Vec<String>, Vec<Vec<String>>) {
        let mut moves: Vec<MoveId> = Vec::new();
        let stuck = self.machine.random_joint_move(&self.state, &mut self.random, &mut moves);
        assert_eq!(stuck, Ok(None));
        for (name, action) in given {
            let role = role(&self.machine, name);
            moves[role.index()] = self.machine.find_move(role, action).expect("a move");
        }
        let percepts = self.machine.percepts(&self.state, &moves).expect("legal");
        let printer = Printer::new(self.machine.symbols());
        let texts = |it: &Vec<_>| it.iter().map(|it| printer.term(it).to_string()).collect();
        let percepts = percepts.iter().map(texts).collect();
        let mut next = State::default();
        self.machine.next_state(&self.state, &moves, &mut next).expect("legal");
        self.state = next;
        (moves.iter().map(|&it| self.machine.move_text(it)).collect(), percepts)
    }
}

/// A strategy that has looked at the initial state.
fn prepared(description: &Arc<Description>, role: &str, seed: u64, most: u64) -> InformationSets {
    let options = StrategyOptions { seed, most: Some(most), ..StrategyOptions::default() };
    let mut strategy = InformationSets::new(Arc::clone(description), role, options);
    strategy.prepare(later(60)).expect("can be played");
    strategy
}

fn told(own: &str, percepts: &[String]) -> Turn {
    Turn::Percepts { own: Some(own.to_owned()), percepts: percepts.to_vec() }
}
