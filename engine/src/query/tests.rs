use super::*;
use crate::naive;
use crate::observe::Silent;
use crate::program::{Argument, Atom, Literal, PredicateId, Program};

/// A ring of so many nodes, each with edges to the 30 that follow, and the rule `both(x, z) :- edge(x, y), edge(y, z)`.
fn ring(nodes: u32) -> (Program, Tables, Rule) {
    let mut program = Program::default();
    let edge = program.add_predicate("edge", 2);
    let both = program.add_predicate("both", 2);
    let mut tables = Tables::new(&program);
    for (from, step) in (0..nodes).flat_map(|from| (1..=30).map(move |step| (from, step))) {
        tables.insert(edge, &[from, (from + step) % nodes]);
    }
    let [x, y, z] = [0, 1, 2].map(Argument::Variable);
    let atom =
        |predicate: PredicateId, one, other| Atom { predicate, arguments: vec![one, other].into() };
    let body = [atom(edge, x, y), atom(edge, y, z)].map(Literal::Positive).to_vec();
    (program, tables, Rule::new(atom(both, x, z), body))
}

/// The answers of some rules, one after the other.
fn answers(rules: &[Rule], tables: &Tables, most: Most) -> Vec<Option<Table>> {
    let mut queries = Queries::default();
    let answers = |rule: &Rule| {
        let query = queries.prepare(rule, tables);
        queries.answers(&query, tables, most, &Budget::unlimited()).expect("there is no limit")
    };
    rules.iter().map(answers).collect()
}

fn sorted(table: &Table) -> Vec<Vec<Constant>> {
    let mut rows: Vec<Vec<Constant>> = table.rows().map(|row| row.to_vec()).collect();
    rows.sort_unstable();
    rows
}

const ENOUGH: Most = Most { answers: 10_000, rows: 1_000_000 };

#[test]
fn the_answers_are_what_the_textbook_derives() {
    let (mut program, tables, rule) = ring(40);
    let (head, [first, second]) = (&rule.head, [&rule.body[0], &rule.body[1]].map(Literal::clone));
    let differ = |one, other| Literal::Distinct(vec![one].into(), vec![other].into());
    let [x, z, constant] = [Argument::Variable(0), Argument::Variable(2), Argument::Constant(7)];
    let swapped = Atom { arguments: vec![z, constant].into(), ..head.clone() };
    let loops = Atom { arguments: vec![x, x].into(), ..head.clone() };
    let edge = Atom { predicate: PredicateId(0), arguments: vec![x, z].into() };
    let rules = [
        rule.clone(),
        Rule::new(head.clone(), vec![first.clone(), second.clone(), Literal::Negative(edge)]),
        Rule::new(swapped, vec![first.clone(), second.clone(), differ(x, constant)]),
        Rule::new(loops, vec![first, second, differ(z, constant)]),
        Rule::new(Atom { arguments: vec![constant, constant].into(), ..head.clone() }, vec![]),
        // There is nothing that is both.
        Rule::new(head.clone(), vec![Literal::Positive(head.clone())]),
    ];
    let found = answers(&rules, &tables, ENOUGH);
    for (rule, found) in rules.into_iter().zip(found) {
        let found = found.expect("there are few");
        program.replace_rules(vec![rule]);
        let mut derived = tables.clone();
        naive::evaluate(&program, &mut derived, &Budget::unlimited(), &mut Silent)
            .expect("there is no limit");
        assert_eq!(sorted(&found), sorted(&derived[PredicateId(1)]));
    }
}

#[test]
fn no_more_answers_are_given_than_are_wanted() {
    let (_, tables, rule) = ring(100);
    let is_given = |answers, rows| {
        self::answers(std::slice::from_ref(&rule), &tables, Most { answers, rows })[0].is_some()
    };
    assert!(is_given(5900, ENOUGH.rows));
    assert!(!is_given(5899, ENOUGH.rows));
    assert!(!is_given(5900, 10_000), "93,000 rows are looked at");
}

#[test]
fn a_limit_ends_it() {
    let (_, tables, rule) = ring(2000);
    let mut queries = Queries::default();
    let query = queries.prepare(&rule, &tables);
    let budget = Budget::unlimited().with_memory(1);
    let limit = queries.answers(&query, &tables, ENOUGH, &budget).err();
    assert_eq!(limit.map(|it| it.limit), Some(Limit::Memory));
}

#[test]
fn one_answer_is_enough_to_hold() {
    let (program, tables, rule) = ring(2000);
    let edge = rule.body[0].clone();
    let [x, y] = [0, 1].map(Argument::Variable);
    let mut queries = Queries::default();
    let mut holds = |body: Vec<Literal>, rows: &mut u64| {
        let rule = Rule::new(rule.head.clone(), body);
        queries.holds(&rule, &tables, rows, &Budget::unlimited()).expect("there is no limit")
    };
    let mut rows = 1_000_000;
    assert_eq!(holds(rule.body.clone(), &mut rows), Some(true));
    assert!(rows > 999_900, "{rows} are left");
    // No edge leads from a node to itself, and all rows must be looked at to see that.
    let equal = Literal::Negative(Atom { predicate: PredicateId(0), arguments: vec![x, y].into() });
    assert_eq!(holds(vec![edge.clone(), equal.clone()], &mut rows), Some(false));
    assert!(rows < 999_900 - 50_000, "{rows} are left");
    assert_eq!(holds(vec![edge, equal], &mut 10_000), None);
    // The table of what is derived is empty.
    let both = program.predicates().len() as u32 - 1;
    let none =
        Literal::Positive(Atom { predicate: PredicateId(both), arguments: vec![x, y].into() });
    assert_eq!(holds(vec![none], &mut rows), Some(false));
}
