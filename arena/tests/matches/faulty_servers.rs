//! A player among servers that do what is wrong.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use groundfrog::Silent;
use groundfrog_arena::referee::{MatchOptions, Seat};
use groundfrog_player::StrategyKind;
use groundfrog_player::server::PlayerServer;

use super::{built_in, corpus, options, player, post_any, referee};

/// Does all that is wrong, and keeps connections with half a message open.
fn disturb(server: &PlayerServer, held: &mut Vec<TcpStream>) {
    for half in ["", "POST / HT", "POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(PLAY cup"] {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.write_all(half.as_bytes()).expect("it reads");
        held.push(stream);
    }
    let megabyte = "noop ".repeat(200_000);
    for (message, status, body) in [
        ("( PLAY other NIL )".to_owned(), 200, "busy"),
        ("( STOP other NIL )".to_owned(), 200, "busy"),
        (format!("( PLAY other ({megabyte}))"), 200, "busy"),
        (")) garbage ((".to_owned(), 400, "no KIF"),
    ] {
        let (found, answer) = post_any(server, &message);
        assert!(found == status && answer.contains(body), "{found} {answer}");
    }
    // What cannot have happened is refused, at whatever turn the match is.
    let (status, answer) = post_any(server, "( PLAY cup ((fly 9) wait))");
    assert!(status == 400 || answer == "busy", "{status} {answer}");
}

#[test]
fn nothing_that_other_servers_do_disturbs_a_match() {
    let server = player(StrategyKind::Random);
    let over = AtomicBool::new(false);
    let record = thread::scope(|scope| {
        let (server, over) = (&server, &over);
        let disturbing = scope.spawn(move || {
            let mut held = Vec::new();
            // The match has begun when its player is busy.
            while !over.load(Ordering::Relaxed) && post_any(server, "info").1 != "busy" {}
            while !over.load(Ordering::Relaxed) && held.len() < 12 {
                disturb(server, &mut held);
            }
            held.len()
        });
        let seat = Seat::remote("x", server.address().to_string().parse().expect("an address"));
        let slow = StrategyKind::MonteCarlo;
        let options = MatchOptions {
            id: "cup".to_owned(),
            play_clock: Duration::from_millis(500),
            grace: Duration::ZERO,
            ..options(1)
        };
        let seats = vec![seat, built_in("b", slow, 1)];
        let record = referee(&corpus("tictactoe")).run(seats, &options, &mut Silent);
        over.store(true, Ordering::Relaxed);
        assert!(disturbing.join().expect("no panic") >= 3, "it was disturbed");
        record.expect("a match")
    });
    assert!(record.is_completed, "{record:?}");
    assert!(record.errors.iter().all(|it| it[0].is_empty()), "{record:?}");
}
