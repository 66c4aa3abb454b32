//! Decomposition: rules of which large parts can be told apart are split, and rewritten where they can be split better.
//!
//! Eliminating a variable takes the literals that mention it out of the rule and puts in their place an
//! auxiliary predicate over the variables that the rest still needs. Doing so for one variable after the
//! other gives a tree decomposition of the body (lpopt's idea; projection, of Schiffel's "Optimizations",
//! is the case of one literal): [`elimination`]. What makes rules smaller before that is proposed by strategies, each a
//! function of rules and of what is known ([`world`]); the one driver in [`proposal`] estimates how large the rules become when
//! all is eliminated that pays, and accepts. Auxiliary predicates that are only proposed stand in a [`draft`].

mod alike;
pub(crate) mod complements;
pub(crate) mod counters;
pub(crate) mod differing_tuples;
pub(crate) mod disjunctions;
mod draft;
pub(crate) mod elimination;
pub(crate) mod move_parts;
pub(crate) mod nested_sets;
pub(crate) mod proposal;
mod world;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::projection::Part;
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Budget, Exceeded, Tables};

use self::draft::Draft;
use self::nested_sets::Nested;
use self::proposal::{Wanted, rewritten};
use self::world::World;
use super::auxiliaries::{Auxiliaries, Split};
use crate::description::Keywords;
use crate::flat::{FlatProgram, FlatRule, FormId, Forms};
use crate::symbols::{Symbols, fresh};

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

/// Rules that were split, and the auxiliary predicates that these use, whose rules are split as well. The predicates that are made get
/// forms with names of their own; rules have these only at the end, see [`Auxiliaries::name`].
///
/// # Errors
/// A limit of the budget.
pub(crate) fn decomposed(
    rules: &[FlatRule],
    mut context: Context<'_>,
) -> Result<(Vec<FlatRule>, Auxiliaries), Exceeded> {
    let first = (context.forms.len(), fresh(context.symbols, "aux"));
    let world = World::new(rules, first, &mut context);
    let mut draft = Draft::new(&world, Auxiliaries::default());
    let rules = rewritten(rules.to_vec(), &mut draft);
    let auxiliaries = draft.into_made();
    world.finish()?;
    drop(world);
    auxiliaries.intern(first.0, context.forms, context.symbols);
    Ok((rules, auxiliaries))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use groundfrog_engine::Limit;

    use super::*;
    use crate::description::{Description, ParseOptions};
    use crate::flat::lowering;
    use crate::ground::{Flattened, flatten_rules, wanted};
    use crate::options::{GroundOptions, PassId, Passes};

    fn flattened(text: &str) -> Flattened {
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("the text is well formed");
        flatten_rules(&description, &GroundOptions::flat()).expect("the rules are bounded").0
    }

    /// Of each pass over the rules: those about moves, and those to be split.
    #[test]
    fn a_limit_stops_the_rewriting_of_many_rules() {
        let text = "(role r) (init (at 1 2)) (legal r go) (<= (next (at ?x ?y)) (true (at ?x ?y)))
            (<= (legal r (from ?x ?y)) (true (at ?x ?y))) (<= terminal (true (at ?y ?y)))
            (<= (next (at ?y ?x)) (true (at ?x ?y)) (does r (from ?a ?b)) (distinct ?a ?x))";
        for passes in [Passes::of(&[PassId::Complements]), Passes::of(&[PassId::Decomposition])] {
            let wanted = &wanted(passes)[..];
            let mut flattened = flattened(text);
            let (flat, forms) = (&flattened.flat, &flattened.forms);
            let all = lowering::program(flat, forms, &flattened.prepared.rules.symbols, |_| true);
            let tables = lowering::fact_tables(flat, forms, &all);
            let (demanded, steps) = (FxHashSet::default(), FxHashMap::default());
            let stored: Vec<FlatRule> = flat.rules.iter().filter(|it| it.stored).cloned().collect();
            let many: Vec<FlatRule> = stored.iter().cycle().take(20_000).cloned().collect();
            let rules = &mut flattened.prepared.rules;
            let keywords = &rules.keywords;
            let (tables, demanded, steps) = (&tables, &demanded, &steps);
            let known = Known { keywords, tables, demanded, steps, facts: flat };
            let mut run = |budget: &Budget| {
                let (forms, symbols) = (&mut flattened.forms, &mut rules.symbols);
                let context = Context { forms, symbols, known, wanted, budget };
                decomposed(&many, context).map(|split| split.0.len())
            };
            let stopped = Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true)));
            let exceeded = run(&stopped).expect_err("it is to stop");
            assert_eq!(exceeded.limit, Limit::Cancelled);
            assert!(run(&Budget::unlimited()).is_ok());
        }
    }
}
