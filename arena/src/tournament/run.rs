//! Plays the matches of a tournament that have not been played yet.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Description, Silent, Stop};

use super::plan::{Format, PlannedPlayer, PlayerSource};
use super::schedule::match_seed;
use super::standings::Standings;
use super::{FolderError, MatchResult, Pairing, Plan, PlanError, RecordFolder, Schedule};
use crate::record::MatchRecord;
use crate::referee::{MatchObserver, MatchOptions, Referee, RefereeError, Seat};
use groundfrog_player::memory::ProcessMemory;
use groundfrog_player::strategy::{StrategyError, StrategyOptions};
use groundfrog_reasoner::{Machine, OpenLimits};

/// More matches than this are a mistake.
const MOST_MATCHES: u64 = 1_000_000;
/// How long the game master grounds a game before it interprets the rules.
const GROUNDING: Duration = Duration::from_secs(60);
/// How often a worker without a match looks whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// A game that is played.
pub struct TournamentGame {
    /// What it is called in tables.
    pub name: String,
    /// The rules.
    pub description: Arc<Description>,
}

/// Why there is no tournament, or why it has ended.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The plan cannot be carried out.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A game cannot be played.
    #[error("{game}: {cause}")]
    Game {
        /// The game.
        game: String,
        /// Why not.
        cause: RefereeError,
    },
    /// Records cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Looks on while a tournament is played, from several threads.
pub trait TournamentObserver: Sync {
    /// A match begins. What is returned looks on.
    fn begun(&self, _match: &Pairing) -> Box<dyn MatchObserver> {
        Box::new(Silent)
    }

    /// There is a record of a match already, so that it is not played.
    fn recorded(&self, _result: &MatchResult) {}

    /// A match is over and its record is written.
    fn ended(&self, _result: &MatchResult) {}

    /// There is no record of a match: the rules have no answer in some state.
    fn failed(&self, _match: &Pairing, _error: &RefereeError) {}
}

impl TournamentObserver for Silent {}

/// How far a tournament has come.
#[derive(Debug)]
pub struct Progress {
    /// What came of the matches that have a record, in the order of the schedule.
    pub results: Vec<MatchResult>,
    /// How many matches are left to be played.
    pub left: u64,
}

/// A game, its roles, and game masters that have no match at the moment.
struct Table {
    game: TournamentGame,
    roles: Vec<String>,
    /// The places of those that need a player.
    places: Vec<usize>,
    idle: Mutex<Vec<Referee>>,
}

impl Table {
    fn idle(&self) -> MutexGuard<'_, Vec<Referee>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tournament.
pub struct Tournament {
    plan: Plan,
    schedule: Schedule,
    tables: Vec<Table>,
    folder: Option<RecordFolder>,
    process: Arc<ProcessMemory>,
}

impl Tournament {
    /// For the games of a plan, in the order of the plan. They are grounded here, until `stop` is raised. All matches
    /// share the memory of the process.
    ///
    /// # Errors
    /// A game cannot be played, has more roles than there are players, or is called as another one; or there are too many matches.
    pub fn new(
        plan: Plan,
        games: Vec<TournamentGame>,
        stop: &Arc<AtomicBool>,
        process: Arc<ProcessMemory>,
    ) -> Result<Self, TournamentError> {
        let mut tables: Vec<Table> = Vec::new();
        for (game, planned) in games.into_iter().zip(&plan.games) {
            let at = |message: String| PlanError::at(planned.place.clone(), message);
            if tables.iter().any(|it| it.game.name == game.name) {
                return Err(at(format!("there are two games called `{}`", game.name)).into());
            }
            let referee = referee(&game, Arc::new(process.bounds(stop)))?;
            let (roles, needed) = (referee.all_roles(), referee.roles());
            let places: Vec<usize> =
                (0..roles.len()).filter(|&it| needed.contains(&roles[it])).collect();
            let players = plan.players.len();
            if places.is_empty() {
                return Err(at("nobody plays it: all of it is chance".to_owned()).into());
            }
            if places.len() > players {
                let message = format!("it needs {} players, and there are {players}", places.len());
                return Err(at(message).with_help("add built-in players, or leave it out").into());
            }
            tables.push(Table { game, roles, places, idle: Mutex::new(vec![referee]) });
        }
        let schedule = Schedule {
            format: plan.format,
            seed: plan.seed,
            players: plan.players.len(),
            seats: tables.iter().map(|it| it.places.len()).collect(),
        };
        let tournament = Tournament { plan, schedule, tables, folder: None, process };
        let matches = tournament.matches();
        if matches > MOST_MATCHES {
            let message = format!("these are {matches} matches: expected at most {MOST_MATCHES}");
            let error =
                PlanError::missing(message).with_help("take fewer rounds, or `format = \"swiss\"`");
            return Err(error.into());
        }
        Ok(tournament)
    }

    /// What is played, by whom and how.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Which matches are played.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How many matches there are.
    pub fn matches(&self) -> u64 {
        self.schedule.matches_in_round().saturating_mul(self.plan.rounds.into())
    }

    /// What a game is called.
    pub fn game(&self, number: usize) -> &str {
        &self.tables[number].game.name
    }

    /// What a match is called.
    pub fn id(&self, pairing: &Pairing) -> String {
        format!("{}.{}.{}", self.plan.name, pairing.round, pairing.number)
    }

    /// Where the records are read and written: those that are there say which matches have been played.
    #[must_use]
    pub fn with_folder(self, folder: RecordFolder) -> Self {
        Tournament { folder: Some(folder), ..self }
    }

    /// What the results come to.
    pub fn standings(&self, results: &[MatchResult]) -> Standings {
        let players = self.plan.players.iter().map(|it| it.name.clone()).collect();
        let seats = |table: &Table| {
            (
                table.game.name.clone(),
                table.places.iter().map(|&at| table.roles[at].clone()).collect(),
            )
        };
        Standings::new(players, self.tables.iter().map(seats).collect(), results)
    }

    /// Plays all matches that have no record, several at once, round by round. Raising `stop` ends those under way; they are played again the next
    /// time.
    ///
    /// # Errors
    /// A record cannot be read or written.
    pub fn run(
        &self,
        stop: &Arc<AtomicBool>,
        observer: &dyn TournamentObserver,
    ) -> Result<Progress, TournamentError> {
        let mut results: Vec<MatchResult> = Vec::new();
        for round in 1..=self.plan.rounds {
            let mut waiting = Vec::new();
            let mut played = Vec::new();
            for pairing in self.schedule.round(round, &results) {
                match self.recorded(&pairing, stop)? {
                    Some(result) => {
                        observer.recorded(&result);
                        played.push(result);
                    }
                    None => waiting.push(pairing),
                }
            }
            let all = played.len() + waiting.len();
            if !stop.load(Ordering::Relaxed) {
                played.extend(self.play(waiting, stop, observer)?);
            }
            let complete = played.len() == all;
            played.sort_by_key(|it| it.pairing.number);
            results.append(&mut played);
            // Where matches are missing, it is not known who meets in the next Swiss round.
            let goes_on = complete || self.plan.format == Format::RoundRobin;
            if stop.load(Ordering::Relaxed) || !goes_on {
                break;
            }
        }
        let left = self.matches() - results.len() as u64;
        Ok(Progress { results, left })
    }

    /// What a record says of a match, if there is one.
    fn recorded(
        &self,
        pairing: &Pairing,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<MatchResult>, TournamentError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let table = &self.tables[pairing.game];
        let mut names = vec!["random".to_owned(); table.roles.len()];
        for (&place, &player) in table.places.iter().zip(&pairing.seats) {
            names[place].clone_from(&self.plan.players[player].name);
        }
        let like = MatchRecord {
            match_id: self.id(pairing),
            random_token: match_seed(self.plan.seed, pairing).to_string(),
            game_meta_url: self.plan.games[pairing.game].source.clone(),
            start_clock: self.plan.start_clock.as_secs(),
            play_clock: self.plan.play_clock.as_secs(),
            player_names_from_host: names,
            tournament_name_from_host: self.plan.name.clone(),
            ..MatchRecord::default()
        };
        let mut referee = self.referee(table, stop)?;
        let record = folder.read(&like, self.plan.max_length, &mut |it| referee.contradiction(it));
        table.idle().push(referee);
        let record = record?;
        Ok(record.map(|it| MatchResult::new(pairing.clone(), &it, &table.places)))
    }

    /// A game master that has no match.
    fn referee(&self, table: &Table, stop: &Arc<AtomicBool>) -> Result<Referee, TournamentError> {
        let taken = table.idle().pop();
        match taken {
            Some(referee) => Ok(referee),
            None => referee(&table.game, Arc::new(self.process.bounds(stop))),
        }
    }

    /// Plays matches, several at once.
    fn play(
        &self,
        waiting: Vec<Pairing>,
        stop: &Arc<AtomicBool>,
        observer: &dyn TournamentObserver,
    ) -> Result<Vec<MatchResult>, TournamentError> {
        let workers = self.plan.parallel.min(waiting.len());
        let under_way = vec![0; self.plan.players.len()];
        let queue = Queue { waiting, under_way, results: Vec::new(), error: None };
        let hall = Hall { queue: Mutex::new(queue), freed: Condvar::new() };
        let work = || {
            while let Some(pairing) = hall.next(&self.plan.players, stop) {
                let result = self.play_match(&pairing, stop, observer);
                hall.end(&pairing, result);
            }
        };
        thread::scope(|scope| {
            for _ in 1..workers {
                // Where there is no thread, the others do it.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let queue = hall.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        match queue.error {
            Some(error) => Err(error),
            None => Ok(queue.results),
        }
    }

    /// Plays a match; none if it is not to be counted.
    fn play_match(
        &self,
        pairing: &Pairing,
        stop: &Arc<AtomicBool>,
        observer: &dyn TournamentObserver,
    ) -> Result<Option<MatchResult>, TournamentError> {
        let table = &self.tables[pairing.game];
        let mut referee = self.referee(table, stop)?;
        let seed = match_seed(self.plan.seed, pairing);
        let over: Arc<AtomicBool> = Arc::default();
        let seat = |(number, &player): (u64, &usize)| {
            let bounds = Arc::new(self.process.bounds(&over));
            seat(&self.plan.players[player], seed.wrapping_add(number), bounds)
        };
        let seats = (1..).zip(&pairing.seats).map(seat).collect();
        let options = MatchOptions {
            id: self.id(pairing),
            game: self.plan.games[pairing.game].source.clone(),
            tournament: self.plan.name.clone(),
            start_clock: self.plan.start_clock,
            play_clock: self.plan.play_clock,
            seed,
            max_turns: self.plan.max_length,
            scramble: self.plan.scramble,
            stop: Arc::clone(stop),
            process: Arc::clone(&self.process),
            ..MatchOptions::default()
        };
        let record = referee.run(seats, &options, &mut *observer.begun(pairing));
        over.store(true, Ordering::Relaxed);
        table.idle().push(referee);
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                observer.failed(pairing, &error);
                return Ok(None);
            }
        };
        if record.is_aborted && stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if let Some(folder) = &self.folder {
            folder.write(&record)?;
        }
        let result = MatchResult::new(pairing.clone(), &record, &table.places);
        observer.ended(&result);
        Ok(Some(result))
    }
}

/// Where workers get their matches, and where they bring the results.
struct Hall {
    queue: Mutex<Queue>,
    /// Told when a match has ended.
    freed: Condvar,
}

struct Queue {
    waiting: Vec<Pairing>,
    /// By player: matches under way.
    under_way: Vec<usize>,
    results: Vec<MatchResult>,
    error: Option<TournamentError>,
}

impl Hall {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first match that is waiting and whose players can play one more; waits for one. None if there will be no more.
    fn next(&self, players: &[PlannedPlayer], stop: &AtomicBool) -> Option<Pairing> {
        let mut queue = self.queue();
        loop {
            if queue.waiting.is_empty() || queue.error.is_some() || stop.load(Ordering::Relaxed) {
                return None;
            }
            let is_free = |player: &&usize| match players[**player].source {
                PlayerSource::Remote { matches, .. } => queue.under_way[**player] < matches,
                PlayerSource::BuiltIn { .. } => true,
            };
            let can_begin =
                |it: &Pairing| it.seats.iter().filter(is_free).count() == it.seats.len();
            if let Some(place) = queue.waiting.iter().position(can_begin) {
                let pairing = queue.waiting.remove(place);
                pairing.seats.iter().for_each(|&it| queue.under_way[it] += 1);
                return Some(pairing);
            }
            let waited = self.freed.wait_timeout(queue, INTERVAL);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn end(&self, pairing: &Pairing, result: Result<Option<MatchResult>, TournamentError>) {
        let mut queue = self.queue();
        pairing.seats.iter().for_each(|&it| queue.under_way[it] -= 1);
        match result {
            Ok(result) => queue.results.extend(result),
            Err(error) => queue.error = Some(error),
        }
        self.freed.notify_all();
    }
}

/// A player of a match.
fn seat(player: &PlannedPlayer, seed: u64, stop: Arc<dyn Stop>) -> Seat {
    match &player.source {
        PlayerSource::Remote { address, .. } => Seat::remote(&player.name, address.clone()),
        &PlayerSource::BuiltIn { kind, threads, memory } => {
            let options = StrategyOptions {
                seed,
                threads,
                memory: Some(memory),
                stop: Some(stop),
                ..StrategyOptions::default()
            };
            Seat::built_in(&player.name, kind, options)
        }
    }
}

/// A game master of its own for a match.
fn referee(game: &TournamentGame, stop: Arc<dyn Stop>) -> Result<Referee, TournamentError> {
    let deadline = Some(Instant::now() + GROUNDING);
    let limits = OpenLimits { deadline, stop: Some(stop), ..OpenLimits::default() };
    let fault = |it| TournamentError::Game {
        game: game.name.clone(),
        cause: StrategyError::from(it).into(),
    };
    let machine = Machine::new(&game.description, &limits).map_err(fault)?;
    Ok(Referee::new(Arc::clone(&game.description), machine))
}
