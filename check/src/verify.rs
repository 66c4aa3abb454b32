//! Proof by play: a reasoner against another, or against recorded playouts.
//!
//! [`compare`] plays random matches on two reasoners side by side and compares what they say of every
//! state: legal moves, goals, end, percepts and successor. [`replay`] does the same against reference
//! playouts that were recorded elsewhere ([`Trace`]). The first difference is reported with the smallest
//! state that shows it and, for a ground game, with the rules that should have derived the atom.

#[cfg(feature = "serde")]
mod replay;

use std::fmt;

use fxhash::FxHashMap;
use groundfrog::description::{Printer, Term};
use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_reasoner::{
    FluentId, MoveId, PlayoutObserver, Random, Reasoner, ReasonerError, State,
};

#[cfg(feature = "serde")]
pub use replay::{Trace, TraceError, TraceFault, TracePosition, replay};

/// How to compare two reasoners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Random matches.
    pub playouts: u64,
    /// Seed of the choices.
    pub seed: u64,
    /// Joint moves after which a match is given up.
    pub max_length: u32,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions { playouts: 10, seed: 1, max_length: 1000 }
    }
}

/// What was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VerifyReport {
    /// Matches compared completely.
    pub playouts: u64,
    /// States compared.
    pub states: u64,
    /// Matches that were given up after [`VerifyOptions::max_length`] joint moves.
    pub capped: u64,
    /// Matches that ended since a role had no legal move in a state that is not terminal.
    pub stuck: u64,
    /// The first difference; nothing was compared after it.
    pub difference: Option<Difference>,
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} playouts, {} states compared", self.playouts, self.states)?;
        if self.capped > 0 {
            write!(out, ", {} given up at the cap", self.capped)?;
        }
        if self.stuck > 0 {
            write!(out, ", {} stuck without a legal move", self.stuck)?;
        }
        match &self.difference {
            Some(difference) => write!(out, "\n{difference}"),
            None => write!(out, ", no difference"),
        }
    }
}

/// Plays random matches on both reasoners and compares every state, until the observer stops it. `game` is where the tested reasoner's
/// rules come from, to show those that a difference is about.
///
/// # Errors
/// One of the reasoners has no answer.
pub fn compare(
    tested: &mut dyn Reasoner,
    oracle: &mut dyn Reasoner,
    game: Option<&GroundGame>,
    options: &VerifyOptions,
    observer: &mut dyn PlayoutObserver,
) -> Result<VerifyReport, VerifyError> {
    let mut report = VerifyReport::default();
    let mut sides = Sides::new(tested, oracle);
    match matches(&mut sides, game, options, observer, &mut report) {
        // An evaluation was stopped.
        Err(_) if observer.is_stopped() => Ok(report),
        played => played.map(|()| report),
    }
}

fn matches(
    sides: &mut Sides<'_>,
    game: Option<&GroundGame>,
    options: &VerifyOptions,
    observer: &mut dyn PlayoutObserver,
    report: &mut VerifyReport,
) -> Result<(), VerifyError> {
    let mut random = Random::new(options.seed);
    if let Some(difference) = sides.at_start()? {
        report.difference = Some(difference.with_rules(game));
        return Ok(());
    }
    for playout in 0..options.playouts {
        if observer.is_stopped() {
            break;
        }
        let mut state = sides.oracle.initial().clone();
        let (mut moves, mut length) = (Vec::new(), 0);
        loop {
            report.states += 1;
            if let Some(difference) = sides.at_state(&state)? {
                let found = smallest(sides, &state, None, difference)?;
                report.difference = Some(found.with_rules(game));
                return Ok(());
            }
            if sides.oracle.is_terminal(&state).map_err(VerifyError::Oracle)? {
                break;
            }
            let stuck = sides.oracle.random_joint_move(&state, &mut random, &mut moves);
            if stuck.map_err(VerifyError::Oracle)?.is_some() {
                report.stuck += 1;
                break;
            }
            if length >= options.max_length {
                report.capped += 1;
                break;
            }
            if let Some(difference) = sides.at_step(&state, &moves)? {
                let found = smallest(sides, &state, Some(&moves), difference)?;
                report.difference = Some(found.with_rules(game));
                return Ok(());
            }
            sides.oracle.advance(&mut state, &moves).map_err(VerifyError::Oracle)?;
            length += 1;
        }
        report.playouts += 1;
        observer.played(playout + 1, Some(options.playouts));
    }
    Ok(())
}

// Why nothing could be compared.

/// Why nothing could be compared any further. A difference is no error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The reasoner that is tested has no answer.
    #[error("the tested reasoner: {0}")]
    Tested(ReasonerError),
    /// The oracle has no answer.
    #[error("the oracle: {0}")]
    Oracle(ReasonerError),
    /// A trace speaks of roles that the game does not have.
    #[error("the trace has {trace} roles, the game has {game}")]
    Roles {
        /// In the trace.
        trace: usize,
        /// In the game.
        game: usize,
    },
}

// The smallest state that shows a difference.

/// Leaves out fluents as long as the same atom differs; what is left cannot lose any single fluent. Moves
/// must stay legal.
fn smallest(
    sides: &mut Sides<'_>,
    state: &State,
    moves: Option<&[MoveId]>,
    difference: Difference,
) -> Result<Difference, VerifyError> {
    let shows = |sides: &mut Sides<'_>, state: &State| {
        let found = match moves {
            None => sides.at_state(state),
            // Without one of its fluents the state may not allow the moves any more.
            Some(moves) => sides.at_step(state, moves),
        };
        let same =
            |it: &Difference| it.atom == difference.atom && it.expected == difference.expected;
        found.ok().flatten().is_some_and(|it| same(&it))
    };
    let mut small = state.clone();
    let mut minimal = false;
    while !minimal {
        minimal = true;
        let fluents: Vec<FluentId> = small.fluents().collect();
        for fluent in fluents {
            small.remove(fluent);
            if shows(sides, &small) {
                minimal = false;
            } else {
                small.insert(fluent);
            }
        }
    }
    let moves = moves.unwrap_or_default();
    let made = moves.iter().map(|&chosen| {
        let (role, _) = sides.oracle.move_term(chosen);
        (sides.oracle.role_text(role), sides.oracle.move_text(chosen))
    });
    let made = made.collect();
    let state = sides.oracle.state_text(&small).map_err(VerifyError::Oracle)?;
    Ok(Difference { state, minimal, moves: made, ..difference })
}

// Two reasoners that answer the same questions.

/// A tested reasoner and its oracle. States and moves are the oracle's, unless noted otherwise.
struct Sides<'run> {
    tested: &'run mut dyn Reasoner,
    oracle: &'run mut dyn Reasoner,
    roles: Vec<String>,
    fluents: FxHashMap<FluentId, Option<FluentId>>,
}

impl<'run> Sides<'run> {
    fn new(tested: &'run mut dyn Reasoner, oracle: &'run mut dyn Reasoner) -> Self {
        let roles = oracle.role_ids().map(|it| oracle.role_text(it)).collect();
        Sides { tested, oracle, roles, fluents: FxHashMap::default() }
    }

    /// The state as the tested reasoner numbers it. A fluent that it does not know cannot hold there.
    fn tested_state(&mut self, state: &State) -> State {
        let mut own = State::default();
        for fluent in state.fluents() {
            let (tested, oracle) = (&mut *self.tested, &*self.oracle);
            let number = || tested.find_fluent(&oracle.fluent_text(fluent));
            if let Some(number) = *self.fluents.entry(fluent).or_insert_with(number) {
                own.insert(number);
            }
        }
        own
    }

    /// The first difference in how matches begin.
    fn at_start(&self) -> Result<Option<Difference>, VerifyError> {
        let tested = Answers::of_start(self.tested).map_err(VerifyError::Tested)?;
        let oracle = Answers::of_start(self.oracle).map_err(VerifyError::Oracle)?;
        Ok(tested.difference(&oracle, &self.roles))
    }

    /// The first difference in what the state alone decides.
    fn at_state(&mut self, state: &State) -> Result<Option<Difference>, VerifyError> {
        let own = self.tested_state(state);
        let tested = Answers::of_state(self.tested, &own).map_err(VerifyError::Tested)?;
        let oracle = Answers::of_state(self.oracle, state).map_err(VerifyError::Oracle)?;
        Ok(tested.difference(&oracle, &self.roles))
    }

    /// The first difference in what follows when these moves are made, which are legal on both sides.
    fn at_step(
        &mut self,
        state: &State,
        moves: &[MoveId],
    ) -> Result<Option<Difference>, VerifyError> {
        let own = self.tested_state(state);
        let mut own_moves = Vec::with_capacity(moves.len());
        for (role, &it) in self.roles.iter().zip(moves) {
            let text = self.oracle.move_text(it);
            let Some(found) = self.tested.find_move(RoleId(own_moves.len() as u32), &text) else {
                let atom = format!("(legal {role} {text})");
                return Ok(Some(Difference::new(Subject::Legal, atom, true)));
            };
            own_moves.push(found);
        }
        let tested =
            Answers::of_step(self.tested, &own, &own_moves).map_err(VerifyError::Tested)?;
        let oracle = Answers::of_step(self.oracle, state, moves).map_err(VerifyError::Oracle)?;
        Ok(tested.difference(&oracle, &self.roles))
    }
}

// A difference between two reasoners, and how it is shown.

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Who plays.
    Role,
    /// The initial state.
    Initial,
    /// A legal move.
    Legal,
    /// Whether the match is over.
    Terminal,
    /// A goal value.
    Goal,
    /// What a role sees.
    Percepts,
    /// The successor of a state.
    Next,
}

/// An atom that holds for one of two reasoners only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Difference {
    /// What it is about.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub subject: Subject,
    /// The atom, as KIF.
    pub atom: String,
    /// Whether it holds by the oracle. By the tested reasoner it is the opposite.
    pub expected: bool,
    /// A state that shows it, as KIF. No fluent can be left out of it, if it is minimal.
    pub state: Vec<String>,
    /// Whether fluents were left out until none could be.
    pub minimal: bool,
    /// The moves made, each with its role, if the difference is about what follows.
    pub moves: Vec<(String, String)>,
    /// The ground rules for the atom, as KIF, at most [`Difference::MAX_RULES`].
    pub rules: Vec<String>,
    /// How many ground rules there are for the atom.
    pub rule_count: usize,
}

impl Difference {
    /// At most so many rules are kept.
    pub const MAX_RULES: usize = 20;

    pub(crate) fn new(subject: Subject, atom: String, expected: bool) -> Self {
        Difference {
            subject,
            atom,
            expected,
            state: Vec::new(),
            minimal: false,
            moves: Vec::new(),
            rules: Vec::new(),
            rule_count: 0,
        }
    }

    /// Adds the ground rules for the atom.
    fn with_rules(mut self, game: Option<&GroundGame>) -> Self {
        let Some(game) = game else { return self };
        let atoms = (0..game.atom_count() as u32).map(AtomId);
        let mut found = atoms.filter(|&atom| game.display(atom).to_string() == self.atom);
        let Some(atom) = found.next() else { return self };
        for rule in game.rules().iter().filter(|rule| rule.head == atom.0) {
            self.rule_count += 1;
            if self.rules.len() < Self::MAX_RULES {
                let literals = rule.body.iter().map(|literal| {
                    let atom = game.display(AtomId(literal.atom()));
                    if literal.is_negated() { format!(" (not {atom})") } else { format!(" {atom}") }
                });
                let body: String = literals.collect();
                self.rules.push(format!("(<= {}{body})", self.atom));
            }
        }
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (does, should) =
            if self.expected { ("does not hold", "holds") } else { ("holds", "does not hold") };
        writeln!(out, "{} {does}; by the reference it {should}", self.atom)?;
        let kind = if self.minimal { "smallest state that shows it" } else { "state" };
        writeln!(out, "{kind}:")?;
        for fluent in &self.state {
            writeln!(out, "    {fluent}")?;
        }
        if !self.moves.is_empty() {
            writeln!(out, "moves:")?;
            for (role, it) in &self.moves {
                writeln!(out, "    (does {role} {it})")?;
            }
        }
        match self.rule_count {
            0 => write!(out, "no ground rule has this head"),
            count => {
                write!(out, "its ground rules ({count}):")?;
                self.rules.iter().try_for_each(|rule| write!(out, "\n    {rule}"))?;
                match count - self.rules.len() {
                    0 => Ok(()),
                    more => write!(out, "\n    and {more} more"),
                }
            }
        }
    }
}

// What is compared: the answers that a reasoner gives, or that were recorded.

/// Sorted.
type Texts = Vec<String>;

/// Answers as sorted KIF texts; those by role in the order of the roles. What was not requested, or not recorded, is not
/// compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    /// The fluents of the initial state.
    pub(crate) initial: Option<Texts>,
    pub(crate) terminal: Option<bool>,
    /// By role.
    pub(crate) legal: Vec<Texts>,
    /// By role.
    pub(crate) goals: Vec<Texts>,
    /// The fluents of the state that follows.
    pub(crate) next: Option<Texts>,
    /// By role.
    pub(crate) percepts: Vec<Texts>,
}

impl Answers {
    /// What a reasoner says of how matches begin.
    pub(crate) fn of_start(reasoner: &dyn Reasoner) -> Result<Self, ReasonerError> {
        let initial = Some(reasoner.state_text(reasoner.initial())?);
        Ok(Answers { initial, ..Answers::default() })
    }

    /// What a reasoner says of a state.
    pub(crate) fn of_state(
        reasoner: &mut dyn Reasoner,
        state: &State,
    ) -> Result<Self, ReasonerError> {
        let roles: Vec<RoleId> = reasoner.role_ids().collect();
        let mut answers =
            Answers { terminal: Some(reasoner.is_terminal(state)?), ..Answers::default() };
        for role in roles {
            let (mut moves, mut values) = (Vec::new(), Vec::new());
            reasoner.legal_moves(state, role, &mut moves)?;
            reasoner.goal_values(state, role, &mut values)?;
            answers.legal.push(sorted(moves.iter().map(|&it| reasoner.move_text(it))));
            answers.goals.push(sorted(values.iter().map(i64::to_string)));
        }
        Ok(answers)
    }

    /// What a reasoner says of what follows when moves are made, which must be legal.
    pub(crate) fn of_step(
        reasoner: &mut dyn Reasoner,
        state: &State,
        moves: &[MoveId],
    ) -> Result<Self, ReasonerError> {
        let mut next = State::default();
        reasoner.next_state(state, moves, &mut next)?;
        let percepts = reasoner.percepts(state, moves)?;
        let printer = Printer::new(reasoner.symbols());
        let texts = |terms: &Vec<Term>| sorted(terms.iter().map(|it| printer.term(it).to_string()));
        let percepts = percepts.iter().map(texts).collect();
        Ok(Answers { next: Some(reasoner.state_text(&next)?), percepts, ..Answers::default() })
    }

    /// The first thing that the tested reasoner, whose answers these are, says otherwise than the oracle.
    pub(crate) fn difference(&self, oracle: &Answers, roles: &[String]) -> Option<Difference> {
        let fluents = |subject, name: &str, one: &Option<Texts>, other: &Option<Texts>| {
            let (text, expected) = in_one_only(one.as_deref()?, other.as_deref()?)?;
            Some(Difference::new(subject, format!("({name} {text})"), expected))
        };
        let of_role = |subject, name: &str, role: usize, one: &[Texts], other: &[Texts]| {
            let (text, expected) = in_one_only(one.get(role)?, other.get(role)?)?;
            Some(Difference::new(subject, format!("({name} {} {text})", roles[role]), expected))
        };
        let end = |tested: bool, oracle: bool| {
            let differs = || Difference::new(Subject::Terminal, "terminal".to_owned(), oracle);
            (tested != oracle).then(differs)
        };
        let moves_and_goals = |role| {
            of_role(Subject::Legal, "legal", role, &self.legal, &oracle.legal)
                .or_else(|| of_role(Subject::Goal, "goal", role, &self.goals, &oracle.goals))
        };
        let percepts =
            |role| of_role(Subject::Percepts, "sees", role, &self.percepts, &oracle.percepts);
        fluents(Subject::Initial, "init", &self.initial, &oracle.initial)
            .or_else(|| end(self.terminal?, oracle.terminal?))
            .or_else(|| (0..roles.len()).find_map(moves_and_goals))
            .or_else(|| fluents(Subject::Next, "next", &self.next, &oracle.next))
            .or_else(|| (0..roles.len()).find_map(percepts))
    }
}

/// The first text that is in one of two sorted lists only, and whether it is in the second.
pub(crate) fn in_one_only<'a>(
    tested: &'a [String],
    oracle: &'a [String],
) -> Option<(&'a str, bool)> {
    let missing = oracle.iter().find(|it| tested.binary_search(it).is_err());
    let surplus = || tested.iter().find(|it| oracle.binary_search(it).is_err());
    missing.map(|it| (it.as_str(), true)).or_else(|| surplus().map(|it| (it.as_str(), false)))
}

pub(crate) fn sorted(texts: impl Iterator<Item = String>) -> Texts {
    let mut texts: Texts = texts.collect();
    texts.sort_unstable();
    texts
}
