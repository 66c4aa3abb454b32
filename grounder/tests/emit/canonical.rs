//! Canonical text against the text that another grounder's rules have.

use std::fmt::Write;

use groundfrog::emit::Format;
use sha2::{Digest, Sha256};

use super::{ground_text, known_games, own_games, residual, treatments, write};

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

#[test]
fn checksums_are_those_of_the_reference() {
    let Some(expected) = known_games::read("../expected/games.jsonl") else { return };
    let expected = String::from_utf8(expected).expect("JSON lines");
    let mut compared = 0;
    for line in expected.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let name = line["game"].as_str().expect("a name");
        if line["residual_rules"].as_u64().expect("a count") > 2_000 {
            continue;
        }
        let Some(text) = known_games::read(&format!("{name}.kif")) else { continue };
        let game = ground_text(text, &residual());
        let mut sum = String::new();
        for byte in Sha256::digest(write(&game, Format::Canonical)) {
            write!(sum, "{byte:02x}").expect("strings take everything");
        }
        assert_eq!(line["residual_sha256"].as_str(), Some(&*sum), "{name}");
        compared += 1;
    }
    assert!(compared > 50, "only {compared} games were compared");
}
