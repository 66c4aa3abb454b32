//! Demand: a predicate whose table would be large is computed only for the arguments that are demanded
//! (magic sets; Schiffel's `line(x)` and `line(o)`).
//!
//! For each such predicate p a *demand* predicate holds the constants that the bound arguments of its
//! uses can have. A rule of p gets the demand as one more joined literal, which is not stored; each use of
//! p, negated ones included, gives a rule of the demand: its body is what the using rule joins without the
//! predicates on demand that come later. Next comes the use with the fewest arguments that are bound elsewhere and not yet
//! here; a predicate that depends on that of the head waits for others, as it may be demanded with what they bind. An
//! argument is bound if it is in every use.

use crate::compact::estimate::{all_variables, fits, literal_variables, variables};
use crate::description::Predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, ShapeId};
use crate::symbols::{Symbols, fresh};
use fxhash::FxHashMap;
use groundfrog_engine::Arguments;
use groundfrog_engine::projection::VariableSet;

/// The predicates on demand: for each, which of its columns are bound in every use.
pub type Adornments = FxHashMap<FormId, Vec<bool>>;

/// A use of a predicate on demand.
struct Use<'rule> {
    atom: &'rule FlatAtom,
    /// The literals that are joined before it.
    before: Vec<&'rule FlatLiteral>,
    /// The variables that these and the demand of the head bind.
    bound: VariableSet,
}

/// For a predicate with a rule that has several uses: the predicates that depend on it within a state, as it may itself.
pub type Dependents = FxHashMap<FormId, Vec<FormId>>;

/// The dependents of wanted predicates, of which none is a root; what depends on these is looked at no further.
pub fn dependents(
    rules: &[FlatRule],
    wanted: &[FormId],
    forms: usize,
    is_root: impl Fn(FormId) -> bool,
) -> Dependents {
    let is_wanted = |form: FormId| wanted.contains(&form);
    let has_several = |rule: &FlatRule| {
        let used = rule.body.iter().filter(|it| it.is_positive());
        used.filter(|it| it.form().is_some_and(is_wanted)).nth(1).is_some()
    };
    let mut dependents = Dependents::default();
    for rule in rules.iter().filter(|it| is_wanted(it.head.form) && has_several(it)) {
        let form = rule.head.form;
        dependents.entry(form).or_insert_with(|| users(rules, form, forms, &is_root));
    }
    dependents
}

/// Finds the bound columns of the wanted predicates. Predicates without any are left out: demand would
/// not restrict them.
pub fn adorn(
    rules: &[FlatRule],
    wanted: &[FormId],
    dependents: &Dependents,
    forms: &Forms,
) -> Adornments {
    if wanted.is_empty() {
        return Adornments::default();
    }
    let mut adornments: Adornments =
        wanted.iter().map(|&form| (form, vec![true; forms.columns(form)])).collect();
    loop {
        let mut next = adornments.clone();
        for rule in rules {
            for it in uses(rule, &adornments, dependents) {
                let Some(columns) = next.get_mut(&it.atom.form) else { continue };
                for (column, argument) in columns.iter_mut().zip(&it.atom.arguments) {
                    *column &=
                        argument.variable().is_none_or(|variable| it.bound >> variable & 1 == 1);
                }
            }
        }
        next.retain(|_, columns| columns.iter().any(|&it| it));
        if next == adornments {
            return next;
        }
        adornments = next;
    }
}

/// The uses of predicates on demand in a rule, in order: positive ones first. What a rule with too many variables for a set
/// demands is not looked into: but for constants, it uses all.
fn uses<'rule>(
    rule: &'rule FlatRule,
    adornments: &Adornments,
    dependents: &Dependents,
) -> Vec<Use<'rule>> {
    let demanded =
        |literal: &FlatLiteral| literal.form().is_some_and(|it| adornments.contains_key(&it));
    if !rule.body.iter().any(demanded) {
        return Vec::new();
    }
    if !fits(rule) {
        let atoms = rule.body.iter().filter(|it| demanded(it)).filter_map(FlatLiteral::atom);
        return atoms.map(|atom| Use { atom, before: Vec::new(), bound: 0 }).collect();
    }
    let head = adornments.get(&rule.head.form).map_or(0, |columns| {
        let bound = rule.head.arguments.iter().zip(columns).filter(|&(_, &bound)| bound);
        variables(&bound.map(|(&argument, _)| argument).collect::<Vec<_>>())
    });
    let free: Vec<&FlatLiteral> =
        rule.body.iter().filter(|it| it.is_positive() && !demanded(it)).collect();
    let mut before = free;
    let mut bound = before.iter().map(|it| literal_variables(it)).fold(head, |all, it| all | it);
    let mut found = Vec::new();
    let dependents = dependents.get(&rule.head.form);
    let waits = |atom: &FlatAtom| dependents.is_some_and(|all| all.contains(&atom.form));
    let mut waiting: Vec<(&FlatLiteral, &FlatAtom)> = rule
        .body
        .iter()
        .filter_map(|literal| match &literal.kind {
            LiteralKind::Positive(atom) if demanded(literal) => Some((literal, atom)),
            _ => None,
        })
        .collect();
    while !waiting.is_empty() {
        let missing = |atom: &FlatAtom| {
            let given = atom.arguments.iter().zip(&adornments[&atom.form]).filter(|&(_, &it)| it);
            given.filter(|(it, _)| it.variable().is_some_and(|it| bound >> it & 1 == 0)).count()
        };
        let next = (0..waiting.len())
            .min_by_key(|&at| (missing(waiting[at].1), waits(waiting[at].1)))
            .expect("one waits");
        let (literal, atom) = waiting.remove(next);
        found.push(Use { atom, before: before.clone(), bound });
        before.push(literal);
        bound |= literal_variables(literal);
    }
    for literal in rule.body.iter().filter(|it| demanded(it)) {
        if let LiteralKind::Negative(atom) = &literal.kind {
            found.push(Use { atom, before: before.clone(), bound });
        }
    }
    found
}

/// Rules with predicates on demand.
#[derive(Debug)]
pub struct DemandedRules {
    /// The rules.
    pub rules: Vec<FlatRule>,
    /// The predicates on demand by demand predicate, which are new forms in this order.
    pub demanded: Vec<FormId>,
}

/// Restricts the predicates on demand.
pub fn restrict(
    rules: &[FlatRule],
    adornments: &Adornments,
    dependents: &Dependents,
    forms: &mut Forms,
    symbols: &mut Symbols,
) -> DemandedRules {
    let mut demand: FxHashMap<FormId, FlatAtom> = FxHashMap::default();
    let mut ordered: Vec<FormId> = adornments.keys().copied().collect();
    ordered.sort_unstable();
    for &form in &ordered {
        let columns = adornments[&form].iter().filter(|&&it| it).count();
        let wanted = format!("demand_{}", symbols.name(forms.form(form).predicate.name));
        let name = fresh(symbols, &wanted);
        let predicate = Predicate { name, arity: columns as u32 };
        let id = forms.intern(predicate, &vec![ShapeId::HOLE; columns]);
        demand.insert(form, FlatAtom { form: id, name, arguments: Arguments::new() });
    }
    let bound_arguments = |atom: &FlatAtom| FlatAtom {
        arguments: {
            let columns = atom.arguments.iter().zip(&adornments[&atom.form]);
            columns.filter(|&(_, &bound)| bound).map(|(&argument, _)| argument).collect()
        },
        ..demand[&atom.form].clone()
    };
    let joined =
        |atom| FlatLiteral { kind: LiteralKind::Positive(atom), joined: true, stored: false };
    let mut result = Vec::with_capacity(rules.len());
    for rule in rules {
        let demand =
            adornments.contains_key(&rule.head.form).then(|| joined(bound_arguments(&rule.head)));
        for it in uses(rule, adornments, dependents) {
            let head = bound_arguments(it.atom);
            let body = relevant(rule, &it, demand.as_ref(), variables(&head.arguments));
            let origin = rule.origin;
            result.push(FlatRule { head, body, origin, stored: false });
        }
        let mut restricted = rule.clone();
        restricted.body.extend(demand);
        result.push(restricted);
    }
    DemandedRules { rules: result, demanded: ordered }
}

/// The body of a demand rule: of what is joined before the use, the literals connected with the demanded
/// arguments, and the conditions on their variables.
fn relevant(
    rule: &FlatRule,
    it: &Use<'_>,
    demand: Option<&FlatLiteral>,
    demanded: VariableSet,
) -> Vec<FlatLiteral> {
    if !fits(rule) {
        return demand.into_iter().cloned().collect();
    }
    let available: Vec<&FlatLiteral> =
        demand.into_iter().chain(it.before.iter().copied()).collect();
    let mut reached = demanded;
    let mut taken = vec![false; available.len()];
    loop {
        let next = (0..available.len())
            .find(|&at| !taken[at] && literal_variables(available[at]) & reached != 0);
        let Some(next) = next else { break };
        taken[next] = true;
        reached |= literal_variables(available[next]);
    }
    let is_demand = |at: usize| demand.is_some() && at == 0;
    let picked = available.iter().enumerate().filter(|&(at, _)| taken[at] || is_demand(at));
    let mut body: Vec<FlatLiteral> =
        picked.map(|(_, &literal)| FlatLiteral { stored: false, ..literal.clone() }).collect();
    let bound = all_variables(&body);
    let conditions = rule.body.iter().filter(|literal| {
        literal.joined
            && !matches!(literal.kind, LiteralKind::Positive(_))
            && literal_variables(literal) & !bound == 0
            && literal_variables(literal) & reached != 0
    });
    body.extend(conditions.map(|literal| FlatLiteral { stored: false, ..literal.clone() }));
    body
}

/// A form and all forms whose rules depend on it, directly or by others that are no end, the form first.
pub fn users(
    rules: &[FlatRule],
    form: FormId,
    forms: usize,
    is_end: impl Fn(FormId) -> bool,
) -> Vec<FormId> {
    let mut by_body: Vec<Vec<FormId>> = vec![Vec::new(); forms];
    for rule in rules {
        for literal in &rule.body {
            if let LiteralKind::Positive(atom) | LiteralKind::Negative(atom) = &literal.kind {
                by_body[atom.form.index()].push(rule.head.form);
            }
        }
    }
    let mut found = vec![form];
    let mut seen = vec![false; forms];
    seen[form.index()] = true;
    let mut next = 0;
    while let Some(&used) = found.get(next) {
        next += 1;
        if is_end(used) {
            continue;
        }
        for &user in &by_body[used.index()] {
            if !std::mem::replace(&mut seen[user.index()], true) {
                found.push(user);
            }
        }
    }
    found
}

/// Keeps the rules that the roots depend on.
pub fn keep_needed(rules: &mut Vec<FlatRule>, forms: usize, is_root: impl Fn(FormId) -> bool) {
    let mut needed: Vec<bool> = (0..forms as u32).map(|form| is_root(FormId(form))).collect();
    let mut by_head: Vec<Vec<usize>> = vec![Vec::new(); forms];
    for (number, rule) in rules.iter().enumerate() {
        by_head[rule.head.form.index()].push(number);
    }
    let mut agenda: Vec<usize> = (0..forms).filter(|&form| needed[form]).collect();
    while let Some(form) = agenda.pop() {
        for &rule in &by_head[form] {
            for literal in &rules[rule].body {
                let (LiteralKind::Positive(atom) | LiteralKind::Negative(atom)) = &literal.kind
                else {
                    continue;
                };
                if !std::mem::replace(&mut needed[atom.form.index()], true) {
                    agenda.push(atom.form.index());
                }
            }
        }
    }
    rules.retain(|rule| needed[rule.head.form.index()]);
}
