//! A few steps of any match as a formula.

use std::collections::BTreeSet;

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog::{AtomKind, Budget};
use rustsat::types::Lit;

use crate::bodies::{Bodies, Body};
use crate::families::forms_of;
use crate::formula::{Answer, Formula};

/// States that follow each other by legal joint moves, and what holds in them.
///
/// The first state is any set of fluents. An atom holds just if the body of one of its rules does. For atoms that depend on
/// themselves there are models that derive nothing in the end; so more is taken to be possible than is, and what is proved holds
/// all the same. Atoms get clauses when they are asked for.
pub(crate) struct Unrolling<'game> {
    pub(crate) game: &'game GroundGame,
    pub(crate) formula: Formula,
    /// Matches are taken to go on after their end as well: what is proved so holds all the same, and needs no rules of the end.
    pub(crate) ignores_end: bool,
    /// Moves are taken to be legal, and no state to be terminal, until a model needs it that is none for that reason: what follows
    /// from less is found sooner. Answers are those of [`Self::solve`] then.
    pub(crate) is_lazy: bool,
    /// Moves are told apart by their places, which helps where rules have many moves in common, and is slower elsewhere.
    pub(crate) has_places: bool,
    /// By state: moves, as positions in the game's, that are not yet said to be made only where they are legal; and whether the
    /// end is still left out.
    unsaid: Vec<(BTreeSet<usize>, bool)>,
    bodies: Bodies<'game>,
    /// By state and atom.
    literals: Vec<Vec<Option<Lit>>>,
    /// By state and move: literals that follow from it, and from others that have something in common with it.
    common_of: FxHashMap<(usize, AtomId), Vec<Lit>>,
    /// Atoms whose rules have no clauses yet.
    open: Vec<(usize, AtomId)>,
    /// By state.
    goes_on: Vec<Lit>,
    begins: Option<Lit>,
}

impl<'game> Unrolling<'game> {
    pub(crate) fn new(game: &'game GroundGame, budget: Budget) -> Self {
        Unrolling {
            game,
            formula: Formula::new(budget),
            ignores_end: false,
            is_lazy: false,
            has_places: false,
            unsaid: Vec::new(),
            bodies: Bodies::new(game),
            literals: Vec::new(),
            common_of: FxHashMap::default(),
            open: Vec::new(),
            goes_on: Vec::new(),
            begins: None,
        }
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

    /// A literal under which the match goes on from a state: it is not terminal, and each role makes one legal move.
    pub(crate) fn goes_on(&mut self, state: usize) -> Lit {
        if let Some(&known) = self.goes_on.get(state) {
            return known;
        }
        if state > 0 {
            self.goes_on(state - 1);
        }
        let goes_on = self.formula.variable();
        self.goes_on.push(goes_on);
        let moves = if self.is_lazy { self.game.moves().len() } else { 0 };
        self.unsaid.push(((0..moves).collect(), self.is_lazy && !self.ignores_end));
        if !self.ignores_end && !self.is_lazy {
            self.exclude_end(state, goes_on);
        }
        for role in (0..self.game.roles().len() as u32).map(RoleId) {
            let mut made = Vec::new();
            for it in self.game.moves_of(role) {
                if self.formula.is_over() {
                    return goes_on;
                }
                let does = self.literal(state, it.does);
                if self.is_lazy {
                    for (fluent, holds) in self.needed(it.legal) {
                        let fluent = self.literal(state, fluent);
                        let needed = if holds { fluent } else { !fluent };
                        self.formula.add(&[!goes_on, !does, needed]);
                    }
                } else {
                    let legal = self.optional(state, it.legal);
                    self.formula.add(&[!goes_on, !does, legal]);
                }
                made.push(does);
            }
            self.exclude_two(state, role, &made, goes_on);
            made.push(!goes_on);
            self.formula.add(&made);
        }
        goes_on
    }

    /// Says that a role makes one move at most where the match goes on. If moves are told apart by their places, it is one of a form, with
    /// one constant at each place: so what some moves have in common, as where they lead to, follows from each of them.
    fn exclude_two(&mut self, state: usize, role: RoleId, made: &[Lit], goes_on: Lit) {
        if !self.has_places {
            let two = self.formula.more_than(1, made);
            return self.formula.add(&[!goes_on, !two]);
        }
        let forms = forms_of(self.game, self.game.moves_of(role).map(|it| it.does));
        let mut choices: Vec<Vec<Vec<AtomId>>> =
            vec![forms.iter().map(|form| form.fluents.clone()).collect()];
        for form in &forms {
            for place in 0..form.rows.first().map_or(0, Vec::len) {
                choices.push(form.by_constant(place).into_values().collect());
            }
        }
        for choice in choices.into_iter().filter(|choice| choice.len() > 1) {
            let values: Vec<Lit> = choice.iter().map(|moves| self.common(state, moves)).collect();
            let two = self.formula.more_than(1, &values);
            self.formula.add(&[!goes_on, !two]);
        }
    }

    /// A literal that follows from each of these moves.
    fn common(&mut self, state: usize, moves: &[AtomId]) -> Lit {
        if let [single] = moves {
            return self.literal(state, *single);
        }
        let common = self.formula.variable();
        for &does in moves {
            let literal = self.literal(state, does);
            self.formula.add(&[!literal, common]);
            self.common_of.entry((state, does)).or_default().push(common);
        }
        common
    }

    /// What follows from every rule for an atom by the moves that it reads.
    fn common_of_rules(&self, state: usize, head: AtomId) -> Vec<Lit> {
        let mut found: Option<Vec<Lit>> = None;
        for body in self.bodies.of(head) {
            let moves = body.iter().filter(|it| !it.is_negated()).map(|it| AtomId(it.atom()));
            let known = moves.filter_map(|it| self.common_of.get(&(state, it)));
            let own: Vec<Lit> = known.flatten().copied().collect();
            match &mut found {
                Some(found) => found.retain(|it| own.contains(it)),
                None => found = Some(own),
            }
            if found.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        found.unwrap_or_default()
    }

    /// What every rule for an atom reads of fluents: so much is cheaply said of a move that is legal, as whose turn it is.
    fn needed(&self, head: Option<AtomId>) -> Vec<(AtomId, bool)> {
        let bodies = head.into_iter().flat_map(|head| self.bodies.of(head));
        let mut bodies = bodies.map(|body| -> Vec<(AtomId, bool)> {
            let literals = body.iter().map(|it| (AtomId(it.atom()), !it.is_negated()));
            literals.filter(|it| self.game.kind(it.0) == AtomKind::True).collect()
        });
        let mut needed = bodies.next().unwrap_or_default();
        bodies.for_each(|body| needed.retain(|literal| body.contains(literal)));
        needed
    }

    fn exclude_end(&mut self, state: usize, goes_on: Lit) {
        let terminal = self.optional(state, self.game.terminal());
        self.formula.add(&[!goes_on, !terminal]);
    }

    /// Whether the formula has a model in which these hold.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        let mut also = 0;
        loop {
            let answer = self.formula.solve(assumptions);
            if answer != Answer::Satisfiable || !self.restrict(also) {
                return answer;
            }
            also = also * 2 + 1;
        }
    }

    /// Whether the formula has a model in which these hold, and others as well.
    pub(crate) fn solve_with(&mut self, assumptions: &[Lit], others: &[Lit]) -> Answer {
        self.solve(&[assumptions, others].concat())
    }

    /// Whether the formula has a model in which these hold, and one of the cases.
    pub(crate) fn solve_by_cases(&mut self, assumptions: &[Lit], cases: &[Lit]) -> Answer {
        let answers = cases.iter().map(|&case| self.solve_with(assumptions, &[case]));
        let mut open = answers.filter(|answer| *answer != Answer::Unsatisfiable);
        open.next().unwrap_or(Answer::Unsatisfiable)
    }

    /// Says of the moves made in the model, and of as many others as wanted, that they are legal; if they are, of the states
    /// that they are not terminal. Whether anything was left to say.
    fn restrict(&mut self, also: usize) -> bool {
        let holds = |unrolling: &Self, literal: Lit| unrolling.formula.value(literal);
        let going: Vec<usize> =
            (0..self.unsaid.len()).filter(|&state| holds(self, self.goes_on[state])).collect();
        let is_made = |unrolling: &Self, state: usize, made: usize| {
            let does = unrolling.known(state, unrolling.game.moves()[made].does);
            does.is_some_and(|does| holds(unrolling, does))
        };
        let made: Vec<(usize, Vec<usize>)> = going
            .iter()
            .map(|&state| {
                let unsaid = self.unsaid[state].0.iter().copied();
                (state, unsaid.filter(|&made| is_made(self, state, made)).collect())
            })
            .collect();
        let mut is_restricted = false;
        for (state, made) in made.into_iter().filter(|(_, made)| !made.is_empty()) {
            let others: Vec<usize> = self.unsaid[state].0.iter().copied().take(also).collect();
            for made in made.into_iter().chain(others) {
                if !self.unsaid[state].0.remove(&made) {
                    continue;
                }
                let it = &self.game.moves()[made];
                let (does, legal) = (self.literal(state, it.does), self.optional(state, it.legal));
                self.formula.add(&[!self.goes_on[state], !does, legal]);
            }
            is_restricted = true;
        }
        if is_restricted {
            return true;
        }
        let open = going.into_iter().find(|&state| std::mem::take(&mut self.unsaid[state].1));
        if let Some(state) = open {
            self.exclude_end(state, self.goes_on[state]);
        }
        open.is_some()
    }

    /// A literal under which the first state is the initial one.
    pub(crate) fn begins(&mut self) -> Lit {
        if let Some(begins) = self.begins {
            return begins;
        }
        let begins = self.formula.variable();
        self.begins = Some(begins);
        for fluent in self.game.fluents() {
            let literal = self.literal(0, fluent);
            let is_initial = self.game.init().binary_search(&fluent).is_ok();
            self.formula.add(&[!begins, if is_initial { literal } else { !literal }]);
        }
        begins
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
            _ if self.bodies.of(atom).len() == 0 => !self.formula.yes(),
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
        while !self.formula.is_over()
            && let Some((state, atom)) = self.open.pop()
        {
            let rules: Vec<Body<'_>> = self.bodies.of(atom).collect();
            let mut bodies = Vec::with_capacity(rules.len());
            for body in rules {
                let mut inputs = Vec::with_capacity(body.len());
                for literal in body {
                    let input = self.request(state, AtomId(literal.atom()));
                    inputs.push(if literal.is_negated() { !input } else { input });
                }
                bodies.push(self.formula.all(&inputs));
            }
            let head = self.literals[state][atom.index()].expect("it was requested");
            self.formula.define_any(head, &bodies);
            for common in self.common_of_rules(state, atom) {
                self.formula.add(&[!head, common]);
            }
        }
    }

    /// The literal that a fluent has in a state, if anything asked of it.
    pub(crate) fn known(&self, state: usize, atom: AtomId) -> Option<Lit> {
        self.literals.get(state).and_then(|atoms| atoms[atom.index()])
    }

    /// The fluents that hold in a state of the model that was found last.
    pub(crate) fn state(&self, state: usize) -> Vec<AtomId> {
        let holds = |atom: &AtomId| {
            self.known(state, *atom).is_some_and(|literal| self.formula.value(literal))
        };
        self.game.fluents().filter(holds).collect()
    }

    /// The joint move that is made in a state of the model that was found last: a position in the game's moves for each role,
    /// if each makes one.
    pub(crate) fn joint_move(&self, state: usize) -> Option<Vec<usize>> {
        let made = |role: u32| {
            self.game.moves().iter().position(|made| {
                made.role == RoleId(role)
                    && self.known(state, made.does).is_some_and(|it| self.formula.value(it))
            })
        };
        (0..self.game.roles().len() as u32).map(made).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use groundfrog_reasoner::GroundReasoner;

    #[test]
    fn one_move_at_a_time_is_made() {
        let rules = "(role ann) (role bob) (at 1) (at 2) (at 3) (init here) (next here) (goal ann 0) (goal bob 0)
             (<= (legal ?r (move ?x ?y)) (role ?r) (at ?x) (at ?y) (true here)) (<= (legal ?r wait) (role ?r) (true here))
             (<= (legal ann (drop ?x)) (at ?x) (true here)) (<= terminal (not (true here)))";
        let reasoner = GroundReasoner::of_text(rules).expect("a game that can be ground");
        let game = reasoner.game();
        let budget = Budget::within(Duration::from_secs(60));
        assert_eq!(game.moves().len(), 23);
        for has_places in [false, true] {
            let mut unrolling = Unrolling::new(game, budget.clone());
            unrolling.has_places = has_places;
            let goes_on = unrolling.goes_on(0);
            for one in game.moves() {
                for other in game.moves() {
                    let made = [one, other].map(|it| unrolling.literal(0, it.does));
                    let can_be = one.role != other.role || one.does == other.does;
                    let wanted = if can_be { Answer::Satisfiable } else { Answer::Unsatisfiable };
                    assert_eq!(unrolling.solve(&[goes_on, made[0], made[1]]), wanted);
                }
            }
        }
    }
}
