//! Which arguments of predicates are lifetimes.

use fxhash::FxHashSet;
use groundfrog::description::{Atom, Predicate, Term};
use groundfrog::kif::Span;
use groundfrog::rules::{Literal, Rule, Rules, for_each_variable};
use groundfrog::symbols::Symbol;

use super::NotGroundable;
use crate::realtime::Lifetime;
use crate::realtime::interpreted::RealTimeKeywords;

/// The arguments that are lifetimes: predicate and position.
#[derive(Clone, Debug)]
pub(super) struct Sorts {
    lifetimes: FxHashSet<(Predicate, usize)>,
}

impl Sorts {
    pub(super) fn is_lifetime(&self, predicate: Predicate, argument: usize) -> bool {
        self.lifetimes.contains(&(predicate, argument))
    }

    /// The variables of a rule that stand for lifetimes, in the order in which they are met.
    pub(super) fn variables(&self, rule: &Rule) -> Vec<Symbol> {
        let mut found = Vec::new();
        for atom in atoms(rule) {
            for (argument, term) in atom.arguments.iter().enumerate() {
                if let Term::Variable(it) = term
                    && self.is_lifetime(atom.predicate(), argument)
                    && !found.contains(it)
                {
                    found.push(*it);
                }
            }
        }
        found
    }

    pub(super) fn has_any(&self, predicate: Predicate) -> bool {
        (0..predicate.arity as usize).any(|it| self.is_lifetime(predicate, it))
    }
}

fn atoms(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(Literal::atom).chain([&rule.head])
}

/// Finds the arguments that are lifetimes: those of `init`, `true` and `next`, and whatever a variable carries them to.
///
/// # Errors
/// A lifetime is carried into a fluent, a move, or another term.
pub(super) fn infer(rules: &Rules, keywords: &RealTimeKeywords) -> Result<Sorts, NotGroundable> {
    let timed = [keywords.init, keywords.true_, keywords.next];
    let mut sorts = Sorts { lifetimes: timed.into_iter().map(|it| (it, 0)).collect() };
    loop {
        let known = sorts.lifetimes.len();
        for rule in &rules.rules {
            let variables = sorts.variables(rule);
            for atom in atoms(rule) {
                for (argument, term) in atom.arguments.iter().enumerate() {
                    if matches!(term, Term::Variable(it) if variables.contains(it)) {
                        sorts.lifetimes.insert((atom.predicate(), argument));
                    }
                }
            }
        }
        if sorts.lifetimes.len() == known {
            break;
        }
    }
    let text = |it: Symbol| rules.symbols.name(it);
    let fail = |reason: String, span: Span| Err(NotGroundable { reason, span });
    let untimed = [
        keywords.role,
        keywords.expired,
        keywords.does,
        keywords.sees,
        keywords.legal,
        keywords.goal,
    ];
    for rule in &rules.rules {
        let variables = sorts.variables(rule);
        for atom in atoms(rule) {
            let predicate = atom.predicate();
            for (argument, term) in atom.arguments.iter().enumerate() {
                if sorts.is_lifetime(predicate, argument) {
                    let is_term = timed.contains(&predicate) && argument == 1;
                    match term {
                        Term::Variable(it) if is_term || untimed.contains(&predicate) => {
                            let what = format!("the lifetime `{}` flows into a term", text(*it));
                            return fail(what, atom.span);
                        }
                        Term::Variable(_) => {}
                        Term::Constant(it) if Lifetime::of_name(text(*it)).is_some() => {}
                        _ => return fail("a lifetime is no number".to_owned(), atom.span),
                    }
                    continue;
                }
                let mut inner = None;
                for_each_variable(term, &mut |variable| {
                    inner = inner.or(variables.contains(&variable).then_some(variable));
                });
                if let Some(it) = inner {
                    let what = format!("the lifetime `{}` flows into a term", text(it));
                    return fail(what, atom.span);
                }
            }
        }
        for literal in &rule.body {
            let Literal::Distinct(left, right) = literal else { continue };
            let is_lifetime = |term: &Term| match term {
                Term::Variable(it) => variables.contains(it),
                Term::Constant(it) => Lifetime::of_name(text(*it)).is_some(),
                Term::Compound(_) => false,
            };
            let concerns =
                |term: &Term| matches!(term, Term::Variable(it) if variables.contains(it));
            let is_mixed =
                (concerns(left) || concerns(right)) && !(is_lifetime(left) && is_lifetime(right));
            if is_mixed {
                return fail("a lifetime is compared with a term".to_owned(), rule.span);
            }
        }
    }
    Ok(sorts)
}
