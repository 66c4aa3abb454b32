//! What stands on boards, by kind.

use fxhash::FxHashMap;
use groundfrog::game::GroundGame;

use crate::structures::Structures;
use crate::structures::contents::{Location, locations};

/// No more kinds of pieces are counted.
const MOST_PIECES: usize = 40;

/// What stands on boards, by kind: pieces of one kind are worth the same, wherever they are, but for their places.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// What they are, one for each board and content.
    pub names: Vec<String>,
    /// By fluent: the number of the kind that it places on a board, if it does.
    pub of: Vec<Option<usize>>,
}

/// The kinds of what stands on the boards of a game, at most 40 of each board.
pub fn kinds(structures: &Structures, game: &GroundGame) -> Kinds {
    let mut names = Vec::new();
    let mut numbers: FxHashMap<(usize, &str), usize> = FxHashMap::default();
    for (board, found) in structures.boards.iter().enumerate() {
        for marker in found.markers.iter().take(MOST_PIECES) {
            numbers.insert((board, &marker.content), names.len());
            names.push(marker.content.clone());
        }
    }
    let kind = |it: Location| numbers.get(&(it.board, it.content.as_str())).copied();
    let of = locations(structures, game).into_iter().map(|it| it.and_then(kind)).collect();
    Kinds { names, of }
}
