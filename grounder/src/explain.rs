//! A description as it stands after a step of the method, in KIF with comments.
//!
//! What is printed comes from the functions that grounding itself uses, so that a reader can follow the
//! method of Vittaut & Méhat (2014) on any game, step by step.

mod passes;
mod tables;
mod text;

use fxhash::FxHashSet;

use crate::description::{Description, Predicate, Printer};
use crate::error::GroundError;
use crate::flat::{FlatLiteral, LiteralKind, form_name};
use crate::ground::flatten_rules;
use crate::options::{Domains, GroundOptions};
use crate::prepare::{Prepared, prepare};
use crate::rewrite::sentence_forms::MarkedRule;
use crate::rewrite::{marking, or_elimination};
use crate::rules::{Literal, Rule, Rules};
use text::{FlatText, Line, Lines, Listing, count};

/// A step of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Step {
    /// Or-elimination: every `or` has become several rules.
    #[cfg_attr(feature = "clap", value(name = "or"))]
    OrElimination,
    /// Which predicates are static, dynamic and needed.
    Statics,
    /// g(R), what is joined: no negated dynamic literals, `base` for `true`, `input` for `does`.
    #[cfg_attr(feature = "clap", value(name = "g"))]
    Joined,
    /// g(R) with s(R), what is stored, as `(store ...)`.
    #[cfg_attr(feature = "clap", value(name = "s"))]
    Stored,
    /// Rules and facts specialised to sentence forms: function terms are compiled away.
    Forms,
    /// The program whose fixpoint gives base and input, and what it finds.
    Domains,
    /// The join plan of each rule in the store pass.
    Plan,
    /// What each pass does that makes the game compact, and how much smaller it gets.
    Passes,
}

impl Step {
    /// All steps, in the order of the method.
    pub const ALL: [Step; 8] = [
        Step::OrElimination,
        Step::Statics,
        Step::Joined,
        Step::Stored,
        Step::Forms,
        Step::Domains,
        Step::Plan,
        Step::Passes,
    ];
}

/// Prints a description as it stands after a step. The result ends with a line feed.
///
/// # Errors
/// As [`ground`](crate::ground::ground), as far as the step has to go.
pub fn explain(
    description: &Description,
    step: Step,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    match step {
        Step::OrElimination => or_elimination(description, options),
        Step::Statics => statics(description, options),
        Step::Joined => joined(description, options),
        Step::Stored => stored(description, options),
        Step::Forms => forms(description, options),
        Step::Domains => tables::domains(description, options),
        Step::Plan => tables::plan(description, options),
        Step::Passes => passes::passes(description, options),
    }
}

/// The rules after or-elimination.
fn or_elimination(
    description: &Description,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    let rules = or_elimination::eliminate_or(description, &options.limits.budget())?;
    let lines = Lines::new(&description.source);
    let mut listing = Listing::default();
    listing.comment(format!(
        "After or-elimination: {} (facts included) from {}.",
        count(rules.rules.len(), "rule"),
        count(description.statements.len(), "statement")
    ));
    listing.comment("Negation stands before atoms only, equalities are solved by substitution.");
    let mut left = rules.rules.as_slice();
    for statement in &description.statements {
        let end = left.iter().position(|rule| rule.span != statement.span).unwrap_or(left.len());
        let (own, others) = left.split_at(end);
        left = others;
        let origin = lines.origin(statement.span);
        match own.len() {
            1 if own[0].body.is_empty() && statement.body.is_empty() => {}
            0 => listing.heading(format!("{origin}: no rule, its equalities cannot hold")),
            1 => listing.heading(origin),
            several => listing.heading(format!("{origin}: {several} rules")),
        }
        for rule in own {
            plain_rule(&mut listing, rule, &rules);
        }
    }
    Ok(listing.finish())
}

/// Static and dynamic predicates.
fn statics(description: &Description, options: &GroundOptions) -> Result<String, GroundError> {
    let prepared = prepare(description, &options.limits)?;
    let rules = &prepared.rules;
    let mut listing = Listing::default();
    listing.comment(
        "A predicate is dynamic if it depends on `true` or `does`, or has a meaning in play;",
    );
    listing
        .comment("it is needed if role, init, legal, next, goal, terminal or sees depend on it.");
    listing.comment("");
    let predicates = predicates(rules);
    let names: Vec<String> = predicates.iter().map(|&it| rules.predicate_name(it)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let heads: FxHashSet<Predicate> = rules.rules.iter().map(|it| it.head.predicate()).collect();
    for (name, &predicate) in names.iter().zip(&predicates) {
        let kind = kind(predicate, &prepared);
        let needed = if prepared.statics.is_needed(predicate) { "" } else { ", not needed" };
        let keywords = &rules.keywords;
        let is_given = predicate.name == keywords.true_ || predicate.name == keywords.does;
        let defined = is_given || heads.contains(&predicate);
        let undefined = if defined { "" } else { ", never defined" };
        listing.comment(format!("{name:width$}  {kind}{needed}{undefined}"));
    }
    listing.gap();
    let printer = Printer::new(&rules.symbols);
    for rule in &rules.rules {
        // What the table says of the predicate is not repeated for each of its facts.
        let of_head = kind(rule.head.predicate(), &prepared);
        let head = printer.atom(&rule.head);
        let head = if rule.body.is_empty() { Line::plain(head) } else { Line::new(head, of_head) };
        if !rule.body.is_empty() {
            listing.gap();
        }
        let literal = |literal: &Literal| {
            let remark = match literal.atom() {
                Some(atom) => kind(atom.predicate(), &prepared),
                None => "evaluated once bound",
            };
            Line::new(printer.formula(&literal.formula(rule.span)), remark)
        };
        listing.rule(head, rule.body.iter().map(literal).collect());
    }
    Ok(listing.finish())
}

/// g(R).
fn joined(description: &Description, options: &GroundOptions) -> Result<String, GroundError> {
    let mut listing = Listing::default();
    listing.comment(
        "g(R), what is joined: negated dynamic literals are dropped, `true` is renamed `base`",
    );
    listing.comment("and `does` is renamed `input`. Static literals and `distinct` stay.");
    marked_rules(description, options, &mut listing, |marked, prepared, listing| {
        let rules = &prepared.rules;
        let joined = marking::joined_rule(marked.rule, &prepared.statics, &rules.keywords);
        plain_rule(listing, &joined, rules);
    })?;
    Ok(listing.finish())
}

/// g(R) with s(R).
fn stored(description: &Description, options: &GroundOptions) -> Result<String, GroundError> {
    let mut listing = Listing::default();
    listing.comment(
        "s(R), what is stored: for each answer of g(R), the rule without its static literals,",
    );
    listing.comment("instantiated. The negated dynamic literals come back in it.");
    marked_rules(description, options, &mut listing, |marked, prepared, listing| {
        let (rules, statics) = (&prepared.rules, &prepared.statics);
        let joined = marking::joined_rule(marked.rule, statics, &rules.keywords);
        if !marked.stored {
            return plain_rule(listing, &joined, rules);
        }
        let printer = Printer::new(&rules.symbols);
        let stored = marking::stored_rule(marked.rule, statics).statement();
        let mut body = literals(&joined, rules);
        body.push(Line::plain(format!("(store {})", printer.statement(&stored))));
        listing.rule(Line::plain(printer.atom(&joined.head)), body);
    })?;
    Ok(listing.finish())
}

/// The rules that are evaluated, by kind.
fn marked_rules(
    description: &Description,
    options: &GroundOptions,
    listing: &mut Listing,
    mut print: impl FnMut(&MarkedRule<'_>, &Prepared, &mut Listing),
) -> Result<(), GroundError> {
    let mut prepared = prepare(description, &options.limits)?;
    let before = prepared.rules.rules.len();
    let connections = prepared.connections(options.domains);
    let marked = prepared.marked(&connections, options.domains);
    let lines = Lines::new(&description.source);
    let is_connection = |it: &MarkedRule<'_>| it.rule.span == crate::kif::Span::default();
    let left_out = before + connections.len() - marked.len();
    if left_out > 0 {
        let what = count(left_out, "rule");
        listing.comment(format!(
            "Left out: {what} (facts included) about static predicates that nothing needs."
        ));
    }
    type Kind<'a> = (&'a str, &'a dyn Fn(&MarkedRule<'_>) -> bool);
    let kinds: [Kind<'_>; 3] = [
        ("Static rules: evaluated first and completely, never stored.", &|rule| {
            !rule.stored && !is_connection(rule)
        }),
        ("Dynamic rules.", &|it| it.stored),
        ("What connects the domains: base and input are the union of these.", &is_connection),
    ];
    for (heading, belongs) in kinds {
        if !marked.iter().any(belongs) {
            continue;
        }
        listing.heading(heading);
        for marked in marked.iter().filter(|it| belongs(it)) {
            if !marked.rule.body.is_empty() && !is_connection(marked) {
                listing.heading(lines.origin(marked.rule.span));
            }
            print(marked, &prepared, listing);
        }
    }
    if options.domains == Domains::OneStep {
        listing.heading(
            "(<= (input ?role ?move) (legal ?role ?move)) is no rule: they share one table.",
        );
    }
    Ok(())
}

fn plain_rule(listing: &mut Listing, rule: &Rule, rules: &Rules) {
    let printer = Printer::new(&rules.symbols);
    listing.rule(Line::plain(printer.atom(&rule.head)), literals(rule, rules));
}

fn literals(rule: &Rule, rules: &Rules) -> Vec<Line> {
    let printer = Printer::new(&rules.symbols);
    let line = |literal: &Literal| Line::plain(printer.formula(&literal.formula(rule.span)));
    rule.body.iter().map(line).collect()
}

fn kind(predicate: Predicate, prepared: &Prepared) -> &'static str {
    if prepared.statics.is_dynamic(predicate) { "dynamic" } else { "static" }
}

/// All predicates, in the order of the text.
fn predicates(rules: &Rules) -> Vec<Predicate> {
    let mut seen = FxHashSet::default();
    let of = |rule: &Rule| -> Vec<Predicate> {
        let body = rule.body.iter().filter_map(Literal::atom);
        std::iter::once(&rule.head).chain(body).map(|atom| atom.predicate()).collect()
    };
    rules.rules.iter().flat_map(of).filter(|&it| seen.insert(it)).collect()
}

/// Forms, facts and rules.
fn forms(description: &Description, options: &GroundOptions) -> Result<String, GroundError> {
    let (flattened, connections, _) = flatten_rules(description, options)?;
    let marked = flattened.prepared.marked(&connections, options.domains);
    let (forms, flat) = (&flattened.forms, &flattened.flat);
    let symbols = &flattened.prepared.rules.symbols;
    let lines = Lines::new(&description.source);
    let mut listing = Listing::default();
    listing.comment(
        "Sentence forms: a predicate with the shapes of its arguments, `_` for each constant.",
    );
    listing.comment(
        "Each form is a table of constants; each rule is specialised to the forms that occur.",
    );
    listing.comment(
        "Remarks: the form, and whether a literal is in g(R) (joined) and in s(R) (stored).",
    );
    listing.heading(format!("{}:", count(forms.len(), "form")));
    for (id, form) in forms.iter() {
        let derivable = forms.derivable(form.predicate).contains(&id);
        let remark = if derivable { "" } else { "  occurs negated only" };
        listing.comment(format!(
            "{:4}  {}  {}{remark}",
            id.0,
            form_name(id, forms, symbols),
            count(forms.columns(id), "column")
        ));
    }
    listing.heading("Facts.");
    let text = FlatText::new(forms, symbols);
    for (form, constants) in flat.facts(forms) {
        listing.rule(Line::new(text.fact(form, constants), format!("form {}", form.0)), Vec::new());
    }
    listing.heading("Rules.");
    for rule in flat.rules.iter().filter(|rule| !rule.body.is_empty()) {
        let origin = &marked[rule.origin as usize];
        let text = FlatText::of_rule(forms, symbols, rule, origin);
        let stored = if rule.stored { "stored" } else { "not stored" };
        listing.heading(format!("{}, {stored}", lines.origin(origin.rule.span)));
        let head = Line::new(text.atom(&rule.head), format!("form {}", rule.head.form.0));
        let line = |literal: &FlatLiteral| Line::new(text.literal(literal), remark(literal));
        listing.rule(head, rule.body.iter().map(line).collect());
    }
    Ok(listing.finish())
}

fn remark(literal: &FlatLiteral) -> String {
    let form = match &literal.kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => {
            format!("form {}, ", atom.form.0)
        }
        LiteralKind::Distinct(..) => String::new(),
    };
    let part = match (literal.joined, literal.stored) {
        (true, true) => "joined and stored",
        (true, false) => "joined",
        (false, true) => "stored",
        (false, false) => "dropped",
    };
    form + part
}
