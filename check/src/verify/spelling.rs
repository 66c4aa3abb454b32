//! Recorded names as a reasoner writes them: servers may have changed the case of letters.

use std::collections::BTreeMap;

use fxhash::FxHashMap;

use super::trace::TracePosition;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{Case, Reasoner};

/// Fluents and moves that were met, each with how the reasoner writes it.
#[derive(Default)]
pub(super) struct Spelling {
    fluents: FxHashMap<String, String>,
    moves: FxHashMap<(RoleId, String), String>,
}

impl Spelling {
    /// A position with what the reasoner knows written as it writes it; the rest is left as it is.
    pub(super) fn of(
        &mut self,
        position: &TracePosition,
        reasoner: &mut dyn Reasoner,
    ) -> TracePosition {
        let state = position.state.iter().map(|it| self.fluent(it, reasoner)).collect();
        let legal = position.legal.iter().map(|(name, texts)| {
            let role = reasoner.find_role(name, Case::Folded);
            let texts = texts.iter().map(|it| self.one_move(role, it, reasoner)).collect();
            (role_text(role, name, reasoner), texts)
        });
        let legal: BTreeMap<String, Vec<String>> = legal.collect();
        let goal = position.goal.iter().map(|(name, values)| {
            let role = reasoner.find_role(name, Case::Folded);
            (role_text(role, name, reasoner), values.clone())
        });
        let goal = goal.collect();
        let moves = position.moves.as_ref().map(|moves| {
            let made = moves.iter().map(|(name, text)| {
                let role = reasoner.find_role(name, Case::Folded);
                (role_text(role, name, reasoner), self.one_move(role, text, reasoner))
            });
            made.collect()
        });
        TracePosition { state, legal, goal, moves, ..position.clone() }
    }

    fn fluent(&mut self, text: &str, reasoner: &mut dyn Reasoner) -> String {
        if let Some(known) = self.fluents.get(text) {
            return known.clone();
        }
        let found = reasoner.read_fluent(text, Case::Folded);
        let own = found.map_or_else(|| text.to_owned(), |it| reasoner.fluent_text(it));
        self.fluents.insert(text.to_owned(), own.clone());
        own
    }

    fn one_move(
        &mut self,
        role: Option<RoleId>,
        text: &str,
        reasoner: &mut dyn Reasoner,
    ) -> String {
        let Some(role) = role else { return text.to_owned() };
        let key = (role, text.to_owned());
        if let Some(known) = self.moves.get(&key) {
            return known.clone();
        }
        let found = reasoner.read_move(role, text, Case::Folded);
        let own = found.map_or_else(|| text.to_owned(), |it| reasoner.move_text(it));
        self.moves.insert(key, own.clone());
        own
    }
}

fn role_text(role: Option<RoleId>, name: &str, reasoner: &dyn Reasoner) -> String {
    role.map_or_else(|| name.to_owned(), |it| reasoner.role_text(it))
}
