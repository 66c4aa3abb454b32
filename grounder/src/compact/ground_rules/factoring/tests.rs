use groundfrog_engine::Budget;

use super::*;

/// Factored rules, in order, and the predicates of the new atoms, which are numbered from 100. Literals are atoms, negated
/// below zero; an atom's predicate is its first digit of two.
fn factored(kind: Kind, rules: &[(u32, &[i32])]) -> (Vec<(u32, Vec<i32>)>, Vec<u32>) {
    let mut store = RuleStore::default();
    for &(head, body) in rules {
        let literal = |&it: &i32| GroundLiteral::new(it.unsigned_abs(), it < 0);
        store.push(head, &body.iter().map(literal).collect::<Vec<_>>());
    }
    let budget = Budget::unlimited();
    let atoms = Atoms { end: 100, predicate: |it| it / 10, code: u64::from };
    let wanted = wanted(&store, |_| true);
    let done = factor(&mut store, kind, &wanted, &atoms, &mut Ticker::new(&budget, 0));
    let signed = |it: &GroundLiteral| it.atom() as i32 * if it.is_negated() { -1 } else { 1 };
    let mut rules: Vec<(u32, Vec<i32>)> =
        store.iter().map(|it| (it.head, it.body.iter().map(signed).collect())).collect();
    rules.sort();
    (rules, done.expect("no limit").predicates)
}

#[test]
fn alternatives_of_several_contexts_are_one_atom() {
    let rules: [(u32, &[i32]); 7] = [
        (20, &[1, 30]),
        (20, &[-2, 30]),
        (20, &[3, 30]),
        (21, &[1, 31]),
        (21, &[-2, 31]),
        (21, &[3, 31]),
        (21, &[4, 31]),
    ];
    // The sets of the heads differ.
    assert_eq!(factored(Kind::Alternatives, &rules).1, [0; 0]);
    let (left, predicates) = factored(Kind::Alternatives, &rules[..6]);
    let expected = vec![
        (20, vec![30, 100]),
        (21, vec![31, 100]),
        (100, vec![-2]),
        (100, vec![1]),
        (100, vec![3]),
    ];
    assert_eq!((left, predicates), (expected, vec![2]));
}

#[test]
fn a_context_may_be_empty() {
    let rules: [(u32, &[i32]); 9] = [
        (20, &[1]),
        (20, &[2]),
        (20, &[3]),
        (21, &[1]),
        (21, &[2]),
        (21, &[3]),
        (22, &[1, 30]),
        (22, &[2, 30]),
        (22, &[3, 30]),
    ];
    let (left, _) = factored(Kind::Alternatives, &rules);
    assert_eq!(left[..3], [(20, vec![100]), (21, vec![100]), (22, vec![30, 100])]);
    assert_eq!(left.len(), 6);
}

#[test]
fn what_would_not_be_fewer_rules_stays() {
    let rules: [(u32, &[i32]); 4] =
        [(20, &[1, 30]), (20, &[2, 30]), (21, &[1, 31]), (21, &[2, 31])];
    for kind in [Kind::Alternatives, Kind::Heads] {
        let (left, predicates) = factored(kind, &rules);
        assert_eq!((left.len(), predicates.len()), (4, 0), "{kind:?}");
    }
}

#[test]
fn heads_with_several_bodies_in_common_share_an_atom() {
    let rules: [(u32, &[i32]); 7] = [
        (20, &[1, 2]),
        (20, &[3, -4]),
        (21, &[1, 2]),
        (21, &[3, -4]),
        (22, &[1, 2]),
        (22, &[3, -4]),
        (22, &[5, 6]),
    ];
    let (left, predicates) = factored(Kind::Heads, &rules);
    let expected = vec![
        (20, vec![100]),
        (21, vec![100]),
        (22, vec![5, 6]),
        (22, vec![100]),
        (100, vec![1, 2]),
        (100, vec![3, -4]),
    ];
    // The third head has a body more; without it the sets of heads of both bodies are the same.
    assert_eq!((left, predicates), (expected, vec![2]));
}

#[test]
fn an_atom_is_for_one_predicate_of_heads() {
    let bodies: [&[i32]; 3] = [&[1, 8], &[2, 8], &[3, 8]];
    let rules: Vec<(u32, &[i32])> = [20, 21, 30, 31, 40]
        .into_iter()
        .flat_map(|head| bodies.iter().map(move |&body| (head, body)))
        .collect();
    let (left, predicates) = factored(Kind::Alternatives, &rules);
    assert_eq!(predicates, [2, 3]);
    assert_eq!(left.len(), 2 * (2 + 3) + 3);
    let (left, predicates) = factored(Kind::Heads, &rules);
    assert_eq!(predicates, [2, 3]);
    assert_eq!(left.len(), 2 * (2 + 3) + 3);
}

#[test]
fn the_set_by_which_most_rules_go_comes_first() {
    // Each rule of 20 has alternatives by its first literal and by its second one.
    let mut rules: Vec<(u32, Vec<i32>)> = Vec::new();
    for first in 1..=4 {
        for second in 11..=13 {
            rules.push((20, vec![first, second]));
        }
    }
    let rules: Vec<(u32, &[i32])> = rules.iter().map(|(head, body)| (*head, &body[..])).collect();
    let (left, predicates) = factored(Kind::Alternatives, &rules);
    assert_eq!(predicates, [2]);
    // Three contexts with four alternatives: 3 + 4 rules; four with three would be as many.
    assert_eq!(left.len(), 7);
}

#[test]
fn what_is_new_is_numbered_by_what_it_stands_for() {
    let set = |head: u32, literals: [i32; 3]| literals.map(|it| (head, vec![it, 40]));
    let sets = [set(20, [1, 2, 3]), set(21, [1, 2, 3]), set(22, [4, 5, 6]), set(23, [4, 5, 6])];
    let forwards: Vec<_> = sets.concat();
    let backwards: Vec<_> = sets.into_iter().rev().flatten().collect();
    let [one, other] = [forwards, backwards].map(|rules| {
        let rules: Vec<(u32, &[i32])> = rules.iter().map(|(head, it)| (*head, &it[..])).collect();
        factored(Kind::Alternatives, &rules)
    });
    assert_eq!(one, other);
    assert_eq!(one.1, [2, 2]);
}

#[test]
fn the_order_of_literals_does_not_matter() {
    let alternatives: [(u32, &[i32]); 6] = [
        (20, &[1, 30, -31]),
        (20, &[-31, -2, 30]),
        (20, &[30, -31, 3]),
        (21, &[1, 32, 33]),
        (21, &[33, 32, -2]),
        (21, &[33, 3, 32]),
    ];
    let (left, predicates) = factored(Kind::Alternatives, &alternatives);
    assert_eq!((left.len(), predicates), (2 + 3, vec![2]));
    let heads: [(u32, &[i32]); 6] = [
        (20, &[1, 2, 3]),
        (20, &[4, -5]),
        (21, &[3, 1, 2]),
        (21, &[-5, 4]),
        (22, &[2, 3, 1]),
        (22, &[4, -5]),
    ];
    let (left, predicates) = factored(Kind::Heads, &heads);
    assert_eq!((left.len(), predicates), (3 + 2, vec![2]));
}
