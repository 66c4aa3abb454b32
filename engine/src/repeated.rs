//! The fixpoint of a program that is evaluated again and again, on other facts each time.
//!
//! [`fixpoint::evaluate`] orders components, measures tables, plans joins and makes indexes, which takes far longer than the
//! joins themselves where tables are small. Here all that is kept: the order; the plans, until tables have grown far beyond
//! what they were made for; and the indexes of the tables that do not vary. Those of the others are chains whose memory is
//! used again.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use crate::budget::{Budget, CHECK_INTERVAL};
use crate::error::{EngineError, Exceeded, Limit};
use crate::execute::{Coded, Executor, Sink, Source};
use crate::index::{Chains, Index, Indexes, RowQuery};
use crate::observe::Silent;
use crate::plan::{Access, Catalog, Plan, PlanRequest, Search};
use crate::program::{Atom, Constant, PredicateId, Program, Rule};
use crate::statistics::TableStatistics;
use crate::strata::Component;
use crate::table::{Key, RowId, Table, Tables};
use crate::tuning::{MOST_ROWS, REPLAN_GROWTH, ROWS_PER_ROW};
use crate::{fixpoint, plan, strata};

/// A program that is evaluated again and again. Some of its tables vary from one evaluation to the next; the others are
/// complete and always the same.
#[derive(Clone, Debug)]
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
            plans: Plans { varies, ..Plans::default() },
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
        if *is_too_much || planned.body.iter().any(|it| tables[it.0].is_empty()) {
            return Ok(());
        }
        let rule = &program.rules()[planned.rule];
        plans.update(planned, rule, tables);
        let Some(plan) = &planned.plan else { return Ok(()) };
        plans.fill(planned, tables);
        let head = rule.head.predicate;
        let mut sink = RepeatedDerive {
            source: Varying { tables, indexes: &plans.indexes.all, chains: &plans.chains },
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

/// A rule with its plan, for all rows or for new ones of one literal.
#[derive(Clone, Debug)]
struct RepeatedPlan {
    rule: usize,
    literal: Option<usize>,
    /// The predicate whose new rows are given.
    given: Option<PredicateId>,
    /// The positive literals about tables that vary, each with as many rows as the plan is good for.
    body: Box<[(PredicateId, usize)]>,
    /// Whether a plan was tried.
    is_tried: bool,
    /// None before the first use, and for a rule that reads an empty table that does not vary.
    plan: Option<Plan>,
    /// The chains that it reads.
    chains: Vec<u32>,
}

impl RepeatedPlan {
    fn new(rule: usize, literal: Option<usize>, program: &Program, varies: &[bool]) -> Self {
        let positive = program.rules()[rule].positive_literals();
        let given = positive.filter(|it| Some(it.0) == literal).map(|it| it.1.predicate).next();
        let atoms = program.rules()[rule].positive_atoms();
        let varying = atoms.filter(|it| varies[it.predicate.index()]);
        let body = varying.map(|it| (it.predicate, 0)).collect();
        RepeatedPlan { rule, literal, given, body, is_tried: false, plan: None, chains: Vec::new() }
    }
}

/// What plans share.
#[derive(Clone, Debug, Default)]
struct Plans {
    /// By predicate.
    varies: Vec<bool>,
    statistics: TableStatistics,
    /// Of tables that do not vary.
    indexes: Indexes,
    /// Of those that do, with their predicates.
    chains: Vec<Chains>,
    chained: Vec<PredicateId>,
    /// The chains that hold rows.
    filled: Vec<u32>,
}

impl Plans {
    /// Forgets the rows of the tables that vary.
    fn begin(&mut self) {
        self.filled.drain(..).for_each(|it| self.chains[it as usize].clear());
    }

    /// Plans a rule unless its plan is good for what its tables hold.
    fn update(&mut self, planned: &mut RepeatedPlan, rule: &Rule, tables: &Tables) {
        let is_good = |&(it, rows): &(PredicateId, usize)| tables[it].len() <= rows;
        if std::mem::replace(&mut planned.is_tried, true) && planned.body.iter().all(is_good) {
            return;
        }
        planned
            .body
            .iter_mut()
            .for_each(|(it, rows)| *rows = tables[*it].len().max(1) * REPLAN_GROWTH);
        if rule.positive_atoms().any(|it| tables[it.predicate].is_empty()) {
            return;
        }
        let body: SmallVec<[(usize, &Atom); 8]> = rule.positive_literals().collect();
        let variables = rule.variable_count();
        let (statistics, search) = (&mut self.statistics, Search::Thorough);
        let varies = &self.varies;
        let grows = |it: &Atom| varies[it.predicate.index()];
        let order =
            plan::order(&body, planned.literal, variables, tables, statistics, grows, search);
        let mut needed: plan::Flags = smallvec![false; variables];
        rule.head.variables().for_each(|it| needed[it as usize] = true);
        let request =
            PlanRequest { rule, given: planned.literal, needed: &needed, needed_rows: &[] };
        let mut catalog = Kept { plans: self, tables, used: Vec::new() };
        let plan = plan::compile(&request, &order, &mut catalog);
        planned.chains = catalog.used;
        planned.plan = Some(plan);
    }

    /// Lets the chains that a plan reads hold all rows.
    #[inline]
    fn fill(&mut self, planned: &RepeatedPlan, tables: &Tables) {
        for &number in &planned.chains {
            let table = &tables[self.chained[number as usize]];
            let Some(last) = table.len().checked_sub(1) else { continue };
            let chain = &mut self.chains[number as usize];
            if chain.is_empty() {
                self.filled.push(number);
            }
            chain.insert_up_to(table, last as RowId);
        }
    }
}

/// Makes indexes on demand: chains of tables that vary, groups of the others.
struct Kept<'run> {
    plans: &'run mut Plans,
    tables: &'run Tables,
    /// Chains.
    used: Vec<u32>,
}

impl Catalog for Kept<'_> {
    fn index(&mut self, query: RowQuery<'_>) -> Access {
        let plans = &mut *self.plans;
        if !plans.varies[query.predicate.index()] {
            return Access::Index(plans.indexes.number(&self.tables[query.predicate], query));
        }
        let all = plans.chained.iter().zip(&plans.chains);
        let known = all
            .clone()
            .position(|(it, chains)| *it == query.predicate && *chains.columns == *query.columns);
        let number = known.unwrap_or_else(|| {
            plans.chained.push(query.predicate);
            plans.chains.push(Chains::new(query.columns));
            plans.chains.len() - 1
        }) as u32;
        if !self.used.contains(&number) {
            self.used.push(number);
        }
        Access::Chain(number)
    }
}

/// Tables that vary and tables that do not.
struct Varying<'run> {
    tables: &'run mut Tables,
    indexes: &'run [Index],
    chains: &'run [Chains],
}

impl Source for Varying<'_> {
    #[inline]
    fn table(&self, predicate: PredicateId) -> &Table {
        &self.tables[predicate]
    }

    #[inline]
    fn rows(&self, predicate: PredicateId) -> RowId {
        self.tables[predicate].len() as RowId
    }

    #[inline]
    fn find(&self, predicate: PredicateId, tuple: Key<'_>) -> Option<RowId> {
        // Which row it is does not matter.
        self.tables[predicate].contains_key(tuple).then_some(0)
    }

    fn coded(&self, _: PredicateId) -> Option<Coded<'_>> {
        None
    }

    #[inline]
    fn index(&self, index: u32) -> &Index {
        &self.indexes[index as usize]
    }

    #[inline]
    fn chain(&self, chain: u32) -> &Chains {
        &self.chains[chain as usize]
    }
}

/// Adds the heads that a plan finds to their table.
struct RepeatedDerive<'run> {
    source: Varying<'run>,
    head: PredicateId,
    plan: &'run Plan,
    /// The step after which heads are looked up before the proof goes on, if it is not the last.
    early: Option<usize>,
    budget: &'run Budget,
    checks: u64,
    /// Whether the run was ended since it looked at too many rows.
    is_too_much: bool,
}

impl<'run> Sink for RepeatedDerive<'run> {
    type Source = Varying<'run>;
    const LEAST_IN_BLOCK: u32 = u32::MAX;

    #[inline]
    fn source(&self) -> &Varying<'run> {
        &self.source
    }

    #[inline]
    fn enter(&mut self, step: usize, registers: &[Constant], _: &[RowId]) -> bool {
        let head = Key { registers, columns: &self.plan.head };
        self.early != Some(step) || !self.source.tables[self.head].contains_key(head)
    }

    #[inline]
    fn emit(&mut self, registers: &[Constant], _: &[RowId]) {
        let head = Key { registers, columns: &self.plan.head };
        self.source.tables.table_mut(self.head).add(head);
    }

    fn take_block(&mut self, _: usize, _: &[RowId], _: &mut [Constant]) -> Result<usize, Exceeded> {
        unreachable!("these plans have no blocks")
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        let rows = self.source.tables[self.head].len() as u64;
        self.budget.check_table(self.head, rows)?;
        self.budget.check(self.source.tables.bytes(), 0)?;
        self.checks += 1;
        if self.checks * u64::from(CHECK_INTERVAL) > MOST_ROWS.max(rows * ROWS_PER_ROW) {
            self.is_too_much = true;
            // No limit of the caller's: it ends this run alone.
            return Err(Exceeded::new(Limit::Cancelled, 0, 0));
        }
        Ok(())
    }
}
