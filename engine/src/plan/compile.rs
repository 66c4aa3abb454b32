//! From an ordered body to steps: which columns are keys, what is bound where, when checks can run.

use super::{Access, Check, Plan, Step};
use crate::plan::order::Order;
use crate::program::{Argument, Atom, Literal, PredicateId, Rule};

/// Who provides the indexes that a plan asks for.
pub(crate) trait Catalog {
    /// How to find the rows of a predicate by these columns (at least one, not all).
    fn index(&mut self, predicate: PredicateId, columns: &[usize]) -> Access;
}

/// What a plan is for.
pub(crate) struct Request<'rule> {
    pub(crate) rule: &'rule Rule,
    /// The literal whose row the caller gives.
    pub(crate) given: Option<usize>,
    /// Per variable: whether what is emitted depends on it.
    pub(crate) needed: &'rule [bool],
    /// Per literal of the body: whether its row is emitted.
    pub(crate) needed_rows: &'rule [bool],
}

/// Compiles an ordered body.
pub(crate) fn compile(request: &Request<'_>, order: &Order, catalog: &mut impl Catalog) -> Plan {
    let rule = request.rule;
    let variables = rule.variable_count();
    let mut bound = vec![false; variables];
    let mut pending: Vec<&Literal> =
        rule.body.iter().filter(|it| !matches!(it, Literal::Positive(_))).collect();
    let prelude = take_ready(&mut pending, &bound);
    let mut steps: Vec<Step> = Vec::with_capacity(order.literals.len());
    let mut head_bound = None;
    for &position in &order.literals {
        let Literal::Positive(atom) = &rule.body[position] else {
            unreachable!("only positive literals are ordered")
        };
        let given = request.given == Some(position);
        let mut step = locate(atom, position, given, &bound, catalog);
        for variable in atom.variables() {
            bound[variable as usize] = true;
        }
        step.checks = take_ready(&mut pending, &bound);
        steps.push(step);
        if head_bound.is_none() && rule.head.variables().all(|it| bound[it as usize]) {
            head_bound = Some(steps.len() - 1);
        }
    }
    debug_assert!(pending.is_empty(), "a safe rule binds the variables of all its checks");
    let significant = mark_once(&mut steps, request);
    Plan {
        head_bound: head_bound.unwrap_or(0),
        prelude,
        steps: steps.into(),
        registers: variables,
        literals: rule.body.len(),
        significant,
        cost: order.cost,
    }
}

/// The look-up of one literal.
fn locate(
    atom: &Atom,
    literal: usize,
    given: bool,
    bound: &[bool],
    catalog: &mut impl Catalog,
) -> Step {
    let known = |argument: &Argument| argument.variable().is_none_or(|it| bound[it as usize]);
    let mut columns = Vec::new();
    let mut key = Vec::new();
    let (mut bind, mut tests) = (Vec::new(), Vec::new());
    let mut fresh: Vec<u32> = Vec::new();
    for (column, &argument) in atom.arguments.iter().enumerate() {
        match argument {
            Argument::Variable(variable) if !known(&argument) => {
                if fresh.contains(&variable) {
                    tests.push((column as u32, argument));
                } else {
                    fresh.push(variable);
                    bind.push((column as u32, variable));
                }
            }
            _ if given => tests.push((column as u32, argument)),
            _ => {
                columns.push(column);
                key.push(argument);
            }
        }
    }
    let access = match columns.len() {
        _ if given => Access::Given,
        all if all == atom.arguments.len() => Access::Row,
        0 => Access::Scan,
        _ => catalog.index(atom.predicate, &columns),
    };
    Step {
        predicate: atom.predicate,
        literal,
        access,
        key: key.into(),
        bind: bind.into(),
        tests: tests.into(),
        checks: Box::default(),
        once: false,
    }
}

/// Takes out the checks whose variables are all bound.
fn take_ready(pending: &mut Vec<&Literal>, bound: &[bool]) -> Box<[Check]> {
    let mut ready = Vec::new();
    pending.retain(|literal| {
        let is_ready = literal.variables().all(|it| bound[it as usize]);
        if is_ready {
            ready.push(match literal {
                Literal::Negative(atom) => {
                    Check::Absent(atom.predicate, atom.arguments.clone().into())
                }
                Literal::Distinct(left, right) => {
                    Check::Distinct(left.iter().copied().zip(right.iter().copied()).collect())
                }
                Literal::Positive(_) => unreachable!("positive literals are steps"),
            });
        }
        !is_ready
    });
    ready.into()
}

/// Marks the steps of which one row is enough, and returns the number of significant steps.
fn mark_once(steps: &mut [Step], request: &Request<'_>) -> usize {
    let mut used = request.needed.to_vec();
    let mut significant = 0;
    for (position, step) in steps.iter_mut().enumerate().rev() {
        let own: Vec<u32> = step.bind.iter().map(|&(_, register)| register).collect();
        let row_needed = request.needed_rows[step.literal];
        step.once = !row_needed && !own.iter().any(|&it| used[it as usize]);
        let emits = row_needed || own.iter().any(|&it| request.needed[it as usize]);
        if emits && significant == 0 {
            significant = position + 1;
        }
        let later_checks = step.checks.iter().flat_map(check_arguments);
        let read = step.key.iter().copied().chain(step.tests.iter().map(|&(_, it)| it));
        for variable in read.chain(later_checks).filter_map(Argument::variable) {
            // What a step reads of its own binding does not make its row matter to later steps.
            if !own.contains(&variable) {
                used[variable as usize] = true;
            }
        }
    }
    significant
}

fn check_arguments(check: &Check) -> Vec<Argument> {
    match check {
        Check::Absent(_, arguments) => arguments.to_vec(),
        Check::Distinct(pairs) => pairs.iter().flat_map(|&(left, right)| [left, right]).collect(),
    }
}
