//! What evaluates the rules of a match: ground rules where they are found in time, else the description's own.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use web_time::Instant;

use groundfrog::description::Printer;
use groundfrog::description::{ParseError, ParseOptions};
use groundfrog::{Description, GroundError, GroundOptions, Limits, RoleId, Silent, Stop, ground};
use groundfrog_engine::EngineError;
use groundfrog_reasoner::{
    GroundReasoner, InterpretError, InterpretedReasoner, MoveId, PerceptId, Random, Reasoner,
    ReasonerError, State, Vocabulary as _,
};

use crate::strategy::StrategyError;

/// A reasoner that can be given to another thread.
#[derive(Clone, Debug)]
pub enum Machine {
    /// Plays by ground rules. A clone of the reasoner shares them.
    Ground(Box<GroundReasoner>),
    /// Interprets the rules with variables.
    Interpreted(Box<InterpretedReasoner>),
}

impl Machine {
    /// The ground rules, if it plays by them.
    pub fn ground(&self) -> Option<&GroundReasoner> {
        match self {
            Machine::Ground(reasoner) => Some(reasoner),
            Machine::Interpreted(_) => None,
        }
    }

    /// One of some moves, each as likely as the others. Which one follows from what is drawn and from how the moves are written, not
    /// from their numbers, so that it is the same by ground rules and by rules with variables.
    pub fn draw(&self, moves: &[MoveId], random: &mut Random) -> Option<MoveId> {
        let word = random.next_word();
        let rank = |&action: &MoveId| {
            let text = self.move_text(action);
            let hash = text
                .bytes()
                .fold(word, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            Random::new(hash).next_word()
        };
        moves.iter().copied().min_by_key(rank)
    }

    /// The goal value of a role in a state, if it has just one.
    ///
    /// # Errors
    /// The rules could not be evaluated.
    pub fn only_goal(&mut self, state: &State, role: RoleId) -> Result<Option<i64>, ReasonerError> {
        let mut values = Vec::new();
        self.goal_values(state, role, &mut values)?;
        Ok(if let [value] = values[..] { Some(value) } else { None })
    }

    /// What each role perceives as KIF, sorted.
    pub fn percept_texts(&self, perceived: &[Vec<PerceptId>]) -> Vec<Vec<String>> {
        let printer = Printer::new(self.symbols());
        let texts = |percepts: &Vec<PerceptId>| {
            let texts = percepts.iter().map(|&it| printer.term(&self.percept(it)).to_string());
            let mut texts: Vec<String> = texts.collect();
            texts.sort_unstable();
            texts
        };
        perceived.iter().map(texts).collect()
    }

    /// Lets no evaluation of rules with variables go on behind a deadline: it then ends with an error of which
    /// [`StrategyError::is_late`]. A step by ground rules is short and takes no notice.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        if let Machine::Interpreted(reasoner) = self {
            reasoner.set_deadline(deadline);
        }
    }

    /// Each evaluation of rules with variables may use what `limits` allows.
    pub fn set_limits(&mut self, limits: Limits) {
        if let Machine::Interpreted(reasoner) = self {
            reasoner.set_limits(limits);
        }
    }
}

impl Deref for Machine {
    type Target = dyn Reasoner + Send;

    fn deref(&self) -> &Self::Target {
        match self {
            Machine::Ground(reasoner) => &**reasoner,
            Machine::Interpreted(reasoner) => &**reasoner,
        }
    }
}

impl DerefMut for Machine {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Machine::Ground(reasoner) => &mut **reasoner,
            Machine::Interpreted(reasoner) => &mut **reasoner,
        }
    }
}

/// A match has no more roles: for each of them something is kept in each state.
pub const MOST_ROLES: usize = 1024;
/// What a ground rule takes in all, in bytes: while rules are made compact, and in what plays by them.
const BYTES_OF_RULE: u64 = 320;

/// What setting up a [`Machine`] may use.
#[derive(Clone, Debug, Default)]
pub struct MachineLimits {
    /// When grounding is given up. What interprets the rules comes after it.
    pub deadline: Option<Instant>,
    /// Bytes for tables and ground rules, and for what is made of these.
    pub memory: Option<u64>,
    /// Asked whether to stop, also later, when rules are interpreted.
    pub stop: Option<Arc<dyn Stop>>,
    /// How long one evaluation of rules with variables may take, also later.
    pub patience: Option<Duration>,
}

impl MachineLimits {
    /// The limits of one evaluation, which may take so long.
    pub fn limits(&self, time: Option<Duration>) -> Limits {
        let memory = self.memory.or(Limits::default().memory);
        let rules = memory.map(|it| it / BYTES_OF_RULE);
        Limits { time, memory, rules, stop: self.stop.clone(), ..Limits::default() }
    }
}

/// Refuses a game with more roles than [`MOST_ROLES`].
///
/// # Errors
/// [`StrategyError::Game`].
fn check_roles(count: usize) -> Result<(), StrategyError> {
    if count <= MOST_ROLES {
        return Ok(());
    }
    Err(StrategyError::Game(format!("it has {count} roles: {MOST_ROLES} are allowed")))
}

/// A machine for a description: ground rules, or the rules with variables if grounding takes more than the limits allow.
///
/// # Errors
/// The description cannot be played, or what was to stop has been raised.
pub fn machine(
    description: &Description,
    limits: &MachineLimits,
) -> Result<Machine, StrategyError> {
    machine_telling(description, limits).map(|it| it.0)
}

/// The same, and why there are no ground rules where it interprets.
///
/// # Errors
/// As [`machine`](machine()).
pub fn machine_telling(
    description: &Description,
    limits: &MachineLimits,
) -> Result<(Machine, Option<String>), StrategyError> {
    match ground_machine(description, limits)? {
        Ok(machine) => Ok((machine, None)),
        Err(why) => Ok((interpreted(description, limits)?, Some(why))),
    }
}

/// A machine that plays by ground rules, or why there are none within the limits.
///
/// # Errors
/// The description cannot be played.
fn ground_machine(
    description: &Description,
    limits: &MachineLimits,
) -> Result<Result<Machine, String>, StrategyError> {
    let time = limits.deadline.map(|it| it.saturating_duration_since(Instant::now()));
    if time == Some(Duration::ZERO) {
        return Ok(Err("there is no time to ground it".to_owned()));
    }
    let options = GroundOptions { limits: limits.limits(time), ..GroundOptions::compact() };
    match ground(description, &options, &mut Silent) {
        Ok(grounding) => {
            check_roles(grounding.game.roles().len())?;
            let reasoner = GroundReasoner::new(grounding.game);
            let machine = reasoner.map(|it| Machine::Ground(Box::new(it)));
            Ok(machine.map_err(|error| error.to_string()))
        }
        Err(why @ (GroundError::Limit { .. } | GroundError::Unbounded(_))) => {
            Ok(Err(why.to_string()))
        }
        Err(fault) => Err(StrategyError::Game(fault.to_string())),
    }
}

/// A machine that interprets the rules with variables: it is there at once and is slow from then on.
///
/// # Errors
/// The description cannot be played, or what was to stop has been raised.
pub fn interpreted(
    description: &Description,
    limits: &MachineLimits,
) -> Result<Machine, StrategyError> {
    let reasoner = InterpretedReasoner::new(description, limits.limits(limits.patience));
    match reasoner {
        Ok(reasoner) => {
            check_roles(reasoner.roles().len())?;
            Ok(Machine::Interpreted(Box::new(reasoner)))
        }
        Err(InterpretError::Evaluation(error)) => Err(error.into()),
        Err(InterpretError::Description(GroundError::Limit { exceeded, .. })) => {
            Err(ReasonerError::from(EngineError::Limit(exceeded)).into())
        }
        Err(fault) => Err(StrategyError::Game(fault.to_string())),
    }
}

/// A game of GDL as one of GDL-II in which every role sees every move.
///
/// ```
/// use groundfrog::{Description, ParseOptions};
/// use groundfrog_player::machine::{is_imperfect, seeing_all};
/// let rules = groundfrog_corpus::game("tictactoe").expect("a game").text;
/// let description = Description::parse(rules.as_bytes(), &ParseOptions::default())?;
/// assert!(!is_imperfect(&description) && is_imperfect(&seeing_all(&description)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// With this rule the text is longer than a description may be.
pub fn seeing_all(description: &Description) -> Result<Description, ParseError> {
    let printer = Printer::new(&description.symbols);
    let mut text = String::new();
    for statement in &description.statements {
        text.push_str(&printer.statement(statement).to_string());
        text.push('\n');
    }
    text.push_str("(<= (sees ?r (does ?p ?m)) (role ?r) (does ?p ?m))\n");
    let options = ParseOptions { name: description.name.clone(), ..ParseOptions::default() };
    Description::parse(text.as_bytes(), &options)
}

/// Whether players learn what they perceive instead of the moves: some rule is about `sees`.
pub fn is_imperfect(description: &Description) -> bool {
    let sees = description.keywords.sees;
    description.statements.iter().any(|it| it.head.predicate == sees)
}

/// Ground rules that the players of a match have in common: the first that needs them finds them, and the others wait for it.
#[derive(Clone, Debug, Default)]
pub struct SharedRules(Arc<Mutex<Option<GroundRules>>>);

/// The text of a description, and what plays by its ground rules.
type GroundRules = (Arc<str>, Machine);

impl SharedRules {
    /// A machine that plays by ground rules, as [`machine()`] makes it; `None` if there are none within the limits.
    ///
    /// # Errors
    /// The description cannot be played.
    pub(crate) fn machine(
        &self,
        description: &Description,
        limits: &MachineLimits,
    ) -> Result<Option<Machine>, StrategyError> {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if limits.stop.as_ref().is_some_and(|it| it.is_raised()) {
            return Ok(None);
        }
        if let Some((_, machine)) = found.as_ref().filter(|it| it.0 == description.source) {
            return Ok(Some(machine.clone()));
        }
        let ground = ground_machine(description, limits)?.ok();
        if let Some(machine) = ground.clone() {
            *found = Some((Arc::clone(&description.source), machine));
        }
        Ok(ground)
    }
}

#[cfg(test)]
mod tests {
    use groundfrog::ParseOptions;

    use super::*;

    #[test]
    fn what_would_take_too_much_is_interpreted_and_too_many_roles_are_refused() {
        let numbers: String = (0..40).map(|it| format!("(n {it})")).collect();
        let described = |text: &str| {
            let text = format!("{numbers} (init on) (<= terminal (true off)) {text}");
            Description::parse(text.as_bytes(), &ParseOptions::default()).expect("parses")
        };
        // 64 000 rules, in 800 kB.
        let moves = "(role a) (<= (legal a (go ?x ?y ?z)) (n ?x) (n ?y) (n ?z)) (goal a 1)";
        let is_ground = |mebibytes: u64| {
            let limits = MachineLimits { memory: Some(mebibytes << 20), ..Default::default() };
            machine(&described(moves), &limits).expect("can be played").ground().is_some()
        };
        assert!(is_ground(64) && !is_ground(16));
        let roles = "(<= (role (r ?x ?y)) (n ?x) (n ?y)) (<= (legal ?r w) (role ?r))";
        let roles = described(&format!("{roles} (<= (goal ?r 1) (role ?r))"));
        let limits = MachineLimits::default();
        for refused in
            [ground_machine(&roles, &limits).map(drop), interpreted(&roles, &limits).map(drop)]
        {
            let message = refused.expect_err("1600 roles").to_string();
            assert!(message.contains("1600 roles: 1024 are allowed"), "{message}");
        }
    }

    #[test]
    fn a_move_that_is_drawn_follows_from_the_seed_whether_or_not_the_game_is_ground() {
        let text = groundfrog_corpus::game("breakthrough").expect("is there").text;
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("parses");
        let limits = MachineLimits::default();
        let mut machines = [
            machine(&description, &limits).expect("can be played"),
            interpreted(&description, &limits).expect("can be played"),
        ];
        assert!(machines[0].ground().is_some() && machines[1].ground().is_none());
        let mut draw = |seed: u64| {
            let [early, late] = machines.each_mut().map(|machine| {
                let (state, mut legal) = (machine.initial().clone(), Vec::new());
                machine.legal_moves(&state, RoleId(0), &mut legal).expect("there are some");
                let drawn = machine.draw(&legal, &mut Random::new(seed)).expect("there are some");
                machine.move_text(drawn)
            });
            assert_eq!(early, late);
            early
        };
        let drawn: std::collections::BTreeSet<String> = (1..=100).map(&mut draw).collect();
        assert!(drawn.len() > 10, "of 22: {drawn:?}");
    }
}
