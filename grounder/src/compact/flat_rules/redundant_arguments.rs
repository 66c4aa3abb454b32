//! Arguments that do not matter (redundant argument filtering, Leuschel & Sørensen 1996): a view that is
//! the same for all values of an argument loses it.
//!
//! An argument of a view is *redundant* over a static predicate d of one argument, given by facts, if in every
//! rule for the view it is a variable that is there once in the head and in the body only in d and as a
//! redundant argument over d of other views; and if wherever the view is used, its argument is one of the
//! facts of d or a variable that has the condition d. Redundant are as many arguments as can be together.
//!
//! The argument: let two values of d be given. By induction over the strata and the steps of the least
//! model, an atom of such a view holds for one of them if and only if it does for the other, as a rule
//! that derives it has an instance for each, with the same other literals. A use needs values of d
//! alone. So in every state the view without the argument holds exactly where the view holds, for every
//! value of d and for any.

use std::collections::VecDeque;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Exceeded};

use crate::description::Predicate;
use crate::flat::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind, ShapeId,
};
use crate::rewrite::statics::Statics;
use crate::symbols::{Symbols, fresh};
use crate::ticker::Ticker;

/// A view that has lost arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// Its form.
    pub view: FormId,
    /// The form that takes its place.
    pub rest: FormId,
}

/// By form: for each column the form of the predicate that it is redundant over.
type Redundant = FxHashMap<FormId, Vec<Option<FormId>>>;

/// Removes redundant arguments of predicates that are not `fixed`. Returns the views that have lost some.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn filter_arguments(
    flat: &mut FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    statics: &mut Statics,
    is_fixed: impl Fn(Predicate) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let mut redundant = candidates(flat, forms, is_fixed);
    if redundant.is_empty() {
        return Ok(Vec::new());
    }
    let over: FxHashSet<FormId> = redundant.values().flatten().flatten().copied().collect();
    let facts = flat.facts(forms).filter(|(form, _)| over.contains(form));
    let facts: FxHashSet<(FormId, u32)> = facts.map(|(form, row)| (form, row[0])).collect();
    restrict_all(&flat.rules, &mut redundant, &facts, ticker)?;
    redundant.retain(|_, columns| columns.iter().any(Option::is_some));
    let mut views: Vec<FormId> = redundant.keys().copied().collect();
    views.sort_unstable();
    let filtered = views.into_iter().map(|view| {
        let form = forms.form(view).clone();
        let kept: Vec<ShapeId> =
            kept(&redundant[&view]).map(|column| form.shapes[column]).collect();
        let name = fresh(symbols, &format!("{}_any", symbols.name(form.predicate.name)));
        let predicate = Predicate { name, arity: kept.len() as u32 };
        statics.set_dynamic(predicate, statics.is_dynamic(form.predicate));
        Filtered { view, rest: forms.intern(predicate, &kept) }
    });
    let filtered: Vec<Filtered> = filtered.collect();
    let rest: FxHashMap<FormId, FormId> = filtered.iter().map(|it| (it.view, it.rest)).collect();
    let shorten = |atom: &mut FlatAtom| {
        let Some(columns) = redundant.get(&atom.form) else { return };
        atom.arguments = kept(columns).map(|column| atom.arguments[column]).collect();
        atom.form = rest[&atom.form];
        atom.name = forms.form(atom.form).predicate.name;
    };
    let has_facts: FxHashSet<FormId> = facts.iter().map(|it| it.0).collect();
    for rule in &mut flat.rules {
        let concerns = |atom: &FlatAtom| redundant.contains_key(&atom.form);
        if !concerns(&rule.head) && !rule.body.iter().filter_map(FlatLiteral::atom).any(concerns) {
            continue;
        }
        let columns = redundant.get(&rule.head.form).into_iter().flatten();
        let mut lost: Vec<(u32, FormId)> = rule
            .head
            .arguments
            .iter()
            .zip(columns)
            .filter_map(|(it, over)| Some((it.variable()?, (*over)?)))
            .filter(|(_, over)| has_facts.contains(over))
            .collect();
        lost.sort_unstable();
        shorten(&mut rule.head);
        for literal in &mut rule.body {
            match &mut literal.kind {
                LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => shorten(atom),
                LiteralKind::Distinct(..) => {}
            }
        }
        // What a lost variable can be no longer matters, as long as it can be something.
        let mut kept: FxHashSet<FlatLiteral> = FxHashSet::default();
        rule.body.retain(|literal| {
            let is_lost = domain(literal).is_some_and(|it| lost.binary_search(&it).is_ok());
            !is_lost && kept.insert(literal.clone())
        });
    }
    Ok(filtered)
}

/// The columns that are not redundant.
fn kept(columns: &[Option<FormId>]) -> impl Iterator<Item = usize> {
    columns.iter().enumerate().filter(|it| it.1.is_none()).map(|it| it.0)
}

/// The columns that all rules of a form restrict by the same predicate and nothing else in the head.
fn candidates(
    flat: &FlatProgram,
    forms: &Forms,
    is_fixed: impl Fn(Predicate) -> bool,
) -> Redundant {
    let mut has_rules = vec![false; forms.len()];
    flat.rules.iter().for_each(|rule| has_rules[rule.head.form.index()] = true);
    let is_domain = |form: FormId| forms.columns(form) == 1 && !has_rules[form.index()];
    let mut is_out = vec![false; forms.len()];
    let mut candidates = Redundant::default();
    for rule in &flat.rules {
        let head = &rule.head;
        if is_out[head.form.index()] {
            continue;
        }
        let form = forms.form(head.form);
        let before = candidates.get(&head.form);
        let domains = domains(rule);
        let variables: Vec<Option<u32>> = head.arguments.iter().map(|it| it.variable()).collect();
        let of_column = |(column, &variable): (usize, &Option<u32>)| {
            let variable = variable?;
            let first = domains.partition_point(|it| it.0 < variable);
            let of_variable = domains[first..].iter().take_while(|it| it.0 == variable);
            let fits = |over: &FormId| {
                is_domain(*over) && before.is_none_or(|columns| columns[column] == Some(*over))
            };
            let over = of_variable.map(|it| it.1).find(fits)?;
            let is_once = variables.iter().filter(|&&other| other == Some(variable)).count() == 1;
            is_once.then_some(over)
        };
        let is_simple = form.shapes.iter().all(|&it| it == ShapeId::HOLE);
        let columns = if is_simple && !is_fixed(form.predicate) {
            variables.iter().enumerate().map(of_column).collect()
        } else {
            Vec::new()
        };
        if columns.iter().any(Option::is_some) {
            candidates.insert(head.form, columns);
        } else {
            candidates.remove(&head.form);
            is_out[head.form.index()] = true;
        }
    }
    if !candidates.is_empty() {
        for (form, _) in flat.facts(forms) {
            candidates.remove(&form);
        }
    }
    candidates
}

/// The variable that a literal is about alone, and the predicate that it says holds of it.
fn domain(literal: &FlatLiteral) -> Option<(u32, FormId)> {
    match &literal.kind {
        LiteralKind::Positive(atom) if literal.joined => match atom.arguments[..] {
            [Argument::Variable(variable)] => Some((variable, atom.form)),
            _ => None,
        },
        _ => None,
    }
}

/// What a rule says of its variables one by one, ascending.
fn domains(rule: &FlatRule) -> Vec<(u32, FormId)> {
    let mut domains: Vec<(u32, FormId)> = rule.body.iter().filter_map(domain).collect();
    domains.sort_unstable();
    domains
}

/// Takes back the columns that rules need, until no rule needs more. A rule is looked at again when a form that it mentions
/// has lost a column.
fn restrict_all(
    rules: &[FlatRule],
    redundant: &mut Redundant,
    facts: &FxHashSet<(FormId, u32)>,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    let mut mentions: FxHashMap<FormId, Vec<usize>> = FxHashMap::default();
    for (number, rule) in rules.iter().enumerate() {
        let atoms = rule.body.iter().filter_map(FlatLiteral::atom).chain([&rule.head]);
        for atom in atoms.filter(|it| redundant.contains_key(&it.form)) {
            mentions.entry(atom.form).or_default().push(number);
        }
    }
    let mut is_waiting = vec![true; rules.len()];
    let mut waiting: VecDeque<usize> = (0..rules.len()).collect();
    while let Some(number) = waiting.pop_front() {
        is_waiting[number] = false;
        if !ticker.ticks(1 + rules[number].body.len() as u32) {
            break;
        }
        for form in restrict(&rules[number], redundant, facts) {
            for &user in mentions.get(&form).into_iter().flatten() {
                if !std::mem::replace(&mut is_waiting[user], true) {
                    waiting.push_back(user);
                }
            }
        }
    }
    ticker.finish()
}

/// Takes back columns that a rule needs. Returns the forms that have lost some.
fn restrict(
    rule: &FlatRule,
    redundant: &mut Redundant,
    facts: &FxHashSet<(FormId, u32)>,
) -> Vec<FormId> {
    let domains = domains(rule);
    // The variables of the head's columns that are still taken for redundant.
    let columns = redundant.get(&rule.head.form).map_or(&[][..], Vec::as_slice);
    let lost = (0..).zip(rule.head.arguments.iter().zip(columns));
    let lost = lost.filter_map(|(column, (it, over))| Some((it.variable()?, ((*over)?, column))));
    let lost: FxHashMap<u32, (FormId, usize)> = lost.collect();
    let mut needed: Vec<(FormId, usize)> = Vec::new();
    let mut need = |variable: u32| {
        needed.extend(lost.get(&variable).map(|&(_, column)| (rule.head.form, column)));
    };
    let mut outside: Vec<(FormId, usize)> = Vec::new();
    for literal in &rule.body {
        let atom = match &literal.kind {
            LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => atom,
            LiteralKind::Distinct(left, right) => {
                left.iter().chain(right).filter_map(|it| it.variable()).for_each(&mut need);
                continue;
            }
        };
        let own = domain(literal);
        let columns = redundant.get(&atom.form);
        for (column, it) in atom.arguments.iter().enumerate() {
            let over = columns.and_then(|columns| columns[column]);
            let is_inside = |over: FormId| match *it {
                Argument::Constant(constant) => facts.contains(&(over, constant)),
                Argument::Variable(variable) => domains.binary_search(&(variable, over)).is_ok(),
            };
            if over.is_some_and(|over| !is_inside(over)) {
                outside.push((atom.form, column));
            }
            let Some(variable) = it.variable() else { continue };
            let is_free =
                |over_head: FormId| own == Some((variable, over_head)) || over == Some(over_head);
            if lost.get(&variable).is_some_and(|&(over_head, _)| !is_free(over_head)) {
                need(variable);
            }
        }
    }
    needed.extend(outside);
    let mut take_back = |&(form, column): &(FormId, usize)| {
        redundant.get_mut(&form).is_some_and(|columns| columns[column].take().is_some())
    };
    needed.retain(&mut take_back);
    needed.into_iter().map(|it| it.0).collect()
}

#[cfg(test)]
mod tests;
