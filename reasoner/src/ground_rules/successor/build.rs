//! Compiles the rules of the next state.

mod body;
mod finish;

use self::body::Body;
use super::super::atom_codes::AtomCodes;
use super::super::legal::Outputs;
use super::groups::Groups;
use super::patches::Effect;
use super::unfold::Unfolding;
use super::{Successor, ViewRule};
use crate::dependencies::{Dependencies, range_of};
use crate::network::code::Code;
use crate::network::gates::Gates;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_engine::rows::Rows;

/// Rules that hold unless a move prevents them have a plane each, per fluent; the rest is always evaluated.
const MAX_PLANES: usize = 8;

const NONE: u32 = u32::MAX;

/// Compiles rules one by one.
pub(crate) struct Builder<'run> {
    game: &'run GroundGame,
    dependencies: &'run Dependencies,
    codes: &'run AtomCodes,
    gates: &'run mut Gates,
    outputs: &'run mut Outputs,
    words: usize,
    moves: u32,
    first_move: u32,
    /// By atom: its transient.
    transient_of: Vec<u32>,
    levels: Vec<u32>,
    /// By transient: its recursive component.
    components: Vec<u32>,
    effects: Vec<(u32, Effect)>,
    groups: Groups,
    triggers: Vec<(u32, u32)>,
    late: Vec<bool>,
    always: Vec<u32>,
    strikes: Vec<(u32, u32)>,
    triggered: Vec<(u32, u32)>,
    view_rules: Vec<ViewRule>,
    bodies: Rows<Code>,
    untriggered: Vec<(u32, u32)>,
    frames: Vec<u64>,
    planes_of: Vec<u8>,
    /// Bits of planes and what they follow.
    followed: Vec<(u32, Code)>,
    /// The fluents' conditions that do not depend on moves.
    unmoved: Vec<(u32, Code)>,
    body: Body,
}

impl<'run> Builder<'run> {
    /// A builder for a game whose needed views that do not depend on moves are compiled.
    pub(crate) fn new(
        game: &'run GroundGame,
        dependencies: &'run Dependencies,
        needed: &[bool],
        codes: &'run AtomCodes,
        gates: &'run mut Gates,
        outputs: &'run mut Outputs,
    ) -> Self {
        let fluents = game.fluents().len();
        let words = fluents.div_ceil(64);
        let mut builder = Builder {
            game,
            dependencies,
            codes,
            gates,
            outputs,
            words,
            moves: game.moves().len() as u32,
            first_move: fluents as u32,
            transient_of: vec![NONE; game.atom_count()],
            levels: vec![0; game.moves().len()],
            components: vec![NONE; game.moves().len()],
            effects: Vec::with_capacity(dependencies.next_rules().len()),
            groups: Groups::default(),
            triggers: Vec::new(),
            late: Vec::new(),
            always: Vec::new(),
            strikes: Vec::new(),
            triggered: Vec::new(),
            view_rules: Vec::new(),
            bodies: Rows::default(),
            untriggered: Vec::new(),
            frames: vec![0; words],
            planes_of: vec![0; fluents],
            followed: Vec::new(),
            unmoved: Vec::new(),
            body: Body::default(),
        };
        for (number, it) in game.moves().iter().enumerate() {
            builder.transient_of[it.does.index()] = number as u32;
        }
        builder.number_views(needed);
        builder
    }

    fn number_views(&mut self, needed: &[bool]) {
        for component in self.dependencies.components() {
            let members = self.dependencies.members(component);
            let first = self.dependencies.first(component);
            let recursive = self.dependencies.is_recursive(component);
            if !needed[first.index()] || !self.dependencies.is_transient(first) {
                continue;
            }
            let rules = members.clone().flat_map(|it| self.dependencies.rules_of(it));
            let atoms = rules.flat_map(|&it| self.game.rules().rule(it as usize).body);
            let below = atoms.filter_map(|it| {
                let transient = self.transient_of[it.atom() as usize];
                (transient != NONE).then(|| self.levels[transient as usize])
            });
            let level = below.max().unwrap_or(0) + 1;
            for atom in members {
                self.transient_of[atom.index()] = self.levels.len() as u32;
                self.levels.push(level);
                self.components.push(if recursive { component as u32 } else { NONE });
            }
        }
    }

    /// Compiles all rules. Returns the result, whose views' nodes are still to be numbered.
    pub(crate) fn build(mut self) -> Successor {
        let next = range_of(self.game, groundfrog::game::AtomKind::Next);
        let mut fluent_of = vec![NONE; next.len()];
        for (number, fluent) in self.game.fluents().enumerate() {
            if let Some(atom) = self.game.next(fluent) {
                fluent_of[(atom.0 - next.start) as usize] = number as u32;
            }
        }
        let unfolding = Unfolding::new(self.game, self.dependencies, |atom| {
            let transient = self.transient_of[atom as usize];
            transient != NONE && transient >= self.moves
        });
        for &number in self.dependencies.next_rules() {
            let rule = self.game.rules().rule(number as usize);
            let fluent = fluent_of[(rule.head - next.start) as usize];
            if fluent == NONE {
                continue;
            }
            unfolding.for_each_body(rule.body, |body| {
                if !self.frame_rule(body, fluent) && self.sort_out(body) {
                    self.fluent_rule(fluent);
                }
            });
        }
        // Where rules read `next`, it is a view like others.
        for (number, fluent) in self.game.fluents().enumerate() {
            let Some(atom) = self.game.next(fluent) else { continue };
            if self.dependencies.component_of(atom).is_none() {
                continue;
            }
            let number = number as u32;
            match self.transient_of[atom.index()] {
                NONE => self.unmoved.push((number, self.codes.get(atom))),
                transient => {
                    self.effects.push((transient, Effect { fluent: number, keeps: false }))
                }
            }
        }
        for atom in 0..self.transient_of.len() {
            let transient = self.transient_of[atom];
            if transient == NONE || transient < self.moves {
                continue;
            }
            let rules = self.dependencies.rules_of(AtomId(atom as u32)).iter();
            for &number in rules.filter(|&&it| !unfolding.unfolds(it)) {
                unfolding.for_each_body(self.game.rules().rule(number as usize).body, |body| {
                    if self.sort_out(body) {
                        self.view_rule(transient);
                    }
                });
            }
        }
        self.finish()
    }

    fn fluent_rule(&mut self, fluent: u32) {
        let own = fluent << 1;
        let Some(trigger) = self.trigger() else {
            return self.unless_moved(fluent);
        };
        let before = self.body.state.len();
        self.body.state.retain(|&code| code != own);
        let keeps = self.body.state.len() < before;
        let mut condition = std::mem::take(&mut self.body.state);
        let late = self.add_transients(&mut condition, trigger);
        condition.sort_unstable();
        let row = if condition.is_empty() {
            trigger
        } else {
            let (group, new) = self.groups.intern(trigger, &condition);
            if new {
                self.triggers.push((trigger, group));
                self.late.push(late);
            }
            self.levels.len() as u32 + group
        };
        self.effects.push((row, Effect { fluent, keeps }));
        self.body.state = condition;
    }

    /// A rule without positive literals that depend on moves.
    fn unless_moved(&mut self, fluent: u32) {
        let own = fluent << 1;
        let mut state = std::mem::take(&mut self.body.state);
        let frame = state == [own];
        let plane = if self.body.negative.is_empty() {
            0
        } else {
            let planes = &mut self.planes_of[fluent as usize];
            *planes = planes.saturating_add(1);
            usize::from(*planes)
        };
        if plane > MAX_PLANES {
            self.add_transients(&mut state, NONE);
            let (group, new) = self.groups.intern(NONE, &state);
            if new {
                self.always.push(group);
                self.late.push(true);
            }
            let row = self.levels.len() as u32 + group;
            self.effects.push((row, Effect { fluent, keeps: false }));
        } else {
            if self.frames.len() <= plane * self.words {
                self.frames.resize((plane + 1) * self.words, 0);
            }
            let bit = (plane * self.words * 64) as u32 + fluent;
            if frame {
                self.frames[bit as usize / 64] |= 1 << (bit % 64);
            } else {
                let code = self.gates.and(&mut state);
                if plane == 0 {
                    self.unmoved.push((fluent, code));
                } else {
                    self.followed.push((bit, code));
                }
            }
            let struck = bit.wrapping_sub(self.words as u32 * 64);
            self.strikes.extend(self.body.negative.iter().map(|&it| (it, struck)));
        }
        self.body.state = state;
    }

    fn view_rule(&mut self, head: u32) {
        let component = self.components[head as usize];
        let positive = std::mem::take(&mut self.body.positive);
        let inside: Vec<u32> = positive
            .iter()
            .copied()
            .filter(|&it| component != NONE && self.components[it as usize] == component)
            .collect();
        self.body.positive = positive;
        let state = self.body.state.clone();
        let rules = if inside.is_empty() {
            vec![self.trigger()]
        } else {
            inside.into_iter().map(Some).collect()
        };
        let recursive = rules.len() > 1
            || rules[0]
                .is_some_and(|it| component != NONE && self.components[it as usize] == component);
        for trigger in rules {
            let mut body = state.clone();
            let waits = self.add_transients(&mut body, trigger.unwrap_or(NONE)) && !recursive;
            let rule = self.view_rules.len() as u32;
            self.view_rules.push(ViewRule { head, waits });
            self.bodies.push(body);
            match trigger {
                Some(trigger) => self.triggered.push((trigger, rule)),
                None => self.untriggered.push((self.levels[head as usize], rule)),
            }
        }
    }
}
