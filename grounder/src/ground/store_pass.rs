//! What the store pass is demanded.

use groundfrog_engine::instantiate::{Request, StoredAtom, StoredLiteral, Template};
use groundfrog_engine::{Program, Tables};

use crate::flat::lowering::joined_rule;
use crate::flat::{FlatAtom, FlatRule, LiteralKind};
use crate::game::Layout;

/// What is joined and what is stored, for each rule that is stored.
pub(crate) fn templates(rules: Vec<FlatRule>, layout: &Layout) -> Vec<Template> {
    let rules = rules.into_iter().filter(|rule| rule.stored);
    rules.map(|rule| template(rule, |atom| layout.space(atom.name, atom.form))).collect()
}

/// What is joined and what is stored of a rule; `space` gives the space of an atom.
fn template(rule: FlatRule, space: impl Fn(&FlatAtom) -> u32) -> Template {
    let joined = joined_rule(&rule);
    let stored = |atom: FlatAtom| StoredAtom { space: space(&atom), arguments: atom.arguments };
    let mut body: Vec<StoredLiteral> = Vec::with_capacity(rule.body.len());
    let mut position = 0;
    for literal in rule.body {
        let (atom, negated) = match literal.kind {
            LiteralKind::Positive(atom) => (Some(atom), false),
            LiteralKind::Negative(atom) => (Some(atom), true),
            LiteralKind::Distinct(..) => (None, false),
        };
        if let (true, Some(atom)) = (literal.stored, atom) {
            let source = (!negated).then_some(position);
            let new = StoredLiteral { atom: stored(atom), negated, source };
            if !body.iter().any(|it| it.atom == new.atom && it.negated == negated) {
                body.push(new);
            }
        }
        position += usize::from(literal.joined);
    }
    Template { rule: joined, head: stored(rule.head), body }
}

/// All that the store pass needs.
pub(crate) fn request<'run>(
    program: &'run Program,
    tables: &'run Tables,
    layout: &'run Layout,
    templates: &'run [Template],
    threads: usize,
) -> Request<'run> {
    Request {
        program,
        tables,
        spaces: layout.atom_spaces(),
        first_extra: layout.first_extra(),
        templates,
        drop_extra: false,
        threads,
    }
}
