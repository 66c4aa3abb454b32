//! Steps that no match makes: after its end, or by moves that are not legal.
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
//! Likewise, if a fluent alone makes a state terminal, none comes after it ([`ends`]):
//!
//! ```kif
//! (<= terminal (true (step 40)))
//! (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))        ; and (distinct ?m 40)
//! ```
//!
//! Such invariants are what planners look for before they ground (Edelkamp and Helmert, "Exhibiting Knowledge in Planning
//! Problems to Minimize State Encoding Length", 1999; Helmert, "Concise Finite-Domain Representations for PDDL Planning Tasks",
//! 2009, section 5).

mod case;
mod condition;
mod ends;
mod legality;
mod single_valued;

use groundfrog_engine::Exceeded;

use crate::compact::definitions::Definitions;
use crate::description::{Atom, Term};
use crate::prepare::Prepared;
use crate::rewrite::statics;
use crate::rules::{Literal, Rule, Rules, Substitution};
use crate::symbols::Symbol;
use crate::ticker::Ticker;
use crate::tuning::LONGEST_BODY;
use condition::{Condition, ConditionAuxiliaries};
use ends::Ends;
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
    /// It uses the conditions of one of these ways: a rule for each.
    Needs(Vec<Vec<Condition>>),
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
    let (mut dropped, mut more) = (Vec::new(), Vec::new());
    for (number, change) in changes {
        match change {
            RuleOutcome::Dropped => dropped.push(number),
            RuleOutcome::Needs(alternatives) => {
                restricted.rules += 1;
                let mut alternatives = alternatives
                    .iter()
                    .map(|it| with_conditions(&rules[number], it, &mut auxiliaries));
                let first = alternatives.next();
                more.extend(alternatives);
                rules[number] = first.expect("at least one way");
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
    rules.extend(more);
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

/// Whether the body of a rule mentions a predicate.
fn mentions(rule: &Rule, predicate: Symbol) -> bool {
    rule.body.iter().filter_map(Literal::atom).any(|it| it.predicate == predicate)
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
    let is_step = |rule: &Rule| rule.head.predicate == keywords.next || uses(rule, keywords.does);
    let mut steps =
        (0..).zip(&rules.rules).filter(|(_, rule)| is_step(rule) && may_change(rule)).peekable();
    if steps.peek().is_none() {
        return Ok((Vec::new(), Vec::new()));
    }
    let definitions = Definitions::new(rules, statics);
    let mut prover = Prover::new(&definitions, ticker);
    // What uses the next state uses it at the end, too.
    let is_needed = rules.rules.iter().any(|rule| mentions(rule, keywords.next));
    let ends = if is_needed { Ends::default() } else { Ends::new(&mut prover) };
    let mut changes = Vec::new();
    for (number, rule) in steps {
        if !prover.passes(RULE) {
            break;
        }
        match change(rule, &ends, &mut prover) {
            Some(RuleOutcome::Needs(alternatives)) if alternatives.iter().all(Vec::is_empty) => {}
            Some(change) => changes.push((number, change)),
            None => {}
        }
    }
    let invariants = prover.invariants().collect();
    ticker.finish()?;
    Ok((changes, invariants))
}

/// Whether a rule says that a fluent goes on to hold.
fn keeps_fluent(rule: &Rule, prover: &Prover<'_, '_, '_, '_>) -> bool {
    let keywords = &prover.definitions.keywords;
    let holds = |literal: &Literal| match literal {
        Literal::Positive(atom) => {
            atom.predicate == keywords.true_ && atom.arguments == rule.head.arguments
        }
        _ => false,
    };
    rule.head.predicate == keywords.next && rule.body.iter().any(holds)
}

/// What becomes of one rule.
fn change<'r>(
    rule: &'r Rule,
    ends: &Ends,
    prover: &mut Prover<'_, 'r, '_, '_>,
) -> Option<RuleOutcome> {
    let Some(conditions) = ends.conditions(rule, prover) else {
        return Some(RuleOutcome::Dropped);
    };
    let mut alternatives = vec![conditions];
    let does = prover.definitions.keywords.does;
    let made = rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) if atom.predicate == does => Some(atom),
        _ => None,
    });
    let made: Vec<&Atom> = made.collect();
    for made in made {
        match legality::of(rule, made, prover) {
            Legality::Never => return Some(RuleOutcome::Dropped),
            Legality::Says(mut says) => match (says.pop(), alternatives.as_slice()) {
                (None, _) => {}
                (Some(only), _) if says.is_empty() => {
                    alternatives
                        .iter_mut()
                        .for_each(|alternative| alternative.extend(only.iter().cloned()));
                }
                // One move is enough to take a rule apart. What keeps a fluent is for all moves but a few, which can be expressed
                // at once of a rule that is left whole.
                (Some(last), [alternative]) if !keeps_fluent(rule, prover) => {
                    says.push(last);
                    let with_others =
                        |says: Vec<Condition>| [alternative.as_slice(), &says].concat();
                    alternatives = says.into_iter().map(with_others).collect();
                }
                (Some(_), _) => {}
            },
        }
    }
    Some(RuleOutcome::Needs(alternatives))
}
