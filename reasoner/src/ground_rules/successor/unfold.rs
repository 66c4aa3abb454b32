//! Views that hold unless a move is made are unfolded: rules that ask for them then hold unless it is made,
//! which needs no evaluation. Compact ground games say so of most frame rules.

use groundfrog_engine::instantiate::GroundLiteral;

use crate::dependencies::{Dependencies, range_of};
use groundfrog::game::{AtomId, AtomKind, GroundGame};

/// Rules that a view may have that is unfolded.
const MOST_RULES: usize = 8;
/// Literals that a rule of a view may have that is unfolded.
const LONGEST: usize = 4;
/// Views that a rule may use of which all are unfolded.
const MOST_LITERALS: usize = 2;

/// The views that are unfolded.
pub(super) struct Unfolding<'run> {
    game: &'run GroundGame,
    dependencies: &'run Dependencies,
    goes: Vec<bool>,
}

impl<'run> Unfolding<'run> {
    /// Finds the views all of whose rules have nothing but a few negated literals about moves, and that are only asked for
    /// by rules of the next state and of other views.
    pub(super) fn new(
        game: &'run GroundGame,
        dependencies: &'run Dependencies,
        is_view: impl Fn(u32) -> bool,
    ) -> Self {
        let is_unless = |&rule: &u32| {
            let body = game.rules().rule(rule as usize).body;
            (1..=LONGEST).contains(&body.len())
                && body
                    .iter()
                    .all(|it| it.is_negated() && dependencies.is_transient(AtomId(it.atom())))
        };
        let may_go = |atom: u32| {
            let rules = dependencies.rules_of(AtomId(atom));
            let few = (1..=MOST_RULES).contains(&rules.len());
            let is_own = game.kind(AtomId(atom)) == AtomKind::View;
            is_own && is_view(atom) && few && rules.iter().all(is_unless)
        };
        let mut goes: Vec<bool> = (0..game.atom_count() as u32).map(may_go).collect();
        let next = range_of(game, AtomKind::Next);
        for rule in game.rules().iter() {
            let reads = next.contains(&rule.head) || is_view(rule.head);
            let many =
                rule.body.iter().filter(|it| goes[it.atom() as usize]).count() > MOST_LITERALS;
            for literal in rule.body.iter().filter(|it| it.is_negated() || !reads || many) {
                goes[literal.atom() as usize] = false;
            }
        }
        Unfolding { game, dependencies, goes }
    }

    /// Whether a view is unfolded wherever it is asked for.
    pub(super) fn goes(&self, atom: u32) -> bool {
        self.goes[atom as usize]
    }

    /// Calls a function with each body that a body stands for.
    pub(super) fn for_each_body(
        &self,
        body: &[GroundLiteral],
        mut visit: impl FnMut(&[GroundLiteral]),
    ) {
        let goes = |it: &GroundLiteral| self.goes[it.atom() as usize];
        if !body.iter().any(goes) {
            return visit(body);
        }
        let mut pending = vec![body.to_vec()];
        while let Some(body) = pending.pop() {
            let Some(position) = body.iter().position(goes) else {
                visit(&body);
                continue;
            };
            for &rule in self.dependencies.rules_of(AtomId(body[position].atom())) {
                let mut unfolded = body.clone();
                unfolded.swap_remove(position);
                unfolded.extend_from_slice(self.game.rules().rule(rule as usize).body);
                pending.push(unfolded);
            }
        }
    }
}
