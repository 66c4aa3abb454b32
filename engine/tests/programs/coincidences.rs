//! Templates of which some instances are the same rule: only through a join, only where variables are equal, only
//! by a dependency.

use groundfrog_engine::instantiate::{StoredAtom, StoredLiteral, Template};
use groundfrog_engine::{Argument, Atom, Constant, Literal, PredicateId, Program, Rule, Tables};
use proptest::collection::vec;
use proptest::prelude::*;

use super::support::{atom, distinct, stored_as_in_the_textbook, yes};

const CELL: PredicateId = PredicateId(0);
const MOVE: PredicateId = PredicateId(1);
const NEXT: PredicateId = PredicateId(2);
const PAIR: PredicateId = PredicateId(3);
/// Rules are stored for each of its rows, so that there are enough to be worth a search for coincidences.
const MANY: PredicateId = PredicateId(4);

/// Rules over `cell` and `move`, which are stored, and `next` and `pair`, which are static; each predicate has two
/// columns.
struct Rules {
    program: Program,
    tables: Tables,
    templates: Vec<Template>,
}

/// A rule: its head, which is a cell, its body, and which other atoms are stored negated.
type Written = (Atom, Vec<Literal>, Vec<Atom>);

impl Rules {
    fn new(rows: &[(PredicateId, Vec<[Constant; 2]>)], many: u32, rules: &[Written]) -> Self {
        let mut program = Program::default();
        for (name, arity) in [("cell", 2), ("move", 2), ("next", 2), ("pair", 2), ("many", 1)] {
            program.add_predicate(name, arity);
        }
        let mut tables = Tables::new(&program);
        for (predicate, rows) in rows {
            rows.iter().for_each(|row| _ = tables.insert(*predicate, row));
        }
        (0..many).for_each(|it| _ = tables.insert(MANY, &[it]));
        let templates = rules.iter().enumerate().map(|(label, rule)| template(label, rule));
        Rules { templates: templates.collect(), program, tables }
    }

    /// Rules stored and instances found; they are those of the textbook, on one thread and on two.
    fn stored(&self) -> (usize, u64) {
        stored_as_in_the_textbook(&self.program, &self.tables, &self.templates)
    }
}

fn template(label: usize, (head, body, negated): &Written) -> Template {
    // The heads are in the second space of their table.
    let spaces = 5;
    let stored = |atom: &Atom, second: u32| StoredAtom {
        space: atom.predicate.0 + second,
        arguments: atom.arguments.clone(),
    };
    // The head is a row of its table, whatever it is.
    let mut body = body.clone();
    body.push(Literal::Positive(head.clone()));
    body.push(yes(MANY, "z"));
    let positive = body.iter().enumerate().filter_map(|(source, literal)| match literal {
        Literal::Positive(it) if [CELL, MOVE, MANY].contains(&it.predicate) => {
            Some(StoredLiteral { atom: stored(it, 0), negated: false, source: Some(source) })
        }
        _ => None,
    });
    let negative =
        negated.iter().map(|it| StoredLiteral { atom: stored(it, 0), negated: true, source: None });
    Template {
        head: stored(head, spaces),
        body: positive.chain(negative).collect(),
        rule: Rule { label: label as u32, ..Rule::new(head.clone(), body) },
    }
}

fn square(side: u32) -> Vec<[u32; 2]> {
    (1..=side).flat_map(|x| (1..=side).map(move |y| [x, y])).collect()
}

#[test]
fn rules_that_coincide_where_variables_are_equal_are_stored_by_the_first() {
    let rows = [(CELL, square(6)), (MOVE, square(6))];
    let rule =
        |body, negated| (atom(CELL, "a b"), vec![yes(MOVE, body)], vec![atom(MOVE, negated)]);
    // The same but for the places of a and b.
    let rules = Rules::new(&rows, 40, &[rule("a a", "b b"), rule("b b", "a a")]);
    assert_eq!(rules.stored().0, (36 + 30) * 40);
}

/// As the frame rules of a board are.
#[test]
fn rules_for_each_coordinate_do_not_repeat_each_other() {
    let rows = [(CELL, square(5)), (MOVE, square(5))];
    let rule =
        |own, moved| (atom(CELL, "a b"), vec![yes(MOVE, "c d"), distinct(own, moved)], vec![]);
    let rules = Rules::new(&rows, 10, &[rule("a", "c"), rule("b", "d")]);
    // All pairs of a cell and a move elsewhere.
    assert_eq!(rules.stored().0, 25 * 24 * 10);
}

#[test]
fn an_earlier_rule_with_other_conditions_stores_what_fulfils_them() {
    let rows = [(CELL, square(6)), (MOVE, square(6)), (PAIR, vec![[1, 2], [2, 3], [4, 4]])];
    let rule = |condition| (atom(CELL, "a b"), vec![yes(MOVE, "c d"), condition], vec![]);
    let later = (atom(CELL, "a 2"), vec![yes(MOVE, "c d"), distinct("a", "d")], vec![]);
    let rules = Rules::new(&rows, 10, &[rule(yes(PAIR, "a c")), later]);
    // Of the later one's 6 * 30 those are left out that have one of three rows for a and c.
    let stored = 3 * 36 + 180 - 3 * 5;
    assert_eq!(rules.stored().0, stored * 10);
}

/// The numbers that a row or a literal is made of: predicate or kind, and columns.
type RawPair = (u8, [u8; 2]);

/// What a rule has beside the common body: names of variables, literals, and what kind of head.
type RawRule = ([u8; 5], Vec<RawPair>, u8);

/// The numbers that rules are made of: a body for all, and for each rule what is changed in it.
#[derive(Clone, Debug)]
struct Raw {
    rows: Vec<RawPair>,
    body: Vec<RawPair>,
    rules: Vec<RawRule>,
}

fn raw() -> impl Strategy<Value = Raw> {
    let literal = || (any::<u8>(), any::<[u8; 2]>());
    let rule = (any::<[u8; 5]>(), vec(literal(), 0..3), any::<u8>());
    (vec(literal(), 4..40), vec(literal(), 1..5), vec(rule, 1..5))
        .prop_map(|(rows, body, rules)| Raw { rows, body, rules })
}

impl Raw {
    fn build(&self, many: u32) -> Rules {
        let mut rows = [CELL, MOVE, NEXT, PAIR].map(|it| (it, Vec::new()));
        for (predicate, row) in &self.rows {
            let row = row.map(|it| u32::from(it) % 4 + 1);
            rows[usize::from(*predicate) % 4].1.push(row);
        }
        // A function that has no fixed point: dependencies and contradictions are frequent.
        rows[NEXT.index()].1.retain(|it| it[0] < it[1]);
        rows[NEXT.index()].1.sort_unstable();
        rows[NEXT.index()].1.dedup_by_key(|it| it[0]);
        Rules::new(&rows, many, &self.rules.iter().map(|it| self.rule(it)).collect::<Vec<_>>())
    }

    fn rule(&self, (names, more, head): &RawRule) -> Written {
        // Variables are often as in the other rules, and sometimes equal or constants.
        let term = |code: u8| {
            let variable = usize::from(code) % 5;
            match names[variable] {
                it @ 0..20 => Argument::Constant(u32::from(it) % 4 + 1),
                it @ 20..90 => Argument::Variable(u32::from(it) % 5),
                _ => Argument::Variable(variable as u32),
            }
        };
        let terms = |codes: &[u8; 2]| codes.map(term).to_vec();
        let mut positive = Vec::new();
        let mut others = Vec::new();
        let mut all: Vec<_> = self.body.iter().chain(more).collect();
        let turn = usize::from(*head) % all.len();
        all.rotate_left(turn);
        for (kind, codes) in all {
            match kind % 16 {
                0..5 => positive.push((CELL, terms(codes))),
                5..9 => positive.push((MOVE, terms(codes))),
                9..11 => positive.push((NEXT, terms(codes))),
                11..13 => positive.push((PAIR, terms(codes))),
                _ => others.push((*kind, terms(codes))),
            }
        }
        let head = match head % 3 {
            0 => [term(0), term(1)],
            1 => [term(0), Argument::Constant(1)],
            _ => [Argument::Constant(1), Argument::Constant(2)],
        };
        let head = Atom { predicate: CELL, arguments: head.to_vec().into() };
        let atom = |(predicate, arguments): (PredicateId, Vec<Argument>)| Atom {
            predicate,
            arguments: arguments.into(),
        };
        let mut body: Vec<Literal> =
            positive.into_iter().map(|it| Literal::Positive(atom(it))).collect();
        let is_bound = |argument: &Argument| {
            let mut bound = body.iter().flat_map(Literal::variables).chain(head.variables());
            argument.variable().is_none_or(|it| bound.any(|other| other == it))
        };
        others.retain(|it| it.1.iter().all(is_bound));
        let mut negated = Vec::new();
        for (kind, terms) in others {
            match kind / 16 % 4 {
                0 => body.push(Literal::Distinct(vec![terms[0]].into(), vec![terms[1]].into())),
                1 => body.push(Literal::Negative(atom((PAIR, terms)))),
                2 => negated.push(atom((CELL, terms))),
                _ => negated.push(atom((MOVE, terms))),
            }
        }
        (head, body, negated)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_repeats_is_stored_once(raw in raw(), many in 1..40u32) {
        raw.build(many).stored();
    }
}
