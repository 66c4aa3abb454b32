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

pub use flatten::flatten;
pub use infer::{FormLimits, FormsError, FormsErrorKind, infer};
pub use pattern::{MarkedLiteral, MarkedRule, PatternRules};
