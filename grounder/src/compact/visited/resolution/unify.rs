//! Terms: unification, copies of clauses, ground values.

use super::Resolution;
use super::stacks::{Cell, NONE};
use crate::compact::visited::clauses::Code;
use crate::compact::visited::terms::{Functor, TermId};

/// Two terms to unify; the first is a term of a clause or a cell.
#[derive(Clone, Copy)]
enum Pair {
    Code(Code, u32),
    Cells(u32, u32),
}

/// A step of the walk through a term.
enum Visit {
    Code(Code),
    Cell(u32),
    /// The arguments have been visited.
    Leave(Functor),
}

impl Resolution<'_, '_, '_> {
    /// The cell that a cell is the same as.
    fn resolve(&self, mut cell: u32) -> u32 {
        while let Cell::Same(other) = self.stacks.cells[cell as usize] {
            cell = other;
        }
        cell
    }

    fn bind(&mut self, cell: u32, to: Cell) {
        self.stacks.cells[cell as usize] = to;
        self.stacks.trail.push(cell);
    }

    /// Unifies the head of a clause with arguments that begin at some cell. There is no occurs check:
    /// a term that contains itself has no ground value, so the question has no answer or stays open.
    pub(super) fn unify_head(
        &mut self,
        clause: usize,
        variables: u32,
        arguments: u32,
    ) -> Option<bool> {
        let head = &self.clauses.clauses[clause];
        let (start, arity) = (head.start, head.arity);
        for at in 0..arity {
            let code = self.clauses.code[(start + at) as usize];
            if !self.unify(Pair::Code(code, arguments + at), variables)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn unify(&mut self, pair: Pair, variables: u32) -> Option<bool> {
        let mut agenda = vec![pair];
        while let Some(pair) = agenda.pop() {
            self.step()?;
            match pair {
                Pair::Code(Code::Variable(variable), cell) => {
                    let slot = (variables + variable) as usize;
                    if self.stacks.variables[slot] == NONE {
                        self.stacks.variables[slot] = cell;
                    } else {
                        agenda.push(Pair::Cells(self.stacks.variables[slot], cell));
                    }
                }
                Pair::Code(Code::Ground(term), cell) => {
                    let term = self.stacks.cell(Cell::Ground(term));
                    agenda.push(Pair::Cells(term, cell));
                }
                Pair::Code(code @ Code::Function(functor, start), cell) => {
                    let cell = self.resolve(cell);
                    let term = self.stacks.cells[cell as usize];
                    if let Cell::Open = term {
                        let built = self.build_term(code, variables);
                        self.bind(cell, Cell::Same(built));
                        continue;
                    }
                    let Some(arguments) = self.arguments(term, functor) else { return Some(false) };
                    let arity = functor.arity.unwrap_or(0);
                    agenda.extend((0..arity).rev().map(|at| {
                        Pair::Code(self.clauses.code[(start + at) as usize], arguments + at)
                    }));
                }
                Pair::Cells(one, other) => {
                    if !self.unify_cells(one, other, &mut agenda)? {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }

    /// Unifies two cells but for their arguments, which go on the agenda.
    fn unify_cells(&mut self, one: u32, other: u32, agenda: &mut Vec<Pair>) -> Option<bool> {
        let (one, other) = (self.resolve(one), self.resolve(other));
        if one == other {
            return Some(true);
        }
        match (self.stacks.cells[one as usize], self.stacks.cells[other as usize]) {
            // The newer cell refers to the older one, which outlives it.
            (Cell::Open, Cell::Open) => self.bind(one.max(other), Cell::Same(one.min(other))),
            (Cell::Open, _) => self.bind(one, Cell::Same(other)),
            (_, Cell::Open) => self.bind(other, Cell::Same(one)),
            (Cell::Ground(one), Cell::Ground(other)) => return Some(one == other),
            (one @ Cell::Function(functor, _), other)
            | (other, one @ Cell::Function(functor, _)) => {
                let pair = (self.arguments(one, functor), self.arguments(other, functor));
                let (Some(one), Some(other)) = pair else { return Some(false) };
                let pairs = (0..functor.arity.unwrap_or(0)).rev();
                agenda.extend(pairs.map(|at| Pair::Cells(one + at, other + at)));
            }
            (Cell::Same(_), _) | (_, Cell::Same(_)) => return None,
        }
        Some(true)
    }

    /// The cells of the arguments of a term, if it has this functor.
    fn arguments(&mut self, term: Cell, functor: Functor) -> Option<u32> {
        match term {
            Cell::Function(own, start) => (own == functor).then_some(start),
            Cell::Ground(term) if self.terms.functor(term) == functor => {
                let start = self.stacks.cells.len() as u32;
                let arguments = self.terms.arguments(term);
                self.stacks.cells.extend(arguments.iter().map(|&it| Cell::Ground(it)));
                Some(start)
            }
            Cell::Ground(_) | Cell::Open | Cell::Same(_) => None,
        }
    }

    /// Copies terms of a clause into new cells, one after the other; returns the first.
    pub(super) fn build(&mut self, code: u32, count: u32, variables: u32) -> u32 {
        let first = self.stacks.cells.len() as u32;
        self.stacks.cells.resize((first + count) as usize, Cell::Open);
        let mut agenda: Vec<(u32, u32)> = (0..count).map(|at| (code + at, first + at)).collect();
        while let Some((code, cell)) = agenda.pop() {
            self.stacks.cells[cell as usize] = match self.clauses.code[code as usize] {
                Code::Ground(term) => Cell::Ground(term),
                Code::Variable(variable) => {
                    let slot = (variables + variable) as usize;
                    if self.stacks.variables[slot] == NONE {
                        // The cell is where the variable lives.
                        self.stacks.variables[slot] = cell;
                        Cell::Open
                    } else {
                        Cell::Same(self.stacks.variables[slot])
                    }
                }
                Code::Function(functor, code) => {
                    let start = self.stacks.cells.len() as u32;
                    let arity = functor.arity.unwrap_or(0);
                    self.stacks.cells.resize((start + arity) as usize, Cell::Open);
                    agenda.extend((0..arity).map(|at| (code + at, start + at)));
                    Cell::Function(functor, start)
                }
            };
        }
        first
    }

    fn build_term(&mut self, code: Code, variables: u32) -> u32 {
        let Code::Function(functor, start) = code else { return NONE };
        let arguments = self.build(start, functor.arity.unwrap_or(0), variables);
        self.stacks.cell(Cell::Function(functor, arguments))
    }

    /// The value of a term of a clause, if no variable in it is open.
    pub(super) fn ground(&mut self, code: u32, variables: u32) -> Option<TermId> {
        let code = self.clauses.code[code as usize];
        // What is mostly the case, at once.
        match code {
            Code::Ground(term) => return Some(term),
            Code::Variable(variable) => {
                let cell = self.resolve(self.stacks.variables[(variables + variable) as usize]);
                match self.stacks.cells[cell as usize] {
                    Cell::Ground(term) => return Some(term),
                    Cell::Open => return None,
                    Cell::Function(..) | Cell::Same(_) => {}
                }
            }
            Code::Function(..) => {}
        }
        let (mut agenda, mut values) = (vec![Visit::Code(code)], Vec::new());
        while let Some(visit) = agenda.pop() {
            self.step()?;
            match visit {
                Visit::Code(Code::Ground(term)) => values.push(term),
                Visit::Code(Code::Variable(variable)) => {
                    agenda
                        .push(Visit::Cell(self.stacks.variables[(variables + variable) as usize]));
                }
                Visit::Code(Code::Function(functor, start)) => {
                    agenda.push(Visit::Leave(functor));
                    let places = (start..start + functor.arity.unwrap_or(0)).rev();
                    agenda.extend(places.map(|it| Visit::Code(self.clauses.code[it as usize])));
                }
                Visit::Cell(cell) => match self.stacks.cells[self.resolve(cell) as usize] {
                    Cell::Ground(term) => values.push(term),
                    Cell::Function(functor, start) => {
                        agenda.push(Visit::Leave(functor));
                        let cells = (start..start + functor.arity.unwrap_or(0)).rev();
                        agenda.extend(cells.map(Visit::Cell));
                    }
                    Cell::Open | Cell::Same(_) => return None,
                },
                Visit::Leave(functor) => {
                    let arguments = values.len() - functor.arity.unwrap_or(0) as usize;
                    let term = self.terms.intern(functor, &values[arguments..]);
                    values.truncate(arguments);
                    values.push(term);
                }
            }
        }
        values.pop()
    }
}
