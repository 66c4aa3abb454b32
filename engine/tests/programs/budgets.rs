//! Limits: what exceeds them stops, says which limit and which rule, and leaves nothing wrong behind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use groundfrog_engine::instantiate::{StoredAtom, StoredLiteral, Template, instantiate};
use groundfrog_engine::observe::{Observer, Silent};
use groundfrog_engine::{
    Budget, EngineError, Exceeded, Limit, PredicateId, Program, Stop, Tables, fixpoint, naive,
};
use proptest::prelude::*;

use super::generate::programs;
use super::support::{EVALUATORS, Evaluate, atom, complete, request, rule, sets, spaces, yes};

/// Every node of a ring reaches every node: `nodes` squared paths by cubed joins.
fn ring(nodes: u32) -> (Program, Tables, PredicateId) {
    let mut program = Program::default();
    let [edge, path] = ["edge", "path"].map(|name| program.add_predicate(name, 2));
    rule(&mut program, atom(path, "a b"), vec![yes(edge, "a b")]);
    rule(&mut program, atom(path, "a c"), vec![yes(path, "a b"), yes(path, "b c")]);
    let mut facts = Tables::new(&program);
    for it in 0..nodes {
        facts.insert(edge, &[it, (it + 1) % nodes]);
    }
    (program, facts, path)
}

fn exceed(evaluate: Evaluate, budget: &Budget) -> (Exceeded, Tables) {
    let (program, mut tables, _) = ring(400);
    match evaluate(&program, &mut tables, budget, &mut Silent) {
        Err(EngineError::Limit(exceeded)) => (*exceeded, tables),
        other => panic!("the limit was not noticed: {other:?}"),
    }
}

#[test]
fn time_memory_and_a_stop_from_outside_end_an_evaluation() {
    let budgets = [
        (Limit::Time, Budget::unlimited().with_time(Duration::from_millis(3))),
        (Limit::Memory, Budget::unlimited().with_memory(100_000)),
        (Limit::Cancelled, Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)))),
    ];
    for (limit, budget) in &budgets {
        for (name, evaluate) in EVALUATORS {
            let (exceeded, _) = exceed(evaluate, budget);
            assert_eq!(exceeded.limit, *limit, "{name}");
            assert_eq!(exceeded.predicate.as_deref(), Some("path"), "{name}, {limit:?}");
            assert!(matches!(exceeded.rule, Some(0 | 1)), "{name}, {limit:?}");
            assert!(exceeded.reached >= exceeded.allowed, "{name}, {limit:?}");
        }
    }
}

#[test]
fn memory_stays_near_its_limit() {
    for allowed in [50_000, 500_000, 2_000_000] {
        let budget = Budget::unlimited().with_memory(allowed);
        let (exceeded, tables) = exceed(fixpoint::evaluate, &budget);
        assert!(exceeded.reached > allowed);
        // Between two checks a table may double.
        assert!(tables.bytes() < allowed * 4 + (1 << 20), "{} of {allowed}", tables.bytes());
    }
}

#[test]
fn what_was_derived_before_a_limit_is_right() {
    let (program, facts, path) = ring(400);
    let (_, part) = exceed(fixpoint::evaluate, &Budget::unlimited().with_memory(400_000));
    let all = complete(fixpoint::evaluate, &program, &facts);
    assert_eq!(all[path].len(), 400 * 400);
    assert!(part[path].len() < all[path].len());
    assert!(part[path].rows().all(|row| all[path].find_row(row).is_some()));
}

/// The second rule of a ring, whole.
fn template(program: &Program, path: PredicateId) -> Template {
    let stored =
        |arguments| StoredAtom { space: path.0, arguments: atom(path, arguments).arguments };
    let literal = |arguments, position| StoredLiteral {
        atom: stored(arguments),
        negated: false,
        source: Some(position),
    };
    let body = vec![literal("a b", 0), literal("b c", 1)];
    Template { rule: program.rules()[1].clone(), head: stored("a c"), body }
}

#[test]
fn a_limit_on_ground_rules_ends_the_store_pass() {
    let (program, facts, path) = ring(60);
    let tables = complete(fixpoint::evaluate, &program, &facts);
    let spaces = spaces(&tables);
    let templates = [template(&program, path)];
    let run = |threads, limit| {
        let budget = Budget::unlimited().with_rules(limit);
        let request = request(&program, &tables, &spaces, &templates, threads);
        let naive = naive::instantiate(&request, &budget, &mut Silent);
        [naive, instantiate(&request, &budget, &mut Silent)]
    };
    for threads in [1, 2] {
        for outcome in run(threads, 216_000) {
            assert_eq!(outcome.expect("within the limit").rules.len(), 60 * 60 * 60);
        }
        for outcome in run(threads, 50_000) {
            let Err(EngineError::Limit(exceeded)) = outcome else { panic!("no limit") };
            assert_eq!(exceeded.limit, Limit::Rules);
            assert!(exceeded.reached > exceeded.allowed);
            assert_eq!((exceeded.rule, exceeded.predicate.as_deref()), (Some(1), Some("path")));
        }
    }
}

/// Raises a flag after some rounds.
struct StopAfter {
    rounds: usize,
    flag: Arc<AtomicBool>,
}

impl Observer for StopAfter {
    fn round(&mut self, _new_tuples: usize) {
        self.rounds = self.rounds.saturating_sub(1);
        if self.rounds == 0 {
            self.flag.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
}

#[test]
fn an_observer_can_stop_what_it_follows() {
    let (program, facts, path) = ring(400);
    for (name, evaluate) in EVALUATORS {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_stop(flag.clone());
        let mut tables = facts.clone();
        let outcome = evaluate(&program, &mut tables, &budget, &mut StopAfter { rounds: 4, flag });
        let Err(EngineError::Limit(exceeded)) = outcome else { panic!("{name}: not stopped") };
        assert_eq!(exceeded.limit, Limit::Cancelled, "{name}");
        assert!(tables[path].len() >= 400, "{name}");
    }
}

/// Keeps what is being derived, and lets all be done.
#[derive(Debug, Default)]
struct Recorder(Mutex<Vec<Option<(String, u64)>>>);

impl Stop for Recorder {
    fn is_raised(&self) -> bool {
        false
    }

    fn derives(&self, now: Option<(&str, u64)>) {
        let now = now.map(|(predicate, count)| (predicate.to_owned(), count));
        self.0.lock().expect("no panic").push(now);
    }
}

#[test]
fn a_stop_flag_is_called_with_what_is_being_derived() {
    let (program, mut tables, path) = ring(60);
    let recorder = Arc::new(Recorder::default());
    let budget = Budget::unlimited().with_stop(recorder.clone());
    let check = |least: u64, most: u64| {
        let calls = std::mem::take(&mut *recorder.0.lock().expect("no panic"));
        let Some((None, calls)) = calls.split_last() else { panic!("not done at last: {calls:?}") };
        let derived: Vec<_> = calls.iter().flatten().collect();
        assert_eq!(derived.len(), calls.len(), "done only at last");
        assert!(derived.iter().all(|it| it.0 == "path" && it.1 <= most), "{derived:?}");
        assert!(derived.iter().any(|it| it.1 > least), "{derived:?}");
    };
    fixpoint::evaluate(&program, &mut tables, &budget, &mut Silent).expect("no limit");
    check(1_000, 60 * 60);
    let (spaces, templates) = (spaces(&tables), [template(&program, path)]);
    // Two threads have eight parts.
    for (threads, least) in [(1, 100_000), (2, 10_000)] {
        let request = request(&program, &tables, &spaces, &templates, threads);
        instantiate(&request, &budget, &mut Silent).expect("no limit");
        check(least, 60 * 60 * 60);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_limit_of_memory_gives_all_or_an_error(raw in programs(), allowed in 0u64..4000) {
        let (program, facts) = raw.build();
        let all = sets(&complete(fixpoint::evaluate, &program, &facts));
        let mut tables = facts.clone();
        let budget = Budget::unlimited().with_memory(allowed);
        match fixpoint::evaluate(&program, &mut tables, &budget, &mut Silent) {
            Ok(_) => prop_assert_eq!(sets(&tables), all),
            Err(EngineError::Limit(exceeded)) => {
                prop_assert_eq!(exceeded.limit, Limit::Memory);
                prop_assert!(sets(&tables).iter().zip(&all).all(|(part, all)| part.is_subset(all)));
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

#[test]
fn a_share_of_a_budget_ends_before_it_and_any_flag_ends_it() {
    let hour = Duration::from_secs(3600);
    let flags: [Arc<AtomicBool>; 2] = Default::default();
    let all = flags.iter().fold(Budget::within(hour), |it, flag| it.with_stop(flag.clone()));
    let quarter = all.share(1, 4);
    assert!(all.left() > Some(hour / 2) && quarter.left() < Some(hour / 3));
    assert!(quarter.is_over_in(hour / 3) && !all.is_over_in(hour / 3) && !quarter.is_over());
    let soon = all.clone().with_deadline(Some(Instant::now()));
    assert_eq!(soon.check(0, 0).map_err(|it| it.limit), Err(Limit::Time));
    assert!(all.check(0, 0).is_ok() && Budget::unlimited().share(1, 4).left().is_none());
    flags[1].store(true, Ordering::Relaxed);
    assert!(all.is_over() && quarter.is_raised(), "a share has the same flags");
    assert_eq!(all.check(0, 0).map_err(|it| it.limit), Err(Limit::Cancelled));
}
