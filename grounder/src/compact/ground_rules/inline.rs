//! Views that only stand for something else: a view with a single rule is replaced by its body, if the
//! body is one literal or the view is used once.
//!
//! How many rules views have, and how often rules use them, is kept up to date while rules change ([`Occurrences`]).

use std::ops::Range;

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{Edits, GroundLiteral, RuleStore};

use crate::ticker::Ticker;

/// The views that may be replaced, with their rules: those that stand for one literal, or if there are none,
/// those that are used once. One kind at a time: the only use of a view can be in the definition of an alias,
/// which may be negated elsewhere, and then the view's body must not be taken apart.
fn definitions(rules: &RuleStore, occurrences: &Occurrences) -> Vec<(u32, u32)> {
    let views = occurrences.views();
    let has_one = |view: u32| occurrences.rules(view) == 1 && occurrences.uses(view) > 0;
    // Behind the views comes what stands for all other atoms.
    let has_one: Vec<bool> = views.clone().map(has_one).chain([false]).collect();
    if !has_one.contains(&true) {
        return Vec::new();
    }
    let is_candidate =
        |head: u32| has_one[(head.wrapping_sub(views.start) as usize).min(views.len())];
    let heads = rules.heads().iter().copied().zip(0..);
    let mut candidates: Vec<(u32, u32)> = heads.filter(|it| is_candidate(it.0)).collect();
    let is_alias = |rule: u32| rules.rule(rule as usize).body.len() == 1;
    if candidates.iter().any(|&(_, rule)| is_alias(rule)) {
        candidates.retain(|&(_, rule)| is_alias(rule));
    } else {
        let is_used_once = |view: u32| {
            let [positive, negative] =
                [false, true].map(|it| occurrences.uses_of(GroundLiteral::new(view, it)));
            positive == 1 && negative == 0
        };
        candidates.retain(|&(view, _)| is_used_once(view));
    }
    candidates
}

/// Replaces views that may be, and removes their rules. Returns whether anything changed; the heads of rules
/// that did are raised in `changed_heads`, which has an entry for each atom.
///
/// Bodies stay sets. A rule whose body becomes contradictory is removed: it never applies.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn inline(
    rules: &mut RuleStore,
    occurrences: &mut Occurrences,
    changed_heads: &mut [bool],
    ticker: &mut Ticker<'_>,
) -> Result<bool, Exceeded> {
    let atoms = changed_heads.len();
    let definitions = definitions(rules, occurrences);
    if definitions.is_empty() {
        return Ok(false);
    }
    let mut state = vec![State::Stays; atoms];
    let mut rule_of = vec![0u32; atoms];
    for &(atom, rule) in &definitions {
        state[atom as usize] = State::Goes;
        rule_of[atom as usize] = rule;
    }
    // An atom may stand for another that goes as well; those on a cycle stay.
    let mut stands_for = vec![GroundLiteral::new(0, false); atoms];
    let mut inlining = Inlining {
        rules,
        rule_of: &rule_of,
        state: &mut state,
        stands_for: &mut stands_for,
        path: Vec::new(),
    };
    for atom in 0..atoms as u32 {
        if inlining.state[atom as usize] == State::Goes {
            inlining.break_cycles(atom, ticker)?;
        }
    }
    if !state.contains(&State::Resolved) {
        return Ok(false);
    }
    let mut edits = Edits::default();
    let mut body: Vec<GroundLiteral> = Vec::new();
    let mut agenda: Vec<GroundLiteral> = Vec::new();
    let goes = |literal: &GroundLiteral| state[literal.atom() as usize] == State::Resolved;
    for (number, rule) in rules.iter().enumerate() {
        ticker.tick()?;
        if state[rule.head as usize] == State::Resolved {
            edits.drop(number);
            continue;
        }
        if !rule.body.iter().any(goes) {
            continue;
        }
        changed_heads[rule.head as usize] = true;
        body.clear();
        let mut may_apply = true;
        agenda.extend(rule.body.iter().rev());
        while let Some(literal) = agenda.pop() {
            if !goes(&literal) {
                let opposite = GroundLiteral::new(literal.atom(), !literal.is_negated());
                may_apply &= !body.contains(&opposite);
                if !body.contains(&literal) {
                    body.push(literal);
                }
                continue;
            }
            ticker.tick()?;
            let (atom, negated) = (literal.atom() as usize, literal.is_negated());
            match rules.rule(rule_of[atom] as usize).body {
                [_] => agenda.push(with_sign(stands_for[atom], negated)),
                several => agenda.extend(several.iter().rev().map(|it| with_sign(*it, negated))),
            }
        }
        if may_apply {
            edits.replace(number, &body);
        } else {
            edits.drop(number);
        }
    }
    occurrences.edit(rules, &edits);
    Ok(true)
}

/// A literal, or its opposite.
fn with_sign(literal: GroundLiteral, is_opposite: bool) -> GroundLiteral {
    GroundLiteral::new(literal.atom(), literal.is_negated() != is_opposite)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Stays,
    Goes,
    OnPath,
    Resolved,
}

struct Inlining<'run> {
    rules: &'run RuleStore,
    /// By atom that goes: its rule.
    rule_of: &'run [u32],
    state: &'run mut [State],
    /// By atom that is resolved and stands for one literal: that literal, or the last one in a chain of them.
    stands_for: &'run mut [GroundLiteral],
    path: Vec<(u32, usize)>,
}

impl Inlining<'_> {
    /// Follows the definitions from an atom and keeps an atom of each cycle.
    fn break_cycles(&mut self, atom: u32, ticker: &mut Ticker<'_>) -> Result<(), Exceeded> {
        debug_assert!(self.state[atom as usize] == State::Goes);
        self.state[atom as usize] = State::OnPath;
        self.path.push((atom, 0));
        while let Some((atom, position)) = self.path.pop() {
            ticker.tick()?;
            let body = self.rules.rule(self.rule_of[atom as usize] as usize).body;
            let Some(literal) = body.get(position) else {
                if self.state[atom as usize] == State::OnPath {
                    self.resolve(atom as usize, body);
                }
                continue;
            };
            self.path.push((atom, position + 1));
            let below = literal.atom();
            match self.state[below as usize] {
                State::Goes => {
                    self.state[below as usize] = State::OnPath;
                    self.path.push((below, 0));
                }
                State::OnPath => self.state[below as usize] = State::Stays,
                State::Stays | State::Resolved => {}
            }
        }
        Ok(())
    }

    /// Notes that an atom goes, and what it stands for. What it uses has been looked at.
    fn resolve(&mut self, atom: usize, body: &[GroundLiteral]) {
        self.state[atom] = State::Resolved;
        if let &[only] = body {
            let below = only.atom() as usize;
            self.stands_for[atom] = match self.state[below] {
                State::Resolved => with_sign(self.stands_for[below], only.is_negated()),
                _ => only,
            };
        }
    }
}

/// The counts of views; what is about other atoms is counted in one place behind them, which nothing reads.
#[derive(Debug)]
pub(crate) struct Occurrences {
    views: Range<u32>,
    /// By view.
    rules: Vec<u32>,
    /// By code of a literal about a view.
    uses: Vec<u32>,
}

impl Occurrences {
    /// Counts those of these views.
    pub(crate) fn new(rules: &RuleStore, views: Range<u32>) -> Self {
        let (own, uses) = (vec![0; views.len() + 1], vec![0; 2 * views.len() + 1]);
        let mut counts = Occurrences { views, rules: own, uses };
        rules.heads().iter().for_each(|&head| *counts.rules_mut(head) += 1);
        rules.literals().iter().for_each(|&literal| *counts.uses_mut(literal) += 1);
        counts
    }

    pub(crate) fn views(&self) -> Range<u32> {
        self.views.clone()
    }

    /// How many rules a view has.
    pub(crate) fn rules(&self, view: u32) -> u32 {
        self.rules[(view - self.views.start) as usize]
    }

    /// How often bodies have a literal about a view.
    fn uses_of(&self, literal: GroundLiteral) -> u32 {
        self.uses[(literal.code() - 2 * self.views.start) as usize]
    }

    /// How often bodies use a view.
    pub(crate) fn uses(&self, view: u32) -> u32 {
        [false, true].iter().map(|&negated| self.uses_of(GroundLiteral::new(view, negated))).sum()
    }

    /// Edits rules, of which these are the counts.
    pub(crate) fn edit(&mut self, rules: &mut RuleStore, edits: &Edits) {
        for (number, body) in edits.iter() {
            let rule = rules.rule(number);
            *self.rules_mut(rule.head) -= u32::from(body.is_none());
            rule.body.iter().for_each(|&it| *self.uses_mut(it) -= 1);
            body.into_iter().flatten().for_each(|&it| *self.uses_mut(it) += 1);
        }
        rules.edit(edits);
    }

    fn rules_mut(&mut self, head: u32) -> &mut u32 {
        count_mut(&mut self.rules, head, self.views.start)
    }

    fn uses_mut(&mut self, literal: GroundLiteral) -> &mut u32 {
        count_mut(&mut self.uses, literal.code(), 2 * self.views.start)
    }
}

/// The count of what has a number, of those from `start` on, or the last.
#[inline]
fn count_mut(counts: &mut [u32], number: u32, start: u32) -> &mut u32 {
    let last = counts.len() - 1;
    &mut counts[(number.wrapping_sub(start) as usize).min(last)]
}
