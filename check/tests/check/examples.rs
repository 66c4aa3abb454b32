//! The examples of the documentation: each wrong one gives just the messages that stand there, each right
//! one none. They are put before the lamp's game, but for those that stand alone. `UPDATE_DOCS=1` writes the messages anew, to be looked at before they are committed.

use std::path::PathBuf;

use groundfrog_check::codes::codes;

use super::{check, show_all};

/// The text of the block that starts with a fence and a word, and the place of the block in the document.
fn block<'d>(document: &'d str, fence: &str) -> Option<(std::ops::Range<usize>, &'d str)> {
    let start = document.find(&format!("```{fence}\n"))? + fence.len() + 4;
    let end = start + document[start..].find("```")?;
    Some((start..end, &document[start..end]))
}

#[test]
fn wrong_examples_break_one_rule_and_right_ones_none() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/checks.md");
    let document = std::fs::read_to_string(&path).expect("the documentation");
    let (_, lamp) = block(&document, "kif lamp").expect("the game that examples are put before");
    let check_example = |example: &str| show_all(&check(format!("{example}{lamp}")));
    assert_eq!(check_example(""), [""; 0]);
    let mut updated = String::new();
    let mut checked = 0;
    for section in document.split_inclusive("\n### ") {
        let alone = block(section, "kif wrong alone");
        let Some((_, wrong)) = alone.clone().or_else(|| block(section, "kif wrong")) else {
            updated.push_str(section);
            continue;
        };
        let right = if alone.is_some() { "kif right alone" } else { "kif right" };
        let check_example = |example: &str| match alone {
            Some(_) => show_all(&check(example)),
            None => check_example(example),
        };
        let code = &section[..6];
        let (place, expected) = block(section, "text").expect("the messages");
        let (_, right) = block(section, right).expect("the corrected example");
        let messages = check_example(wrong);
        let found: String = messages.iter().map(|it| format!("{it}\n")).collect();
        updated.push_str(&section[..place.start]);
        updated.push_str(&found);
        updated.push_str(&section[place.end..]);
        assert!(messages.iter().any(|it| it.contains(code)), "{code}: {messages:?}");
        assert_eq!(check_example(right), [""; 0], "{code}: the right example");
        if std::env::var_os("UPDATE_DOCS").is_none() {
            assert_eq!(found, expected, "{code}");
        }
        checked += 1;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, updated).expect("the documentation");
    }
    assert!(checked > codes().len() / 2, "{checked} examples");
}
