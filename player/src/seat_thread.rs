//! A player in a thread of its own: whoever asks it never waits longer than it wants to, whatever the player does.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::Stop;

use crate::strategy::{BestSoFar, Decision, Strategy, StrategyError, Turn};

/// Makes a strategy, in the thread that it is to work in.
pub type MakeStrategy =
    Box<dyn FnOnce() -> Result<Box<dyn Strategy>, StrategyError> + Send + 'static>;

/// Why a player has not answered.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unanswered {
    /// It has not answered in time, and may still be at work.
    #[error("no answer in time")]
    Late,
    /// It has ended by a panic; it gets no more orders.
    #[error("the strategy panicked: {0}")]
    Panic(String),
    /// It cannot go on.
    #[error(transparent)]
    Failed(#[from] StrategyError),
    /// The connection to it is broken.
    #[error("{0}")]
    Connection(String),
}

impl From<Unanswered> for StrategyError {
    fn from(failure: Unanswered) -> Self {
        match failure {
            Unanswered::Failed(error) => error,
            other => StrategyError::Game(other.to_string()),
        }
    }
}

/// What a player is to do.
#[derive(Clone, Debug)]
pub enum Order {
    /// Look at the game until a deadline.
    Preview(Instant),
    /// Prepare until a deadline.
    Prepare(Instant),
    /// Choose a move before a deadline.
    Choose(Instant),
    /// Hear what has happened.
    Observe(Turn),
    /// The match is over.
    Stop(Instant),
    /// The match is given up.
    Abort(Instant),
}

/// Carries out orders: a strategy, or somebody far away.
pub trait Worker {
    /// Carries out an order. Choosing ends with a decision.
    fn obey(&mut self, order: &Order) -> Result<Option<Decision>, Unanswered>;

    /// After an order to prepare or to choose: goes on until the deadline of it or the next order. By default it does nothing.
    fn ponder(&mut self, _until: Instant, _called: Arc<dyn Stop>) -> Result<(), Unanswered> {
        Ok(())
    }

    /// Is told where to leave the best move found so far. By default it leaves none.
    fn leave_best_in(&mut self, _best: BestSoFar) {}
}

impl Worker for Box<dyn Strategy> {
    fn obey(&mut self, order: &Order) -> Result<Option<Decision>, Unanswered> {
        match order {
            Order::Prepare(deadline) => self.prepare(*deadline)?,
            Order::Choose(deadline) => return Ok(Some(self.choose(*deadline)?)),
            Order::Observe(turn) => self.observe(turn)?,
            Order::Preview(_) | Order::Stop(_) | Order::Abort(_) => {}
        }
        Ok(None)
    }

    fn ponder(&mut self, until: Instant, called: Arc<dyn Stop>) -> Result<(), Unanswered> {
        Ok((**self).ponder(until, called)?)
    }

    fn leave_best_in(&mut self, best: BestSoFar) {
        (**self).leave_best_in(best);
    }
}

/// Is raised when another order has been given.
#[derive(Clone, Debug)]
struct Called {
    last: Arc<AtomicU64>,
    number: u64,
}

impl Stop for Called {
    fn is_raised(&self) -> bool {
        self.last.load(Ordering::Relaxed) > self.number
    }
}

/// What came of an order.
#[derive(Debug)]
pub struct Outcome {
    number: u64,
    /// When the order had been carried out.
    pub at: Instant,
    /// A decision where a move was to be chosen, or why there is no answer.
    pub result: Result<Option<Decision>, Unanswered>,
}

/// A player at work in a thread of its own. The thread ends when this is dropped and the player has returned.
pub struct SeatThread {
    orders: Sender<(u64, Order)>,
    outcomes: Receiver<Outcome>,
    /// The number of the last order.
    last: Arc<AtomicU64>,
    best: BestSoFar,
}

impl SeatThread {
    /// Starts the thread for a strategy. It holds something that is dropped with it.
    pub fn of_strategy(make: MakeStrategy, held: impl Send + 'static) -> std::io::Result<Self> {
        Self::start(move || Ok(make()?), held)
    }

    /// The same for any worker.
    pub fn start<W: Worker>(
        make: impl FnOnce() -> Result<W, Unanswered> + Send + 'static,
        held: impl Send + 'static,
    ) -> std::io::Result<Self> {
        let (orders, received) = channel();
        let (sent, outcomes) = channel();
        let builder = thread::Builder::new().name("player".to_owned());
        let (last, best) = (Arc::<AtomicU64>::default(), BestSoFar::default());
        let (called, left) = (Arc::clone(&last), best.clone());
        builder.spawn(move || {
            work(make, &received, &sent, &called, &left);
            drop(held);
        })?;
        Ok(SeatThread { orders, outcomes, last, best })
    }

    /// Gives an order and returns its number.
    pub fn order(&mut self, order: Order) -> u64 {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        // Where the thread is gone, waiting for the outcome tells so.
        let _ = self.orders.send((number, order));
        number
    }

    /// What comes of an order by a moment: where a move was to be chosen, the best one found so far will do. What came of earlier ones is passed over, and `goes_on` is called now and then.
    pub fn wait(&self, number: u64, until: Instant, goes_on: &dyn Fn() -> bool) -> Outcome {
        const SLICE: Duration = Duration::from_millis(50);
        let nothing = |why| Outcome { number, at: Instant::now(), result: Err(why) };
        let late = || match self.best.of(number) {
            Some(best) => Outcome { number, at: Instant::now(), result: Ok(Some(best)) },
            None => nothing(Unanswered::Late),
        };
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.outcomes.recv_timeout(left.min(SLICE)) {
                Ok(outcome) if outcome.number == number => return outcome,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if left > SLICE && goes_on() => {}
                Err(RecvTimeoutError::Timeout) => return late(),
                Err(RecvTimeoutError::Disconnected) => {
                    return nothing(Unanswered::Panic("its thread has ended".to_owned()));
                }
            }
        }
    }
}

/// Carries out orders until there will be no more. A player that has panicked, or cannot follow the match, gets no more orders.
fn work<W: Worker>(
    make: impl FnOnce() -> Result<W, Unanswered>,
    orders: &Receiver<(u64, Order)>,
    outcomes: &Sender<Outcome>,
    last: &Arc<AtomicU64>,
    best: &BestSoFar,
) {
    let mut worker = guarded(make);
    if let Ok(worker) = &mut worker {
        worker.leave_best_in(best.clone());
    }
    while let Ok((number, order)) = orders.recv() {
        best.begin(number);
        let result = match &mut worker {
            Ok(it) => guarded(|| it.obey(&order)),
            Err(failure) => Err(failure.clone()),
        };
        if let Err(failure) = &result
            && (matches!(failure, Unanswered::Panic(_)) || matches!(order, Order::Observe(_)))
        {
            worker = Err(failure.clone());
        }
        if outcomes.send(Outcome { number, at: Instant::now(), result }).is_err() {
            return;
        }
        if let (Ok(it), Order::Prepare(until) | Order::Choose(until)) = (&mut worker, &order) {
            let called = Arc::new(Called { last: Arc::clone(last), number });
            if let Err(failure @ Unanswered::Panic(_)) = guarded(|| it.ponder(*until, called)) {
                worker = Err(failure);
            }
        }
    }
}

/// Does something that may panic.
pub fn guarded<T>(act: impl FnOnce() -> Result<T, Unanswered>) -> Result<T, Unanswered> {
    catch_unwind(AssertUnwindSafe(act))
        .unwrap_or_else(|payload| Err(Unanswered::Panic(panic_text(&*payload))))
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|it| (*it).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
