use groundfrog_engine::observe::Silent;

use crate::description::{Description, ParseOptions};
use crate::emit::canonical;
use crate::ground::{Report, flatten_rules, ground};
use crate::options::{Domains, Engine, GroundOptions};
use crate::options::{PassId, Passes};

fn description(text: &str) -> Description {
    let parsed = Description::parse(text.as_bytes(), &ParseOptions::default());
    parsed.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// How many rules a game has that are compiled, however few rows a static predicate has.
fn compiled(text: &str) -> usize {
    let passes = Passes::of(&[PassId::Diagrams]);
    let options = GroundOptions { passes, large_static: 0, ..GroundOptions::flat() };
    let (mut flattened, ..) = flatten_rules(&description(text), &options).expect("it is bounded");
    let (budget, report) = (options.limits.budget(), &mut Report::default());
    let completed = flattened.complete_with_remedies(&options, &budget, &mut Silent, report);
    completed.expect("there are no limits");
    flattened.compiled.len()
}

/// All flat rules, with static predicates above so many rows compiled.
fn flat(text: &str, large: Option<u64>, domains: Domains, engine: Engine) -> Vec<String> {
    let passes = match large {
        Some(_) => Passes::of(&[PassId::Diagrams]),
        None => Passes::NONE,
    };
    let options = GroundOptions {
        passes,
        domains,
        engine,
        simplify: false,
        large_static: large.unwrap_or(u64::MAX),
        ..GroundOptions::flat()
    };
    let grounding = ground(&description(text), &options, &mut Silent);
    canonical::lines(&grounding.unwrap_or_else(|error| panic!("{error}\n{text}")).game).collect()
}

/// A game that asks whether the values of n cells are a permutation of 1 to n, in two ways.
fn permutations(n: usize) -> String {
    let variables = |skipped: usize| -> String {
        (1..=n).filter(|&it| it != skipped).map(|it| format!(" ?x{it}")).collect()
    };
    let mut text = String::from(
        "(role r) (<= (legal r (put ?i ?v)) (value ?i) (value ?v))
        (<= (next (cell ?i ?v)) (does r (put ?i ?v))) (<= (next (cell ?i ?v)) (true (cell ?i ?v)))
        (<= terminal one_each) (<= (goal r 100) all_differ) (<= (goal r 0) (not all_differ))",
    );
    for value in 1..=n {
        text += &format!("(value {value}) (same {value} {value})");
        text += &format!("(<= (once ?v{}) (first ?v ?x{value}{}))", variables(0), variables(value));
    }
    let others = (2..=n).map(|it| format!("(value ?x{it}) (not (same ?v ?x{it}))"));
    text +=
        &format!("(<= (first ?v{}) (same ?v ?x1) {})", variables(0), others.collect::<String>());
    let cells = (1..=n).map(|it| format!("(true (cell {it} ?x{it}))")).collect::<String>();
    let once = (1..=n).map(|it| format!("(once {it}{})", variables(0))).collect::<String>();
    text += &format!("(<= one_each {cells} {once})");
    let pairs = (1..=n).flat_map(|i| (1..i).map(move |j| format!("(distinct ?x{i} ?x{j})")));
    let values = (1..=n).map(|it| format!("(value ?x{it})")).collect::<String>();
    text += &format!("(<= all_differ {cells} (different{}))", variables(0));
    text += &format!("(<= (different{}) {values} {})", variables(0), pairs.collect::<String>());
    text
}

#[test]
fn permutations_have_the_same_rules() {
    for n in 2..=4 {
        let text = permutations(n);
        let expected = flat(&text, None, Domains::OneStep, Engine::Naive);
        for domains in [Domains::OneStep, Domains::Iterative] {
            for engine in [Engine::Datafrog, Engine::Naive] {
                assert_eq!(flat(&text, Some(0), domains, engine), expected);
            }
        }
    }
}

#[test]
fn what_never_holds_leaves_no_rule() {
    let text =
        format!("{} (<= (goal r 7) (true (cell 1 ?x)) (different ?x ?x ?y ?z))", permutations(4));
    assert_eq!(compiled(&text), 2);
    let rules = flat(&text, Some(0), Domains::OneStep, Engine::Datafrog);
    assert_eq!(rules, flat(&text, None, Domains::OneStep, Engine::Datafrog));
}

/// A source of small numbers.
struct SmallNumbers(u64);

impl SmallNumbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end as u64) as usize
    }

    fn argument(&mut self, variables: usize) -> String {
        if self.below(8) == 0 {
            format!("c{}", self.below(3))
        } else {
            format!("?v{}", self.below(variables))
        }
    }
}

/// A literal about one of some predicates, and its variables.
fn literal(
    draw: &mut SmallNumbers,
    predicates: &[(String, usize)],
    variables: usize,
) -> (String, Vec<String>) {
    let (name, arity) = &predicates[draw.below(predicates.len())];
    let arguments: Vec<String> = (0..*arity).map(|_| draw.argument(variables)).collect();
    let text = format!("({name} {})", arguments.join(" "));
    (text, arguments.into_iter().filter(|it| it.starts_with('?')).collect())
}

/// A game with static predicates defined at random, over each other, and rules that use them.
fn random_definitions(seed: u64) -> String {
    let mut draw = SmallNumbers(seed);
    let mut predicates: Vec<(String, usize)> = (1..=3).map(|it| (format!("f{it}"), it)).collect();
    let mut text = String::from("(role r) (init (cell c0)) (init (cell c1)) (legal r wait)
        (<= (next (cell ?v)) (does r (put ?v))) (<= (next (cell ?v)) (true (cell ?v)) (does r wait))");
    for (name, arity) in &predicates {
        for _ in 0..2 + draw.below(3 * arity) {
            let constants: String = (0..*arity).map(|_| format!(" c{}", draw.below(4))).collect();
            text += &format!("({name}{constants})");
        }
    }
    let rule = |draw: &mut SmallNumbers,
                head: &str,
                arity: usize,
                first: &str,
                predicates: &[(String, usize)]| {
        let variables = 2 + draw.below(4);
        let (mut body, mut bound) = (String::from(first), Vec::new());
        for _ in 0..1 + draw.below(3) {
            let (literal, own) = literal(draw, predicates, variables);
            body += &literal;
            bound.extend(own);
        }
        let some = |draw: &mut SmallNumbers| match bound.len() {
            0 => "c1".to_owned(),
            count => bound[draw.below(count)].clone(),
        };
        if draw.below(2) == 0 {
            let (name, arity) = &predicates[draw.below(predicates.len())];
            let arguments: String = (0..*arity).map(|_| format!(" {}", some(draw))).collect();
            body += &format!("(not ({name}{arguments}))");
        }
        if draw.below(3) == 0 {
            body += &format!("(distinct {} {})", some(draw), some(draw));
        }
        let arguments: String = (0..arity).map(|_| format!(" {}", some(draw))).collect();
        (head.replace("ARGUMENTS", &arguments), body)
    };
    for number in 0..2 + draw.below(4) {
        let arity = 1 + draw.below(4);
        for _ in 0..1 + draw.below(3) {
            let head = format!("(d{number}ARGUMENTS)");
            let (head, body) = rule(&mut draw, &head, arity, "", &predicates);
            text += &format!("(<= {head} {body})");
        }
        predicates.push((format!("d{number}"), arity));
    }
    for (head, arity) in [
        ("(legal r (putARGUMENTS))", 1),
        ("terminal", 0),
        ("(goal rARGUMENTS)", 1),
        ("(viewARGUMENTS)", 2),
    ] {
        for _ in 0..1 + draw.below(3) {
            let cells =
                ["(true (cell ?v0))", "(true (cell ?v0)) (true (cell ?v1))", ""][draw.below(3)];
            let (head, body) = rule(&mut draw, head, arity, cells, &predicates);
            text += &format!("(<= {head} {body})");
        }
    }
    text
}

#[test]
fn random_definitions_have_the_same_rules() {
    let mut chains = 0;
    for seed in 0..300 {
        let text = random_definitions(seed);
        let expected = flat(&text, None, Domains::OneStep, Engine::Naive);
        chains += compiled(&text);
        let found = flat(&text, Some(0), Domains::OneStep, Engine::Datafrog);
        assert_eq!(found, expected, "seed {seed}\n{text}");
    }
    assert!(chains > 200, "only {chains} rules were compiled");
}
