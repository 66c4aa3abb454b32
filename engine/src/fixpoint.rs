//! The fixpoint: one component at a time, recursive ones by semi-naive rounds on `datafrog`.
//!
//! A component without recursion is evaluated by running each of its rules once. In a recursive one
//! every tuple becomes, exactly once, the *recent* fact of a round: it is added to the indexes and
//! then joined, through the plan of each body literal of its predicate, with the tuples that were
//! processed before it. So each combination of tuples is found when its last one is processed.
//!
//! A tuple is interned in its table as soon as it is derived; the joins do not see it before the next round.
//!
//! `datafrog` keeps the account of the rounds: one variable holds the facts of the whole component as
//! ranges of rows, one for each predicate and round in which it has new ones, so that idle predicates cost
//! nothing.
//!
//! How many rows each rule looks at is counted (`Effort`): too many for what it derives are a sign that its body should be split.

mod deltas;
mod derive;
mod split;

use std::borrow::Cow;
use std::ops::Range;

use datafrog::{Iteration, Relation, Variable};
use fxhash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::budget::{Budget, CHECK_INTERVAL, Stop as _};
use crate::error::{EngineError, Exceeded, Limit};
use crate::execute::Executor;
use crate::observe::{EvaluationStatistics, Observer};
use crate::plan::{Access, Plan, PlanRequest, Search};
use crate::program::{Atom, PredicateId, Program};
use crate::statistics::TableStatistics;
use crate::strata::Component;
use crate::table::{RowId, Tables};
use crate::tuning::{LONG_BODY, MOST_ROWS, ROWS_PER_ROW};
use crate::{plan, strata};
use deltas::{Deltas, FixpointCatalog, FixpointIndexes};
use derive::{AnswerBlock, Derive, Growing, Head, Join, Round};
use split::Split;

/// Completes the tables of a program: adds every tuple that its rules derive from those given.
///
/// # Errors
/// [`EngineError::NotStratified`], or [`EngineError::Limit`] when the budget is exceeded; the tables then
/// hold a part of the tuples.
pub fn evaluate(
    program: &Program,
    tables: &mut Tables,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<EvaluationStatistics, EngineError> {
    let components = strata::components(program)?;
    let mut evaluation = Evaluation::new(program, tables, budget, observer);
    let mut components = components.into_iter().filter(|it| !it.rules.is_empty());
    let result = components.try_for_each(|it| evaluation.complete(it));
    let statistics = evaluation.finish(program);
    if !result.as_ref().is_err_and(ends_the_work) {
        budget.derives(None);
    }
    result.map(|()| statistics)
}

/// Whether no caller goes on after an error: a table with too many rows is left, and something else tried.
fn ends_the_work(error: &EngineError) -> bool {
    matches!(error, EngineError::Limit(it) if it.limit != Limit::TableRows)
}

/// New facts of a predicate: its number, the first of its rows and the end of them.
type Batch = (u32, RowId, RowId);

/// The state that lasts over components.
struct Evaluation<'run> {
    program: Cow<'run, Program>,
    tables: &'run mut Tables,
    budget: &'run Budget,
    observer: &'run mut dyn Observer,
    statistics: TableStatistics,
    counts: EvaluationStatistics,
    executor: Executor,
    block: AnswerBlock,
    indexes: FixpointIndexes,
    /// By predicate: how many of its rows the joins see. Those behind are new in this round.
    visible: Vec<RowId>,
    /// By predicate: whether a join looks up one row of it. Its table then knows what is visible.
    is_looked_up: Vec<bool>,
    effort: Effort,
}

impl<'run> Evaluation<'run> {
    fn new(
        program: &'run Program,
        tables: &'run mut Tables,
        budget: &'run Budget,
        observer: &'run mut dyn Observer,
    ) -> Self {
        let visible: Vec<RowId> = tables.iter().map(|(_, table)| table.len() as RowId).collect();
        Evaluation {
            program: Cow::Borrowed(program),
            tables,
            budget,
            observer,
            statistics: TableStatistics::default(),
            counts: EvaluationStatistics::default(),
            executor: Executor::default(),
            block: AnswerBlock::default(),
            indexes: FixpointIndexes::default(),
            is_looked_up: vec![false; visible.len()],
            visible,
            effort: Effort::new(program.rules().len()),
        }
    }

    /// Forgets the auxiliary predicates.
    fn finish(self, program: &Program) -> EvaluationStatistics {
        self.tables.truncate(program.predicates().len());
        EvaluationStatistics {
            tuples: self.tables.tuple_count(),
            matches: self.executor.matches,
            ..self.counts
        }
    }

    /// Completes the tables of one component; those it reads are complete.
    fn complete(&mut self, mut component: Component) -> Result<(), EngineError> {
        self.counts.components += 1;
        let mut next = 0;
        // The rules of a split come after the others.
        while let Some(&rule) = component.rules.get(next) {
            next += 1;
            if !self.is_recursive(rule, &component) {
                self.run_whole(rule, &component)?;
                if let Some((rule, split)) = self.effort.split.take() {
                    self.replace(rule, split, &mut component);
                }
            }
        }
        if !component.recursive {
            for &predicate in &component.predicates {
                self.visible[predicate.index()] = self.tables[predicate].len() as RowId;
            }
            return Ok(());
        }
        let mut deltas = FxHashMap::default();
        Deltas::add(&mut deltas, &self.program, &component, &component.rules);
        let mut iteration = Iteration::new();
        let facts: Variable<Batch> = iteration.variable("facts");
        let given = |&it: &PredicateId| (it.0, 0, self.tables[it].len() as RowId);
        let all = component.predicates.iter().map(given).filter(|batch| batch.2 > 0);
        facts.insert(all.collect::<Vec<_>>().into());
        // The rows of the component's tables.
        let mut size = 0;
        let mut round = Round::default();
        while iteration.changed() {
            let recent = facts.recent.borrow();
            self.counts.rounds += 1;
            let new = recent.iter().map(|batch| (batch.2 - batch.1) as usize).sum();
            size += new;
            self.observer.round(new);
            for &batch in recent.iter() {
                self.deliver(batch);
            }
            round.begin(self.visible.len());
            self.round(&component, (&recent, size), &mut deltas, &mut round)?;
            let heads = round.take_heads();
            let hidden = if let Some((rule, split)) = round.costly.take() {
                self.split_in_round(rule, split, &mut component, &mut deltas)?;
                self.hidden(component.predicates.iter().copied())
            } else {
                self.hidden(heads.into_iter())
            };
            facts.insert(Relation::from_vec(hidden));
        }
        self.indexes.growing.clear();
        self.indexes.growing_of.clear();
        Ok(())
    }

    /// Runs a rule over all that its tables hold.
    fn run_whole(&mut self, rule: usize, component: &Component) -> Result<(), EngineError> {
        // Most of what there is to do for a rule is to plan it.
        let is_empty = |it: &Atom| self.tables[it.predicate].is_empty();
        if self.program.rules()[rule].positive_atoms().any(is_empty) {
            return Ok(());
        }
        let plan = self.plan(rule, None, component);
        self.run(rule, &plan, component)
    }

    /// Puts a split in the place of its rule. Returns the new rules.
    fn replace(&mut self, rule: usize, split: Split, component: &mut Component) -> Vec<usize> {
        self.counts.splits += 1;
        let program = self.program.to_mut();
        let name = format!("a part of {}", program[split.rule.head.predicate].name);
        let mut new = vec![rule];
        program.replace_rule(rule, split.rule);
        for definition in split.definitions {
            let arity = definition.head.arguments.len();
            let predicate = program.add_predicate(name.clone(), arity);
            debug_assert_eq!(predicate, definition.head.predicate);
            new.push(program.rules().len());
            program.add_rule(definition);
            self.tables.add(arity);
            self.visible.push(0);
            self.is_looked_up.push(false);
            component.predicates.push(predicate);
        }
        component.rules.extend(&new[1..]);
        component.recursive = true;
        self.effort.begin(rule, program.rules().len());
        new
    }

    /// Splits a rule between two rounds: what its parts have in the tables so far is joined now, and the
    /// tuples of the auxiliary predicates are the recent facts of the next round.
    fn split_in_round(
        &mut self,
        rule: usize,
        split: Split,
        component: &mut Component,
        deltas: &mut FxHashMap<u32, Deltas>,
    ) -> Result<(), EngineError> {
        let mut pending = Some((rule, split));
        while let Some((rule, split)) = pending.take() {
            let first = split.definitions.first().map(|it| it.head.predicate);
            let new = self.replace(rule, split, component);
            deltas.values_mut().for_each(|of| of.remove(rule, &self.program));
            Deltas::add(deltas, &self.program, component, &new);
            for rule in new {
                // The others wait for the new auxiliary predicates.
                let is_new = |atom: &Atom| first.is_some_and(|first| atom.predicate >= first);
                if !self.program.rules()[rule].positive_atoms().any(is_new) {
                    self.run_whole(rule, component)?;
                    pending = pending.or(self.effort.split.take());
                }
            }
        }
        Ok(())
    }

    /// The rows of some predicates that the joins do not see yet.
    fn hidden(&self, predicates: impl Iterator<Item = PredicateId>) -> Vec<Batch> {
        let rows =
            predicates.map(|it| (it.0, self.visible[it.index()], self.tables[it].len() as RowId));
        rows.filter(|&(_, first, end)| first < end).collect()
    }

    /// Lets the joins see rows.
    fn deliver(&mut self, (predicate, _, end): Batch) {
        self.visible[predicate as usize] = end;
        if self.is_looked_up[predicate as usize] {
            self.tables.table_mut(PredicateId(predicate)).show(end);
        }
    }

    fn is_recursive(&self, rule: usize, component: &Component) -> bool {
        let belongs = |it: &Atom| component.contains(it.predicate);
        component.recursive && self.program.rules()[rule].positive_atoms().any(belongs)
    }

    /// Joins the recent facts with those before, in tables of this size.
    fn round(
        &mut self,
        component: &Component,
        (recent, size): (&[Batch], usize),
        deltas: &mut FxHashMap<u32, Deltas>,
        round: &mut Round,
    ) -> Result<(), EngineError> {
        // Before the first join: plans follow the sizes of tables, and these grow with each.
        for (predicate, ..) in recent {
            let Some(deltas) = deltas.get_mut(predicate).filter(|it| it.need_plans(size)) else {
                continue;
            };
            for delta in deltas.all.iter_mut().filter(|it| it.needs_plan(size)) {
                // There may be a plan for each literal of a long body.
                if self.program.rules()[delta.rule].body.len() > LONG_BODY {
                    let checked = self.budget.check(0, 0);
                    checked.map_err(|exceeded| self.error(delta.rule, exceeded))?;
                }
                delta.set_plan(self.plan(delta.rule, Some(delta.literal), component), size);
            }
            deltas.have_plans();
        }
        for &(predicate, first, end) in recent {
            let Some(deltas) = deltas.get(&predicate) else { continue };
            let predicate = PredicateId(predicate);
            let chains = self.indexes.growing_of.remove(&predicate).unwrap_or_default();
            let result = self.join(component, (predicate, first..end), deltas, &chains, round);
            if !chains.is_empty() {
                self.indexes.growing_of.insert(predicate, chains);
            }
            result?;
        }
        Ok(())
    }

    /// Joins the recent facts of a predicate.
    fn join(
        &mut self,
        component: &Component,
        (predicate, rows): (PredicateId, Range<RowId>),
        deltas: &Deltas,
        chains: &[u32],
        round: &mut Round,
    ) -> Result<(), EngineError> {
        let Some(any) = deltas.all.first() else { return Ok(()) };
        let (sink, program, executor) = self.sink(component, any.rule, any.plan());
        let mut join = Join { predicate, chains, program, executor, sink, round };
        join.run(rows, deltas).map_err(|(rule, exceeded)| self.error(rule, exceeded))
    }

    fn plan(&mut self, rule: usize, given: Option<usize>, component: &Component) -> Plan {
        let rule = &self.program.rules()[rule];
        let body: SmallVec<[(usize, &Atom); 8]> = rule.positive_literals().collect();
        let grows = |it: &Atom| component.recursive && component.contains(it.predicate);
        let variables = rule.variable_count();
        let (tables, statistics) = (&*self.tables, &mut self.statistics);
        let search = Search::Thorough;
        let order = plan::order(&body, given, variables, tables, statistics, grows, search);
        let mut needed: plan::Flags = smallvec![false; variables];
        rule.head.variables().for_each(|it| needed[it as usize] = true);
        let request = PlanRequest { rule, given, needed: &needed, needed_rows: &[] };
        let mut catalog = FixpointCatalog {
            tables: self.tables,
            visible: &self.visible,
            indexes: &mut self.indexes,
            component,
        };
        let mut plan = plan::compile(&request, &order, &mut catalog);
        plan.block_from = derive::first_step(&plan, &self.indexes.complete.all);
        let rows = plan.steps.iter().filter(|it| it.access == Access::Row);
        for predicate in rows.map(|it| it.predicate) {
            let grows = component.recursive && component.contains(predicate);
            if grows && !std::mem::replace(&mut self.is_looked_up[predicate.index()], true) {
                self.tables.table_mut(predicate).show(self.visible[predicate.index()]);
            }
        }
        plan
    }

    /// Runs a plan over all that its tables hold.
    fn run(&mut self, rule: usize, plan: &Plan, component: &Component) -> Result<(), EngineError> {
        let (mut sink, _, executor) = self.sink(component, rule, plan);
        match executor.run(plan, None, &mut sink) {
            Err(exceeded) if self.effort.split.is_none() => Err(self.error(rule, exceeded)),
            _ => Ok(()),
        }
    }

    /// What takes the tuples of a plan, and what it reads.
    fn sink<'a>(
        &'a mut self,
        component: &'a Component,
        rule: usize,
        plan: &'a Plan,
    ) -> (Derive<'a>, &'a Program, &'a mut Executor) {
        let program = &*self.program;
        let sink = Derive {
            head: Head::new(rule, program, plan),
            component,
            statistics: &mut self.statistics,
            effort: &mut self.effort,
            growing: Growing {
                tables: self.tables,
                visible: &self.visible,
                indexes: &self.indexes.complete.all,
                chains: &mut self.indexes.growing,
            },
            budget: self.budget,
            block: &mut self.block,
        };
        (sink, program, &mut self.executor)
    }

    fn error(&self, running: usize, mut exceeded: Exceeded) -> EngineError {
        let rule = if exceeded.is_on_all() { self.effort.costliest(running) } else { running };
        exceeded.is_past = rule != running;
        let head = self.program.rules()[rule].head.predicate;
        exceeded.rule = Some(self.program.rules()[rule].label);
        exceeded.table = Some(head);
        exceeded.predicate = Some(self.program[head].name.clone());
        exceeded.count = self.tables[head].len() as u64;
        EngineError::from(exceeded)
    }
}

/// The rows that the rules have looked at, counted at the checks of the budget: a sample that costs nothing.
struct Effort {
    by_rule: Vec<u64>,
    /// By rule: whether it was found that no split pays.
    is_accepted: Vec<bool>,
    /// The rule whose run was ended, and what takes its place, until somebody takes it.
    split: Option<(usize, Split)>,
    /// Whether a split was found whose auxiliary predicates have no tables yet.
    is_pending: bool,
}

impl Effort {
    fn new(rules: usize) -> Self {
        let (by_rule, is_accepted) = (vec![0; rules], vec![false; rules]);
        Effort { by_rule, is_accepted, split: None, is_pending: false }
    }

    /// Counts one interval for a rule. Returns whether the rule has looked at too many rows for a table
    /// of this many.
    fn is_too_much(&mut self, rule: usize, rows: u64) -> bool {
        let matches = &mut self.by_rule[rule];
        *matches += u64::from(CHECK_INTERVAL);
        !self.is_pending && !self.is_accepted[rule] && *matches > MOST_ROWS.max(rows * ROWS_PER_ROW)
    }

    /// The rule that has looked at the most rows: the running one unless another has looked at more.
    fn costliest(&self, running: usize) -> usize {
        let rows = |it: usize| self.by_rule[it];
        (0..self.by_rule.len())
            .fold(running, |most, it| if rows(it) > rows(most) { it } else { most })
    }

    /// Makes room for the rules of a split.
    fn begin(&mut self, rule: usize, rules: usize) {
        self.is_pending = false;
        self.by_rule.resize(rules, 0);
        self.is_accepted.resize(rules, false);
        self.by_rule[rule] = 0;
        self.is_accepted[rule] = false;
    }
}
