//! What a role knows of a match whose states are hidden: by its own moves and percepts, and by nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog_player::belief::BeliefMethod;
use groundfrog_player::position::Position;
use groundfrog_player::strategy::{StrategyError, StrategyOptions, Turn};
use groundfrog_reasoner::FluentId;

use super::advice::learned;
use super::shown_match::ShownMatch;
use super::{Shared, lock};

/// Time to follow what a role has perceived since it was looked at last, where rules are interpreted. By ground rules it is bounded by
/// counts.
const TIME: Duration = Duration::from_secs(3);

/// What a role knows of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The fluents of every state that the role holds for possible, as KIF, sorted.
    pub(super) holds: Vec<String>,
    /// Those of some of these states only.
    pub(super) perhaps: Vec<String>,
    /// How many states are looked at.
    pub(super) states: usize,
    /// Whether there are too many, so that these are samples.
    pub(super) is_sampled: bool,
}

/// What a role knows of the state, and of the one before it; or why that is not known.
pub(super) type Knowledge = Result<(Arc<Known>, Option<Arc<Known>>), String>;

/// A role that is followed through a match.
pub(super) struct Knowing {
    position: Position,
    /// By turn.
    known: Vec<Arc<Known>>,
    /// Why it is followed no further.
    trouble: Option<String>,
}

/// What a role knows after so many joint moves.
pub(super) fn knowledge(
    shared: &Shared,
    shown: &ShownMatch,
    seat: usize,
    turn: usize,
) -> Knowledge {
    let learned = learned(&shown.log(), seat, true);
    let mut all = lock(&shown.knowing);
    let knowing = match all.entry(seat) {
        std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
        std::collections::btree_map::Entry::Vacant(place) => {
            place.insert(Knowing::new(shared, shown, seat).map_err(|it| it.to_string())?)
        }
    };
    knowing.follow(&learned[..turn.min(learned.len())]);
    match knowing.known.get(turn) {
        Some(known) => {
            let before = turn.checked_sub(1).map(|it| Arc::clone(&knowing.known[it]));
            Ok((Arc::clone(known), before))
        }
        None => Err(knowing.trouble.clone().unwrap_or_default()),
    }
}

impl Knowing {
    fn new(shared: &Shared, shown: &ShownMatch, seat: usize) -> Result<Self, StrategyError> {
        let none = || StrategyError::Game("it is not open".to_owned());
        let game = shown.game().ok_or_else(none)?;
        let machine = game.machine(shared.bounds(&shown.stop), TIME)?;
        let (role, options) = (&game.roles[seat], StrategyOptions::default());
        let seed = shared.options.seed;
        let mut position =
            Position::new(machine, &game.description, role, &options.opponents, seed)?;
        let known = vec![Arc::new(known(&mut position))];
        Ok(Knowing { position, known, trouble: None })
    }

    fn follow(&mut self, learned: &[Turn]) {
        self.position.machine().set_deadline(Some(Instant::now() + TIME));
        let new = learned.get(self.known.len() - 1..).unwrap_or_default();
        for turn in new {
            if self.trouble.is_some() {
                return;
            }
            match self.position.observe(turn) {
                Ok(()) => self.known.push(Arc::new(known(&mut self.position))),
                Err(error) => self.trouble = Some(error.to_string()),
            }
        }
    }
}

fn known(position: &mut Position) -> Known {
    let mut counts: BTreeMap<FluentId, usize> = BTreeMap::new();
    let belief = position.belief();
    let (states, is_sampled) = (belief.worlds().len(), belief.method() == BeliefMethod::Sampled);
    for fluent in belief.worlds().iter().flat_map(|it| it.state.fluents()) {
        *counts.entry(fluent).or_default() += 1;
    }
    let (mut holds, mut perhaps) = (Vec::new(), Vec::new());
    let machine = position.machine();
    for (fluent, count) in counts {
        let text = machine.fluent_text(fluent);
        if count == states { &mut holds } else { &mut perhaps }.push(text);
    }
    holds.sort_unstable();
    perhaps.sort_unstable();
    Known { holds, perhaps, states, is_sampled }
}
