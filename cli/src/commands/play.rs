//! `groundfrog play`.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog::RoleId;
use groundfrog::description::{Description, Printer};
use groundfrog::visible::visible_path;
use groundfrog_arena::board::{Layout, Look, Place};
use groundfrog_arena::referee::is_random;
use groundfrog_player::strategy::{Strategy, StrategyError, StrategyOptions, Turn};
use groundfrog_player::{StrategyKind, build_strategy};
use groundfrog_reasoner::open::is_imperfect;
use groundfrog_reasoner::{Case, Machine, MoveId, Opened, Random, ReasonerError, State};

use super::Session;
use crate::arguments::{GroundingArguments, PlayArguments};
use crate::failure::Failure;
use crate::progress::{Activity, Follower};

/// Time to find out what the game looks like.
const LAYOUT: Duration = Duration::from_secs(3);

const HELP: &str = "Type a move as it is written in the list, or its number there. Where the text of a move is a number itself, the text \
    counts.\n  an empty line  lists the moves again\n  undo           takes back your last move, and what followed it\n  hint           tells what a search would do\n  \
    quit           leaves the match\n";

/// What a person answers.
enum Answer {
    Move(MoveId),
    Hint,
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

/// Lets a person play.
pub(crate) fn work(arguments: &PlayArguments, session: &Session) -> Result<(), Failure> {
    if arguments.game.input.game == Path::new("-") {
        let message = "moves are read from standard input: the game must be in a file";
        return Err(Failure::Usage(message.into()));
    }
    let supervisor = &session.supervisor;
    let description = session.read(&arguments.game.input)?;
    let mut reasoner = machine(&description, &arguments.game.grounding, session)?;
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
    let mut play = Match {
        reasoner,
        is_hidden: is_imperfect(&description),
        description: description.into(),
        layout,
        random: Random::new(arguments.chance.seed),
        opponents: Vec::new(),
        names,
        persons,
        arguments,
        session,
    };
    play.opponents = play.new_opponents(&[])?;
    play.play(arguments.chance.max_length)
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

/// A match between persons, strategies and chance.
struct Match<'run> {
    description: Arc<Description>,
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
    arguments: &'run PlayArguments,
    session: &'run Session,
}

impl Match<'_> {
    /// A strategy for a role that has followed what was played.
    fn strategy(
        &self,
        kind: StrategyKind,
        role: usize,
        past: &[Played],
    ) -> Result<Box<dyn Strategy>, StrategyError> {
        let PlayArguments { chance, play_clock, game, .. } = self.arguments;
        // The rest is for the rules here; one more strategy gives hints.
        let share = 2 * (1 + self.names.len() as u64);
        let options = StrategyOptions {
            seed: chance.seed.wrapping_add(role as u64),
            memory: game.grounding.limits.max_memory.0.map(|it| it / share),
            stop: Some(self.session.supervisor.stop()),
            ..StrategyOptions::default()
        };
        let mut strategy = build_strategy(kind, &self.description, &self.names[role], &options)?;
        strategy.prepare(Instant::now() + play_clock.0)?;
        past.iter().try_for_each(|it| strategy.observe(&it.learned[role]))?;
        Ok(strategy)
    }

    /// By role: what plays it, if that is neither a person nor chance.
    fn new_opponents(&self, past: &[Played]) -> Result<Vec<Option<Box<dyn Strategy>>>, Failure> {
        let kind = self.arguments.against;
        let plays = |role: usize| {
            kind != StrategyKind::Random && !self.persons[role] && !is_random(&self.names[role])
        };
        let opponent = |role| plays(role).then(|| self.strategy(kind, role, past)).transpose();
        (0..self.names.len()).map(opponent).collect::<Result<_, _>>().map_err(failure)
    }

    /// Plays to the end, or until a person has enough.
    fn play(mut self, most: u32) -> Result<(), Failure> {
        let mut state = self.reasoner.initial().clone();
        let mut past: Vec<Played> = Vec::new();
        while past.len() <= most as usize {
            let shown = if self.is_hidden { String::new() } else { self.board(&state) };
            self.print(&format!("\nStep {}\n{shown}", past.len()))?;
            if self.reasoner.is_terminal(&state)? {
                return self.print_goals(&state);
            }
            if past.len() == most as usize {
                break;
            }
            let moves = match self.joint_move(&state, &past)? {
                Ok(moves) => moves,
                Err(Answer::Undo) => {
                    state = self.take_back(&mut past, state)?;
                    continue;
                }
                Err(_) => return self.print("\nThe match is left.\n"),
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
            past.push(Played { state: std::mem::replace(&mut state, next), learned });
        }
        self.print(&format!("The match is given up after {most} steps.\n"))
    }

    /// The state in which a person had a choice last; the present one if there is none.
    fn take_back(&mut self, past: &mut Vec<Played>, state: State) -> Result<State, Failure> {
        if self.is_hidden {
            self.print("Nothing is taken back in a game with percepts.\n")?;
            return Ok(state);
        }
        let Some(step) = past.iter().rposition(|it| self.has_choice(&it.state)) else {
            self.print("There is no move to take back.\n")?;
            return Ok(state);
        };
        let state = past.swap_remove(step).state;
        past.truncate(step);
        self.opponents = self.new_opponents(past)?;
        Ok(state)
    }

    /// Whether a person has something to choose in a state.
    fn has_choice(&mut self, state: &State) -> bool {
        let mut legal = Vec::new();
        self.reasoner.role_ids().any(|role| {
            let listed = self.reasoner.legal_moves(state, role, &mut legal);
            listed.is_ok() && legal.len() > 1 && self.persons[role.index()]
        })
    }

    /// Tells a person what a search would do.
    fn hint(&mut self, role: RoleId, legal: &[MoveId], past: &[Played]) -> Result<(), Failure> {
        let deadline = Instant::now() + self.arguments.play_clock.0 * 2;
        let strategy = self.strategy(StrategyKind::Auto, role.index(), past);
        let advice = strategy.and_then(|mut it| it.choose(deadline));
        self.session.supervisor.check()?;
        let text = match advice {
            Err(error) => format!("There is no hint: {error}\n"),
            Ok(decision) => {
                let found = self.reasoner.find_move(role, &decision.action);
                let at = found.and_then(|it| legal.iter().position(|legal| *legal == it));
                let number = at.map(|it| format!(", number {} in the list", it + 1));
                format!("Hint: {}{}\n", decision.action, number.unwrap_or_default())
            }
        };
        self.print(&text)
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

    /// A move for each role, or that a person leaves or takes back.
    fn joint_move(
        &mut self,
        state: &State,
        past: &[Played],
    ) -> Result<Result<Vec<MoveId>, Answer>, Failure> {
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        for role in self.reasoner.role_ids() {
            self.reasoner.legal_moves(state, role, &mut legal)?;
            moves.push(match legal[..] {
                [] => {
                    let role = self.names[role.index()].clone();
                    return Err(ReasonerError::NoLegalMove { role }.into());
                }
                [only] => only,
                _ if self.persons[role.index()] => loop {
                    match self.prompt(role, &legal)? {
                        Answer::Move(it) => break it,
                        Answer::Hint => self.hint(role, &legal, past)?,
                        other => return Ok(Err(other)),
                    }
                },
                _ => self.other_move(role, &legal)?,
            });
        }
        Ok(Ok(moves))
    }

    /// The move of a role that is no person's: a strategy's, or one at random.
    fn other_move(&mut self, role: RoleId, legal: &[MoveId]) -> Result<MoveId, Failure> {
        let deadline = Instant::now() + self.arguments.play_clock.0;
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

    /// Prompts a person until there is an answer: one of the moves, as it is written or by its number in the list, or a word. The end of
    /// input leaves the match.
    fn prompt(&mut self, role: RoleId, legal: &[MoveId]) -> Result<Answer, Failure> {
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
                return Ok(Answer::Move(it));
            }
            match line.to_ascii_lowercase().as_str() {
                _ if read == 0 => return Ok(Answer::Leave),
                "q" | "quit" => return Ok(Answer::Leave),
                "u" | "undo" => return Ok(Answer::Undo),
                "hint" => return Ok(Answer::Hint),
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
        let mut single = Vec::new();
        for role in self.reasoner.role_ids() {
            let name = &self.names[role.index()];
            if is_random(name) {
                continue;
            }
            self.reasoner.goal_values(state, role, &mut values)?;
            let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
            let shown = if shown.is_empty() { "no goal value".into() } else { shown.join(" and ") };
            text += &format!("{name}: {shown}\n");
            if let [value] = values[..] {
                single.push((value, name.as_str()));
            }
        }
        let best = single.iter().map(|it| it.0).max();
        let best = single.iter().filter(|it| Some(it.0) == best).map(|it| it.1);
        let winners: Vec<&str> = best.collect();
        match winners[..] {
            [] => {}
            _ if single.len() == 1 => {}
            _ if winners.len() == single.len() => text += "Nobody wins.\n",
            [winner] => text += &format!("{winner} wins.\n"),
            _ => text += &format!("{} win.\n", winners.join(" and ")),
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

// The rules that a match is played by.

/// Time to open a game, if none is given.
const OPENING: Duration = Duration::from_secs(10);

/// The ground rules, or the rules with variables of a game that is not ground in two thirds of the time.
fn machine(
    description: &Description,
    arguments: &GroundingArguments,
    session: &Session,
) -> Result<Machine, Failure> {
    let Session { supervisor, reporter } = session;
    let time = supervisor.time_left().unwrap_or(OPENING) * 2 / 3;
    let mut options = session.options(&arguments.method, &arguments.rules, &arguments.limits);
    options.limits.time = Some(time);
    supervisor.progress().enter(Activity::Grounding);
    let mut follower = Follower(supervisor.progress());
    let patience = supervisor.time_left();
    let opened = Opened::grounded_as(description, &options, patience, &mut follower);
    supervisor.check()?;
    let opened = opened.map_err(|error| session.not_opened(error))?;
    session.warn(description, &opened.warnings)?;
    if let Some(reason) = opened.not_ground {
        let reason = reason.brief();
        reporter
            .note(&format!("played by its rules with variables, as it is not ground: {reason}\n"));
    }
    Ok(opened.machine)
}
