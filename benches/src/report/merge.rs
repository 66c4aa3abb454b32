//! Brings the parts of a corpus together: lines of JSON from several files, one record a game.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use groundfrog::visible::{visible, visible_path};
use serde::Deserialize;

use crate::error::MeasureError;
use crate::record::{Record, SCHEMA};

/// No line that `bench` writes is nearly as long.
const LONGEST_LINE: u64 = 16 << 20;
/// Of one file, more bad lines than this are only counted.
const MOST_REPORTED: usize = 10;

/// Records as they come, and what there is to report about their lines.
#[derive(Default)]
pub struct Merger {
    records: Vec<Record>,
    /// By key: the place in `records`.
    places: HashMap<String, usize>,
    warnings: Vec<String>,
}

/// What a line says about itself before anything else of it is looked at.
#[derive(Deserialize)]
struct Versioned {
    schema: u32,
    game: String,
    /// Statistics of other commands have a schema of their own, but no worker.
    #[serde(rename = "machine")]
    _machine: serde::de::IgnoredAny,
}

impl Merger {
    /// Reads all lines of a file, or of standard input for `-`. Lines that are no records are left out
    /// with a warning.
    ///
    /// # Errors
    /// If the file cannot be read, or was written by another version in a way that is not known here.
    pub fn read(&mut self, path: &Path) -> Result<(), MeasureError> {
        let (name, input): (String, Box<dyn Read>) = if path == Path::new("-") {
            ("<stdin>".to_owned(), Box::new(io::stdin().lock()))
        } else {
            let fail = |source| MeasureError::io("cannot read", path, source);
            let file = File::open(path).map_err(fail)?;
            if file.metadata().map_err(fail)?.is_dir() {
                return Err(fail(io::ErrorKind::IsADirectory.into()));
            }
            (visible_path(path), Box::new(file))
        };
        self.lines(&name, BufReader::new(input))
    }

    fn lines(&mut self, name: &str, mut input: impl BufRead) -> Result<(), MeasureError> {
        let fail = |source| MeasureError::io("cannot read", Path::new(name), source);
        let mut bad = 0;
        for number in 1.. {
            let mut line = Vec::new();
            let length =
                (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(fail)?;
            if length == 0 {
                break;
            }
            if length as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
                let message = format!("line {number} is longer than any that `bench` writes");
                return Err(fail(io::Error::new(io::ErrorKind::InvalidData, message)));
            }
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            match record(line) {
                Line::Record(record) => self.add(*record, name, number),
                Line::OtherSchema(schema) => {
                    let message = format!(
                        "line {number} has schema {schema}, and this version of groundfrog knows {SCHEMA} only"
                    );
                    return Err(fail(io::Error::new(io::ErrorKind::Unsupported, message)));
                }
                Line::Foreign(reason) => {
                    bad += 1;
                    if bad <= MOST_REPORTED {
                        self.warnings.push(format!("{name}:{number}: left out: {reason}"));
                    }
                }
            }
        }
        if bad > MOST_REPORTED {
            self.warnings.push(format!("{name}: {} more lines left out", bad - MOST_REPORTED));
        }
        Ok(())
    }

    fn add(&mut self, record: Record, name: &str, number: usize) {
        let place = *self.places.entry(key(&record)).or_insert(self.records.len());
        let Some(before) = self.records.get_mut(place) else {
            self.records.push(record);
            return;
        };
        let of = match before.game == record.game {
            true => "an earlier line".to_owned(),
            false => format!("the line of `{}`, the same description", visible(&before.game)),
        };
        self.warnings
            .push(format!("{name}:{number}: `{}` takes the place of {of}", visible(&record.game)));
        *before = record;
    }

    /// What was read, and what there is to report about it.
    pub fn finish(self) -> (Vec<Record>, Vec<String>) {
        (self.records, self.warnings)
    }
}

/// What a line is.
enum Line {
    Record(Box<Record>),
    OtherSchema(u32),
    Foreign(String),
}

fn record(line: &[u8]) -> Line {
    let is_torn = |error: &serde_json::Error| error.is_eof() || error.is_syntax();
    match serde_json::from_slice::<Versioned>(line) {
        Err(error) if is_torn(&error) => {
            return Line::Foreign("it is torn or no JSON".to_owned());
        }
        Err(_) => return Line::Foreign("it is not what `groundfrog bench` writes".to_owned()),
        Ok(Versioned { schema, .. }) if schema != SCHEMA => return Line::OtherSchema(schema),
        Ok(Versioned { game, .. }) if game.is_empty() => {
            return Line::Foreign("its game has no name".to_owned());
        }
        Ok(_) => {}
    }
    match serde_json::from_slice(line) {
        Ok(record) => Line::Record(Box::new(record)),
        Err(error) => Line::Foreign(format!("it is not what `groundfrog bench` writes: {error}")),
    }
}

/// What distinguishes games: their content, or where nobody could read that, their path.
fn key(record: &Record) -> String {
    match &record.sha256 {
        Some(hash) => hash.to_ascii_lowercase(),
        None => format!("file {}", record.file),
    }
}

/// One record a game, the last one, by name.
pub(super) fn in_order(records: &[Record]) -> Vec<&Record> {
    let last: HashMap<String, &Record> = records.iter().map(|it| (key(it), it)).collect();
    let mut records: Vec<&Record> = last.into_values().collect();
    let order = |record: &&Record| {
        (
            record.game.to_lowercase(),
            record.game.clone(),
            record.file.clone(),
            record.sha256.clone(),
        )
    };
    records.sort_by_cached_key(order);
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::records;

    fn merged(parts: &[&str]) -> (Vec<Record>, Vec<String>) {
        let mut merger = Merger::default();
        for (number, part) in parts.iter().enumerate() {
            merger.lines(&format!("part{number}"), part.as_bytes()).expect("a readable part");
        }
        merger.finish()
    }

    fn line(record: &Record) -> String {
        serde_json::to_string(record).expect("a record") + "\n"
    }

    #[test]
    fn parts_are_put_together() {
        let all = records(6, 1);
        let parts =
            [all[..2].iter().map(line).collect::<String>(), all[2..].iter().map(line).collect()];
        let (read, warnings) = merged(&[&parts[0], &parts[1]]);
        assert_eq!((read, warnings), (all, vec![]));
    }

    #[test]
    fn the_later_line_of_a_game_counts() {
        let all = records(2, 1);
        let again = Record { wall: 77.0, ..all[0].clone() };
        let renamed = Record { game: "copy".into(), ..all[1].clone() };
        let text = [&all[0], &all[1], &again, &renamed].map(line).concat();
        let (read, warnings) = merged(&[&text]);
        assert_eq!(read, [again, renamed]);
        assert_eq!(
            warnings,
            [
                format!("part0:3: `{}` takes the place of an earlier line", all[0].game),
                format!(
                    "part0:4: `copy` takes the place of the line of `{}`, the same description",
                    all[1].game
                ),
            ]
        );
    }

    #[test]
    fn games_that_nobody_could_read_are_told_apart_by_their_files() {
        let mut all = records(2, 1);
        all.iter_mut().for_each(|it| it.sha256 = None);
        let text: String = all.iter().map(line).collect();
        assert_eq!(merged(&[&text]), (all, vec![]));
    }

    #[test]
    fn torn_and_foreign_lines_are_left_out() {
        let all = records(1, 1);
        let whole = line(&all[0]);
        let torn = &whole[..whole.len() / 2];
        let text = format!("{{\"schema\":1,\"seconds\":2}}\n\n{whole}[1,2]\nhello\n{torn}");
        let (read, warnings) = merged(&[&text]);
        assert_eq!(read, all);
        let starts = ["part0:1: left out: it is not what", "part0:4: left out: it is not what"];
        let torn = ["part0:5: left out: it is torn", "part0:6: left out: it is torn"];
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        for (warning, start) in warnings.iter().zip(starts.iter().chain(&torn)) {
            assert!(warning.starts_with(start), "{warning}");
        }
    }

    #[test]
    fn many_bad_lines_are_counted() {
        let (_, warnings) = merged(&[&"x\n".repeat(500)]);
        assert_eq!(warnings.len(), MOST_REPORTED + 1);
        assert_eq!(warnings.last().map(String::as_str), Some("part0: 490 more lines left out"));
    }

    #[test]
    fn other_schemas_are_refused() {
        let other = line(&Record { schema: SCHEMA + 1, ..records(1, 1)[0].clone() });
        let error =
            Merger::default().lines("new.jsonl", other.as_bytes()).expect_err("another schema");
        let message = "cannot read `new.jsonl`: line 1 has schema 2, and this version of groundfrog knows 1 only";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn the_order_of_parts_does_not_matter() {
        let all = records(9, 1);
        let turned: Vec<Record> = all.iter().rev().cloned().collect();
        assert_eq!(in_order(&all), in_order(&turned));
        assert_eq!(in_order(&all).len(), 9);
    }
}
