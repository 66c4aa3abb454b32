//! Projection and decomposition: a rule with variables that the head does not need is split, so that
//! their values are not multiplied with each other.
//!
//! Eliminating a variable takes the literals that mention it out of the rule and puts in their place an
//! auxiliary predicate over the variables that the rest still needs. Doing so for one variable after the
//! other gives a tree decomposition of the body (lpopt's idea; projection, of Schiffel's "Optimizations",
//! is the case of one literal). Each step is taken only if it makes the estimated ground program clearly
//! smaller, the best one first. Before that, rules are put together (`disjunctions`) or taken
//! apart (`alternatives`) where they can be split better for it.

mod about_tables;
mod acceptance;
mod alike;
mod alternatives;
mod canonical;
mod compared_tuples;
mod complements;
mod counters;
mod differing_tuples;
mod disjunctions;
mod greedy;
mod guards;
mod joint_conditions;
mod least_fill;
mod move_parts;
mod nested_sets;
mod parts;
mod shared_projections;
mod sizes;
#[cfg(test)]
mod tests;
mod wide;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Budget, Exceeded, Tables};

use self::about_tables::AboutTables;
use self::counters::AllRanks;
pub use self::least_fill::Large;
use super::auxiliaries::{Auxiliaries, RuleSteps};
use crate::compact::estimate::Estimates;
use crate::description::Keywords;
use crate::flat::{FlatProgram, FlatRule, FormId, Forms};
use crate::options::{PassId, Passes};
use crate::symbols::Symbols;
use crate::ticker::Ticker;
use crate::tuning::complete_tables::decomposition::{
    GAIN, MOST_LOOKED_AT, SMALL, WORTH_A_GUARD, WORTH_A_GUARD_BY_FILL,
};

/// Ticks that it takes to look at a literal.
const A_LITERAL: u32 = 8;
/// Ticks that it takes to estimate a size.
const AN_ESTIMATE: u32 = 64;

/// What is known of the predicates of rules.
#[derive(Clone, Copy, Debug)]
pub struct Known<'run> {
    /// The names that mean something.
    pub keywords: &'run Keywords,
    /// The tables of all predicates. Those of `demanded` and of `steps` are not complete.
    pub tables: &'run Tables,
    /// The predicates whose tables have only what is demanded.
    pub demanded: &'run FxHashSet<FormId>,
    /// The sizes of the steps of chains that `diagrams` has made: rules with these are also cut between two of
    /// them.
    pub steps: &'run FxHashMap<FormId, Measure>,
    /// The facts.
    pub facts: &'run FlatProgram,
}

/// What rules are split with.
#[derive(Debug)]
pub struct Context<'run> {
    /// The forms of predicates; auxiliary ones are added.
    pub forms: &'run mut Forms,
    /// Their names.
    pub symbols: &'run mut Symbols,
    /// What is known of them.
    pub known: Known<'run>,
    /// What is wanted.
    pub passes: Passes,
    /// The rules of the description that stay as they are: what they were split into was far larger than expected.
    pub given_up: &'run FxHashSet<u32>,
    /// The limits.
    pub budget: &'run Budget,
}

/// Rules that were split.
#[derive(Debug)]
pub struct Decomposed {
    /// The rules.
    pub rules: Vec<FlatRule>,
    /// What was made for them.
    pub made: Made,
    /// Those rules that were large before they were split, as far as they can be split in another way.
    pub large: Vec<Large>,
    about_tables: AboutTables,
}

/// What was made, as far as it matters where further rules are split.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The auxiliary predicates that rules use, whose rules are split as well.
    pub auxiliaries: Auxiliaries,
    /// The first predicate that is an auxiliary one.
    first_auxiliary: usize,
    /// Auxiliary predicates that say what moves are made.
    about_moves: Vec<FormId>,
    /// The ranks of what is counted.
    ranks: AllRanks,
}

impl Decomposed {
    /// Splits some of the large rules in the other way as well, when the tables of the auxiliary predicates are known.
    ///
    /// # Errors
    /// A limit of the budget.
    pub fn split_large(&mut self, large: Vec<Large>, context: Context<'_>) -> Result<(), Exceeded> {
        let (made, about_tables) = (&mut self.made, &mut self.about_tables);
        let (made, about_tables) = (std::mem::take(made), std::mem::take(about_tables));
        let mut splitter = Splitter::new(context, made, about_tables);
        splitter.worth_a_guard = WORTH_A_GUARD_BY_FILL;
        splitter.split_large_by_fill(large, &self.rules);
        splitter.ticker.finish()?;
        self.made = splitter.made;
        Ok(())
    }
}

/// Splits rules, and replaces parts of them: what the passes over rules with complete tables share.
pub(crate) struct Splitter<'run> {
    forms: &'run mut Forms,
    symbols: &'run mut Symbols,
    known: Known<'run>,
    passes: Passes,
    given_up: &'run FxHashSet<u32>,
    estimates: Estimates<'run>,
    made: Made,
    about_tables: AboutTables,
    /// Whether rules get counters.
    counters: bool,
    /// Parts of at least this size may be guarded.
    worth_a_guard: f64,
    /// The size of the rule that is split before its first step, as soon as it is known.
    whole: Option<f64>,
    /// The rules that were large.
    large: Vec<Large>,
    /// If it stops, what has been made is of no use.
    ticker: Ticker<'run>,
}

impl<'run> Splitter<'run> {
    /// A splitter that has made nothing yet.
    pub(crate) fn begin(context: Context<'run>) -> Self {
        let made = Made { first_auxiliary: context.forms.len(), ..Made::default() };
        Splitter::new(context, made, AboutTables::default())
    }

    /// What has become of all rules.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(crate) fn finish(mut self, rules: Vec<FlatRule>) -> Result<Decomposed, Exceeded> {
        self.ticker.finish()?;
        let Splitter { made, large, about_tables, .. } = self;
        Ok(Decomposed { rules, made, large, about_tables })
    }

    fn new(context: Context<'run>, made: Made, about_tables: AboutTables) -> Self {
        let Context { forms, symbols, known, passes, given_up, budget } = context;
        let mut estimates = Estimates::new(known.tables, made.first_auxiliary, forms.len());
        known.steps.iter().for_each(|(&form, measure)| estimates.assume(form, measure.clone()));
        Splitter {
            forms,
            symbols,
            known,
            passes,
            given_up,
            estimates,
            made,
            about_tables,
            counters: true,
            worth_a_guard: WORTH_A_GUARD,
            whole: None,
            large: Vec::new(),
            ticker: Ticker::new(budget, known.tables.bytes()),
        }
    }
}

impl Splitter<'_> {
    /// Splits rules, and the rules of the auxiliary predicates that they use.
    pub(crate) fn split_all(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let mut rules = rules;
        if self.passes.contains(PassId::ComparedTuples) {
            rules = self.put_differences_together(rules);
        }
        rules = self.put_together(rules);
        if self.passes.contains(PassId::MoveParts) {
            rules = self.take_moves_apart(rules);
        }
        let mut split = Vec::with_capacity(rules.len());
        for rule in rules {
            let rule = self.counted(rule);
            let alternatives = self.alternatives(rule);
            // Those of several are alike, so that views of theirs become one: more than what is counted tells.
            let is_alone = alternatives.len() == 1;
            for alternative in alternatives {
                split.push(if is_alone {
                    self.split_recording_large(alternative, split.len())
                } else {
                    self.split(alternative)
                });
            }
        }
        self.split_auxiliaries(0);
        self.share_projections(&mut split);
        split
    }

    /// Splits the rules of auxiliary predicates from one on, with those that come of it.
    fn split_auxiliaries(&mut self, mut next: usize) {
        while let Some(rule) = self.made.auxiliaries.rules.get(next).cloned() {
            let first = self.made.auxiliaries.splits.len();
            let expected = self.expected_instances(&rule);
            self.made.auxiliaries.rules[next] = self.split(rule);
            let steps = first..self.made.auxiliaries.splits.len();
            self.made.auxiliaries.steps.push(RuleSteps { rule: next, expected, steps });
            next += 1;
        }
    }

    /// Splits a rule in the way that seems smallest.
    fn split(&mut self, rule: FlatRule) -> FlatRule {
        let rule = self.counted(rule);
        self.split_without_counters(rule)
    }

    /// Splits a rule in the way that seems smallest, without counters.
    fn split_without_counters(&mut self, rule: FlatRule) -> FlatRule {
        let rule = self.prepared(rule);
        self.split_greedily(rule)
    }

    /// The rule with conditions that are joined, if that pays.
    fn prepared(&mut self, rule: FlatRule) -> FlatRule {
        self.with_joint_conditions(&rule).unwrap_or(rule)
    }

    /// Tries something without doing it. What it finds out about tables does not depend on whether it is done.
    fn on_trial<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (forms, symbols) = (self.forms.len(), self.symbols.len());
        let auxiliaries = self.made.auxiliaries.mark(forms);
        let (estimated, about_moves) = (self.estimates.estimated(), self.made.about_moves.len());
        // There are few of these, and their tables are shared.
        let ranks = self.made.ranks.clone();
        let result = run(self);
        self.forms.truncate(forms);
        self.symbols.truncate(symbols);
        self.estimates.truncate(estimated);
        let made = &mut self.made;
        made.auxiliaries.reset(&auxiliaries);
        made.about_moves.truncate(about_moves);
        made.ranks = ranks;
        result
    }

    /// Whether a rule has ground rules that there may be fewer of, and no split of it was given up.
    fn may_change(&self, rule: &FlatRule) -> bool {
        rule.stored && !self.given_up.contains(&rule.origin)
    }

    /// Whether the limits allow to look at one more rule.
    fn goes_on(&mut self, rule: &FlatRule) -> bool {
        self.ticker.ticks(A_LITERAL * (1 + rule.body.len() as u32))
    }
}
