//! Well-formedness of a game, by exploring its states or by random matches.
//!
//! [`explore`] visits every state that can be reached, breadth first, on the reasoner over ground rules, and
//! decides (Love et al. 2008; Schiffel & Thielscher 2014):
//!
//! * *termination*: no match goes on for ever, that is, the graph of states has no cycle;
//! * *playability*: in each state that is not terminal each role has a legal move;
//! * *utility*: in each terminal state each role has exactly one goal value;
//! * *weak winnability*: each role has a way to a terminal state where its goal is 100, if all others help.
//!
//! The search goes layer by layer: the states that are the same number of joint moves away from the initial
//! one. A layer is expanded in *jobs* of up to 512 states, some jobs in each *round*; then what they found is
//! put into the set of states, shard by shard, in the order of the jobs. Jobs and shards are shared out among
//! threads, and neither their sizes nor their order depend on the threads.
//!
//! Where a limit ends the search, what was not decided by then is [`Verdict::Undecided`]. [`sample`] looks
//! for violations in games too large for that.

mod cycle;
mod expand;
mod exploration;
mod findings;
mod path;
mod sample;
mod search;
mod states;
mod watch;
mod worker;

use expand::Expander;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{GroundReasoner, Vocabulary};
use path::Paths;
use search::{Found, StateSearch};
use states::States;
use watch::Watch;

pub use exploration::{Exploration, ExplorationProgress, Verdict, Witness};
pub use findings::findings;
pub(super) use findings::{NO_END, moves, place, place_of};
pub use sample::{SampleOptions, glance, sample};
pub use watch::ExploreOptions;

/// The roles whose goals matter: all but `random`, which in GDL-II plays without a goal.
fn players(reasoner: &GroundReasoner) -> Vec<RoleId> {
    reasoner.role_ids().filter(|&it| reasoner.role_text(it) != "random").collect()
}

/// Visits all states.
pub fn explore(
    reasoner: &mut GroundReasoner,
    options: &ExploreOptions,
    progress: &mut dyn FnMut(ExplorationProgress),
) -> Exploration {
    let watch = Watch::new(options);
    let players = players(reasoner);
    let StateSearch { states, found, limit } = search::search(reasoner, &players, &watch, progress);
    let mut expander = Expander::new(reasoner);
    let cycle = if found.turns_back {
        cycle::find(&mut expander, &states, limit.is_none(), &watch)
    } else if limit.is_none() {
        cycle::CycleSearch::None
    } else {
        cycle::CycleSearch::Undecided
    };
    report(reasoner, &states, found, cycle, &players, limit)
}

fn report(
    reasoner: &mut GroundReasoner,
    states: &States,
    found: Found,
    cycle: cycle::CycleSearch,
    players: &[RoleId],
    limit: Option<String>,
) -> Exploration {
    // Where a role has no move nothing says how the match would go on.
    let complete = limit.is_none() && found.notes.stuck.is_none();
    let mut paths = Paths::new(reasoner, states);
    let universal = |witness: Option<Box<Witness>>| match witness {
        Some(witness) => Verdict::Fails(Some(witness)),
        None if complete => Verdict::Holds(None),
        None => Verdict::Undecided,
    };
    let termination = match cycle {
        cycle::CycleSearch::None if complete => Verdict::Holds(None),
        cycle::CycleSearch::None => Verdict::Undecided,
        cycle::CycleSearch::Undecided => Verdict::Undecided,
        cycle::CycleSearch::Cycle(cycle) => Verdict::Fails(Some(paths.cycle(&cycle))),
    };
    let playability = universal(found.notes.stuck.map(|(state, role)| {
        let remark = format!("`{}` has no legal move", paths.role(role));
        paths.to(state, remark)
    }));
    let utility = universal(found.notes.unclear.map(|(state, role, values)| {
        let remark = format!("the goal values of `{}`: {}", paths.role(role), words(&values));
        paths.to(state, remark)
    }));
    let winnable = players.iter().map(|&role| {
        let verdict = match found.notes.wins[role.index()] {
            Some(state) => Verdict::Holds(Some(paths.to(state, String::new()))),
            None if complete => Verdict::Fails(None),
            None => Verdict::Undecided,
        };
        (paths.role(role), verdict)
    });
    Exploration {
        winnable: winnable.collect(),
        states: states.len(),
        visited: found.visited,
        terminal_states: found.notes.terminal_states,
        expanded: found.notes.expanded,
        joint_moves: found.notes.joint_moves,
        max_branching: found.notes.max_branching,
        depth: found.depth,
        limit,
        termination,
        playability,
        utility,
        bytes_per_state: states.bytes() as f64 / states.len() as f64,
        ..Exploration::default()
    }
}

fn words(values: &[i64]) -> String {
    if values.is_empty() {
        return "none".to_owned();
    }
    values.iter().map(i64::to_string).collect::<Vec<String>>().join(" and ")
}
