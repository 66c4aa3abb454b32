//! Rules that authors write once for each role are one rule for any.

use groundfrog::compact::{PassId, Passes};
use groundfrog::explain::{Step, explain};
use groundfrog::options::GroundOptions;

use super::beside::{Draw, plays_the_same};
use super::text::{description, grounded, options};

const COMPLEMENTS: Passes = Passes::of(&[PassId::Complements, PassId::EachRole]);
const DECOMPOSITION: Passes = Passes::of(&[PassId::Decomposition, PassId::EachRole]);

fn means_the_same(text: &str, options: &GroundOptions) -> u64 {
    let (game, as_it_was) = (grounded(text, options), grounded(text, &self::options(Passes::NONE)));
    plays_the_same(&description(text), &game, &as_it_was, 3)
}

/// Two or three players who move pieces on a board of four by four cells, with rules for what comes of it.
fn board(roles: &[&str], rules: &str) -> String {
    let roles: String = roles.iter().map(|it| format!("(role {it}) ")).collect();
    format!(
        "{roles} (index 1) (index 2) (index 3) (index 4)
        (after t0 t1) (after t1 t2) (after t2 t3) (after t3 t4)
        (init (turn t0)) (<= (next (turn ?t)) (true (turn ?s)) (after ?s ?t))
        (<= terminal (true (turn t4))) (<= (goal ?r 50) (role ?r))
        (init (at 1 1 white)) (init (at 2 2 white)) (init (at 3 4 black)) (init (at 4 4 a))
        (<= (same ?x ?y ?x ?y) (index ?x) (index ?y)) (friend white a) (friend black a)
        (<= (legal ?r (move ?x ?y ?u ?v)) (role ?r) (true (at ?x ?y ?p)) (index ?u) (index ?v))
        (<= (legal ?r stay) (role ?r))
        {rules}"
    )
}

/// A rule as it is, and once for each of these roles.
fn spelt(rule: &str, roles: &[&str]) -> [String; 2] {
    [rule.to_string(), roles.iter().map(|it| rule.replace("?r", it)).collect()]
}

const FRAME: &str = "(<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (does ?r (move ?a ?b ?c ?d))
    (not (same ?x ?y ?a ?b)) (not (same ?x ?y ?c ?d)))";
const RULES: [&str; 5] = [
    FRAME,
    "(<= (next (at ?c ?d ?p)) (does ?r (move ?a ?b ?c ?d)) (true (at ?a ?b ?p)) (distinct ?p ?r))",
    "(<= (next (at ?c ?d ?r)) (true (at ?a ?b ?r)) (does ?r (move ?a ?b ?c ?d)))",
    "(<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (does ?r stay) (not (friend ?r ?p)))",
    "(<= (next (at ?x ?x ?p)) (true (at ?a ?d ?p)) (friend ?r ?p) (does ?r (move ?a ?b ?x ?d)))",
];

#[test]
fn a_rule_for_each_role_takes_no_more_rules_than_one_for_any() {
    let both = ["white", "black"];
    for passes in [COMPLEMENTS, DECOMPOSITION, Passes::ALL] {
        let rules = |text: &str| grounded(text, &options(passes)).rules().len();
        let [any, each] =
            [0, 1].map(|it| RULES.map(|rule| spelt(rule, &both)[it].clone()).concat());
        let [any, each] = [any, each].map(|it| board(&both, &it));
        assert_eq!(rules(&any), rules(&each));
        assert!(means_the_same(&each, &options(passes)) > 10);
    }
    // However the literals are ordered.
    let [_, each] = spelt(FRAME, &["white"]);
    let black = "(<= (next (at ?k ?y ?p)) (not (same ?k ?y ?c ?d)) (does black (move ?a ?b ?c ?d))
        (not (same ?k ?y ?a ?b)) (true (at ?k ?y ?p)))";
    let rules = |text: &str| grounded(&board(&both, text), &options(COMPLEMENTS)).rules().len();
    assert_eq!(rules(&(each + black)), rules(FRAME));
}

#[test]
fn rules_for_some_roles_stay_as_they_are() {
    let most = ["white", "black"];
    for other in ["(role red)", "(legal nobody (move 1 1 2 2))"] {
        for rule in RULES {
            let [any, each] = spelt(rule, &most).map(|it| board(&most, &format!("{it} {other}")));
            for text in [&any, &each] {
                assert!(means_the_same(text, &options(COMPLEMENTS)) > 10, "{text}");
                assert!(means_the_same(text, &options(Passes::ALL)) > 10, "{text}");
            }
        }
    }
    // Nor do roles that other constants go with.
    let pieces = "(<= (next (at ?c ?d a)) (does white (move ?a ?b ?c ?d)))
        (<= (next (at ?c ?d b)) (does black (move ?a ?b ?c ?d)))";
    assert!(means_the_same(&board(&most, pieces), &options(Passes::ALL)) > 10);
}

#[test]
fn random_rules_for_each_role_mean_the_same() {
    let mut states = 0;
    for seed in 0..60_u64 {
        let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let roles = [&["white", "black"][..], &["white", "black", "red"]][draw.below(2)];
        let mut rules = String::new();
        for _ in 0..2 + draw.below(3) {
            let some = &roles[..roles.len() - usize::from(draw.below(4) == 0)];
            let rule = RULES[draw.below(RULES.len())];
            let other = draw.of(&["", "", "(does ?s stay)", "(does white stay)", "(role a)"]);
            let rule = rule.replacen("(does", &format!("{other} (does"), 1);
            rules.push_str(&spelt(&rule, some)[usize::from(draw.below(4) > 0)]);
        }
        let text = board(roles, &format!("{rules} {}", draw.of(&["", "(role a)"])));
        states += means_the_same(&text, &options(COMPLEMENTS));
        states += means_the_same(&text, &options(Passes::ALL));
    }
    assert!(states > 1000, "only {states} states were compared");
}

#[test]
fn what_was_united_is_told() {
    let both = ["white", "black"];
    let [any, each] = spelt(FRAME, &both).map(|it| board(&both, &it));
    let told = |text: &str| explain(&description(text), Step::Passes, &options(Passes::ALL));
    let united = "for any role that moves, in the place of rules for each";
    assert!(told(&each).expect("explained").contains(united));
    assert!(!told(&any).expect("explained").contains(united));
}
