//! `groundfrog match`.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use groundfrog::GroundError;
use groundfrog_arena::record::MatchRecord;
use groundfrog_arena::referee::LiveRecord;
use groundfrog_arena::referee::{
    MatchObserver, MatchOptions, PerceptForm, Referee, RefereeError, Seat, TurnReport,
};
use groundfrog_player::StrategyKind;
use groundfrog_player::memory::{PLAYER_MEMORY, ProcessMemory};
use groundfrog_player::protocol::Address;
use groundfrog_player::strategy::{StrategyError, StrategyOptions};
use groundfrog_reasoner::open::{is_imperfect, seeing_all};
use groundfrog_reasoner::{Machine, OpenLimits};
use serde::Serialize;

use super::Session;
use crate::arguments::{MatchArguments, ReportChoice};
use crate::destination::Destination;
use crate::failure::{Cause, Exit, Failure};
use crate::memory;
use crate::progress::Activity;
use crate::source;
use crate::supervisor::{Supervisor, raise_then_end};
use groundfrog_benches::quantities;

/// No evaluation of the game master's takes longer than this, or the longer of the clocks.
const PATIENCE: Duration = Duration::from_secs(10);

/// Checks that the memory is enough for the players that are built in.
fn check_memory(arguments: &MatchArguments) -> Result<(), Failure> {
    let is_built_in = |it: &&String| !it.contains("://");
    let players = arguments.players.iter().filter(is_built_in).count();
    memory::check_players(players, arguments.strength.threads)?;
    let players = players as u64;
    let Some(allowed) = arguments.strength.max_memory.0 else { return Ok(()) };
    if players * PLAYER_MEMORY <= allowed {
        return Ok(());
    }
    let needed = (players * PLAYER_MEMORY) >> 20;
    let message = format!(
        "{players} built-in players need {needed} MiB before they begin: give more with `--max-memory`"
    );
    Err(Failure::Stopped {
        cause: Cause::Memory { allowed, reached: players * PLAYER_MEMORY },
        message,
    })
}

/// Runs a match between players.
pub(crate) fn run(arguments: &MatchArguments) -> Exit {
    let supervisor = Supervisor::last_resort(arguments.strength.max_memory.0);
    Session::new(supervisor, false).run(|session| work(arguments, &session.supervisor))
}

fn work(arguments: &MatchArguments, supervisor: &Supervisor) -> Result<(), Failure> {
    // A flag of its own: the supervisor would end the process before ABORT has reached the players.
    let stop: Arc<AtomicBool> = Arc::default();
    let memory = arguments.strength.max_memory.0;
    let process = ProcessMemory::watched(memory, memory::in_use);
    let bounds: Arc<dyn groundfrog::Stop> = Arc::new(process.bounds(&stop));
    // The game master has half of the memory, and players that are built in the rest.
    let options = StrategyOptions {
        threads: arguments.strength.threads,
        opponents: arguments.strength.opponents.clone(),
        memory: memory.map(|it| it / 2 / arguments.players.len().max(1) as u64),
        stop: Some(Arc::clone(&bounds)),
        ..StrategyOptions::default()
    };
    let names = arguments.players.iter().map(|it| it.split('=').next().unwrap_or_default());
    let names: Vec<&str> = names.collect();
    if let Some(at) = (1..names.len()).find(|&it| names[..it].contains(&names[it])) {
        let message = format!("there are two players called `{}`: give each its own", names[at]);
        return Err(Failure::Usage(message));
    }
    check_memory(arguments)?;
    let seats: Vec<Seat> = (0u64..)
        .zip(&arguments.players)
        .map(|(number, it)| {
            let seed = arguments.strength.seed.wrapping_add(number);
            seat(it, StrategyOptions { seed, ..options.clone() }, arguments.max_message.0)
        })
        .collect::<Result<_, _>>()?;
    let is_word = |it: char| !it.is_whitespace() && !"();".contains(it);
    if arguments.id.is_empty() || !arguments.id.chars().all(is_word) {
        return Err(Failure::Usage(format!(
            "`{}` is no word of KIF: give another --id",
            arguments.id
        )));
    }
    raise_then_end(&stop);
    let input = &arguments.input;
    let reading = Supervisor::before_match(&stop, memory);
    let mut description = source::description(&input.game, &input.reading, &reading)?;
    reading.take_last_word();
    if arguments.gdl_ii && !is_imperfect(&description) {
        description = seeing_all(&description).map_err(GroundError::from)?;
    }
    let description = Arc::new(description);
    let destination = arguments.record.as_deref().map(|it| Destination::new(Some(it)));
    let destination = destination.transpose()?;
    let live = match &destination {
        Some(Destination::Regular(path)) => Some(LiveRecord::at(path.clone())),
        _ => None,
    };
    let clocks = (arguments.start_clock.0, arguments.play_clock.0);
    let limits = OpenLimits {
        deadline: Instant::now().checked_add(clocks.0),
        memory: memory.map(|it| it / 2),
        stop: Some(bounds),
        patience: Some(clocks.0.max(clocks.1).max(PATIENCE)),
    };
    let machine = Machine::new(&description, &limits).map_err(StrategyError::from);
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::stopped(Cause::Interrupt, Activity::Grounding));
    }
    let mut referee = Referee::new(description, machine.map_err(|it| failure(it.into()))?);
    let options = MatchOptions {
        id: arguments.id.clone(),
        game: input.game.to_string_lossy().into_owned(),
        start_clock: arguments.start_clock.0,
        play_clock: arguments.play_clock.0,
        seed: arguments.strength.seed,
        max_turns: arguments.max_length,
        scramble: arguments.scramble,
        percept_form: match arguments.older_percepts {
            true => PerceptForm::Older,
            false => PerceptForm::Newer,
        },
        stop: Arc::clone(&stop),
        process,
        ..MatchOptions::default()
    };
    let roles = referee.all_roles();
    let format = arguments.format.choice();
    let mut printer = TurnPrinter {
        supervisor,
        roles: &roles,
        quiet: arguments.quiet || format == ReportChoice::Json,
        live,
        failure: None,
        overheads: Vec::new(),
        first_faults: vec![String::new(); roles.len()],
    };
    let record = referee.run(seats, &options, &mut printer).map_err(failure)?;
    let interrupted = stop.load(Ordering::Relaxed);
    let printed = match printer.failure {
        Some(failure) => Err(failure),
        None => {
            let report = MatchReport::new(&record, &roles, &printer.overheads);
            Destination::Stdout.report(supervisor, format, &report, |out| report.write_text(out))
        }
    };
    // The result is known although the record cannot be written, and the other way round.
    if let Some(destination) = &destination {
        destination.write(supervisor, |out| writeln!(out, "{}", record.to_json()))?;
    }
    printed?;
    match interrupted {
        true => Err(Failure::stopped(Cause::Interrupt, Activity::Playing)),
        false => silent(&record, &roles, &printer.first_faults),
    }
}

/// The failure of a match in which a player never gave a legal move in time.
fn silent(record: &MatchRecord, roles: &[String], faults: &[String]) -> Result<(), Failure> {
    let moves = record.errors.get(1..).unwrap_or_default();
    let never = |role: usize| !moves.is_empty() && moves.iter().all(|it| !it[role].is_empty());
    let reason = |role: usize| {
        let (name, role_name) = (&record.player_names_from_host[role], &roles[role]);
        format!("{name} ({role_name}) never made a legal move: {}", faults[role])
    };
    let reasons: Vec<String> = (0..roles.len()).filter(|&it| never(it)).map(reason).collect();
    if reasons.is_empty() { Ok(()) } else { Err(Failure::Silent(reasons.join("; "))) }
}

/// A player as the command line gives it: `NAME=URL` or `NAME=STRATEGY`.
fn seat(text: &str, options: StrategyOptions, longest_answer: usize) -> Result<Seat, Failure> {
    let wrong = |reason: String| Failure::Usage(format!("--player {text}: {reason}"));
    let Some((name, player)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
        return Err(wrong("expected NAME=URL, or NAME=STRATEGY for a built-in one".into()));
    };
    if let Ok(kind) = player.parse::<StrategyKind>() {
        return Ok(Seat::built_in(name, kind, options));
    }
    if !player.contains([':', '/', '.']) {
        return Err(wrong(match player.parse::<StrategyKind>() {
            Err(unknown) => format!("{unknown}, or an address such as `http://127.0.0.1:9147`"),
            Ok(_) => String::new(),
        }));
    }
    let address = player.parse::<Address>().map_err(|it| wrong(it.to_string()))?;
    Ok(Seat::remote(name, address.with_longest_answer(longest_answer)))
}

/// What stands in the way of a match.
pub(super) fn failure(error: RefereeError) -> Failure {
    match error {
        RefereeError::Game(StrategyError::Reasoner(error)) => Failure::Reasoner(error),
        RefereeError::Game(StrategyError::NoMove { role }) => {
            Failure::Reasoner(groundfrog_reasoner::ReasonerError::NoLegalMove { role })
        }
        RefereeError::Game(error) => Failure::Game(error.to_string()),
        error @ RefereeError::TooLarge { .. } => Failure::TooLong(error.to_string()),
        RefereeError::Thread(source) => {
            Failure::Io { what: "cannot start a thread".into(), source }
        }
        error => Failure::Usage(error.to_string()),
    }
}

/// Prints each turn as it comes.
struct TurnPrinter<'t> {
    supervisor: &'t Supervisor,
    roles: &'t [String],
    quiet: bool,
    /// The record, so that others can look on.
    live: Option<LiveRecord>,
    failure: Option<Failure>,
    /// Seconds that the game master took for each turn.
    overheads: Vec<f64>,
    /// By role: what went wrong first, START counted.
    first_faults: Vec<String>,
}

impl MatchObserver for TurnPrinter<'_> {
    fn started(&mut self, faults: &[Option<groundfrog_arena::Fault>]) {
        for (first, fault) in self.first_faults.iter_mut().zip(faults) {
            *first =
                fault.as_ref().map_or_else(String::new, |it| format!("START: {}", it.reason()));
        }
        let lines = self.roles.iter().zip(faults);
        let lines: Vec<String> = lines
            .filter_map(|(role, it)| Some(format!("{role}: START: {}", it.as_ref()?.reason())))
            .collect();
        lines.iter().for_each(|it| self.print(it));
    }

    fn recorded(&mut self, record: &MatchRecord) {
        if let Some(live) = &mut self.live {
            live.recorded(record);
        }
    }

    fn turn(&mut self, turn: &TurnReport) {
        self.overheads.push(turn.overhead.as_secs_f64());
        for (first, seat) in self.first_faults.iter_mut().zip(&turn.seats) {
            if let (true, Some(fault)) = (first.is_empty(), &seat.fault) {
                *first = fault.reason();
            }
        }
        let parts =
            self.roles.iter().zip(&turn.moves).zip(&turn.seats).map(|((role, made), seat)| {
                let value = seat.decision.as_ref().and_then(|it| it.value);
                let value = value.map_or(String::new(), |it| format!(" (expects {it:.0})"));
                match &seat.fault {
                    Some(fault) => format!("{role} {made} at random: {}", fault.reason()),
                    None => format!("{role} {made}{value}"),
                }
            });
        let line = format!("{}. {}", turn.turn + 1, parts.collect::<Vec<_>>().join("; "));
        self.print(&line);
    }
}

impl TurnPrinter<'_> {
    fn print(&mut self, line: &str) {
        if self.quiet || self.failure.is_some() {
            return;
        }
        let written = Destination::Stdout.show(self.supervisor, &format!("{line}\n"));
        self.failure = written.err();
    }
}

/// How a match went. `docs/formats.md` describes every field.
#[derive(Debug, Serialize)]
struct MatchReport<'m> {
    game: &'m str,
    id: &'m str,
    completed: bool,
    turns: usize,
    players: Vec<PlayerReport<'m>>,
    master_seconds: MasterReport,
}

#[derive(Debug, Serialize)]
struct PlayerReport<'m> {
    role: &'m str,
    name: &'m str,
    goal: Option<i64>,
    faults: usize,
}

/// Seconds that the game master took for a turn, besides waiting for players.
#[derive(Debug, Serialize)]
struct MasterReport {
    median: f64,
    percentile_99: f64,
}

impl<'m> MatchReport<'m> {
    fn new(record: &'m MatchRecord, roles: &'m [String], overheads: &[f64]) -> Self {
        let mut sorted = overheads.to_vec();
        sorted.sort_by(f64::total_cmp);
        let share = |share: f64| {
            let at = (sorted.len() as f64 * share) as usize;
            sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
        };
        let player = |(number, role): (usize, &'m String)| PlayerReport {
            role,
            name: &record.player_names_from_host[number],
            goal: record.goal_values.get(number).copied().flatten(),
            faults: record.errors.iter().filter(|it| !it[number].is_empty()).count(),
        };
        MatchReport {
            game: &record.game_meta_url,
            id: &record.match_id,
            completed: record.is_completed,
            turns: record.moves.len(),
            players: roles.iter().enumerate().map(player).collect(),
            master_seconds: MasterReport { median: share(0.5), percentile_99: share(0.99) },
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let end = if self.completed { "The match is over" } else { "The match is given up" };
        writeln!(
            out,
            "{end} after {} turns; the game master took {} a turn, {} at the 99th percentile.",
            self.turns,
            quantities::time(self.master_seconds.median),
            quantities::time(self.master_seconds.percentile_99)
        )?;
        for PlayerReport { role, name, goal, faults } in &self.players {
            let faults = if *faults == 0 { String::new() } else { format!(", {faults} faults") };
            match goal {
                Some(value) => writeln!(out, "{name} ({role}): {value}{faults}")?,
                None => writeln!(out, "{name} ({role}): no goal value{faults}")?,
            }
        }
        Ok(())
    }
}
