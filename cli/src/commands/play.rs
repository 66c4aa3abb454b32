//! `groundfrog play`.

mod hint;
mod opponents;
mod rules;
mod view;

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use groundfrog::RoleId;
use groundfrog::visible::visible_path;
use groundfrog_arena::board::{Click, Layout, Look, Place};
use groundfrog_arena::referee::is_random;
use groundfrog_player::StrategyKind;
use groundfrog_player::machine::{Machine, is_imperfect};
use groundfrog_player::strategy::{StrategyError, StrategyOptions, Turn};
use groundfrog_reasoner::{Case, MoveId, Random, ReasonerError, State};

use super::{read, run_supervised};
use crate::arguments::PlayArguments;
use crate::destination::Destination;
use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Activity;
use crate::supervisor::Supervisor;
use hint::Adviser;
use opponents::{OpponentOptions, Opponents};

/// Time to find out what the game looks like.
const LAYOUT: Duration = Duration::from_secs(3);

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
    let mut reasoner =
        rules::machine(&description, &arguments.game.grounding, supervisor, reporter)?;
    let names: Vec<String> = reasoner.role_ids().map(|it| reasoner.role_text(it)).collect();
    if let Some(unknown) = arguments.roles.iter().find(|it| !names.contains(it)) {
        let names = names.join(", ");
        return Err(Failure::Usage(format!("nobody plays `{unknown}`: the roles are {names}")));
    }
    let persons: Vec<bool> = match &arguments.roles[..] {
        [] => {
            let first = names.iter().position(|it| !is_random(it));
            (0..names.len()).map(|it| Some(it) == first).collect()
        }
        roles => names.iter().map(|it| roles.contains(it)).collect(),
    };
    let is_hidden = is_imperfect(&description);
    let look = look(&arguments.game.input.game)?;
    let layout = Layout::of_machine(&description, &mut reasoner, LAYOUT, &look);
    supervisor.without_bar(|| supervisor.progress().enter(Activity::Waiting));
    supervisor.lift_time_limit();
    let chance = &arguments.chance;
    let description = Arc::new(description);
    let memory = arguments.game.grounding.limits.max_memory.0;
    let plays: Vec<bool> = names
        .iter()
        .zip(&persons)
        .map(|(it, person)| !person && !is_random(it) && arguments.against != StrategyKind::Random)
        .collect();
    // One more gives hints.
    let count = plays.iter().filter(|it| **it).count() as u64 + 1;
    let strength = StrategyOptions {
        seed: chance.seed,
        // The rest is for the rules here.
        memory: memory.map(|it| it / 2 / count),
        stop: Some(supervisor.stop()),
        ..StrategyOptions::default()
    };
    let clock = arguments.play_clock.0;
    let adviser =
        Adviser { description: Arc::clone(&description), clock, strength: strength.clone() };
    let opponents = match arguments.against {
        StrategyKind::Random => None,
        kind => {
            let options = OpponentOptions { kind, plays, clock, strength };
            Some(Opponents::new(description, names.clone(), options).map_err(failure)?)
        }
    };
    let random = Random::new(chance.seed);
    Match { reasoner, names, persons, is_hidden, layout, random, opponents, adviser, supervisor }
        .play(chance.max_length)
}

/// What the hint file beside a game says of how it looks; nothing without one.
fn look(game: &Path) -> Result<Look, Failure> {
    let path = game.with_extension("look.toml");
    match std::fs::read_to_string(&path) {
        Ok(text) => Look::parse(&text)
            .map_err(|error| Failure::Usage(format!("{}: {error}", visible_path(&path)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Look::default()),
        Err(error) => Err(Failure::io("cannot read the hint file", &path, error)),
    }
}

/// A strategy cannot play at all.
fn failure(error: StrategyError) -> Failure {
    match error {
        StrategyError::Reasoner(error) => Failure::Reasoner(error),
        error => Failure::Game(error.to_string()),
    }
}

const HELP: &str = "Type a move as it is written in the list, or its number there. Where the text of a move is a \
    number itself, the text counts.\n  an empty line  lists the moves again\n  undo           takes back your last \
    move, and what followed it\n  hint           tells what a search would do\n  help, ?        shows this\n  quit           leaves the match\n";

/// What a person answers when it is their move.
enum Answer {
    Move(MoveId),
    Hint,
    Undo,
    Leave,
}

/// What happens next in a match.
enum Choice {
    Moves(Vec<MoveId>),
    Undo,
    Leave,
}

/// A turn that was played.
struct Played {
    /// The state before it.
    state: State,
    /// By role: what it learned.
    learned: Vec<Turn>,
}

/// A match between persons, strategies and chance.
struct Match<'run> {
    reasoner: Machine,
    names: Vec<String>,
    /// By role: whether a person chooses.
    persons: Vec<bool>,
    /// Whether roles see the state only in part: then nothing is shown but the persons' moves and percepts.
    is_hidden: bool,
    layout: Layout,
    random: Random,
    /// What plays for those who are no persons; without them they move at random.
    opponents: Option<Opponents>,
    adviser: Adviser,
    supervisor: &'run Supervisor,
}

impl Match<'_> {
    /// Plays to the end, or until a person has enough.
    fn play(mut self, most: u32) -> Result<(), Failure> {
        let mut state = self.reasoner.initial().clone();
        let mut past: Vec<Played> = Vec::new();
        loop {
            let step = past.len();
            let shown = match self.is_hidden {
                true => String::new(),
                false => view::text(&self.layout, &*self.reasoner, &state),
            };
            self.print(&format!("\nStep {step}\n{shown}"))?;
            if self.reasoner.is_terminal(&state)? {
                return self.print_goals(&state);
            }
            if step == most as usize {
                return self.print(&format!("The match is given up after {most} steps.\n"));
            }
            let moves = match self.joint_move(&state, &past)? {
                Choice::Moves(moves) => moves,
                Choice::Leave => return self.print("\nThe match is left.\n"),
                Choice::Undo if self.is_hidden => {
                    self.print("Nothing is taken back in a game with percepts.\n")?;
                    continue;
                }
                Choice::Undo => {
                    match past.iter().rposition(|it| self.has_choice(&it.state)) {
                        Some(step) => {
                            state = past.swap_remove(step).state;
                            past.truncate(step);
                            self.take_back(&past)?;
                        }
                        None => self.print("There is no move to take back.\n")?,
                    }
                    continue;
                }
            };
            let learned = self.learned(&state, &moves)?;
            self.print_moves(&moves, &learned)?;
            let mut next = State::default();
            self.reasoner.next_state(&state, &moves, &mut next)?;
            if let Some(opponents) = &mut self.opponents {
                opponents.observe(&learned).map_err(failure)?;
            }
            past.push(Played { state: std::mem::replace(&mut state, next), learned });
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
    fn joint_move(&mut self, state: &State, past: &[Played]) -> Result<Choice, Failure> {
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
                _ if self.persons[role.index()] => loop {
                    match self.prompt(state, role, &legal)? {
                        Answer::Move(it) => break it,
                        Answer::Hint => self.hint(state, role, &legal, past)?,
                        Answer::Undo => return Ok(Choice::Undo),
                        Answer::Leave => return Ok(Choice::Leave),
                    }
                },
                _ => self.other_move(role, &legal)?,
            };
            moves.push(it);
        }
        Ok(Choice::Moves(moves))
    }

    /// The move of a role that is no person's: a strategy's, or one at random.
    fn other_move(&mut self, role: RoleId, legal: &[MoveId]) -> Result<MoveId, Failure> {
        let chosen = self.opponents.as_mut().and_then(|it| it.choose(role.index()));
        self.supervisor.check()?;
        let fault = match chosen {
            None => None,
            Some(Err(error)) => Some(error.to_string()),
            Some(Ok(decision)) => {
                let found = self.reasoner.find_move(role, &decision.action);
                match found.filter(|it| legal.contains(it)) {
                    Some(it) => return Ok(it),
                    None if decision.is_guess() => None,
                    None => Some("its move is not legal".to_owned()),
                }
            }
        };
        if let Some(fault) = fault {
            let name = &self.names[role.index()];
            self.print(&format!("{name} moves at random: {fault}\n"))?;
        }
        Ok(legal[self.random.below(legal.len() as u32) as usize])
    }

    /// Tells a person what a search would do.
    fn hint(
        &mut self,
        state: &State,
        role: RoleId,
        legal: &[MoveId],
        past: &[Played],
    ) -> Result<(), Failure> {
        let learned = past.iter().map(|it| &it.learned[role.index()]);
        let advice = self.adviser.advice(&self.names[role.index()], learned);
        self.supervisor.check()?;
        let text = match advice {
            Err(error) => format!("There is no hint: {error}\n"),
            Ok(action) => {
                let found = self.reasoner.find_move(role, &action);
                let at = found.and_then(|it| legal.iter().position(|legal| *legal == it));
                let number = at.map(|it| format!(", number {} in the list", it + 1));
                let words = at.and_then(|it| self.words(state, legal).swap_remove(it));
                let words = words.map(|it| format!("{it}  ")).unwrap_or_default();
                format!("Hint: {words}{action}{}\n\n", number.unwrap_or_default())
            }
        };
        self.print(&text)
    }

    /// Lets strategies follow a match from which something was taken back.
    fn take_back(&mut self, past: &[Played]) -> Result<(), Failure> {
        let Some(opponents) = &mut self.opponents else { return Ok(()) };
        let learned: Vec<Vec<Turn>> = past.iter().map(|it| it.learned.clone()).collect();
        opponents.restart(&learned).map_err(failure)
    }

    /// What each role learns of a joint move.
    fn learned(&mut self, state: &State, moves: &[MoveId]) -> Result<Vec<Turn>, Failure> {
        let made: Vec<String> = moves.iter().map(|&it| self.reasoner.move_text(it)).collect();
        if !self.is_hidden {
            return Ok(vec![Turn::Moves(made); self.names.len()]);
        }
        let percepts = self.reasoner.percepts(state, moves)?;
        let printer = groundfrog::description::Printer::new(self.reasoner.symbols());
        let learned = made.into_iter().zip(percepts).map(|(own, seen)| Turn::Percepts {
            own: Some(own),
            percepts: seen.iter().map(|it| printer.term(it).to_string()).collect(),
        });
        Ok(learned.collect())
    }

    /// Moves by their pieces and places; nothing of what the person may not see.
    fn words(&self, state: &State, legal: &[MoveId]) -> Vec<Option<String>> {
        let symbols = self.reasoner.symbols();
        let place = |it| self.layout.place(&self.reasoner.fluent(it), symbols);
        let places: Vec<Place> = match self.is_hidden {
            true => Vec::new(),
            false => state.fluents().map(place).collect(),
        };
        let held = |click: &Click| {
            places.iter().find_map(|place| match place {
                Place::Cell { board, column, row, content }
                    if *board == click.board
                        && Some(*column) == click.column
                        && Some(*row) == click.row =>
                {
                    Some(content.clone())
                }
                _ => None,
            })
        };
        let terms: Vec<_> = legal.iter().map(|&it| self.reasoner.move_term(it).1).collect();
        let words = self.layout.words(terms.iter(), symbols, held);
        words.into_iter().map(|it| Some(it?.to_string())).collect()
    }

    /// Prompts a person until one of the moves is chosen, as it is written or by its number in the list. Leaves at the end of
    /// input.
    fn prompt(&mut self, state: &State, role: RoleId, legal: &[MoveId]) -> Result<Answer, Failure> {
        let texts: Vec<String> = legal.iter().map(|&it| self.reasoner.move_text(it)).collect();
        let width = texts.len().to_string().len() + 2;
        let name = self.names[role.index()].clone();
        let words = self.words(state, legal);
        let longest = words.iter().flatten().map(|it| it.chars().count()).max().unwrap_or(0);
        let lines = texts.iter().zip(&words).enumerate().map(|(it, (text, words))| match words {
            Some(words) => format!("{:>width$}  {words:longest$}  {text}\n", it + 1),
            None => format!("{:>width$}  {text}\n", it + 1),
        });
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
                "hint" => return Ok(Answer::Hint),
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

    /// Prints what the persons learn of a joint move.
    fn print_moves(&mut self, moves: &[MoveId], learned: &[Turn]) -> Result<(), Failure> {
        let is_shown = |role: usize| self.persons[role] || !self.is_hidden;
        let made = self.names.iter().zip(moves).enumerate().filter(|(role, _)| is_shown(*role));
        let made = made.map(|(_, (name, &it))| format!("{name}: {}", self.reasoner.move_text(it)));
        let mut text = format!("\n{}\n", made.collect::<Vec<_>>().join("; "));
        for (role, turn) in learned.iter().enumerate() {
            if let Turn::Percepts { percepts, .. } = turn
                && self.persons[role]
            {
                let seen = if percepts.is_empty() { "nothing".into() } else { percepts.join(", ") };
                text += &format!("{} sees {seen}\n", self.names[role]);
            }
        }
        self.print(&text)
    }

    fn print_goals(&mut self, state: &State) -> Result<(), Failure> {
        let mut text = "\nThe match is over.\n".to_owned();
        let (mut values, mut single) = (Vec::new(), Vec::new());
        for role in self.reasoner.role_ids() {
            if is_random(&self.names[role.index()]) {
                continue;
            }
            self.reasoner.goal_values(state, role, &mut values)?;
            let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
            let shown = if shown.is_empty() { "no goal value".into() } else { shown.join(" and ") };
            text += &format!("{}: {shown}\n", self.names[role.index()]);
            if let [value] = values[..] {
                single.push((value, self.names[role.index()].as_str()));
            }
        }
        let best = single.iter().map(|it| it.0).max();
        let winners: Vec<&str> =
            single.iter().filter(|it| Some(it.0) == best).map(|it| it.1).collect();
        match winners.len() {
            0 => {}
            _ if single.len() == 1 => {}
            all if all == single.len() => text += "Nobody wins.\n",
            1 => text += &format!("{} wins.\n", winners[0]),
            _ => text += &format!("{} win.\n", winners.join(" and ")),
        }
        self.print(&text)
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        let written = Destination::Stdout.show(self.supervisor, text);
        self.supervisor.progress().enter(Activity::Waiting);
        written
    }
}
