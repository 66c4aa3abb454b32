//! MSL, the language of markets (Thielscher & Zhang, "From General Game Descriptions to a Market Specification Language for General
//! Trading Agents", LNBIP 59, 2010).
//!
//! Traders send the market maker messages when they like; the maker acts, changes the state and sends mail. In step t = 1, 2, ... the
//! messages that came meanwhile are *received* if `(message TRADER MESSAGE)` holds of them, the maker does one of its legal actions if
//! there is one, and the next state and the mail follow from the state, what was received, what was done, and the time. The market
//! is over as soon as `terminal` holds.
//!
//! * [`Market`]: what follows from a step; [`run`]: a market by a [`Script`]. [`explore`]: all markets with some messages, and what
//!   holds in each of them. [`serve`]: a market by the clock, for traders over the network.

mod check;
pub mod explore;
mod script;
pub mod serve;

use groundfrog::description::{Predicate, Term, Terms};
use groundfrog::options::Limits;
use groundfrog::symbols::{Symbol, Symbols};
use groundfrog_reasoner::Random;
use smallvec::smallvec;

use crate::evaluation::{EvaluationError, Evaluator};
use crate::rules::{Rulebook, term_text};

pub use check::check;
pub use script::{Script, run};

/// More messages than this are not taken in one step.
pub const MOST_MESSAGES: usize = 10_000;

/// The predicates of MSL with a meaning in play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarketKeywords {
    pub(crate) trader: Predicate,
    pub(crate) init: Predicate,
    pub(crate) true_: Predicate,
    pub(crate) next: Predicate,
    pub(crate) message: Predicate,
    pub(crate) receive: Predicate,
    pub(crate) send: Predicate,
    pub(crate) legal: Predicate,
    pub(crate) does: Predicate,
    pub(crate) time: Predicate,
    pub(crate) terminal: Predicate,
}

/// The names of comparisons.
const COMPARISONS: [&str; 4] = ["<", ">", "<=", ">="];

impl MarketKeywords {
    fn of(symbols: &mut Symbols) -> Self {
        let mut predicate = |name: &str, arity| Predicate { name: symbols.intern(name), arity };
        MarketKeywords {
            trader: predicate("trader", 1),
            init: predicate("init", 1),
            true_: predicate("true", 1),
            next: predicate("next", 1),
            message: predicate("message", 2),
            receive: predicate("receive", 2),
            send: predicate("send", 2),
            legal: predicate("legal", 1),
            does: predicate("does", 1),
            time: predicate("time", 1),
            terminal: predicate("terminal", 0),
        }
    }

    /// What the course of a market gives.
    fn given(&self) -> [Predicate; 4] {
        [self.true_, self.receive, self.does, self.time]
    }
}

fn comparisons(symbols: &mut Symbols) -> Vec<Symbol> {
    COMPARISONS.iter().map(|it| symbols.intern(it)).collect()
}

/// Why a market cannot be run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum MarketError {
    /// Rules cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Nobody trades.
    #[error("the market has no traders")]
    NoTraders,
    /// The market does not end.
    #[error("the market is not over after {0} steps")]
    Steps(u64),
}

/// A message from or to a trader, by the number of the trader.
pub type Letter = (usize, Term);

/// What holds between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketState {
    /// The time of the step to come, from 1 on.
    pub time: u64,
    /// The fluents that hold.
    pub fluents: Vec<Term>,
}

/// What is known at the beginning of a step: it does not depend on the messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// What the maker may do.
    pub legal: Vec<Term>,
    /// Whether the market is over.
    pub is_terminal: bool,
}

/// What a step has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The state after it.
    pub state: MarketState,
    /// What the maker sends, sorted by text; nobody but the trader learns of it.
    pub mail: Vec<Letter>,
}

/// The rules of a market.
#[derive(Clone, Debug)]
pub struct Market {
    keywords: MarketKeywords,
    symbols: Symbols,
    evaluator: Evaluator,
    traders: Vec<Term>,
    initial: Vec<Term>,
}

impl Market {
    /// Prepares a market that [`check`] has nothing against. Each evaluation may use what the limits allow.
    ///
    /// # Errors
    /// The rules are not stratified, or nobody trades.
    pub fn new(book: &Rulebook, limits: Limits) -> Result<Self, MarketError> {
        let mut rules = book.rules.clone();
        let keywords = MarketKeywords::of(&mut rules.symbols);
        let comparisons = comparisons(&mut rules.symbols);
        let (given, tested) = (keywords.given(), Some(keywords.message));
        let evaluator = Evaluator::new(&rules, &given, tested, &comparisons, limits)?;
        let symbols = rules.symbols;
        let model = evaluator.evaluate(&[], [], &symbols)?;
        let first = |it: &Terms| it[0].clone();
        let traders: Vec<Term> = model.rows(keywords.trader).iter().map(first).collect();
        if traders.is_empty() {
            return Err(MarketError::NoTraders);
        }
        let initial = model.rows(keywords.init).iter().map(first).collect();
        Ok(Market { keywords, symbols, evaluator, traders, initial })
    }

    /// The names, which grow as prices are met.
    pub fn symbols(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The traders, in the order of the rules.
    pub fn traders(&self) -> &[Term] {
        &self.traders
    }

    /// The names of the traders.
    pub fn trader_names(&self) -> Vec<String> {
        self.traders.iter().map(|it| term_text(it, &self.symbols)).collect()
    }

    /// A term as text.
    pub fn text(&self, term: &Term) -> String {
        term_text(term, &self.symbols)
    }

    /// The state before the first step.
    pub fn initial(&self) -> MarketState {
        MarketState { time: 1, fluents: self.initial.clone() }
    }

    /// The facts of a state.
    pub(crate) fn facts(&mut self, state: &MarketState) -> Vec<(Predicate, Terms)> {
        let time = Term::Constant(self.symbols.intern(&state.time.to_string()));
        let mut facts = vec![(self.keywords.time, smallvec![time])];
        facts.extend(state.fluents.iter().map(|it| (self.keywords.true_, smallvec![it.clone()])));
        facts
    }

    /// What is known at the beginning of a step.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn outlook(&mut self, state: &MarketState) -> Result<Outlook, MarketError> {
        let facts = self.facts(state);
        let wanted = [self.keywords.legal, self.keywords.terminal];
        let model = self.evaluator.evaluate(&wanted, facts, &self.symbols)?;
        let mut legal: Vec<Term> =
            model.rows(self.keywords.legal).iter().map(|it| it[0].clone()).collect();
        legal.sort_by_cached_key(|it| term_text(it, &self.symbols));
        let is_terminal = !model.rows(self.keywords.terminal).is_empty();
        Ok(Outlook { legal, is_terminal })
    }

    /// By message: whether its trader may send it now.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn admits(
        &mut self,
        state: &MarketState,
        letters: &[Letter],
    ) -> Result<Vec<bool>, MarketError> {
        let facts = self.facts(state);
        let wanted = [self.keywords.message];
        let model = self.evaluator.evaluate(&wanted, facts, &self.symbols)?;
        let passes = |(trader, message): &Letter| {
            Ok(model.passes(&[self.traders[*trader].clone(), message.clone()])?)
        };
        letters.iter().map(passes).collect()
    }

    /// The step that admitted messages and an action lead through.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn step(
        &mut self,
        state: &MarketState,
        received: &[Letter],
        action: Option<&Term>,
    ) -> Result<Outcome, MarketError> {
        let mut facts = self.facts(state);
        for (trader, message) in received {
            let arguments = smallvec![self.traders[*trader].clone(), message.clone()];
            facts.push((self.keywords.receive, arguments));
        }
        facts.extend(action.map(|it| (self.keywords.does, smallvec![it.clone()])));
        let wanted = [self.keywords.next, self.keywords.send];
        let model = self.evaluator.evaluate(&wanted, facts, &self.symbols)?;
        let fluents = model.rows(self.keywords.next).iter().map(|it| it[0].clone()).collect();
        let mut mail: Vec<Letter> = Vec::new();
        for row in model.rows(self.keywords.send) {
            if let Some(trader) = self.traders.iter().position(|it| *it == row[0]) {
                mail.push((trader, row[1].clone()));
            }
        }
        mail.sort_by_cached_key(|(trader, it)| (*trader, term_text(it, &self.symbols)));
        Ok(Outcome { state: MarketState { time: state.time + 1, fluents }, mail })
    }
}

/// How the maker chooses among its legal actions, which are sorted by text.
#[derive(Clone, Debug)]
pub enum Policy {
    /// The first.
    First,
    /// Any, by a seed.
    Random(Random),
}

impl Policy {
    /// One of the legal actions, if there are any.
    pub fn choose<'l>(&mut self, legal: &'l [Term]) -> Option<&'l Term> {
        match self {
            Policy::First => legal.first(),
            Policy::Random(random) => {
                let most = u32::try_from(legal.len()).unwrap_or(u32::MAX);
                (most > 0).then(|| &legal[random.below(most) as usize])
            }
        }
    }
}
