//! Random matches from one state, as many as are asked for.

use super::{BitParallel, LANES};
use crate::{PlayoutEnd, PlayoutObserver, PlayoutStatistics, Random, ReasonerError, State};
use groundfrog::game::RoleId;

impl BitParallel {
    /// Plays so many random matches from a state and says what they were like; each is given up after `max_length` joint moves. Matches are
    /// played in blocks of [`LANES`], each with a seed of its own, one more than that of the block before: the matches of
    /// several calls, with the seeds of their first blocks, are those of one. Where the observer stops it, what counts are the blocks that
    /// were done.
    ///
    /// ```
    /// # use groundfrog::Silent;
    /// # use groundfrog_reasoner::{BitParallel, GroundReasoner, LANES, Reasoner};
    /// # let rules = groundfrog_corpus::game("nim").expect("a game").text;
    /// let scalar = GroundReasoner::of_text(rules)?;
    /// let mut lanes = BitParallel::new(scalar.game().clone())?;
    /// let both = lanes.rollouts(scalar.initial(), LANES as u64 + 88, 7, 100, &mut Silent)?;
    /// let first = lanes.rollouts(scalar.initial(), LANES as u64, 7, 100, &mut Silent)?;
    /// let second = lanes.rollouts(scalar.initial(), 88, 8, 100, &mut Silent)?;
    /// assert_eq!((both.playouts, both.steps), (600, first.steps + second.steps));
    /// assert_eq!(both.goals[0].sum, first.goals[0].sum + second.goals[0].sum);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Vocabulary::check_state`](crate::Vocabulary::check_state).
    pub fn rollouts(
        &mut self,
        state: &State,
        matches: u64,
        seed: u64,
        max_length: u32,
        observer: &mut dyn PlayoutObserver,
    ) -> Result<PlayoutStatistics, ReasonerError> {
        let roles = self.game.roles().len();
        let mut all = PlayoutStatistics::new(roles);
        let mut left = matches;
        for block in 0.. {
            if left == 0 {
                break;
            }
            let lanes = left.min(LANES as u64) as usize;
            left -= lanes as u64;
            // A single state would be begun in all lanes.
            self.start_from(&vec![state.clone(); lanes.max(2)])?;
            let mut random = Random::new(seed.wrapping_add(block));
            while self.run_step(&mut random, max_length) {
                if observer.is_stopped() {
                    return Ok(all);
                }
            }
            for lane in 0..lanes {
                let playout = self.playouts()[lane];
                all.end(playout);
                all.states += u64::from(playout.length);
                if playout.end != PlayoutEnd::Terminal {
                    continue;
                }
                for role in 0..roles {
                    let value = self.final_goals(RoleId(role as u32))[lane];
                    all.goals[role].add(value, 1);
                }
            }
            observer.played(all.playouts, Some(matches));
        }
        Ok(all)
    }
}
