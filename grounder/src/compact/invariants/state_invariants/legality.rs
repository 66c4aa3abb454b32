//! What a rule about a move may rely on: the move is legal in the state that it is made in.
//!
//! For each way in which the move may be legal ([`legal_bodies`]) the rule is linked to it by what both say of the same things
//! ([`link`]); what that says of the rule's variables are [`conditions`].

use std::slice;

use fxhash::FxHashSet;

use super::condition::{Condition, ConditionAlternative};
use super::single_valued::{Claim, Prover, Relation, kinds};
use crate::compact::definitions::{Copies, Definitions};
use crate::description::{Atom, Predicate, Term};
use crate::rewrite::parts;
use crate::rules::{
    Literal, Rule, Substitution, argument_of, for_each_variable, may_be_same, variables_of,
};
use crate::symbols::Symbol;
use crate::tuning::{LONGEST_BODY, MOST_ALTERNATIVES, MOST_DEPTH};

/// How many ticks a way for a move to be legal takes.
const A_BODY: u32 = 1 << 11;

/// What legality says of a rule.
pub(super) enum Legality {
    /// No legal move is of the kind that the rule is for.
    Never,
    /// Conditions on variables of the rule: those of one of these ways hold.
    Says(Vec<Vec<Condition>>),
}

/// What follows for a rule from the legality of a move that it uses.
///
/// It is looked at first what there would be if everything had only one value that has to and that may, as most rules gain
/// nothing.
pub(super) fn of(rule: &Rule, made: &Atom, prover: &mut Prover<'_, '_, '_, '_>) -> Legality {
    let definitions = prover.definitions;
    let Some(legal) = legal_bodies(rule, made, definitions) else {
        return Legality::Says(Vec::new());
    };
    if !prover.passes(A_BODY * legal.len() as u32) {
        return Legality::Says(Vec::new());
    }
    let mut claims = Vec::new();
    let mut assume = |claim| {
        let may_hold = prover.may_hold(claim);
        claims.extend(may_hold.then_some(claim));
        may_hold
    };
    let hoped = follows((rule, made), legal.clone(), definitions, &mut assume);
    let is_nothing = matches!(&hoped, Legality::Says(conditions) if conditions.is_empty());
    if is_nothing || claims.into_iter().all(|it| prover.holds(it)) {
        return hoped;
    }
    follows((rule, made), legal, definitions, &mut |claim| prover.holds(claim))
}

/// What follows from the legality of moves and from fluents that have one value.
fn follows(
    (rule, made): (&Rule, &Atom),
    legal: Vec<(Vec<Literal>, Substitution)>,
    definitions: &Definitions<'_>,
    holds: &mut dyn FnMut(Claim) -> bool,
) -> Legality {
    let mut alternatives = Vec::with_capacity(legal.len());
    let mut is_possible = false;
    for (body, mut values) in legal {
        let linked = link((rule, made), &body, &mut values, definitions, holds);
        if values.is_exhausted() {
            return Legality::Says(Vec::new());
        }
        let Some(linked) = linked else { continue };
        let statics = body.iter().filter(|it| definitions.is_static(it));
        let statics: Vec<Literal> = statics.map(|it| it.substitute(&values)).collect();
        if statics.iter().any(|it| definitions.is_false(it)) {
            continue;
        }
        is_possible = true;
        match conditions(rule, made, (statics, &values), &linked, definitions) {
            Some(alternative) if !values.is_exhausted() => alternatives.push(alternative),
            _ => return Legality::Says(Vec::new()),
        }
    }
    if !is_possible {
        return Legality::Never;
    }
    if alternatives.len() == 1 {
        return Legality::Says(alternatives);
    }
    Legality::Says(match together(&alternatives) {
        Some(condition) => vec![vec![condition]],
        // A rule for each way, where each says that variables are the same.
        None if may_be_taken_apart(rule, &alternatives, definitions) => alternatives,
        None => Vec::new(),
    })
}

/// Whether there is a rule for each way, where each says that variables are the same, and only of what the rule derives.
fn may_be_taken_apart(
    rule: &Rule,
    alternatives: &[Vec<Condition>],
    definitions: &Definitions<'_>,
) -> bool {
    let derived = derived(rule, definitions);
    let is_of_derived =
        |it: &Condition| it.all_variables().iter().all(|variable| derived.contains(variable));
    alternatives.len() <= MOST_ALTERNATIVES
        && alternatives.iter().all(|it| it.iter().any(is_equation) && it.iter().all(is_of_derived))
}

/// Whether a condition says that two variables are the same.
fn is_equation(condition: &Condition) -> bool {
    matches!(condition.value(), Some((_, Term::Variable(_))))
}

/// One condition for several alternatives, on the variables that each says something of. `None` if there are none.
fn together(alternatives: &[Vec<Condition>]) -> Option<Condition> {
    let implied = |alternative: &[Condition]| -> Vec<Symbol> {
        let conditions = alternative.iter().filter(|it| !is_equation(it));
        conditions.flat_map(|it| it.variables.iter().copied()).collect()
    };
    let mut variables = implied(alternatives.first()?);
    alternatives.iter().for_each(|alternative| {
        let implied = implied(alternative);
        variables.retain(|it| implied.contains(it));
    });
    variables.sort_unstable();
    variables.dedup();
    let alternatives = alternatives.iter().map(|alternative| {
        let value = |&variable: &Symbol| {
            let values = alternative.iter().filter_map(Condition::value);
            let mut constants =
                values.filter(|(of, it)| *of == variable && matches!(it, Term::Constant(_)));
            constants.next().map_or(Term::Variable(variable), |(_, value)| value.clone())
        };
        let values: Vec<Term> = variables.iter().map(value).collect();
        let body = alternative
            .iter()
            .flat_map(|it| &it.alternatives)
            .flat_map(|it| it.body.clone())
            .collect();
        ConditionAlternative { values, body }
    });
    let alternatives: Vec<ConditionAlternative> = alternatives.collect();
    let condition = Condition { variables, alternatives, holds: true };
    (!condition.variables.is_empty() && condition.is_safe()).then_some(condition)
}

/// The bodies that make a move legal, with what makes each one's head the move. `None` if there are too many, or one uses
/// no fluent of a kind that the rule uses, or the rule for none but what the move says.
fn legal_bodies(
    rule: &Rule,
    made: &Atom,
    definitions: &Definitions<'_>,
) -> Option<Vec<(Vec<Literal>, Substitution)>> {
    let true_ = definitions.keywords.true_;
    let needed = kinds(&rule.body, true_);
    let implied = variables_of(&made.arguments);
    let has_more = rule.body.iter().any(|literal| match literal {
        Literal::Positive(atom) => argument_of(atom, true_).is_some_and(|argument| {
            variables_of(slice::from_ref(argument)).iter().any(|it| !implied.contains(it))
        }),
        Literal::Negative(_) | Literal::Distinct(..) => false,
    });
    if needed.is_empty() || !has_more {
        return None;
    }
    let legal = Predicate { name: definitions.keywords.legal, arity: 2 };
    let mut copies = definitions.copies();
    let mut alternatives = Vec::new();
    for rule in definitions.of(legal) {
        let mut arguments = rule.head.arguments.iter().zip(&made.arguments);
        if !arguments.all(|(legal, made)| may_be_same(legal, made)) {
            continue;
        }
        let (rule, mut values) = (copies.of(rule)?, Substitution::default());
        if values.unify_all(&rule.head.arguments, &made.arguments) {
            let before = alternatives.len();
            unfold(rule.body, values, (definitions, &mut copies), MOST_DEPTH, &mut alternatives)?;
            if alternatives[before..]
                .iter()
                .any(|(body, _)| kinds(body, true_).is_disjoint(&needed))
            {
                return None;
            }
        } else if values.is_exhausted() {
            return None;
        }
    }
    Some(alternatives)
}

/// Adds a body, once for each alternative to unfold the first view in it. `None` if there are too many.
fn unfold(
    mut body: Vec<Literal>,
    values: Substitution,
    (definitions, copies): (&Definitions<'_>, &mut Copies),
    depth: u32,
    alternatives: &mut Vec<(Vec<Literal>, Substitution)>,
) -> Option<()> {
    let view = body.iter().position(|literal| match literal {
        Literal::Positive(atom) => {
            definitions.is_view(atom) && definitions.of(atom.predicate()).len() <= MOST_ALTERNATIVES
        }
        Literal::Negative(_) | Literal::Distinct(..) => false,
    });
    let view = view.filter(|_| depth > 0).map(|at| body.swap_remove(at));
    let Some(Literal::Positive(view)) = view else {
        let is_short = body.len() <= LONGEST_BODY;
        alternatives.push((body, values));
        return (is_short && alternatives.len() <= MOST_ALTERNATIVES).then_some(());
    };
    for rule in definitions.of(view.predicate()) {
        let (rule, mut values) = (copies.of(rule)?, values.clone());
        if values.unify_all(&rule.head.arguments, &view.arguments) {
            let body = [body.as_slice(), &rule.body].concat();
            unfold(body, values, (definitions, copies), depth - 1, alternatives)?;
        } else if values.is_exhausted() {
            return None;
        }
    }
    Some(())
}

/// Makes atoms that a rule and the legality of its move use the same where they must be: fluents, and what static
/// predicates say of them. Returns the variables of such literals of the rule. `None` if that cannot be.
fn link(
    (rule, made): (&Rule, &Atom),
    body: &[Literal],
    values: &mut Substitution,
    definitions: &Definitions<'_>,
    holds: &mut dyn FnMut(Claim) -> bool,
) -> Option<Vec<Symbol>> {
    let needed = single(&rule.body, definitions);
    let legal = single(body, definitions);
    let implied = variables_of(&made.arguments);
    let mut linked: Vec<Symbol> = Vec::new();
    loop {
        let mut is_new = false;
        for &(of, arguments) in &needed {
            for &(_, others) in legal.iter().filter(|it| it.0 == of) {
                let variables = variables_of(arguments);
                let is_static = matches!(of, Relation::Static(_));
                let is_linked = !is_static || variables.iter().any(|it| linked.contains(it));
                if !is_linked && !variables.iter().any(|it| implied.contains(it)) {
                    continue;
                }
                let arity = arguments.len();
                let is_same = |at: &usize| values.are_same(&others[*at], &arguments[*at]);
                let key: u64 = (0..arity).filter(is_same).map(|at| 1 << at).sum();
                if key.count_ones() as usize != arity {
                    if is_static && key == 0 || !holds(Claim { of, key }) {
                        continue;
                    }
                    if !values.unify_all(others, arguments) {
                        return None;
                    }
                    is_new = true;
                }
                let before = linked.len();
                linked.extend(variables.into_iter().filter(|_| is_linked));
                linked.sort_unstable();
                linked.dedup();
                is_new |= linked.len() > before;
            }
        }
        if !is_new {
            return Some(linked);
        }
    }
}

/// The literals of a body that may have one value for a key: fluents and static predicates, with their arguments.
fn single<'b>(body: &'b [Literal], definitions: &Definitions<'_>) -> Vec<(Relation, &'b [Term])> {
    let arguments = body.iter().filter_map(|literal| {
        let Literal::Positive(atom) = literal else { return None };
        let (of, arguments) = match argument_of(atom, definitions.keywords.true_) {
            Some(Term::Compound(it)) => {
                (Relation::Fluents(it.functor, it.arguments.len()), &it.arguments)
            }
            Some(Term::Constant(_) | Term::Variable(_)) => return None,
            None if definitions.is_static(literal) => {
                (Relation::Static(atom.predicate()), &atom.arguments)
            }
            None => return None,
        };
        (arguments.len() <= 64).then_some((of, arguments.as_slice()))
    });
    arguments.collect()
}

/// The conditions on variables of a rule that the static literals say which make its move legal, apart where they share no
/// other variable. `None` if there are none that the move alone does not say.
fn conditions(
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
fn derived(rule: &Rule, definitions: &Definitions<'_>) -> Vec<Symbol> {
    let mut derived = variables_of(&rule.head.arguments);
    let implied = rule.body.iter().filter(|it| definitions.is_static(it));
    let implied = implied.map(|it| parts::variables([it]));
    let of_head: Vec<Vec<Symbol>> =
        implied.filter(|it| it.iter().any(|variable| derived.contains(variable))).collect();
    derived.extend(of_head.into_iter().flatten());
    derived
}
