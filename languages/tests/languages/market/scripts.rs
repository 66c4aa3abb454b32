//! Auctions by scripts.

use groundfrog_languages::market::{MarketError, Policy, Script, run};
use groundfrog_reasoner::Random;

use super::{lines, lines_with, market};

#[test]
fn the_sealed_bid_auction() {
    let shown = lines("sealed_bid", "(1 a_1 (my_bid 10)) (1 a_2 (my_bid 15)) (2 a_3 (my_bid 20))");
    assert_eq!(
        shown,
        [
            "1  receive a_1 (my_bid 10)",
            "1  receive a_2 (my_bid 15)",
            "1  send a_1 (bid_accepted 10)",
            "1  send a_2 (bid_accepted 15)",
            "2  receive a_3 (my_bid 20)",
            "2  does (clearing a_2 15)",
            "2  send a_1 (winner a_2 15)",
            "2  send a_2 (winner a_2 15)",
            "2  send a_3 (winner a_2 15)",
            "3  closed"
        ]
    );
}

#[test]
fn equal_best_bids_are_for_the_policy_to_decide() {
    let script = "(1 a_1 (my_bid 15)) (1 a_2 (my_bid 15.0)) (1 a_3 (my_bid 3))";
    let winner = |policy: &mut Policy| {
        let shown = lines_with("sealed_bid", script, policy);
        shown.into_iter().find(|it| it.contains("does")).expect("a clearing")
    };
    assert_eq!(winner(&mut Policy::First), "2  does (clearing a_1 15)");
    let mut found: Vec<String> =
        (0..20).map(|it| winner(&mut Policy::Random(Random::new(it)))).collect();
    found.sort();
    found.dedup();
    assert_eq!(found, ["2  does (clearing a_1 15)", "2  does (clearing a_2 15)"]);
    let scripted = format!("{script} (2 does (clearing a_2 15))");
    assert!(lines("sealed_bid", &scripted).contains(&"2  does (clearing a_2 15)".to_owned()));
    let wrong = format!("{script} (2 does (clearing a_3 3))");
    assert!(lines("sealed_bid", &wrong).contains(&"2  not legal: (clearing a_3 3)".to_owned()));
}

#[test]
fn corners_of_the_sealed_bid_auction() {
    assert_eq!(lines("sealed_bid", ""), ["3  closed"]);
    let twice = lines("sealed_bid", "(1 a_1 (my_bid 10)) (1 a_1 (my_bid 12)) (1 a_2 (my_bid 11))");
    let accepted = ["1  send a_1 (bid_accepted 10)", "1  send a_1 (bid_accepted 12)"];
    assert!(accepted.iter().all(|it| twice.contains(&(*it).to_owned())), "{twice:?}");
    assert!(twice.contains(&"2  does (clearing a_1 12)".to_owned()), "{twice:?}");
    let refused = lines("sealed_bid", "(1 a_1 (my_bid -1)) (1 a_2 (my_bid x)) (1 a_3 (bid 1))");
    assert_eq!(
        refused,
        [
            "1  refused a_1 (my_bid -1)",
            "1  refused a_2 (my_bid x)",
            "1  refused a_3 (bid 1)",
            "3  closed"
        ]
    );
    // By value, exactly.
    let close = "(1 a_1 (my_bid 0.30000000000000000001)) (1 a_2 (my_bid 0.3)) (1 a_3 (my_bid 1/3))";
    assert!(lines("sealed_bid", close).contains(&"2  does (clearing a_3 1/3)".to_owned()));
    // Nobody learns of a bid before the clearing but who made it.
    let mail = lines("sealed_bid", "(1 a_1 (my_bid 10)) (1 a_2 (my_bid 15))");
    let early: Vec<&String> = mail.iter().filter(|it| it.starts_with("1  send")).collect();
    assert_eq!(early, ["1  send a_1 (bid_accepted 10)", "1  send a_2 (bid_accepted 15)"]);
}

#[test]
fn the_second_price() {
    let does = |script: &str| {
        lines("vickrey", script).into_iter().find(|it| it.contains("does")).unwrap_or_default()
    };
    let script = "(1 a_1 (my_bid 10)) (1 a_2 (my_bid 15)) (1 a_3 (my_bid 12.5))";
    assert_eq!(does(script), "2  does (clearing a_2 12.5)");
    // Only others count for the price.
    assert_eq!(
        does("(1 a_1 (my_bid 10)) (1 a_1 (my_bid 9)) (1 a_2 (my_bid 4))"),
        "2  does (clearing a_1 4)"
    );
    assert_eq!(does("(1 a_1 (my_bid 10))"), "2  does (clearing a_1 0)");
    assert_eq!(does("(1 a_1 (my_bid 7)) (1 a_2 (my_bid 7))"), "2  does (clearing a_1 7)");
    assert_eq!(does(""), "");
}

#[test]
fn the_open_auction() {
    let script = "(1 a_1 (bid 5)) (2 a_2 (bid 5)) (2 a_2 (bid 6)) (4 a_1 (bid 7))";
    let shown = lines("english", script);
    assert!(shown.contains(&"2  refused a_2 (bid 5)".to_owned()), "{shown:?}");
    assert!(shown.contains(&"2  send a_1 (standing a_2 6)".to_owned()), "{shown:?}");
    assert!(shown.contains(&"7  does (sell a_1 7)".to_owned()), "{shown:?}");
    assert_eq!(shown.last().map(String::as_str), Some("8  closed"));
    let nobody = lines("english", "");
    assert!(nobody.iter().all(|it| !it.contains("does")), "{nobody:?}");
}

#[test]
fn the_double_auction() {
    let script = "(1 s_1 (ask 8)) (1 s_2 (ask 6)) (1 b_1 (bid 7)) (1 b_1 (ask 1))";
    let shown = lines("double", script);
    assert!(shown.contains(&"1  refused b_1 (ask 1)".to_owned()), "{shown:?}");
    assert!(shown.contains(&"2  does (trade s_2 b_1 6)".to_owned()), "{shown:?}");
    assert!(shown.contains(&"2  send b_1 (bought 6)".to_owned()), "{shown:?}");
    assert!(shown.iter().filter(|it| it.contains("does")).count() == 1, "{shown:?}");
}

#[test]
fn scripts_that_are_none() {
    let fault = |script: &str| {
        Script::read(script, &mut market("sealed_bid")).expect_err("no script").to_string()
    };
    assert!(fault("(1 a_1 (my_bid 1))\n(2 a_9 x)").starts_with("line 2: nobody trades as `a_9`"));
    assert!(fault("(0 a_1 x)").contains("`0` is no step"));
    assert!(fault("(1 a_1)").contains("expected `(STEP TRADER MESSAGE)`"));
    assert!(fault("(1 a_1 (x ?y))").contains("without variables"));
    assert!(fault("(1 a_1 x").contains("parentheses"));
}

#[test]
fn a_market_that_does_not_close_is_ended() {
    let text = "(trader a) (message a hello) (<= (send a hello) (receive a hello))";
    let mut market = groundfrog_languages::market::Market::new(
        &super::book(text),
        groundfrog::options::Limits::default(),
    )
    .expect("rules");
    let ended = run(&mut market, &Script::default(), &mut Policy::First, 9, &mut |_| true);
    assert!(matches!(ended, Err(MarketError::Steps(9))));
}
