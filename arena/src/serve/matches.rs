//! The matches of the page.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use groundfrog::Stop;

use super::answer::Refusal;
use super::answer::{MatchRequest, PlayerRequest};
use super::game::OpenGame;
use super::shown_match::{Observing, Played, ShownClocks, ShownMatch, ShownSeat, least_memory};
use super::{INTERVAL, Shared};
use crate::referee::{
    MOST_PLAYERS, MatchOptions, PersonMoves, Referee, RefereeError, Seat, is_random, person,
};
use groundfrog_player::protocol::{Address, ClientError};
use groundfrog_player::strategy::{StrategyError, StrategyOptions};
use groundfrog_player::{StrategyKind, UnknownStrategy};
use groundfrog_reasoner::open::SharedRules;

/// How many matches that are over are kept, those of records apart.
const MOST_KEPT: usize = 64;
/// The least time for an evaluation of rules with variables.
const LEAST_PATIENCE: Duration = Duration::from_secs(10);
/// Characters of a person's name.
const LONGEST_NAME: usize = 40;
/// Joint moves after which a match is given up.
const MOST_TURNS: u32 = 2000;

/// All matches, the latest in the end.
#[derive(Default)]
pub(super) struct Matches {
    all: Vec<Arc<ShownMatch>>,
    last: u64,
}

impl Matches {
    pub(super) fn all(&self) -> &[Arc<ShownMatch>] {
        &self.all
    }

    pub(super) fn get(&self, id: &str) -> Result<Arc<ShownMatch>, Refusal> {
        let found = self.all.iter().find(|it| it.id == id).cloned();
        found.ok_or_else(|| Refusal::missing(format!("there is no match `{id}`")))
    }

    /// Gives all up.
    pub(super) fn abort_all(&self) {
        self.all.iter().for_each(|it| it.abort());
    }

    /// Adds a match, and forgets the oldest of its kind that are over, so that so many are left.
    pub(super) fn add(&mut self, shown: Arc<ShownMatch>, most: usize) {
        let is_record = shown.is_record();
        self.all.push(shown);
        let old = |index: &&usize| {
            let shown = &self.all[**index];
            shown.is_record() == is_record && (is_record || shown.log().status.is_over())
        };
        let old: Vec<usize> =
            (0..self.all.len()).collect::<Vec<_>>().iter().filter(old).copied().collect();
        if old.len() > most {
            self.all.remove(old[0]);
        }
    }

    fn next_id(&mut self) -> String {
        self.last += 1;
        format!("m{}", self.last)
    }

    /// Makes room for a match that takes so many bytes at least, of so many for all: those that nobody has looked at for longest give way.
    fn make_room(&self, needed: u64, memory: u64) -> Result<(), Refusal> {
        if needed > memory {
            let (needed, memory) = (needed.div_ceil(1 << 20), memory >> 20);
            return Err(Refusal::busy(format!(
                "the players of this match need {needed} MiB at least, of {memory}: begin it with fewer built-in ones, or more with `--max-memory`"
            )));
        }
        let running = self.all.iter().filter(|it| it.is_running());
        let mut taken: u64 = running.map(|it| it.least_memory()).sum();
        while taken + needed > memory {
            let goes = self.give_way().ok_or_else(|| {
                Refusal::busy(
                    "somebody is looking at each match that runs: give one of them up first",
                )
            })?;
            taken -= goes.least_memory();
        }
        Ok(())
    }

    /// Gives the match up that nobody has looked at for longest, if there is one at which nobody looks now.
    fn give_way(&self) -> Option<&Arc<ShownMatch>> {
        let unseen = self.all.iter().filter(|it| it.is_running()).map(|it| (it.unseen(), it));
        let (_, goes) = unseen.filter(|it| !it.0.is_zero()).max_by_key(|it| it.0)?;
        goes.give_way("it made way for another match".to_owned());
        Some(goes)
    }
}

/// Gives matches up at which nobody has looked for long, as long as the page is there.
pub(super) async fn end_abandoned(shared: Arc<Shared>) {
    let most = shared.options.abandoned_after;
    loop {
        tokio::time::sleep((most / 8).max(INTERVAL)).await;
        let all = shared.matches().all().to_vec();
        for shown in all.iter().filter(|it| it.is_running() && it.unseen() >= most) {
            let minutes = most.as_secs_f64() / 60.0;
            shown.give_way(format!("nobody looked at it for {minutes:.0} minutes"));
        }
    }
}

/// Begins a match, with joint moves that are made before anybody is asked.
pub(super) fn begin(
    shared: &Arc<Shared>,
    game: &Arc<OpenGame>,
    request: &MatchRequest,
    history: Vec<Vec<String>>,
) -> Result<Arc<ShownMatch>, Refusal> {
    let (start_clock, play_clock, person_clock) = request.clocks()?;
    let needed = game.players().len();
    if needed > MOST_PLAYERS {
        let message = format!("the game has {needed} roles: {MOST_PLAYERS} players are allowed");
        return Err(Refusal::fault(message));
    }
    if request.players.len() != needed {
        let given = request.players.len();
        let message = format!("{given} players for {needed} roles: {}", game.players().join(", "));
        return Err(Refusal::fault(message));
    }
    let seed = request.seed.unwrap_or(shared.options.seed);
    shared.check_memory_by(|| {
        shared.matches().give_way();
    })?;
    let stop: Arc<AtomicBool> = Arc::default();
    let rules = SharedRules::default();
    let strength = |number| StrategyOptions {
        seed: seed.wrapping_add(number),
        threads: shared.options.threads,
        memory: Some(shared.options.memory / needed.max(1) as u64),
        stop: Some(shared.bounds(&stop)),
        rules: rules.clone(),
        ..StrategyOptions::default()
    };
    let players = (0u64..).zip(&request.players);
    let mut chairs = players
        .map(|(number, player)| chair(shared, player, strength(number), person_clock))
        .collect::<Result<Vec<Chair>, Refusal>>()?;
    let started = SystemTime::now().duration_since(UNIX_EPOCH);
    let started = started.map_or(0, |it| it.as_millis() as u64);
    let clocks = ShownClocks {
        start: start_clock.as_secs_f64(),
        play: play_clock.as_secs_f64(),
        person: request.person_clock,
    };
    let (mut seats, mut persons) = (Vec::new(), Vec::new());
    let mut next = chairs.iter_mut();
    for role in &game.roles {
        let chair = match is_random(role) {
            true => None,
            false => next.next(),
        };
        let (name, kind) = match &chair {
            Some(it) => (it.seat.name.clone(), it.kind),
            None => ("random".to_owned(), "chance"),
        };
        seats.push(ShownSeat { role: role.clone(), name, kind });
        persons.push(chair.and_then(|it| it.moves.take()));
    }
    let shown = {
        let mut matches = shared.matches();
        matches.make_room(least_memory(&seats), shared.options.memory)?;
        let named = (matches.next_id(), game.title.clone(), started);
        let own = Played { persons, request: request.clone(), rules };
        let played = Some((own, Arc::clone(&stop)));
        let shown = Arc::new(ShownMatch::new(named, clocks, seats, played, &shared.version));
        let _ = shown.game.set(Some(Arc::clone(game)));
        matches.add(Arc::clone(&shown), MOST_KEPT);
        shown
    };
    let options = MatchOptions {
        id: format!("serve.{started}.{}", shown.id),
        game: game.title.clone(),
        start_clock,
        play_clock,
        seed,
        max_turns: MOST_TURNS,
        conceals_answers: true,
        history,
        process: Arc::clone(&shared.options.process),
        stop,
        ..MatchOptions::default()
    };
    let (own, game) = (Arc::clone(&shown), Arc::clone(game));
    let bounds = shared.bounds(&shown.stop);
    let seats = chairs.into_iter().map(|it| it.seat).collect();
    let run = move || run(&own, &game, seats, &options, bounds);
    if let Err(error) = thread::Builder::new().name("match".to_owned()).spawn(run) {
        shown.fail(format!("no thread for the match: {error}"));
    }
    shown.change(|_| {});
    Ok(shown)
}

/// A player, and where its moves come from if it is a person.
struct Chair {
    seat: Seat,
    kind: &'static str,
    moves: Option<PersonMoves>,
}

fn chair(
    shared: &Shared,
    player: &PlayerRequest,
    strength: StrategyOptions,
    person_clock: Duration,
) -> Result<Chair, Refusal> {
    Ok(match player {
        PlayerRequest::Person { name } => {
            let name = groundfrog_player::PeerText::within(name.trim(), LONGEST_NAME);
            let name = if name.is_empty() { "person" } else { &name };
            let (moves, listener) = person();
            let seat = Seat::person(name, listener, person_clock);
            Chair { seat, kind: "person", moves: Some(moves) }
        }
        PlayerRequest::BuiltIn { strategy } => {
            let kind: StrategyKind = strategy
                .parse()
                .map_err(|error: UnknownStrategy| Refusal::fault(error.to_string()))?;
            let seat = Seat::built_in(strategy, kind, strength);
            Chair { seat, kind: "built_in", moves: None }
        }
        PlayerRequest::Remote { url } => {
            let url = url.trim();
            let allowed = &shared.options.remote_players;
            if allowed.as_ref().is_some_and(|them| !them.iter().any(|it| it == url)) {
                let url = groundfrog_player::PeerText::new(url);
                let message = format!("`{url}` may not be asked: allow it with --allow-player");
                return Err(Refusal::with(axum::http::StatusCode::FORBIDDEN, message));
            }
            let address: Address =
                url.parse().map_err(|error: ClientError| Refusal::fault(error.to_string()))?;
            let seat = Seat::remote(&address.to_string(), address);
            Chair { seat, kind: "remote", moves: None }
        }
    })
}

/// Runs a match to its end.
fn run(
    shown: &Arc<ShownMatch>,
    game: &OpenGame,
    seats: Vec<Seat>,
    options: &MatchOptions,
    bounds: Arc<dyn Stop>,
) {
    let play = || -> Result<(), RefereeError> {
        let patience = options.start_clock.max(options.play_clock).max(LEAST_PATIENCE);
        let machine = game.machine(bounds, patience).map_err(StrategyError::from)?;
        let mut referee = Referee::new(Arc::clone(&game.description), machine);
        referee.run(seats, options, &mut Observing(Arc::clone(shown)))?;
        Ok(())
    };
    match catch_unwind(AssertUnwindSafe(play)) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => shown.fail(error.to_string()),
        Err(_) => shown.fail("this program has an error, which ended the match".to_owned()),
    }
}
