//! Programs of unusual shape: no columns, many columns, long chains, repeated variables.

use groundfrog_engine::instantiate::{StoredAtom, StoredLiteral, Template, instantiate};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Argument, Atom, Budget, Literal, Program, Rule, Tables, fixpoint, naive};

use super::support::{EVALUATORS, atom, complete, distinct, request, rule, spaces, spell, yes};

#[test]
fn sixty_columns_are_no_special_case() {
    let columns = 60;
    let mut program = Program::default();
    let wide = program.add_predicate("wide", columns);
    let turned = program.add_predicate("turned", columns);
    let variables: Vec<Argument> = (0..columns as u32).map(Argument::Variable).collect();
    let mut rotated = variables.clone();
    rotated.rotate_left(1);
    let plain = |predicate, arguments: &[Argument]| Atom { predicate, arguments: arguments.into() };
    let copy = vec![Literal::Positive(plain(wide, &variables))];
    rule(&mut program, plain(turned, &variables), copy);
    let turn = vec![Literal::Positive(plain(turned, &variables))];
    rule(&mut program, plain(turned, &rotated), turn);
    let mut facts = Tables::new(&program);
    let tuple: Vec<u32> = (0..columns as u32).collect();
    facts.insert(wide, &tuple);
    for (name, evaluate) in EVALUATORS {
        let tables = complete(evaluate, &program, &facts);
        assert_eq!(tables[turned].len(), columns, "{name}");
    }
}

#[test]
fn a_chain_of_fifty_thousand_predicates_needs_no_deep_stack() {
    let length = 50_000;
    let mut program = Program::default();
    let chain: Vec<_> = (0..length).map(|it| program.add_predicate(format!("p{it}"), 1)).collect();
    for pair in chain.windows(2) {
        rule(&mut program, atom(pair[1], "a"), vec![yes(pair[0], "a")]);
    }
    let mut facts = Tables::new(&program);
    facts.insert(chain[0], &[5]);
    let tables = complete(fixpoint::evaluate, &program, &facts);
    assert!(tables[chain[length - 1]].contains(&[5]));
    assert_eq!(tables.tuple_count(), length as u64);
}

/// Large enough that threads have something to share.
#[test]
fn threads_do_not_change_a_byte_of_large_results() {
    let mut program = Program::default();
    let node = program.add_predicate("node", 1);
    let pair = program.add_predicate("pair", 2);
    let seen = program.add_predicate("seen", 1);
    rule(&mut program, atom(pair, "a b"), vec![yes(node, "a"), yes(node, "b"), distinct("a", "b")]);
    let mut facts = Tables::new(&program);
    for it in 0..150 {
        facts.insert(node, &[it]);
        if it % 3 == 0 {
            facts.insert(seen, &[it]);
        }
    }
    let tables = complete(fixpoint::evaluate, &program, &facts);
    let spaces = spaces(&tables);
    let of =
        |atom: &Atom| StoredAtom { space: atom.predicate.0, arguments: atom.arguments.clone() };
    let stored = |atom: Atom, source: Option<usize>| StoredLiteral {
        atom: of(&atom),
        negated: source.is_none(),
        source,
    };
    let template = |head: &str, label| {
        let body = vec![yes(node, "a"), yes(node, "b"), distinct("a", "b"), yes(pair, "a c")];
        let head = atom(pair, head);
        let rule = Rule { label, ..Rule::new(head.clone(), body) };
        let body = vec![stored(atom(node, "a"), Some(0)), stored(atom(seen, "b"), None)];
        Template { rule, head: of(&head), body }
    };
    // The second template gives rules of the first again, the third others.
    let templates = [template("a b", 0), template("a b", 1), template("b a", 2)];
    let run = |threads| {
        let request = request(&program, &tables, &spaces, &templates, threads);
        instantiate(&request, &Budget::unlimited(), &mut Silent).expect("no limits")
    };
    let one = run(1);
    assert_eq!(one.rules.len(), 2 * 150 * 149);
    assert_eq!(one.extra.len(), 100);
    for threads in [2, 3, 8] {
        let many = run(threads);
        assert_eq!(one.rules, many.rules, "{threads} threads");
        assert!((0..100).all(|it| one.extra.get(it) == many.extra.get(it)), "{threads} threads");
    }
    let requested = request(&program, &tables, &spaces, &templates, 1);
    let few = [templates[0].clone()];
    let few_requested = request(&program, &tables, &spaces, &few, 1);
    let naive =
        naive::instantiate(&few_requested, &Budget::unlimited(), &mut Silent).expect("no limits");
    assert!(spell(&few_requested, &naive).is_subset(&spell(&requested, &one)));
}

/// The join binds the head before it knows that there is no answer: nothing is left of the attempt.
#[test]
fn atoms_of_joins_that_fail_are_not_numbered() {
    let mut program = Program::default();
    let [left, right] = ["left", "right"].map(|name| program.add_predicate(name, 2));
    let head = program.add_predicate("head", 1);
    let absent = program.add_predicate("absent", 1);
    let body = vec![yes(left, "a b"), yes(right, "b c")];
    rule(&mut program, atom(head, "a"), body.clone());
    let mut facts = Tables::new(&program);
    for it in 0..20 {
        facts.insert(left, &[it, it]);
        facts.insert(right, &[it + 18, it]);
        facts.insert(right, &[it + 18, it + 1]);
    }
    let tables = complete(fixpoint::evaluate, &program, &facts);
    let stored = |predicate: groundfrog_engine::PredicateId| StoredAtom {
        space: predicate.0,
        arguments: vec![Argument::Variable(0)].into(),
    };
    let negated = StoredLiteral { atom: stored(absent), negated: true, source: None };
    let rule = program.rules()[0].clone();
    let templates = [Template { rule, head: stored(head), body: vec![negated] }];
    let spaces = spaces(&tables);
    let requested = request(&program, &tables, &spaces, &templates, 1);
    let done = instantiate(&requested, &Budget::unlimited(), &mut Silent).expect("no limits");
    assert_eq!((done.rules.len(), done.extra.len()), (2, 2));
    assert_eq!(done.extra.get(0), Some((absent.0, [18][..].into())));
}
