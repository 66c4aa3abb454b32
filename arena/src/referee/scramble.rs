//! Other names for everything, so that nobody plays a game by what its names mean.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::Description;
use groundfrog::symbols::Symbol;
use groundfrog_reasoner::Random;

use groundfrog_player::text;

/// Replaces the names of a description, and back. Keywords, numbers and variables' question marks stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scrambler {
    there: FxHashMap<String, String>,
    back: FxHashMap<String, String>,
}

impl Scrambler {
    /// Changes nothing.
    pub(crate) fn identity() -> Self {
        Self::default()
    }

    /// New names for a description.
    pub(crate) fn new(description: &Description, seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5c4a_3b1e);
        let mut scrambler = Self::default();
        let mut words = Vec::new();
        let _ = text::compact_with(&description.source, |word| {
            words.push(word.to_owned());
            String::new()
        });
        let mut taken: FxHashSet<String> = words.iter().cloned().collect();
        for word in words {
            if scrambler.there.contains_key(&word) || stays(&word, description) {
                continue;
            }
            let mark = if word.starts_with('?') { "?" } else { "" };
            let name = loop {
                let name = format!("{mark}{}", syllables(&mut random));
                let keyword =
                    description.symbols.get(&name).is_some_and(|it| is_keyword(description, it));
                if !keyword && taken.insert(name.clone()) {
                    break name;
                }
            };
            scrambler.back.insert(name.clone(), word.clone());
            scrambler.there.insert(word, name);
        }
        scrambler
    }

    /// A text for players, as [`text::compact`] writes it.
    pub(crate) fn scramble(&self, text: &str) -> String {
        replaced(&self.there, text)
    }

    /// What a player answered, in the names of the description, whatever case the player uses.
    pub(crate) fn unscramble(&self, text: &str) -> String {
        replaced(&self.back, text)
    }
}

fn replaced(names: &FxHashMap<String, String>, text: &str) -> String {
    let new = |word: &str| {
        let found = names.get(word).or_else(|| names.get(&word.to_lowercase()));
        found.cloned().unwrap_or_else(|| word.to_owned())
    };
    text::compact_with(text, new).unwrap_or_else(|| text.to_owned())
}

/// Whether a word keeps its meaning whoever reads it.
fn stays(word: &str, description: &Description) -> bool {
    let lower = word.to_lowercase();
    let connective = ["<=", "and", "or", "not", "distinct", "random"].contains(&lower.as_str());
    let keyword = description.symbols.get(&lower).is_some_and(|it| is_keyword(description, it));
    connective || keyword || word.parse::<i64>().is_ok()
}

fn is_keyword(description: &Description, symbol: Symbol) -> bool {
    description.keywords.contains(symbol)
}

/// A word that means nothing.
fn syllables(random: &mut Random) -> String {
    let mut draw = |from: &[u8]| char::from(from[random.below(from.len() as u32) as usize]);
    (0..4).flat_map(|_| [draw(b"bdfgklmnprstvz"), draw(b"aeiou")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use groundfrog::ParseOptions;

    #[test]
    fn names_are_replaced_and_found_again() {
        let rules =
            "(ROLE white) (role random) (<= (legal ?r (mark 1)) (role ?r) (not (true (Mark ?r))))";
        let description =
            Description::parse(rules.as_bytes(), &ParseOptions::default()).expect("rules");
        let scrambler = Scrambler::new(&description, 7);
        let text = scrambler.scramble(&description.source);
        for gone in ["white", "mark", "Mark", "?r"] {
            assert!(!text.split(['(', ')', ' ']).any(|it| it == gone), "{text}");
        }
        assert!(
            text.starts_with("(ROLE ") && text.contains("(role random)") && text.contains(" 1)"),
            "{text}"
        );
        assert_eq!(scrambler.unscramble(&text), text::compact(rules).expect("rules"));
        let upper = scrambler.scramble("(mark 1)").to_uppercase();
        assert_eq!(scrambler.unscramble(&upper), "(mark 1)");
        let other = Scrambler::new(&description, 8).scramble(&description.source);
        assert_ne!(text, other);
    }
}
