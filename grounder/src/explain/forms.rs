//! The step that compiles function terms away.

use super::flat::FlatText;
use super::lines::Lines;
use super::listing::{Line, Listing, count};
use crate::description::Description;
use crate::error::GroundError;
use crate::flat::form_name;
use crate::flat::{FlatLiteral, LiteralKind};
use crate::ground::flatten_rules;
use crate::options::GroundOptions;

/// Forms, facts and rules.
pub(super) fn forms(
    description: &Description,
    options: &GroundOptions,
) -> Result<String, GroundError> {
    let (flattened, connections, _) = flatten_rules(description, options)?;
    let marked = flattened.prepared.marked(&connections, options.domains);
    let (forms, flat) = (&flattened.forms, &flattened.flat);
    let symbols = &flattened.prepared.rules.symbols;
    let lines = Lines::new(&description.source);
    let mut listing = Listing::default();
    listing.comment(
        "Sentence forms: a predicate with the shapes of its arguments, `_` for each constant.",
    );
    listing.comment(
        "Each form is a table of constants; each rule is specialised to the forms that occur.",
    );
    listing.comment(
        "Remarks: the form, and whether a literal is in g(R) (joined) and in s(R) (stored).",
    );
    listing.heading(format!("{}:", count(forms.len(), "form")));
    for (id, form) in forms.iter() {
        let derivable = forms.derivable(form.predicate).contains(&id);
        let remark = if derivable { "" } else { "  occurs negated only" };
        listing.comment(format!(
            "{:4}  {}  {}{remark}",
            id.0,
            form_name(id, forms, symbols),
            count(forms.columns(id), "column")
        ));
    }
    listing.heading("Facts.");
    let text = FlatText::new(forms, symbols);
    for (form, constants) in flat.facts(forms) {
        listing.rule(Line::new(text.fact(form, constants), format!("form {}", form.0)), Vec::new());
    }
    listing.heading("Rules.");
    for rule in flat.rules.iter().filter(|rule| !rule.body.is_empty()) {
        let origin = &marked[rule.origin as usize];
        let text = FlatText::of_rule(forms, symbols, rule, origin);
        let stored = if rule.stored { "stored" } else { "not stored" };
        listing.heading(format!("{}, {stored}", lines.origin(origin.rule.span)));
        let head = Line::new(text.atom(&rule.head), format!("form {}", rule.head.form.0));
        let line = |literal: &FlatLiteral| Line::new(text.literal(literal), remark(literal));
        listing.rule(head, rule.body.iter().map(line).collect());
    }
    Ok(listing.finish())
}

fn remark(literal: &FlatLiteral) -> String {
    let form = match &literal.kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => {
            format!("form {}, ", atom.form.0)
        }
        LiteralKind::Distinct(..) => String::new(),
    };
    let part = match (literal.joined, literal.stored) {
        (true, true) => "joined and stored",
        (true, false) => "joined",
        (false, true) => "stored",
        (false, false) => "dropped",
    };
    form + part
}
