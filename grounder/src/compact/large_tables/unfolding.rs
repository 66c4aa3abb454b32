//! Unfolding, of logic programming: the rules of a predicate whose table is large take the place of its literals.
//!
//! *Views* that only name a conjunction, as the five cards of a hand, where each rule that uses them needs less than all that
//! they say together:
//!
//! ```text
//! (<= (hand ?p ?a ?b ?c) (true (holds ?p 1 ?a)) (true (holds ?p 2 ?b)) (true (holds ?p 3 ?c)))
//! (<= (flush ?p) (hand ?p ?a ?b ?c) (suit ?a ?s) (suit ?b ?s) (suit ?c ?s))
//! ```
//!
//! `hand` has a row for each three cards. `flush` needs one card after the other: once the rule of `hand` stands in it,
//! it is joined and stored piece by piece, see `decomposition`.
//!
//! *Products*, static predicates that are joins of small tables, as the direction from each cell of a large board to each other:
//!
//! ```text
//! (<= (direction ?x ?y ?u ?v ?d) (along ?x ?u ?h) (along ?y ?v ?w) (compass ?h ?w ?d))
//! ```
//!
//! For 50 rows and columns `direction` has six million rows, `along` 2500. The rule must have as many instances as it has
//! heads: the variables that the head lacks depend on those that it has. So no rule that uses it gets more instances, and they
//! are the same as far as they are stored: the flat program is computed so as well.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fxhash::FxHashSet;
use groundfrog_engine::projection::MAX_VARIABLES;
use groundfrog_engine::{Argument, Table, Tables};

use crate::compact::unfolding::unfold_all;
use crate::compact::variables::for_each_argument;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::tuning::MOST_ALTERNATIVES;

/// A rule, and the least number of columns of the views whose rules were put into it.
struct Unfolded<'rule> {
    rule: Cow<'rule, FlatRule>,
    columns: Option<usize>,
}

/// Puts the rules of a view in the place of its literals, if each rule that comes of it joins fewer variables at a time
/// than the view has columns. Where one does not that is itself the rule of another view that may be unfolded, as one
/// that passes a hand on, this is unfolded as well. Returns the views; then nothing mentions them.
pub fn unfold_view(
    rules: &mut Vec<FlatRule>,
    view: FormId,
    may_be_unfolded: impl Fn(FormId) -> bool,
) -> Option<Vec<FormId>> {
    if !may_be_unfolded(view) || !is_used_positively(rules, view) {
        return None;
    }
    let own = rules.iter().map(|rule| Unfolded { rule: Cow::Borrowed(rule), columns: None });
    let mut unfolded: Vec<Unfolded<'_>> = own.collect();
    let mut views = vec![view];
    let mut next = 0;
    while let Some(&view) = views.get(next) {
        next += 1;
        unfolded = unfold_one(unfolded, view)?;
        for Unfolded { rule, columns } in &unfolded {
            let head = rule.head.form;
            let is_narrow = columns.is_none_or(|columns| width(rule) < columns);
            if is_narrow || views.contains(&head) {
                continue;
            }
            if !may_be_unfolded(head) || views.len() == MOST_ALTERNATIVES {
                return None;
            }
            views.push(head);
        }
    }
    *rules = unfolded.into_iter().map(|it| it.rule.into_owned()).collect();
    Some(views)
}

/// Whether a view has few rules, and no literal says that it does not hold.
fn is_used_positively(rules: &[FlatRule], view: FormId) -> bool {
    let is_negation =
        |it: &FlatLiteral| it.form() == Some(view) && matches!(it.kind, LiteralKind::Negative(_));
    rules.iter().filter(|it| it.head.form == view).count() <= MOST_ALTERNATIVES
        && !rules.iter().flat_map(|rule| &rule.body).any(is_negation)
}

fn mentions(rule: &FlatRule, view: FormId) -> bool {
    rule.body.iter().any(|literal| literal.form() == Some(view))
}

/// All rules, with the rules of a view in the place of its literals.
fn unfold_one<'rule>(rules: Vec<Unfolded<'rule>>, view: FormId) -> Option<Vec<Unfolded<'rule>>> {
    let (own, others): (Vec<Unfolded<'_>>, Vec<Unfolded<'_>>) =
        rules.into_iter().partition(|it| it.rule.head.form == view);
    let is_plain = |it: &Unfolded<'_>| it.rule.stored && !mentions(&it.rule, view);
    if own.is_empty() || own.len() > MOST_ALTERNATIVES || !own.iter().all(is_plain) {
        return None;
    }
    let heads = own.iter().map(|it| variables_of_head(&it.rule).len());
    let width_of_view = heads.max()?;
    let definition: Vec<&FlatRule> = own.iter().map(|it| &*it.rule).collect();
    let mut room = MOST_ALTERNATIVES;
    let mut all = Vec::with_capacity(others.len());
    for user in others {
        if !mentions(&user.rule, view) {
            all.push(user);
            continue;
        }
        let columns = user.columns.map_or(width_of_view, |it| it.min(width_of_view));
        let rules = unfold_all(user.rule.into_owned(), view, &definition, &mut room)?;
        let unfolded = |rule| Unfolded { rule: Cow::Owned(rule), columns: Some(columns) };
        all.extend(rules.into_iter().map(unfolded));
    }
    Some(all)
}

/// How many variables are joined at a time, at most, if those that the head lacks are eliminated one after the other,
/// that first which stands with the fewest.
fn width(rule: &FlatRule) -> usize {
    let mut factors: Vec<BTreeSet<u32>> = rule.body.iter().map(variables_of_literal).collect();
    let head = variables_of_head(rule);
    let mut inner = &variables(rule) - &head;
    if inner.len() > MAX_VARIABLES {
        return usize::MAX;
    }
    let mut width = 0;
    loop {
        let together = |variable: &u32| -> BTreeSet<u32> {
            factors.iter().filter(|factor| factor.contains(variable)).flatten().copied().collect()
        };
        let Some((least, mut joined)) =
            inner.iter().map(|&it| (it, together(&it))).min_by_key(|(_, joined)| joined.len())
        else {
            break;
        };
        width = width.max(joined.len());
        factors.retain(|it| !it.contains(&least));
        inner.remove(&least);
        joined.remove(&least);
        factors.push(joined);
    }
    width.max(head.len())
}

fn variables_of_head(rule: &FlatRule) -> BTreeSet<u32> {
    rule.head.arguments.iter().filter_map(|it| it.variable()).collect()
}

fn variables_of_literal(literal: &FlatLiteral) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for_each_argument(&literal.kind, &mut |it| found.extend(it.variable()));
    found
}

fn variables(rule: &FlatRule) -> BTreeSet<u32> {
    let of_body = rule.body.iter().flat_map(variables_of_literal);
    of_body.chain(variables_of_head(rule)).collect()
}

/// The predicates among some that are products, if their tables are small: each has one rule, which joins others, its head has
/// different variables, and the predicate occurs in other rules only where it is joined, positive and not stored.
pub fn products(rules: &[FlatRule], forms: usize, is_open: impl Fn(FormId) -> bool) -> Vec<FormId> {
    let (mut definitions, mut is_excluded) = (vec![0u32; forms], vec![false; forms]);
    for rule in rules {
        let form = rule.head.form.index();
        definitions[form] += 1;
        is_excluded[form] |= !is_product(rule);
        let stored = rule.body.iter().filter(|it| it.stored || !it.joined || !it.is_positive());
        stored.filter_map(FlatLiteral::form).for_each(|it| is_excluded[it.index()] = true);
    }
    let all = (0..forms as u32).map(FormId);
    all.filter(|it| definitions[it.index()] == 1 && !is_excluded[it.index()] && is_open(*it))
        .collect()
}

/// Whether a rule joins other predicates, its head has different variables, and nothing of it is stored.
fn is_product(rule: &FlatRule) -> bool {
    let FlatRule { head, body, stored, .. } = rule;
    let is_joined = |literal: &FlatLiteral| {
        literal.is_positive()
            && literal.joined
            && !literal.stored
            && literal.form() != Some(head.form)
    };
    let is_new = |(column, it): (usize, &Argument)| {
        it.variable().is_some() && !head.arguments[..column].contains(it)
    };
    !stored
        && body.len() > 1
        && body.iter().all(is_joined)
        && head.arguments.iter().enumerate().all(is_new)
}

/// Puts the rule of a [product](products) in the place of its literals, if its tables, which are complete, are small compared
/// with this many rows.
pub fn unfold_product(rules: &mut Vec<FlatRule>, form: FormId, tables: &Tables, rows: u64) -> bool {
    let Some(own) = rules.iter().position(|rule| rule.head.form == form) else { return false };
    let small = |literal: &FlatLiteral| literal.form().map_or(0, |it| tables[predicate(it)].len());
    let together: usize = rules[own].body.iter().map(small).sum();
    if together as u64 >= rows || !is_determined(&rules[own], tables) {
        return false;
    }
    let definition = rules.remove(own);
    let mut room = usize::MAX;
    let mut unfolded = |rule| {
        unfold_all(rule, form, &[&definition], &mut room).expect("it is used positively alone")
    };
    *rules = std::mem::take(rules).into_iter().flat_map(&mut unfolded).collect();
    true
}

/// Whether the variables of the head determine the others.
fn is_determined(rule: &FlatRule, tables: &Tables) -> bool {
    let mut known: FxHashSet<u32> =
        rule.head.arguments.iter().filter_map(|it| it.variable()).collect();
    let binds = rule.body.iter().filter(|it| it.is_positive());
    let mut rest: Vec<&FlatAtom> = binds.filter_map(FlatLiteral::atom).collect();
    loop {
        let before = rest.len();
        rest.retain(|atom| {
            let depends = determines(&tables[predicate(atom.form)], &atom.arguments, &known);
            if depends {
                known.extend(atom.arguments.iter().filter_map(|it| it.variable()));
            }
            !depends
        });
        if rest.is_empty() || rest.len() == before {
            return rest.is_empty();
        }
    }
}

/// Whether no two rows agree in the columns whose arguments are known.
fn determines(table: &Table, arguments: &[Argument], known: &FxHashSet<u32>) -> bool {
    let is_known = |it: Argument| it.variable().is_none_or(|it| known.contains(&it));
    let columns: Vec<usize> =
        (0..arguments.len()).filter(|&column| is_known(arguments[column])).collect();
    columns.len() == arguments.len() || table.firsts(&columns).all(|(row, first)| row == first)
}

#[cfg(test)]
mod tests;
