//! Recursive views that are asked for a part of what they say, with conditions on the rest.

use fxhash::FxHashSet;
use groundfrog_engine::Exceeded;

use super::super::redundant_arguments::Filtered;
use super::factoring::{Factors, met_columns};
use super::passing::{Passing, passing};
use super::questions::{Side, Use, ways};
use super::ways::Way;
use super::{Definitions, selections};
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId, LiteralKind};

/// Lets recursive views say no more than all their uses ask for. Returns them, with what takes their places.
///
/// # Errors
/// A limit that was exceeded.
pub(super) fn restrict(
    definitions: &mut Definitions<'_>,
    is_view: &impl Fn(FormId) -> bool,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let mut views: Vec<FormId> = Vec::new();
    let mut is_known = vec![false; definitions.forms.len()];
    for rule in &definitions.flat.rules {
        let form = rule.head.form;
        if !pulse.beats(rule.body.len() as u32) {
            break;
        }
        if !is_known[form.index()] && is_view(form) && passes_on(rule) {
            is_known[form.index()] = true;
            views.push(form);
        }
    }
    pulse.finish()?;
    let mut restricted = Vec::new();
    for view in views {
        restricted.extend(restrict_one(definitions, view, pulse)?);
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
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let Some(passing) = passing(definitions, view, pulse)? else { return Ok(Vec::new()) };
    for side in [Side::PassedOn, Side::Changed] {
        let Some((ways, uses)) = ways(definitions, view, (&passing, side), pulse)? else {
            continue;
        };
        if definitions.flat.facts(definitions.forms).any(|it| it.0 == view) {
            break;
        }
        let is_own = |rule: &&FlatRule| rule.head.form == view;
        let own: Vec<FlatRule> = definitions.flat.rules.iter().filter(is_own).cloned().collect();
        let rest: Vec<FormId> =
            ways.iter().map(|way| definitions.shortened(view, "any", way.kept().len())).collect();
        let mut rules = Vec::new();
        for (way, &rest) in ways.iter().zip(&rest) {
            match side {
                Side::PassedOn => rules.extend(selections::begun(definitions, &own, way, rest)),
                Side::Changed => match factors(definitions, &own, (&passing, way), rest) {
                    Some(factors) => rules.extend(factors),
                    None => return Ok(Vec::new()),
                },
            }
        }
        replace_uses(definitions, &ways, &uses, &rest);
        let all = &mut definitions.flat.rules;
        let place = all.iter().position(|it| it.head.form == view).unwrap_or(all.len());
        all.splice(place..place, rules);
        all.retain(|it| it.head.form != view);
        return Ok(rest.into_iter().map(|rest| Filtered { view, rest }).collect());
    }
    Ok(Vec::new())
}

/// The rules of a view for one way to ask for what it ends with, if they are safe.
fn factors(
    definitions: &mut Definitions<'_>,
    own: &[FlatRule],
    (passing, way): (&[Passing], &Way),
    rest: FormId,
) -> Option<Vec<FlatRule>> {
    let view = own.first()?.head.form;
    let met = definitions.shortened(view, "met", met_columns(passing, way).len());
    let rules = Factors { passing, way, rest, met }.rules(definitions, own);
    if rules.is_some() {
        definitions.met.push(definitions.forms.form(met).predicate);
    }
    rules
}

/// Puts the views for ways to ask in the places of literals, and removes the conditions that they have.
fn replace_uses(definitions: &mut Definitions<'_>, ways: &[Way], uses: &[Use], rest: &[FormId]) {
    let mut rules = std::mem::take(&mut definitions.flat.rules);
    let mut removed: FxHashSet<(usize, usize)> = FxHashSet::default();
    for it in uses {
        removed.extend(it.conditions.iter().map(|&condition| (it.rule, condition)));
        if let LiteralKind::Positive(atom) = &mut rules[it.rule].body[it.literal].kind {
            definitions.shorten(atom, rest[it.way], &ways[it.way].kept());
        }
    }
    for (number, rule) in rules.iter_mut().enumerate() {
        let mut at = 0..;
        rule.body.retain(|_| at.next().is_none_or(|it| !removed.contains(&(number, it))));
    }
    definitions.flat.rules = rules;
}
