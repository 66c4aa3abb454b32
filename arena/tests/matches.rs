//! Matches from end to end, over real sockets on loopback.

#[path = "matches/built_in.rs"]
mod built_in;
#[path = "matches/faulty_players.rs"]
mod faulty_players;
#[path = "matches/faulty_servers.rs"]
mod faulty_servers;
#[path = "matches/http.rs"]
mod http;
#[path = "matches/server.rs"]
mod server;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use groundfrog::{Description, ParseOptions};
use groundfrog_arena::referee::{MatchOptions, Referee, Seat};
use groundfrog_player::StrategyKind;
use groundfrog_player::server::{PlayerServer, ServerOptions, StrategySource};
use groundfrog_player::strategy::StrategyOptions;
use groundfrog_reasoner::{Machine, OpenLimits};

/// A game of the corpus.
fn corpus(name: &str) -> Arc<Description> {
    let game = groundfrog_corpus::game(name).expect("a game of the corpus");
    described(game.text)
}

fn described(text: &str) -> Arc<Description> {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    Arc::new(description.unwrap_or_else(|error| panic!("{error}")))
}

fn referee(description: &Arc<Description>) -> Referee {
    let machine = Machine::new(description, &OpenLimits::default()).expect("it can be played");
    Referee::new(Arc::clone(description), machine)
}

/// Clocks that are short and never the point.
fn options(seed: u64) -> MatchOptions {
    MatchOptions {
        start_clock: Duration::from_secs(5),
        play_clock: Duration::from_millis(100),
        seed,
        ..MatchOptions::default()
    }
}

fn built_in(name: &str, kind: StrategyKind, seed: u64) -> Seat {
    Seat::built_in(name, kind, StrategyOptions { seed, ..StrategyOptions::default() })
}

fn loopback() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

/// A player on any free port.
fn player(kind: StrategyKind) -> PlayerServer {
    player_with(ServerOptions { strategy: StrategySource::Kind(kind), ..ServerOptions::default() })
}

fn player_with(options: ServerOptions) -> PlayerServer {
    PlayerServer::start(loopback(), options).expect("a free port")
}

/// Sends bytes and returns all that comes back.
fn exchange(server: &PlayerServer, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    stream.write_all(bytes).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

/// Posts a message and returns the body of the answer, which has status 200.
fn post(server: &PlayerServer, message: &str) -> String {
    let (status, body) = post_any(server, message);
    assert_eq!(status, 200, "{message}: {body}");
    body
}

/// Posts a message and returns status and body of the answer.
fn post_any(server: &PlayerServer, message: &str) -> (u16, String) {
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: x\r\nContent-Type: text/acl\r\n\
         Content-length: {}\r\n\r\n{message}",
        message.len()
    );
    parts(&exchange(server, request.as_bytes()))
}

/// Status and body of an answer.
fn parts(answer: &str) -> (u16, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {answer}"));
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
    (status, body.to_owned())
}

/// The rules of a game of the corpus.
fn rules(name: &str) -> &'static str {
    groundfrog_corpus::game(name).expect("a game of the corpus").text
}
