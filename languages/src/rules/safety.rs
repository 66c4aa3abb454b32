//! Safety: each variable must be bound by a literal that is neither negated nor a comparison. The help says which literal is missing.

use fxhash::FxHashSet;
use groundfrog::description::{Atom, Printer, Term};
use groundfrog::kif::Diagnostic;
use groundfrog::rules::{Literal, Rule, Rules, compound, for_each_variable};
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
        let Some((variable, place)) = unbound(rule, comparisons, tested) else { continue };
        let name = rules.symbols.name(variable);
        let message = format!("the variable `{name}` is not bound by a positive literal");
        let error = Diagnostic::error("GF0302", message, place.map_or(rule.span, |it| it.span));
        let help = match proposal(rule, variable, rules, comparisons) {
            Some(literal) => format!("add `{literal}` to the rule"),
            None => format!("add a literal without `not` that says which values `{name}` can have"),
        };
        found.push(match is_only_compared(rule, variable, comparisons) {
            true => error.with_remark("a comparison is only a test").with_help(help),
            false => error.with_help(help),
        });
    }
    found
}

fn is_comparison(atom: &Atom, comparisons: &[Symbol]) -> bool {
    atom.arguments.len() == 2 && comparisons.contains(&atom.predicate)
}

fn is_only_compared(rule: &Rule, variable: Symbol, comparisons: &[Symbol]) -> bool {
    let mut is_compared = false;
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal
            && is_comparison(atom, comparisons)
        {
            literal.for_each_variable(&mut |it| is_compared |= it == variable);
        }
    }
    is_compared
}

fn variables_bound(
    rule: &Rule,
    comparisons: &[Symbol],
    tested: Option<Symbol>,
) -> FxHashSet<Symbol> {
    let mut bound = FxHashSet::default();
    if Some(rule.head.predicate) == tested
        && let Some(last) = rule.head.arguments.last()
    {
        for_each_variable(last, &mut |it| _ = bound.insert(it));
    }
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) if !is_comparison(atom, comparisons) => {
                literal.for_each_variable(&mut |it| _ = bound.insert(it));
            }
            _ => {}
        }
    }
    bound
}

/// The first variable that is not bound, and the atom that it is in.
fn unbound<'r>(
    rule: &'r Rule,
    comparisons: &[Symbol],
    tested: Option<Symbol>,
) -> Option<(Symbol, Option<&'r Atom>)> {
    let bound = variables_bound(rule, comparisons, tested);
    let mut first = None;
    let mut look = |variable, atom| {
        if !bound.contains(&variable) {
            first = first.or(Some((variable, atom)));
        }
    };
    let arguments = rule.head.arguments.iter();
    arguments.for_each(|term| for_each_variable(term, &mut |it| look(it, Some(&rule.head))));
    for literal in &rule.body {
        literal.for_each_variable(&mut |it| look(it, literal.atom()));
    }
    first
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
fn binder<'r>(
    rule: &'r Rule,
    variable: Symbol,
    comparisons: &[Symbol],
) -> Option<(&'r Atom, Symbol)> {
    let binds = |literal: &'r Literal| match literal {
        Literal::Positive(atom) if !is_comparison(atom, comparisons) => {
            let mut binds = false;
            literal.for_each_variable(&mut |it| binds |= it == variable);
            binds.then_some((atom, variable))
        }
        _ => None,
    };
    rule.body.iter().find_map(binds)
}

/// An atom with a variable in the place of another one, and all others given names that the rule does not have.
fn renamed(atom: &Atom, there: Symbol, here: Symbol, rule: &Rule, symbols: &Symbols) -> String {
    let mut symbols = symbols.clone();
    let mut used: Vec<Symbol> = vec![here];
    let arguments = rule.head.arguments.iter();
    arguments.for_each(|it| for_each_variable(it, &mut |it| used.push(it)));
    rule.body.iter().for_each(|it| it.for_each_variable(&mut |it| used.push(it)));
    let mut names: Vec<(Symbol, Symbol)> = vec![(there, here)];
    let mut of_atom = Vec::new();
    atom.arguments.iter().for_each(|it| for_each_variable(it, &mut |it| of_atom.push(it)));
    for variable in of_atom {
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
    let arguments = atom.arguments.iter().map(|it| with_names(it, &names)).collect();
    Printer::new(&symbols).atom(&Atom { arguments, ..atom.clone() }).to_string()
}

fn with_names(term: &Term, names: &[(Symbol, Symbol)]) -> Term {
    match term {
        Term::Variable(it) => {
            Term::Variable(names.iter().find(|name| name.0 == *it).map_or(*it, |name| name.1))
        }
        Term::Constant(_) => term.clone(),
        Term::Compound(it) => {
            compound(it.functor, it.arguments.iter().map(|it| with_names(it, names)).collect())
        }
    }
}
