use groundfrog_engine::Budget;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule};

use super::*;

type NumberedRule<'it> = (u32, &'it [i32]);

/// What becomes of rules from their heads and codes, a minus for `not`; views are atoms 10 to 19.
fn merged(rules: &[NumberedRule<'_>]) -> Vec<(u32, Vec<i32>)> {
    let mut store = RuleStore::default();
    for &(head, body) in rules {
        let literal = |&it: &i32| GroundLiteral::new(it.unsigned_abs(), it < 0);
        store.push(head, &body.iter().map(literal).collect::<Vec<_>>());
    }
    let before = store.clone();
    let mut changed = vec![false; 30];
    let budget = Budget::unlimited();
    let is_any =
        merge_equal(&mut store, &mut changed, 10..20, |a, b| a < b, &mut Ticker::new(&budget, 0))
            .expect("no limit");
    assert_eq!(is_any, store != before);
    let signed = |it: &GroundLiteral| it.atom() as i32 * if it.is_negated() { -1 } else { 1 };
    let rule = |it: GroundRule<'_>| (it.head, it.body.iter().map(signed).collect());
    store.iter().map(rule).collect()
}

#[test]
fn the_order_of_rules_and_literals_does_not_matter() {
    let rules: [NumberedRule<'_>; 6] =
        [(10, &[1, 2]), (10, &[-3]), (11, &[-3]), (11, &[2, 1]), (20, &[10, 4]), (21, &[4, -11])];
    let expected = vec![(10, vec![1, 2]), (10, vec![-3]), (20, vec![10, 4]), (21, vec![4, -10])];
    assert_eq!(merged(&rules), expected);
}

#[test]
fn signs_and_numbers_of_rules_matter() {
    let rules: [NumberedRule<'_>; 7] = [
        (10, &[1, 2]),
        (11, &[1, -2]),
        (12, &[1, 2]),
        (12, &[1, 3]),
        (13, &[1]),
        (20, &[10, 11, 12, 13]),
        (20, &[-10, -11, -12, -13]),
    ];
    assert_eq!(merged(&rules).len(), rules.len());
}

#[test]
fn only_views_are_merged() {
    let rules: [NumberedRule<'_>; 4] = [(20, &[1]), (21, &[1]), (10, &[1]), (22, &[10, 20, 21])];
    assert_eq!(merged(&rules).len(), rules.len());
}

#[test]
fn views_become_the_same_when_others_do_in_any_order_of_the_rules() {
    let chain: [NumberedRule<'_>; 8] = [
        (10, &[1, 2]),
        (11, &[1, 2]),
        (12, &[10, 3]),
        (13, &[11, 3]),
        (14, &[-12, 4]),
        (15, &[-13, 4]),
        (20, &[14, 5]),
        (20, &[15, 5]),
    ];
    let mut reversed = chain;
    reversed.reverse();
    // An order in which each view comes before one that it depends on.
    let mixed = [2, 4, 0, 3, 5, 1, 6, 7].map(|it| chain[it]);
    for rules in [chain, reversed, mixed] {
        let merged = merged(&rules);
        assert_eq!(merged.len(), 4, "{merged:?}: one view of each kind, and one rule of 20");
    }
}

#[test]
fn bodies_and_views_stay_sets() {
    let rules: [NumberedRule<'_>; 5] =
        [(10, &[1]), (11, &[1]), (20, &[11, 2, 10]), (20, &[2, 10]), (21, &[10, -11])];
    let expected = vec![(10, vec![1]), (20, vec![2, 10]), (21, vec![10, -10])];
    assert_eq!(merged(&rules), expected);
}

#[test]
fn views_on_cycles_are_merged_if_their_rules_are_the_same() {
    let rules: [NumberedRule<'_>; 6] =
        [(10, &[1]), (10, &[12]), (11, &[1]), (11, &[12]), (12, &[10, 11]), (20, &[-10, -11])];
    let expected = vec![(10, vec![1]), (10, vec![12]), (12, vec![10]), (20, vec![-10])];
    assert_eq!(merged(&rules), expected);
    // Each of these depends on itself alone.
    assert_eq!(merged(&[(10, &[10]), (11, &[11]), (20, &[10, 11])]).len(), 3);
}

#[test]
fn few_equal_views_are_merged_if_many_rules_ask_for_them() {
    // Two equal views with a rule each, and two hundred rules that use them or for other atoms.
    let rules_with = |given: [i32; 2]| -> usize {
        let bodies: Vec<[i32; 2]> =
            (0..200).map(|it| [given[it % 2], 100 + it as i32 / 2]).collect();
        let mut rules: Vec<NumberedRule<'_>> = vec![(10, &[1]), (11, &[1])];
        rules.extend(bodies.iter().map(|body| (20, body.as_slice())));
        merged(&rules).len()
    };
    assert_eq!(rules_with([10, 11]), 101);
    assert_eq!(rules_with([2, 3]), 202);
}

#[test]
fn uses_count_where_few_rules_are_for_views() {
    let store = |given: u32| {
        let mut store = RuleStore::default();
        store.push(10, &[GroundLiteral::new(1, false)]);
        (0..200).for_each(|it| store.push(20 + it, &[GroundLiteral::new(given, false)]));
        store
    };
    let are_promising = |store: RuleStore, may_have: bool| {
        are_promising(store.len(), &Occurrences::new(&store, 10..20), |_| may_have)
    };
    assert!(are_promising(store(10), true));
    assert!(!are_promising(store(10), false));
    assert!(!are_promising(store(2), true));
}
