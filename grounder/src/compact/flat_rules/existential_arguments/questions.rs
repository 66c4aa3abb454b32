//! What rules ask of a recursive view: which arguments, and which conditions on them can be asked elsewhere.

use std::collections::BTreeSet;

use groundfrog_engine::graph::Graph;
use groundfrog_engine::{Argument, Exceeded};

use super::Definitions;
use super::passing::Passing;
use super::ways::{Asked, Way};
use crate::compact::variables::{map_arguments, variables_of};
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::symbols::Symbol;

/// A view is asked for in at most so many ways,
const MOST_WAYS: usize = 8;
/// of which so many may have answers in common with one.
const MOST_ALIKE: usize = 2;

/// A use of a view: the rule, the literal, and the literals that are conditions.
pub(super) struct Use {
    pub(super) rule: usize,
    pub(super) literal: usize,
    pub(super) conditions: Vec<usize>,
    /// Which way it is.
    pub(super) way: usize,
}

/// The arguments that conditions are about, which then need no values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Those that the recursive rules pass on: where the recursion begins.
    PassedOn,
    /// Those that they change: where it ends. All of them must be about conditions.
    Changed,
}

/// The ways to ask for a view, and its uses.
pub(super) type Asking = (Vec<Way>, Vec<Use>);

/// In which ways other rules ask for a view, and where; nothing if it is better left as it is.
pub(super) fn ways(
    definitions: &Definitions<'_>,
    view: FormId,
    (passing, side): (&[Passing], Side),
    pulse: &mut Pulse<'_>,
) -> Result<Option<Asking>, Exceeded> {
    let (mut ways, mut uses): (Vec<Way>, Vec<Use>) = (Vec::new(), Vec::new());
    let names = [definitions.true_, definitions.does];
    let concerned = concerned_by(definitions, view, pulse)?;
    for (number, rule) in definitions.flat.rules.iter().enumerate() {
        if !pulse.beats(rule.body.len() as u32) {
            break;
        }
        if rule.head.form == view {
            continue;
        }
        for (at, literal) in rule.body.iter().enumerate() {
            if literal.form() != Some(view) {
                continue;
            }
            let Some((way, conditions)) = way(rule, at, (passing, side), (names, &concerned))
            else {
                return Ok(None);
            };
            let known = ways.iter().position(|it| *it == way);
            if known.is_none() {
                ways.push(way);
            }
            let way = known.unwrap_or(ways.len() - 1);
            uses.push(Use { rule: number, literal: at, conditions, way });
            if ways.len() > MOST_WAYS {
                return Ok(None);
            }
        }
    }
    pulse.finish()?;
    Ok(are_worth_it(&ways, passing, side).then_some((ways, uses)))
}

/// By form: whether it depends on a view, or on moves where the view does not. Nothing of that may be asked where the
/// recursion of the view begins or ends.
fn concerned_by(
    definitions: &Definitions<'_>,
    view: FormId,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<bool>, Exceeded> {
    let (mut uses, mut of_moves) = (Vec::new(), Vec::new());
    for rule in &definitions.flat.rules {
        if !pulse.beats(rule.body.len() as u32) {
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
    pulse.finish()?;
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
fn are_worth_it(ways: &[Way], passing: &[Passing], side: Side) -> bool {
    let alike = |way: &Way| {
        let others = ways.iter().filter(|it| *it != way && !it.is_apart_from(way, passing));
        others.collect::<Vec<_>>()
    };
    match side {
        Side::PassedOn => {
            let is_cheap = |way: &Way| {
                let alike = alike(way);
                alike.len() < MOST_ALIKE && alike.into_iter().all(|it| way.drops_more_than(it))
            };
            ways.iter().any(|it| it.columns.contains(&Asked::Any)) && ways.iter().all(is_cheap)
        }
        // What is met on the way may be all that there is.
        Side::Changed => ways.iter().all(|it| alike(it).is_empty()),
    }
}

/// A literal of a rule that asks for a view.
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

/// What a literal of a rule asks of a view, and which others are conditions; nothing if it asks for all values.
fn way(
    rule: &FlatRule,
    at: usize,
    (passing, side): (&[Passing], Side),
    (names, concerned): ([Symbol; 2], &[bool]),
) -> Option<(Way, Vec<usize>)> {
    let LiteralKind::Positive(atom) = &rule.body[at].kind else { return None };
    let question =
        Question { rule, at, arguments: &atom.arguments, passing, side, names, concerned };
    let mut columns: Vec<Asked> =
        (0..passing.len()).map(|it| question.asked_by_literal(it)).collect();
    let mut conditions: BTreeSet<usize> = BTreeSet::new();
    let mut column = 0;
    while column < columns.len() {
        if columns[column] == Asked::Any {
            match question.conditions(column, &columns) {
                Some(found) => conditions.extend(found),
                // Conditions on others may be about this value as well.
                None => {
                    columns[column] = Asked::Value;
                    conditions.clear();
                    column = 0;
                    continue;
                }
            }
        }
        column += 1;
    }
    let has_value = |it: &usize| columns[*it] == Asked::Value;
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
    Some((Way { columns, conditions }, positions))
}

impl Question<'_> {
    fn column_of(&self, variable: u32) -> Option<usize> {
        self.arguments.iter().position(|it| *it == Argument::Variable(variable))
    }

    /// What is asked of an argument, other literals aside.
    fn asked_by_literal(&self, column: usize) -> Asked {
        let it = self.arguments[column];
        let is_once = || self.arguments.iter().filter(|other| **other == it).count() == 1;
        let (may_be_any, may_be_constant) = match (self.side, self.passing[column]) {
            (_, Passing::Seen) => (false, true),
            (Side::PassedOn, Passing::Unseen) | (Side::Changed, Passing::Changed) => (true, true),
            (Side::PassedOn, Passing::Changed) | (Side::Changed, Passing::Unseen) => (false, false),
        };
        match it {
            Argument::Constant(it) if may_be_constant => Asked::Constant(it),
            Argument::Variable(it) if may_be_any && is_once() && !self.is_of_head(it) => Asked::Any,
            _ => Asked::Value,
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
    fn conditions(&self, column: usize, columns: &[Asked]) -> Option<BTreeSet<usize>> {
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
                        Some(column) if columns[column] == Asked::Any => false,
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

    /// Whether an atom may be asked for elsewhere.
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
