//! A player in a thread of its own: the best move so far at the deadline, and thinking that goes on after an answer.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use groundfrog::Stop;
use groundfrog_player::seat_thread::{Order, SeatThread, Unanswered};
use groundfrog_player::strategy::{BestSoFar, Decision, Strategy, StrategyError, Turn};

/// Leaves a move in its first choice, and is then late; answers later ones at once, and ponders until it is called.
struct Late {
    best: BestSoFar,
    choices: u32,
    pondered: Sender<Duration>,
}

impl Strategy for Late {
    fn prepare(&mut self, _deadline: Instant) -> Result<(), StrategyError> {
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        self.choices += 1;
        if self.choices == 1 {
            self.best.leave(Decision { action: "good".into(), ..Decision::default() });
            sleep(deadline.saturating_duration_since(Instant::now()) * 3);
        } else if self.choices == 2 {
            sleep(deadline.saturating_duration_since(Instant::now()) * 3);
        }
        Ok(Decision { action: "late".into(), ..Decision::default() })
    }

    fn observe(&mut self, _turn: &Turn) -> Result<(), StrategyError> {
        Ok(())
    }

    fn ponder(&mut self, until: Instant, called: Arc<dyn Stop>) -> Result<(), StrategyError> {
        let begin = Instant::now();
        while Instant::now() < until && !called.is_raised() {
            sleep(Duration::from_millis(1));
        }
        let _ = self.pondered.send(begin.elapsed());
        Ok(())
    }

    fn leave_best_in(&mut self, best: BestSoFar) {
        self.best = best;
    }
}

#[test]
fn the_best_move_so_far_is_the_answer_of_who_is_late_and_pondering_ends_with_the_next_order() {
    let (pondered, ponderings) = channel();
    let strategy = Late { best: BestSoFar::default(), choices: 0, pondered };
    let strategy: Box<dyn Strategy> = Box::new(strategy);
    let mut seat = SeatThread::of_strategy(Box::new(move || Ok(strategy))).expect("a thread");
    let mut choose = |clock: Duration| {
        let until = Instant::now() + clock;
        let number = seat.order(Order::Choose(until));
        seat.wait(number, until, &|| true).result
    };
    let short = Duration::from_millis(100);
    let found = choose(short).expect("a move was left").expect("a decision");
    assert_eq!(found.action, "good");
    // What was left in one choice is no answer in the next one.
    assert!(matches!(choose(short * 10), Err(Unanswered::Late)));
    let long = Duration::from_secs(600);
    assert_eq!(choose(long).expect("it answers").expect("a decision").action, "late");
    assert_eq!(choose(long).expect("it is called").expect("a decision").action, "late");
    let lengths: Vec<Duration> = ponderings.iter().take(3).collect();
    assert!(lengths.iter().all(|&it| it < long / 2), "{lengths:?}");
}
