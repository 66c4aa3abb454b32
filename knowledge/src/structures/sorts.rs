//! Which arguments can hold the same things: places that a variable joins.

use fxhash::FxHashMap;
use groundfrog::description::{Atom, Description, Formula, Statement, Term};
use groundfrog::symbols::{Symbol, Symbols};

use crate::factors::Joined;

/// Where an argument stands: a root, then function, number of arguments and position, again and again.
pub(crate) type Path = Vec<u32>;

/// The root of terms that say `true`, `next`, `init` or `base`.
pub(crate) const STATE: u32 = u32::MAX;
/// The root of moves.
const MOVE: u32 = u32::MAX - 1;
/// The root of roles.
const ROLE: u32 = u32::MAX - 2;

/// Classes of arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorts {
    numbers: FxHashMap<Path, usize>,
    classes: Joined,
}

impl Sorts {
    /// The classes of the arguments of a description. Those of the `left_out` predicates join nothing.
    pub(crate) fn new(
        description: &Description,
        names: &mut Symbols,
        left_out: impl Fn(&Atom) -> bool,
    ) -> Self {
        let mut walk =
            Walk { description, names, sorts: Sorts::default(), first: FxHashMap::default() };
        for statement in &description.statements {
            walk.statement(statement, &left_out);
        }
        walk.sorts
    }

    /// The class of an argument.
    pub(crate) fn of(&self, path: &[u32]) -> Option<usize> {
        self.numbers.get(path).map(|&number| self.classes.root(number))
    }

    /// The class of roles.
    pub(crate) fn of_roles(&self) -> Option<usize> {
        self.of(&[ROLE])
    }

    fn number(&mut self, path: &Path) -> usize {
        *self.numbers.entry(path.clone()).or_insert_with(|| self.classes.add())
    }
}

/// The path of an argument of a static predicate.
pub(crate) fn argument(predicate: u32, arity: usize, position: usize) -> Path {
    vec![predicate, arity as u32, position as u32]
}

struct Walk<'run> {
    description: &'run Description,
    names: &'run mut Symbols,
    sorts: Sorts,
    /// Where each variable of a statement was met first.
    first: FxHashMap<Symbol, usize>,
}

impl Walk<'_> {
    fn statement(&mut self, statement: &Statement, left_out: &impl Fn(&Atom) -> bool) {
        self.first.clear();
        let mut atoms = vec![&statement.head];
        for formula in &statement.body {
            formula.for_each_atom(&mut |atom| atoms.push(atom));
        }
        for atom in atoms.into_iter().filter(|atom| !left_out(atom)) {
            self.atom(atom);
        }
        for formula in &statement.body {
            self.equalities(formula);
        }
    }

    /// `(not (distinct x y))` joins both.
    fn equalities(&mut self, formula: &Formula) {
        match formula {
            Formula::Not(inner, _) => {
                if let Formula::Distinct(Term::Variable(one), Term::Variable(other), _) = &**inner
                    && let (Some(&one), Some(&other)) = (self.first.get(one), self.first.get(other))
                {
                    self.sorts.classes.join(one, other);
                }
            }
            Formula::Or(inner, _) | Formula::And(inner, _) => {
                inner.iter().for_each(|formula| self.equalities(formula));
            }
            Formula::Atom(_) | Formula::Distinct(..) => {}
        }
    }

    fn atom(&mut self, atom: &Atom) {
        let keywords = &self.description.keywords;
        let is = |names: &[Symbol]| names.contains(&atom.predicate);
        let state = is(&[keywords.true_, keywords.next, keywords.init, keywords.base]);
        let moves = is(&[keywords.does, keywords.legal, keywords.input]);
        let of_role = is(&[keywords.role, keywords.goal, keywords.sees]) || moves;
        for (position, term) in atom.arguments.iter().enumerate() {
            let path = match position {
                0 if state => vec![STATE],
                0 if of_role => vec![ROLE],
                1 if moves => vec![MOVE],
                _ => {
                    let predicate = self.name(atom.predicate);
                    argument(predicate, atom.arguments.len(), position)
                }
            };
            self.term(term, path);
        }
    }

    fn term(&mut self, term: &Term, path: Path) {
        match term {
            Term::Constant(_) => {
                self.sorts.number(&path);
            }
            Term::Variable(variable) => {
                let number = self.sorts.number(&path);
                let first = *self.first.entry(*variable).or_insert(number);
                self.sorts.classes.join(first, number);
            }
            Term::Compound(compound) => {
                let functor = self.name(compound.functor);
                for (position, argument) in compound.arguments.iter().enumerate() {
                    let mut inner = path.clone();
                    inner.extend([functor, compound.arguments.len() as u32, position as u32]);
                    self.term(argument, inner);
                }
            }
        }
    }

    fn name(&mut self, symbol: Symbol) -> u32 {
        self.names.intern(self.description.symbols.name(symbol)).0
    }
}
