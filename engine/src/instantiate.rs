//! The store pass: each rule is run once over complete tables, and each of its instances is stored.
//!
//! A [`Template`] pairs the rule that is joined (g(R) of Vittaut & Méhat: no negated dynamic literals)
//! with what is stored for each answer (s(R): no static literals). Ground atoms are dense numbers: an
//! [`AtomSpace`] gives each row of a table a number, so the number of a body atom comes out of the join
//! and only the head and negated atoms are looked up.

mod atom_set;
mod coincide;
mod compile;
mod consequences;
mod contribute;
mod count;
mod dependencies;
mod earlier;
mod equalities;
mod exclusive;
mod explain;
mod facts;
mod reduce;
mod relations;
mod repeats;
mod satisfy;
mod seen;
mod sink;
mod symmetry;
mod terms;

use std::ops::Range;

use rayon::prelude::*;

use crate::budget::Budget;
use crate::error::{EngineError, Exceeded};
use crate::execute::Executor;
use crate::numbers;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::program::{Arguments, Constant, PredicateId, Program, Rule};
use crate::table::{Constants, Table};
use crate::tables::Tables;

pub use atom_set::AtomSet;
use relations::Relations;

pub use crate::rule_store::{Edits, GroundLiteral, GroundRule, RuleStore};
pub use count::{Count, count};
pub use explain::{LookUp, PlanDescription, StepDescription, explain};

/// Numbers the rows of a table as atoms: row `r` is atom `start + r`. Several spaces may number the same
/// table, as `true` and `next` do with the table of `base`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtomSpace {
    /// The table whose rows are numbered.
    pub predicate: PredicateId,
    /// The number of row 0.
    pub start: u32,
}

/// An atom to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoredAtom {
    /// Its space, as a position in [`Request::spaces`].
    pub space: u32,
    /// Its arguments, over the variables of the template's rule.
    pub arguments: Arguments,
}

/// A literal to be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoredLiteral {
    /// The atom.
    pub atom: StoredAtom,
    /// Whether it is negated. A negated atom need not be in its table.
    pub negated: bool,
    /// For a positive literal: its position in the body of the template's rule.
    pub source: Option<usize>,
}

/// A rule to be joined, and what to store for each answer.
#[derive(Debug, Clone)]
pub struct Template {
    /// What is joined. Its head is not used.
    pub rule: Rule,
    /// The stored head; its instances are in their table.
    pub head: StoredAtom,
    /// The stored body.
    pub body: Vec<StoredLiteral>,
}

/// What to instantiate.
#[derive(Debug, Clone, Copy)]
pub struct Request<'run> {
    /// The predicates of the tables.
    pub program: &'run Program,
    /// Complete tables.
    pub tables: &'run Tables,
    /// The spaces, their ranges ascending and apart.
    pub spaces: &'run [AtomSpace],
    /// One more than the last number of the spaces: atoms in no table are numbered from here.
    pub first_extra: u32,
    /// The rules.
    pub templates: &'run [Template],
    /// Whether to leave out literals about atoms in no table, which always hold. Rules that differ in such
    /// literals alone are then the same, see [`Instantiation::shortened`].
    pub drop_extra: bool,
    /// How many threads may work. The result does not depend on it.
    pub threads: usize,
}

/// Atoms that occur negated and are in no table, in order of their numbers.
#[derive(Debug, Clone, Default)]
pub struct ExtraAtoms {
    tables: Vec<Table>,
    numbers: Vec<Vec<u32>>,
    atoms: Vec<(u32, u32)>,
}

impl ExtraAtoms {
    pub(crate) fn new(request: &Request<'_>) -> Self {
        let arity = |space: &AtomSpace| request.program[space.predicate].arity;
        Self::with_arities(request.spaces.iter().map(arity))
    }

    /// No atoms, of spaces with these arities.
    pub fn with_arities(arities: impl IntoIterator<Item = usize>) -> Self {
        let tables: Vec<Table> = arities.into_iter().map(Table::new).collect();
        ExtraAtoms { numbers: vec![Vec::new(); tables.len()], tables, atoms: Vec::new() }
    }

    /// The number of an atom, counted from 0; a new one gets the next.
    ///
    /// # Panics
    /// If there is no such space.
    pub fn intern(&mut self, space: u32, tuple: &[Constant]) -> u32 {
        let (row, new) = self.tables[space as usize].insert(tuple);
        if new {
            self.numbers[space as usize].push(self.atoms.len() as u32);
            self.atoms.push((space, row));
        }
        self.numbers[space as usize][row as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let atoms = size_of_val(&self.atoms[..]) + self.atoms.len() * size_of::<u32>();
        self.tables.iter().map(Table::bytes).sum::<u64>() + atoms as u64
    }

    /// The space and the tuple of an atom.
    pub fn get(&self, number: usize) -> Option<(u32, Constants<'_>)> {
        let &(space, row) = self.atoms.get(number)?;
        Some((space, self.tables[space as usize].row(row)))
    }
}

/// The ground rules of a store pass.
#[derive(Debug, Clone)]
pub struct Instantiation {
    /// The rules: bodies are sets, and no rule occurs twice but for those of shortened heads.
    pub rules: RuleStore,
    /// The heads of rules that may have become the same as others because literals were left out.
    pub shortened: AtomSet,
    /// The atoms numbered from [`Request::first_extra`].
    pub extra: ExtraAtoms,
    /// How many instances the joins found, with repeated ones that had to be looked for.
    pub answers: u64,
}

/// Stores every instance of every template, templates in order.
///
/// # Errors
/// [`EngineError::Limit`] when the budget is exceeded.
pub fn instantiate(
    request: &Request<'_>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Instantiation, EngineError> {
    let compiled = compile::compile(request);
    let relations = Relations {
        tables: request.tables,
        indexes: &compiled.indexes,
        locators: &compiled.locators,
    };
    let shared = sink::Shared::new(request, budget, compiled.bytes());
    let total = compiled.tasks.len();
    let mut done = Instantiation::new(request);
    if request.threads <= 1 {
        let mut workspace = sink::Workspace::default();
        for (position, task) in compiled.tasks.iter().enumerate() {
            sink::run(task, None, &mut done, &mut workspace, &relations, &shared)?;
            observer.instantiated(position + 1, total, done.rules.len());
        }
        return Ok(done);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build();
    let run_parts = || {
        let run_part = |(task, range): (&compile::Task, _)| {
            let mut part = Instantiation::new(request);
            let mut workspace = sink::Workspace::default();
            sink::run(task, range, &mut part, &mut workspace, &relations, &shared)?;
            Ok::<_, EngineError>(part)
        };
        split(&compiled.tasks, request.threads, &relations)
            .into_par_iter()
            .map(run_part)
            .collect::<Vec<_>>()
    };
    let parts = match pool {
        Ok(pool) => pool.install(run_parts),
        // Without threads of our own the work goes to the common pool.
        Err(_) => run_parts(),
    };
    let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let rules = parts.iter().map(|part| part.rules.len()).sum();
    let literals = parts.iter().map(|part| part.rules.literal_count()).sum();
    numbers::check_literals((rules + literals) as u64)?;
    done.rules.reserve(rules, literals);
    let total = parts.len();
    for (position, part) in parts.into_iter().enumerate() {
        done.append(part, request)?;
        observer.instantiated(position + 1, total, done.rules.len());
    }
    Ok(done)
}

/// Tasks with this estimated number of rows to look at are worth splitting.
const WORTH_SPLITTING: f64 = 200_000.0;

/// Whether a plan is large, and each row of its first step gives answers of its own. Of a step that is done once, or if one
/// answer is enough, each part would find one.
fn is_worth_splitting(plan: &Plan) -> bool {
    plan.cost > WORTH_SPLITTING
        && plan.resume.is_some()
        && plan.steps.first().is_some_and(|it| !it.once)
}

/// The tasks in order, large ones in several parts by the rows of their first step.
fn split<'run>(
    tasks: &'run [compile::Task],
    threads: usize,
    relations: &Relations<'_>,
) -> Vec<(&'run compile::Task, Option<Range<u32>>)> {
    let mut executor = Executor::default();
    let mut parts = Vec::with_capacity(tasks.len());
    for task in tasks {
        let plan = match task.templates.as_slice() {
            [only] if !task.may_repeat && is_worth_splitting(&only.plan) => &only.plan,
            _ => {
                parts.push((task, None));
                continue;
            }
        };
        let range = executor.first_range(plan, relations);
        let count = (threads as u32 * 4).min(range.len() as u32).max(1);
        let bound = |part: u32| {
            let offset = u64::from(part) * range.len() as u64 / u64::from(count);
            range.start + offset as u32
        };
        parts.extend((0..count).map(|part| (task, Some(bound(part)..bound(part + 1)))));
    }
    parts
}

impl Instantiation {
    /// Nothing yet.
    pub(crate) fn new(request: &Request<'_>) -> Self {
        Instantiation {
            rules: RuleStore::default(),
            shortened: AtomSet::default(),
            extra: ExtraAtoms::new(request),
            answers: 0,
        }
    }

    /// Adds the rules of a later part; its extra atoms are numbered anew.
    fn append(&mut self, part: Instantiation, request: &Request<'_>) -> Result<(), Exceeded> {
        let first_extra = request.first_extra;
        let renumbered: Vec<u32> = (0..part.extra.len())
            .map(|number| {
                let (space, tuple) = part.extra.get(number).expect("number is below the length");
                self.extra.intern(space, &tuple.to_vec())
            })
            .collect();
        self.check_numbers(request)?;
        self.rules.append(&part.rules, |literal| match literal.atom().checked_sub(first_extra) {
            Some(number) => {
                GroundLiteral::new(first_extra + renumbered[number as usize], literal.is_negated())
            }
            None => literal,
        });
        self.shortened.extend(&part.shortened);
        self.answers += part.answers;
        Ok(())
    }

    /// Whether all that is stored can be numbered.
    fn check_numbers(&self, request: &Request<'_>) -> Result<(), Exceeded> {
        numbers::check_atoms(u64::from(request.first_extra) + self.extra.len() as u64)?;
        numbers::check_literals((self.rules.len() + self.rules.literal_count()) as u64)
    }
}
