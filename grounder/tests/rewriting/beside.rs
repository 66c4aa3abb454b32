//! Playing a game beside others that mean the same.

use std::sync::Arc;

use groundfrog::description::Description;
use groundfrog::game::GroundGame;
use groundfrog::options::Limits;
use groundfrog_check::verify::{VerifyOptions, compare};
use groundfrog_engine::observe::Silent;
use groundfrog_reasoner::{GroundReasoner, InterpretedReasoner};

/// Plays a game beside one whose rules are as they were, and beside the rules with variables; returns how many states
/// were compared.
pub fn plays_the_same(
    description: &Description,
    game: &Arc<GroundGame>,
    as_it_was: &Arc<GroundGame>,
    playouts: u64,
) -> u64 {
    let text = &description.source;
    let reasoner = |game: &Arc<GroundGame>| {
        GroundReasoner::new(game.clone()).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    let (mut tested, mut oracle) = (reasoner(game), reasoner(as_it_was));
    let mut interpreted = InterpretedReasoner::new(description, Limits::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let options = VerifyOptions { playouts, ..VerifyOptions::default() };
    let first = compare(&mut tested, &mut oracle, Some(game), &options, &mut Silent);
    let second = compare(&mut tested, &mut interpreted, Some(game), &options, &mut Silent);
    let reports = [first, second].map(|it| it.unwrap_or_else(|error| panic!("{error}\n{text}")));
    for report in &reports {
        assert_eq!(report.difference, None, "{report}\n{text}");
    }
    reports.iter().map(|it| it.states).sum()
}

/// Numbers that look random, the same in each run.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % below
    }

    pub fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}
