//! Ground rules that share an atom for what they have in common mean the same.

use groundfrog::compact::{PassId, Passes};
use groundfrog::emit::canonical;
use groundfrog::options::{Domains, Engine, GroundOptions};

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options, own_games};

const FACTORING: Passes = Passes::of(&[PassId::Factoring]);
const WITHOUT: Passes = Passes::ALL.without(PassId::Factoring);

/// A machine with five lamps that its buttons and its doors turn on and off; `rules` say when.
fn lamps(rules: &str) -> String {
    format!(
        "(role keeper) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5)
        (button a) (button b) (button c) (button d)
        (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
        (init (turn 0)) (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
        (<= terminal (true (turn 6)))
        (init (lit 2)) (init (open a))
        (<= (legal keeper (push ?b)) (button ?b))
        (<= (next (open ?b)) (does keeper (push ?b)) (not (true (open ?b))))
        (<= (next (open ?b)) (true (open ?b)) (not (does keeper (push ?b))))
        (<= (goal keeper 100) (true (lit 1)))
        (<= (goal keeper 0) (not (true (lit 1))))
        {rules}"
    )
}

/// Alternatives in the context of each lamp: three buttons.
const BUTTONS: &str = "(<= (next (lit ?x)) (true (lit ?x)) (true (open a)))
    (<= (next (lit ?x)) (true (lit ?x)) (true (open b)))
    (<= (next (lit ?x)) (true (lit ?x)) (not (true (open c))))
    (<= (next (lit ?x)) (after ?y ?x) (true (lit ?y)) (does keeper (push d)))";

/// Bodies that all lamps have in common.
const ALL: &str = "(<= (next (lit ?x)) (lamp ?x) (true (open a)) (does keeper (push a)))
    (<= (next (lit ?x)) (lamp ?x) (true (open b)) (does keeper (push b)))
    (<= (next (lit ?x)) (lamp ?x) (true (open c)) (does keeper (push d)))
    (<= (next (lit ?x)) (true (lit ?x)) (does keeper (push c)))";

fn rules(text: &str, passes: Passes) -> usize {
    grounded(text, &options(passes)).rules().len()
}

fn means_the_same(text: &str, passes: Passes) -> u64 {
    let [game, as_it_was] = [passes, Passes::NONE].map(|passes| grounded(text, &options(passes)));
    plays_the_same(&description(text), &game, &as_it_was, 8)
}

#[test]
fn alternatives_and_bodies_are_shared() {
    for (text, fewer) in [(lamps(BUTTONS), 5 * 3 - 5 - 3), (lamps(ALL), 5 * 3 - 5 - 3)] {
        assert_eq!(rules(&text, Passes::NONE) - rules(&text, FACTORING), fewer, "{text}");
        let game = grounded(&text, &options(FACTORING));
        let output = canonical::lines(&game).collect::<Vec<_>>().join("\n");
        assert!(output.contains("(some_next 1)"), "{output}");
        assert!(means_the_same(&text, FACTORING) > 50);
        assert!(means_the_same(&text, Passes::ALL) > 50);
    }
}

#[test]
fn names_of_the_game_are_left_to_it() {
    let rules = format!("{BUTTONS} (some_next 7) (<= (next (lit ?x)) (some_next ?x))");
    let game = grounded(&lamps(&rules), &options(Passes::ALL));
    let output = canonical::lines(&game).collect::<Vec<_>>().join("\n");
    assert!(output.contains("(some_next_ 1)"), "{output}");
    assert!(means_the_same(&lamps(&rules), Passes::ALL) > 50);
}

#[test]
fn it_does_not_matter_how_many_threads_there_are() {
    let [one, two] = [1, 2].map(|threads| {
        let options = GroundOptions { threads, ..options(Passes::ALL) };
        let game = grounded(&lamps(&[BUTTONS, ALL].concat()), &options);
        canonical::lines(&game).collect::<Vec<_>>()
    });
    assert_eq!(one, two);
}

#[test]
fn rules_drawn_at_random_mean_the_same() {
    let mut draw = Draw(7);
    let (mut states, mut factored) = (0, 0);
    for _ in 0..40 {
        let mut rules = String::new();
        for _ in 0..2 + draw.below(8) {
            let own = draw.of(&["(true (lit ?x))", "(after ?y ?x) (true (lit ?y))", "(lamp ?x)"]);
            let condition = |draw: &mut Draw| {
                let sign = draw.below(2);
                let literal = draw.of(&[
                    "(true (open a))",
                    "(true (open b))",
                    "(does keeper (push a))",
                    "(does keeper (push d))",
                    "(true (lit 3))",
                ]);
                if sign == 0 { literal.to_owned() } else { format!("(not {literal})") }
            };
            let [one, other] = [condition(&mut draw), condition(&mut draw)];
            let both = if draw.below(2) == 0 { other } else { String::new() };
            rules.push_str(&format!("(<= (next (lit ?x)) {own} {one} {both})"));
        }
        let text = lamps(&rules);
        factored += usize::from(rules_differ(&text));
        states += means_the_same(&text, Passes::ALL);
        states += means_the_same(&text, FACTORING);
    }
    assert!(states > 1000 && factored > 5, "{states} states, {factored} factored");
}

fn rules_differ(text: &str) -> bool {
    rules(text, Passes::ALL) < rules(text, WITHOUT)
}

/// Six pots of two kinds, in pairs; `rules` say what comes of them.
fn pots(rules: &str) -> String {
    format!(
        "(role sun) (role moon) (likes sun gold) (likes moon silver)
        (init (pot 1 gold)) (init (pot 2 silver)) (init (pot 3 silver))
        (init (pot 4 gold)) (init (pot 5 gold)) (init (pot 6 silver))
        (beside 1 2) (beside 2 1) (beside 3 4) (beside 4 3) (beside 5 6) (beside 6 5)
        {rules}"
    )
}

#[test]
fn evaluators_that_find_rows_in_another_order_lead_to_the_same_game() {
    let rules = [
        "(<= (goal ?r 60) (likes ?r ?k) (true (pot ?x ?k)) (beside ?x ?y) (true (pot ?y ?z)))",
        "(<= (shine ?r ?y) (likes ?r ?k) (true (pot ?x ?k)) (beside ?x ?y) (true (pot ?y ?z)))
         (<= (goal ?r 100) (shine ?r ?y) (true (pot 1 ?k)) (likes ?r ?k))
         (<= (goal ?r 40) (shine ?r ?y) (shine ?r ?z) (beside ?y ?z) (true (pot ?z gold)))",
    ];
    for rules in rules {
        let text = pots(rules);
        let of = |engine, domains| {
            let options = GroundOptions { engine, domains, ..options(Passes::ALL) };
            canonical::lines(&grounded(&text, &options)).collect::<Vec<String>>()
        };
        let expected = of(Engine::Datafrog, Domains::OneStep);
        assert_eq!(of(Engine::Naive, Domains::OneStep), expected, "{rules}");
        assert_eq!(of(Engine::Compare, Domains::OneStep), expected, "{rules}");
        assert_eq!(of(Engine::Datafrog, Domains::Iterative), expected, "{rules}");
    }
}

#[test]
fn base_and_input_by_either_method_lead_to_the_same_game() {
    let mut factored = 0;
    for game in own_games() {
        // What is computed on demand the iterative method does without.
        let passes = Passes::ALL.without(PassId::Demand);
        let of = |domains| {
            let options = GroundOptions { domains, ..options(passes) };
            let mut lines: Vec<String> = canonical::lines(&grounded(game.text, &options)).collect();
            lines.sort_unstable();
            lines
        };
        let (one_step, iterative) = (of(Domains::OneStep), of(Domains::Iterative));
        factored += usize::from(one_step.iter().any(|it| it.contains("aux_")));
        assert_eq!(one_step, iterative, "{}", game.name);
    }
    assert!(factored > 5, "{factored} games have auxiliary atoms");
}
