//! What cannot follow: no state comes after one that is terminal.

use super::condition::{Condition, ConditionAlternative};
use super::single_valued::Prover;
use crate::compact::definitions::Copies;
use crate::description::{Predicate, Term};
use crate::rewrite::parts;
use crate::rules::{Literal, Rule, Substitution, argument_of};
use crate::symbols::Symbol;
use crate::tuning::{LONGEST_BODY, MOST_ALTERNATIVES, MOST_DEPTH};

/// How many ticks an end takes.
const AN_END: u32 = 1 << 8;

/// A fluent that makes a state terminal if static literals hold.
struct End {
    fluent: Term,
    body: Vec<Literal>,
}

/// The ends of matches that one fluent is enough for.
#[derive(Default)]
pub(super) struct Ends {
    ends: Vec<End>,
}

impl Ends {
    pub(super) fn new(prover: &mut Prover<'_, '_, '_, '_>) -> Self {
        let definitions = prover.definitions;
        let terminal = Predicate { name: definitions.keywords.terminal, arity: 0 };
        let mut ends = Vec::new();
        let mut copies = definitions.copies();
        for rule in definitions.of(terminal) {
            // Its variables are none of the rules that are compared with it.
            let Some(rule) = copies.of(rule) else { break };
            unfold(rule.body, prover, &mut copies, MOST_DEPTH, &mut ends);
        }
        Ends { ends: if ends.len() > MOST_ALTERNATIVES { Vec::new() } else { ends } }
    }

    /// What a rule for the next state uses besides; `None` if no state it is for has a successor.
    pub(super) fn conditions(
        &self,
        rule: &Rule,
        prover: &mut Prover<'_, '_, '_, '_>,
    ) -> Option<Vec<Condition>> {
        let definitions = prover.definitions;
        let mut conditions = Vec::new();
        for literal in &rule.body {
            let Literal::Positive(atom) = literal else { continue };
            let Some(needed) = argument_of(atom, definitions.keywords.true_) else { continue };
            for end in &self.ends {
                if !prover.passes(AN_END) {
                    return Some(Vec::new());
                }
                let mut values = Substitution::default();
                if !values.unify(&end.fluent, needed) {
                    continue;
                }
                let body: Vec<Literal> = end.body.iter().map(|it| it.substitute(&values)).collect();
                let of_body = parts::variables(&body);
                let mut own = parts::variables([literal]);
                own.retain(|it| is_limited(*it, &values) || of_body.contains(it));
                if own.is_empty() && body.is_empty() {
                    return None;
                }
                // An end that takes several values together is one state of many.
                let is_rare = body.is_empty() && own.len() > 1;
                if own.is_empty() || is_rare {
                    continue;
                }
                let limits = own.iter().map(|&it| values.term(&Term::Variable(it))).collect();
                if values.is_exhausted() {
                    continue;
                }
                let alternative = ConditionAlternative { values: limits, body };
                let condition =
                    Condition { variables: own, alternatives: vec![alternative], holds: false };
                let can_be_said = condition.literal().is_some() || condition.is_safe();
                if can_be_said && !is_idle(&condition, rule, prover) {
                    conditions.push(condition);
                }
            }
        }
        conditions.dedup();
        Some(conditions)
    }
}

/// Adds the ends that a body says, with views unfolded.
fn unfold(
    body: Vec<Literal>,
    prover: &mut Prover<'_, '_, '_, '_>,
    copies: &mut Copies,
    depth: u32,
    ends: &mut Vec<End>,
) {
    if ends.len() > MOST_ALTERNATIVES || body.len() > LONGEST_BODY || !prover.passes(AN_END) {
        return;
    }
    let definitions = prover.definitions;
    let (dynamic, body): (Vec<Literal>, Vec<Literal>) =
        body.into_iter().partition(|it| !definitions.is_static(it));
    let [Literal::Positive(atom)] = dynamic.as_slice() else { return };
    if let Some(fluent) = argument_of(atom, definitions.keywords.true_) {
        ends.push(End { fluent: fluent.clone(), body });
    } else if depth > 0 && definitions.is_view(atom) {
        let uses_it_once =
            |rule: &&Rule| rule.body.iter().filter(|it| !definitions.is_static(it)).count() == 1;
        for rule in definitions.of(atom.predicate()).filter(uses_it_once).take(MOST_ALTERNATIVES) {
            let Some(rule) = copies.of(rule) else { return };
            let mut values = Substitution::default();
            if !values.unify_all(&atom.arguments, &rule.head.arguments) {
                continue;
            }
            let unfolded = body.iter().chain(&rule.body).map(|it| it.substitute(&values));
            let unfolded: Vec<Literal> = unfolded.collect();
            if !values.is_exhausted() {
                unfold(unfolded, prover, copies, depth - 1, ends);
            }
        }
    }
}

/// Whether a variable of a rule has another value at an end, or is the same as another one.
fn is_limited(variable: Symbol, values: &Substitution) -> bool {
    *values.resolved(&Term::Variable(variable)) != Term::Variable(variable)
}

/// Whether a rule has no instances at an end anyway, as a table of facts that it uses has nothing to say of it.
fn is_idle(condition: &Condition, rule: &Rule, prover: &mut Prover<'_, '_, '_, '_>) -> bool {
    let definitions = prover.definitions;
    let Some(Literal::Distinct(Term::Variable(variable), end)) = condition.literal() else {
        return false;
    };
    rule.body.iter().any(|literal| match literal {
        Literal::Positive(atom) if !definitions.is_dynamic(atom.predicate()) => {
            let places = atom.arguments.iter().enumerate();
            let mut places =
                places.filter(|(_, it)| **it == Term::Variable(variable)).map(|it| it.0);
            places.any(|at| {
                let mut facts = definitions.of(atom.predicate());
                prover.passes(facts.len() as u32)
                    && facts.all(|fact| {
                        fact.body.is_empty()
                            && !matches!(fact.head.arguments[at], Term::Variable(_))
                            && fact.head.arguments[at] != end
                    })
            })
        }
        _ => false,
    })
}
