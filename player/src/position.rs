//! Where a match is, as far as one role can tell.

use fxhash::FxHashSet;
use groundfrog::RoleId;
use groundfrog::kif::Printer;
use groundfrog_reasoner::{MoveId, Random, State};

use crate::PeerText;
use crate::machine::Machine;
use crate::strategy::{StrategyError, Turn};
use crate::text;

/// How many states are followed where a role does not see all.
const MOST_STATES: usize = 256;
/// Joint moves that are tried for one state before some are drawn at random.
const MOST_JOINT_MOVES: usize = 1024;
/// Joint moves that are made to find a state that fits everything seen, before that is given up.
const MOST_SEARCHED: usize = 100_000;

/// The states that a match may be in, and the reasoner that tells of them.
///
/// There is one state unless the role gets percepts only (GDL-II): then some of those that agree with all that was seen
/// are followed, and the legal moves are the same in all of them, as GDL-II demands.
#[derive(Clone)]
pub struct Position {
    machine: Machine,
    role: RoleId,
    states: Vec<State>,
    /// Own moves and percepts from the beginning.
    history: Vec<(MoveId, Vec<String>)>,
    random: Random,
    /// Whether the last moves were written in another case than the description has.
    folded: bool,
}

impl Position {
    /// The initial state, as a role sees it. A role that has the name in other case will do.
    ///
    /// # Errors
    /// There is no such role.
    pub fn new(machine: Machine, role: &str, seed: u64) -> Result<Self, StrategyError> {
        let names: Vec<String> = machine.role_ids().map(|it| machine.role_text(it)).collect();
        let exact = names.iter().position(|it| it == role);
        let found =
            exact.or_else(|| names.iter().position(|it| it.to_lowercase() == role.to_lowercase()));
        let role = found.ok_or_else(|| StrategyError::Role(role.to_owned()))?;
        let states = vec![machine.initial().clone()];
        Ok(Position {
            machine,
            role: RoleId(role as u32),
            states,
            history: Vec::new(),
            random: Random::new(seed),
            folded: false,
        })
    }

    /// The role.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// The reasoner.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// The states that the match may be in; at least one.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The reasoner, and one of the states that the match may be in, drawn at random.
    pub fn draw(&mut self) -> (&mut Machine, &State) {
        let drawn = self.random.below(self.states.len() as u32) as usize;
        (&mut self.machine, &self.states[drawn])
    }

    /// Whether the moves that were observed last are written in another case than in the description.
    pub fn is_folded(&self) -> bool {
        self.folded
    }

    /// The legal moves of the own role, ascending; empty at the end of a match.
    ///
    /// # Errors
    /// The rules could not be evaluated.
    pub fn legal(&mut self) -> Result<Vec<MoveId>, StrategyError> {
        let mut legal = Vec::new();
        self.machine.legal_moves(&self.states[0], self.role, &mut legal)?;
        Ok(legal)
    }

    /// Goes on to what follows.
    ///
    /// # Errors
    /// What is reported cannot have happened; the position stays what it was.
    pub fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        match turn {
            Turn::Moves(moves) => {
                let state = self.states[0].clone();
                let made = joint_move(&mut self.machine, &state, moves)?;
                let mut next = State::default();
                self.machine.next_state(&state, &made, &mut next)?;
                self.states = vec![next];
                let exact = |(&it, text): (&MoveId, &String)| {
                    text::compact(text).is_some_and(|text| text == self.machine.move_text(it))
                };
                self.folded = !made.iter().zip(moves).all(exact);
                Ok(())
            }
            Turn::Percepts { own, percepts } => {
                let own = own.as_deref().ok_or_else(|| {
                    StrategyError::Turn("nothing tells which own move was made".into())
                })?;
                let state = self.states[0].clone();
                let made = find_legal(&mut self.machine, &state, self.role, own)?;
                let folded =
                    text::compact(own).is_some_and(|own| own != self.machine.move_text(made));
                let seen = sorted(percepts.iter().filter_map(|it| text::compact(it)).collect());
                self.perceive(made, seen)?;
                self.folded = folded;
                Ok(())
            }
        }
    }

    fn perceive(&mut self, own: MoveId, seen: Vec<String>) -> Result<(), StrategyError> {
        let mut found: FxHashSet<State> = FxHashSet::default();
        let mut next_states = Vec::new();
        for index in 0..self.states.len() {
            let state = self.states[index].clone();
            for moves in self.joint_moves(&state, own)? {
                if let Some(next) = self.follow(&state, &moves, &seen)?
                    && found.insert(next.clone())
                {
                    next_states.push(next);
                }
            }
        }
        self.history.push((own, seen));
        if next_states.is_empty() {
            match self.search() {
                Ok(Some(state)) => next_states.push(state),
                result => {
                    self.history.pop();
                    result?;
                    let fault = "no state that was followed agrees with what is seen";
                    return Err(StrategyError::Turn(fault.into()));
                }
            }
        }
        while next_states.len() > MOST_STATES {
            let drawn = self.random.below(next_states.len() as u32) as usize;
            next_states.swap_remove(drawn);
        }
        self.states = next_states;
        Ok(())
    }

    /// The joint moves in a state with this own move, or some of them.
    fn joint_moves(
        &mut self,
        state: &State,
        own: MoveId,
    ) -> Result<Vec<Vec<MoveId>>, StrategyError> {
        let mut choices: Vec<Vec<MoveId>> = Vec::new();
        let mut legal = Vec::new();
        for role in self.machine.role_ids() {
            self.machine.legal_moves(state, role, &mut legal)?;
            if role != self.role {
                choices.push(legal.clone());
            } else if legal.binary_search(&own).is_ok() {
                choices.push(vec![own]);
            } else {
                return Ok(Vec::new());
            }
        }
        let product = choices.iter().try_fold(1usize, |all, it| all.checked_mul(it.len()));
        if product == Some(0) {
            return Ok(Vec::new());
        }
        if product.is_some_and(|it| it <= MOST_JOINT_MOVES) {
            let mut all = vec![Vec::new()];
            for choice in &choices {
                let longer = |made: Vec<MoveId>| {
                    choice.iter().map(move |&it| [made.as_slice(), &[it]].concat())
                };
                all = all.into_iter().flat_map(longer).collect();
            }
            return Ok(all);
        }
        let random = &mut self.random;
        let mut draw = |it: &Vec<MoveId>| it[random.below(it.len() as u32) as usize];
        Ok((0..MOST_JOINT_MOVES).map(|_| choices.iter().map(&mut draw).collect()).collect())
    }

    /// The state that follows, if the role then sees this.
    fn follow(
        &mut self,
        state: &State,
        moves: &[MoveId],
        seen: &[String],
    ) -> Result<Option<State>, StrategyError> {
        let percepts = self.machine.percepts(state, moves)?;
        let printer = Printer::new(self.machine.symbols());
        let own = percepts[self.role.index()].iter().map(|it| printer.term(it).to_string());
        let own = sorted(own.collect());
        let same = own.len() == seen.len() && (own == seen || lower(&own) == lower(seen));
        if !same {
            return Ok(None);
        }
        let mut next = State::default();
        self.machine.next_state(state, moves, &mut next)?;
        Ok(Some(next))
    }

    /// A state that agrees with all that was seen, found from the beginning by depth first.
    fn search(&mut self) -> Result<Option<State>, StrategyError> {
        let history = self.history.clone();
        let mut tried = 0;
        // States with the joint moves that are yet to be tried in them.
        let initial = self.machine.initial().clone();
        let mut moves = self.joint_moves(&initial, history[0].0)?;
        self.shuffle(&mut moves);
        let mut path = vec![(initial, moves)];
        while let Some((state, moves)) = path.last_mut() {
            let Some(made) = moves.pop() else {
                path.pop();
                continue;
            };
            tried += 1;
            if tried > MOST_SEARCHED {
                return Ok(None);
            }
            let state = state.clone();
            let depth = path.len();
            let Some(next) = self.follow(&state, &made, &history[depth - 1].1)? else { continue };
            let Some(&(own, _)) = history.get(depth) else { return Ok(Some(next)) };
            let mut moves = self.joint_moves(&next, own)?;
            self.shuffle(&mut moves);
            path.push((next, moves));
        }
        Ok(None)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.random.below(last as u32 + 1) as usize);
        }
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

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    texts
}

/// In lower case, sorted anew.
fn lower(texts: &[String]) -> Vec<String> {
    sorted(texts.iter().map(|it| it.to_lowercase()).collect())
}
