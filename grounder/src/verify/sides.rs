//! Two reasoners that are asked the same.

use fxhash::FxHashMap;

use super::difference::{Difference, Subject, first_difference, of_states};
use super::error::VerifyError;
use crate::description::Printer;
use crate::game::RoleId;
use crate::reasoner::{FluentId, MoveId, Reasoner, ReasonerError, State};

/// What a reasoner says of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answers {
    /// By role.
    pub(super) legal: Vec<Vec<MoveId>>,
    pub(super) terminal: bool,
    /// By role.
    pub(super) goals: Vec<Vec<i64>>,
}

/// Asks for everything that the state alone decides.
pub(super) fn answers(
    reasoner: &mut dyn Reasoner,
    state: &State,
) -> Result<Answers, ReasonerError> {
    let roles = reasoner.roles().len();
    let (mut legal, mut goals) = (vec![Vec::new(); roles], vec![Vec::new(); roles]);
    for role in (0..roles as u32).map(RoleId) {
        reasoner.legal_moves(state, role, &mut legal[role.index()])?;
        reasoner.goal_values(state, role, &mut goals[role.index()])?;
    }
    Ok(Answers { legal, terminal: reasoner.is_terminal(state)?, goals })
}

/// A tested reasoner and its oracle. States and moves are the oracle's, unless said otherwise.
pub(super) struct Sides<'run> {
    pub(super) tested: &'run mut dyn Reasoner,
    pub(super) oracle: &'run mut dyn Reasoner,
    fluents: FxHashMap<FluentId, Option<FluentId>>,
    percepts: bool,
}

impl<'run> Sides<'run> {
    pub(super) fn new(
        tested: &'run mut dyn Reasoner,
        oracle: &'run mut dyn Reasoner,
        percepts: bool,
    ) -> Self {
        Sides { tested, oracle, fluents: FxHashMap::default(), percepts }
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

    /// The first difference in what the state alone decides.
    pub(super) fn at_state(&mut self, state: &State) -> Result<Option<Difference>, VerifyError> {
        let own = self.tested_state(state);
        let tested = answers(self.tested, &own).map_err(VerifyError::Tested)?;
        let oracle = answers(self.oracle, state).map_err(VerifyError::Oracle)?;
        if tested.terminal != oracle.terminal {
            let atom = "terminal".to_owned();
            return Ok(Some(Difference::new(Subject::Terminal, atom, oracle.terminal)));
        }
        for role in self.oracle.role_ids() {
            let name = self.oracle.role_text(role);
            let texts = |reasoner: &dyn Reasoner, answers: &Answers| {
                let moves = &answers.legal[role.index()];
                let mut texts: Vec<String> =
                    moves.iter().map(|&it| reasoner.move_text(it)).collect();
                texts.sort_unstable();
                texts
            };
            let (one, other) = (texts(self.tested, &tested), texts(self.oracle, &oracle));
            if let Some((text, expected)) = first_difference(&one, &other) {
                let atom = format!("(legal {name} {text})");
                return Ok(Some(Difference::new(Subject::Legal, atom, expected)));
            }
            let texts = |answers: &Answers| -> Vec<String> {
                let mut texts: Vec<String> =
                    answers.goals[role.index()].iter().map(i64::to_string).collect();
                texts.sort_unstable();
                texts
            };
            let (one, other) = (texts(&tested), texts(&oracle));
            if let Some((text, expected)) = first_difference(&one, &other) {
                let atom = format!("(goal {name} {text})");
                return Ok(Some(Difference::new(Subject::Goal, atom, expected)));
            }
        }
        Ok(None)
    }

    /// The first difference in what follows when these moves are made, which are legal on both sides.
    pub(super) fn at_step(
        &mut self,
        state: &State,
        moves: &[MoveId],
    ) -> Result<Option<Difference>, VerifyError> {
        let own = self.tested_state(state);
        let mut own_moves = Vec::with_capacity(moves.len());
        for (role, &it) in moves.iter().enumerate() {
            let text = self.oracle.move_text(it);
            let role = RoleId(role as u32);
            let Some(found) = self.tested.find_move(role, &text) else {
                let atom = format!("(legal {} {text})", self.oracle.role_text(role));
                return Ok(Some(Difference::new(Subject::Legal, atom, true)));
            };
            own_moves.push(found);
        }
        let (mut tested, mut oracle) = (State::default(), State::default());
        self.tested.next_state(&own, &own_moves, &mut tested).map_err(VerifyError::Tested)?;
        self.oracle.next_state(state, moves, &mut oracle).map_err(VerifyError::Oracle)?;
        let (one, other) = (self.tested.state_text(&tested), self.oracle.state_text(&oracle));
        let mut found = of_states(Subject::Next, &one, &other);
        if found.is_none() && self.percepts {
            found = self.percepts(&own, &own_moves, state, moves)?;
        }
        Ok(found)
    }

    fn percepts(
        &mut self,
        own: &State,
        own_moves: &[MoveId],
        state: &State,
        moves: &[MoveId],
    ) -> Result<Option<Difference>, VerifyError> {
        let one = self.tested.percepts(own, own_moves).map_err(VerifyError::Tested)?;
        let other = self.oracle.percepts(state, moves).map_err(VerifyError::Oracle)?;
        for (role, (one, other)) in one.iter().zip(&other).enumerate() {
            let texts = |reasoner: &dyn Reasoner, terms: &[crate::description::Term]| {
                let printer = Printer::new(reasoner.symbols());
                terms.iter().map(|it| printer.term(it).to_string()).collect::<Vec<String>>()
            };
            let (one, other) = (texts(self.tested, one), texts(self.oracle, other));
            if let Some((text, expected)) = first_difference(&one, &other) {
                let name = self.oracle.role_text(RoleId(role as u32));
                let atom = format!("(sees {name} {text})");
                return Ok(Some(Difference::new(Subject::Percepts, atom, expected)));
            }
        }
        Ok(None)
    }
}
