//! Rules for all moves of a role but a few: the few take the place of the many.
//!
//! What a move does not touch stays as it is, say the frame rules of boards: they hold for every pair of a cell
//! and a move elsewhere. In every state a role makes exactly one move. So the part of such a rule that is about a
//! move becomes an auxiliary predicate, which holds for a role unless it makes one of the moves that the part does
//! not hold for:
//!
//! `next(c) <- true(c), does(r, m(u)), distinct(c, u)` becomes `next(c) <- true(c), aux_1(c)` with
//! `aux_1(c) <- not aux_2(r, c), not aux_3(r)`, with `aux_2(r, u) <- does(r, m(u))`, and with a rule
//! `aux_3(r) <- does(r, ..)` for each other kind of moves. That is a rule for each cell and each move where there was
//! one for each pair. Merging moves does the same to ground rules, but only once they are stored.

mod kinds;
mod one_move;
mod union;

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, members, set_of};
use groundfrog_engine::statistics::Measure;

use self::one_move::{OneMove, one_move};
use super::super::auxiliaries::{Alternative, Change, use_of};
use super::Splitter;
use super::acceptance::is_gain;
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::tuning::complete_tables::complements::WORTH_A_COMPLEMENT;

/// For each set of variables that moves depend on: the rules of a predicate for these moves.
type Exceptions = Vec<(Vec<u32>, Vec<Alternative>)>;

/// The rules that take the place of a part of a rule, or of a part of each of several rules.
#[derive(Clone)]
struct Complement {
    /// The kinds of moves that the parts are about.
    kinds: Vec<FormId>,
    /// Moves of these kinds that the parts do not hold for.
    exceptions: Exceptions,
    /// The roles whose moves count.
    roles: Vec<Argument>,
    /// Conditions that bind what the part shares with the rest.
    guards: Vec<FlatLiteral>,
    before: f64,
    after: f64,
}

impl Splitter<'_> {
    /// Replaces parts of rules by their complements where that makes the ground program smaller.
    pub(crate) fn complements(&mut self, mut rules: Vec<FlatRule>) -> Vec<FlatRule> {
        if !rules.iter().any(|it| self.may_have_complement(it)) {
            return rules;
        }
        // One of some things differs: what is not so is expressed best for all of them together.
        let may_count =
            |this: &mut Self, rule: &FlatRule| this.may_have_complement(rule) && this.goes_on(rule);
        rules = self.merge_differences(rules, may_count, |this, _, rule| {
            this.goes_on(rule)
                && (0..rule.body.len()).any(|at| this.complement_of(rule, at).is_some())
        });
        rules = self.unite_complements(rules);
        for rule in &mut rules {
            while self.goes_on(rule)
                && let Some((part, complement)) = self.first_complement(rule)
            {
                self.record(&complement, [rule.origin]);
                self.put_in_place(rule, &part, complement);
            }
        }
        rules
    }

    /// The first part of a rule that has a complement that pays.
    fn first_complement(&mut self, rule: &FlatRule) -> Option<(OneMove, Complement)> {
        if !self.may_have_complement(rule) {
            return None;
        }
        (0..rule.body.len()).find_map(|at| self.complement_of(rule, at))
    }

    /// Whether a rule has a move, and a condition between this and something else that may be no more than what must
    /// not be.
    fn may_have_complement(&self, rule: &FlatRule) -> bool {
        let moves = || rule.body.iter().filter(|it| self.is_move(it));
        let is_between = |own: VariableSet| {
            let conditions = rule.body.iter().filter(|it| !it.is_positive()).map(literal_variables);
            conditions.into_iter().any(|it| it & own != 0 && it & !own != 0)
        };
        self.may_change(rule)
            && moves().next().is_some()
            && fits(rule)
            && moves().any(|it| is_between(literal_variables(it)))
    }

    /// Whether a literal says that a move is made.
    pub(super) fn is_move(&self, literal: &FlatLiteral) -> bool {
        let does = self.known.keywords.does;
        literal.is_positive() && literal.atom().is_some_and(|atom| atom.name == does)
    }

    /// The complement of the part of a rule that is about the move of the literal `at`, if it pays.
    fn complement_of(&mut self, rule: &FlatRule, at: usize) -> Option<(OneMove, Complement)> {
        let one = self.one_move_of(rule, at).filter(OneMove::depends_on_rest)?;
        let (guards, before) = self.guarded(rule, &one.part);
        if before < WORTH_A_COMPLEMENT {
            return None;
        }
        let mut complement = self.unjudged(&one, guards, before)?;
        self.estimate(&one, rule.origin, &mut complement);
        is_gain(before, complement.after).then_some((one, complement))
    }

    /// The part of a rule that is about the move of the literal `at`, if it may have a complement.
    fn one_move_of(&self, rule: &FlatRule, at: usize) -> Option<OneMove> {
        if !self.is_move(&rule.body[at]) {
            return None;
        }
        let one = one_move(rule, at, |it| self.is_partial(it))?;
        let rest = rule.body.iter().zip(&one.part.taken).filter(|(_, taken)| !**taken);
        let binders = rest.filter(|(it, _)| it.joined && it.is_positive());
        let bound = binders.fold(0, |all, (it, _)| all | literal_variables(it));
        (one.part.unbound & !bound == 0).then_some(one)
    }

    /// The complement of a part, not yet known to pay.
    fn unjudged(
        &mut self,
        one: &OneMove,
        guards: Vec<FlatLiteral>,
        before: f64,
    ) -> Option<Complement> {
        let roles = self.roles_of(one)?;
        let exceptions = self.own_exceptions(one);
        Some(Complement { kinds: vec![one.form], exceptions, roles, guards, before, after: 0.0 })
    }

    /// Estimates how large a complement is.
    fn estimate(&mut self, one: &OneMove, origin: u32, complement: &mut Complement) {
        let exceptions = self.exceptions(one, origin, complement);
        let holds = self.cost(complement.guards.iter(), one.part.interface).rules;
        let holds = complement.roles.len() as f64 * holds;
        let definitions = exceptions.iter().flat_map(|(_, rules)| rules);
        let of_definitions: f64 = definitions.map(|it| self.size_of(it)).sum();
        complement.after = holds * (2.0 + exceptions.len() as f64) + of_definitions;
    }

    /// The expected size of the instances of an auxiliary rule.
    fn size_of(&mut self, rule: &Alternative) -> f64 {
        self.cost(rule.body.iter(), variables(&rule.arguments)).size
    }

    /// Keeps in mind which rules a complement is for.
    fn record(&mut self, complement: &Complement, origins: impl IntoIterator<Item = u32>) {
        let sizes = (complement.before, complement.after);
        self.note(Change::Complemented, origins, sizes);
    }

    /// Puts a complement in the place of its part.
    fn put_in_place(&mut self, rule: &mut FlatRule, one: &OneMove, complement: Complement) {
        let interface = one.part.interface;
        let origin = rule.origin;
        let exceptions = self.exceptions(one, origin, &complement);
        let Complement { roles, guards, .. } = complement;
        let mut body: Vec<FlatLiteral> = Vec::new();
        for guard in guards {
            let guard = self.guard(guard, interface, origin);
            if !body.contains(&guard) {
                body.push(guard);
            }
        }
        if one.role.variable().is_some() && !one.is_anyones {
            body.push(self.role(one.role));
        }
        let bindings = self.estimates.bindings(body.iter(), interface);
        let columns: Vec<u32> = members(interface).collect();
        let expected = Measure {
            rows: bindings.count(),
            distinct: columns.iter().map(|&it| bindings.domain(it)).collect(),
        };
        let exceptions: Vec<(Vec<u32>, FormId)> =
            exceptions.into_iter().map(|(columns, rules)| (columns, self.union(rules))).collect();
        let alternatives = roles.into_iter().map(|role| {
            let mut body = body.clone();
            for (columns, form) in &exceptions {
                let role = one.role.variable().map(|_| role);
                let columns = columns.iter().map(|&it| Argument::Variable(it));
                let arguments = role.into_iter().chain(columns).collect();
                let name = self.forms.form(*form).predicate.name;
                let kind = LiteralKind::Negative(FlatAtom { form: *form, name, arguments });
                body.push(FlatLiteral { kind, joined: false, stored: true });
            }
            let arguments = columns.iter().map(|&it| Argument::Variable(it)).collect();
            Alternative { arguments, body, origin }.renumbered()
        });
        let alternatives = alternatives.collect();
        let (form, new) = self.made.auxiliaries.union(alternatives, self.forms, self.symbols);
        if new {
            self.estimates.add(expected);
        }
        let (_, mut rest) = one.part.divide(&rule.body);
        rest.push(use_of(form, &columns, true, self.forms));
        rule.body = rest;
    }

    /// The predicate with these rules.
    fn union(&mut self, rules: Vec<Alternative>) -> FormId {
        let mut expected = Measure { rows: 0.0, distinct: Vec::new() };
        for rule in &rules {
            let columns = rule.arguments.iter().map(|it| it.variable());
            let wanted = set_of(columns.clone().flatten());
            let bindings = self.estimates.bindings(rule.body.iter(), wanted);
            expected.rows += bindings.count();
            expected.distinct.resize(rule.arguments.len(), 1.0);
            for (most, column) in expected.distinct.iter_mut().zip(columns) {
                let own = column.map_or(1.0, |it| bindings.domain(it));
                *most = own.max(*most);
            }
        }
        expected.rows = expected.rows.min(expected.distinct.iter().product());
        let (form, new) = self.made.auxiliaries.union(rules, self.forms, self.symbols);
        if new {
            self.estimates.add(expected);
        }
        form
    }
}
