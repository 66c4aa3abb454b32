//! What follows from a set of facts by stratified rules with variables.
//!
//! The facts that hold in a state differ from instant to instant, and so do the numbers in them, which no table can list
//! beforehand. Rules are therefore evaluated over terms: one stratum after the other, recursive ones in semi-naive rounds, each
//! literal through an index on what is bound when it is reached. What depends on no state is evaluated once.

mod compile;
mod facts;
mod join;

use fxhash::FxHashMap;
use groundfrog::description::{Predicate, Term, Terms};
use groundfrog::rules::{PredicateGraph, Rules};
use groundfrog::symbols::{Symbol, Symbols};
use groundfrog_engine::{Budget, Exceeded};

use compile::{CompiledRule, Compiler, Pattern};
use facts::Relation;
use join::Join;

use crate::rules::unsafe_variables;

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

/// The predicates of a strongly connected component and the rules about them.
#[derive(Clone, Debug)]
struct Stratum {
    rules: Vec<CompiledRule>,
    is_recursive: bool,
}

/// Rules that are ready to be evaluated for one set of facts after the other.
#[derive(Clone, Debug)]
pub struct Evaluator {
    predicates: Vec<Predicate>,
    numbers: FxHashMap<Predicate, u32>,
    /// In the order of their evaluation.
    strata: Vec<Stratum>,
    /// By predicate: which strata it needs that are not evaluated once, itself included.
    needs: Vec<Vec<u32>>,
    /// By predicate: the indexes that literals use.
    relations: Vec<Relation>,
    /// Rules that are only tested.
    tests: Vec<CompiledRule>,
    /// What depends on no given fact.
    statics: Vec<Relation>,
}

/// What some facts are to be evaluated for.
#[derive(Clone, Debug)]
pub struct Query {
    /// In ascending order.
    strata: Vec<u32>,
}

/// What follows from some facts.
pub struct Model<'e> {
    evaluator: &'e Evaluator,
    context: Context<'e>,
    relations: Vec<Relation>,
}

/// The names, which grow as numbers are met, and what an evaluation may use.
#[derive(Clone, Copy)]
pub struct Context<'e> {
    /// The names.
    pub symbols: &'e Symbols,
    /// What may be used.
    pub budget: &'e Budget,
}

impl Evaluator {
    /// Prepares rules. `given` are the predicates whose facts are given for each evaluation, `tested` one that is not derived but
    /// tested for arguments that are known, `comparisons` the names of comparisons of numbers.
    ///
    /// # Errors
    /// A rule is not safe, the rules are not stratified, or what depends on no given fact exceeds a limit.
    pub fn new(
        rules: &Rules,
        given: &[Predicate],
        tested: Option<Predicate>,
        comparisons: &[Symbol],
        budget: &Budget,
    ) -> Result<Self, EvaluationError> {
        if let Some(fault) = unsafe_variables(rules, comparisons, tested.map(|it| it.name)).first()
        {
            return Err(EvaluationError::Unsafe(fault.message.clone()));
        }
        let is_tested = |it: &Predicate| Some(*it) == tested;
        let derived = || rules.rules.iter().filter(|it| !is_tested(&it.head.predicate()));
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
        let mut compiler = Compiler::new(&numbers, &rules.symbols, comparisons);
        let mut strata = Vec::new();
        let mut stratum_of = vec![0_u32; predicates.len()];
        for component in 0..components.len() {
            let members = components.members(component);
            members.iter().for_each(|&it| stratum_of[it as usize] = component as u32);
            let is_own = |it: Predicate| members.contains(&numbers[&it]);
            let own = derived().filter(|rule| is_own(rule.head.predicate()));
            let is_recursive = components.is_recursive(component);
            let rules =
                own.map(|rule| compiler.rule(rule, is_recursive.then_some(&is_own))).collect();
            strata.push(Stratum { rules, is_recursive });
        }
        let tests = rules.rules.iter().filter(|it| is_tested(&it.head.predicate()));
        let tests = tests.map(|rule| compiler.test(rule)).collect();
        let relations = compiler.relations();
        let needs = predicates.iter().map(|predicate| {
            let mut needed = vec![false; predicates.len()];
            edges.reach(&mut needed, vec![numbers[predicate]]);
            let needed =
                (0..needed.len()).filter(|&predicate| needed[predicate] && varies[predicate]);
            let mut needed: Vec<u32> = needed.map(|predicate| stratum_of[predicate]).collect();
            needed.sort_unstable();
            needed.dedup();
            needed
        });
        let mut evaluator = Evaluator {
            needs: needs.collect(),
            statics: relations.clone(),
            predicates,
            numbers,
            strata,
            relations,
            tests,
        };
        let mut statics = evaluator.relations.clone();
        let context = Context { symbols: &rules.symbols, budget };
        for (number, stratum) in evaluator.strata.iter().enumerate() {
            if stratum.rules.iter().all(|rule| !varies[rule.head as usize]) {
                evaluator.derive(number as u32, &mut statics, &context)?;
            }
        }
        evaluator.statics = statics;
        Ok(evaluator)
    }

    /// Whether a predicate differs from one set of facts to another.
    pub fn varies(&self, predicate: Predicate) -> bool {
        self.numbers.get(&predicate).is_some_and(|&it| !self.needs[it as usize].is_empty())
    }

    /// What is evaluated for some predicates.
    pub fn query(&self, wanted: &[Predicate]) -> Query {
        let numbers = wanted.iter().filter_map(|it| self.numbers.get(it));
        let mut strata: Vec<u32> =
            numbers.flat_map(|&it| self.needs[it as usize].iter().copied()).collect();
        strata.sort_unstable();
        strata.dedup();
        Query { strata }
    }

    /// What follows from facts of the given predicates, as far as a query asks.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn evaluate<'e>(
        &'e self,
        query: &Query,
        facts: impl IntoIterator<Item = (Predicate, Terms)>,
        context: Context<'e>,
    ) -> Result<Model<'e>, EvaluationError> {
        let mut relations = self.relations.clone();
        for (predicate, arguments) in facts {
            if let Some(&number) = self.numbers.get(&predicate) {
                relations[number as usize].insert(arguments);
            }
        }
        for &stratum in &query.strata {
            self.derive(stratum, &mut relations, &context)?;
        }
        Ok(Model { evaluator: self, context, relations })
    }

    fn name(&self, predicate: u32, context: &Context<'_>) -> String {
        context.symbols.name(self.predicates[predicate as usize].name).to_owned()
    }

    /// Adds what the rules of a stratum derive.
    fn derive(
        &self,
        stratum: u32,
        relations: &mut [Relation],
        context: &Context<'_>,
    ) -> Result<(), EvaluationError> {
        let Stratum { rules, is_recursive } = &self.strata[stratum as usize];
        // By rule: how many rows of the recursive relations all rounds before have seen.
        let mut before = FxHashMap::default();
        for rule in rules {
            let rows = self.heads(rule, &rule.plan, None, relations, context)?;
            self.add(rule.head, rows, relations, context)?;
        }
        if !is_recursive {
            return Ok(());
        }
        loop {
            let now: FxHashMap<u32, usize> =
                rules.iter().map(|it| (it.head, relations[it.head as usize].len())).collect();
            if now == before {
                return Ok(());
            }
            let mut found = Vec::new();
            for rule in rules {
                for (predicate, plan) in &rule.rounds {
                    let start = before.get(predicate).copied().unwrap_or(0);
                    let end = now.get(predicate).copied().unwrap_or(start);
                    if start < end {
                        let delta = Some((start, end));
                        found.push((rule.head, self.heads(rule, plan, delta, relations, context)?));
                    }
                }
            }
            for (head, rows) in found {
                self.add(head, rows, relations, context)?;
            }
            before = now;
        }
    }

    /// The heads of a rule's instances.
    fn heads(
        &self,
        rule: &CompiledRule,
        plan: &[compile::Step],
        delta: Option<(usize, usize)>,
        relations: &[Relation],
        context: &Context<'_>,
    ) -> Result<Vec<Terms>, EvaluationError> {
        let relation = |it: u32| self.relation_in(relations, it);
        let mut join = Join::new(context, &relation, rule.variables);
        let mut rows = Vec::new();
        join.run(plan, delta, &mut |bindings| {
            rows.push(rule.arguments.iter().map(|it| it.value(bindings)).collect());
            rows.len() <= MOST_FACTS
        })
        .map_err(|it| EvaluationError::Limit(Box::new(it)))?;
        if rows.len() > MOST_FACTS {
            return Err(EvaluationError::Facts(self.name(rule.head, context)));
        }
        Ok(rows)
    }

    fn relation_in<'a>(&'a self, relations: &'a [Relation], predicate: u32) -> &'a Relation {
        let own = &relations[predicate as usize];
        if own.is_empty() { &self.statics[predicate as usize] } else { own }
    }

    fn add(
        &self,
        head: u32,
        rows: Vec<Terms>,
        relations: &mut [Relation],
        context: &Context<'_>,
    ) -> Result<(), EvaluationError> {
        let relation = &mut relations[head as usize];
        for row in rows {
            if relation.insert(row.clone()) && row.iter().any(|it| depth(it) > MOST_DEPTH) {
                return Err(EvaluationError::Depth(self.name(head, context)));
            }
        }
        if relation.len() > MOST_FACTS {
            return Err(EvaluationError::Facts(self.name(head, context)));
        }
        Ok(())
    }
}

fn depth(term: &Term) -> usize {
    match term {
        Term::Variable(_) | Term::Constant(_) => 0,
        Term::Compound(it) => 1 + it.arguments.iter().map(depth).max().unwrap_or(0),
    }
}

impl Model<'_> {
    /// The arguments of all sentences of a predicate that hold, in the order in which they were found.
    pub fn rows(&self, predicate: Predicate) -> &[Terms] {
        match self.evaluator.numbers.get(&predicate) {
            Some(&number) => self.evaluator.relation_in(&self.relations, number).rows(),
            None => &[],
        }
    }

    /// Whether a sentence about a tested predicate holds.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn passes(&self, arguments: &[Term]) -> Result<bool, EvaluationError> {
        let evaluator = self.evaluator;
        for test in &evaluator.tests {
            let relation = |it: u32| evaluator.relation_in(&self.relations, it);
            let mut join = Join::new(&self.context, &relation, test.variables);
            if !join.bind(&test.arguments, arguments) {
                continue;
            }
            let mut passes = false;
            join.run(&test.plan, None, &mut |_| {
                passes = true;
                false
            })
            .map_err(|it| EvaluationError::Limit(Box::new(it)))?;
            if passes {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Pattern {
    /// The term that the pattern stands for; all its variables have values.
    fn value(&self, bindings: &[Option<Term>]) -> Term {
        match self {
            Pattern::Variable(it) => {
                bindings[*it as usize].clone().expect("rules are safe: the body binds it")
            }
            Pattern::Constant(it) => Term::Constant(*it),
            Pattern::Compound(functor, arguments) => groundfrog::rules::compound(
                *functor,
                arguments.iter().map(|it| it.value(bindings)).collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests;
