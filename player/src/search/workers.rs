//! Threads that evaluate leaves while another one owns the tree.
//!
//! Batches are given out and taken back in turn, so that what is passed up, and when, does not depend on which thread is
//! faster: the same number of threads and the same seed give the same tree.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use groundfrog_reasoner::BitParallel;

use super::playouts::{Batch, Playouts, Values};
use crate::machine::Machine;
use crate::strategy::StrategyError;

type EvaluatedBatch = Result<Values, StrategyError>;

/// A thread, which ends when this is dropped.
struct PlayoutWorker {
    batches: Sender<Batch>,
    outcomes: Receiver<EvaluatedBatch>,
}

/// Evaluates batches of leaves, in the order in which they are given.
pub(super) struct Workers {
    own: Playouts,
    /// None where the caller evaluates by itself.
    threads: Vec<PlayoutWorker>,
    given: usize,
    taken: usize,
    /// What the caller has evaluated by itself.
    outcome: Option<EvaluatedBatch>,
}

impl Workers {
    /// How many threads an option stands for: 0 takes all processors.
    pub(super) fn count(threads: usize) -> usize {
        match threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            count => count,
        }
    }

    /// So many threads beside the caller's; none with one thread, or where rules are interpreted, as fluents have numbers of
    /// their own then in each reasoner.
    pub(super) fn new(
        machine: &Machine,
        threads: usize,
        own: Playouts,
    ) -> Result<Self, StrategyError> {
        let count = Workers::count(threads);
        let mut workers = Vec::new();
        if let (Some(rules), true) = (machine.ground(), count > 1) {
            for _ in 0..count {
                let rules = Machine::Ground(Box::new(rules.clone()));
                workers.push(start(own.another(), rules)?);
            }
        }
        Ok(Workers { own, threads: workers, given: 0, taken: 0, outcome: None })
    }

    /// What plays in lanes, if the game is played so.
    pub(super) fn lanes(&self) -> Option<&BitParallel> {
        self.own.lanes()
    }

    /// How many leaves are best evaluated together.
    pub(super) fn leaves(&self) -> usize {
        // What a thread does at once has to be worth waking it up.
        self.own.leaves().max(if self.threads.is_empty() { 1 } else { 8 })
    }

    /// How many batches may be given before one is taken: one more than there are threads, so that none waits.
    pub(super) fn most_given(&self) -> usize {
        if self.threads.is_empty() { 1 } else { self.threads.len() + 1 }
    }

    /// Gives a batch.
    pub(super) fn give(&mut self, batch: Batch, machine: &mut Machine) {
        if self.threads.is_empty() {
            self.outcome = Some(self.own.evaluate(&batch, machine));
        } else {
            // Where the thread is gone, taking tells so.
            let _ = self.threads[self.given % self.threads.len()].batches.send(batch);
        }
        self.given += 1;
    }

    /// Takes what came of the batch that was given first.
    pub(super) fn take(&mut self) -> EvaluatedBatch {
        let outcome = match self.threads.is_empty() {
            true => self.outcome.take(),
            false => self.threads[self.taken % self.threads.len()].outcomes.recv().ok(),
        };
        self.taken += 1;
        let gone = || Err(StrategyError::Game("a thread of the search has ended".into()));
        outcome.unwrap_or_else(gone)
    }
}

fn start(mut playouts: Playouts, mut rules: Machine) -> Result<PlayoutWorker, StrategyError> {
    let (batches, received) = channel::<Batch>();
    let (sent, outcomes) = channel();
    let work = move || {
        while let Ok(batch) = received.recv() {
            if sent.send(playouts.evaluate(&batch, &mut rules)).is_err() {
                break;
            }
        }
    };
    let started = thread::Builder::new().name("search".to_owned()).spawn(work);
    started.map_err(|it| StrategyError::Game(format!("no thread for the search: {it}")))?;
    Ok(PlayoutWorker { batches, outcomes })
}
