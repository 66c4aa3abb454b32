//! Nested sets: what holds if some of these values do, of which others use more.
//!
//! ```text
//! (<= (ahead ?p) (true (score ?p ?a)) (true (score ?q ?b)) (distinct ?p ?q) (less ?b ?a))
//! ```
//!
//! That somebody has less than `?a` takes a rule for each less: half the square of the scores. But who has less than 8
//! has less than 7, or 7:
//!
//! ```text
//! (<= (aux ?q ?a) (own ?a ?b) (true (score ?q ?b)))
//! (<= (aux ?q ?a) (contained ?a ?c) (aux ?q ?c))
//! ```
//!
//! `own` and `contained` are tables with a row a score. What a static condition is needs no rules that say so, as those
//! of an order: the sets of its table are compared, see [`nesting`].

mod nesting;

use std::rc::Rc;

use groundfrog_engine::Argument;
use groundfrog_engine::projection::{Part, VariableSet, members};
use groundfrog_engine::statistics::Measure;

use super::PartStep;
use super::draft::Draft;
use super::proposal::is_gain;
use crate::compact::complete_tables::auxiliaries::{Change, PassedOn, Split};
use crate::compact::estimate::{Bindings, all_variables, literal_variables, variables};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule};
use crate::options::PassId;
use crate::tuning::LEAST_ELEMENTS;
use nesting::Tables;
pub(super) use nesting::{Nesting, Role, TableSets};

/// How the literals of a part are looked up: a static condition by what its sets contain.
#[derive(Clone)]
pub(super) struct Nested {
    /// Where the condition stands in the rule.
    at: usize,
    /// Its variables that nothing else in the part has, but the rest of the rule.
    keys: VariableSet,
    /// Its variables that others in the part have.
    elements: VariableSet,
    nesting: Rc<Nesting>,
}

/// The part with nested sets that is best split off, if that pays. `all` are the bindings of the rule's variables, and
/// `size` is its size.
pub(crate) fn best_nested(
    rule: &FlatRule,
    (all, size): (&Bindings, f64),
    draft: &Draft<'_, '_>,
) -> Option<PartStep> {
    let mut best: Option<(f64, Part, Nested)> = None;
    for at in 0..rule.body.len() {
        let Some(condition) = condition(&rule.body[at], draft) else { continue };
        let of_condition = variables(&condition.arguments);
        for element in members(of_condition & !variables(&rule.head.arguments)) {
            let Some((part, of_sets)) = part(rule, at, element) else { continue };
            let Some(nested) = nested(rule, at, of_sets, draft) else { continue };
            let total = size_of_nested(rule, all, (&part, &nested), draft);
            let is_least = best.as_ref().is_none_or(|best| total < best.0);
            if is_least && is_gain(size, total) {
                best = Some((total, part, nested));
            }
        }
    }
    let (after, part, nested) = best?;
    let change = (PassId::NestedSets, Change::Nested);
    let split = Split::new(change, [rule.origin], (size, after));
    Some(PartStep { split, part, nested: Some(nested) })
}

/// The atom of a condition that has a table, and is not stored.
fn condition<'a>(literal: &'a FlatLiteral, draft: &Draft<'_, '_>) -> Option<&'a FlatAtom> {
    let is_condition = literal.is_positive() && literal.joined && !literal.stored;
    let atom = literal.atom().filter(|it| is_condition && draft.world.has_table(it.form))?;
    (atom.arguments.len() > 1).then_some(atom)
}

/// The sets that a condition has of some of its variables for others, the keys, if some contain others.
fn nested(
    rule: &FlatRule,
    at: usize,
    [keys, elements]: [VariableSet; 2],
    draft: &Draft<'_, '_>,
) -> Option<Nested> {
    let count = |of| draft.bindings([&rule.body[at]].into_iter(), of).count();
    if count(keys | elements) < LEAST_ELEMENTS * count(keys) {
        return None;
    }
    let condition = rule.body[at].atom()?;
    let others = variables(&condition.arguments) & !keys & !elements;
    let place =
        |variable: u32, set: VariableSet| (set & ((1 << variable) - 1)).count_ones() as usize;
    let role = |argument: &Argument| match *argument {
        Argument::Constant(it) => Role::Constant(it),
        Argument::Variable(it) if keys >> it & 1 == 1 => Role::Key(place(it, keys)),
        Argument::Variable(it) if elements >> it & 1 == 1 => Role::Element(place(it, elements)),
        Argument::Variable(it) => Role::Any(place(it, others)),
    };
    let roles: Vec<Role> = condition.arguments.iter().map(role).collect();
    let sets = TableSets { form: condition.form, roles };
    let (tables, ticker) = (draft.world.tables(), &mut draft.world.ticker());
    let nesting = draft.world.about_tables().nesting(tables, sets, ticker)?;
    let is_nested = nesting.contained() > 0;
    is_nested.then_some(Nested { at, keys, elements, nesting })
}

/// The expected size of a rule of which a part with nested sets has been split off, with that of the part.
fn size_of_nested(
    rule: &FlatRule,
    all: &Bindings,
    (part, nested): (&Part, &Nested),
    draft: &Draft<'_, '_>,
) -> f64 {
    let others: Vec<&FlatLiteral> = others(rule, part, nested.at).collect();
    let of_others = all_variables(others.iter().copied());
    let elements = nested.elements;
    let stored = others.iter().copied().filter(|it| it.stored);
    let wanted = all_variables(stored.clone());
    let count =
        |wanted: VariableSet| draft.bindings(others.iter().copied(), wanted & of_others).count();
    let of_an_element = count(wanted | part.interface | elements) / count(elements);
    let of_a_key = count(part.interface & !nested.keys);
    let own = nested.nesting.own() as f64 * of_an_element * (2.0 + stored.count() as f64);
    own + nested.nesting.contained() as f64 * of_a_key * 3.0 + draft.size_of_rest(rule, all, part)
}

/// Splits a part with nested sets off a rule.
pub(super) fn split_nested(
    rule: &mut FlatRule,
    part: &Part,
    nested: &Nested,
    draft: &mut Draft<'_, '_>,
) {
    let interface: Vec<u32> = members(part.interface).collect();
    let Tables { own, contained } = nested.nesting.tables();
    let [own, contained] = [own, contained].map(|table| draft.given(table));
    let keys: Vec<u32> = members(nested.keys).collect();
    let columns: Vec<u32> = keys.iter().copied().chain(members(nested.elements)).collect();
    let condition = draft.use_of(own, &columns, false);
    let inner: Vec<&FlatLiteral> = others(rule, part, nested.at).chain([&condition]).collect();
    let mut definition = draft.definition(&inner, &interface);
    let expected = {
        let (inner, _) = part.divide(&rule.body);
        draft.bindings(inner.iter(), part.interface)
    };
    let rows = expected.count();
    let distinct = definition.interface.iter().map(|&it| expected.domain(it).min(rows)).collect();
    let of_keys: Vec<Option<usize>> =
        definition.interface.iter().map(|it| keys.iter().position(|key| key == it)).collect();
    let measure = Measure { rows, distinct };
    definition.passed_on = Some(PassedOn { contained, of_keys });
    let (literal, _) = draft.stand_for_expected(definition, rule.origin, measure);
    let (_, mut rest) = part.divide(&rule.body);
    rest.push(literal);
    rule.body = rest;
}

/// The literals of a part but for the condition with nested sets.
fn others<'a>(
    rule: &'a FlatRule,
    part: &'a Part,
    at: usize,
) -> impl Iterator<Item = &'a FlatLiteral> {
    let of_part = rule.body.iter().enumerate().filter(move |&(it, _)| part.taken[it] && it != at);
    of_part.map(|(_, literal)| literal)
}

/// The part that eliminates a variable of a condition, with the keys and the elements of the condition's sets, if it is
/// stored and binds its variables.
fn part(rule: &FlatRule, at: usize, element: u32) -> Option<(Part, [VariableSet; 2])> {
    let body = &rule.body;
    let of = |it: usize| literal_variables(&body[it]);
    let taken: Vec<bool> = (0..body.len()).map(|it| of(it) >> element & 1 == 1).collect();
    let all = |is_meant: &dyn Fn(usize) -> bool| {
        (0..body.len()).filter(|&it| is_meant(it)).fold(0, |all, it| all | of(it))
    };
    let of_others = all(&|it| taken[it] && it != at);
    let inside = of_others | of(at);
    let outside = all(&|it| !taken[it]) | variables(&rule.head.arguments);
    let interface = inside & outside;
    let (keys, elements) = (interface & !of_others, of(at) & of_others);
    let is_stored = (0..body.len()).any(|it| taken[it] && body[it].stored);
    let is_safe = inside & !all(&|it| taken[it] && body[it].is_positive()) == 0
        && outside & !(all(&|it| !taken[it] && body[it].is_positive()) | interface) == 0;
    let part = Part { taken, interface, unbound: 0 };
    (is_stored && is_safe && keys != 0).then_some((part, [keys, elements]))
}
