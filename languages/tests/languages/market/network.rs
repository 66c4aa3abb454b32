//! Markets over loopback.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use groundfrog_corpus::relative;
use groundfrog_languages::lines::{Hub, one_line};
use groundfrog_languages::market::Policy;
use groundfrog_languages::market::serve::{MarketClock, MarketHouse};

use super::market;

/// A trader that bids a price when the market opens, and notes what it hears.
fn trader(address: SocketAddr, name: &str, bids: &[&str]) -> Vec<String> {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
    writeln!(stream, "(join {name})").expect("it is open");
    let reader = BufReader::new(stream.try_clone().expect("a socket"));
    let mut heard = Vec::new();
    for line in reader.lines().map_while(Result::ok) {
        if line == "(time 1)" {
            for bid in bids {
                writeln!(stream, "{bid}").expect("it is open");
            }
        }
        if !line.starts_with("(start") && !line.starts_with("(time") {
            heard.push(line);
        }
    }
    heard
}

#[test]
fn two_rounds_of_sealed_bids() {
    let hub = Hub::start(([127, 0, 0, 1], 0).into()).expect("a free port");
    let address = hub.address();
    let bids: [(&str, &[&str]); 3] = [
        ("a_1", &["(message (my_bid 10))"]),
        ("a_2", &["(message (my_bid 15.50))", "(message (my_bid -1))"]),
        ("a_3", &["(nonsense", "x"]),
    ];
    // Strangers, gone or silent, keep nobody from trading.
    (0..200).for_each(|_| drop(TcpStream::connect(address).expect("it listens")));
    let connect = |_| TcpStream::connect(address).expect("it listens");
    let silent: Vec<TcpStream> = (0..200).map(connect).collect();
    let traders = bids.map(|(name, bids)| thread::spawn(move || trader(address, name, bids)));
    let mut market = market("sealed_bid");
    let clock = MarketClock {
        join: Duration::from_secs(20),
        step: Duration::from_millis(300),
        rounds: 2,
        most_steps: 10,
    };
    let rules = one_line(relative("sealed_bid").expect("of the corpus").text).expect("KIF");
    let house = MarketHouse::new(&hub, &mut market);
    let report =
        house.run(&rules, &clock, &mut Policy::First, &|| false, &mut |_| {}).expect("rules");
    assert_eq!(report.actions, [["(clearing a_2 15.5)"], ["(clearing a_2 15.5)"]]);
    assert_eq!((report.received, report.refused), (4, 6));
    let [one, two, three] = traders.map(|it| it.join().expect("a trader"));
    drop(silent);
    let round = ["(mail 1 (bid_accepted 10))", "(mail 2 (winner a_2 15.5))", "(closed 3)"];
    assert_eq!(one, [round, round].concat());
    assert!(two.contains(&"(refused 1 (my_bid -1))".to_owned()), "{two:?}");
    // Nobody learns of another's bid but by the clearing.
    assert!(three.iter().all(|it| !it.contains("10")), "{three:?}");
    assert!(three.contains(&"(mail 2 (winner a_2 15.5))".to_owned()), "{three:?}");
}
