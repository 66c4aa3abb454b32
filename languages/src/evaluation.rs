//! What follows from a set of facts by stratified rules with variables.
//!
//! The facts that hold in a state differ from instant to instant, and so do the numbers in them, which no table can list
//! beforehand. Rules are therefore evaluated over terms: one stratum after the other, recursive ones in semi-naive rounds, each
//! literal through an index on what is bound when it is reached. What depends on no state is evaluated once.

mod join;

use std::collections::BTreeSet;
use std::ops::Range;

use fxhash::FxHashMap;
use groundfrog::description::{Predicate, Term, Terms};
use groundfrog::options::Limits;
use groundfrog::rules::{PredicateGraph, Rule, Rules};
use groundfrog::symbols::{Symbol, Symbols};
use groundfrog_engine::graph::Graph;
use groundfrog_engine::{Budget, Exceeded};

use join::{Join, Names, Relation, Step};

use crate::rules::{binding, unsafe_variables};

/// More facts than this at one instant are not derived.
pub const MOST_FACTS: usize = 1_000_000;
/// Deeper terms than this are not derived.
pub const MOST_DEPTH: usize = 64;

/// Why nothing is known of what follows.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EvaluationError {
    /// A limit was exceeded, or the work was stopped.
    #[error("{0}")]
    Limit(Box<Exceeded>),
    /// More facts follow than are looked at.
    #[error("more than {MOST_FACTS} facts follow from one state; the last ones are of `{0}`")]
    Facts(String),
    /// Terms grow.
    #[error("a term of `{0}` is nested deeper than {MOST_DEPTH} functions")]
    Depth(String),
    /// A variable of a rule can have any value.
    #[error("{0}")]
    Unsafe(String),
    /// A predicate depends on its own negation.
    #[error("the rules are not stratified")]
    NotStratified,
}

/// A rule that is ready to be evaluated.
#[derive(Clone, Debug)]
struct Planned {
    head: u32,
    arguments: Terms,
    plan: Vec<Step>,
    /// For each literal on the rule's own component: its predicate, and the plan that begins with it.
    rounds: Vec<(u32, Vec<Step>)>,
}

/// Rules that are ready to be evaluated for one set of facts after the other.
#[derive(Clone, Debug)]
pub struct Evaluator {
    predicates: Vec<Predicate>,
    numbers: FxHashMap<Predicate, u32>,
    /// The rules by strongly connected component, in the order of their evaluation.
    strata: Vec<Vec<Planned>>,
    /// What each predicate depends on.
    edges: Graph,
    /// By predicate: whether it depends on given facts.
    varies: Vec<bool>,
    /// Rules that are only tested.
    tests: Vec<Planned>,
    /// What depends on no given fact.
    statics: Vec<Relation>,
    limits: Limits,
}

/// What follows from some facts.
pub struct Model<'e> {
    evaluator: &'e Evaluator,
    symbols: &'e Symbols,
    budget: Budget,
    relations: Vec<Relation>,
}

impl Evaluator {
    /// Prepares rules. `given` are the predicates whose facts are given for each evaluation, `tested` one that is not derived but
    /// tested for arguments that are known, `comparisons` the names of comparisons of numbers. Each evaluation may use what the
    /// limits allow.
    ///
    /// # Errors
    /// A rule is not safe, the rules are not stratified, or what depends on no given fact exceeds a limit.
    pub fn new(
        rules: &Rules,
        given: &[Predicate],
        tested: Option<Predicate>,
        comparisons: &[Symbol],
        limits: Limits,
    ) -> Result<Self, EvaluationError> {
        if let Some(fault) = unsafe_variables(rules, comparisons, tested.map(|it| it.name)).first()
        {
            return Err(EvaluationError::Unsafe(fault.message.clone()));
        }
        let mut graph = PredicateGraph::new(rules.rules.iter());
        given.iter().for_each(|&it| _ = graph.number(it));
        if !graph.is_stratified() {
            return Err(EvaluationError::NotStratified);
        }
        let predicates = graph.predicates().to_vec();
        let numbers: FxHashMap<Predicate, u32> = predicates.iter().copied().zip(0..).collect();
        let edges = graph.graph();
        let components = edges.components();
        let mut varies = vec![false; predicates.len()];
        edges.reversed().reach(&mut varies, given.iter().map(|it| numbers[it]).collect());
        let names = Names { symbols: &rules.symbols, numbers: &numbers, comparisons };
        let planned = |rule: &Rule, own: &[u32], given: &[Term]| {
            let round = |(place, literal)| {
                let predicate = numbers[&binding(literal, comparisons)?.predicate()];
                let is_own = own.contains(&predicate);
                is_own.then(|| (predicate, names.plan(&rule.body, Some(place), given)))
            };
            Planned {
                head: numbers[&rule.head.predicate()],
                arguments: rule.head.arguments.clone(),
                plan: names.plan(&rule.body, None, given),
                rounds: rule.body.iter().enumerate().filter_map(round).collect(),
            }
        };
        let (tests, derived): (Vec<&Rule>, Vec<&Rule>) =
            rules.rules.iter().partition(|it| Some(it.head.predicate()) == tested);
        let tests = tests.into_iter().map(|it| planned(it, &[], &it.head.arguments)).collect();
        let strata = (0..components.len()).map(|component| {
            let own = components.members(component);
            let of_own = derived.iter().filter(|it| own.contains(&numbers[&it.head.predicate()]));
            of_own.map(|it| planned(it, own, &[])).collect::<Vec<Planned>>()
        });
        let strata = strata.collect();
        let statics = vec![Relation::default(); predicates.len()];
        let mut evaluator =
            Evaluator { predicates, numbers, strata, edges, varies, tests, statics, limits };
        let mut model = evaluator.begin(&rules.symbols);
        for stratum in &evaluator.strata {
            if stratum.iter().all(|it| !evaluator.varies[it.head as usize]) {
                model.derive(stratum)?;
            }
        }
        let statics = model.relations;
        evaluator.statics = statics;
        Ok(evaluator)
    }

    fn begin<'e>(&'e self, symbols: &'e Symbols) -> Model<'e> {
        let relations = vec![Relation::default(); self.predicates.len()];
        Model { evaluator: self, symbols, budget: self.limits.budget(), relations }
    }

    /// What follows from facts of the given predicates, as far as it is needed for some predicates.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn evaluate<'e>(
        &'e self,
        wanted: &[Predicate],
        facts: impl IntoIterator<Item = (Predicate, Terms)>,
        symbols: &'e Symbols,
    ) -> Result<Model<'e>, EvaluationError> {
        let mut model = self.begin(symbols);
        for (predicate, arguments) in facts {
            if let Some(&number) = self.numbers.get(&predicate) {
                model.relations[number as usize].insert(arguments);
            }
        }
        let wanted = wanted.iter().filter_map(|it| self.numbers.get(it)).copied();
        let mut needed = vec![false; self.predicates.len()];
        self.edges.reach(&mut needed, wanted.collect());
        for stratum in &self.strata {
            let is_needed =
                |it: &Planned| needed[it.head as usize] && self.varies[it.head as usize];
            if stratum.iter().any(is_needed) {
                model.derive(stratum)?;
            }
        }
        Ok(model)
    }
}

impl Model<'_> {
    /// The arguments of all sentences of a predicate that hold, in the order in which they were found.
    pub fn rows(&self, predicate: Predicate) -> &[Terms] {
        let number = self.evaluator.numbers.get(&predicate);
        number.map_or(&[], |&it| &self.relation(it).rows)
    }

    fn relation(&self, predicate: u32) -> &Relation {
        let own = &self.relations[predicate as usize];
        if own.rows.is_empty() { &self.evaluator.statics[predicate as usize] } else { own }
    }

    /// Whether a sentence about a tested predicate holds.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn passes(&self, arguments: &[Term]) -> Result<bool, EvaluationError> {
        let relation = |it: u32| self.relation(it);
        for test in &self.evaluator.tests {
            let mut join = Join::new(&relation, self.symbols, &self.budget);
            if join.bind(&test.arguments, arguments)
                && !join.run(&test.plan, None, &mut |_| false).map_err(limit)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds what the rules of a stratum derive.
    fn derive(&mut self, rules: &[Planned]) -> Result<(), EvaluationError> {
        for rule in rules {
            let rows = self.heads(rule, &rule.plan, None)?;
            self.add(rule.head, rows)?;
        }
        let recursive: BTreeSet<u32> =
            rules.iter().flat_map(|it| &it.rounds).map(|it| it.0).collect();
        // How many rows of the recursive relations all rounds before have seen.
        let mut before: FxHashMap<u32, usize> = recursive.iter().map(|&it| (it, 0)).collect();
        loop {
            let rows = |it: u32| self.relation(it).rows.len();
            let now: FxHashMap<u32, usize> = recursive.iter().map(|&it| (it, rows(it))).collect();
            if now == before {
                return Ok(());
            }
            let mut found = Vec::new();
            for rule in rules {
                for (predicate, plan) in &rule.rounds {
                    let new = before[predicate]..now[predicate];
                    found.push((rule.head, self.heads(rule, plan, Some(new))?));
                }
            }
            found.into_iter().try_for_each(|(head, rows)| self.add(head, rows))?;
            before = now;
        }
    }

    /// The heads of a rule's instances.
    fn heads(
        &self,
        rule: &Planned,
        plan: &[Step],
        among: Option<Range<usize>>,
    ) -> Result<Vec<Terms>, EvaluationError> {
        let relation = |it: u32| self.relation(it);
        let mut rows = Vec::new();
        Join::new(&relation, self.symbols, &self.budget)
            .run(plan, among, &mut |join| {
                rows.push(join.values(&rule.arguments));
                rows.len() <= MOST_FACTS
            })
            .map_err(limit)?;
        if rows.len() > MOST_FACTS { Err(self.too_many(rule.head)) } else { Ok(rows) }
    }

    fn name(&self, predicate: u32) -> String {
        self.symbols.name(self.evaluator.predicates[predicate as usize].name).to_owned()
    }

    fn too_many(&self, predicate: u32) -> EvaluationError {
        EvaluationError::Facts(self.name(predicate))
    }

    fn add(&mut self, head: u32, rows: Vec<Terms>) -> Result<(), EvaluationError> {
        for row in rows {
            let is_deep = row.iter().any(|it| depth(it) > MOST_DEPTH);
            if self.relations[head as usize].insert(row) && is_deep {
                return Err(EvaluationError::Depth(self.name(head)));
            }
        }
        let count = self.relations[head as usize].rows.len();
        if count > MOST_FACTS { Err(self.too_many(head)) } else { Ok(()) }
    }
}

fn limit(exceeded: Exceeded) -> EvaluationError {
    EvaluationError::Limit(Box::new(exceeded))
}

fn depth(term: &Term) -> usize {
    match term {
        Term::Variable(_) | Term::Constant(_) => 0,
        Term::Compound(it) => 1 + it.arguments.iter().map(depth).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests;
