//! What holds in a state of a match, as the reasoner says.

use groundfrog::RoleId;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, GroundReasoner, MoveId, Reasoner, ReasonerError, State};

/// The fluents, legal moves, goals and end of a state; where a joint move is made, also the moves and the next state.
pub(crate) struct Situation<'game> {
    game: &'game GroundGame,
    first: u32,
    /// By atom.
    holds: Vec<bool>,
    held: Vec<AtomId>,
    legal: Vec<MoveId>,
    goals: Vec<i64>,
    /// Goals are looked at where the match is over, and nowhere else.
    pub(crate) ignores_early_goals: bool,
    /// Whether the state has a joint move that leads on.
    pub(crate) is_step: bool,
    pub(crate) is_terminal: bool,
}

impl<'game> Situation<'game> {
    pub(crate) fn new(game: &'game GroundGame) -> Self {
        Situation {
            game,
            first: game.fluents().next().map_or(0, |fluent| fluent.0),
            holds: vec![false; game.atom_count()],
            held: Vec::new(),
            legal: Vec::new(),
            goals: Vec::new(),
            ignores_early_goals: false,
            is_step: false,
            is_terminal: false,
        }
    }

    pub(crate) fn contains(&self, atom: AtomId) -> bool {
        self.holds[atom.index()]
    }

    /// Whether a fluent holds after the joint move.
    pub(crate) fn holds_next(&self, fluent: AtomId) -> bool {
        self.game.next(fluent).is_some_and(|next| self.contains(next))
    }

    /// Enters a state, and what follows it: the moves made there, and the state after them.
    pub(crate) fn enter(
        &mut self,
        reasoner: &mut GroundReasoner,
        state: &State,
        step: Option<(&[MoveId], &State)>,
    ) -> Result<(), ReasonerError> {
        let (game, first) = (self.game, self.first);
        self.enter_known(state, reasoner.is_terminal(state)?, std::iter::empty(), &[]);
        for role in (0..game.roles().len() as u32).map(RoleId) {
            let mut legal = std::mem::take(&mut self.legal);
            reasoner.legal_moves(state, role, &mut legal)?;
            for made in &legal {
                if let Some(legal) = game.moves()[made.index()].legal {
                    self.add(legal);
                }
            }
            self.legal = legal;
            if self.ignores_early_goals && !self.is_terminal {
                continue;
            }
            let mut goals = std::mem::take(&mut self.goals);
            reasoner.goal_values(state, role, &mut goals)?;
            for goal in game.goals_of(role) {
                if goal.value.is_some_and(|value| goals.contains(&value)) {
                    self.add(goal.atom);
                }
            }
            self.goals = goals;
        }
        self.is_step = step.is_some();
        if let Some((moves, after)) = step {
            moves.iter().for_each(|made| self.add(game.moves()[made.index()].does));
            for FluentId(fluent) in after.fluents() {
                if let Some(next) = game.next(AtomId(first + fluent)) {
                    self.add(next);
                }
            }
        }
        Ok(())
    }

    /// Enters a state of which it is known whether it is terminal, which moves are legal, and which goals hold, by their places in the game.
    pub(crate) fn enter_known(
        &mut self,
        state: &State,
        is_terminal: bool,
        legal: impl Iterator<Item = MoveId>,
        goals: &[usize],
    ) {
        self.enter_fluents(state);
        let game = self.game;
        self.is_terminal = is_terminal;
        if is_terminal && let Some(terminal) = game.terminal() {
            self.add(terminal);
        }
        for legal in legal.filter_map(|made| game.moves()[made.index()].legal) {
            self.add(legal);
        }
        for goal in goals.iter().map(|&it| &game.goals()[it]) {
            if goal.value.is_some() {
                self.add(goal.atom);
            }
        }
    }

    /// Enters the fluents of a state, and nothing else.
    pub(crate) fn enter_fluents(&mut self, state: &State) {
        for atom in self.held.drain(..) {
            self.holds[atom.index()] = false;
        }
        self.is_step = false;
        for FluentId(fluent) in state.fluents() {
            self.add(AtomId(self.first + fluent));
        }
    }

    fn add(&mut self, atom: AtomId) {
        if !self.holds[atom.index()] {
            self.holds[atom.index()] = true;
            self.held.push(atom);
        }
    }
}
