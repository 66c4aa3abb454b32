//! One question in several threads: each searches the whole in an order of its own, and all share what is proven (lazy shared-memory
//! parallelism). The first one that knows the answer ends the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use groundfrog_reasoner::{ReasonerError, State};

use super::super::THREAD_STACK;
use super::{Answer, Force};
use crate::clock::StateBudget;

impl Force<'_, '_> {
    /// Whether the role can force at least the value at this position of the list, by so many threads.
    pub(crate) fn ask_together(
        &mut self,
        state: &State,
        wanted: u8,
        threads: usize,
    ) -> Result<Answer, ReasonerError> {
        if threads < 2 {
            return self.ask(state, wanted);
        }
        let (game, answered) = (self.game, Arc::new(AtomicBool::new(false)));
        thread::scope(|scope| {
            let helper = |number: u64| {
                let (mut rules, history) = (self.rules.clone(), self.history.clone());
                let (until, most) = self.budget.share(threads);
                let answered = Arc::clone(&answered);
                let run = move || {
                    let mut budget = StateBudget::within(until, most);
                    budget.end_when(Some(Arc::clone(&answered)));
                    let mut own = Force::new(game, &mut rules, history, number, &mut budget);
                    let answer = own.ask(state, wanted);
                    answered.fetch_or(!matches!(answer, Ok(Answer::Open)), Ordering::Relaxed);
                    (answer, own.seen, budget.steps())
                };
                // Where there is no thread, the others do it.
                thread::Builder::new().stack_size(THREAD_STACK).spawn_scoped(scope, run).ok()
            };
            let helpers: Vec<_> = (1..threads as u64).filter_map(helper).collect();
            self.budget.end_when(Some(Arc::clone(&answered)));
            let mut answer = self.ask(state, wanted);
            answered.store(true, Ordering::Relaxed);
            self.budget.end_when(None);
            for helper in helpers {
                let (found, seen, states) =
                    helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                self.budget.count(states);
                self.seen = self.seen.or(seen);
                if matches!(answer, Ok(Answer::Open)) {
                    answer = found;
                }
            }
            answer
        })
    }
}
