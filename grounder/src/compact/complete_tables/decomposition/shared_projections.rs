//! Rules that each need some arguments of the same literal: those of a coarser projection are found by a finer one.
//!
//! ```text
//! (<= (next (cell ?x ?y ?p)) (does ?r (move ?p ?u ?v ?x ?y)))
//! (<= (next (last ?x ?y)) (does ?r (move ?p ?u ?v ?x ?y)))
//! (<= (next (last_piece ?p)) (does ?r (move ?p ?u ?v ?x ?y)))
//! ```
//!
//! Each rule has an instance for each move. With a predicate for which piece goes where, only its own rule has as many, and
//! these three have one for each piece and place. No rule alone is better for it, so that splitting one rule after the
//! other does not find it. (Schiffel's "Optimizations" projects for a single rule.)

use fxhash::FxHashMap;
use groundfrog_engine::projection::{VariableSet, members, set_of};

use super::Splitter;
use super::acceptance::is_gain;
use crate::compact::complete_tables::auxiliaries::{Change, Definition};
use crate::compact::estimate::{fits, literal_variables, variables};
use crate::compact::variables::{renumbered, variables_of};
use crate::flat::{FlatLiteral, FlatRule};
use crate::tuning::complete_tables::shared_projections::{LARGE, MOST_PROJECTIONS};

/// How many ticks it takes to look at a rule for one of them.
const A_RULE: u32 = 64;
/// The size of an instance with one literal.
const OF_ONE_LITERAL: f64 = 3.0;

/// A rule that uses nothing dynamic but one literal, which has variables that nothing else needs.
struct User {
    /// Among the rules, and behind them those of auxiliary predicates.
    rule: usize,
    /// Where the literal is.
    at: usize,
    /// The literal, before it is replaced.
    literal: FlatLiteral,
    /// Its variables that are needed, each by its place among those of the literal.
    needed: VariableSet,
    /// The size of the rule with what it uses now.
    size: f64,
}

/// A projection of a literal that rules use.
#[derive(Clone, Copy)]
struct Projection {
    /// The variables that are left, each by its place among those of the literal.
    kept: VariableSet,
    rows: f64,
}

impl Splitter<'_> {
    /// Has rules that need different parts of one literal share projections of it.
    pub(super) fn share_projections(&mut self, rules: &mut [FlatRule]) {
        for (literal, mut users) in self.users_of_literals(rules) {
            if self.is_move(&literal) && users.len() > 1 {
                // What a role does in one of most moves is expressed by the others: see `moves` of `ground_rules`.
                let role = literal.atom().map_or(0, |it| variables(&it.arguments[..1]));
                let roles = self.rows_of(&literal, role) + 0.5;
                users.retain(|it| self.rows_of(&literal, it.needed) > roles);
            }
            if users.len() < 2 {
                continue;
            }
            for user in &mut users {
                user.size = self.size(&self.rule_at(user.rule, rules).clone());
            }
            if users.iter().map(|it| it.size).sum::<f64>() >= LARGE {
                self.share_projections_of(&literal, users, rules);
            }
        }
    }

    /// The users of each literal, whose variables are numbered.
    fn users_of_literals(&self, rules: &[FlatRule]) -> Vec<(FlatLiteral, Vec<User>)> {
        let mut literals: Vec<(FlatLiteral, Vec<User>)> = Vec::new();
        let mut numbers: FxHashMap<FlatLiteral, usize> = FxHashMap::default();
        for (number, rule) in rules.iter().chain(&self.made.auxiliaries.rules).enumerate() {
            let Some((literal, user)) = self.user(number, rule) else { continue };
            let at = *numbers.entry(literal.clone()).or_insert(literals.len());
            if at == literals.len() {
                literals.push((literal, Vec::new()));
            }
            literals[at].1.push(user);
        }
        literals
    }

    /// The rule as a user of the one literal that it uses a part of, if there is one.
    fn user(&self, number: usize, rule: &FlatRule) -> Option<(FlatLiteral, User)> {
        let mut stored = (0..rule.body.len()).filter(|&it| rule.body[it].stored);
        let (at, None) = (stored.next()?, stored.next()) else { return None };
        let literal = &rule.body[at];
        let is_complete = |form| !self.known.demanded.contains(&form);
        if !self.may_change(rule)
            || !fits(rule)
            || !literal.joined
            || !literal.is_positive()
            || !literal.form().is_some_and(is_complete)
        {
            return None;
        }
        let others = (0..rule.body.len()).filter(|&it| it != at);
        let others = others.map(|it| literal_variables(&rule.body[it]));
        let elsewhere = others.fold(variables(&rule.head.arguments), |all, it| all | it);
        let own = variables_of(literal);
        let is_needed = |place: &u32| elsewhere >> own[*place as usize] & 1 == 1;
        let needed = set_of((0..own.len() as u32).filter(is_needed));
        if needed.count_ones() as usize == own.len() {
            return None;
        }
        let numbered = Definition::new(&[literal], &own, self.forms).body.pop()?;
        Some((numbered, User { rule: number, at, literal: literal.clone(), needed, size: 0.0 }))
    }

    /// How many different values these variables of a literal have together.
    fn rows_of(&mut self, literal: &FlatLiteral, kept: VariableSet) -> f64 {
        self.estimates.bindings([literal].into_iter(), kept).count()
    }

    fn rule_at<'a>(&'a self, number: usize, rules: &'a [FlatRule]) -> &'a FlatRule {
        let of_auxiliaries = number.checked_sub(rules.len());
        of_auxiliaries.map_or_else(|| &rules[number], |it| &self.made.auxiliaries.rules[it])
    }

    fn share_projections_of(
        &mut self,
        literal: &FlatLiteral,
        mut users: Vec<User>,
        rules: &mut [FlatRule],
    ) {
        let mut wanted: Vec<VariableSet> = users.iter().map(|it| it.needed).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let projection = |kept| Projection { kept, rows: self.rows_of(literal, kept) };
        let mut wanted: Vec<Projection> = wanted.into_iter().map(projection).collect();
        // The finest first: a coarser one is made from it.
        wanted
            .sort_by(|one, other| other.rows.total_cmp(&one.rows).then(one.kept.cmp(&other.kept)));
        wanted.truncate(MOST_PROJECTIONS);
        let mut shared: Vec<Projection> = Vec::new();
        for projection in wanted {
            if !self.ticker.ticks(A_RULE * users.len() as u32) {
                return;
            }
            let finer = shared.iter().rfind(|it| projection.kept & !it.kept == 0).copied();
            if self.share(literal, projection, finer, &mut users, rules) {
                shared.push(projection);
            }
        }
        let changed =
            users.iter().filter(|it| self.rule_at(it.rule, rules).body[it.at] != it.literal);
        let changed: Vec<usize> = changed.map(|it| it.rule).collect();
        for number in changed {
            let rule = renumbered(self.rule_at(number, rules));
            self.put(number, rule, rules);
        }
    }

    /// Has rules use a projection of a literal, which is made from a finer one if there is one, if that pays.
    fn share(
        &mut self,
        literal: &FlatLiteral,
        projection: Projection,
        finer: Option<Projection>,
        users: &mut Vec<User>,
        rules: &mut [FlatRule],
    ) -> bool {
        let kept = projection.kept;
        let interface: Vec<u32> = members(kept).collect();
        let known =
            self.made.auxiliaries.find(&Definition::new(&[literal], &interface, self.forms));
        let mut changes: Vec<(usize, f64)> = Vec::new();
        let (mut before, mut after) = (0.0, 0.0);
        for (number, user) in users.iter().enumerate().filter(|(_, it)| it.needed & !kept == 0) {
            let rule = self.rule_at(user.rule, rules).clone();
            if known == Some(rule.head.form) {
                continue;
            }
            let own = variables_of(&user.literal);
            let places = (0..own.len()).filter(|it| kept >> it & 1 == 1);
            let wanted = set_of(places.map(|it| own[it])) | variables(&rule.head.arguments);
            let count = self.estimates.bindings(rule.body.iter(), wanted).count();
            let size = OF_ONE_LITERAL * count;
            if size < user.size {
                (before, after) = (before + user.size, after + size);
                changes.push((number, size));
            }
        }
        if known.is_none() {
            let source = match finer {
                Some(finer) => finer.rows,
                None => self.rows_of(literal, !0),
            };
            after += OF_ONE_LITERAL * source;
        }
        if before < LARGE || !is_gain(before, after) {
            return false;
        }
        for &(number, size) in &changes {
            users[number].size = size;
            self.use_projection(kept, &users[number], rules);
        }
        if known.is_none()
            && let Some(finer) = finer
        {
            let last = self.made.auxiliaries.rules.len() - 1;
            let rule = rules.len() + last;
            let literal = self.made.auxiliaries.rules[last].body[0].clone();
            let size = OF_ONE_LITERAL * finer.rows;
            let own = User { rule, at: 0, literal, needed: kept, size };
            self.use_projection(finer.kept, &own, rules);
            users.push(own);
        }
        let origins = changes.iter().map(|it| self.rule_at(users[it.0].rule, rules).origin);
        self.note(Change::Shared, origins.collect::<Vec<_>>(), (before, after));
        true
    }

    /// Has a rule use a projection of its literal.
    fn use_projection(&mut self, kept: VariableSet, user: &User, rules: &mut [FlatRule]) {
        let own = variables_of(&user.literal);
        let interface: Vec<u32> = members(kept).map(|it| own[it as usize]).collect();
        let mut rule = self.rule_at(user.rule, rules).clone();
        let definition = Definition::new(&[&user.literal], &interface, self.forms);
        rule.body[user.at] = self.auxiliary(definition, rule.origin);
        self.put(user.rule, rule, rules);
    }

    fn put(&mut self, number: usize, rule: FlatRule, rules: &mut [FlatRule]) {
        match number.checked_sub(rules.len()) {
            Some(number) => self.made.auxiliaries.rules[number] = rule,
            None => rules[number] = rule,
        }
    }
}
