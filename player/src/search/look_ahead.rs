//! What is seen of a state that is met for the first time: whether it is over, its legal moves, and which of these end the match, so that no
//! playout misses them (decisive moves: Teytaud & Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search algorithms",
//! 2010).

use groundfrog::{Budget, RoleId};
use groundfrog_reasoner::{BitParallel, EndAhead, Machine, MoveId, Outlook, State};
use smallvec::SmallVec;

use super::BEST;
use super::tree::Tried;
use crate::clock::Watch;
use crate::strategy::StrategyError;

/// States with more moves are not looked at ahead.
const MOST_MOVES: usize = 128;
/// States of which one in so many has to have an end one move away, or no more are looked at ahead but now and then.
const RARE: u64 = 256;

/// By role: a value that is proven.
pub(super) type RoleValues = SmallVec<[f64; 2]>;

/// What is seen of a state, as the tree keeps it.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// What a terminal state is worth.
    pub(super) values: Option<RoleValues>,
    /// By role; empty where the state is terminal or somebody cannot move.
    pub(super) moves: Vec<Vec<Tried>>,
    /// Ends one move away: the position of the move of who chooses, the state, and what it is worth.
    pub(super) ends: Vec<(u16, State, RoleValues)>,
}

impl Seen {
    fn new(outlook: Outlook) -> Self {
        let is_stuck = outlook.legal.iter().any(Vec::is_empty);
        let moves = outlook.legal.iter().filter(|_| !is_stuck);
        let moves = moves.map(|legal| {
            legal.iter().take(usize::from(u16::MAX)).map(|&it| Tried::new(it)).collect()
        });
        let end = |it: EndAhead| (it.position as u16, it.state, worth(&it.goals));
        Seen {
            values: outlook.goals.as_deref().map(worth),
            moves: moves.collect(),
            ends: outlook.ends.into_iter().map(end).collect(),
        }
    }

    /// What the state is worth, if ends tell.
    pub(super) fn value(&self) -> Option<&RoleValues> {
        if self.values.is_some() {
            return self.values.as_ref();
        }
        let chooser = self.moves.iter().position(|moves| moves.len() > 1)?;
        let best =
            self.ends.iter().max_by(|one, other| one.2[chooser].total_cmp(&other.2[chooser]));
        let is_all = self.ends.len() == self.moves[chooser].len();
        best.map(|it| &it.2).filter(|it| is_all || it[chooser] >= BEST)
    }
}

/// What has no value, or several, is worth nothing to anybody.
fn worth(goals: &[Option<i64>]) -> RoleValues {
    goals.iter().map(|it| it.unwrap_or(0) as f64).collect()
}

/// Looks at states, and one move ahead as long as that finds ends often enough.
#[derive(Clone, Debug)]
pub(super) struct LookAhead {
    roles: usize,
    /// The role `random`, whose moves are not looked at.
    chance: Option<usize>,
    is_wanted: bool,
    /// How often it was asked, how many states were looked at ahead, and how many of these had an end.
    rounds: u64,
    looked: u64,
    found: u64,
}

impl LookAhead {
    pub(super) fn new(machine: &Machine) -> Self {
        let roles = machine.roles().len();
        let chance = machine.chance_role().map(|it| it.index()).filter(|_| roles > 1);
        // Rules with variables take too long.
        let is_wanted = machine.ground().is_some();
        LookAhead { roles, chance, is_wanted, rounds: 0, looked: 0, found: 0 }
    }

    /// Whether it is worth the time: it was, or was not tried often.
    fn is_worth_it(&mut self) -> bool {
        self.rounds += 1;
        self.is_wanted
            && (self.looked < 4 * RARE
                || self.found * RARE > self.looked
                || self.rounds.is_multiple_of(RARE / 8))
    }

    fn note(&mut self, seen: &[Outlook]) {
        self.looked += seen.iter().filter(|it| self.chooser(&it.legal).is_some()).count() as u64;
        self.found += seen.iter().filter(|it| !it.ends.is_empty()).count() as u64;
    }

    /// The only role that has a choice, if it is not chance and has few enough moves.
    fn chooser(&self, legal: &[Vec<MoveId>]) -> Option<usize> {
        let mut choosing = (0..legal.len()).filter(|&role| legal[role].len() != 1);
        let only = choosing.next().filter(|_| choosing.next().is_none());
        only.filter(|&it| Some(it) != self.chance && (2..=MOST_MOVES).contains(&legal[it].len()))
    }

    /// Looks at many states in lanes; ahead as long as there is time.
    pub(super) fn look_in_lanes(
        &mut self,
        lanes: &mut BitParallel,
        states: &[State],
        until: &Budget,
    ) -> Result<Vec<Seen>, StrategyError> {
        let looks_ahead = self.is_worth_it();
        let chooser = |legal: &[Vec<MoveId>]| self.chooser(legal).filter(|_| looks_ahead);
        let seen = lanes.look_ahead(states, chooser, || until.is_over())?;
        if looks_ahead {
            self.note(&seen);
        }
        Ok(seen.into_iter().map(Seen::new).collect())
    }

    /// Looks at a state by any rules; ahead as long as there is time.
    pub(super) fn look(
        &mut self,
        machine: &mut Machine,
        state: &State,
        until: &Budget,
    ) -> Result<Seen, StrategyError> {
        let mut outlook = Outlook::default();
        if machine.is_terminal(state)? {
            outlook.goals = Some(self.goals(machine, state)?);
            return Ok(Seen::new(outlook));
        }
        for role in (0..self.roles as u32).map(RoleId) {
            let mut legal = Vec::new();
            machine.legal_moves(state, role, &mut legal)?;
            outlook.legal.push(legal);
        }
        if let Some(chooser) = self.chooser(&outlook.legal)
            && self.is_worth_it()
        {
            self.make_each(machine, state, chooser, until, &mut outlook)?;
            self.note(std::slice::from_ref(&outlook));
        }
        Ok(Seen::new(outlook))
    }

    /// Makes the moves of a role until one is the best for it, or there is no more time.
    fn make_each(
        &self,
        machine: &mut Machine,
        state: &State,
        chooser: usize,
        until: &Budget,
        outlook: &mut Outlook,
    ) -> Result<(), StrategyError> {
        let mut watch = Watch::new(16);
        for position in 0..outlook.legal[chooser].len() {
            if watch.is_due() && until.is_over() {
                break;
            }
            let made = |role: usize| if role == chooser { position } else { 0 };
            let joint = outlook.legal.iter().enumerate();
            let joint: SmallVec<[MoveId; 4]> = joint.map(|it| it.1[made(it.0)]).collect();
            let mut next = state.clone();
            machine.advance_unchecked(&mut next, &joint)?;
            if !machine.is_terminal(&next)? {
                continue;
            }
            let goals = self.goals(machine, &next)?;
            let is_best = goals[chooser].is_some_and(|it| it as f64 >= BEST);
            outlook.ends.push(EndAhead { position, state: next, goals });
            if is_best {
                break;
            }
        }
        Ok(())
    }

    fn goals(
        &self,
        machine: &mut Machine,
        state: &State,
    ) -> Result<Vec<Option<i64>>, StrategyError> {
        let roles = (0..self.roles as u32).map(RoleId);
        Ok(roles.map(|role| machine.only_goal(state, role)).collect::<Result<_, _>>()?)
    }
}
