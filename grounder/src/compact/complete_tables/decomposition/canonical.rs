//! The literals and variables of a rule in an order that does not depend on how the rule was written.

use std::hash::BuildHasher;

use fxhash::{FxBuildHasher, FxHashMap};
use groundfrog_engine::Argument;

use crate::compact::variables::{for_each_argument, mention};
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};

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
