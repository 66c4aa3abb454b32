//! The passes that make a game compact: each may be left out, and none changes what the game means.

use std::sync::Arc;
use std::time::Duration;

use groundfrog::check::{CheckOptions, Fragment, check_text};
use groundfrog::compact::Passes;
use groundfrog::description::{Description, ParseOptions};
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::{Domains, Engine, GroundOptions, Limits};
use groundfrog::reasoner::GroundReasoner;
use groundfrog::verify::{VerifyOptions, compare};
use groundfrog_corpus::{Outcome, Parameters, random_game};
use groundfrog_engine::observe::Silent;

#[path = "compact/settled.rs"]
mod settled;

/// All passes, and all but one of them.
fn treatments() -> [(&'static str, Passes); 18] {
    let all = Passes::ALL;
    [
        ("all", all),
        ("without differences", Passes { differences: false, ..all }),
        ("without rigid fluents", Passes { rigid_fluents: false, ..all }),
        ("without visited", Passes { visited: false, ..all }),
        ("without redundant arguments", Passes { redundant_arguments: false, ..all }),
        ("without linear recursion", Passes { linear_recursion: false, ..all }),
        ("without diagrams", Passes { diagrams: false, ..all }),
        ("without unfolding", Passes { unfolding: false, ..all }),
        ("without complements", Passes { complements: false, ..all }),
        ("without nested sets", Passes { nested_sets: false, ..all }),
        ("without move parts", Passes { move_parts: false, ..all }),
        ("without decomposition", Passes { decomposition: false, ..all }),
        ("without demand", Passes { demand: false, ..all }),
        ("without reach", Passes { reach: false, ..all }),
        ("without moves", Passes { moves: false, ..all }),
        ("without inline", Passes { inline: false, ..all }),
        ("without equal views", Passes { equal_views: false, ..all }),
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
    let mut treatments: Vec<(&str, GroundOptions)> =
        treatments().map(|(label, passes)| (label, options(passes, Engine::Datafrog))).into();
    // Every condition that can be a diagram is one.
    let all = options(Passes::ALL, Engine::Datafrog);
    treatments.push(("diagrams throughout", GroundOptions { large_static: 0, ..all }));
    for (label, options) in treatments {
        let compact = grounded(name, text, &options);
        let (mut tested, mut oracle) = (reasoner(name, &compact), reasoner(name, &flat));
        let options = VerifyOptions { playouts: 5, ..VerifyOptions::default() };
        let report = compare(&mut tested, &mut oracle, Some(&compact), &options, &mut Silent)
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

/// A game that asks for all of a large predicate.
fn cube(size: usize) -> String {
    let indices: String = (1..=size).map(|it| format!("(index {it})")).collect();
    format!(
        "(role r) (init (lit 1)) (init (day 1)) (legal r wait) (<= (next (lit ?z)) (does r (light ?x ?y ?z)))
         (<= (next (day 2)) (true (day 1))) (<= terminal (true (day 2))) (goal r 100)
         (<= (legal r (light ?x ?y ?z)) (index ?x) (index ?y) (index ?z) (bright ?x ?y ?z))
         (<= (bright ?x ?y ?z) (edge ?x ?y ?z) (true (lit ?y)))
         (<= (edge ?x ?y ?z) (index ?x) (index ?y) (index ?z) (true (lit ?x))) {indices}"
    )
}

#[test]
fn what_is_asked_for_throughout_is_computed_whole() {
    let text = cube(30);
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.expect("the game is well formed");
    let options = options(Passes::ALL, Engine::Datafrog);
    let passes = explain(&description, Step::Passes, &options).expect("the game is small");
    assert!(passes.contains("(demand_edge _): asked for 30 rows"), "{passes}");
    assert!(!passes.contains("demand_bright"), "{passes}");
    assert!(means_the_same("cube", &text) > 50);
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

/// A game with views whose arguments matter or do not, as it comes.
fn views_of_random_arguments(seed: u64) -> String {
    let mut state = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let mut text = String::from(
        "(role r) (init (lamp a)) (lit a) (lit b) (lit c) (lit d) (bit 0) (bit 1) (init (day 1))
         (after 1 2) (after 2 3) (after 3 4) (terminal_day 4)
         (<= (legal r (press ?l)) (lit ?l)) (<= (legal r rest) (view0 0 1))
         (<= (next (lamp ?l)) (does r (press ?l)) (not (true (lamp ?l))))
         (<= (next (lamp ?l)) (true (lamp ?l)) (not (does r (press ?l))))
         (<= (next (day ?e)) (true (day ?d)) (after ?d ?e))
         (<= terminal (true (day ?d)) (terminal_day ?d))
         (<= (goal r 100) (view0 1 1)) (<= (goal r 0) (bit ?b) (not (view1 ?b 0)))
         (<= (view4 ?x ?y) (bit ?x) (bit ?y) (distinct ?x ?y) (true (lamp d)))",
    );
    for view in 0..4 {
        for _ in 0..1 + draw(3) {
            text += &format!("(<= (view{view} ?x ?y) (bit ?x) (bit ?y)");
            for _ in 0..1 + draw(3) {
                let lamp = ["a", "b", "c", "d"][draw(4) as usize];
                let [left, right] = [0; 2].map(|_| ["?x", "?y", "0", "1"][draw(4) as usize]);
                let below = view + 1 + draw(4 - view);
                text += &match draw(8) {
                    0 => format!("(distinct {left} 1)"),
                    1 | 2 => format!("(true (lamp {lamp}))"),
                    3 => format!("(not (true (lamp {lamp})))"),
                    4 => format!("(not (view{below} {left} {right}))"),
                    _ => format!("(view{below} {left} {right})"),
                };
            }
            text += ")";
        }
    }
    text
}

#[test]
fn views_with_fewer_arguments_mean_the_same() {
    let filtering = Passes { redundant_arguments: true, ..Passes::NONE };
    let (mut states, mut smaller, mut alike) = (0, 0, 0);
    // In the last one a static predicate has no argument and no condition left.
    for seed in (0..60).chain([5299]) {
        let text = views_of_random_arguments(seed);
        states += means_the_same(&format!("views {seed}"), &text);
        let [all, filtered] = [Passes::NONE, filtering].map(|passes| {
            grounded("views", &text, &options(passes, Engine::Datafrog)).rules().len()
        });
        smaller += usize::from(filtered < all);
        alike += usize::from(filtered == all);
    }
    assert!(states > 3000, "only {states} states were compared");
    assert!(smaller > 30 && alike > 3, "{smaller} are smaller, {alike} are alike");
}

/// Change ringing with so many bells.
fn change_ringing(bells: u32, rows: u32) -> String {
    let parameters = Parameters::new().with("bells", bells).with("rows", rows);
    let family = groundfrog_corpus::family("change_ringing").expect("a family");
    family.generate(&parameters).expect("valid parameters")
}

#[test]
fn small_diagrams_mean_the_same() {
    for (bells, rows) in [(2, 2), (3, 2), (4, 1)] {
        means_the_same(&format!("{bells} bells"), &change_ringing(bells, rows));
    }
}

/// Lamps of three colours light the cells in line with them; one may be smashed if another lights a cell. The board
/// has so many rows.
fn lamps(size: u32) -> String {
    let mut text = String::from(
        "(role keeper) (legal keeper wait) (init (day 1)) (init (lamp red 1 1)) (init (lamp blue 2 2))
         (init (lamp green 3 2)) (colour red) (colour green) (colour blue) (after 3 4)
         (<= (next (day ?e)) (true (day ?d)) (after ?d ?e)) (<= terminal (true (day 4)))
         (<= (goal keeper 100) any_lamp) (<= (goal keeper 0) (not any_lamp))
         (<= any_lamp (true (lamp ?c ?x ?y)))
         (<= (in_line ?u ?v ?x ?v) (index ?u) (index ?v) (index ?x) (distinct ?u ?x))
         (<= (in_line ?u ?v ?u ?y) (index ?u) (index ?v) (index ?y) (distinct ?v ?y))
         (<= (red_light ?u ?v ?x ?y) (true (lamp red ?u ?v)) (in_line ?u ?v ?x ?y))
         (<= (green_light ?u ?v ?x ?y) (true (lamp green ?u ?v)) (in_line ?u ?v ?x ?y))
         (<= (blue_light ?u ?v ?x ?y) (true (lamp blue ?u ?v)) (in_line ?u ?v ?x ?y))
         (<= (differ ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?a ?c))
         (<= (differ ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?b ?d))
         (<= (lit_without ?cx ?cy ?x ?y) (differ ?cx ?cy ?u ?v)
             (or (red_light ?u ?v ?x ?y) (green_light ?u ?v ?x ?y) (blue_light ?u ?v ?x ?y)))
         (<= (legal keeper (smash ?cx ?cy ?x ?y)) (true (lamp ?c ?cx ?cy)) (lit_without ?cx ?cy ?x ?y))
         (<= (next (lamp ?c ?x ?y)) (true (lamp ?c ?x ?y)) (not (smashed ?x ?y)))
         (<= (smashed ?cx ?cy) (does keeper (smash ?cx ?cy ?x ?y)))
         (<= (next (lamp ?d ?x ?y)) (does keeper (smash ?cx ?cy ?x ?y)) (true (lamp ?c ?cx ?cy))
             (colour ?d) (distinct ?c ?d))",
    );
    for index in 1..=size {
        text += &format!("(index {index})");
        if index > 1 {
            text += &format!("(after {} {index})", index - 1);
        }
    }
    text
}

#[test]
fn rules_are_put_together_and_taken_apart_where_that_makes_them_fewer() {
    let text = lamps(8);
    assert!(means_the_same("lamps", &text) > 100);
    // Of the rules that decomposition saves here many are for views that are equal.
    let compact = Passes { equal_views: false, ..Passes::ALL };
    let whole = Passes { decomposition: false, ..compact };
    let [compact, whole] = [compact, whole]
        .map(|passes| grounded("lamps", &text, &options(passes, Engine::Datafrog)).rules().len());
    assert!(compact * 4 < whole, "{compact} of {whole} rules");
}

/// A guard sees a field in two ways, whatever lamp is looked away from, but for the one at the field itself.
fn guarded(size: u32) -> String {
    let fields: String = (1..=size).map(|it| format!("(field {it}) (init (free {it}))")).collect();
    format!(
        "(role r) {fields} (init (at 1)) (init (day 1)) (<= (next (day 2)) (true (day 1)))
         (<= (next (day 3)) (true (day 2))) (<= terminal (true (day 3))) (<= (goal r 100) (seen 1 2))
         (<= (seen ?x ?lamp) (field ?lamp) (field ?x) (true (at ?x)) (true (free ?x)))
         (<= (seen ?x ?lamp) (field ?lamp) (lit ?x ?lamp) (true (at ?x)))
         (<= (lit ?x ?lamp) (field ?x) (field ?lamp) (distinct ?x ?lamp) (true (day 2)) (not (true (free ?x))))
         (<= (lit ?x ?lamp) (field ?x) (field ?lamp) (distinct ?x ?lamp) (true (day 1)))
         (<= (legal r (go ?x ?lamp)) (field ?x) (field ?lamp) (not (seen ?x ?lamp)))
         (<= (legal r (go ?x ?lamp)) (seen ?x ?lamp) (true (day 2)))
         (<= (next (at ?x)) (does r (go ?x ?lamp)))
         (<= (next (free ?x)) (true (free ?x)) (not (true (at ?x))))"
    )
}

#[test]
fn views_with_the_same_rules_are_one() {
    let text = guarded(9);
    assert!(means_the_same("guarded", &text) > 100);
    let apart = Passes { equal_views: false, ..Passes::ALL };
    let [compact, apart] = [Passes::ALL, apart].map(|passes| {
        let game = grounded("guarded", &text, &options(passes, Engine::Datafrog));
        let is_view = |it: &String| it.starts_with("(<= (seen") || it.starts_with("(<= (lit");
        canonical::lines(&game).filter(is_view).count()
    });
    // Two rules for each field and lamp, or for each field, with one lamp more.
    assert!(compact * 3 < apart, "{compact} of {apart} rules");
}

/// A view of the state alone has the same rules as an instance of one that depends on moves, or on the first one's
/// negation: taking its place, that would make predicates depend on moves, or on themselves, that must not.
#[test]
fn what_takes_the_place_of_a_view_depends_on_no_more() {
    let common = "(role r) (init p) (legal r (go a)) (legal r (go b))
        (<= (v z) (true p) (true q)) (<= (v z) (true t)) (<= w (true p) (true q)) (<= w (true t))
        (<= (next p) (v a) (true q)) (<= (next t) (not (v a)) (not (v b))) (<= (next q) (v b))
        (<= (next t) (v z)) (<= terminal w (true u)) (<= (next u) (true q)) (<= (goal r 100) w)";
    let of_moves = "(<= (v ?x) (does r (go ?x)) (true q)) (<= (v ?x) (does r (hop ?x)) (true p))
        (<= (next p) (v z)) (<= (legal r (hop a)) w) (<= (legal r (hop b)) w)";
    let of_negation = "(<= (v ?x) (does r (go ?x)) (not k)) (<= (v ?x) (does r (go ?x)) (true p))
        (<= k w (true p)) (<= k w (true q)) (<= (next p) (v z) k) (<= (legal r (hop a)) w)";
    for rules in [of_moves, of_negation] {
        let text = format!("{common} {rules}");
        let game = grounded("", &text, &options(Passes::ALL, Engine::Datafrog));
        let lines: Vec<String> = canonical::lines(&game).collect();
        let written = format!("(role r) (init p) {}", lines.join(" "));
        let written =
            check_text(written.as_bytes(), &ParseOptions::default(), &CheckOptions::default());
        assert_ne!(written.fragment, Fragment::NotGdl, "{lines:#?}");
        assert!(
            !lines.iter().any(|it| it.starts_with("(<= (v z)")),
            "w takes its place: {lines:#?}"
        );
    }
    assert!(means_the_same("", &format!("{common} {of_moves}")) > 0);
}

/// A rule that is like a second one but for one literal, and like a third one but for another.
fn alike_in_two_ways(size: u32) -> String {
    let indices: String = (1..=size).map(|it| format!("(index {it})")).collect();
    format!(
        "(role r) (init (on 1)) (init (day 1)) (legal r wait) (<= (next (day 2)) (true (day 1)))
         (<= terminal (true (day 2))) (goal r 100) (<= (next (on ?w)) (does r (go ?x ?y ?z ?w)))
         (<= (up ?x ?y ?u) (index ?x) (index ?y) (index ?u) (true (on ?x)))
         (<= (down ?x ?y ?u) (index ?x) (index ?y) (index ?u) (true (on ?y)) (distinct ?x ?u))
         (<= (left ?z ?w ?u) (index ?z) (index ?w) (index ?u) (true (on ?z)) (distinct ?w ?u))
         (<= (right ?z ?w ?u) (index ?z) (index ?w) (index ?u) (true (on ?w)) (distinct ?z ?u))
         (<= (way ?x ?y ?z ?w) (up ?x ?y ?u) (left ?z ?w ?u))
         (<= (way ?x ?y ?z ?w) (down ?x ?y ?u) (left ?z ?w ?u))
         (<= (way ?x ?y ?z ?w) (up ?x ?y ?u) (right ?z ?w ?u))
         (<= (legal r (go ?x ?y ?z ?w)) (way ?x ?y ?z ?w)) {indices}"
    )
}

#[test]
fn rules_that_are_alike_in_two_ways_are_put_together_in_one() {
    let text = alike_in_two_ways(6);
    assert!(means_the_same("ways", &text) > 50);
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let options = options(Passes::ALL, Engine::Datafrog);
    let passes = explain(&description.expect("the game is well formed"), Step::Passes, &options);
    assert_eq!(passes.expect("the game is small").matches("put together").count(), 1);
}
