//! What holds in all courses of the corpus' auctions.

use groundfrog::options::Limits;
use groundfrog_corpus::{Relative, relative};
use groundfrog_languages::market::explore::{Holds, MarketExploration, MarketOptions, explore};
use groundfrog_languages::number::parse;

use super::book;

fn explored(text: &str, properties: &str, samples: &[&str], most_steps: u64) -> MarketExploration {
    let options = MarketOptions {
        samples: samples.iter().map(|it| parse(it).expect("a number")).collect(),
        most_courses: 100_000,
        most_steps,
        limits: Limits::default(),
    };
    let properties = book(properties);
    explore(&book(text), Some(&properties), &options, &|| false).expect("rules")
}

fn of(name: &str) -> &'static Relative {
    relative(name).expect("of the corpus")
}

fn all_hold(found: &MarketExploration, names: &[&str]) {
    let expected: Vec<(String, Holds)> =
        names.iter().map(|it| ((*it).to_owned(), Holds::Always)).collect();
    assert_eq!(found.properties, expected);
}

#[test]
fn sealed_bids() {
    let market = of("sealed_bid");
    let found = explored(market.text, market.properties, &["-1", "0", "1"], 9);
    all_hold(&found, &["one_winner", "highest_bid_wins", "own_bid", "sold"]);
    assert!(found.is_complete && found.unfinished == 0);
    // Each of three traders bids nothing, 0 or 1, in time and again too late; equal best bids have several winners.
    let in_time: u64 = (0..27_u64)
        .map(|outcome| {
            let bids = [outcome % 3, outcome / 3 % 3, outcome / 9];
            let best = bids.into_iter().max().unwrap_or(0);
            if best == 0 {
                1
            } else {
                bids.into_iter().filter(|outcome| *outcome == best).count() as u64
            }
        })
        .sum();
    assert_eq!(found.courses, in_time * 27);
    assert!(found.choices > 0);
    assert_eq!(found.is_private, Holds::Always);
}

#[test]
fn a_leak_is_found() {
    let market = of("sealed_bid");
    let leaking = format!("{} (<= (send a_1 (heard ?p)) (receive a_2 (my_bid ?p)))", market.text);
    let found = explored(&leaking, market.properties, &["1"], 9);
    let Holds::NotIn(courses) = found.is_private else { panic!("it leaks") };
    assert!(courses[0].starts_with("a_1 gets other mail in step "), "{courses:?}");
    assert!(courses.iter().any(|it| it.ends_with("  send a_1 (heard 1)")), "{courses:?}");
}

#[test]
fn a_broken_auction_is_found() {
    let market = of("sealed_bid");
    let broken = market.text.replace("(not (outbid ?p)))", "(>= ?p 1))");
    assert_ne!(broken, market.text);
    let found = explored(&broken, market.properties, &["1", "2"], 9);
    let highest = found.properties.iter().find(|it| it.0 == "highest_bid_wins");
    let Some((_, Holds::NotIn(course))) = highest else { panic!("{:?}", found.properties) };
    assert!(course.iter().any(|it| it.contains("does (clearing")), "{course:?}");
    assert_eq!(found.properties[0], ("one_winner".to_owned(), Holds::Always));
}

#[test]
fn second_prices() {
    let market = of("vickrey");
    let found = explored(market.text, market.properties, &["1", "2.5"], 9);
    all_hold(&found, &["one_winner", "highest_bid_wins", "affordable", "second_price"]);
    assert_eq!((found.is_complete, &found.is_private), (true, &Holds::Always));
}

#[test]
fn open_bids() {
    let market = of("english");
    let found = explored(market.text, market.properties, &["1", "2"], 9);
    all_hold(&found, &["one_winner", "highest_bid_wins"]);
    assert!(found.is_complete && found.courses > 100);
    // Bids are in the open.
    assert!(matches!(found.is_private, Holds::NotIn(_)));
}

#[test]
fn double_auctions() {
    let market = of("double");
    let found = explored(market.text, market.properties, &["1"], 9);
    all_hold(&found, &["one_trade", "asked_price", "affordable"]);
    assert!(found.is_complete && found.courses > 100, "{}", found.courses);
}
