//! Text that somebody else has sent.

use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

use groundfrog::visible::is_visible;
use serde::Serialize;

/// Characters that are kept of a text, where nothing else is said.
const MOST: usize = 200;

/// Text from a peer, harmless in a terminal, in a log and on a page: one line of at most 200 characters, in which characters that
/// steer a terminal, break lines, turn the direction of writing or are not seen are written as `\u{1b}`. Making it of what is
/// harmless already changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PeerText(String);

impl PeerText {
    /// Escapes and clips a text.
    pub fn new(text: &str) -> Self {
        Self::within(text, MOST)
    }

    /// As [`PeerText::new`], with another number of characters.
    pub fn within(text: &str, most: usize) -> Self {
        let mut harmless = String::new();
        let mut left = most;
        for character in text.chars() {
            let start = harmless.len();
            match is_visible(character) {
                true => harmless.push(character),
                false => harmless.extend(character.escape_unicode()),
            }
            let length = harmless[start..].chars().count();
            if length > left {
                harmless.truncate(start);
                harmless.push_str("...");
                break;
            }
            left -= length;
        }
        PeerText(harmless)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for PeerText {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for PeerText {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl From<PeerText> for String {
    fn from(text: PeerText) -> String {
        text.0
    }
}

impl Deref for PeerText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Display for PeerText {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl PartialEq<str> for PeerText {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for PeerText {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        let text =
            PeerText::new("a\u{1b}[2J\u{7}\0\nb\r\u{9b}1m\u{202e}cba\u{2066}\u{2028}\u{7f}é");
        assert_eq!(
            text.as_str(),
            "a\\u{1b}[2J\\u{7}\\u{0}\\u{a}b\\u{d}\\u{9b}1m\\u{202e}cba\\u{2066}\\u{2028}\\u{7f}é"
        );
        assert_eq!(PeerText::new(&text), text, "once is as good as twice");
        assert_eq!(PeerText::new("(mark 1 1)").as_str(), "(mark 1 1)");
    }

    #[test]
    fn what_is_long_is_clipped() {
        let text = PeerText::new(&"ä".repeat(1 << 20));
        assert_eq!(text.chars().count(), MOST + 3);
        assert_eq!(PeerText::new(&"a".repeat(MOST)).len(), MOST);
        // An escaped character is there as a whole, or not at all.
        assert_eq!(PeerText::within("abc\u{1b}", 5).as_str(), "abc...");
        assert_eq!(PeerText::within("", 5).as_str(), "");
    }
}
