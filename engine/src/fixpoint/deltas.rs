//! Semi-naive plans for the new facts of a predicate: a rule with one of its recursive literals as the new fact. They read groups
//! of tables that are complete, and chains of those that grow.

use std::cell::RefCell;
use std::ops::Range;

use fxhash::FxHashMap;
use smallvec::SmallVec;

use super::derive::{Derive, Head};
use crate::error::Exceeded;
use crate::execute::Executor;
use crate::index::{Chains, Indexes, RowQuery};
use crate::plan::{Access, Catalog, Plan, Step};
use crate::program::{Argument, Constant, Literal, PredicateId, Program};
use crate::strata::Component;
use crate::table::{Constants, RowId, Tables};
use crate::tuning::REPLAN_GROWTH;

/// The plans of a predicate.
#[derive(Default)]
pub(super) struct Deltas {
    pub(super) all: Vec<Delta>,
    pub(super) by_constants: Option<ByConstants>,
    /// The largest size of the component's tables that all plans are good for.
    largest_size: usize,
    /// Whether facts have to be joined one by one: see [`Delta::meets_own`].
    pub(super) meets_own: bool,
}

/// Plans by what they want in some columns. A description that is ground has thousands, of which a fact concerns a few.
pub(super) struct ByConstants {
    columns: Vec<usize>,
    with: FxHashMap<DeltaKey, Vec<u32>>,
    /// Those that do not want a constant in each of the columns.
    pub(super) others: Vec<u32>,
}

type DeltaKey = SmallVec<[Constant; 4]>;

impl ByConstants {
    /// Those, ascending, that want the constants in the columns that a fact has there.
    pub(super) fn with(&self, fact: Constants<'_>) -> &[u32] {
        let key: DeltaKey = self.columns.iter().map(|&it| fact[it]).collect();
        self.with.get(&key).map_or(&[], Vec::as_slice)
    }
}

impl Deltas {
    /// The plans for some rules of a component, by predicate of the new fact.
    pub(super) fn add(
        deltas: &mut FxHashMap<u32, Deltas>,
        program: &Program,
        component: &Component,
        rules: &[usize],
    ) {
        let mut changed: Vec<PredicateId> = Vec::new();
        for &rule in rules {
            for (position, literal) in program.rules()[rule].body.iter().enumerate() {
                let Literal::Positive(atom) = literal else { continue };
                if component.contains(atom.predicate) {
                    let of = deltas.entry(atom.predicate.0).or_default();
                    of.all.push(Delta::new(rule, position));
                    changed.push(atom.predicate);
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        for predicate in changed {
            if let Some(of) = deltas.get_mut(&predicate.0) {
                of.arrange(program);
            }
        }
    }

    /// Forgets the plans of a rule.
    pub(super) fn remove(&mut self, rule: usize, program: &Program) {
        let before = self.all.len();
        self.all.retain(|delta| delta.rule != rule);
        if self.all.len() < before {
            self.arrange(program);
        }
    }

    /// Finds the columns by which the plans are looked up: those in which most want a constant.
    fn arrange(&mut self, program: &Program) {
        self.largest_size = 0;
        self.by_constants = None;
        let arguments = |delta: &Delta| match &program.rules()[delta.rule].body[delta.literal] {
            Literal::Positive(atom) => atom.arguments.as_slice(),
            _ => unreachable!("new facts are of positive literals"),
        };
        let mut counts: Vec<usize> = Vec::new();
        for delta in &self.all {
            for (column, argument) in arguments(delta).iter().enumerate() {
                counts.resize(counts.len().max(column + 1), 0);
                counts[column] += usize::from(argument.variable().is_none());
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return;
        }
        let columns: Vec<usize> = (0..counts.len()).filter(|&it| counts[it] == most).collect();
        let mut with: FxHashMap<DeltaKey, Vec<u32>> = FxHashMap::default();
        let mut others = Vec::new();
        for (number, delta) in (0..).zip(&self.all) {
            let wanted = columns.iter().map(|&column| match arguments(delta)[column] {
                Argument::Constant(constant) => Some(constant),
                Argument::Variable(_) => None,
            });
            match wanted.collect::<Option<DeltaKey>>() {
                Some(key) => with.entry(key).or_default().push(number),
                None => others.push(number),
            }
        }
        self.by_constants = Some(ByConstants { columns, with, others });
    }

    /// Whether some have no plan, or one for much smaller tables than these.
    pub(super) fn need_plans(&self, size: usize) -> bool {
        size > self.largest_size
    }

    /// To be called when all have plans.
    pub(super) fn have_plans(&mut self) {
        self.largest_size = self.all.iter().map(Delta::largest_size).min().unwrap_or(usize::MAX);
        self.meets_own = self.all.iter().any(Delta::meets_own);
    }
}

/// A rule with one of its recursive literals as the new fact.
pub(super) struct Delta {
    pub(super) rule: usize,
    pub(super) literal: usize,
    planned: Option<Planned>,
}

/// What there is of a delta once it has been planned.
struct Planned {
    plan: Plan,
    /// The sizes of the component's tables that the plan was made for.
    size: usize,
    /// Kept from one run to the next, so that the constants need not be put there each time.
    registers: RefCell<Vec<Constant>>,
    /// What the new fact must have in which column: many facts fail this, and are then no run.
    constants: Box<[(usize, Constant)]>,
    meets_own: bool,
}

impl Delta {
    pub(super) fn new(rule: usize, literal: usize) -> Self {
        Delta { rule, literal, planned: None }
    }

    /// Whether it has no plan, or one for much smaller tables than these.
    pub(super) fn needs_plan(&self, size: usize) -> bool {
        size > self.largest_size()
    }

    /// The largest size of the component's tables that its plan is good for.
    fn largest_size(&self) -> usize {
        self.planned.as_ref().map_or(0, |it| it.size * REPLAN_GROWTH)
    }

    pub(super) fn set_plan(&mut self, plan: Plan, size: usize) {
        let tests = plan.steps.first().map_or(&[][..], |step| &step.tests);
        let constant = |&(column, register): &(u32, u32)| match plan.argument(register) {
            Argument::Constant(constant) => Some((column as usize, constant)),
            Argument::Variable(_) => None,
        };
        let constants = tests.iter().filter_map(constant).collect();
        let registers = RefCell::new(plan.registers());
        let own = plan.steps.first().map(|step| step.predicate);
        let is_own = |it: &Step| Some(it.predicate) == own && matches!(it.access, Access::Chain(_));
        let meets_own = plan.steps.iter().any(is_own);
        self.planned = Some(Planned { plan, size, registers, constants, meets_own });
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.planned().plan
    }

    fn planned(&self) -> &Planned {
        self.planned.as_ref().expect("made at the beginning of the round")
    }

    /// Whether new facts may meet each other in a chain of their own predicate. They must then be joined one by one,
    /// each before the chain holds the next, or two of them would meet twice.
    pub(super) fn meets_own(&self) -> bool {
        self.planned().meets_own
    }

    /// Joins new facts, each with those that the chains hold.
    ///
    /// # Errors
    /// A limit that was exceeded, or the end of the run for a split.
    #[inline]
    pub(super) fn run<'run>(
        &'run self,
        predicate: PredicateId,
        rows: Range<RowId>,
        program: &'run Program,
        executor: &mut Executor,
        sink: &mut Derive<'run>,
    ) -> Result<(), Exceeded> {
        let planned = self.planned();
        sink.head = Head::new(self.rule, program, &planned.plan);
        if rows.len() == 1 {
            let tuple = sink.growing.tables[predicate].row(rows.start);
            if planned.constants.iter().any(|&(column, it)| tuple[column] != it) {
                return executor.skip(sink);
            }
        }
        executor.search(&planned.plan, &mut planned.registers.borrow_mut(), Some(rows), sink)
    }
}

/// The indexes made so far.
#[derive(Default)]
pub(super) struct FixpointIndexes {
    pub(super) complete: Indexes,
    pub(super) growing: Vec<Chains>,
    pub(super) growing_of: FxHashMap<PredicateId, Vec<u32>>,
}

/// Makes indexes on demand: for tables of the component as chains, for others as groups.
pub(super) struct FixpointCatalog<'run> {
    pub(super) tables: &'run Tables,
    pub(super) visible: &'run [RowId],
    pub(super) indexes: &'run mut FixpointIndexes,
    pub(super) component: &'run Component,
}

impl Catalog for FixpointCatalog<'_> {
    fn index(&mut self, query: RowQuery<'_>) -> Access {
        if self.component.recursive && self.component.contains(query.predicate) {
            return Access::Chain(self.chain(query.predicate, query.columns));
        }
        Access::Index(self.indexes.complete.number(&self.tables[query.predicate], query))
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
        if let Some(last) = self.visible[predicate.index()].checked_sub(1) {
            chains.insert_up_to(&self.tables[predicate], last);
        }
        of_predicate.push(id);
        self.indexes.growing.push(chains);
        id
    }
}
