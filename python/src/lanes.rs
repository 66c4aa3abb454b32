//! Many matches at once, with moves that are given: the core of `VectorEnv`.

use groundfrog::RoleId;
use groundfrog_reasoner::{
    BitParallel, LANES, MoveId, Perceived, Random, Reasoner as _, ReasonerError,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::calls::{Bounds, caught, run};
use crate::errors::{LimitError, of_reasoner};
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
    #[pyo3(signature = (game, matches, seed, max_memory=None))]
    fn new(
        py: Python<'_>,
        game: &Game,
        matches: usize,
        seed: u64,
        max_memory: Option<u64>,
    ) -> PyResult<Self> {
        if matches == 0 {
            return Err(PyValueError::new_err("at least one match"));
        }
        let is_imperfect = game.is_imperfect();
        let first = game.rules.lanes(py)?;
        let allowed = max_memory.or(game.rules.limits.memory);
        let start = game.rules.reasoner(py)?.initial().clone();
        let game = game.rules.ground_game()?;
        // Rows of observations, masks, goals and what else there is of each match are the caller's.
        let row = game.fluents().len() + game.moves().len() + 32 * game.roles().len() + 32;
        let perceived = first.perceived();
        let perceived = (0..game.roles().len() as u32).map(|it| perceived.width(RoleId(it)));
        let perceived = if is_imperfect { perceived.sum() } else { 0 };
        let block = first.bytes() + 64 * perceived as u64;
        let row = row + perceived;
        let blocks = matches.div_ceil(LANES) as u64;
        let needed = block
            .saturating_mul(blocks)
            .saturating_add((row as u64).saturating_mul(matches as u64));
        if let Some(allowed) = allowed.filter(|&it| needed > it) {
            let [needed, allowed] = [needed, allowed].map(|it| it.div_ceil(1 << 20));
            return Err(LimitError::new_err(format!(
                "{matches} matches take {needed} MiB, and `max_memory` allows {allowed}"
            )));
        }
        let moves = (0..game.roles().len() as u32).map(RoleId).map(|role| {
            let numbered = game.moves().iter().zip(0u32..);
            numbered.filter(|it| it.0.role == role).map(|it| MoveId(it.1)).collect()
        });
        let moves = moves.collect();
        let build = |bounds: Bounds| {
            let block = |number: u64| {
                if bounds.is_over() {
                    return Err(LimitError::new_err("stopped on request"));
                }
                let first_match = number as usize * LANES;
                let matches = LANES.min(matches - first_match);
                let mut play = first.clone();
                play.start_from(&vec![start.clone(); matches]).map_err(|it| of_reasoner(&it))?;
                // Each block draws by itself, so that the result does not depend on threads.
                let random = Random::new(seed.wrapping_add(number));
                let perceived = is_imperfect.then(|| play.perceived());
                Ok(Block { play, perceived, random, first: first_match, matches })
            };
            (0..blocks).map(block).collect::<PyResult<Vec<_>>>()
        };
        Ok(Lanes { blocks: run(py, None, build)??, matches, moves })
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

    /// Makes a joint move in each match that is marked, or none in any where one is refused. `actions` has a column for each role: the
    /// place of a move among those of the role, or -1 for a random one.
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
        let choose = |block: &mut Block| -> Result<Random, ReasonerError> {
            let own = &marked[block.first..][..block.matches];
            let lanes: Vec<usize> = (0..block.matches).filter(|&lane| own[lane]).collect();
            let given = &given[block.first * roles..][..block.matches * roles];
            let mut random = block.random.clone();
            block.play.choose_given(&lanes, given, &mut random)?;
            Ok(random)
        };
        let make = |(block, random): (&mut Block, Random)| {
            block.random = random;
            block.play.make_given(block.perceived.as_mut());
        };
        let blocks = self.blocks.as_mut_slice();
        let stepped = py.detach(|| {
            caught(|| -> Result<(), ReasonerError> {
                if let [single] = blocks {
                    let random = choose(single)?;
                    make((single, random));
                    return Ok(());
                }
                let chosen: Vec<_> = blocks.par_iter_mut().map(choose).collect();
                let chosen: Vec<Random> = chosen.into_iter().collect::<Result<_, _>>()?;
                blocks.par_iter_mut().zip(chosen).for_each(make);
                Ok(())
            })
        });
        stepped?.map_err(|error| of_reasoner(&error))
    }

    /// Looks at all matches: for each role that is asked for what it observes, as `Game.observed(role)` says, or once for all roles where
    /// they see everything; its legal moves, in the order of `Game.moves(role)`; whether each match is over, and the goal values of all
    /// roles where it is: NaN where there is not just one; and whether it cannot go on, as some role has no legal move.
    #[expect(clippy::too_many_arguments, reason = "arrays that are written into")]
    fn look(
        &mut self,
        py: Python<'_>,
        roles: Vec<u32>,
        mut observed: Vec<PyReadwriteArray2<'_, u8>>,
        mut legal: Vec<PyReadwriteArray2<'_, u8>>,
        mut over: PyReadwriteArray1<'_, bool>,
        mut goals: PyReadwriteArray2<'_, f64>,
        mut stuck: PyReadwriteArray1<'_, bool>,
    ) -> PyResult<()> {
        let all = self.moves.len();
        let wrong = || PyValueError::new_err(format!("arrays of {} rows", self.matches));
        let (over, goals) = (over.as_slice_mut()?, goals.as_slice_mut()?);
        let stuck = stuck.as_slice_mut()?;
        if [over.len(), stuck.len()] != [self.matches; 2] || goals.len() != self.matches * all {
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
        if masks.len() != roles.len() {
            return Err(wrong());
        }
        for (&role, mask) in roles.iter().zip(&masks) {
            let known = self.moves.get(role as usize).map(Vec::len);
            if known.is_none_or(|width| mask.len() != self.matches * width) {
                return Err(wrong());
            }
        }
        for (number, view) in views.iter().enumerate() {
            let block = &self.blocks[0];
            let width = match (&block.perceived, roles.get(number)) {
                (None, _) => block.play.game().fluents().len(),
                (Some(perceived), Some(&role)) => perceived.width(RoleId(role)),
                (Some(_), None) => return Err(wrong()),
            };
            if view.len() != self.matches * width {
                return Err(wrong());
            }
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
                lanes.write_stuck(&mut stuck[*first..][..*own]);
                for lane in 0..*own {
                    let row = *first + lane;
                    over[row] = lanes.is_terminal(lane);
                    if !over[row] {
                        continue;
                    }
                    stuck[row] = false;
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
