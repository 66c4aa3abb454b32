//! States of random playouts, and what these came to.

use groundfrog::Budget;
use groundfrog::game::RoleId;
use groundfrog_reasoner::{BitParallel, LANES, PlayoutEnd, Random, Reasoner, State};

use super::LONGEST;
use crate::solve::position::Rules;

/// Playouts that are learned from.
const PLAYOUTS: usize = 20_000;
/// States of each playout: neighbours tell the same.
const STATES: usize = 4;
/// Bytes of all states that are learned from, if the memory is not limited; else a 64th of that at most.
const MOST_BYTES: u64 = 32 << 20;
/// Of so many playouts one is not learned from: it tells how good the weights are.
const TRIALS: usize = 5;
/// States of random playouts and the goals that these came to, from 0 to 1.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub(super) learned: Vec<(State, f32)>,
    /// Nothing is learned from these.
    pub(super) tried: Vec<(State, f32)>,
    /// By playout that came to an end: the own goal and the sum of the others'.
    pub(super) goals: Vec<(f64, f64)>,
    played: usize,
}

impl Samples {
    /// Plays as long as it may, in lanes if there are some.
    pub(super) fn draw(
        rules: &mut Rules,
        lanes: Option<BitParallel>,
        role: RoleId,
        seed: u64,
        memory: Option<u64>,
        until: &Budget,
    ) -> Self {
        let mut samples = Samples::default();
        let mut random = Random::new(seed);
        let start = Reasoner::initial(&rules.reasoner).clone();
        let state_bytes = start.words().len() * 8 + size_of::<(State, f32)>();
        let bytes = memory.map_or(MOST_BYTES, |it| (it / 64).min(MOST_BYTES)) as usize;
        let most = (bytes / state_bytes / STATES).min(PLAYOUTS);
        if let Some(mut lanes) = lanes {
            while samples.played < most && !until.is_over() {
                if samples.play_lanes(&mut lanes, &start, role, &mut random, until).is_none() {
                    break;
                }
            }
            return samples;
        }
        while samples.played < most && !until.is_over() {
            let (mut way, mut drawn) = (Way::default(), Random::new(random.next_word()));
            let observe = |words: &[u64], _: &[_]| way.pass(&mut drawn, || State::of_words(words));
            let playout = rules.reasoner.playout_observed(&mut random, LONGEST as u32, observe);
            samples.played += 1;
            if playout.end == PlayoutEnd::Terminal {
                let mut goals = Vec::new();
                rules.reasoner.final_values(playout, 0, &mut goals);
                samples.add(way, &goals, role);
            }
        }
        samples
    }

    /// Plays in all lanes to the end; `None` if there is no time for that.
    fn play_lanes(
        &mut self,
        lanes: &mut BitParallel,
        start: &State,
        role: RoleId,
        random: &mut Random,
        until: &Budget,
    ) -> Option<()> {
        lanes.start_from(std::slice::from_ref(start)).ok()?;
        let mut ways = vec![Way::default(); LANES];
        let mut drawn = Random::new(random.next_word());
        loop {
            for (lane, way) in ways.iter_mut().enumerate() {
                if lanes.playouts()[lane].end == PlayoutEnd::Stopped {
                    way.pass(&mut drawn, || lanes.lane_state(lane).unwrap_or_default());
                }
            }
            if until.is_over() {
                return None;
            }
            if !lanes.run_step(random, LONGEST as u32) {
                break;
            }
        }
        for (lane, mut way) in ways.into_iter().enumerate() {
            self.played += 1;
            if lanes.playouts()[lane].end == PlayoutEnd::Terminal {
                way.forget_end();
                let roles = 0..lanes.game().roles().len() as u32;
                let goal = |it| lanes.final_goals(RoleId(it))[lane].unwrap_or(0);
                self.add(way, &roles.map(goal).collect::<Vec<i64>>(), role);
            }
        }
        Some(())
    }

    /// Adds states of a match and what it came to.
    fn add(&mut self, way: Way, goals: &[i64], role: RoleId) {
        let own = goals[role.index()];
        self.goals.push((own as f64, (goals.iter().sum::<i64>() - own) as f64));
        let is_tried = self.goals.len().is_multiple_of(TRIALS);
        let kept = if is_tried { &mut self.tried } else { &mut self.learned };
        kept.extend(way.states.into_iter().map(|state| (state, own as f32 / 100.0)));
    }
}

/// Some states of a match, each as likely as any other to be one of them.
#[derive(Clone, Debug, Default)]
struct Way {
    states: Vec<State>,
    length: u32,
    /// Where the last state of the match is, if it is one of them.
    last: Option<usize>,
}

impl Way {
    /// Passes through a state.
    fn pass(&mut self, drawn: &mut Random, state: impl FnOnce() -> State) {
        self.length += 1;
        let place = if self.states.len() < STATES {
            self.states.push(State::default());
            self.states.len() - 1
        } else {
            drawn.below(self.length) as usize
        };
        self.last = (place < STATES).then_some(place);
        if let Some(kept) = self.states.get_mut(place) {
            *kept = state();
        }
    }

    /// Leaves out the last state, as what an end is worth is known.
    fn forget_end(&mut self) {
        if let Some(last) = self.last.take() {
            self.states.swap_remove(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use groundfrog_reasoner::FluentId;

    use super::*;

    #[test]
    fn the_states_of_a_way_do_not_have_its_end() {
        let mut drawn = Random::new(1);
        for length in 1..20_u32 {
            let mut way = Way::default();
            (0..length).for_each(|it| way.pass(&mut drawn, || State::of([FluentId(it)])));
            way.forget_end();
            assert!(!way.states.contains(&State::of([FluentId(length - 1)])), "{length}");
            assert!(way.states.len() + 1 >= STATES.min(length as usize), "{length}");
        }
    }
}
