//! Who plays.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use web_time::Instant;

use groundfrog::Description;

use super::{PerceptForm, Scrambler};
use groundfrog_player::PeerText;
use groundfrog_player::protocol::{Address, ClientError, Message, News};
use groundfrog_player::seat_thread::{Order, Unanswered, Worker};
use groundfrog_player::strategy::{Decision, Strategy, StrategyError, StrategyOptions, Turn};
use groundfrog_player::text;
use groundfrog_player::{StrategyKind, build_strategy};

/// Characters of what a player says besides its move that are kept.
const MOST_EXPLANATION: usize = 1000;

/// A player of a match, and what it is called.
pub struct Seat {
    /// The name, for the record.
    pub name: String,
    /// Who chooses the moves.
    pub player: SeatPlayer,
    /// Time for a move, if it is not that of the match.
    pub play_clock: Option<Duration>,
}

/// Makes a strategy for a description and a role.
pub type StrategyMaker =
    Box<dyn FnOnce(&Arc<Description>, &str) -> Result<Box<dyn Strategy>, StrategyError> + Send>;

/// Who chooses the moves of a role.
pub enum SeatPlayer {
    /// Somebody who listens for messages of the protocol.
    Remote(Address),
    /// A strategy, which works in a thread of its own.
    BuiltIn(StrategyMaker),
    /// A person, see [`person`].
    Person(Person),
}

impl Seat {
    /// A player over HTTP.
    pub fn remote(name: &str, address: Address) -> Self {
        Seat { name: name.to_owned(), player: SeatPlayer::Remote(address), play_clock: None }
    }

    /// A built-in strategy.
    pub fn built_in(name: &str, kind: StrategyKind, options: StrategyOptions) -> Self {
        let make: StrategyMaker =
            Box::new(move |description, role| build_strategy(kind, description, role, &options));
        Seat { name: name.to_owned(), player: SeatPlayer::BuiltIn(make), play_clock: None }
    }

    /// A person, who has this time for a move.
    pub fn person(name: &str, person: Person, play_clock: Duration) -> Self {
        let player = SeatPlayer::Person(person);
        Seat { name: name.to_owned(), player, play_clock: Some(play_clock) }
    }
}

/// Where the game master hears a person's moves.
pub struct Person(pub(super) Receiver<(u32, String)>);

/// Where a person's moves come in; dropped when the person leaves.
#[derive(Clone, Debug)]
pub struct PersonMoves(Sender<(u32, String)>);

impl PersonMoves {
    /// Tells the move of a turn, which is the number of joint moves made before. What is not legal then, or comes for another turn, is passed over.
    /// Returns whether anybody listens.
    pub fn make(&self, turn: u32, action: &str) -> bool {
        self.0.send((turn, action.to_owned())).is_ok()
    }
}

/// A person at the board: whoever shows the board tells what the person chooses.
pub fn person() -> (PersonMoves, Person) {
    let (sender, receiver) = channel();
    (PersonMoves(sender), Person(receiver))
}

/// Somebody far away.
pub(super) struct Remote {
    pub(super) address: Address,
    pub(super) name: String,
    pub(super) id: String,
    /// The role and the rules, in the player's names.
    pub(super) role: String,
    pub(super) rules: Arc<str>,
    pub(super) clocks: (Duration, Duration),
    pub(super) scrambler: Arc<Scrambler>,
    pub(super) imperfect: Option<PerceptForm>,
    pub(super) conceals_answers: bool,
    pub(super) turns: u64,
    /// What has happened since the last message.
    pub(super) news: Option<Turn>,
}

impl Worker for Remote {
    fn obey(&mut self, order: &Order) -> Result<Option<Decision>, Unanswered> {
        let id = self.id.clone();
        match order {
            Order::Preview(deadline) => {
                let rules = self.rules.to_string();
                let left = deadline.saturating_duration_since(Instant::now());
                let clock = Duration::from_secs_f64(left.as_secs_f64().ceil());
                self.ask(&Message::Preview { rules, clock }, *deadline)?;
            }
            Order::Prepare(deadline) => {
                let (start_clock, play_clock) = self.clocks;
                let (role, rules) = (self.role.clone(), self.rules.to_string());
                let start = Message::Start { id, role, rules, start_clock, play_clock };
                let answer = self.ask(&start, *deadline)?;
                if answer.trim_start().to_ascii_lowercase().starts_with("busy") {
                    let shown = if self.conceals_answers { "busy" } else { answer.trim() };
                    let refusal = format!("it answered `{}`", PeerText::new(shown));
                    return Err(Unanswered::Connection(refusal));
                }
            }
            Order::Choose(deadline) => {
                let play = Message::Play { id, news: self.news() };
                let answer = self.ask(&play, *deadline)?;
                let (action, said) = text::first_expression(&answer).unwrap_or((&answer, ""));
                let action = self.scrambler.unscramble(action);
                let said = if self.conceals_answers { "" } else { said };
                let explanation = PeerText::within(said.trim(), MOST_EXPLANATION).into();
                return Ok(Some(Decision { action, explanation, ..Decision::default() }));
            }
            Order::Observe(turn) => {
                self.news = Some(turn.clone());
                self.turns += 1;
            }
            Order::Stop(deadline) => {
                self.ask(&Message::Stop { id, news: self.news() }, *deadline)?;
            }
            Order::Abort(deadline) => {
                self.ask(&Message::Abort { id }, *deadline)?;
            }
        }
        Ok(None)
    }
}

impl Remote {
    fn ask(&self, message: &Message, deadline: Instant) -> Result<String, Unanswered> {
        let time = deadline.saturating_duration_since(Instant::now());
        let answer = self.address.ask(&self.name, &message.to_string(), time);
        answer.map_err(|error| match error {
            ClientError::Late => Unanswered::Late,
            other if self.conceals_answers => Unanswered::Connection(other.without_answer()),
            other => Unanswered::Connection(other.to_string()),
        })
    }

    /// What PLAY and STOP tell.
    fn news(&self) -> News {
        let there = |it: &String| self.scrambler.scramble(it);
        let all = |them: &[String]| them.iter().map(there).collect::<Vec<_>>();
        match (&self.news, self.imperfect) {
            (None, Some(PerceptForm::Newer)) => {
                News::Percepts { turn: 0, own: None, percepts: Vec::new() }
            }
            (None, _) => News::List(None),
            (Some(Turn::Moves(moves)), _) => News::List(Some(all(moves))),
            (Some(Turn::Percepts { own, percepts }), Some(PerceptForm::Newer)) => News::Percepts {
                turn: self.turns,
                own: own.as_ref().map(there),
                percepts: all(percepts),
            },
            (Some(Turn::Percepts { percepts, .. }), _) => News::List(Some(all(percepts))),
        }
    }
}
