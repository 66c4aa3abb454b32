//! Rules that are the same but for the kind of moves that they are about: one complement for all of them.
//!
//! What several kinds of moves leave as it is takes a rule for each kind. That a role makes a move of one of them that
//! does not touch it, is that it makes none of those that do, nor one of any other kind.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;
use groundfrog_engine::projection::{VariableSet, set_of};

use super::kinds::add_exception;
use super::one_move::OneMove;
use super::{Complement, Splitter};
use crate::compact::complete_tables::decomposition::alike::Rest;
use crate::compact::estimate::{fits, variables};
use crate::compact::variables::number;
use crate::flat::{FlatLiteral, FlatRule, LiteralKind};

/// A rule without the part about a move; and whose moves the part is about, if not those of any role.
type RestAndRole = (Rest, Option<Argument>);

/// Rules that are the same but for their parts: one of them, and what takes the place of the parts. Conditions that the
/// rest of this rule implies are conditions that the rest of each implies.
#[derive(Clone)]
struct Union {
    rule: usize,
    /// The rules that it takes the place of.
    others: Vec<usize>,
    /// The variables that the rest mentions, in this order.
    names: Vec<u32>,
    /// The places among these of what the part shares with the rest.
    interface: VariableSet,
    one: OneMove,
    complement: Complement,
}

/// Unions, and the first of each rest.
#[derive(Default)]
struct Unions {
    all: Vec<Union>,
    first: FxHashMap<RestAndRole, usize>,
}

impl Splitter<'_> {
    /// Replaces the first parts that have complements; rules that are the same but for these, which are about different
    /// kinds of moves, become one. Parts that alone are not worth it join them.
    pub(super) fn unite_complements(&mut self, mut rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let mut unions = Unions::default();
        let mut others: Vec<usize> = Vec::new();
        let mut is_left = vec![true; rules.len()];
        for (index, rule) in rules.iter().enumerate() {
            if !self.goes_on(rule) {
                break;
            }
            let Some((one, complement)) = self.first_complement(rule) else {
                others.push(index);
                continue;
            };
            let (rest, other) = self.alone(index, rule, one, complement);
            if let Some(covered) = unions.add(rest, other) {
                is_left[covered] = false;
            }
        }
        if unions.all.is_empty() {
            return rules;
        }
        for union in &mut unions.all {
            self.estimate(&union.one, rules[union.rule].origin, &mut union.complement);
        }
        for index in others {
            is_left[index] = !self.joins(index, &rules, &mut unions);
        }
        for Union { rule, others, one, complement, .. } in unions.all {
            self.record(&complement, [rule].iter().chain(&others).map(|&it| rules[it].origin));
            self.put_in_place(&mut rules[rule], &one, complement);
        }
        let mut is_left = is_left.into_iter();
        rules.retain(|_| is_left.next().expect("there is one for each rule"));
        rules
    }

    /// Lets a rule become part of a union if that makes the ground program smaller. Returns whether it does.
    fn joins(&mut self, index: usize, rules: &[FlatRule], unions: &mut Unions) -> bool {
        let rule = &rules[index];
        let mut parts = 0..rule.body.len();
        self.goes_on(rule)
            && self.may_change(rule)
            && fits(rule)
            && parts.any(|at| self.part_joins(index, at, rules, unions))
    }

    fn part_joins(
        &mut self,
        index: usize,
        at: usize,
        rules: &[FlatRule],
        unions: &mut Unions,
    ) -> bool {
        let rule = &rules[index];
        let Some(one) = self.one_move_of(rule, at) else { return false };
        let (guards, before) = self.guarded(rule, &one.part);
        let Some(complement) = self.unjudged(&one, guards, before) else { return false };
        let (rest, other) = self.alone(index, rule, one, complement);
        let Some(&first) = unions.first.get(&rest) else { return false };
        let union = &mut unions.all[first];
        if !union.has_other_kinds(&other) || !union.covers(&other) {
            return false;
        }
        let (_, left) = other.one.part.divide(&rule.body);
        let spared = before + self.cost(left.iter(), variables(&rule.head.arguments)).size;
        let mut joined = union.clone();
        joined.add(other);
        self.estimate(&joined.one, rules[joined.rule].origin, &mut joined.complement);
        let pays = joined.complement.after < union.complement.after + spared;
        if pays {
            *union = joined;
        }
        pays
    }

    /// The union of one rule, and what it shares with others.
    fn alone(
        &mut self,
        index: usize,
        rule: &FlatRule,
        one: OneMove,
        complement: Complement,
    ) -> (RestAndRole, Union) {
        let outside = |at: usize| !one.part.taken[at];
        let of_body = 0..rule.body.len();
        let is_left: Vec<bool> =
            of_body.map(|at| outside(at) && !self.is_implied(&rule.body, at, outside)).collect();
        let (rest, names) = Rest::new(rule, |at| is_left[at]);
        let role = (!one.is_anyones).then(|| number(&names, one.role));
        let places = (0..).zip(&names).filter(|(_, it)| one.part.interface >> **it & 1 == 1);
        let interface = set_of(places.map(|(place, _)| place));
        ((rest, role), Union { rule: index, others: Vec::new(), names, interface, one, complement })
    }

    /// Whether a literal is a condition that holds for all that one of the others that are left can say.
    fn is_implied(
        &mut self,
        body: &[FlatLiteral],
        at: usize,
        is_left: impl Fn(usize) -> bool,
    ) -> bool {
        let LiteralKind::Positive(condition) = &body[at].kind else { return false };
        let others = body.iter().enumerate().filter(|&(it, _)| it != at && is_left(it));
        let mut known = others.filter_map(|(_, it)| match &it.kind {
            LiteralKind::Positive(atom) if it.joined && it.stored => Some(atom),
            _ => None,
        });
        !body[at].stored && known.any(|atom| self.implies(atom, condition))
    }
}

impl Unions {
    /// Adds a rule, or lets it become part of the first union that says the same of other kinds of moves. Returns the
    /// rule that is covered then.
    fn add(&mut self, rest: RestAndRole, mut other: Union) -> Option<usize> {
        let first = *self.first.entry(rest).or_insert(self.all.len());
        if let Some(union) = self.all.get_mut(first)
            && union.has_other_kinds(&other)
        {
            if other.covers(union) {
                std::mem::swap(union, &mut other);
            }
            if union.covers(&other) {
                let covered = other.rule;
                union.add(other);
                return Some(covered);
            }
        }
        self.all.push(other);
        None
    }
}

impl Union {
    fn has_other_kinds(&self, other: &Union) -> bool {
        other.complement.kinds.iter().all(|it| !self.complement.kinds.contains(it))
    }

    /// Whether its part shares all with the rest that the other's does.
    fn covers(&self, other: &Union) -> bool {
        other.interface & !self.interface == 0
    }

    fn add(&mut self, other: Union) {
        let Union { rule, others, names, complement: other, .. } = other;
        self.others.push(rule);
        self.others.extend(others);
        let complement = &mut self.complement;
        for (columns, rules) in other.exceptions {
            let place = |it: &u32| names.iter().position(|name| name == it);
            let renamed = columns.iter().map(|it| self.names[place(it).expect("it is shared")]);
            let columns: Vec<u32> = renamed.collect();
            for rule in rules {
                add_exception(&mut complement.exceptions, columns.clone(), rule);
            }
        }
        complement.kinds.extend(other.kinds);
        complement.before += other.before;
        // A role that the rest names is the same in both.
        if self.one.is_anyones {
            complement.roles.extend(other.roles);
            complement.roles.sort_unstable();
            complement.roles.dedup();
        }
    }
}
