//! Play beside a reference game: the same matches on both, move by move, as far as it is told in text. What fluents there are may differ.

use groundfrog::RoleId;
use groundfrog::description::Description;

use super::{Reason, ReasonKind, place};
use crate::explore::{self, SampleOptions};
use crate::verify::answers::{Answers, in_one_only, sorted};
use crate::verify::{Difference, Subject};
use groundfrog_reasoner::{
    Case, GroundReasoner, MoveId, Random, Reasoner, ReasonerError, State, Vocabulary as _,
};

/// What came of playing both.
pub(super) enum Comparison {
    /// No difference was met.
    Same,
    /// Time ran out.
    Late,
    Disagreement(Box<Disagreement>),
}

/// A difference, and the joint moves that lead there.
pub(super) struct Disagreement {
    difference: Difference,
    way: Vec<Vec<String>>,
}

impl Disagreement {
    pub(super) fn reason(&self, description: &Description) -> Reason {
        let finding = place::finding(&self.difference, description, "the reference game")
            .with_help(format!("the way there: {}", explore::moves(&self.way)));
        Reason { kind: ReasonKind::Reference, finding, edits: Vec::new() }
    }
}

/// Plays random matches of the reference game on both.
///
/// # Errors
/// A reasoner has no answer.
pub(super) fn compare(
    tested: &mut GroundReasoner,
    other: &mut GroundReasoner,
    options: &SampleOptions,
    is_late: &dyn Fn() -> bool,
) -> Result<Comparison, ReasonerError> {
    let names = |it: &GroundReasoner| sorted(it.role_ids().map(|role| it.role_text(role)));
    if let Some((name, expected)) = in_one_only(&names(tested), &names(other)) {
        let difference = Difference::new(Subject::Role, format!("(role {name})"), expected);
        return Ok(Comparison::Disagreement(Box::new(Disagreement {
            difference,
            way: Vec::new(),
        })));
    }
    let roles: Vec<String> = other.role_ids().map(|it| other.role_text(it)).collect();
    let order = roles.iter().filter_map(|it| tested.find_role(it, Case::Exact)).collect();
    let mut run = Run { tested, other, roles, order };
    let mut random = Random::new(options.seed);
    for _ in 0..options.playouts {
        let found = run.playout(options.max_length, &mut random, is_late)?;
        if !matches!(found, Comparison::Same) {
            return Ok(found);
        }
    }
    Ok(Comparison::Same)
}

/// Both games.
struct Run<'run> {
    tested: &'run mut GroundReasoner,
    other: &'run mut GroundReasoner,
    /// As the reference game has them.
    roles: Vec<String>,
    /// By role of the reference game: which one it is in the game that is tested.
    order: Vec<RoleId>,
}

impl Run<'_> {
    /// The answers of both, by role of the reference game.
    fn answers<T>(
        &mut self,
        mut of: impl FnMut(&mut dyn Reasoner, &T) -> Result<Answers, ReasonerError>,
        [own, expected]: [&T; 2],
    ) -> Result<[Answers; 2], ReasonerError> {
        let mut tested = of(self.tested, own)?;
        for by_role in [&mut tested.legal, &mut tested.goals, &mut tested.percepts] {
            if !by_role.is_empty() {
                let taken = |it: &RoleId| std::mem::take(&mut by_role[it.index()]);
                *by_role = self.order.iter().map(taken).collect();
            }
        }
        Ok([tested, of(self.other, expected)?])
    }

    fn playout(
        &mut self,
        max_length: u32,
        random: &mut Random,
        is_late: &dyn Fn() -> bool,
    ) -> Result<Comparison, ReasonerError> {
        let mut own = self.tested.initial().clone();
        let mut expected = self.other.initial().clone();
        let mut way: Vec<Vec<String>> = Vec::new();
        for _ in 0..max_length {
            if is_late() {
                return Ok(Comparison::Late);
            }
            let mut answers =
                self.answers(|it, state| Answers::of_state(it, state), [&own, &expected])?;
            let is_over = answers[1].terminal == Some(true);
            for it in &mut answers {
                if is_over { it.legal.clear() } else { it.goals.clear() }
            }
            if let Some(difference) = answers[0].difference(&answers[1], &self.roles) {
                return Ok(Comparison::Disagreement(Box::new(Disagreement { difference, way })));
            }
            if is_over || answers[1].legal.iter().any(Vec::is_empty) {
                return Ok(Comparison::Same);
            }
            let mut made = [vec![MoveId(0); self.roles.len()], vec![MoveId(0); self.roles.len()]];
            for (role, texts) in answers[1].legal.iter().enumerate() {
                let text = &texts[(random.next_word() % texts.len() as u64) as usize];
                let (there, here) = (RoleId(role as u32), self.order[role]);
                let found = |it: Option<MoveId>| it.expect("a legal move is one of the role");
                made[0][here.index()] = found(self.tested.find_move(here, text));
                made[1][role] = found(self.other.find_move(there, text));
            }
            way.push(made[1].iter().map(|&it| self.other.move_text(it)).collect());
            let steps = [(own, &made[0][..]), (expected, &made[1][..])];
            let mut answers = self.answers(
                |it, (state, moves)| Answers::of_step(it, state, moves),
                [&steps[0], &steps[1]],
            )?;
            answers.iter_mut().for_each(|it| it.next = None);
            if let Some(difference) = answers[0].difference(&answers[1], &self.roles) {
                return Ok(Comparison::Disagreement(Box::new(Disagreement { difference, way })));
            }
            let (mut next, mut after) = (State::default(), State::default());
            self.tested.next_state(&steps[0].0, &made[0], &mut next)?;
            self.other.next_state(&steps[1].0, &made[1], &mut after)?;
            (own, expected) = (next, after);
        }
        Ok(Comparison::Same)
    }
}
