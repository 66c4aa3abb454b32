//! A match from START to STOP.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use web_time::{Instant, SystemTime, UNIX_EPOCH};

use groundfrog::RoleId;
use groundfrog_engine::{Exceeded, Limit};
use groundfrog_reasoner::{MoveId, Random, ReasonerError, State};

use super::seat::Remote;
use super::{
    MOST_LISTED, MOST_PLAYERS, MatchObserver, MatchOptions, Person, PositionReport, Referee,
    RefereeError, Scrambler, Seat, SeatPlayer, SeatReport, TurnReport, is_random,
};
use crate::Fault;
use crate::record::{MatchRecord, state_text};
use groundfrog_player::position::find_legal;
use groundfrog_player::seat_thread::{Order, Outcome, SeatThread, Unanswered};
use groundfrog_player::strategy::{Decision, StrategyError, Turn};
use groundfrog_player::text;

/// How much longer than its own deadline a thread is waited for that keeps one by itself.
const SLACK: Duration = Duration::from_millis(250);
/// Time for the answer to ABORT.
const ABORT: Duration = Duration::from_secs(1);

/// Fluents of a state, and percepts of a role, that are written down.
const MOST_FLUENTS: usize = 1 << 17;

/// What a state and its moves take, for the record and for who looks on.
fn bytes(position: &PositionReport) -> u64 {
    let text = |it: &String| it.len() as u64 + 48;
    let legal: u64 = position.legal.iter().flatten().map(text).sum();
    legal + 2 * position.state.iter().map(text).sum::<u64>()
}

/// Fails if there are more than a match can have.
fn check_size(count: usize, what: &'static str, most: usize) -> Result<(), RefereeError> {
    if count <= most {
        return Ok(());
    }
    Err(RefereeError::TooLarge { count, what, most })
}

/// Who plays a role.
enum Player {
    /// The game master.
    Chance,
    Thread {
        thread: SeatThread,
        remote: bool,
    },
    Person(Person),
}

/// A role and who plays it.
struct Chair {
    player: Player,
    play_clock: Duration,
}

/// A match that is under way.
struct Match<'m> {
    referee: &'m mut Referee,
    options: &'m MatchOptions,
    observer: &'m mut dyn MatchObserver,
    roles: Vec<String>,
    chairs: Vec<Chair>,
    random: Random,
    record: MatchRecord,
    /// Bytes of what there is to remember of the match, about.
    remembered: u64,
    state: State,
}

pub(super) fn run(
    referee: &mut Referee,
    seats: Vec<Seat>,
    options: &MatchOptions,
    observer: &mut dyn MatchObserver,
) -> Result<MatchRecord, RefereeError> {
    let roles = referee.all_roles();
    let needed = referee.roles();
    if needed.len() > MOST_PLAYERS {
        return Err(RefereeError::TooMany { needed: needed.len() });
    }
    if seats.len() != needed.len() {
        let (given, roles) = (seats.len(), needed.join(", "));
        return Err(RefereeError::Seats { given, needed: needed.len(), roles });
    }
    let record = new_record(&roles, &seats, options);
    let chairs = chairs(referee, seats, options, &roles)?;
    let state = referee.machine.initial().clone();
    let random = Random::new(options.seed);
    let mut run =
        Match { referee, options, observer, roles, chairs, random, record, remembered: 0, state };
    let result = run.play();
    if run.record.is_completed {
        run.stop();
    } else {
        run.record.is_aborted = true;
        run.abort();
    }
    result?;
    run.observer.ended(&run.record);
    Ok(run.record)
}

fn new_record(roles: &[String], seats: &[Seat], options: &MatchOptions) -> MatchRecord {
    let mut players = seats.iter();
    let mut names = Vec::new();
    let mut human = Vec::new();
    for role in roles {
        let seat = if is_random(role) { None } else { players.next() };
        names.push(seat.map_or_else(|| "random".to_owned(), |it| it.name.clone()));
        human.push(seat.is_some_and(|it| matches!(it.player, SeatPlayer::Person(_))));
    }
    MatchRecord {
        match_id: options.id.clone(),
        random_token: options.seed.to_string(),
        start_time: now(),
        game_meta_url: options.game.clone(),
        preview_clock: options.preview_clock.map_or(-1, |it| it.as_secs() as i64),
        start_clock: options.start_clock.as_secs(),
        play_clock: options.play_clock.as_secs(),
        player_names_from_host: names,
        is_player_human: human,
        tournament_name_from_host: options.tournament.clone(),
        scrambled: options.scramble,
        ..MatchRecord::default()
    }
}

fn chairs(
    referee: &Referee,
    seats: Vec<Seat>,
    options: &MatchOptions,
    roles: &[String],
) -> Result<Vec<Chair>, RefereeError> {
    let description = &referee.description;
    let scrambler = Arc::new(match options.scramble {
        true => Scrambler::new(description, options.seed),
        false => Scrambler::identity(),
    });
    let rules: Arc<str> = scrambler.scramble(&description.source).into();
    let mut seats = seats.into_iter();
    let mut chairs = Vec::new();
    for role in roles {
        let chance = Chair { player: Player::Chance, play_clock: options.play_clock };
        let seat = if is_random(role) { None } else { seats.next() };
        let Some(seat) = seat else {
            chairs.push(chance);
            continue;
        };
        let play_clock = seat.play_clock.unwrap_or(options.play_clock);
        let player = match seat.player {
            SeatPlayer::Person(person) => Player::Person(person),
            SeatPlayer::BuiltIn(make) => {
                let (description, role) = (Arc::clone(description), role.clone());
                let make = move || make(&description, &role);
                let thread = SeatThread::of_strategy(Box::new(make), ());
                Player::Thread { thread: thread.map_err(RefereeError::Thread)?, remote: false }
            }
            SeatPlayer::Remote(address) => {
                let remote = Remote {
                    address,
                    name: seat.name,
                    id: options.id.clone(),
                    role: scrambler.scramble(role),
                    rules: Arc::clone(&rules),
                    clocks: (options.start_clock, play_clock),
                    scrambler: Arc::clone(&scrambler),
                    imperfect: referee.imperfect.then_some(options.percept_form),
                    conceals_answers: options.conceals_answers,
                    turns: 0,
                    news: None,
                };
                let thread = SeatThread::start(move || Ok(remote), ());
                Player::Thread { thread: thread.map_err(RefereeError::Thread)?, remote: true }
            }
        };
        chairs.push(Chair { player, play_clock });
    }
    Ok(chairs)
}

impl Match<'_> {
    fn goes_on(&self) -> bool {
        !self.options.stop.load(Ordering::Relaxed)
    }

    /// Plays until the match is over or given up.
    fn play(&mut self) -> Result<(), RefereeError> {
        if let Some(clock) = self.options.preview_clock {
            let until = Instant::now() + clock;
            self.all(|_| Some((Order::Preview(until), until)));
        }
        let until = Instant::now() + self.options.start_clock;
        let grace = self.options.grace;
        let started = self.all(|chair| {
            // A built-in player uses all of the clock and answers then.
            let answered = if chair.is_remote() { until } else { until + grace };
            Some((Order::Prepare(until), answered))
        });
        let faults: Vec<Option<Fault>> =
            started.into_iter().map(|it| it.and_then(|it| it.result.err()).map(fault)).collect();
        self.record.errors.push(faults.iter().map(error_text).collect());
        self.observer.started(&faults);
        for turn in 0..=self.options.max_turns {
            let began = Instant::now();
            let position = self.position(turn)?;
            self.record.states.push(state_text(&position.state));
            self.record.state_times.push(now());
            if position.terminal {
                self.record.is_completed = true;
                let value = |it: &Vec<i64>| if let [value] = it[..] { Some(value) } else { None };
                let values: Vec<Option<i64>> = position.goals.iter().map(value).collect();
                if values.iter().any(Option::is_some) {
                    self.record.goal_values = values;
                }
            }
            self.observer.recorded(&self.record);
            self.observer.position(&position);
            self.remembered += bytes(&position);
            if let Some((allowed, reached)) =
                self.options.process.shortage_of_match(self.remembered)
            {
                let exceeded = Exceeded::new(Limit::Memory, allowed, reached);
                let error = ReasonerError::from(exceeded);
                return Err(StrategyError::from(error).into());
            }
            if position.terminal || turn == self.options.max_turns || !self.goes_on() {
                return Ok(());
            }
            let Some(report) = self.turn(&position, began)? else { return Ok(()) };
            self.observer.turn(&report);
        }
        Ok(())
    }

    fn position(&mut self, turn: u32) -> Result<PositionReport, RefereeError> {
        let machine = &mut self.referee.machine;
        let (mut legal, mut goals) = (Vec::new(), Vec::new());
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        let terminal = machine.is_terminal(&self.state).map_err(StrategyError::from)?;
        for role in machine.role_ids() {
            machine.legal_moves(&self.state, role, &mut moves).map_err(StrategyError::from)?;
            if moves.is_empty() && !terminal {
                return Err(StrategyError::NoMove { role: machine.role_text(role) }.into());
            }
            legal.push(moves.iter().take(MOST_LISTED).map(|&it| machine.move_text(it)).collect());
            machine.goal_values(&self.state, role, &mut values).map_err(StrategyError::from)?;
            goals.push(values.clone());
        }
        check_size(self.state.fluents().count(), "fluents hold in a state", MOST_FLUENTS)?;
        let state = machine.state_text(&self.state).map_err(StrategyError::from)?;
        Ok(PositionReport { turn, roles: self.roles.clone(), state, legal, terminal, goals })
    }

    /// Makes a joint move; `None` if the match is to be given up.
    fn turn(
        &mut self,
        position: &PositionReport,
        began: Instant,
    ) -> Result<Option<TurnReport>, RefereeError> {
        let requested = Instant::now();
        let (mut seats, answered) = match self.options.history.get(position.turn as usize) {
            Some(known) => (known.iter().map(|it| SeatReport::known(it)).collect(), requested),
            None => self.ask(position, requested),
        };
        if !self.goes_on() {
            return Ok(None);
        }
        let moves = self.resolve(&mut seats)?;
        let machine = &mut self.referee.machine;
        let mut next = State::default();
        let percepts = match self.referee.imperfect {
            true => {
                let mut seen = Vec::new();
                machine.perceive(&self.state, &moves, &mut seen).map_err(StrategyError::from)?;
                let most = seen.iter().map(Vec::len).max().unwrap_or(0);
                check_size(most, "percepts of a role", MOST_FLUENTS)?;
                machine.percept_texts(&seen)
            }
            false => vec![Vec::new(); self.roles.len()],
        };
        machine.next_state(&self.state, &moves, &mut next).map_err(StrategyError::from)?;
        let texts: Vec<String> = moves.iter().map(|&it| machine.move_text(it)).collect();
        self.state = next;
        self.record.moves.push(texts.clone());
        self.record.errors.push(seats.iter().map(|it| error_text(&it.fault)).collect());
        let said = seats.iter().map(|it| it.decision.as_ref().map(|it| it.explanation.clone()));
        self.record.explanations.push(said.map(Option::unwrap_or_default).collect());
        for (role, chair) in self.chairs.iter_mut().enumerate() {
            if let Player::Thread { thread, .. } = &mut chair.player {
                thread.order(Order::Observe(match self.referee.imperfect {
                    true => Turn::Percepts {
                        own: Some(texts[role].clone()),
                        percepts: percepts[role].clone(),
                    },
                    false => Turn::Moves(texts.clone()),
                }));
            }
        }
        let waited = answered.saturating_duration_since(requested);
        let overhead = began.elapsed().saturating_sub(waited);
        Ok(Some(TurnReport { turn: position.turn, moves: texts, seats, percepts, overhead }))
    }

    /// Asks all for their moves. Returns what they answered, and when the last one did.
    fn ask(&mut self, position: &PositionReport, requested: Instant) -> (Vec<SeatReport>, Instant) {
        let grace = self.options.grace;
        let outcomes = self.all(|chair| {
            let clock = requested + chair.play_clock;
            let deadline = if chair.is_remote() { clock + grace } else { clock };
            Some((Order::Choose(deadline), clock + grace))
        });
        let mut answered = requested;
        let mut seats = Vec::new();
        for outcome in outcomes {
            let mut seat = SeatReport::default();
            if let Some(outcome) = outcome {
                answered = answered.max(outcome.at);
                seat.time = outcome.at.saturating_duration_since(requested);
                match outcome.result {
                    Ok(decision) => seat.decision = decision,
                    Err(failure) => seat.fault = Some(fault(failure)),
                }
            }
            seats.push(seat);
        }
        for (role, chair) in self.chairs.iter().enumerate() {
            if let Player::Person(person) = &chair.player {
                let until = requested + chair.play_clock;
                let legal = &position.legal[role];
                let moves = self.hear(person, position.turn, legal, until);
                answered = answered.max(Instant::now());
                seats[role].time = requested.elapsed();
                match moves {
                    Some(action) => {
                        let decision = Decision { action, ..Decision::default() };
                        seats[role].decision = Some(decision);
                    }
                    None => seats[role].fault = Some(Fault::Late),
                }
            }
        }
        (seats, answered)
    }

    /// A legal move for each role: what was answered if it is legal, else one at random. Who did not know the rules in time and guessed
    /// has made no error.
    fn resolve(&mut self, seats: &mut [SeatReport]) -> Result<Vec<MoveId>, RefereeError> {
        let machine = &mut self.referee.machine;
        let mut moves = Vec::new();
        for (role, seat) in (0u32..).map(RoleId).zip(seats) {
            let answer = seat.decision.as_ref().map(|it| it.action.clone());
            if let Some(answer) = answer {
                match find_legal(machine, &self.state, role, &answer) {
                    Ok(found) => {
                        moves.push(found);
                        continue;
                    }
                    Err(StrategyError::Turn(_))
                        if seat.decision.as_ref().is_some_and(Decision::is_guess) => {}
                    Err(StrategyError::Turn(_)) => {
                        let answer = text::compact(&answer).unwrap_or(answer);
                        let is_concealed =
                            self.options.conceals_answers && self.chairs[role.index()].is_remote();
                        let shown = if is_concealed { "" } else { &answer };
                        seat.fault = Some(Fault::Illegal(shown.into()));
                    }
                    Err(other) => return Err(other.into()),
                }
            }
            let mut legal = Vec::new();
            machine.legal_moves(&self.state, role, &mut legal).map_err(StrategyError::from)?;
            let drawn = machine.draw(&legal, &mut self.random);
            let drawn =
                drawn.ok_or_else(|| StrategyError::NoMove { role: machine.role_text(role) })?;
            if let Some(guess) = seat.decision.as_mut().filter(|it| it.is_guess()) {
                guess.action = machine.move_text(drawn);
            }
            moves.push(drawn);
        }
        Ok(moves)
    }

    /// What a person chooses, if that is legal and comes in time.
    fn hear(&self, person: &Person, turn: u32, legal: &[String], until: Instant) -> Option<String> {
        const SLICE: Duration = Duration::from_millis(20);
        while self.goes_on() {
            let left = until.saturating_duration_since(Instant::now());
            match person.0.recv_timeout(left.min(SLICE)) {
                Ok((number, action)) => {
                    let action = text::compact(&action).unwrap_or_default();
                    if number == turn && legal.contains(&action) {
                        return Some(action);
                    }
                }
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return None,
                Err(_) if left.is_zero() => return None,
                Err(_) => {}
            }
        }
        None
    }

    /// Gives an order to all who work in threads, and waits for what comes of it as long as the match goes on.
    fn all(&mut self, order: impl Fn(&Chair) -> Option<(Order, Instant)>) -> Vec<Option<Outcome>> {
        self.all_while(order, Self::goes_on)
    }

    /// The same, as long as something else is so.
    fn all_while(
        &mut self,
        order: impl Fn(&Chair) -> Option<(Order, Instant)>,
        goes_on: impl Fn(&Self) -> bool,
    ) -> Vec<Option<Outcome>> {
        let numbers: Vec<Option<(u64, Instant)>> = self
            .chairs
            .iter_mut()
            .map(|chair| {
                let (order, until) = order(chair)?;
                let Player::Thread { thread, remote } = &mut chair.player else { return None };
                let slack = if *remote { SLACK } else { Duration::ZERO };
                Some((thread.order(order), until + slack))
            })
            .collect();
        let wait = |(chair, number): (&Chair, Option<(u64, Instant)>)| {
            let (number, until) = number?;
            let Player::Thread { thread, .. } = &chair.player else { return None };
            Some(thread.wait(number, until, &|| goes_on(self)))
        };
        self.chairs.iter().zip(numbers).map(wait).collect()
    }

    fn stop(&mut self) {
        let until = Instant::now() + self.options.play_clock;
        self.all(|chair| chair.is_remote().then_some((Order::Stop(until), until)));
    }

    fn abort(&mut self) {
        let until = Instant::now() + ABORT;
        let order = |chair: &Chair| chair.is_remote().then_some((Order::Abort(until), until));
        self.all_while(order, |_| true);
    }
}

impl Chair {
    fn is_remote(&self) -> bool {
        matches!(self.player, Player::Thread { remote: true, .. })
    }
}

fn fault(failure: Unanswered) -> Fault {
    match failure {
        Unanswered::Late => Fault::Late,
        other => Fault::Connection(other.to_string().into()),
    }
}

fn error_text(fault: &Option<Fault>) -> String {
    fault.as_ref().map_or_else(String::new, ToString::to_string)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| it.as_millis() as u64)
}
