//! HTTP as it comes: versions, methods, bodies of all sorts, and what is none.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use groundfrog_player::StrategyKind;
use groundfrog_player::server::ServerOptions;

use super::{exchange, parts, player, player_with, post, post_any};

const INFO: &str = "( ( name groundfrog ) ( status available ) ( species program ) )";

#[test]
fn versions_methods_and_line_ends() {
    let server = player(StrategyKind::Random);
    let requests = [
        "POST / HTTP/1.0\r\nContent-length: 8\r\n\r\n( INFO )",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\nGGP-Match-ID: m\r\n\r\n( info )",
        "POST / HTTP/1.0\nContent-Length: 6\n\n(INFO)",
        "GET /%28%20INFO%20%29 HTTP/1.0\r\n\r\n",
        "GET /(+info+) HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.0\r\nContent-length: 0\r\n\r\n",
        "POST / HTTP/1.0\r\n\r\n( INFO )",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n( I\r\n5;x=y\r\nNFO )\r\n0\r\n\r\n",
    ];
    for request in requests {
        let answer = exchange(&server, request.as_bytes());
        assert_eq!(parts(&answer), (200, INFO.to_owned()), "{request}");
        for header in [
            "HTTP/1.0 200 OK\r\n",
            "Content-type: text/acl\r\n",
            "Access-Control-Allow-Origin: *\r\n",
        ] {
            assert!(answer.contains(header), "{answer}");
        }
    }
    let answer = exchange(&server, b"OPTIONS / HTTP/1.1\r\n\r\n");
    assert_eq!(parts(&answer), (200, String::new()));
    for header in ["Methods: POST, GET, OPTIONS", "Headers: Content-Type", "Age: 86400"] {
        assert!(answer.contains(&format!("Access-Control-Allow-{header}\r\n")), "{answer}");
    }
    let expecting = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n(INFO)";
    let answer = exchange(&server, expecting.as_bytes());
    assert!(
        answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200") && answer.ends_with(INFO),
        "{answer}"
    );
}

#[test]
fn words_without_parentheses() {
    let server = player(StrategyKind::Random);
    assert_eq!(post(&server, "info"), "available");
    for ping in ["ping", "(PING)", "( ping m.1 )"] {
        assert_eq!(post(&server, ping), "ready");
    }
}

#[test]
fn lengths_may_count_characters() {
    let server = player(StrategyKind::Random);
    let message = "(PLAY käse (zürich nü))";
    let request = format!("POST / HTTP/1.0\r\nContent-length: {}\r\n\r\n", message.chars().count());
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    stream.write_all(request.as_bytes()).expect("it reads");
    let (one, two) = message.as_bytes().split_at(message.chars().count());
    stream.write_all(one).expect("it reads");
    std::thread::sleep(Duration::from_millis(30));
    stream.write_all(two).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert_eq!(parts(&answer), (200, "busy".to_owned()));
    assert_eq!(post(&server, message), "busy", "lengths in bytes will do too");
}

#[test]
fn bad_messages_get_a_reason() {
    let server = player(StrategyKind::Random);
    for (message, reason) in [
        ("(PREVIEW ((role a))", "no KIF"),
        ("(HELLO)", "unknown message `HELLO`"),
        ("(START m)", "START has 1 fields"),
        ("(START m white ((role white) 10 10)", "no KIF"),
        ("(START m white ((role white)) ten 10)", "no number of seconds"),
        ("(START m black ((role white) (init a) (legal white b)) 1 1)", "no role `black`"),
        (
            "(START m white ((role white) (<= (legal white a) (not (legal white a)))) 1 1)",
            "depends on its own negation",
        ),
        ("(START m white ((<= )) 1 1)", "the rules"),
    ] {
        let (status, body) = post_any(&server, message);
        assert!(status == 400 && body.contains(reason), "{message}: {status} {body}");
    }
    let (status, body) = parts(&exchange(&server, b"PUT / HTTP/1.0\r\n\r\n"));
    assert!(status == 400 && body.contains("the method is PUT"), "{body}");
    let (status, body) = parts(&exchange(&server, b"hello\r\n\r\n"));
    assert!(status == 400 && body.contains("no HTTP"), "{body}");
    assert_eq!(post(&server, "( INFO )"), INFO, "nothing of this begins a match");
}

#[test]
fn too_much_and_too_little() {
    let server = player_with(ServerOptions { most_bytes: 1000, ..ServerOptions::default() });
    let long = format!("(PREVIEW ({}) 1)", "(p) ".repeat(1000));
    let (status, body) = post_any(&server, &long);
    assert_eq!((status, body.as_str()), (413, "the message has more than 1000 bytes"));
    let head = format!("GET /{} HTTP/1.0\r\n", "a".repeat(100_000));
    assert_eq!(parts(&exchange(&server, head.as_bytes())).0, 413);

    // Half a message, held open, keeps nobody else waiting.
    let mut half = TcpStream::connect(server.address()).expect("it listens");
    half.write_all(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n( INF").expect("it reads");
    let start = Instant::now();
    assert_eq!(post(&server, "( INFO )"), INFO);
    assert!(start.elapsed() < Duration::from_secs(10));
    drop(half);
    let mut cut = TcpStream::connect(server.address()).expect("it listens");
    cut.write_all(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n( INF").expect("it reads");
    cut.shutdown(std::net::Shutdown::Write).expect("an end");
    let mut answer = String::new();
    cut.read_to_string(&mut answer).expect("it answers");
    assert!(answer.contains("5 of 100 bytes of the body came"), "{answer}");
}

#[test]
fn what_is_for_no_match_here_is_not_understood() {
    let server = player(StrategyKind::Random);
    for message in ["(PLAY m", "(PLAY m)", "(STOP m ((((", "( abort m x y z )"] {
        assert_eq!(post(&server, message), "busy", "{message}");
    }
    let (status, body) = post_any(&server, &format!("(ABORT {})", "m".repeat(2000)));
    assert_eq!(
        (status, body.as_str()),
        (400, "the name of the match has 2000 bytes: 1000 are allowed")
    );
}

#[test]
fn what_peers_say_comes_back_without_what_steers_a_terminal() {
    let server = player(StrategyKind::Random);
    let nasty = "\u{1b}[2J\u{7}\u{202e}evil";
    for message in [format!("({nasty})"), format!("(START m r ((role a)) {nasty} 1)")] {
        let (status, body) = post_any(&server, &message);
        assert_eq!(status, 400, "{body:?}");
        assert!(!body.chars().any(|it| it.is_control() || it == '\u{202e}'), "{body:?}");
    }
    let request = format!("GET /(INFO) HTTP/1.1\r\nOrigin: http://{nasty}\r\n\r\n");
    let (status, body) = parts(&exchange(&server, request.replace('\u{7}', "").as_bytes()));
    assert!(!body.chars().any(|it| it.is_control() || it == '\u{202e}'), "{status} {body:?}");
    let long = "x".repeat(100_000);
    for message in [
        format!("({long})"),
        format!("(START m r ((role a)) {long} 1)"),
        format!("(START m r ((role ?{long})) 1 1)"),
        format!("(START m {long} ((role a) (init b) (legal a c) (terminal) (goal a 1)) 1 1)"),
    ] {
        let (status, body) = post_any(&server, &message);
        assert!(status == 400 && body.chars().count() <= 1003, "{status} {} bytes", body.len());
    }
}

#[test]
fn pages_of_other_sites_are_not_answered() {
    let closed = player(StrategyKind::Random);
    let allowed_origins = vec!["http://board.test".to_owned()];
    let open = player_with(ServerOptions { allowed_origins, ..ServerOptions::default() });
    let any = ServerOptions { allowed_origins: vec!["*".into()], ..ServerOptions::default() };
    let any = player_with(any);
    let ask = |server, head: &str| {
        let request = format!("GET /(INFO) HTTP/1.1\r\nHost: x\r\n{head}\r\n");
        let answer = exchange(server, request.as_bytes());
        (parts(&answer).0, answer.contains("Access-Control-Allow-Origin: http://board.test\r\n"))
    };
    assert_eq!(ask(&closed, "Origin: http://board.test\r\n"), (403, false));
    assert_eq!(ask(&open, "Origin: http://board.test\r\n"), (200, true));
    assert_eq!(ask(&open, "Origin: http://evil.test\r\n"), (403, false));
    assert_eq!(ask(&open, "Origin: null\r\n"), (403, false));
    assert_eq!(ask(&any, "Origin: http://board.test\r\n"), (200, true));
    for (site, status) in [("cross-site", 403), ("same-origin", 403), ("none", 200)] {
        assert_eq!(ask(&closed, &format!("Sec-Fetch-Site: {site}\r\n")).0, status, "{site}");
    }
    assert_eq!(ask(&any, "Sec-Fetch-Site: cross-site\r\n").0, 200);
    let preflight = "OPTIONS / HTTP/1.1\r\nOrigin: http://evil.test\r\n\r\n";
    assert_eq!(parts(&exchange(&closed, preflight.as_bytes())).0, 403);
}

#[test]
fn requests_that_can_be_read_in_two_ways() {
    let server = player(StrategyKind::Random);
    for (head, reason) in [
        ("Host: a\r\nHost: b\r\nContent-Length: 6", "more than one Host"),
        ("Content-Length: 6\r\nContent-Length: 5", "two lengths"),
        ("Content-Length: +6", "no Content-Length"),
        ("Content-Length: 6\r\nTransfer-Encoding: chunked", "comes in chunks"),
    ] {
        let request = format!("POST / HTTP/1.1\r\n{head}\r\n\r\n(INFO)");
        let (status, body) = parts(&exchange(&server, request.as_bytes()));
        assert!(status == 400 && body.contains(reason), "{head}: {status} {body}");
    }
    let same = "POST / HTTP/1.1\r\nContent-Length: 6\r\nContent-Length: 6\r\n\r\n(INFO)";
    assert_eq!(parts(&exchange(&server, same.as_bytes())).0, 200);
}

#[test]
fn bodies_without_a_length_are_looked_at_once() {
    let server = player(StrategyKind::Random);
    // A list that is never closed, byte by byte in the end: looking at all of it for each would take minutes.
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    stream.set_nodelay(true).expect("an option");
    let start = Instant::now();
    let head = "POST / HTTP/1.0\r\n\r\n(PREVIEW (";
    stream.write_all(head.as_bytes()).expect("it reads");
    stream.write_all("(p) ".repeat(1 << 18).as_bytes()).expect("it reads");
    for _ in 0..2000 {
        stream.write_all(b"a").expect("it reads");
    }
    stream.write_all(b") ten)").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.contains("no number of seconds"), "{answer}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    // Chunks of a byte.
    let chunks =
        "1\r\n(\r\n4\r\nINFO\r\n".to_owned() + &"1\r\n \r\n".repeat(5000) + "1\r\n)\r\n0\r\n\r\n";
    let request = format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}");
    assert_eq!(parts(&exchange(&server, request.as_bytes())), (200, INFO.to_owned()));
}

#[test]
fn reading_rules_has_the_deadline_of_the_clock() {
    let server = player(StrategyKind::Random);
    let rules = "(p a) ".repeat(600_000);
    let start = Instant::now();
    let (status, body) = post_any(&server, &format!("(START m a ({rules}) 0.05 1)"));
    assert!(status == 400 && body.contains("longer than it may"), "{status} {body}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let (status, body) = post_any(&server, &format!("(PREVIEW ({rules}) 0)"));
    assert!(status == 400 && body.contains("longer than it may"), "{status} {body}");
    let (status, _) = post_any(&server, "(START m a ((role a)) 1 86401)");
    assert_eq!(status, 400);
    assert_eq!(post(&server, "info"), "available");
}
