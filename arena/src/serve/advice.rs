//! What helps a person: taking a move back, a hint, and what a role knows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use groundfrog_player::belief::BeliefMethod;
use groundfrog_player::position::Position;
use groundfrog_player::strategy::{Decision, StrategyError, StrategyOptions, Turn};
use groundfrog_player::{StrategyKind, build_strategy};
use groundfrog_reasoner::FluentId;

use super::answer::Refusal;
use super::shown_match::{MatchLog, ShownMatch};
use super::{Shared, lock, matches};

/// Time to prepare the search for a hint, and to search.
const PREPARE: Duration = Duration::from_millis(500);
const SEARCH: Duration = Duration::from_secs(1);

/// Goes back to the last turn in which a person had a choice: to a match of its own, which begins with the moves before that turn.
pub(super) fn undo(
    shared: &Arc<Shared>,
    shown: &Arc<ShownMatch>,
) -> Result<Arc<ShownMatch>, Refusal> {
    let (Some(played), Some(game)) = (&shown.played, shown.game()) else {
        return Err(Refusal::conflict("nothing can be taken back in the record of a match"));
    };
    if shown.seats.iter().any(|it| it.kind == "remote") {
        return Err(Refusal::conflict("players over HTTP take nothing back"));
    }
    if game.imperfect {
        return Err(Refusal::conflict("nothing is taken back in a game with percepts"));
    }
    let history = {
        let log = shown.log();
        if log.goes_on_as.is_some() {
            return Err(Refusal::conflict("the match goes on as another already"));
        }
        let chose = |turn: &usize| {
            let legal = log.positions[*turn].legal.iter().zip(&played.persons);
            legal.into_iter().any(|(legal, person)| person.is_some() && legal.len() > 1)
        };
        let turn = (0..log.turns.len()).rev().find(chose);
        let turn = turn.ok_or_else(|| Refusal::conflict("there is no choice to take back"))?;
        log.turns[..turn].iter().map(|it| it.moves.clone()).collect()
    };
    let next = matches::begin(shared, game, &played.request, history)?;
    shown.change(|it| it.goes_on_as = Some(next.id.clone()));
    shown.abort();
    Ok(next)
}

/// The move that a search would make for a person, by what the person knows.
pub(super) fn hint(
    shared: &Shared,
    shown: &ShownMatch,
    role: &str,
    turn: usize,
) -> Result<Decision, Refusal> {
    let (Some(played), Some(game)) = (&shown.played, shown.game()) else {
        return Err(Refusal::conflict("the match is not played here"));
    };
    let seat = shown.seats.iter().position(|it| it.role == role && it.kind == "person");
    let seat = seat.ok_or_else(|| Refusal::fault(format!("`{role}` is no person's role")))?;
    let learned = {
        let log = shown.log();
        if log.status.is_over() || log.turns.len() != turn {
            return Err(Refusal::conflict("the match is in another turn"));
        }
        learned(&log, seat, game.imperfect)
    };
    shared.check_memory()?;
    let options = StrategyOptions {
        seed: shared.options.seed,
        threads: shared.options.threads,
        memory: Some(shared.options.memory / 2),
        stop: Some(shared.bounds(&shown.stop)),
        rules: played.rules.clone(),
        ..StrategyOptions::default()
    };
    let search = || {
        let mut strategy = build_strategy(StrategyKind::Auto, &game.description, role, &options)?;
        strategy.prepare(Instant::now() + PREPARE)?;
        learned.iter().try_for_each(|it| strategy.observe(it))?;
        strategy.choose(Instant::now() + SEARCH)
    };
    let found = search().map_err(|error: StrategyError| Refusal::fault(error.to_string()))?;
    match found.is_guess() {
        true => Err(Refusal::busy("the rules are not ground yet: ask for a hint later")),
        false => Ok(found),
    }
}

/// What a role has learned in each turn.
pub(super) fn learned(log: &MatchLog, role: usize, imperfect: bool) -> Vec<Turn> {
    let turn = |report: &crate::referee::TurnReport| match imperfect {
        true => Turn::Percepts {
            own: Some(report.moves[role].clone()),
            percepts: report.percepts[role].clone(),
        },
        false => Turn::Moves(report.moves.clone()),
    };
    log.turns.iter().map(turn).collect()
}

// What a role knows of a match whose states are hidden: by its own moves and percepts, and by nothing else.

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
