//! Many matches at once, with moves that are given: the core of `VectorEnv`.

use groundfrog::RoleId;
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, LANES, MoveId, Random, Reasoner, Vocabulary as _, ReasonerError,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::{GroundfrogError, of_reasoner};
use crate::game::Game;

/// Matches of a game, advanced together by the bit-parallel reasoner. Arrays have a row for each match.
#[pyclass(module = "groundfrog._groundfrog")]
pub(crate) struct Lanes {
    blocks: Vec<Block>,
    matches: usize,
    /// By role: the numbers of its moves.
    moves: Vec<Vec<MoveId>>,
}

/// The matches of one bit-parallel reasoner.
struct Block {
    play: BitParallel,
    random: Random,
    first: usize,
    matches: usize,
}

#[pymethods]
impl Lanes {
    #[new]
    fn new(py: Python<'_>, game: &Game, matches: usize, seed: u64) -> PyResult<Self> {
        if matches == 0 {
            return Err(PyValueError::new_err("at least one match"));
        }
        let game = game.ground_game()?;
        let moves = (0..game.roles().len() as u32).map(RoleId).map(|role| {
            let numbered = game.moves().iter().zip(0u32..);
            numbered.filter(|it| it.0.role == role).map(|it| MoveId(it.1)).collect()
        });
        let moves = moves.collect();
        let build = || -> Result<Vec<Block>, String> {
            let first = BitParallel::new(game.clone()).map_err(|error| error.to_string())?;
            let scalar = GroundReasoner::new(game).map_err(|error| error.to_string())?;
            let starts: Vec<usize> = (0..matches).step_by(LANES).collect();
            let mut blocks = Vec::with_capacity(starts.len());
            for (number, &start) in starts.iter().enumerate() {
                let matches = LANES.min(matches - start);
                let mut play = first.clone();
                let states = vec![scalar.initial().clone(); matches];
                play.start_from(&states).map_err(|error| error.to_string())?;
                // Each block draws by itself, so that the result does not depend on threads.
                let random = Random::new(seed.wrapping_add(number as u64));
                blocks.push(Block { play, random, first: start, matches });
            }
            Ok(blocks)
        };
        let blocks = py.detach(build).map_err(GroundfrogError::new_err)?;
        Ok(Lanes { blocks, matches, moves })
    }

    /// Draws from another seed from now on.
    fn seed(&mut self, seed: u64) {
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.random = Random::new(seed.wrapping_add(number as u64));
        }
    }

    /// Puts the matches that are marked back into the initial state.
    fn restart(&mut self, marked: PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        let marked = rows(marked.as_slice()?, self.matches, 1)?;
        for block in &mut self.blocks {
            let own = &marked[block.first..][..block.matches];
            block.play.restart_lanes((0..block.matches).filter(|&lane| own[lane]));
        }
        Ok(())
    }

    /// Makes a joint move in each match that is marked. `actions` has a column for each role: the place of a move among those
    /// of the role, or -1 for a random one.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray2<'_, i64>,
        marked: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<()> {
        let roles = self.moves.len();
        let actions = rows(actions.as_slice()?, self.matches, roles)?;
        let marked = rows(marked.as_slice()?, self.matches, 1)?;
        let mut given = Vec::with_capacity(actions.len());
        for (place, &action) in actions.iter().enumerate() {
            let moves = &self.moves[place % roles];
            given.push(match usize::try_from(action) {
                Err(_) => None,
                Ok(_) if !marked[place / roles] => None,
                Ok(action) => Some(*moves.get(action).ok_or_else(|| {
                    let last = moves.len().saturating_sub(1);
                    PyValueError::new_err(format!(
                        "there is no action {action}: they end with {last}"
                    ))
                })?),
            });
        }
        let step = |block: &mut Block| {
            let own = &marked[block.first..][..block.matches];
            let lanes: Vec<usize> = (0..block.matches).filter(|&lane| own[lane]).collect();
            let given = &given[block.first * roles..][..block.matches * roles];
            block.play.step_given(&lanes, given, &mut block.random)
        };
        let blocks = &mut self.blocks;
        let stepped = py.detach(|| -> Result<(), ReasonerError> {
            match blocks.as_mut_slice() {
                [single] => step(single),
                many => many.par_iter_mut().try_for_each(step),
            }
        });
        stepped.map_err(|error| of_reasoner(&error))
    }

    /// Writes 1 for each fluent that holds, in the order of `Game.fluents`.
    fn observe(&mut self, py: Python<'_>, mut out: PyReadwriteArray2<'_, u8>) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        let width = width(out.len(), self.matches)?;
        let blocks = &mut self.blocks;
        py.detach(|| {
            for block in blocks {
                let own = &mut out[block.first * width..][..block.matches * width];
                block.play.lanes().write_fluents(own);
            }
        });
        Ok(())
    }

    /// Writes 1 for each legal move of a role, in the order of `Game.moves(role)`.
    fn legal(
        &mut self,
        py: Python<'_>,
        role: u32,
        mut out: PyReadwriteArray2<'_, u8>,
    ) -> PyResult<()> {
        let known = self.moves.get(role as usize).map(Vec::len);
        let width =
            known.ok_or_else(|| PyValueError::new_err(format!("there is no role {role}")))?;
        let out = out.as_slice_mut()?;
        if out.len() != self.matches * width {
            return Err(PyValueError::new_err(format!(
                "an array of {} rows of {width}",
                self.matches
            )));
        }
        let blocks = &mut self.blocks;
        py.detach(|| {
            for block in blocks {
                let own = &mut out[block.first * width..][..block.matches * width];
                block.play.lanes().write_legal(RoleId(role), own);
            }
        });
        Ok(())
    }

    /// Writes whether each match is over, and the goal values of each role where it is: NaN where there is not just one.
    fn outcomes(
        &mut self,
        mut over: PyReadwriteArray1<'_, bool>,
        mut goals: PyReadwriteArray2<'_, f64>,
    ) -> PyResult<()> {
        let roles = self.moves.len();
        let (over, goals) = (over.as_slice_mut()?, goals.as_slice_mut()?);
        if over.len() != self.matches || goals.len() != self.matches * roles {
            return Err(PyValueError::new_err(format!("arrays of {} rows", self.matches)));
        }
        for block in &mut self.blocks {
            let lanes = block.play.lanes();
            for lane in 0..block.matches {
                let row = block.first + lane;
                over[row] = lanes.is_terminal(lane);
                if !over[row] {
                    continue;
                }
                for (role, goal) in goals[row * roles..][..roles].iter_mut().enumerate() {
                    let values = lanes.goal_values(lane, RoleId(role as u32));
                    *goal = if let [value] = values[..] { value as f64 } else { f64::NAN };
                }
            }
        }
        Ok(())
    }
}

/// A slice with as many rows as there are matches.
fn rows<T>(slice: &[T], matches: usize, width: usize) -> PyResult<&[T]> {
    if slice.len() != matches * width {
        let fault =
            format!("{} values were given for {matches} matches of {width} each", slice.len());
        return Err(PyValueError::new_err(fault));
    }
    Ok(slice)
}

/// How long rows are.
fn width(values: usize, matches: usize) -> PyResult<usize> {
    if !values.is_multiple_of(matches) {
        return Err(PyValueError::new_err(format!("an array of {matches} rows")));
    }
    Ok(values / matches)
}
