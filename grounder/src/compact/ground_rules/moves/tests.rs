use groundfrog_engine::Budget;

use super::*;

/// Rules from their heads and codes: moves are atoms 0 to 9, five of each of two roles.
fn store(rules: &[(u32, &[i32])]) -> RuleStore {
    let mut store = RuleStore::default();
    for &(head, body) in rules {
        let literal = |&it: &i32| GroundLiteral::new(it.unsigned_abs(), it < 0);
        store.push(head, &body.iter().map(literal).collect::<Vec<_>>());
    }
    store
}

fn moves() -> Moves {
    Moves { first: 0, movers: vec![0, 0, 0, 0, 0, 1, 1, 1, 1, 1], is_possible: vec![true; 10] }
}

/// The merged rules, and how many new atoms there are: they are numbered from 100.
fn merged(rules: &[(u32, &[i32])], moves: &Moves) -> (Vec<(u32, Vec<i32>)>, u32) {
    let mut rules = store(rules);
    let budget = Budget::unlimited();
    let code = |it: u32| 1 << it;
    let new = merge(&mut rules, moves, |it| it > 15, 100, code, &mut Ticker::new(&budget, 0))
        .expect("no limit")
        .atoms;
    let signed = |it: &GroundLiteral| it.atom() as i32 * if it.is_negated() { -1 } else { 1 };
    let rules = rules.iter().map(|it| (it.head, it.body.iter().map(signed).collect()));
    (rules.collect(), new)
}

#[test]
fn all_moves_but_one_are_said_by_that_one() {
    let rules: [(u32, &[i32]); 4] =
        [(20, &[1, 30]), (20, &[2, 30]), (20, &[3, 30]), (20, &[4, 30])];
    // Move 0 cannot be negated by a sign: it is made impossible in the second case.
    let (rules_left, new) = merged(&rules, &moves());
    assert_eq!(new, 0);
    assert_eq!(rules_left.len(), 1);
    assert_eq!(rules_left[0].1.len(), 2);
    let mut without_first = moves();
    without_first.is_possible[0] = false;
    assert_eq!(merged(&rules, &without_first), (vec![(20, vec![30])], 0), "any move will do");
}

#[test]
fn the_order_of_literals_does_not_matter() {
    let sorted: [(u32, &[i32]); 4] =
        [(20, &[1, 30, 31]), (20, &[2, 30, 31]), (20, &[3, 30, 31]), (20, &[4, 30, 31])];
    let mixed: [(u32, &[i32]); 4] =
        [(20, &[1, 30, 31]), (20, &[31, 2, 30]), (20, &[31, 30, 3]), (20, &[30, 4, 31])];
    let expected = merged(&sorted, &moves());
    assert_eq!(expected.0.len(), 1);
    assert_eq!(merged(&mixed, &moves()), expected);
}

#[test]
fn heads_that_speak_of_the_same_moves_share_an_atom() {
    let rules: [(u32, &[i32]); 6] = [
        (20, &[5, 30]),
        (20, &[6, 30]),
        (21, &[5, 31]),
        (21, &[6, 31]),
        (22, &[5, 32]),
        (22, &[6, 32]),
    ];
    let expected = vec![
        (20, vec![30, 100]),
        (21, vec![31, 100]),
        (22, vec![32, 100]),
        (100, vec![5]),
        (100, vec![6]),
    ];
    let mut three = moves();
    three.movers.extend([1; 4]);
    three.is_possible.extend([true; 4]);
    assert_eq!(merged(&rules, &three), (expected, 1));
}

#[test]
fn rules_that_say_nothing_in_common_stay() {
    let rules: [(u32, &[i32]); 4] = [(20, &[5, 30]), (20, &[6, 31]), (21, &[5, 30]), (21, &[7, 8])];
    let (left, new) = merged(&rules, &moves());
    let same: Vec<(u32, Vec<i32>)> =
        rules.iter().map(|&(head, body)| (head, body.to_vec())).collect();
    assert_eq!((left, new), (same, 0));
}

#[test]
fn moves_of_two_roles_are_merged_one_role_after_the_other() {
    // Role 0 makes one of 1, 2, 3 and 4, role 1 one of 5 to 8: all pairs.
    let pairs: Vec<[i32; 2]> = (1..5).flat_map(|left| (5..9).map(move |it| [left, it])).collect();
    let rules: Vec<(u32, &[i32])> = pairs.iter().map(|pair| (20, &pair[..])).collect();
    let (left, new) = merged(&rules, &moves());
    assert_eq!(new, 0);
    assert_eq!(left, [(20, vec![0, -9])].map(|(head, _)| (head, left[0].1.clone())));
    assert_eq!(left[0].1.len(), 2, "not move 0 and not move 9");
}

#[test]
fn a_rule_whose_moves_are_impossible_goes() {
    let rules: [(u32, &[i32]); 3] = [(20, &[5, 30]), (20, &[6, 30]), (21, &[7, 30])];
    let mut few = moves();
    few.is_possible = (0..10).map(|it| it > 6).collect();
    assert_eq!(merged(&rules, &few), (vec![(21, vec![7, 30])], 0));
}

#[test]
fn new_atoms_are_numbered_by_their_moves_and_not_by_the_order_of_rules() {
    let sets: [&[i32]; 3] = [&[5, 6], &[7, 8], &[5, 8, 9]];
    let mut many = moves();
    many.movers.extend([1; 5]);
    many.is_possible.extend([true; 5]);
    let definitions = |order: [usize; 3]| {
        let bodies: Vec<[i32; 2]> = order
            .iter()
            .flat_map(|&set| sets[set].iter().map(move |&it| [it, 30 + set as i32]))
            .collect();
        // Three heads each, so that it pays to have an atom.
        let rules: Vec<(u32, &[i32])> =
            (20..23).flat_map(|head| bodies.iter().map(move |body| (head, &body[..]))).collect();
        let (rules, new) = merged(&rules, &many);
        assert_eq!(new, 3);
        rules.into_iter().filter(|(head, _)| *head >= 100).collect::<Vec<_>>()
    };
    let first = definitions([0, 1, 2]);
    assert_eq!(first.len(), 7);
    assert_eq!(definitions([2, 0, 1]), first);
    assert_eq!(definitions([1, 2, 0]), first);
}
