//! Views with arguments that matter or do not, and views that are equal to others.

use groundfrog::compact::{PassId, Passes};
use groundfrog::description::ParseOptions;
use groundfrog::emit::canonical;
use groundfrog::options::Engine;
use groundfrog_check::{CheckOptions, Fragment, check_text};

use super::text::grounded;
use super::{means_the_same, options};

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
fn views_of_any_arguments_mean_the_same() {
    // In the last one a static predicate has no argument and no condition left.
    let seeds = (0..60).chain([5299]);
    let states: u64 = seeds
        .map(|seed| means_the_same(&format!("views {seed}"), &views_of_random_arguments(seed)))
        .sum();
    assert!(states > 3000, "only {states} states were compared");
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
    let apart = Passes::ALL.without(PassId::EqualViews);
    let [compact, apart] = [Passes::ALL, apart].map(|passes| {
        let game = grounded(&text, &options(passes, Engine::Datafrog));
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
        let game = grounded(&text, &options(Passes::ALL, Engine::Datafrog));
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
