//! How many instances the rules have that were split, each counted as seldom as will do.

use std::collections::hash_map::Entry;

use fxhash::FxHashMap;
use groundfrog_engine::query::{Count, Queries, Query};
use groundfrog_engine::{Argument, Arguments, Budget, Exceeded, Rule, Tables};

use crate::compact::complete_tables::choices::Candidate;
use crate::flat::lowering::joined_rule;
use crate::flat::{FlatLiteral, FlatRule};

/// What was counted, with what it takes to count again.
#[derive(Debug, Default)]
pub(super) struct Counts {
    queries: Queries,
    known: FxHashMap<Candidate, KnownRule>,
}

/// What is known of a rule.
#[derive(Debug)]
struct KnownRule {
    query: Query,
    count: Count,
    /// When so many rows were looked at, the rest was estimated.
    enough: u64,
}

impl Counts {
    /// How many instances a rule has, estimated when `enough` rows were looked at. Its tables are complete.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(super) fn count(
        &mut self,
        way: Candidate,
        rule: &FlatRule,
        tables: &Tables,
        enough: u64,
        budget: &Budget,
    ) -> Result<Count, Exceeded> {
        match self.known.entry(way) {
            Entry::Occupied(known) => {
                let known = known.into_mut();
                if known.enough < enough && !matches!(known.count, Count::Exact(_)) {
                    known.count = self.queries.count(&known.query, tables, enough, budget)?;
                    known.enough = enough;
                }
                Ok(known.count)
            }
            Entry::Vacant(unknown) => {
                let query = self.queries.prepare(&instances(rule), tables);
                let count = self.queries.count(&query, tables, enough, budget)?;
                Ok(unknown.insert(KnownRule { query, count, enough }).count)
            }
        }
    }
}

/// What is joined of a rule to get the variables that its ground rules have.
pub(super) fn instances(rule: &FlatRule) -> Rule {
    let stored = rule.body.iter().filter(|it| it.stored).filter_map(FlatLiteral::atom);
    let arguments = stored.chain([&rule.head]).flat_map(|it| it.arguments.iter());
    let mut variables: Vec<u32> = arguments.filter_map(|it| it.variable()).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut joined = joined_rule(rule);
    joined.head.arguments = variables.into_iter().map(Argument::Variable).collect::<Arguments>();
    joined
}
