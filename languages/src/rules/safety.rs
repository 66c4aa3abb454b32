//! Safety: each variable must be bound by a literal that is neither negated nor a comparison. The help says which literal is missing.

use std::slice::from_ref;

use fxhash::FxHashSet;
use groundfrog::description::{Atom, Printer, Term};
use groundfrog::kif::Diagnostic;
use groundfrog::rules::{Literal, Rule, Rules, variables_of};
use groundfrog::symbols::{Symbol, Symbols};

/// The errors about variables that nothing binds, one for each rule. The last argument of a predicate that is only tested binds: it is
/// known when the test is made.
pub fn unsafe_variables(
    rules: &Rules,
    comparisons: &[Symbol],
    tested: Option<Symbol>,
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for rule in &rules.rules {
        let mut bound = variables_bound(rule, comparisons);
        let last = rule.head.arguments.last().filter(|_| Some(rule.head.predicate) == tested);
        bound.extend(last.into_iter().flat_map(|it| variables_of(from_ref(it))));
        let in_head = variables_of(&rule.head.arguments).into_iter();
        let mut met: Vec<_> = in_head.map(|it| (it, Some(&rule.head))).collect();
        rule.body.iter().for_each(|of| of.for_each_variable(&mut |it| met.push((it, of.atom()))));
        let Some((variable, place)) = met.into_iter().find(|it| !bound.contains(&it.0)) else {
            continue;
        };
        let name = rules.symbols.name(variable);
        let message = format!("the variable `{name}` is not bound by a positive literal");
        let error = Diagnostic::error("GF0302", message, place.map_or(rule.span, |it| it.span));
        let help = match proposal(rule, variable, rules, comparisons) {
            Some(literal) => format!("add `{literal}` to the rule"),
            None => format!("add a literal without `not` that says which values `{name}` can have"),
        };
        let is_compared = |literal: &Literal| match literal {
            Literal::Positive(atom) => {
                is_comparison(atom, comparisons)
                    && variables_of(&atom.arguments).contains(&variable)
            }
            _ => false,
        };
        found.push(match rule.body.iter().any(is_compared) {
            true => error.with_remark("a comparison is only a test").with_help(help),
            false => error.with_help(help),
        });
    }
    found
}

/// Whether an atom compares two numbers.
pub(crate) fn is_comparison(atom: &Atom, comparisons: &[Symbol]) -> bool {
    atom.arguments.len() == 2 && comparisons.contains(&atom.predicate)
}

/// The atom of a literal that binds its variables: of one that is neither negated nor a comparison.
pub(crate) fn binding<'r>(literal: &'r Literal, comparisons: &[Symbol]) -> Option<&'r Atom> {
    match literal {
        Literal::Positive(atom) if !is_comparison(atom, comparisons) => Some(atom),
        _ => None,
    }
}

/// The variables that the body of a rule binds.
pub(crate) fn variables_bound(rule: &Rule, comparisons: &[Symbol]) -> FxHashSet<Symbol> {
    let atoms = rule.body.iter().filter_map(|it| binding(it, comparisons));
    atoms.flat_map(|it| variables_of(&it.arguments)).collect()
}

/// A literal that would bind a variable: what binds it where the head is used, or what binds what it is compared with.
fn proposal(
    rule: &Rule,
    variable: Symbol,
    rules: &Rules,
    comparisons: &[Symbol],
) -> Option<String> {
    let is_variable = |term: &Term| matches!(term, Term::Variable(it) if *it == variable);
    let position = rule.head.arguments.iter().position(is_variable);
    let in_uses = position.and_then(|position| {
        rules.rules.iter().find_map(|user| {
            let uses = user.body.iter().filter_map(Literal::atom);
            let use_of = uses.into_iter().find(|it| it.predicate() == rule.head.predicate())?;
            match use_of.arguments[position] {
                Term::Variable(there) => binder(user, there, comparisons),
                _ => None,
            }
        })
    });
    let compared = || {
        let atoms = rule.body.iter().filter_map(Literal::atom);
        atoms.filter(|it| is_comparison(it, comparisons)).find_map(|atom| {
            let at = atom.arguments.iter().position(is_variable)?;
            match atom.arguments[1 - at] {
                Term::Variable(partner) => binder(rule, partner, comparisons),
                _ => None,
            }
        })
    };
    let (atom, there) = in_uses.or_else(compared)?;
    Some(renamed(atom, there, variable, rule, &rules.symbols))
}

/// The literal of a rule that binds a variable.
fn binder<'r>(rule: &'r Rule, it: Symbol, comparisons: &[Symbol]) -> Option<(&'r Atom, Symbol)> {
    let mut atoms = rule.body.iter().filter_map(|it| binding(it, comparisons));
    Some((atoms.find(|atom| variables_of(&atom.arguments).contains(&it))?, it))
}

/// An atom with a variable in the place of another one, and all others given names that the rule does not have.
fn renamed(atom: &Atom, there: Symbol, here: Symbol, rule: &Rule, symbols: &Symbols) -> String {
    let mut symbols = symbols.clone();
    let mut used = variables_of(&rule.head.arguments);
    used.push(here);
    rule.body.iter().for_each(|it| it.for_each_variable(&mut |it| used.push(it)));
    let mut names: Vec<(Symbol, Symbol)> = vec![(there, here)];
    for variable in variables_of(&atom.arguments) {
        if names.iter().any(|it| it.0 == variable) {
            continue;
        }
        let first = symbols.name(variable).as_bytes().get(1).copied().unwrap_or(b'a');
        let first = if first.is_ascii_lowercase() { first } else { b'a' };
        let letters = (first..=b'z').chain(b'a'..first).map(|it| format!("?{}", char::from(it)));
        let numbered = (1..).map(|it| format!("?other{it}"));
        let fresh = letters
            .chain(numbered)
            .map(|it| symbols.intern(&it))
            .find(|it| !used.contains(it))
            .expect("there are numbers enough");
        used.push(fresh);
        names.push((variable, fresh));
    }
    let name =
        |it: Symbol, _: bool| names.iter().find(|name| name.0 == it).map_or(it, |name| name.1);
    let arguments = atom.arguments.iter().map(|it| super::renamed(it, &name)).collect();
    Printer::new(&symbols).atom(&Atom { arguments, ..atom.clone() }).to_string()
}
