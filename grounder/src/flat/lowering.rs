//! The flat rules as programs of the engine.

use groundfrog_engine::{Atom, Literal, PredicateId, Program, Rule, Tables};

use crate::flat::{FlatAtom, FlatProgram, FlatRule, FormId, Forms, LiteralKind, form_name};
use crate::symbols::Symbols;

/// The engine's predicate of a form.
pub fn predicate(form: FormId) -> PredicateId {
    PredicateId(form.0)
}

/// An atom for the engine.
pub fn engine_atom(atom: &FlatAtom) -> Atom {
    Atom { predicate: predicate(atom.form), arguments: atom.arguments.clone() }
}

/// A literal for the engine.
pub fn engine_literal(literal: &LiteralKind) -> Literal {
    match literal {
        LiteralKind::Positive(atom) => Literal::Positive(engine_atom(atom)),
        LiteralKind::Negative(atom) => Literal::Negative(engine_atom(atom)),
        LiteralKind::Distinct(left, right) => Literal::Distinct(left.clone(), right.clone()),
    }
}

/// g(R) for the engine: the literals that are joined.
pub fn joined_rule(rule: &FlatRule) -> Rule {
    let body = rule.body.iter().filter(|literal| literal.joined);
    let body = body.map(|literal| engine_literal(&literal.kind));
    Rule { head: engine_atom(&rule.head), body: body.collect(), label: rule.origin }
}

/// The rules that `include` admits, for the engine.
///
/// A rule whose head is among its own positive literals derives nothing and is left out: frame rules,
/// once `true` and `next` are both `base`.
pub fn joined_rules(
    rules: &[FlatRule],
    include: impl Fn(&FlatRule) -> bool,
) -> impl Iterator<Item = Rule> {
    let included = rules.iter().filter(move |rule| include(rule));
    included.map(joined_rule).filter(|joined| !derives_itself(joined))
}

/// A program with a predicate for each form and the [rules](joined_rules) that `include` admits.
pub fn program(
    flat: &FlatProgram,
    forms: &Forms,
    symbols: &Symbols,
    include: impl Fn(&FlatRule) -> bool,
) -> Program {
    let mut program = Program::with_capacity(forms.len(), flat.rules.len());
    for (id, _) in forms.iter() {
        program.add_predicate(form_name(id, forms, symbols), forms.columns(id));
    }
    joined_rules(&flat.rules, include).for_each(|rule| program.add_rule(rule));
    program
}

/// Whether a rule's head is among its own positive literals, so that it derives nothing.
pub fn derives_itself(rule: &Rule) -> bool {
    rule.positive_atoms().any(|atom| *atom == rule.head)
}

/// Empty tables for a program, the facts apart.
pub fn fact_tables(flat: &FlatProgram, forms: &Forms, program: &Program) -> Tables {
    let mut tables = Tables::new(program);
    for (form, constants) in flat.facts(forms) {
        tables.insert(predicate(form), constants);
    }
    tables
}
