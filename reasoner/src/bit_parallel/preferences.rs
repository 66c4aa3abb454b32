//! Moves that are likelier than others, and which moves were made.

use fearless_simd::Simd;

use super::BitParallel;
use super::lanes::{Block, Wide};
use crate::MoveId;

/// The greatest power of two that a weight may be: sums of weights stay within the precision of what is drawn.
pub(super) const GREATEST_POWER: u8 = 12;

/// What is preferred and noted of moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Preferences {
    /// By move: its weight is 2 to that power. Empty if all are alike.
    powers: Vec<u8>,
    /// By move: the lanes that have made it. Empty if that is not noted.
    made: Vec<Block>,
}

impl Preferences {
    #[inline(always)]
    pub(super) fn power(&self, it: u32) -> u8 {
        self.powers.get(it as usize).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(super) fn note<S: Simd>(&mut self, it: u32, lanes: Wide<S>) {
        if let Some(made) = self.made.get_mut(it as usize) {
            made.store(made.load(lanes.simd) | lanes);
        }
    }

    /// Nothing has been made.
    pub(super) fn begin(&mut self) {
        self.made.fill(Block::NONE);
    }
}

impl BitParallel {
    /// Lets legal moves be drawn by weights: by move, in the order of [`MoveId`], its weight is 2 to that power, 12 at most.
    /// Moves behind the end of `powers` have the weight 1, so that an empty slice makes all moves alike likely again.
    ///
    /// ```
    /// # use groundfrog::RoleId;
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, MoveId, Random, Reasoner};
    /// # let rules = groundfrog_corpus::game("tictactoe").expect("a game").text;
    /// # let scalar = GroundReasoner::of_text(rules)?;
    /// # let mut lanes = BitParallel::new(scalar.game().clone())?;
    /// let centre = scalar.find_move(RoleId(0), "(mark 2 2)").expect("it is a move");
    /// let mut powers = vec![0; scalar.game().moves().len()];
    /// powers[centre.index()] = 12;
    /// lanes.prefer(&powers);
    /// lanes.note_moves(true);
    /// lanes.start_from(&[scalar.initial().clone()])?;
    /// lanes.run_step(&mut Random::new(1), 1000);
    /// assert!(lanes.lanes_with_move(centre).count() > 500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prefer(&mut self, powers: &[u8]) {
        self.preferences.powers.clear();
        self.preferences.powers.extend(powers.iter().map(|&it| it.min(GREATEST_POWER)));
    }

    /// Whether to note which moves are made in the lanes begun by [`BitParallel::start_from`], for
    /// [`BitParallel::lanes_with_move`]. Nothing is noted yet.
    pub fn note_moves(&mut self, is_noted: bool) {
        let moves = if is_noted { self.game().moves().len() } else { 0 };
        self.preferences.made = vec![Block::NONE; moves];
    }

    /// The lanes that have made a move since [`BitParallel::start_from`], ascending; none unless
    /// [`BitParallel::note_moves`] is in force.
    pub fn lanes_with_move(&self, it: MoveId) -> impl Iterator<Item = usize> + '_ {
        let made = self.preferences.made.get(it.index());
        made.into_iter().flat_map(Block::lanes)
    }
}
