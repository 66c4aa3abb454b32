//! The fixpoint of a program that is evaluated again and again, on other facts each time.
//!
//! [`fixpoint::evaluate`] orders components, measures tables, plans joins and makes indexes, which takes far longer than the
//! joins themselves where tables are small. Here all that is kept: the order; the plans, until tables have grown far beyond
//! what they were made for; and the indexes of the tables that do not vary. Those of the others are chains whose memory is
//! used again.

mod derive;
mod plans;

use std::ops::Range;

use crate::budget::Budget;
use crate::error::{EngineError, Exceeded};
use crate::execute::Executor;
use crate::fixpoint;
use crate::observe::Silent;
use crate::program::Program;
use crate::strata::{self, Component};
use crate::table::RowId;
use crate::tables::Tables;
use derive::{RepeatedDerive, Varying};
use plans::{Plans, RepeatedPlan};

/// A program that is evaluated again and again. Some of its tables vary from one evaluation to the next; the others are
/// complete and always the same.
#[derive(Debug)]
pub struct Repeated {
    program: Program,
    /// Those with rules.
    components: Vec<Evaluated>,
    plans: Plans,
    executor: Executor,
    /// By predicate, within a recursive component: how many rows have been joined.
    joined: Vec<RowId>,
    /// Whether a rule looked at so many rows that it should be split, which is left to the fixpoint.
    is_too_much: bool,
}

/// A component with what is run for it.
#[derive(Clone, Debug)]
struct Evaluated {
    component: Component,
    /// The rules that read nothing of the component.
    whole: Vec<RepeatedPlan>,
    /// By literal about a predicate of the component.
    deltas: Vec<RepeatedPlan>,
}

impl Clone for Repeated {
    fn clone(&self) -> Self {
        Repeated {
            program: self.program.clone(),
            components: self.components.clone(),
            plans: self.plans.clone(),
            executor: Executor::default(),
            joined: self.joined.clone(),
            is_too_much: self.is_too_much,
        }
    }
}

impl Repeated {
    /// Prepares a program. `varies` says for each predicate whether its table changes between evaluations; the tables that
    /// rules derive always do.
    ///
    /// # Errors
    /// [`EngineError::NotStratified`].
    pub fn new(program: Program, mut varies: Vec<bool>) -> Result<Self, EngineError> {
        varies.resize(program.predicates().len(), false);
        program.rules().iter().for_each(|rule| varies[rule.head.predicate.index()] = true);
        let mut components = Vec::new();
        for component in strata::components(&program)? {
            if component.rules.is_empty() {
                continue;
            }
            let (mut whole, mut deltas) = (Vec::new(), Vec::new());
            for &rule in &component.rules {
                let body = program.rules()[rule].positive_literals();
                let own = body.filter(|it| component.contains(it.1.predicate));
                let before = deltas.len();
                deltas.extend(
                    own.map(|(it, _)| RepeatedPlan::new(rule, Some(it), &program, &varies)),
                );
                if deltas.len() == before {
                    whole.push(RepeatedPlan::new(rule, None, &program, &varies));
                }
            }
            components.push(Evaluated { component, whole, deltas });
        }
        Ok(Repeated {
            joined: vec![0; varies.len()],
            plans: Plans::new(varies),
            program,
            components,
            executor: Executor::default(),
            is_too_much: false,
        })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Completes the tables, as [`fixpoint::evaluate`] does.
    ///
    /// # Errors
    /// As [`fixpoint::evaluate`].
    pub fn evaluate(&mut self, tables: &mut Tables, budget: &Budget) -> Result<(), EngineError> {
        if !self.is_too_much {
            self.plans.begin();
            for number in 0..self.components.len() {
                self.complete(number, tables, budget)?;
            }
        }
        if self.is_too_much {
            // What was derived until then holds.
            fixpoint::evaluate(&self.program, tables, budget, &mut Silent)?;
        }
        Ok(())
    }

    fn complete(
        &mut self,
        number: usize,
        tables: &mut Tables,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        for rule in 0..self.components[number].whole.len() {
            self.run((number, rule), None, tables, budget)?;
        }
        if self.components[number].deltas.is_empty() {
            return Ok(());
        }
        for &predicate in &self.components[number].component.predicates {
            self.joined[predicate.index()] = 0;
        }
        loop {
            let mut is_complete = true;
            for position in 0..self.components[number].component.predicates.len() {
                let predicate = self.components[number].component.predicates[position];
                let rows = self.joined[predicate.index()]..tables[predicate].len() as RowId;
                if rows.is_empty() {
                    continue;
                }
                is_complete = false;
                self.joined[predicate.index()] = rows.end;
                // All rows that there are by now are seen by the joins: each combination is found at the latest when the
                // last of its rows is new.
                for delta in 0..self.components[number].deltas.len() {
                    if self.components[number].deltas[delta].given == Some(predicate) {
                        self.run((number, delta), Some(rows.clone()), tables, budget)?;
                    }
                }
            }
            if is_complete {
                return Ok(());
            }
        }
    }

    /// Runs a rule over all rows, or over new ones of one of its literals.
    fn run(
        &mut self,
        (component, number): (usize, usize),
        new: Option<Range<RowId>>,
        tables: &mut Tables,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let Repeated { program, components, plans, executor, is_too_much, .. } = self;
        let component = &mut components[component];
        let rules = if new.is_some() { &mut component.deltas } else { &mut component.whole };
        let planned = &mut rules[number];
        if *is_too_much || planned.has_nothing(tables) {
            return Ok(());
        }
        let rule = &program.rules()[planned.rule];
        plans.update(planned, rule, tables);
        let Some(plan) = &planned.plan else { return Ok(()) };
        plans.fill(planned, tables);
        let head = rule.head.predicate;
        let mut sink = RepeatedDerive {
            source: Varying { tables, indexes: plans.indexes(), chains: plans.chains() },
            head,
            plan,
            early: Some(plan.head_bound).filter(|&step| step + 1 < plan.steps.len()),
            budget,
            checks: 0,
            is_too_much: false,
        };
        let result = executor.run(plan, new, &mut sink);
        if sink.is_too_much {
            *is_too_much = true;
            return Ok(());
        }
        result.map_err(|exceeded| {
            let count = tables[head].len() as u64;
            let predicate = Some(program[head].name.clone());
            let rule = Some(rule.label);
            EngineError::from(Exceeded { rule, table: Some(head), predicate, count, ..exceeded })
        })
    }
}
