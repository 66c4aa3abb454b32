//! `or`s that would multiply to too many rules get names, and the rules mean the same.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groundfrog::GroundError;
use groundfrog::compact::Passes;
use groundfrog::description::Description;
use groundfrog::explain::{Step, explain};
use groundfrog::options::{GroundOptions, Limits};
use groundfrog::prepare::prepare;
use groundfrog_reasoner::InterpretedReasoner;

use super::beside::plays_the_same;
use super::text::{description, grounded, options};

/// Lamps that are switched one at a time, with these rules.
fn lamps(rules: &str) -> String {
    format!(
        "(role r) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (after 1 2) (after 2 3) (after 3 4) (after 4 1)
        (init (on 2)) (init (count 1)) (<= (next (count ?y)) (true (count ?x)) (after ?x ?y) (distinct ?y 1))
        (<= (legal r (switch ?l)) (lamp ?l))
        (<= (next (on ?l)) (does r (switch ?l)) (not (true (on ?l))))
        (<= (next (on ?l)) (true (on ?l)) (not (does r (switch ?l))))
        (<= terminal (true (count 4)) (true (pair 1 2))) (<= (goal r 100) terminal) {rules}"
    )
}

/// What a rule says: its head, what holds in any case, and of each group one thing.
struct Rule {
    head: &'static str,
    always: &'static str,
    one_of_each: &'static [&'static [&'static str]],
}

impl Rule {
    fn with_or(&self) -> String {
        let groups = self.one_of_each.iter().map(|it| format!("(or {})", it.join(" ")));
        format!("(<= {} {} {})", self.head, self.always, groups.collect::<String>())
    }

    /// The negation of the groups' negations.
    fn with_not(&self) -> String {
        let groups = self.one_of_each.iter().map(|group| {
            let none: String = group.iter().map(|it| format!("(not {it})")).collect();
            format!("(not (and {none}))")
        });
        format!("(<= {} (and {} {}))", self.head, self.always, groups.collect::<String>())
    }

    /// A rule for each choice.
    fn expanded(&self) -> String {
        let mut bodies = vec![self.always.to_owned()];
        for group in self.one_of_each {
            let longer = |body: &String| {
                let body = body.clone();
                group.iter().map(move |it| format!("{body} {it}"))
            };
            bodies = bodies.iter().flat_map(longer).collect();
        }
        bodies.iter().map(|body| format!("(<= {} {body})\n", self.head)).collect()
    }
}

const RULES: [Rule; 4] = [
    Rule {
        head: "(next (pair ?x ?y))",
        always: "(lamp ?x) (true (on ?y))",
        one_of_each: &[
            &["(true (on ?x))", "(after ?x ?y)", "(distinct ?x ?y)"],
            &["(true (count ?x))", "(not (true (on ?x)))", "(after ?y ?x)"],
            &["(and (after ?x ?z) (true (on ?z)))", "(not (after ?x 3))", "(does r (switch ?x))"],
            &["(true (count 1))", "(true (count ?y))", "(not (does r (switch 2)))"],
        ],
    },
    Rule {
        head: "(next (pair ?x ?x))",
        always: "(true (count ?c))",
        one_of_each: &[
            &["(after ?c ?x)", "(does r (switch ?x))", "(and (lamp ?x) (not (true (on ?x))))"],
            &["(true (on 1))", "(true (on ?x))", "(after ?x 2)", "(after ?c ?x)"],
            &["(distinct ?x 1)", "(not (true (on 2)))", "(or (true (on 3)) (after ?x ?c))"],
            &["(true (on 3))", "(not (true (on 4)))", "(distinct ?c 2)"],
        ],
    },
    Rule {
        head: "(next twice)",
        always: "(true (on ?x)) (true (on ?y)) (distinct ?x ?y)",
        one_of_each: &[
            &["(after ?x ?y)", "(and (after ?x ?z) (or (after ?z ?y) (true (count ?z))))"],
            &["(true (count ?x))", "(true (count ?y))", "(not (true (count 1)))"],
            &["(does r (switch ?x))", "(does r (switch ?y))", "(not (does r (switch 3)))"],
            &["(not (true twice))", "(true (pair ?x ?y))", "(true (pair ?y ?x))", "(after ?y ?x)"],
        ],
    },
    Rule {
        head: "(legal r (guess ?x ?y))",
        always: "(true twice)",
        one_of_each: &[
            &["(true (on ?x))", "(after 3 ?x)", "(after 2 ?x)", "(true (count ?x))"],
            &["(true (on ?y))", "(after 1 ?y)", "(after 4 ?y)", "(true (count ?y))"],
            &["(true (on 1))", "(true (on 2))", "(true (on 3))", "(true (on 4))"],
            &["(true (count 3))", "(true (count 2))", "(not (true (on 1)))"],
        ],
    },
];

/// The rules after or-elimination.
fn without_or(text: &str) -> Result<Description, GroundError> {
    let rules = explain(&description(text), Step::OrElimination, &options(Passes::NONE))?;
    Ok(description(&rules))
}

fn all(form: impl Fn(&Rule) -> String) -> String {
    lamps(&RULES.iter().map(form).collect::<String>())
}

#[test]
fn what_has_a_name_means_the_same() {
    let expanded = all(Rule::expanded);
    let as_it_is = grounded(&expanded, &options(Passes::NONE));
    for text in [all(Rule::with_or), all(Rule::with_not)] {
        let rules = |text: &str| without_or(text).expect("there are few").statements.len();
        assert!(rules(&text) * 2 < rules(&expanded), "{} rules", rules(&text));
        for passes in [Passes::NONE, Passes::ALL] {
            let game = grounded(&text, &options(passes));
            assert!(plays_the_same(&description(&text), &game, &as_it_is, 4) > 40);
            assert!(plays_the_same(&description(&expanded), &game, &as_it_is, 4) > 40);
        }
    }
}

/// Thirty-two rules are few, and each is one of the description's.
#[test]
fn few_alternatives_have_no_names() {
    let groups: String = (1..=5).map(|it| format!("(or (true (on {it})) (lamp {it}))")).collect();
    let text = lamps(&format!("(<= (next twice) {groups})"));
    let rules = without_or(&text).expect("there are few");
    let names: Vec<&str> =
        rules.statements.iter().map(|it| rules.symbols.name(it.head.predicate)).collect();
    assert!(!names.iter().any(|it| it.starts_with("or_")), "{names:?}");
    assert_eq!(names.iter().filter(|it| **it == "next").count(), 32 + 3);
}

/// No alternative binds both, and each `or` needs the other.
#[test]
fn what_nothing_beside_it_binds_stays() {
    let groups = "(or (lamp ?x) (true (on ?x)) (after ?x ?y) (distinct ?x ?y) (distinct ?y 1))
        (or (lamp ?y) (true (on ?y)) (after ?y ?x) (distinct ?y ?x) (distinct ?x 1)) ";
    let text = lamps(&format!("(<= (next (pair ?x ?y)) {} )", groups.repeat(4)));
    let error = without_or(&text).expect_err("there are 390 625 alternatives");
    assert!(error.to_string().contains("more than 65536 rules"), "{error}");
}

/// A rule whose equalities say what `?x0` up to a last variable are, each with a term around the one before.
fn terms(count: usize, around: &str, rest: &str) -> String {
    let equalities = (0..count).map(|number| {
        let term = around.replace("?x", &format!("?x{number}"));
        format!("(not (distinct ?x{} {term}))", number + 1)
    });
    let equalities: String = equalities.collect();
    lamps(&format!("(<= (next (built ?x{count})) (lamp ?x0) {equalities} {rest})"))
}

#[test]
fn terms_of_equalities_do_not_grow_beyond_the_longest_rules() {
    let twice = |count| without_or(&terms(count, "(f ?x ?x)", ""));
    assert!(twice(12).is_ok(), "8 191 names and the rest");
    let nested = format!("{}?x{}", "(f ".repeat(200), ")".repeat(200));
    let errors = [
        twice(13).expect_err("16 383 names and two more"),
        twice(2000).expect_err("too large"),
        without_or(&terms(2000, &nested, "")).expect_err("400 000 deep"),
        without_or(&terms(7, &nested, "")).expect_err("1400 deep"),
    ];
    for error in errors {
        assert!(error.to_string().contains("more than 16384 names"), "{error}");
    }
}

#[test]
fn alternatives_with_large_terms_are_counted_by_their_names() {
    let of = |many: usize| {
        let group = |lamp| {
            let (one, next) = (lamp, (lamp + 1) % many);
            format!("(or (lamp ?a{one}) (after 1 ?a{one}) (distinct ?a{one} ?a{next}))")
        };
        let groups: String = (0..many).map(group).collect();
        without_or(&terms(11, "(f ?x ?x)", &groups)).expect_err("too many").to_string()
    };
    let [ten, eleven] = [of(10), of(11)];
    assert!(ten.contains("more than 4194304 names in rules"), "59 049 rules: {ten}");
    assert!(eleven.contains("more than 65536 rules"), "177 147 rules: {eleven}");
}

/// There is so much to do that each looks at the limits before it is done.
#[test]
fn all_that_begins_with_them_keeps_within_limits() {
    let ors = "(or (true (on 1)) (true (on 2)))".repeat(1500);
    let description = description(&lamps(&format!("(<= (pair 1 2) {ors})")));
    let limits = Limits { stop: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let options = GroundOptions { limits: limits.clone(), ..options(Passes::ALL) };
    for step in Step::ALL {
        let stopped = explain(&description, step, &options);
        assert!(matches!(stopped, Err(GroundError::Limit { .. })), "{step:?}");
    }
    assert!(matches!(prepare(&description, &limits), Err(GroundError::Limit { .. })));
    assert!(InterpretedReasoner::new(&description, limits).is_err());
}
