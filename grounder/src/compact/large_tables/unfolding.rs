//! Views that only name a conjunction, as the five cards of a hand: their rules take the place of their literals
//! (unfolding, of logic programming), where each rule that uses them needs less than all that they say together.
//!
//! ```text
//! (<= (hand ?p ?a ?b ?c) (true (holds ?p 1 ?a)) (true (holds ?p 2 ?b)) (true (holds ?p 3 ?c)))
//! (<= (flush ?p) (hand ?p ?a ?b ?c) (suit ?a ?s) (suit ?b ?s) (suit ?c ?s))
//! ```
//!
//! `hand` has a row for each three cards. `flush` needs one card after the other: once the rule of `hand` stands in it,
//! it is joined and stored piece by piece, see `decomposition`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::compact::unfolding::unfold_all;
use crate::compact::variables::for_each_argument;
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::tuning::{MOST_RULES_OF_VIEW, MOST_UNFOLDED, MOST_VARIABLES, MOST_VIEWS};

/// A rule, and the least number of columns of the views whose rules were put into it.
struct Unfolded<'rule> {
    rule: Cow<'rule, FlatRule>,
    columns: Option<usize>,
}

/// Puts the rules of a view in the place of its literals, if each rule that comes of it joins fewer variables at a time
/// than the view has columns. Where one does not that is itself the rule of another view that may be unfolded, as one
/// that passes a hand on, this is unfolded as well. Returns the views; then nothing mentions them.
pub fn unfold(
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
            if !may_be_unfolded(head) || views.len() == MOST_VIEWS {
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
    rules.iter().filter(|it| it.head.form == view).count() <= MOST_RULES_OF_VIEW
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
    if own.is_empty() || own.len() > MOST_RULES_OF_VIEW || !own.iter().all(is_plain) {
        return None;
    }
    let heads = own.iter().map(|it| variables_of_head(&it.rule).len());
    let width_of_view = heads.max()?;
    let definition: Vec<&FlatRule> = own.iter().map(|it| &*it.rule).collect();
    let mut room = MOST_UNFOLDED;
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
    if inner.len() > MOST_VARIABLES {
        return usize::MAX;
    }
    let mut width = 0;
    loop {
        let together = |it: &u32| -> BTreeSet<u32> {
            factors.iter().filter(|factor| factor.contains(it)).flatten().copied().collect()
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
