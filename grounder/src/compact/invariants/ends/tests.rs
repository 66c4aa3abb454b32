use groundfrog_engine::Budget;

use super::*;

/// What is left of rules: `terminal` is atom 0, what is true next are atoms 1 to 9. Literals are atoms, negated below zero.
fn left(rules: &[(u32, &[i32])]) -> Vec<(u32, Vec<i32>)> {
    let mut store = RuleStore::default();
    for &(head, body) in rules {
        let literal = |&it: &i32| GroundLiteral::new(it.unsigned_abs(), it < 0);
        store.push(head, &body.iter().map(literal).collect::<Vec<_>>());
    }
    let budget = Budget::unlimited();
    drop_following(&mut store, 40, (0, 1..10), &mut Ticker::new(&budget, 0)).expect("no limit");
    let signed = |it: &GroundLiteral| it.atom() as i32 * if it.is_negated() { -1 } else { 1 };
    store.iter().map(|it| (it.head, it.body.iter().map(signed).collect())).collect()
}

#[test]
fn nothing_is_told_of_what_follows_an_end() {
    let rules: [(u32, &[i32]); 6] =
        [(0, &[20]), (0, &[21, 22]), (1, &[20, 30]), (2, &[-20, 30]), (3, &[21, 30]), (30, &[20])];
    let expected = [
        (0, vec![20]),
        (0, vec![21, 22]),
        (2, vec![30]),
        // One of two conditions of an end is not an end; what is no step is used at an end, too.
        (3, vec![21, 30]),
        (30, vec![20]),
    ];
    assert_eq!(left(&rules), expected);
}

#[test]
fn ends_are_found_through_views() {
    let rules: [(u32, &[i32]); 7] = [
        (0, &[30]),
        (0, &[-31]),
        (30, &[20]),
        (31, &[-21, 22]),
        (1, &[20, 25]),
        (2, &[21, 25]),
        (3, &[-21, 22, 25]),
    ];
    let steps: Vec<_> = left(&rules).into_iter().filter(|it| it.0 > 0 && it.0 < 10).collect();
    // 31 fails where 21 holds, and where 22 does not.
    assert_eq!(steps, [(3, vec![25])]);
}

#[test]
fn that_an_atom_with_two_rules_fails_follows_from_neither_alone() {
    let rules: [(u32, &[i32]); 5] =
        [(0, &[-31]), (31, &[21]), (31, &[22]), (1, &[-21, 25]), (2, &[-31, 25])];
    let steps: Vec<_> = left(&rules).into_iter().filter(|it| it.0 > 0 && it.0 < 10).collect();
    assert_eq!(steps, [(1, vec![-21, 25])]);
}

#[test]
fn what_the_next_state_is_needed_for_is_needed_at_an_end() {
    let rules: [(u32, &[i32]); 3] = [(0, &[20]), (1, &[20, 25]), (30, &[1])];
    assert_eq!(left(&rules).len(), 3);
}

#[test]
fn rules_that_become_the_same_are_one() {
    let rules: [(u32, &[i32]); 3] = [(0, &[20]), (1, &[-20, 25]), (1, &[25])];
    assert_eq!(left(&rules), [(0, vec![20]), (1, vec![25])]);
}
