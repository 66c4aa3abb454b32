//! The passes that make a game compact: each may be left out, and none changes what the game means.

use std::sync::Arc;
use std::time::Duration;

use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit::canonical;
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::{Domains, Engine, GroundOptions, Limits};
use groundfrog::reasoner::GroundReasoner;
use groundfrog::verify::{VerifyOptions, compare};
use groundfrog_corpus::{Outcome, random_game};
use groundfrog_engine::observe::Silent;

/// All passes, and all but one of them.
fn treatments() -> [(&'static str, Passes); 9] {
    let all = Passes::ALL;
    [
        ("all", all),
        ("without visited", Passes { visited: false, ..all }),
        ("without linear recursion", Passes { linear_recursion: false, ..all }),
        ("without decomposition", Passes { decomposition: false, ..all }),
        ("without demand", Passes { demand: false, ..all }),
        ("without reach", Passes { reach: false, ..all }),
        ("without moves", Passes { moves: false, ..all }),
        ("without inline", Passes { inline: false, ..all }),
        ("without subsumption", Passes { subsumption: false, ..all }),
    ]
}

fn options(passes: Passes, engine: Engine) -> GroundOptions {
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    GroundOptions { passes, engine, limits, ..GroundOptions::default() }
}

fn grounded(name: &str, text: &str, options: &GroundOptions) -> Arc<GroundGame> {
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.unwrap_or_else(|error| panic!("{name}: {error}"));
    let grounding = ground(&description, options, &mut Silent);
    Arc::new(grounding.unwrap_or_else(|error| panic!("{name}: {error}")).game)
}

fn reasoner(name: &str, game: &Arc<GroundGame>) -> GroundReasoner {
    GroundReasoner::new(game.clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Plays each compact game beside the flat one; returns how many states were compared.
fn means_the_same(name: &str, text: &str) -> u64 {
    let flat = GroundOptions { simplify: false, ..options(Passes::NONE, Engine::Datafrog) };
    let flat = grounded(name, text, &flat);
    let mut states = 0;
    for (label, passes) in treatments() {
        let compact = grounded(name, text, &options(passes, Engine::Datafrog));
        let (mut tested, mut oracle) = (reasoner(name, &compact), reasoner(name, &flat));
        let options = VerifyOptions { playouts: 5, ..VerifyOptions::default() };
        let report = compare(&mut tested, &mut oracle, Some(&compact), &options, &mut ())
            .unwrap_or_else(|error| panic!("{name}, {label}: {error}"));
        assert_eq!(report.difference, None, "{name}, {label}: {report}");
        states += report.states;
    }
    states
}

fn own_games() -> impl Iterator<Item = &'static groundfrog_corpus::Game> {
    groundfrog_corpus::games().iter().filter(|game| game.expect == Outcome::Groundable)
}

#[test]
fn own_games_mean_the_same() {
    let states: u64 = own_games().map(|game| means_the_same(game.name, game.text)).sum();
    assert!(states > 5000, "only {states} states were compared");
}

#[test]
fn random_games_mean_the_same() {
    let states: u64 =
        (1000..1120).map(|seed| means_the_same(&format!("seed {seed}"), &random_game(seed))).sum();
    assert!(states > 5000, "only {states} states were compared");
}

#[test]
fn the_textbook_evaluator_gives_the_same_compact_games() {
    for seed in 2000..2060 {
        let (name, text) = (format!("seed {seed}"), random_game(seed));
        for (label, passes) in treatments() {
            let [datafrog, naive] = [Engine::Datafrog, Engine::Naive].map(|engine| {
                let game = grounded(&name, &text, &options(passes, engine));
                canonical::lines(&game).collect::<Vec<_>>()
            });
            assert_eq!(datafrog, naive, "{name}, {label}");
        }
    }
}

#[test]
fn compact_games_are_small() {
    for (name, factor) in
        [("eight_puzzle", 2), ("breakthrough", 1), ("lights_out", 1), ("rival_railways", 7)]
    {
        let text = groundfrog_corpus::game(name).expect("a game of the corpus").text;
        let residual = grounded(name, text, &options(Passes::NONE, Engine::Datafrog));
        let compact = grounded(name, text, &options(Passes::ALL, Engine::Datafrog));
        let (compact, residual) = (compact.rules().len(), residual.rules().len());
        assert!(compact * factor <= residual, "{name}: {compact} of {residual} rules");
    }
}

/// A game whose legal move asks for one instance of a chain of ever wider predicates.
fn chain(levels: usize) -> String {
    let mut text = String::from(
        "(role prober) (init (level l1)) (digit d0) (digit d1) (digit d2) (legal prober stop)
         (<= (legal prober ask) (need1 d0)) (<= terminal (true (level done))) (goal prober 100)
         (<= (next (level done)) (does prober stop))",
    );
    for level in 1..=levels {
        let variables: Vec<String> = (1..=level).map(|it| format!("?v{it}")).collect();
        let (head, digits) = (
            format!("(need{level} {})", variables.join(" ")),
            variables.iter().map(|it| format!("(digit {it})")).collect::<Vec<_>>().join(" "),
        );
        text += &format!("(<= {head} {digits} (true (level l{level})))");
        text += &format!("(<= (next (level l{})) (true (level l{level})))", level + 1);
        if level < levels {
            text += &format!("(<= {head} {digits} (need{} {} d1))", level + 1, variables.join(" "));
        }
    }
    text
}

#[test]
fn demand_grounds_what_nothing_else_does() {
    let text = chain(16);
    let compact = grounded("chain", &text, &options(Passes::ALL, Engine::Datafrog));
    assert!(compact.rules().len() < 100, "{} rules", compact.rules().len());
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let flat = GroundOptions {
        limits: Limits { memory: Some(256 << 20), ..Limits::default() },
        ..options(Passes::NONE, Engine::Datafrog)
    };
    let error = ground(&description.expect("a chain is well formed"), &flat, &mut Silent);
    error.expect_err("3^16 instances take more memory");
}

/// A game whose moves show a transitive closure, by quadratic recursion, of a relation drawn from a seed:
/// one of facts, or one that the player draws edge by edge.
fn closure_of_random_relation(seed: u64, is_dynamic: bool) -> String {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let nodes = 2 + draw(8);
    let mut text = String::from(
        "(role r) (colour red) (colour blue) (init (day 1)) (after 1 2) (after 2 3) (after 3 4)
         (<= (next (day ?e)) (true (day ?d)) (after ?d ?e)) (<= terminal (true (day 4)))
         (<= (goal r 100) (path red n0 n1)) (<= (goal r 0) (not (path red n0 n1)))
         (legal r wait) (<= (legal r (ride ?c ?x ?y)) (path ?c ?x ?y))
         (<= (next (edge ?c ?x ?y)) (true (edge ?c ?x ?y)) (not (does r wait)))
         (base (day 1)) (<= (base (day ?e)) (after ?d ?e)) (<= (base (edge ?c ?x ?y)) (pair ?c ?x ?y))
         (input r wait) (<= (input r (lay ?x ?y)) (pair ?c ?x ?y))
         (<= (input r (ride ?c ?x ?y)) (colour ?c) (node ?x) (node ?y))
         (<= (path ?c ?x ?y) (path ?c ?x ?z) (path ?c ?z ?y) (node ?z))",
    );
    text += if is_dynamic {
        "(<= (path ?c ?x ?y) (true (edge ?c ?x ?y))) (<= (legal r (lay ?x ?y)) (pair ?c ?x ?y))
         (<= (next (edge ?c ?x ?y)) (does r (lay ?x ?y)) (pair ?c ?x ?y))"
    } else {
        "(<= (path ?c ?x ?y) (pair ?c ?x ?y)) (path blue n0 n1)"
    };
    for node in 0..nodes {
        text += &format!("(node n{node})");
    }
    for _ in 0..1 + draw(4 * nodes) {
        let (colour, from, to) = (["red", "blue"][draw(2) as usize], draw(nodes), draw(nodes));
        text += &format!("(pair {colour} n{from} n{to})");
        if draw(2) == 0 {
            text += &format!("(init (edge {colour} n{from} n{to}))");
        }
    }
    text
}

#[test]
fn closures_of_random_relations_mean_the_same() {
    let mut states = 0;
    for seed in 0..40 {
        for is_dynamic in [false, true] {
            let text = closure_of_random_relation(seed, is_dynamic);
            states += means_the_same(&format!("closure {seed}, {is_dynamic}"), &text);
        }
    }
    assert!(states > 4000, "only {states} states were compared");
}

#[test]
fn closures_of_random_relations_have_the_same_tables() {
    let linear = Passes { linear_recursion: true, ..Passes::NONE };
    let (mut fewer, mut static_closures) = (0, 0);
    for seed in 100..160 {
        for is_dynamic in [false, true] {
            let (name, text) =
                (format!("closure {seed}"), closure_of_random_relation(seed, is_dynamic));
            let ground = |passes, engine, domains| {
                let options = GroundOptions { simplify: false, domains, ..options(passes, engine) };
                grounded(&name, &text, &options)
            };
            let rides = |game: &GroundGame| {
                let is_ride = |line: &String| line.starts_with("(<= (legal r (ride ");
                let is_fact = |line: &String| line.starts_with("(legal r (ride ");
                canonical::lines(game).filter(|it| is_ride(it) || is_fact(it)).collect::<Vec<_>>()
            };
            for domains in [Domains::OneStep, Domains::Iterative, Domains::Given] {
                let quadratic = ground(Passes::NONE, Engine::Datafrog, domains);
                let [datafrog, naive] =
                    [Engine::Datafrog, Engine::Naive].map(|engine| ground(linear, engine, domains));
                assert_eq!(rides(&quadratic), rides(&datafrog), "{text}");
                assert_eq!(rides(&quadratic), rides(&naive), "{text}");
                assert!(datafrog.rules().len() <= quadratic.rules().len(), "{text}");
                fewer += usize::from(datafrog.rules().len() < quadratic.rules().len());
                static_closures += usize::from(!is_dynamic && !rides(&datafrog).is_empty());
            }
        }
    }
    assert!(fewer > 20 && static_closures == 180, "{fewer} are smaller");
}

/// A game with a search that remembers what it has visited, in one of several ways, through a random graph whose
/// edges come and go.
fn random_search(seed: u64) -> String {
    let mut text = String::from(
        "(role r) (init (turn 0)) (succ 0 1) (succ 1 2) (succ 2 3) (<= (legal r (flip ?x ?y)) (edge ?x ?y))
        (<= (next (turn ?n)) (true (turn ?t)) (succ ?t ?n)) (<= terminal (true (turn 3)))
        (<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does r (flip ?x ?y))))
        (<= (next (open ?x ?y)) (does r (flip ?x ?y)) (not (true (open ?x ?y))))
        (node a) (node b) (node c) (node d)
        (name a n1) (name b n2) (name c n3) (name d n4) (<= (item ?n) (name ?x ?n))
        (<= (legal r (see ?x ?y)) (found ?x ?y)) (<= (goal r 100) (found a d))
        (<= (goal r 0) (not (found a d)))",
    );
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    text.push_str("(edge a b)");
    for from in ["a", "b", "c", "d"] {
        for to in ["a", "b", "c", "d"] {
            if draw(3) == 0 {
                text.push_str(&format!("(edge {from} {to})"));
            }
            if draw(2) == 0 {
                text.push_str(&format!("(<= (init (open {from} {to})) (edge {from} {to}))"));
            }
        }
    }
    let things = if seed % 4 == 3 { "item" } else { "node" };
    let mut list = String::from("nil");
    let mut conditions = String::new();
    text.push_str("(list nil)");
    for variable in ["?x", "?y", "?z", "?u"] {
        list = format!("(cons {variable} {list})");
        conditions.push_str(&format!("({things} {variable})"));
        text.push_str(&format!("(<= (list {list}) {conditions})"));
    }
    text.push_str(
        "(<= (in ?x (cons ?x ?l)) (list (cons ?x ?l)))
        (<= (in ?x (cons ?y ?l)) (list (cons ?y ?l)) (list ?l) (in ?x ?l))",
    );
    text.push_str(match seed % 4 {
        0 => {
            "(<= (path ?x ?x ?l) (node ?x) (list ?l))
            (<= (path ?x ?z ?l) (edge ?x ?y) (true (open ?x ?y)) (list ?l) (not (in ?y ?l))
                (list (cons ?y ?l)) (path ?y ?z (cons ?y ?l)))
            (<= (found ?x ?y) (node ?x) (path ?x ?y (cons ?x nil)))"
        }
        1 => {
            "(<= (path ?x ?y ?l) (true (open ?x ?y)) (list ?l))
            (<= (path ?x ?z ?l) (edge ?x ?y) (true (open ?x ?y)) (list ?l) (not (in ?y ?l))
                (list (cons ?y ?l)) (path ?y ?z (cons ?y ?l)))
            (<= (found ?x ?y) (path ?x ?y nil))"
        }
        2 => {
            "(<= (path ?x ?y ?l) (node ?x) (true (open ?x ?y)) (list ?l) (not (in ?x ?l)))
            (<= (path ?x ?z ?l) (edge ?x ?y) (true (open ?x ?y)) (list ?l) (not (in ?x ?l))
                (list (cons ?x ?l)) (path ?y ?z (cons ?x ?l)))
            (<= (found ?x ?y) (path ?x ?y nil))"
        }
        _ => {
            "(<= (insert ?x nil (cons ?x nil)) (item ?x))
            (<= (insert ?x (cons ?y ?l) (cons ?y ?m)) (list (cons ?y ?l)) (list ?l) (distinct ?x ?y)
                (insert ?x ?l ?m) (list (cons ?y ?m)))
            (<= (path ?x ?y ?l) (name ?x ?n) (insert ?n ?l ?m) (onward ?x ?y ?m))
            (<= (onward ?x ?y ?l) (list ?l) (true (open ?x ?y)))
            (<= (onward ?x ?z ?l) (list ?l) (true (open ?x ?y)) (path ?y ?z ?l))
            (<= (found ?x ?y) (path ?x ?y nil))"
        }
    });
    text
}

#[test]
fn random_searches_mean_the_same_without_their_lists() {
    let mut states = 0;
    for seed in 0..48 {
        let (name, text) = (format!("search {seed}"), random_search(seed));
        states += means_the_same(&name, &text);
        let visited = Passes { visited: true, ..Passes::NONE };
        let atoms = |passes, engine| grounded(&name, &text, &options(passes, engine)).atom_count();
        let dropped = atoms(visited, Engine::Datafrog);
        assert!(dropped * 4 < atoms(Passes::NONE, Engine::Datafrog), "{text}");
        let lines = [Engine::Datafrog, Engine::Naive].map(|engine| {
            let game = grounded(&name, &text, &options(visited, engine));
            canonical::lines(&game).collect::<Vec<_>>()
        });
        assert_eq!(lines[0], lines[1], "{text}");
    }
    assert!(states > 4000, "only {states} states were compared");
}
