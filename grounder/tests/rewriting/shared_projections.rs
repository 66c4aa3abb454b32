//! Rules that share projections of a move, or of a fluent, mean the same.

use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::{Step, explain};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const DECOMPOSITION: Passes = Passes::of(&[PassId::Decomposition]);

/// Plays the game with decomposition, and with all passes, beside one with none; returns how many states were compared.
fn means_the_same(text: &str) -> u64 {
    let as_it_was = grounded(text, &options(Passes::NONE));
    let of = |passes| {
        let game = grounded(text, &options(passes));
        plays_the_same(&description(text), &game, &as_it_was, 3)
    };
    of(DECOMPOSITION).min(of(Passes::ALL))
}

/// How many ground rules there are with decomposition alone, and with none.
fn rules(text: &str) -> [usize; 2] {
    [DECOMPOSITION, Passes::NONE].map(|passes| grounded(text, &options(passes)).rules().len())
}

/// How many projections are shared, as `explain` tells.
fn shared(text: &str) -> usize {
    let told =
        explain(&description(text), Step::Passes, &options(DECOMPOSITION)).expect("explained");
    told.lines().filter(|it| it.ends_with("with a projection that they share")).count()
}

/// Pieces of three kinds go from any of six by six cells to any other; `rules` say what follows.
fn pieces(roles: &str, rules: &str) -> String {
    format!(
        "{roles} (x 1) (x 2) (x 3) (x 4) (x 5) (x 6) (kind a) (kind b) (kind c)
        (after t0 t1) (after t1 t2) (after t2 t3) (after t3 t4)
        (init (turn t0)) (<= (next (turn ?t)) (true (turn ?s)) (after ?s ?t))
        (<= terminal (true (turn t4))) (<= (goal ?r 50) (role ?r))
        (init (on 1 1 a)) (init (on 2 2 b)) (init (on 3 3 c))
        (<= (legal ?r (move ?k ?a ?b ?c ?d)) (role ?r) (true (on ?a ?b ?k)) (x ?c) (x ?d) (not (holds ?c ?d)))
        (<= (legal ?r stay) (role ?r))
        (<= (holds ?a ?b) (true (on ?a ?b ?k)))
        (<= (leaves ?a ?b) (does ?r (move ?k ?a ?b ?c ?d)))
        (<= (next (on ?a ?b ?k)) (true (on ?a ?b ?k)) (not (leaves ?a ?b)))
        {rules}"
    )
}

const ONE: &str = "(role white)";
const TWO: &str = "(role white) (role black)";
const ARRIVES: &str = "(<= (next (on ?c ?d ?k)) (does ?r (move ?k ?a ?b ?c ?d)))";
const LAST: &str = "(<= (next (last ?c ?d)) (does ?r (move ?k ?a ?b ?c ?d)))
    (<= (next (kind_of_last ?k)) (does ?r (move ?k ?a ?b ?c ?d)))";

#[test]
fn where_which_piece_goes_tells_where_one_goes_and_which() {
    for roles in [ONE, TWO] {
        let text = pieces(roles, &[ARRIVES, LAST].concat());
        assert!(shared(&text) > 0);
        let [with, without] = rules(&text);
        assert!(10 * with < 7 * without, "{with} of {without} rules");
        assert!(means_the_same(&text) > 10);
    }
}

#[test]
fn a_coarser_projection_is_made_from_a_finer_one() {
    let text = pieces(
        ONE,
        "(<= (next (on ?c ?d ?k)) (does ?r (move ?k ?a ?b ?c ?d)))
        (<= (next (to ?c ?d ?k)) (does ?r (move ?k ?a ?b ?c ?d)))
        (<= (next (to_cell ?c ?d)) (does ?r (move ?k ?a ?b ?c ?d)))
        (<= (next (cell_again ?d ?c)) (does ?r (move ?k ?a ?b ?c ?d)) (distinct ?c ?d))
        (<= (next (to_row ?d)) (does ?r (move ?k ?a ?b ?c ?d)))
        (<= (next (row_again ?d)) (does ?r (move ?k ?a ?b ?c ?d)) (after t0 ?t))",
    );
    let told =
        explain(&description(&text), Step::Passes, &options(DECOMPOSITION)).expect("explained");
    assert!(shared(&text) > 1, "{told}");
    let [with, without] = rules(&text);
    assert!(3 * with < 2 * without, "{with} of {without} rules");
    assert!(means_the_same(&text) > 10);
}

#[test]
fn no_rule_alone_is_changed() {
    assert_eq!(shared(&pieces(ONE, ARRIVES)), 0);
}

/// Rules that need different arguments of moves and of fluents, some of them with conditions, or the same one twice.
#[test]
fn random_projections_mean_the_same() {
    let heads =
        ["?c ?d ?k", "?c ?d", "?k ?k", "?d ?a", "?a ?b ?k", "?c", "?k", "?r ?k", "?r", "b ?d"];
    // With what says what the variables are that these do not have.
    let asked = [
        "(does ?r (move ?k ?a ?b ?c ?d))",
        "(does ?r (move ?k ?a ?b ?c ?d))",
        "(does ?r (move ?k ?a ?b ?c ?d)) (kind ?k)",
        "(does white (move ?k ?a ?b ?c ?d)) (role ?r)",
        "(does ?r (move ?k ?a ?a ?c ?d)) (x ?b)",
        "(does ?r (move a ?a ?b ?c ?d)) (kind ?k)",
        "(true (on ?c ?d ?k)) (x ?a) (x ?b) (role ?r)",
    ];
    let others = ["", "", "(distinct ?c ?d)", "(not (holds ?c ?d))", "(distinct ?k b)"];
    let mut games = 0;
    for seed in 0..40 {
        let mut draw = Draw(seed);
        let rule = |number| {
            let [head, asked, others] =
                [&heads[..], &asked, &others].map(|choices| draw.of(choices));
            format!("(<= (next (seen{number} {head})) {asked} {others})")
        };
        let text = pieces(TWO, &(0..10).map(rule).collect::<String>());
        games += usize::from(shared(&text) > 0);
        assert!(means_the_same(&text) > 0, "{text}");
    }
    assert!(games > 10, "{games} games share projections");
}
