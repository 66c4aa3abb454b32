//! Whether a negative cycle remains once the rules are ground.

use groundfrog_engine::{
    Arguments, Atom, Budget, EngineError, Literal, PredicateId, Program, Rule, strata,
};

use super::stratification::{NegativeCycle, OnceGround};
use crate::compact::atom_rules::has_cycle;
use crate::game::{AtomId, GroundGame};
use crate::ground::Extents;

/// More ground rules than this are not looked at.
const MAX_RULES: u64 = 1 << 20;

/// Grounds the rules of a cycle's predicates and looks for a cycle among their atoms.
pub(crate) fn once_ground(cycle: &NegativeCycle, extents: &Extents, budget: &Budget) -> OnceGround {
    let budget = budget.clone().with_rules(MAX_RULES);
    match extents.ground_rules(&cycle.predicates, &budget) {
        Ok(game) => among_atoms(&game),
        Err(error) => OnceGround::Undecided(error.to_string()),
    }
}

/// Looks for a negative cycle among the atoms of ground rules: a program without variables, of which each
/// atom that heads a rule is a predicate.
pub(crate) fn among_atoms(game: &GroundGame) -> OnceGround {
    if !has_cycle(game.rules(), game.atom_count()) {
        return OnceGround::Vanishes;
    }
    let mut program = Program::default();
    let mut predicates: Vec<Option<PredicateId>> = vec![None; game.atom_count()];
    for &head in game.rules().heads() {
        let known = &mut predicates[head as usize];
        if known.is_none() {
            *known = Some(program.add_predicate(head.to_string(), 0));
        }
    }
    let atom = |atom: u32| {
        let predicate = predicates[atom as usize]?;
        Some(Atom { predicate, arguments: Arguments::new() })
    };
    for rule in game.rules().iter() {
        let literal = |atom, negated| match negated {
            true => Literal::Negative(atom),
            false => Literal::Positive(atom),
        };
        let body = rule.body.iter();
        let body = body.filter_map(|it| Some(literal(atom(it.atom())?, it.is_negated())));
        let head = atom(rule.head).expect("each head has a predicate");
        program.add_rule(Rule::new(head, body.collect()));
    }
    match strata::components(&program) {
        Ok(_) => OnceGround::Vanishes,
        Err(EngineError::NotStratified { cycle }) => {
            // Back to where it began.
            let numbers = cycle.iter().chain(cycle.first()).filter_map(|name| name.parse().ok());
            OnceGround::Remains(numbers.map(|it| game.display(AtomId(it)).to_string()).collect())
        }
        Err(error) => OnceGround::Undecided(error.to_string()),
    }
}
