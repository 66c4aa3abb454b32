//! Whether alpha-beta suits a game: where what stands on boards, or fluents, tell how matches end, and one role chooses at a time.

use std::sync::Arc;
use std::time::Duration;

use groundfrog::{Description, RoleId};
use groundfrog_knowledge::evaluation::kinds;
use groundfrog_knowledge::{
    Analysis, AnalysisOptions, Property, analyse, structures, structures_of_fluents,
};
use groundfrog_reasoner::BitParallel;

use super::alpha_beta::AlphaBeta;
use super::evaluation::{Evaluation, Fuzzy, Weights};
use crate::clock::Until;
use crate::solve::position::Rules;
use crate::strategy::{StrategyError, StrategyOptions};

/// Alpha-beta is taken where its evaluation explains so much of how random matches end: below, UCT won more of all matches
/// (`docs/playing.md`).
const EXPLAINED: f64 = 0.17;
/// As much is enough where so many kinds of things stand on boards: who takes the better ones is ahead, which random playouts hardly show.
const EXPLAINED_BY_MANY: f64 = 0.005;
const MANY_KINDS: usize = 10;
/// Where the others' goals rise so clearly with the own one they are no opponents, as alpha-beta takes them to be.
const MOST_ACCORD: f64 = 0.3;
/// Of several others each has to be one, so the sum of all goals has to be nearly constant.
const MOST_ACCORD_OF_MANY: f64 = -0.9;
/// Bytes of the transposition table at most.
const TABLE: u64 = 64 << 20;

/// Turns and sums of goals are looked for no longer than this.
const ANALYSIS: Duration = Duration::from_secs(1);

/// What a game is to be searched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    /// What suits it.
    ByLikeness,
    /// Alpha-beta wherever it is possible.
    AlphaBeta,
    /// The same, by how far states fulfil the goals.
    Fuzzy,
}

/// What is needed to find out whether alpha-beta suits a game.
pub(super) struct Suitability {
    pub(super) rules: Rules,
    pub(super) description: Arc<Description>,
    pub(super) lanes: Option<BitParallel>,
    pub(super) role: RoleId,
    pub(super) options: StrategyOptions,
    pub(super) preference: Preference,
    pub(super) until: Until,
    pub(super) threads: usize,
}

impl Suitability {
    /// Finds out what states are worth, and takes alpha-beta if that suits the game.
    pub(super) fn alpha_beta(mut self) -> Result<Option<AlphaBeta>, StrategyError> {
        let known = self.analysis()?;
        if known.is_refuted(|it| *it == Property::TurnTaking) {
            return Ok(None);
        }
        let evaluation = match self.preference {
            Preference::Fuzzy => self.fuzzy(&known)?,
            _ => self.learned(&known),
        };
        let bytes = self.options.memory.map_or(TABLE, |it| (it / 8).min(TABLE));
        let Suitability { rules, role, threads, .. } = self;
        Ok(evaluation.map(|it| AlphaBeta::new(rules, role, it, bytes, threads)))
    }

    /// How far states fulfil the goals; none if these cannot be unfolded.
    fn fuzzy(&mut self, known: &Analysis) -> Result<Option<Evaluation>, StrategyError> {
        let (reasoner, role) = (&mut self.rules.reasoner, self.role);
        let found = structures(&self.description, reasoner, known, ANALYSIS)?;
        let fuzzy = Fuzzy::new(reasoner.game(), role, &found);
        Ok(fuzzy.map(|it| Evaluation::fuzzy(reasoner.game(), role, it)))
    }

    /// What states are worth by random playouts; none if that does not suit the game.
    fn learned(&mut self, known: &Analysis) -> Option<Evaluation> {
        let Suitability { rules, role, options, until, .. } = self;
        let game = Arc::clone(rules.reasoner.game());
        let kinds = kinds(&structures_of_fluents(&self.description, &game, known), &game);
        let lanes = self.lanes.take();
        let (weights, likeness) = Weights::learn(rules, lanes, &kinds, *role, options, until);
        let explained = if kinds.names.len() >= MANY_KINDS { EXPLAINED_BY_MANY } else { EXPLAINED };
        let accord = if rules.roles == 2 { MOST_ACCORD } else { MOST_ACCORD_OF_MANY };
        let wanted = match self.preference {
            Preference::ByLikeness => likeness.accord <= accord && likeness.explained >= explained,
            Preference::AlphaBeta | Preference::Fuzzy => likeness.playouts > 0,
        };
        wanted.then(|| Evaluation::learned(&game, *role, weights))
    }

    /// What is known of turns and boards, looked for in a part of the time. What is neither proved nor refuted is taken to hold:
    /// where that is wrong alpha-beta gives up, and playouts go on.
    fn analysis(&mut self) -> Result<Analysis, StrategyError> {
        let time = self.until.left().map_or(ANALYSIS, |it| (it / 4).min(ANALYSIS));
        let options = AnalysisOptions {
            time,
            seed: self.options.seed,
            stop: Some(Arc::new(self.until.clone())),
            ..AnalysisOptions::default()
        };
        Ok(analyse(&mut self.rules.reasoner, &options)?)
    }
}
