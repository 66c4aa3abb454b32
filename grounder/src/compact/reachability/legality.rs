//! What a rule about a move may rely on: the move is legal in the state that it is made in.

use fxhash::FxHashSet;

use super::condition::{Condition, Way};
use super::definitions::{Copies, Definitions, fluent};
use super::single_valued::{Claim, Prover, Relation, kinds};
use crate::description::{Atom, Compound, Predicate, Term};
use crate::rewrite::parts;
use crate::rules::{Literal, Rule, Substitution};
use crate::symbols::Symbol;

/// With more ways for a move to be legal, nothing is made of them.
const MOST_WAYS: usize = 8;
/// How deep views are unfolded that `legal` asks for.
const MOST_UNFOLDED: u32 = 3;

/// What legality says of a rule.
pub(super) enum Legality {
    /// No legal move is of the kind that the rule is for.
    Never,
    /// Static conditions on variables of the rule.
    Says(Vec<Condition>),
}

/// What follows for a rule from the legality of a move that it asks for.
///
/// It is looked at first what there would be if everything had only one value that has to, as most rules gain nothing.
pub(super) fn of(rule: &Rule, made: &Atom, prover: &mut Prover<'_, '_>) -> Legality {
    let definitions = prover.definitions;
    let Some(legal) = ways(rule, made, definitions) else { return Legality::Says(Vec::new()) };
    let mut claims = Vec::new();
    let mut assume = |claim| {
        claims.push(claim);
        true
    };
    let hoped = follows((rule, made), legal.clone(), definitions, &mut assume);
    let is_nothing = matches!(&hoped, Legality::Says(conditions) if conditions.is_empty());
    if is_nothing || claims.into_iter().all(|it| prover.holds(it)) {
        return hoped;
    }
    follows((rule, made), legal, definitions, &mut |claim| prover.holds(claim))
}

/// The same with what is said of fluents that have one value.
fn follows(
    (rule, made): (&Rule, &Atom),
    legal: Vec<(Vec<Literal>, Substitution)>,
    definitions: &Definitions<'_>,
    holds: &mut dyn FnMut(Claim) -> bool,
) -> Legality {
    let mut ways = Vec::with_capacity(legal.len());
    let mut is_possible = false;
    for (body, mut values) in legal {
        let Some(linked) = link(rule, &body, &mut values, definitions, holds) else { continue };
        let statics = body.iter().filter(|it| definitions.is_static(it));
        let statics: Vec<Literal> = statics.map(|it| it.substitute(&values)).collect();
        if statics.iter().any(|it| definitions.is_false(it)) {
            continue;
        }
        is_possible = true;
        let Some(way) = conditions(rule, made, (statics, &values), &linked, definitions) else {
            return Legality::Says(Vec::new());
        };
        ways.push(way);
    }
    if !is_possible {
        return Legality::Never;
    }
    Legality::Says(match <[_; 1]>::try_from(ways) {
        Ok([way]) => way,
        Err(ways) => together(ways).into_iter().collect(),
    })
}

/// The bodies that make a move legal, with what makes each one's head the move. `None` if there are too many, or one asks for
/// no fluent of a kind that the rule asks for.
fn ways(
    rule: &Rule,
    made: &Atom,
    definitions: &Definitions<'_>,
) -> Option<Vec<(Vec<Literal>, Substitution)>> {
    let true_ = definitions.keywords.true_;
    let asked = kinds(&rule.body, true_);
    if asked.is_empty() {
        return None;
    }
    let legal = Predicate { name: definitions.keywords.legal, arity: 2 };
    let mut copies = definitions.copies();
    let mut ways = Vec::new();
    for rule in definitions.of(legal) {
        let rule = copies.of(rule)?;
        let mut values = Substitution::default();
        let mut arguments = rule.head.arguments.iter().zip(&made.arguments);
        if arguments.all(|(legal, made)| values.unify(legal, made)) {
            let before = ways.len();
            unfold(rule.body, values, (definitions, &mut copies), MOST_UNFOLDED, &mut ways)?;
            if ways[before..].iter().any(|(body, _)| kinds(body, true_).is_disjoint(&asked)) {
                return None;
            }
        }
    }
    Some(ways)
}

/// Adds a body, once for each way to unfold the first view in it. `None` if there are too many.
fn unfold(
    mut body: Vec<Literal>,
    values: Substitution,
    (definitions, copies): (&Definitions<'_>, &mut Copies),
    depth: u32,
    ways: &mut Vec<(Vec<Literal>, Substitution)>,
) -> Option<()> {
    let view = body.iter().position(|literal| match literal {
        Literal::Positive(atom) => {
            definitions.is_view(atom) && definitions.of(atom.predicate()).len() <= MOST_WAYS
        }
        Literal::Negative(_) | Literal::Distinct(..) => false,
    });
    let view = view.filter(|_| depth > 0).map(|at| body.swap_remove(at));
    let Some(Literal::Positive(view)) = view else {
        ways.push((body, values));
        return (ways.len() <= MOST_WAYS).then_some(());
    };
    for rule in definitions.of(view.predicate()) {
        let rule = copies.of(rule)?;
        let mut values = values.clone();
        let mut arguments = rule.head.arguments.iter().zip(&view.arguments);
        if arguments.all(|(rule, view)| values.unify(rule, view)) {
            let body = [body.as_slice(), &rule.body].concat();
            unfold(body, values, (definitions, copies), depth - 1, ways)?;
        }
    }
    Some(())
}

/// Makes fluents that a rule and the legality of its move ask for the same where they must be. Returns the variables of
/// such fluents of the rule. `None` if that cannot be.
fn link(
    rule: &Rule,
    body: &[Literal],
    values: &mut Substitution,
    definitions: &Definitions<'_>,
    holds: &mut dyn FnMut(Claim) -> bool,
) -> Option<Vec<Symbol>> {
    let true_ = definitions.keywords.true_;
    let mut linked = Vec::new();
    loop {
        let mut is_new = false;
        for (literal, asked) in fluents(&rule.body, true_) {
            for (_, legal) in fluents(body, true_) {
                if legal.pairs(asked).is_none() || asked.arguments.len() > 64 {
                    continue;
                }
                let arity = asked.arguments.len();
                let is_same =
                    |at: &usize| values.are_same(&legal.arguments[*at], &asked.arguments[*at]);
                let key: u64 = (0..arity).filter(is_same).map(|at| 1 << at).sum();
                if key.count_ones() as usize != arity {
                    let of = Relation::Fluents(asked.functor, arity);
                    if !holds(Claim { of, key }) {
                        continue;
                    }
                    let mut pairs = legal.arguments.iter().zip(&asked.arguments);
                    if !pairs.all(|(legal, asked)| values.unify(legal, asked)) {
                        return None;
                    }
                    is_new = true;
                }
                linked.extend(parts::variables([literal]));
            }
        }
        if !is_new {
            return Some(linked);
        }
    }
}

/// The functions among the fluents that a body asks for.
fn fluents(
    body: &[Literal],
    true_: Symbol,
) -> impl Iterator<Item = (&Literal, &Compound)> {
    body.iter().filter_map(move |literal| match literal {
        Literal::Positive(atom) => match fluent(atom, true_)? {
            Term::Compound(it) => Some((literal, it.as_ref())),
            Term::Constant(_) | Term::Variable(_) => None,
        },
        Literal::Negative(_) | Literal::Distinct(..) => None,
    })
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
            crate::rules::for_each_variable(&value, &mut |it| is_own &= definitions.is_own(it));
            if !is_own {
                return None;
            }
            limited.push((variable, value));
        }
    }
    let said = parts::variables([&Literal::Positive(made.clone())]);
    let is_new = |it: &Symbol| linked.contains(it) && !said.contains(it);
    for (variable, value) in limited {
        if is_new(&variable) && matches!(value, Term::Constant(_)) {
            let way = Way { values: vec![value], body: Vec::new() };
            conditions.push(Condition { variables: vec![variable], ways: vec![way], holds: true });
        }
    }
    for part in apart(chosen(statics, definitions), definitions) {
        let mut variables = parts::variables(&part);
        variables.retain(|it| definitions.is_own(*it));
        if !variables.iter().any(is_new) || is_said(&part, rule, definitions) {
            continue;
        }
        let values = variables.iter().map(|&it| Term::Variable(it)).collect();
        let way = Way { values, body: part };
        let condition = Condition { variables, ways: vec![way], holds: true };
        if condition.is_safe() || condition.literal().is_some() {
            conditions.push(condition);
        }
    }
    (!conditions.is_empty()).then_some(conditions)
}

/// Of static literals those that say something of a rule's variables without asking for much else: with other variables
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
        let uses = |it: &Symbol| {
            chosen.iter().filter(|literal| parts::variables([*literal]).contains(it)).count()
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
fn is_said(part: &[Literal], rule: &Rule, definitions: &Definitions<'_>) -> bool {
    let [literal] = part else { return false };
    rule.body.iter().any(|own| match (literal, own) {
        (Literal::Positive(said), Literal::Positive(own)) => {
            let mut values = Substitution::default();
            let mut pairs = said.arguments.iter().zip(&own.arguments);
            said.predicate() == own.predicate()
                && pairs.all(|(said, own)| match said {
                    Term::Variable(it) if !definitions.is_own(*it) => values.unify(said, own),
                    _ => said == own,
                })
        }
        _ => literal == own,
    })
}

/// One condition for several ways, on the variables that each says something of. `None` if there are none.
fn together(ways: Vec<Vec<Condition>>) -> Option<Condition> {
    let said = |way: &[Condition]| -> Vec<Symbol> {
        way.iter().flat_map(|it| it.variables.iter().copied()).collect()
    };
    let mut variables = said(ways.first()?);
    ways.iter().for_each(|way| {
        let said = said(way);
        variables.retain(|it| said.contains(it));
    });
    variables.sort_unstable();
    variables.dedup();
    let ways = ways.into_iter().map(|way| {
        let value = |&variable: &Symbol| {
            let mut known = way.iter().filter_map(|it| {
                let at = it.variables.iter().position(|it| *it == variable)?;
                let value = it.ways.first()?.values.get(at)?;
                (*value != Term::Variable(variable)).then(|| value.clone())
            });
            known.next().unwrap_or(Term::Variable(variable))
        };
        let values: Vec<Term> = variables.iter().map(value).collect();
        let body = way.iter().flat_map(|it| &it.ways).flat_map(|it| it.body.clone()).collect();
        Way { values, body }
    });
    let ways: Vec<Way> = ways.collect();
    let condition = Condition { variables, ways, holds: true };
    (!condition.variables.is_empty() && condition.is_safe()).then_some(condition)
}
