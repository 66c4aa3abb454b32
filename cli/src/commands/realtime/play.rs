//! `groundfrog realtime play`.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use groundfrog_languages::number::{self, Number};
use groundfrog_languages::realtime::Timeline;
use groundfrog_languages::realtime::player::{RandomTimes, RealTimeStrategy};
use groundfrog_languages::realtime::simulate::{role_names, role_of};
use groundfrog_languages::rules::{ground_term, term_text};

use super::{begin, end, failure, read, reasoner};
use crate::arguments::RealtimePlay;
use crate::commands::{Lines, Session};
use crate::failure::Failure;
use crate::supervisor::Supervisor;

/// How long nothing is looked at but the keyboard.
const INTERVAL: Duration = Duration::from_millis(50);

const HELP: &str =
    "Type a move, or its number in the list; an empty line lists the moves, `quit` leaves.";

/// Lets a person play by the clock.
pub(super) fn work(arguments: &RealtimePlay, session: &Session) -> Result<(), Failure> {
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
