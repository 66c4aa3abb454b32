//! The textbook evaluator: every rule against every tuple, again and again until nothing is new.
//!
//! No indexes, no join order, no semi-naive rounds. It is slow and simple on purpose: the other
//! evaluators are tested against it, and users can compare with it.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::budget::{Budget, CHECK_INTERVAL};
use crate::error::{EngineError, Exceeded};
use crate::instantiate::{Instantiation, Request, StoredAtom};
use crate::observe::{EvaluationStatistics, Observer};
use crate::program::{Argument, Constant, Literal, Program, Rule};
use crate::rule_store::GroundLiteral;
use crate::strata;
use crate::table::Tables;

/// Completes the tables of a program, as [`crate::fixpoint::evaluate`] does.
///
/// # Errors
/// As [`crate::fixpoint::evaluate`].
pub fn evaluate(
    program: &Program,
    tables: &mut Tables,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<EvaluationStatistics, EngineError> {
    let mut counts = EvaluationStatistics::default();
    let clock = Clock::new(budget);
    for component in strata::components(program)? {
        counts.components += 1;
        loop {
            let mut new = BTreeSet::new();
            clock.bytes.set(tables.bytes());
            for &rule in &component.rules {
                let rule = &program.rules()[rule];
                let mut derive = |bindings: &[Constant]| {
                    let tuple = instance(&rule.head.arguments, bindings);
                    if !tables[rule.head.predicate].contains(&tuple) {
                        let bytes = entry_bytes(tuple.len());
                        if new.insert((rule.head.predicate, tuple)) {
                            clock.bytes.set(clock.bytes.get() + bytes);
                        }
                    }
                };
                let mut search =
                    NaiveSearch { rule, tables, clock: &clock, matches: &mut counts.matches };
                search.all(&mut derive).map_err(|exceeded| {
                    let count = tables[rule.head.predicate].len() as u64;
                    locate(exceeded, rule, &program[rule.head.predicate].name, count)
                })?;
            }
            if new.is_empty() {
                break;
            }
            counts.rounds += 1;
            observer.round(new.len());
            for (predicate, tuple) in new {
                tables.insert(predicate, &tuple);
            }
        }
    }
    counts.tuples = tables.tuple_count();
    Ok(counts)
}

/// Stores every instance of every template, as [`crate::instantiate::instantiate`] does. The rules of a
/// template come sorted. No literal is left out.
///
/// # Errors
/// As [`crate::instantiate::instantiate`].
pub fn instantiate(
    request: &Request<'_>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Instantiation, EngineError> {
    let clock = Clock::new(budget);
    clock.bytes.set(request.tables.bytes());
    let mut done = Instantiation::new(request);
    let mut seen: BTreeSet<(u32, Vec<GroundLiteral>)> = BTreeSet::new();
    for (position, template) in request.templates.iter().enumerate() {
        let before = seen.len();
        let mut new = BTreeSet::new();
        let (answers, extra) = (&mut done.answers, &mut done.extra);
        let mut store = |bindings: &[Constant]| {
            // What a rewritten rule derives beyond the tables needs what cannot be together, as two moves of a role.
            let (head, own) = (&template.head, request.spaces[template.head.space as usize]);
            if request.tables[own.predicate].find(&instance(&head.arguments, bindings)).is_none() {
                return;
            }
            *answers += 1;
            let mut number = |atom: &StoredAtom| {
                let space = request.spaces[atom.space as usize];
                let tuple = instance(&atom.arguments, bindings);
                match request.tables[space.predicate].find(&tuple) {
                    Some(row) => space.start + row,
                    None => request.first_extra + extra.intern(atom.space, &tuple),
                }
            };
            let head = number(&template.head);
            let body: BTreeSet<GroundLiteral> = template
                .body
                .iter()
                .map(|literal| GroundLiteral::new(number(&literal.atom), literal.negated))
                .collect();
            let rule = (head, body.into_iter().collect());
            if seen.insert(rule.clone()) {
                // It is kept three times: to know it again, to sort it, and in the result.
                clock.bytes.set(clock.bytes.get() + 3 * entry_bytes(rule.1.len()));
                clock.rules.set(clock.rules.get() + 1);
                new.insert(rule);
            }
        };
        let rule = &template.rule;
        let mut matches = 0;
        let mut search =
            NaiveSearch { rule, tables: request.tables, clock: &clock, matches: &mut matches };
        let outcome = search.all(&mut store).and_then(|()| clock.check());
        let stored = (seen.len() - before) as u64;
        let name = &request.program[request.spaces[template.head.space as usize].predicate].name;
        outcome.map_err(|exceeded| locate(exceeded, rule, name, stored))?;
        for (head, body) in new {
            done.rules.push(head, &body);
        }
        observer.instantiated(position + 1, request.templates.len(), done.rules.len());
    }
    Ok(done)
}

fn locate(mut exceeded: Exceeded, rule: &Rule, predicate: &str, count: u64) -> EngineError {
    exceeded.rule = Some(rule.label);
    exceeded.predicate = Some(predicate.to_owned());
    exceeded.count = count;
    exceeded.into()
}

fn value(argument: Argument, bindings: &[Constant]) -> Constant {
    match argument {
        Argument::Constant(constant) => constant,
        Argument::Variable(variable) => bindings[variable as usize],
    }
}

fn instance(arguments: &[Argument], bindings: &[Constant]) -> Vec<Constant> {
    arguments.iter().map(|&argument| value(argument, bindings)).collect()
}

/// Bytes of a tuple, or of a body, in a tree: its numbers, and what holds them.
fn entry_bytes(length: usize) -> u64 {
    (length * size_of::<Constant>() + 64) as u64
}

/// Checks the budget now and then.
struct Clock<'run> {
    budget: &'run Budget,
    until_check: Cell<u32>,
    /// In use, about.
    bytes: Cell<u64>,
    /// Ground rules stored.
    rules: Cell<u64>,
}

impl<'run> Clock<'run> {
    fn new(budget: &'run Budget) -> Self {
        Clock { budget, until_check: Cell::new(0), bytes: Cell::new(0), rules: Cell::new(0) }
    }

    fn check(&self) -> Result<(), Exceeded> {
        self.budget.check(self.bytes.get(), self.rules.get())
    }

    fn tick(&self) -> Result<(), Exceeded> {
        match self.until_check.get() {
            0 => {
                self.until_check.set(CHECK_INTERVAL);
                self.check()
            }
            left => {
                self.until_check.set(left - 1);
                Ok(())
            }
        }
    }
}

/// All answers of a rule's body.
struct NaiveSearch<'run> {
    rule: &'run Rule,
    tables: &'run Tables,
    clock: &'run Clock<'run>,
    matches: &'run mut u64,
}

impl NaiveSearch<'_> {
    fn all(&mut self, answer: &mut dyn FnMut(&[Constant])) -> Result<(), Exceeded> {
        let variables = self.rule.variable_count();
        self.extend(0, &mut vec![0; variables], &mut vec![false; variables], answer)
    }

    fn extend(
        &mut self,
        position: usize,
        bindings: &mut [Constant],
        bound: &mut [bool],
        answer: &mut dyn FnMut(&[Constant]),
    ) -> Result<(), Exceeded> {
        let rule = self.rule;
        let Some(literal) = rule.body.get(position) else {
            if rule.body.iter().all(|literal| self.holds(literal, bindings)) {
                answer(bindings);
            }
            return Ok(());
        };
        let Literal::Positive(atom) = literal else {
            return self.extend(position + 1, bindings, bound, answer);
        };
        for tuple in self.tables[atom.predicate].rows() {
            self.clock.tick()?;
            *self.matches += 1;
            let mut fresh = Vec::new();
            let mut matches = true;
            for (&argument, constant) in atom.arguments.iter().zip(tuple.iter()) {
                match argument {
                    Argument::Variable(variable) if !bound[variable as usize] => {
                        bindings[variable as usize] = constant;
                        bound[variable as usize] = true;
                        fresh.push(variable);
                    }
                    known => matches &= value(known, bindings) == constant,
                }
            }
            if matches {
                self.extend(position + 1, bindings, bound, answer)?;
            }
            for variable in fresh {
                bound[variable as usize] = false;
            }
        }
        Ok(())
    }

    fn holds(&self, literal: &Literal, bindings: &[Constant]) -> bool {
        match literal {
            Literal::Positive(_) => true,
            Literal::Negative(atom) => {
                !self.tables[atom.predicate].contains(&instance(&atom.arguments, bindings))
            }
            Literal::Distinct(left, right) => instance(left, bindings) != instance(right, bindings),
        }
    }
}
