//! Rules that can never fire, and conditions that never hold.

use fxhash::{FxHashMap, FxHashSet};

use super::extent::{ExtentSearch, TooLong};
use groundfrog::description::{Atom, Printer};
use groundfrog::flat::FlatRule;
use groundfrog::ground::Extents;
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::rules::{Literal, Rule};
use groundfrog::ticker::Ticker;

pub(super) fn check(extents: &Extents, ticker: &mut Ticker<'_>, found: &mut Vec<Diagnostic>) {
    let mut search = ExtentSearch::new(extents, ticker);
    // What was looked at until the limit is right; what was not is not reported.
    let _ = dead_rules(extents, &mut search, found);
    let _ = empty_negations(extents, &mut search, found);
}

/// Statements none of whose rules has an instance.
fn dead_rules(
    extents: &Extents,
    search: &mut ExtentSearch<'_, '_, '_>,
    found: &mut Vec<Diagnostic>,
) -> Result<(), TooLong> {
    let mut by_span: FxHashMap<Span, Vec<&FlatRule>> = FxHashMap::default();
    for rule in extents.rules() {
        by_span.entry(extents.span(rule)).or_default().push(rule);
    }
    let prepared = extents.prepared();
    let mut seen = FxHashSet::default();
    for (position, rule) in prepared.rules.rules.iter().enumerate() {
        let binds = rule.body.iter().any(|it| matches!(it, Literal::Positive(_)));
        if !binds || !prepared.statics.is_used(rule.head.predicate()) || !seen.insert(rule.span) {
            continue;
        }
        // Of a predicate on demand there is what is demanded: that some of it never holds means nothing.
        if !extents.has_all_of(rule.span) {
            continue;
        }
        let mut fires = false;
        for flat in by_span.get(&rule.span).into_iter().flatten() {
            fires = fires || search.can_fire(flat)?;
        }
        // The rules of one statement stand together. One without positive literals is another matter.
        let alternatives = prepared.rules.rules[position..].iter();
        let alternatives: Vec<&Rule> = alternatives.take_while(|it| it.span == rule.span).collect();
        let binds_all = |it: &&Rule| it.body.iter().any(|it| matches!(it, Literal::Positive(_)));
        if fires || !alternatives.iter().all(binds_all) {
            continue;
        }
        found.push(dead_rule(extents, search, rule, &alternatives)?);
    }
    Ok(())
}

fn dead_rule(
    extents: &Extents,
    search: &mut ExtentSearch<'_, '_, '_>,
    rule: &Rule,
    alternatives: &[&Rule],
) -> Result<Diagnostic, TooLong> {
    let symbols = &extents.prepared().rules.symbols;
    let printer = Printer::new(symbols);
    let (mut culprits, mut tried): (Vec<&Atom>, FxHashSet<&Atom>) = Default::default();
    for literal in alternatives.iter().flat_map(|rule| &rule.body) {
        if let Literal::Positive(atom) = literal
            && tried.insert(atom)
            && !search.can_hold(atom)?
        {
            culprits.push(atom);
        }
    }
    let name = extents.name(rule.head.predicate());
    let message = format!("this rule about `{name}` can never fire");
    let diagnostic = Diagnostic::warning("GF0602", message, rule.head.span);
    if culprits.is_empty() {
        return Ok(diagnostic.with_help(
            "each condition can hold, but never all of them together, whatever the state",
        ));
    }
    Ok(culprits.iter().fold(diagnostic, |diagnostic, atom| {
        let made = &extents.prepared().rules.of_alternatives;
        let text = match made.contains(&atom.predicate) {
            true => "none of these alternatives holds in any state".to_owned(),
            false => format!("`{}` holds in no state", printer.atom(atom)),
        };
        diagnostic.with_label(atom.span, text)
    }))
}

/// Negations of what never holds.
fn empty_negations(
    extents: &Extents,
    search: &mut ExtentSearch<'_, '_, '_>,
    found: &mut Vec<Diagnostic>,
) -> Result<(), TooLong> {
    let prepared = extents.prepared();
    let keywords = &prepared.rules.keywords;
    let printer = Printer::new(&prepared.rules.symbols);
    let defined: FxHashSet<_> =
        prepared.rules.rules.iter().map(|rule| rule.head.predicate()).collect();
    let mut seen = FxHashSet::default();
    for rule in &prepared.rules.rules {
        let used = prepared.statics.is_used(rule.head.predicate());
        for literal in rule.body.iter().filter(|_| used) {
            let Literal::Negative(atom) = literal else { continue };
            let given = [keywords.true_, keywords.does];
            // That a predicate is never defined is reported as that.
            let known = given.contains(&atom.predicate) || defined.contains(&atom.predicate());
            if known && seen.insert(atom.span) && !search.can_hold(atom)? {
                let message =
                    format!("`{}` never holds: its negation says nothing", printer.atom(atom));
                found.push(Diagnostic::warning("GF0607", message, atom.span));
            }
        }
    }
    Ok(())
}
