//! Matches whose moves are given from outside, in all lanes at once, and what holds in them as rows of bytes: what learners step.
//!
//! In games with percepts [`Perceived`] has what roles know of the matches: their own moves and what they perceived.

use std::sync::Arc;

use groundfrog::game::RoleId;

use super::lanes::Block;
use super::program::block_of;
use super::{BitParallel, Lanes};
use crate::network::Code;
use crate::{MoveId, PerceptId, PlayoutEnd, Random, ReasonerError};

impl BitParallel {
    /// Puts lanes that were begun by [`BitParallel::start_from`] back into the initial state.
    ///
    /// # Panics
    /// If a lane was not begun.
    pub fn restart_lanes(&mut self, lanes: impl IntoIterator<Item = usize>) {
        let mut restarted = Block::NONE;
        for lane in lanes {
            restarted.insert(lane);
            self.steps[lane] = 0;
            self.started.begin_again(lane);
        }
        for (node, &holds) in self.nodes.iter_mut().zip(&self.initial) {
            *node = (*node & !restarted) | (Block::splat(holds) & restarted);
        }
    }

    /// Makes a joint move in each of these lanes. `given` has a row for each of the first lanes, with an entry for each role;
    /// roles without a move choose evenly among their legal ones.
    ///
    /// ```
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, Random, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// let mut scalar = GroundReasoner::of_text(rules)?;
    /// let (start, first) = (scalar.initial().clone(), scalar.role_ids().next().ok_or("a role")?);
    /// let take = scalar.find_move(first, "(reduce a 0)").ok_or("a move")?;
    /// let mut lanes = BitParallel::new(scalar.game().clone())?;
    /// lanes.start_from(&[start.clone(), start.clone()])?;
    /// lanes.step_given(&[1], &[None, None, Some(take), None], &mut Random::new(1))?;
    /// assert_eq!(lanes.lane_state(0), Some(start.clone()), "only the second lane has moved");
    /// let heap = scalar.find_fluent("(heap a 0)").ok_or("a fluent")?;
    /// assert!(lanes.lane_state(1).is_some_and(|it| it.contains(heap)));
    /// let mut bytes = vec![0; 2 * lanes.game().fluents().len()];
    /// lanes.lanes().write_fluents(&mut bytes);
    /// let (before, after) = bytes.split_at(bytes.len() / 2);
    /// assert_eq!((before[heap.index()], after[heap.index()]), (0, 1));
    /// assert!(lanes.step_given(&[1], &[None, None, Some(take), None], &mut Random::new(1)).is_err(), "it is no longer legal");
    /// lanes.restart_lanes([1]);
    /// assert_eq!(lanes.lane_state(1), Some(start));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReasonerError::IllegalMove`] and its like for a move that was given, [`ReasonerError::NoLegalMove`] where a role that
    /// is to choose has none. Nothing is moved then.
    ///
    /// # Panics
    /// If `given` has no whole rows or more than there are lanes, or a lane has none.
    pub fn step_given(
        &mut self,
        lanes: &[usize],
        given: &[Option<MoveId>],
        random: &mut Random,
    ) -> Result<(), ReasonerError> {
        self.choose_given(lanes, given, random)?;
        self.make_given(None);
        Ok(())
    }

    /// Chooses the moves of [`BitParallel::step_given`] and does not make them: [`BitParallel::make_given`] does, so that many blocks
    /// of lanes can be moved all or none.
    ///
    /// # Errors
    /// As [`BitParallel::step_given`].
    ///
    /// # Panics
    /// As [`BitParallel::step_given`].
    pub fn choose_given(
        &mut self,
        lanes: &[usize],
        given: &[Option<MoveId>],
        random: &mut Random,
    ) -> Result<(), ReasonerError> {
        let roles = self.game.roles().len();
        let rows = given.len() / roles;
        assert!(
            given.len() == rows * roles && rows <= self.started.playouts.len(),
            "a row for each lane"
        );
        let compiled = Arc::clone(&self.compiled);
        compiled.status.run(&mut self.nodes);
        let mut moving = Block::NONE;
        lanes.iter().for_each(|&lane| moving.insert(lane));
        self.playing = moving;
        for role in 0..roles {
            // What is given in all lanes need not be drawn.
            if lanes.iter().any(|&lane| given[lane * roles + role].is_none()) {
                self.choose_of(&compiled, role, random);
            }
        }
        if let Some(lane) = (moving & !self.playing).lanes().next() {
            let PlayoutEnd::Stuck(role) = self.stuck_role(lane) else {
                unreachable!("a role is stuck")
            };
            return Err(ReasonerError::NoLegalMove { role: self.role_text(role) });
        }
        let first = self.initial.len();
        for (role, legal) in compiled.legal.iter().enumerate() {
            let mut drawn = moving;
            lanes
                .iter()
                .filter(|&&lane| given[lane * roles + role].is_some())
                .for_each(|&lane| drawn.remove(lane));
            legal.iter().for_each(|it| self.nodes[first + it.0 as usize] &= drawn);
            for &lane in lanes {
                let Some(made) = given[lane * roles + role] else { continue };
                self.check_move(lane, role, made)?;
                self.nodes[first + made.index()].insert(lane);
            }
        }
        Ok(())
    }

    /// Nothing is perceived yet in any lane.
    pub fn perceived(&self) -> Perceived {
        let first = self.initial.len() as u32;
        let roles = (0..self.game.roles().len() as u32).map(RoleId);
        let columns: Vec<Vec<Code>> = roles
            .map(|role| {
                let (moves, percepts) = self.observed(role);
                let moves = moves.into_iter().map(|it| (first + it.0) << 1);
                let percepts =
                    percepts.into_iter().map(|it| self.compiled.network.percepts[it.index()].code);
                moves.chain(percepts).collect()
            })
            .collect();
        let last: Vec<Vec<Block>> = columns.iter().map(|it| vec![Block::NONE; it.len()]).collect();
        Perceived { columns, ever: last.clone(), last }
    }

    /// What a role can tell apart: its moves, and what it can perceive.
    pub fn observed(&self, role: RoleId) -> (Vec<MoveId>, Vec<PerceptId>) {
        let moves = self.game.moves().iter().zip(0..).filter(|it| it.0.role == role);
        let percepts = &self.compiled.network.percepts;
        let percepts = percepts.iter().zip(0..).filter(|it| it.0.role == role);
        (moves.map(|it| MoveId(it.1)).collect(), percepts.map(|it| PerceptId(it.1)).collect())
    }

    /// Makes the moves that [`BitParallel::choose_given`] has chosen, and notes what is perceived where that is wanted.
    ///
    /// ```
    /// # use groundfrog::RoleId;
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, Random, Reasoner, Vocabulary};
    /// # let rules = groundfrog_corpus::game("card_draw").expect("a game").text;
    /// let cards = GroundReasoner::of_text(rules)?;
    /// let mut lanes = BitParallel::new(cards.game().clone())?;
    /// let mut perceived = lanes.perceived();
    /// lanes.start_from(&[cards.initial().clone(), cards.initial().clone()])?;
    /// lanes.choose_given(&[1], &[None; 6], &mut Random::new(1))?;
    /// lanes.make_given(Some(&mut perceived));
    /// let alma = RoleId(1);
    /// let mut rows = vec![0; 2 * perceived.width(alma)];
    /// perceived.write(alma, &mut rows);
    /// let (first, second) = rows.split_at(perceived.width(alma));
    /// assert_eq!(first.iter().sum::<u8>(), 0, "the first lane has not moved");
    /// assert_eq!(second.iter().sum::<u8>(), 4, "a move and a card, in this step and ever");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn make_given(&mut self, perceived: Option<&mut Perceived>) {
        let Some(perceived) = perceived else { return self.make_moves() };
        let compiled = Arc::clone(&self.compiled);
        compiled.next.run(&mut self.nodes);
        compiled.percepts.run(&mut self.nodes);
        let moving = self.playing;
        let columns = perceived.columns.iter().flatten();
        let noted = perceived.last.iter_mut().flatten().zip(perceived.ever.iter_mut().flatten());
        for (&code, (last, ever)) in columns.zip(noted) {
            let holds = block_of(code, &self.nodes) & moving;
            *last = (*last & !moving) | holds;
            *ever |= holds;
        }
        self.enter_next();
    }
}

impl Lanes<'_> {
    /// Writes a row of bytes for each lane up to a number: 1 for each fluent that holds, in the order of the game's fluents, and
    /// 0 for the others.
    ///
    /// # Panics
    /// If `out` is no whole number of rows.
    pub fn write_fluents(&self, out: &mut [u8]) {
        let rows = 0..self.play.initial.len();
        write_rows(out, rows.map(|fluent| self.play.nodes[fluent]));
    }

    /// Writes a row of bytes for each lane up to a number: 1 for each move of a role that is legal, in the order of the role's
    /// moves, and 0 for the others.
    ///
    /// # Panics
    /// As [`Lanes::write_fluents`], or if there is no such role.
    pub fn write_legal(&self, role: RoleId, out: &mut [u8]) {
        let moves = self.play.game.moves().iter().zip(0u32..);
        let own: Vec<u32> = moves.filter(|it| it.0.role == role).map(|it| it.1).collect();
        let codes = &self.play.compiled.legal[role.index()];
        let row = |number: &u32| match codes.binary_search_by_key(number, |it| it.0) {
            Ok(place) => block_of(codes[place].1, &self.play.nodes),
            Err(_) => Block::NONE,
        };
        write_rows(out, own.iter().map(row));
    }

    /// Writes for each lane up to a number whether some role has no legal move.
    ///
    /// # Panics
    /// If `out` has more than there are lanes.
    pub fn write_stuck(&self, out: &mut [bool]) {
        let able = self.play.compiled.legal.iter().fold(Block::ALL, |able, moves| {
            let codes = moves.iter().map(|it| block_of(it.1, &self.play.nodes));
            able & codes.fold(Block::NONE, |any, it| any | it)
        });
        out.iter_mut().enumerate().for_each(|(lane, stuck)| *stuck = !able.contains(lane));
    }
}

/// Writes columns of lanes as rows of bytes.
fn write_rows(out: &mut [u8], columns: impl ExactSizeIterator<Item = Block>) {
    let width = columns.len();
    out.fill(0);
    if width == 0 {
        return;
    }
    assert_eq!(out.len() % width, 0, "whole rows");
    let lanes = out.len() / width;
    for (column, block) in columns.enumerate() {
        block
            .lanes()
            .take_while(|&lane| lane < lanes)
            .for_each(|lane| out[lane * width + column] = 1);
    }
}

/// By lane and role: which own move was made and what was perceived in the last step, and in any step of the match.
///
/// Histories that a role cannot tell apart give equal rows: nothing else comes in.
#[derive(Clone, Debug)]
pub struct Perceived {
    /// By role: the conditions of its columns, moves first.
    columns: Vec<Vec<Code>>,
    last: Vec<Vec<Block>>,
    ever: Vec<Vec<Block>>,
}

impl Perceived {
    /// How long the rows of a role are: two columns for each of its moves and percepts.
    pub fn width(&self, role: RoleId) -> usize {
        2 * self.columns[role.index()].len()
    }

    /// Forgets what happened in some lanes.
    pub fn forget(&mut self, lanes: impl IntoIterator<Item = usize>) {
        let mut kept = Block::ALL;
        lanes.into_iter().for_each(|lane| kept.remove(lane));
        self.last.iter_mut().chain(&mut self.ever).flatten().for_each(|it| *it &= kept);
    }

    /// Writes a row of bytes for each lane up to a number: 1 for each move that the role made in the last step and each percept of that
    /// step, in the order of [`BitParallel::observed`], and then the same for the whole match.
    ///
    /// # Panics
    /// If `out` is no whole number of rows, or there is no such role.
    pub fn write(&self, role: RoleId, out: &mut [u8]) {
        let (last, ever) = (&self.last[role.index()], &self.ever[role.index()]);
        write_rows(out, last.iter().chain(ever).copied().collect::<Vec<_>>().into_iter());
    }
}
