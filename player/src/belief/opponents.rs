//! What is assumed of how the other roles play.

use fxhash::FxHashMap;
use groundfrog_reasoner::{Case, MoveId};

use crate::machine::Machine;
use crate::text;

/// The policies of the other roles: each legal move is as likely as its weight says, which is 1 unless another is given.
/// Without weights all legal moves of a role are alike likely, as those of `random` always are.
///
/// ```
/// use groundfrog_player::belief::Opponents;
/// let bold: Opponents = "bruno:bet=3, bruno:fold=0.5".parse()?;
/// assert!(bold != Opponents::default());
/// assert!("bruno=3".parse::<Opponents>().is_err());
/// # Ok::<(), groundfrog_player::belief::UnknownOpponent>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opponents {
    /// Role, move and weight.
    weights: Vec<(String, String, f64)>,
    /// The same by the numbers of a machine.
    known: FxHashMap<MoveId, f64>,
}

/// A text that is no list of `ROLE:MOVE=WEIGHT`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not of the form ROLE:MOVE=WEIGHT with a weight of 0 or more, such as `bruno:bet=3`"
)]
pub struct UnknownOpponent(String);

impl std::str::FromStr for Opponents {
    type Err = UnknownOpponent;

    fn from_str(list: &str) -> Result<Self, UnknownOpponent> {
        let entry = |entry: &str| {
            let (role, rest) = entry.split_once(':')?;
            let (action, weight) = rest.rsplit_once('=')?;
            let weight = weight.trim().parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
            let (role, action) = (text::compact(role)?, text::compact(action)?);
            (!role.is_empty() && !action.is_empty()).then_some((role, action, weight?))
        };
        let entries = list.split(',').map(str::trim).filter(|it| !it.is_empty());
        let entries = entries.map(|it| entry(it).ok_or_else(|| UnknownOpponent(it.to_owned())));
        Ok(Opponents { weights: entries.collect::<Result<_, _>>()?, known: FxHashMap::default() })
    }
}

impl Opponents {
    /// For the moves of a machine. What its game does not have is passed over.
    pub(crate) fn of_machine(&self, machine: &mut Machine) -> Self {
        let mut known = FxHashMap::default();
        for (role, action, weight) in &self.weights {
            if let Some(found) = find(machine, role, action) {
                known.insert(found, *weight);
            }
        }
        Opponents { weights: self.weights.clone(), known }
    }

    /// A role and move that the game of a machine does not have, if there is one.
    pub fn unknown(&self, machine: &mut Machine) -> Option<(&str, &str)> {
        let mut weights = self.weights.iter().map(|it| (it.0.as_str(), it.1.as_str()));
        weights.find(|(role, action)| find(machine, role, action).is_none())
    }

    /// How likely each of some legal moves is; alike if all their weights are 0.
    pub(crate) fn policy(&self, is_chance: bool, legal: &[MoveId]) -> Vec<(MoveId, f64)> {
        let even = 1.0 / legal.len() as f64;
        if self.known.is_empty() || is_chance {
            return legal.iter().map(|&it| (it, even)).collect();
        }
        let weight = |it: &MoveId| self.known.get(it).copied().unwrap_or(1.0);
        let sum: f64 = legal.iter().map(weight).sum();
        let share = |it: &MoveId| if sum > 0.0 { weight(it) / sum } else { even };
        legal.iter().map(|it| (*it, share(it))).collect()
    }
}

fn find(machine: &mut Machine, role: &str, action: &str) -> Option<MoveId> {
    let role = machine.find_role(role, Case::Exact)?;
    machine.find_move(role, action)
}
