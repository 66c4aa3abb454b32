//! A player in a thread of its own: the best move so far at the deadline, and thinking that goes on after an answer.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::corpus;
use groundfrog::{Description, Stop};
use groundfrog_player::seat_thread::{Order, SeatThread, Unanswered};
use groundfrog_player::strategy::{
    BestSoFar, Decision, Strategy, StrategyError, StrategyOptions, Turn,
};
use groundfrog_player::{StrategyKind, build_strategy};

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
    let mut seat = SeatThread::of_strategy(Box::new(move || Ok(strategy)), ()).expect("a thread");
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

#[test]
fn who_is_ready_goes_on_thinking_until_the_next_order() {
    let (pondered, ponderings) = channel();
    let strategy = Late { best: BestSoFar::default(), choices: 2, pondered };
    let strategy: Box<dyn Strategy> = Box::new(strategy);
    let mut seat = SeatThread::of_strategy(Box::new(move || Ok(strategy)), ()).expect("a thread");
    let long = Instant::now() + Duration::from_secs(600);
    let number = seat.order(Order::Prepare(long));
    assert!(matches!(seat.wait(number, long, &|| true).result, Ok(None)), "it is ready at once");
    sleep(Duration::from_millis(20));
    let number = seat.order(Order::Choose(long));
    assert!(seat.wait(number, long, &|| true).result.is_ok());
    let length = ponderings.recv().expect("it has pondered");
    assert!(length < Duration::from_secs(300), "it is called: {length:?}");
    drop(seat);
}

#[test]
fn uct_searches_between_ready_and_the_first_play() {
    let make = build(StrategyKind::Uct);
    let description = corpus("connect_four");
    let options = StrategyOptions { ponders: true, ..StrategyOptions::default() };
    let strategy = move || make(&description, &options);
    let mut seat = SeatThread::of_strategy(Box::new(strategy), ()).expect("a thread");
    let soon = Instant::now() + Duration::from_secs(10);
    let number = seat.order(Order::Prepare(soon));
    assert!(seat.wait(number, soon + Duration::from_secs(60), &|| true).result.is_ok());
    // Others still prepare; then it is asked for a move and has no time for it.
    sleep(Duration::from_millis(500));
    let number = seat.order(Order::Choose(Instant::now()));
    let late = Instant::now() + Duration::from_secs(60);
    let found = seat.wait(number, late, &|| true).result.expect("it answers").expect("a move");
    assert!(found.nodes > 100 && found.value.is_some(), "{found:?}");
}

/// Makes the strategy of that kind for the first role of connect four.
fn build(
    kind: StrategyKind,
) -> impl Fn(&Arc<Description>, &StrategyOptions) -> Result<Box<dyn Strategy>, StrategyError> {
    move |description, options| build_strategy(kind, description, "yellow", options)
}
