//! Compiles the rules of the next state.

use super::super::atom_codes::AtomCodes;
use super::super::code::{Code, FALSE, Rows, TRUE};
use super::super::gates::Gates;
use super::super::legal::Outputs;
use super::absorb::Absorbed;
use super::groups::Groups;
use super::parts::{PROVISIONAL, Parts};
use super::patches::{Effect, patches, strikes};
use super::unfold::Unfolding;
use super::{Successor, ViewRule};
use crate::game::{AtomId, GroundGame};
use crate::reasoner::dependencies::{Dependencies, range_of};

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

/// The literals of a rule, sorted out.
#[derive(Default)]
struct Body {
    state: Vec<Code>,
    positive: Vec<u32>,
    negative: Vec<u32>,
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
        for (number, &component) in self.dependencies.components().iter().enumerate() {
            let members = self.dependencies.members(component);
            let first = members[0];
            if !needed[first.index()] || !self.dependencies.is_transient(first) {
                continue;
            }
            let rules = members.iter().flat_map(|&it| self.dependencies.rules_of(it));
            let atoms = rules.flat_map(|&it| self.game.rules().rule(it as usize).body);
            let below = atoms.filter_map(|it| {
                let transient = self.transient_of[it.atom() as usize];
                (transient != NONE).then(|| self.levels[transient as usize])
            });
            let level = below.max().unwrap_or(0) + 1;
            for &atom in members {
                self.transient_of[atom.index()] = self.levels.len() as u32;
                self.levels.push(level);
                self.components.push(if component.recursive { number as u32 } else { NONE });
            }
        }
    }

    /// Compiles all rules. Returns the result, whose views' nodes are still to be numbered.
    pub(crate) fn build(mut self) -> Successor {
        let next = range_of(self.game, crate::game::AtomKind::Next);
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
            if transient == NONE || transient < self.moves || unfolding.goes(atom as u32) {
                continue;
            }
            for &number in self.dependencies.rules_of(AtomId(atom as u32)) {
                unfolding.for_each_body(self.game.rules().rule(number as usize).body, |body| {
                    if self.sort_out(body) {
                        self.view_rule(transient);
                    }
                });
            }
        }
        self.finish()
    }

    /// Takes the common rule `(next f) <- (true f), (does r m)` the short way.
    #[inline]
    fn frame_rule(
        &mut self,
        body: &[groundfrog_engine::instantiate::GroundLiteral],
        fluent: u32,
    ) -> bool {
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
    fn sort_out(&mut self, body: &[groundfrog_engine::instantiate::GroundLiteral]) -> bool {
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
    fn trigger(&self) -> Option<u32> {
        self.body.positive.iter().copied().max_by_key(|&it| self.levels[it as usize])
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

    /// Adds the transients of the body but the trigger to a condition. Returns whether there are any.
    fn add_transients(&self, condition: &mut Vec<Code>, trigger: u32) -> bool {
        let before = condition.len();
        let positive = self.body.positive.iter().filter(|&&it| it != trigger);
        condition.extend(positive.map(|&it| self.node_code(it, false)));
        condition.extend(self.body.negative.iter().map(|&it| self.node_code(it, true)));
        condition.len() > before
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

    fn finish(mut self) -> Successor {
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
            groups: Rows::from_pairs(transients, &self.triggers),
            conditions: self.groups.conditions,
            late: self.late,
            strikes: strikes(transients, &self.strikes),
            triggered: Rows::from_pairs(transients, &self.triggered),
            view_rules: self.view_rules,
            bodies: self.bodies,
            untriggered: Rows::from_pairs(depth, &self.untriggered),
            always: self.always,
            frames: self.frames,
            outputs,
            levels: self.levels,
            depth,
        }
    }
}

impl Builder<'_> {
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
            return Rows::from_pairs(self.levels.len(), &[]);
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
