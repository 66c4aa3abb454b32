//! The recursion restriction (Love et al. 2008).
//!
//! For a rule `p(t1 .. tn) <- .. q(v1 .. vk) ..` with p and q on a common cycle of the dependency graph,
//! each vj must be ground, or one of t1 .. tn, or an argument of a positive literal of the body whose
//! predicate is on no cycle with p. So a rule needs itself only for what is given or known from elsewhere,
//! and evaluating it top-down stops. A variable inside of such an argument is known as well: of
//! `(true (link ?x ?y))`, by the letter, only `(link ?x ?y)` would be.
//!
//! Bottom-up, evaluating a rule that breaks it stops as well, as long as terms do not grow. It may even be that no atom
//! depends on itself, as where one kind of move is legal if no other is.

use super::dependencies::Dependencies;
use crate::description::{Atom, Printer, Term};
use crate::kif::Diagnostic;
use crate::rules::{Literal, Rule, Rules, for_each_variable};

/// An argument that breaks the restriction.
#[derive(Clone, Debug)]
pub struct Violation<'a> {
    /// The rule, by its position.
    pub rule: usize,
    /// The literal, by its position in the body.
    pub literal: usize,
    /// The atom of the literal.
    pub atom: &'a Atom,
    /// The argument, counted from 0.
    pub argument: usize,
}

/// The first violation of each rule.
pub fn violations<'a>(
    rules: &'a Rules,
    graph: &'a Dependencies,
) -> impl Iterator<Item = Violation<'a>> {
    let together = |one: &Atom, other: &Atom| graph.together(one, other);
    rules.rules.iter().enumerate().filter_map(move |(position, rule)| {
        let (literal, argument) = violation(rule, together)?;
        let atom = rule.body[literal].atom().expect("a literal on a cycle has an atom");
        Some(Violation { rule: position, literal, atom, argument })
    })
}

/// The first literal and argument of a rule that break the restriction.
fn violation(rule: &Rule, together: impl Fn(&Atom, &Atom) -> bool) -> Option<(usize, usize)> {
    let head = &rule.head;
    let binds = |literal: &Literal, term: &Term| match literal {
        Literal::Positive(atom) => {
            !together(head, atom) && atom.arguments.iter().any(|it| has_part(it, term))
        }
        _ => false,
    };
    for (position, literal) in rule.body.iter().enumerate() {
        let Some(atom) = literal.atom().filter(|atom| together(head, atom)) else { continue };
        let breaks = |term: &&Term| {
            !is_ground(term)
                && !head.arguments.contains(term)
                && !rule.body.iter().any(|other| binds(other, term))
        };
        if let Some(term) = atom.arguments.iter().find(breaks) {
            let argument = atom.arguments.iter().position(|it| it == term).expect("just found");
            return Some((position, argument));
        }
    }
    None
}

/// Whether a term is another or has it inside.
fn has_part(term: &Term, part: &Term) -> bool {
    term == part
        || match term {
            Term::Compound(it) => it.arguments.iter().any(|it| has_part(it, part)),
            Term::Variable(_) | Term::Constant(_) => false,
        }
}

fn is_ground(term: &Term) -> bool {
    let mut ground = true;
    for_each_variable(term, &mut |_| ground = false);
    ground
}

/// The finding about a violation: an error where terms grow without bound, which is what the restriction is there to
/// keep them from. Otherwise the rules have one meaning and are grounded, so it is a warning.
pub fn diagnostic(
    violation: &Violation<'_>,
    unbounded: bool,
    graph: &Dependencies,
    rules: &Rules,
) -> Diagnostic {
    let rule = &rules.rules[violation.rule];
    let name = |atom: &Atom| graph.name(atom.predicate(), rules);
    let (head, atom) = (name(&rule.head), violation.atom);
    let printer = Printer::new(&rules.symbols);
    let argument = printer.term(&atom.arguments[violation.argument]).to_string();
    let message = format!(
        "`{head}` needs `{}`, which depends on `{head}`, for `{argument}`, which nothing bounds",
        name(atom)
    );
    let edge = graph
        .edges()
        .iter()
        .find(|edge| edge.rule == violation.rule && edge.literal == violation.literal)
        .expect("each atom of a body is an edge");
    let diagnostic = match unbounded {
        true => Diagnostic::error("GF0502", message, atom.span),
        false => Diagnostic::warning("GF0502", message, atom.span),
    };
    let diagnostic = diagnostic
        .with_remark(format!("argument {} of `{}`", violation.argument + 1, name(atom)))
        .with_label(rule.head.span, format!("`{argument}` is not an argument of this head"));
    let cycle = graph.cycle_through(*edge);
    let names = cycle.iter().map(|it| graph.name(graph.predicate(it.from), rules));
    let names: Vec<String> = names.chain([head.clone()]).collect();
    let diagnostic =
        diagnostic.with_help(format!("the cycle: {}", names.join(" <- "))).with_help(format!(
        "the recursion restriction: in a recursive literal each argument is ground, or an argument of the \
         head, or in an argument of a positive literal that does not depend on `{head}`"
    ));
    match unbounded {
        true => diagnostic,
        false => diagnostic.with_help(
            "this alone does not keep it from being grounded; but GDL demands it, and some players refuse the rule, \
             or never come to an end with it",
        ),
    }
}
