//! The steps that need tables: the domains, and the plans of the store pass.

use groundfrog_engine::instantiate::{self, LookUp, StepDescription};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Literal as EngineLiteral, Program, Rule, Tables};

use super::text::{FlatText, Line, Lines, Listing, count};
use crate::description::Description;
use crate::domains::Evaluator;
use crate::error::GroundError;
use crate::flat::form_name;
use crate::flat::lowering::{derives_itself, joined_rule, predicate};
use crate::game::Layout;
use crate::ground::{
    Flattened, Joinable, Report, Unobserved, engine_error, flatten_rules, joinable, request,
    templates,
};
use crate::options::GroundOptions;

fn complete(
    description: &Description,
    flattened: &Flattened,
    options: &GroundOptions,
) -> Result<(Program, Tables, Report), GroundError> {
    let mut report = Report::default();
    let (program, tables) = flattened
        .complete(
            options.domains,
            Evaluator::Datafrog,
            &options.limits.budget(),
            &mut Silent,
            &mut report,
        )
        .map_err(|error| engine_error(description, flattened, error))?;
    Ok((program, tables, report))
}

/// The program whose fixpoint gives base and input, and what it finds.
pub(super) fn domains(
    description: &Description,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    let (flattened, connections, _) = flatten_rules(description, options)?;
    let marked = flattened.prepared.marked(&connections, options.domains);
    let (forms, symbols) = (&flattened.forms, &flattened.prepared.rules.symbols);
    let (_, tables, report) = complete(description, &flattened, options)?;
    let lines = Lines::new(&description.source);
    let mut listing = Listing::default();
    listing.comment("The program whose fixpoint gives base and input: g(R) over sentence forms.");
    match report.iterations {
        None => listing
            .comment(format!("One fixpoint: {} in all.", count(report.rounds as usize, "round"))),
        Some(it) => listing.comment(format!(
            "Evaluated again and again: a fake match of {}, then {} of growth.",
            count(it.fake_match as usize, "state"),
            count(it.growth as usize, "iteration")
        )),
    }
    let mut itself = 0;
    for rule in &flattened.flat.rules {
        let joined = joined_rule(rule);
        if joined.body.is_empty() {
            continue;
        }
        if derives_itself(&joined) {
            itself += 1;
            continue;
        }
        let origin = &marked[rule.origin as usize];
        let text = FlatText::of_rule(forms, symbols, rule, origin);
        listing.heading(lines.origin(origin.rule.span));
        let body = joined.body.iter().map(|it| Line::plain(text.engine_literal(it))).collect();
        let head = text.engine_atom(joined.head.predicate, &joined.head.arguments);
        listing.rule(Line::plain(head), body);
    }
    listing.heading(format!(
        "Left out: {} whose head is among the positive literals, which derive nothing.",
        count(itself, "rule")
    ));
    listing.heading("What the fixpoint finds:");
    let layout = Layout::new(forms, &flattened.prepared, &tables, &[])
        .map_err(|exceeded| engine_error(description, &flattened, exceeded.into()))?;
    let inputs = layout.inputs().filter(|&atom| layout.is_open(atom)).count();
    listing.comment(format!("{:8}  base in all", layout.fluents().len()));
    listing.comment(format!("{inputs:8}  input in all"));
    listing.comment("");
    for (id, _) in forms.iter() {
        let found = tables[predicate(id)].len();
        listing.comment(format!("{found:8}  {}", form_name(id, forms, symbols)));
    }
    Ok(listing.finish())
}

/// The join plan of each rule in the store pass.
pub(super) fn plan(
    description: &Description,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    let (budget, report) = (options.limits.budget(), &mut Report::default());
    let Joinable { mut flattened, program, tables, layout, .. } =
        joinable(description, options, &budget, (&mut Silent, &mut Unobserved), report)?;
    let connections = flattened.prepared.connections(options.domains);
    let marked = flattened.prepared.marked(&connections, options.domains);
    let (forms, symbols) = (&flattened.forms, &flattened.prepared.rules.symbols);
    let templates = templates(flattened.flat.rules.clone(), &layout);
    let plans = instantiate::explain(&request(&program, &tables, &layout, &templates, 1));
    let lines = Lines::new(&description.source);
    let mut listing = Listing::default();
    listing.comment("The plan of each rule in the store pass: literals in the order of the join.");
    listing.comment(
        "scan: all rows are looked at; index: the rows that fit what is known; row: the one row",
    );
    listing.comment(
        "of which all is known; once: one row is as good as all, as nothing else is needed of it.",
    );
    if !options.passes.are_flat() {
        listing.comment("The rules are those of the compact game. What a pass has changed has no names of variables.");
    }
    let stored = flattened.flat.rules.iter().filter(|rule| rule.stored);
    for ((rule, plan), template) in stored.zip(&plans).zip(&templates) {
        if rule.body.is_empty() {
            continue;
        }
        let span = flattened.spans[rule.origin as usize];
        let origin = marked.get(rule.origin as usize).filter(|it| it.rule.span == span);
        let text = origin.map_or_else(
            || FlatText::new(forms, symbols),
            |origin| FlatText::of_rule_if_alike(forms, symbols, rule, origin),
        );
        let place = lines.origin(span);
        let Some(plan) = plan else {
            listing.heading(format!("{place}: never applies, a table that it reads is empty"));
            let body = rule.body.iter().map(|it| Line::plain(text.literal(it))).collect();
            listing.rule(Line::plain(text.atom(&rule.head)), body);
            continue;
        };
        listing.heading(format!("{place}, estimated cost {} rows", plan.cost.round()));
        let mut body = Vec::new();
        let check = |body: &mut Vec<Line>, checks: &[EngineLiteral]| {
            body.extend(checks.iter().map(|it| Line::new(text.engine_literal(it), "check")));
        };
        check(&mut body, &plan.prelude);
        for step in &plan.steps {
            let literal = text.engine_literal(&template.rule.body[step.literal]);
            body.push(Line::new(literal, access(step, &template.rule, &text)));
            check(&mut body, &step.checks);
        }
        listing.rule(Line::plain(text.atom(&rule.head)), body);
    }
    Ok(listing.finish())
}

fn access(step: &StepDescription, rule: &Rule, text: &FlatText<'_>) -> String {
    let rows = count(step.rows, "row");
    let once = if step.once { ", once" } else { "" };
    match &step.look_up {
        LookUp::Scan => format!("scan of {rows}{once}"),
        LookUp::Row => format!("row of {}", step.rows),
        LookUp::Index(columns) => {
            let EngineLiteral::Positive(atom) = &rule.body[step.literal] else {
                unreachable!("only positive literals are joined")
            };
            let known: Vec<String> =
                columns.iter().map(|&it| text.argument(atom.arguments[it])).collect();
            format!("index on {} of {rows}{once}", known.join(", "))
        }
    }
}
