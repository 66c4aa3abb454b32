//! Stratification: no predicate depends on its own negation.
//!
//! The definition speaks of predicates. Some descriptions break it and are stratified all the same once
//! their rules are ground, as where a goal is 0 if no other goal holds; those are warned of.

use fxhash::FxHashSet;

use super::dependencies::{Dependencies, Edge};
use crate::description::Predicate;
use crate::kif::Diagnostic;
use crate::rules::Rules;

/// Predicates that depend on each other, one of them through a negation.
#[derive(Clone, Debug)]
pub struct NegativeCycle {
    /// One cycle, as short as there is. Its first literal is negated.
    pub cycle: Vec<Edge>,
    /// All predicates on cycles with those.
    pub predicates: FxHashSet<Predicate>,
}

/// One negative cycle of each component of the dependency graph that has any.
pub fn negative_cycles(graph: &Dependencies) -> Vec<NegativeCycle> {
    let mut found: Vec<(u32, Vec<Edge>)> = Vec::new();
    for edge in graph.edges().iter().filter(|edge| edge.negative && graph.is_cyclic(edge)) {
        let component = graph.cycle_of(edge.from).expect("it lies on a cycle");
        let known = found.iter_mut().find(|(it, _)| *it == component);
        if known.as_ref().is_some_and(|(_, cycle)| cycle.len() == 1) {
            continue;
        }
        let cycle = graph.cycle_through(*edge);
        match known {
            None => found.push((component, cycle)),
            Some((_, known)) if cycle.len() < known.len() => *known = cycle,
            Some(_) => {}
        }
    }
    let members = |component| {
        let edges = graph.edges().iter().filter(|it| graph.cycle_of(it.from) == Some(component));
        edges.map(|it| graph.predicate(it.from)).collect()
    };
    let complete = |(component, cycle)| NegativeCycle { cycle, predicates: members(component) };
    found.into_iter().map(complete).collect()
}

/// What is known of a negative cycle once the rules are ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnceGround {
    /// No atom depends on its own negation.
    Vanishes,
    /// These atoms depend on each other, in a cycle with a negation.
    Remains(Vec<String>),
    /// The predicates are the same in every state, and such predicates must be stratified themselves.
    Static,
    /// It was not found out, for this reason.
    Undecided(String),
}

/// The finding about a negative cycle.
pub fn diagnostic(
    cycle: &NegativeCycle,
    once_ground: &OnceGround,
    graph: &Dependencies,
    rules: &Rules,
) -> Diagnostic {
    let first = cycle.cycle[0];
    let name = graph.name(graph.predicate(first.from), rules);
    let message = format!("`{name}` depends on its own negation");
    let diagnostic = match once_ground {
        OnceGround::Remains(_) | OnceGround::Static => {
            Diagnostic::error("GF0306", message, first.span)
        }
        _ => Diagnostic::warning("GF0501", message, first.span),
    };
    let diagnostic = graph.with_path(diagnostic, &cycle.cycle, rules);
    match once_ground {
        OnceGround::Vanishes => diagnostic.with_help(
            "once the rules are ground no atom depends on its own negation, so the game has a meaning; \
             but it is not stratified, as GDL demands, and some players refuse it",
        ),
        OnceGround::Remains(atoms) => diagnostic
            .with_help(format!("once ground: {}", atoms.join(" <- ")))
            .with_help("derive it from something else, so that one of the two is known first"),
        OnceGround::Static => diagnostic.with_help(
            "it does not change from state to state, so it is computed once, negated literals first",
        ),
        OnceGround::Undecided(reason) => diagnostic
            .with_help(format!("whether a cycle remains once the rules are ground is not known: {reason}")),
    }
}
