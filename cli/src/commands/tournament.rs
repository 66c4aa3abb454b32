//! `groundfrog tournament`.

mod page;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use groundfrog::Description;
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::visible::{visible, visible_json, visible_path};
use groundfrog_arena::board::{Layout, Look, Picture};
use groundfrog_arena::record::{MatchRecord, files};
use groundfrog_arena::referee::{LiveRecord, MatchObserver, RefereeError};
use groundfrog_arena::tournament::{
    Existing, FolderError, Format, MatchResult, Pairing, Plan, PlanError, PlannedGame,
    PlayerSource, Progress, RecordFolder, Standings, Tournament, TournamentError, TournamentGame,
    TournamentObserver,
};
use groundfrog_player::memory::ProcessMemory;
use groundfrog_player::text::elements;
use groundfrog_reasoner::{Machine, OpenLimits};
use serde::Serialize;

use super::{Session, play_match};
use crate::arguments::{FormatArguments, ReadingArguments, ReportChoice, TournamentArguments};
use crate::destination::{Destination, replace_file};
use crate::diagnostics::Reporter;
use crate::failure::{Cause, Exit, Failure};
use crate::progress::Activity;
use crate::supervisor::{Supervisor, raise_then_end};
use crate::{memory, source};

/// The folder of the records within that of the results.
const RECORDS: &str = "matches";
/// The folder of the records of matches that are under way.
const LIVE: &str = "live";

/// Plays a tournament.
pub(crate) fn run(arguments: &TournamentArguments) -> Exit {
    let session = Session::new(Supervisor::new(None, None, false), arguments.quiet);
    session.run(|it| work(arguments, it))
}

fn work(arguments: &TournamentArguments, session: &Session) -> Result<(), Failure> {
    let Session { supervisor, reporter } = session;
    let path = &arguments.plan;
    let (name, bytes) = source::contents(path)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        let name = visible(&name);
        Failure::Source(format!("`{name}` is no TOML: it is not encoded in UTF-8"))
    })?;
    let of_plan = |error| in_plan(error, &name, &text);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let plan = Plan::parse(&text, &stem).map_err(of_plan)?;
    // A flag of its own: the supervisor would end the process before ABORT has reached the players.
    let stop: Arc<AtomicBool> = Arc::default();
    raise_then_end(&stop);
    let folder = path.parent().unwrap_or(Path::new(""));
    let reading = Supervisor::before_match(&stop, arguments.max_memory.0);
    let game = |it: &PlannedGame| game(it, folder, &reading, &of_plan);
    let games = plan.games.iter().map(game).collect::<Result<Vec<TournamentGame>, _>>()?;
    reading.take_last_word();
    let rules: Vec<(String, Arc<Description>)> =
        games.iter().map(|it| (it.name.clone(), Arc::clone(&it.description))).collect();
    let of_tournament = |error| match error {
        _ if stop.load(Ordering::Relaxed) => {
            Failure::stopped(Cause::Interrupt, Activity::Grounding)
        }
        TournamentError::Plan(error) => of_plan(error),
        error => of_tournament(error),
    };
    let process = ProcessMemory::watched(arguments.max_memory.0, memory::in_use);
    let tournament = Tournament::new(plan, games, &stop, process).map_err(of_tournament)?;
    let Some(out) = arguments.out.as_deref().filter(|_| !arguments.schedule) else {
        return print_schedule(&tournament, supervisor);
    };
    check_space(&tournament)?;
    let existing = match (arguments.resume, arguments.replace) {
        (true, _) => Existing::Resume,
        (false, true) => Existing::Replace,
        (false, false) => Existing::Keep,
    };
    let records = RecordFolder::open(out.join(RECORDS), existing);
    let records = records.map_err(|it| of_tournament(TournamentError::Folder(it)))?;
    let tournament = tournament.with_folder(records);
    let live = out.join(LIVE);
    fs::create_dir_all(&live)
        .map_err(|source| Failure::io("cannot make the folder", &live, source))?;
    [out, &live].into_iter().for_each(files::remove_left);
    let failed = AtomicU64::new(0);
    let match_reporter = MatchReporter { tournament: &tournament, reporter, live: &live, failed };
    let progress = tournament.run(&stop, &match_reporter);
    // Nobody plays there any more; what it holds nevertheless is somebody else's.
    let _ = fs::remove_dir(&live);
    let progress = progress.map_err(of_tournament)?;
    let standings = tournament.standings(&progress.results);
    let page = out.join("report.html");
    let pictures = match stop.load(Ordering::Relaxed) {
        true => Vec::new(),
        false => pictures(&tournament, &rules, &progress.results, &out.join(RECORDS)),
    };
    let text = page::page(&tournament, &progress, &standings, &pictures);
    replace_file(&page, text.as_bytes())?;
    print_standings(&tournament, &standings, &arguments.format, session)?;
    reporter.note(&format!("report: {}\n", visible_path(&page)));
    end(&progress, &match_reporter, &stop, out)
}

/// Checks that the address space is enough for all who play at once.
fn check_space(tournament: &Tournament) -> Result<(), Failure> {
    let plan = tournament.plan();
    let threads = |it: &usize| match plan.players[*it].source {
        PlayerSource::BuiltIn { threads, .. } => Some(threads),
        PlayerSource::Remote { .. } => None,
    };
    let first = tournament.schedule().round(1, &[]);
    let built_in = first.iter().map(|it| it.seats.iter().filter_map(threads).count());
    let players = built_in.max().unwrap_or(0) * plan.parallel;
    // 0 stands for all processors.
    let all = (0..plan.players.len()).filter_map(|it| threads(&it));
    memory::check_players(players, all.max().unwrap_or(0))
}

/// How the program ends when the matches are played, or not.
fn end(
    progress: &Progress,
    match_reporter: &MatchReporter<'_>,
    stop: &AtomicBool,
    out: &Path,
) -> Result<(), Failure> {
    let failed = match_reporter.failed.load(Ordering::Relaxed);
    if stop.load(Ordering::Relaxed) && progress.left > 0 {
        let (done, left, out) = (progress.results.len(), progress.left, visible_path(out));
        let message =
            format!("interrupted: {done} matches are in `{out}`; --resume plays the other {left}");
        return Err(Failure::Stopped { cause: Cause::Interrupt, message });
    }
    match progress.left {
        0 => Ok(()),
        left => Err(Failure::Game(format!(
            "{left} matches have no record, {failed} of them since the rules had no answer"
        ))),
    }
}

/// A game of the plan: a path beside the plan, or a name.
fn game(
    planned: &PlannedGame,
    folder: &Path,
    supervisor: &Supervisor,
    of_plan: &dyn Fn(PlanError) -> Failure,
) -> Result<TournamentGame, Failure> {
    let path = Path::new(&planned.source);
    if let Some(own) = source::own(&planned.source) {
        return Ok(TournamentGame { name: planned.source.clone(), description: Arc::new(own?) });
    }
    let file = folder.join(path);
    if !file.is_file() {
        let message =
            format!("there is no file `{}`, and no game is called so", visible_path(&file));
        let help = "paths count from the folder of this file; the names are those of the games in `corpus`";
        return Err(of_plan(PlanError::at(planned.place.clone(), message).with_help(help)));
    }
    let description =
        Arc::new(source::description(&file, &ReadingArguments::default(), supervisor)?);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(TournamentGame { name, description })
}

fn in_plan(error: PlanError, name: &str, text: &str) -> Failure {
    let span = error.place.map_or(Span::default(), |it| Span::new(it.start, it.end));
    let diagnostic = Diagnostic::error("", error.message, span);
    let diagnostic = match error.help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    };
    Failure::Plan { diagnostic: Box::new(diagnostic), name: name.to_owned(), text: text.to_owned() }
}

fn of_tournament(error: TournamentError) -> Failure {
    match error {
        TournamentError::Game { game, cause } => {
            Failure::OfGame { game, failure: Box::new(play_match::failure(cause)) }
        }
        TournamentError::Folder(FolderError::Io { what, path, source }) => {
            Failure::io(what, &path, source)
        }
        TournamentError::Folder(error @ FolderError::Records(_)) => Failure::Usage(format!(
            "{error}: --resume plays the matches that are missing, --replace removes them"
        )),
        TournamentError::Folder(
            error @ (FolderError::Other { .. } | FolderError::Contradiction { .. }),
        ) => Failure::Usage(format!("{error}; give another --out, or --replace")),
        error => Failure::Source(error.to_string()),
    }
}

/// A match of the schedule, by names.
#[derive(Serialize)]
struct ScheduledMatch<'t> {
    id: String,
    game: &'t str,
    players: Vec<&'t str>,
}

fn print_schedule(tournament: &Tournament, supervisor: &Supervisor) -> Result<(), Failure> {
    let plan = tournament.plan();
    let rounds = if plan.format == Format::Swiss { 1 } else { plan.rounds };
    Destination::Stdout.write(supervisor, |out| {
        for pairing in (1..=rounds).flat_map(|it| tournament.schedule().round(it, &[])) {
            let players = pairing.seats.iter().map(|&it| plan.players[it].name.as_str()).collect();
            let (id, game) = (tournament.id(&pairing), tournament.game(pairing.game));
            let line = serde_json::to_string(&ScheduledMatch { id, game, players })?;
            writeln!(out, "{}", visible_json(&line))?;
        }
        Ok(())
    })
}

/// The standings with what they are about.
#[derive(Serialize)]
struct TournamentReport<'t> {
    tournament: &'t str,
    left: u64,
    #[serde(flatten)]
    standings: &'t Standings,
}

fn print_standings(
    tournament: &Tournament,
    standings: &Standings,
    format: &FormatArguments<ReportChoice>,
    session: &Session,
) -> Result<(), Failure> {
    let left = tournament.matches() - standings.matches;
    let tournament = &tournament.plan().name;
    let report = TournamentReport { tournament, left, standings };
    session.report(format, &report, |out| out.write_all(table(standings).as_bytes()))
}

/// Reports each match that has ended.
struct MatchReporter<'t> {
    tournament: &'t Tournament,
    reporter: &'t Reporter,
    /// Where the records of matches that are under way are.
    live: &'t Path,
    failed: AtomicU64,
}

impl TournamentObserver for MatchReporter<'_> {
    fn begun(&self, pairing: &Pairing) -> Box<dyn MatchObserver> {
        Box::new(LiveRecord::new(self.live, &self.tournament.id(pairing)))
    }

    fn recorded(&self, result: &MatchResult) {
        if result.is_aborted {
            let line = line(self.tournament, result);
            let id = self.tournament.id(&result.pairing);
            self.reporter.note(&format!("{id}: {line} (recorded; not played again)\n"));
        }
    }

    fn ended(&self, result: &MatchResult) {
        let line = line(self.tournament, result);
        self.reporter.note(&format!("{}: {line}\n", self.tournament.id(&result.pairing)));
    }

    fn failed(&self, pairing: &Pairing, error: &RefereeError) {
        self.failed.fetch_add(1, Ordering::Relaxed);
        let (id, game) = (self.tournament.id(pairing), self.tournament.game(pairing.game));
        let game = visible(game);
        self.reporter.always(&format!("{id}: {game} could not be played: {error}\n"));
    }
}

// Results and standings for a terminal.

/// A match in a line: `breakthrough: ann 100, bob 0; 23 turns`.
fn line(tournament: &Tournament, result: &MatchResult) -> String {
    let pairing = &result.pairing;
    let player = |(seat, &player): (usize, &usize)| {
        let name = visible(&tournament.plan().players[player].name);
        let none = if result.is_aborted { "given up" } else { "no result" };
        let goal = result.goals.as_ref().map_or(none.to_owned(), |it| it[seat].to_string());
        match result.faults[seat].total() {
            0 => format!("{name} {goal}"),
            1 => format!("{name} {goal} (1 fault)"),
            faults => format!("{name} {goal} ({faults} faults)"),
        }
    };
    let players: Vec<String> = pairing.seats.iter().enumerate().map(player).collect();
    let (game, turns) = (visible(tournament.game(pairing.game)), result.turns);
    format!("{game}: {}; {turns} turns", players.join(", "))
}

/// The standings as a table.
fn table(standings: &Standings) -> String {
    let names = standings.players.iter().map(|it| visible(&it.name).chars().count());
    let width = names.max().unwrap_or(0).max("player".len());
    let mut text = format!(
        "     {:width$}  matches  points  share (95 %)        wins  draws  losses  rating      late  illegal  connection\n",
        "player"
    );
    for player in &standings.players {
        let percent = |it: f64| it * 100.0;
        let (low, high) = player.interval;
        let share = match player.share.mean() {
            Some(mean) => {
                format!("{:.1} % ({:.1}-{:.1})", percent(mean), percent(low), percent(high))
            }
            None => "-".to_owned(),
        };
        let rating = format!("{:.1} ± {:.1}", player.rating, player.uncertainty);
        text += &format!(
            "{:3}. {:width$}  {:7}  {:6.1}  {share:18}  {:4}  {:5}  {:6}  {rating:10}  {:4}  {:7}  {:10}\n",
            player.place,
            visible(&player.name),
            player.share.matches,
            player.share.points,
            player.wins,
            player.draws,
            player.losses,
            player.faults.late,
            player.faults.illegal,
            player.faults.connection
        );
    }
    let without = match standings.without_result {
        0 => String::new(),
        number => format!(", {number} of them without a result"),
    };
    text + &format!("{} matches{without}\n", standings.matches)
}

// The last states of matches, drawn on their boards.

/// So many matches of each game are shown, and so many of all.
const MOST_OF_GAME: usize = 4;
const MOST: usize = 48;
/// Time to ground a game, and to find out what it looks like.
const TIME: Duration = Duration::from_secs(3);

/// Pictures of the last states of the first matches of each game, by the records in a folder. What cannot be drawn is left out.
fn pictures(
    tournament: &Tournament,
    games: &[(String, Arc<Description>)],
    results: &[MatchResult],
    records: &Path,
) -> Vec<Picture> {
    let mut pictures = Vec::new();
    for (name, description) in games {
        let own = results.iter().filter(|it| tournament.game(it.pairing.game) == name);
        let own: Vec<&MatchResult> = own.take(MOST_OF_GAME).collect();
        if own.is_empty() || pictures.len() >= MOST {
            continue;
        }
        let deadline = Some(Instant::now() + TIME);
        let limits = OpenLimits { deadline, patience: Some(TIME), ..OpenLimits::default() };
        let Ok(mut machine) = Machine::new(description, &limits) else { continue };
        let look = Look::default();
        let layout = Layout::of_machine(description, &mut machine, TIME, &look);
        for result in own {
            let path = records.join(format!("{}.json", tournament.id(&result.pairing)));
            let record = files::read(&path).ok().and_then(|it| MatchRecord::parse(&it).ok());
            let last = record.and_then(|it| elements(it.states.last()?));
            let Some(fluents) = last else { continue };
            let seats = result.pairing.seats.iter().map(|it| &tournament.plan().players[*it].name);
            let goals = |seat: usize| match &result.goals {
                Some(goals) => format!(" {}", goals[seat]),
                None => String::new(),
            };
            let players: Vec<String> =
                seats.enumerate().map(|(seat, it)| format!("{it}{}", goals(seat))).collect();
            let caption = format!("{name}: {}", players.join(", "));
            pictures.extend(Picture::new((&layout, &look), &mut *machine, &fluents, caption));
        }
    }
    pictures
}
