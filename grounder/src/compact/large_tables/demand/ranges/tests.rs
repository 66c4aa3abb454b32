use std::collections::BTreeSet;

use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, Constants};

use super::*;
use crate::description::{Description, ParseOptions};
use crate::evaluator::Evaluator;
use crate::flat::form_name;
use crate::flat::lowering::predicate;
use crate::ground::{Flattened, Report, flatten_rules};
use crate::options::{Domains, GroundOptions};
use crate::symbols::Symbol;

/// What every game here has: marks on a board of three ranks, and a succession of nine numbers, which counts steps.
const FRAME: &str = "(role r) (init (mark 1)) (init (step 1)) (rank 1) (rank 2) (rank 3)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
    (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
    (<= (legal r (put ?x)) (rank ?x)) (<= (next (mark ?x)) (does r (put ?x)))";

fn flattened(rules: &str) -> Flattened {
    let text = format!("{FRAME} {rules}");
    let description = Description::parse(text.as_bytes(), &ParseOptions::default());
    let description = description.unwrap_or_else(|error| panic!("{error}"));
    let flattened = flatten_rules(&description, &GroundOptions::flat());
    flattened.unwrap_or_else(|error| panic!("{error}")).0
}

/// What every game needs.
const ROOTS: [&str; 9] =
    ["role", "init", "base", "input", "legal", "next", "goal", "terminal", "sees"];

/// Restricts the rules. Returns what has been found out about arguments.
fn narrow(flattened: &mut Flattened) -> Vec<Narrowed> {
    let Flattened { prepared, forms, flat, .. } = flattened;
    let symbols = &mut prepared.rules.symbols;
    let is_root: Vec<bool> =
        forms.iter().map(|it| ROOTS.contains(&symbols.name(it.1.predicate.name))).collect();
    let budget = Budget::unlimited();
    let mut ticker = Ticker::new(&budget, 0);
    let (rules, facts) = (flat.rules.clone(), flat.facts(forms));
    let is_fixed = |it: FormId| is_root[it.index()];
    let ranges = Ranges::new(&rules, facts, forms, symbols.len(), is_fixed, &mut ticker);
    let ranges = ranges.expect("nothing is limited").expect("few constants");
    let (narrowed, narrowing) = ranges.narrow(forms, symbols);
    flat.rules = narrowed;
    for (form, constant) in narrowing.facts {
        flat.add_fact(form, &[constant]);
    }
    narrowing.arguments
}

/// The rows of all predicates with these names.
fn rows(flattened: &Flattened, names: &[&str]) -> BTreeSet<String> {
    let Flattened { prepared, forms, .. } = flattened;
    let symbols = &prepared.rules.symbols;
    let (budget, report) = (Budget::unlimited(), &mut Report::default());
    let complete =
        flattened.complete(Domains::OneStep, Evaluator::Datafrog, &budget, &mut Silent, report);
    let (_, tables) = complete.expect("nothing is limited");
    let own = forms.iter().map(|it| it.0);
    let own = own.filter(|&it| names.contains(&symbols.name(forms.form(it).predicate.name)));
    let row = |form, row: Constants<'_>| {
        let constants = row.to_vec().into_iter().map(|it| symbols.name(Symbol(it)).to_owned());
        format!("{}: {}", form_name(form, forms, symbols), constants.collect::<Vec<_>>().join(" "))
    };
    own.flat_map(|form| tables[predicate(form)].rows().map(move |it| row(form, it))).collect()
}

/// For each argument of a predicate that is used with a part of its range: which, how many constants, of how many.
fn parts(rules: &str, name: &str) -> Vec<(usize, usize, usize)> {
    let mut flattened = flattened(rules);
    let narrowed = narrow(&mut flattened);
    let symbols = &flattened.prepared.rules.symbols;
    let is_own =
        |it: &&Narrowed| symbols.name(flattened.forms.form(it.form).predicate.name) == name;
    narrowed.iter().filter(is_own).map(|it| (it.column, it.constants, it.range)).collect()
}

const NEAR: &str = "(<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))";

#[test]
fn what_is_on_the_board_is_needed() {
    let terminal = "(<= terminal (true (mark ?x)) (true (mark ?y)) (near ?x ?y))";
    assert_eq!(parts(&format!("{NEAR} {terminal}"), "near"), [(0, 3, 9), (1, 3, 9)]);
    // Whatever one rule uses has to be there.
    let goal = "(<= (goal r 100) (true (step ?x)) (near ?x 2))";
    assert_eq!(parts(&format!("{NEAR} {terminal} {goal}"), "near"), [(1, 3, 9)]);
    let negated = "(<= (goal r 100) (rank ?x) (true (step ?y)) (not (near ?x ?y)))";
    assert_eq!(parts(&format!("{NEAR} {terminal} {negated}"), "near"), [(0, 3, 9)]);
}

#[test]
fn heads_pass_on_what_they_are_asked_for() {
    let views = "(<= (pair ?x ?y) (near ?x ?y) (true (mark 1)))
        (<= terminal (rank ?x) (pair ?x 2)) (<= terminal (true (mark ?x)) (pair 3 ?x))";
    assert_eq!(parts(&format!("{NEAR} {views}"), "pair"), [(0, 3, 9), (1, 3, 9)]);
    assert_eq!(parts(&format!("{NEAR} {views}"), "near"), [(0, 3, 9), (1, 3, 9)]);
}

#[test]
fn a_recursion_needs_more() {
    let less = "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))
        (<= terminal (rank ?x) (rank ?y) (less ?x ?y))";
    // From 1 it is looked up what is less than 3 by way of 2; only 1 is never between.
    assert_eq!(parts(less, "less"), [(1, 2, 8)]);
    let (before, mut after) = (flattened(less), flattened(less));
    narrow(&mut after);
    assert_eq!(rows(&before, &ROOTS), rows(&after, &ROOTS));
    let less = |of: &Flattened| rows(of, &["less"]).len();
    assert_eq!((less(&before), less(&after)), (36, 3));
}

#[test]
fn rules_for_constants_that_nothing_needs_are_dropped() {
    let views = "(<= (kind ?x 1) (true (mark ?x))) (<= (kind ?x 2) (true (step ?x))) (<= (kind ?x 7) (rank ?x))
        (<= terminal (rank ?k) (rank ?x) (kind ?x ?k))";
    let mut flattened = flattened(views);
    narrow(&mut flattened);
    let own = flattened.flat.rules.iter();
    let symbols = &flattened.prepared.rules.symbols;
    let own = own.filter(|rule| symbols.name(rule.head.name) == "kind");
    assert_eq!(own.map(|rule| rule.body.len()).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn the_game_has_the_same_tables() {
    let mut narrower = 0;
    for seed in 0..200 {
        let text = random_rules(seed);
        let (before, mut after) = (flattened(&text), flattened(&text));
        narrower += usize::from(!narrow(&mut after).is_empty());
        assert_eq!(rows(&before, &ROOTS), rows(&after, &ROOTS), "{text}");
    }
    assert!(narrower > 150, "{narrower}");
}

/// Predicates with one to three arguments, each defined by those before, negated ones among them, and by itself.
fn random_rules(seed: u64) -> String {
    let mut state = seed;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % end
    };
    let arities: Vec<usize> = (0..6).map(|_| 1 + below(3)).collect();
    let mut text = String::new();
    let atom = |predicate: usize, below: &mut dyn FnMut(usize) -> usize| {
        let arguments = (0..arities[predicate]).map(|_| match below(6) {
            0 => (1 + below(9)).to_string(),
            _ => format!("?v{}", below(4)),
        });
        format!("(p{predicate} {})", arguments.collect::<Vec<_>>().join(" "))
    };
    let given = ["(succ ?v0 ?v1)", "(rank ?v2)", "(true (step ?v3))", "(true (mark ?v1))"];
    for predicate in 0..arities.len() {
        for _ in 0..1 + below(2) {
            let head = atom(predicate, &mut below);
            // Everything is bound: what is not by this is by a number.
            let mut body = String::new();
            for (variable, bound) in ["?v0", "?v1", "?v2", "?v3"].into_iter().zip(0..) {
                body += &match below(4) {
                    0 => format!("(rank {variable})"),
                    1 => format!("(succ {variable} ?w{bound})"),
                    2 => format!("(succ ?w{bound} {variable})"),
                    _ => format!("(true (step {variable}))"),
                };
            }
            for _ in 0..below(3) {
                if predicate > 0 {
                    let used = below(predicate);
                    let used = atom(used, &mut below);
                    body += &if below(3) == 0 { format!("(not {used})") } else { used };
                }
            }
            if below(4) == 0 {
                body += &atom(predicate, &mut below);
            }
            text += &format!("(<= {head} {} {body})\n", given[below(4)]);
        }
    }
    for predicate in 0..arities.len() {
        let used = atom(predicate, &mut below);
        let bound = "(rank ?v0) (rank ?v1) (true (step ?v2)) (rank ?v3)";
        let (head, sign) =
            [("terminal", ""), ("(goal r ?v0)", ""), ("(goal r ?v3)", "not")][below(3)];
        let used = if sign.is_empty() { used } else { format!("(not {used})") };
        text += &format!("(<= {head} {bound} {used})\n");
    }
    text
}
