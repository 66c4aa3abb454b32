//! The strategies by their names.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use groundfrog::Description;

use crate::search::{Auto, InformationSets, Uct};
use crate::strategy::{Sampler, Strategy, StrategyError, StrategyOptions};
use groundfrog_reasoner::open::is_imperfect;

/// A strategy, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StrategyKind {
    /// `random`: any legal move, each as likely as the others.
    Random,
    /// `greedy`: the move with the best goal value after one step.
    Greedy,
    /// `mcts`: plain Monte Carlo, the move with the best mean of random playouts.
    MonteCarlo,
    /// `uct`: UCT on the graph of the states met, with proven values.
    Uct,
    /// `alphabeta`: iterative-deepening alpha-beta with an evaluation that is learned in the start clock, where roles choose
    /// in turn; `uct` elsewhere.
    AlphaBeta,
    /// `fuzzy`: the same alpha-beta, where states are worth how far they fulfil the goals.
    Fuzzy,
    /// `auto`: puzzles are solved in the start clock, all else is played by `alphabeta` or `uct`.
    Auto,
}

impl StrategyKind {
    /// All of them, the weakest first.
    pub const ALL: &'static [StrategyKind] = &[
        StrategyKind::Random,
        StrategyKind::Greedy,
        StrategyKind::MonteCarlo,
        StrategyKind::Uct,
        StrategyKind::AlphaBeta,
        StrategyKind::Fuzzy,
        StrategyKind::Auto,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            StrategyKind::Random => "random",
            StrategyKind::Greedy => "greedy",
            StrategyKind::MonteCarlo => "mcts",
            StrategyKind::Uct => "uct",
            StrategyKind::AlphaBeta => "alphabeta",
            StrategyKind::Fuzzy => "fuzzy",
            StrategyKind::Auto => "auto",
        }
    }
}

impl Display for StrategyKind {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for StrategyKind {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let found = StrategyKind::ALL.iter().find(|it| it.name() == name);
        found.copied().ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

/// No strategy has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no strategy `{0}`: take {names}", names = names())]
pub struct UnknownStrategy(String);

fn names() -> String {
    let names: Vec<&str> = StrategyKind::ALL.iter().map(|it| it.name()).collect();
    names.join(", ")
}

/// Makes a strategy for a role. That takes no time to speak of: the work begins with [`Strategy::prepare`], which also finds out
/// whether there is such a role.
///
/// # Errors
/// The strategy cannot be used for this description.
pub fn build_strategy(
    kind: StrategyKind,
    description: &Arc<Description>,
    role: &str,
    options: &StrategyOptions,
) -> Result<Box<dyn Strategy>, StrategyError> {
    let (description, options) = (Arc::clone(description), options.clone());
    let searches =
        !matches!(kind, StrategyKind::Random | StrategyKind::Greedy | StrategyKind::MonteCarlo);
    // A role that plays alone knows the state.
    let keyword = description.keywords.role;
    let mut roles = description.statements.iter().filter(|it| it.head.predicate == keyword);
    let is_alone = roles.next().is_some_and(|it| it.body.is_empty()) && roles.next().is_none();
    if searches && is_imperfect(&description) && !is_alone {
        return Ok(Box::new(InformationSets::new(description, role, options)));
    }
    Ok(match kind {
        StrategyKind::Random | StrategyKind::Greedy | StrategyKind::MonteCarlo => {
            Box::new(Sampler::new(kind, description, role, options))
        }
        StrategyKind::Uct => Box::new(Uct::new(description, role, options)),
        StrategyKind::AlphaBeta | StrategyKind::Fuzzy | StrategyKind::Auto => {
            Box::new(Auto::new(kind, description, role, options))
        }
    })
}
