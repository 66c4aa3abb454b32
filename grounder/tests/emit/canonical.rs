//! Canonical text against the text that another grounder's rules have.

use groundfrog::emit::Format;

use super::{ground_text, own_games, treatments, write};

/// Rule by rule, each line put together on its own.
fn slowly(kif: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in kif.lines() {
        let static_fact = ["(role ", "(init ", "(base ", "(input ", "(percept "];
        if static_fact.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let mut parts =
            split(line.strip_prefix("(<= ").map_or(line, |rule| &rule[..rule.len() - 1]));
        parts[1..].sort_unstable();
        lines.push(match parts.len() {
            1 => parts[0].to_owned(),
            _ => format!("(<= {})", parts.join(" ")),
        });
    }
    lines.sort_unstable();
    lines.dedup();
    lines.iter().fold(String::new(), |text, line| text + line + "\n")
}

/// The lists and words that stand one after the other.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (place, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                parts.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[test]
fn sorted_ranks_and_sorted_lines_are_the_same() {
    for game in own_games() {
        for options in treatments() {
            let ground = ground_text(game.text, &options);
            let expected = slowly(&write(&ground, Format::Kif));
            assert!(write(&ground, Format::Canonical) == expected, "{}", game.name);
        }
    }
}
