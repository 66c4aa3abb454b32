//! Other words in a text.

/// A text in KIF with its words changed.
pub fn words(line: &str, change: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for letter in line.chars().chain([' ']) {
        if letter == '(' || letter == ')' || letter.is_whitespace() {
            if !word.is_empty() {
                text.push_str(&change(&word));
                word.clear();
            }
            text.push(letter);
        } else {
            word.push(letter);
        }
    }
    text
}
