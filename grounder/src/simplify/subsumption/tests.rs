use groundfrog_engine::Budget;

use super::*;

/// What is left of rules for atom 0, their bodies given by codes.
fn left(bodies: &[&[u32]]) -> Vec<Vec<u32>> {
    let mut rules = RuleStore::default();
    for body in bodies {
        let body: Vec<_> = body.iter().map(|&code| GroundLiteral::from_code(code)).collect();
        rules.push(0, &body);
    }
    let budget = Budget::unlimited();
    let before = rules.len();
    let changed = remove_subsumed(&mut rules, 40, |_| true, |_| true, &mut Ticker::new(&budget, 0));
    let left: Vec<Vec<u32>> =
        rules.iter().map(|rule| rule.body.iter().map(|it| it.code()).collect()).collect();
    assert_eq!(changed.expect("there is no limit"), left.len() < before);
    left
}

#[test]
fn a_rule_with_more_conditions_than_another_goes() {
    assert_eq!(left(&[&[2, 4, 6], &[6, 2], &[4, 8]]), [vec![6, 2], vec![4, 8]]);
}

#[test]
fn of_equal_bodies_the_first_stays() {
    assert_eq!(left(&[&[2, 4], &[4, 2], &[2, 4, 6]]), [vec![2, 4]]);
}

#[test]
fn a_fact_makes_all_other_rules_superfluous() {
    assert_eq!(left(&[&[2], &[], &[], &[4]]), [Vec::<u32>::new()]);
}

#[test]
fn repeated_rules_go_and_no_others() {
    let mut rules = RuleStore::default();
    let bodies: [&[u32]; 6] = [&[2, 4], &[], &[4, 2], &[2], &[], &[2, 4, 6]];
    for body in bodies {
        let body: Vec<_> = body.iter().map(|&code| GroundLiteral::from_code(code)).collect();
        rules.push(0, &body);
    }
    let budget = Budget::unlimited();
    let mut ticker = Ticker::new(&budget, 0);
    let changed = remove_repeated(&mut rules, 4, |_| true, &mut ticker);
    assert!(changed.expect("there is no limit"));
    let lengths: Vec<usize> = rules.iter().map(|rule| rule.body.len()).collect();
    assert_eq!(lengths, [2, 0, 1, 3]);
}

#[test]
fn a_contradiction_goes_and_subsumes_nothing() {
    assert_eq!(left(&[&[2, 3], &[2, 3, 4], &[2, 5]]), [vec![2, 5]]);
}

#[test]
fn nothing_is_missed_among_many() {
    let pairs: Vec<Vec<u32>> =
        (1..20).flat_map(|one| (one + 1..20).map(move |other| vec![2 * one, 2 * other])).collect();
    let wide: Vec<Vec<u32>> = (2..20).map(|it| vec![2 * it - 2, 60, 2 * it]).collect();
    let all: Vec<&[u32]> = wide.iter().chain(&pairs).map(Vec::as_slice).collect();
    assert_eq!(left(&all), pairs);
}
