//! `groundfrog play`.

mod view;

use std::io::{self, BufRead};
use std::path::Path;

use groundfrog::RoleId;
use groundfrog_reasoner::{Case, GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State};

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

const HELP: &str = "Type a move as it is written in the list, or its number there. Where the text of a move is a \
    number itself, the text counts.\n  an empty line  lists the moves again\n  undo           takes back your last \
    move, and what followed it\n  help, ?        shows this\n  quit           leaves the match\n";

/// What a person answers when it is their move.
enum Answer {
    Move(MoveId),
    Undo,
    Leave,
}

/// What happens next in a match.
enum Choice {
    Moves(Vec<MoveId>),
    Undo,
    Leave,
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
        let mut past: Vec<State> = Vec::new();
        loop {
            let step = past.len();
            let shown = self.view.text(&self.reasoner, &state);
            self.print(&format!("\nStep {step}\n{shown}"))?;
            if self.reasoner.is_terminal(&state)? {
                return self.print_goals(&state);
            }
            if step == most as usize {
                return self.print(&format!("The match is given up after {most} steps.\n"));
            }
            let moves = match self.joint_move(&state)? {
                Choice::Moves(moves) => moves,
                Choice::Leave => return self.print("\nThe match is left.\n"),
                Choice::Undo => {
                    match past.iter().rposition(|it| self.has_choice(it)) {
                        Some(step) => {
                            state = past.swap_remove(step);
                            past.truncate(step);
                        }
                        None => self.print("There is no move to take back.\n")?,
                    }
                    continue;
                }
            };
            self.print_moves(&state, &moves)?;
            let mut next = State::default();
            self.reasoner.next_state(&state, &moves, &mut next)?;
            past.push(std::mem::replace(&mut state, next));
        }
    }

    /// Whether a person has something to choose in a state.
    fn has_choice(&mut self, state: &State) -> bool {
        let mut legal = Vec::new();
        self.reasoner.role_ids().any(|role| {
            let known = self.reasoner.legal_moves(state, role, &mut legal);
            known.is_ok() && legal.len() > 1 && self.persons[role.index()]
        })
    }

    /// A move for each role.
    fn joint_move(&mut self, state: &State) -> Result<Choice, Failure> {
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
                _ if self.persons[role.index()] => match self.prompt(role, &legal)? {
                    Answer::Move(it) => it,
                    Answer::Undo => return Ok(Choice::Undo),
                    Answer::Leave => return Ok(Choice::Leave),
                },
                _ => legal[self.random.below(legal.len() as u32) as usize],
            };
            moves.push(it);
        }
        Ok(Choice::Moves(moves))
    }

    /// Prompts a person until one of the moves is chosen, as it is written or by its number in the list. Leaves at the end of
    /// input.
    fn prompt(&mut self, role: RoleId, legal: &[MoveId]) -> Result<Answer, Failure> {
        let texts: Vec<String> = legal.iter().map(|&it| self.reasoner.move_text(it)).collect();
        let width = texts.len().to_string().len() + 2;
        let name = self.names[role.index()].clone();
        let lines =
            texts.iter().enumerate().map(|(it, text)| format!("{:>width$}  {text}\n", it + 1));
        let list = format!("Moves of {name}:\n{}", lines.collect::<String>());
        self.print(&list)?;
        loop {
            self.print(&format!("{name}, your move (its text, or 1 to {}; help): ", texts.len()))?;
            let mut line = Vec::new();
            let read = io::stdin().lock().read_until(b'\n', &mut line);
            let read = read.map_err(|source| Failure::Io {
                what: "cannot read standard input".into(),
                source,
            })?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            // A move is taken as it is written before anything else that the same word may mean.
            let found = self.reasoner.read_move(role, line, Case::Folded);
            let found = found.filter(|it| legal.contains(it)).or_else(|| {
                let found = self.reasoner.read_move(role, &format!("({line})"), Case::Folded);
                found.filter(|it| legal.contains(it))
            });
            let number = line.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
            if let Some(it) = found.or_else(|| legal.get(number?).copied()) {
                return Ok(Answer::Move(it));
            }
            if read == 0 {
                return Ok(Answer::Leave);
            }
            match line.trim_matches(['(', ')']).to_ascii_lowercase().as_str() {
                "q" | "quit" => return Ok(Answer::Leave),
                "u" | "undo" => return Ok(Answer::Undo),
                "help" | "h" | "?" => {
                    self.print(HELP)?;
                    continue;
                }
                "" => {
                    self.print(&list)?;
                    continue;
                }
                _ => {}
            }
            let most = texts.len();
            self.print(&format!(
                "`{line}` is none of the moves: give a number from 1 to {most}, or the text of one.\n"
            ))?;
        }
    }

    /// Prints who has moved how, and what persons see.
    fn print_moves(&mut self, state: &State, moves: &[MoveId]) -> Result<(), Failure> {
        let made = self.names.iter().zip(moves);
        let made = made.map(|(name, &it)| format!("{name}: {}", self.reasoner.move_text(it)));
        let text = format!("\n{}\n", made.collect::<Vec<_>>().join("; "));
        self.print(&text)?;
        let percepts = self.reasoner.percepts(state, moves)?;
        for (role, seen) in percepts.iter().enumerate() {
            if self.persons[role] && !seen.is_empty() {
                let printer = groundfrog::kif::Printer::new(self.reasoner.symbols());
                let seen: Vec<String> =
                    seen.iter().map(|it| printer.term(it).to_string()).collect();
                self.print(&format!("{} sees {}\n", self.names[role], seen.join(", ")))?;
            }
        }
        Ok(())
    }

    fn print_goals(&mut self, state: &State) -> Result<(), Failure> {
        let mut text = "\nThe match is over.\n".to_owned();
        let mut values = Vec::new();
        for role in self.reasoner.role_ids() {
            self.reasoner.goal_values(state, role, &mut values)?;
            let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
            let shown = if shown.is_empty() { "no goal value".into() } else { shown.join(" and ") };
            text += &format!("{}: {shown}\n", self.names[role.index()]);
        }
        self.print(&text)
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        let written =
            Destination::Stdout.write(self.supervisor, |out| out.write_all(text.as_bytes()));
        self.supervisor.progress().enter(Activity::Waiting);
        written
    }
}
