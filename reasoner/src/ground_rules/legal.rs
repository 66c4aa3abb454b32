//! Legal moves as bits, in blocks under a common guard.
//!
//! Many games let one role move at a time: each rule for a legal move then has a literal such as
//! `(true (control white))`, and all of them would change with every turn. Such a literal is taken out of
//! the rules and guards a block of bits as a whole.

use fxhash::FxHashMap;
use groundfrog_engine::instantiate::GroundLiteral;

use super::activity::Activity;
use super::atom_codes::AtomCodes;
use super::guards::Guards;
use crate::MoveId;
use crate::dependencies::Dependencies;
use crate::network::code::{Code, TRUE, holds_or_constant};
use crate::network::gates::Gates;
use groundfrog::game::{AtomId, GroundGame, Move};

/// A literal that is in fewer rules than this is left where it is.
const GUARDED_RULES: u32 = 4;

/// The bits of moves of one role that need the same guard.
#[derive(Clone, Copy, Debug)]
struct Block {
    guard: Code,
    /// Its first word among those of its role.
    first: u32,
    words: u32,
    /// Its first word among the outputs of the network.
    outputs: u32,
}

/// A role's moves.
#[derive(Clone, Debug, Default)]
struct RoleMoves {
    words: usize,
    blocks: Vec<Block>,
    /// By bit.
    moves: Vec<MoveId>,
}

/// The legal moves of all roles.
#[derive(Clone, Debug)]
pub(crate) struct Legal {
    roles: Vec<RoleMoves>,
    /// By move: its bit.
    bits: Vec<u32>,
}

/// What is in the outputs of the network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    /// Pairs of a signed node and the bit that follows it.
    pub(crate) bits: Vec<(Code, u32)>,
    /// The bits that always hold.
    pub(crate) words: Vec<u64>,
}

impl Outputs {
    /// Room for some words; returns the first.
    pub(crate) fn reserve(&mut self, words: usize) -> u32 {
        let first = self.words.len() as u32;
        self.words.resize(self.words.len() + words, 0);
        first
    }

    /// Lets a bit follow a signed node or constant.
    pub(crate) fn connect(&mut self, code: Code, bit: u32) {
        if code < TRUE {
            self.bits.push((code, bit));
        } else if code == TRUE {
            self.words[bit as usize / 64] |= 1 << (bit % 64);
        }
    }
}

/// Which literals are conditions of each role's moves, by how many bodies have them.
fn frequencies<'run>(
    game: &GroundGame,
    bodies: &impl Fn(MoveId) -> Vec<&'run [GroundLiteral]>,
    guards: &Guards,
) -> Vec<FxHashMap<GroundLiteral, u32>> {
    let mut counts = vec![FxHashMap::default(); game.roles().len()];
    for (number, it) in (0u32..).zip(game.moves()) {
        for body in bodies(MoveId(number)) {
            for literal in conditions(guards, body) {
                *counts[it.role.index()].entry(literal).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// The conditions of a move that may guard it: a single one is all that is to be known of it.
fn conditions<'run>(
    guards: &'run Guards,
    body: &'run [GroundLiteral],
) -> impl Iterator<Item = GroundLiteral> + 'run {
    let several = guards.conditions(body).nth(1).is_some();
    guards.conditions(body).filter(move |_| several)
}

impl Legal {
    /// Compiles the rules of legal moves. Moves whose legal atom is read by other rules are nodes.
    pub(crate) fn new(
        game: &GroundGame,
        dependencies: &Dependencies,
        is_node: impl Fn(AtomId) -> bool,
        gates: &mut Gates,
        codes: &mut AtomCodes,
        outputs: &mut Outputs,
    ) -> Self {
        let own_literal = |it: &Move| Some(GroundLiteral::new(it.legal?.0, false));
        let literals: Vec<Option<GroundLiteral>> = game.moves().iter().map(own_literal).collect();
        let bodies = |it: MoveId| match &literals[it.index()] {
            Some(legal) if is_node(AtomId(legal.atom())) => vec![std::slice::from_ref(legal)],
            Some(legal) => {
                let rules = dependencies.rules_of(AtomId(legal.atom())).iter();
                rules.map(|&it| game.rules().rule(it as usize).body).collect()
            }
            None => Vec::new(),
        };
        let counts = frequencies(game, &bodies, &codes.guards);
        let guard_of = |guards: &Guards, role: usize, body: &[GroundLiteral]| {
            let count = |it: &GroundLiteral| counts[role].get(it).copied().unwrap_or(0);
            let best = conditions(guards, body).max_by_key(|it| (count(it), *it))?;
            (count(&best) >= GUARDED_RULES).then_some(best)
        };
        let mut roles = vec![RoleMoves::default(); game.roles().len()];
        let mut of_role = vec![Vec::new(); game.roles().len()];
        for (number, it) in (0..).zip(game.moves()) {
            of_role[it.role.index()].push(MoveId(number));
        }
        let mut bits = vec![0; game.moves().len()];
        for (role, compiled) in roles.iter_mut().enumerate() {
            let primary = |it: MoveId| {
                bodies(it).first().and_then(|body| guard_of(&codes.guards, role, body))
            };
            let mut own = std::mem::take(&mut of_role[role]);
            own.sort_by_cached_key(|&it| primary(it));
            compiled.words = own.len().div_ceil(64);
            compiled.moves = own;
            let mut entries: Vec<(Code, u32, Code)> = Vec::new();
            let mut inputs = Vec::new();
            for (bit, it) in compiled.moves.iter().enumerate() {
                bits[it.index()] = bit as u32;
                let mut by_guard: Vec<(Code, Vec<Code>)> = Vec::new();
                for body in bodies(*it) {
                    let guard = guard_of(&codes.guards, role, body);
                    let rest = codes.conjunction(gates, body, guard, &mut inputs);
                    let guard = guard.map(|it| codes.conjunction(gates, &[it], None, &mut inputs));
                    let guard = guard.unwrap_or(TRUE);
                    match by_guard.iter_mut().find(|(other, _)| *other == guard) {
                        Some((_, bodies)) => bodies.push(rest),
                        None => by_guard.push((guard, vec![rest])),
                    }
                }
                for (guard, mut bodies) in by_guard {
                    entries.push((guard, bit as u32, gates.or(&mut bodies)));
                }
            }
            compiled.blocks = blocks(entries, outputs);
        }
        Legal { roles, bits }
    }

    /// The number of words of a role's moves.
    pub(crate) fn words(&self, role: usize) -> usize {
        self.roles[role].words
    }

    /// Writes the legal moves of a role as bits.
    pub(crate) fn collect(&self, role: usize, activity: &Activity, bits: &mut [u64]) {
        let role = &self.roles[role];
        let bits = &mut bits[..role.words];
        bits.fill(0);
        for block in &role.blocks {
            if holds_or_constant(block.guard, &activity.values) {
                let from = block.outputs as usize..(block.outputs + block.words) as usize;
                let to = block.first as usize..(block.first + block.words) as usize;
                for (to, from) in bits[to].iter_mut().zip(&activity.outputs[from]) {
                    *to |= from;
                }
            }
        }
    }

    /// The legal moves of a role, if a single block has them: its words, and the first bit.
    #[inline]
    pub(crate) fn single_block<'a>(
        &self,
        role: usize,
        activity: &'a Activity,
    ) -> Option<(&'a [u64], u32)> {
        let mut active = None;
        for block in &self.roles[role].blocks {
            if holds_or_constant(block.guard, &activity.values) {
                if active.is_some() {
                    return None;
                }
                active = Some(block);
            }
        }
        let block = active?;
        let words = block.outputs as usize..(block.outputs + block.words) as usize;
        Some((&activity.outputs[words], block.first * 64))
    }

    /// The move of a bit.
    #[inline]
    pub(crate) fn move_at(&self, role: usize, bit: u32) -> MoveId {
        self.roles[role].moves[bit as usize]
    }

    /// What blocks are guarded by.
    pub(crate) fn guards(&self) -> impl Iterator<Item = Code> {
        self.roles.iter().flat_map(|role| &role.blocks).map(|block| block.guard)
    }

    /// The bit of a move among those of its role.
    pub(crate) fn bit_of(&self, it: MoveId) -> u32 {
        self.bits[it.index()]
    }
}

/// Groups entries of (guard, bit of the role, code) by guard.
fn blocks(entries: Vec<(Code, u32, Code)>, outputs: &mut Outputs) -> Vec<Block> {
    let mut guards: Vec<Code> = Vec::new();
    let mut numbers: FxHashMap<Code, usize> = FxHashMap::default();
    let mut of_guard: Vec<Vec<(u32, Code)>> = Vec::new();
    for (guard, bit, code) in entries {
        let number = *numbers.entry(guard).or_insert_with(|| {
            guards.push(guard);
            of_guard.push(Vec::new());
            guards.len() - 1
        });
        of_guard[number].push((bit, code));
    }
    let block = |(guard, bits): (Code, Vec<(u32, Code)>)| {
        let first = bits.iter().map(|&(bit, _)| bit / 64).min().expect("made with a bit");
        let last = bits.iter().map(|&(bit, _)| bit / 64).max().expect("made with a bit");
        let words = last - first + 1;
        let start = outputs.reserve(words as usize);
        for (bit, code) in bits {
            outputs.connect(code, start * 64 + bit - first * 64);
        }
        Block { guard, first, words, outputs: start }
    };
    guards.into_iter().zip(of_guard).map(block).collect()
}
