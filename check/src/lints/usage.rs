//! Predicates that are defined and never used.

use fxhash::FxHashSet;

use groundfrog::description::Term;
use groundfrog::kif::Diagnostic;
use groundfrog::rewrite::statics::Statics;
use groundfrog::rules::{Literal, Rules};

/// Warns of each predicate that is defined and that nothing in the game depends on.
pub fn check(rules: &Rules, statics: &Statics, found: &mut Vec<Diagnostic>) {
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
