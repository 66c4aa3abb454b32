//! Who plays, and under which names.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::Description;
use groundfrog::symbols::Symbol;
use groundfrog_player::protocol::{Address, ClientError, Message, News};
use groundfrog_player::seat_thread::{Order, Unanswered, Worker};
use groundfrog_player::strategy::{Decision, Strategy, StrategyError, StrategyOptions, Turn};
use groundfrog_player::{PeerText, StrategyKind, build_strategy, text};
use groundfrog_reasoner::Random;
use web_time::Instant;

use super::PerceptForm;

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

// Other names for everything, so that nobody plays a game by what its names mean.

/// Replaces the names of a description, and back. Keywords, numbers and variables' question marks stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scrambler {
    there: FxHashMap<String, String>,
    back: FxHashMap<String, String>,
}

impl Scrambler {
    /// Changes nothing.
    pub(crate) fn identity() -> Self {
        Self::default()
    }

    /// New names for a description.
    pub(crate) fn new(description: &Description, seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5c4a_3b1e);
        let mut scrambler = Self::default();
        let mut words = Vec::new();
        let _ = text::compact_with(&description.source, |word| {
            words.push(word.to_owned());
            String::new()
        });
        let mut taken: FxHashSet<String> = words.iter().cloned().collect();
        for word in words {
            if scrambler.there.contains_key(&word) || stays(&word, description) {
                continue;
            }
            let mark = if word.starts_with('?') { "?" } else { "" };
            let name = loop {
                let name = format!("{mark}{}", syllables(&mut random));
                let keyword =
                    description.symbols.get(&name).is_some_and(|it| is_keyword(description, it));
                if !keyword && taken.insert(name.clone()) {
                    break name;
                }
            };
            scrambler.back.insert(name.clone(), word.clone());
            scrambler.there.insert(word, name);
        }
        scrambler
    }

    /// A text for players, as [`text::compact`] writes it.
    pub(crate) fn scramble(&self, text: &str) -> String {
        replaced(&self.there, text)
    }

    /// What a player answered, in the names of the description, whatever case the player uses.
    pub(crate) fn unscramble(&self, text: &str) -> String {
        replaced(&self.back, text)
    }
}

fn replaced(names: &FxHashMap<String, String>, text: &str) -> String {
    let new = |word: &str| {
        let found = names.get(word).or_else(|| names.get(&word.to_lowercase()));
        found.cloned().unwrap_or_else(|| word.to_owned())
    };
    text::compact_with(text, new).unwrap_or_else(|| text.to_owned())
}

/// Whether a word keeps its meaning whoever reads it.
fn stays(word: &str, description: &Description) -> bool {
    let lower = word.to_lowercase();
    let connective = ["<=", "and", "or", "not", "distinct", "random"].contains(&lower.as_str());
    let keyword = description.symbols.get(&lower).is_some_and(|it| is_keyword(description, it));
    connective || keyword || word.parse::<i64>().is_ok()
}

fn is_keyword(description: &Description, symbol: Symbol) -> bool {
    description.keywords.contains(symbol)
}

/// A word that means nothing.
fn syllables(random: &mut Random) -> String {
    let mut draw = |from: &[u8]| char::from(from[random.below(from.len() as u32) as usize]);
    (0..4).flat_map(|_| [draw(b"bdfgklmnprstvz"), draw(b"aeiou")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use groundfrog::ParseOptions;

    #[test]
    fn names_are_replaced_and_found_again() {
        let rules =
            "(ROLE white) (role random) (<= (legal ?r (mark 1)) (role ?r) (not (true (Mark ?r))))";
        let description =
            Description::parse(rules.as_bytes(), &ParseOptions::default()).expect("rules");
        let scrambler = Scrambler::new(&description, 7);
        let text = scrambler.scramble(&description.source);
        for gone in ["white", "mark", "Mark", "?r"] {
            assert!(!text.split(['(', ')', ' ']).any(|it| it == gone), "{text}");
        }
        assert!(
            text.starts_with("(ROLE ") && text.contains("(role random)") && text.contains(" 1)"),
            "{text}"
        );
        assert_eq!(scrambler.unscramble(&text), text::compact(rules).expect("rules"));
        let upper = scrambler.scramble("(mark 1)").to_uppercase();
        assert_eq!(scrambler.unscramble(&upper), "(mark 1)");
        let other = Scrambler::new(&description, 8).scramble(&description.source);
        assert_ne!(text, other);
    }
}
