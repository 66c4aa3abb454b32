//! Condensation: literals that another literal of their rule implies are left out, and so are the rules that say nothing
//! more than another after that.
//!
//! ```text
//! (<= (next (played ?p)) (does ?p (move ?x ?y)) (does ?p ?m))
//! ```
//!
//! `?m` stands nowhere else: that some move is made follows from the literal before. With kinds of moves there is a rule
//! for each kind, in which the second literal asks for a move of it; where that is the first kind it is implied, and the
//! rule without it implies all others. What is implied costs rules and time, and it hides from other passes what a rule
//! has the form of.

use fxhash::FxHashMap;
use groundfrog_engine::Argument;
use smallvec::SmallVec;

use crate::compact::variables::{for_each_argument, mention, renumbered, variables_of};
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};

/// Rules with more literals are left as they are.
const MOST_LITERALS: usize = 256;

/// Leaves out the literals and the rules that others imply. Returns how many rules have changed or gone.
pub fn condense(rules: &mut Vec<FlatRule>) -> usize {
    let mut changed = 0;
    let mut kinds: FxHashMap<(u32, FormId), Vec<usize>> = FxHashMap::default();
    for (at, rule) in rules.iter_mut().enumerate() {
        if let Some(condensed) = condensed(rule) {
            kinds.entry((rule.origin, condensed.head.form)).or_default().push(at);
            *rule = condensed;
            changed += 1;
        }
    }
    if changed == 0 { 0 } else { changed + drop_implied(rules, &kinds) }
}

/// Drops the rules that have all literals of one that was condensed, by kinds of rules. Returns how many.
fn drop_implied(
    rules: &mut Vec<FlatRule>,
    condensed: &FxHashMap<(u32, FormId), Vec<usize>>,
) -> usize {
    let mut is_implied = vec![false; rules.len()];
    for at in 0..rules.len() {
        let rule = &rules[at];
        let Some(others) = condensed.get(&(rule.origin, rule.head.form)) else { continue };
        let own = renumbered(rule);
        is_implied[at] = others.iter().any(|&other| {
            other != at
                && !is_implied[other]
                && rules[other].body.len() <= own.body.len()
                && rules[other].head == own.head
                && rules[other].body.iter().all(|it| own.body.contains(it))
        });
    }
    let before = rules.len();
    let mut place = is_implied.iter();
    rules.retain(|_| place.next() != Some(&true));
    before - rules.len()
}

/// A rule without the literals that others imply; none if there are none.
fn condensed(rule: &FlatRule) -> Option<FlatRule> {
    if rule.body.len() > MOST_LITERALS || !has_own_variables(rule) {
        return None;
    }
    let mut places = places(rule);
    let first = (0..rule.body.len()).find(|&at| is_implied(rule, at, &places))?;
    let mut rule = rule.clone();
    let mut at = first;
    while at < rule.body.len() {
        if is_implied(&rule, at, &places) {
            let removed = rule.body.remove(at);
            variables_of(&removed).into_iter().for_each(|it| places[it as usize] -= 1);
            // What it shared with others is theirs alone now.
            at = 0;
        } else {
            at += 1;
        }
    }
    Some(renumbered(&rule))
}

/// Whether a positive literal has a variable that nothing else has, as few rules: no literal is implied otherwise, but by
/// one that is the same.
fn has_own_variables(rule: &FlatRule) -> bool {
    const HEAD: usize = usize::MAX;
    // By variable: where it stands, if that is one place.
    let mut places: SmallVec<[Option<Option<usize>>; 32]> = SmallVec::new();
    let mut stand = |place: usize, it: Argument| {
        let Some(variable) = it.variable().map(|it| it as usize) else { return };
        if places.len() <= variable {
            places.resize(variable + 1, None);
        }
        let is_known = places[variable].is_some_and(|it| it != Some(place));
        places[variable] = Some(if is_known { None } else { Some(place) });
    };
    rule.head.arguments.iter().for_each(|&it| stand(HEAD, it));
    for (at, literal) in rule.body.iter().enumerate() {
        for_each_argument(&literal.kind, &mut |it| stand(at, it));
    }
    places.into_iter().flatten().flatten().any(|it| it != HEAD && rule.body[it].is_positive())
}

/// By variable: in how many places it stands, which are the head and the literals.
fn places(rule: &FlatRule) -> Vec<u32> {
    let mut places = Vec::new();
    let mut add = |it: u32| {
        let variable = it as usize;
        if places.len() <= variable {
            places.resize(variable + 1, 0);
        }
        places[variable] += 1;
    };
    let mut of_head = Vec::new();
    rule.head.arguments.iter().for_each(|&it| mention(&mut of_head, it));
    of_head.into_iter().for_each(&mut add);
    rule.body.iter().for_each(|it| variables_of(it).into_iter().for_each(&mut add));
    places
}

/// Whether a literal says that there is something, and another names such a thing.
fn is_implied(rule: &FlatRule, at: usize, places: &[u32]) -> bool {
    let literal = &rule.body[at];
    let LiteralKind::Positive(atom) = &literal.kind else { return false };
    let others = || rule.body.iter().enumerate().filter(|&(it, _)| it != at).map(|it| it.1);
    let alike = || {
        others().filter_map(|other| match &other.kind {
            // `legal` shares its form with `does`, and `next` with `true`.
            LiteralKind::Positive(it) if (it.form, it.name) == (atom.form, atom.name) => {
                is_as_strong(other, literal).then_some(it)
            }
            _ => None,
        })
    };
    if alike().next().is_none() {
        return false;
    }
    let is_elsewhere = |variable: u32| places[variable as usize] > 1;
    alike().any(|other| is_instance(atom, other, is_elsewhere))
}

/// Whether a literal is joined and stored wherever another is.
fn is_as_strong(literal: &FlatLiteral, other: &FlatLiteral) -> bool {
    (literal.joined || !other.joined) && (literal.stored || !other.stored)
}

/// Whether an atom is another where some of its variables, those that are nowhere else, have a value.
fn is_instance(atom: &FlatAtom, other: &FlatAtom, is_elsewhere: impl Fn(u32) -> bool) -> bool {
    let mut values: SmallVec<[(u32, Argument); 8]> = SmallVec::new();
    atom.arguments.iter().zip(&other.arguments).all(|(&one, &value)| match one {
        Argument::Variable(variable) if !is_elsewhere(variable) => {
            let known = values.iter().find(|it| it.0 == variable).map(|it| it.1);
            if known.is_none() {
                values.push((variable, value));
            }
            known.is_none_or(|it| it == value)
        }
        _ => one == value,
    })
}
