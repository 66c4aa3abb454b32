//! Rules that can never fire, and conditions that never hold.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::{Atom, Printer, Term};
use groundfrog::flat::lowering::joined_rule;
use groundfrog::flat::{Ending, FlatRule, Shape, ShapeId};
use groundfrog::ground::Extents;
use groundfrog::kif::{Diagnostic, Span};
use groundfrog::rules::{Literal, Rule};
use groundfrog::symbols::Symbol;
use groundfrog::ticker::Ticker;
use groundfrog_engine::query::Queries;
use groundfrog_engine::{Budget, Constants};

pub(super) fn check(extents: &Extents, ticker: &mut Ticker<'_>, found: &mut Vec<Diagnostic>) {
    let mut search = ExtentSearch::new(extents, ticker);
    // What was looked at until the limit is right; what was not is not reported.
    let _ = dead_rules(extents, &mut search, found);
    let _ = empty_negations(extents, &mut search, found);
}

/// Statements none of whose rules has an instance.
fn dead_rules(
    extents: &Extents,
    search: &mut ExtentSearch<'_, '_, '_>,
    found: &mut Vec<Diagnostic>,
) -> Result<(), TooLong> {
    let mut by_span: FxHashMap<Span, Vec<&FlatRule>> = FxHashMap::default();
    for rule in extents.rules() {
        by_span.entry(extents.span(rule)).or_default().push(rule);
    }
    let prepared = extents.prepared();
    let mut seen = FxHashSet::default();
    for (position, rule) in prepared.rules.rules.iter().enumerate() {
        let binds = rule.body.iter().any(|it| matches!(it, Literal::Positive(_)));
        if !binds || !prepared.statics.is_used(rule.head.predicate()) || !seen.insert(rule.span) {
            continue;
        }
        // Of a predicate on demand there is what is demanded: that some of it never holds means nothing.
        if !extents.has_all_of(rule.span) {
            continue;
        }
        let mut fires = false;
        for flat in by_span.get(&rule.span).into_iter().flatten() {
            fires = fires || search.can_fire(flat)?;
        }
        // The rules of one statement stand together. One without positive literals is another matter.
        let alternatives = prepared.rules.rules[position..].iter();
        let alternatives: Vec<&Rule> = alternatives.take_while(|it| it.span == rule.span).collect();
        let binds_all = |it: &&Rule| it.body.iter().any(|it| matches!(it, Literal::Positive(_)));
        if fires || !alternatives.iter().all(binds_all) {
            continue;
        }
        found.push(dead_rule(extents, search, rule, &alternatives)?);
    }
    Ok(())
}

fn dead_rule(
    extents: &Extents,
    search: &mut ExtentSearch<'_, '_, '_>,
    rule: &Rule,
    alternatives: &[&Rule],
) -> Result<Diagnostic, TooLong> {
    let symbols = &extents.prepared().rules.symbols;
    let printer = Printer::new(symbols);
    let (mut culprits, mut tried): (Vec<&Atom>, FxHashSet<&Atom>) = Default::default();
    for literal in alternatives.iter().flat_map(|rule| &rule.body) {
        if let Literal::Positive(atom) = literal
            && tried.insert(atom)
            && !search.can_hold(atom)?
        {
            culprits.push(atom);
        }
    }
    let name = extents.name(rule.head.predicate());
    let message = format!("this rule about `{name}` can never fire");
    let diagnostic = Diagnostic::warning("GF0602", message, rule.head.span);
    if culprits.is_empty() {
        return Ok(diagnostic.with_help(
            "each condition can hold, but never all of them together, whatever the state",
        ));
    }
    Ok(culprits.iter().fold(diagnostic, |diagnostic, atom| {
        let made = &extents.prepared().rules.of_alternatives;
        let text = match made.contains(&atom.predicate) {
            true => "none of these alternatives holds in any state".to_owned(),
            false => format!("`{}` holds in no state", printer.atom(atom)),
        };
        diagnostic.with_label(atom.span, text)
    }))
}

/// Negations of what never holds.
fn empty_negations(
    extents: &Extents,
    search: &mut ExtentSearch<'_, '_, '_>,
    found: &mut Vec<Diagnostic>,
) -> Result<(), TooLong> {
    let prepared = extents.prepared();
    let keywords = &prepared.rules.keywords;
    let printer = Printer::new(&prepared.rules.symbols);
    let defined: FxHashSet<_> =
        prepared.rules.rules.iter().map(|rule| rule.head.predicate()).collect();
    let mut seen = FxHashSet::default();
    for rule in &prepared.rules.rules {
        let used = prepared.statics.is_used(rule.head.predicate());
        for literal in rule.body.iter().filter(|_| used) {
            let Literal::Negative(atom) = literal else { continue };
            let given = [keywords.true_, keywords.does];
            // That a predicate is never defined is reported as that.
            let known = given.contains(&atom.predicate) || defined.contains(&atom.predicate());
            if known && seen.insert(atom.span) && !search.can_hold(atom)? {
                let message =
                    format!("`{}` never holds: its negation says nothing", printer.atom(atom));
                found.push(Diagnostic::warning("GF0607", message, atom.span));
            }
        }
    }
    Ok(())
}

// Whether an atom, or a whole body, can hold: patterns against the tables of what can hold.

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
