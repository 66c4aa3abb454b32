//! Terms whose shapes could grow for ever, but whose values do not.

use std::sync::Arc;

use groundfrog::GroundError;
use groundfrog::compact::Passes;
use groundfrog::emit::canonical;
use groundfrog::explain::{Step, explain};
use groundfrog::game::GroundGame;
use groundfrog::ground::ground;
use groundfrog::options::{Domains, Engine, GroundOptions, Limits};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::simulate::play_any;
use groundfrog_reasoner::{InterpretedReasoner, PlayoutStatistics, Random};

use super::beside::plays_the_same;
use super::text::{description, options};

fn try_grounded(text: &str, options: &GroundOptions) -> Result<Arc<GroundGame>, GroundError> {
    ground(&description(text), options, &mut Silent).map(|it| Arc::new(it.game))
}

/// Stones are put on a tower, each smaller than the one below.
fn tower(smaller: &str) -> String {
    format!(
        "(role r) (init (tower (on 4 ground))) {smaller}
        (<= (legal r (put ?n)) (true (tower (on ?m ?rest))) (smaller ?n ?m)) (legal r wait)
        (<= (next (tower (on ?n (on ?m ?rest)))) (true (tower (on ?m ?rest))) (does r (put ?n)) (smaller ?n ?m))
        (<= (next (tower ?t)) (true (tower ?t)) (does r wait))
        (<= terminal (true (tower (on 1 ?rest))))
        (<= (goal r 100) (true (tower (on 1 (on 2 ?rest))))) (<= (goal r 0) (not (goal r 100)))"
    )
}

const SMALLER: &str = "(smaller 1 2) (smaller 2 3) (smaller 3 4) (smaller 1 3) (smaller 2 4)";

/// A stack of cards with how many there are, and what is below the top of it.
fn stack(step: &str) -> String {
    format!(
        "(role r) (card a) (card b) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (stack none 0))
        (<= (legal r (push ?c)) (card ?c)) (<= (legal r pop) (true (stack (cons ?c ?s) ?n)))
        {step}
        (<= (next (stack ?s ?m)) (true (stack (cons ?c ?s) ?n)) (succ ?m ?n) (does r pop))
        (<= (below ?s) (true (stack (cons ?c ?s) ?n)))
        (<= terminal (true (stack ?s 4))) (<= (goal r 0) (below none)) (<= (goal r 50) (not (below none)))"
    )
}

const STEP: &str =
    "(<= (next (stack (cons ?c ?s) ?m)) (true (stack ?s ?n)) (succ ?n ?m) (does r (push ?c)))";

/// Numbers of three bits, the first the least, and which are less.
const BITS: &str =
    "(role r) (init (x (d 0 (d 0 (d 0 e))))) (succ 0 1) (succ 1 2) (succ 2 3) (bit 0) (bit 1)
    (bits 0 e) (<= (bits ?n (d ?b ?r)) (succ ?m ?n) (bits ?m ?r) (bit ?b))
    (<= (less ?n (d ?x ?r) (d ?y ?s)) (succ ?m ?n) (less ?m ?r ?s) (bit ?x) (bit ?y))
    (<= (less ?n (d 0 ?r) (d 1 ?r)) (succ ?m ?n) (bits ?m ?r))
    (<= (legal r (set ?x)) (bits 3 ?x)) (<= (next (x ?y)) (does r (set ?y)))
    (<= terminal (true (x ?x)) (less 3 (d 0 (d 0 (d 1 e))) ?x))
    (<= (goal r 100) terminal) (<= (goal r 0) (not terminal))";

#[test]
fn shapes_that_no_value_has_take_nothing() {
    let told = explain(&description(BITS), Step::Forms, &options(Passes::ALL)).expect("explained");
    let rules = told.matches("(<=").count();
    assert!(rules < 60, "{rules} rules, some for pairs of numbers of thirty digits");
    for passes in [Passes::NONE, Passes::ALL] {
        let game = try_grounded(BITS, &options(passes)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((game.fluents().len(), game.moves().len()), (8, 8));
        // The rules with variables are evaluated for the shapes that states have had so far.
        let as_it_was = try_grounded(BITS, &options(Passes::NONE)).expect("the terms are bounded");
        assert!(plays_the_same(&description(BITS), &game, &as_it_was, 5) > 10);
    }
}

#[test]
fn what_is_bounded_by_values_is_ground() {
    for (text, fluents) in [(tower(SMALLER), 7), (stack(STEP), 1 + 2 + 4 + 8 + 16)] {
        let flat = GroundOptions { passes: Passes::NONE, ..GroundOptions::flat() };
        let as_it_was = try_grounded(&text, &flat).expect("the terms are bounded");
        assert_eq!(as_it_was.fluents().len(), fluents, "{text}");
        for passes in [Passes::NONE, Passes::ALL] {
            let options = GroundOptions { passes, ..GroundOptions::flat() };
            let game = try_grounded(&text, &options).expect("the terms are bounded");
            assert!(plays_the_same(&description(&text), &game, &as_it_was, 20) > 100);
            let naive = GroundOptions { engine: Engine::Naive, ..options.clone() };
            let iterative = GroundOptions { domains: Domains::Iterative, ..options };
            let [naive, iterative] = [naive, iterative]
                .map(|it| try_grounded(&text, &it).expect("the terms are bounded"));
            let lines = |game: &Arc<GroundGame>| canonical::lines(game).collect::<Vec<_>>();
            assert_eq!(lines(&naive), lines(&game));
            assert!(plays_the_same(&description(&text), &iterative, &game, 5) > 20);
        }
    }
}

/// Thirty-two functions would hold a constant four billion times.
#[test]
fn terms_that_hold_each_other_several_times_are_refused() {
    let grows = "(role r) (init (t a)) (legal r grow) (<= terminal (true (t (f a a)))) (goal r 100)
        (<= (next (t (f ?x ?x))) (true (t ?x)))";
    let mut high = String::from(
        "(role r) (legal r wait) (init (t a)) (goal r 1) (<= terminal (t30 ?x)) (t0 a)",
    );
    (0..30).for_each(|it| high += &format!("(<= (t{} (f ?x ?x)) (t{it} ?x))", it + 1));
    for text in [grows, &high] {
        let error = try_grounded(text, &GroundOptions::flat()).expect_err("it is too large");
        assert!(error.to_string().contains("more than 4096 constants"), "{error}");
    }
    let low = high.replace("(t30 ?x)", "(t9 ?x)").replace("(t12 ?x)", "(t0 ?x)");
    assert!(try_grounded(&low, &GroundOptions::flat()).is_ok());
}

#[test]
fn what_is_not_is_refused() {
    // A stone of its own size may be put on one; the counter stays; and there may be more than the limit allows.
    let same = tower(&(SMALLER.to_owned() + "(smaller 2 2)"));
    let still = stack(&STEP.replace("(cons ?c ?s) ?m", "(cons ?c ?s) ?n"));
    let is_refused = |text: &str, term_depth: usize| {
        let limits = Limits { term_depth, ..Limits::default() };
        let options = GroundOptions { limits, ..GroundOptions::flat() };
        let error = try_grounded(text, &options).err();
        error.is_some_and(|it| it.to_string().contains("grow deeper than"))
    };
    assert!(is_refused(&same, 32));
    assert!(is_refused(&still, 32));
    // Four stones on each other in a fluent.
    let high = tower(SMALLER);
    assert!(is_refused(&high, 4));
    assert!(!is_refused(&high, 5));
}

/// A tower with as many stones as there are numbers: a term of that depth, one state after the other.
fn tall(stones: usize) -> String {
    let numbers: String = (0..stones).map(|it| format!("(succ {it} {})", it + 1)).collect();
    format!(
        "(role r) {numbers} (init (high 0)) (tower 0 ground) (<= (legal r put) (true (high ?n)) (succ ?n ?m))
        (<= (tower ?n (on ?t)) (tower ?m ?t) (succ ?m ?n) (built ?n))
        (<= (built ?m) (true (high ?m))) (<= (built ?m) (built ?n) (succ ?m ?n))
        (<= (next (high ?m)) (true (high ?n)) (does r put) (succ ?n ?m))
        (<= (next (top ?t)) (true (high ?n)) (tower ?n ?t))
        (<= terminal (true (high {stones}))) (<= (goal r 100) (true (top (on ?t)))) (<= (goal r 0) (true (top ground)))"
    )
}

/// Plays by the rules with variables, to the end or to an error.
fn interpreted(text: &str) -> Result<u64, String> {
    let mut reasoner = InterpretedReasoner::new(&description(text), Limits::default())
        .map_err(|error| error.to_string())?;
    let (mut random, mut statistics) = (Random::new(1), PlayoutStatistics::new(1));
    play_any(&mut reasoner, &mut random, 100, &mut statistics)
        .map_err(|error| error.to_string())?;
    Ok(statistics.states)
}

#[test]
fn what_gets_too_deep_while_it_is_played_is_told() {
    assert_eq!(interpreted(&tall(20)), Ok(20));
    let game = try_grounded(&tall(20), &options(Passes::ALL)).expect("the terms are bounded");
    assert!(plays_the_same(&description(&tall(20)), &game, &game, 1) > 20);
    let error = interpreted(&tall(40)).expect_err("forty functions are too many");
    assert!(error.contains("deeper than 32"), "{error}");
}

/// Three stacks in one rule: for each combination of their shapes there is a rule, which a low depth makes few.
#[test]
fn several_terms_that_grow_in_one_rule() {
    let stacks: String = ["a", "b", "c"]
        .iter()
        .map(|stack| {
            format!(
                "(init (stack {stack} none)) (<= (legal r (push {stack})) (true (stack {stack} none)))
                (<= (next (stack {stack} (cons {stack} ?s))) (true (stack {stack} ?s)) (does r (push {stack})) (low {stack} ?s))
                (<= (low {stack} none) (true (stack {stack} none)))
                (<= (next (stack {stack} ?s)) (true (stack {stack} ?s)) (not (does r (push {stack}))))"
            )
        })
        .collect();
    let text = format!(
        "(role r) {stacks} (legal r wait)
        (<= terminal (true (stack a ?s)) (true (stack b ?s)) (distinct ?s none))
        (<= (goal r 100) (true (stack a ?k)) (true (stack b ?l)) (true (stack c ?m))
            (or (distinct ?k ?l) (distinct ?l ?m)))
        (<= (goal r 0) (not (goal r 100))) (init (turn 0)) (<= (next (turn 1)) (true (turn 0)))"
    );
    for passes in [Passes::NONE, Passes::ALL] {
        let game = try_grounded(&text, &options(passes)).unwrap_or_else(|error| panic!("{error}"));
        assert!(game.rules().len() < 200, "{} rules", game.rules().len());
    }
}

/// Three of the trees that there are become one, so that shapes are cubed with each level; how often is counted.
fn trees(step: &str) -> String {
    format!(
        "(role r) (succ 0 1) (succ 1 2) (init (t a 0)) (init (t b 0)) (legal r join) (legal r wait) (init (turn 0))
        (<= (next (t (f ?x ?y ?z) ?m)) (does r join) (true (t ?x ?n)) (true (t ?y ?n)) (true (t ?z ?n)) {step}
            (distinct ?x ?y))
        (<= (next (t ?x ?n)) (does r wait) (true (t ?x ?n))) (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
        (<= terminal (true (turn 2))) (<= (goal r 100) (true (t (f ?x ?y ?x) ?n))) (<= (goal r 0) (not (goal r 100)))"
    )
}

/// Piles that are put on others whole, with the order of what is in them: for each way in which two may be high, a shape.
const PILES: &str = "(role r) (cell 1) (cell 2) (piece x) (piece o) (succ 0 1) (succ 1 2) (succ 2 3)
    (init (at 1 (c x nil))) (init (at 2 (c o (c x nil)))) (init (turn 0)) (high nil 0)
    (<= (high (c ?p ?l) ?n) (high ?l ?m) (succ ?m ?n) (piece ?p))
    (<= (put nil ?l ?l) (high ?l ?n))
    (<= (put (c ?p ?l) ?m (c ?p ?k)) (put ?l ?m ?k) (high (c ?p ?k) ?n))
    (<= (legal r (move ?c ?d ?n)) (true (at ?c ?l)) (true (at ?d ?k)) (distinct ?c ?d) (put ?top ?rest ?l)
        (high ?top ?n) (put ?top ?k ?new))
    (<= (next (at ?c ?rest)) (does r (move ?c ?d ?n)) (true (at ?c ?l)) (put ?top ?rest ?l) (high ?top ?n))
    (<= (next (at ?d ?new)) (does r (move ?c ?d ?n)) (true (at ?c ?l)) (true (at ?d ?k)) (put ?top ?rest ?l)
        (high ?top ?n) (put ?top ?k ?new))
    (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m)) (<= terminal (true (turn 3)))
    (<= (goal r 100) (true (at 1 (c ?p (c ?p ?l))))) (<= (goal r 0) (not (goal r 100)))";

/// A term that holds others six times, three times over.
const REPEATED: &str = "(role r) (succ 0 1) (succ 1 2) (succ 2 3) (init (t a 0)) (init (t b 0)) (legal r grow)
    (<= (next (t (f ?x ?y ?x ?y ?x ?y) ?m)) (true (t ?x ?n)) (true (t ?y ?n)) (succ ?n ?m) (distinct ?x ?y))
    (<= terminal (true (t ?x 3))) (<= (goal r 100) (true (t (f ?x ?y ?x ?y ?x ?y) 3)))
    (<= (goal r 0) (not (goal r 100)))";

#[test]
fn shapes_that_become_too_many_before_they_are_too_deep() {
    // Of so many trees, the first of three is another one than the second.
    let joined = |count: usize| count * (count - 1) * count;
    let all_trees = 2 + joined(2) + joined(joined(2));
    let piles = 2 * (1 + 2 + 4 + 8);
    let texts = [
        (trees("(succ ?n ?m)"), all_trees + 3),
        (PILES.to_owned(), piles + 4),
        (REPEATED.to_owned(), 2 + 2 + 2 + 2),
    ];
    for (text, fluents) in texts {
        let as_it_was = try_grounded(&text, &options(Passes::NONE)).expect("the terms are bounded");
        assert_eq!(as_it_was.fluents().len(), fluents, "{text}");
        let game = try_grounded(&text, &options(Passes::ALL)).expect("the terms are bounded");
        assert!(plays_the_same(&description(&text), &game, &as_it_was, 10) > 20);
    }
    let grows = try_grounded(&trees("(succ ?n ?k) (succ ?l ?m)"), &options(Passes::ALL));
    let error = grows.expect_err("a tree may have the number of its parts").to_string();
    assert!(
        error.contains("rules for the shapes") || error.contains("kinds of sentences"),
        "{error}"
    );
}
