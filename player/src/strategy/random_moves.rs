//! Moves at random.

use std::sync::Arc;
use std::time::Instant;

use groundfrog::Description;

use super::simple::legal;
use super::{Decision, Followed, Strategy, StrategyError, StrategyOptions, Turn};

/// Any legal move, each as likely as the others. Which one depends on the seed and the state alone.
pub struct RandomMoves(Followed);

impl RandomMoves {
    /// For a role of a game.
    pub fn new(description: Arc<Description>, role: &str, options: StrategyOptions) -> Self {
        RandomMoves(Followed::new(description, role, options))
    }
}

impl Strategy for RandomMoves {
    fn prepare(&mut self, deadline: Instant) -> Result<(), StrategyError> {
        self.0.prepare(deadline)
    }

    fn choose(&mut self, deadline: Instant) -> Result<Decision, StrategyError> {
        let Some(mut position) = self.0.position(deadline)? else { return self.0.guess() };
        let legal = legal(&mut position)?;
        let drawn = position.machine().draw(&legal, &mut self.0.random);
        let action = position.machine().move_text(drawn.expect("there is at least one"));
        Ok(Decision { action, method: "random".to_owned(), ..Decision::default() })
    }

    fn observe(&mut self, turn: &Turn) -> Result<(), StrategyError> {
        self.0.observe(turn)
    }
}

#[cfg(test)]
mod tests {
    use groundfrog::ParseOptions;

    use super::*;

    #[test]
    fn moves_follow_from_the_seed_whether_or_not_the_game_is_ground() {
        let text = groundfrog_corpus::game("breakthrough").expect("is there").text;
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = Arc::new(description.expect("parses"));
        let choose = |seed: u64, deadline: Instant| {
            let options = StrategyOptions { seed, ..StrategyOptions::default() };
            let role = "white";
            let mut player = RandomMoves::new(Arc::clone(&description), role, options);
            player.prepare(deadline).expect("can be played");
            let is_ground = player.0.parts().expect("set up").0.machine().ground().is_some();
            let mut choose = || player.choose(deadline).expect("a move").action;
            (is_ground, [choose(), choose(), choose()])
        };
        let now = Instant::now();
        let ready = now + std::time::Duration::from_secs(120);
        let mut all = Vec::new();
        for seed in 1..=3 {
            let (early, late) = (choose(seed, ready), choose(seed, now));
            assert!(early.0 && !late.0);
            assert_eq!(early.1, late.1);
            all.extend(early.1);
        }
        all.sort();
        all.dedup();
        assert!(all.len() > 3, "{all:?}");
    }
}
