//! `groundfrog play`.

mod rules;

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::Path;
use std::time::{Duration, Instant};

use groundfrog::RoleId;
use groundfrog::description::{Description, Printer};
use groundfrog::visible::visible_path;
use groundfrog_arena::board::{Layout, Look, Place};
use groundfrog_arena::referee::is_random;
use groundfrog_player::machine::{Machine, is_imperfect};
use groundfrog_player::strategy::{Strategy, StrategyError, StrategyOptions, Turn};
use groundfrog_player::{StrategyKind, build_strategy};
use groundfrog_reasoner::{Case, MoveId, Random, ReasonerError, State};

use super::Session;
use crate::arguments::PlayArguments;
use crate::failure::Failure;
use crate::progress::Activity;

/// Time to find out what the game looks like.
const LAYOUT: Duration = Duration::from_secs(3);

const HELP: &str = "Type a move as it is written in the list, or its number there. Where the text of a move is a number itself, the text \
    counts.\n  an empty line  lists the moves again\n  quit           leaves the match\n";

/// Lets a person play.
pub(crate) fn work(arguments: &PlayArguments, session: &Session) -> Result<(), Failure> {
    if arguments.game.input.game == Path::new("-") {
        let message = "moves are read from standard input: the game must be in a file";
        return Err(Failure::Usage(message.into()));
    }
    let supervisor = &session.supervisor;
    let description = session.read(&arguments.game.input)?;
    let mut reasoner = rules::machine(&description, &arguments.game.grounding, session)?;
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
    let look = look(&arguments.game.input.game)?;
    let layout = Layout::of_machine(&description, &mut reasoner, LAYOUT, &look);
    supervisor.without_bar(|| supervisor.progress().enter(Activity::Waiting));
    supervisor.lift_time_limit();
    let opponents = opponents(arguments, &description, &names, &persons, session)?;
    let clock = arguments.play_clock.0;
    let random = Random::new(arguments.chance.seed);
    let is_hidden = is_imperfect(&description);
    Match { reasoner, names, persons, is_hidden, layout, random, opponents, clock, session }
        .play(arguments.chance.max_length)
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

/// By role: what plays it, if that is neither a person nor chance.
fn opponents(
    arguments: &PlayArguments,
    description: &Description,
    names: &[String],
    persons: &[bool],
    session: &Session,
) -> Result<Vec<Option<Box<dyn Strategy>>>, Failure> {
    let kind = arguments.against;
    let plays =
        |role: usize| kind != StrategyKind::Random && !persons[role] && !is_random(&names[role]);
    let count = (0..names.len()).filter(|role| plays(*role)).count() as u64;
    let opponent = |role: usize| {
        if !plays(role) {
            return Ok(None);
        }
        let options = StrategyOptions {
            seed: arguments.chance.seed.wrapping_add(role as u64),
            // The rest is for the rules here.
            memory: arguments.game.grounding.limits.max_memory.0.map(|it| it / 2 / count),
            stop: Some(session.supervisor.stop()),
            ..StrategyOptions::default()
        };
        let description = description.clone().into();
        let mut strategy = build_strategy(kind, &description, &names[role], &options)?;
        strategy.prepare(Instant::now() + arguments.play_clock.0)?;
        Ok(Some(strategy))
    };
    (0..names.len()).map(opponent).collect::<Result<_, _>>().map_err(failure)
}

/// A strategy cannot play at all.
fn failure(error: StrategyError) -> Failure {
    match error {
        StrategyError::Reasoner(error) => Failure::Reasoner(error),
        error => Failure::Game(error.to_string()),
    }
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
    /// By role: what plays for those who are no persons; without it they move at random.
    opponents: Vec<Option<Box<dyn Strategy>>>,
    /// Time for a move of theirs.
    clock: Duration,
    session: &'run Session,
}

impl Match<'_> {
    /// Plays to the end, or until a person has enough.
    fn play(mut self, most: u32) -> Result<(), Failure> {
        let mut state = self.reasoner.initial().clone();
        for step in 0.. {
            let shown = if self.is_hidden { String::new() } else { self.board(&state) };
            self.print(&format!("\nStep {step}\n{shown}"))?;
            if self.reasoner.is_terminal(&state)? {
                return self.print_goals(&state);
            }
            if step == most {
                break;
            }
            let Some(moves) = self.joint_move(&state)? else {
                return self.print("\nThe match is left.\n");
            };
            let learned = self.learned(&state, &moves)?;
            self.print_moves(&moves, &learned)?;
            let mut next = State::default();
            self.reasoner.next_state(&state, &moves, &mut next)?;
            for (opponent, turn) in self.opponents.iter_mut().zip(&learned) {
                if let Some(strategy) = opponent {
                    strategy.observe(turn).map_err(failure)?;
                }
            }
            state = next;
        }
        self.print(&format!("The match is given up after {most} steps.\n"))
    }

    /// What the state has: boards as the page has them, the first row at the bottom, then the rest.
    fn board(&self, state: &State) -> String {
        let symbols = self.reasoner.symbols();
        let mut cells: HashMap<(usize, usize, usize), String> = HashMap::new();
        let mut facts = Vec::new();
        for fluent in state.fluents() {
            let term = self.reasoner.fluent(fluent);
            match self.layout.place(&term, symbols) {
                Place::Cell { board, column, row, content } => {
                    let all = cells.entry((board, column, row)).or_default();
                    *all += if all.is_empty() { "" } else { "," };
                    *all += &content;
                }
                Place::Edge(..) | Place::Fact => {
                    facts.push(Printer::new(symbols).term(&term).to_string());
                }
            }
        }
        let mut text = String::new();
        for (number, board) in self.layout.boards().iter().enumerate() {
            let at = |column: usize, row: usize| match cells.get(&(number, column, row)) {
                Some(content) if Some(content) != board.blank.as_ref() => content,
                _ if board.holes.contains(&(column, row)) => " ",
                _ => ".",
            };
            let row = |row: usize| {
                let places = (0..board.columns.len()).map(|column| at(column, row));
                std::iter::once(board.rows[row].as_str()).chain(places).collect::<Vec<&str>>()
            };
            let mut lines: Vec<Vec<&str>> = (0..board.rows.len()).rev().map(row).collect();
            lines.push(
                std::iter::once("").chain(board.columns.iter().map(String::as_str)).collect(),
            );
            let width = lines.iter().flatten().map(|it| it.chars().count()).max().unwrap_or(1);
            text += &format!("{}:\n", board.title);
            for line in lines {
                let line: String = line.iter().map(|it| format!(" {it:>width$}")).collect();
                text += &format!("{}\n", line.trim_end());
            }
        }
        facts.sort_unstable();
        text + &facts.join("  ") + "\n"
    }

    /// A move for each role; none if a person leaves.
    fn joint_move(&mut self, state: &State) -> Result<Option<Vec<MoveId>>, Failure> {
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        for role in self.reasoner.role_ids() {
            self.reasoner.legal_moves(state, role, &mut legal)?;
            let chosen = match legal[..] {
                [] => {
                    let role = self.names[role.index()].clone();
                    return Err(ReasonerError::NoLegalMove { role }.into());
                }
                [only] => Some(only),
                _ if self.persons[role.index()] => self.prompt(role, &legal)?,
                _ => Some(self.other_move(role, &legal)?),
            };
            match chosen {
                Some(chosen) => moves.push(chosen),
                None => return Ok(None),
            }
        }
        Ok(Some(moves))
    }

    /// The move of a role that is no person's: a strategy's, or one at random.
    fn other_move(&mut self, role: RoleId, legal: &[MoveId]) -> Result<MoveId, Failure> {
        let deadline = Instant::now() + self.clock;
        let chosen = self.opponents[role.index()].as_mut().map(|it| it.choose(deadline));
        self.session.supervisor.check()?;
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

    /// What each role learns of a joint move.
    fn learned(&mut self, state: &State, moves: &[MoveId]) -> Result<Vec<Turn>, Failure> {
        let made: Vec<String> = moves.iter().map(|&it| self.reasoner.move_text(it)).collect();
        if !self.is_hidden {
            return Ok(vec![Turn::Moves(made); self.names.len()]);
        }
        let percepts = self.reasoner.percepts(state, moves)?;
        let printer = Printer::new(self.reasoner.symbols());
        let learned = made.into_iter().zip(percepts).map(|(own, seen)| Turn::Percepts {
            own: Some(own),
            percepts: seen.iter().map(|it| printer.term(it).to_string()).collect(),
        });
        Ok(learned.collect())
    }

    /// Prompts a person until one of the moves is chosen, as it is written or by its number in the list. None if the person leaves, or at
    /// the end of input.
    fn prompt(&mut self, role: RoleId, legal: &[MoveId]) -> Result<Option<MoveId>, Failure> {
        let name = self.names[role.index()].clone();
        let (most, width) = (legal.len(), legal.len().to_string().len() + 2);
        let lines = legal.iter().enumerate().map(|(number, &it)| {
            format!("{:>width$}  {}\n", number + 1, self.reasoner.move_text(it))
        });
        let list = format!("Moves of {name}:\n{}", lines.collect::<String>());
        self.print(&list)?;
        loop {
            self.print(&format!("{name}, your move (its text, or 1 to {most}; help): "))?;
            let mut line = Vec::new();
            let read = io::stdin().lock().read_until(b'\n', &mut line);
            let read = read.map_err(|source| Failure::Io {
                what: "cannot read standard input".into(),
                source,
            })?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            // A move is taken as it is written before anything else that the same word may mean.
            let found = [line, &format!("({line})")].into_iter().find_map(|it| {
                let found = self.reasoner.read_move(role, it, Case::Folded);
                found.filter(|it| legal.contains(it))
            });
            let number = line.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
            if let Some(it) = found.or_else(|| legal.get(number?).copied()) {
                return Ok(Some(it));
            }
            match line.to_ascii_lowercase().as_str() {
                _ if read == 0 => return Ok(None),
                "q" | "quit" => return Ok(None),
                "help" | "h" | "?" => self.print(HELP)?,
                "" => self.print(&list)?,
                _ => self.print(&format!(
                    "`{line}` is none of the moves: give a number from 1 to {most}, or the text of one.\n"
                ))?,
            }
        }
    }

    /// Prints what the persons learn of a joint move.
    fn print_moves(&self, moves: &[MoveId], learned: &[Turn]) -> Result<(), Failure> {
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
        let mut values = Vec::new();
        for role in self.reasoner.role_ids() {
            let name = &self.names[role.index()];
            if is_random(name) {
                continue;
            }
            self.reasoner.goal_values(state, role, &mut values)?;
            let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
            let shown = if shown.is_empty() { "no goal value".into() } else { shown.join(" and ") };
            text += &format!("{name}: {shown}\n");
        }
        self.print(&text)
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        let supervisor = &self.session.supervisor;
        let written = crate::destination::Destination::Stdout.show(supervisor, text);
        supervisor.progress().enter(Activity::Waiting);
        written
    }
}
