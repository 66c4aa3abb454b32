//! Ground rules for one atom of which one at most applies at a time: their bodies exclude each other.

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, AtomShape, GroundGame};

use crate::bodies::Bodies;
use crate::condition::Condition;
use crate::families::pattern_of;
use crate::property::Claim;

/// More rules for one atom are not compared.
const MOST_RULES: usize = 200;

/// The atoms of a form that have several rules.
pub(crate) struct RuleGroup {
    /// As KIF, with `_` for arguments.
    pub(crate) pattern: String,
    /// Of the rules for each atom one at most applies.
    pub(crate) claim: Claim,
}

/// The forms of atoms that have several rules.
pub(crate) fn rule_groups(game: &GroundGame) -> Vec<RuleGroup> {
    let of_atoms = Bodies::new(game);
    let mut groups: Vec<RuleGroup> = Vec::new();
    let mut of_shape: FxHashMap<&AtomShape, usize> = FxHashMap::default();
    for atom in (0..game.atom_count() as u32).map(AtomId) {
        let bodies = of_atoms.of(atom);
        if !(2..=MOST_RULES).contains(&bodies.len()) {
            continue;
        }
        let shape = game.atom(atom).shape;
        let number = *of_shape.entry(shape).or_insert_with(|| {
            let pattern = pattern_of(shape, game.symbols());
            groups.push(RuleGroup { pattern, claim: Claim::of_states(Vec::new()) });
            groups.len() - 1
        });
        let bodies = bodies.map(|body| {
            let literals = body.iter().map(|literal| {
                let atom = Condition::Atom(AtomId(literal.atom()));
                if literal.is_negated() { atom.negated() } else { atom }
            });
            Condition::All(literals.collect())
        });
        let one_at_most = Condition::AtMost(1, bodies.collect());
        let claim = &mut groups[number].claim;
        claim.is_of_step |= one_at_most.is_of_step(game);
        claim.parts.push(one_at_most);
    }
    groups
}
