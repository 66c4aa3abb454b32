//! A game against another one with the same roles and moves, by what players can tell: legal moves, percepts, ends and goals.

use groundfrog::RoleId;
use groundfrog::description::{Description, Printer};
use groundfrog::kif::Diagnostic;

use super::{Reason, ReasonKind, place};
use crate::explore::{self, SampleOptions};
use crate::verify::Subject;
use groundfrog_reasoner::{
    Case, GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State, Vocabulary as _,
};

/// What came of a comparison.
pub(super) enum Comparison {
    Same,
    Late,
    Disagreement(Box<Disagreement>),
}

/// Where two games first differ.
pub(super) struct Disagreement {
    subject: Subject,
    role: String,
    tested: Vec<String>,
    other: Vec<String>,
    /// The joint moves to the state where they differ.
    way: Vec<Vec<String>>,
}

impl Disagreement {
    pub(super) fn reason(&self, description: &Description) -> Reason {
        let keywords = &description.keywords;
        let (predicate, what) = match self.subject {
            Subject::Legal => (keywords.legal, "legal"),
            Subject::Goal => (keywords.goal, "goal"),
            Subject::Percepts => (keywords.sees, "sees"),
            Subject::Initial => (keywords.role, "role"),
            Subject::Terminal | Subject::Next => (keywords.terminal, "terminal"),
        };
        let missing = self.other.iter().find(|it| !self.tested.contains(it));
        let (it, verb) = match missing {
            Some(it) => (Some(it), "should hold and does not"),
            None => {
                (self.tested.iter().find(|it| !self.other.contains(it)), "holds and should not")
            }
        };
        let words = [what, &self.role, it.map_or("", String::as_str)];
        let words: Vec<&str> = words.into_iter().filter(|it| !it.is_empty()).collect();
        let atom = if let [single] = words[..] {
            single.to_owned()
        } else {
            format!("({})", words.join(" "))
        };
        let message = format!("{atom} {verb}, by the reference game");
        let span = place::statement_about(description, predicate, &atom);
        let way = explore::moves(&self.way);
        let finding =
            Diagnostic::error("", message, span).with_help(format!("the way there: {way}"));
        Reason { kind: ReasonKind::Reference, finding, edits: Vec::new() }
    }
}

/// Plays random matches of the reference and follows them by the rules that are tested.
pub(super) fn compare(
    tested: &mut GroundReasoner,
    other: &mut GroundReasoner,
    options: &SampleOptions,
    is_late: &dyn Fn() -> bool,
) -> Result<Comparison, ReasonerError> {
    let names =
        |it: &GroundReasoner| it.role_ids().map(|role| it.role_text(role)).collect::<Vec<_>>();
    let (own, expected) = (names(tested), names(other));
    let mut pairs = Vec::new();
    for (role, name) in other.role_ids().zip(&expected) {
        match tested.find_role(name, Case::Exact) {
            Some(own) => pairs.push((own, role, name.clone())),
            None => return Ok(Disagreement::of_roles(own, expected)),
        }
    }
    if own.len() != expected.len() {
        return Ok(Disagreement::of_roles(own, expected));
    }
    let mut random = Random::new(options.seed);
    for _ in 0..options.playouts {
        let mut run = Run { tested, other, pairs: &pairs, way: Vec::new() };
        if let Some(difference) = run.playout(options.max_length, &mut random, is_late)? {
            return Ok(difference);
        }
    }
    Ok(Comparison::Same)
}

impl Disagreement {
    fn of_roles(tested: Vec<String>, other: Vec<String>) -> Comparison {
        let (role, way) = (String::new(), Vec::new());
        Comparison::Disagreement(Box::new(Disagreement {
            subject: Subject::Initial,
            role,
            tested,
            other,
            way,
        }))
    }
}

/// One match of both games.
struct Run<'run> {
    tested: &'run mut GroundReasoner,
    other: &'run mut GroundReasoner,
    /// The roles of both, and their names.
    pairs: &'run [(RoleId, RoleId, String)],
    way: Vec<Vec<String>>,
}

impl Run<'_> {
    fn playout(
        &mut self,
        max_length: u32,
        random: &mut Random,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Option<Comparison>, ReasonerError> {
        let mut own = self.tested.initial().clone();
        let mut expected = self.other.initial().clone();
        for _ in 0..max_length {
            if is_late() {
                return Ok(Some(Comparison::Late));
            }
            let terminal = (self.tested.is_terminal(&own)?, self.other.is_terminal(&expected)?);
            if terminal.0 != terminal.1 {
                let holds = |it| if it { vec![String::new()] } else { Vec::new() };
                return Ok(self.difference(
                    Subject::Terminal,
                    "",
                    holds(terminal.0),
                    holds(terminal.1),
                ));
            }
            let pairs = self.pairs;
            let (mut made, mut followed) =
                (vec![MoveId(0); pairs.len()], vec![MoveId(0); pairs.len()]);
            for (one, two, name) in pairs {
                if terminal.1 {
                    let values =
                        (goals(self.tested, &own, *one)?, goals(self.other, &expected, *two)?);
                    if values.0 != values.1 {
                        return Ok(self.difference(Subject::Goal, name, values.0, values.1));
                    }
                    continue;
                }
                let (mine, _) = legal(self.tested, &own, *one)?;
                let (theirs, numbers) = legal(self.other, &expected, *two)?;
                if mine != theirs {
                    return Ok(self.difference(Subject::Legal, name, mine, theirs));
                }
                if theirs.is_empty() {
                    return Ok(None);
                }
                let drawn = (random.next_word() % theirs.len() as u64) as usize;
                made[two.index()] = numbers[drawn];
                let found = self.tested.find_move(*one, &theirs[drawn]);
                followed[one.index()] = found.expect("a legal move is one of the role");
            }
            if terminal.1 {
                return Ok(None);
            }
            self.way.push(made.iter().map(|&it| self.other.move_text(it)).collect());
            let seen =
                (self.tested.percepts(&own, &followed)?, self.other.percepts(&expected, &made)?);
            for (one, two, name) in pairs {
                let text = |reasoner: &GroundReasoner, terms: &[groundfrog::Term]| {
                    let printer = Printer::new(reasoner.symbols());
                    let mut texts: Vec<String> =
                        terms.iter().map(|it| printer.term(it).to_string()).collect();
                    texts.sort_unstable();
                    texts
                };
                let mine = text(self.tested, &seen.0[one.index()]);
                let theirs = text(self.other, &seen.1[two.index()]);
                if mine != theirs {
                    return Ok(self.difference(Subject::Percepts, name, mine, theirs));
                }
            }
            let (mut next, mut after) = (State::default(), State::default());
            self.tested.next_state(&own, &followed, &mut next)?;
            self.other.next_state(&expected, &made, &mut after)?;
            (own, expected) = (next, after);
        }
        Ok(None)
    }

    fn difference(
        &mut self,
        subject: Subject,
        role: &str,
        tested: Vec<String>,
        other: Vec<String>,
    ) -> Option<Comparison> {
        let (role, way) = (role.to_owned(), std::mem::take(&mut self.way));
        Some(Comparison::Disagreement(Box::new(Disagreement { subject, role, tested, other, way })))
    }
}

/// The goal values of a role, ascending, as text.
fn goals(
    reasoner: &mut GroundReasoner,
    state: &State,
    role: RoleId,
) -> Result<Vec<String>, ReasonerError> {
    let mut values = Vec::new();
    reasoner.goal_values(state, role, &mut values)?;
    values.sort_unstable();
    Ok(values.iter().map(i64::to_string).collect())
}

/// The legal moves of a role, sorted by their text, and their numbers.
fn legal(
    reasoner: &mut GroundReasoner,
    state: &State,
    role: RoleId,
) -> Result<(Vec<String>, Vec<MoveId>), ReasonerError> {
    let mut moves = Vec::new();
    reasoner.legal_moves(state, role, &mut moves)?;
    let mut all: Vec<(String, MoveId)> =
        moves.into_iter().map(|it| (reasoner.move_text(it), it)).collect();
    all.sort_unstable();
    Ok(all.into_iter().unzip())
}
