//! Small programs written down quickly, and tables and ground rules as sets.

use std::collections::BTreeSet;

use groundfrog_engine::instantiate::{AtomSpace, Instantiation, Request, Template, instantiate};
use groundfrog_engine::observe::{EvaluationStatistics, Silent};
use groundfrog_engine::{
    Argument, Atom, Budget, Constant, Constants, EngineError, Literal, PredicateId, Program, Rule,
    Tables, fixpoint, naive,
};

/// The tuples of each predicate.
pub type Sets = Vec<BTreeSet<Vec<Constant>>>;

/// An atom with what its space numbers: the space and the tuple.
pub type Meaning = (u32, Vec<Constant>);

/// A ground rule with its atoms spelled out: head, and body as atom and sign.
pub type Spelled = (Meaning, BTreeSet<(Meaning, bool)>);

/// An evaluator: [`fixpoint::evaluate`] or [`naive::evaluate`].
pub type Evaluate = fn(
    &Program,
    &mut Tables,
    &Budget,
    &mut dyn groundfrog_engine::observe::Observer,
) -> Result<EvaluationStatistics, EngineError>;

/// Both evaluators, by name.
pub const EVALUATORS: [(&str, Evaluate); 2] =
    [("fixpoint", fixpoint::evaluate), ("naive", naive::evaluate)];

/// A variable from a letter, a constant from a number.
pub fn argument(text: &str) -> Argument {
    match text.parse() {
        Ok(constant) => Argument::Constant(constant),
        Err(_) => Argument::Variable(text.bytes().next().map_or(0, |it| u32::from(it - b'a'))),
    }
}

/// An atom from a predicate and letters or numbers apart by spaces.
pub fn atom(predicate: PredicateId, arguments: &str) -> Atom {
    Atom { predicate, arguments: arguments.split_whitespace().map(argument).collect() }
}

pub fn yes(predicate: PredicateId, arguments: &str) -> Literal {
    Literal::Positive(atom(predicate, arguments))
}

pub fn no(predicate: PredicateId, arguments: &str) -> Literal {
    Literal::Negative(atom(predicate, arguments))
}

pub fn distinct(left: &str, right: &str) -> Literal {
    let tuple = |text: &str| text.split_whitespace().map(argument).collect();
    Literal::Distinct(tuple(left), tuple(right))
}

pub fn rule(program: &mut Program, head: Atom, body: Vec<Literal>) {
    let label = program.rules().len() as u32;
    program.add_rule(Rule { label, ..Rule::new(head, body) });
}

/// Completes tables without limits.
pub fn complete(evaluate: Evaluate, program: &Program, facts: &Tables) -> Tables {
    let mut tables = facts.clone();
    let counts = evaluate(program, &mut tables, &Budget::unlimited(), &mut Silent)
        .expect("stratified, and without limits");
    assert_eq!(counts.tuples, tables.tuple_count());
    tables
}

/// The tables as sets. Fails if a tuple occurs twice.
pub fn sets(tables: &Tables) -> Sets {
    let set = |(_, table): (PredicateId, &groundfrog_engine::Table)| {
        let set: BTreeSet<Vec<Constant>> = table.rows().map(Constants::to_vec).collect();
        assert_eq!(set.len(), table.len(), "a tuple occurs twice");
        set
    };
    tables.iter().map(set).collect()
}

/// Two spaces for each table, and the number after the last one.
pub fn spaces(tables: &Tables) -> (Vec<AtomSpace>, u32) {
    let mut start = 0;
    let mut spaces = Vec::new();
    for _ in 0..2 {
        for (predicate, table) in tables.iter() {
            spaces.push(AtomSpace { predicate, start });
            start += table.len() as u32;
        }
    }
    (spaces, start)
}

/// What to instantiate, of all spaces.
pub fn request<'run>(
    program: &'run Program,
    tables: &'run Tables,
    spaces: &'run (Vec<AtomSpace>, u32),
    templates: &'run [Template],
    threads: usize,
) -> Request<'run> {
    Request {
        program,
        tables,
        spaces: &spaces.0,
        first_extra: spaces.1,
        templates,
        drop_extra: false,
        threads,
    }
}

/// Rules stored and instances found; fails if they are not those of the textbook, on one thread and on two.
pub fn stored_as_in_the_textbook(
    program: &Program,
    tables: &Tables,
    templates: &[Template],
) -> (usize, u64) {
    let spaces = spaces(tables);
    let request_for = |threads| request(program, tables, &spaces, templates, threads);
    let unlimited = Budget::unlimited();
    let one = instantiate(&request_for(1), &unlimited, &mut Silent).expect("no limits");
    let two = instantiate(&request_for(2), &unlimited, &mut Silent).expect("no limits");
    let textbook = naive::instantiate(&request_for(1), &unlimited, &mut Silent).expect("no limits");
    assert_eq!(spell(&request_for(1), &one), spell(&request_for(1), &textbook));
    assert_eq!(one.rules, two.rules);
    (one.rules.len(), one.answers)
}

/// The ground rules as a set. Fails if a rule or a literal occurs twice, or an atom beside the tables
/// occurs in no rule.
pub fn spell(request: &Request<'_>, done: &Instantiation) -> BTreeSet<Spelled> {
    let mut extras = BTreeSet::new();
    let mut meaning = |atom: u32| -> Meaning {
        if let Some(number) = atom.checked_sub(request.first_extra) {
            let (space, tuple) = done.extra.get(number as usize).expect("a number that was given");
            let table = &request.tables[request.spaces[space as usize].predicate];
            assert!(table.find_row(tuple).is_none(), "an atom of a table was numbered apart");
            extras.insert(number);
            return (space, tuple.to_vec());
        }
        let of_atom = |space: &&AtomSpace| {
            let len = request.tables[space.predicate].len() as u32;
            (space.start..space.start + len).contains(&atom)
        };
        let space = request.spaces.iter().position(|it| of_atom(&it)).expect("in a space");
        let AtomSpace { predicate, start } = request.spaces[space];
        (space as u32, request.tables[predicate].row(atom - start).to_vec())
    };
    let mut rules = BTreeSet::new();
    for rule in done.rules.iter() {
        let body: BTreeSet<(Meaning, bool)> =
            rule.body.iter().map(|it| (meaning(it.atom()), it.is_negated())).collect();
        assert_eq!(body.len(), rule.body.len(), "a literal occurs twice");
        assert!(rules.insert((meaning(rule.head), body)), "a rule occurs twice");
    }
    assert_eq!(extras.len(), done.extra.len(), "an atom beside the tables is in no rule");
    rules
}
