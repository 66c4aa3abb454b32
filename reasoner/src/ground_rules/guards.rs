//! Literals that guard many moves of a role.
//!
//! Many games let one role move at a time: each rule for a legal move then has a literal such as `(true (control white))`, and
//! all of them would change with every turn. Such a literal is taken out of the rules, and of the views that they read: under
//! the guard they have the value that they have where the guard holds.

use fxhash::FxHashMap;

use crate::network::Network;
use crate::network::code::{Code, FALSE, TRUE};
use crate::network::gates::{ACYCLIC, GateKind, Gates};

/// A literal guards no block of moves if it is in fewer of their rules.
const GUARDED_RULES: u32 = 4;
/// A literal is taken out of views if it guards so many moves of a role.
const GUARDED_MOVES: u32 = 16;
/// And so large a part of them: with less it changes so seldom that it rather spares changes.
const GUARDED_PART: u32 = 4;

/// A rule of a legal move: its guard, or [`TRUE`], and what must hold besides.
pub(super) type Guarded = (Code, Code);

/// The guards of views that do not depend on moves.
struct Guards {
    /// By gate: a literal about a fluent without which it does not hold.
    of_gate: Vec<Option<Code>>,
}

/// By move: the rules by which it is legal. Gates for what must hold besides guards are added.
pub(super) fn guarded_moves(network: &mut Network, roles: usize) -> Vec<Vec<Guarded>> {
    let guards = Guards::new(network, roles);
    let gates = &network.gates;
    let rules: Vec<Vec<Vec<Code>>> =
        network.moves.iter().map(|made| rules_of(gates, made.legal)).collect();
    let mut counts: Vec<FxHashMap<Code, u32>> = vec![FxHashMap::default(); roles];
    for (made, rules) in network.moves.iter().zip(&rules) {
        for literal in rules.iter().flat_map(|rule| guards.candidates(gates, rule)) {
            *counts[made.role.index()].entry(literal).or_insert(0) += 1;
        }
    }
    let guard_of = |role: usize, rule: &[Code]| {
        let count = |literal: &Code| counts[role].get(literal).copied().unwrap_or(0);
        let best = guards.candidates(gates, rule).max_by_key(|literal| (count(literal), *literal));
        best.filter(|literal| count(literal) >= GUARDED_RULES)
    };
    let with_guards = network.moves.iter().zip(rules).map(|(made, rules)| {
        let guarded = rules.into_iter().map(|rule| (guard_of(made.role.index(), &rule), rule));
        guarded.collect()
    });
    let with_guards: Vec<Vec<(Option<Code>, Vec<Code>)>> = with_guards.collect();
    let mut cofactors: FxHashMap<Code, Vec<Code>> = FxHashMap::default();
    for guard in guards.all() {
        let guarded = with_guards.iter().flatten().filter(|(own, _)| *own == Some(guard));
        let roots = guarded.flat_map(|(_, rule)| rule.iter().copied());
        let needed = network.gates.needed(roots);
        cofactors.insert(guard, cofactor(&mut network.gates, guard, &needed));
    }
    let gates = &mut network.gates;
    let rest = |(guard, mut rule): (Option<Code>, Vec<Code>)| {
        if let Some(guard) = guard {
            rule.retain(|&code| code != guard);
            if let Some(values) = cofactors.get(&guard) {
                rule.iter_mut().for_each(|code| *code = value(values, *code));
            }
        }
        (guard.unwrap_or(TRUE), gates.and(&mut rule))
    };
    let mut rest = rest;
    with_guards.into_iter().map(|rules| rules.into_iter().map(&mut rest).collect()).collect()
}

/// The rules of a signed node or constant, each as its literals.
fn rules_of(gates: &Gates, code: Code) -> Vec<Vec<Code>> {
    let each = match gate(gates, code) {
        Some((GateKind::Or, gate)) => gates.inputs(gate),
        _ if code == FALSE => &[],
        _ => std::slice::from_ref(&code),
    };
    each.iter().map(|code| literals(gates, code).to_vec()).collect()
}

/// The kind of the gate outside of all components whose value a code is.
fn gate(gates: &Gates, code: Code) -> Option<(GateKind, usize)> {
    let gate = (code as usize >> 1).checked_sub(gates.sources())?;
    let is_plain = code & 1 == 0 && gate < gates.len() && gates.component(gate) == ACYCLIC;
    is_plain.then(|| (gates.kind(gate), gate))
}

fn literals<'run>(gates: &'run Gates, code: &'run Code) -> &'run [Code] {
    match gate(gates, *code) {
        Some((GateKind::And, gate)) => gates.inputs(gate),
        _ => std::slice::from_ref(code),
    }
}

impl Guards {
    fn new(network: &Network, roles: usize) -> Self {
        let (gates, fluents) = (&network.gates, network.fluents());
        // By literal about a fluent: how many gates read it.
        let mut counts = vec![0u32; fluents * 2];
        for &code in (0..gates.len()).flat_map(|gate| gates.inputs(gate)) {
            counts.get_mut(code as usize).into_iter().for_each(|count| *count += 1);
        }
        let frequent =
            |&code: &Code| counts.get(code as usize).is_some_and(|&it| it >= GUARDED_MOVES);
        let mut guards = Guards { of_gate: vec![None; gates.len()] };
        for gate in (0..gates.len()).filter(|&gate| gates.component(gate) == ACYCLIC) {
            let inputs = gates.inputs(gate);
            let candidates: Vec<Code> = match gates.kind(gate) {
                GateKind::And => guards.candidates(gates, inputs).filter(frequent).collect(),
                GateKind::Or => {
                    let mut shared: Vec<Code> =
                        guards.conditions(gates, &inputs[0]).filter(frequent).collect();
                    for input in &inputs[1..] {
                        if shared.is_empty() {
                            break;
                        }
                        shared.retain(|&code| guards.conditions(gates, input).any(|it| it == code));
                    }
                    shared
                }
            };
            guards.of_gate[gate] =
                candidates.into_iter().max_by_key(|&code| (counts[code as usize], code));
        }
        guards.keep_those_of_moves(network, roles);
        guards
    }

    /// Drops guards that guard too few moves.
    fn keep_those_of_moves(&mut self, network: &Network, roles: usize) {
        let mut moves = vec![0; roles];
        let mut guarded: FxHashMap<(usize, Code), u32> = FxHashMap::default();
        for made in &network.moves {
            moves[made.role.index()] += 1;
            if let Some(guard) = self.of(&network.gates, made.legal) {
                *guarded.entry((made.role.index(), guard)).or_insert(0) += 1;
            }
        }
        guarded.retain(|&(role, _), count| {
            *count >= GUARDED_MOVES && *count >= moves[role] / GUARDED_PART
        });
        let mut kept: Vec<Code> = guarded.into_keys().map(|(_, guard)| guard).collect();
        kept.sort_unstable();
        for guard in &mut self.of_gate {
            *guard = guard.filter(|code| kept.binary_search(code).is_ok());
        }
    }

    /// All of them, each once.
    fn all(&self) -> Vec<Code> {
        let mut all: Vec<Code> = self.of_gate.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The guard of a code.
    fn of(&self, gates: &Gates, code: Code) -> Option<Code> {
        self.of_gate.get(gate(gates, code)?.1).copied().flatten()
    }

    /// The literals of a rule, and the guards of the views that it reads.
    fn candidates<'run>(
        &'run self,
        gates: &'run Gates,
        rule: &'run [Code],
    ) -> impl Iterator<Item = Code> + 'run {
        // A single one is all that is to be known.
        let own = rule.iter().copied();
        let all = own.chain(rule.iter().filter_map(|&code| self.of(gates, code)));
        let several = all.clone().nth(1).is_some();
        all.filter(move |_| several)
    }

    /// What holds wherever a code does: its literals and their guards.
    fn conditions<'run>(
        &'run self,
        gates: &'run Gates,
        code: &'run Code,
    ) -> impl Iterator<Item = Code> + 'run {
        let own = literals(gates, code).iter();
        own.clone().copied().chain(own.filter_map(|&code| self.of(gates, code)))
    }
}

fn value(values: &[Code], code: Code) -> Code {
    if code >= TRUE { code } else { values[code as usize >> 1] ^ (code & 1) }
}

/// By node: the code of the value that a needed gate has where the guard holds. Other nodes stand for themselves.
fn cofactor(gates: &mut Gates, guard: Code, needed: &[bool]) -> Vec<Code> {
    let mut values: Vec<Code> = (0..needed.len() as Code).map(|node| node << 1).collect();
    values[guard as usize >> 1] = TRUE ^ (guard & 1);
    for gate in 0..needed.len() - gates.sources() {
        let node = gates.sources() + gate;
        let inputs = gates.inputs(gate);
        let is_fixed = |&code: &Code| value(&values, code) == code;
        if !needed[node] || gates.component(gate) != ACYCLIC || inputs.iter().all(is_fixed) {
            continue;
        }
        let mut inputs: Vec<Code> = inputs.iter().map(|&code| value(&values, code)).collect();
        values[node] = match gates.kind(gate) {
            GateKind::And => gates.and(&mut inputs),
            GateKind::Or => gates.or(&mut inputs),
        };
    }
    values
}
