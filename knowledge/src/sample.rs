//! States that random matches meet: what they refute needs no proof.

use groundfrog::game::{AtomId, GroundGame};
use groundfrog::{Budget, RoleId};
use groundfrog_reasoner::{
    GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State, play_on,
};

/// Of states with so many fluents in all only some are listed.
const MOST_LISTED: usize = 1 << 20;
/// No more states are kept.
const MOST_STATES: usize = 20_000;
/// A match is given up after so many joint moves.
const LONGEST: u32 = 500;

/// A match from the initial state on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    pub(crate) states: Vec<State>,
    /// One joint move less than there are states.
    pub(crate) moves: Vec<Vec<MoveId>>,
}

/// Random matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) matches: Vec<Played>,
}

/// A state of a sample: the match, and how many joint moves were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) played: usize,
    pub(crate) moves: usize,
}

impl Sample {
    /// Plays matches until the time is over or there are enough of them.
    pub(crate) fn new(
        reasoner: &mut GroundReasoner,
        seed: u64,
        matches: usize,
        budget: &Budget,
    ) -> Result<Self, ReasonerError> {
        let mut random = Random::new(seed);
        let mut sample = Sample::default();
        let mut states = 0;
        let is_late = || budget.is_over();
        while sample.matches.len() < matches && states < MOST_STATES {
            // In some matches moves are repeated, as random moves hardly ever are.
            let repeats = sample.matches.len() % 4 == 3;
            let played = play(reasoner, &mut random, repeats, &is_late)?;
            states += played.states.len();
            sample.matches.push(played);
            if is_late() {
                break;
            }
        }
        Ok(sample)
    }

    /// All states.
    pub(crate) fn states(&self) -> impl Iterator<Item = &State> {
        self.matches.iter().flat_map(|it| &it.states)
    }

    /// Each state with the one after it.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&State, &State)> {
        let pairs = self.matches.iter().flat_map(|it| it.states.windows(2));
        pairs.map(|pair| (&pair[0], &pair[1]))
    }

    /// The fluents of states, as atoms: of all, or of those where a joint move is made, with its moves. Where they are very many, only some
    /// states are listed.
    pub(crate) fn atoms(&self, game: &GroundGame, with_moves: bool) -> Vec<Vec<AtomId>> {
        let apart = self.states().map(State::len).sum::<usize>() / MOST_LISTED + 1;
        let states = self.matches.iter().flat_map(|it| {
            let joint = it.moves.iter().map(Some).chain(std::iter::repeat(None));
            it.states.iter().zip(joint)
        });
        let atoms = |(state, joint): (&State, Option<&Vec<MoveId>>)| {
            let joint = if with_moves { joint?.as_slice() } else { &[] };
            let does = joint.iter().map(|made| game.moves()[made.index()].does);
            Some(fluents_of(game, state).chain(does).collect())
        };
        states.step_by(apart).filter_map(atoms).collect()
    }

    /// The moves that lead to a position, as positions in the game's moves; with the one that is made there, if that is asked for.
    pub(crate) fn way(&self, position: Position, with_next: bool) -> Vec<Vec<usize>> {
        let moves = &self.matches[position.played].moves;
        let count = (position.moves + usize::from(with_next)).min(moves.len());
        moves[..count].iter().map(|joint| joint.iter().map(|made| made.index()).collect()).collect()
    }

    /// A position whose state was met before in the same match.
    pub(crate) fn repetition(&self) -> Option<Position> {
        for (played, it) in self.matches.iter().enumerate() {
            let mut seen = fxhash::FxHashSet::default();
            if let Some(moves) = it.states.iter().position(|state| !seen.insert(state)) {
                return Some(Position { played, moves });
            }
        }
        None
    }
}

/// The fluents of a state, as atoms.
pub(crate) fn fluents_of(game: &GroundGame, state: &State) -> impl Iterator<Item = AtomId> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    state.fluents().map(move |fluent| AtomId(first + fluent.0))
}

/// The states after random joint moves out of a state that no match need reach, on after ends as well.
pub(crate) fn walk(
    reasoner: &mut GroundReasoner,
    random: &mut Random,
    mut state: State,
    moves: usize,
) -> Result<Vec<State>, ReasonerError> {
    let (mut states, mut joint) = (Vec::with_capacity(moves), Vec::new());
    for _ in 0..moves {
        if reasoner.random_joint_move(&state, random, &mut joint)?.is_some() {
            break;
        }
        reasoner.advance(&mut state, &joint)?;
        states.push(state.clone());
    }
    Ok(states)
}

fn play(
    reasoner: &mut GroundReasoner,
    random: &mut Random,
    repeats: bool,
    is_late: &dyn Fn() -> bool,
) -> Result<Played, ReasonerError> {
    let (mut state, mut played) = (reasoner.initial().clone(), Played::default());
    let mut legal = Vec::new();
    play_on(
        reasoner,
        &mut state,
        random,
        LONGEST,
        |_| is_late(),
        |reasoner, random, state, moves| {
            if repeats && let Some(last) = played.moves.last() {
                for (role, made) in last.iter().enumerate() {
                    reasoner.legal_moves(state, RoleId(role as u32), &mut legal)?;
                    if legal.contains(made) && random.below(8) > 0 {
                        moves[role] = *made;
                    }
                }
            }
            played.states.push(state.clone());
            played.moves.push(moves.to_vec());
            Ok(())
        },
    )?;
    played.states.push(state);
    Ok(played)
}
