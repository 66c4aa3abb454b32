//! Where a match is, as far as one role can tell.

use std::collections::BTreeMap;

use groundfrog::{Description, RoleId};
use groundfrog_reasoner::open::is_imperfect;
use groundfrog_reasoner::{Case, Machine, MoveId, State};

use crate::PeerText;
use crate::belief::{Belief, BeliefLimits, BeliefMethod, BeliefSummary, Opponents, World};
use crate::strategy::StrategyError;
use crate::strategy::Turn;
use crate::text;

/// How many legal moves of a role are turned into text. There may be millions, which nobody looks at.
pub const MOST_LISTED: usize = 10_000;

/// What a role believes about a match, and the reasoner that tells of it.
///
/// There is one world unless the role gets percepts only (GDL-II): see [`Belief`].
#[derive(Clone)]
pub struct Position {
    machine: Machine,
    role: RoleId,
    /// Whether some rule is about `sees`.
    imperfect: bool,
    belief: Belief,
    /// Whether the last moves were written in another case than the description has.
    folded: bool,
}

/// The moves that a role may make, as far as it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LegalMoves {
    /// The moves, ascending; empty at the end of a match.
    pub moves: Vec<MoveId>,
    /// Whether they are legal in every world. Where no move is, these are legal in the likeliest ones.
    pub certain: bool,
}

impl Position {
    /// The initial state, as a role sees it. A role that has the name in other case will do.
    ///
    /// # Errors
    /// There is no such role.
    pub fn new(
        mut machine: Machine,
        description: &Description,
        role: &str,
        opponents: &Opponents,
        seed: u64,
    ) -> Result<Self, StrategyError> {
        let names: Vec<String> = machine.role_ids().map(|it| machine.role_text(it)).collect();
        let exact = names.iter().position(|it| it == role);
        let found =
            exact.or_else(|| names.iter().position(|it| it.to_lowercase() == role.to_lowercase()));
        let role = found.ok_or_else(|| StrategyError::Role(role.to_owned()))?;
        let role = RoleId(role as u32);
        let limits = BeliefLimits::of(&machine);
        let belief = Belief::new(&mut machine, role, opponents, limits, seed);
        let imperfect = is_imperfect(description);
        Ok(Position { machine, role, imperfect, belief, folded: false })
    }

    /// The role.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// The reasoner.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// What the role believes.
    pub fn belief(&self) -> &Belief {
        &self.belief
    }

    /// The states that the role believes possible.
    ///
    /// # Errors
    /// The rules could not be evaluated.
    pub fn summary(&self) -> Result<BeliefSummary, StrategyError> {
        self.belief.summary(&self.machine)
    }

    /// The state, where the role sees everything; elsewhere one that it believes possible.
    pub fn state(&self) -> &State {
        &self.belief.worlds()[0].state
    }

    /// The reasoner, and one of the worlds that the match may be in, drawn by their weights.
    pub fn draw(&mut self) -> (&mut Machine, &World) {
        (&mut self.machine, self.belief.draw())
    }

    /// The reasoner, and what the role believes.
    pub(crate) fn parts(&mut self) -> (&mut Machine, &mut Belief) {
        (&mut self.machine, &mut self.belief)
    }

    /// Whether the moves that were observed last are written in another case than in the description.
    pub fn is_folded(&self) -> bool {
        self.folded
    }

    /// The legal moves of the own role: those that are legal in all worlds where the match goes on, or else those that are legal
    /// in the likeliest ones.
    ///
    /// # Errors
    /// The rules could not be evaluated.
    pub fn legal(&mut self) -> Result<LegalMoves, StrategyError> {
        let mut shares: BTreeMap<MoveId, (usize, f64)> = BTreeMap::new();
        let (mut worlds, mut legal) = (0, Vec::new());
        for world in self.belief.worlds() {
            if self.machine.is_terminal(&world.state)? {
                continue;
            }
            worlds += 1;
            self.machine.legal_moves(&world.state, self.role, &mut legal)?;
            for &it in &legal {
                let share = shares.entry(it).or_default();
                *share = (share.0 + 1, share.1 + world.weight);
            }
        }
        let of = |is_one: &dyn Fn(&(usize, f64)) -> bool| {
            shares.iter().filter(|it| is_one(it.1)).map(|it| *it.0).collect::<Vec<MoveId>>()
        };
        let moves = of(&|it| it.0 == worlds);
        if !moves.is_empty() || shares.is_empty() {
            return Ok(LegalMoves { moves, certain: true });
        }
        let most = shares.values().map(|it| it.1).fold(0.0, f64::max);
        Ok(LegalMoves { moves: of(&|it| it.1 >= most), certain: false })
    }

    /// Goes on to what follows.
    ///
    /// # Errors
    /// What is reported cannot have happened; the position stays what it was.
    pub fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        match turn {
            Turn::Moves(moves) => self.make(moves).or_else(|fault| match self.moves_seen(moves) {
                Ok(seen) => self.make(&seen),
                Err(_) => Err(fault),
            }),
            Turn::Percepts { percepts, .. } if !self.imperfect => {
                let moves = self.moves_seen(percepts)?;
                self.make(&moves)
            }
            Turn::Percepts { own, percepts } => {
                let made = own.as_deref().map(|it| self.find_own(it)).transpose()?;
                let seen = percepts.iter().filter_map(|it| text::compact(it)).collect();
                self.belief.observe_doubting(&mut self.machine, made, seen)?;
                let exact = |(own, made)| {
                    text::compact(own).is_none_or(|own| own == self.machine.move_text(made))
                };
                self.folded = !own.as_deref().zip(made).is_none_or(exact);
                Ok(())
            }
        }
    }

    fn make(&mut self, moves: &[String]) -> Result<(), StrategyError> {
        let state = self.state().clone();
        let made = joint_move(&mut self.machine, &state, moves)?;
        let mut next = State::default();
        self.machine.next_state(&state, &made, &mut next)?;
        self.belief.know(next);
        let exact = |(&known, text): (&MoveId, &String)| {
            text::compact(text).is_some_and(|text| text == self.machine.move_text(known))
        };
        self.folded = !made.iter().zip(moves).all(exact);
        Ok(())
    }

    /// The joint move of percepts `(does ROLE MOVE)`: in GDL-II's protocol a game of GDL is one in which every role sees every move.
    fn moves_seen(&self, percepts: &[String]) -> Result<Vec<String>, StrategyError> {
        let seen: Vec<Vec<String>> = percepts.iter().filter_map(|it| text::elements(it)).collect();
        let made = |role| {
            let name = self.machine.role_text(role);
            let of_role = |words: &&Vec<String>| {
                words.len() == 3
                    && words[0].eq_ignore_ascii_case("does")
                    && words[1].eq_ignore_ascii_case(&name)
            };
            let found = seen.iter().find(of_role).map(|it| it[2].clone());
            found.ok_or_else(|| {
                let fault = format!("the move of `{name}` is not seen: want (does {name} MOVE)");
                StrategyError::Turn(fault)
            })
        };
        self.machine.role_ids().map(made).collect()
    }

    /// The own move that is written so: legal in a world, or else one that the belief does not expect.
    fn find_own(&mut self, own: &str) -> Result<MoveId, StrategyError> {
        let mut fault = None;
        for world in self.belief.worlds() {
            match find_legal(&mut self.machine, &world.state, self.role, own) {
                Ok(found) => return Ok(found),
                Err(error) => fault = Some(error),
            }
        }
        let text = text::compact(own).unwrap_or_default();
        let known = self.machine.read_move(self.role, &text, Case::Folded);
        let is_unsure = self.belief.method() == BeliefMethod::Sampled;
        known.filter(|_| is_unsure).ok_or_else(|| fault.expect("there is a world"))
    }
}

/// The joint move that is written so, in whatever case and with whatever white space.
///
/// # Errors
/// Too many moves, too few, or one that is not legal in the state.
pub fn joint_move(
    machine: &mut Machine,
    state: &State,
    moves: &[String],
) -> Result<Vec<MoveId>, StrategyError> {
    let roles = machine.roles().len();
    if moves.len() != roles {
        let fault = format!("{} moves are given for {roles} roles", moves.len());
        return Err(StrategyError::Turn(fault));
    }
    let ids: Vec<RoleId> = machine.role_ids().collect();
    ids.into_iter().zip(moves).map(|(role, it)| find_legal(machine, state, role, it)).collect()
}

/// The legal move that is written so, in whatever case and with whatever white space.
///
/// # Errors
/// It is no legal move of the role in the state.
pub fn find_legal(
    machine: &mut Machine,
    state: &State,
    role: RoleId,
    text: &str,
) -> Result<MoveId, StrategyError> {
    let mut legal = Vec::new();
    machine.legal_moves(state, role, &mut legal)?;
    let compact = text::compact(text).unwrap_or_default();
    // Only the legal ones are written out: a large game has a million other moves.
    let texts: Vec<String> = legal.iter().map(|&it| machine.move_text(it)).collect();
    let folded = compact.to_lowercase();
    let exact = texts.iter().position(|it| *it == compact);
    let found = exact.or_else(|| texts.iter().position(|it| it.to_lowercase() == folded));
    found.map(|it| legal[it]).ok_or_else(|| {
        let role = machine.role_text(role);
        StrategyError::Turn(format!("`{}` is not legal for `{role}`", PeerText::new(text.trim())))
    })
}
