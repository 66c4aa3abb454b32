//! Literals whose place in the body makes some players wrong.
//!
//! The order of a body means nothing in GDL. But players that evaluate bodies from left to right, as
//! Prolog does, take a negation or a `distinct` as it stands: before its variables are bound, a negation
//! fails if there is any instance at all, and a `distinct` of a variable holds of everything.

use fxhash::FxHashSet;
use groundfrog::description::{Atom, Description, Formula, Term};
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::rewrite::statics::Statics;
use groundfrog::rules::{Literal, Rules, for_each_variable};
use groundfrog::symbols::Symbol;

/// Warns of each negation and `distinct` that stands before a literal that binds one of its variables.
pub fn check(description: &Description, found: &mut Vec<Diagnostic>) {
    for statement in description.statements.iter().filter(|it| it.body.len() > 1) {
        let mut walk = Walk { early: Vec::new() };
        let bound = walk.conjunction(&statement.body, FxHashSet::default());
        let mut reported = FxHashSet::default();
        for (variable, span, is_distinct) in walk.early {
            // What nothing binds is unsafe, and reported as that; what a later branch binds is not sure.
            if bound.contains(&variable) && reported.insert(span) {
                let name = description.symbols.name(variable);
                found.push(warning(name, span, is_distinct, &statement.body, variable));
            }
        }
    }
}

fn warning(
    name: &str,
    span: Span,
    is_distinct: bool,
    body: &[Formula],
    variable: Symbol,
) -> Diagnostic {
    let what = if is_distinct { "`distinct`" } else { "negation" };
    let message = format!("this {what} stands before what binds `{name}`");
    let mut binder = None;
    for formula in body {
        binders(formula, &mut |atom| {
            let after = atom.span.start > span.start && contains(atom, variable);
            binder = binder.or(after.then_some(atom.span));
        });
    }
    let diagnostic = Diagnostic::warning("GF0606", message, span);
    let diagnostic = match binder {
        Some(binder) => diagnostic.with_label(binder, format!("`{name}` is bound here")),
        None => diagnostic,
    };
    diagnostic.with_help(
        "the order means nothing in GDL, but players that go from left to right get it wrong; move it \
         behind the literals that bind its variables",
    )
}

fn contains(atom: &Atom, variable: Symbol) -> bool {
    let mut found = false;
    atom.arguments
        .iter()
        .for_each(|term| for_each_variable(term, &mut |it| found |= it == variable));
    found
}

/// The atoms of a formula that are not negated.
fn binders<'a>(formula: &'a Formula, visit: &mut impl FnMut(&'a Atom)) {
    match formula {
        Formula::Atom(atom) => visit(atom),
        Formula::And(formulas, _) | Formula::Or(formulas, _) => {
            for formula in formulas {
                binders(formula, visit);
            }
        }
        Formula::Not(..) | Formula::Distinct(..) => {}
    }
}

/// Goes through a body from left to right.
struct Walk {
    /// Variables that were not bound where they were needed, and where.
    early: Vec<(Symbol, Span, bool)>,
}

type Bound = FxHashSet<Symbol>;

impl Walk {
    fn conjunction(&mut self, formulas: &[Formula], bound: Bound) -> Bound {
        formulas.iter().fold(bound, |bound, formula| self.formula(formula, bound))
    }

    /// Adds the variables that hold of every branch of a formula.
    fn formula(&mut self, formula: &Formula, mut bound: Bound) -> Bound {
        match formula {
            Formula::Atom(atom) => {
                atom.arguments.iter().for_each(|term| {
                    for_each_variable(term, &mut |variable| {
                        bound.insert(variable);
                    });
                });
                bound
            }
            Formula::And(formulas, _) => self.conjunction(formulas, bound),
            Formula::Or(formulas, _) => {
                let mut branches =
                    formulas.iter().map(|it| self.formula(it, bound.clone())).collect::<Vec<_>>();
                let first = branches.pop().unwrap_or_default();
                branches
                    .iter()
                    .fold(first, |all, branch| all.intersection(branch).copied().collect())
            }
            Formula::Distinct(left, right, span) => {
                self.need(left, &bound, *span, true);
                self.need(right, &bound, *span, true);
                bound
            }
            Formula::Not(inner, span) => match &**inner {
                // An equality, which binds as well.
                Formula::Distinct(left, right, _) => {
                    for term in [left, right] {
                        for_each_variable(term, &mut |variable| {
                            bound.insert(variable);
                        });
                    }
                    bound
                }
                inner => {
                    inner.for_each_atom(&mut |atom| {
                        for term in &atom.arguments {
                            self.need(term, &bound, *span, false);
                        }
                    });
                    bound
                }
            },
        }
    }

    fn need(&mut self, term: &Term, bound: &Bound, span: Span, is_distinct: bool) {
        for_each_variable(term, &mut |variable| {
            if !bound.contains(&variable) {
                self.early.push((variable, span, is_distinct));
            }
        });
    }
}

// Predicates that are defined and never used.

/// Warns of each predicate that is defined and that nothing in the game depends on.
pub fn unused(rules: &Rules, statics: &Statics, found: &mut Vec<Diagnostic>) {
    // What is no fact, but a stray word or a rule with another arrow, has been reported as that.
    let no_facts = found.iter().filter(|it| ["GF0203", "GF0205"].contains(&it.code));
    let no_facts: FxHashSet<_> = no_facts.map(Diagnostic::span).collect();
    let mut seen = FxHashSet::default();
    let unused = rules.rules.iter().filter(|rule| {
        let predicate = rule.head.predicate();
        !statics.is_needed(predicate) && !no_facts.contains(&rule.span) && seen.insert(predicate)
    });
    let unused: Vec<_> = unused.collect();
    if unused.is_empty() {
        return;
    }
    let bodies = rules.rules.iter().filter(|rule| rule.body.iter().any(|it| it.atom().is_some()));
    let read: FxHashSet<_> = bodies
        .flat_map(|rule| {
            let head = rule.head.predicate();
            let atoms = rule.body.iter().filter_map(Literal::atom);
            atoms.map(|atom| atom.predicate()).filter(move |it| *it != head)
        })
        .collect();
    let states = [rules.keywords.true_, rules.keywords.next, rules.keywords.init];
    let of_states = rules.rules.iter().filter(|it| states.contains(&it.head.predicate));
    let name_of = |term: &Term| match term {
        Term::Constant(it) => Some(*it),
        Term::Compound(it) => Some(it.functor),
        Term::Variable(_) => None,
    };
    let fluents: FxHashSet<_> =
        of_states.flat_map(|it| it.head.arguments.iter().filter_map(name_of)).collect();
    for rule in unused {
        let predicate = rule.head.predicate();
        // It is a part of another rule of the same statement, which is reported.
        if rules.of_alternatives.contains(&predicate.name) {
            continue;
        }
        let name = rules.symbols.name(predicate.name);
        let message = match read.contains(&predicate) {
            true => format!("`{name}` is used only by predicates that the game does not need"),
            false => format!("`{name}` is defined but never used"),
        };
        let help = match fluents.contains(&predicate.name) {
            true => {
                format!("`{name}` is also the name of a fluent: is `next` or `init` missing here?")
            }
            false => "nothing that players ask for depends on it; delete it or use it".to_owned(),
        };
        found.push(Diagnostic::warning("GF0601", message, rule.head.span).with_help(help));
    }
}
