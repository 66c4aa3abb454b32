//! Rules by which a view holds unless a move is made are unfolded: rules that read the view then hold unless it is
//! made, which needs no evaluation. Compact ground games say so of most frame rules.

use groundfrog_engine::instantiate::GroundLiteral;

use crate::dependencies::{Dependencies, range_of};
use groundfrog::game::{AtomId, AtomKind, GroundGame};

/// Bodies that the unfolded rules of a view may stand for.
const MOST_RULES: usize = 8;
/// Literals that a rule may have that is unfolded.
const LONGEST: usize = 4;
/// Views with unfolded rules that a rule may read.
const MOST_LITERALS: usize = 2;

/// The rules of views that are unfolded.
pub(super) struct Unfolding<'run> {
    game: &'run GroundGame,
    dependencies: &'run Dependencies,
    /// By rule.
    unfolded: Vec<bool>,
    /// By atom: how many of its rules are unfolded, and whether others are left.
    views: Vec<(usize, bool)>,
}

impl<'run> Unfolding<'run> {
    /// Finds the rules that have nothing but a few negated literals about moves, or views all of whose rules are unfolded,
    /// of views that only rules of the next state and of other views read.
    pub(super) fn new(
        game: &'run GroundGame,
        dependencies: &'run Dependencies,
        is_view: impl Fn(u32) -> bool,
    ) -> Self {
        let next = range_of(game, AtomKind::Next);
        let mut stays: Vec<bool> = (0..game.atom_count() as u32)
            .map(|atom| game.kind(AtomId(atom)) != AtomKind::View || !is_view(atom))
            .collect();
        for rule in game.rules().iter() {
            let reads = next.contains(&rule.head) || is_view(rule.head);
            for literal in rule.body.iter().filter(|it| it.is_negated() || !reads) {
                stays[literal.atom() as usize] = true;
            }
        }
        let mut unfolding = Unfolding {
            game,
            dependencies,
            unfolded: vec![false; game.rules().len()],
            views: vec![(0, true); game.atom_count()],
        };
        for component in dependencies.components() {
            let atom = dependencies.first(component);
            if !stays[atom.index()] && !dependencies.is_recursive(component) {
                unfolding.unfold(atom);
            }
        }
        for rule in game.rules().iter() {
            if rule.body.iter().filter(|it| unfolding.has_unfolded(it)).count() > MOST_LITERALS {
                rule.body.iter().for_each(|it| unfolding.keep(AtomId(it.atom())));
            }
        }
        unfolding
    }

    /// Unfolds those rules of a view that can be.
    fn unfold(&mut self, atom: AtomId) {
        let rules = self.dependencies.rules_of(atom);
        let is_unless = |it: &GroundLiteral| match it.is_negated() {
            true => self.dependencies.is_transient(AtomId(it.atom())),
            false => !self.views[it.atom() as usize].1,
        };
        let (mut bodies, mut unfolded) = (0, Vec::new());
        for &rule in rules {
            let body = self.game.rules().rule(rule as usize).body;
            if (1..=LONGEST).contains(&body.len()) && body.iter().all(is_unless) {
                self.for_each_body(body, |body| {
                    bodies += if body.len() <= LONGEST { 1 } else { MOST_RULES + 1 };
                });
                unfolded.push(rule);
            }
        }
        if bodies <= MOST_RULES {
            self.views[atom.index()] = (unfolded.len(), unfolded.len() < rules.len());
            unfolded.iter().for_each(|&rule| self.unfolded[rule as usize] = true);
        }
    }

    /// Unfolds no rule of an atom.
    fn keep(&mut self, atom: AtomId) {
        self.views[atom.index()] = (0, true);
        let rules = self.dependencies.rules_of(atom);
        rules.iter().for_each(|&rule| self.unfolded[rule as usize] = false);
    }

    /// Whether a literal reads a view some of whose rules are unfolded.
    fn has_unfolded(&self, literal: &GroundLiteral) -> bool {
        self.views[literal.atom() as usize].0 > 0
    }

    /// Whether a rule is unfolded wherever its head is read.
    pub(super) fn unfolds(&self, rule: u32) -> bool {
        self.unfolded[rule as usize]
    }

    /// Calls a function with each body that a body stands for.
    pub(super) fn for_each_body(
        &self,
        body: &[GroundLiteral],
        mut visit: impl FnMut(&[GroundLiteral]),
    ) {
        if !body.iter().any(|it| self.has_unfolded(it)) {
            return visit(body);
        }
        // Bodies, and how many of their last literals stay.
        let mut pending = vec![(body.to_vec(), 0)];
        while let Some((mut body, staying)) = pending.pop() {
            let open = &body[..body.len() - staying];
            let Some(position) = open.iter().position(|it| self.has_unfolded(it)) else {
                visit(&body);
                continue;
            };
            let literal = body.remove(position);
            let (_, others) = self.views[literal.atom() as usize];
            for &rule in self.dependencies.rules_of(AtomId(literal.atom())) {
                if self.unfolds(rule) {
                    let rest = self.game.rules().rule(rule as usize).body;
                    pending.push((rest.iter().chain(&body).copied().collect(), staying));
                }
            }
            if others {
                body.push(literal);
                pending.push((body, staying + 1));
            }
        }
    }
}
