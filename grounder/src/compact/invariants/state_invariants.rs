//! Steps that no match makes: by moves that are not legal.
//!
//! A rule about the next state is instantiated for all fluents and moves that there are, which are computed from what such
//! rules derive. Most descriptions check a move where it becomes legal and not again where it is made:
//!
//! ```kif
//! (<= (legal walker (go east)) (true (at ?x ?y)) (succ ?x ?u) (index ?u))
//! (<= (next (at ?u ?y)) (does walker (go east)) (true (at ?x ?y)) (succ ?x ?u))
//! ```
//!
//! If `succ` counts steps, too, nothing in the second rule keeps the walker on the board. But its move is legal, so `(true
//! (at ?x' ?y'))` holds with `(succ ?x' ?u')` and `(index ?u')`; and the walker is in one place, so `?x'` is `?x` ([`legality`]). That it
//! is in one place is shown by induction over states ([`single_valued`]): two rules for `next` cannot both be for one
//! step ([`case`]), or they derive the same. Nor does `?x'` have two successors, so `?u'` is `?u`. What is left of the
//! rule for `legal` are static conditions on variables of the other rule, here `(index ?u)`, which it uses besides.
//!
//! Such invariants are what planners look for before they ground (Edelkamp and Helmert, "Exhibiting Knowledge in Planning
//! Problems to Minimize State Encoding Length", 1999; Helmert, "Concise Finite-Domain Representations for PDDL Planning Tasks",
//! 2009, section 5).

mod case;
mod condition;
mod legality;
mod single_valued;

use groundfrog_engine::Exceeded;

use crate::compact::definitions::Definitions;
use crate::description::Term;
use crate::prepare::Prepared;
use crate::rewrite::statics;
use crate::rules::{Literal, Rule, Rules, Substitution};
use crate::symbols::Symbol;
use crate::ticker::Ticker;
use crate::tuning::LONGEST_BODY;
use condition::{Condition, ConditionAuxiliaries};
use legality::Legality;
use single_valued::Prover;

/// How many ticks a rule takes, besides those for what is shown of it.
const RULE: u32 = 1 << 10;

/// What was made of a description's rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RestrictedSteps {
    /// Of which fluents there is one for each key.
    pub(crate) invariants: Vec<Invariant>,
    /// How many rules use more than they did.
    pub(crate) rules: usize,
    /// How many rules are left out, as they are for no step.
    pub(crate) dropped: usize,
    /// How many rules were added, for auxiliary predicates.
    pub(crate) auxiliary: usize,
}

/// In no reachable state are there two fluents with this function that agree in the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invariant {
    pub(crate) function: Symbol,
    /// By argument: whether it is part of the key.
    pub(crate) key: Vec<bool>,
}

/// What becomes of a rule.
enum RuleOutcome {
    Dropped,
    /// It uses conditions.
    Needs(Vec<Condition>),
}

/// What becomes of rules, by their positions, ascending.
type Changes = Vec<(usize, RuleOutcome)>;

/// Has rules about moves and next states use what holds of every step that a match can make.
///
/// # Errors
/// A limit that was exceeded.
pub(crate) fn restrict(
    prepared: &mut Prepared,
    ticker: &mut Ticker<'_>,
) -> Result<RestrictedSteps, Exceeded> {
    let (changes, invariants) = changes(prepared, ticker)?;
    let mut restricted = RestrictedSteps { invariants, ..RestrictedSteps::default() };
    if changes.is_empty() {
        return Ok(restricted);
    }
    let Rules { rules, symbols, .. } = &mut prepared.rules;
    let mut auxiliaries = ConditionAuxiliaries::new(symbols);
    let mut dropped = Vec::new();
    for (number, change) in changes {
        match change {
            RuleOutcome::Dropped => dropped.push(number),
            RuleOutcome::Needs(conditions) => {
                restricted.rules += 1;
                rules[number] = with_conditions(&rules[number], &conditions, &mut auxiliaries);
            }
        }
    }
    restricted.dropped = dropped.len();
    restricted.auxiliary = auxiliaries.rules.len();
    let added = auxiliaries.rules;
    let mut number = 0;
    rules.retain(|_| {
        number += 1;
        dropped.binary_search(&(number - 1)).is_err()
    });
    rules.extend(added);
    prepared.statics = statics::analyse(&prepared.rules);
    Ok(restricted)
}

/// The rule with conditions.
fn with_conditions(
    rule: &Rule,
    conditions: &[Condition],
    auxiliaries: &mut ConditionAuxiliaries<'_>,
) -> Rule {
    let (mut rule, mut values) = (rule.clone(), Substitution::default());
    for condition in conditions {
        match condition.value() {
            Some((variable, value)) => _ = values.unify(&Term::Variable(variable), value),
            None => {
                let literal = auxiliaries.literal(condition, rule.span);
                if !rule.body.contains(&literal) {
                    rule.body.push(literal);
                }
            }
        }
    }
    if values.is_empty() {
        return rule;
    }
    let limited = rule.substitute(&values);
    if values.is_exhausted() { rule } else { limited }
}

/// What becomes of rules, and what was shown for it.
fn changes(
    prepared: &Prepared,
    ticker: &mut Ticker<'_>,
) -> Result<(Changes, Vec<Invariant>), Exceeded> {
    let Prepared { rules, statics, .. } = prepared;
    let keywords = rules.keywords;
    let uses = |rule: &Rule, predicate| {
        rule.body
            .iter()
            .any(|it| matches!(it, Literal::Positive(atom) if atom.predicate == predicate))
    };
    let may_change = |rule: &Rule| rule.body.len() <= LONGEST_BODY && uses(rule, keywords.true_);
    let is_step = |rule: &Rule| uses(rule, keywords.does) && may_change(rule);
    let mut steps = (0..).zip(&rules.rules).filter(|(_, rule)| is_step(rule)).peekable();
    if steps.peek().is_none() {
        return Ok((Vec::new(), Vec::new()));
    }
    let definitions = Definitions::new(rules, statics);
    let mut prover = Prover::new(&definitions, ticker);
    let mut changes = Vec::new();
    for (number, rule) in steps {
        if !prover.passes(RULE) {
            break;
        }
        changes.extend(change(rule, &mut prover).map(|change| (number, change)));
    }
    let invariants = prover.invariants().collect();
    ticker.finish()?;
    Ok((changes, invariants))
}

/// What becomes of one rule, if anything does.
fn change<'r>(rule: &'r Rule, prover: &mut Prover<'_, 'r, '_, '_>) -> Option<RuleOutcome> {
    let does = prover.definitions.keywords.does;
    let mut conditions = Vec::new();
    for literal in &rule.body {
        let Literal::Positive(made) = literal else { continue };
        if made.predicate == does {
            match legality::of(rule, made, prover) {
                Legality::Never => return Some(RuleOutcome::Dropped),
                Legality::Says(says) => conditions.extend(says),
            }
        }
    }
    (!conditions.is_empty()).then_some(RuleOutcome::Needs(conditions))
}
