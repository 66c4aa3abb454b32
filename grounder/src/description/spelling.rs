//! Names that are spelled nearly the same.

/// Longer names are not compared.
const LONGEST: usize = 64;

/// How many letters two names differ in, if that is so few that the first may be a slip for the other: one in a short name, two
/// in a longer one. Case does not count, and names that differ in numbers alone, as `row1` and `row2`, differ on purpose.
///
/// ```
/// use groundfrog::description::slip;
/// assert_eq!(slip("termnal", "terminal"), Some(1));
/// assert_eq!(slip("lmap", "lamp"), Some(1));
/// assert_eq!(slip("row1", "row2"), None);
/// assert_eq!(slip("north", "south"), None);
/// ```
#[must_use]
pub fn slip(name: &str, other: &str) -> Option<usize> {
    let is_long = name.len() > LONGEST || other.len() > LONGEST;
    if name == other || is_long || name.len().abs_diff(other.len()) > 4 {
        return None;
    }
    let (name, other) = (name.to_lowercase(), other.to_lowercase());
    let letters = strsim::osa_distance(&name, &other);
    let length = name.chars().count();
    // In a short name two letters are much of it.
    let most = if length < 6 { 1 } else { 2 };
    // Numbers are different on purpose, and a letter or two beside one are a code.
    let without = |it: &str| it.replace(char::is_numeric, "");
    let (word, other_word) = (without(&name), without(&other));
    let is_numbered = word != name || other_word != other;
    let is_code = word == other_word || word.len().min(other_word.len()) < 3;
    let is_plain = letters == 0 || !is_numbered || !is_code;
    (letters <= most && letters < length && is_plain).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::slip;

    #[test]
    fn a_letter_or_two_may_be_a_slip() {
        for (name, other, letters) in [
            ("gaol", "goal", 1),
            ("Cell", "cell", 0),
            ("neigbor", "neighbour", 2),
            ("nxt", "next", 1),
        ] {
            assert_eq!(slip(name, other), Some(letters), "{name}");
        }
        for (name, other) in
            [("x", "y"), ("left", "right"), ("cell", "cell"), ("m12", "12"), ("x12", "x21")]
        {
            assert_eq!(slip(name, other), None, "{name}");
        }
    }
}
