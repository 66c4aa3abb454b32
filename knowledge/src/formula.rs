//! A propositional formula that grows, and the solver that decides it.

use std::cell::Cell;

use groundfrog::Budget;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};
use rustsat_batsat::BasicSolver;

/// After so many decisions of the solver the budget is looked at.
const DECISIONS: u32 = 256;
/// What a literal of a clause takes, in bytes, about.
pub(crate) const BYTES_OF_LITERAL: u64 = 16;

/// What the solver finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// There is a model: [`Formula::value`] tells it.
    Satisfiable,
    Unsatisfiable,
    /// Time or room ran out.
    Unknown,
}

impl Answer {
    /// The answer to one question or the other.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Answer::Satisfiable, _) | (_, Answer::Satisfiable) => Answer::Satisfiable,
            (Answer::Unsatisfiable, Answer::Unsatisfiable) => Answer::Unsatisfiable,
            _ => Answer::Unknown,
        }
    }
}

/// Clauses over numbered variables.
pub(crate) struct Formula {
    solver: BasicSolver,
    variables: u32,
    literals: usize,
    budget: Budget,
    /// A literal that always holds.
    yes: Lit,
}

impl Formula {
    pub(crate) fn new(budget: Budget) -> Self {
        let (solver, yes) = (BasicSolver::default(), Lit::positive(0));
        let mut formula =
            Formula { solver, variables: 1, literals: 0, budget: budget.clone(), yes };
        formula.set_budget(&budget);
        formula.add(&[yes]);
        formula
    }

    /// A literal that always holds; its negation never does.
    pub(crate) fn yes(&self) -> Lit {
        self.yes
    }

    /// Whether there is no more room or time for clauses: what is asked of the formula from then on is unknown.
    pub(crate) fn is_over(&self) -> bool {
        self.budget.check(self.literals as u64 * BYTES_OF_LITERAL, 0).is_err()
    }

    /// Literals in all clauses.
    pub(crate) fn size(&self) -> usize {
        self.literals
    }

    /// A variable that occurs nowhere yet.
    pub(crate) fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    /// Adds a clause.
    pub(crate) fn add(&mut self, clause: &[Lit]) {
        self.literals += clause.len();
        self.solver
            .add_clause_ref(&rustsat::types::Clause::from(clause))
            .expect("there is room for a clause");
    }

    /// A literal that holds just if all of these do.
    pub(crate) fn all(&mut self, inputs: &[Lit]) -> Lit {
        match *inputs {
            [] => self.yes,
            [single] => single,
            [first, second] if first == self.yes => second,
            _ => {
                let output = self.variable();
                self.define_all(output, inputs);
                output
            }
        }
    }

    /// A literal that holds just if one of these does.
    pub(crate) fn any(&mut self, inputs: &[Lit]) -> Lit {
        match *inputs {
            [] => !self.yes,
            [single] => single,
            _ => {
                let output = self.variable();
                self.define_any(output, inputs);
                output
            }
        }
    }

    /// Defines a literal to hold just if one of these does.
    pub(crate) fn define_any(&mut self, output: Lit, inputs: &[Lit]) {
        let mut clause: Vec<Lit> = vec![!output];
        clause.extend(inputs);
        self.add(&clause);
        inputs.iter().for_each(|&input| self.add(&[output, !input]));
    }

    fn define_all(&mut self, output: Lit, inputs: &[Lit]) {
        let negated: Vec<Lit> = inputs.iter().map(|&input| !input).collect();
        self.define_any(!output, &negated);
    }

    /// A literal that holds just if more than so many of these do.
    pub(crate) fn more_than(&mut self, most: usize, inputs: &[Lit]) -> Lit {
        self.counts(most + 1, inputs).get(most).copied().unwrap_or(!self.yes)
    }

    /// By number, from 1 to a bound: a literal that holds just if so many of these do. What halves have is put together, so that
    /// no way from one input to another is long.
    fn counts(&mut self, bound: usize, inputs: &[Lit]) -> Vec<Lit> {
        if inputs.len() < 2 {
            return inputs.to_vec();
        }
        let (left, right) = inputs.split_at(inputs.len() / 2);
        let (left, right) = (self.counts(bound, left), self.counts(bound, right));
        let mut counts = Vec::new();
        for count in 1..=bound.min(left.len() + right.len()) {
            let mut ways = Vec::new();
            for of_left in count.saturating_sub(right.len())..=count.min(left.len()) {
                ways.push(match (of_left, count - of_left) {
                    (0, of_right) => right[of_right - 1],
                    (of_left, 0) => left[of_left - 1],
                    (of_left, of_right) => self.all(&[left[of_left - 1], right[of_right - 1]]),
                });
            }
            counts.push(self.any(&ways));
        }
        counts
    }

    /// Sets when the solver gives up.
    pub(crate) fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
        let (inner, asked, is_over) = (self.budget.clone(), Cell::new(0u32), Cell::new(false));
        // The solver asks at every decision, which takes less time than to read a clock.
        self.solver.batsat_mut().cb_mut().set_stop(move || {
            asked.set(asked.get().wrapping_add(1));
            if asked.get() % DECISIONS == 0 && inner.is_over() {
                is_over.set(true);
            }
            is_over.get()
        });
    }

    /// When the solver gives up.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.clone()
    }

    /// Of the assumptions under which the formula was found to have no model: those that are to blame.
    pub(crate) fn blamed(&mut self, assumptions: &[Lit]) -> Vec<Lit> {
        let core = self.solver.core().unwrap_or_default();
        let blamed: fxhash::FxHashSet<_> = core.iter().map(|literal| literal.var()).collect();
        assumptions.iter().copied().filter(|literal| blamed.contains(&literal.var())).collect()
    }

    /// Whether the formula has a model in which these hold.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        if self.is_over() {
            return Answer::Unknown;
        }
        match self.solver.solve_assumps(assumptions) {
            Ok(SolverResult::Sat) => Answer::Satisfiable,
            Ok(SolverResult::Unsat) => Answer::Unsatisfiable,
            _ => Answer::Unknown,
        }
    }

    /// Whether a literal holds in the model that was found last.
    pub(crate) fn value(&self, literal: Lit) -> bool {
        matches!(self.solver.lit_val(literal), Ok(TernaryVal::True))
    }
}
