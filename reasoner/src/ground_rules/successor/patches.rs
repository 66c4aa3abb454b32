//! Effects of moves as masks over words.

use super::Patch;
use groundfrog_engine::rows::Rows;

/// A fluent that a group adds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effect {
    pub(super) fluent: u32,
    /// Only if it holds already.
    pub(super) keeps: bool,
}

/// The effects of each row as patches, with those of the views that it absorbs.
pub(super) fn patches(
    rows: usize,
    effects: &[(u32, Effect)],
    words: usize,
    absorbed_by: &Rows<u32>,
) -> Rows<Patch> {
    let by_row = Rows::from_pairs(rows, effects.iter().copied());
    let mut masks = Masks { words: vec![(0, 0); words], touched: Vec::new() };
    let mut own = Rows::default();
    for effects in by_row.iter() {
        for effect in effects {
            let bit = 1 << (effect.fluent % 64);
            let (set, keep) = if effect.keeps { (0, bit) } else { (bit, 0) };
            masks.add(Patch { word: effect.fluent / 64, set, keep });
        }
        masks.take(&mut own);
    }
    if absorbed_by.items().is_empty() {
        return own;
    }
    let mut patches = Rows::default();
    for (row, own_patches) in own.iter().enumerate() {
        own_patches.iter().for_each(|&patch| masks.add(patch));
        let views = if row < absorbed_by.len() { absorbed_by.row(row) } else { &[] };
        for patch in views.iter().flat_map(|&view| own.row(view as usize)) {
            masks.add(*patch);
        }
        masks.take(&mut patches);
    }
    patches
}

/// Collects the patches of a row word by word.
struct Masks {
    words: Vec<(u64, u64)>,
    touched: Vec<u32>,
}

impl Masks {
    fn add(&mut self, patch: Patch) {
        let masks = &mut self.words[patch.word as usize];
        if *masks == (0, 0) {
            self.touched.push(patch.word);
        }
        masks.0 |= patch.set;
        masks.1 |= patch.keep;
    }

    fn take(&mut self, rows: &mut Rows<Patch>) {
        self.touched.sort_unstable();
        let words = &mut self.words;
        rows.push(self.touched.drain(..).map(|word| {
            let (set, keep) = std::mem::take(&mut words[word as usize]);
            Patch { word, set, keep }
        }));
    }
}

/// Pairs of a transient and a bit as words.
pub(super) fn strikes(transients: usize, pairs: &[(u32, u32)]) -> Rows<(u32, u64)> {
    let by_row = Rows::from_pairs(transients, pairs.iter().copied());
    let mut rows = Rows::default();
    let mut bits: Vec<u32> = Vec::new();
    for row in by_row.iter() {
        bits.clear();
        bits.extend_from_slice(row);
        bits.sort_unstable();
        rows.push(bits.chunk_by(|one, other| one / 64 == other / 64).map(|bits| {
            let mask = bits.iter().fold(0u64, |mask, bit| mask | 1 << (bit % 64));
            (bits[0] / 64, mask)
        }));
    }
    rows
}
