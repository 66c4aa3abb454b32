//! Whether an atom, or a whole body, can hold: patterns against the tables of what can hold.

use groundfrog_engine::query::Queries;
use groundfrog_engine::{Budget, Constants};

use groundfrog::description::{Atom, Term};
use groundfrog::flat::lowering::joined_rule;
use groundfrog::flat::{Ending, FlatRule, Shape, ShapeId};
use groundfrog::ground::Extents;
use groundfrog::symbols::Symbol;
use groundfrog::ticker::Ticker;

/// How many rows the lints of one description may look at.
const MAX_ROWS: u64 = 4_000_000;
/// How many ticks it takes to look at one.
const A_ROW: u32 = 4;

/// Looks things up in the tables, within a limit.
pub struct ExtentSearch<'a, 'ticker, 'budget> {
    extents: &'a Extents,
    ticker: &'ticker mut Ticker<'budget>,
    queries: Queries,
    /// So many rows may still be looked at.
    rows: u64,
}

/// A limit was reached: that of rows, or one of the budget, as the ticker tells.
pub struct TooLong;

impl<'a, 'ticker, 'budget> ExtentSearch<'a, 'ticker, 'budget> {
    pub fn new(extents: &'a Extents, ticker: &'ticker mut Ticker<'budget>) -> Self {
        ExtentSearch { extents, ticker, queries: Queries::default(), rows: MAX_ROWS }
    }

    fn count(&mut self) -> Result<(), TooLong> {
        self.rows = self.rows.checked_sub(1).ok_or(TooLong)?;
        if self.ticker.goes_on(A_ROW) { Ok(()) } else { Err(TooLong) }
    }

    /// Whether some instance of an atom can hold, as far as is known.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn can_hold(&mut self, atom: &Atom) -> Result<bool, TooLong> {
        let extents = self.extents;
        if !extents.is_complete(atom.predicate()) {
            return Ok(true);
        }
        for &form in extents.forms_with(atom.predicate(), Ending::of(&atom.arguments)) {
            self.count()?;
            let shapes = &extents.forms().form(form).shapes;
            if !fits_all(&atom.arguments, shapes, extents) {
                continue;
            }
            for row in extents.table(form).rows() {
                self.count()?;
                let mut pattern = Pattern { extents, bound: Vec::new(), constants: row };
                if pattern.matches_all(&atom.arguments, shapes) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a rule's body, without its literals that are negated and change, can hold.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn can_fire(&mut self, rule: &FlatRule) -> Result<bool, TooLong> {
        self.count()?;
        let (queries, tables, rows) = (&mut self.queries, self.extents.tables(), &mut self.rows);
        let holds = |budget: &Budget| queries.holds(&joined_rule(rule), tables, rows, budget);
        self.ticker.run(holds).flatten().ok_or(TooLong)
    }
}

/// Terms compared with the rest of a row.
struct Pattern<'a> {
    extents: &'a Extents,
    bound: Vec<(Symbol, ShapeId, Constants<'a>)>,
    constants: Constants<'a>,
}

impl<'a> Pattern<'a> {
    fn matches_all(&mut self, terms: &[Term], shapes: &[ShapeId]) -> bool {
        terms.len() == shapes.len()
            && terms.iter().zip(shapes).all(|(term, &shape)| self.matches(term, shape))
    }

    fn take(&mut self, shape: ShapeId) -> Constants<'a> {
        let (taken, rest) = self.constants.split_at(self.extents.forms().holes(shape));
        self.constants = rest;
        taken
    }

    fn matches(&mut self, term: &Term, shape: ShapeId) -> bool {
        let extents = self.extents;
        match (term, extents.forms().shape(shape)) {
            (Term::Variable(variable), _) => {
                let constants = self.take(shape);
                match self.bound.iter().find(|(it, ..)| it == variable) {
                    Some(&(_, known, same)) => known == shape && same == constants,
                    None => {
                        self.bound.push((*variable, shape, constants));
                        true
                    }
                }
            }
            (Term::Constant(constant), Shape::Hole) => {
                self.constants.iter().next() == Some(constant.index() as u32) && {
                    self.take(shape);
                    true
                }
            }
            (Term::Compound(compound), Shape::Function(functor, shapes)) => {
                compound.functor == *functor && self.matches_all(&compound.arguments, shapes)
            }
            _ => false,
        }
    }
}

/// Whether terms can have shapes, whatever their constants.
fn fits_all(terms: &[Term], shapes: &[ShapeId], extents: &Extents) -> bool {
    let fits = |(term, &shape): (&Term, &ShapeId)| match (term, extents.forms().shape(shape)) {
        (Term::Variable(_), _) | (Term::Constant(_), Shape::Hole) => true,
        (Term::Compound(compound), Shape::Function(functor, shapes)) => {
            compound.functor == *functor && fits_all(&compound.arguments, shapes, extents)
        }
        _ => false,
    };
    terms.len() == shapes.len() && terms.iter().zip(shapes).all(fits)
}
