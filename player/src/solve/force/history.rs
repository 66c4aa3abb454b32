//! How often moves decided questions: what comes first in the order in which they are tried.

/// Older trials count half when there are more.
const MOST_TRIED: f32 = 512.0;

/// How often a move was tried and how often it decided.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct History {
    pub(super) tried: f32,
    pub(super) decided: f32,
}

impl History {
    pub(super) fn share(self) -> f32 {
        self.decided / self.tried
    }

    pub(super) fn note(&mut self, has_decided: bool) {
        self.tried += 1.0;
        self.decided += f32::from(u8::from(has_decided));
        if self.tried > MOST_TRIED {
            self.tried /= 2.0;
            self.decided /= 2.0;
        }
    }
}

/// The fluents that hold in a state and not in the one before.
pub(super) fn added<'s>(before: &'s [u64], after: &'s [u64]) -> impl Iterator<Item = usize> + 's {
    let words = before.iter().zip(after).enumerate();
    words.flat_map(|(index, (before, after))| {
        let mut word = after & !before;
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros() as usize;
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(index * 64 + bit)
        })
    })
}
