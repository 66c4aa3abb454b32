//! What is known when rules are split: their predicates, the tables of these, and the limits.

use std::cell::{OnceCell, RefCell, RefMut};
use std::rc::Rc;

use fxhash::FxHashMap;
use groundfrog_engine::statistics::{Measure, TableStatistics};
use groundfrog_engine::{Exceeded, Tables};

use super::about_tables::AboutTables;
use super::move_parts::Views;
use super::proposal::Wanted;
use super::{Context, Known};
use crate::flat::lowering::predicate;
use crate::flat::{FlatLiteral, FlatRule, FormId, Forms, ShapeId};
use crate::symbols::{Symbol, Symbols};
use crate::ticker::Ticker;

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
