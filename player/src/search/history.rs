//! How well moves did in the tree beside the other moves of the same states (progressive history: Nijssen & Winands, "Enhancements for
//! multi-player Monte-Carlo tree search", 2010).

use groundfrog_reasoner::MoveId;

/// Tries after which half of what is seen of a move is believed.
const DOUBT: f64 = 16.0;
/// Tries of a role that are as much as believing that moves say nothing in other states.
const CAUTION: f64 = 0.1;

/// How much ways by a move gained over what its state was worth before, for goals from 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
struct Gains {
    count: f64,
    sum: f64,
}

/// How well gains elsewhere told those that came: sums for a regression through the origin.
#[derive(Clone, Copy, Debug, Default)]
struct Trust {
    told: f64,
    squares: f64,
}

/// What ways through the tree were worth by the moves that were made on them where there was a choice.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveHistory {
    /// By move.
    moves: Vec<Gains>,
    /// By role.
    trust: Vec<Trust>,
}

impl MoveHistory {
    /// Notes what a way gained by a move of a role.
    pub(super) fn note(&mut self, role: usize, made: MoveId, gain: f64) {
        self.trust.resize(self.trust.len().max(role + 1), Trust::default());
        self.moves.resize(self.moves.len().max(made.index() + 1), Gains::default());
        let gains = &mut self.moves[made.index()];
        let told = gains.sum / (gains.count + DOUBT);
        let trust = &mut self.trust[role];
        trust.told += told * gain;
        trust.squares += told * told;
        gains.count += 1.0;
        gains.sum += gain;
    }

    /// What a move of a role is likely to gain over what a state is worth, by what it gained in others.
    pub(super) fn advantage(&self, role: usize, made: MoveId) -> f64 {
        let (Some(trust), Some(gains)) = (self.trust.get(role), self.moves.get(made.index()))
        else {
            return 0.0;
        };
        let share = (trust.told / (trust.squares + CAUTION)).clamp(0.0, 1.0);
        share * gains.sum / (gains.count + DOUBT)
    }

    /// Lets what was seen so far count less: the match has gone on.
    pub(super) fn fade(&mut self) {
        for gains in &mut self.moves {
            gains.count *= 0.5;
            gains.sum *= 0.5;
        }
        for trust in &mut self.trust {
            trust.told *= 0.5;
            trust.squares *= 0.5;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_preferred_for_what_it_gains_everywhere_and_not_for_what_it_gained_once() {
        let mut history = MoveHistory::default();
        let (good, bad) = (MoveId(3), MoveId(7));
        for _ in 0..200 {
            history.note(0, good, 0.2);
            history.note(0, bad, -0.1);
        }
        assert!(history.advantage(0, good) > 0.15, "{history:?}");
        assert!(history.advantage(0, bad) < -0.05, "{history:?}");
        assert_eq!(history.advantage(1, good), 0.0, "nothing is known of the other role");
        let mut history = MoveHistory::default();
        for number in 0..200 {
            history.note(0, good, if number % 2 == 0 { 0.3 } else { -0.3 });
        }
        assert!(history.advantage(0, good).abs() < 0.01, "{history:?}");
    }
}
