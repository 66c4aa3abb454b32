//! Or-elimination: every `or`, nested or not, becomes several rules.
//!
//! Where `or`s side by side would
//! multiply to too many rules, they get predicates of their own (`naming`).
//! Afterwards every body is a list of literals: `not` stands before atoms only (De Morgan), and
//! `(not (distinct a b))`, which is equality, is solved by substitution. An `or` of `distinct`s is one comparison of tuples.

mod naming;

use std::sync::Arc;

use groundfrog_engine::{Budget, Exceeded};

use crate::description::{Compound, Description, Formula, Statement, Term};
use crate::error::GroundError;
use crate::kif::{Diagnostic, Span};
use crate::rules::{self, Literal, Rule, Rules, Substitution};
use crate::symbols::{Symbol, Symbols, fresh};
use crate::ticker::Ticker;
use naming::Names;

/// One statement may become at most this many rules: `or`s side by side multiply.
pub const MAX_ALTERNATIVES: usize = 1 << 16;

/// These rules may have at most this many names in their terms: with long bodies, or large terms, there are fewer.
const MAX_NAMES: usize = MAX_ALTERNATIVES << 6;

/// How many ticks an alternative takes.
const ALTERNATIVE: u32 = 64;

/// A literal, or the equality that `(not (distinct a b))` stands for.
#[derive(Clone)]
enum LiteralOrEquality {
    Literal(Literal),
    Equal(Term, Term),
}

/// A way to make a formula true.
#[derive(Clone, Default)]
struct FormulaAlternative {
    literals: Vec<Literal>,
    equalities: Vec<(Term, Term)>,
}

impl FormulaAlternative {
    fn add(&mut self, condition: LiteralOrEquality) {
        match condition {
            LiteralOrEquality::Literal(literal) => self.literals.push(literal),
            LiteralOrEquality::Equal(left, right) => self.equalities.push((left, right)),
        }
    }

    /// Both this and another.
    fn and(&self, other: &FormulaAlternative) -> FormulaAlternative {
        FormulaAlternative {
            literals: [self.literals.as_slice(), &other.literals].concat(),
            equalities: [self.equalities.as_slice(), &other.equalities].concat(),
        }
    }
}

/// All ways to make a formula true.
type Alternatives = Vec<FormulaAlternative>;

/// Expands the statements of a description to rules, in order.
///
/// # Errors
/// A statement that stands for more than [`MAX_ALTERNATIVES`] rules, or whose equalities make terms that are too large;
/// a limit of the budget.
pub fn eliminate_or(description: &Description, budget: &Budget) -> Result<Rules, GroundError> {
    let mut ticker = Ticker::new(budget, 0);
    let mut rules = Vec::with_capacity(description.statements.len());
    let mut names = Names::new(description.symbols.clone());
    let mut tuples = Tuples::default();
    for statement in &description.statements {
        if statement.body.is_empty() {
            let (head, span) = (statement.head.clone(), statement.span);
            rules.push(Rule { head, body: Vec::new(), span });
            continue;
        }
        if let Some(body) = only_alternative(&statement.body) {
            rules.extend(solve(description, statement, body, &mut ticker)?);
            continue;
        }
        let statement = tuples.compared(statement, &mut names.symbols);
        divide(description, statement, &mut names, &mut rules, &mut ticker)?;
    }
    let Names { symbols, given } = names;
    Ok(Rules { symbols, keywords: description.keywords, rules, of_alternatives: given })
}

/// Adds the rules that a statement with alternatives stands for.
fn divide(
    description: &Description,
    statement: Statement,
    names: &mut Names,
    rules: &mut Vec<Rule>,
    ticker: &mut Ticker<'_>,
) -> Result<(), GroundError> {
    let exceeded = |exceeded: Exceeded| GroundError::limit(description, &[], exceeded.into());
    // Those behind are what the one before uses.
    let mut rest = vec![statement];
    while let Some(statement) = rest.pop() {
        let shortened = naming::shortened(&statement, names, ticker).map_err(exceeded)?;
        if let Some((shorter, definitions)) = shortened {
            rest.extend(definitions.into_iter().rev());
            rest.push(shorter);
            continue;
        }
        let alternatives = conjunction(&statement.body, false, ticker).map_err(exceeded)?;
        let too_many_rules =
            || too_many(description, &statement, &format!("{MAX_ALTERNATIVES} rules"));
        let alternatives = alternatives.ok_or_else(too_many_rules)?;
        let mut names = 0;
        for body in alternatives {
            ticker.ticks(ALTERNATIVE).map_err(exceeded)?;
            let rule = solve(description, &statement, body, ticker)?;
            names += rule.as_ref().map_or(0, rules::names_in);
            if names > MAX_NAMES {
                return Err(too_many(
                    description,
                    &statement,
                    &format!("{MAX_NAMES} names in rules"),
                ));
            }
            rules.extend(rule);
        }
    }
    Ok(())
}

fn too_many(description: &Description, statement: &Statement, limit: &str) -> GroundError {
    let message = format!("the rule stands for more than {limit} without `or`");
    let diagnostic = Diagnostic::error("GF0301", message, statement.span)
        .with_help("give parts of the body predicates of their own: `or`s side by side multiply");
    GroundError::too_large(description, vec![diagnostic])
}

/// The alternative of a conjunction without `or`, as of most rules.
fn only_alternative(formulas: &[Formula]) -> Option<FormulaAlternative> {
    if !formulas.iter().all(|it| matches!(Demand::of(it, false), Demand::One(..))) {
        return None;
    }
    let literals = Vec::with_capacity(formulas.len());
    let mut only = FormulaAlternative { literals, equalities: Vec::new() };
    formulas.iter().filter_map(|it| condition(it, false)).for_each(|it| only.add(it));
    Some(only)
}

/// The alternatives of a formula, or of its negation; `None` if there are too many.
fn alternatives(
    formula: &Formula,
    negated: bool,
    ticker: &mut Ticker<'_>,
) -> Result<Option<Alternatives>, Exceeded> {
    match Demand::of(formula, negated) {
        Demand::One(formula, negated) => {
            let mut alternative = FormulaAlternative::default();
            condition(formula, negated).into_iter().for_each(|it| alternative.add(it));
            Ok(Some(vec![alternative]))
        }
        Demand::Each(formulas, negated) => conjunction(formulas, negated, ticker),
        Demand::Any(formulas, negated) => {
            let mut all = Vec::new();
            for formula in formulas {
                let Some(more) = alternatives(formula, negated, ticker)? else { return Ok(None) };
                all.extend(more);
                if all.len() > MAX_ALTERNATIVES {
                    return Ok(None);
                }
            }
            Ok(Some(all))
        }
    }
}

/// The one condition that a formula or its negation is, if it has no alternatives.
fn condition(formula: &Formula, negated: bool) -> Option<LiteralOrEquality> {
    Some(match stripped(formula, negated) {
        (Formula::Atom(atom), true) => LiteralOrEquality::Literal(Literal::Negative(atom.clone())),
        (Formula::Atom(atom), false) => LiteralOrEquality::Literal(Literal::Positive(atom.clone())),
        (Formula::Distinct(left, right, _), true) => {
            LiteralOrEquality::Equal(left.clone(), right.clone())
        }
        (Formula::Distinct(left, right, _), false) => {
            LiteralOrEquality::Literal(Literal::Distinct(left.clone(), right.clone()))
        }
        (Formula::Not(..) | Formula::Or(..) | Formula::And(..), _) => return None,
    })
}

/// The alternatives of a conjunction: one of each formula, in all combinations.
fn conjunction(
    formulas: &[Formula],
    negated: bool,
    ticker: &mut Ticker<'_>,
) -> Result<Option<Alternatives>, Exceeded> {
    let literals = Vec::with_capacity(formulas.len());
    let mut product = vec![FormulaAlternative { literals, equalities: Vec::new() }];
    for formula in formulas {
        if let Some(condition) = condition(formula, negated) {
            if let Some((first, others)) = product.split_first_mut() {
                others.iter_mut().for_each(|body| body.add(condition.clone()));
                first.add(condition);
            }
            continue;
        }
        let Some(factor) = alternatives(formula, negated, ticker)? else { return Ok(None) };
        if product.len() * factor.len() > MAX_ALTERNATIVES {
            return Ok(None);
        }
        let mut longer = Vec::with_capacity(product.len() * factor.len());
        for body in &product {
            ticker.ticks(ALTERNATIVE * factor.len() as u32)?;
            longer.extend(factor.iter().map(|more| body.and(more)));
        }
        product = longer;
    }
    Ok(Some(product))
}

/// The rule of one alternative; `None` if its equalities cannot hold.
///
/// # Errors
/// The terms that the equalities make are too large: each may hold another one several times; a limit of the budget.
fn solve(
    description: &Description,
    statement: &Statement,
    body: FormulaAlternative,
    ticker: &mut Ticker<'_>,
) -> Result<Option<Rule>, GroundError> {
    let rule = Rule { head: statement.head.clone(), body: body.literals, span: statement.span };
    if body.equalities.is_empty() {
        return Ok(Some(rule));
    }
    let mut values = Substitution::default();
    let is_solved = body.equalities.iter().all(|(left, right)| values.unify(left, right));
    let solved = is_solved.then(|| rule.substitute(&values));
    let steps = ticker.ticks(values.steps());
    steps.map_err(|exceeded| GroundError::limit(description, &[], exceeded.into()))?;
    let is_large = |it: &Rule| rules::names_in(it) > rules::MOST_NAMES;
    if values.is_exhausted() || solved.as_ref().is_some_and(is_large) {
        return Err(GroundError::too_large(description, vec![rules::multiplied(&rule)]));
    }
    Ok(solved)
}

/// What has to hold for a formula, or for its negation, to hold.
enum Demand<'f> {
    /// An atom or a `distinct`, or, if it is so, its negation.
    One(&'f Formula, bool),
    /// Each of some formulas, or of their negations.
    Each(&'f [Formula], bool),
    /// At least one of them.
    Any(&'f [Formula], bool),
}

impl<'f> Demand<'f> {
    fn of(formula: &'f Formula, negated: bool) -> Self {
        match stripped(formula, negated) {
            (Formula::And(formulas, _), false) => Demand::Each(formulas, false),
            (Formula::Or(formulas, _), true) => Demand::Each(formulas, true),
            (Formula::And(formulas, _) | Formula::Or(formulas, _), negated) => {
                Demand::Any(formulas, negated)
            }
            (formula, negated) => Demand::One(formula, negated),
        }
    }
}

/// A formula without `not` before it, and whether it is negated then.
fn stripped(mut formula: &Formula, mut negated: bool) -> (&Formula, bool) {
    while let Formula::Not(inner, _) = formula {
        (formula, negated) = (inner, !negated);
    }
    (formula, negated)
}

/// A formula, or its negation.
fn written(formula: &Formula, negated: bool) -> Formula {
    match negated {
        true => Formula::Not(Box::new(formula.clone()), formula.span()),
        false => formula.clone(),
    }
}

/// Longer tuples are not made: rules may become too long by them.
const MOST_PAIRS: usize = 16;

/// Compares tuples.
#[derive(Default)]
struct Tuples {
    /// The function that makes a tuple of terms, once there is one: no term of the description has it.
    function: Option<Symbol>,
}

impl Tuples {
    /// A statement whose `or`s of `distinct` are comparisons of tuples.
    fn compared(&mut self, statement: &Statement, symbols: &mut Symbols) -> Statement {
        let body = statement.body.iter().map(|it| self.formula(it, false, symbols)).collect();
        Statement { body, ..statement.clone() }
    }

    /// A formula, or its negation, with comparisons of tuples.
    fn formula(&mut self, formula: &Formula, negated: bool, symbols: &mut Symbols) -> Formula {
        let span = formula.span();
        match Demand::of(formula, negated) {
            Demand::One(formula, negated) => written(formula, negated),
            Demand::Each(formulas, negated) => {
                let formulas = formulas.iter().map(|it| self.formula(it, negated, symbols));
                Formula::And(formulas.collect(), span)
            }
            Demand::Any(formulas, negated) => {
                let mut all = Vec::with_capacity(formulas.len());
                for formula in formulas {
                    match self.formula(formula, negated, symbols) {
                        Formula::Or(more, _) => all.extend(more),
                        other => all.push(other),
                    }
                }
                self.any(all, span, symbols)
            }
        }
    }

    /// That one of some formulas holds.
    fn any(&mut self, mut formulas: Vec<Formula>, span: Span, symbols: &mut Symbols) -> Formula {
        let is_comparison = |it: &&Formula| matches!(it, Formula::Distinct(..));
        if (2..=MOST_PAIRS).contains(&formulas.iter().filter(is_comparison).count()) {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            formulas.retain(|formula| {
                let Formula::Distinct(one, other, _) = formula else { return true };
                left.push(one.clone());
                right.push(other.clone());
                false
            });
            let [left, right] = [left, right].map(|terms| self.tuple(terms, symbols));
            formulas.push(Formula::Distinct(left, right, span));
        }
        match formulas.len() {
            1 => formulas.swap_remove(0),
            _ => Formula::Or(formulas, span),
        }
    }

    fn tuple(&mut self, terms: Vec<Term>, symbols: &mut Symbols) -> Term {
        let functor = *self.function.get_or_insert_with(|| fresh(symbols, "tuple"));
        Term::Compound(Arc::new(Compound { functor, arguments: terms.into() }))
    }
}
