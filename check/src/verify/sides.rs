//! Two reasoners that answer the same questions.

use fxhash::FxHashMap;

use super::answers::Answers;
use super::difference::{Difference, Subject};
use super::error::VerifyError;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{FluentId, MoveId, Reasoner, State};

/// A tested reasoner and its oracle. States and moves are the oracle's, unless noted otherwise.
pub(super) struct Sides<'run> {
    pub(super) tested: &'run mut dyn Reasoner,
    pub(super) oracle: &'run mut dyn Reasoner,
    roles: Vec<String>,
    fluents: FxHashMap<FluentId, Option<FluentId>>,
}

impl<'run> Sides<'run> {
    pub(super) fn new(tested: &'run mut dyn Reasoner, oracle: &'run mut dyn Reasoner) -> Self {
        let roles = oracle.role_ids().map(|it| oracle.role_text(it)).collect();
        Sides { tested, oracle, roles, fluents: FxHashMap::default() }
    }

    /// The state as the tested reasoner numbers it. A fluent that it does not know cannot hold there.
    fn tested_state(&mut self, state: &State) -> State {
        let mut own = State::default();
        for fluent in state.fluents() {
            let (tested, oracle) = (&mut *self.tested, &*self.oracle);
            let number = || tested.find_fluent(&oracle.fluent_text(fluent));
            if let Some(number) = *self.fluents.entry(fluent).or_insert_with(number) {
                own.insert(number);
            }
        }
        own
    }

    /// The first difference in how matches begin.
    pub(super) fn at_start(&self) -> Result<Option<Difference>, VerifyError> {
        let tested = Answers::of_start(self.tested).map_err(VerifyError::Tested)?;
        let oracle = Answers::of_start(self.oracle).map_err(VerifyError::Oracle)?;
        Ok(tested.difference(&oracle, &self.roles))
    }

    /// The first difference in what the state alone decides.
    pub(super) fn at_state(&mut self, state: &State) -> Result<Option<Difference>, VerifyError> {
        let own = self.tested_state(state);
        let tested = Answers::of_state(self.tested, &own).map_err(VerifyError::Tested)?;
        let oracle = Answers::of_state(self.oracle, state).map_err(VerifyError::Oracle)?;
        Ok(tested.difference(&oracle, &self.roles))
    }

    /// The first difference in what follows when these moves are made, which are legal on both sides.
    pub(super) fn at_step(
        &mut self,
        state: &State,
        moves: &[MoveId],
    ) -> Result<Option<Difference>, VerifyError> {
        let own = self.tested_state(state);
        let mut own_moves = Vec::with_capacity(moves.len());
        for (role, &it) in self.roles.iter().zip(moves) {
            let text = self.oracle.move_text(it);
            let Some(found) = self.tested.find_move(RoleId(own_moves.len() as u32), &text) else {
                let atom = format!("(legal {role} {text})");
                return Ok(Some(Difference::new(Subject::Legal, atom, true)));
            };
            own_moves.push(found);
        }
        let tested =
            Answers::of_step(self.tested, &own, &own_moves).map_err(VerifyError::Tested)?;
        let oracle = Answers::of_step(self.oracle, state, moves).map_err(VerifyError::Oracle)?;
        Ok(tested.difference(&oracle, &self.roles))
    }
}
