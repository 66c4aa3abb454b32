//! Decomposition: rules of which large parts can be told apart are split, and rewritten where they can be split better.
//!
//! Eliminating a variable takes the literals that mention it out of the rule and puts in their place an
//! auxiliary predicate over the variables that the rest still needs. Doing so for one variable after the
//! other gives a tree decomposition of the body (lpopt's idea; projection, of Schiffel's "Optimizations",
//! is the case of one literal): [`elimination`]. What makes rules smaller before that is proposed by strategies, each a
//! function of rules and of what is known ([`world`]); the one driver in [`proposal`] estimates how large the rules become when
//! all is eliminated that pays, and accepts. Auxiliary predicates that are only proposed stand in a [`draft`].

mod about_tables;
mod alike;
pub(crate) mod alternatives;
mod canonical;
pub(crate) mod compared_tuples;
pub(crate) mod complements;
pub(crate) mod counters;
pub(crate) mod differing_tuples;
pub(crate) mod disjunctions;
mod draft;
pub(crate) mod elimination;
mod guards;
mod least_fill;
pub(crate) mod move_parts;
pub(crate) mod nested_sets;
pub(crate) mod proposal;
mod sizes;
#[cfg(test)]
mod tests;
mod world;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::projection::Part;
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Budget, Exceeded, Tables};

use self::draft::Draft;
pub use self::least_fill::Large;
use self::least_fill::split_by_fill;
use self::nested_sets::Nested;
use self::proposal::{Wanted, rewritten};
use self::world::World;
use super::auxiliaries::{Auxiliaries, Split};
use crate::description::Keywords;
use crate::flat::{FlatProgram, FlatRule, FormId, Forms};
use crate::symbols::{Symbol, Symbols, fresh};

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
pub(crate) struct Context<'run> {
    /// The forms of predicates; auxiliary ones are added.
    pub(crate) forms: &'run mut Forms,
    /// Their names.
    pub(crate) symbols: &'run mut Symbols,
    /// What is known of them.
    pub(crate) known: Known<'run>,
    /// What is wanted.
    pub(crate) wanted: &'run [Wanted],
    /// The limits.
    pub(crate) budget: &'run Budget,
}

/// A part of a rule to be split off.
pub(crate) struct PartStep {
    split: Split,
    part: Part,
    nested: Option<Nested>,
}

/// Rules that were split.
#[derive(Debug)]
pub struct Decomposed {
    /// The rules.
    pub rules: Vec<FlatRule>,
    /// The auxiliary predicates that these use, whose rules are split as well.
    pub auxiliaries: Auxiliaries,
    /// Those rules that were large before they were split, which may be split in another way.
    pub large: Vec<Large>,
    /// The first form of an auxiliary predicate, and the name that all of them have in the rules.
    first: (usize, Symbol),
}

impl Decomposed {
    /// Splits rules. The predicates that are made get forms with names of their own; rules have these only at the end,
    /// see [`Auxiliaries::name`].
    ///
    /// # Errors
    /// A limit of the budget.
    pub(crate) fn new(rules: &[FlatRule], mut context: Context<'_>) -> Result<Self, Exceeded> {
        let first = (context.forms.len(), fresh(context.symbols, "aux"));
        let made = Auxiliaries::default();
        let split = |draft: &mut Draft<'_, '_>| rewritten(rules.to_vec(), draft);
        let ((rules, large), auxiliaries) = run(rules, first, made, &mut context, split)?;
        Ok(Decomposed { rules, auxiliaries, large, first })
    }

    /// Splits some of the large rules in the other way as well, when the tables of the auxiliary predicates are known.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(crate) fn split_large(
        &mut self,
        large: Vec<Large>,
        mut context: Context<'_>,
    ) -> Result<(), Exceeded> {
        let (made, rules) = (std::mem::take(&mut self.auxiliaries), &self.rules);
        let split = |draft: &mut Draft<'_, '_>| split_by_fill(large, rules, draft);
        let ((), made) = run(rules, self.first, made, &mut context, split)?;
        self.auxiliaries = made;
        Ok(())
    }
}

/// Does something with what was made so far, and gives the predicates that are new their names.
fn run<T>(
    rules: &[FlatRule],
    first: (usize, Symbol),
    made: Auxiliaries,
    context: &mut Context<'_>,
    split: impl FnOnce(&mut Draft<'_, '_>) -> T,
) -> Result<(T, Auxiliaries), Exceeded> {
    let (done, made) = {
        let world = World::new(rules, first, context);
        let mut draft = Draft::new(&world, made);
        let done = split(&mut draft);
        let made = draft.into_made();
        world.finish()?;
        (done, made)
    };
    made.intern(first.0, context.forms, context.symbols);
    Ok((done, made))
}
