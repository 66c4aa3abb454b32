//! Records of matches, as the field writes them.

pub mod files;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use groundfrog_check::verify::{Trace, TracePosition};
use groundfrog_player::{PeerText, text};
use serde::{Deserialize, Serialize};

/// A match from its first state to the last, as game servers write it in JSON. States, moves and errors are by turn; moves and errors are
/// then by role, in the order of the roles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MatchRecord {
    /// The name of the match.
    pub match_id: String,
    /// Lets nobody guess where the match is shown; here it stands for the seed.
    pub random_token: String,
    /// When the match began: milliseconds since 1970.
    pub start_time: u64,
    /// Where the game comes from.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// Whether the last state is terminal.
    pub is_completed: bool,
    /// Whether the match was given up.
    pub is_aborted: bool,
    /// The states, each a list of fluents as KIF.
    pub states: Vec<String>,
    /// The moves that were made in each state but the last.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached: milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// What players did wrong; `""` is nothing. The first row is about START, those after it belong to the moves.
    pub errors: Vec<Vec<String>>,
    /// What players said besides their moves, by turn and role; `""` is nothing. Left out where nobody said anything.
    #[serde(skip_serializing_if = "says_nothing")]
    pub explanations: Vec<Vec<String>>,
    /// By role, at the end; `None` for a role that has no goal value there, or several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<Option<i64>>,
    /// Seconds; -1 if there is no preview.
    pub preview_clock: i64,
    /// Seconds.
    pub start_clock: u64,
    /// Seconds.
    pub play_clock: u64,
    /// By role.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub player_names_from_host: Vec<String>,
    /// By role.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub is_player_human: Vec<bool>,
    /// The tournament that the match belongs to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tournament_name_from_host: String,
    /// Whether players were sent other names than those of the description.
    pub scrambled: bool,
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is no JSON, or no record.
    #[error("no record of a match: {0}")]
    Json(#[from] serde_json::Error),
    /// Its parts do not fit together.
    #[error("the record of match `{id}` is at fault: {fault}")]
    Parts {
        /// The match.
        id: String,
        /// What is wrong.
        fault: String,
    },
}

impl MatchRecord {
    /// Reads a record.
    ///
    /// # Errors
    /// It is no JSON, or no record.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The record as one line of JSON.
    ///
    /// # Panics
    /// Never: a record has nothing that JSON has not.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and lists can be written")
    }

    /// The name of the game: the last part of its address, without the ending of a file. Game servers add a version, as in
    /// `.../nim/v0/`, which is no part of the name.
    pub fn game_name(&self) -> Option<&str> {
        let mut parts = self.game_meta_url.rsplit(['/', '\\']).filter(|it| !it.is_empty());
        let is_version = |part: &str| {
            let number = part.strip_prefix(['v', 'V']);
            number.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
        };
        let last = parts.next()?;
        let name = if is_version(last) { parts.next().unwrap_or(last) } else { last };
        let ending = [".kif", ".gdl"].iter().find_map(|it| name.strip_suffix(it));
        Some(ending.unwrap_or(name))
    }

    /// What can be compared with the rules: states, moves and goals, for roles in the order of the description.
    ///
    /// # Errors
    /// There are not as many states as there were moves, or not a move or a goal value for each role.
    pub fn trace(&self, roles: &[String]) -> Result<Trace, RecordError> {
        let fault = |fault: String| RecordError::Parts { id: self.match_id.clone(), fault };
        let (states, moves) = (self.states.len(), self.moves.len());
        if states != moves + 1 {
            return Err(fault(format!("{states} states and {moves} joint moves")));
        }
        if let Some(made) = self.moves.iter().find(|it| it.len() != roles.len()) {
            let (made, roles) = (made.len(), roles.len());
            return Err(fault(format!("{made} moves for {roles} roles")));
        }
        let (goals, count) = (self.goal_values.len(), roles.len());
        if goals != count && goals > 0 {
            return Err(fault(format!("{goals} goal values for {count} roles")));
        }
        let mut positions = Vec::with_capacity(states);
        for (step, state) in self.states.iter().enumerate() {
            let fluents =
                fluents(state).ok_or_else(|| fault(format!("state {step} is no list")))?;
            let last = step == moves;
            let by_role = |made: &Vec<String>| -> Option<BTreeMap<String, String>> {
                let compact = made.iter().map(|it| text::compact(it));
                roles.iter().cloned().zip(compact).map(|(role, it)| Some((role, it?))).collect()
            };
            let made = match self.moves.get(step) {
                Some(made) => Some(
                    by_role(made).ok_or_else(|| fault(format!("a move of step {step} is none")))?,
                ),
                None => None,
            };
            // Where a role has no value, or several, it is not recorded what they are.
            let goals = self.goal_values.iter().map(|it| it.map(|value| vec![value]));
            let goals: Vec<Vec<i64>> = goals.collect::<Option<_>>().unwrap_or_default();
            let goals = roles.iter().cloned().zip(goals);
            positions.push(TracePosition {
                playout: 0,
                step: step as u32,
                state: fluents,
                legal: BTreeMap::new(),
                terminal: last && self.is_completed,
                goal: if last { goals.collect() } else { BTreeMap::new() },
                moves: made,
            });
        }
        Ok(Trace::new(positions))
    }
}

fn says_nothing(explanations: &[Vec<String>]) -> bool {
    explanations.iter().flatten().all(String::is_empty)
}

/// The fluents of a state; each may be written within `(true ...)`.
fn fluents(state: &str) -> Option<Vec<String>> {
    let bare = |text: String| {
        let inner = text.strip_prefix("(true ").and_then(|it| it.strip_suffix(')'));
        inner.map_or(text.clone(), str::to_owned)
    };
    Some(text::elements(state)?.into_iter().map(bare).collect())
}

/// A list of fluents as records write it.
pub(crate) fn state_text(fluents: &[String]) -> String {
    format!("({})", fluents.join(" "))
}

/// Why a player's answer does not count. Displayed as records of matches write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There was no answer in time: `TO`.
    Late,
    /// There is nobody, the connection broke, or the answer is no message: `CE`.
    Connection(PeerText),
    /// The answer is no legal move: `IL` and the answer, which is empty where answers are concealed.
    Illegal(PeerText),
}

impl Fault {
    /// For people: what was wrong.
    pub fn reason(&self) -> String {
        match self {
            Fault::Late => "no answer in time".to_owned(),
            Fault::Connection(reason) => reason.to_string(),
            Fault::Illegal(answer) if answer.is_empty() => "the answer is not legal".to_owned(),
            Fault::Illegal(answer) => format!("`{answer}` is not legal"),
        }
    }
}

impl Display for Fault {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Late => out.write_str("TO"),
            Fault::Connection(_) => out.write_str("CE"),
            Fault::Illegal(answer) => write!(out, "IL {answer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_other_servers_are_read() {
        let text = r#"{"matchId": "m.1", "randomToken": "x", "startTime": 1, "gameMetaURL": "u", "isCompleted": true,
            "states": ["( ( true ( heap 2 ) ) )", "((heap 0))"], "moves": [["( take 2 )"]], "stateTimes": [1, 2],
            "goalValues": [100], "previewClock": -1, "startClock": 30, "playClock": 15, "matchHostPK": "0x"}"#;
        let record = MatchRecord::parse(text).expect("a record");
        let trace = record.trace(&["ann".to_owned()]).expect("it fits together");
        let positions = trace.positions();
        assert_eq!(positions[0].state, ["(heap 2)"]);
        assert_eq!(positions[0].moves.as_ref().expect("moves")["ann"], "(take 2)");
        assert!(positions[1].terminal && positions[1].goal["ann"] == [100]);
        assert_eq!(MatchRecord::parse(&record.to_json()).expect("a record"), record);
    }

    #[test]
    fn records_that_do_not_fit_together() {
        let record = MatchRecord {
            states: vec!["()".into()],
            moves: vec![vec![]],
            ..MatchRecord::default()
        };
        let error = record.trace(&[]).expect_err("a state is missing").to_string();
        assert!(error.ends_with("1 states and 1 joint moves"), "{error}");
        let states = vec!["()".into(), "()".into()];
        let record = MatchRecord { states, moves: vec![vec![]], ..MatchRecord::default() };
        let error = record.trace(&["ann".to_owned()]).expect_err("a move is missing").to_string();
        assert!(error.ends_with("0 moves for 1 roles"), "{error}");
        let moves = vec![vec!["a".into(), "b".into()]];
        let record =
            MatchRecord { moves, goal_values: vec![Some(100), Some(0), Some(50)], ..record };
        let roles = ["ann".to_owned(), "bob".to_owned()];
        let error = record.trace(&roles).expect_err("a value too many").to_string();
        assert!(error.ends_with("3 goal values for 2 roles"), "{error}");
    }

    #[test]
    fn games_are_named_by_their_address() {
        let name = |address: &str| {
            let record = MatchRecord { game_meta_url: address.into(), ..MatchRecord::default() };
            record.game_name().map(str::to_owned)
        };
        for address in [
            "lamp.kif",
            "games/lamp.gdl",
            "http://games.example.org/base/games/lamp/v0/",
            "http://games.example.org/base/games/lamp/v12",
            "http://games.example.org/base/games/lamp/",
            r"games\lamp.kif",
        ] {
            assert_eq!(name(address).as_deref(), Some("lamp"), "{address}");
        }
        assert_eq!(name("v0").as_deref(), Some("v0"), "nothing else is there");
        assert_eq!(name("games/vase/").as_deref(), Some("vase"));
        assert_eq!(name(""), None);
    }
}
