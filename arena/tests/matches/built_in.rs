//! Matches of built-in strategies and of persons, without sockets.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use groundfrog::Silent;
use groundfrog_arena::record::MatchRecord;
use groundfrog_arena::referee::{
    MatchObserver, PersonMoves, PositionReport, Seat, SeatPlayer, TurnReport, person,
};
use groundfrog_arena::{Fault, referee::MatchOptions};
use groundfrog_check::verify::replay;
use groundfrog_player::StrategyKind;
use groundfrog_player::strategy::{Decision, Strategy, StrategyError, Turn};
use groundfrog_reasoner::{Machine, OpenLimits};

use super::{built_in, corpus, described, options, referee};

/// Compares a record with the rules it was made by.
fn check(record: &MatchRecord, description: &Arc<groundfrog::Description>) {
    let roles = referee(description).all_roles();
    let trace = record.trace(&roles).expect("it fits together");
    let machine = Machine::interpreted(description, &OpenLimits::default());
    let mut machine = machine.expect("it can be played");
    let report = replay(&mut *machine, &trace, None, &mut Silent).expect("it has answers");
    assert!(report.difference.is_none() && report.states > 1, "{report}");
}

#[test]
fn matches_end_and_can_be_replayed() {
    let games = [
        "tictactoe",
        "prisoners_dilemma",
        "card_draw",
        "rock_paper_scissors",
        "nim",
        "blocks_world",
    ];
    for game in games {
        let description = corpus(game);
        let kinds = [StrategyKind::Random, StrategyKind::Greedy, StrategyKind::MonteCarlo];
        let mut referee = referee(&description);
        let seats = referee.roles().len();
        let seats = (0..seats).map(|it| built_in("x", kinds[it % 3], it as u64)).collect();
        let options = MatchOptions { play_clock: Duration::from_millis(20), ..options(3) };
        let record = referee.run(seats, &options, &mut Silent).expect("a match");
        assert!(record.is_completed && !record.is_aborted, "{game}: {record:?}");
        assert!(record.errors.iter().flatten().all(String::is_empty), "{game}: {record:?}");
        assert_eq!(record.errors.len(), record.moves.len() + 1, "{game}");
        check(&record, &description);
    }
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let description = corpus("tictactoe");
    let play = |seed| {
        let seats = vec![
            built_in("a", StrategyKind::Random, seed),
            built_in("b", StrategyKind::Greedy, seed),
        ];
        referee(&description).run(seats, &options(seed), &mut Silent).expect("a match")
    };
    let (one, again, other) = (play(1), play(1), play(2));
    assert_eq!((&one.moves, &one.states), (&again.moves, &again.states));
    assert_ne!(one.moves, other.moves);
    assert_eq!(one.player_names_from_host, ["a", "b"]);
}

#[test]
fn each_role_has_its_own_goal_value() {
    let description = described(
        "(role a) (role b) (init (s 1)) (<= (legal ?r go) (role ?r)) (<= (next (s 2)) (true (s 1)))
         (<= terminal (true (s 2))) (goal a 50)",
    );
    let seats =
        vec![built_in("x", StrategyKind::Random, 1), built_in("y", StrategyKind::Random, 1)];
    let record = referee(&description).run(seats, &options(1), &mut Silent).expect("a match");
    assert_eq!(record.goal_values, [Some(50), None]);
    assert!(record.to_json().contains("\"goalValues\":[50,null]"));
    check(&record, &description);
}

/// Rules of which one state takes long to evaluate, and which take longer to ground: all ways of some steps.
fn slow(cells: usize) -> Arc<groundfrog::Description> {
    let order: String =
        (0..cells).map(|it| format!("(cell {it}) (succ {it} {})", (it + 7) % cells)).collect();
    described(&format!(
        "(role ann) (role bob) (init (at 0)) (init (control ann)) {order}
         (<= (way ?a ?b ?c) (true (at ?x)) (cell ?a) (cell ?b) (cell ?c) (distinct ?a ?x))
         (<= (legal ?r (go ?a ?b ?c)) (true (control ?r)) (way ?a ?b ?c) (succ ?a ?b))
         (<= (legal ann noop) (true (control bob))) (<= (legal bob noop) (true (control ann)))
         (<= (next (at ?a)) (does ?r (go ?a ?b ?c)))
         (<= (next (control ann)) (true (control bob))) (<= (next (control bob)) (true (control ann)))
         (<= terminal (true (at 1)) (true (at 2))) (goal ann 50) (goal bob 50)"
    ))
}

#[test]
fn slow_rules_make_nobody_late() {
    let description = slow(70);
    let machine = Machine::new(&description, &OpenLimits::default()).expect("a machine");
    let mut referee = groundfrog_arena::referee::Referee::new(Arc::clone(&description), machine);
    for kind in [StrategyKind::Uct, StrategyKind::MonteCarlo] {
        let seats = vec![built_in("x", kind, 1), built_in("y", StrategyKind::Greedy, 1)];
        let options = MatchOptions {
            start_clock: Duration::from_millis(100),
            play_clock: Duration::from_millis(500),
            max_turns: 4,
            ..options(1)
        };
        let record = referee.run(seats, &options, &mut Silent).expect("a match");
        let late = record.errors.iter().flatten().filter(|it| it.as_str() == "TO").count();
        assert_eq!((late, record.moves.len()), (0, 4), "{kind}: {:?}", record.errors);
    }
}

/// A strategy that does what a test wants.
struct Scripted(fn(u32) -> String, u32);

impl Strategy for Scripted {
    fn prepare(&mut self, _: Instant) -> Result<(), StrategyError> {
        Ok(())
    }

    fn choose(&mut self, _: Instant) -> Result<Decision, StrategyError> {
        Ok(Decision { action: self.0(self.1), ..Decision::default() })
    }

    fn observe(&mut self, _: &Turn) -> Result<(), StrategyError> {
        self.1 += 1;
        Ok(())
    }
}

fn scripted(moves: fn(u32) -> String) -> Seat {
    let make = move |_: &Arc<_>, _: &str| Ok(Box::new(Scripted(moves, 0)) as Box<dyn Strategy>);
    Seat { name: "s".into(), player: SeatPlayer::BuiltIn(Box::new(make)), play_clock: None }
}

#[test]
fn faults_are_noted_and_moves_drawn() {
    let description = corpus("tictactoe");
    let moves = |turn| match turn {
        0 => "( PLACE  2 2 )".to_owned(),
        2 => panic!("no more"),
        _ => "wait".to_owned(),
    };
    let lazy = |turn| match turn {
        1 => {
            thread::sleep(Duration::from_millis(1300));
            "(place 1 1)".to_owned()
        }
        0 => "wait".to_owned(),
        _ => "(place 9 9)".to_owned(),
    };
    let options =
        MatchOptions { grace: Duration::ZERO, play_clock: Duration::from_secs(1), ..options(1) };
    let mut referee = referee(&description);
    let record = referee.run(vec![scripted(moves), scripted(lazy)], &options, &mut Silent);
    let record = record.expect("a match");
    assert_eq!(record.moves[0], ["(place 2 2)", "wait"]);
    assert_eq!(record.errors[..4], [["", ""], ["", ""], ["", "TO"], ["CE", "IL (place 9 9)"]]);
    assert!(record.is_completed);
    check(&record, &description);
}

/// A person that takes the last of the legal moves.
struct Clicker(PersonMoves, usize, Vec<Option<Fault>>);

impl MatchObserver for Clicker {
    fn position(&mut self, position: &PositionReport) {
        if let Some(last) = position.legal[self.1].last().filter(|_| !position.terminal) {
            assert!(
                self.0.make(position.turn + 1, last) && self.0.make(position.turn, "(place 0 0)")
            );
            assert!(self.0.make(position.turn, last));
        }
    }

    fn turn(&mut self, turn: &TurnReport) {
        self.2.push(turn.seats[self.1].fault.clone());
    }
}

#[test]
fn persons_play() {
    let description = corpus("tictactoe");
    let (moves, listener) = person();
    let seats = vec![
        Seat::person("me", listener, Duration::from_secs(20)),
        built_in("it", StrategyKind::Random, 1),
    ];
    let mut clicker = Clicker(moves, 0, Vec::new());
    let record = referee(&description).run(seats, &options(1), &mut clicker).expect("a match");
    assert_eq!(record.is_player_human, [true, false]);
    assert!(record.is_completed && clicker.2.len() == record.moves.len());
    assert!(clicker.2.iter().all(Option::is_none), "{:?}", clicker.2);
}

#[test]
fn matches_are_aborted_and_given_up() {
    let description = described(
        "(role ann) (init (lamp on)) (legal ann push) (legal ann wait) (<= (next (lamp off)) (does ann push))
         (<= (next (lamp on)) (does ann wait))",
    );
    let seat = || vec![built_in("a", StrategyKind::Random, 1)];
    let options = MatchOptions { max_turns: 7, ..options(1) };
    let record = referee(&description).run(seat(), &options, &mut Silent).expect("a match");
    assert!(record.is_aborted && !record.is_completed && record.goal_values.is_empty());
    assert_eq!((record.moves.len(), record.states.len()), (7, 8));

    options.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let record = referee(&description).run(seat(), &options, &mut Silent).expect("a match");
    assert!(record.is_aborted && record.moves.is_empty());

    let error = referee(&description).run(Vec::new(), &options, &mut Silent).expect_err("nobody");
    assert_eq!(error.to_string(), "0 players for 1 roles: ann");
}
