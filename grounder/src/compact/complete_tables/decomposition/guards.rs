//! Guards: literals of a rule as conditions on a part that is split off, where the part needs values from the rest or is
//! much smaller with them.

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{Part, VariableSet, members};

use super::draft::Draft;
use super::proposal::is_gain;
use crate::compact::estimate::literal_variables;
use crate::compact::variables::map_arguments;
use crate::flat::{FlatLiteral, FlatRule};

/// Literals of the rest that bind what the part leaves unbound or make it smaller, as conditions on its
/// interface; and the expected size of the part with them.
pub(super) fn guarded(
    rule: &FlatRule,
    part: &Part,
    draft: &Draft<'_, '_>,
) -> (Vec<FlatLiteral>, f64) {
    let body: Vec<&FlatLiteral> = rule.body.iter().collect();
    let (inner, rest) = part.divide(&body);
    let mut guards: Vec<FlatLiteral> = Vec::new();
    let mut unbound = part.unbound;
    while unbound != 0 {
        let binders = rest.iter().filter(|it| it.joined && it.is_positive());
        let binders = binders.filter(|it| literal_variables(it) & unbound != 0);
        let values = |literal: &FlatLiteral| {
            let own = literal_variables(literal) & part.interface;
            draft.bindings(std::iter::once(literal), own).count()
        };
        let cheapest = binders.map(|it| (values(it), it)).min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, binder) = cheapest.expect("the rest binds what the part does not");
        unbound &= !literal_variables(binder);
        guards.push(FlatLiteral { stored: false, ..(*binder).clone() });
    }
    let all = body.iter().map(|it| literal_variables(it)).fold(0, |all, it| all | it);
    let mut names = members(!all).collect::<Vec<u32>>().into_iter();
    // Each guard is projected by itself: what two of them share outside of the interface does not join them.
    let mut conditions: Vec<FlatLiteral> =
        guards.iter().map(|it| with_own_names(it, part.interface, &mut names)).collect();
    let mut size = draft.cost(inner.iter().copied().chain(&conditions), part.interface).size;
    let may_guard = |literal: &&&FlatLiteral| {
        literal.joined && literal.is_positive() && literal_variables(literal) & part.interface != 0
    };
    for literal in rest.iter().filter(may_guard) {
        let own = FlatLiteral { stored: false, ..(*literal).clone() };
        // What binds is a condition already, and would count twice.
        if guards.contains(&own) {
            continue;
        }
        conditions.push(with_own_names(&own, part.interface, &mut names));
        let guarded = draft.cost(inner.iter().copied().chain(&conditions), part.interface).size;
        if is_gain(size, guarded) {
            guards.push(own);
            size = guarded;
        } else {
            conditions.pop();
        }
    }
    (guards, size)
}

/// A condition on the interface: the literal, without its other variables.
pub(super) fn guard(
    literal: FlatLiteral,
    interface: VariableSet,
    origin: u32,
    draft: &mut Draft<'_, '_>,
) -> FlatLiteral {
    let own = literal_variables(&literal);
    if own & !interface == 0 {
        return literal;
    }
    let columns: Vec<u32> = members(own & interface).collect();
    let definition = draft.definition(&[&literal], &columns);
    draft.stand_for(definition, origin).0
}

/// A literal with other names for the variables that are not in the interface, as far as there are any.
fn with_own_names(
    literal: &FlatLiteral,
    interface: VariableSet,
    names: &mut impl Iterator<Item = u32>,
) -> FlatLiteral {
    let inner: Vec<u32> = members(literal_variables(literal) & !interface).collect();
    let names: Vec<u32> = names.take(inner.len()).collect();
    let rename = |argument: Argument| {
        let place = argument.variable().and_then(|it| inner.iter().position(|&inner| inner == it));
        place.and_then(|it| names.get(it)).map_or(argument, |&it| Argument::Variable(it))
    };
    FlatLiteral { kind: map_arguments(&literal.kind, &rename), ..*literal }
}
