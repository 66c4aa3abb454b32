//! Forms as people write them.

use super::{FormId, Forms, Shape, ShapeId};
use crate::symbols::{Symbol, Symbols};

/// How long the name of a form is, more or less.
const TYPICAL_NAME: usize = 48;

/// A form as people write it, a low line for each constant: `(base (cell _ _ _))`.
pub fn form_name(id: FormId, forms: &Forms, symbols: &Symbols) -> String {
    let form = forms.form(id);
    let mut name = String::with_capacity(TYPICAL_NAME);
    if form.shapes.is_empty() {
        name.push_str(symbols.name(form.predicate.name));
    } else {
        push_application(&mut name, form.predicate.name, &form.shapes, forms, symbols);
    }
    name
}

fn push_application(
    text: &mut String,
    name: Symbol,
    shapes: &[ShapeId],
    forms: &Forms,
    symbols: &Symbols,
) {
    text.push('(');
    text.push_str(symbols.name(name));
    for &shape in shapes {
        text.push(' ');
        match forms.shape(shape) {
            Shape::Hole => text.push('_'),
            Shape::Function(functor, shapes) => {
                push_application(text, *functor, shapes, forms, symbols);
            }
        }
    }
    text.push(')');
}
