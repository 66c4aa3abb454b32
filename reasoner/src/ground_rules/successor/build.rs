//! Compiles what depends on moves to the next state, and effects of moves to masks over words.

use fxhash::FxHashMap;
use groundfrog_engine::rows::Rows;

use super::substitution::{Collection, Substitutions};
use super::{Patch, Successor, ViewRule};
use crate::ground_rules::legal::Outputs;
use crate::ground_rules::transients::{NONE, Transients};
use crate::network::gates::{ACYCLIC, Extract};
use crate::network::{Code, Network};
use crate::tuning::MOST_PLANES;

/// The literals of a rule, sorted out: nodes of the state, and transients.
#[derive(Default)]
struct Body {
    state: Vec<Code>,
    positive: Vec<u32>,
    negative: Vec<u32>,
}

/// Compiles rules one by one.
pub(super) struct SuccessorBuilder<'run, 'gates> {
    pub(super) transients: &'run Transients<'run>,
    gates: &'run mut Extract<'gates>,
    outputs: &'run mut Outputs,
    /// What is built.
    pub(super) successor: Successor,
    pub(super) effects: Vec<(u32, Effect)>,
    groups: FxHashMap<(u32, Vec<Code>), u32>,
    pub(super) triggers: Vec<(u32, u32)>,
    pub(super) strikes: Vec<(u32, u32)>,
    pub(super) triggered: Vec<(u32, u32)>,
    pub(super) untriggered: Vec<(u32, u32)>,
    planes_of: Vec<u8>,
    /// Bits of planes and what they follow.
    followed: Vec<(u32, Code)>,
    body: Body,
}

/// Compiles the next state of a network, whose gates that do not depend on moves are extracted.
pub(in super::super) fn build<'run>(
    network: &Network,
    transients: &'run Transients<'run>,
    gates: &'run mut Extract<'_>,
    outputs: &'run mut Outputs,
) -> Successor {
    let (words, levels) = (network.fluents().div_ceil(64), transients.levels.clone());
    let mut builder = SuccessorBuilder {
        transients,
        gates,
        outputs,
        successor: Successor {
            words,
            first: network.fluents() as u32,
            depth: levels.iter().max().map_or(1, |&level| level as usize + 1),
            levels,
            frames: vec![0; words],
            ..Successor::default()
        },
        effects: Vec::new(),
        groups: FxHashMap::default(),
        triggers: Vec::new(),
        strikes: Vec::new(),
        triggered: Vec::new(),
        untriggered: Vec::new(),
        planes_of: vec![0; network.fluents()],
        followed: Vec::new(),
        body: Body::default(),
    };
    let substitutions = Substitutions::new(transients);
    for fluent in 0..network.fluents() {
        let first = builder.followed.len();
        for rule in transients.next_rules(fluent) {
            substitutions.for_each_rule(rule, |rule| {
                builder.sort_out(rule);
                builder.fluent_rule(fluent as u32);
            });
        }
        builder.join_unmoved(fluent as u32, first);
    }
    for view in 0..transients.views.len() {
        for rule in substitutions.rules(view) {
            substitutions.for_each_rule(rule, |rule| {
                builder.sort_out(rule);
                builder.view_rule((network.moves.len() + view) as u32);
            });
        }
    }
    builder.finish()
}

impl SuccessorBuilder<'_, '_> {
    fn sort_out(&mut self, rule: &[Code]) {
        self.body.state.clear();
        self.body.positive.clear();
        self.body.negative.clear();
        for &code in rule {
            match self.transients.number(code) {
                None => self.body.state.push(self.gates.code(code)),
                Some(number) if code & 1 == 0 => self.body.positive.push(number),
                Some(number) => self.body.negative.push(number),
            }
        }
    }

    /// The positive literal that triggers a rule: one of those known last.
    fn trigger(&self) -> Option<u32> {
        let level = |&number: &u32| self.transients.levels[number as usize];
        self.body.positive.iter().copied().max_by_key(level)
    }

    /// Adds the transients of the body but the trigger to a condition. Returns whether there are any.
    fn add_transients(&self, condition: &mut Vec<Code>, trigger: u32) -> bool {
        let before = condition.len();
        let positive = self.body.positive.iter().filter(|&&number| number != trigger);
        condition.extend(positive.map(|&number| (self.successor.first + number) << 1));
        condition.extend(
            self.body.negative.iter().map(|&number| (self.successor.first + number) << 1 | 1),
        );
        condition.len() > before
    }

    /// The conditional group of a trigger and a condition, as a row of effects.
    fn group(&mut self, trigger: u32, mut condition: Vec<Code>, late: bool) -> u32 {
        condition.sort_unstable();
        let next = self.groups.len() as u32;
        let group =
            *self.groups.entry((trigger, condition)).or_insert_with_key(|(_, condition)| {
                self.successor.conditions.push(condition.iter().copied());
                self.successor.late.push(late);
                match trigger {
                    NONE => self.successor.always.push(next),
                    trigger => self.triggers.push((trigger, next)),
                }
                next
            });
        self.transients.levels.len() as u32 + group
    }

    fn fluent_rule(&mut self, fluent: u32) {
        let own = fluent << 1;
        let Some(trigger) = self.trigger() else { return self.unless_moved(fluent) };
        let before = self.body.state.len();
        self.body.state.retain(|&code| code != own);
        let keeps = self.body.state.len() < before;
        let mut condition = std::mem::take(&mut self.body.state);
        let late = self.add_transients(&mut condition, trigger);
        let row = if condition.is_empty() { trigger } else { self.group(trigger, condition, late) };
        self.effects.push((row, Effect { fluent, keeps }));
    }

    /// A rule without positive literals that depend on moves.
    fn unless_moved(&mut self, fluent: u32) {
        let mut state = std::mem::take(&mut self.body.state);
        let plane = if self.body.negative.is_empty() {
            0
        } else {
            let planes = &mut self.planes_of[fluent as usize];
            *planes = planes.saturating_add(1);
            usize::from(*planes)
        };
        if plane > MOST_PLANES {
            self.add_transients(&mut state, NONE);
            let row = self.group(NONE, state, true);
            return self.effects.push((row, Effect { fluent, keeps: false }));
        }
        if self.successor.frames.len() <= plane * self.successor.words {
            self.successor.frames.resize((plane + 1) * self.successor.words, 0);
        }
        let bit = (plane * self.successor.words * 64) as u32 + fluent;
        if state == [fluent << 1] {
            self.successor.frames[bit as usize / 64] |= 1 << (bit % 64);
        } else {
            self.followed.push((bit, self.gates.and(&mut state)));
        }
        let struck = bit.wrapping_sub(self.successor.words as u32 * 64);
        self.strikes.extend(self.body.negative.iter().map(|&number| (number, struck)));
    }

    /// Lets the bit of plane 0 follow all that a fluent follows there, which stands from `first` on.
    fn join_unmoved(&mut self, fluent: u32, first: usize) {
        let (unmoved, others): (Vec<_>, Vec<_>) =
            self.followed.drain(first..).partition(|&(bit, _)| bit == fluent);
        self.followed.extend(others);
        if !unmoved.is_empty() {
            let mut inputs = unmoved.into_iter().map(|(_, code)| code).collect();
            self.followed.push((fluent, self.gates.or(&mut inputs)));
        }
    }

    fn view_rule(&mut self, head: u32) {
        let component = self.transients.components[head as usize];
        let is_inside = |&number: &u32| {
            component != ACYCLIC && self.transients.components[number as usize] == component
        };
        // Within a recursion each of its views triggers the rule, and none waits.
        let inside = self.body.positive.iter().copied().filter(is_inside);
        let inside: Vec<Option<u32>> = inside.map(Some).collect();
        let triggers = if inside.is_empty() { vec![self.trigger()] } else { inside.clone() };
        for trigger in triggers {
            let mut body = self.body.state.clone();
            let reads_transients = self.add_transients(&mut body, trigger.unwrap_or(NONE));
            let rule = self.successor.view_rules.len() as u32;
            self.successor
                .view_rules
                .push(ViewRule { head, waits: reads_transients && inside.is_empty() });
            self.successor.bodies.push(body);
            match trigger {
                Some(trigger) => self.triggered.push((trigger, rule)),
                None => {
                    let level = self.transients.levels[head as usize];
                    self.untriggered.push((level, rule));
                }
            }
        }
    }

    /// The result, when all rules are compiled.
    fn finish(mut self) -> Successor {
        let collection = Collection::new(&self);
        self.triggered
            .retain(|&(_, rule)| !collection.drops(self.successor.view_rules[rule as usize].head));
        let outputs = self.outputs.reserve(self.successor.frames.len());
        for &(bit, code) in &self.followed {
            self.outputs.connect(code, outputs * 64 + bit);
        }
        let (transients, groups) = (self.transients.levels.len(), self.successor.late.len());
        let rows = |pairs: &[(u32, u32)]| {
            Rows::from_pairs(transients, collection.spread(pairs).into_iter())
        };
        Successor {
            patches: patches(transients + groups, &collection.spread(&self.effects)),
            groups: rows(&self.triggers),
            strikes: strikes(transients, &collection.spread(&self.strikes)),
            triggered: rows(&self.triggered),
            untriggered: Rows::from_pairs(self.successor.depth, self.untriggered.iter().copied()),
            outputs,
            ..self.successor
        }
    }
}

/// A fluent that a transient or a group adds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effect {
    pub(super) fluent: u32,
    /// Only if it holds already.
    pub(super) keeps: bool,
}

/// The effects of each row as patches.
fn patches(rows: usize, effects: &[(u32, Effect)]) -> Rows<Patch> {
    by_word(
        rows,
        effects,
        |effect| effect.fluent,
        |word, effects| {
            let mut patch = Patch { word, ..Patch::default() };
            for effect in effects {
                let mask = if effect.keeps { &mut patch.keep } else { &mut patch.set };
                *mask |= 1 << (effect.fluent % 64);
            }
            patch
        },
    )
}

/// Pairs of a transient and a bit as words.
fn strikes(transients: usize, pairs: &[(u32, u32)]) -> Rows<(u32, u64)> {
    by_word(
        transients,
        pairs,
        |&bit| bit,
        |word, bits| (word, bits.iter().fold(0, |mask, bit| mask | 1 << (bit % 64))),
    )
}

/// Rows of what becomes of the items of each word.
fn by_word<T: Copy + Default, P>(
    rows: usize,
    pairs: &[(u32, T)],
    bit: impl Fn(&T) -> u32,
    join: impl Fn(u32, &[T]) -> P,
) -> Rows<P> {
    let mut joined = Rows::default();
    let mut items: Vec<T> = Vec::new();
    for row in Rows::from_pairs(rows, pairs.iter().copied()).iter() {
        items.clear();
        items.extend_from_slice(row);
        items.sort_unstable_by_key(&bit);
        let words = items.chunk_by(|one, other| bit(one) / 64 == bit(other) / 64);
        joined.push(words.map(|items| join(bit(&items[0]) / 64, items)));
    }
    joined
}
