//! Rules whose instances repeat only because literals of the same kind can change places.
//!
//! The second of two such instances has the same literals as the first with their rows exchanged. It is left
//! out as soon as a row is found that comes before the one that it is exchanged with: what is found first is
//! what a search for repeated rules would keep.

use crate::instantiate::contributions::{Condition, Contributions};
use crate::instantiate::request::Template;
use crate::plan::{Access, Plan};
use crate::program::{Argument, Arguments, Atom, Literal};

/// Makes the steps leave out instances that repeat because variables change places in one of these ways. Returns
/// whether none is left that does; otherwise nothing has been changed.
pub(super) fn leave_out(
    template: &Template,
    renamings: &[Vec<u32>],
    plan: &Plan,
    contributions: &mut Contributions,
) -> bool {
    let needed = template.needed_variables();
    let mut bound = template.rule.positive_atoms().flat_map(Atom::variables);
    if !bound.all(|it| needed[it as usize]) {
        return false;
    }
    let exchanges = renamings.iter().map(|renaming| exchanged(template, renaming));
    let Some(exchanges) = exchanges.collect::<Option<Vec<_>>>() else { return false };
    let orders = exchanges.iter().map(|exchange| order(exchange, plan));
    let Some(orders) = orders.collect::<Option<Vec<_>>>() else { return false };
    for (step, pairs) in orders.into_iter().flatten() {
        contributions.steps[step].conditions.insert(0, Condition::Order(pairs));
    }
    true
}

/// By literal: which one it becomes if variables are renamed; `None` if the rule becomes another.
fn exchanged(template: &Template, renaming: &[u32]) -> Option<Vec<usize>> {
    let rename = |arguments: &[Argument]| -> Arguments {
        let each = |&argument: &Argument| {
            argument.variable().map_or(argument, |it| Argument::Variable(renaming[it as usize]))
        };
        arguments.iter().map(each).collect()
    };
    let atom = |atom: &Atom| Atom { predicate: atom.predicate, arguments: rename(&atom.arguments) };
    let body = &template.rule.body;
    body.iter()
        .map(|literal| {
            let renamed = match literal {
                Literal::Positive(it) => Literal::Positive(atom(it)),
                Literal::Negative(it) => Literal::Negative(atom(it)),
                Literal::Distinct(left, right) => Literal::Distinct(rename(left), rename(right)),
            };
            body.iter().position(|it| is_same(it, &renamed))
        })
        .collect()
}

fn is_same(one: &Literal, other: &Literal) -> bool {
    match (one, other) {
        (Literal::Distinct(left, right), Literal::Distinct(first, second)) => {
            (left == first && right == second) || (left == second && right == first)
        }
        _ => one == other,
    }
}

/// Pairs of literals: the first at which the rows of a pair differ must have the lesser row on the left.
type Pairs = Box<[(usize, usize)]>;

/// What to compare after which steps so that of two instances that are exchanged only the first is left. `None`
/// if a row is not at hand.
fn order(exchange: &[usize], plan: &Plan) -> Option<Vec<(usize, Pairs)>> {
    let step_of = |literal: usize| plan.steps.iter().position(|step| step.literal == literal);
    let mut pairs = Vec::new();
    let mut orders: Vec<(usize, Pairs)> = Vec::new();
    let mut last = 0;
    for (position, step) in plan.steps.iter().enumerate() {
        if !matches!(step.access, Access::Scan | Access::Index(_) | Access::Row) {
            return None;
        }
        let other = exchange[step.literal];
        if other == step.literal {
            continue;
        }
        pairs.push((step.literal, other));
        let known = position.max(step_of(other)?);
        if known > last || orders.is_empty() {
            last = last.max(known);
            orders.push((last, pairs.clone().into()));
        } else if let Some(order) = orders.last_mut() {
            order.1 = pairs.clone().into();
        }
    }
    Some(orders)
}
