//! The general recursion restriction: no term grows, neither within a state nor from one to the next.
//!
//! Saffidine's Definition 8 takes the recursion restriction over the dependency graph with the edges
//! `true <- next`, `true <- init` and `does <- legal` added, so that a fluent which is made from itself is
//! a cycle as well. Read to the letter, over whole arguments, it would forbid every rule such as
//! `(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))`, where the argument of `true` is a compound
//! term. What it is for is that terms stay bounded, and that is what is checked here, argument by
//! argument, as *argument-restricted* programs are (Lierler & Lifschitz 2009):
//!
//! Each argument of each predicate, for fluents and moves and other compound terms apart by their
//! function, gets a rank, the least solution of: if a variable stands at depth e in the head's argument and
//! at depth d in an argument of rank r of a positive literal, the head's argument has rank r + e - d at
//! least; of several such literals the one that says least counts. If all ranks are finite they bound the
//! depth of terms, and the description can be grounded. If one grows without end, the chain of rules that
//! raised it is a cycle, and that is the violation.

mod ranking;

use crate::description::Predicate;
use crate::kif::{Diagnostic, Span};
use crate::rules::Rules;
use crate::symbols::Symbol;

pub use ranking::growing_cycle;

/// What stands at an argument, as far as ranks distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outermost {
    /// A constant.
    Constant,
    /// A function with so many arguments.
    Function(Symbol, u32),
    /// What a variable stood for inside another term: anything.
    Anything,
}

/// An argument of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The predicate.
    pub predicate: Predicate,
    /// The argument, counted from 0.
    pub argument: u32,
    /// What stands there.
    pub outermost: Outermost,
}

/// A step of a cycle along which a term grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowthStep {
    /// The rule, by its position; none for the course of the match, such as from `next` to `true`.
    pub rule: Option<usize>,
    /// What the variable passes into: an argument of the head.
    pub to: Slot,
    /// Where it comes from: an argument of a literal of the body.
    pub from: Slot,
    /// The place of that literal.
    pub literal: Span,
    /// The variable.
    pub variable: Symbol,
    /// By how much the term gets deeper; less than 0 where it gets shallower.
    pub growth: i64,
}

/// The finding about a cycle.
pub fn diagnostic(cycle: &[GrowthStep], rules: &Rules) -> Diagnostic {
    let shown = |slot: &Slot| slot.display(rules);
    let growing = cycle.iter().find_map(|step| Some((step, step.rule?)));
    let Some((step, rule)) = growing else {
        unreachable!("the course of the match makes no term deeper");
    };
    let rule = &rules.rules[rule];
    let message = format!("the terms in {} can grow without bound", shown(&step.to));
    let variable = rules.symbols.name(step.variable);
    let mut diagnostic = Diagnostic::warning("GF0503", message, rule.head.span)
        .with_remark(format!("here `{variable}` is {} deeper than below", step.growth))
        .with_label(step.literal, format!("`{variable}` comes from here: {}", shown(&step.from)));
    for step in cycle.iter().filter(|it| *it != step) {
        if let Some(rule) = step.rule {
            let text = format!("{} comes from {}", shown(&step.to), shown(&step.from));
            diagnostic = diagnostic.with_label(rules.rules[rule].head.span, text);
        }
    }
    let names =
        cycle.iter().map(|step| shown(&step.to)).chain(cycle.last().map(|it| shown(&it.from)));
    let names: Vec<String> = names.collect();
    diagnostic.with_help(format!("the cycle: {}", names.join(" <- "))).with_help(
        "where terms are counters, count with constants instead, as in `(succ 1 2)`; then the \
         description can be grounded",
    )
}

impl Slot {
    /// The slot in words: `argument 2 of legal`, or a pattern such as `(true (step ...))`.
    fn display(&self, rules: &Rules) -> String {
        let name = rules.symbols.name(self.predicate.name);
        match self.outermost {
            Outermost::Function(functor, _) => {
                let before = "_ ".repeat(self.argument as usize);
                let after = " _".repeat((self.predicate.arity - self.argument - 1) as usize);
                format!("`({name} {before}({} ...){after})`", rules.symbols.name(functor))
            }
            _ => format!("argument {} of `{name}`", self.argument + 1),
        }
    }
}
