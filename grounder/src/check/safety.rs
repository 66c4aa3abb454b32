//! Safety: each variable of the head, of a negated literal and of a `distinct` must occur in a positive
//! literal.

use fxhash::FxHashSet;

use crate::kif::Diagnostic;
use crate::rewrite::statics::Statics;
use crate::rules::{Literal, Rule, Rules, for_each_variable};
use crate::symbols::Symbol;

/// The first variable of a rule that no positive literal binds, if any.
pub fn unsafe_variable(rule: &Rule) -> Option<Symbol> {
    let mut bound = FxHashSet::default();
    for literal in &rule.body {
        if let Literal::Positive(_) = literal {
            literal.for_each_variable(&mut |variable| {
                bound.insert(variable);
            });
        }
    }
    let mut found = None;
    let mut visit = |variable| {
        if !bound.contains(&variable) {
            found = found.or(Some(variable));
        }
    };
    rule.head.arguments.iter().for_each(|term| for_each_variable(term, &mut visit));
    rule.body.iter().for_each(|literal| literal.for_each_variable(&mut visit));
    found
}

/// Removes the unsafe rules that the game does not need. Returns the errors about those that it needs,
/// and the warnings about the others.
pub fn check(rules: &mut Rules, statics: &Statics) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let symbols = &rules.symbols;
    rules.rules.retain(|rule| {
        let Some(variable) = unsafe_variable(rule) else { return true };
        let name = symbols.name(variable);
        let message = format!("the variable `{name}` is not bound by a positive literal");
        let needed = statics.is_needed(rule.head.predicate());
        let found = if needed { &mut errors } else { &mut warnings };
        let code = if needed { "GF0302" } else { "GF0303" };
        let diagnostic = if needed {
            Diagnostic::error(code, message, rule.span)
        } else {
            Diagnostic::warning(code, message, rule.span)
                .with_remark("left out: nothing that the game needs depends on this rule")
        };
        found.push(diagnostic.with_help(format!(
            "add a literal without `not` that says which values `{name}` can have"
        )));
        false
    });
    errors.dedup_by_key(|it| it.span());
    warnings.dedup_by_key(|it| it.span());
    (errors, warnings)
}
