//! What the legality of a move says of a rule's variables.

use fxhash::FxHashSet;

use crate::compact::definitions::Definitions;
use crate::compact::invariants::state_invariants::condition::{Condition, ConditionAlternative};
use crate::description::{Atom, Term};
use crate::rewrite::parts;
use crate::rules::{Literal, Rule, Substitution, for_each_variable, variables_of};
use crate::symbols::Symbol;

/// The conditions on variables of a rule that the static literals say which make its move legal, apart where they share no
/// other variable. `None` if there are none that the move alone does not say.
pub(super) fn conditions(
    rule: &Rule,
    made: &Atom,
    (statics, values): (Vec<Literal>, &Substitution),
    linked: &[Symbol],
    definitions: &Definitions<'_>,
) -> Option<Vec<Condition>> {
    let own = parts::variables(&rule.body);
    let mut conditions = Vec::new();
    let mut limited = Vec::new();
    for &variable in &own {
        let value = values.term(&Term::Variable(variable));
        if value != Term::Variable(variable) {
            let mut is_own = true;
            for_each_variable(&value, &mut |it| is_own &= definitions.is_own(it));
            if !is_own {
                return None;
            }
            limited.push((variable, value));
        }
    }
    let implied = parts::variables([&Literal::Positive(made.clone())]);
    let (derived, roles) =
        (derived(rule, definitions), variables_of(made.arguments.get(..1).unwrap_or_default()));
    let is_new = |it: &Symbol| linked.contains(it) && !implied.contains(it);
    for (variable, value) in limited {
        let is_implied = match &value {
            Term::Constant(_) => !is_new(&variable),
            Term::Variable(other) => !is_new(&variable) && !is_new(other),
            Term::Compound(_) => true,
        };
        if !is_implied {
            let alternative = ConditionAlternative { values: vec![value], body: Vec::new() };
            conditions.push(Condition {
                variables: vec![variable],
                alternatives: vec![alternative],
                holds: true,
            });
        }
    }
    for part in apart(chosen(statics, definitions), definitions) {
        let mut variables = parts::variables(&part);
        variables.retain(|it| definitions.is_own(*it));
        // What ties together variables that the head does not have would keep the rule from being split.
        let others = variables.iter().filter(|it| !derived.contains(it) && !roles.contains(it));
        let is_derived = variables.len() == 1 || others.count() == 0;
        if !is_derived || !variables.iter().any(is_new) || is_implied(&part, rule, definitions) {
            continue;
        }
        let values = variables.iter().map(|&it| Term::Variable(it)).collect();
        let alternative = ConditionAlternative { values, body: part };
        let condition = Condition { variables, alternatives: vec![alternative], holds: true };
        if condition.is_safe() || condition.literal().is_some() {
            conditions.push(condition);
        }
    }
    (!conditions.is_empty()).then_some(conditions)
}

/// Of static literals those that say something of a rule's variables without using much else: with other variables
/// one at a time, each a check on what is known.
fn chosen(mut literals: Vec<Literal>, definitions: &Definitions<'_>) -> Vec<Literal> {
    let mut known: FxHashSet<Symbol> = FxHashSet::default();
    let is_known =
        |it: &Symbol, known: &FxHashSet<Symbol>| definitions.is_own(*it) || known.contains(it);
    let mut chosen = Vec::new();
    loop {
        let next = literals.iter().position(|literal| {
            let all = parts::variables([literal]);
            let open = all.iter().filter(|it| !is_known(it, &known)).count();
            match literal {
                Literal::Positive(_) => open < all.len() && open <= 1,
                Literal::Negative(_) | Literal::Distinct(..) => open == 0 && !all.is_empty(),
            }
        });
        let Some(next) = next else { break };
        let literal = literals.remove(next);
        known.extend(parts::variables([&literal]));
        chosen.push(literal);
    }
    // What has a variable to itself says little, unless it is the range of one other.
    loop {
        let uses = |variable: &Symbol| {
            chosen.iter().filter(|literal| parts::variables([*literal]).contains(variable)).count()
        };
        let idle = chosen.iter().position(|literal| {
            let all = parts::variables([literal]);
            let alone = all.iter().filter(|it| !definitions.is_own(**it) && uses(it) == 1).count();
            alone > 0 && all.len() - alone != 1
        });
        let Some(idle) = idle else { return chosen };
        chosen.remove(idle);
    }
}

/// Literals in groups that share no variables but those of the rule.
fn apart(literals: Vec<Literal>, definitions: &Definitions<'_>) -> Vec<Vec<Literal>> {
    let mut groups: Vec<(Vec<Symbol>, Vec<Literal>)> = Vec::new();
    for literal in literals {
        let mut others = parts::variables([&literal]);
        others.retain(|it| !definitions.is_own(*it));
        let mut group = (others, vec![literal]);
        let (same, rest): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(variables, _)| variables.iter().any(|it| group.0.contains(it)));
        groups = rest;
        for (variables, literals) in same.into_iter().rev() {
            group.0.extend(variables);
            group.1.splice(0..0, literals);
        }
        groups.push(group);
    }
    groups.into_iter().map(|(_, literals)| literals).collect()
}

/// Whether a rule says a literal itself, whatever the variables are that the literal alone has.
fn is_implied(part: &[Literal], rule: &Rule, definitions: &Definitions<'_>) -> bool {
    let [literal] = part else { return false };
    rule.body.iter().any(|own| match (literal, own) {
        (Literal::Positive(implied), Literal::Positive(own)) => {
            let mut values = Substitution::default();
            let mut pairs = implied.arguments.iter().zip(&own.arguments);
            implied.predicate() == own.predicate()
                && pairs.all(|(implied, own)| match implied {
                    Term::Variable(it) if !definitions.is_own(*it) => values.unify(implied, own),
                    _ => implied == own,
                })
        }
        _ => literal == own,
    })
}

/// The variables of a rule's head, and of what static literals say of them.
pub(super) fn derived(rule: &Rule, definitions: &Definitions<'_>) -> Vec<Symbol> {
    let mut derived = variables_of(&rule.head.arguments);
    let implied = rule.body.iter().filter(|it| definitions.is_static(it));
    let implied = implied.map(|it| parts::variables([it]));
    let of_head: Vec<Vec<Symbol>> =
        implied.filter(|it| it.iter().any(|variable| derived.contains(variable))).collect();
    derived.extend(of_head.into_iter().flatten());
    derived
}
