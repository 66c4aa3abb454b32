//! The page, request by request, over real sockets.
#![cfg(feature = "serve")]

#[path = "serve/hidden.rs"]
mod hidden;
#[path = "serve/limits.rs"]
mod limits;
#[path = "serve/matches.rs"]
mod matches;
#[path = "serve/records.rs"]
mod records;
#[path = "serve/requests.rs"]
mod requests;

use std::borrow::Cow;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use groundfrog_arena::serve::{GameText, OfferedGame, PageOptions, PageServer};
use serde_json::{Value, json};

/// Two players take turns at a lamp, on a board of two places.
const LAMPS: &str =
    "(role ann) (role bob) (init (turn ann)) (init (lamp 1 1 off)) (init (lamp 2 1 off))
    (init (lamp 1 2 off)) (init (lamp 2 2 off)) (other ann bob) (other bob ann)
    (<= (legal ?r (light ?x ?y)) (true (turn ?r)) (true (lamp ?x ?y off)))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
    (<= (next (lamp ?x ?y ?r)) (does ?r (light ?x ?y)))
    (<= (next (lamp ?x ?y ?c)) (true (lamp ?x ?y ?c)) (not (lit ?x ?y)))
    (<= (lit ?x ?y) (does ?r (light ?x ?y)))
    (<= open (true (lamp ?x ?y off))) (<= terminal (not open))
    (<= (goal ?r 50) (role ?r))";

/// A page with the games of the corpus and one more.
fn page() -> PageServer {
    page_with(PageOptions::default())
}

fn page_with(options: PageOptions) -> PageServer {
    let mut games = vec![offered("lamps", LAMPS)];
    games.extend(groundfrog_corpus::games().iter().map(|it| offered(it.name, it.text)));
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    games.extend(options.games);
    PageServer::start(address, PageOptions { games, ..options }).expect("it listens")
}

fn offered(name: &str, text: &'static str) -> OfferedGame {
    let text = GameText::Fixed(Cow::Borrowed(text.as_bytes()));
    OfferedGame { name: name.to_owned(), summary: String::new(), text, look: None, given: false }
}

/// Status, head and body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    #[track_caller]
    fn fails(&self, status: u16, part: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        let error = self.json()["error"].as_str().map(str::to_owned).unwrap_or_default();
        assert!(error.contains(part), "`{part}` is not in: {error}");
    }

    #[track_caller]
    fn succeeds(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()
    }
}

/// Sends a request with these lines in its head.
fn send(page: &PageServer, line: &str, head: &[&str], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(page.address()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket");
    let head = head.join("\r\n");
    let length = body.len();
    let text = format!(
        "{line} HTTP/1.1\r\n{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(text.as_bytes()).expect("it is read");
    // What is too long may not be read to its end.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

fn get(page: &PageServer, path: &str) -> Answer {
    send(page, &format!("GET {path}"), &[&format!("Host: {}", page.address())], b"")
}

fn post(page: &PageServer, path: &str, body: &Value) -> Answer {
    let host = format!("Host: {}", page.address());
    let head = [host.as_str(), "Content-Type: application/json"];
    send(page, &format!("POST {path}"), &head, body.to_string().as_bytes())
}

/// An open game with its boards.
fn with_boards(page: &PageServer, game: &Value) -> Value {
    get(page, &format!("/api/games/{}", game["id"].as_str().expect("a number"))).succeeds()
}

/// Opens a game and begins a match; its path.
fn begin(page: &PageServer, game: &str, players: &Value) -> String {
    let game = post(page, "/api/games", &json!({ "name": game })).succeeds();
    let request = json!({
        "game": game["id"], "players": players, "start_clock": 1, "play_clock": 1, "seed": 7
    });
    let begun = post(page, "/api/matches", &request).succeeds();
    format!("/api/matches/{}", begun["id"].as_str().expect("a number"))
}

/// Asks for a match until something holds of it, for ten seconds at most.
#[track_caller]
fn wait(page: &PageServer, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + Duration::from_secs(10);
    let mut shown = get(page, path).succeeds();
    while !holds(&shown) {
        assert!(Instant::now() < until, "it has not come to that: {shown}");
        let version = shown["version"].as_u64().expect("a version");
        let mark = if path.contains('?') { '&' } else { '?' };
        shown = get(page, &format!("{path}{mark}version={version}")).succeeds();
    }
    shown
}

/// A person's move.
fn make(page: &PageServer, path: &str, role: &str, turn: u64, action: &str) -> Answer {
    let body = json!({ "role": role, "turn": turn, "move": action });
    post(page, &format!("{path}/moves"), &body)
}
