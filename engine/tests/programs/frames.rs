//! Templates that store the same rules under different conditions, as frame rules do.

use groundfrog_engine::instantiate::{StoredAtom, StoredLiteral, Template};
use groundfrog_engine::{Atom, Literal, PredicateId, Program, Rule, Tables};
use proptest::prelude::*;

use super::support::{atom, distinct, no, stored_as_in_the_textbook, yes};

/// `next(a b) <- cell(a b), move(c d)` with some more conditions: a cell stays as it is.
struct Frames {
    program: Program,
    tables: Tables,
    templates: Vec<Template>,
}

/// The conditions to draw from, over the variables `a b c d` and, in one, an inner `e`.
fn condition(kind: u8, wall: PredicateId) -> Literal {
    match kind {
        0 => distinct("a", "c"),
        1 => distinct("b", "d"),
        2 => distinct("a", "2"),
        3 => distinct("a", "b"),
        4 => distinct("a b", "c d"),
        5 => yes(wall, "a c"),
        6 => no(wall, "b d"),
        7 => yes(wall, "b 1"),
        8 => distinct("1", "2"),
        _ => yes(wall, "d e"),
    }
}

impl Frames {
    fn new(cells: &[[u32; 2]], moves: &[[u32; 2]], walls: &[[u32; 2]], rules: &[Vec<u8>]) -> Self {
        let mut program = Program::default();
        let [cell, step, wall] =
            ["cell", "move", "wall"].map(|name| program.add_predicate(name, 2));
        let mut tables = Tables::new(&program);
        for (predicate, rows) in [(cell, cells), (step, moves), (wall, walls)] {
            for row in rows {
                tables.insert(predicate, row);
            }
        }
        // The first space of a predicate has its number; cells are numbered a second time, as heads.
        let stored = |space: u32, it: &Atom| StoredAtom { space, arguments: it.arguments.clone() };
        let (head, moved) = (atom(cell, "a b"), atom(step, "c d"));
        let template = |(label, conditions): (usize, &Vec<u8>)| {
            let mut body = vec![Literal::Positive(head.clone()), Literal::Positive(moved.clone())];
            body.extend(conditions.iter().map(|&kind| condition(kind, wall)));
            let literal = |source, space, it: &Atom| StoredLiteral {
                atom: stored(space, it),
                negated: false,
                source: Some(source),
            };
            Template {
                rule: Rule { label: label as u32, ..Rule::new(head.clone(), body) },
                head: stored(3 + cell.0, &head),
                body: vec![literal(0, cell.0, &head), literal(1, step.0, &moved)],
            }
        };
        let templates = rules.iter().enumerate().map(template).collect();
        Frames { program, tables, templates }
    }

    /// Rules stored and instances found; they are those of the textbook, on one thread and on two.
    fn stored(&self) -> (usize, u64) {
        stored_as_in_the_textbook(&self.program, &self.tables, &self.templates)
    }
}

fn square(side: u32) -> Vec<[u32; 2]> {
    (1..=side).flat_map(|x| (1..=side).map(move |y| [x, y])).collect()
}

#[test]
fn rules_for_each_coordinate_do_not_repeat_each_other() {
    let board = square(5);
    let (rules, answers) = Frames::new(&board, &board, &[], &[vec![0], vec![1]]).stored();
    // All pairs of a cell and a move elsewhere.
    assert_eq!((rules, answers), (25 * 24, 25 * 24));
    let (rules, answers) =
        Frames::new(&board, &board, &[], &[vec![0], vec![1], vec![2], vec![]]).stored();
    assert_eq!((rules, answers), (25 * 25, 25 * 25));
}

fn rows() -> impl Strategy<Value = Vec<[u32; 2]>> {
    proptest::collection::vec([1..4u32, 1..4u32], 0..9)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_conditions_store_what_the_textbook_stores(
        cells in rows(),
        moves in rows(),
        walls in rows(),
        rules in proptest::collection::vec(proptest::collection::vec(0..10u8, 0..4), 1..6),
    ) {
        Frames::new(&cells, &moves, &walls, &rules).stored();
    }
}
