//! Whose moves there are, and of which kinds.

use groundfrog_engine::{Argument, Arguments};

use super::one_move::OneMove;
use super::{Complement, Exceptions, Splitter};
use crate::compact::complete_tables::auxiliaries::Alternative;
use crate::description::Predicate;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FormId, LiteralKind, ShapeId};

impl Splitter<'_> {
    /// The roles whose moves a part may be about; none if these are not known.
    pub(super) fn roles_of(&mut self, one: &OneMove) -> Option<Vec<Argument>> {
        let known = self.known;
        let role = self.forms.find(self.role_predicate(), &[ShapeId::HOLE])?;
        if !self.has_simple_role(one.form) {
            return None;
        }
        let roles = &known.tables[predicate(role)];
        match one.role {
            Argument::Constant(it) if !roles.contains(&[it]) => None,
            Argument::Variable(_) if one.is_anyones => {
                let mut movers = self.about_tables.movers(known.tables, one.form).to_vec();
                movers.retain(|&role| roles.contains(&[role]));
                (!movers.is_empty()).then(|| movers.into_iter().map(Argument::Constant).collect())
            }
            it => Some(vec![it]),
        }
    }

    /// The condition that something is a role.
    pub(super) fn role(&self, role: Argument) -> FlatLiteral {
        let role_predicate = self.role_predicate();
        let form = self.forms.find(role_predicate, &[ShapeId::HOLE]);
        let form = form.expect("roles are known by it");
        let arguments = Arguments::from_slice(&[role]);
        let atom = FlatAtom { form, name: role_predicate.name, arguments };
        FlatLiteral { kind: LiteralKind::Positive(atom), joined: true, stored: false }
    }

    fn role_predicate(&self) -> Predicate {
        Predicate { name: self.known.keywords.role, arity: 1 }
    }

    /// Whether moves of some kind are those of roles that are constants.
    pub(in super::super) fn has_simple_role(&self, form: FormId) -> bool {
        self.forms.form(form).shapes.first() == Some(&ShapeId::HOLE)
    }

    /// The rules for the moves of its kind that a part does not hold for, by what they depend on.
    pub(super) fn own_exceptions(&mut self, one: &OneMove) -> Exceptions {
        let mut exceptions = Exceptions::new();
        for own in one.exceptions.iter().filter(|it| !self.is_never(&it.rule)) {
            add_exception(&mut exceptions, own.columns.clone(), own.rule.clone());
        }
        exceptions
    }

    /// The rules for the moves that the parts do not hold for, by what they depend on: those of other kinds as well.
    pub(super) fn exceptions(
        &self,
        one: &OneMove,
        origin: u32,
        complement: &Complement,
    ) -> Exceptions {
        let mut exceptions = complement.exceptions.clone();
        // In one step, what can be legal is what can be done.
        let moves = self.forms.form(one.form).predicate;
        for &form in self.forms.derivable(moves) {
            if !complement.kinds.contains(&form)
                && self.has_simple_role(form)
                && !self.known.tables[predicate(form)].is_empty()
            {
                add_exception(&mut exceptions, Vec::new(), self.of_kind(one, form, origin));
            }
        }
        exceptions
    }

    /// Whether the rule for exceptions has no instance: no move fails a static condition on it alone, as most say no more
    /// than what their arguments are.
    fn is_never(&mut self, rule: &Alternative) -> bool {
        match &rule.body[..] {
            [does, FlatLiteral { kind: LiteralKind::Negative(condition), stored: false, .. }] => {
                does.atom().is_some_and(|does| self.implies(does, condition))
            }
            _ => false,
        }
    }

    /// Whether all that an atom can say fulfils a static condition on its variables alone.
    pub(super) fn implies(&mut self, atom: &FlatAtom, condition: &FlatAtom) -> bool {
        let is_partial = [atom, condition].iter().any(|it| self.is_partial(it.form));
        !is_partial && self.about_tables.implies(self.known.tables, atom, condition)
    }

    /// Whether the table of a predicate lacks what nothing uses.
    pub(super) fn is_partial(&self, form: FormId) -> bool {
        self.known.demanded.contains(&form) || self.known.steps.contains_key(&form)
    }

    /// The rule that a role makes a move of some kind.
    fn of_kind(&self, one: &OneMove, form: FormId, origin: u32) -> Alternative {
        let move_ = (1..self.forms.columns(form) as u32).map(Argument::Variable);
        let role = one.role.variable().map_or(one.role, |_| Argument::Variable(0));
        let arguments = std::iter::once(role).chain(move_).collect();
        let does = FlatAtom { form, name: self.known.keywords.does, arguments };
        let kind = LiteralKind::Positive(does);
        let rule = Alternative {
            arguments: role.variable().map(|_| role).into_iter().collect(),
            body: vec![FlatLiteral { kind, joined: true, stored: true }],
            origin,
        };
        rule.renumbered()
    }
}

/// Adds a rule to those for exceptions that depend on the same variables.
pub(super) fn add_exception(exceptions: &mut Exceptions, columns: Vec<u32>, rule: Alternative) {
    match exceptions.iter_mut().find(|(other, _)| *other == columns) {
        Some((_, rules)) if rules.contains(&rule) => {}
        Some((_, rules)) => rules.push(rule),
        None => exceptions.push((columns, vec![rule])),
    }
}
