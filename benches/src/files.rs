//! Which games are measured.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::MeasureError;
use groundfrog::visible::visible_path;

/// The endings of the files that are taken from a folder.
const ENDINGS: [&str; 2] = ["kif", "gdl"];

/// A game to be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The file without its ending, and as much of its path as distinguishes it from others.
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

/// All games that are named, and those in the folders that are named and in folders within these, sorted by name.
///
/// A game is called as its file without the ending; one that was found in a folder, as the way there from that folder:
/// `chess/rulesheet`. Where two have one name, as much of their paths is added as distinguishes them.
///
/// # Errors
/// A folder cannot be read, or there is no game in it.
pub fn games(paths: &[PathBuf], shard: Option<Shard>) -> Result<Vec<Game>, MeasureError> {
    // By where a file is, so that none is measured twice: how many of the last parts of its path are its name.
    let mut lengths: BTreeMap<PathBuf, (PathBuf, usize)> = BTreeMap::new();
    for path in paths {
        let (files, above) = if path.is_dir() {
            (in_folder(path)?, path.components().count())
        } else {
            (vec![path.clone()], path.components().count().saturating_sub(1))
        };
        for file in files {
            let length = file.components().count() - above;
            let place = file.canonicalize().unwrap_or_else(|_| file.clone());
            lengths.entry(place).or_insert((file, length));
        }
    }
    let mut games: Vec<Game> =
        distinct_names(lengths).into_iter().map(|(name, file)| Game { name, file }).collect();
    games.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(match shard {
        Some(shard) => shard.take(games),
        None => games,
    })
}

/// Names files, each by at least so many of the last parts of its path, so that all names differ.
fn distinct_names(files: BTreeMap<PathBuf, (PathBuf, usize)>) -> Vec<(String, PathBuf)> {
    // Links have their own names, not those of what they lead to.
    let whole = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
    let mut unnamed: Vec<(PathBuf, PathBuf, usize)> =
        files.into_values().map(|(file, length)| (whole(&file), file, length)).collect();
    let mut named = Vec::new();
    while !unnamed.is_empty() {
        let mut by_name: BTreeMap<String, Vec<(PathBuf, PathBuf, usize)>> = BTreeMap::new();
        for it in unnamed.drain(..) {
            by_name.entry(name(&it.0, it.2)).or_default().push(it);
        }
        for (name, mut alike) in by_name {
            match alike.pop() {
                Some((_, file, _)) if alike.is_empty() => named.push((name, file)),
                last => {
                    alike.extend(last);
                    unnamed.extend(alike.into_iter().map(|it| (it.0, it.1, it.2 + 1)));
                }
            }
        }
    }
    named
}

/// So many of the last parts of a path, without the ending; with it, if there are not as many.
fn name(path: &Path, length: usize) -> String {
    let parts: Vec<_> = path.components().map(|it| it.as_os_str().to_string_lossy()).collect();
    let Some(first) = parts.len().checked_sub(length) else {
        return path.to_string_lossy().into_owned();
    };
    let mut name = parts[first..].join("/");
    if let Some(ending) = path.extension() {
        name.truncate(name.len() - ending.to_string_lossy().len() - 1);
    }
    name
}

/// How deep folders are searched.
const MOST_FOLDERS: usize = 16;

/// The files in a folder and in its folders that may be descriptions (`*.kif`, `*.gdl`), sorted. Links to folders are not
/// followed, as they may lead in circles, and no more than 16 folders are entered one within the other.
///
/// # Errors
/// A folder cannot be read, or there is no such file.
pub fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, MeasureError> {
    let mut files = Vec::new();
    search(folder, MOST_FOLDERS, &mut files)?;
    if files.is_empty() {
        let folder = visible_path(folder);
        let message = format!("there is no game in `{folder}`: no file *.kif or *.gdl");
        return Err(MeasureError::Usage(message));
    }
    files.sort();
    Ok(files)
}

fn search(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), MeasureError> {
    let fail = |source| MeasureError::io("cannot read", folder, source);
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let path = entry.path();
        let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            if depth > 0 {
                search(&path, depth - 1, files)?;
            }
        } else if ENDINGS.iter().any(|it| it.eq_ignore_ascii_case(ending)) && !path.is_dir() {
            files.push(path);
        }
    }
    Ok(())
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
    fn games_in_folders_are_called_as_the_way_there() {
        let root = tempfile::tempdir().expect("a folder");
        let at = |it: &str| root.path().join(it);
        for file in ["a/chess/rulesheet.kif", "a/checkers/rulesheet.kif", "b/hex.kif", "c/hex.kif"]
        {
            fs::create_dir_all(at(file).parent().expect("a folder")).expect("made");
            fs::write(at(file), "(role a)").expect("written");
        }
        fs::write(at("c/hex.gdl"), "(role a)").expect("written");
        fs::write(at("c/readme.txt"), "no game").expect("written");
        let names = |paths: &[&str]| -> Vec<String> {
            let paths: Vec<PathBuf> = paths.iter().map(|it| at(it)).collect();
            games(&paths, None).expect("found").into_iter().map(|it| it.name).collect()
        };
        assert_eq!(names(&["a"]), ["checkers/rulesheet", "chess/rulesheet"]);
        assert_eq!(names(&["b", "b/hex.kif"]), ["hex"]);
        assert_eq!(names(&["b/hex.kif", "c/hex.kif"]), ["b/hex", "c/hex"]);
        let both = names(&["c"]);
        assert!(both.len() == 2 && both[0].ends_with("c/hex.gdl"), "{both:?}");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("c/hex.kif"), at("a/linked.kif")).expect("linked");
            assert_eq!(names(&["a/linked.kif"]), ["linked"]);
        }
        assert!(games(&[at("empty")], None).is_ok_and(|it| it.len() == 1), "it is reported later");
    }

    #[test]
    fn shards_are_written_as_fractions() {
        assert_eq!("2/5".parse(), Ok(Shard { number: 2, of: 5 }));
        for bad in ["", "1", "0/5", "6/5", "1/0", "-1/2", "1/2/3", "a/b"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
