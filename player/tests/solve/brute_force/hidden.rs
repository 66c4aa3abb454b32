//! Games in which roles do not see everything: strategies are held against best responses.

use std::collections::BTreeMap;

use groundfrog_player::solve::{MixedMove, Solution, SolveError, Undecided};
use groundfrog_reasoner::{MoveId, PerceptId, Vocabulary};

use super::ROUNDING;
use super::space::{Node, Space};

/// Own moves, each with what was then perceived, as text.
type Known = Vec<(String, Vec<String>)>;

/// A history: its state, how likely chance and the other one let it happen, and what the other one knows.
#[derive(Clone)]
struct History {
    node: usize,
    likely: f64,
    other: Known,
}

pub fn check(space: &mut Space, result: Result<Solution, SolveError>) {
    let solution = match result {
        Ok(solution) => solution,
        Err(error) => {
            return assert!(space.is_faulty(), "nothing is at fault with this game: {error}");
        }
    };
    let players = space.players().len();
    assert_eq!(solution.values.len(), players);
    let why = solution.undecided;
    match why {
        None | Some(Undecided::Approximate) => {
            assert!(!space.is_faulty() && !space.goes_round(), "{why:?}");
        }
        Some(Undecided::Endless) => assert!(space.goes_round(), "every match ends"),
        Some(Undecided::TooDeep) => panic!("no match is so long"),
        Some(Undecided::Memory) => panic!("there is room"),
        // A tree of histories may be large.
        Some(Undecided::Budget | Undecided::ImperfectInformation) => {}
        Some(other) => panic!("{other:?} is no reason where roles do not see everything"),
    }
    if solution.strategies.is_empty() && !matches!(why, None | Some(Undecided::Approximate)) {
        return assert!(solution.values.iter().all(|it| it.exact().is_none()), "{solution:?}");
    }
    let sum = space.sum();
    for player in 0..players {
        let best = Response { space, solution: &solution, player }.value();
        // What one gets at most, the other one gets at least the rest of.
        let value = &solution.values[player];
        assert!(
            best < value.upper + ROUNDING && best > value.lower - ROUNDING,
            "{best} and {value:?}"
        );
        if players == 2 {
            let other = &solution.values[1 - player];
            assert!(other.lower < sum - best + ROUNDING, "{other:?} and {sum} - {best}");
        }
    }
}

struct Response<'run> {
    space: &'run Space,
    solution: &'run Solution,
    player: usize,
}

impl Response<'_> {
    /// What the player gets by the best response to the strategy of the other one.
    fn value(&self) -> f64 {
        let other = Known::new();
        self.of(&[History { node: 0, likely: 1.0, other }])
    }

    /// The same from histories that it cannot tell apart.
    fn of(&self, histories: &[History]) -> f64 {
        let space = self.space;
        let role = space.players()[self.player];
        let mut value = 0.0;
        // By own move, then by what is perceived.
        let mut after: BTreeMap<MoveId, BTreeMap<Vec<PerceptId>, Vec<History>>> = BTreeMap::new();
        for history in histories {
            match &space.nodes[history.node] {
                Node::End(goals) => value += history.likely * goals[self.player] as f64,
                Node::Inner(steps) => {
                    let own = steps.iter().map(|it| it.moves[role.index()]);
                    let first = own.clone().min().expect("a move");
                    let count = steps.iter().filter(|it| it.moves[role.index()] == first).count();
                    for step in steps {
                        let (likely, other) = self.likely(step, steps, &history.other, count);
                        let own = after.entry(step.moves[role.index()]).or_default();
                        let likely = likely * history.likely;
                        let next = History { node: step.next, likely, other };
                        own.entry(step.seen[role.index()].clone()).or_default().push(next);
                    }
                }
                Node::Faulty { .. } => panic!("nothing was at fault"),
            }
        }
        let worth = after.values().map(|it| it.values().map(|all| self.of(all)).sum::<f64>());
        value + worth.reduce(f64::max).unwrap_or(0.0)
    }

    /// How likely chance and the other one make their moves, and what the other one knows then.
    fn likely(
        &self,
        step: &super::space::Step,
        steps: &[super::space::Step],
        known: &Known,
        count: usize,
    ) -> (f64, Known) {
        let space = self.space;
        let Some(&other) = space.players().get(1 - self.player) else {
            return (1.0 / count as f64, Known::new());
        };
        let mut legal: Vec<MoveId> = steps.iter().map(|it| it.moves[other.index()]).collect();
        legal.sort();
        legal.dedup();
        let made = space.rules.move_text(step.moves[other.index()]);
        let name = space.rules.role_text(other);
        let sorted = |it: &Known| -> Known {
            let seen = |(own, seen): &(String, Vec<String>)| {
                let mut seen = seen.clone();
                seen.sort();
                (own.clone(), seen)
            };
            it.iter().map(seen).collect()
        };
        let is_there = |it: &&MixedMove| it.role == name && sorted(&it.history) == sorted(known);
        let set = self.solution.strategies.iter().find(is_there);
        let share = match set {
            Some(set) => set.moves.iter().find(|it| it.0 == made).expect("a move").1,
            None => {
                assert_eq!(legal.len(), 1, "nothing is said of {known:?}");
                1.0
            }
        };
        let chances = count / legal.len();
        let seen = step.seen[other.index()].iter().map(|&it| space.percept_text(it)).collect();
        let known = [&known[..], &[(made, seen)]].concat();
        (share / chances as f64, known)
    }
}
