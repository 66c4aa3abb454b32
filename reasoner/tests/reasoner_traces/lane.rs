//! A reasoner that answers from a lane of bit-parallel play.

use groundfrog::description::Term;
use groundfrog::game::RoleId;
use groundfrog::symbols::Symbols;
use groundfrog_reasoner::{
    BitParallel, Case, FluentId, GroundReasoner, MoveId, PerceptId, Reasoner, ReasonerError, State,
    Vocabulary,
};

/// The lane that is asked; those before it are in the initial state.
const LANE: usize = 67;

pub struct LaneReasoner {
    /// For names, and for percepts, which bit-parallel play leaves out.
    scalar: GroundReasoner,
    lanes: BitParallel,
    /// The state of the lane.
    entered: Option<State>,
}

impl LaneReasoner {
    pub fn new(scalar: GroundReasoner, lanes: BitParallel) -> Self {
        LaneReasoner { scalar, lanes, entered: None }
    }

    fn enter(&mut self, state: &State) -> Result<(), ReasonerError> {
        if self.entered.as_ref() != Some(state) {
            let mut states = vec![self.scalar.initial().clone(); LANE];
            states.push(state.clone());
            self.lanes.start_from(&states)?;
            self.entered = Some(state.clone());
        }
        Ok(())
    }
}

impl Vocabulary for LaneReasoner {
    fn symbols(&self) -> &Symbols {
        self.scalar.symbols()
    }

    fn roles(&self) -> &[Term] {
        self.scalar.roles()
    }

    fn percept(&self, percept: PerceptId) -> Term {
        self.scalar.percept(percept)
    }

    fn fluent_count(&self) -> usize {
        self.scalar.fluent_count()
    }

    fn read_fluent(&mut self, text: &str, case: Case) -> Option<FluentId> {
        self.scalar.read_fluent(text, case)
    }

    fn read_move(&mut self, role: RoleId, text: &str, case: Case) -> Option<MoveId> {
        self.scalar.read_move(role, text, case)
    }

    fn fluent(&self, fluent: FluentId) -> Term {
        self.scalar.fluent(fluent)
    }

    fn move_term(&self, it: MoveId) -> (RoleId, Term) {
        self.scalar.move_term(it)
    }
}

impl Reasoner for LaneReasoner {
    fn initial(&self) -> &State {
        self.scalar.initial()
    }

    fn legal_moves(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.enter(state)?;
        *moves = self.lanes.lanes().legal_moves(LANE, role);
        Ok(())
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonerError> {
        self.enter(state)?;
        Ok(self.lanes.lanes().is_terminal(LANE))
    }

    fn goal_values(
        &mut self,
        state: &State,
        role: RoleId,
        values: &mut Vec<i64>,
    ) -> Result<(), ReasonerError> {
        self.enter(state)?;
        *values = self.lanes.lanes().goal_values(LANE, role);
        Ok(())
    }

    fn next_state(
        &mut self,
        state: &State,
        moves: &[MoveId],
        next: &mut State,
    ) -> Result<(), ReasonerError> {
        self.enter(state)?;
        let mut joint = vec![Vec::new(); LANE];
        joint.push(moves.to_vec());
        self.lanes.advance(&joint)?;
        self.entered = None;
        *next = self.lanes.lane_state(LANE).expect("begun");
        Ok(())
    }

    fn perceive(
        &mut self,
        state: &State,
        moves: &[MoveId],
        seen: &mut Vec<Vec<PerceptId>>,
    ) -> Result<(), ReasonerError> {
        self.scalar.perceive(state, moves, seen)
    }
}
