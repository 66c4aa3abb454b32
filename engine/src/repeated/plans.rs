//! Plans and indexes that are kept.

use smallvec::{SmallVec, smallvec};

use crate::chain::Chains;
use crate::index::{Index, Indexes, RowQuery};
use crate::plan::{self, Access, Catalog, Plan, PlanRequest, Search};
use crate::program::{Atom, PredicateId, Program, Rule};
use crate::statistics::TableStatistics;
use crate::table::RowId;
use crate::tables::Tables;
use crate::tuning::REPLAN_GROWTH;

/// A rule with its plan, for all rows or for new ones of one literal.
#[derive(Clone, Debug)]
pub(super) struct RepeatedPlan {
    pub(super) rule: usize,
    literal: Option<usize>,
    /// The predicate whose new rows are given.
    pub(super) given: Option<PredicateId>,
    /// The positive literals about tables that vary, each with as many rows as the plan is good for.
    body: Box<[(PredicateId, usize)]>,
    /// Whether a plan was tried.
    is_tried: bool,
    /// None before the first use, and for a rule that reads an empty table that does not vary.
    pub(super) plan: Option<Plan>,
    /// The chains that it reads.
    chains: Vec<u32>,
}

impl RepeatedPlan {
    pub(super) fn new(
        rule: usize,
        literal: Option<usize>,
        program: &Program,
        varies: &[bool],
    ) -> Self {
        let positive = program.rules()[rule].positive_literals();
        let given = positive.filter(|it| Some(it.0) == literal).map(|it| it.1.predicate).next();
        let atoms = program.rules()[rule].positive_atoms();
        let varying = atoms.filter(|it| varies[it.predicate.index()]);
        let body = varying.map(|it| (it.predicate, 0)).collect();
        RepeatedPlan { rule, literal, given, body, is_tried: false, plan: None, chains: Vec::new() }
    }

    /// Whether a table that it reads is empty.
    #[inline]
    pub(super) fn has_nothing(&self, tables: &Tables) -> bool {
        self.body.iter().any(|it| tables[it.0].is_empty())
    }
}

/// What plans share.
#[derive(Clone, Debug)]
pub(super) struct Plans {
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
    pub(super) fn new(varies: Vec<bool>) -> Self {
        Plans {
            varies,
            statistics: TableStatistics::default(),
            indexes: Indexes::default(),
            chains: Vec::new(),
            chained: Vec::new(),
            filled: Vec::new(),
        }
    }

    /// Forgets the rows of the tables that vary.
    pub(super) fn begin(&mut self) {
        self.filled.drain(..).for_each(|it| self.chains[it as usize].clear());
    }

    pub(super) fn indexes(&self) -> &[Index] {
        &self.indexes.all
    }

    pub(super) fn chains(&self) -> &[Chains] {
        &self.chains
    }

    /// Plans a rule unless its plan is good for what its tables hold.
    pub(super) fn update(&mut self, planned: &mut RepeatedPlan, rule: &Rule, tables: &Tables) {
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
    pub(super) fn fill(&mut self, planned: &RepeatedPlan, tables: &Tables) {
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
