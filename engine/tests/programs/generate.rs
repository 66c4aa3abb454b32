//! Programs drawn at random: stratified and safe by construction, and small enough to shrink well.

use groundfrog_engine::instantiate::{StoredAtom, StoredLiteral, Template};
use groundfrog_engine::{Argument, Arguments, Atom, Literal, PredicateId, Program, Rule, Tables};
use proptest::collection::vec;
use proptest::prelude::*;

/// Constants are below this.
pub const CONSTANTS: u32 = 4;

/// Columns of the predicates, which come in this order; each may negate those of earlier levels.
const ARITIES: [usize; 9] = [2, 1, 3, 0, 2, 1, 3, 2, 0];

/// Predicates on the lowest level, which have facts only.
const GIVEN: usize = 3;

/// Level of a predicate: those of one level may depend on each other.
fn level(predicate: usize) -> usize {
    if predicate < GIVEN { 0 } else { 1 + (predicate - GIVEN) / 2 }
}

/// The numbers that a literal is made of.
#[derive(Clone, Debug)]
pub struct RawLiteral {
    kind: u8,
    predicate: u8,
    arguments: [u8; 4],
    stored: bool,
}

/// The numbers that a rule is made of.
#[derive(Clone, Debug)]
pub struct RawRule {
    head: u8,
    arguments: [u8; 4],
    body: Vec<RawLiteral>,
}

/// The numbers that a program is made of.
#[derive(Clone, Debug)]
pub struct RawProgram {
    facts: Vec<(u8, [u8; 3])>,
    rules: Vec<RawRule>,
}

/// Draws a program with its facts.
pub fn programs() -> impl Strategy<Value = RawProgram> {
    let literal = (any::<u8>(), any::<u8>(), any::<[u8; 4]>(), any::<bool>()).prop_map(
        |(kind, predicate, arguments, stored)| RawLiteral { kind, predicate, arguments, stored },
    );
    let rule = (any::<u8>(), any::<[u8; 4]>(), vec(literal, 0..5))
        .prop_map(|(head, arguments, body)| RawRule { head, arguments, body });
    (vec((any::<u8>(), any::<[u8; 3]>()), 0..40), vec(rule, 0..14))
        .prop_map(|(facts, rules)| RawProgram { facts, rules })
}

/// A variable or, one time in six, a constant.
fn free(code: u8) -> Argument {
    match code % 6 {
        0 => Argument::Constant(u32::from(code) / 6 % CONSTANTS),
        code => Argument::Variable(u32::from(code) - 1),
    }
}

/// A variable that is bound, or a constant.
fn known(code: u8, bound: &[u32]) -> Argument {
    let index = usize::from(code) % (bound.len() + 1);
    match bound.get(index) {
        Some(&variable) => Argument::Variable(variable),
        None => Argument::Constant(u32::from(code / 7) % CONSTANTS),
    }
}

/// A rule in two parts: what is joined, and what is stored for each answer.
pub struct Drawn {
    pub program: Program,
    pub facts: Tables,
    pub templates: Vec<Template>,
}

impl RawProgram {
    /// The program with stratified negation.
    pub fn build(&self) -> (Program, Tables) {
        let mut program = predicates();
        for (label, raw) in self.rules.iter().enumerate() {
            let (head, body) = raw.build();
            let body = body.into_iter().map(|(literal, _)| literal).collect();
            program.add_rule(Rule { head, body, label: label as u32 });
        }
        let facts = self.facts(&program);
        (program, facts)
    }

    /// The program with some of the negated literals left out of the joins, as those that change from
    /// state to state are, and templates that store these and some of the positive ones.
    pub fn build_templates(&self) -> Drawn {
        let mut program = predicates();
        let mut templates = Vec::new();
        for (label, raw) in self.rules.iter().enumerate() {
            let (head, literals) = raw.build();
            let (mut joined, mut body) = (Vec::new(), Vec::<StoredLiteral>::new());
            for (literal, stored) in literals {
                let (atom, negated) = match &literal {
                    Literal::Positive(atom) => (atom, false),
                    Literal::Negative(atom) if stored => (atom, true),
                    _ => {
                        joined.push(literal);
                        continue;
                    }
                };
                let atom = stored_atom(atom, body.len() % 2 == 1);
                let source = (!negated).then_some(joined.len());
                let new = StoredLiteral { atom, negated, source };
                let known = body.iter().any(|it| it.atom == new.atom && it.negated == negated);
                if stored && !known {
                    body.push(new);
                }
                if !negated {
                    joined.push(literal);
                }
            }
            let rule = Rule { head, body: joined, label: label as u32 };
            templates.push(Template {
                head: stored_atom(&rule.head, label % 2 == 1),
                rule: rule.clone(),
                body,
            });
            program.add_rule(rule);
        }
        let facts = self.facts(&program);
        Drawn { program, facts, templates }
    }

    fn facts(&self, program: &Program) -> Tables {
        let mut tables = Tables::new(program);
        for (predicate, arguments) in &self.facts {
            // Most facts are about the predicates that have nothing else.
            let count = if *predicate < 192 { GIVEN } else { ARITIES.len() };
            let predicate = usize::from(*predicate) % count;
            let tuple: Vec<u32> = arguments[..ARITIES[predicate]]
                .iter()
                .map(|&code| u32::from(code) % CONSTANTS)
                .collect();
            tables.insert(PredicateId(predicate as u32), &tuple);
        }
        tables
    }
}

fn predicates() -> Program {
    let mut program = Program::default();
    for (index, &arity) in ARITIES.iter().enumerate() {
        program.add_predicate(format!("p{index}"), arity);
    }
    program
}

/// The atom in the first or the second space of its predicate.
fn stored_atom(atom: &Atom, second: bool) -> StoredAtom {
    let space = atom.predicate.0 + if second { ARITIES.len() as u32 } else { 0 };
    StoredAtom { space, arguments: atom.arguments.clone() }
}

impl RawRule {
    /// Head and literals, each with whether it is stored.
    fn build(&self) -> (Atom, Vec<(Literal, bool)>) {
        let head = GIVEN + usize::from(self.head) % (ARITIES.len() - GIVEN);
        let below = |bound: usize| (0..ARITIES.len()).filter(|&it| level(it) < bound).count();
        let atom = |predicate: usize, arguments: Arguments| Atom {
            predicate: PredicateId(predicate as u32),
            arguments,
        };
        let choose = |raw: &RawLiteral, count: usize| usize::from(raw.predicate) % count;
        // Positive literals first: they bind what the others may use.
        let positive: Vec<Option<Atom>> = self
            .body
            .iter()
            .map(|raw| {
                let predicate = choose(raw, below(level(head) + 1));
                let arguments = raw.arguments.iter().take(ARITIES[predicate]);
                (raw.kind % 16 < 11)
                    .then(|| atom(predicate, arguments.map(|&it| free(it)).collect()))
            })
            .collect();
        let mut bound: Vec<u32> = positive.iter().flatten().flat_map(Atom::variables).collect();
        bound.sort_unstable();
        bound.dedup();
        let literals = self.body.iter().zip(positive).map(|(raw, positive)| {
            let known: Vec<Argument> = raw.arguments.iter().map(|&it| known(it, &bound)).collect();
            let literal = match (positive, raw.kind % 16) {
                (Some(atom), _) => Literal::Positive(atom),
                (None, 11..14) => {
                    let predicate = choose(raw, below(level(head)));
                    Literal::Negative(atom(predicate, known[..ARITIES[predicate]].into()))
                }
                (None, _) if raw.kind >= 128 => {
                    Literal::Distinct(vec![known[0]].into(), vec![known[1]].into())
                }
                (None, _) => Literal::Distinct(known[..2].into(), known[2..].into()),
            };
            (literal, raw.stored)
        });
        let arguments = self.arguments.iter().take(ARITIES[head]).map(|&it| known(it, &bound));
        (atom(head, arguments.collect()), literals.collect())
    }
}
