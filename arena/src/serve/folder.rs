//! A folder with records of matches, which is watched: what is new or has grown is shown.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use web_time::{Instant, SystemTime};

use super::Shared;
use super::game::open_text;
use super::shown_match::{MatchLog, ShownClocks, ShownMatch, ShownSeat, Status};
use crate::record::{MatchRecord, files};
use crate::referee::{PositionReport, SeatReport, TurnReport};
use groundfrog_player::PeerText;
use groundfrog_player::text;

/// How often the folder is looked at.
const INTERVAL: Duration = Duration::from_millis(500);
/// No more records are shown; the latest count.
const MOST: usize = 500;
/// Bytes of a record, and of a game beside it.
const LONGEST: u64 = 32 << 20;
/// How deep folders are searched.
const DEPTH: usize = 3;

/// A file as it was when it was read last, and the match that it is about.
struct Seen {
    stamp: (SystemTime, u64),
    id: Option<String>,
}

/// Looks at a folder until the page is closed.
pub(super) fn watch(folder: &Path, shared: &Arc<Shared>) {
    let mut seen: HashMap<PathBuf, Seen> = HashMap::new();
    while !shared.stop.load(Ordering::Relaxed) {
        let mut files = Vec::new();
        list(folder, DEPTH, &mut files);
        files.sort_by_key(|(_, (time, _))| *time);
        let skipped = files.len().saturating_sub(MOST);
        files.drain(..skipped);
        for (path, stamp) in &files {
            if seen.get(path).is_some_and(|it| it.stamp == *stamp) {
                continue;
            }
            // A file that is being written is no record yet; it is looked at again when it has changed.
            let id = read(path).map(|it| show(&it, shared));
            seen.insert(path.clone(), Seen { stamp: *stamp, id });
        }
        let gone = |path: &PathBuf| !files.iter().any(|it| it.0 == *path);
        let lost: Vec<Seen> = seen.extract_if(|path, _| gone(path)).map(|it| it.1).collect();
        for id in lost.into_iter().filter_map(|it| it.id) {
            if !seen.values().any(|it| it.id.as_ref() == Some(&id)) {
                give_up(&id, shared);
            }
        }
        let until = Instant::now() + INTERVAL;
        while Instant::now() < until && !shared.stop.load(Ordering::Relaxed) {
            thread::sleep(INTERVAL / 20);
        }
    }
}

fn list(folder: &Path, depth: usize, found: &mut Vec<(PathBuf, (SystemTime, u64))>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, Ok(data)) = (entry.path(), entry.metadata()) else { continue };
        if data.is_dir() && depth > 0 {
            list(&path, depth - 1, found);
        } else if data.is_file()
            && data.len() <= LONGEST
            && path.extension().is_some_and(|it| it == "json")
        {
            let time = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            found.push((path, (time, data.len())));
        }
    }
}

/// The record in a file, if it is one.
fn read(path: &Path) -> Option<MatchRecord> {
    let record = MatchRecord::parse(&files::read(path).ok()?).ok()?;
    (!record.match_id.is_empty() && !record.states.is_empty()).then_some(record)
}

/// Shows a record, in the place of what was known of the same match, and returns the number of the match.
fn show(record: &MatchRecord, shared: &Arc<Shared>) -> String {
    let id = id(record);
    let known = shared.matches().get(&id).ok();
    let shown = known.unwrap_or_else(|| {
        let named = (id.clone(), title(record), record.start_time);
        let clocks = ShownClocks {
            start: record.start_clock as f64,
            play: record.play_clock as f64,
            person: None,
        };
        let shown = ShownMatch::new(named, clocks, seats(record), None, &shared.version);
        let shown = Arc::new(shown);
        shared.matches().add(Arc::clone(&shown), MOST);
        shown
    });
    let log = log_of(record, &shown.seats);
    // The record of a match that is under way may be read late.
    let is_old = shown.log().status.is_over() && !log.status.is_over();
    if !is_old || shown.log().record.is_none() {
        shown.change(|it| *it = log);
    }
    id
}

/// Nothing more will be known of a match that was not over.
fn give_up(id: &str, shared: &Arc<Shared>) {
    let Ok(shown) = shared.matches().get(id) else { return };
    if !shown.log().status.is_over() {
        shown.change(|it| it.status = Status::Aborted);
    }
}

/// A number for a match that is the same in each of its records.
fn id(record: &MatchRecord) -> String {
    let text = format!("{} {}", record.match_id, record.start_time);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("r{hash:016x}")
}

fn title(record: &MatchRecord) -> String {
    PeerText::new(record.game_name().unwrap_or("unknown game")).into()
}

/// The seats as far as the record tells; the names of roles come with the game.
fn seats(record: &MatchRecord) -> Vec<ShownSeat> {
    let roles = record.moves.first().map_or(record.player_names_from_host.len(), Vec::len);
    let name = |it: usize| record.player_names_from_host.get(it).map(|it| PeerText::new(it));
    let seat = |role: usize| ShownSeat {
        role: format!("role {}", role + 1),
        name: name(role).unwrap_or_default().into(),
        kind: "recorded",
    };
    (0..roles).map(seat).collect()
}

/// What has happened, as far as the record tells.
fn log_of(record: &MatchRecord, seats: &[ShownSeat]) -> MatchLog {
    let mut log = MatchLog::new(match (record.is_completed, record.is_aborted) {
        (true, _) => Status::Completed,
        (_, true) => Status::Aborted,
        _ => Status::Running,
    });
    let last = record.states.len() - 1;
    for (turn, state) in record.states.iter().enumerate() {
        let state = text::elements(state).unwrap_or_default();
        let goals = record.goal_values.iter().map(|it| it.iter().copied().collect()).collect();
        log.positions.push(PositionReport {
            turn: turn as u32,
            roles: seats.iter().map(|it| it.role.clone()).collect(),
            state,
            legal: vec![Vec::new(); seats.len()],
            terminal: record.is_completed && turn == last,
            goals: if turn == last { goals } else { vec![Vec::new(); seats.len()] },
        });
    }
    for (turn, moves) in record.moves.iter().enumerate().take(last) {
        let errors = record.errors.get(turn + 1);
        let seat = |role: usize| SeatReport {
            fault: errors.and_then(|it| it.get(role)).and_then(|it| fault(it)),
            ..SeatReport::default()
        };
        log.turns.push(TurnReport {
            turn: turn as u32,
            moves: moves.iter().map(|it| text::compact(it).unwrap_or_default()).collect(),
            seats: (0..moves.len()).map(seat).collect(),
            percepts: vec![Vec::new(); moves.len()],
            overhead: Duration::ZERO,
        });
    }
    log.chosen = vec![false; seats.len()];
    log.record = Some(record.clone());
    log
}

/// An error of a record.
fn fault(text: &str) -> Option<crate::Fault> {
    match text {
        "" => None,
        "TO" => Some(crate::Fault::Late),
        "CE" => Some(crate::Fault::Connection("the connection broke".into())),
        other => Some(crate::Fault::Illegal(other.trim_start_matches("IL ").into())),
    }
}

/// Opens the game of a record: one that is offered under that name, or a description that lies where the record says, or in
/// the folder. Without it states are lists.
pub(super) fn open_game(shared: &Arc<Shared>, shown: &ShownMatch) {
    let path = shown.log().record.as_ref().map(|it| it.game_meta_url.clone()).unwrap_or_default();
    let offered = shared.options.games.iter().find(|it| it.name == shown.title);
    let text = offered
        .and_then(|it| Some(it.text.read().ok()?.into_owned()))
        .or_else(|| file(Path::new(&path)))
        .or_else(|| {
            let folder = shared.options.watch.as_ref()?;
            file(&folder.join(format!("{}.kif", shown.title)))
        });
    let game = text.and_then(|it| open_text(shared, &shown.title, None, &it).ok());
    let fits = |game: &Arc<super::game::OpenGame>| game.roles.len() == shown.seats.len();
    let _ = shown.game.set(game.filter(fits));
}

/// A description in a file.
fn file(path: &Path) -> Option<Vec<u8>> {
    let is_game = path.extension().is_some_and(|it| it == "kif" || it == "gdl");
    let is_short = fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= LONGEST);
    if is_game && is_short { fs::read(path).ok() } else { None }
}
