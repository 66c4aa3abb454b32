//! A view that has lost arguments may be asked for by one rule that only passes it on: its rules take the place of that
//! rule.
//!
//! ```text
//! (<= (line ?p) (row_any ?p))
//! ```
//!
//! While there was an atom for each row, with one rule, inlining did away with these; now one atom has the rules of all rows.

use groundfrog_engine::Exceeded;

use super::super::redundant_arguments::Filtered;
use crate::compact::resolvent::replace;
use crate::compact::variables::variables_of;
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{FlatLiteral, FlatProgram, FlatRule, FormId, Forms};

/// Puts the rules of views in the place of their literals, where only one rule asks for them, and for nothing else that is
/// stored: there are no more rules than before.
///
/// # Errors
/// A limit that was exceeded.
#[inline(never)]
pub(super) fn unfold(
    flat: &mut FlatProgram,
    forms: &Forms,
    views: &[Filtered],
    pulse: &mut Pulse<'_>,
) -> Result<(), Exceeded> {
    for view in views.iter().map(|it| it.rest) {
        if !pulse.beats(flat.rules.len() as u32) {
            break;
        }
        let asks = |rule: &FlatRule| rule.body.iter().any(|it| it.form() == Some(view));
        let mut asking = (0..flat.rules.len()).filter(|&it| asks(&flat.rules[it]));
        let (Some(number), None) = (asking.next(), asking.next()) else { continue };
        let user = &flat.rules[number];
        let Some(at) = passed_on(user, view) else { continue };
        if flat.facts(forms).any(|it| it.0 == view) {
            continue;
        }
        let own = flat.rules.iter().filter(|it| it.head.form == view);
        let rules: Vec<FlatRule> = own.filter_map(|it| replace(user, at, it)).collect();
        flat.rules.splice(number..=number, rules);
        flat.rules.retain(|it| it.head.form != view);
    }
    pulse.finish()
}

/// The literal with a view, if a rule for another says nothing but that, static conditions aside.
fn passed_on(rule: &FlatRule, view: FormId) -> Option<usize> {
    let mut stored = (0..rule.body.len()).filter(|&it| rule.body[it].stored);
    let (Some(at), None) = (stored.next(), stored.next()) else { return None };
    let literal: &FlatLiteral = &rule.body[at];
    let known = variables_of(literal);
    let mut of_head = rule.head.arguments.iter().filter_map(|it| it.variable());
    let is_passed_on = literal.is_positive()
        && literal.joined
        && literal.form() == Some(view)
        && rule.head.form != view
        && of_head.all(|it| known.contains(&it));
    is_passed_on.then_some(at)
}
