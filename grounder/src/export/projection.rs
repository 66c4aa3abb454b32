//! Projection of existential variables (Schiffel 2016, "Optimizations"), on rules as people write them.
//!
//! A variable that the head does not need is not multiplied with the values of the others: the literals
//! that mention it are replaced by an auxiliary predicate over what the rest of the rule needs of them. With
//! one literal this is projection: `p(X,Y)` becomes `project(X)` with `project(X) :- p(X,Y)`. A step is taken if
//! both halves have fewer variables than the rule; that with the fewest goes first. What ours decides by the
//! sizes of tables is decided by the rules alone here: they are for grounders that do not do it themselves.

use groundfrog_engine::Exceeded;

use crate::description::Description;
use crate::error::GroundError;
use crate::options::{Domains, Limits};
use crate::prepare::{Prepared, prepare_within};
use crate::rewrite::parts::{Part, Projection, variables};
use crate::rewrite::statics;
use crate::rules::{Literal, Rule};
use crate::symbols::Symbol;
use crate::ticker::Ticker;

/// The rules of a description without `or`, their existential variables projected. They mean the same; the rules of
/// the auxiliary predicates stand behind the others.
///
/// # Errors
/// Faults of the description, or a limit on time.
pub fn projected(description: &Description, limits: &Limits) -> Result<Prepared, GroundError> {
    let budget = limits.budget();
    let mut prepared = prepare_within(description, Domains::OneStep, &budget)?;
    let mut ticker = Ticker::new(&budget, 0);
    match project(&mut prepared, &mut ticker) {
        Ok(()) => Ok(prepared),
        Err(exceeded) => Err(GroundError::limit(description, &[], exceeded.into())),
    }
}

fn project(prepared: &mut Prepared, ticker: &mut Ticker<'_>) -> Result<(), Exceeded> {
    let rules = std::mem::take(&mut prepared.rules.rules);
    let symbols = &mut prepared.rules.symbols;
    let mut projection = Projection::new(symbols, rules);
    // Auxiliary rules are added on the way and split as well; each has fewer variables than its origin.
    let mut next = 0;
    while next < projection.rules.len() {
        while let Some(part) = best_part(&projection.rules[next], ticker)? {
            projection.split(next, &part);
        }
        next += 1;
    }
    prepared.rules.rules = projection.rules;
    prepared.statics = statics::analyse(&prepared.rules);
    Ok(())
}

/// The part with the fewest variables that eliminates a variable which the head does not need.
fn best_part(rule: &Rule, ticker: &mut Ticker<'_>) -> Result<Option<Part>, Exceeded> {
    // Something must be left.
    if rule.body.len() < 2 {
        return Ok(None);
    }
    let sets: Vec<Vec<Symbol>> = rule.body.iter().map(|it| variables([it])).collect();
    let head = variables([&Literal::Positive(rule.head.clone())]);
    let all = union(sets.iter());
    let mut parts = Vec::new();
    for &existential in all.iter().filter(|it| !head.contains(it)) {
        parts.extend(part(rule, &sets, &head, (all.len(), existential), ticker)?);
    }
    Ok(parts.into_iter().min_by_key(|part| part.variables))
}

/// The literals with this variable, and those that fit in.
fn part(
    rule: &Rule,
    sets: &[Vec<Symbol>],
    head: &[Symbol],
    (all, variable): (usize, Symbol),
    ticker: &mut Ticker<'_>,
) -> Result<Option<Part>, Exceeded> {
    let a_look = u32::try_from(all * sets.len()).unwrap_or(u32::MAX);
    let mut taken: Vec<bool> = sets.iter().map(|set| set.contains(&variable)).collect();
    let of = |taken: &[bool], wanted: bool, only_positive: bool| {
        let chosen = (0..sets.len()).filter(|&literal| {
            taken[literal] == wanted
                && (!only_positive || matches!(rule.body[literal], Literal::Positive(_)))
        });
        union(chosen.map(|it| &sets[it]))
    };
    let interface = |taken: &[bool]| -> Vec<Symbol> {
        let outside = of(taken, false, false);
        let inside = of(taken, true, false);
        inside.into_iter().filter(|it| head.contains(it) || outside.contains(it)).collect()
    };
    loop {
        let (bound, current) = (of(&taken, true, true), interface(&taken).len());
        let mut fits = None;
        for other in (0..taken.len()).filter(|&it| !taken[it] && !sets[it].is_empty()) {
            ticker.tick()?;
            if !sets[other].iter().all(|it| bound.contains(it)) {
                continue;
            }
            ticker.ticks(a_look)?;
            let mut more = taken.clone();
            more[other] = true;
            if interface(&more).len() < current || !matches!(rule.body[other], Literal::Positive(_))
            {
                fits = Some(other);
                break;
            }
        }
        match fits {
            Some(literal) => taken[literal] = true,
            None => break,
        }
    }
    let interface = interface(&taken);
    let (inside, outside) = (of(&taken, true, false), of(&taken, false, false));
    let binds = of(&taken, true, true);
    // The auxiliary literal binds the interface in the rest.
    let is_safe = inside.iter().all(|it| binds.contains(it));
    let is_smaller = inside.len() < all
        && outside.iter().filter(|it| !interface.contains(it)).count() + interface.len() < all;
    let part = Part { taken, interface, variables: inside.len() };
    Ok((is_safe && is_smaller && !outside.is_empty()).then_some(part))
}

fn union<'a>(sets: impl Iterator<Item = &'a Vec<Symbol>>) -> Vec<Symbol> {
    let mut all = Vec::new();
    for &it in sets.flatten() {
        if !all.contains(&it) {
            all.push(it);
        }
    }
    all
}
