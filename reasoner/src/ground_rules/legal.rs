//! Legal moves as bits, in blocks under a common guard.

use fxhash::FxHashMap;

use super::counters::Activity;
use super::guards::with_guards;
use crate::MoveId;
use crate::network::Network;
use crate::network::{Code, TRUE, holds_or_constant};

/// The bits of moves of one role that need the same guard.
#[derive(Clone, Copy, Debug)]
struct GuardedBlock {
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
    blocks: Vec<GuardedBlock>,
    /// By bit.
    moves: Vec<MoveId>,
}

/// The legal moves of all roles.
#[derive(Clone, Debug)]
pub(crate) struct Legal {
    roles: Vec<RoleMoves>,
    /// By move: its bit.
    pub(super) bits: Vec<u32>,
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

impl Legal {
    /// Compiles the legal moves of a network. Returns the network with guards taken out of its gates.
    pub(crate) fn new(network: &Network, roles: usize, outputs: &mut Outputs) -> (Network, Self) {
        let (mut network, rules) = with_guards(network, roles);
        let mut of_role = vec![Vec::new(); roles];
        for (number, made) in (0..).zip(&network.moves) {
            of_role[made.role.index()].push(MoveId(number));
        }
        let mut bits = vec![0; network.moves.len()];
        let mut compile = |mut moves: Vec<MoveId>| {
            moves.sort_by_key(|&made| {
                let guard = rules[made.index()].first().map(|rule| rule.0);
                guard.filter(|&guard| guard != TRUE)
            });
            let mut entries: Vec<(Code, u32, Code)> = Vec::new();
            for (bit, made) in (0..).zip(&moves) {
                bits[made.index()] = bit;
                let mut by_guard: Vec<(Code, Vec<Code>)> = Vec::new();
                for &(guard, rest) in &rules[made.index()] {
                    match by_guard.iter_mut().find(|(other, _)| *other == guard) {
                        Some((_, rests)) => rests.push(rest),
                        None => by_guard.push((guard, vec![rest])),
                    }
                }
                let gates = &mut network.gates;
                let entry = |(guard, mut rests): (Code, _)| (guard, bit, gates.or(&mut rests));
                entries.extend(by_guard.into_iter().map(entry));
            }
            RoleMoves { words: moves.len().div_ceil(64), moves, blocks: blocks(entries, outputs) }
        };
        let roles = of_role.into_iter().map(&mut compile).collect();
        (network, Legal { roles, bits })
    }

    /// Replaces the codes of guards.
    pub(crate) fn map_guards(&mut self, code: impl Fn(Code) -> Code) {
        let blocks = self.roles.iter_mut().flat_map(|role| &mut role.blocks);
        blocks.for_each(|block| block.guard = code(block.guard));
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
}

/// Groups entries of (guard, bit of the role, code) by guard.
fn blocks(entries: Vec<(Code, u32, Code)>, outputs: &mut Outputs) -> Vec<GuardedBlock> {
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
        GuardedBlock { guard, first, words, outputs: start }
    };
    guards.into_iter().zip(of_guard).map(block).collect()
}
