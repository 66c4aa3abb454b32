//! What stands for the atoms.

use fxhash::FxHashMap;
use groundfrog_engine::instantiate::GroundLiteral;

use super::guards::Guards;
use crate::dependencies::Dependencies;
use crate::network::code::{Code, FALSE, TRUE};
use crate::network::gates::Gates;
use groundfrog::game::{AtomId, GroundGame};

/// The codes of the atoms that have been compiled.
#[derive(Clone, Debug)]
pub(crate) struct AtomCodes {
    codes: Vec<Code>,
    /// None, unless they are set.
    pub(crate) guards: Guards,
    /// By guarded view: what holds besides its guard.
    rests: FxHashMap<u32, Code>,
}

/// Not compiled yet.
const UNKNOWN: Code = u32::MAX - 2;

/// A guarded view that no gate stands for yet. Codes of nodes stay below it.
const APART: Code = u32::MAX - 3;

impl AtomCodes {
    /// Atoms without rules never hold; views are not compiled yet; the others are sources, which are set
    /// afterwards.
    pub(crate) fn new(game: &GroundGame, dependencies: &Dependencies) -> Self {
        let code = |atom: u32| match dependencies.component_of(AtomId(atom)) {
            Some(_) => UNKNOWN,
            None => FALSE,
        };
        AtomCodes {
            codes: (0..game.atom_count() as u32).map(code).collect(),
            guards: Guards::default(),
            rests: FxHashMap::default(),
        }
    }

    pub(crate) fn set(&mut self, atom: AtomId, code: Code) {
        self.codes[atom.index()] = code;
    }

    /// The code of an atom that has been compiled.
    #[inline]
    pub(crate) fn get(&self, atom: AtomId) -> Code {
        let code = self.codes[atom.index()];
        debug_assert!(code != UNKNOWN && code != APART);
        code
    }

    pub(crate) fn is_known(&self, atom: AtomId) -> bool {
        self.codes[atom.index()] != UNKNOWN
    }

    /// The signed node of a ground literal.
    #[inline]
    pub(crate) fn literal(&self, literal: GroundLiteral) -> Code {
        self.get(AtomId(literal.atom())) ^ u32::from(literal.is_negated())
    }

    /// Whether a view that has been compiled is guarded.
    pub(crate) fn are_guarded(&self) -> bool {
        !self.rests.is_empty()
    }

    /// Compiles a view that does not depend on itself.
    pub(crate) fn compile_view(
        &mut self,
        gates: &mut Gates,
        atom: AtomId,
        dependencies: &Dependencies,
        game: &GroundGame,
    ) {
        let bodies = dependencies.rules_of(atom).iter();
        let bodies = bodies.map(|&rule| game.rules().rule(rule as usize).body);
        self.codes[atom.index()] = match self.guards.of(atom.0) {
            Some(guard) => {
                let rest = self.disjunction(gates, bodies, Some(guard));
                self.rests.insert(atom.0, rest);
                APART
            }
            None if self.guards.may_group(bodies.len()) => {
                let mut parts = Vec::new();
                for (guard, bodies) in self.guards.groups(bodies) {
                    let rest = self.disjunction(gates, bodies.into_iter(), guard);
                    let guard = guard.map_or(TRUE, |it| self.literal(it));
                    parts.push(gates.and(&mut vec![guard, rest]));
                }
                gates.or(&mut parts)
            }
            None => self.disjunction(gates, bodies, None),
        };
    }

    /// The disjunction of bodies but for a guard, under which they are read.
    fn disjunction<'run>(
        &mut self,
        gates: &mut Gates,
        bodies: impl Iterator<Item = &'run [GroundLiteral]>,
        guard: Option<GroundLiteral>,
    ) -> Code {
        let mut inputs = Vec::new();
        let bodies = bodies.map(|body| self.conjunction(gates, body, guard, &mut inputs));
        let mut bodies = bodies.collect();
        gates.or(&mut bodies)
    }

    /// Lets a gate stand for a guarded view, unless one does.
    pub(crate) fn put_together(&mut self, gates: &mut Gates, atom: AtomId) {
        if self.codes[atom.index()] == APART {
            let guard = self.guards.of(atom.0).expect("only guarded views are apart");
            let mut both = vec![self.literal(guard), self.rests[&atom.0]];
            self.codes[atom.index()] = gates.and(&mut both);
        }
    }

    /// The conjunction of the literals of a body but for a guard, under which it is read. `inputs` is replaced.
    pub(crate) fn conjunction(
        &mut self,
        gates: &mut Gates,
        body: &[GroundLiteral],
        guard: Option<GroundLiteral>,
        inputs: &mut Vec<Code>,
    ) -> Code {
        inputs.clear();
        for &literal in body.iter().filter(|&&it| Some(it) != guard) {
            let atom = literal.atom();
            let is_given = |it: &GroundLiteral| guard == Some(*it) || body.contains(it);
            let rest = self.guards.of(atom).filter(is_given).and_then(|_| self.rests.get(&atom));
            inputs.push(if let Some(rest) = rest {
                rest ^ u32::from(literal.is_negated())
            } else {
                self.put_together(gates, AtomId(atom));
                self.literal(literal)
            });
        }
        gates.and(inputs)
    }
}
