//! What is known when rules are split: their predicates, the tables of these, and the limits.
//!
//! What tables have about atoms and moves is looked up once ([`AboutTables`]).

use std::cell::{OnceCell, RefCell, RefMut};
use std::rc::Rc;

use fxhash::FxHashMap;
use groundfrog_engine::query::{Most, Queries};
use groundfrog_engine::statistics::{Measure, TableStatistics};
use groundfrog_engine::{Argument, Atom, Constants, Exceeded, Rule, Table, Tables};

use super::counters::{AllGroups, AllRanks};
use super::move_parts::Views;
use super::nested_sets::{Nesting, TableSets};
use super::proposal::Wanted;
use super::{Context, Known};
use crate::flat::lowering::{engine_literal, predicate};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, ShapeId};
use crate::symbols::{Symbol, Symbols};
use crate::ticker::Ticker;
use crate::tuning::MOST_LOOKED_AT;

/// Ticks that it takes to look at a literal.
const A_LITERAL: u32 = 8;

/// All that strategies may look at but for auxiliary predicates. What is looked up once is kept in mind.
pub(crate) struct World<'run> {
    pub(super) forms: &'run Forms,
    pub(super) known: Known<'run>,
    /// The rules of the description, as they were.
    pub(super) rules: &'run [FlatRule],
    views: OnceCell<Views>,
    /// What is wanted, in the order of the table of passes.
    pub(super) wanted: &'run [Wanted],
    /// The name of all auxiliary predicates, until they get names of their own.
    pub(super) auxiliary: Symbol,
    /// The first form of an auxiliary predicate.
    pub(super) first_auxiliary: usize,
    symbols: RefCell<&'run mut Symbols>,
    statistics: RefCell<TableStatistics>,
    measures: RefCell<FxHashMap<FormId, Rc<Measure>>>,
    about_tables: RefCell<AboutTables>,
    /// If it stops, what has been made is of no use.
    ticker: RefCell<Ticker<'run>>,
}

impl<'run> World<'run> {
    pub(super) fn new(
        rules: &'run [FlatRule],
        (first_auxiliary, auxiliary): (usize, Symbol),
        context: &'run mut Context<'_>,
    ) -> Self {
        let Context { forms, symbols, known, wanted, budget } = context;
        let (forms, symbols): (&'run Forms, &'run mut Symbols) = (forms, symbols);
        let mut statistics = TableStatistics::default();
        for (&form, measure) in known.steps.iter() {
            statistics.assume(predicate(form), measure.clone());
        }
        World {
            forms,
            known: *known,
            rules,
            views: OnceCell::new(),
            wanted,
            auxiliary,
            first_auxiliary,
            symbols: RefCell::new(symbols),
            statistics: RefCell::new(statistics),
            measures: RefCell::default(),
            about_tables: RefCell::default(),
            ticker: RefCell::new(Ticker::new(budget, known.tables.bytes())),
        }
    }

    /// The end of all work.
    ///
    /// # Errors
    /// A limit of the budget.
    pub(super) fn finish(&self) -> Result<(), Exceeded> {
        self.ticker.borrow_mut().finish()
    }

    pub(super) fn tables(&self) -> &'run Tables {
        self.known.tables
    }

    /// The views that are about moves, found out once.
    pub(super) fn views(&self, find: impl FnOnce() -> Views) -> &Views {
        self.views.get_or_init(find)
    }

    /// What was found out about tables.
    pub(super) fn about_tables(&self) -> RefMut<'_, AboutTables> {
        self.about_tables.borrow_mut()
    }

    pub(super) fn ticker(&self) -> RefMut<'_, Ticker<'run>> {
        self.ticker.borrow_mut()
    }

    /// The symbol of a name, which may be new.
    pub(super) fn symbol(&self, name: &str) -> Symbol {
        self.symbols.borrow_mut().intern(name)
    }

    /// Looks at so many things. Returns whether the limits allow to go on.
    pub(super) fn ticks(&self, ticks: u32) -> bool {
        self.ticker.borrow_mut().goes_on(ticks)
    }

    /// Whether the limits allow to look at one more rule.
    pub(super) fn goes_on(&self, rule: &FlatRule) -> bool {
        self.ticks(A_LITERAL * (1 + rule.body.len() as u32))
    }

    /// The size of a predicate that has a table.
    pub(super) fn measure(&self, form: FormId) -> Rc<Measure> {
        let mut measures = self.measures.borrow_mut();
        let measure = measures.entry(form).or_insert_with(|| {
            let mut statistics = self.statistics.borrow_mut();
            Rc::new(statistics.measure(self.known.tables, predicate(form)).clone())
        });
        Rc::clone(measure)
    }

    /// Whether a predicate is no auxiliary one, so has a table whatever is proposed.
    pub(super) fn has_table(&self, form: FormId) -> bool {
        form.index() < self.first_auxiliary
    }

    /// Whether a predicate's table has all that rules find there. One on demand may lack what none uses, but where what
    /// binds the arguments is looked up in these very tables as well, no rule finds a difference.
    pub(super) fn has_all_rows(&self, form: FormId) -> bool {
        self.has_table(form) && !self.known.steps.contains_key(&form)
    }

    /// Whether the table of a predicate lacks what nothing uses.
    pub(super) fn is_partial(&self, form: FormId) -> bool {
        self.known.demanded.contains(&form) || self.known.steps.contains_key(&form)
    }

    /// Whether a literal says that a move is made.
    pub(super) fn is_move(&self, literal: &FlatLiteral) -> bool {
        let does = self.known.keywords.does;
        literal.is_positive() && literal.atom().is_some_and(|atom| atom.name == does)
    }

    /// Whether moves of some kind are those of roles that are constants.
    pub(super) fn has_simple_role(&self, form: FormId) -> bool {
        self.forms.form(form).shapes.first() == Some(&ShapeId::HOLE)
    }
}

/// What was found out.
#[derive(Debug, Default)]
pub(super) struct AboutTables {
    /// The groups of what is counted.
    pub(super) groups: AllGroups,
    /// Their ranks.
    pub(super) ranks: AllRanks,
    movers: FxHashMap<FormId, Vec<u32>>,
    implications: FxHashMap<(FormId, FormId, Vec<Value>), bool>,
    nestings: FxHashMap<TableSets, Option<Rc<Nesting>>>,
    queries: Queries,
}

/// An argument of a condition on an atom: a column of the atom, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Column(usize),
    Constant(u32),
}

/// The values of some variables for which literals hold whose tables have all rows; those that are not negated bind
/// them. None if there are more than `most`.
pub(super) fn answers(
    literals: &[&LiteralKind],
    wanted: impl Iterator<Item = u32>,
    most: usize,
    world: &World<'_>,
) -> Option<Table> {
    let tables = world.tables();
    let is_too_large = |kind: &&LiteralKind| match kind {
        LiteralKind::Positive(atom) => tables[predicate(atom.form)].len() > MOST_LOOKED_AT,
        _ => false,
    };
    if literals.iter().any(is_too_large) {
        return None;
    }
    let head = Atom {
        predicate: predicate(FormId(0)),
        arguments: wanted.map(Argument::Variable).collect(),
    };
    let rule = Rule::new(head, literals.iter().map(|kind| engine_literal(kind)).collect());
    let queries = &mut world.about_tables().queries;
    let query = queries.prepare(&rule, tables);
    let most = Most { answers: most, rows: MOST_LOOKED_AT as u64 };
    world.ticker().run(|budget| queries.answers(&query, tables, most, budget))?
}

impl AboutTables {
    /// The first constants of the rows of moves of some kind, ascending.
    pub(super) fn movers(&mut self, tables: &Tables, moves: FormId) -> &[u32] {
        self.movers.entry(moves).or_insert_with(|| {
            let mut movers: Vec<u32> = Vec::new();
            for row in tables[predicate(moves)].rows() {
                if let Err(place) = movers.binary_search(&row[0]) {
                    movers.insert(place, row[0]);
                }
            }
            movers
        })
    }

    /// The sets of a table, if it is not too large.
    pub(super) fn nesting(
        &mut self,
        tables: &Tables,
        sets: TableSets,
        ticker: &mut Ticker<'_>,
    ) -> Option<Rc<Nesting>> {
        if let Some(known) = self.nestings.get(&sets) {
            return known.clone();
        }
        let table = &tables[predicate(sets.form)];
        let nesting = Nesting::of(table, &sets.roles, ticker).map(Rc::new);
        self.nestings.insert(sets, nesting.clone());
        nesting
    }

    /// Whether all that an atom can say fulfils a condition on its variables alone.
    pub(super) fn implies(
        &mut self,
        tables: &Tables,
        atom: &FlatAtom,
        condition: &FlatAtom,
    ) -> bool {
        let column = |it: &Argument| atom.arguments.iter().position(|other| other == it);
        let value = |argument: &Argument| match argument {
            Argument::Constant(it) => Some(Value::Constant(*it)),
            Argument::Variable(_) => column(argument).map(Value::Column),
        };
        let values: Option<Vec<Value>> = condition.arguments.iter().map(value).collect();
        let Some(values) = values else { return false };
        let [own, table] = [atom, condition].map(|it| &tables[predicate(it.form)]);
        let key = (atom.form, condition.form, values);
        if let Some(&known) = self.implications.get(&key) {
            return known;
        }
        let mut tuple: Vec<u32> = Vec::with_capacity(key.2.len());
        let fulfils = |row: Constants<'_>| {
            tuple.clear();
            tuple.extend(key.2.iter().map(|&value| match value {
                Value::Column(it) => row[it],
                Value::Constant(it) => it,
            }));
            table.contains(&tuple)
        };
        let implies = own.len() <= MOST_LOOKED_AT && own.rows().all(fulfils);
        self.implications.insert(key, implies);
        implies
    }
}
