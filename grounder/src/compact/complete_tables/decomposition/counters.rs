//! Elements that all differ: counters in the place of what says that there are so many.
//!
//! ```text
//! (<= (full ?g) (true (mark ?g ?x)) (true (mark ?g ?y)) (true (mark ?g ?z))
//!     (distinct ?x ?y) (distinct ?x ?z) (distinct ?y ?z))
//! ```
//!
//! Such a rule has an instance for each three of all marks of a group. But what it says of them it says of each, so that no
//! more matters than how many there are. With the marks in some order, there are two among those up to one if there are
//! two among those before, or there is one before and this is another (a sequential counter; Sinz, "Towards an Optimal
//! CNF Encoding of Boolean Cardinality Constraints", 2005):
//!
//! ```text
//! (<= (one ?g ?i) (rank ?x ?i) (true (mark ?g ?x)))          (<= (one ?g ?i) (after ?h ?i) (one ?g ?h))
//! (<= (two ?g ?i) (step ?x ?h ?i) (true (mark ?g ?x)) (one ?g ?h))
//!                                                            (<= (two ?g ?i) (after ?h ?i) (two ?g ?h))
//! (<= (full ?g) (before ?z ?h) (true (mark ?g ?z)) (two ?g ?h))
//! ```
//!
//! That is a few rules for each mark. Where a condition gives which elements there are for a group, as the neighbours of a
//! cell, each group has ranks of its own. Rules that count the same further share what they count first.

mod elements;

use std::rc::Rc;

use fxhash::FxHashMap;
use groundfrog_engine::projection::{VariableSet, members, set_of};
use groundfrog_engine::{Argument, Arguments, Constants, Table};

use self::elements::{Elements, Separated, sides};
use super::draft::Draft;
use super::proposal::{Proposal, is_gain};
use super::world::{World, answers};
use crate::compact::complete_tables::auxiliaries::Change;
use crate::compact::estimate::{all_variables, fits, literal_variables, variables};
use crate::compact::unfolding::{map_arguments, variables_of};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, LiteralKind};
use crate::ticker::Ticker;
use crate::tuning::MOST_LOOKED_AT;

/// Literals that define the elements of a domain; by column, whether it belongs to the element.
type DomainKey = (Vec<LiteralKind>, Vec<bool>);

/// By the literals that describe elements: the groups of these.
pub(super) type AllGroups = FxHashMap<DomainKey, Option<Rc<ElementGroups>>>;
/// By the literals that describe elements: their ranks.
pub(super) type AllRanks = FxHashMap<DomainKey, Option<Rc<ElementRanks>>>;

/// How the elements of a rule are counted.
struct Counter {
    /// How many there have to be.
    wanted: usize,
    /// What is required of an element.
    own: Vec<FlatLiteral>,
    /// The variables of this that are not the element's own.
    shared: VariableSet,
    /// Conditions on these.
    guards: Vec<FlatLiteral>,
    rest: Vec<FlatLiteral>,
    /// What the ranks are of: variables of groups that have ranks of their own, and then the tuple that stands for an element.
    columns: Vec<u32>,
    key: DomainKey,
    groups: Rc<ElementGroups>,
}

impl Counter {
    fn stored(&self) -> impl Iterator<Item = &FlatLiteral> {
        self.own.iter().filter(|it| it.stored)
    }

    /// Whether what is stored of an element has variables that are no part of the tuple that stands for it.
    fn has_inner(&self) -> bool {
        let columns = self.shared | set_of(self.columns.iter().copied());
        self.stored().any(|it| literal_variables(it) & !columns != 0)
    }

    /// Whether there is something to be gained by the sizes of the groups, as there is where an element is met again and again.
    fn may_pay(&self) -> bool {
        let wanted = self.wanted as f64;
        let sets = |elements: f64| -> f64 {
            let all = (0..self.wanted).map(|it| it as f64);
            all.map(|it| (elements - it).max(0.0) / (it + 1.0)).product()
        };
        let sets: f64 = self.groups.elements.iter().map(|&it| sets(it as f64)).sum();
        let stored = self.stored().count() as f64;
        let of_a_rank = 3.0 * (wanted - 1.0) + (3.0 + stored) * wanted - 1.0;
        let ranks = self.reached() * self.groups.elements.len() as f64;
        is_gain(sets * (2.0 + stored * wanted), ranks * of_a_rank)
            || ranks > 0.0 && self.has_inner()
    }

    /// How many ranks of a group matter on average: not those that leave too few elements behind or before them.
    fn reached(&self) -> f64 {
        let elements = &self.groups.elements;
        let reached = elements.iter().map(|it| (it + 1).saturating_sub(self.wanted));
        reached.sum::<usize>() as f64 / elements.len() as f64
    }
}

/// Rules with a counter in the place of elements that all differ.
pub(crate) fn counted(rule: &FlatRule, draft: &Draft<'_, '_>) -> Vec<Proposal> {
    let head = variables(&rule.head.arguments);
    if rule.body.iter().all(|literal| sides(literal, head).is_empty()) {
        return Vec::new();
    }
    let proposal = |elements: Elements| {
        let counter = counter(&elements, elements.separated(rule)?, draft)?;
        let mut above = draft.above();
        let (counted, size) = with_counter(rule, &counter, &mut above)?;
        Some(Proposal::new(Change::Counted, vec![counted], (above.into_made(), size)))
    };
    Elements::of(rule).into_iter().filter_map(proposal).collect()
}

/// How elements are counted that each have conditions of their own, if they can be.
fn counter(elements: &Elements, separated: Separated, draft: &Draft<'_, '_>) -> Option<Counter> {
    let wanted = elements.keys.len();
    let Separated { own, block, rest } = separated;
    if wanted < 2 || draft.are_about_moves(own.iter()) {
        return None;
    }
    let binders = |literals: &[FlatLiteral]| {
        all_variables(literals.iter().filter(|it| it.joined && it.is_positive()))
    };
    let shared = all_variables(&own) & !block;
    let may_guard = |literal: &&FlatLiteral| {
        let variables = literal_variables(literal);
        literal.joined && literal.is_positive() && variables != 0 && variables & !shared == 0
    };
    let guards = rest.iter().filter(may_guard).filter(|it| !it.stored);
    let mut guards: Vec<FlatLiteral> = guards.cloned().collect();
    for literal in rest.iter().filter(may_guard).filter(|it| it.stored) {
        if literal_variables(literal) & !(binders(&own) | binders(&guards)) != 0 {
            guards.push(FlatLiteral { stored: false, ..literal.clone() });
        }
    }
    if (block | shared) & !(binders(&own) | binders(&guards)) != 0 {
        return None;
    }
    let key = set_of(elements.keys[0].iter().copied());
    let (columns, counted, groups) = groups(&own, key, shared, draft)?;
    let counter = Counter { wanted, own, shared, guards, rest, columns, key: counted, groups };
    // What is known before something is tried is known when it is done.
    (counter.may_pay() && ranks(&counter, draft.world).is_some()).then_some(counter)
}

/// The groups that the tables of some literals have, with these literals, and the variables that they are of: those of
/// the key, and those of the groups.
fn groups(
    own: &[FlatLiteral],
    key: VariableSet,
    shared: VariableSet,
    draft: &Draft<'_, '_>,
) -> Option<(Vec<u32>, DomainKey, Rc<ElementGroups>)> {
    let is_known = |literal: &FlatLiteral, among: VariableSet| {
        let is_binder = literal.joined && literal.is_positive();
        literal_variables(literal) & !among == 0
            && literal.atom().is_none_or(|it| is_binder && draft.world.has_all_rows(it.form))
    };
    let of = |literals: &[&FlatLiteral]| {
        all_variables(literals.iter().copied().filter(|it| it.is_positive()))
    };
    // Those with other variables only where an element is not known without them.
    let literals = [key | shared, !0]
        .map(|among| own.iter().filter(|it| is_known(it, among)).collect::<Vec<&FlatLiteral>>());
    let mut literals = literals.into_iter().find(|it| key & !of(it) == 0)?;
    let bound = of(&literals);
    literals.retain(|it| literal_variables(it) & !bound == 0);
    let bound = bound & (key | shared);
    let definition = draft.definition(&literals, &members(bound).collect::<Vec<_>>());
    let is_of_element: Vec<bool> =
        definition.interface.iter().map(|it| key >> it & 1 == 1).collect();
    let kinds = definition.body.iter().map(|it| it.kind.clone()).collect();
    let counted = (kinds, is_of_element);
    let known = draft.world.about_tables().groups.get(&counted).cloned();
    let groups = known.unwrap_or_else(|| {
        let body: Vec<&LiteralKind> = counted.0.iter().collect();
        let tuples = answers(&body, 0..definition.columns as u32, MOST_LOOKED_AT, draft.world);
        let groups = tuples.map(|it| Rc::new(ElementGroups::of(&it, &counted.1)));
        draft.world.about_tables().groups.insert(counted.clone(), groups.clone());
        groups
    });
    Some((definition.interface, counted, groups?))
}

/// The ranks of what is counted.
fn ranks(Counter { key, groups, .. }: &Counter, world: &World<'_>) -> Option<Rc<ElementRanks>> {
    if let Some(known) = world.about_tables().ranks.get(key) {
        return known.clone();
    }
    let name = |rank: usize| world.symbol(&rank.to_string()).0;
    let ranks = ElementRanks::of(groups, name, &mut world.ticker()).map(Rc::new);
    world.about_tables().ranks.insert(key.clone(), ranks.clone());
    ranks
}

/// The rule with a counter, and the expected size of the counter's rules that are new.
fn with_counter(
    rule: &FlatRule,
    counter: &Counter,
    draft: &mut Draft<'_, '_>,
) -> Option<(FlatRule, f64)> {
    let next = rule.body.iter().flat_map(variables_of).max()? + 1;
    let (before, rank) = (next, next + 1);
    let all_ranks = ranks(counter, draft.world)?;
    let ElementRanks { ranks, steps, before: all_before, successors } = &*all_ranks;
    let [ranks, steps, all_before, successors] =
        [ranks, steps, all_before, successors].map(|table| draft.given(table));
    let ranked = |form, more: &[u32]| {
        let columns = [&counter.columns, more].concat();
        draft.use_of(form, &columns, false)
    };
    let [is_first, is_next, is_last] =
        [ranked(ranks, &[rank]), ranked(steps, &[before, rank]), ranked(all_before, &[before])];
    let (own, mut size) = description_of_each(counter, rule.origin, draft);
    let shared: Vec<u32> = members(counter.shared).collect();
    let groups = draft.bindings(own.iter().chain(&counter.guards), counter.shared).count();
    let reached = groups * counter.reached();
    let stored = own.iter().filter(|it| it.stored).count() as f64;
    let mut counted: Option<FlatLiteral> = None;
    for _ in 1..counter.wanted {
        let mut body: Vec<&FlatLiteral> = own.iter().collect();
        match &counted {
            None => body.extend(counter.guards.iter().chain([&is_first])),
            Some(counted) => body.extend([counted, &is_next]),
        }
        let literals = 2.0 + stored + f64::from(u8::from(counted.is_some()));
        let columns = [&shared[..], &[rank]].concat();
        let definition = draft.definition(&body, &columns);
        let at = definition.interface.iter().position(|it| *it == rank)?;
        let (literal, is_new) = draft.stand_for(definition, rule.origin);
        if is_new && let LiteralKind::Positive(atom) = &literal.kind {
            let successor = |columns: &[u32]| draft.use_of(successors, columns, false);
            let rule = passed_on(atom, at, rule.origin, successor);
            draft.add_rule(rule);
            // To a rank that leaves too few elements behind it nothing need be passed on.
            size += reached * literals + (reached - groups).max(0.0) * 3.0;
        }
        let earlier =
            |it| if it == Argument::Variable(rank) { Argument::Variable(before) } else { it };
        counted = Some(FlatLiteral { kind: map_arguments(&literal.kind, &earlier), ..literal });
    }
    let body = counter.rest.iter().cloned().chain(own).chain([is_last]).chain(counted);
    let counted = FlatRule { body: body.collect(), ..rule.clone() };
    fits(&counted).then_some((counted, size))
}

/// What is required of an element, with a name if it has variables of its own; and the size of what the name stands for.
fn description_of_each(
    counter: &Counter,
    origin: u32,
    draft: &mut Draft<'_, '_>,
) -> (Vec<FlatLiteral>, f64) {
    let columns = counter.shared | set_of(counter.columns.iter().copied());
    if !counter.has_inner() {
        return (counter.own.clone(), 0.0);
    }
    let body: Vec<&FlatLiteral> = counter.own.iter().chain(&counter.guards).collect();
    let size = draft.cost(body.iter().copied(), columns).size;
    let definition = draft.definition(&body, &members(columns).collect::<Vec<_>>());
    let (literal, is_new) = draft.stand_for(definition, origin);
    (vec![literal], if is_new { size } else { 0.0 })
}

/// The rule that what holds for a rank, in the column `at` of an atom, holds for the next.
fn passed_on(
    atom: &FlatAtom,
    at: usize,
    origin: u32,
    successor: impl Fn(&[u32]) -> FlatLiteral,
) -> FlatRule {
    let columns = atom.arguments.len() as u32;
    let head: Arguments = (0..columns).map(Argument::Variable).collect();
    let mut before = head.clone();
    before[at] = Argument::Variable(columns);
    let kind = LiteralKind::Positive(FlatAtom { arguments: before, ..atom.clone() });
    FlatRule {
        head: FlatAtom { arguments: head, ..atom.clone() },
        body: vec![
            successor(&[columns, at as u32]),
            FlatLiteral { kind, joined: true, stored: true },
        ],
        origin,
        stored: true,
    }
}

/// How many ticks it takes to look at a tuple.
const A_TUPLE: u32 = 8;

/// Elements by group.
#[derive(Debug)]
pub(super) struct ElementGroups {
    /// Tuples of a group and an element, those of one group together and in the order of the elements.
    tuples: Vec<Vec<u32>>,
    /// By group, how many elements there are.
    elements: Vec<usize>,
}

impl ElementGroups {
    /// The groups of some tuples; by column, whether it is of the element.
    fn of(tuples: &Table, is_of_element: &[bool]) -> Self {
        let group = |tuple: &[u32]| -> Vec<u32> {
            let columns = tuple.iter().zip(is_of_element);
            columns.filter(|(_, is_of_element)| !**is_of_element).map(|(it, _)| *it).collect()
        };
        let mut tuples: Vec<Vec<u32>> = tuples.rows().map(Constants::to_vec).collect();
        tuples.sort_unstable();
        if is_of_element.contains(&false) {
            tuples.sort_by_cached_key(|it| group(it));
        }
        let groups = tuples.chunk_by(|one, other| group(one) == group(other));
        let elements = groups.map(<[Vec<u32>]>::len).collect();
        ElementGroups { tuples, elements }
    }
}

/// The elements of each group, numbered from 1 on. The columns of the tables are those of the groups and elements, and then the
/// element's own rank or the one before it.
#[derive(Debug)]
pub(super) struct ElementRanks {
    /// With their ranks.
    ranks: Rc<Table>,
    /// All but the first of a group, with the rank before and their own.
    steps: Rc<Table>,
    /// As `steps`, without the own rank.
    before: Rc<Table>,
    /// Each rank from the second on, with the one before it.
    successors: Rc<Table>,
}

impl ElementRanks {
    /// The ranks of elements.
    fn of(
        groups: &ElementGroups,
        name: impl Fn(usize) -> u32,
        ticker: &mut Ticker<'_>,
    ) -> Option<Self> {
        let most = *groups.elements.iter().max()?;
        let width = groups.tuples.first()?.len();
        let numbers: Vec<u32> = (1..=most).map(name).collect();
        let [mut ranks, mut before] = [Table::new(width + 1), Table::new(width + 1)];
        let (mut steps, mut successors) = (Table::new(width + 2), Table::new(2));
        let mut row = Vec::with_capacity(width + 2);
        let places = groups.elements.iter().flat_map(|&elements| 0..elements);
        for (tuple, at) in groups.tuples.iter().zip(places) {
            if !ticker.goes_on(A_TUPLE) {
                return None;
            }
            row.clear();
            row.extend_from_slice(tuple);
            if at > 0 {
                row.push(numbers[at - 1]);
                before.insert(&row);
                row.push(numbers[at]);
                steps.insert(&row);
                row.truncate(width);
            }
            row.push(numbers[at]);
            ranks.insert(&row);
        }
        for pair in numbers.windows(2) {
            successors.insert(pair);
        }
        let [ranks, steps, before, successors] = [ranks, steps, before, successors].map(Rc::new);
        Some(ElementRanks { ranks, steps, before, successors })
    }
}
