//! What a player did wrong, for the record.

use std::fmt::{self, Display, Formatter};

use groundfrog_player::PeerText;

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
