//! `groundfrog analyse-match`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use groundfrog::Description;
use groundfrog::visible::visible;
use groundfrog_arena::record::{MatchRecord, files};
use groundfrog_player::review::{Estimate, Mistake, Review, Turning, review};
use groundfrog_player::strategy::StrategyOptions;
use serde::Serialize;

use super::Session;
use crate::arguments::AnalyseMatchArguments;
use crate::failure::Failure;
use crate::source;
use crate::supervisor::Supervisor;

/// Says what each role was thought to get in a match, where that turned, and who erred.
pub(crate) fn work(arguments: &AnalyseMatchArguments, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let path = &arguments.record;
    let text = files::read(path).map_err(|it| Failure::io("cannot read", path, it))?;
    let record = MatchRecord::parse(&text).map_err(|it| Failure::Source(it.to_string()))?;
    let description = Arc::new(description(arguments, &record, supervisor)?);
    let (memory, stop) = (arguments.limits.max_memory.0, Some(supervisor.stop()));
    let seed = arguments.seed;
    let strategy = StrategyOptions { memory, stop, seed, ..StrategyOptions::default() };
    // What a match that was given up has of goals is not how it ended.
    let goals = if record.is_completed { &record.goal_values[..] } else { &[] };
    let reviewed = review(&description, &record.moves, goals, arguments.time.0, &strategy);
    supervisor.check()?;
    let reviewed = reviewed.map_err(|it| {
        Failure::Game(format!("the record does not fit the game: {it}; see `--game`"))
    })?;
    for remark in &reviewed.remarks {
        session.reporter.note(&format!("note: {remark}: `--game` may give another game\n"));
    }
    let report = MatchReview::new(&record, &reviewed);
    session.report(&arguments.format, &report, |out| out.write_all(report.text().as_bytes()))
}

/// The game that is given, or that the record names: a file, in its own folder or that of the record, or a game of the corpus.
fn description(
    arguments: &AnalyseMatchArguments,
    record: &MatchRecord,
    supervisor: &Supervisor,
) -> Result<Description, Failure> {
    let named = &record.game_meta_url;
    let beside = files::folder(&arguments.record).join(named);
    let there = [PathBuf::from(named), beside].into_iter().find(|it| it.is_file());
    if let Some(game) = arguments.game.as_deref().or(there.as_deref()) {
        return source::description(game, &arguments.reading, supervisor);
    }
    source::own(named).unwrap_or_else(|| {
        let named =
            if named.is_empty() { "no game".into() } else { format!("`{}`", visible(named)) };
        Err(Failure::Usage(format!(
            "the record names {named} as its game, which is not here: give the file of the description by `--game FILE`"
        )))
    })
}

/// What is thought of a match. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct MatchReview<'r> {
    game: &'r str,
    id: &'r str,
    completed: bool,
    turns: Vec<TurnRow<'r>>,
    roles: Vec<RoleRow<'r>>,
    mistakes: Vec<MistakeRow<'r>>,
    remarks: &'r [String],
}

/// A turn, counted from 1.
#[derive(Debug, Serialize)]
struct TurnRow<'r> {
    turn: usize,
    moves: &'r [String],
}

#[derive(Debug, Serialize)]
struct RoleRow<'r> {
    role: &'r str,
    values: &'r [Option<Estimate>],
    best: &'r [Option<String>],
    turned: Option<TurnedRow>,
}

/// The turns between which a value turned for good, counted from 1.
#[derive(Clone, Copy, Debug, Serialize)]
struct TurnedRow {
    turn: usize,
    until: usize,
    from: Estimate,
    to: Estimate,
}

impl From<Turning> for TurnedRow {
    fn from(it: Turning) -> Self {
        TurnedRow { turn: it.turn + 1, until: it.until, from: it.from, to: it.to }
    }
}

#[derive(Debug, Serialize)]
struct MistakeRow<'r> {
    turn: usize,
    role: &'r str,
    made: &'r str,
    better: &'r str,
    from: Estimate,
    to: Estimate,
    /// What the record says of the move, such as that the game master made it.
    recorded: Option<&'r str>,
}

impl<'r> MatchReview<'r> {
    fn new(record: &'r MatchRecord, review: &'r Review) -> Self {
        let turns = record.moves.iter().zip(1..);
        let turns = turns.map(|(moves, turn)| TurnRow { turn, moves }).collect();
        let roles = review.roles.iter().map(|it| RoleRow {
            role: &it.role,
            values: &it.values,
            best: &it.best,
            turned: it.turning().map(TurnedRow::from),
        });
        let mistake = |it: &'r Mistake| {
            // The first row of errors is about START.
            let row = record.errors.get(it.turn + 1);
            let recorded = row.and_then(|row| row.get(it.place)).map(String::as_str);
            MistakeRow {
                turn: it.turn + 1,
                role: &it.role,
                made: &it.made,
                better: &it.better,
                from: it.from,
                to: it.to,
                recorded: recorded.filter(|it| !it.is_empty()),
            }
        };
        MatchReview {
            game: &record.game_meta_url,
            id: &record.match_id,
            completed: review.ended,
            turns,
            roles: roles.collect(),
            mistakes: review.mistakes.iter().map(mistake).collect(),
            remarks: &review.remarks,
        }
    }

    /// The values turn by turn, who erred, and where the values turned.
    fn text(&self) -> String {
        let mut text = String::new();
        let values = |state: usize| {
            let value = |it: &RoleRow<'_>| format!("{} {}", it.role, value(it.values[state]));
            self.roles.iter().map(value).collect::<Vec<_>>().join(", ")
        };
        for TurnRow { turn, moves } in &self.turns {
            let _ = writeln!(text, "{turn:>4}  {}  made {}", values(turn - 1), moves.join(" "));
        }
        let last = if self.completed { "end" } else { "last" };
        let _ = writeln!(text, "{last:>4}  {}", values(self.turns.len()));
        for it in &self.mistakes {
            let ended = self.turns.len() == it.turn && self.completed;
            let mut got = self.roles.iter().filter(|role| role.role == it.role);
            let is_goal = ended && got.any(|role| role.values[it.turn] == Some(it.to));
            let _ = writeln!(
                text,
                "turn {}: {} made {}, better was {}: from {} to {}{}{}",
                it.turn,
                it.role,
                it.made,
                it.better,
                value(Some(it.from)),
                value(Some(it.to)),
                if is_goal { " (the goal that it got)" } else { "" },
                it.recorded.map_or_else(String::new, |it| format!("; the record says: {it}"))
            );
        }
        for role in &self.roles {
            let _ = writeln!(text, "{}: {}", role.role, self.turned(role));
        }
        text
    }

    /// Where the value of a role turned, and by whom.
    fn turned(&self, role: &RoleRow<'_>) -> String {
        let Some(TurnedRow { turn, until, from, to }) = role.turned else {
            let known = role.values.iter().flatten().count();
            return if known < 2 { "not known" } else { "never turned" }.to_owned();
        };
        let turns =
            if turn == until { format!("turn {turn}") } else { format!("turns {turn} to {until}") };
        let between = self.mistakes.iter().filter(|it| (turn..=until).contains(&it.turn));
        let mut who: Vec<&str> = between.map(|it| it.role).collect();
        who.sort_unstable();
        who.dedup();
        let by = match who.is_empty() {
            true => "no mistake of anybody is known there".to_owned(),
            false => format!("by the move of {}", who.join(", ")),
        };
        format!("turned in {turns}, from {} to {}; {by}", value(Some(from)), value(Some(to)))
    }
}

/// A value, as far as it is known.
fn value(it: Option<Estimate>) -> String {
    match it {
        Some(Estimate { value, proven: true }) => format!("{value:.0} (proven)"),
        Some(Estimate { value, .. }) => format!("{value:.0}"),
        None => "?".to_owned(),
    }
}
