//! How the recursive rules of a view pass its arguments on.

use groundfrog_engine::Exceeded;

use super::{Definitions, Occurrences};
use crate::flat::{FlatAtom, FlatRule, FormId, LiteralKind};
use crate::ticker::Ticker;

/// How the recursive rules of a view pass an argument on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing {
    /// Not as it is.
    Changed,
    /// As it is, but other literals look at it.
    Seen,
    /// As it is, and nothing looks at it.
    Unseen,
}

/// How each argument of a view is passed on, if each of its rules uses at most one step before, and nothing else is
/// seen of what some argument is.
pub(super) fn passing(
    definitions: &Definitions<'_>,
    view: FormId,
    ticker: &mut Ticker<'_>,
) -> Result<Option<Vec<Passing>>, Exceeded> {
    let mut passing = vec![Passing::Unseen; definitions.forms.columns(view)];
    for rule in definitions.flat.rules.iter().filter(|it| it.head.form == view) {
        if !ticker.ticks(rule.body.len() as u32) {
            break;
        }
        let mut own = rule.body.iter().filter(|it| it.form() == Some(view));
        let Some(literal) = own.next() else { continue };
        let LiteralKind::Positive(atom) = &literal.kind else { return Ok(None) };
        if own.next().is_some() {
            return Ok(None);
        }
        let occurrences = Occurrences::of(rule);
        let head = &rule.head.arguments;
        for (column, of_column) in passing.iter_mut().enumerate() {
            let it = head[column];
            let is_once = head.iter().filter(|other| **other == it).count() == 1;
            let is_same = is_once && atom.arguments[column] == it;
            *of_column = match it.variable().filter(|_| is_same) {
                None => Passing::Changed,
                Some(variable) if !occurrences.is_single(variable) => match *of_column {
                    Passing::Changed => Passing::Changed,
                    _ => Passing::Seen,
                },
                Some(_) => *of_column,
            };
        }
    }
    ticker.finish()?;
    Ok(passing.contains(&Passing::Unseen).then_some(passing))
}

/// Whether a rule uses its own view.
pub(super) fn is_step(rule: &FlatRule) -> bool {
    rule.body.iter().any(|it| it.form() == Some(rule.head.form))
}

/// The atom with which a linear rule uses its own view, and its place.
pub(super) fn own_atom(rule: &mut FlatRule) -> Option<(usize, &mut FlatAtom)> {
    let view = rule.head.form;
    rule.body.iter_mut().enumerate().find_map(|(at, it)| match &mut it.kind {
        LiteralKind::Positive(atom) if atom.form == view => Some((at, atom)),
        _ => None,
    })
}
