//! Rules that say the same of each role, as one rule for any.
//!
//! ```text
//! (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (does white (move ?a ?b ?x ?y)))
//! (<= (next (at ?x ?y ?p)) (true (at ?x ?y ?p)) (does black (move ?a ?b ?x ?y)))
//! ```
//!
//! If only these two can make such moves, `(does ?r (move ?a ?b ?x ?y))` says no more and no less: the instances of one rule
//! are those of both. But what holds for any role needs one rule where it does not matter who moves.

use std::collections::hash_map::Entry;

use fxhash::FxHashMap;
use groundfrog_engine::Argument;

use super::Splitter;
use super::alike::Rest;
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::fits;
use crate::compact::variables::{map_arguments, mentioned, renumbered};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId};

/// Rules that are the same but for a role.
struct OfEachRole {
    /// Their positions, in order.
    rules: Vec<usize>,
    /// The roles that they have, in the same order.
    roles: Vec<u32>,
    /// The moves that they use.
    moves: FormId,
    any: FlatRule,
}

impl Splitter<'_> {
    /// Rules in which one for any role takes the place of one for each.
    pub(crate) fn for_any_role(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let mut alike: Vec<OfEachRole> = Vec::new();
        let mut by_rest: FxHashMap<Rest, usize> = FxHashMap::default();
        for (index, rule) in rules.iter().enumerate() {
            if !self.may_change(rule) {
                continue;
            }
            let Some((role, moves)) = self.role_of_move(rule) else { continue };
            let any = of_any_role(rule, role);
            if !fits(&any) {
                continue;
            }
            if !self.goes_on(rule) {
                return rules;
            }
            match by_rest.entry(Rest::new(&any, |_| true).0) {
                Entry::Occupied(known) => {
                    let known = &mut alike[*known.get()];
                    known.rules.push(index);
                    known.roles.push(role);
                }
                Entry::Vacant(new) => {
                    new.insert(alike.len());
                    let (rules, roles) = (vec![index], vec![role]);
                    alike.push(OfEachRole { rules, roles, moves, any });
                }
            }
        }
        alike.retain(|it| it.rules.len() > 1 && self.are_all_movers(it));
        let mut rules: Vec<Option<FlatRule>> = rules.into_iter().map(Some).collect();
        for OfEachRole { rules: positions, any, .. } in alike {
            let each: Vec<FlatRule> = positions.iter().filter_map(|&it| rules[it].take()).collect();
            let before = each.iter().map(|it| self.size(it)).sum();
            let origins = each.iter().map(|it| it.origin);
            let after = self.size(&any);
            self.note(Change::ForAnyRole, origins, (before, after));
            rules[positions[0]] = Some(any);
        }
        rules.into_iter().flatten().collect()
    }

    /// Whether nobody else can make the moves.
    fn are_all_movers(&mut self, it: &OfEachRole) -> bool {
        let movers = self.about_tables.movers(self.known.tables, it.moves);
        movers.iter().all(|mover| it.roles.contains(mover))
    }

    /// The role that makes the first move that a rule uses, and the kind of moves, if several roles make such.
    fn role_of_move(&mut self, rule: &FlatRule) -> Option<(u32, FormId)> {
        let first = rule.body.iter().filter(|it| it.joined && self.is_move(it));
        let atom = first.filter_map(FlatLiteral::atom).next()?;
        let Some(&Argument::Constant(role)) = atom.arguments.first() else { return None };
        let is_one_of_several = self.has_simple_role(atom.form)
            && self.about_tables.movers(self.known.tables, atom.form).len() > 1;
        is_one_of_several.then_some((role, atom.form))
    }
}

/// A rule with a variable in the place of a role, wherever that is mentioned.
fn of_any_role(rule: &FlatRule, role: u32) -> FlatRule {
    let any = mentioned(rule, |_| true).into_iter().max().map_or(0, |it| it + 1);
    let general = |it: Argument| match it {
        Argument::Constant(it) if it == role => Argument::Variable(any),
        _ => it,
    };
    let literal = |it: &FlatLiteral| FlatLiteral { kind: map_arguments(&it.kind, &general), ..*it };
    let arguments = rule.head.arguments.iter().map(|&it| general(it)).collect();
    let head = FlatAtom { arguments, ..rule.head.clone() };
    let body = rule.body.iter().map(literal).collect();
    renumbered(&FlatRule { head, body, ..*rule })
}
