//! Linear recursion: a predicate that is the transitive closure of its other rules gets there one step at a
//! time.
//!
//! Where `p(x, y) <- p(x, z), p(z, y)` is the only recursive rule of p, and no other rule of p depends on p
//! in the same state, p is the transitive closure of what its other rules derive. These become the rules of
//! a new predicate, the *step*; p has the rules `p(x, y) <- step(x, y)` and `p(x, y) <- step(x, z), p(z, y)`
//! instead. The first of two joined tables is now as large as the step and not as the closure. The rule may
//! have columns that are the same throughout, as the player of a connection, and conditions on these and on
//! z; GDL's restriction of recursion demands a condition on z.
//!
//! The argument: composition is associative, also with conditions on where the two meet. So whatever is
//! composed of steps in any order is composed of them one after the other as well, and in every least model
//! p is the same relation. For a dynamic p this holds in every state, as the step and the conditions depend
//! only on what is decided there before p.

mod choice;
mod recognition;

pub use choice::choose;

use crate::description::{Keywords, Predicate};
use crate::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind};
use crate::rewrite::statics::Statics;
use crate::symbols::{Symbols, fresh};
use recognition::{composed, compositions};

/// A predicate whose recursion was made linear.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Its form.
    pub closed: FormId,
    /// The form of its step.
    pub step: FormId,
    /// The rule that composes it with itself.
    composition: FlatRule,
    /// The positions in its body of the two literals that it composes.
    order: [usize; 2],
    /// `p(x, y) <- step(x, y)`.
    copy: FlatRule,
    /// `p(x, y) <- step(x, z), p(z, y)`.
    step_first: FlatRule,
    /// `p(x, y) <- p(x, z), step(z, y)`.
    step_last: FlatRule,
}

/// Makes the recursion of transitive closures linear. Returns those that it found, in the order of the
/// rules.
pub fn linearise(
    flat: &mut FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    statics: &mut Statics,
    keywords: &Keywords,
) -> Vec<Closure> {
    let found = compositions(&flat.rules, keywords);
    if found.is_empty() {
        Vec::new()
    } else {
        linearise_found(found, flat, forms, symbols, statics)
    }
}

/// Makes the recursion linear of rules that compose a relation with itself.
fn linearise_found(
    found: Vec<usize>,
    flat: &mut FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    statics: &mut Statics,
) -> Vec<Closure> {
    let mut closures = Vec::with_capacity(found.len());
    for number in found {
        let composition = flat.rules[number].clone();
        let Some(order) = composed(&composition) else { continue };
        let closed = composition.head.form;
        let form = forms.form(closed).clone();
        let name = fresh(symbols, &format!("{}_step", symbols.name(form.predicate.name)));
        let step_predicate = Predicate { name, ..form.predicate };
        let step = forms.intern(step_predicate, &form.shapes);
        statics.set_dynamic(step_predicate, composition.stored);
        for (other, rule) in flat.rules.iter_mut().enumerate() {
            if rule.head.form == closed && other != number {
                (rule.head.form, rule.head.name) = (step, name);
            }
        }
        flat.move_facts(closed, step);
        let to_step =
            |atom: &FlatAtom| LiteralKind::Positive(FlatAtom { form: step, name, ..atom.clone() });
        let [step_first, step_last] = order.map(|position| {
            let mut rule = composition.clone();
            let literal = &mut rule.body[position];
            if let LiteralKind::Positive(atom) = &literal.kind {
                literal.kind = to_step(atom);
            }
            rule
        });
        let kind = to_step(&composition.head);
        let body = vec![FlatLiteral { kind, joined: true, stored: composition.stored }];
        let copy = FlatRule { body, ..composition.clone() };
        flat.rules[number] = step_first.clone();
        flat.rules.push(copy.clone());
        closures.push(Closure { closed, step, order, composition, copy, step_first, step_last });
    }
    closures
}

#[cfg(test)]
mod tests;
