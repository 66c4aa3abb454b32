//! Small random games in GDL-II: chance and another role move unseen, and percepts tell a part of it.

use std::fmt::Write;

use super::pieces::SplitMix64;

/// Conditions on the state, for a value `?x`.
const CONDITIONS: [&str; 5] = [
    "(true (lamp ?x))",
    "(not (true (lamp ?x)))",
    "(true (mark ?x))",
    "(not (true (mark ?x)))",
    "(special ?x)",
];

/// What somebody does to a value `?x`.
const DEEDS: [&str; 4] =
    ["(does random (put ?x))", "(does bob (take ?x))", "(does ann (take ?x))", "(does bob wait)"];

/// What ann or bob may see: a term, and when.
const PERCEPTS: [(&str, &str); 9] = [
    ("(lit ?x)", "(true (lamp ?x))"),
    ("(dark ?x)", "(value ?x) (not (true (lamp ?x)))"),
    ("(put ?x)", "(does random (put ?x))"),
    ("put", "(does random (put ?x))"),
    ("(taken ?x)", "(does bob (take ?x)) (true (mark ?x))"),
    ("(does ?o ?m)", "(does ?o ?m) (true (mark ?x)) (special ?x)"),
    ("?f", "(true ?f) (does ann (take ?x)) (special ?x)"),
    ("(always ?x)", "(special ?x)"),
    ("quiet", "(not (does bob wait)) (does ann ?m)"),
];

/// Writes the game of a seed: roles `ann`, `bob` and `random`, at most five steps. The same seed always gives the same game.
pub fn random_hidden_game(seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let values = &["a", "b", "c"][..rng.between(2, 3)];
    let steps = rng.between(2, 5);
    let mut text = format!(
        "; random_hidden_game {seed}\n; A small game of GDL-II drawn from a seed.\n; Part of Groundfrog, MIT OR Apache-2.0.\n\n\
         (role ann)\n(role bob)\n(role random)\n(init (step 0))\n"
    );
    for step in 0..steps {
        let _ = writeln!(text, "(then {step} {})", step + 1);
    }
    for value in values {
        let _ = writeln!(text, "(value {value})");
        if rng.chance(40) {
            let _ = writeln!(text, "(init (lamp {value}))");
        }
    }
    let _ = writeln!(text, "(special {})", rng.pick(values));
    for (role, action) in [("random", "put"), ("bob", "take"), ("ann", "take")] {
        let condition = rng.pick(&CONDITIONS);
        let _ = writeln!(text, "(legal {role} wait)");
        let _ = writeln!(text, "(<= (legal {role} ({action} ?x)) (value ?x) {condition})");
    }
    for fluent in ["lamp", "mark"] {
        for _ in 0..rng.between(1, 2) {
            let (deed, condition) = (rng.pick(&DEEDS), rng.pick(&CONDITIONS));
            let _ = writeln!(text, "(<= (next ({fluent} ?x)) (value ?x) {deed} {condition})");
        }
        let kept = rng.pick(&DEEDS);
        let _ = writeln!(text, "(<= (next ({fluent} ?x)) (true ({fluent} ?x)) (not {kept}))");
    }
    text.push_str("(<= (next (step ?t)) (true (step ?s)) (then ?s ?t))\n");
    for role in ["ann", "bob"] {
        for _ in 0..rng.between(1, 3) {
            let (percept, when) = rng.pick(&PERCEPTS);
            let _ = writeln!(text, "(<= (sees {role} {percept}) {when})");
        }
    }
    if rng.chance(50) {
        let (percept, when) = rng.pick(&PERCEPTS);
        let _ = writeln!(text, "(<= (sees ?r {percept}) (role ?r) {when})");
    }
    let _ = writeln!(text, "(<= terminal (true (step {steps})))");
    if rng.chance(30) {
        text.push_str("(<= terminal (true (lamp a)) (true (mark a)))\n");
    }
    text.push_str(
        "(<= (goal ann 100) (true (lamp a)))\n(<= (goal ann 0) (not (true (lamp a))))\n\
         (<= (goal bob 0) (true (lamp a)))\n(<= (goal bob 100) (not (true (lamp a))))\n(goal random 0)\n",
    );
    text
}
