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
use crate::compact::auxiliaries::{for_each_argument, map_arguments, mention, number};
use crate::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId, LiteralKind};

/// A rule without the part that has a complement, its variables numbered as they are first mentioned.
#[derive(PartialEq, Eq, Hash)]
struct Rest {
    head: (FormId, Vec<Argument>),
    body: Vec<(LiteralKind, bool, bool)>,
    /// Whose moves the part is about, if not those of any role.
    role: Option<Argument>,
}

/// Rules that are the same but for their parts: one of them, and what takes the place of the parts. Conditions that the
/// rest of this rule implies are conditions that the rest of each implies.
struct Union {
    rule: usize,
    /// The variables that the rest mentions, in this order.
    names: Vec<u32>,
    /// The places among these of what the part shares with the rest.
    interface: VariableSet,
    one: OneMove,
    complement: Complement,
}

impl Splitter<'_> {
    /// Replaces the first parts that have complements; rules that are the same but for these, which are about different
    /// kinds of moves, become one.
    pub(super) fn unite_complements(&mut self, mut rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let mut unions: Vec<Union> = Vec::new();
        let mut by_rest: FxHashMap<Rest, usize> = FxHashMap::default();
        let mut is_left = vec![true; rules.len()];
        for (index, rule) in rules.iter().enumerate() {
            let Some((one, complement)) = self.first_complement(rule) else { continue };
            let (rest, names) = rest(rule, &one);
            let places = (0..).zip(&names).filter(|(_, it)| one.part.interface >> **it & 1 == 1);
            let interface = set_of(places.map(|(place, _)| place));
            let mut other = Union { rule: index, names, interface, one, complement };
            let known = *by_rest.entry(rest).or_insert(unions.len());
            match unions.get_mut(known) {
                Some(union) if union.has_other_kinds(&other) => {
                    if other.covers(union) {
                        std::mem::swap(union, &mut other);
                    }
                    if union.covers(&other) {
                        is_left[other.rule] = false;
                        union.add(other);
                    } else {
                        unions.push(other);
                    }
                }
                _ => unions.push(other),
            }
        }
        for Union { rule, one, mut complement, .. } in unions {
            self.estimate(&one, rules[rule].origin, &mut complement);
            self.put_in_place(&mut rules[rule], &one, complement);
        }
        let mut is_left = is_left.into_iter();
        rules.retain(|_| is_left.next().expect("there is one for each rule"));
        rules
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
        let Union { names, complement: other, .. } = other;
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

/// A rule without a part, and the variables that are left.
fn rest(rule: &FlatRule, one: &OneMove) -> (Rest, Vec<u32>) {
    let (_, literals) = one.part.divide(&rule.body);
    let mut names = Vec::new();
    let mut visit = |it: Argument| mention(&mut names, it);
    rule.head.arguments.iter().for_each(|&it| visit(it));
    literals.iter().for_each(|it| for_each_argument(&it.kind, &mut visit));
    let rename = |it: Argument| number(&names, it);
    let rename_all = |it: &FlatLiteral| (map_arguments(&it.kind, &rename), it.joined, it.stored);
    let rest = Rest {
        head: (rule.head.form, rule.head.arguments.iter().map(|&it| rename(it)).collect()),
        body: literals.iter().map(rename_all).collect(),
        role: (!one.is_anyones).then(|| rename(one.role)),
    };
    (rest, names)
}
