//! What rules ask of a recursive view: which arguments, and which conditions on them can be asked elsewhere.

use std::collections::BTreeSet;

use groundfrog_engine::graph::Graph;
use groundfrog_engine::{Argument, Exceeded};

use super::Definitions;
use super::passing::Passing;
use super::query::{Need, Query};
use crate::compact::variables::{map_arguments, variables_of};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::symbols::Symbol;
use crate::ticker::Ticker;
use crate::tuning::flat_rules::queries::{MOST_ALIKE, MOST_QUERIES};

/// A use of a view: the rule, the literal, and the literals that are conditions.
pub(super) struct Use {
    pub(super) rule: usize,
    pub(super) literal: usize,
    pub(super) conditions: Vec<usize>,
    /// Which way it is.
    pub(super) query: usize,
}

/// The arguments that conditions are about, which then need no values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Those that the recursive rules pass on: where the recursion begins.
    PassedOn,
    /// Those that they change: where it ends. All of them must be about conditions.
    Changed,
}

/// The queries of a view, and its uses.
pub(super) type Queries = (Vec<Query>, Vec<Use>);

/// In which ways other rules use a view, and where; nothing if it is better left as it is.
pub(super) fn queries(
    definitions: &Definitions<'_>,
    view: FormId,
    (passing, side): (&[Passing], Side),
    ticker: &mut Ticker<'_>,
) -> Result<Option<Queries>, Exceeded> {
    let (mut queries, mut uses): (Vec<Query>, Vec<Use>) = (Vec::new(), Vec::new());
    let names = [definitions.true_, definitions.does];
    let concerned = concerned_by(definitions, view, ticker)?;
    for (number, rule) in definitions.flat.rules.iter().enumerate() {
        if !ticker.ticks(rule.body.len() as u32) {
            break;
        }
        if rule.head.form == view {
            continue;
        }
        for (at, literal) in rule.body.iter().enumerate() {
            if literal.form() != Some(view) {
                continue;
            }
            let Some((query, conditions)) = query(rule, at, (passing, side), (names, &concerned))
            else {
                return Ok(None);
            };
            let known = queries.iter().position(|it| *it == query);
            if known.is_none() {
                queries.push(query);
            }
            let query = known.unwrap_or(queries.len() - 1);
            uses.push(Use { rule: number, literal: at, conditions, query });
            if queries.len() > MOST_QUERIES {
                return Ok(None);
            }
        }
    }
    ticker.finish()?;
    Ok(are_worth_it(&queries, passing, side).then_some((queries, uses)))
}

/// By form: whether it depends on a view, or on moves where the view does not. Nothing of that may be asked where the
/// recursion of the view begins or ends.
fn concerned_by(
    definitions: &Definitions<'_>,
    view: FormId,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<bool>, Exceeded> {
    let (mut uses, mut of_moves) = (Vec::new(), Vec::new());
    for rule in &definitions.flat.rules {
        if !ticker.ticks(rule.body.len() as u32) {
            break;
        }
        for atom in rule.body.iter().filter_map(FlatLiteral::atom) {
            if atom.name == definitions.does {
                of_moves.push(rule.head.form.0);
            } else if atom.name != definitions.true_ {
                uses.push((atom.form.0, rule.head.form.0));
            }
        }
    }
    ticker.finish()?;
    let forms = definitions.forms.len();
    let (users, mut concerned) = (Graph::new(forms, uses), vec![false; forms]);
    users.reach(&mut concerned, of_moves);
    if concerned[view.index()] {
        concerned.fill(false);
    }
    users.reach(&mut concerned, vec![view.0]);
    Ok(concerned)
}

/// Whether views for each of some ways have fewer answers together than one for all.
fn are_worth_it(queries: &[Query], passing: &[Passing], side: Side) -> bool {
    let alike = |query: &Query| {
        let others = queries.iter().filter(|it| *it != query && !it.is_apart_from(query, passing));
        others.collect::<Vec<_>>()
    };
    match side {
        Side::PassedOn => {
            let is_cheap = |query: &Query| {
                let alike = alike(query);
                alike.len() < MOST_ALIKE && alike.into_iter().all(|it| query.drops_more_than(it))
            };
            queries.iter().any(|it| it.columns.contains(&Need::Any)) && queries.iter().all(is_cheap)
        }
        // What is met on the way may be all that there is.
        Side::Changed => queries.iter().all(|it| alike(it).is_empty()),
    }
}

/// A literal of a rule that uses a view.
struct Question<'run> {
    rule: &'run FlatRule,
    at: usize,
    arguments: &'run [Argument],
    passing: &'run [Passing],
    side: Side,
    /// The names of what holds in the state and of what the roles do.
    names: [Symbol; 2],
    /// By form: whether it is no condition, as it depends on the view or on moves.
    concerned: &'run [bool],
}

/// What a literal of a rule asks of a view, and which others are conditions; nothing if it needs all values.
fn query(
    rule: &FlatRule,
    at: usize,
    (passing, side): (&[Passing], Side),
    (names, concerned): ([Symbol; 2], &[bool]),
) -> Option<(Query, Vec<usize>)> {
    let LiteralKind::Positive(atom) = &rule.body[at].kind else { return None };
    let question =
        Question { rule, at, arguments: &atom.arguments, passing, side, names, concerned };
    let mut columns: Vec<Need> =
        (0..passing.len()).map(|it| question.need_of_literal(it)).collect();
    let mut conditions: BTreeSet<usize> = BTreeSet::new();
    let mut column = 0;
    while column < columns.len() {
        if columns[column] == Need::Any {
            match question.conditions(column, &columns) {
                Some(found) => conditions.extend(found),
                // Conditions on others may be about this value as well.
                None => {
                    columns[column] = Need::Value;
                    conditions.clear();
                    column = 0;
                    continue;
                }
            }
        }
        column += 1;
    }
    let has_value = |it: &usize| columns[*it] == Need::Value;
    let mut all = 0..columns.len();
    let asks_for_too_much = match side {
        Side::PassedOn => all.all(|it| has_value(&it)),
        Side::Changed => all.filter(has_value).any(|it| passing[it] == Passing::Changed),
    };
    if asks_for_too_much {
        return None;
    }
    let positions: Vec<usize> = conditions.into_iter().collect();
    let conditions = question.by_columns(&positions);
    Some((Query { columns, conditions }, positions))
}

impl Question<'_> {
    fn column_of(&self, variable: u32) -> Option<usize> {
        self.arguments.iter().position(|it| *it == Argument::Variable(variable))
    }

    /// What is asked of an argument, other literals aside.
    fn need_of_literal(&self, column: usize) -> Need {
        let it = self.arguments[column];
        let is_once = || self.arguments.iter().filter(|other| **other == it).count() == 1;
        let (may_be_any, may_be_constant) = match (self.side, self.passing[column]) {
            (_, Passing::Seen) => (false, true),
            (Side::PassedOn, Passing::Unseen) | (Side::Changed, Passing::Changed) => (true, true),
            (Side::PassedOn, Passing::Changed) | (Side::Changed, Passing::Unseen) => (false, false),
        };
        match it {
            Argument::Constant(it) if may_be_constant => Need::Constant(it),
            Argument::Variable(it) if may_be_any && is_once() && !self.is_of_head(it) => Need::Any,
            _ => Need::Value,
        }
    }

    /// Whether a condition may be about the value of an argument.
    fn is_at_hand(&self, column: usize) -> bool {
        match self.side {
            Side::PassedOn => self.passing[column] != Passing::Changed,
            Side::Changed => self.passing[column] == Passing::Seen,
        }
    }

    /// The literals that restrict an argument, with all that is said of their other variables but those that are passed
    /// on; nothing if they cannot be asked there.
    fn conditions(&self, column: usize, columns: &[Need]) -> Option<BTreeSet<usize>> {
        let mut found = BTreeSet::new();
        let mut variables: Vec<u32> = self.arguments[column].variable().into_iter().collect();
        let mut next = 0;
        while let Some(&variable) = variables.get(next) {
            next += 1;
            for (at, literal) in self.rule.body.iter().enumerate().filter(|it| it.0 != self.at) {
                let mentioned = variables_of(literal);
                if !mentioned.contains(&variable) || !found.insert(at) {
                    continue;
                }
                if !literal.atom().is_none_or(|it| self.may_be_moved(it)) {
                    return None;
                }
                for other in mentioned {
                    let is_kept = match self.column_of(other) {
                        Some(column) if columns[column] == Need::Any => false,
                        Some(column) if !self.is_at_hand(column) => return None,
                        Some(_) => true,
                        None if self.is_of_head(other) => return None,
                        None => false,
                    };
                    if !is_kept && !variables.contains(&other) {
                        variables.push(other);
                    }
                }
            }
        }
        Some(found)
    }

    /// Whether an atom may be demanded elsewhere.
    fn may_be_moved(&self, atom: &FlatAtom) -> bool {
        let [true_, does] = self.names;
        atom.name == true_ || (atom.name != does && !self.concerned[atom.form.index()])
    }

    fn is_of_head(&self, variable: u32) -> bool {
        self.rule.head.arguments.contains(&Argument::Variable(variable))
    }

    /// Literals with the numbers of columns for their variables, and others behind these.
    fn by_columns(&self, positions: &[usize]) -> Vec<FlatLiteral> {
        let literals = positions.iter().map(|&at| &self.rule.body[at]);
        let mut others: Vec<u32> = literals.clone().flat_map(variables_of).collect();
        let mut known: Vec<u32> = Vec::new();
        others.retain(|it| {
            let is_new = self.column_of(*it).is_none() && !known.contains(it);
            known.push(*it);
            is_new
        });
        let number = |it: Argument| {
            let Argument::Variable(variable) = it else { return it };
            let of_others = || others.iter().position(|it| *it == variable);
            let place = self.column_of(variable);
            let place = place.or_else(|| Some(self.arguments.len() + of_others()?));
            place.map_or(it, |it| Argument::Variable(it as u32))
        };
        let literal =
            |it: &FlatLiteral| FlatLiteral { kind: map_arguments(&it.kind, &number), ..*it };
        literals.map(literal).collect()
    }
}
