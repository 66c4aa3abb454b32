//! Random matches, which find violations in games too large to explore.

use super::exploration::{Exploration, Verdict, Witness, joint};
use super::watch::ExploreOptions;
use super::{players, words};
use groundfrog::game::RoleId;
use groundfrog_reasoner::{GroundReasoner, MoveId, PlayoutEnd, Random, Vocabulary};

/// What matches to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleOptions {
    /// How many.
    pub playouts: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// A match that is longer is given up.
    pub max_length: u32,
}

impl Default for SampleOptions {
    /// A thousand matches of at most ten thousand moves.
    fn default() -> Self {
        SampleOptions { playouts: 1000, seed: 0, max_length: 10_000 }
    }
}

/// Plays random matches as [`sample`] does. If none of them ends, all states are visited, as far as `limits` go: where those are
/// all, what they show is told instead.
pub fn glance(
    reasoner: &mut GroundReasoner,
    options: &SampleOptions,
    limits: &ExploreOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Exploration {
    let (sampled, ended) = play(reasoner, options, go_on);
    if ended > 0 || sampled.playability != Verdict::Undecided {
        return sampled;
    }
    let visited = super::explore(reasoner, limits, &mut |_| {});
    if visited.limit.is_none() { visited } else { sampled }
}

/// Plays random matches, until `go_on`, called with how many were played, returns false. What
/// they do not refute, or show in the case of winning, is undecided.
pub fn sample(
    reasoner: &mut GroundReasoner,
    options: &SampleOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Exploration {
    play(reasoner, options, go_on).0
}

/// What random matches show, and how many of them came to an end.
fn play(
    reasoner: &mut GroundReasoner,
    options: &SampleOptions,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> (Exploration, u64) {
    let players = players(reasoner);
    let mut random = Random::new(options.seed);
    let mut exploration = Exploration::default();
    let mut wins: Vec<Verdict> = vec![Verdict::Undecided; players.len()];
    let mut made: Vec<Vec<MoveId>> = Vec::new();
    let (mut played, mut ended) = (0, 0);
    while played < options.playouts && go_on(played) {
        played += 1;
        made.clear();
        let playout = reasoner.playout_observed(&mut random, options.max_length, |_, moves| {
            made.push(moves.to_vec());
        });
        exploration.depth = exploration.depth.max(playout.length);
        let witness = |reasoner: &GroundReasoner, remark| {
            let moves = made.iter().map(|it| joint(reasoner, it)).collect();
            let state = reasoner.state_text(&reasoner.final_state()).expect("its own state");
            Some(Box::new(Witness { moves, state, cycle: Vec::new(), remark }))
        };
        match playout.end {
            PlayoutEnd::Capped | PlayoutEnd::Stopped => {}
            PlayoutEnd::Stuck(role) => {
                if exploration.playability == Verdict::Undecided {
                    let remark = format!("`{}` has no legal move", reasoner.role_text(role));
                    exploration.playability = Verdict::Fails(witness(reasoner, remark));
                }
            }
            PlayoutEnd::Terminal => {
                ended += 1;
                for (&role, win) in players.iter().zip(&mut wins) {
                    let values = reasoner.final_goals(role).to_vec();
                    if values.len() != 1 && exploration.utility == Verdict::Undecided {
                        let role = reasoner.role_text(role);
                        let remark = format!("the goal values of `{role}`: {}", words(&values));
                        exploration.utility = Verdict::Fails(witness(reasoner, remark));
                    }
                    if values.contains(&100) && *win == Verdict::Undecided {
                        *win = Verdict::Holds(witness(reasoner, String::new()));
                    }
                }
            }
        }
    }
    exploration.playouts = Some(played);
    exploration.limit = Some(format!("{played} random matches"));
    let name = |role: &RoleId| reasoner.role_text(*role);
    exploration.winnable = players.iter().map(name).zip(wins).collect();
    (exploration, ended)
}
