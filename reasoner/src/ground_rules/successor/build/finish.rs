//! What comes of all rules, when they are compiled.

use super::Builder;
use crate::ground_rules::successor::Successor;
use crate::ground_rules::successor::absorb::Absorbed;
use crate::ground_rules::successor::parts::{PROVISIONAL, Parts};
use crate::ground_rules::successor::patches::{patches, strikes};
use crate::network::code::Code;
use groundfrog_engine::rows::Rows;

impl Builder<'_> {
    /// The result, when all rules are compiled.
    pub(super) fn finish(mut self) -> Successor {
        let planes = self.frames.len() / self.words.max(1);
        let outputs = self.outputs.reserve(planes * self.words);
        self.unmoved.sort_by_key(|&(fluent, _)| fluent);
        for alternatives in self.unmoved.chunk_by(|one, other| one.0 == other.0) {
            let mut inputs: Vec<Code> = alternatives.iter().map(|&(_, code)| code).collect();
            let code = self.gates.or(&mut inputs);
            self.outputs.connect(code, outputs * 64 + alternatives[0].0);
        }
        for &(bit, code) in &self.followed {
            self.outputs.connect(code, outputs * 64 + bit);
        }
        let absorbed_by = self.absorb();
        let transients = self.levels.len();
        let rows = transients + self.groups.len();
        let depth = self.levels.iter().max().map_or(1, |&it| it as usize + 1);
        Successor {
            words: self.words,
            moves: self.moves,
            first_move: self.first_move,
            first_view: PROVISIONAL,
            patches: patches(rows, &self.effects, self.words, &absorbed_by),
            groups: Rows::from_pairs(transients, self.triggers.iter().copied()),
            conditions: self.groups.conditions,
            late: self.late,
            strikes: strikes(transients, &self.strikes),
            triggered: Rows::from_pairs(transients, self.triggered.iter().copied()),
            view_rules: self.view_rules,
            bodies: self.bodies,
            untriggered: Rows::from_pairs(depth, self.untriggered.iter().copied()),
            always: self.always,
            frames: self.frames,
            outputs,
            levels: self.levels,
            depth,
        }
    }

    /// Lets moves absorb views that only collect them. Returns the absorbed views by transient.
    fn absorb(&mut self) -> Rows<u32> {
        let parts = Parts {
            moves: self.moves,
            words: self.words,
            levels: &self.levels,
            conditions: &self.groups.conditions,
            bodies: &self.bodies,
            view_rules: &self.view_rules,
            strikes: &self.strikes,
            groups: &self.triggers,
            triggered: &self.triggered,
            untriggered: &self.untriggered,
        };
        let absorbed = Absorbed::new(&parts);
        if !absorbed.pays(&parts) {
            return Rows::from_pairs(self.levels.len(), std::iter::empty());
        }
        absorbed.spread(&mut self.strikes, |_| true);
        absorbed.spread(&mut self.triggers, |_| true);
        let view_rules = &self.view_rules;
        absorbed
            .spread(&mut self.triggered, |rule| !absorbed.drops(view_rules[rule as usize].head));
        absorbed.rows(self.levels.len())
    }
}

impl Successor {
    /// Gives the views their nodes, from `first` on. Returns how many there are.
    pub(crate) fn number_views(&mut self, first: usize) -> usize {
        let shift = |code: &mut Code| {
            if *code >> 1 >= PROVISIONAL {
                *code -= (PROVISIONAL - first as u32) << 1;
            }
        };
        self.conditions.items_mut().iter_mut().for_each(shift);
        self.bodies.items_mut().iter_mut().for_each(shift);
        self.first_view = first as u32;
        self.levels.len() - self.moves as usize
    }
}
