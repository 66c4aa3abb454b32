//! States that are the same but for a symmetry of the rules: one of them stands for all.

use std::time::Duration;

use groundfrog::game::GroundGame;
use groundfrog_knowledge::symmetry::state_symmetries;
use smallvec::SmallVec;

/// With more symmetries it takes longer to find the state that stands for others than to look at it.
const MOST: usize = 16;
/// Symmetries are looked for no longer than this.
const FINDING: Duration = Duration::from_secs(1);

/// The symmetries by which states are worth the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetric {
    /// By symmetry, then by fluent: its image.
    images: Vec<Vec<u32>>,
}

impl Symmetric {
    /// Finds those of a game, in a part of the time that is left.
    pub(crate) fn new(game: &GroundGame, left: Option<Duration>) -> Self {
        let time = left.map_or(FINDING, |it| FINDING.min(it / 8));
        let found = state_symmetries(game, MOST, time);
        Symmetric { images: found.into_iter().map(|it| it.fluents).collect() }
    }

    /// The words of the state that stands for this one: the least of all that are the same.
    pub(crate) fn canonical(&self, state: &[u64]) -> SmallVec<[u64; 8]> {
        let mut least = SmallVec::from_slice(state);
        let mut image = least.clone();
        for fluents in &self.images {
            write_image(fluents, state, &mut image);
            if image < least {
                least.copy_from_slice(&image);
            }
        }
        least
    }
}

/// Writes the image of a state.
fn write_image(fluents: &[u32], state: &[u64], image: &mut [u64]) {
    image.fill(0);
    for (index, &word) in state.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            let fluent = fluents[index * 64 + word.trailing_zeros() as usize];
            image[fluent as usize / 64] |= 1 << (fluent % 64);
            word &= word - 1;
        }
    }
}
