//! What a state is worth by how far it fulfils the goals (Schiffel & Thielscher, "Fluxplayer", 2007).
//!
//! A goal that does not hold is wanted before the match ends, and one that holds is wanted at the end: they are worth the degrees of "the goal, and
//! no end" and of "the goal, or an end". What a role has is the mean over its goals, weighed by their values.

use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_knowledge::Structures;
use groundfrog_knowledge::evaluation::{FuzzyGoals, Grades};
use groundfrog_reasoner::State;

/// The goals of all roles, as far as they are worth more than the worst.
#[derive(Clone, Debug)]
pub(super) struct Fuzzy {
    /// Of the goals, and of the end if it can be unfolded.
    degrees: FuzzyGoals,
    /// By role, the own one first: the share of each goal among its goals.
    shares: Vec<Vec<f64>>,
}

impl Fuzzy {
    /// For a role of a game; none if its goals cannot be unfolded.
    pub(super) fn new(game: &GroundGame, role: RoleId, structures: &Structures) -> Option<Self> {
        let others = (0..game.roles().len() as u32).map(RoleId).filter(|it| *it != role);
        let (mut atoms, mut shares) = (Vec::new(), Vec::new());
        for role in std::iter::once(role).chain(others) {
            let goals = game.goals_of(role).filter_map(|it| Some((it.value? as f64, it.atom)));
            let goals: Vec<(f64, AtomId)> = goals.collect();
            let least = goals.iter().map(|it| it.0).fold(f64::INFINITY, f64::min);
            let sum: f64 = goals.iter().map(|it| it.0 - least).sum();
            let worth = goals.into_iter().filter(|it| it.0 > least);
            let (own, of_goals) = worth.map(|it| ((it.0 - least) / sum, it.1)).unzip();
            shares.push(own);
            atoms.extend::<Vec<AtomId>>(of_goals);
        }
        let grades = Grades::new(structures, game);
        let with_end: Vec<AtomId> = atoms.iter().copied().chain(game.terminal()).collect();
        let degrees = FuzzyGoals::new(game, &with_end, grades.clone());
        let degrees = degrees.or_else(|| FuzzyGoals::new(game, &atoms, grades))?;
        Some(Fuzzy { degrees, shares })
    }

    /// What a state is worth to the role, from 0 to 1: what it has, less what the best of the others has.
    pub(super) fn of(&self, state: &State) -> f32 {
        let degrees = self.degrees.degrees(state);
        let (goals, end) = degrees.split_at(self.shares.iter().map(Vec::len).sum());
        let (yager, end) = (&self.degrees.yager, end.first().copied());
        let wanted = |goal: f64| match end {
            None => goal,
            Some(end) if goal > 0.5 => yager.any([goal, end].into_iter()),
            Some(end) => yager.all([goal, 1.0 - end].into_iter()),
        };
        let mut rest = goals.iter().copied();
        let mut has = self.shares.iter().map(|shares| -> f64 {
            shares.iter().zip(&mut rest).map(|(share, goal)| share * wanted(goal)).sum()
        });
        let own = has.next().unwrap_or(0.0);
        (0.5 + (own - has.fold(0.0, f64::max)) / 2.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use groundfrog_reasoner::{FluentId, GroundReasoner, Vocabulary};

    use super::*;

    #[test]
    fn more_of_a_row_is_worth_more_and_less_to_the_other() {
        let text = groundfrog_corpus::game("tictactoe").expect("a game").text;
        let rules = GroundReasoner::of_text(text).expect("a game");
        let game = rules.game();
        let marked = |fluents: &[&str]| {
            let all = (0..game.fluents().len() as u32).map(FluentId);
            State::of(all.filter(|it| fluents.contains(&rules.fluent_text(*it).as_str())))
        };
        let states = [
            marked(&["(square 1 1 cross)"]),
            marked(&["(square 1 1 cross)", "(square 1 2 cross)"]),
            marked(&["(square 1 1 cross)", "(square 1 2 cross)", "(square 1 3 cross)"]),
        ];
        for (role, is_own) in [(RoleId(0), true), (RoleId(1), false)] {
            let fuzzy = Fuzzy::new(game, role, &Structures::default()).expect("it can be unfolded");
            let worth: Vec<f32> = states.iter().map(|it| fuzzy.of(it)).collect();
            let ascends = worth.is_sorted_by(|one, other| one < other);
            let descends = worth.is_sorted_by(|one, other| one > other);
            assert_eq!((ascends, descends), (is_own, !is_own), "{worth:?}");
        }
    }
}
