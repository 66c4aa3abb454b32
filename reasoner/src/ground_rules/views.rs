//! Which views are needed, and their gates, component by component.

use super::atom_codes::AtomCodes;
use crate::dependencies::Dependencies;
use crate::network::code::{Code, FALSE, TRUE};
use crate::network::gates::{GateKind, Gates};
use groundfrog::game::{AtomId, GroundGame};

/// Compiles the views marked in `needed` that are not compiled yet. All views that they read must be
/// compiled or marked.
pub(crate) fn compile(
    gates: &mut Gates,
    codes: &mut AtomCodes,
    needed: &[bool],
    dependencies: &Dependencies,
    game: &GroundGame,
) {
    for component in dependencies.components() {
        let (first, members) = (dependencies.first(component), dependencies.members(component));
        if codes.is_known(first) || !needed[first.index()] {
            continue;
        }
        if dependencies.is_recursive(component) {
            let rules = members.clone().flat_map(|it| dependencies.rules_of(it));
            put_together_read(gates, codes, rules.map(|&it| it as usize), game);
            recursive(gates, codes, members, dependencies, game);
            continue;
        }
        codes.compile_view(gates, first, dependencies, game);
    }
}

/// Lets gates stand for the guarded views that some rules read.
pub(crate) fn put_together_read(
    gates: &mut Gates,
    codes: &mut AtomCodes,
    rules: impl Iterator<Item = usize>,
    game: &GroundGame,
) {
    for literal in rules.flat_map(|it| game.rules().rule(it).body) {
        codes.put_together(gates, AtomId(literal.atom()));
    }
}

/// Compiles a recursive component: an OR gate for each atom, then the AND gates of the rules.
pub(crate) fn recursive(
    gates: &mut Gates,
    codes: &mut AtomCodes,
    members: impl ExactSizeIterator<Item = AtomId> + Clone,
    dependencies: &Dependencies,
    game: &GroundGame,
) {
    let (component, start) = (gates.new_component(), gates.nodes() as u32);
    for (gate, atom) in (start..).zip(members.clone()) {
        codes.set(atom, gate << 1);
    }
    let mut next = start + members.len() as u32;
    let mut conjunctions: Vec<Vec<Code>> = Vec::new();
    for atom in members {
        let mut inputs = Vec::new();
        for &rule in dependencies.rules_of(atom) {
            let body = game.rules().rule(rule as usize).body;
            let mut body: Vec<Code> = body.iter().map(|&it| codes.literal(it)).collect();
            body.retain(|&it| it != TRUE);
            if body.contains(&FALSE) {
                continue;
            }
            if let [single] = body[..] {
                inputs.push(single);
            } else {
                // An AND gate without inputs holds: a fact.
                conjunctions.push(body);
                inputs.push(next << 1);
                next += 1;
            }
        }
        gates.push(GateKind::Or, &inputs, component);
    }
    for body in conjunctions {
        gates.push(GateKind::And, &body, component);
    }
}

/// Marks the views that the marked ones depend on.
pub(crate) fn close(needed: &mut [bool], dependencies: &Dependencies, game: &GroundGame) {
    for component in dependencies.components().rev() {
        let members = dependencies.members(component);
        if !members.clone().any(|it| needed[it.index()]) {
            continue;
        }
        for atom in members {
            needed[atom.index()] = true;
            for &rule in dependencies.rules_of(atom) {
                for literal in game.rules().rule(rule as usize).body {
                    needed[literal.atom() as usize] = true;
                }
            }
        }
    }
}
