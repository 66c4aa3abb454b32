//! Linear recursion: a predicate that is the transitive closure of its other rules gets there one step at a
//! time.
//!
//! Where `p(x, y) <- p(x, z), p(z, y)` is the only recursive rule of p, and no other rule of p depends on p
//! in the same state, p is the transitive closure of what its other rules derive. These become the rules of
//! a new predicate, the *step*; p has the rules `p(x, y) <- step(x, y)` and `p(x, y) <- step(x, z), p(z, y)`
//! instead. The first of two joined tables is now as large as the step and not as the closure.
//!
//! The argument: in every least model p is the least relation that holds the step and is closed under
//! composition with it, and that relation is transitive; so it is the least one that holds the other rules'
//! heads and is closed under composition with itself. For a dynamic p this holds in every state, as the
//! step depends only on what is settled there before p.

mod choice;
mod recognition;

pub use choice::settle;

use crate::description::{Keywords, Predicate};
use crate::rewrite::base_input_renaming::fresh;
use crate::rewrite::sentence_forms::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind,
};
use crate::rewrite::statics::Statics;
use crate::symbols::Symbols;
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
    /// `p(x, y) <- step(x, y)`.
    copy: FlatRule,
    /// `p(x, y) <- step(x, z), p(z, y)`.
    linear: FlatRule,
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
    let mut closures = Vec::with_capacity(found.len());
    for number in found {
        let composition = flat.rules[number].clone();
        let Some([first, second]) = composed(&composition) else { continue };
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
        let literal = |atom: FlatAtom| FlatLiteral {
            kind: LiteralKind::Positive(atom),
            joined: true,
            stored: composition.stored,
        };
        let to_step = |atom: &FlatAtom| FlatAtom { form: step, name, ..atom.clone() };
        let body = vec![literal(to_step(first)), literal(second.clone())];
        let linear = FlatRule { body, ..composition.clone() };
        let body = vec![literal(to_step(&composition.head))];
        let copy = FlatRule { body, ..composition.clone() };
        flat.rules[number] = linear.clone();
        flat.rules.push(copy.clone());
        closures.push(Closure { closed, step, composition, copy, linear });
    }
    closures
}

#[cfg(test)]
mod tests;
