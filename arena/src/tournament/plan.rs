//! What a tournament is, as a file in TOML says.

use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

use groundfrog_player::StrategyKind;
use groundfrog_player::protocol::Address;

/// How the matches of a round are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// In each round everybody meets everybody.
    #[default]
    RoundRobin,
    /// In each round those meet who have done equally well so far.
    Swiss,
}

/// What a tournament is.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name, a word of KIF: matches are called after it.
    pub name: String,
    /// How the matches of a round are chosen.
    pub format: Format,
    /// How many rounds there are.
    pub rounds: u32,
    /// Seed of the schedule, of built-in players and of random moves.
    pub seed: u64,
    /// Time to prepare.
    pub start_clock: Duration,
    /// Time for a move.
    pub play_clock: Duration,
    /// How many matches are played at once.
    pub parallel: usize,
    /// Joint moves after which a match is given up.
    pub max_length: u32,
    /// Whether players over HTTP are sent other names than those of the descriptions.
    pub scramble: bool,
    /// The games, in the order of the file.
    pub games: Vec<PlannedGame>,
    /// The players, in the order of the file.
    pub players: Vec<PlannedPlayer>,
}

/// A game of a plan.
#[derive(Clone, Debug)]
pub struct PlannedGame {
    /// A path, or the name of a game.
    pub source: String,
    /// Its place in the text of the plan.
    pub place: Range<usize>,
}

/// A player of a plan.
#[derive(Clone, Debug)]
pub struct PlannedPlayer {
    /// The name.
    pub name: String,
    /// Who chooses the moves.
    pub source: PlayerSource,
}

/// Who chooses the moves of a player.
#[derive(Clone, Debug)]
pub enum PlayerSource {
    /// A built-in strategy.
    BuiltIn {
        /// Which one.
        kind: StrategyKind,
        /// How many threads it may use; 0 takes all processors.
        threads: usize,
        /// Bytes for rules and search.
        memory: u64,
    },
    /// A player over HTTP.
    Remote {
        /// Where it listens.
        address: Address,
        /// How many matches it plays at once.
        matches: usize,
    },
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PlanError {
    /// What is wrong, and what was expected.
    pub message: String,
    /// The bytes of the text that are at fault; none if something is missing.
    pub place: Option<Range<usize>>,
    /// What to do.
    pub help: Option<String>,
}

impl PlanError {
    /// About a place of the text.
    pub fn at(place: Range<usize>, message: impl Into<String>) -> Self {
        PlanError { message: message.into(), place: Some(place), help: None }
    }

    /// About the whole.
    pub fn missing(message: impl Into<String>) -> Self {
        PlanError { message: message.into(), place: None, help: None }
    }

    /// With advice.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        PlanError { help: Some(help.into()), ..self }
    }
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlanFile {
    name: Option<Spanned<String>>,
    #[serde(default)]
    format: Format,
    rounds: Option<Spanned<i64>>,
    seed: Option<Spanned<i64>>,
    start_clock: Option<Spanned<f64>>,
    play_clock: Option<Spanned<f64>>,
    parallel: Option<Spanned<i64>>,
    max_length: Option<Spanned<i64>>,
    #[serde(default)]
    scramble: bool,
    #[serde(default)]
    games: Vec<Spanned<String>>,
    #[serde(default)]
    players: Vec<PlayerFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PlayerFile {
    name: Spanned<String>,
    strategy: Option<Spanned<String>>,
    threads: Option<Spanned<i64>>,
    max_memory_mib: Option<Spanned<i64>>,
    url: Option<Spanned<String>>,
    matches: Option<Spanned<i64>>,
}

/// The longest name of a player or tournament, in characters.
const LONGEST_NAME: usize = 40;

impl Plan {
    /// Reads a plan. `name` is that of the tournament where the text gives none.
    ///
    /// # Errors
    /// The text is no TOML, or says what cannot be.
    pub fn parse(text: &str, name: &str) -> Result<Self, PlanError> {
        let file: PlanFile = toml::from_str(text).map_err(of_toml)?;
        let (name, place) = match file.name {
            Some(it) => (it.get_ref().clone(), Some(it.span())),
            None => (name.to_owned(), None),
        };
        let is_word = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_word) {
            let message = format!(
                "`{name}` cannot be the name of a tournament: expected at most {LONGEST_NAME} letters, digits, `-`, `_` and `.`"
            );
            return Err(PlanError { message, place, help: Some("give another `name`".to_owned()) });
        }
        if file.games.is_empty() {
            let missing = PlanError::missing("there are no games: expected `games = [\"...\"]`");
            return Err(
                missing.with_help("paths of descriptions, or names such as \"breakthrough\"")
            );
        }
        let games = file.games.into_iter();
        let games = games.map(|it| PlannedGame { place: it.span(), source: it.into_inner() });
        Ok(Plan {
            name,
            format: file.format,
            rounds: whole(file.rounds, "rounds", 1..=1000, 1)? as u32,
            seed: whole(file.seed, "seed", 0..=i64::MAX, 1)?,
            start_clock: clock(file.start_clock, "start-clock", 10.0)?,
            play_clock: clock(file.play_clock, "play-clock", 2.0)?,
            parallel: whole(file.parallel, "parallel", 1..=256, 1)? as usize,
            max_length: whole(file.max_length, "max-length", 1..=1_000_000, 10_000)? as u32,
            scramble: file.scramble,
            games: games.collect(),
            players: players(file.players)?,
        })
    }
}

fn players(files: Vec<PlayerFile>) -> Result<Vec<PlannedPlayer>, PlanError> {
    let mut players: Vec<PlannedPlayer> = Vec::new();
    for file in files {
        let (place, player) = (file.name.span(), player(file)?);
        if players.iter().any(|it| it.name == player.name) {
            let message = format!("there are two players called `{}`", player.name);
            return Err(PlanError::at(place, message).with_help("give each another `name`"));
        }
        let same = |other: &&PlannedPlayer| match (&other.source, &player.source) {
            (PlayerSource::Remote { address, .. }, PlayerSource::Remote { address: own, .. }) => {
                address == own
            }
            _ => false,
        };
        if let Some(other) = players.iter().find(same) {
            let message = format!("`{}` has the address of `{}`", player.name, other.name);
            return Err(PlanError::at(place, message));
        }
        players.push(player);
    }
    if players.is_empty() {
        let missing = PlanError::missing("there are no players: expected `[[players]]`");
        return Err(missing.with_help("each with a `name`, and a `strategy` or a `url`"));
    }
    Ok(players)
}

fn player(file: PlayerFile) -> Result<PlannedPlayer, PlanError> {
    let (name, place) = (file.name.get_ref().clone(), file.name.span());
    if name.trim().is_empty()
        || name.chars().count() > LONGEST_NAME
        || name.contains(char::is_control)
    {
        let message = format!("expected a name of 1 to {LONGEST_NAME} characters, on one line");
        return Err(PlanError::at(place, message));
    }
    let misplaced = |field: &Option<Spanned<i64>>, what: &str| match field {
        Some(it) => Err(PlanError::at(it.span(), format!("this is for {what}"))),
        None => Ok(()),
    };
    let source = match (file.strategy, file.url) {
        (Some(strategy), None) => {
            misplaced(
                &file.matches,
                "players with a `url`: built-in ones play any number of matches",
            )?;
            let kind = strategy.get_ref().parse();
            PlayerSource::BuiltIn {
                kind: kind.map_err(|error: groundfrog_player::UnknownStrategy| {
                    PlanError::at(strategy.span(), error.to_string())
                })?,
                threads: whole(file.threads, "threads", 0..=1024, 1)? as usize,
                memory: whole(file.max_memory_mib, "max-memory-mib", 1..=1 << 30, 1 << 10)? << 20,
            }
        }
        (None, Some(url)) => {
            misplaced(&file.threads, "built-in players, with a `strategy`")?;
            misplaced(&file.max_memory_mib, "built-in players, with a `strategy`")?;
            let address = url.get_ref().parse();
            PlayerSource::Remote {
                address: address.map_err(|error: groundfrog_player::protocol::ClientError| {
                    PlanError::at(url.span(), error.to_string())
                })?,
                matches: whole(file.matches, "matches", 1..=256, 1)? as usize,
            }
        }
        (Some(strategy), Some(_)) => {
            let message = format!("`{name}` has a `strategy` and a `url`: expected one of them");
            return Err(PlanError::at(strategy.span(), message));
        }
        (None, None) => {
            let message = format!("`{name}` has neither a `strategy` nor a `url`");
            return Err(PlanError::at(place, message)
                .with_help("add `strategy = \"uct\"`, or `url = \"http://127.0.0.1:9147\"`"));
        }
    };
    Ok(PlannedPlayer { name, source })
}

/// A whole number within bounds.
fn whole(
    value: Option<Spanned<i64>>,
    field: &str,
    bounds: RangeInclusive<i64>,
    default: u64,
) -> Result<u64, PlanError> {
    let Some(value) = value else { return Ok(default) };
    let number = u64::try_from(*value.get_ref()).ok().filter(|_| bounds.contains(value.get_ref()));
    let (low, high) = bounds.into_inner();
    number.ok_or_else(|| {
        PlanError::at(value.span(), format!("expected `{field}` from {low} to {high}"))
    })
}

/// Seconds.
fn clock(value: Option<Spanned<f64>>, field: &str, default: f64) -> Result<Duration, PlanError> {
    let Some(value) = value else { return Ok(Duration::from_secs_f64(default)) };
    let seconds = *value.get_ref();
    let longest = groundfrog_player::clock::LONGEST.as_secs_f64();
    if !(0.001..=longest).contains(&seconds) {
        let message = format!("expected `{field}` in seconds, from 0.001 to {longest}");
        return Err(PlanError::at(value.span(), message));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// What the reader of TOML says, in words for people.
fn of_toml(error: toml::de::Error) -> PlanError {
    let words =
        [("i64", "a whole number"), ("f64", "a number"), ("a sequence", "a list in brackets")];
    let mut message = error.message().to_owned();
    for (theirs, ours) in words {
        message = message.replace(&format!("expected {theirs}"), &format!("expected {ours}"));
    }
    PlanError { message, place: error.span(), help: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "games = [\"nim\"]\n[[players]]\nname = \"a\"\nstrategy = \"random\"\n";

    #[test]
    fn what_is_left_out_has_defaults() {
        let plan = Plan::parse(SMALL, "cup").expect("a plan");
        assert_eq!((plan.name.as_str(), plan.format, plan.rounds), ("cup", Format::RoundRobin, 1));
        assert_eq!((plan.start_clock.as_secs(), plan.play_clock.as_secs()), (10, 2));
        assert_eq!((plan.games[0].source.as_str(), plan.players[0].name.as_str()), ("nim", "a"));
    }

    /// The message, and what it is about.
    #[track_caller]
    fn fault(text: &str) -> (String, &str) {
        let error = Plan::parse(text, "cup").expect_err("a fault");
        (error.message, error.place.map_or("", |it| &text[it]))
    }

    #[test]
    fn faults_are_reported_with_their_places() {
        let with = |line: &str| format!("{line}\n{SMALL}");
        let player = |lines: &str| format!("{SMALL}[[players]]\n{lines}\n");
        for (text, message, place) in [
            (with("rounds = 0"), "expected `rounds` from 1 to 1000", "0"),
            (with("rounds = \"two\""), "expected a whole number", "\"two\""),
            (with("round = 2"), "unknown field `round`", "round"),
            (with("format = \"cup\""), "expected `round-robin` or `swiss`", "\"cup\""),
            (with("play-clock = 0"), "expected `play-clock` in seconds", "0"),
            (with("name = \"a b\""), "cannot be the name of a tournament", "\"a b\""),
            (with("seed = "), "", ""),
            (player("name = \"a\"\nstrategy = \"uct\""), "two players called `a`", "\"a\""),
            (
                player("name = \"b\"\nstrategy = \"best\""),
                "there is no strategy `best`",
                "\"best\"",
            ),
            (player("name = \"b\"\nurl = \"https://x\""), "is no address", "\"https://x\""),
            (player("name = \"b\""), "`b` has neither a `strategy` nor a `url`", "\"b\""),
            (player("name = \"b\"\nurl = \"127.0.0.1\"\nthreads = 2"), "built-in players", "2"),
            (player("strategy = \"uct\""), "missing field `name`", ""),
            ("[[players]]\nname = \"a\"\nstrategy = \"uct\"".to_owned(), "there are no games", ""),
            ("games = [\"nim\"]".to_owned(), "there are no players", ""),
        ] {
            let (found, at) = fault(&text);
            assert!(found.contains(message), "{text}: {found}");
            assert!(place.is_empty() || at == place, "{text}: {at}");
        }
        let twice = player("name = \"b\"\nurl = \"127.0.0.1\"")
            + "[[players]]\nname = \"c\"\nurl = \"http://127.0.0.1:9147/\"\n";
        assert_eq!(fault(&twice).0, "`c` has the address of `b`");
    }
}
