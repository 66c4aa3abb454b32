//! What a recursive view is asked for with is asked where the recursion begins (pushing selections and projections into
//! linear recursion).
//!
//! ```text
//! (<= (connected ?p ?x ?y) (linked ?p ?x ?y))
//! (<= (connected ?p ?x ?z) (linked ?p ?x ?y) (connected ?p ?y ?z))
//! (<= (wins ?p) (left ?p ?x) (connected ?p ?x ?z) (right ?p ?z))
//! ```
//!
//! Where a chain ends is asked for only to tell whether that is on the right. The last argument is *passed on*: in
//! the recursive rule it is the same in the head and in the literal, and stands nowhere else. So it is as good to ask
//! of the first step, and then nobody asks for the argument:
//!
//! ```text
//! (<= (connected_any ?p ?x) (linked ?p ?x ?y) (right ?p ?y))
//! (<= (connected_any ?p ?x) (linked ?p ?x ?y) (connected_any ?p ?y))
//! (<= (wins ?p) (left ?p ?x) (connected_any ?p ?x))
//! ```
//!
//! The condition may be about other arguments that are passed on, as the player here, and may be a constant; it may be
//! several literals with variables of their own. Uses that ask for something else get a view of their own; if one asks for all, the view stays as it is. This is unfolding
//! and folding: `(connected_any ?p ?x)` is defined as what the use says, the rules of the view take the place of its
//! literal, and what they say of the next step is the definition once more. Conditions are static or about the state, so
//! that nothing depends on itself by this that did not before.

use std::collections::BTreeSet;

use fxhash::FxHashSet;
use groundfrog_engine::{Argument, Exceeded};

use super::super::redundant_arguments::Filtered;
use super::super::unfolding::replace;
use super::super::variables::{map_arguments, variables_of};
use super::{Definitions, Occurrences, variables_of_columns};
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind,
};
use crate::symbols::Symbol;

/// A view is asked for in at most so many ways,
const MOST_WAYS: usize = 8;
/// of which so many may have answers in common with one.
const MOST_ALIKE: usize = 2;

/// How the recursive rules of a view pass an argument on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passing {
    /// Not as it is.
    Changed,
    /// As it is, but other literals look at it.
    Seen,
    /// As it is, and nothing looks at it.
    Unseen,
}

/// What is asked of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Its value.
    Value,
    /// Whether it can be this constant.
    Constant(u32),
    /// Whether there is a value that fulfils the conditions.
    Any,
}

/// What a use asks for. The variables of the conditions are columns of the view, and others behind these.
#[derive(PartialEq, Eq)]
struct Way {
    columns: Vec<Asked>,
    conditions: Vec<FlatLiteral>,
}

impl Way {
    fn kept(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&it| self.columns[it] == Asked::Value).collect()
    }

    /// Whether two ways to ask have no answer in common.
    fn is_apart_from(&self, other: &Way) -> bool {
        self.columns.iter().zip(&other.columns).any(|(one, other)| match (one, other) {
            (Asked::Constant(one), Asked::Constant(other)) => one != other,
            _ => false,
        })
    }

    /// Whether it drops more than the constants that another way has as well.
    fn drops_more_than(&self, other: &Way) -> bool {
        let mut both = self.columns.iter().zip(&other.columns);
        both.any(|(one, other)| match one {
            Asked::Value => false,
            Asked::Constant(_) => one != other,
            Asked::Any => true,
        })
    }
}

/// A use of a view: the rule, the literal, and the literals that are conditions.
struct Use {
    rule: usize,
    literal: usize,
    conditions: Vec<usize>,
    way: usize,
}

/// Lets recursive views ask at the beginning what all their uses ask for. Returns them, with what takes their places.
///
/// # Errors
/// A limit that was exceeded.
pub(super) fn push(
    definitions: &mut Definitions<'_>,
    is_view: &impl Fn(FormId) -> bool,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let mut views: Vec<FormId> = Vec::new();
    for rule in &definitions.flat.rules {
        let form = rule.head.form;
        if pulse.beats(rule.body.len() as u32)
            && rule.body.iter().any(|it| it.form() == Some(form))
            && is_view(form)
            && !views.contains(&form)
        {
            views.push(form);
        }
    }
    pulse.finish()?;
    let mut pushed = Vec::new();
    for view in views {
        pushed.extend(push_one(definitions, view, pulse)?);
    }
    Ok(pushed)
}

#[inline(never)]
fn push_one(
    definitions: &mut Definitions<'_>,
    view: FormId,
    pulse: &mut Pulse<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let Some(passing) = passing(definitions, view, pulse)? else { return Ok(Vec::new()) };
    let Some((ways, uses)) = ways(definitions, view, &passing, pulse)? else {
        return Ok(Vec::new());
    };
    let has_facts = |flat: &FlatProgram, forms: &Forms| flat.facts(forms).any(|it| it.0 == view);
    if has_facts(definitions.flat, definitions.forms) {
        return Ok(Vec::new());
    }
    let rest: Vec<FormId> =
        ways.iter().map(|way| definitions.shortened(view, way.kept().len())).collect();
    // The uses of a rule come in the order of its literals: from the last to the first, what is removed moves none.
    let mut removed: FxHashSet<(usize, usize)> = FxHashSet::default();
    for it in &uses {
        removed.extend(it.conditions.iter().map(|&condition| (it.rule, condition)));
        let mut rules = std::mem::take(&mut definitions.flat.rules);
        if let LiteralKind::Positive(atom) = &mut rules[it.rule].body[it.literal].kind {
            definitions.shorten(atom, rest[it.way], &ways[it.way].kept());
        }
        definitions.flat.rules = rules;
    }
    let all = std::mem::take(&mut definitions.flat.rules);
    let mut rules = Vec::with_capacity(all.len());
    for (number, mut rule) in all.into_iter().enumerate() {
        if rule.head.form == view {
            let ways = ways.iter().zip(&rest);
            rules.extend(ways.filter_map(|(way, &rest)| begun(definitions, &rule, way, rest)));
            continue;
        }
        let mut at = 0..;
        rule.body.retain(|_| !removed.contains(&(number, at.next().unwrap_or_default())));
        rules.push(rule);
    }
    definitions.flat.rules = rules;
    Ok(rest.into_iter().map(|rest| Filtered { view, rest }).collect())
}

/// How each argument of a view is passed on, if each of its rules asks for at most one step before, and nothing else is
/// seen of what some argument is.
fn passing(
    definitions: &Definitions<'_>,
    view: FormId,
    pulse: &mut Pulse<'_>,
) -> Result<Option<Vec<Passing>>, Exceeded> {
    let mut passing = vec![Passing::Unseen; definitions.forms.columns(view)];
    for rule in definitions.flat.rules.iter().filter(|it| it.head.form == view) {
        if !pulse.beats(rule.body.len() as u32) {
            break;
        }
        let mut own = rule.body.iter().filter(|it| it.form() == Some(view));
        let Some(literal) = own.next() else { continue };
        let LiteralKind::Positive(atom) = &literal.kind else { return Ok(None) };
        if own.next().is_some() {
            return Ok(None);
        }
        let occurrences = Occurrences::of(rule);
        let head = &rule.head.arguments;
        for (column, of_column) in passing.iter_mut().enumerate() {
            let it = head[column];
            let is_once = head.iter().filter(|other| **other == it).count() == 1;
            let is_same = is_once && atom.arguments[column] == it;
            *of_column = match it.variable().filter(|_| is_same) {
                None => Passing::Changed,
                Some(variable) if !occurrences.is_single(variable) => match *of_column {
                    Passing::Changed => Passing::Changed,
                    _ => Passing::Seen,
                },
                Some(_) => *of_column,
            };
        }
    }
    pulse.finish()?;
    Ok(passing.contains(&Passing::Unseen).then_some(passing))
}

/// In which ways other rules ask for a view, and where; nothing if it is better left as it is.
fn ways(
    definitions: &Definitions<'_>,
    view: FormId,
    passing: &[Passing],
    pulse: &mut Pulse<'_>,
) -> Result<Option<(Vec<Way>, Vec<Use>)>, Exceeded> {
    let (mut ways, mut uses): (Vec<Way>, Vec<Use>) = (Vec::new(), Vec::new());
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
            let Some((way, conditions)) = way(rule, at, passing, definitions.true_) else {
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
    Ok(are_worth_it(&ways).then_some((ways, uses)))
}

/// Whether views for each of some ways have fewer answers together than one for all.
fn are_worth_it(ways: &[Way]) -> bool {
    let is_cheap = |way: &Way| {
        let alike = || ways.iter().filter(|it| !it.is_apart_from(way) && **it != *way);
        alike().count() < MOST_ALIKE && alike().all(|it| way.drops_more_than(it))
    };
    ways.iter().any(|it| it.columns.contains(&Asked::Any)) && ways.iter().all(is_cheap)
}

/// A literal of a rule that asks for a view.
struct Question<'run> {
    rule: &'run FlatRule,
    at: usize,
    arguments: &'run [Argument],
    passing: &'run [Passing],
    true_: Symbol,
}

/// What a literal of a rule asks of a view, and which others are conditions; nothing if it asks for all values.
fn way(
    rule: &FlatRule,
    at: usize,
    passing: &[Passing],
    true_: Symbol,
) -> Option<(Way, Vec<usize>)> {
    let LiteralKind::Positive(atom) = &rule.body[at].kind else { return None };
    let question = Question { rule, at, arguments: &atom.arguments, passing, true_ };
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
    if columns.iter().all(|it| *it == Asked::Value) {
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
        match (it, self.passing[column]) {
            (Argument::Constant(it), Passing::Seen | Passing::Unseen) => Asked::Constant(it),
            (Argument::Variable(_), Passing::Unseen)
                if is_once() && !self.rule.head.arguments.contains(&it) =>
            {
                Asked::Any
            }
            _ => Asked::Value,
        }
    }

    /// The literals that restrict an argument, with all that is said of their other variables but those that are passed
    /// on; nothing if they cannot be asked where the recursion begins.
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
                let is_of_state = || literal.atom().is_some_and(|it| it.name == self.true_);
                if literal.stored && !is_of_state() {
                    return None;
                }
                for other in mentioned {
                    let is_kept = match self.column_of(other) {
                        Some(column) if columns[column] == Asked::Any => false,
                        Some(column) if self.passing[column] == Passing::Changed => return None,
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

/// A rule of a view for one way to ask for it, if it has an answer: where it begins, the conditions are added.
fn begun(
    definitions: &Definitions<'_>,
    rule: &FlatRule,
    way: &Way,
    rest: FormId,
) -> Option<FlatRule> {
    let view = rule.head.form;
    let kept = way.kept();
    let name = definitions.forms.form(rest).predicate.name;
    let head = FlatAtom { form: rest, name, arguments: variables_of_columns(&kept) };
    let arguments = (0..).zip(&way.columns).map(|(column, it)| match *it {
        Asked::Constant(constant) => Argument::Constant(constant),
        Asked::Value | Asked::Any => Argument::Variable(column),
    });
    let asked = FlatAtom { arguments: arguments.collect(), ..rule.head.clone() };
    let asked =
        FlatLiteral { kind: LiteralKind::Positive(asked), joined: true, stored: rule.stored };
    let mut body = vec![asked];
    let is_step = rule.body.iter().any(|it| it.form() == Some(view));
    if !is_step {
        body.extend(way.conditions.iter().cloned());
    }
    let mut rule = replace(&FlatRule { head, body, ..*rule }, 0, rule)?;
    for literal in &mut rule.body {
        match &mut literal.kind {
            LiteralKind::Positive(atom) if atom.form == view => {
                definitions.shorten(atom, rest, &kept);
            }
            _ => {}
        }
    }
    (!super::derives_itself(&rule)).then_some(rule)
}
