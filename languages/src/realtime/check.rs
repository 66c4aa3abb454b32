//! Whether a description is one of rtGDL.

use groundfrog::description::Term;
use groundfrog::kif::{Diagnostic, Severity};
use groundfrog::restrictions::keywords;
use groundfrog::rules::Literal;

use super::Lifetime;
use super::reasoner::RealTimeKeywords;
use crate::rules::{KeywordUse, Rulebook, in_order};

/// What is wrong with a description in rtGDL, and what may be, in the order of the text.
pub fn check(book: &Rulebook) -> Vec<Diagnostic> {
    let mut book = book.clone();
    let it = RealTimeKeywords::of(&mut book);
    let changing =
        vec![it.true_, it.expired, it.does, it.next, it.legal, it.goal, it.terminal, it.sees];
    let uses = KeywordUse {
        given: it.given().to_vec(),
        derived: vec![
            (it.next, "give the condition a predicate of its own, and let both rules use it"),
            (it.init, "`true` is for the present state"),
            (it.sees, "`sees` is for what roles perceive; rules use `true`, `expired` and `does`"),
        ],
        fixed: vec![it.role, it.init],
        changing,
        before: vec![it.legal, it.goal, it.terminal],
        made: vec![it.does],
        comparisons: Vec::new(),
    };
    let mut found = book.findings(&uses, None);
    found.extend(keywords::roles(&book.rules).err().map(|it| *it));
    found.extend(lifetimes(&book, &it));
    found.extend(goals(&book, &it));
    let needed = [
        (it.legal, "nobody can ever move"),
        (it.next, "after the first event nothing is true"),
        (it.terminal, "a match never ends"),
        (it.goal, "no state is worth anything to anybody"),
    ];
    let needed = needed.map(|(of, meaning)| (of, Severity::Warning, "GF0402", meaning));
    found.extend(book.missing(&needed));
    in_order(&book.description, found)
}

/// Lifetimes are variables, numbers above 0 or `infinity`; a first fluent with two lifetimes is warned of.
fn lifetimes(book: &Rulebook, it: &RealTimeKeywords) -> Vec<Diagnostic> {
    let symbols = &book.rules.symbols;
    let mut found = Vec::new();
    let timed = [it.init, it.next, it.true_];
    for rule in &book.rules.rules {
        let atoms = rule.body.iter().filter_map(Literal::atom).chain([&rule.head]);
        for atom in atoms.filter(|atom| timed.contains(&atom.predicate())) {
            let name = match &atom.arguments[0] {
                Term::Variable(_) => continue,
                Term::Constant(name) => symbols.name(*name),
                Term::Compound(compound) => symbols.name(compound.functor),
            };
            let is_constant = matches!(atom.arguments[0], Term::Constant(_));
            if is_constant && Lifetime::of_name(name).is_some() {
                continue;
            }
            let message = format!("the lifetime `{name}` is none");
            found.push(
                Diagnostic::error("GF0802", message, atom.span)
                    .with_remark("the first argument is how long the second is true")
                    .with_help("write a number above 0, `infinity`, or a variable"),
            );
        }
    }
    let facts: Vec<_> = book
        .rules
        .rules
        .iter()
        .filter(|rule| rule.body.is_empty() && rule.head.predicate() == it.init)
        .map(|rule| &rule.head)
        .collect();
    for (position, atom) in facts.iter().enumerate() {
        let fluent = &atom.arguments[1];
        let before = facts[..position].iter().find(|other| other.arguments[1] == *fluent);
        if let Some(before) = before.filter(|other| other.arguments[0] != atom.arguments[0]) {
            let message = "the same fluent is there with two lifetimes";
            found.push(
                Diagnostic::warning("GF0803", message, atom.span)
                    .with_label(before.span, "it is there already")
                    .with_help("it expires twice; is one of the two meant?"),
            );
        }
    }
    found
}

/// Goals are whole numbers from 0 to 100, as in GDL.
fn goals(book: &Rulebook, it: &RealTimeKeywords) -> Vec<Diagnostic> {
    let symbols = &book.rules.symbols;
    let of_goal = book.rules.rules.iter().filter(|rule| rule.head.predicate() == it.goal);
    let wrong = of_goal.filter_map(|rule| {
        let name = match &rule.head.arguments[1] {
            Term::Constant(name) if !keywords::is_goal_value(symbols.name(*name)) => *name,
            Term::Compound(compound) => compound.functor,
            _ => return None,
        };
        let message = format!("the goal value `{}` {}", symbols.name(name), keywords::OUT_OF_RANGE);
        Some(Diagnostic::error("GF0409", message, rule.head.span))
    });
    wrong.collect()
}
