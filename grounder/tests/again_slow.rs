//! Two million ground rules, read back.

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit::{self, Format};
use groundfrog::ground::ground;
use groundfrog::options::GroundOptions;
use groundfrog_engine::observe::Silent;

/// A board of 100 times 100 cells, each of which is kept by each of 200 moves.
fn board() -> String {
    let numbers: String = (0..200).map(|it| format!("(m {it}) ")).collect();
    let few: String = (0..100).map(|it| format!("(n {it}) ")).collect();
    format!(
        "(role r) {numbers}{few}
        (<= (init (c ?i ?j)) (n ?i) (n ?j))
        (<= (legal r ?k) (m ?k))
        (<= (next (c ?i ?j)) (true (c ?i ?j)) (does r ?k))
        (<= terminal (true (c 1 1))) (goal r 50)"
    )
}

#[test]
fn two_million_ground_rules_ground_again() {
    let flat = GroundOptions { simplify: false, passes: Passes::NONE, ..GroundOptions::flat() };
    let kif = |text: &[u8]| {
        let description =
            Description::parse(text, &ParseOptions::default()).expect("a description");
        let grounding =
            ground(&description, &flat, &mut Silent).unwrap_or_else(|error| panic!("{error}"));
        let mut text = Vec::new();
        emit::write(&grounding.game, Format::Kif, &mut text).expect("memory takes everything");
        (grounding.game.rules().len(), text)
    };
    let (rules, once) = kif(board().as_bytes());
    assert!(rules > 2_000_000, "{rules}");
    let (again, twice) = kif(&once);
    assert_eq!(again, rules);
    assert!(once == twice, "the same text");
}
