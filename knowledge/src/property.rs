//! What a game can be like.

use groundfrog::game::{AtomId, GroundGame, RoleId};
use rustsat::types::Lit;
use serde::Serialize;

use crate::unrolling::Unrolling;

/// A property of all states that a match can reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "property", rename_all = "kebab-case")]
pub enum Property {
    /// Of the fluents of each key one at most holds: `(cell 1 1 *)`. The pattern has `*` for what differs within a key, and
    /// `_` for what tells keys apart.
    AtMostOne {
        /// The pattern.
        pattern: String,
    },
    /// Of the fluents of each key just one holds.
    ExactlyOne {
        /// The pattern.
        pattern: String,
    },
    /// Where the match is not over, one role at most has two or more legal moves.
    TurnTaking,
    /// Where the match is not over, each role has a legal move.
    Playable,
    /// At the end each role has just one goal value.
    OneGoal,
    /// At the end the goals of all roles have this sum.
    ConstantSum {
        /// The sum.
        sum: i64,
    },
    /// A fluent of the pattern that holds goes on holding.
    Permanent {
        /// The pattern.
        pattern: String,
    },
    /// Every match ends.
    Terminating {
        /// After so many joint moves at most, if that was shown.
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<u64>,
    },
}

/// A claim about single states that can be checked by a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    AtMostOne(Vec<AtomId>),
    AtLeastOne(Vec<AtomId>),
    TurnTaking,
    Playable,
    OneGoal,
    ConstantSum(i64),
}

impl Claim {
    /// A literal that holds just where the claim is violated in a state.
    pub(crate) fn violated(&self, unrolling: &mut Unrolling<'_>, state: usize) -> Lit {
        let game = unrolling.game;
        let roles = || (0..game.roles().len() as u32).map(RoleId);
        match self {
            Claim::AtMostOne(atoms) => {
                let literals = unrolling.literals(state, atoms);
                unrolling.formula.two(&literals)
            }
            Claim::AtLeastOne(atoms) => {
                let literals = unrolling.literals(state, atoms);
                !unrolling.formula.any(&literals)
            }
            Claim::TurnTaking => {
                let mut choices = Vec::new();
                for role in roles() {
                    let legal = unrolling.legal(state, role);
                    choices.push(unrolling.formula.two(&legal));
                }
                let two = unrolling.formula.two(&choices);
                let terminal = unrolling.terminal(state);
                unrolling.formula.all(&[two, !terminal])
            }
            Claim::Playable => {
                let mut stuck = Vec::new();
                for role in roles() {
                    let legal = unrolling.legal(state, role);
                    stuck.push(!unrolling.formula.any(&legal));
                }
                let stuck = unrolling.formula.any(&stuck);
                let terminal = unrolling.terminal(state);
                unrolling.formula.all(&[stuck, !terminal])
            }
            Claim::OneGoal => {
                let mut wrong = Vec::new();
                for role in roles().filter(|&role| !is_random(game, role)) {
                    let goals: Vec<AtomId> = game.goals_of(role).map(|goal| goal.atom).collect();
                    let goals = unrolling.literals(state, &goals);
                    let two = unrolling.formula.two(&goals);
                    let none = !unrolling.formula.any(&goals);
                    wrong.extend([two, none]);
                }
                let wrong = unrolling.formula.any(&wrong);
                let terminal = unrolling.terminal(state);
                unrolling.formula.all(&[wrong, terminal])
            }
            Claim::ConstantSum(sum) => {
                let mut wrong = Vec::new();
                let mut partial: Vec<(i64, Lit)> = vec![(0, unrolling.formula.yes())];
                for role in roles().filter(|&role| !is_random(game, role)) {
                    partial = add_role(unrolling, state, role, &partial);
                }
                wrong.extend(
                    partial
                        .iter()
                        .filter(|&&(total, _)| total != *sum)
                        .map(|&(_, reached)| reached),
                );
                let wrong = unrolling.formula.any(&wrong);
                let terminal = unrolling.terminal(state);
                unrolling.formula.all(&[wrong, terminal])
            }
        }
    }
}

/// The sums that are reached with the goals of one more role, each with a literal that holds where it is reached.
fn add_role(
    unrolling: &mut Unrolling<'_>,
    state: usize,
    role: RoleId,
    partial: &[(i64, Lit)],
) -> Vec<(i64, Lit)> {
    let goals: Vec<(i64, AtomId)> =
        unrolling.game.goals_of(role).filter_map(|goal| Some((goal.value?, goal.atom))).collect();
    let mut sums: std::collections::BTreeMap<i64, Vec<Lit>> = std::collections::BTreeMap::new();
    for &(before, reached) in partial {
        for &(value, atom) in &goals {
            let goal = unrolling.literal(state, atom);
            let both = unrolling.formula.all(&[reached, goal]);
            sums.entry(before.saturating_add(value)).or_default().push(both);
        }
    }
    sums.into_iter().map(|(sum, ways)| (sum, unrolling.formula.any(&ways))).collect()
}

/// Whether a role is chance, whose goal does not matter.
pub(crate) fn is_random(game: &GroundGame, role: RoleId) -> bool {
    use groundfrog::Term;
    let name = |term: &Term| match term {
        Term::Constant(symbol) => game.symbols().name(*symbol).eq_ignore_ascii_case("random"),
        _ => false,
    };
    game.roles().get(role.index()).is_some_and(name)
}
