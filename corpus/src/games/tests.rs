use std::collections::BTreeSet;

use super::{Outcome, game, games};
use crate::generate::check_text;

#[test]
fn every_text_is_well_formed() {
    for game in games() {
        check_text(game.name, game.text);
    }
}

#[test]
fn headers_agree_with_the_index() {
    for game in games() {
        let header: Vec<_> =
            game.text.lines().map_while(|line| line.strip_prefix(';')).map(str::trim).collect();
        assert_eq!(header[0], game.name);
        assert!(header[1..].join(" ").starts_with(game.summary), "{}", game.name);
        assert!(header.iter().any(|line| line.starts_with("Exercises: ")), "{}", game.name);
        assert_eq!(header.last(), Some(&"Part of Groundfrog, MIT OR Apache-2.0."));
    }
}

#[test]
fn names_are_sorted_and_unique() {
    assert!(games().is_sorted_by(|a, b| a.name < b.name));
    for found in games() {
        assert_eq!(game(found.name), Some(found));
        assert!(
            found.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        );
        assert!(!found.tags.is_empty());
    }
    assert_eq!(game("no_such_game"), None);
}

#[test]
fn every_file_is_in_the_index() {
    let files: BTreeSet<_> = std::fs::read_dir(env!("CARGO_MANIFEST_DIR"))
        .expect("the folder of this crate can be read")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|file| Some(file.strip_suffix(".kif")?.to_owned()))
        .collect();
    let indexed: BTreeSet<_> = games().iter().map(|game| game.name.to_owned()).collect();
    assert_eq!(files, indexed);
}

#[test]
fn the_readme_lists_every_game() {
    let readme = include_str!("../../README.md");
    for game in games() {
        assert!(readme.contains(&format!("[`{0}`]({0}.kif)", game.name)), "{}", game.name);
        let row = readme
            .lines()
            .find(|line| line.starts_with(&format!("| [`{0}`]({0}.kif) |", game.name)));
        let row = row.unwrap_or_else(|| panic!("{} has no row", game.name));
        assert!(row.contains(game.summary), "{}", game.name);
        let positions = game.positions.map(|count| count.to_string()).unwrap_or_default();
        assert!(row.ends_with(&format!("| {positions} |")), "{}", game.name);
    }
}

#[test]
fn most_games_can_be_grounded() {
    let refused = games().iter().filter(|game| game.expect == Outcome::Refused).count();
    assert_eq!(refused, 4);
    assert!(games().len() - refused >= 34);
}
