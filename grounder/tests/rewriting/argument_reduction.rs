//! Recursions that begin at one place keep where they have come to apart from what they end with.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::game::GroundGame;
use groundfrog::options::{Engine, GroundOptions};

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// A player builds roads between eight places; `rules` say how far it is served from the first.
fn roads(rules: &str) -> String {
    let places: String = (1..=8).map(|place| format!("(place {place})")).collect();
    let pairs: String = (1..8).map(|place| format!("(next_to {place} {})", place + 1)).collect();
    format!(
        "(role r) {places} {pairs} (next_to 3 1) (next_to 6 3) (init (road 1 2)) (init (road 2 3)) (init (day 1))
        (<= (legal r (build ?x ?y)) (next_to ?x ?y))
        (<= (next (road ?x ?y)) (true (road ?x ?y))) (<= (next (road ?x ?y)) (does r (build ?x ?y)))
        (<= (next (day ?y)) (true (day ?x)) (next_to ?x ?y)) (<= terminal (true (day 6)))
        (<= (path ?x ?z) (true (road ?x ?z))) {rules}"
    )
}

const STEP: &str = "(<= (path ?x ?z) (true (road ?x ?y)) (distinct ?x ?y) (path ?y ?z))";
const USES: &str = "(<= (goal r 100) (path 1 8)) (<= (goal r 0) (not (path 1 8)))
    (<= (next (served ?z)) (path 1 ?z)) (<= (next (cut_off ?z)) (place ?z) (not (path 1 ?z)))";

fn names(game: &GroundGame, prefix: &str) -> usize {
    canonical::lines(game).filter(|line| line.contains(prefix)).count()
}

/// Plays with the pass and without; both engines find the same rules. Returns the lines about both views, and about one.
fn lines(rules: &str) -> [usize; 2] {
    let text = roads(rules);
    let flat = grounded(&text, &options(Passes::NONE));
    let [reduced, naive] = [Engine::Datafrog, Engine::Naive]
        .map(|engine| grounded(&text, &GroundOptions { engine, ..options(Passes::ALL) }));
    let [one, other] = [&reduced, &naive].map(|game| canonical::lines(game).collect::<Vec<_>>());
    assert_eq!(one, other, "{rules}");
    let only = grounded(&text, &options(Passes::of(&[PassId::ArgumentReduction])));
    for game in [&reduced, &only] {
        assert!(plays_the_same(&description(&text), game, &flat, 6) >= 20, "{rules}");
    }
    [names(&only, "path_"), names(&only, "(path ")]
}

#[test]
fn what_is_met_and_what_it_ends_with_are_told_apart() {
    let [both, one] = lines(&format!("{STEP} {USES}"));
    assert!(both > 0 && both < 60 && one == 0, "{both} {one}");
    // Of the rules for each pair of places.
    let flat = grounded(&roads(&format!("{STEP} {USES}")), &options(Passes::NONE));
    assert!(names(&flat, "(path ") > 2 * both, "{}", names(&flat, "(path "));
}

#[test]
fn a_second_place_or_a_condition_on_the_end_leaves_the_view() {
    let two = format!("{STEP} {USES} (<= (next two) (path 2 8))");
    let any = format!("{STEP} {USES} (<= (next (from ?x)) (place ?x) (path ?x 8))");
    let condition = format!(
        "(<= (path ?x ?z) (true (road ?x ?y)) (path ?y ?z) (not (true (road ?z ?x)))) {USES}"
    );
    let quadratic = format!("(<= (path ?x ?z) (path ?x ?y) (path ?y ?z) (place ?y)) {USES}");
    for rules in [two, any, condition, quadratic] {
        let [both, one] = lines(&rules);
        assert!(both == 0 && one > 0, "{rules}: {both} {one}");
    }
}
