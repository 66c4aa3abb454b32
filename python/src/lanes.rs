//! Many matches at once, with moves that are given: the core of `VectorEnv`.

use groundfrog::RoleId;
use groundfrog_reasoner::{
    BitParallel, GroundReasoner, LANES, MoveId, Perceived, Random, Reasoner as _, ReasonerError,
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
    /// What roles know, in a game with percepts.
    perceived: Option<Perceived>,
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
        let is_imperfect = game.is_imperfect();
        let first = game.rules.lanes()?;
        let game = game.ground_game()?;
        let moves = (0..game.roles().len() as u32).map(RoleId).map(|role| {
            let numbered = game.moves().iter().zip(0u32..);
            numbered.filter(|it| it.0.role == role).map(|it| MoveId(it.1)).collect()
        });
        let moves = moves.collect();
        let build = || -> Result<Vec<Block>, String> {
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
                let perceived = is_imperfect.then(|| play.perceived());
                blocks.push(Block { play, perceived, random, first: start, matches });
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
            let lanes = || (0..block.matches).filter(|&lane| own[lane]);
            block.play.restart_lanes(lanes());
            if let Some(perceived) = &mut block.perceived {
                perceived.forget(lanes());
            }
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
            let Block { play, perceived, random, .. } = block;
            match perceived {
                Some(perceived) => play.step_perceived_given(&lanes, given, random, perceived),
                None => play.step_given(&lanes, given, random),
            }
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

    /// Looks at all matches: for each role that is asked for what it observes, as `Game.observed(role)` says, or once for all roles where
    /// they see everything; its legal moves, in the order of `Game.moves(role)`; whether each match is over, and the goal values of all
    /// roles where it is: NaN where there is not just one.
    fn look(
        &mut self,
        py: Python<'_>,
        roles: Vec<u32>,
        mut observed: Vec<PyReadwriteArray2<'_, u8>>,
        mut legal: Vec<PyReadwriteArray2<'_, u8>>,
        mut over: PyReadwriteArray1<'_, bool>,
        mut goals: PyReadwriteArray2<'_, f64>,
    ) -> PyResult<()> {
        let all = self.moves.len();
        let wrong = || PyValueError::new_err(format!("arrays of {} rows", self.matches));
        let (over, goals) = (over.as_slice_mut()?, goals.as_slice_mut()?);
        if over.len() != self.matches || goals.len() != self.matches * all {
            return Err(wrong());
        }
        let mut views = Vec::with_capacity(roles.len());
        let mut masks = Vec::with_capacity(roles.len());
        for array in &mut observed {
            views.push(array.as_slice_mut()?);
        }
        for array in &mut legal {
            masks.push(array.as_slice_mut()?);
        }
        for (&role, mask) in roles.iter().zip(&masks) {
            let known = self.moves.get(role as usize).map(Vec::len);
            if known.is_none_or(|width| mask.len() != self.matches * width) {
                return Err(wrong());
            }
        }
        if masks.len() != roles.len() || views.iter().any(|it| it.len() % self.matches != 0) {
            return Err(wrong());
        }
        let (blocks, matches) = (&mut self.blocks, self.matches);
        py.detach(|| {
            for block in blocks {
                let Block { play, perceived, first, matches: own, .. } = block;
                let part = |slice: &mut [u8]| {
                    let width = slice.len() / matches;
                    *first * width..(*first + *own) * width
                };
                let lanes = play.lanes();
                // Where everything is seen, who observes does not matter: it may be nobody.
                for (number, view) in views.iter_mut().enumerate() {
                    let rows = part(view);
                    match (&*perceived, roles.get(number)) {
                        (None, _) => lanes.write_fluents(&mut view[rows]),
                        (Some(perceived), Some(&role)) => {
                            perceived.write(RoleId(role), &mut view[rows]);
                        }
                        (Some(_), None) => {}
                    }
                }
                for (mask, &role) in masks.iter_mut().zip(&roles) {
                    let rows = part(mask);
                    lanes.write_legal(RoleId(role), &mut mask[rows]);
                }
                for lane in 0..*own {
                    let row = *first + lane;
                    over[row] = lanes.is_terminal(lane);
                    if !over[row] {
                        continue;
                    }
                    for (role, goal) in goals[row * all..][..all].iter_mut().enumerate() {
                        let values = lanes.goal_values(lane, RoleId(role as u32));
                        *goal = if let [value] = values[..] { value as f64 } else { f64::NAN };
                    }
                }
            }
        });
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
