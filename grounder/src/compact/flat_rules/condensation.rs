//! Condensation: literals that another literal of their rule implies are left out, and so are the rules that say nothing
//! more than another after that.
//!
//! ```text
//! (<= (next (played ?p)) (does ?p (move ?x ?y)) (does ?p ?m))
//! ```
//!
//! `?m` stands nowhere else: that some move is made follows from the literal before. With kinds of moves there is a rule
//! for each kind, in which the second literal uses a move of it; where that is the first kind it is implied, and the
//! rule without it implies all others. What is implied costs rules and time, and it hides from other passes what a rule
//! has the form of.

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Exceeded};
use smallvec::SmallVec;

use crate::compact::variables::{for_each_argument, renumbered, variables_of};
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, LiteralKind};
use crate::ticker::Ticker;
use crate::tuning::flat_rules::condensation::MOST_LITERALS;

/// Leaves out the literals and the rules that others imply. Returns how many rules have changed or gone.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn condense(rules: &mut Vec<FlatRule>, ticker: &mut Ticker<'_>) -> Result<usize, Exceeded> {
    let mut changed = 0;
    let mut kinds: FxHashMap<(u32, FormId), Vec<usize>> = FxHashMap::default();
    for (at, rule) in rules.iter_mut().enumerate() {
        if !ticker.tick() {
            break;
        }
        if let Some(condensed) = condensed(rule, ticker) {
            kinds.entry((rule.origin, condensed.head.form)).or_default().push(at);
            *rule = condensed;
            changed += 1;
        }
    }
    if changed > 0 {
        changed += drop_implied(rules, &kinds, ticker);
    }
    ticker.finish().map(|()| changed)
}

/// Drops the rules that have all literals of one that was condensed, by kinds of rules. Returns how many.
fn drop_implied(
    rules: &mut Vec<FlatRule>,
    condensed: &FxHashMap<(u32, FormId), Vec<usize>>,
    ticker: &mut Ticker<'_>,
) -> usize {
    let mut is_implied = vec![false; rules.len()];
    for at in 0..rules.len() {
        let rule = &rules[at];
        let Some(others) = condensed.get(&(rule.origin, rule.head.form)) else { continue };
        let own = renumbered(rule);
        if !ticker.ticks((1 + others.len() * own.body.len()) as u32) {
            break;
        }
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
fn condensed(rule: &FlatRule, ticker: &mut Ticker<'_>) -> Option<FlatRule> {
    if rule.body.len() > MOST_LITERALS {
        return None;
    }
    let mut places = Places::of(rule);
    if !has_own_variables(rule, &places) {
        return None;
    }
    let literals = rule.body.len();
    let mut places_in_order = (0..literals).take_while(|_| ticker.ticks(literals as u32));
    let first = places_in_order.find(|&at| is_implied(rule, at, &places))?;
    let mut rule = rule.clone();
    let mut at = first;
    while at < rule.body.len() && ticker.ticks(rule.body.len() as u32) {
        if is_implied(&rule, at, &places) {
            places.remove(&rule.body.remove(at));
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
fn has_own_variables(rule: &FlatRule, places: &Places) -> bool {
    rule.body.iter().filter(|it| it.is_positive()).any(|literal| {
        let mut has_own = false;
        for_each_argument(&literal.kind, &mut |it| {
            has_own |= it.variable().is_some_and(|it| places.are_one(it));
        });
        has_own
    })
}

/// Where variables stand: in the head and in literals.
#[derive(Default)]
struct Places {
    /// By variable: in how many of these, and the last one.
    counts: SmallVec<[(u32, usize); 32]>,
}

impl Places {
    fn of(rule: &FlatRule) -> Self {
        let mut places = Places::default();
        rule.head.arguments.iter().for_each(|&it| places.add(it, 0));
        for (literal, place) in rule.body.iter().zip(1..) {
            for_each_argument(&literal.kind, &mut |it| places.add(it, place));
        }
        places
    }

    fn add(&mut self, argument: Argument, place: usize) {
        let Some(variable) = argument.variable().map(|it| it as usize) else { return };
        if self.counts.len() <= variable {
            self.counts.resize(variable + 1, (0, usize::MAX));
        }
        let (count, last) = &mut self.counts[variable];
        *count += u32::from(*last != place);
        *last = place;
    }

    /// Whether a variable stands in one place only.
    fn are_one(&self, variable: u32) -> bool {
        self.counts[variable as usize].0 == 1
    }

    /// A literal is no more.
    fn remove(&mut self, literal: &FlatLiteral) {
        variables_of(literal).into_iter().for_each(|it| self.counts[it as usize].0 -= 1);
    }
}

/// Whether a literal says that there is something, and another names such a thing.
fn is_implied(rule: &FlatRule, at: usize, places: &Places) -> bool {
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
    let is_elsewhere = |variable: u32| !places.are_one(variable);
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
