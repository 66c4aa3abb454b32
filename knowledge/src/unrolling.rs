//! A few steps of any match as a formula.

use groundfrog::RulesByHead;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use rustsat::types::Lit;

use crate::formula::{Formula, Limits};

/// States that follow each other by legal joint moves, and what holds in them.
///
/// The first state is any set of fluents. An atom holds just if the body of one of its rules does. For atoms that depend on
/// themselves there are models that derive nothing in the end; so more is taken to be possible than is, and what is proved holds
/// all the same. Atoms get clauses when they are asked for.
pub(crate) struct Unrolling<'game> {
    pub(crate) game: &'game GroundGame,
    pub(crate) formula: Formula,
    by_head: RulesByHead,
    /// By state and atom.
    literals: Vec<Vec<Option<Lit>>>,
    /// Atoms whose rules have no clauses yet.
    open: Vec<(usize, AtomId)>,
}

impl<'game> Unrolling<'game> {
    pub(crate) fn new(game: &'game GroundGame, limits: Limits) -> Self {
        let by_head = RulesByHead::new(game);
        let (formula, literals) = (Formula::new(limits), Vec::new());
        Unrolling { game, formula, by_head, literals, open: Vec::new() }
    }

    /// The literal of an atom in a state, or of the moves made in it; states are counted from 0.
    pub(crate) fn literal(&mut self, state: usize, atom: AtomId) -> Lit {
        let literal = self.request(state, atom);
        self.define();
        literal
    }

    /// As [`Self::literal`]; an atom that there is none of never holds.
    pub(crate) fn optional(&mut self, state: usize, atom: Option<AtomId>) -> Lit {
        match atom {
            Some(atom) => self.literal(state, atom),
            None => !self.formula.yes(),
        }
    }

    /// The literals of these atoms.
    pub(crate) fn literals(&mut self, state: usize, atoms: &[AtomId]) -> Vec<Lit> {
        atoms.iter().map(|&atom| self.literal(state, atom)).collect()
    }

    /// The literals of the moves that are legal for a role in a state.
    pub(crate) fn legal(&mut self, state: usize, role: RoleId) -> Vec<Lit> {
        let legal: Vec<AtomId> = self.game.moves_of(role).filter_map(|made| made.legal).collect();
        self.literals(state, &legal)
    }

    /// The literal of `terminal` in a state.
    pub(crate) fn terminal(&mut self, state: usize) -> Lit {
        self.optional(state, self.game.terminal())
    }

    /// Lets the match go on from a state: it is not terminal, and each role makes one legal move.
    pub(crate) fn go_on(&mut self, state: usize) {
        let terminal = self.terminal(state);
        self.formula.add(&[!terminal]);
        for role in (0..self.game.roles().len() as u32).map(RoleId) {
            let mut made = Vec::new();
            for it in self.game.moves_of(role) {
                if self.formula.is_over() {
                    return;
                }
                let (does, legal) = (self.literal(state, it.does), self.optional(state, it.legal));
                self.formula.add(&[!does, legal]);
                made.push(does);
            }
            self.formula.add(&made);
            let two = self.formula.two(&made);
            self.formula.add(&[!two]);
        }
    }

    /// The literal of an atom, whose clauses may have to be added.
    fn request(&mut self, state: usize, atom: AtomId) -> Lit {
        while self.literals.len() <= state {
            self.literals.push(vec![None; self.game.atom_count()]);
        }
        if let Some(known) = self.literals[state][atom.index()] {
            return known;
        }
        let is_fluent =
            self.game.is_open(atom) && self.game.kind(atom) == groundfrog::AtomKind::True;
        let literal = match state.checked_sub(1) {
            Some(before) if is_fluent => match self.game.next(atom) {
                Some(next) => self.request(before, next),
                None => !self.formula.yes(),
            },
            _ if self.game.is_open(atom) => self.formula.variable(),
            _ if !self.by_head.has_rules(atom) => !self.formula.yes(),
            _ => {
                self.open.push((state, atom));
                self.formula.variable()
            }
        };
        self.literals[state][atom.index()] = Some(literal);
        literal
    }

    /// Adds the clauses of all atoms that were requested, and of those that their rules read.
    fn define(&mut self) {
        while let Some((state, atom)) = self.open.pop() {
            if self.formula.is_over() {
                return;
            }
            let rules: Vec<u32> = self.by_head.rules(atom).to_vec();
            let mut bodies = Vec::with_capacity(rules.len());
            for rule in rules {
                let body = self.game.rules().rule(rule as usize).body;
                let mut inputs = Vec::with_capacity(body.len());
                for literal in body {
                    let input = self.request(state, AtomId(literal.atom()));
                    inputs.push(if literal.is_negated() { !input } else { input });
                }
                bodies.push(self.formula.all(&inputs));
            }
            let head = self.literals[state][atom.index()].expect("it was requested");
            self.formula.define_any(head, &bodies);
        }
    }

    /// The fluents that hold in a state of the model that was found last.
    pub(crate) fn state(&self, state: usize) -> Vec<AtomId> {
        let holds = |atom: &AtomId| {
            let literal = self.literals.get(state).and_then(|atoms| atoms[atom.index()]);
            literal.is_some_and(|literal| self.formula.value(literal))
        };
        self.game.fluents().filter(holds).collect()
    }
}
