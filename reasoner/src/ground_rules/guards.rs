//! Literals that guard many moves of a role.
//!
//! Many games let one role move at a time: each rule for a legal move then has a literal such as `(true (control white))`, and
//! all of them would change with every turn. Such a literal is taken out of the rules, and of the gates that they read: these
//! become a conjunction of the guard and the value that they have where it holds.

use fxhash::FxHashMap;

use crate::network::Network;
use crate::network::gates::{ACYCLIC, GateKind, Gates, mapped};
use crate::network::{Code, FALSE, TRUE};
use crate::tuning::{GUARDED_INPUTS, GUARDED_MOVES, GUARDED_PART, GUARDED_RULES};

/// A rule of a legal move: its guard, or [`TRUE`], and what must hold besides.
pub(super) type Guarded = (Code, Code);

/// A literal and what nodes stand for where it holds.
struct Cofactors {
    guard: Code,
    /// By node: whether that is to be known.
    needed: Vec<bool>,
    /// By node. What is not needed stands for itself.
    values: Vec<Code>,
}

/// The guards of gates that do not depend on moves.
struct Guards {
    /// By gate: a literal about a fluent without which it does not hold.
    of_gate: Vec<Option<Code>>,
    /// Each of them once.
    all: Vec<Code>,
}

/// The network with guards taken out of its gates, and by move the rules by which it is legal.
pub(super) fn with_guards(network: &Network, roles: usize) -> (Network, Vec<Vec<Guarded>>) {
    let (guards, old) = (Guards::new(network, roles), &network.gates);
    let read_in_play = old.needed(network.next.iter().copied().chain([network.terminal]));
    let rules: Vec<Vec<Vec<Code>>> = network
        .moves
        .iter()
        .map(|made| match read_in_play.get(made.legal as usize >> 1) {
            Some(true) => vec![vec![made.legal]],
            _ => rules_of(old, made.legal),
        })
        .collect();
    let mut counts: Vec<FxHashMap<Code, u32>> = vec![FxHashMap::default(); roles];
    for (made, rules) in network.moves.iter().zip(&rules) {
        for literal in rules.iter().flat_map(|rule| guards.candidates(old, rule)) {
            *counts[made.role.index()].entry(literal).or_insert(0) += 1;
        }
    }
    let guard_of = |role: usize, rule: &[Code]| {
        let count = |literal: &Code| counts[role].get(literal).copied().unwrap_or(0);
        let best = guards.candidates(old, rule).max_by_key(|literal| (count(literal), *literal));
        best.filter(|literal| count(literal) >= GUARDED_RULES)
    };
    let guarded = network.moves.iter().zip(rules).map(|(made, rules)| {
        let rules = rules.into_iter().map(|rule| (guard_of(made.role.index(), &rule), rule));
        rules.collect::<Vec<(Option<Code>, Vec<Code>)>>()
    });
    let guarded: Vec<_> = guarded.collect();
    let mut copy = Copy::new(network, &guards, |guard| {
        let own = guarded.iter().flatten().filter(move |(own, _)| *own == Some(guard));
        own.flat_map(|(_, rule)| rule.iter().copied())
    });
    old.units(0..old.len()).for_each(|unit| copy.unit(unit, &guards));
    let mut split = |(guard, mut rule): (Option<Code>, Vec<Code>)| {
        let Some(guard) = guard else {
            rule.iter_mut().for_each(|code| *code = mapped(&copy.codes, *code));
            return (TRUE, copy.gates.and(&mut rule));
        };
        rule.retain(|&code| code != guard);
        let cofactors = copy.cofactors.iter().find(|cofactors| cofactors.guard == guard);
        let values = cofactors.map_or(&copy.codes, |cofactors| &cofactors.values);
        rule.iter_mut().for_each(|code| *code = mapped(values, *code));
        (mapped(&copy.codes, guard), copy.gates.and(&mut rule))
    };
    let rules: Vec<Vec<Guarded>> =
        guarded.into_iter().map(|rules| rules.into_iter().map(&mut split).collect()).collect();
    let Copy { gates, codes, .. } = copy;
    (network.with_gates(gates, |code| mapped(&codes, code)), rules)
}

/// Gates as conjunctions of their guards and what holds besides.
struct Copy<'run> {
    old: &'run Gates,
    gates: Gates,
    /// By node of the network: what stands for it.
    codes: Vec<Code>,
    cofactors: Vec<Cofactors>,
}

impl<'run> Copy<'run> {
    fn new<R: Iterator<Item = Code>>(
        network: &'run Network,
        guards: &Guards,
        read_under: impl Fn(Code) -> R,
    ) -> Self {
        let old = &network.gates;
        let codes: Vec<Code> = (0..old.nodes() as Code).map(|node| node << 1).collect();
        let cofactors = guards.all.iter().map(|&guard| {
            let under = |gate: &usize| guards.of_gate[*gate] == Some(guard);
            let gates = (0..old.len()).filter(under).map(|gate| (old.sources() + gate) as Code * 2);
            let mut roots: Vec<Code> = gates.chain(read_under(guard)).collect();
            for gate in (0..old.len()).filter(|&gate| guards.may_group(old, gate)) {
                let groups = guards.groups(old, gate);
                let own = groups.into_iter().filter(|group| group.0 == Some(guard));
                roots.extend(own.flat_map(|group| group.1));
            }
            let mut values = codes.clone();
            values[guard as usize >> 1] = TRUE ^ (guard & 1);
            Cofactors { guard, needed: old.needed(roots.into_iter()), values }
        });
        let cofactors = cofactors.collect();
        Copy { old, gates: Gates::new(old.sources()), cofactors, codes }
    }

    fn unit(&mut self, unit: std::ops::Range<usize>, guards: &Guards) {
        let (old, first) = (self.old, self.old.sources() + unit.start);
        if old.component(unit.start) != ACYCLIC {
            self.gates.copy_unit(old, unit.clone(), &mut self.codes);
            let nodes = first..old.sources() + unit.end;
            for cofactors in &mut self.cofactors {
                cofactors.values[nodes.clone()].copy_from_slice(&self.codes[nodes.clone()]);
            }
            return;
        }
        let (gate, kind) = (unit.start, old.kind(unit.start));
        let own = guards.of_gate[gate];
        let place = self.cofactors.iter().position(|cofactors| Some(cofactors.guard) == own);
        let is_constant = |&code: &Code| mapped(&self.codes, code) >= TRUE;
        let is_plain = place.is_none() && !guards.may_group(old, gate);
        if is_plain && !old.inputs(gate).iter().any(is_constant) {
            self.gates.copy_unit(old, unit, &mut self.codes);
        } else if let Some(place) = place {
            let rest = self.gates.gate(kind, inputs(&self.cofactors[place].values, old, gate));
            self.cofactors[place].values[first] = rest;
            self.codes[first] = self.gates.gate(GateKind::And, vec![own.unwrap_or(TRUE), rest]);
        } else {
            let mut parts = Vec::new();
            for (guard, inputs) in guards.groups(old, gate) {
                let cofactors = self.cofactors.iter().find(|it| Some(it.guard) == guard);
                let values = cofactors.map_or(&self.codes, |cofactors| &cofactors.values);
                let inputs = inputs.iter().map(|&code| mapped(values, code)).collect();
                let rest = self.gates.gate(kind, inputs);
                parts.push(match guard {
                    Some(guard) => self.gates.gate(GateKind::And, vec![guard, rest]),
                    None => rest,
                });
            }
            self.codes[first] = self.gates.gate(kind, parts);
        }
        for (number, cofactors) in self.cofactors.iter_mut().enumerate() {
            if Some(number) == place {
                continue;
            }
            let is_same =
                |&code: &Code| mapped(&cofactors.values, code) == mapped(&self.codes, code);
            cofactors.values[first] =
                if !cofactors.needed[first] || old.inputs(gate).iter().all(is_same) {
                    self.codes[first]
                } else {
                    self.gates.gate(kind, inputs(&cofactors.values, old, gate))
                };
        }
    }
}

fn inputs(values: &[Code], gates: &Gates, gate: usize) -> Vec<Code> {
    gates.inputs(gate).iter().map(|&code| mapped(values, code)).collect()
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
        let mut guards = Guards { of_gate: vec![None; gates.len()], all: Vec::new() };
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
        kept.dedup();
        for guard in &mut self.of_gate {
            *guard = guard.filter(|code| kept.binary_search(code).is_ok());
        }
        self.all = kept;
    }

    /// Whether inputs of a gate may have guards in common.
    fn may_group(&self, gates: &Gates, gate: usize) -> bool {
        let is_wide = gates.inputs(gate).len() >= GUARDED_INPUTS && !self.all.is_empty();
        is_wide && gates.kind(gate) == GateKind::Or && gates.component(gate) == ACYCLIC
    }

    /// The inputs of a gate by guards that several of them have; the gate of the groups is the gate of all.
    fn groups(&self, gates: &Gates, gate: usize) -> Vec<(Option<Code>, Vec<Code>)> {
        let inputs = gates.inputs(gate);
        if !self.may_group(gates, gate) {
            return vec![(None, inputs.to_vec())];
        }
        let mut groups: Vec<(Option<Code>, Vec<Code>)> = vec![(None, Vec::new())];
        for input in inputs {
            let guard = self.conditions(gates, input).find(|code| self.all.contains(code));
            match groups.iter_mut().find(|group| group.0 == guard) {
                Some(group) => group.1.push(*input),
                None => groups.push((guard, vec![*input])),
            }
        }
        let few = |group: &(Option<Code>, Vec<Code>)| group.1.len() < GUARDED_INPUTS;
        let (others, mut groups): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.0.is_none() || few(group));
        groups.push((None, others.into_iter().flat_map(|group| group.1).collect()));
        groups
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
