//! The words that have a meaning in GDL.

use crate::symbols::{Symbol, Symbols};

/// Defines the keywords: field of [`Keywords`], spelling, number of arguments if it is fixed.
macro_rules! keywords {
    ($($(#[$doc:meta])* $field:ident = $name:literal, $arity:expr;)*) => {
        /// The symbols of the keywords, in lower case.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Keywords {
            $($(#[$doc])* pub $field: Symbol,)*
        }

        /// Spellings and arities, in the order of the fields.
        const KEYWORDS: &[(&str, Option<u32>)] = &[$(($name, $arity),)*];

        impl Keywords {
            /// Adds the keywords to a table of symbols.
            pub fn intern(symbols: &mut Symbols) -> Self {
                Self { $($field: symbols.intern($name),)* }
            }

            /// How many arguments `symbol` takes if it is a keyword that takes a fixed number.
            #[must_use]
            pub fn arity(&self, symbol: Symbol) -> Option<u32> {
                match symbol {
                    $(_ if symbol == self.$field => $arity,)*
                    _ => None,
                }
            }

            /// All of them.
            pub(super) fn all(&self) -> Vec<Symbol> {
                vec![$(self.$field),*]
            }

            /// Whether `symbol` is a keyword.
            #[must_use]
            pub fn contains(&self, symbol: Symbol) -> bool {
                $(symbol == self.$field)||*
            }
        }
    };
}

keywords! {
    /// `role`: a player.
    role = "role", Some(1);
    /// `init`: holds in the first state.
    init = "init", Some(1);
    /// `true`: holds in the present state.
    true_ = "true", Some(1);
    /// `does`: a player's move.
    does = "does", Some(2);
    /// `legal`: a move that a player may make.
    legal = "legal", Some(2);
    /// `next`: holds in the next state.
    next = "next", Some(1);
    /// `goal`: what a state is worth to a player.
    goal = "goal", Some(2);
    /// `terminal`: the game is over.
    terminal = "terminal", Some(0);
    /// `base`: what can hold in a state.
    base = "base", Some(1);
    /// `input`: a move that can be legal.
    input = "input", Some(2);
    /// `sees`: what a player perceives, in games of imperfect information.
    sees = "sees", Some(2);
    /// `percept`: what a player can perceive at all, as `base` is for fluents.
    percept = "percept", Some(2);
    /// `or`: one of several formulas.
    or = "or", None;
    /// `and`: all of several formulas.
    and = "and", None;
    /// `not`: negation.
    not = "not", Some(1);
    /// `distinct`: two terms are different.
    distinct = "distinct", Some(2);
    /// `<=`: a rule.
    implied_by = "<=", None;
}

impl Keywords {
    /// Whether `symbol` is one of the connectives, which are no predicates: `or`, `and`, `not`,
    /// `distinct` and `<=`.
    #[must_use]
    pub fn is_connective(&self, symbol: Symbol) -> bool {
        [self.or, self.and, self.not, self.distinct, self.implied_by].contains(&symbol)
    }
}

/// The keyword that `word` is in another case; `None` too if it already is in lower case.
pub(super) fn fold(word: &str) -> Option<&'static str> {
    // The longest keywords have eight letters.
    if word.len() > 8 || !word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    KEYWORDS.iter().map(|&(name, _)| name).find(|name| name.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_known_by_symbol() {
        let mut symbols = Symbols::new();
        let other = symbols.intern("cell");
        let keywords = Keywords::intern(&mut symbols);
        for &(name, arity) in KEYWORDS {
            let symbol = symbols.get(name).expect("just added");
            assert!(keywords.contains(symbol));
            assert_eq!(keywords.arity(symbol), arity);
        }
        assert!(!keywords.contains(other));
        assert_eq!(symbols.name(keywords.true_), "true");
        assert!(keywords.is_connective(keywords.implied_by));
        assert!(!keywords.is_connective(keywords.true_));
    }

    #[test]
    fn other_cases_are_folded() {
        assert_eq!(fold("TRUE"), Some("true"));
        assert_eq!(fold("Distinct"), Some("distinct"));
        assert_eq!(fold("true"), None);
        assert_eq!(fold("Cell"), None);
    }
}
