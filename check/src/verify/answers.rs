//! What is compared: the answers that a reasoner gives, or that were recorded.

use super::difference::{Difference, Subject};
use groundfrog::description::{Printer, Term};
use groundfrog::game::RoleId;
use groundfrog_reasoner::{MoveId, Reasoner, ReasonerError, State};

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
