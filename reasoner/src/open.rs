//! Opening a game: the place where a description becomes a reasoner. By its ground rules, where they are found within limits; else by its
//! own rules, which are interpreted.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use web_time::Instant;

use groundfrog::description::Printer;
use groundfrog::kif::Diagnostic;
use groundfrog::{
    Description, GroundError, GroundOptions, Limits, Observer, ParseError, ParseOptions, RoleId,
    Silent, ground,
};
use groundfrog_engine::Stop;

use crate::{
    BuildError, GroundReasoner, InterpretedReasoner, MoveId, PerceptId, Random, Reasoner,
    ReasonerError, State, Vocabulary as _,
};

/// A reasoner that can be given to another thread.
#[derive(Clone, Debug)]
pub enum Machine {
    /// Plays by ground rules. A clone of the reasoner shares them.
    Ground(Box<GroundReasoner>),
    /// Interprets the rules with variables.
    Interpreted(Box<InterpretedReasoner>),
}

impl Machine {
    /// For a description: see [`Opened::new`].
    ///
    /// # Errors
    /// As [`Opened::new`].
    pub fn new(description: &Description, limits: &OpenLimits) -> Result<Self, OpenError> {
        Ok(Opened::new(description, limits)?.machine)
    }

    /// Interprets the rules with variables: it is there at once and is slow from then on.
    ///
    /// # Errors
    /// The description cannot be played, or what was to stop has been raised.
    pub fn interpreted(description: &Description, limits: &OpenLimits) -> Result<Self, OpenError> {
        Self::interpreting(description, limits.limits(limits.patience))
    }

    fn interpreting(description: &Description, limits: Limits) -> Result<Self, OpenError> {
        let reasoner = InterpretedReasoner::new(description, limits)?;
        check_roles(reasoner.roles().len())?;
        Ok(Machine::Interpreted(Box::new(reasoner)))
    }

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
    /// [`ReasonerError::is_late`]. A step by ground rules is short and takes no notice.
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

/// What opening a game may use.
#[derive(Clone, Debug, Default)]
pub struct OpenLimits {
    /// When grounding is given up. What interprets the rules comes after it.
    pub deadline: Option<Instant>,
    /// Bytes for tables and ground rules, and for what is made of these.
    pub memory: Option<u64>,
    /// Asked whether to stop, also later, when rules are interpreted.
    pub stop: Option<Arc<dyn Stop>>,
    /// How long one evaluation of rules with variables may take, also later.
    pub patience: Option<Duration>,
}

impl OpenLimits {
    /// The limits of one evaluation, which may take so long.
    pub fn limits(&self, time: Option<Duration>) -> Limits {
        let memory = self.memory.or(Limits::default().memory);
        let rules = memory.map(|it| it / BYTES_OF_RULE);
        Limits { time, memory, rules, stop: self.stop.clone(), ..Limits::default() }
    }

    /// How the game is ground.
    fn options(&self) -> GroundOptions {
        let time = self.deadline.map(|it| it.saturating_duration_since(Instant::now()));
        GroundOptions { limits: self.limits(time), ..GroundOptions::compact() }
    }
}

/// Why a description does not become a reasoner.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
    /// It breaks a rule of GDL, or is not ground within the limits.
    #[error(transparent)]
    Description(#[from] GroundError),
    /// Its ground rules cannot be compiled, or it has no roles.
    #[error(transparent)]
    Compilation(#[from] BuildError),
    /// The static rules or the initial state could not be evaluated.
    #[error(transparent)]
    Evaluation(#[from] ReasonerError),
    /// A match has no more roles than [`MOST_ROLES`].
    #[error("it has {0} roles: {MOST_ROLES} are allowed")]
    TooManyRoles(usize),
}

impl OpenError {
    /// Whether there are no ground rules, but the description's own may do.
    fn leaves_rules(&self) -> bool {
        let is_large =
            |it: &GroundError| matches!(it, GroundError::Limit { .. } | GroundError::Unbounded(_));
        matches!(self, OpenError::Compilation(_))
            || matches!(self, OpenError::Description(error) if is_large(error))
    }

    /// What is wrong in few words: of a limit, which one.
    pub fn brief(&self) -> String {
        match self {
            OpenError::Description(GroundError::Limit { exceeded, .. }) => exceeded.to_string(),
            error => error.to_string(),
        }
    }
}

/// A game that is open.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What plays it.
    pub machine: Machine,
    /// Why the rules are interpreted, if they are.
    pub not_ground: Option<OpenError>,
    /// Warnings about the description, of a game that is ground.
    pub warnings: Vec<Diagnostic>,
}

impl Opened {
    /// Opens a game by its ground rules, or by the rules with variables if grounding takes more than the limits allow.
    ///
    /// # Errors
    /// The description cannot be played, or what was to stop has been raised.
    pub fn new(description: &Description, limits: &OpenLimits) -> Result<Self, OpenError> {
        Self::grounded_as(description, &limits.options(), limits.patience, &mut Silent)
    }

    /// The same, by options; one evaluation of rules with variables may take as long as `patience`.
    ///
    /// # Errors
    /// As [`Opened::new`].
    pub fn grounded_as(
        description: &Description,
        options: &GroundOptions,
        patience: Option<Duration>,
        observer: &mut dyn Observer,
    ) -> Result<Self, OpenError> {
        let why = match Self::ground(description, options, observer) {
            Err(why) if why.leaves_rules() => why,
            opened => return opened,
        };
        let limits = Limits { time: patience, ..options.limits.clone() };
        let machine = Machine::interpreting(description, limits)?;
        Ok(Opened { machine, not_ground: Some(why), warnings: Vec::new() })
    }

    fn ground(
        description: &Description,
        options: &GroundOptions,
        observer: &mut dyn Observer,
    ) -> Result<Self, OpenError> {
        let grounding = ground(description, options, observer)?;
        check_roles(grounding.game.roles().len())?;
        let machine = Machine::Ground(Box::new(GroundReasoner::new(grounding.game)?));
        Ok(Opened { machine, not_ground: None, warnings: grounding.warnings })
    }
}

/// Refuses a game with more roles than [`MOST_ROLES`].
fn check_roles(count: usize) -> Result<(), OpenError> {
    if count <= MOST_ROLES { Ok(()) } else { Err(OpenError::TooManyRoles(count)) }
}

/// A game of GDL as one of GDL-II in which every role sees every move.
///
/// ```
/// use groundfrog::{Description, ParseOptions};
/// use groundfrog_reasoner::open::{is_imperfect, seeing_all};
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
    /// A machine that plays by ground rules; `None` if there are none within the limits.
    ///
    /// # Errors
    /// The description cannot be played.
    pub fn machine(
        &self,
        description: &Description,
        limits: &OpenLimits,
    ) -> Result<Option<Machine>, OpenError> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if limits.stop.as_ref().is_some_and(|it| it.is_raised()) {
            return Ok(None);
        }
        if let Some((_, machine)) = shared.as_ref().filter(|it| it.0 == description.source) {
            return Ok(Some(machine.clone()));
        }
        match Opened::ground(description, &limits.options(), &mut Silent) {
            Ok(Opened { machine, .. }) => {
                *shared = Some((Arc::clone(&description.source), machine.clone()));
                Ok(Some(machine))
            }
            Err(why) if why.leaves_rules() => Ok(None),
            Err(fault) => Err(fault),
        }
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
            let limits = OpenLimits { memory: Some(mebibytes << 20), ..Default::default() };
            Machine::new(&described(moves), &limits).expect("can be played").ground().is_some()
        };
        assert!(is_ground(64) && !is_ground(16));
        let roles = "(<= (role (r ?x ?y)) (n ?x) (n ?y)) (<= (legal ?r w) (role ?r))";
        let roles = described(&format!("{roles} (<= (goal ?r 1) (role ?r))"));
        let limits = OpenLimits::default();
        for refused in [Machine::new(&roles, &limits), Machine::interpreted(&roles, &limits)] {
            let message = refused.expect_err("1600 roles").to_string();
            assert!(message.contains("1600 roles: 1024 are allowed"), "{message}");
        }
    }

    #[test]
    fn a_move_that_is_drawn_follows_from_the_seed_whether_or_not_the_game_is_ground() {
        let text = groundfrog_corpus::game("breakthrough").expect("is there").text;
        let description = Description::parse(text.as_bytes(), &ParseOptions::default());
        let description = description.expect("parses");
        let limits = OpenLimits::default();
        let mut machines = [
            Machine::new(&description, &limits).expect("can be played"),
            Machine::interpreted(&description, &limits).expect("can be played"),
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
