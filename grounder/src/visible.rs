//! Text that somebody else has written, as it can be shown: names of files, rules, moves, answers of players.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// Whether a character shows as itself, in its place: it steers no terminal, breaks no line, does not turn the direction of writing, and is
/// seen or a space.
///
/// ```
/// use groundfrog::visible::is_visible;
/// assert!("(mark 1 ü) \u{a0}猫".chars().all(is_visible));
/// assert!(!"\u{1b}\n\u{9b}\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}\u{2028}".chars().any(is_visible));
/// ```
pub fn is_visible(character: char) -> bool {
    match character {
        ' '..='~' => true,
        // Line and paragraph separator; joiners and letters that fill a place and are not seen.
        '\u{2028}'
        | '\u{2029}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{e0100}'..='\u{e01ef}' => false,
        _ if character.is_control() => false,
        _ if character.is_whitespace() => true,
        // The standard library writes out what is no character, or one of format; of marks only those that follow nothing.
        _ => String::from_iter(['a', character]).escape_debug().count() == 2,
    }
}

/// A text as one line of characters that are seen: others are written as `\u{1b}`. Doing it twice changes nothing more.
///
/// ```
/// use groundfrog::visible::visible;
/// assert_eq!(visible("a\u{1b}[2J\nb"), r"a\u{1b}[2J\u{a}b");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, is_visible)
}

/// As [`visible`], of a text of several lines: line feeds and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |it| it == '\n' || it == '\t' || is_visible(it))
}

/// The name of a file as one line of characters that are seen.
pub fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// JSON with the characters that are not seen written as JSON writes them, `\u202e`: it means the same.
///
/// ```
/// use groundfrog::visible::visible_json;
/// assert_eq!(visible_json("{\"name\": \"a\u{202e}\"}\n"), "{\"name\": \"a\\u202e\"}\n");
/// ```
pub fn visible_json(json: &str) -> Cow<'_, str> {
    if json.chars().all(|it| it == '\n' || is_visible(it)) {
        return json.into();
    }
    let mut text = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if character == '\n' || is_visible(character) {
            text.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    text.into()
}

fn shown(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_kept) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_kept(character) {
            true => shown.push(character),
            false => shown.extend(character.escape_unicode()),
        }
    }
    shown.into()
}

/// Something that a closure writes.
pub(crate) struct WrittenBy<F>(pub(crate) F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for WrittenBy<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_not_seen_is_left() {
        // C0, C1, those that turn the direction, those of format, fillers, tags, no characters.
        let unseen = (0..0x20).chain(0x7f..0xa0).chain(0x200b..0x2010).chain(0x2028..0x202f);
        let unseen = unseen.chain(0x2060..0x2070).chain(0xe0000..0xe0080).chain(0xfff9..0xfffc);
        let others = [0xad, 0x34f, 0x61c, 0x70f, 0x115f, 0x180e, 0x3164, 0xfeff, 0xffff, 0x1d173];
        for character in unseen.chain(others).filter_map(char::from_u32) {
            assert!(!is_visible(character), "{character:?}");
            let text = format!("a{character}b");
            let shown = visible(&text);
            assert!(shown.chars().all(is_visible), "{shown}");
            assert_eq!(visible(&shown), shown, "once is as good as twice");
            assert_eq!(visible_lines(&text) == text, matches!(character, '\n' | '\t'));
        }
    }

    #[test]
    fn what_people_write_stays() {
        for text in
            ["schach-Spiel für 2", "e\u{301}\u{a0}x\u{3000}y", "猫 ❤\u{fe0f} 🐸", "שלום", r"a\b'c'"]
        {
            assert_eq!(visible(text), text);
            assert_eq!(visible_json(text), text);
        }
    }
}
