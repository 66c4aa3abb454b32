//! Where it is given what a recursion ends with, and not where it begins, the two are told apart (factoring; Naughton,
//! Ramakrishnan, Sagiv & Ullman, "Argument reduction by factoring", 1989).
//!
//! ```text
//! (<= (path ?x ?z) (true (road ?x ?z)))
//! (<= (path ?x ?z) (true (road ?x ?y)) (path ?y ?z))
//! (<= (next (served ?z)) (depot ?x) (path ?x ?z))
//! ```
//!
//! The depot is changed by the recursive rule, and where the path ends is passed on. One view says where a path from some
//! depot can lead, another one what such a path ends with:
//!
//! ```text
//! (<= (path_met ?y) (depot ?x) (true (road ?x ?y)))
//! (<= (path_met ?y) (path_met ?x) (true (road ?x ?y)))
//! (<= (path_any ?z) (depot ?x) (true (road ?x ?z)))
//! (<= (path_any ?z) (path_met ?x) (true (road ?x ?z)))
//! (<= (next (served ?z)) (path_any ?z))
//! ```
//!
//! The recursive rules do not look at the arguments that nothing but their first rule tells, so whatever is met on the way
//! can be followed by any of them. What is passed on and looked at belongs to both views. If nothing is asked of the
//! beginning, the recursion tells nothing.

use groundfrog_engine::Argument;

use super::Definitions;
use super::passing::{Passing, is_step, own_atom};
use super::query::{Need, Query};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};

/// What is made of a view for one way to use it.
pub(super) struct Factors<'run> {
    pub(super) passing: &'run [Passing],
    pub(super) query: &'run Query,
    /// What the recursion ends with.
    pub(super) rest: FormId,
    /// What is met on the way.
    pub(super) met: FormId,
}

/// The columns of what is met on the way.
pub(super) fn met_columns(passing: &[Passing], query: &Query) -> Vec<usize> {
    let is_met = |it: &usize| match passing[*it] {
        Passing::Changed => true,
        Passing::Seen => query.columns[*it] == Need::Value,
        Passing::Unseen => false,
    };
    (0..passing.len()).filter(is_met).collect()
}

impl Factors<'_> {
    /// The rules of both views; nothing if some would have variables that nothing binds.
    pub(super) fn rules(
        &self,
        definitions: &Definitions<'_>,
        own: &[FlatRule],
    ) -> Option<Vec<FlatRule>> {
        let (kept, met) = (self.query.kept(), met_columns(self.passing, self.query));
        let is_changed = |column: usize| self.passing[column] == Passing::Changed;
        let asks_for_any = self.query.conditions.is_empty()
            && (0..self.passing.len())
                .all(|it| !is_changed(it) || self.query.columns[it] == Need::Any);
        let mut rules = Vec::new();
        for rule in own.iter().filter(|it| !asks_for_any || !is_step(it)) {
            // At the beginning, and after something was met.
            for is_first in [true, false].into_iter().filter(|&it| it || !asks_for_any) {
                let is_restricted = |column| is_first || !is_changed(column);
                let needed = self.query.answers_from(rule, is_restricted, is_first);
                let Some(mut rule) = needed else { continue };
                let mut before = rule.head.clone();
                definitions.shorten(&mut before, self.met, &met);
                let before = FlatLiteral {
                    kind: LiteralKind::Positive(before),
                    joined: true,
                    stored: rule.stored,
                };
                let next = own_atom(&mut rule).map(|(at, atom)| (at, atom.clone()));
                if let Some((at, mut next)) = next {
                    definitions.shorten(&mut next, self.met, &met);
                    rule.body.remove(at);
                    rule.head = next;
                } else {
                    definitions.shorten(&mut rule.head, self.rest, &kept);
                }
                if !is_first && !rule.body.contains(&before) {
                    rule.body.insert(0, before);
                }
                if !is_bound(&rule) {
                    return None;
                }
                if !super::derives_itself(&rule) {
                    rules.push(rule);
                }
            }
        }
        Some(rules)
    }
}

/// Whether each variable of a rule is in a positive literal.
fn is_bound(rule: &FlatRule) -> bool {
    let positive = || {
        rule.body.iter().filter_map(|literal| match &literal.kind {
            LiteralKind::Positive(atom) if literal.joined => Some(atom),
            _ => None,
        })
    };
    let is_bound = |it: Argument| {
        it.variable().is_none() || positive().any(|atom: &FlatAtom| atom.arguments.contains(&it))
    };
    let mut all = rule.head.arguments.iter().all(|&it| is_bound(it));
    for literal in &rule.body {
        super::for_each_argument(&literal.kind, &mut |it| all &= is_bound(it));
    }
    all
}
