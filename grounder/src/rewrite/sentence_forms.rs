//! Sentence forms: function terms are compiled away before the engine sees the rules.
//!
//! A *form* is a predicate with the shapes of its arguments: `(true (cell _ _ _))` is a flat predicate
//! with three columns of constants. Which forms can occur is found by a fixpoint over shapes alone
//! (`infer`); each rule is then specialised to the shapes that its variables can take (`flatten`), so a
//! variable over whole terms, as in `(next ?f)`, becomes a few variables over constants.
//!
//! Forms grow without end exactly where terms do: outside bounded GDL. A limit on the depth of terms turns
//! that into an error that shows the rule.

mod flatten;
mod infer;
mod pattern;
mod readers;

use groundfrog_engine::Exceeded;

use crate::flat::{FlatProgram, Forms};
use crate::ticker::Ticker;
use flatten::flatten;
use infer::infer;
pub use infer::{FormLimits, FormsError, FormsErrorKind};
pub use pattern::{MarkedLiteral, MarkedRule, PatternRules};

/// Finds the forms that rules can derive, and specialises the rules to them. What is too much of the shapes is within.
///
/// # Errors
/// A limit of the budget.
pub fn specialise(
    rules: &PatternRules,
    limits: &FormLimits,
    ticker: &mut Ticker<'_>,
) -> Result<Result<(Forms, FlatProgram), FormsError>, Exceeded> {
    let made = infer(rules, limits, ticker).and_then(|mut forms| {
        let flat = flatten(rules, &mut forms, limits, ticker)?;
        Ok((forms, flat))
    });
    match made {
        Err(FormsError { kind: FormsErrorKind::Stopped(exceeded), .. }) => Err(exceeded),
        made => Ok(made),
    }
}
