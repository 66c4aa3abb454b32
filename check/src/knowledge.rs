//! What roles know in games in which they do not see everything.
//!
//! Nothing in the rules of GDL-II lets a role know its legal moves, that a match is over, or its goal at the end (Haufe & Thielscher,
//! "Automated verification of epistemic properties for general game playing", KR 2012). [`know`] looks at all sets of states
//! that a role can hold possible after the same own moves and percepts, step by step, each set once, and finds two histories
//! that the role cannot tell apart where one of these differs. It starts with what all roles know: the initial state.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use fxhash::FxHashSet;
use groundfrog::description::Description;
use groundfrog::game::RoleId;
use groundfrog::kif::Diagnostic;

use super::explore::{place, place_of};
use groundfrog_reasoner::{
    GroundReasoner, MoveId, PerceptId, Reasoner, ReasonerError, State, Vocabulary,
};

/// Two histories that a role cannot tell apart, and in what they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// The role.
    pub role: String,
    /// Joint moves from the initial state, each with one move for each role.
    pub histories: [Vec<Vec<String>>; 2],
    /// What holds after each, such as the legal moves.
    pub differs: [String; 2],
}

/// What a role knows.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleKnowledge {
    /// The role.
    pub role: String,
    /// Whether it always knows which moves are legal.
    pub moves: Knows,
    /// Whether it always knows whether the match is over.
    pub end: Knows,
    /// Whether it knows its goal value at the end.
    pub goal: Knows,
    /// Sets of states that were looked at.
    pub sets: u64,
}

/// A state that is possible, and how it came about.
#[derive(Debug)]
struct Possible {
    state: State,
    way: Option<Arc<Way>>,
}

/// The last joint move of a history, and what came before.
#[derive(Debug)]
struct Way {
    moves: Vec<MoveId>,
    before: Option<Arc<Way>>,
}

/// What a role holds possible, by state.
type Possibilities = BTreeMap<State, Option<Arc<Way>>>;

/// Whether a role knows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Knows {
    /// After each history.
    Always,
    /// Not after these.
    Not(Box<Confusion>),
    /// Not found out within the limits.
    Undecided,
}

impl Knows {
    /// `yes`, `no` or `undecided`.
    pub fn name(&self) -> &'static str {
        match self {
            Knows::Always => "yes",
            Knows::Not(_) => "no",
            Knows::Undecided => "undecided",
        }
    }
}

/// Looks at what each role but `random` knows, by so many joint moves at most, as long as `goes_on` says so. Empty for a game
/// without percepts, in which every role sees everything.
///
/// # Errors
/// A rule could not be evaluated.
pub fn know(
    reasoner: &mut GroundReasoner,
    most: u64,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<RoleKnowledge>, ReasonerError> {
    if reasoner.game().percepts().is_empty() {
        return Ok(Vec::new());
    }
    let chance = reasoner.chance_role();
    let roles: Vec<RoleId> = reasoner.role_ids().filter(|&it| Some(it) != chance).collect();
    let share = most / roles.len().max(1) as u64;
    let of_role = |role| GoalSearch::new(reasoner, role, share).run(goes_on);
    roles.into_iter().map(of_role).collect()
}

/// The search for what one role does not know.
struct GoalSearch<'run> {
    reasoner: &'run mut GroundReasoner,
    role: RoleId,
    left: u64,
    waiting: VecDeque<Possibilities>,
    known: FxHashSet<Vec<State>>,
    moves: Option<Confusion>,
    end: Option<Confusion>,
    goal: Option<Confusion>,
}

impl<'run> GoalSearch<'run> {
    fn new(reasoner: &'run mut GroundReasoner, role: RoleId, left: u64) -> Self {
        let first = Possibilities::from([(reasoner.initial().clone(), None)]);
        let known = FxHashSet::from_iter([first.keys().cloned().collect()]);
        let waiting = VecDeque::from([first]);
        GoalSearch { reasoner, role, left, waiting, known, moves: None, end: None, goal: None }
    }

    fn run(mut self, goes_on: &mut dyn FnMut() -> bool) -> Result<RoleKnowledge, ReasonerError> {
        let (mut is_complete, mut sets) = (true, 0);
        while let Some(set) = self.waiting.pop_front() {
            sets += 1;
            let all_fail = self.moves.is_some() && self.end.is_some() && self.goal.is_some();
            if all_fail || !goes_on() || !self.look(&set)? {
                is_complete = false;
                break;
            }
        }
        let knows = |confusion: Option<Confusion>| match confusion {
            Some(confusion) => Knows::Not(Box::new(confusion)),
            None if is_complete => Knows::Always,
            None => Knows::Undecided,
        };
        Ok(RoleKnowledge {
            role: self.reasoner.role_text(self.role),
            moves: knows(self.moves),
            end: knows(self.end),
            goal: knows(self.goal),
            sets,
        })
    }

    /// Looks at a set and adds those that follow. Says whether that was all.
    fn look(&mut self, set: &Possibilities) -> Result<bool, ReasonerError> {
        let (mut over, mut going) = (Vec::new(), Vec::new());
        for (state, way) in set {
            let possible = Possible { state: state.clone(), way: way.clone() };
            match self.reasoner.is_terminal(state)? {
                true => over.push(possible),
                false => going.push(possible),
            }
        }
        if let (None, [one, ..], [other, ..]) = (&self.end, &over[..], &going[..]) {
            let differs = ["the match is over".to_owned(), "the match goes on".to_owned()];
            self.end = Some(self.confusion(one, other, differs));
        }
        let mut goals = Vec::new();
        for possible in &over {
            let mut values = Vec::new();
            self.reasoner.goal_values(&possible.state, self.role, &mut values)?;
            goals.push(values);
        }
        if let (None, Some(at)) = (&self.goal, goals.iter().position(|it| *it != goals[0])) {
            let differs = [0, at].map(|it| format!("the goal is {}", words(&goals[it])));
            self.goal = Some(self.confusion(&over[0], &over[at], differs));
        }
        let mut legal = Vec::new();
        for possible in &going {
            let mut moves = Vec::new();
            self.reasoner.legal_moves(&possible.state, self.role, &mut moves)?;
            legal.push(moves);
        }
        if let (None, Some(at)) = (&self.moves, legal.iter().position(|it| *it != legal[0])) {
            let differs = [(0, at), (at, 0)].map(|(one, other)| {
                let own = legal[one].iter().find(|it| !legal[other].contains(it));
                own.map_or_else(
                    || "no other move is legal".to_owned(),
                    |&it| format!("`{}` is legal", self.reasoner.move_text(it)),
                )
            });
            self.moves = Some(self.confusion(&going[0], &going[at], differs));
        }
        self.follow(&going)
    }

    /// Adds the sets that the role can tell apart after one more step. Says whether there was room for all joint moves.
    fn follow(&mut self, going: &[Possible]) -> Result<bool, ReasonerError> {
        let mut groups: BTreeMap<(MoveId, Vec<PerceptId>), Possibilities> = BTreeMap::new();
        let mut perceived = Vec::new();
        for possible in going {
            let mut choices = Vec::new();
            for role in self.reasoner.role_ids() {
                let mut moves = Vec::new();
                self.reasoner.legal_moves(&possible.state, role, &mut moves)?;
                choices.push(moves);
            }
            let count = choices.iter().try_fold(1u64, |all, it| all.checked_mul(it.len() as u64));
            match count.and_then(|it| self.left.checked_sub(it)) {
                Some(left) => self.left = left,
                None => return Ok(false),
            }
            for number in 0..count.unwrap_or(0) {
                let mut rest = number;
                let mut moves: Vec<MoveId> = Vec::new();
                for choice in &choices {
                    moves.push(choice[(rest % choice.len() as u64) as usize]);
                    rest /= choice.len() as u64;
                }
                self.reasoner.perceive(&possible.state, &moves, &mut perceived)?;
                let mut next = State::default();
                self.reasoner.next_state(&possible.state, &moves, &mut next)?;
                let own = self.role.index();
                let group = groups.entry((moves[own], perceived[own].clone())).or_default();
                let before = possible.way.clone();
                group.entry(next).or_insert_with(|| Some(Arc::new(Way { moves, before })));
            }
        }
        for set in groups.into_values() {
            if self.known.insert(set.keys().cloned().collect()) {
                self.waiting.push_back(set);
            }
        }
        Ok(true)
    }

    fn confusion(&self, one: &Possible, other: &Possible, differs: [String; 2]) -> Confusion {
        let role = self.reasoner.role_text(self.role);
        Confusion { role, histories: [self.history(one), self.history(other)], differs }
    }

    fn history(&self, possible: &Possible) -> Vec<Vec<String>> {
        let (mut history, mut way) = (Vec::new(), possible.way.as_deref());
        while let Some(Way { moves, before }) = way {
            history.push(moves.iter().map(|&it| self.reasoner.move_text(it)).collect());
            way = before.as_deref();
        }
        history.reverse();
        history
    }
}

fn words(values: &[i64]) -> String {
    if values.is_empty() {
        return "not known".to_owned();
    }
    values.iter().map(i64::to_string).collect::<Vec<String>>().join(" and ")
}

/// What roles do not know, as findings about the description.
pub(super) fn findings(knowledge: &[RoleKnowledge], description: &Description) -> Vec<Diagnostic> {
    let keywords = &description.keywords;
    let mut found = Vec::new();
    for of_role in knowledge {
        let parts = [
            (&of_role.moves, "GF0705", "its legal moves", keywords.legal),
            (&of_role.end, "GF0706", "whether the match is over", keywords.terminal),
            (&of_role.goal, "GF0707", "its goal at the end", keywords.goal),
        ];
        for (knows, code, what, keyword) in parts {
            let Knows::Not(confusion) = knows else { continue };
            let role = &of_role.role;
            let message = format!("`{role}` does not always know {what}");
            let place = match keyword == keywords.terminal {
                true => place(description, keyword),
                false => place_of(role, keyword, description),
            };
            let mut diagnostic = Diagnostic::warning(code, message, place);
            for (history, differs) in confusion.histories.iter().zip(&confusion.differs) {
                let history = super::explore::moves(history);
                diagnostic = diagnostic.with_help(format!("after {history}: {differs}"));
            }
            found.push(diagnostic.with_help(format!("`{role}` perceives the same in both")));
        }
    }
    found
}
