//! The search for one decision: leaves are given out for evaluation, and what came of them is passed up.

use std::collections::VecDeque;
use std::time::Duration;
use web_time::Instant;

use groundfrog::Stop;
use groundfrog_reasoner::{MoveId, Random, State};

use super::Search;
use super::choice::Choice;
use crate::clock::Until;
use crate::position::Position;
use crate::search::playouts::{Batch, Values};
use crate::search::ways::{End, TreeWay};
use crate::strategy::{BestSoFar, Decision, StrategyError};

/// Ways that were given out for evaluation together.
type Round = Vec<TreeWay>;

/// Time between two moves that are left for who cannot wait.
const LEAVING: Duration = Duration::from_millis(20);

/// The search for one decision.
pub(super) struct Run<'run> {
    search: &'run mut Search,
    position: &'run mut Position,
    random: &'run mut Random,
    root: u32,
    legal: &'run [MoveId],
    until: Until,
    /// Ways that may still be taken.
    pub(super) left: u64,
    /// When the best move was left last.
    left_at: Option<Instant>,
    pub(super) best: Option<&'run BestSoFar>,
    /// The longest that a round has taken.
    longest: Duration,
    pub(super) playouts: u64,
    /// Leaves of the round that was taken last that needed no playouts.
    proven: usize,
}

/// What is kept free before the deadline is not more than this.
const MOST_RESERVE: Duration = Duration::from_millis(20);

impl<'run> Run<'run> {
    /// A search from a root, without a limit but the time.
    pub(super) fn new(
        search: &'run mut Search,
        position: &'run mut Position,
        random: &'run mut Random,
        root: u32,
        legal: &'run [MoveId],
        until: Until,
    ) -> Self {
        Run {
            search,
            position,
            random,
            root,
            legal,
            until,
            left: u64::MAX,
            left_at: None,
            best: None,
            longest: Duration::ZERO,
            playouts: 0,
            proven: 0,
        }
    }

    /// Searches as long as there is something to find out and time.
    pub(super) fn search(&mut self) -> Result<(), StrategyError> {
        let mut rounds: VecDeque<Round> = VecDeque::new();
        let mut result = Ok(());
        while result.is_ok() && self.goes_on() {
            let begin = Instant::now();
            if self.left_at.is_none_or(|it| begin.duration_since(it) >= LEAVING) {
                self.leave_best();
                self.left_at = Some(begin);
            }
            self.search.tree.is_closed = self.until.is_tight();
            result = self.round(&mut rounds);
            // A step of rules with variables may take long: what was seen of it is kept free before the deadline.
            self.longest = self.longest.max(begin.elapsed()).min(MOST_RESERVE);
        }
        while !rounds.is_empty() {
            result = result.and(self.take(&mut rounds));
        }
        result
    }

    fn goes_on(&self) -> bool {
        let role = self.position.role().index();
        let bounds = self.search.tree.nodes[self.root as usize].bounds[role];
        bounds.0 != bounds.1 && self.left > 0 && !self.until.is_over_in(self.longest)
    }

    /// Leaves the move that is best so far, if one was tried.
    fn leave_best(&mut self) {
        let Some(best) = self.best else { return };
        let role = self.position.role().index();
        let choice = Choice::new(&self.search.tree, self.root, role, self.legal);
        if choice.tried[choice.chosen].0 > 0 {
            let action = self.position.machine().move_text(self.legal[choice.chosen]);
            best.leave(Decision {
                action,
                method: "uct".into(),
                value: choice.mean(choice.chosen),
                playouts: self.playouts,
                nodes: self.search.tree.nodes.len() as u64,
                ..Decision::default()
            });
        }
    }

    /// Gives out leaves, and takes those back that were given out first.
    fn round(&mut self, rounds: &mut VecDeque<Round>) -> Result<(), StrategyError> {
        let (ways, leaves, result) = self.collect();
        if !leaves.is_empty() {
            let batch = Batch { leaves, seed: self.random.next_word(), until: self.until.clone() };
            self.search.workers.give(batch, self.position.machine());
            rounds.push_back(ways);
        }
        result?;
        if rounds.len() >= self.search.workers.most_given() {
            self.take(rounds)?;
        }
        Ok(())
    }

    /// Goes down until there are leaves enough. Ways that end where all is proven need no evaluation.
    fn collect(&mut self) -> (Round, Vec<State>, Result<(), StrategyError>) {
        let (mut ways, mut leaves) = (Round::new(), Vec::new());
        // Leaves that are proven leave their lanes to others: about as many as in the round that was taken last.
        let usual = self.search.workers.leaves();
        let most = usual + self.proven.min(usual);
        let mut taken = 0;
        // Asking for the time takes as long as a way.
        while leaves.len() < most
            && taken < 4 * most
            && self.left > 0
            && (taken % 8 > 0 || self.goes_on())
        {
            taken += 1;
            let tree = &mut self.search.tree;
            let (way, end) = match tree.descend(self.root, self.position.machine(), self.random) {
                Ok(found) => found,
                Err(fault) => return (ways, leaves, Err(fault)),
            };
            self.left -= 1;
            match end {
                End::Proven => {
                    let values = tree.proven(&way);
                    tree.pass_up(&way, Some(&values));
                }
                End::Leaf(leaf) => {
                    ways.push(way);
                    leaves.push(leaf);
                }
            }
        }
        (ways, leaves, Ok(()))
    }

    /// Passes up what came of the leaves that were given out first.
    fn take(&mut self, rounds: &mut VecDeque<Round>) -> Result<(), StrategyError> {
        let Some(ways) = rounds.pop_front() else { return Ok(()) };
        let Search { tree, workers } = &mut *self.search;
        let (values, result) = match workers.take() {
            Ok(values) => (values, Ok(())),
            Err(fault) => (Values::default(), Err(fault)),
        };
        self.playouts += values.playouts;
        self.proven = values.seen.iter().filter(|it| it.value().is_some()).count();
        let mut evaluated = values.seen.into_iter().zip(values.values.chunks_exact(tree.roles));
        for way in ways {
            match evaluated.next() {
                Some((seen, worth)) => tree.finish(way, self.root, seen, worth),
                None => tree.pass_up(&way, None),
            }
        }
        result
    }
}
