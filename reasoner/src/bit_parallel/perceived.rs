//! What roles of games with percepts know of the matches in all lanes: their own moves and what they perceived.

use std::sync::Arc;

use groundfrog::game::RoleId;

use super::BitParallel;
use super::environment::write_rows;
use super::lanes::Block;
use super::program::block_of;
use crate::network::code::Code;
use crate::{MoveId, PerceptId};

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

impl BitParallel {
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
