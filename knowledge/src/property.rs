//! What a game can be like.

use std::fmt::{self, Display, Formatter};

use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use serde::Serialize;

use crate::condition::Condition;
use crate::measure::Measure;
use crate::situation::Situation;

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
    /// At the ends where each role has just one goal value these have this sum.
    ConstantSum {
        /// The sum.
        sum: i128,
    },
    /// A fluent of the pattern that holds goes on holding.
    Permanent {
        /// The pattern.
        pattern: String,
    },
    /// The value that the pattern has for `*` changes in one direction only: it never comes back.
    Monotone {
        /// The pattern.
        pattern: String,
        /// Whether each joint move changes it.
        every_move: bool,
    },
    /// Of the ground rules for each atom of the pattern one at most applies.
    ExclusiveRules {
        /// The pattern of the heads.
        pattern: String,
    },
    /// Every match ends.
    Terminating {
        /// After so many joint moves at most, if that was shown.
        #[serde(skip_serializing_if = "Option::is_none")]
        moves: Option<u64>,
    },
    /// What a user states.
    Stated {
        /// As it was written.
        text: String,
    },
}

impl Display for Property {
    /// The property as an English sentence, without a full stop.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Property::AtMostOne { pattern } => {
                write!(out, "at most one of {pattern} holds{}", for_each(pattern))
            }
            Property::ExactlyOne { pattern } => {
                write!(out, "just one of {pattern} holds{}", for_each(pattern))
            }
            Property::TurnTaking => out.write_str("one role at a time has a choice"),
            Property::Playable => out.write_str("each role always has a legal move"),
            Property::OneGoal => out.write_str("each role has one goal value at the end"),
            Property::ConstantSum { sum } => write!(out, "the goals at the end add up to {sum}"),
            Property::Permanent { pattern } => {
                write!(out, "{pattern} goes on holding once it does")
            }
            Property::Monotone { pattern, every_move: true } => {
                write!(
                    out,
                    "each joint move changes * of {pattern}, which never comes back to a value"
                )
            }
            Property::Monotone { pattern, every_move: false } => {
                write!(out, "* of {pattern} never comes back to a value")
            }
            Property::ExclusiveRules { pattern } => {
                let each = if for_each(pattern).is_empty() { "" } else { "each " };
                write!(out, "one of the ground rules for {each}{pattern} applies at most")
            }
            Property::Stated { text } => out.write_str(text),
            Property::Terminating { moves: Some(moves) } => {
                write!(out, "every match ends, after {moves} joint moves at most")
            }
            Property::Terminating { moves: None } => out.write_str("every match ends"),
        }
    }
}

/// Where a pattern stands for several groups.
fn for_each(pattern: &str) -> &'static str {
    let is_open = pattern.split([' ', '(', ')']).any(|it| it == "_");
    if is_open { " for each _" } else { "" }
}

/// Something that is to hold always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) parts: Vec<Condition>,
    /// All parts are asked of every joint move that a match can make, and of no state where none is made. Otherwise they are asked
    /// of every state that a match can reach.
    pub(crate) is_of_step: bool,
}

impl Claim {
    /// Conditions that hold in every state.
    pub(crate) fn of_states(parts: Vec<Condition>) -> Self {
        Claim { parts, is_of_step: false }
    }

    /// Conditions that hold of every joint move.
    pub(crate) fn of_steps(parts: Vec<Condition>) -> Self {
        Claim { parts, is_of_step: true }
    }

    /// Of each group of fluents one at most holds.
    pub(crate) fn at_most_one(groups: &[Vec<AtomId>]) -> Self {
        let of_group =
            |group: &Vec<AtomId>| Condition::AtMost(1, Condition::atoms(group.iter().copied()));
        let several = groups.iter().filter(|group| group.len() > 1);
        Claim::of_states(several.map(of_group).collect())
    }

    /// Two fluents do not hold together.
    pub(crate) fn exclusive(one: AtomId, other: AtomId) -> Self {
        Claim::of_states(vec![Condition::All(Condition::atoms([one, other])).negated()])
    }

    /// Of each group of fluents one holds.
    pub(crate) fn at_least_one(groups: &[Vec<AtomId>]) -> Self {
        let of_group =
            |group: &Vec<AtomId>| Condition::Any(Condition::atoms(group.iter().copied()));
        Claim::of_states(groups.iter().map(of_group).collect())
    }

    pub(crate) fn turn_taking(game: &GroundGame) -> Self {
        let has_choice = |role| Condition::AtMost(1, legal(game, role)).negated();
        let choices = roles(game).map(has_choice).collect();
        Claim::of_states(vec![Condition::Any(vec![terminal(game), Condition::AtMost(1, choices)])])
    }

    pub(crate) fn playable(game: &GroundGame) -> Self {
        let can_move = |role| {
            let mut ways = vec![terminal(game)];
            ways.extend(legal(game, role));
            Condition::Any(ways)
        };
        Claim::of_states(roles(game).map(can_move).collect())
    }

    pub(crate) fn one_goal(game: &GroundGame) -> Self {
        let mut parts = Vec::new();
        for role in players(game) {
            let values = goal_values(game, role);
            parts.push(terminal(game).implies(Condition::Any(values.clone())));
            parts.push(terminal(game).implies(Condition::AtMost(1, values)));
        }
        Claim::of_states(parts)
    }

    /// The goals of all players have this sum where each has just one.
    pub(crate) fn constant_sum(game: &GroundGame, sum: i128) -> Self {
        let goals =
            |role| game.goals_of(role).filter_map(|goal| Some((goal.atom, goal.value?))).collect();
        let choices = players(game).map(goals).collect();
        let has_several = |role| Condition::AtMost(1, goal_values(game, role)).negated();
        let mut ways = vec![terminal(game).negated()];
        ways.extend(players(game).map(has_several));
        ways.push(Condition::Sum { sum, choices });
        Claim::of_states(vec![Condition::Any(ways)])
    }

    /// Every joint move makes the measure greater.
    pub(crate) fn grows(measure: &Measure) -> Self {
        Claim::of_steps(vec![Condition::Grows(measure.clone())])
    }

    /// A fluent goes on holding once it does.
    pub(crate) fn one_way(game: &GroundGame, fluent: AtomId) -> Self {
        let next = game.next(fluent).map_or_else(Condition::never, Condition::Atom);
        Claim::of_steps(vec![Condition::Atom(fluent).implies(next)])
    }

    /// Whether it holds; what is about joint moves holds where none is made.
    pub(crate) fn holds(&self, situation: &Situation<'_>) -> bool {
        let is_asked = situation.is_step || !self.is_of_step;
        !is_asked || self.parts.iter().all(|part| part.holds(situation))
    }

    /// Whether it is only about what a reasoner says of a state or a joint move.
    pub(crate) fn is_observable(&self, game: &GroundGame) -> bool {
        let mut is_observable = true;
        for part in &self.parts {
            part.for_each_atom(&mut |atom| {
                is_observable &= !matches!(game.kind(atom), AtomKind::View | AtomKind::Sees);
            });
        }
        is_observable
    }

    /// Whether it is only about the fluents of a state.
    pub(crate) fn is_of_fluents(&self, game: &GroundGame) -> bool {
        let mut is_of_fluents = !self.is_of_step;
        for part in &self.parts {
            part.for_each_atom(&mut |atom| is_of_fluents &= game.kind(atom) == AtomKind::True);
        }
        is_of_fluents
    }
}

/// The goal values of a role, one for each number: `100` and `0100` are the same.
fn goal_values(game: &GroundGame, role: RoleId) -> Vec<Condition> {
    let mut values: Vec<i64> = game.goals_of(role).filter_map(|goal| goal.value).collect();
    values.sort_unstable();
    values.dedup();
    values.into_iter().map(|value| goal_value(game, role, value)).collect()
}

/// That a role has a goal value, however it is written.
pub(crate) fn goal_value(game: &GroundGame, role: RoleId, value: i64) -> Condition {
    let goals = game.goals_of(role).filter(|goal| goal.value == Some(value));
    let mut ways = Condition::atoms(goals.map(|goal| goal.atom));
    if ways.len() == 1 { ways.swap_remove(0) } else { Condition::Any(ways) }
}

fn terminal(game: &GroundGame) -> Condition {
    game.terminal().map_or_else(Condition::never, Condition::Atom)
}

fn legal(game: &GroundGame, role: RoleId) -> Vec<Condition> {
    Condition::atoms(game.moves_of(role).filter_map(|made| made.legal))
}

fn roles(game: &GroundGame) -> impl Iterator<Item = RoleId> + use<> {
    (0..game.roles().len() as u32).map(RoleId)
}

/// All roles but chance, whose goal does not matter.
pub(crate) fn players(game: &GroundGame) -> impl Iterator<Item = RoleId> + '_ {
    roles(game).filter(|&role| !is_random(game, role))
}

/// Whether a role is chance.
pub(crate) fn is_random(game: &GroundGame, role: RoleId) -> bool {
    use groundfrog::Term;
    let name = |term: &Term| match term {
        Term::Constant(symbol) => game.symbols().name(*symbol).eq_ignore_ascii_case("random"),
        _ => false,
    };
    game.roles().get(role.index()).is_some_and(name)
}
