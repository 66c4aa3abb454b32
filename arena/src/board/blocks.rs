//! Blocks of a board of numbers, by the rules that join their places.

use std::collections::BTreeSet;

use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::GroundReasoner;

use super::{BoardShape, Layout, Place};

/// Larger boards have no blocks of numbers.
const MOST_PLACES: usize = 26 * 26;

/// A place of a board, as column and row.
type At = (usize, usize);

impl Layout {
    /// Divides boards of numbers into blocks: rectangles alike, each with as many places as there are numbers, and each read by a condition
    /// of its own. Places where nothing can be are in none.
    pub(super) fn find_blocks(&mut self, reasoner: &GroundReasoner) {
        for number in 0..self.boards.len() {
            let board = &self.boards[number];
            let places = board.columns.len() * board.rows.len();
            if board.blocks == (0, 0)
                && board.shape == BoardShape::Grid
                && board.rows.len() > 1
                && places <= MOST_PLACES
                && let Some(blocks) = self.blocks(number, reasoner)
            {
                self.boards[number].blocks = blocks;
            }
        }
    }

    fn blocks(&self, number: usize, reasoner: &GroundReasoner) -> Option<(usize, usize)> {
        let game = reasoner.game();
        let mut places: Vec<Option<At>> = vec![None; game.atom_count()];
        let mut numbers: BTreeSet<i64> = BTreeSet::new();
        for (fluent, (_, place)) in game.fluents().zip(self.places(reasoner)) {
            if let Place::Cell { board, column, row, content } = place
                && board == number
            {
                places[fluent.index()] = Some((column, row));
                numbers.extend(content.parse::<i64>().ok());
            }
        }
        if numbers.len() < 4 {
            return None;
        }
        let (columns, rows) = (self.boards[number].columns.len(), self.boards[number].rows.len());
        let there: BTreeSet<At> = places.iter().flatten().copied().collect();
        let groups = groups(game, &places, numbers.len());
        let sides = (2..columns).filter(|it| numbers.len().is_multiple_of(*it));
        let mut sides = sides.map(|width| (width, numbers.len() / width));
        sides.find(|&(width, height)| {
            let is_whole = columns.is_multiple_of(width) && rows.is_multiple_of(height);
            let corners = (0..columns)
                .step_by(width)
                .flat_map(|column| (0..rows).step_by(height).map(move |row| (column, row)));
            let block = |(column, row): At| -> BTreeSet<At> {
                let all = (column..column + width)
                    .flat_map(|column| (row..row + height).map(move |row| (column, row)));
                all.filter(|it| there.contains(it)).collect()
            };
            height > 1 && is_whole && corners.map(block).all(|it| groups.contains(&it))
        })
    }
}

/// The sets of places, so many at most, that conditions read.
fn groups(game: &GroundGame, places: &[Option<At>], size: usize) -> BTreeSet<BTreeSet<At>> {
    let mut read: Vec<BTreeSet<At>> =
        places.iter().map(|it| it.iter().copied().collect()).collect();
    // What reads more places is about no block.
    let mut is_large = vec![false; read.len()];
    let is_condition = |atom: u32| {
        matches!(game.kind(AtomId(atom)), AtomKind::View | AtomKind::Goal | AtomKind::Terminal)
    };
    loop {
        let mut has_changed = false;
        for rule in game.rules().iter().filter(|it| is_condition(it.head)) {
            let head = rule.head as usize;
            if is_large[head] {
                continue;
            }
            let before = read[head].len();
            let mut own = std::mem::take(&mut read[head]);
            for literal in rule.body {
                let atom = literal.atom() as usize;
                is_large[head] |= is_large[atom];
                own.extend(&read[atom]);
            }
            is_large[head] |= own.len() > size;
            has_changed |= is_large[head] || own.len() != before;
            read[head] = own;
        }
        if !has_changed {
            break;
        }
    }
    read.into_iter().zip(is_large).filter(|it| !it.1).map(|it| it.0).collect()
}
