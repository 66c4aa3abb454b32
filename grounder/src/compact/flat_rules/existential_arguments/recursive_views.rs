//! Recursive views of which a part is used, with conditions on the rest.

use fxhash::FxHashSet;
use groundfrog_engine::Exceeded;

use super::super::redundant_arguments::Filtered;
use super::factoring::{Factors, met_columns};
use super::passing::{Passing, passing};
use super::queries::{Side, Use, queries};
use super::query::Query;
use super::{Definitions, selections};
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::ticker::Ticker;

/// Lets recursive views say no more than all their uses need. Returns them, with what takes their places.
///
/// # Errors
/// A limit that was exceeded.
pub(super) fn restrict(
    definitions: &mut Definitions<'_>,
    is_view: &impl Fn(FormId) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let mut views: Vec<FormId> = Vec::new();
    let mut is_known = vec![false; definitions.forms.len()];
    for rule in &definitions.flat.rules {
        let form = rule.head.form;
        if !ticker.ticks(rule.body.len() as u32) {
            break;
        }
        if !is_known[form.index()] && is_view(form) && passes_on(rule) {
            is_known[form.index()] = true;
            views.push(form);
        }
    }
    ticker.finish()?;
    let mut restricted = Vec::new();
    for view in views {
        restricted.extend(restrict_one(definitions, view, ticker)?);
    }
    Ok(restricted)
}

/// Whether a rule passes an argument of its view on.
fn passes_on(rule: &FlatRule) -> bool {
    let own = rule.body.iter().filter_map(FlatLiteral::atom).find(|it| it.form == rule.head.form);
    own.is_some_and(|it| {
        let mut both = it.arguments.iter().zip(&rule.head.arguments);
        both.any(|(one, other)| one == other && one.variable().is_some())
    })
}

fn restrict_one(
    definitions: &mut Definitions<'_>,
    view: FormId,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let Some(passing) = passing(definitions, view, ticker)? else { return Ok(Vec::new()) };
    for side in [Side::PassedOn, Side::Changed] {
        let Some((queries, uses)) = queries(definitions, view, (&passing, side), ticker)? else {
            continue;
        };
        if definitions.flat.facts(definitions.forms).any(|it| it.0 == view) {
            break;
        }
        let is_own = |rule: &&FlatRule| rule.head.form == view;
        let own: Vec<FlatRule> = definitions.flat.rules.iter().filter(is_own).cloned().collect();
        let rest: Vec<FormId> = queries
            .iter()
            .map(|query| definitions.shortened(view, "any", query.kept().len()))
            .collect();
        let mut rules = Vec::new();
        for (query, &rest) in queries.iter().zip(&rest) {
            match side {
                Side::PassedOn => rules.extend(selections::begun(definitions, &own, query, rest)),
                Side::Changed => match factors(definitions, &own, (&passing, query), rest) {
                    Some(factors) => rules.extend(factors),
                    None => return Ok(Vec::new()),
                },
            }
        }
        replace_uses(definitions, &queries, &uses, &rest);
        let all = &mut definitions.flat.rules;
        let place = all.iter().position(|it| it.head.form == view).unwrap_or(all.len());
        all.splice(place..place, rules);
        all.retain(|it| it.head.form != view);
        return Ok(rest.into_iter().map(|rest| Filtered { view, rest }).collect());
    }
    Ok(Vec::new())
}

/// The rules of a view for one way to use what it ends with, if they are safe.
fn factors(
    definitions: &mut Definitions<'_>,
    own: &[FlatRule],
    (passing, query): (&[Passing], &Query),
    rest: FormId,
) -> Option<Vec<FlatRule>> {
    let view = own.first()?.head.form;
    let met = definitions.shortened(view, "met", met_columns(passing, query).len());
    let rules = Factors { passing, query, rest, met }.rules(definitions, own);
    if rules.is_some() {
        definitions.met.push(definitions.forms.form(met).predicate);
    }
    rules
}

/// Puts the views for queries in the places of literals, and removes the conditions that they have.
fn replace_uses(
    definitions: &mut Definitions<'_>,
    queries: &[Query],
    uses: &[Use],
    rest: &[FormId],
) {
    let mut rules = std::mem::take(&mut definitions.flat.rules);
    let mut removed: FxHashSet<(usize, usize)> = FxHashSet::default();
    for it in uses {
        removed.extend(it.conditions.iter().map(|&condition| (it.rule, condition)));
        if let LiteralKind::Positive(atom) = &mut rules[it.rule].body[it.literal].kind {
            definitions.shorten(atom, rest[it.query], &queries[it.query].kept());
        }
    }
    for (number, rule) in rules.iter_mut().enumerate() {
        let mut at = 0..;
        rule.body.retain(|_| at.next().is_none_or(|it| !removed.contains(&(number, it))));
    }
    definitions.flat.rules = rules;
}
