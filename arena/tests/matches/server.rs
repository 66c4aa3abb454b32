//! A player, message by message.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use groundfrog::Silent;
use groundfrog_arena::referee::{MatchOptions, PerceptForm, Seat};
use groundfrog_needs::needs;
use groundfrog_player::server::{LogEntry, ServerOptions, StrategySource};
use groundfrog_player::strategy::{Decision, Strategy, StrategyError, Turn};
use groundfrog_player::{StrategyKind, build_strategy};

use super::{corpus, options, player, player_with, post, post_any, referee, rules};

const LAMP: &str = "(role ann) (init (lamp on)) (legal ann push) (legal ann wait)
    (<= (next (lamp off)) (does ann push)) (<= (next (lamp on)) (does ann wait))
    (<= terminal (true (lamp broken)))";

#[test]
fn a_match_from_start_to_stop() {
    let server = player(StrategyKind::Random);
    let start = format!("( START m.1 ann ({LAMP}) 5 5)");
    assert_eq!(post(&server, &start), "ready");
    assert!(post(&server, "( INFO )").contains("( status busy )"));
    assert_eq!(post(&server, "info"), "busy");
    assert_eq!(post(&server, &start.replace("m.1", "m.2")), "busy", "no name is told");
    assert_eq!(post(&server, "( PLAY m.2 NIL )"), "busy");
    for message in ["( PLAY m.1 NIL )", "(play m.1 (push))", "( PLAY m.1\r\n(\twait ) )"] {
        let answer = post(&server, message);
        assert!(["push", "wait"].contains(&answer.as_str()), "{answer}");
    }
    let (status, body) = post_any(&server, "(PLAY m.1 (jump))");
    assert_eq!((status, body.as_str()), (400, "match m.1: `jump` is not legal for `ann`"));
    let (status, body) = post_any(&server, "(PLAY m.1 (push push))");
    assert_eq!((status, body.as_str()), (400, "match m.1: 2 moves are given for 1 roles"));
    assert!(["push", "wait"].contains(&post(&server, "(PLAY m.1 (push))").as_str()));
    assert_eq!(post(&server, "( STOP m.2 NIL )"), "busy");
    assert_eq!(post(&server, "( STOP m.1 push )"), "done");
    assert_eq!(post(&server, "( PREVIEW ((role ann)) 5 )"), "ready");
    assert_eq!(post(&server, &start), "ready");
    assert_eq!(post(&server, "(abort m.1)"), "aborted");
    assert_eq!(post(&server, "(abort m.1)"), "busy");
    assert_eq!(post(&server, "info"), "available");
}

#[test]
fn a_role_may_be_compound_and_rules_may_stand_without_a_list() {
    let rules = "(role (p 1)) (role (p 2)) (init (turn 1)) (<= (legal (p 1) ?x) (n ?x)) (n 1) (n 2) (<= (legal (p 2) 0))
        (<= (next (got ?x)) (does (p 1) ?x)) (<= terminal (true (got ?x))) (goal (p 1) 100) (goal (p 2) 0)";
    let server = player(StrategyKind::Random);
    for (role, rules, legal) in [
        ("(p 1)", format!("({rules})"), vec!["1", "2"]),
        ("( P 2)", rules.to_owned(), vec!["0"]),
        ("(p 1)", rules.to_owned(), vec!["1", "2"]),
    ] {
        assert_eq!(post(&server, &format!("(START m {role} {rules} 5 1)")), "ready");
        // Nothing has happened yet, however that is written.
        for nothing in ["()", "NIL", "( )"] {
            let answer = post(&server, &format!("(PLAY m {nothing})"));
            assert!(legal.contains(&answer.as_str()), "{role}: {answer}");
        }
        assert_eq!(post(&server, "(STOP m (1 0))"), "done");
        assert_eq!(post(&server, &format!("(PREVIEW {rules} 5)")), "ready");
    }
    let (status, body) = post_any(&server, &format!("(START m (p 3) ({rules}) 5 1)"));
    assert_eq!((status, body.as_str()), (400, "the game has no role `(p 3)`"));
}

#[test]
fn a_match_that_moves_on_is_not_ended_by_another_start() {
    let server = player(StrategyKind::Random);
    let start = |id: &str| post(&server, &format!("(START {id} ann ({LAMP}) 0.5 0.2)"));
    let play = |news: &str| post(&server, &format!("(PLAY a {news})"));
    assert_eq!(start("a"), "ready");
    assert!(["push", "wait"].contains(&play("NIL").as_str()));
    for _ in 0..3 {
        // Opponents use their whole clocks, and the server its time besides.
        thread::sleep(Duration::from_millis(900));
        assert_eq!(start("b"), "busy");
        assert_eq!(start("a"), "busy");
        assert!(["push", "wait"].contains(&play("(push)").as_str()));
    }
    assert_eq!(post(&server, "(STOP a (push))"), "done");
    assert_eq!(start("b"), "ready");
}

#[test]
fn answers_are_in_the_case_of_the_server() {
    let server = player(StrategyKind::Random);
    let start = |role: &str, rules: &str| {
        assert_eq!(post(&server, &format!("(START m {role} ({rules}) 5 5)")), "ready");
    };
    let stop = || assert_eq!(post(&server, "(STOP m NIL)"), "done");
    // All in upper case.
    start("ANN", &LAMP.to_uppercase());
    assert!(["PUSH", "WAIT"].contains(&post(&server, "(PLAY m NIL)").as_str()));
    assert!(["PUSH", "WAIT"].contains(&post(&server, "(PLAY m (PUSH))").as_str()));
    stop();
    // Only the role.
    start("ANN", LAMP);
    assert!(["PUSH", "WAIT"].contains(&post(&server, "(PLAY m NIL)").as_str()));
    stop();
    // Only the moves.
    start("ann", LAMP);
    assert!(["push", "wait"].contains(&post(&server, "(PLAY m NIL)").as_str()));
    assert!(["PUSH", "WAIT"].contains(&post(&server, "(PLAY m (PUSH))").as_str()));
    assert!(["push", "wait"].contains(&post(&server, "(PLAY m (push))").as_str()));
    stop();
}

#[test]
fn both_forms_of_percepts() {
    let rules = "(role ann) (role random) (init (round 0)) (<= (legal random (toss ?s)) (side ?s)) (side heads) (side tails)
        (<= (legal ann (say ?s)) (side ?s)) (<= (next (round 1)) (true (round 0))) (<= (next (round 2)) (true (round 1)))
        (<= (next (up ?s)) (does random (toss ?s)))
        (<= (sees ann (saw ?s)) (does random (toss ?s)))
        (<= (legal ann (bet ?s)) (true (up ?s)))
        (<= terminal (true (round 2))) (goal ann 50) (goal random 50)";
    let server = player(StrategyKind::Random);
    let one_of = |answer: String, all: &[&str]| assert!(all.contains(&answer.as_str()), "{answer}");
    let said = ["(say heads)", "(say tails)"];
    let first = [said[0], said[1], "(bet heads)"];
    assert_eq!(post(&server, &format!("(START m ann ({rules}) 5 5)")), "ready");
    one_of(post(&server, "(PLAY m NIL)"), &said);
    one_of(post(&server, "(PLAY m ((saw heads)))"), &first);
    assert_eq!(post(&server, "(STOP m NIL)"), "done");

    assert_eq!(post(&server, &format!("(START m ann ({rules}) 5 5)")), "ready");
    one_of(post(&server, "(PLAY m 0 NIL NIL)"), &said);
    one_of(post(&server, "(PLAY m 1 (say heads) ((saw heads)))"), &first);
    one_of(post(&server, "(PLAY m 1 (say heads) ((saw heads)))"), &first);
    let (status, body) = post_any(&server, "(PLAY m 2 (say heads) ((saw edge)))");
    assert!(status == 400 && body.contains("agrees with what is seen"), "{body}");
    assert_eq!(post(&server, "(STOP m 2 (say heads) ((saw heads)))"), "done");
}

#[test]
fn matches_over_http_with_chance_and_percepts() {
    for form in [PerceptForm::Newer, PerceptForm::Older] {
        for scramble in [false, true] {
            let description = corpus("card_draw");
            let mut referee = referee(&description);
            let players: Vec<_> =
                referee.roles().iter().map(|_| player(StrategyKind::Random)).collect();
            let address = |it: &groundfrog_player::server::PlayerServer| it.address().to_string();
            let seat = |it| Seat::remote("x", address(it).parse().expect("an address"));
            let options = MatchOptions { percept_form: form, scramble, ..options(2) };
            let seats = players.iter().map(seat).collect();
            let record = referee.run(seats, &options, &mut Silent).expect("a match");
            assert!(record.is_completed, "{record:?}");
            assert!(record.errors.iter().flatten().all(String::is_empty), "{record:?}");
            for player in &players {
                assert_eq!(post(player, "info"), "available", "STOP was heard");
            }
        }
    }
}

/// Does the worst, turn by turn: hangs, panics, lies.
struct Bad(u32);

impl Strategy for Bad {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        thread::sleep(
            deadline.saturating_duration_since(Instant::now()) + Duration::from_millis(300),
        );
        Ok(())
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        match self.0 {
            0 => Ok(Decision { action: "fly".into(), ..Decision::default() }),
            1 => {
                thread::sleep(deadline.saturating_duration_since(Instant::now()) * 2);
                Ok(Decision { action: "push".into(), ..Decision::default() })
            }
            _ => panic!("worse"),
        }
    }

    fn observe(&mut self, _: &Turn) -> Result<(), StrategyError> {
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn strategies_that_lie_hang_or_panic_are_answered_for() {
    let log: Arc<Mutex<Vec<LogEntry>>> = Arc::default();
    let own = Arc::clone(&log);
    let server = player_with(ServerOptions {
        strategy: StrategySource::Other(Arc::new(|_, _, _| Ok(Box::new(Bad(0))))),
        log: Some(Arc::new(move |it| own.lock().expect("no panic").push(it.clone()))),
        ..ServerOptions::default()
    });
    let timed = |message: &str| {
        let start = Instant::now();
        (post(&server, message), start.elapsed())
    };
    let (ready, time) = timed(&format!("(START m ann ({LAMP}) 1 1)"));
    assert!(ready == "ready" && time < Duration::from_secs(1), "{time:?}");
    thread::sleep(Duration::from_millis(400));
    for message in ["(PLAY m NIL)", "(PLAY m (push))", "(PLAY m (push))", "(PLAY m (push))"] {
        let (answer, time) = timed(message);
        assert!(["push", "wait"].contains(&answer.as_str()), "{answer}");
        assert!(time < Duration::from_secs(1), "{message}: {time:?}");
        thread::sleep(Duration::from_millis(1100));
    }
    assert_eq!(post(&server, "(STOP m NIL)"), "done");
    assert_eq!(post(&server, "info"), "available");
    let log = log.lock().expect("no panic");
    let instead: Vec<&str> = log.iter().map(|it| it.instead.as_deref().unwrap_or("")).collect();
    assert_eq!(
        instead[..3],
        ["no answer in time", "the strategy's `fly` is not legal", "no answer in time"]
    );
    assert!(instead[3].starts_with("the strategy panicked"), "{instead:?}");
}

/// A clock of a second, and what a busy machine may add: that answers are in time is measured by `benches/hostile.py`.
const SECOND_AND_LOAD: Duration = Duration::from_millis(1500);

#[test]
fn a_game_that_cannot_be_grounded_in_a_clock_of_a_second() {
    let text = rules("small_chess");
    // Millions of moves that grounding would have to look at.
    let huge = "(cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6) (cell 7) (cell 8) (cell 9) (cell 10) (cell 11) (cell 12)
        (<= (wide ?a ?b ?c ?d ?e ?f ?g ?h) (cell ?a) (cell ?b) (cell ?c) (cell ?d) (cell ?e) (cell ?f) (cell ?g) (cell ?h)
            (true (at ?a ?b ?c ?d ?e ?f ?g ?h)))
        (<= (next (at ?b ?c ?d ?e ?f ?g ?h ?x)) (true (at ?a ?b ?c ?d ?e ?f ?g ?h)) (does ann (go ?x)))
        (role ann) (init (at 1 1 1 1 1 1 1 1)) (<= (legal ann (go ?x)) (cell ?x))
        (<= terminal (wide 12 12 12 12 12 12 12 12)) (<= (goal ann 100) (wide 12 12 12 12 12 12 12 12))";
    let server = player(StrategyKind::MonteCarlo);
    for (role, rules) in [("white", text), ("ann", huge)] {
        let start = Instant::now();
        let (status, answer) = post_any(&server, &format!("(START m {role} ({rules}) 1 1)"));
        assert_eq!((status, answer.as_str()), (200, "ready"));
        assert!(start.elapsed() < SECOND_AND_LOAD, "{:?}", start.elapsed());
        for turn in 0..3 {
            let start = Instant::now();
            let message = if turn == 0 { "(PLAY m NIL)" } else { "(PLAY m (( go 3 )))" };
            let (status, answer) = post_any(&server, message);
            assert!(start.elapsed() < SECOND_AND_LOAD, "{:?}", start.elapsed());
            assert_eq!(status, 200, "{answer}");
            if role == "white" {
                break;
            }
            assert!(answer.starts_with("(go "), "{answer}");
        }
        assert_eq!(post(&server, "(ABORT m)"), "aborted");
    }
}

#[needs(games)]
#[test]
fn a_large_public_game_is_played_before_it_is_ground() {
    let folder = std::env::var_os("GROUNDFROG_GAMES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/games"),
        PathBuf::from,
    );
    let rules = std::fs::read_to_string(folder.join("chess.kif")).expect("a public game");
    let server = player(StrategyKind::Uct);
    assert_eq!(post(&server, &format!("(START m black ({rules}) 2 1)")), "ready");
    let moves = ["NIL", "((move wp e 2 e 4) noop)", "(noop (move bp e 7 e 5))"];
    for message in moves.map(|it| format!("(PLAY m {it})")) {
        let start = Instant::now();
        let answer = post(&server, &message);
        assert!(answer == "noop" || answer.starts_with("(move "), "{message}: {answer}");
        assert!(start.elapsed() < SECOND_AND_LOAD, "{:?}", start.elapsed());
    }
    assert_eq!(post(&server, "(ABORT m)"), "aborted");
}

#[test]
fn two_matches_at_once() {
    let server = player_with(ServerOptions { matches: 2, ..ServerOptions::default() });
    for id in ["a", "b"] {
        assert_eq!(post(&server, &format!("(START {id} ann ({LAMP}) 5 1)")), "ready");
    }
    assert_eq!(post(&server, "info"), "busy");
    // No answer tells the name of a match.
    assert_eq!(post(&server, &format!("(START c ann ({LAMP}) 5 1)")), "busy");
    thread::scope(|scope| {
        for id in ["a", "b"] {
            let server = &server;
            scope.spawn(move || {
                for message in [format!("(PLAY {id} NIL)"), format!("(PLAY {id} (push))")] {
                    assert!(["push", "wait"].contains(&post(server, &message).as_str()));
                }
            });
        }
    });
    assert_eq!(post(&server, "(STOP a NIL)"), "done");
    assert_eq!(post(&server, "info"), "available");
    assert_eq!(post(&server, "(STOP b NIL)"), "done");
}

/// Tells when it is dropped.
struct Told(Box<dyn Strategy>, Sender<()>);

impl Strategy for Told {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.0.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        self.0.choose(deadline)
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.0.observe(turn)
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        let _ = self.1.send(());
    }
}

#[test]
fn strategies_end_when_their_match_is_given_up() {
    for &kind in StrategyKind::ALL {
        let (ended, ends) = channel();
        let server = player_with(ServerOptions {
            strategy: StrategySource::Other(Arc::new(move |description, role, options| {
                Ok(Box::new(Told(build_strategy(kind, description, role, options)?, ended.clone())))
            })),
            ..ServerOptions::default()
        });
        let start = format!("(START m yellow ({}) 1 1000)", rules("connect_four"));
        assert_eq!(post(&server, &start), "ready");
        thread::scope(|scope| {
            let asked = scope.spawn(|| post(&server, "(PLAY m NIL)"));
            // The search is to have begun; where it has not, it must not begin.
            thread::sleep(Duration::from_millis(50));
            assert_eq!(post(&server, "(ABORT m)"), "aborted");
            assert_eq!(post(&server, "info"), "available");
            let answer = asked.join().expect("it is answered");
            assert!(answer == "busy" || answer.starts_with("(drop "), "{kind}: {answer}");
        });
        let told = ends.recv_timeout(Duration::from_secs(60));
        assert!(told.is_ok(), "{kind} works on after its match");
    }
}

#[test]
fn who_does_not_go_on_keeps_nobody_from_a_place() {
    let server = player_with(ServerOptions { matches: 2, ..ServerOptions::default() });
    let half = || {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.write_all(b"POST / HTTP/1.0\r\nContent-le").expect("it reads");
        stream
    };
    // Half a message each, which keeps them open: the oldest gives its place up, and learns why.
    let mut open: Vec<TcpStream> = (0..256 + 2 + 20).map(|_| half()).collect();
    let mut answer = String::new();
    open[0].set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    open[0].read_to_string(&mut answer).expect("it is answered");
    assert!(answer.starts_with("HTTP/1.0 503 "), "{answer}");
    let start = Instant::now();
    assert_eq!(post(&server, &format!("(START m ann ({LAMP}) 5 1)")), "ready");
    for _ in 0..20 {
        assert_eq!(post(&server, "info"), "available");
    }
    assert!(["push", "wait"].contains(&post(&server, "(PLAY m NIL)").as_str()));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Those that came last are open still.
    let last = open.last_mut().expect("there are some");
    last.set_read_timeout(Some(Duration::from_millis(50))).expect("a time");
    let read = last.read(&mut [0; 16]);
    assert!(
        read.is_err_and(|it| [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&it.kind()))
    );
}

#[test]
fn the_bytes_of_all_messages_are_limited() {
    let server = player_with(ServerOptions { most_bytes: 1 << 20, ..ServerOptions::default() });
    let large = || {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        let head = format!("POST / HTTP/1.0\r\nContent-length: {}\r\n\r\n", 1 << 20);
        stream.write_all(head.as_bytes()).expect("it reads");
        let _ = stream.write_all(&vec![b' '; (1 << 20) - 1]);
        stream
    };
    let mut open: Vec<TcpStream> = (0..6).map(|_| large()).collect();
    let mut answer = String::new();
    open[0].set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    let _ = open[0].read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.0 503 "), "{answer}");
    // A START of half a megabyte has its room.
    let start = format!("(START m ann ({LAMP} {}) 10 5)", " ".repeat(1 << 19));
    assert_eq!(post(&server, &start), "ready");
}

/// A peer that takes its time to send makes a late answer, and not a larger margin for others.
#[test]
fn the_margin_does_not_learn_from_a_peer_that_dawdles() {
    let entries: Arc<Mutex<Vec<LogEntry>>> = Arc::default();
    let own = Arc::clone(&entries);
    let server = player_with(ServerOptions {
        strategy: StrategySource::Kind(StrategyKind::Random),
        log: Some(Arc::new(move |it| own.lock().expect("no panic").push(it.clone()))),
        ..ServerOptions::default()
    });
    let say = |message: &str, pause: Duration| {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", message.len());
        stream.write_all(head.as_bytes()).expect("it reads");
        let (begin, rest) = message.split_at(message.len() - 1);
        stream.write_all(begin.as_bytes()).expect("it reads");
        thread::sleep(pause);
        stream.write_all(rest.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    };
    let margin = || {
        let entries = entries.lock().expect("no panic");
        entries.iter().rev().find_map(|it| it.margin).expect("a match was played")
    };
    say(&format!("(START m ann ({LAMP}) 1 1)"), Duration::ZERO);
    say("(PLAY m NIL)", Duration::ZERO);
    let before = margin();
    for _ in 0..3 {
        say("(PLAY m (push))", Duration::from_millis(1300));
    }
    say("(PLAY m (push))", Duration::ZERO);
    assert!(margin() <= before.max(0.25), "{} and {before} before", margin());
}
