//! Whether an atom, or a whole body, can hold: patterns against the tables of what can hold.

use std::rc::Rc;

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Constants};

use crate::description::{Atom, Term};
use crate::ground::Extents;
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{
    Ending, FlatAtom, FlatRule, FormId, LiteralKind, Shape, ShapeId,
};
use crate::symbols::Symbol;

/// How many rows the lints of one description may look at.
const MAX_ROWS: u64 = 4_000_000;
/// How many beats it takes to look at one.
const A_ROW: u32 = 4;

/// The rows that have a constant in some column, by constant.
type Index = FxHashMap<u32, Rc<Vec<u32>>>;

/// Looks things up in the tables, within a limit.
pub struct Search<'a, 'pulse, 'budget> {
    extents: &'a Extents,
    pulse: &'pulse mut Pulse<'budget>,
    rows: u64,
    /// By form and column: the rows that have a constant there.
    indexes: FxHashMap<(FormId, usize), Index>,
}

/// A limit was reached: that of rows, or one of the budget, as the pulse tells.
pub struct TooLong;

impl<'a, 'pulse, 'budget> Search<'a, 'pulse, 'budget> {
    pub fn new(extents: &'a Extents, pulse: &'pulse mut Pulse<'budget>) -> Self {
        Search { extents, pulse, rows: 0, indexes: FxHashMap::default() }
    }

    fn count(&mut self) -> Result<(), TooLong> {
        self.rows += 1;
        if self.rows > MAX_ROWS || !self.pulse.beats(A_ROW) { Err(TooLong) } else { Ok(()) }
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
        let joined = || rule.body.iter().filter(|literal| literal.joined);
        let positive: Vec<&FlatAtom> = joined()
            .filter_map(|literal| match &literal.kind {
                LiteralKind::Positive(atom) => Some(atom),
                _ => None,
            })
            .collect();
        let filters: Vec<&LiteralKind> = joined()
            .map(|literal| &literal.kind)
            .filter(|kind| !matches!(kind, LiteralKind::Positive(_)))
            .collect();
        let mut bound = FxHashMap::default();
        self.join(&positive, &filters, &mut bound)
    }

    fn join(
        &mut self,
        open: &[&FlatAtom],
        filters: &[&LiteralKind],
        bound: &mut FxHashMap<u32, u32>,
    ) -> Result<bool, TooLong> {
        self.count()?;
        let extents = self.extents;
        let value = |bound: &FxHashMap<u32, u32>, argument: &Argument| match argument {
            Argument::Constant(constant) => Some(*constant),
            Argument::Variable(variable) => bound.get(variable).copied(),
        };
        if !filters.iter().all(|filter| passes(filter, extents, &|it| value(bound, it))) {
            return Ok(false);
        }
        let known =
            |atom: &FlatAtom| atom.arguments.iter().filter(|it| value(bound, it).is_some()).count();
        let best = open.iter().enumerate().max_by_key(|(_, atom)| {
            let all = known(atom) == atom.arguments.len();
            (all, known(atom), std::cmp::Reverse(extents.table(atom.form).len()))
        });
        let Some((position, &atom)) = best else { return Ok(true) };
        let rest: Vec<&FlatAtom> =
            open.iter().enumerate().filter(|(it, _)| *it != position).map(|(_, it)| *it).collect();
        let table = extents.table(atom.form);
        let column = atom.arguments.iter().position(|it| value(bound, it).is_some());
        let rows = match column {
            None => None,
            Some(column) => {
                let constant = value(bound, &atom.arguments[column]).expect("just seen");
                Some(self.rows_with(atom.form, column, constant))
            }
        };
        let count = rows.as_ref().map_or(table.len(), |rows| rows.len());
        for number in 0..count {
            self.count()?;
            let row = rows.as_ref().map_or(number as u32, |rows| rows[number]);
            let mut new = Vec::new();
            let matches = atom.arguments.iter().zip(table.row(row).iter()).all(
                |(argument, constant)| match (argument, value(bound, argument)) {
                    (_, Some(known)) => known == constant,
                    (Argument::Variable(variable), None) => {
                        bound.insert(*variable, constant);
                        new.push(*variable);
                        true
                    }
                    (Argument::Constant(_), None) => unreachable!("constants have a value"),
                },
            );
            if matches && self.join(&rest, filters, bound)? {
                return Ok(true);
            }
            for variable in new {
                bound.remove(&variable);
            }
        }
        Ok(false)
    }

    fn rows_with(&mut self, form: FormId, column: usize, constant: u32) -> Rc<Vec<u32>> {
        let extents = self.extents;
        let index = self.indexes.entry((form, column)).or_insert_with(|| {
            let mut index: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            for (number, row) in extents.table(form).rows().enumerate() {
                index.entry(row[column]).or_default().push(number as u32);
            }
            index.into_iter().map(|(constant, rows)| (constant, Rc::new(rows))).collect()
        });
        index.get(&constant).cloned().unwrap_or_default()
    }
}

/// Whether a literal that binds nothing holds, or has variables that are not bound yet.
fn passes(
    filter: &LiteralKind,
    extents: &Extents,
    value: &impl Fn(&Argument) -> Option<u32>,
) -> bool {
    let values = |arguments: &[Argument]| arguments.iter().map(value).collect::<Option<Vec<u32>>>();
    match filter {
        LiteralKind::Negative(atom) => {
            values(&atom.arguments).is_none_or(|row| !extents.table(atom.form).contains(&row))
        }
        LiteralKind::Distinct(left, right) => {
            values(left).zip(values(right)).is_none_or(|(left, right)| left != right)
        }
        LiteralKind::Positive(_) => true,
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
