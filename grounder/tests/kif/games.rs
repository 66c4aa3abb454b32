//! Every known game is read, and read again from what is printed.

#[path = "../shared/known_games.rs"]
mod known_games;

use std::path::PathBuf;

use super::{Description, parse, print, without_places};

fn read_all() -> Vec<(String, Description)> {
    let folder = known_games::folder();
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: no games in {} (set GROUNDFROG_GAMES)", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    paths.sort();
    let read_one = |path: PathBuf| {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let source = std::fs::read(&path).expect("a readable file");
        (name.clone(), parse(&source).unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    paths.into_iter().map(read_one).collect()
}

#[test]
fn every_game_reads_back_as_it_was_printed() {
    for (name, description) in read_all() {
        let again = parse(print(&description)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(again.symbols.iter().eq(description.symbols.iter()), "{name}: other symbols");
        let (before, after) = (&description.statements, &again.statements);
        assert_eq!(before.len(), after.len(), "{name}");
        for (number, pair) in before.iter().zip(after).enumerate() {
            let (before, after) = pair;
            let same = without_places(std::slice::from_ref(before))
                == without_places(std::slice::from_ref(after));
            assert!(same, "{name}: statement {number}: {before:?} became {after:?}");
        }
    }
}

/// Lists the warnings: `cargo test --test kif -- --ignored --nocapture warnings_of_games`.
#[test]
#[ignore = "prints for people to read"]
fn warnings_of_games() {
    for (name, description) in read_all() {
        for warning in &description.warnings {
            eprintln!("{} {}", warning.code, warning.display(&name, &description.source));
        }
    }
}
