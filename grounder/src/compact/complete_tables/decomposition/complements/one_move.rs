//! The part of a rule that is about one move, and the moves that it does not hold for.

use groundfrog_engine::projection::{Part, VariableSet, members};
use groundfrog_engine::{Argument, Arguments};

use crate::compact::complete_tables::auxiliaries::Alternative;
use crate::compact::estimate::{literal_variables, variables};
use crate::compact::unfolding::{Equality, map_arguments};
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};

/// A part of a body that holds if a role makes one of some moves: `does`, with conditions on the move alone, and
/// with what must not be the case between the move and the rest of the rule.
pub(super) struct OneMove {
    pub(super) part: Part,
    /// Whose move it is.
    pub(super) role: Argument,
    /// Whether it may be the move of any role.
    pub(super) is_anyones: bool,
    /// The kind of moves.
    pub(super) form: FormId,
    /// The moves of the kind that the part does not hold for.
    pub(super) exceptions: Vec<Exception>,
}

/// Moves that a part does not hold for.
pub(super) struct Exception {
    /// The variables that the part shares with the rest of the rule and this depends on, without the role.
    pub(super) columns: Vec<u32>,
    /// A rule for the role, if that is a variable, and the columns.
    pub(super) rule: Alternative,
}

/// The part of a rule's body that is about the move of the literal `at`; none if the moves that it does not hold
/// for cannot be listed without those that it holds for. The tables of `partial` forms lack what nothing uses.
pub(super) fn one_move(
    rule: &FlatRule,
    at: usize,
    is_partial: impl Fn(FormId) -> bool,
) -> Option<OneMove> {
    let LiteralKind::Positive(does) = &rule.body[at].kind else { return None };
    let (&role, arguments) = does.arguments.split_first()?;
    let own = literal_variables(&rule.body[at]);
    let of_role = variables(&[role]);
    let others = rule.body.iter().enumerate().filter(|&(it, _)| it != at);
    let stored = others.clone().filter(|(_, literal)| literal.stored && literal.is_positive());
    let head = variables(&rule.head.arguments);
    let elsewhere = stored.map(|(_, it)| literal_variables(it)).fold(head, |all, it| all | it);
    // What only this move is about.
    let inner = own & !elsewhere;
    let is_taken = |it: usize| it == at || literal_variables(&rule.body[it]) & inner != 0;
    let taken: Vec<bool> = (0..rule.body.len()).map(is_taken).collect();
    let rest = others.clone().filter(|&(it, _)| !taken[it]);
    let outside = rest.map(|(_, it)| literal_variables(it)).fold(head, |all, it| all | it);
    let conditions: Vec<&FlatLiteral> =
        others.filter(|&(it, _)| taken[it]).map(|(_, literal)| literal).collect();
    let covered = conditions.iter().fold(own, |all, it| all | literal_variables(it));
    let interface = covered & outside;
    // Nothing but the role is the same in the move and in the rest, and nothing joins them.
    if own & interface & !of_role != 0 || covered & !(own | interface) != 0 {
        return None;
    }
    let shared = interface & !of_role;
    let one = MoveOfPart { literal: &rule.body[at], role, own, shared, origin: rule.origin };
    let mut exceptions = one.of_another_pattern(arguments)?;
    for condition in conditions {
        if condition.form().is_some_and(&is_partial) {
            return None;
        }
        exceptions.extend(one.where_it_fails(condition)?);
    }
    let part = Part { taken, interface, unbound: interface & !own };
    let is_anyones = of_role & !interface != 0;
    Some(OneMove { part, role, is_anyones, form: does.form, exceptions })
}

impl OneMove {
    /// Whether it depends on the rest for which moves the part does not hold.
    pub(super) fn depends_on_rest(&self) -> bool {
        self.exceptions.iter().any(|it| !it.columns.is_empty())
    }
}

/// The literal about the move that a part is about.
struct MoveOfPart<'rule> {
    literal: &'rule FlatLiteral,
    role: Argument,
    own: VariableSet,
    /// What the part shares with the rest, without the role.
    shared: VariableSet,
    /// The rule that it is from.
    origin: u32,
}

impl MoveOfPart<'_> {
    /// An exception that depends on these variables, `value` of each.
    fn exception(
        &self,
        columns: Vec<u32>,
        value: impl Fn(Argument) -> Argument,
        body: Vec<FlatLiteral>,
    ) -> Exception {
        let role = self.role.variable().map(|_| self.role);
        let arguments = role.into_iter().chain(columns.iter().map(|&it| Argument::Variable(it)));
        let arguments = arguments.map(value).collect();
        let rule = Alternative { arguments, body, origin: self.origin };
        Exception { columns, rule: rule.renumbered() }
    }

    /// Moves that have not the constants that the literal has, or differ where it has one variable twice, which may be
    /// the role: one exception for each such place, whatever the others have. `None` if there are too many variables.
    fn of_another_pattern(&self, arguments: &[Argument]) -> Option<Vec<Exception>> {
        let is_fixed = |&(at, it): &(usize, &Argument)| {
            it.variable().is_none() || *it == self.role || arguments[..at].contains(it)
        };
        let fixed: Vec<(usize, &Argument)> =
            arguments.iter().enumerate().filter(is_fixed).collect();
        let free = members(!(self.own | self.shared)).map(Argument::Variable);
        let free: Vec<Argument> = free.take(fixed.len()).collect();
        if free.len() < fixed.len() {
            return None;
        }
        let mut any = self.literal.clone();
        if let LiteralKind::Positive(atom) = &mut any.kind {
            for (&(at, _), &other) in fixed.iter().zip(&free) {
                // The role is in front.
                atom.arguments[at + 1] = other;
            }
        }
        let exception = |((_, &it), other): ((usize, &Argument), Argument)| {
            let tuple = |it: Argument| Arguments::from_slice(&[it]);
            let kind = LiteralKind::Distinct(tuple(other), tuple(it));
            let differs = FlatLiteral { kind, joined: true, stored: false };
            self.exception(Vec::new(), |it| it, vec![any.clone(), differs])
        };
        Some(fixed.into_iter().zip(free).map(exception).collect())
    }

    /// Moves for which a condition fails, if there can be any; `None` if they cannot be listed.
    fn where_it_fails(&self, condition: &FlatLiteral) -> Option<Option<Exception>> {
        let shared = literal_variables(condition) & self.shared;
        let columns: Vec<u32> = members(shared).collect();
        let instead = |kind: LiteralKind| FlatLiteral { kind, joined: true, ..condition.clone() };
        match &condition.kind {
            LiteralKind::Positive(atom) => {
                let body = vec![self.literal.clone(), instead(LiteralKind::Negative(atom.clone()))];
                (shared == 0).then(|| Some(self.exception(columns, |it| it, body)))
            }
            LiteralKind::Negative(atom) => {
                let body = vec![self.literal.clone(), instead(LiteralKind::Positive(atom.clone()))];
                Some(Some(self.exception(columns, |it| it, body)))
            }
            LiteralKind::Distinct(left, right) => {
                let Some(equality) = Equality::of(left, right, |it| self.shared >> it & 1 == 1)
                else {
                    return Some(None);
                };
                let is_bound = |variable: &u32| {
                    let value = equality.value(Argument::Variable(*variable));
                    value.variable().is_none_or(|it| self.own >> it & 1 == 1)
                };
                let kind = map_arguments(&self.literal.kind, &|it| equality.value(it));
                let body = vec![FlatLiteral { kind, ..self.literal.clone() }];
                let is_listed = columns.iter().all(is_bound);
                is_listed.then(|| Some(self.exception(columns, |it| equality.value(it), body)))
            }
        }
    }
}
