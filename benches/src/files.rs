//! Which games are measured.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::MeasureError;

/// The endings of the files that are taken from a folder.
const ENDINGS: [&str; 2] = ["kif", "gdl"];

/// A game to be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The name of the file without folders and ending.
    pub name: String,
    /// The file with the description.
    pub file: PathBuf,
}

/// One of several equal parts of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 on.
    pub number: usize,
    /// How many parts there are.
    pub of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        parts
            .filter(|it| (1..=it.of).contains(&it.number))
            .ok_or_else(|| "expected a part such as `2/5`, from `1/5` to `5/5`".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Every `of`th game, from the `number`th on.
    fn take<T>(self, games: Vec<T>) -> Vec<T> {
        games.into_iter().skip(self.number - 1).step_by(self.of).collect()
    }
}

/// All games that are named, and those in the folders that are named, sorted by name.
pub fn games(paths: &[PathBuf], shard: Option<Shard>) -> Result<Vec<Game>, MeasureError> {
    let mut games: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in paths {
        let files = if path.is_dir() { in_folder(path)? } else { vec![path.clone()] };
        for file in files {
            let name = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
            let other = games.get(&name).filter(|&other| !is_same(other, &file));
            if let Some(other) = other {
                let (other, file) = (other.display(), file.display());
                return Err(MeasureError::Usage(format!(
                    "results are told apart by the names of games, and two are called `{name}`: \
                     `{other}` and `{file}`"
                )));
            }
            games.entry(name).or_insert(file);
        }
    }
    let games: Vec<Game> = games.into_iter().map(|(name, file)| Game { name, file }).collect();
    Ok(match shard {
        Some(shard) => shard.take(games),
        None => games,
    })
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, MeasureError> {
    let fail = |source| MeasureError::io("cannot read", folder, source);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let file = entry.map_err(fail)?.path();
        let ending = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if ENDINGS.iter().any(|it| it.eq_ignore_ascii_case(ending)) && !file.is_dir() {
            files.push(file);
        }
    }
    if files.is_empty() {
        let folder = folder.display();
        return Err(MeasureError::Usage(format!(
            "there is no game in `{folder}`: no file *.kif or *.gdl (folders in it are not searched)"
        )));
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_once() {
        for of in 1..9 {
            for games in [0, 1, 7, 20] {
                let shard = |number| Shard { number, of }.take((0..games).collect::<Vec<usize>>());
                let mut all: Vec<usize> = (1..=of).flat_map(shard).collect();
                all.sort_unstable();
                assert_eq!(all, (0..games).collect::<Vec<_>>(), "{of} shards");
            }
        }
    }

    #[test]
    fn shards_are_written_as_fractions() {
        assert_eq!("2/5".parse(), Ok(Shard { number: 2, of: 5 }));
        for bad in ["", "1", "0/5", "6/5", "1/0", "-1/2", "1/2/3", "a/b"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
