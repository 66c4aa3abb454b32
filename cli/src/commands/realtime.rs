//! `groundfrog realtime`.

use std::io::{self, BufRead};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use groundfrog::description::Language;
use groundfrog::visible::visible_path;
use groundfrog_languages::lines::{Hub, one_line};
use groundfrog_languages::number::{self, Number};
use groundfrog_languages::realtime::manager::{ExecutionModel, Manager, ManagerOptions};
use groundfrog_languages::realtime::player::{
    PlayerError, RandomTimes, RealTimeStrategy, ScriptedTimes, play as play_for,
};
use groundfrog_languages::realtime::simulate::{
    RandomRoles, read_script, role_names, role_of, run as run_match,
};
use groundfrog_languages::realtime::{Idle, RealTimeError, RealTimeReasoner, Timeline};
use groundfrog_languages::rules::{Rulebook, ground_term, list, term_text};

use super::{Lines, Session, relatives, run_usual};
use crate::arguments::{
    ModelChoice, RealtimeArguments, RealtimeCommand, RealtimeInput, RealtimePlay, RealtimePlayer,
    RealtimeServe, RealtimeSimulate,
};
use crate::failure::{Exit, Failure};
use crate::supervisor::Supervisor;

/// Runs one of the commands about games in real time.
pub(crate) fn run(arguments: &RealtimeArguments) -> Exit {
    let (time, quiet) = match &arguments.command {
        RealtimeCommand::Simulate(it) => (it.time_limit.map(|it| it.0), it.input.quiet),
        RealtimeCommand::Play(it) => (None, it.input.quiet),
        RealtimeCommand::Serve(it) => (None, it.input.quiet),
        RealtimeCommand::Player(_) => (None, false),
    };
    run_usual(time, quiet, &|session| match &arguments.command {
        RealtimeCommand::Simulate(it) => simulate(it, session),
        RealtimeCommand::Play(it) => play(it, session),
        RealtimeCommand::Serve(it) => serve(it, session),
        RealtimeCommand::Player(it) => player(it, &session.supervisor),
    })
}

/// Reads a game.
fn read(input: &RealtimeInput, session: &Session) -> Result<Rulebook, Failure> {
    let given = input.language.map(Language::from);
    relatives::read(&input.game, Language::RealTime, given, session)
}

/// The reasoner over the rules.
fn reasoner(book: &Rulebook, supervisor: &Supervisor) -> Result<RealTimeReasoner, Failure> {
    RealTimeReasoner::new(book, relatives::limits(supervisor)).map_err(failure)
}

/// A match at its beginning.
fn begin(mut reasoner: RealTimeReasoner, input: &RealtimeInput) -> Result<Timeline, Failure> {
    let idle = match &input.idle {
        Some(text) => {
            let fluent = ground_term(text, reasoner.symbols());
            let fluent = fluent.map_err(|it| Failure::Usage(format!("--idle `{text}`: {it}")))?;
            Some(Idle { fluent })
        }
        None => None,
    };
    Timeline::new(reasoner, input.seed, idle).map_err(failure)
}

fn failure(error: RealTimeError) -> Failure {
    Failure::Game(error.to_string())
}

/// How a match has ended, in a line.
fn end(timeline: &mut Timeline) -> String {
    use groundfrog_languages::realtime::simulate::role_names;
    let names = role_names(timeline.reasoner());
    let last = timeline.last();
    let goals = names.iter().zip(&last.situation.goals).map(|(name, values)| {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        let values = if values.is_empty() { "none".to_owned() } else { values.join(" or ") };
        format!("{name} {values}")
    });
    let goals: Vec<String> = goals.collect();
    let how = if timeline.is_over() { "over" } else { "not over" };
    format!("{how}: {}", goals.join(", "))
}

/// Runs a match, or measures many.
fn simulate(arguments: &RealtimeSimulate, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let book = read(&arguments.input, session)?;
    let make = || reasoner(&book, supervisor);
    let is_stopped = || supervisor.cause().is_some();
    if let (Some(playouts), Some(step)) = (arguments.playouts, &arguments.step) {
        return measure(make, arguments, (playouts, step), supervisor);
    }
    let mut timeline = begin(make()?, &arguments.input)?;
    if let Some(path) = &arguments.script {
        let text = relatives::script(path)?;
        let moves = read_script(&text, timeline.reasoner())
            .map_err(|it| Failure::Source(format!("`{}`: {it}", visible_path(path))))?;
        for it in moves {
            timeline.add_move(it.time, it.role, it.term);
        }
    }
    let mut random = arguments
        .step
        .clone()
        .map(|step| RandomRoles::new(&mut timeline, arguments.input.seed, step));
    run_match(&mut timeline, random.as_mut(), &arguments.until, &is_stopped).map_err(failure)?;
    supervisor.check()?;
    show(&mut timeline, arguments.states)
}

/// Shows the events of a match and how it has ended.
fn show(timeline: &mut Timeline, states: bool) -> Result<(), Failure> {
    let mut out = Lines::new();
    for event in 0..timeline.events().len() {
        out.write(&timeline.line(event));
        if states {
            let state = timeline.events()[event].state.clone();
            for fluent in state.texts(timeline.reasoner().symbols()) {
                out.write(&format!("    {fluent}"));
            }
        }
    }
    let ignored = timeline.ignored().to_vec();
    let names = role_names(timeline.reasoner());
    for (time, role, term) in ignored {
        let symbols = timeline.reasoner().symbols();
        let text = groundfrog_languages::rules::term_text(&term, symbols);
        out.write(&format!("ignored at {}: ({} {text})", number::text(&time), names[role]));
    }
    out.write(&end(timeline));
    out.finish()
}

/// Measures random matches.
fn measure(
    make: impl Fn() -> Result<RealTimeReasoner, Failure>,
    arguments: &RealtimeSimulate,
    (playouts, step): (u64, &number::Number),
    supervisor: &Supervisor,
) -> Result<(), Failure> {
    let mut reasoner = make()?;
    let names = role_names(&mut reasoner);
    let (mut sums, mut counts) = (vec![0_i64; names.len()], vec![0_i64; names.len()]);
    let (mut events, mut over, mut played) = (0, 0, 0);
    let start = Instant::now();
    for playout in 0..playouts {
        if supervisor.cause().is_some() {
            break;
        }
        let seed = arguments.input.seed.wrapping_add(playout);
        let input = RealtimeInput {
            game: arguments.input.game.clone(),
            idle: arguments.input.idle.clone(),
            seed,
            ..arguments.input
        };
        let mut timeline = begin(reasoner, &input)?;
        let mut random = RandomRoles::new(&mut timeline, seed, step.clone());
        let is_stopped = || supervisor.cause().is_some();
        run_match(&mut timeline, Some(&mut random), &arguments.until, &is_stopped)
            .map_err(failure)?;
        played += 1;
        events += timeline.events().len() - 1;
        over += u64::from(timeline.is_over());
        if timeline.is_over() {
            for (role, values) in timeline.last().situation.goals.iter().enumerate() {
                if let [value] = values[..] {
                    sums[role] += value;
                    counts[role] += 1;
                }
            }
        }
        reasoner = timeline.into_reasoner();
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let mut out = Lines::new();
    out.write(&format!("{played} matches, {over} over; {events} events"));
    out.write(&format!("events_per_second: {:.0}", events as f64 / seconds));
    for (role, name) in names.iter().enumerate() {
        let mean = match counts[role] {
            0 => "none".to_owned(),
            count => format!("{:.2}", sums[role] as f64 / count as f64),
        };
        out.write(&format!("mean goal of {name}: {mean}"));
    }
    out.finish()
}

/// How long nothing is looked at but the keyboard.
const INTERVAL: Duration = Duration::from_millis(50);

const HELP: &str =
    "Type a move, or its number in the list; an empty line lists the moves, `quit` leaves.";

/// Lets a person play by the clock.
fn play(arguments: &RealtimePlay, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    if arguments.input.game == Path::new("-") {
        let message = "moves are read from standard input: the game must be in a file";
        return Err(Failure::Usage(message.into()));
    }
    let book = read(&arguments.input, session)?;
    let mut timeline = begin(reasoner(&book, supervisor)?, &arguments.input)?;
    let random = timeline.random();
    let names = role_names(timeline.reasoner());
    let person = match &arguments.role {
        Some(name) => role_of(name, timeline.reasoner()).map_err(Failure::Usage)?,
        None => (0..names.len()).find(|it| Some(*it) != random).unwrap_or(0),
    };
    if Some(person) == random {
        return Err(Failure::Usage("nobody can play `random`: it is chance".to_owned()));
    }
    let others = (0..names.len()).filter(|it| *it != person && Some(*it) != random);
    let others = others.map(|role| {
        let seed = arguments.input.seed.wrapping_add(role as u64);
        (role, RandomTimes::new(seed, arguments.wait.clone()))
    });
    let mut game = Game {
        others: others.collect(),
        shown: 0,
        has_percepts: timeline.reasoner().has_percepts(),
        person,
        names,
        out: Lines::new(),
        start: Instant::now(),
    };
    game.out.write(&format!("You are {}. {HELP}", game.names[person]));
    game.play(&mut timeline, &arguments.until, &keyboard(), supervisor)?;
    game.out.write(&end(&mut timeline));
    game.out.finish()
}

/// The lines that are typed.
fn keyboard() -> Receiver<String> {
    let (sender, lines) = sync_channel(16);
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

struct Game {
    /// The other roles.
    others: Vec<(usize, RandomTimes)>,
    /// How many events have been shown.
    shown: usize,
    has_percepts: bool,
    person: usize,
    names: Vec<String>,
    out: Lines,
    start: Instant,
}

impl Game {
    fn play(
        &mut self,
        timeline: &mut Timeline,
        until: &Number,
        keyboard: &Receiver<String>,
        supervisor: &Supervisor,
    ) -> Result<(), Failure> {
        let mut is_open = true;
        loop {
            let now = number::of_duration(self.start.elapsed());
            let mut wait = INTERVAL;
            for (role, strategy) in &mut self.others {
                if let Some((time, chosen)) = strategy.plan(timeline, *role, &now) {
                    if time <= now {
                        timeline.add_move(now.clone(), *role, chosen);
                        strategy.made();
                    } else {
                        wait = wait.min(number::to_duration(&(time - &now)));
                    }
                }
            }
            timeline.advance_to(&now).map_err(failure)?;
            self.show(timeline);
            if timeline.is_over() || now >= *until {
                return Ok(());
            }
            supervisor.check()?;
            if let Some(next) = timeline.next_event() {
                wait = wait.min(number::to_duration(&(next - &now)));
            }
            let wait = wait.max(Duration::from_micros(100));
            if !is_open {
                std::thread::sleep(wait);
                continue;
            }
            match keyboard.recv_timeout(wait) {
                Ok(line) if line.trim() == "quit" => return Ok(()),
                Ok(line) => self.typed(line.trim(), timeline),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => is_open = false,
            }
        }
    }

    fn typed(&mut self, line: &str, timeline: &mut Timeline) {
        let legal = timeline.last().situation.legal[self.person].clone();
        if line.is_empty() || line == "help" || line == "?" {
            for (number, term) in legal.iter().enumerate() {
                let text = term_text(term, timeline.reasoner().symbols());
                self.out.write(&format!("{:>4}  {text}", number + 1));
            }
            if legal.is_empty() {
                self.out.write("      no move is legal now");
            }
            return;
        }
        let numbered = line.parse::<usize>().ok().and_then(|it| legal.get(it.checked_sub(1)?));
        let term = match numbered {
            Some(term) => Ok(term.clone()),
            None => ground_term(line, timeline.reasoner().symbols()),
        };
        match term {
            Ok(term) if legal.contains(&term) => {
                let now = number::of_duration(self.start.elapsed());
                timeline.add_move(now, self.person, term);
            }
            Ok(_) => {
                self.out.write(&format!("`{line}` is not legal now; an empty line lists what is"))
            }
            Err(fault) => self.out.write(&format!("`{line}`: {fault}")),
        }
    }

    /// Shows what the person may see of new events.
    fn show(&mut self, timeline: &mut Timeline) {
        // Moves of the same instant may have come together.
        for number in self.shown..timeline.events().len() {
            if !self.has_percepts {
                let line = timeline.line(number);
                self.out.write(&line);
                continue;
            }
            let event = timeline.events()[number].clone();
            let symbols = timeline.reasoner().symbols();
            let own = event.percepts.iter().filter(|it| it.0 == self.person);
            let own: Vec<String> = own.map(|it| term_text(&it.1, symbols)).collect();
            let moves = event.moves.iter().filter(|it| it.0 == self.person);
            let moves: Vec<String> = moves.map(|it| term_text(&it.1, symbols)).collect();
            if !own.is_empty() || !moves.is_empty() {
                let time = number::text(&event.time);
                let line =
                    format!("{time}  you did: {}  you see: {}", moves.join(" "), own.join(" "));
                self.out.write(&line);
            }
        }
        self.shown = timeline.events().len();
    }
}

/// Runs a match for players over the network.
fn serve(arguments: &RealtimeServe, session: &Session) -> Result<(), Failure> {
    let supervisor = &session.supervisor;
    let book = read(&arguments.input, session)?;
    let reasoner = reasoner(&book, supervisor)?;
    let timeline = begin(reasoner, &arguments.input)?;
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let hub = Hub::start(address).map_err(|source| Failure::listen(address, source))?;
    let model = match arguments.model {
        ModelChoice::Events => ExecutionModel::Events,
        ModelChoice::Moves => ExecutionModel::Moves,
        ModelChoice::Slots => ExecutionModel::Slots(arguments.slot.clone()),
        ModelChoice::Stopped => ExecutionModel::Stopped,
    };
    let options = ManagerOptions {
        id: arguments.id.clone(),
        model,
        join: arguments.join.0,
        start_clock: arguments.start_clock.0,
        until: arguments.until.clone(),
    };
    let mut out = Lines::new();
    out.write(&format!("listens on {}", hub.address()));
    let rules = one_line(&book.description.source).unwrap_or_default();
    let is_stopped = || supervisor.cause().is_some();
    let manager = Manager::new(&hub, timeline, options);
    let report = manager.run(&rules, &is_stopped, &mut |line| out.write(line)).map_err(failure)?;
    for (role, goals) in &report.goals {
        let goals: Vec<String> = goals.iter().map(i64::to_string).collect();
        out.write(&format!("{role}: {}", goals.join(" or ")));
    }
    if let (Some(median), Some(most)) = (report.lateness_at(50), report.lateness_at(99)) {
        out.write(&format!(
            "{} events by themselves, {:.2} ms late at the median, {:.2} ms at 99 %; {} moves, {} lines refused",
            report.lateness.len(),
            median.as_secs_f64() * 1000.0,
            most.as_secs_f64() * 1000.0,
            report.moves,
            report.refused
        ));
    }
    supervisor.check()?;
    out.finish()
}

/// Plays for a manager over the network.
fn player(arguments: &RealtimePlayer, supervisor: &Supervisor) -> Result<(), Failure> {
    let mut strategy: Box<dyn RealTimeStrategy> = match &arguments.script {
        Some(path) => {
            let text = relatives::script(path)?;
            let moves = scripted(&text).ok_or_else(|| {
                Failure::Source(format!("`{}`: expected lists `(TIME MOVE)`", visible_path(path)))
            })?;
            Box::new(ScriptedTimes::new(moves))
        }
        None => Box::new(RandomTimes::new(arguments.seed, arguments.wait.clone())),
    };
    let is_stopped = || supervisor.cause().is_some();
    let role = arguments.role.as_deref();
    let played = play_for(arguments.manager, &arguments.name, role, &mut *strategy, &is_stopped);
    supervisor.check()?;
    let report = played.map_err(|error| match error {
        PlayerError::Io(source) => {
            Failure::Io { what: format!("the manager on {}", arguments.manager), source }
        }
        other => Failure::Game(other.to_string()),
    })?;
    let mut out = Lines::new();
    out.write(&format!("played {}", report.role));
    report.events.iter().for_each(|it| out.write(it));
    for (wanted, arrived) in &report.arrivals {
        let late = number::text(&(arrived - wanted));
        out.write(&format!("a move for {} arrived {late} s after", number::text(wanted)));
    }
    for (role, goals) in &report.goals {
        let goals: Vec<String> = goals.iter().map(i64::to_string).collect();
        out.write(&format!("{role}: {}", goals.join(" or ")));
    }
    out.finish()
}

/// Times and moves of a script.
fn scripted(text: &str) -> Option<Vec<(number::Number, String)>> {
    let all = format!("({text}\n)");
    let items = list(&all)?;
    let read = |item: &&str| match list(item)?[..] {
        [time, chosen] => Some((number::parse(time)?, chosen.to_owned())),
        _ => None,
    };
    items.iter().map(read).collect()
}
