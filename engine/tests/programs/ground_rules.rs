//! Programs of thousands of rules without variables: a fact is joined with the rules that it concerns.

use groundfrog_engine::observe::{EvaluationStatistics, Silent};
use groundfrog_engine::{
    Argument, Arguments, Atom, Budget, Literal, PredicateId, Program, Tables, fixpoint, naive,
};

use super::support::{atom, complete, rule, sets, yes};

/// Constants of random programs are below this: few enough that rules apply, enough that they do not derive everything.
const CONSTANTS: u32 = 16;

/// Numbers drawn at random.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % end
    }
}

fn evaluate(program: &Program, facts: impl Fn(&mut Tables)) -> (Tables, EvaluationStatistics) {
    let mut tables = Tables::new(program);
    facts(&mut tables);
    let counts = fixpoint::evaluate(program, &mut tables, &Budget::unlimited(), &mut Silent);
    (tables, counts.expect("there is no limit"))
}

#[test]
fn each_fact_is_joined_with_its_rule_alone() {
    let count = 3000;
    let mut program = Program::default();
    let step = program.add_predicate("step", 2);
    let views: Vec<PredicateId> =
        (0..count).map(|it| program.add_predicate(format!("view {it}"), 0)).collect();
    for (number, &view) in views.iter().enumerate() {
        // The first column is the same in all of them.
        rule(&mut program, atom(view, ""), vec![yes(step, &format!("7 {number}"))]);
        rule(&mut program, atom(step, &format!("7 {}", number + 1)), vec![yes(view, "")]);
    }
    let (tables, statistics) = evaluate(&program, |tables| _ = tables.insert(step, &[7, 0]));
    assert_eq!(tables[step].len(), count + 1);
    assert!(views.iter().all(|&view| tables[view].len() == 1));
    assert!(statistics.matches < 20 * count as u64, "{} rows looked at", statistics.matches);
}

/// A random program in which most literals of a recursive component are about constants, some about variables, so that
/// facts meet others of their own predicate.
fn random(draw: &mut Draw) -> (Program, Vec<PredicateId>) {
    let mut program = Program::default();
    let predicates: Vec<PredicateId> =
        [1, 2, 2, 3].map(|arity| program.add_predicate(format!("p{arity}"), arity)).to_vec();
    let arities = [1, 2, 2, 3];
    let share = [0, 4, 40][draw.below(3) as usize];
    for _ in 0..400 {
        let with_variables = draw.below(100) < share;
        let literal = |draw: &mut Draw| -> Atom {
            let which = draw.below(4) as usize;
            let mut argument = || match with_variables && draw.below(2) == 0 {
                true => Argument::Variable(draw.below(3)),
                false => Argument::Constant(draw.below(CONSTANTS)),
            };
            let arguments: Arguments = (0..arities[which]).map(|_| argument()).collect();
            Atom { predicate: predicates[which], arguments }
        };
        let body: Vec<Atom> = (0..=draw.below(2)).map(|_| literal(draw)).collect();
        let mut head = literal(draw);
        let bound = |it: &Argument| body.iter().any(|atom| atom.arguments.contains(it));
        for argument in &mut head.arguments {
            if argument.variable().is_some() && !bound(argument) {
                *argument = Argument::Constant(3);
            }
        }
        rule(&mut program, head, body.into_iter().map(Literal::Positive).collect());
    }
    (program, predicates)
}

#[test]
fn random_programs_have_the_same_tables() {
    let mut derived = 0;
    for seed in 0..60 {
        let mut draw = Draw(seed);
        let (program, predicates) = random(&mut draw);
        let mut facts = Tables::new(&program);
        for _ in 0..6 {
            let row: Vec<u32> = (0..3).map(|_| draw.below(CONSTANTS)).collect();
            for (&predicate, arity) in predicates.iter().zip([1, 2, 2, 3]) {
                facts.insert(predicate, &row[..arity]);
            }
        }
        let given: usize = facts.iter().map(|(_, table)| table.len()).sum();
        let found = complete(fixpoint::evaluate, &program, &facts);
        let expected = complete(naive::evaluate, &program, &facts);
        assert_eq!(sets(&found), sets(&expected), "seed {seed}");
        derived += expected.iter().map(|(_, table)| table.len()).sum::<usize>() - given;
    }
    assert!(derived > 1000, "{derived} facts are derived");
}
