//! The game master against players that do all that is wrong.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use groundfrog::Silent;
use groundfrog_arena::record::MatchRecord;
use groundfrog_arena::referee::{MatchObserver, MatchOptions, Seat, TurnReport};
use groundfrog_player::StrategyKind;

use super::{built_in, corpus, loopback, options, player, referee};

/// Somebody who accepts connections and does what a test wants with each, until the test is over.
fn faulty(mut act: impl FnMut(usize, TcpStream) + Send + 'static) -> Seat {
    let listener = TcpListener::bind(loopback()).expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            act(number, stream.expect("a connection"));
        }
    });
    Seat::remote("faulty", address.to_string().parse().expect("an address"))
}

fn respond(mut stream: TcpStream, bytes: &[u8]) {
    let mut block = [0; 1 << 16];
    let _ = stream.read(&mut block);
    let _ = stream.write_all(bytes);
}

fn ok(text: &str) -> Vec<u8> {
    format!("HTTP/1.0 200 OK\r\nContent-length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

fn play(seat: Seat) -> MatchRecord {
    let options = MatchOptions {
        grace: Duration::from_millis(50),
        start_clock: Duration::from_millis(500),
        play_clock: Duration::from_millis(200),
        ..options(1)
    };
    let seats = vec![seat, built_in("b", StrategyKind::Random, 1)];
    let start = Instant::now();
    let record = referee(&corpus("tictactoe")).run(seats, &options, &mut Silent).expect("a match");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(record.is_completed && record.errors.len() == record.moves.len() + 1, "{record:?}");
    assert!(record.errors.iter().all(|it| it[1].is_empty()), "{record:?}");
    record
}

fn first(record: &MatchRecord) -> Vec<&str> {
    record.errors.iter().map(|it| it[0].as_str()).collect()
}

#[test]
fn nobody_listens() {
    let free = TcpListener::bind(loopback()).expect("a free port").local_addr().expect("a port");
    let record = play(Seat::remote("x", free.to_string().parse().expect("an address")));
    assert!(first(&record).iter().all(|&it| it == "CE"), "{record:?}");
}

#[test]
fn players_that_hang_or_say_half_a_message() {
    let mut kept = Vec::new();
    let record = play(faulty(move |number, stream| match number {
        0 => respond(stream, &ok("ready")),
        1 => kept.push(stream),
        2 => respond(stream, b"HTTP/1.0 200 OK\r\nContent-le"),
        3 => respond(stream, b"HTTP/1.0 200 OK\r\nContent-length: 50\r\n\r\n(place"),
        _ => {
            let mut stream = stream;
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-length: 50\r\n\r\n(place");
            kept.push(stream);
        }
    }));
    let errors = first(&record);
    assert_eq!(errors[..4], ["", "TO", "CE", "CE"]);
    assert!(errors[4..].iter().all(|&it| it == "TO"), "{errors:?}");
}

#[test]
fn megabytes_and_garbage() {
    let record = play(faulty(|number, stream| match number {
        0 => respond(stream, &ok(&"ready ".repeat(200_000))),
        1 => respond(stream, &[0xff; 5000]),
        2 => respond(stream, &ok("( place 9 9 )")),
        3 => respond(stream, &ok("))((")),
        4 => respond(stream, b"HTTP/1.0 500 Broken\r\nContent-length: 2\r\n\r\nno"),
        _ => drop(stream),
    }));
    let errors = first(&record);
    assert_eq!(errors[..5], ["CE", "CE", "IL (place 9 9)", "IL )) ((", "CE"]);
    assert!(errors[5..].iter().all(|&it| it == "CE"), "{errors:?}");
}

#[test]
fn what_is_said_besides_a_move_is_kept() {
    let record = play(faulty(|number, stream| {
        let answer = match number {
            0 => "ready",
            1 | 3 | 5 => "( place  1 1 ) (explanation \"best :) move\") (taunt \"slow\")",
            _ => "wait (explanation \"nothing to do\")",
        };
        respond(stream, &ok(answer));
    }));
    assert_eq!((record.moves[0][0].as_str(), first(&record)[1]), ("(place 1 1)", ""));
    assert_eq!(record.explanations.len(), record.moves.len());
    let said = "(explanation \"best :) move\") (taunt \"slow\")";
    assert_eq!(record.explanations[0], [said, ""]);
    let again = MatchRecord::parse(&record.to_json()).expect("a record");
    assert_eq!(again.explanations, record.explanations);
}

#[test]
fn a_player_that_is_busy_is_told_of_at_the_start() {
    let record = play(faulty(|_, stream| respond(stream, &ok("busy: match x"))));
    let errors = first(&record);
    assert_eq!(errors[0], "CE");
    assert!(errors[1..].iter().all(|it| it.starts_with("IL busy")), "{errors:?}");
}

#[test]
fn what_players_say_is_harmless_and_short() {
    let record = play(faulty(|number, stream| match number {
        0 => respond(stream, &ok("\u{1b}[2Jready")),
        1 => respond(
            stream,
            b"HTTP/1.0 500 \x1b[2J\r\nContent-length: 9\r\n\r\n\x1b[2J\x07\x00\r\n.",
        ),
        2 => respond(stream, &ok(&"\u{202e}(place \u{1b}[2J\r\n".repeat(1000))),
        _ => respond(stream, b"HTTP/1.1 100 Continue\r\n\r\n".repeat(1000).as_slice()),
    }));
    let errors = first(&record);
    assert!(errors[2].starts_with("IL \\u{202e}(place \\u{1b}[2J\\u{d}"), "{errors:?}");
    for error in errors {
        assert!(error.chars().count() < 250, "{} bytes", error.len());
        assert!(!error.chars().any(|it| it.is_control() || it == '\u{202e}'), "{error:?}");
    }
}

/// Kills the player after some turns.
struct Killer(Option<groundfrog_player::server::PlayerServer>);

impl MatchObserver for Killer {
    fn turn(&mut self, turn: &TurnReport) {
        if turn.turn == 1 {
            self.0 = None;
        }
    }
}

#[test]
fn a_player_is_killed_in_a_match() {
    let server = player(StrategyKind::Random);
    let seat = Seat::remote("killed", server.address().to_string().parse().expect("an address"));
    let seats = vec![built_in("b", StrategyKind::Random, 1), seat];
    let record = referee(&corpus("tictactoe"))
        .run(seats, &options(1), &mut Killer(Some(server)))
        .expect("a match");
    let errors: Vec<&str> = record.errors.iter().map(|it| it[1].as_str()).collect();
    assert_eq!(errors[..3], ["", "", ""]);
    assert!(record.is_completed && errors[3..].iter().all(|&it| it == "CE"), "{errors:?}");
}

#[test]
fn two_servers_ask_one_player() {
    let server = player(StrategyKind::Random);
    let address = server.address().to_string();
    let play = |id: &str| {
        let seat = Seat::remote("x", address.parse().expect("an address"));
        let seats = vec![seat, built_in("b", StrategyKind::Random, 1)];
        let options = MatchOptions { id: id.to_owned(), ..options(1) };
        referee(&corpus("tictactoe")).run(seats, &options, &mut Silent).expect("a match")
    };
    let records = thread::scope(|scope| {
        let both = ["m.1", "m.2"].map(|id| scope.spawn(move || play(id)));
        both.map(|it| it.join().expect("no panic"))
    });
    assert!(records.iter().all(|it| it.is_completed), "{records:?}");
    // One may have come after the other; if not, one was told `busy`, which is no move.
    let errors = records.iter().flat_map(|it| &it.errors[1..]).map(|it| it[0].as_str());
    assert!(errors.clone().all(|it| it.is_empty() || it == "IL busy"), "{records:?}");
    assert!(records.iter().any(|it| it.errors.iter().all(|it| it[0].is_empty())), "{records:?}");
}
