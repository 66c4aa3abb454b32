//! Evaluation of one component after the other.

use std::borrow::Cow;

use datafrog::{Iteration, Relation, Variable};
use fxhash::FxHashMap;

use super::effort::Effort;
use super::split::{self, Split};
use crate::budget::{Budget, CHECK_INTERVAL};
use crate::chain::Chains;
use crate::error::{EngineError, Exceeded, Limit};
use crate::execute::{Executor, Relations, Sink};
use crate::index::Index;
use crate::observe::{Observer, Statistics};
use crate::plan::{self, Access, Catalog, Plan, Request};
use crate::program::{Argument, Atom, Constant, PredicateId, Program, Rule};
use crate::statistics::TableStatistics;
use crate::strata::Component;
use crate::table::{RowId, Table, Tables, hash};

/// A fact of the component: its predicate and its row.
type Fact = (u32, RowId);

/// A plan is made again when a growing table that it reads has grown by this factor.
const REPLAN_GROWTH: usize = 8;

/// The state that lasts over components.
pub(super) struct Evaluation<'run> {
    program: Cow<'run, Program>,
    tables: &'run mut Tables,
    budget: &'run Budget,
    observer: &'run mut dyn Observer,
    statistics: TableStatistics,
    counts: Statistics,
    executor: Executor,
    indexes: Indexes,
    /// New tuples of the round, by predicate; empty between rounds.
    inboxes: Vec<Table>,
    tuple: Vec<Constant>,
    effort: Effort,
}

/// The indexes made so far.
#[derive(Default)]
struct Indexes {
    complete: Vec<Index>,
    complete_ids: FxHashMap<(PredicateId, Box<[usize]>), u32>,
    growing: Vec<Chains>,
    growing_of: FxHashMap<PredicateId, Vec<u32>>,
    /// Of all indexes, when last counted.
    bytes: u64,
}

impl Indexes {
    fn count_bytes(&mut self) {
        self.bytes = self.complete.iter().map(Index::bytes).sum::<u64>()
            + self.growing.iter().map(Chains::bytes).sum::<u64>();
    }
}

/// A semi-naive plan: the rule with one of its recursive literals as the new fact.
struct Delta {
    rule: usize,
    literal: usize,
    plan: Option<Plan>,
    /// The sizes of the component's tables that the plan was made for.
    planned_for: usize,
}

impl<'run> Evaluation<'run> {
    pub(super) fn new(
        program: &'run Program,
        tables: &'run mut Tables,
        budget: &'run Budget,
        observer: &'run mut dyn Observer,
    ) -> Self {
        let inboxes = program.predicates().iter().map(|it| Table::new(it.arity)).collect();
        Evaluation {
            program: Cow::Borrowed(program),
            tables,
            budget,
            observer,
            statistics: TableStatistics::default(),
            counts: Statistics::default(),
            executor: Executor::default(),
            indexes: Indexes::default(),
            inboxes,
            tuple: Vec::new(),
            effort: Effort::new(program.rules().len()),
        }
    }

    /// Forgets the auxiliary predicates.
    pub(super) fn finish(self, program: &Program) -> Statistics {
        self.tables.truncate(program.predicates().len());
        Statistics {
            tuples: self.tables.tuple_count(),
            matches: self.executor.matches,
            ..self.counts
        }
    }

    /// Completes the tables of one component; those it reads are complete.
    pub(super) fn complete(&mut self, mut component: Component) -> Result<(), EngineError> {
        self.counts.components += 1;
        let mut derived: Vec<Fact> = Vec::new();
        let mut next = 0;
        // The rules of a split come after the others.
        while let Some(&rule) = component.rules.get(next) {
            next += 1;
            if !self.is_recursive(rule, &component) {
                self.run_whole(rule, &component, &mut derived)?;
                if let Some((rule, split)) = self.effort.take_split() {
                    self.replace(rule, split, &mut component);
                }
            }
        }
        if !component.recursive {
            derived.sort_unstable();
            return self.deliver(&derived);
        }
        let mut deltas = self.deltas(&component, &component.rules);
        let mut iteration = Iteration::new();
        let facts: Variable<Fact> = iteration.variable("facts");
        for &predicate in &component.predicates {
            facts.extend((0..self.tables[predicate].len() as RowId).map(|row| (predicate.0, row)));
        }
        facts.insert(Relation::from_vec(std::mem::take(&mut derived)));
        while iteration.changed() {
            let recent = facts.recent.borrow();
            self.counts.rounds += 1;
            self.observer.round(recent.len());
            self.deliver(&recent)?;
            self.indexes.count_bytes();
            let costly = self.round(&component, &recent, &mut deltas, &mut derived)?;
            for (rule, split) in costly {
                self.split_in_round(rule, split, &mut component, &mut deltas, &mut derived)?;
            }
            facts.insert(Relation::from_vec(std::mem::take(&mut derived)));
        }
        self.indexes.growing.clear();
        self.indexes.growing_of.clear();
        self.indexes.count_bytes();
        Ok(())
    }

    /// Runs a rule over all that its tables hold.
    fn run_whole(
        &mut self,
        rule: usize,
        component: &Component,
        derived: &mut Vec<Fact>,
    ) -> Result<(), EngineError> {
        let plan = self.plan(rule, None, component);
        self.run(rule, &plan, None, component, derived)
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
            self.inboxes.push(Table::new(arity));
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
        deltas: &mut FxHashMap<u32, Vec<Delta>>,
        derived: &mut Vec<Fact>,
    ) -> Result<(), EngineError> {
        let mut pending = vec![(rule, split)];
        while let Some((rule, split)) = pending.pop() {
            let first = split.definitions.first().map(|it| it.head.predicate);
            let new = self.replace(rule, split, component);
            deltas.values_mut().for_each(|of| of.retain(|delta| delta.rule != rule));
            for (predicate, of) in self.deltas(component, &new) {
                deltas.entry(predicate).or_default().extend(of);
            }
            for rule in new {
                // The others wait for the new auxiliary predicates.
                let is_new = |atom: &Atom| first.is_some_and(|first| atom.predicate >= first);
                if !self.program.rules()[rule].positive_atoms().any(is_new) {
                    self.run_whole(rule, component, derived)?;
                    pending.extend(self.effort.take_split());
                }
            }
        }
        Ok(())
    }

    fn is_recursive(&self, rule: usize, component: &Component) -> bool {
        let belongs = |it: &Atom| component.contains(it.predicate);
        component.recursive && self.program.rules()[rule].positive_atoms().any(belongs)
    }

    /// The semi-naive plans by predicate of the new fact.
    fn deltas(&self, component: &Component, rules: &[usize]) -> FxHashMap<u32, Vec<Delta>> {
        let mut deltas: FxHashMap<u32, Vec<Delta>> = FxHashMap::default();
        for &rule in rules {
            for (literal, atom) in positive(&self.program.rules()[rule]) {
                if component.contains(atom.predicate) {
                    let delta = Delta { rule, literal, plan: None, planned_for: 0 };
                    deltas.entry(atom.predicate.0).or_default().push(delta);
                }
            }
        }
        deltas
    }

    /// Processes the recent facts one by one. Returns the rules to be split after the round, which they
    /// have not finished.
    fn round(
        &mut self,
        component: &Component,
        recent: &[Fact],
        deltas: &mut FxHashMap<u32, Vec<Delta>>,
        derived: &mut Vec<Fact>,
    ) -> Result<Vec<(usize, Split)>, EngineError> {
        let mut costly: Vec<(usize, Split)> = Vec::new();
        let size: usize = component.predicates.iter().map(|&it| self.tables[it].len()).sum();
        for facts in recent.chunk_by(|left, right| left.0 == right.0) {
            let predicate = facts[0].0;
            let mut none = Vec::new();
            let deltas = deltas.get_mut(&predicate).unwrap_or(&mut none);
            for delta in deltas.iter_mut() {
                if delta.plan.is_none() || size > delta.planned_for * REPLAN_GROWTH {
                    delta.plan = Some(self.plan(delta.rule, Some(delta.literal), component));
                    delta.planned_for = size;
                }
            }
            let chains = self.indexes.growing_of.get(&PredicateId(predicate)).cloned();
            for &(_, row) in facts {
                for &chain in chains.iter().flatten() {
                    self.indexes.growing[chain as usize]
                        .insert_up_to(&self.tables[PredicateId(predicate)], row);
                }
                for delta in deltas.iter() {
                    if costly.iter().any(|it| it.0 == delta.rule) {
                        continue;
                    }
                    let plan = delta.plan.as_ref().expect("planned above");
                    self.run(delta.rule, plan, Some(row), component, derived)?;
                    costly.extend(self.effort.take_split());
                }
            }
        }
        Ok(costly)
    }

    fn plan(&mut self, rule: usize, given: Option<usize>, component: &Component) -> Plan {
        let rule = &self.program.rules()[rule];
        let body: Vec<(usize, &Atom)> = positive(rule).collect();
        let grows = |it: &Atom| component.recursive && component.contains(it.predicate);
        let variables = rule.variable_count();
        let order = plan::order(&body, given, variables, self.tables, &mut self.statistics, grows);
        let mut needed = vec![false; variables];
        rule.head.variables().for_each(|it| needed[it as usize] = true);
        let needed_rows = vec![false; rule.body.len()];
        let request = Request { rule, given, needed: &needed, needed_rows: &needed_rows };
        let mut catalog = FixpointCatalog {
            tables: self.tables,
            indexes: &mut self.indexes,
            recursive: component.recursive,
            predicates: &component.predicates,
        };
        plan::compile(&request, &order, &mut catalog)
    }

    fn run(
        &mut self,
        rule: usize,
        plan: &Plan,
        row: Option<RowId>,
        component: &Component,
        derived: &mut Vec<Fact>,
    ) -> Result<(), EngineError> {
        let head = &self.program.rules()[rule].head;
        let relations = Relations {
            tables: self.tables,
            indexes: &self.indexes.complete,
            chains: &self.indexes.growing,
            locators: &[],
        };
        let mut sink = Derive {
            rule,
            program: &self.program,
            component,
            statistics: &mut self.statistics,
            effort: &mut self.effort,
            head,
            early: Some(plan.head_bound).filter(|&step| step + 1 < plan.steps.len()),
            known: &self.tables[head.predicate],
            inbox: &mut self.inboxes[head.predicate.index()],
            derived,
            tuple: &mut self.tuple,
            budget: self.budget,
            tables: self.tables,
            index_bytes: self.indexes.bytes,
        };
        let first = row.map(|row| row..row + 1);
        let result = self.executor.run(plan, first, &relations, &mut sink);
        if self.effort.has_split() {
            return Ok(());
        }
        result.map_err(|mut exceeded| {
            exceeded.rule = Some(self.program.rules()[rule].label);
            exceeded.table = Some(head.predicate);
            exceeded.predicate = Some(self.program[head.predicate].name.clone());
            exceeded.count = (self.tables[head.predicate].len()
                + self.inboxes[head.predicate.index()].len()) as u64;
            EngineError::from(exceeded)
        })
    }

    /// Moves new tuples from the inboxes to the tables, where the joins see them.
    fn deliver(&mut self, facts: &[Fact]) -> Result<(), EngineError> {
        for facts in facts.chunk_by(|left, right| left.0 == right.0) {
            let predicate = PredicateId(facts[0].0);
            let inbox = &mut self.inboxes[predicate.index()];
            for (position, tuple) in inbox.rows().enumerate() {
                if (position as u32 + 1).is_multiple_of(CHECK_INTERVAL) {
                    let bytes = self.tables.bytes() + inbox.bytes() + self.indexes.bytes;
                    self.budget.check(bytes, 0).map_err(|mut exceeded| {
                        let mut rules = self.program.rules().iter();
                        let derives = rules.find(|rule| rule.head.predicate == predicate);
                        exceeded.rule = derives.map(|rule| rule.label);
                        exceeded.predicate = Some(self.program[predicate].name.clone());
                        exceeded.table = Some(predicate);
                        exceeded.count = self.tables[predicate].len() as u64;
                        exceeded
                    })?;
                }
                self.tables.insert(predicate, tuple);
            }
            *inbox = Table::new(inbox.arity());
        }
        Ok(())
    }
}

fn positive(rule: &Rule) -> impl Iterator<Item = (usize, &Atom)> {
    rule.body.iter().enumerate().filter_map(|(position, literal)| match literal {
        crate::program::Literal::Positive(atom) => Some((position, atom)),
        _ => None,
    })
}

/// Makes indexes on demand: for tables of the component as chains, for others as groups.
struct FixpointCatalog<'run> {
    tables: &'run Tables,
    indexes: &'run mut Indexes,
    recursive: bool,
    predicates: &'run [PredicateId],
}

impl Catalog for FixpointCatalog<'_> {
    fn index(&mut self, predicate: PredicateId, columns: &[usize]) -> Access {
        if self.recursive && self.predicates.binary_search(&predicate).is_ok() {
            return Access::Chain(self.chain(predicate, columns));
        }
        let next = self.indexes.complete.len() as u32;
        let id = *self.indexes.complete_ids.entry((predicate, columns.into())).or_insert(next);
        if id == next {
            self.indexes.complete.push(Index::new(&self.tables[predicate], columns));
        }
        Access::Index(id)
    }
}

impl FixpointCatalog<'_> {
    fn chain(&mut self, predicate: PredicateId, columns: &[usize]) -> u32 {
        let of_predicate = self.indexes.growing_of.entry(predicate).or_default();
        let existing =
            of_predicate.iter().find(|&&it| *self.indexes.growing[it as usize].columns == *columns);
        if let Some(&existing) = existing {
            return existing;
        }
        let id = self.indexes.growing.len() as u32;
        let mut chains = Chains::new(columns);
        // Rows that are still to be processed may be among them: they are then met twice, once too often.
        if let Some(last) = self.tables[predicate].len().checked_sub(1) {
            chains.insert_up_to(&self.tables[predicate], last as RowId);
        }
        of_predicate.push(id);
        self.indexes.growing.push(chains);
        id
    }
}

/// Interns the heads that a plan finds.
struct Derive<'run> {
    rule: usize,
    program: &'run Program,
    component: &'run Component,
    statistics: &'run mut TableStatistics,
    effort: &'run mut Effort,
    head: &'run Atom,
    /// The step after which heads are looked up before the proof goes on, if it is not the last.
    early: Option<usize>,
    known: &'run Table,
    inbox: &'run mut Table,
    derived: &'run mut Vec<Fact>,
    tuple: &'run mut Vec<Constant>,
    budget: &'run Budget,
    tables: &'run Tables,
    index_bytes: u64,
}

impl Derive<'_> {
    #[inline]
    fn instantiate(&mut self, registers: &[Constant]) {
        self.tuple.clear();
        self.tuple.extend(self.head.arguments.iter().map(|&argument| match argument {
            Argument::Constant(constant) => constant,
            Argument::Variable(variable) => registers[variable as usize],
        }));
    }
}

impl Sink for Derive<'_> {
    /// Once the head is bound, a head that is known already is not worth a proof.
    #[inline]
    fn enter(&mut self, step: usize, registers: &[Constant], _rows: &[RowId]) -> bool {
        if self.early != Some(step) {
            return true;
        }
        self.instantiate(registers);
        let hash = hash(self.tuple);
        self.known.find_hashed(self.tuple, hash).is_none()
            && self.inbox.find_hashed(self.tuple, hash).is_none()
    }

    fn emit(&mut self, registers: &[Constant], _rows: &[RowId]) {
        self.instantiate(registers);
        let hash = hash(self.tuple);
        if self.early.is_none() && self.known.find_hashed(self.tuple, hash).is_some() {
            return;
        }
        let (row, new) = self.inbox.insert_hashed(self.tuple, hash);
        if new {
            self.derived.push((self.head.predicate.0, self.known.len() as RowId + row));
        }
    }

    fn check(&mut self) -> Result<(), Exceeded> {
        let bytes = self.tables.bytes() + self.inbox.bytes() + self.index_bytes;
        let rows = (self.known.len() + self.inbox.len()) as u64;
        self.budget.check_table(self.head.predicate, rows)?;
        self.budget.check(bytes, 0)?;
        if !self.effort.is_too_much(self.rule, rows) {
            return Ok(());
        }
        let component = self.component;
        let grows = |it: &Atom| component.recursive && component.contains(it.predicate);
        let rule = &self.program.rules()[self.rule];
        match split::split(rule, self.tables, self.statistics, &grows) {
            Some(split) => {
                self.effort.split(self.rule, split);
                // No limit of the caller's: it ends this run alone.
                Err(Exceeded::new(Limit::Cancelled, 0, 0))
            }
            None => {
                self.effort.accept(self.rule);
                Ok(())
            }
        }
    }
}
