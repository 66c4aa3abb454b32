//! Random matches of random games: what happens is what is recorded, and follows from the state before.

use groundfrog::options::Limits;
use groundfrog_corpus::relative;
use groundfrog_languages::realtime::simulate::{RandomRoles, run};
use groundfrog_languages::realtime::{RealTimeReasoner, Timeline};
use groundfrog_reasoner::Random;

use super::{all_shown, book, number};

/// A hash (FNV-1a) of the lines of random matches of a game until some time.
fn recorded(hash: u64, text: &str, seeds: u64, until: &str) -> u64 {
    let reasoner = RealTimeReasoner::new(&book(text), Limits::default()).expect("rules");
    (0..seeds).fold(hash, |hash, seed| {
        let mut timeline = Timeline::new(reasoner.clone(), seed, None).expect("a beginning");
        let mut players = RandomRoles::new(&mut timeline, seed, number("0.25"));
        run(&mut timeline, Some(&mut players), &number(until), &|| false).expect("rules");
        let lines = all_shown(&mut timeline).join("\n");
        lines.bytes().fold(hash, |hash, it| (hash ^ u64::from(it)).wrapping_mul(0x100_0000_01b3))
    })
}

/// What was recorded when ground rules with symbolic lifetimes, a reasoner of its own, led to the same.
#[test]
fn matches_are_as_recorded() {
    let own = |name| relative(name).expect("of the corpus").text;
    let games = (0..60).map(random_game).collect::<Vec<String>>();
    let hash = recorded(0xcbf2_9ce4_8422_2325, own("chicken"), 20, "2");
    let hash = recorded(hash, own("fuse"), 10, "6");
    let hash = games.iter().fold(hash, |hash, text| recorded(hash, text, 2, "6"));
    assert_eq!(hash, 1_003_188_821_244_413_237);
}

/// A random game: three fluents for each of two places, renewed, passed on and lost by random rules.
fn random_game(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut below = |bound: u32| random.below(bound) as usize;
    let fluents = ["(a ?p)", "(b ?p)", "c"];
    let times = ["0.5", "1", "1.25", "2", "infinity"];
    let mut text = "(role x) (role y) (place l) (place r) (wait 0.75) (wait 1.5)\n".to_owned();
    for fluent in ["(a l)", "(a r)", "(b l)", "c"] {
        if below(4) > 0 {
            text += &format!("(init {} {fluent})\n", times[below(5)]);
        }
    }
    let conditions = [
        "(true ?s (a ?p))",
        "(true ?s (b ?q))",
        "(not (true 1 (a ?p)))",
        "(expired (b ?p))",
        "(not (expired c))",
        "(does x (push ?p))",
        "(not (does y (pull ?p)))",
        "(busy ?p)",
        "(not (busy ?p))",
        "(or (true ?s c) (expired (a ?p)))",
    ];
    for _ in 0..2 {
        text += &format!("(<= (busy ?p) (place ?p) {})\n", conditions[below(4)]);
    }
    text += "(<= (timed ?t ?p) (true ?t (a ?p)) (true ?u (b ?p)) (distinct ?t ?u))\n";
    for fluent in fluents {
        for _ in 0..2 {
            let [one, other] = [conditions[below(10)], conditions[below(10)]];
            let (lifetime, source) = match below(4) {
                0 => ("?t", format!("(true ?t {fluent})")),
                1 => ("?t", "(wait ?t)".to_owned()),
                2 => ("?t", "(timed ?t ?p)".to_owned()),
                _ => (times[below(5)], String::new()),
            };
            text += &format!("(<= (next {lifetime} {fluent}) (place ?p) {source} {one} {other})\n");
        }
        text += &format!("(<= (next ?t {fluent}) (place ?p) (true ?t {fluent}))\n");
    }
    for (role, action) in [("x", "push"), ("y", "pull")] {
        text += &format!("(<= (legal {role} ({action} ?p)) (place ?p) {})\n", conditions[below(5)]);
    }
    text += "(<= (sees x ?p) (place ?p) (expired (a ?p)))
        (<= terminal (expired c) (true infinity (b l)))
        (<= (goal ?r 100) (role ?r) (true ?s c)) (<= (goal ?r 0) (role ?r) (not (busy l)))\n";
    text
}

/// Theorem 1 of the paper: each state is finite, and follows from the one before, the joint move and the time. A reasoner that has seen
/// nothing else computes it from these.
#[test]
fn each_state_follows_from_the_one_before() {
    let mut events = 0;
    for seed in 100..130 {
        let book = book(&random_game(seed));
        let reasoner = RealTimeReasoner::new(&book, Limits::default()).expect("rules");
        let mut timeline = Timeline::new(reasoner.clone(), seed, None).expect("a beginning");
        let mut players = RandomRoles::new(&mut timeline, seed, number("0.25"));
        run(&mut timeline, Some(&mut players), &number("5"), &|| false).expect("rules");
        let symbols = timeline.reasoner().symbols().clone();
        for pair in timeline.events().windows(2) {
            let mut fresh = reasoner.clone();
            // The times are names that it has not met.
            *fresh.symbols() = symbols.clone();
            let elapsed = &pair[1].time - &pair[0].time;
            let update = fresh.update(&pair[0].state, &elapsed, &pair[1].moves).expect("rules");
            assert_eq!(update.state.texts(&symbols), pair[1].state.texts(&symbols));
            assert!(elapsed > number("0"), "each event is strictly after the one before");
            events += 1;
        }
    }
    assert!(events > 100, "{events}");
}
