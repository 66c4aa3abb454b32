//! One question in several threads: each searches the whole in an order of its own, and all share what is proven (lazy shared-memory
//! parallelism). The first one that knows the answer ends the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use groundfrog_reasoner::{ReasonerError, State};

use super::super::THREAD_STACK;
use super::{Answer, Force, Obstacles};
use crate::clock::Budget;

/// What a thread has seen besides the table.
struct Seen {
    answer: Result<Answer, ReasonerError>,
    states: u64,
    obstacles: Obstacles,
    sum: Option<i128>,
    sums_differ: bool,
}

/// Whether a role can force at least the value at this position of the list, by so many threads.
pub(in crate::solve) fn ask_together(
    force: &mut Force<'_, '_>,
    state: &State,
    wanted: u8,
    threads: usize,
) -> Result<Answer, ReasonerError> {
    if threads < 2 {
        return force.ask(state, wanted);
    }
    let answered = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        let helpers = (1..threads as u64).filter_map(|number| {
            let run = helper(force, state, wanted, (number, threads), Arc::clone(&answered));
            // Where there is no thread, the others do it.
            thread::Builder::new().stack_size(THREAD_STACK).spawn_scoped(scope, run).ok()
        });
        let helpers: Vec<_> = helpers.collect();
        force.budget.end_when(Some(Arc::clone(&answered)));
        let mut answer = force.ask(state, wanted);
        answered.store(true, Ordering::Relaxed);
        force.budget.end_when(None);
        for helper in helpers {
            let seen = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            force.budget.count(seen.states);
            force.obstacles = force.obstacles.or(seen.obstacles);
            let differ = force.sum.zip(seen.sum).is_some_and(|(one, other)| one != other);
            force.sums_differ |= differ || seen.sums_differ;
            force.sum = force.sum.or(seen.sum);
            if matches!(answer, Ok(Answer::Open)) {
                answer = seen.answer;
            }
        }
        answer
    })
}

/// The same search for another thread.
fn helper<'run>(
    force: &Force<'_, '_>,
    state: &'run State,
    wanted: u8,
    (number, threads): (u64, usize),
    answered: Arc<AtomicBool>,
) -> impl FnOnce() -> Seen + Send + use<'run> {
    let (mut rules, (until, most)) = (force.rules.clone(), force.budget.share(threads));
    let (role, values, table) = (force.role, force.values.clone(), Arc::clone(&force.table));
    let rows = Arc::clone(&force.rows);
    let (symmetric, history, room) = (force.symmetric.clone(), force.history.clone(), force.room);
    move || {
        let mut budget = Budget::within(until, most);
        budget.end_when(Some(Arc::clone(&answered)));
        let own = Force::new(&mut rules, role, values, table, rows, &mut budget);
        let mut own = Force { symmetric, history, room, number, ..own };
        let answer = own.ask(state, wanted);
        answered.fetch_or(!matches!(answer, Ok(Answer::Open)), Ordering::Relaxed);
        let Force { obstacles, sum, sums_differ, .. } = own;
        Seen { answer, states: budget.steps(), obstacles, sum, sums_differ }
    }
}
