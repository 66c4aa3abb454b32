//! Rules that are alike but for one literal, or for a part.
//!
//! So that it does not matter how a rule was written, its literals and variables are put in a canonical [`order`].

use std::cmp::Reverse;
use std::hash::BuildHasher;

use fxhash::{FxBuildHasher, FxHashMap};
use groundfrog_engine::Argument;

use crate::compact::unfolding::{for_each_argument, map_arguments, mention, number};
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::ticker::Ticker;
use crate::tuning::LONGEST_BODY;

/// How many ticks it takes to put a literal in order.
const A_LITERAL: u32 = 8;

/// Groups of rules that are the same but for a literal, with the positions of rule and literal; the largest first, as a
/// rule that is stated twice is like itself but for each literal. `rules` come with their positions and those of the
/// literals that are wanted. If the ticker stops there are none.
pub(super) fn groups(
    rules: &[(usize, &FlatRule, Vec<usize>)],
    ticker: &mut Ticker<'_>,
) -> Vec<Vec<(usize, usize)>> {
    // To put all but each of many literals in order takes long: first a look at which of them may be alike.
    let outlines: Vec<Vec<u64>> = rules.iter().map(|(_, rule, _)| outlines(rule)).collect();
    let mut of_outline: FxHashMap<(FormId, u64), u32> = FxHashMap::default();
    for ((_, rule, _), outlines) in rules.iter().zip(&outlines) {
        outlines.iter().for_each(|it| *of_outline.entry((rule.head.form, *it)).or_default() += 1);
    }
    let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
    // By the rest, and what of it the literal shares.
    let mut by_rest: FxHashMap<(Rest, Vec<u32>), usize> = FxHashMap::default();
    for ((index, rule, wanted), outlines) in rules.iter().zip(&outlines) {
        let may_be_alike = |at: &usize| of_outline[&(rule.head.form, outlines[*at])] > 1;
        let is_short = rule.body.len() <= LONGEST_BODY;
        for at in wanted.iter().copied().filter(|at| is_short && may_be_alike(at)) {
            if !ticker.goes_on(A_LITERAL * rule.body.len() as u32) {
                return Vec::new();
            }
            let (rest, names) = Rest::new(rule, |it| it != at);
            let shared = shared(&rule.body[at], &names);
            let group = *by_rest.entry((rest, shared)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            // A rule may be like itself.
            if groups[group].last().is_none_or(|&(last, _)| last != *index) {
                groups[group].push((*index, at));
            }
        }
    }
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| Reverse(group.len()));
    groups
}

/// The positions of the literals of a rule that are wanted.
pub(super) fn positions(rule: &FlatRule, is_wanted: impl Fn(&FlatLiteral) -> bool) -> Vec<usize> {
    (0..rule.body.len()).filter(|&at| is_wanted(&rule.body[at])).collect()
}

/// By literal: a hash of the others that rules have in common which are alike but for it.
fn outlines(rule: &FlatRule) -> Vec<u64> {
    let hashes: Vec<u64> = rule.body.iter().map(hash).collect();
    let all = hashes.iter().fold(0, |all: u64, it| all.wrapping_add(*it));
    hashes.into_iter().map(|it| all.wrapping_sub(it)).collect()
}

/// A rule without some of its literals, in whatever order the others were written.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Rest {
    head: (FormId, Vec<Argument>),
    body: Vec<(LiteralKind, bool, bool)>,
}

impl Rest {
    /// What is left of a rule, and its variables by number.
    pub(super) fn new(rule: &FlatRule, is_left: impl Fn(usize) -> bool) -> (Self, Vec<u32>) {
        let (order, names) = order(rule, is_left);
        let rename = |argument: Argument| number(&names, argument);
        let head = rule.head.arguments.iter().map(|&it| rename(it)).collect();
        let left = order.into_iter().map(|at| &rule.body[at]);
        let body = left.map(|it| (map_arguments(&it.kind, &rename), it.joined, it.stored));
        (Rest { head: (rule.head.form, head), body: body.collect() }, names)
    }
}

/// The variables of a rule without the literal `at`, by number in [`Rest`].
pub(super) fn names_without(rule: &FlatRule, at: usize) -> Vec<u32> {
    order(rule, |it| it != at).1
}

/// The variables that a literal shares with the rest of its rule, by number in [`Rest`], ascending.
pub(super) fn shared(literal: &FlatLiteral, names: &[u32]) -> Vec<u32> {
    let of_literal = literal.atom().map(|it| it.arguments.as_slice()).unwrap_or_default();
    let is_shared = |variable: &u32| of_literal.iter().any(|it| it.variable() == Some(*variable));
    (0..).zip(names).filter(|(_, it)| is_shared(it)).map(|it| it.0).collect()
}

/// Of which kind a literal is, and about what.
type Rank = (u8, Option<FormId>, bool, bool);

/// What does not depend on the numbers of variables: rules that are alike have literals with the same hashes.
pub(super) fn hash(literal: &FlatLiteral) -> u64 {
    let mut constants: Vec<(u32, Argument)> = Vec::new();
    let mut column = 0;
    for_each_argument(&literal.kind, &mut |argument| {
        constants.extend(argument.variable().is_none().then_some((column, argument)));
        column += 1;
    });
    FxBuildHasher.hash_one((rank(literal), constants))
}

fn rank(literal: &FlatLiteral) -> Rank {
    let kind = match literal.kind {
        LiteralKind::Positive(_) => 0,
        LiteralKind::Negative(_) => 1,
        LiteralKind::Distinct(..) => 2,
    };
    (kind, literal.form(), literal.joined, literal.stored)
}

/// What is known of an argument: variables that have been mentioned by their place among these, others by where the rule
/// has them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum KnownArgument {
    Mentioned(usize),
    Constant(Argument),
    Elsewhere(u64),
}

/// The positions of those literals of a rule that are left, and the variables that its head and these mention, in the
/// order of their first mention. Only literals that nothing but the text tells apart are in the order of the text.
pub(super) fn order(rule: &FlatRule, is_left: impl Fn(usize) -> bool) -> (Vec<usize>, Vec<u32>) {
    let mut order: Vec<usize> = (0..rule.body.len()).filter(|&at| is_left(at)).collect();
    order.sort_by_key(|&at| rank(&rule.body[at]));
    let mut names = Vec::new();
    rule.head.arguments.iter().for_each(|&it| mention(&mut names, it));
    let mut places = None;
    for next in 0..order.len() {
        let alike = order[next..]
            .iter()
            .take_while(|&&at| rank(&rule.body[at]) == rank(&rule.body[order[next]]));
        let alike = alike.count();
        if alike > 1 {
            let places = places.get_or_insert_with(|| places_of_variables(rule, &order));
            let first = (next..next + alike)
                .min_by_key(|&it| known(&rule.body[order[it]], &names, places))
                .expect("there is one at least");
            order[next..=first].rotate_right(1);
        }
        let literal = &rule.body[order[next]];
        for_each_argument(&literal.kind, &mut |it| mention(&mut names, it));
    }
    (order, names)
}

fn known(literal: &FlatLiteral, names: &[u32], places: &FxHashMap<u32, u64>) -> Vec<KnownArgument> {
    let mut all = Vec::new();
    for_each_argument(&literal.kind, &mut |argument| {
        let Some(variable) = argument.variable() else {
            return all.push(KnownArgument::Constant(argument));
        };
        let place = names.iter().position(|&name| name == variable);
        all.push(
            place.map_or_else(
                || KnownArgument::Elsewhere(places[&variable]),
                KnownArgument::Mentioned,
            ),
        );
    });
    all
}

/// By variable: a sum of numbers for the places where some literals have it.
fn places_of_variables(rule: &FlatRule, literals: &[usize]) -> FxHashMap<u32, u64> {
    let mut places: FxHashMap<u32, u64> = FxHashMap::default();
    for &at in literals {
        let literal = &rule.body[at];
        let mut column = 0u32;
        for_each_argument(&literal.kind, &mut |argument| {
            if let Some(variable) = argument.variable() {
                let place = places.entry(variable).or_default();
                *place = place.wrapping_add(FxBuildHasher.hash_one((rank(literal), column)));
            }
            column += 1;
        });
    }
    places
}
