//! What an investigation has found, for people and for other programs.

use groundfrog::game::AtomId;
use groundfrog_reasoner::{GroundReasoner, MoveId, Vocabulary};

use super::{Investigation, Task};
use crate::analysis::{Finding, Verdict};
use crate::induction::Outcome;
use crate::measure;
use crate::obligation::{Obligation, obligations, refutation};
use crate::property::{Claim, Property};

impl Investigation<'_> {
    pub(super) fn ending(&self, reasoner: &GroundReasoner) -> Finding {
        let moves =
            self.measure.as_ref().and_then(|it| measure::longest_match(it, &self.groups().0));
        let repetition = self.sample.repetition().map(|position| self.sample.way(position, false));
        let (moves, verdict) = match (&self.measure, &self.known_end, repetition) {
            (Some(_), ..) => (moves, Verdict::Proved),
            (None, Some(Ok(longest)), _) => (Some(*longest), Verdict::Proved),
            (None, Some(Err(way)), _) => {
                (None, Verdict::Refuted { moves: self.texts(way, reasoner) })
            }
            (None, None, Some(way)) => {
                (None, Verdict::Refuted { moves: self.texts(&way, reasoner) })
            }
            (None, None, None) => (None, Verdict::Unknown { state: None }),
        };
        Finding { property: Property::Terminating { moves }, verdict }
    }

    /// What was proved: of the tasks, those that are wanted.
    pub(super) fn proved(&self, is_wanted: impl Fn(&Task) -> bool) -> Vec<(Property, Claim)> {
        let is_proved = |task: &&Task| task.outcome == Outcome::Proved && is_wanted(task);
        let claims = self.tasks.iter().filter(is_proved);
        let mut claims: Vec<(Property, Claim)> =
            claims.map(|task| (task.property.clone(), task.claim.clone())).collect();
        if let Some(measure) = &self.measure {
            let property = Property::Terminating { moves: None };
            claims.push((property, Claim::grows(measure)));
        }
        claims.extend(self.of_steps.iter().cloned());
        claims
    }

    pub(super) fn obligations(&self, claims: &[(Property, Claim)]) -> Vec<Obligation> {
        let mut found = obligations(self.game, &self.prover.proofs, claims);
        for task in &self.tasks {
            if let Outcome::Refuted(way) = &task.outcome {
                found.extend(refutation(self.game, &task.property, &task.claim, way));
            }
        }
        found
    }

    pub(super) fn family_findings(&self, reasoner: &GroundReasoner) -> Vec<Finding> {
        let mut findings = Vec::new();
        for &(at_most, at_least) in &self.of_family {
            let (at_most, at_least) = (&self.tasks[at_most], at_least.map(|it| &self.tasks[it]));
            match (&at_most.outcome, at_least) {
                (Outcome::Proved, None) => findings.push(self.finding(at_most, reasoner)),
                (Outcome::Proved, Some(at_least)) => {
                    if at_least.outcome != Outcome::Proved {
                        findings.push(self.finding(at_most, reasoner));
                    }
                    findings.push(self.finding(at_least, reasoner));
                }
                // Where several can hold, just one does not.
                (_, _) => findings.push(self.finding(at_most, reasoner)),
            }
        }
        findings
    }

    pub(super) fn finding(&self, task: &Task, reasoner: &GroundReasoner) -> Finding {
        let verdict = match &task.outcome {
            Outcome::Proved => Verdict::Proved,
            Outcome::Refuted(way) => Verdict::Refuted { moves: self.texts(way, reasoner) },
            Outcome::Unknown(state) => {
                let text = |fluent: &AtomId| self.fluent_text(*fluent);
                let state = state.as_ref().map(|state| state.iter().map(text).collect());
                Verdict::Unknown { state }
            }
        };
        Finding { property: task.property.clone(), verdict }
    }

    pub(super) fn texts(&self, way: &[Vec<usize>], reasoner: &GroundReasoner) -> Vec<Vec<String>> {
        let text = |made: &usize| reasoner.move_text(MoveId(*made as u32));
        way.iter().map(|joint| joint.iter().map(text).collect()).collect()
    }

    pub(super) fn fluent_text(&self, fluent: AtomId) -> String {
        let term = self.game.atom(fluent).arguments().into_iter().next();
        let printer = groundfrog::description::Printer::new(self.game.symbols());
        term.map_or_else(String::new, |term| printer.term(&term).to_string())
    }
}
