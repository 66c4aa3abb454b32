//! Ground rules of joins that are large enough for what only large ones are worth: look-ups in two halves,
//! instances left out by symmetry, literals left out.

use std::collections::{BTreeMap, BTreeSet};

use groundfrog_engine::instantiate::{
    GroundLiteral, Instantiation, Request, StoredAtom, StoredLiteral, Template, instantiate,
};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{
    Atom, Budget, Constant, Literal, PredicateId, Program, Rule, Tables, naive,
};

use crate::support::{atom, distinct, no, request, spaces, spell, yes};

/// A program of tables alone, and one template.
struct Join {
    program: Program,
    tables: Tables,
    template: Template,
}

impl Join {
    /// `head` and `stored` are literals of the body by position, or atoms that are negated there.
    fn new(
        relations: &[(&str, usize, Vec<Vec<Constant>>)],
        head: Atom,
        body: Vec<Literal>,
        stored: &[usize],
        negated: &[Atom],
    ) -> Self {
        let mut program = Program::default();
        let ids: Vec<PredicateId> =
            relations.iter().map(|(name, arity, _)| program.add_predicate(*name, *arity)).collect();
        let mut tables = Tables::new(&program);
        for (id, (_, _, rows)) in ids.iter().zip(relations) {
            rows.iter().for_each(|row| _ = tables.insert(*id, row));
        }
        let in_space =
            |it: &Atom| StoredAtom { space: it.predicate.0, arguments: it.arguments.clone() };
        let positive = stored.iter().map(|&source| match &body[source] {
            Literal::Positive(it) => {
                StoredLiteral { atom: in_space(it), negated: false, source: Some(source) }
            }
            _ => panic!("only positive literals are stored by position"),
        });
        let negative = negated.iter().map(|atom| StoredLiteral {
            atom: in_space(atom),
            negated: true,
            source: None,
        });
        let template = Template {
            head: in_space(&head),
            body: positive.chain(negative).collect(),
            rule: Rule::new(head, body),
        };
        Join { program, tables, template }
    }

    fn run(&self, threads: usize, drop_extra: bool) -> Instantiation {
        let spaces = spaces(&self.tables);
        let request = self.request(&spaces, threads);
        instantiate(&Request { drop_extra, ..request }, &Budget::unlimited(), &mut Silent)
            .expect("no limits")
    }

    fn request<'run>(
        &'run self,
        spaces: &'run (Vec<groundfrog_engine::instantiate::AtomSpace>, u32),
        threads: usize,
    ) -> Request<'run> {
        let templates = std::slice::from_ref(&self.template);
        request(&self.program, &self.tables, spaces, templates, threads)
    }

    /// Rules and instances found; they are those of the textbook, on one thread and on two.
    fn stored(&self) -> (usize, u64) {
        let spaces = spaces(&self.tables);
        let (one, two) = (self.run(1, false), self.run(2, false));
        assert_eq!(one.rules, two.rules);
        let textbook = self.textbook();
        let request = self.request(&spaces, 1);
        assert_eq!(spell(&request, &one), spell(&request, &textbook));
        (one.rules.len(), one.answers)
    }

    fn textbook(&self) -> Instantiation {
        let spaces = spaces(&self.tables);
        naive::instantiate(&self.request(&spaces, 1), &Budget::unlimited(), &mut Silent)
            .expect("no limits")
    }
}

/// All tuples of numbers below these bounds, each times the factor.
fn product(bounds: &[u32], factor: u32) -> Vec<Vec<Constant>> {
    let mut rows = vec![Vec::new()];
    for &bound in bounds {
        let longer =
            |row: Vec<u32>| (0..bound).map(move |it| [row.as_slice(), &[it * factor]].concat());
        rows = rows.into_iter().flat_map(longer).collect();
    }
    rows
}

/// `p(A) <- at(A, B), at(A, C), at(A, D), conditions`, with two or three of the literals.
fn exchange(literals: usize, conditions: Vec<Literal>) -> (usize, u64) {
    let (p, at) = (PredicateId(0), PredicateId(1));
    let mut body: Vec<Literal> =
        ["a b", "a c", "a d"][..literals].iter().map(|it| yes(at, it)).collect();
    body.extend(conditions);
    let odd = (0..14).filter(|it| it % 2 == 1).map(|it| vec![it]).collect();
    let less: Vec<Vec<u32>> =
        product(&[14, 14], 1).into_iter().filter(|it| it[0] < it[1]).collect();
    let relations = [
        ("p", 1, product(&[40], 1)),
        ("at", 2, product(&[40, 14], 1)),
        ("odd", 1, odd),
        ("less", 2, less),
    ];
    let sources: Vec<usize> = (0..literals).collect();
    Join::new(&relations, atom(p, "a"), body, &sources, &[]).stored()
}

#[test]
fn literals_that_can_change_places_give_each_rule_once() {
    let all_differ = || vec![distinct("b", "c"), distinct("d", "b"), distinct("c", "d")];
    assert_eq!(exchange(2, vec![distinct("b", "c")]).0, 40 * 91);
    assert_eq!(exchange(3, all_differ()).0, 40 * 364);
    // Only two of the three can change places.
    let (odd, less) = (PredicateId(2), PredicateId(3));
    let with = |more: &[Literal]| [&all_differ(), more].concat();
    assert_eq!(exchange(3, with(&[yes(less, "b d"), yes(less, "b c")])).0, 40 * 364);
    assert_eq!(exchange(3, with(&[no(odd, "d")])).0, 40 * (364 - 35));
    // Nothing can, or only with other conditions: then repeated rules have to be looked for.
    assert_eq!(exchange(2, vec![yes(less, "b c")]), (40 * 91, 40 * 91));
    assert_eq!(exchange(2, vec![distinct("b", "c"), yes(odd, "b")]).0, 40 * (91 - 21));
}

/// `p(A) <- at(A, B)`, where the table of `p` has half of what that derives, as a rule that was rewritten may.
#[test]
fn what_is_derived_beyond_a_table_is_not_stored() {
    let (p, at) = (PredicateId(0), PredicateId(1));
    let relations = [("p", 1, product(&[20], 2)), ("at", 2, product(&[40, 14], 1))];
    let stored = Join::new(&relations, atom(p, "a"), vec![yes(at, "a b")], &[0], &[]).stored();
    assert_eq!(stored, (20 * 14, 20 * 14));
}

/// `p(A, B) <- step(A, C), cell(B, D), allowed(A, B), not barred(C, D)`, and stored with it that nothing
/// captures. The factor says how far the constants are apart.
fn frames(factor: u32) -> Join {
    let (p, step, cell, allowed) = (PredicateId(0), PredicateId(1), PredicateId(2), PredicateId(3));
    let (barred, captures) = (PredicateId(4), PredicateId(5));
    let some = |bounds: &[u32], every: u32| -> Vec<Vec<u32>> {
        let keep = |row: &Vec<u32>| !(row.iter().sum::<u32>() / factor).is_multiple_of(every);
        product(bounds, factor).into_iter().filter(keep).collect()
    };
    let sparse = product(&[20, 20], factor).into_iter().map(|row| {
        vec![row[0], row[0] / 2 / factor * factor, row[1], row[1] / 3 / factor * factor]
    });
    let relations = [
        ("p", 2, product(&[20, 20], factor)),
        ("step", 2, some(&[20, 12], 3)),
        ("cell", 2, some(&[20, 9], 4)),
        ("allowed", 2, some(&[20, 20], 5)),
        ("barred", 2, some(&[12, 9], 2)),
        ("captures", 4, sparse.collect()),
    ];
    let body = vec![
        yes(step, "a c"),
        yes(cell, "b d"),
        yes(allowed, "a b"),
        no(barred, "c d"),
        distinct("a", "b"),
    ];
    let negated = [atom(captures, "a c b d")];
    Join::new(&relations, atom(p, "a b"), body, &[0, 1], &negated)
}

#[test]
fn look_ups_in_two_halves_find_what_whole_ones_find() {
    for factor in [1, 100_000] {
        let (rules, _) = frames(factor).stored();
        assert!(rules > 4000, "{rules}");
    }
}

#[test]
fn literals_that_are_left_out_are_those_about_atoms_in_no_table() {
    let join = frames(1);
    let (_, first_extra) = spaces(&join.tables);
    let is_kept = |it: &GroundLiteral| it.atom() < first_extra;
    let expected: BTreeSet<(u32, Vec<GroundLiteral>)> = join
        .textbook()
        .rules
        .iter()
        .map(|rule| (rule.head, rule.body.iter().copied().filter(is_kept).collect()))
        .collect();
    for threads in [1, 2] {
        let done = join.run(threads, true);
        assert!(done.extra.is_empty());
        let mut stored: BTreeMap<(u32, Vec<GroundLiteral>), usize> = BTreeMap::new();
        for rule in done.rules.iter() {
            let mut body = rule.body.to_vec();
            body.sort_unstable();
            *stored.entry((rule.head, body)).or_default() += 1;
        }
        let repeated = stored.iter().filter(|(_, count)| **count > 1);
        assert!(repeated.into_iter().all(|((head, _), _)| done.shortened.contains(*head)));
        assert_eq!(stored.into_keys().collect::<BTreeSet<_>>(), expected);
    }
}

/// `p(A, B, C, D) <- bit(A), bit(B), bit(C), bit(D), q(A, B, C, D, 0), q(A, B, C, D, 1)`, of which the atoms of q
/// are stored.
#[test]
fn rows_of_stored_atoms_are_found_step_by_step() {
    let (p, bit, q) = (PredicateId(0), PredicateId(1), PredicateId(2));
    for factor in [1, 100_000] {
        let keep = |row: &Vec<u32>| row.iter().sum::<u32>() / factor % 7 != 3;
        let relations = [
            ("p", 4, product(&[8, 8, 8, 8], factor)),
            ("bit", 1, product(&[8], factor)),
            ("q", 5, product(&[8, 8, 8, 8, 3], factor).into_iter().filter(keep).collect()),
        ];
        let with = |last: u32| {
            let mut it = atom(q, "a b c d");
            it.arguments.push(groundfrog_engine::Argument::Constant(last * factor));
            Literal::Positive(it)
        };
        let mut body: Vec<Literal> = ["a", "b", "c", "d"].iter().map(|it| yes(bit, it)).collect();
        body.extend([with(0), with(1)]);
        let sums = product(&[8, 8, 8, 8], 1).into_iter().map(|row| row.iter().sum::<u32>() % 7);
        let expected = sums.filter(|it| ![2, 3].contains(it)).count();
        let join = Join::new(&relations, atom(p, "a b c d"), body, &[4, 5], &[]);
        assert_eq!(join.stored(), (expected, expected as u64));
    }
}

/// `p(A, D) <- at(A, B), succ(B, C), succ(C, D), distinct(A, D)`, and stored with it that nothing blocks.
#[test]
fn steps_with_one_row_follow_one_with_many() {
    let (p, at, succ, blocks) = (PredicateId(0), PredicateId(1), PredicateId(2), PredicateId(3));
    for factor in [1, 100_000] {
        let is_even = |row: &Vec<u32>| (row.iter().sum::<u32>() / factor).is_multiple_of(2);
        let relations = [
            ("p", 2, product(&[20, 20], factor)),
            ("at", 2, product(&[20, 15], factor)),
            ("succ", 2, (0..3000).map(|it| vec![it * factor, (it + 1) * factor]).collect()),
            ("blocks", 2, product(&[20, 20], factor).into_iter().filter(is_even).collect()),
        ];
        let body = vec![yes(at, "a b"), yes(succ, "b c"), yes(succ, "c d"), distinct("a", "d")];
        let join = Join::new(&relations, atom(p, "a d"), body, &[0, 2], &[atom(blocks, "a c")]);
        // Each of 15 cells leads to one that one of 20 is the same as.
        assert_eq!(join.stored(), (15 * 19, 15 * 19));
    }
}

/// `p(A) <- at(A, B), odd(B)`, and stored with it that B is not odd.
#[test]
fn a_condition_whose_negation_is_stored_is_still_one() {
    let (p, at, odd) = (PredicateId(0), PredicateId(1), PredicateId(2));
    let relations = [
        ("p", 1, product(&[30], 1)),
        ("at", 2, product(&[30, 12], 1)),
        ("odd", 1, (0..3000).map(|it| vec![2 * it + 1]).collect()),
    ];
    let body = vec![yes(at, "a b"), yes(odd, "b")];
    let join = Join::new(&relations, atom(p, "a"), body, &[], &[atom(odd, "b")]);
    assert_eq!(join.stored(), (30 * 6, 30 * 6));
}

/// `p(A, E) <- at(A, B), step(B, C), step(C, D), succ(D, E), distinct(A, C)`, and stored with it that nothing blocks: steps
/// with three rows each, which are taken in blocks together.
#[test]
fn steps_with_a_few_rows_follow_each_other() {
    let (p, at, step, succ) = (PredicateId(0), PredicateId(1), PredicateId(2), PredicateId(3));
    let blocks = PredicateId(4);
    // Numbers that are far apart are looked up by hashes.
    for factor in [1, 100_000] {
        let steps = |from: u32| (1..4).map(move |by| vec![from * factor, (from + by) * factor]);
        let is_even = |row: &Vec<u32>| (row.iter().sum::<u32>() / factor).is_multiple_of(2);
        let relations = [
            ("p", 2, product(&[9, 60], factor)),
            ("at", 2, product(&[9, 40], factor)),
            ("step", 2, (0..60).flat_map(steps).collect()),
            ("succ", 2, (0..50).map(|it| vec![it * factor, (it + 1) * factor]).collect()),
            ("blocks", 2, product(&[9, 44], factor).into_iter().filter(is_even).collect()),
        ];
        let body = vec![
            yes(at, "a b"),
            yes(step, "b c"),
            yes(step, "c d"),
            yes(succ, "d e"),
            distinct("a", "c"),
        ];
        let negated = [atom(blocks, "a c"), atom(blocks, "a d")];
        let join = Join::new(&relations, atom(p, "a e"), body, &[0, 2], &negated);
        let places = product(&[9, 40, 3, 3], 1);
        let expected = places.iter().filter(|it| it[0] != it[1] + it[2] + 1).count();
        assert_eq!(join.stored(), (expected, expected as u64));
        // What is in no table is left out, and the rule is one of those that are shorter for it.
        let (residual, all) = (join.run(1, true), join.run(1, false));
        assert_eq!(residual.rules, join.run(2, true).rules);
        let first_extra = spaces(&join.tables).1;
        let kept = |it: &&GroundLiteral| it.atom() < first_extra;
        let bodies = |done: &Instantiation| -> Vec<(u32, Vec<GroundLiteral>)> {
            let rules = done.rules.iter();
            rules.map(|it| (it.head, it.body.iter().filter(kept).copied().collect())).collect()
        };
        assert_eq!(bodies(&residual), bodies(&all));
        assert!(residual.rules.literals().iter().all(|it| it.atom() < first_extra));
        assert!(all.extra.len() > 40, "{} atoms are in no table", all.extra.len());
    }
}

/// `p(X, Y, V) <- move(M, A, B), across(X), up(Y), at(X, Y, V), distinct(X, M)`, stored with it that the move does not capture
/// there: it captures nothing, in some places, or in many, which is found out once for all places.
#[test]
fn what_is_known_before_a_block_is_looked_up_once() {
    let [p, moves, across, up] = [0, 1, 2, 3].map(PredicateId);
    let (at, captures, blocks) = (PredicateId(4), PredicateId(5), PredicateId(6));
    let in_places = |(of, places): (u32, u32)| {
        let places = product(&[8, 9], 1).into_iter().skip(20).take(places as usize);
        places.map(move |it| vec![of, it[0], of * 7, it[1], of + 3])
    };
    let captured: Vec<_> =
        [(1, 1), (2, 2), (4, 12), (9, 1), (10, 3)].into_iter().flat_map(in_places).collect();
    for factor in [1, 100_000] {
        let scaled = |rows: &[Vec<u32>]| -> Vec<Vec<u32>> {
            rows.iter().map(|row| row.iter().map(|it| it * factor).collect()).collect()
        };
        let of_move = |it: u32| vec![it, it * 7, it + 3];
        let relations = [
            ("p", 3, product(&[8, 9, 2], factor)),
            ("move", 3, scaled(&(0..5).map(of_move).collect::<Vec<_>>())),
            ("across", 1, product(&[8], factor)),
            ("up", 1, product(&[9], factor)),
            ("at", 3, product(&[8, 9, 2], factor)),
            ("captures", 5, scaled(&captured)),
            ("blocks", 2, scaled(&[vec![3, 5], vec![7, 1]])),
        ];
        let body = vec![
            yes(moves, "m a b"),
            yes(across, "x"),
            yes(up, "y"),
            yes(at, "x y v"),
            distinct("x", "m"),
        ];
        let negated = [atom(captures, "m x a y b"), atom(blocks, "m y")];
        let join = Join::new(&relations, atom(p, "x y v"), body, &[0, 3], &negated);
        let expected = 5 * 7 * 9 * 2;
        assert_eq!(join.stored(), (expected, expected as u64));
        // Atoms in no table are numbered in the order of the rules.
        let (all, first_extra) = (join.run(1, false), spaces(&join.tables).1);
        let extra = all.rules.literals().iter().map(|it| it.atom()).filter(|&it| it >= first_extra);
        let new = extra.fold(first_extra, |next, it| {
            assert!(it <= next, "{it} comes before {next}");
            next.max(it + 1)
        });
        assert_eq!((new - first_extra) as usize, all.extra.len());
        let missing = 5 * 7 * 9 - captured.iter().filter(|it| it[0] < 5 && it[1] != it[0]).count();
        assert_eq!(all.extra.len(), missing + 5 * 9 - 1);
    }
}

/// `p(X, Y) <- move(M, A, B), across(X), up(Y), at(X, Y, V)`, stored with it that the move does not capture what is there: the
/// atoms that are in no table follow from the rows of two steps, and are needed once for each of two values of `B`.
#[test]
fn numbers_of_atoms_in_no_table_are_found_again() {
    let [p, moves, across, up] = [0, 1, 2, 3].map(PredicateId);
    let (at, captures) = (PredicateId(4), PredicateId(5));
    let is_captured = |row: &Vec<u32>| row.iter().sum::<u32>().is_multiple_of(5);
    let captured = || product(&[3, 8, 9, 2], 1).into_iter().filter(is_captured);
    for factor in [1, 100_000] {
        let scaled = |row: Vec<u32>| row.iter().map(|it| it * factor).collect();
        let relations = [
            ("p", 2, product(&[8, 9], factor)),
            ("move", 3, product(&[3, 2, 2], factor)),
            ("across", 1, product(&[8], factor)),
            ("up", 1, product(&[9], factor)),
            ("at", 3, product(&[8, 9, 2], factor)),
            ("captures", 4, captured().map(scaled).collect()),
        ];
        let body = vec![yes(moves, "m a b"), yes(across, "x"), yes(up, "y"), yes(at, "x y v")];
        let negated = [atom(captures, "m x y v")];
        let join = Join::new(&relations, atom(p, "x y"), body, &[0, 3], &negated);
        let expected = 12 * 8 * 9 * 2;
        assert_eq!(join.stored(), (expected, expected as u64));
        assert_eq!(join.run(1, false).extra.len(), 3 * 8 * 9 * 2 - captured().count());
    }
}
