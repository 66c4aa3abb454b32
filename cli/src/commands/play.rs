//! `groundfrog play`.

mod view;

use std::io::{self, BufRead};
use std::path::Path;

use groundfrog::RoleId;
use groundfrog_reasoner::{GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State};

use super::{compiled, playable, read, run_supervised};
use crate::arguments::PlayArguments;
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::supervisor::Supervisor;
use view::View;

/// Lets a person play.
pub(crate) fn run(arguments: &PlayArguments) -> Exit {
    let grounding = &arguments.game.grounding;
    run_supervised(&grounding.limits, grounding.quiet, |supervisor, reporter| {
        work(arguments, supervisor, reporter)
    })
}

fn work(
    arguments: &PlayArguments,
    supervisor: &Supervisor,
    reporter: &Reporter,
) -> Result<(), Failure> {
    if arguments.game.input.game == Path::new("-") {
        let message = "moves are read from standard input: the game must be in a file";
        return Err(Failure::Usage(message.into()));
    }
    let description = read(&arguments.game.input, supervisor, reporter)?;
    let game = playable(&description, &arguments.game.grounding, supervisor, reporter)?;
    let reasoner = compiled(&game, supervisor, GroundReasoner::new)?;
    let names: Vec<String> = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
    if let Some(unknown) = arguments.roles.iter().find(|it| !names.contains(it)) {
        let names = names.join(", ");
        return Err(Failure::Usage(format!("nobody plays `{unknown}`: the roles are {names}")));
    }
    let persons = match &arguments.roles[..] {
        [] => names.iter().enumerate().map(|(role, _)| role == 0).collect(),
        roles => names.iter().map(|it| roles.contains(it)).collect(),
    };
    let fluents = (0..game.fluents().len() as u32).map(groundfrog_reasoner::FluentId);
    let view = View::new(&reasoner, fluents);
    let random = Random::new(arguments.chance.seed);
    supervisor.without_bar(|| supervisor.progress().enter(Activity::Waiting));
    supervisor.lift_time_limit();
    Match { reasoner, names, persons, view, random, supervisor }.play(arguments.chance.max_length)
}

/// A match between persons and chance.
struct Match<'run> {
    reasoner: GroundReasoner,
    names: Vec<String>,
    /// By role: whether a person chooses.
    persons: Vec<bool>,
    view: View,
    random: Random,
    supervisor: &'run Supervisor,
}

impl Match<'_> {
    /// Plays to the end, or until a person has enough.
    fn play(mut self, most: u32) -> Result<(), Failure> {
        let mut state = self.reasoner.initial().clone();
        for step in 0.. {
            let shown = self.view.text(&self.reasoner, &state);
            self.tell(&format!("\nStep {step}\n{shown}"))?;
            if self.reasoner.is_terminal(&state)? {
                return self.tell_goals(&state);
            }
            if step == most {
                return self.tell(&format!("The match is given up after {most} steps.\n"));
            }
            let Some(moves) = self.joint_move(&state)? else {
                return self.tell("\nThe match is left.\n");
            };
            self.tell_moves(&state, &moves)?;
            let mut next = State::default();
            self.reasoner.next_state(&state, &moves, &mut next)?;
            state = next;
        }
        Ok(())
    }

    /// A move for each role; none if a person has enough.
    fn joint_move(&mut self, state: &State) -> Result<Option<Vec<MoveId>>, Failure> {
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        for role in self.reasoner.role_ids() {
            self.reasoner.legal_moves(state, role, &mut legal)?;
            let it = match legal[..] {
                [] => {
                    let role = self.names[role.index()].clone();
                    return Err(ReasonerError::NoLegalMove { role }.into());
                }
                [only] => only,
                _ if self.persons[role.index()] => match self.ask(role, &legal)? {
                    Some(it) => it,
                    None => return Ok(None),
                },
                _ => legal[self.random.below(legal.len() as u32) as usize],
            };
            moves.push(it);
        }
        Ok(Some(moves))
    }

    /// Asks until one of the moves is chosen, by its number or as it is written; none at the end of input.
    fn ask(&self, role: RoleId, legal: &[MoveId]) -> Result<Option<MoveId>, Failure> {
        let texts: Vec<String> = legal.iter().map(|&it| self.reasoner.move_text(it)).collect();
        let width = texts.len().to_string().len() + 2;
        let name = &self.names[role.index()];
        let lines =
            texts.iter().enumerate().map(|(it, text)| format!("{:>width$}  {text}\n", it + 1));
        self.tell(&format!("Moves of {name}:\n{}", lines.collect::<String>()))?;
        loop {
            self.tell(&format!("{name}, your move (1 to {}, or quit): ", texts.len()))?;
            let mut line = Vec::new();
            let read = io::stdin().lock().read_until(b'\n', &mut line);
            let read = read.map_err(|source| Failure::Io {
                what: "cannot read standard input".into(),
                source,
            })?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            let bare = |text: &str| text.trim_matches(['(', ')']).to_owned();
            let number = line.parse::<usize>().ok().filter(|it| (1..=texts.len()).contains(it));
            let written =
                || texts.iter().position(|text| text == line || *text == format!("({line})"));
            if let Some(it) = number.map(|it| it - 1).or_else(written) {
                return Ok(Some(legal[it]));
            }
            if read == 0 || ["q", "quit"].contains(&bare(line).as_str()) {
                return Ok(None);
            }
            let most = texts.len();
            self.tell(&format!(
                "`{line}` is none of the moves: give a number from 1 to {most}.\n"
            ))?;
        }
    }

    /// Tells who has moved how, and what persons see.
    fn tell_moves(&mut self, state: &State, moves: &[MoveId]) -> Result<(), Failure> {
        let made = self.names.iter().zip(moves);
        let made = made.map(|(name, &it)| format!("{name}: {}", self.reasoner.move_text(it)));
        let text = format!("\n{}\n", made.collect::<Vec<_>>().join("; "));
        self.tell(&text)?;
        let percepts = self.reasoner.percepts(state, moves)?;
        for (role, seen) in percepts.iter().enumerate() {
            if self.persons[role] && !seen.is_empty() {
                let printer = groundfrog::kif::Printer::new(self.reasoner.symbols());
                let seen: Vec<String> =
                    seen.iter().map(|it| printer.term(it).to_string()).collect();
                self.tell(&format!("{} sees {}\n", self.names[role], seen.join(", ")))?;
            }
        }
        Ok(())
    }

    fn tell_goals(&mut self, state: &State) -> Result<(), Failure> {
        let mut text = "\nThe match is over.\n".to_owned();
        let mut values = Vec::new();
        for role in self.reasoner.role_ids() {
            self.reasoner.goal_values(state, role, &mut values)?;
            let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
            let shown = if shown.is_empty() { "no goal value".into() } else { shown.join(" and ") };
            text += &format!("{}: {shown}\n", self.names[role.index()]);
        }
        self.tell(&text)
    }

    fn tell(&self, text: &str) -> Result<(), Failure> {
        let written =
            Destination::Stdout.write(self.supervisor, |out| out.write_all(text.as_bytes()));
        self.supervisor.progress().enter(Activity::Waiting);
        written
    }
}
