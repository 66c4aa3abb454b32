//! The bodies of rules, sorted by what depends on moves.

use groundfrog_engine::instantiate::GroundLiteral;

use super::{Builder, NONE};
use crate::ground_rules::successor::parts::PROVISIONAL;
use crate::ground_rules::successor::patches::Effect;
use crate::network::code::{Code, FALSE, TRUE};
use groundfrog::game::AtomId;

/// The literals of a rule, sorted out.
#[derive(Default)]
pub(super) struct Body {
    pub(super) state: Vec<Code>,
    pub(super) positive: Vec<u32>,
    pub(super) negative: Vec<u32>,
}

impl Builder<'_> {
    /// Takes the common rule `(next f) <- (true f), (does r m)` the short way.
    #[inline]
    pub(super) fn frame_rule(&mut self, body: &[GroundLiteral], fluent: u32) -> bool {
        let [one, other] = body else { return false };
        if one.is_negated() || other.is_negated() {
            return false;
        }
        let (one, other) = (one.atom() as usize, other.atom() as usize);
        let own = fluent << 1;
        for (fixed, moved) in [(one, other), (other, one)] {
            let transient = self.transient_of[moved];
            if transient < self.moves
                && self.transient_of[fixed] == NONE
                && self.codes.get(AtomId(fixed as u32)) == own
            {
                self.effects.push((transient, Effect { fluent, keeps: true }));
                return true;
            }
        }
        false
    }

    /// Sorts out the literals of a rule; `false` if its body never holds.
    pub(super) fn sort_out(&mut self, body: &[GroundLiteral]) -> bool {
        self.body.state.clear();
        self.body.positive.clear();
        self.body.negative.clear();
        for &literal in body {
            let transient = self.transient_of[literal.atom() as usize];
            if transient != NONE {
                let list = if literal.is_negated() {
                    &mut self.body.negative
                } else {
                    &mut self.body.positive
                };
                list.push(transient);
                continue;
            }
            // A move of no role never is made.
            let atom = AtomId(literal.atom());
            let code = if self.dependencies.is_transient(atom)
                && self.dependencies.component_of(atom).is_none()
            {
                FALSE ^ u32::from(literal.is_negated())
            } else {
                self.codes.literal(literal)
            };
            match code {
                TRUE => {}
                FALSE => return false,
                code => self.body.state.push(code),
            }
        }
        true
    }

    fn node_code(&self, transient: u32, negated: bool) -> Code {
        // Views' nodes are numbered at the end: until then they stand behind `PROVISIONAL`.
        let node = match transient.checked_sub(self.moves) {
            Some(view) => PROVISIONAL + view,
            None => self.first_move + transient,
        };
        node << 1 | u32::from(negated)
    }

    /// The positive literal that triggers a rule: one of those known last.
    pub(super) fn trigger(&self) -> Option<u32> {
        self.body.positive.iter().copied().max_by_key(|&it| self.levels[it as usize])
    }

    /// Adds the transients of the body but the trigger to a condition. Returns whether there are any.
    pub(super) fn add_transients(&self, condition: &mut Vec<Code>, trigger: u32) -> bool {
        let before = condition.len();
        let positive = self.body.positive.iter().filter(|&&it| it != trigger);
        condition.extend(positive.map(|&it| self.node_code(it, false)));
        condition.extend(self.body.negative.iter().map(|&it| self.node_code(it, true)));
        condition.len() > before
    }
}
