//! Rules that need one part of a move here and another there: the move is demanded part by part.
//!
//! ```text
//! (<= (next (cell ?u ?v ?p)) (does ?r (move ?x ?y ?u ?v)) (true (cell ?x ?y ?p)))
//! ```
//!
//! The rule has an instance for each move and piece, and what is left of it when `?x` and `?y` are eliminated has as many,
//! as the move holds its four arguments together. But in every state a role makes one move. So who moves from here and
//! moves to there moves from here to there, and `does(r, move(x, y, _, _)), does(r, move(_, _, u, v))` means the same:
//! with a predicate for each of the two the rule is split into one for where `?p` comes from and one for where it goes.
//! For the same reason what a body and a head have in common with a move need not be handed from one to the other.

mod groups;

use fxhash::FxHashMap;

use self::groups::parted;
use super::Splitter;
use crate::compact::complete_tables::auxiliaries::{Change, Definition};
use crate::compact::estimate::fits;
use crate::compact::unfolding::unfold;
use crate::compact::variables::{renumbered, variables_of};
use crate::flat::{FlatLiteral, FlatRule, FormId};
use crate::tuning::complete_tables::move_parts::{LARGE, MOST_MOVES, MOST_RULES, MOST_UNFOLDED};

/// The rules of views, one or more of which are about a move.
type Views = FxHashMap<FormId, Vec<FlatRule>>;

/// A rule, or those that the rules of a view make of it: how each may be written.
type Candidate = Vec<Vec<FlatRule>>;

impl Splitter<'_> {
    /// Rules that use the parts of moves where that makes the ground program smaller.
    pub(super) fn take_moves_apart(&mut self, rules: Vec<FlatRule>) -> Vec<FlatRule> {
        let is_about_move = |it: &FlatRule| it.stored && it.body.iter().any(|it| self.is_move(it));
        if !rules.iter().any(is_about_move) {
            return rules;
        }
        let views = self.views_about_moves(&rules);
        let mut all = Vec::with_capacity(rules.len());
        for rule in rules {
            // What comes of a rule, in its place and order.
            let (mut rest, first) = (vec![(rule, MOST_MOVES)], all.len());
            while let Some((rule, moves)) = rest.pop() {
                let is_wanted = self.may_change(&rule) && moves > 0;
                let has_room = all.len() - first + rest.len() < MOST_UNFOLDED;
                let most = if has_room { MOST_RULES } else { 1 };
                match is_wanted.then(|| self.with_move_parts(&rule, &views, most)).flatten() {
                    Some(parted) => rest.extend(parted.into_iter().rev().map(|it| (it, moves - 1))),
                    None => all.push(rule),
                }
            }
        }
        all
    }

    /// The views that have few rules, which do not use them, and say something of a move.
    fn views_about_moves(&self, rules: &[FlatRule]) -> Views {
        let mut views = Views::default();
        let is_about_move = |it: &&FlatRule| it.stored && it.body.iter().any(|it| self.is_move(it));
        for rule in rules.iter().filter(is_about_move) {
            views.entry(rule.head.form).or_default();
        }
        let given = self.known.facts.facts(self.forms).map(|it| it.0);
        given.for_each(|it| drop(views.remove(&it)));
        let mut others = Vec::new();
        for rule in rules {
            let form = rule.head.form;
            let Some(view) = views.get_mut(&form) else { continue };
            let asks_for_itself = || rule.body.iter().any(|it| it.form() == Some(form));
            if !rule.stored || view.len() == MOST_RULES || asks_for_itself() {
                others.push(form);
            } else {
                view.push(rule.clone());
            }
        }
        others.iter().for_each(|it| drop(views.remove(it)));
        views
    }

    /// Rules that use the parts of one of a rule's moves, or of those of a view of at most so many rules, each of which
    /// takes its place in one of them, if that pays.
    fn with_move_parts(
        &mut self,
        rule: &FlatRule,
        views: &Views,
        most: usize,
    ) -> Option<Vec<FlatRule>> {
        if !fits(rule) || !self.goes_on(rule) {
            return None;
        }
        let mut candidates: Vec<Candidate> = vec![vec![self.all_parted(rule)]];
        let (is_open, mut is_large) = (self.has_open_move(rule), None);
        for (at, literal) in rule.body.iter().enumerate() {
            let is_asked = literal.stored && literal.is_positive();
            let Some(atom) = literal.atom().filter(|_| is_asked) else { continue };
            // `true` shares its form with `next`, and `does` with `legal`, but neither uses what these rules derive.
            let is_own = |view: &&Vec<FlatRule>| {
                let has_open_move = is_open || view.iter().any(|it| self.has_open_move(it));
                has_open_move && view.iter().all(|it| it.head.name == atom.name)
            };
            let view = views.get(&atom.form).filter(is_own);
            if let Some(view) = view.filter(|it| it.len() <= most) {
                // Views are not put in the places of many literals for nothing.
                if !*is_large.get_or_insert_with(|| self.size(rule) >= LARGE) || !self.goes_on(rule)
                {
                    return None;
                }
                candidates.extend(self.unfolded(rule, at, view));
            }
        }
        candidates.retain(|candidate| candidate.iter().any(|it| !it.is_empty()));
        if candidates.is_empty() || !is_large.unwrap_or_else(|| self.size(rule) >= LARGE) {
            return None;
        }
        self.smallest_parted(rule, candidates)
    }

    /// A rule with each of a view's rules in the place of its literal, which use the parts of a move if they can; none
    /// if none does.
    fn unfolded(&self, rule: &FlatRule, at: usize, view: &[FlatRule]) -> Option<Candidate> {
        let unfolded = unfold(rule, at, view);
        if !unfolded.iter().all(fits) {
            return None;
        }
        let mut candidate: Candidate = unfolded.iter().map(|it| self.all_parted(it)).collect();
        if candidate.iter().all(Vec::is_empty) {
            return None;
        }
        for (written, own) in candidate.iter_mut().zip(unfolded).filter(|(it, _)| it.is_empty()) {
            written.push(own);
        }
        Some(candidate)
    }

    /// The rule that uses the parts of a move, for each move for which there is one.
    fn all_parted(&self, rule: &FlatRule) -> Vec<FlatRule> {
        let places = (0..rule.body.len()).filter(|&at| self.may_be_parted(&rule.body[at]));
        places.flat_map(|at| parted(rule, at)).collect()
    }

    /// Whether a rule uses a move of which it may need some arguments and not others.
    fn has_open_move(&self, rule: &FlatRule) -> bool {
        let is_open = |it: &FlatLiteral| {
            let mut arguments = it.atom().into_iter().flat_map(|it| it.arguments.iter().skip(1));
            self.may_be_parted(it) && arguments.any(|it| it.variable().is_some())
        };
        rule.body.iter().any(is_open)
    }

    /// Whether a literal uses a move that may be taken apart.
    fn may_be_parted(&self, literal: &FlatLiteral) -> bool {
        let has_simple_role = |form| self.has_simple_role(form);
        literal.stored && self.is_move(literal) && literal.form().is_some_and(has_simple_role)
    }

    /// The rules of the way that is smallest, with predicates for the parts of their moves, if it pays to have them for
    /// the rule.
    fn smallest_parted(
        &mut self,
        rule: &FlatRule,
        candidates: Vec<Candidate>,
    ) -> Option<Vec<FlatRule>> {
        let before = self.on_trial(|trial| trial.size_of_alternatives(rule.clone()));
        let mut sized = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let written = candidate.into_iter().map(|it| self.smallest_written(it));
            let written: Vec<(f64, FlatRule)> = written.collect::<Option<_>>()?;
            let (sizes, chosen): (Vec<f64>, Vec<FlatRule>) = written.into_iter().unzip();
            sized.push((sizes.into_iter().sum(), chosen));
        }
        let change = Change::MovesTakenApart;
        let parted = self.accept_smallest(change, rule.origin, before, sized)?;
        Some(parted.into_iter().map(|it| self.with_projected_moves(it).0).collect())
    }

    /// The expected size of a rule that is taken apart if that pays, and split.
    fn size_of_alternatives(&mut self, rule: FlatRule) -> f64 {
        let alternatives = self.alternatives(rule).into_iter();
        alternatives.map(|it| self.size_when_all_split(it, Self::split)).sum()
    }

    /// That of several ways to write a rule which is smallest when all is split, and its size then.
    fn smallest_written(&mut self, written: Vec<FlatRule>) -> Option<(f64, FlatRule)> {
        let mut best: Option<(f64, FlatRule)> = None;
        for candidate in written {
            if !self.goes_on(&candidate) {
                return None;
            }
            let after = self.on_trial(|trial| {
                let (projected, own) = trial.with_projected_moves(candidate.clone());
                own + trial.size_of_alternatives(projected)
            });
            if best.as_ref().is_none_or(|(least, _)| after < *least) {
                best = Some((after, candidate));
            }
        }
        best
    }

    /// A rule with auxiliary predicates for moves of which it needs some arguments, and the size of the rules of those
    /// that are new.
    fn with_projected_moves(&mut self, mut rule: FlatRule) -> (FlatRule, f64) {
        let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
        let of_head = rule.head.arguments.iter().filter_map(|it| it.variable());
        let of_body = rule.body.iter().flat_map(variables_of);
        of_head.chain(of_body).for_each(|it| *uses.entry(it).or_default() += 1);
        let mut size = 0.0;
        for at in 0..rule.body.len() {
            let literal = &rule.body[at];
            let shared: Vec<u32> =
                variables_of(literal).into_iter().filter(|it| uses[it] > 1).collect();
            if !self.is_move(literal) || shared.len() == variables_of(literal).len() {
                continue;
            }
            let definition = Definition::new(&[literal], &shared, self.forms);
            if self.made.auxiliaries.find(&definition).is_none() {
                size += self.cost(definition.body.iter(), !0).size;
            }
            rule.body[at] = self.auxiliary(definition, rule.origin);
        }
        (renumbered(&rule), size)
    }
}
