//! The well-founded model of ground rules with open atoms.
//!
//! What is certain and what is possible take turns. Where that does not end soon, what is known of an atom is followed to the
//! rules that it occurs in, and from these to their heads ([`propagate`]). An atom is impossible when each of its rules has
//! a literal that never holds, and certain when all literals of one hold. This decides chains of negations in one go, where
//! what is certain and what is possible would have to take turns for each link. It does not see that atoms only support each
//! other: that is left to the turns.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};
use groundfrog_engine::rows::Rows;

use super::occurrences;
use crate::ticker::Ticker;
use crate::tuning::MOST_TURNS;

/// Holds in no state.
const NEVER: u8 = 1;
/// Holds in every state.
const ALWAYS: u8 = 2;
/// In some, as far as is known.
const VARIES: u8 = 4;
/// Will hold if it is derived: what is not yet known of an atom.
const WAITS: u8 = 8;
/// Some rule may still derive it.
const MAY_COME: u8 = 16;
/// Of an open atom.
const OPEN: u8 = 32;

/// Of what a rule needs in vain.
const FAILS: u8 = NEVER | VARIES;

/// Literals that are looked at between two checks of the limits.
const PART: usize = 1 << 12;

/// What is known of the literals, by their code. Of an atom and its negation:
///
/// | the atom is | atom | negation |
/// | --- | --- | --- |
/// | open | `VARIES` | `VARIES` |
/// | impossible | `NEVER` | `ALWAYS` |
/// | possible | `WAITS` | `VARIES` |
/// | certain | `ALWAYS` | `NEVER` |
pub(super) struct Model {
    known: Vec<u8>,
    certain: usize,
    changes: bool,
}

impl Model {
    pub(super) fn new(
        rules: &RuleStore,
        atoms: usize,
        is_open: impl Fn(u32) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        Self::with_turns(rules, atoms, is_open, MOST_TURNS, ticker)
    }

    fn with_turns(
        rules: &RuleStore,
        atoms: usize,
        is_open: impl Fn(u32) -> bool,
        most_turns: usize,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        let mut known = vec![0; 2 * atoms];
        for (atom, pair) in (0..).zip(known.as_chunks_mut::<2>().0) {
            *pair = if is_open(atom) { [VARIES | OPEN; 2] } else { [NEVER, ALWAYS] };
        }
        // An upper bound to begin with: it is the least set where every rule's positive atoms have
        // rules, which holds of rules that a fixpoint has derived.
        for &head in rules.heads() {
            if let [atom @ NEVER, negation] = of(&mut known, head) {
                (*atom, *negation) = (WAITS, VARIES);
            }
        }
        let mut model = Model { known, certain: 0, changes: false };
        let (mut of_atoms, mut of_literals) = (None, None);
        for turn in 1.. {
            let found = model.extend_certain(rules, &mut of_atoms, ticker)?;
            model.changes |= found & (NEVER | ALWAYS) != 0;
            if found & NEVER == 0 || !model.restrict_possible(rules, &mut of_atoms, ticker)? {
                break;
            }
            if turn >= most_turns {
                let code = |it: GroundLiteral| Some(it.code());
                let of_literals =
                    of_literals.get_or_insert_with(|| occurrences(rules, 2 * atoms, code));
                model.certain += propagate(&mut model.known, rules, of_literals, ticker)?;
            }
        }
        model.changes |= model.certain > 0 && {
            let of_certain = rules.heads().iter().filter(|&&head| model.is_certain(head));
            of_certain.count() > model.certain
        };
        Ok(model)
    }

    /// Whether the residual is not the rules themselves.
    pub(super) fn changes(&self) -> bool {
        self.changes
    }

    /// Whether no literal of a body always or never holds, as mostly: it stays as it is.
    #[inline]
    pub(super) fn is_unaffected(&self, body: &[GroundLiteral]) -> bool {
        all_known(&self.known, body) & (NEVER | ALWAYS) == 0
    }

    pub(super) fn never_holds(&self, literal: GroundLiteral) -> bool {
        self.known[literal.code() as usize] & NEVER != 0
    }

    pub(super) fn always_holds(&self, literal: GroundLiteral) -> bool {
        self.known[literal.code() as usize] & ALWAYS != 0
    }

    #[inline]
    pub(super) fn is_certain(&self, atom: u32) -> bool {
        self.always_holds(GroundLiteral::new(atom, false))
    }

    pub(super) fn has_certain(&self) -> bool {
        self.certain > 0
    }

    /// Adds what is certain, given what is possible. Returns all that is then known of any literal.
    fn extend_certain(
        &mut self,
        rules: &RuleStore,
        occurrences: &mut Option<Rows<u32>>,
        ticker: &mut Ticker<'_>,
    ) -> Result<u8, Exceeded> {
        let found = derive(&mut self.known, rules, occurrences, ticker)?;
        let before = self.certain;
        self.certain = 0;
        for pair in self.known.as_chunks_mut::<2>().0 {
            if pair[0] & ALWAYS != 0 {
                *pair = [ALWAYS, NEVER];
                self.certain += 1;
            }
        }
        if self.certain == before {
            return Ok(found);
        }
        // What is new may be in rules that were passed before.
        rules.literals().chunks(PART).try_fold(0, |all, part| {
            ticker.ticks(PART as u32)?;
            Ok(all | all_known(&self.known, part))
        })
    }

    /// Takes back what is not possible, given what is certain. Returns whether anything changed.
    fn restrict_possible(
        &mut self,
        rules: &RuleStore,
        occurrences: &mut Option<Rows<u32>>,
        ticker: &mut Ticker<'_>,
    ) -> Result<bool, Exceeded> {
        // What is open may hold, and so may every negation but those of certain atoms.
        let mut possible = self.known.clone();
        for pair in possible.as_chunks_mut::<2>().0 {
            *pair = match *pair {
                [atom, negation] if atom & (OPEN | ALWAYS) != 0 => {
                    [ALWAYS | atom & OPEN, negation & NEVER]
                }
                [atom, _] if atom & NEVER != 0 => [NEVER, 0],
                _ => [WAITS, 0],
            };
        }
        derive(&mut possible, rules, occurrences, ticker)?;
        let mut changed = false;
        let (known, _) = self.known.as_chunks_mut::<2>();
        for (pair, possible) in known.iter_mut().zip(possible.as_chunks::<2>().0) {
            if pair[0] & (OPEN | ALWAYS | NEVER) == 0 {
                let is_possible = possible[0] & ALWAYS != 0;
                *pair = if is_possible { [WAITS, VARIES] } else { [NEVER, ALWAYS] };
                changed |= !is_possible;
            }
        }
        Ok(changed)
    }
}

/// What is known of an atom and of its negation.
#[inline]
fn of(known: &mut [u8], atom: u32) -> &mut [u8; 2] {
    &mut known.as_chunks_mut().0[atom as usize]
}

/// All that is known of any of some literals.
#[inline]
fn all_known(known: &[u8], literals: &[GroundLiteral]) -> u8 {
    literals.iter().fold(0, |all, it| all | known[it.code() as usize])
}

/// Derives the head of a rule if its body holds. Returns all that is known of the body's literals.
#[inline]
fn apply(known: &mut [u8], rule: GroundRule<'_>, derived: &mut bool) -> u8 {
    let all = all_known(known, rule.body);
    let head = &mut of(known, rule.head)[0];
    if all & FAILS == 0 && *head & WAITS != 0 {
        let waits = all & WAITS != 0;
        *derived |= !waits;
        *head = if waits { WAITS | MAY_COME } else { ALWAYS };
    }
    all
}

/// Derives the least set of atoms by rules whose other literals all hold: what waits then holds always. What waits and is
/// derived by no rule may vary afterwards. Returns what is known of any literal, of what is derived only in part.
///
/// First once through all rules, which is mostly enough; then through those that may still derive something; in the
/// end from atom to atom.
fn derive(
    known: &mut [u8],
    rules: &RuleStore,
    of_atoms: &mut Option<Rows<u32>>,
    ticker: &mut Ticker<'_>,
) -> Result<u8, Exceeded> {
    let (mut found, mut derived) = (0, false);
    for rule in rules.iter() {
        ticker.tick()?;
        found |= apply(known, rule, &mut derived);
    }
    let mut left: Vec<u32> = Vec::new();
    for pass in 1..MOST_TURNS {
        if !std::mem::take(&mut derived) {
            return Ok(found);
        }
        for atom in known.iter_mut().step_by(2).filter(|it| **it & WAITS != 0) {
            *atom = if *atom & MAY_COME != 0 { WAITS } else { VARIES };
        }
        let mut is_left = |number: u32| {
            ticker.tick()?;
            let rule = rules.rule(number as usize);
            Ok(apply(known, rule, &mut derived) & (FAILS | WAITS) == WAITS
                && of(known, rule.head)[0] & WAITS != 0)
        };
        let before = std::mem::take(&mut left);
        let (all, rest) = if pass == 1 { (rules.len() as u32, vec![]) } else { (0, before) };
        for number in (0..all).chain(rest) {
            if is_left(number)? {
                left.push(number);
            }
        }
    }
    let of_atoms = of_atoms.get_or_insert_with(|| {
        let is_closed = |it: &GroundLiteral| known[it.code() as usize] & OPEN == 0;
        let atom = |it: GroundLiteral| (!it.is_negated() && is_closed(&it)).then(|| it.atom());
        occurrences(rules, known.len() / 2, atom)
    });
    follow(known, rules, &left, of_atoms, ticker)?;
    Ok(found)
}

/// Derives atoms by the rules that are left, from each atom that is derived to the rules that it occurs in.
fn follow(
    known: &mut [u8],
    rules: &RuleStore,
    left: &[u32],
    occurrences: &Rows<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    // By rule: how many of its literals wait. What is not left is never down to none.
    let mut waiting = vec![u32::MAX; rules.len()];
    let mut ready: Vec<u32> = Vec::new();
    for &number in left {
        ticker.tick()?;
        let body = rules.rule(number as usize).body;
        let count = body.iter().filter(|it| known[it.code() as usize] & WAITS != 0).count();
        waiting[number as usize] = count as u32;
        if count == 0 {
            ready.push(number);
        }
    }
    while let Some(rule) = ready.pop() {
        let head = rules.heads()[rule as usize];
        let atom = &mut of(known, head)[0];
        if *atom & WAITS == 0 {
            continue;
        }
        *atom = ALWAYS;
        for &rule in occurrences.row(head as usize) {
            ticker.tick()?;
            let waiting = &mut waiting[rule as usize];
            *waiting -= 1;
            if *waiting == 0 {
                ready.push(rule);
            }
        }
    }
    Ok(())
}

/// Decides atoms as far as that follows from those that are decided, from each to the rules in whose bodies its literals are.
/// Returns how many are certain that were not.
fn propagate(
    known: &mut [u8],
    rules: &RuleStore,
    occurrences: &Rows<u32>,
    ticker: &mut Ticker<'_>,
) -> Result<usize, Exceeded> {
    // By rule: how many of its literals are not known to hold.
    let mut missing: Vec<u32> = Vec::with_capacity(rules.len());
    let mut fails: Vec<bool> = Vec::with_capacity(rules.len());
    // By atom: how many of its rules may hold.
    let mut supports = vec![0u32; known.len() / 2];
    for rule in rules.iter() {
        ticker.tick()?;
        let of_literal = |it: &GroundLiteral| known[it.code() as usize];
        missing.push(rule.body.iter().filter(|it| of_literal(it) & ALWAYS == 0).count() as u32);
        fails.push(rule.body.iter().any(|it| of_literal(it) & NEVER != 0));
        supports[rule.head as usize] += u32::from(!fails[fails.len() - 1]);
    }
    // Atoms that have been decided, and whether they hold; each once.
    let mut decided: Vec<(u32, bool)> = Vec::new();
    let decide = |known: &mut [u8], decided: &mut Vec<(u32, bool)>, atom: u32, holds: bool| {
        let pair = of(known, atom);
        if pair[0] & WAITS != 0 {
            *pair = if holds { [ALWAYS, NEVER] } else { [NEVER, ALWAYS] };
            decided.push((atom, holds));
        }
    };
    for (number, &head) in rules.heads().iter().enumerate() {
        if missing[number] == 0 {
            decide(known, &mut decided, head, true);
        } else if supports[head as usize] == 0 {
            decide(known, &mut decided, head, false);
        }
    }
    let mut certain = 0;
    while let Some((atom, holds)) = decided.pop() {
        certain += usize::from(holds);
        let (now_holds, now_fails) = (2 * atom + u32::from(!holds), 2 * atom + u32::from(holds));
        for &rule in occurrences.row(now_holds as usize) {
            missing[rule as usize] -= 1;
            if missing[rule as usize] == 0 {
                decide(known, &mut decided, rules.heads()[rule as usize], true);
            }
        }
        for &rule in occurrences.row(now_fails as usize) {
            if !std::mem::replace(&mut fails[rule as usize], true) {
                let head = rules.heads()[rule as usize];
                supports[head as usize] -= 1;
                if supports[head as usize] == 0 {
                    decide(known, &mut decided, head, false);
                }
            }
        }
        ticker.tick()?;
    }
    Ok(certain)
}
#[cfg(test)]
mod tests {
    use groundfrog_engine::Budget;

    use super::*;

    const ATOMS: u32 = 24;
    const OPEN: u32 = 4;

    fn known(rules: &RuleStore, most_turns: usize) -> Vec<u8> {
        let budget = Budget::unlimited();
        let mut ticker = Ticker::new(&budget, 0);
        let is_open = |atom| atom < OPEN;
        Model::with_turns(rules, ATOMS as usize, is_open, most_turns, &mut ticker)
            .expect("no limit")
            .known
    }

    #[test]
    fn propagation_changes_nothing_that_turns_find() {
        let mut seed = 1u64;
        let mut random = |below: u32| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % u64::from(below)) as u32
        };
        let mut decided = 0;
        for _ in 0..500 {
            let mut rules = RuleStore::default();
            for _ in 0..40 {
                let head = OPEN + random(ATOMS - OPEN);
                let length = random(4);
                let body: Vec<GroundLiteral> = (0..length)
                    .map(|_| GroundLiteral::new(random(ATOMS), random(2) == 0))
                    .filter(|it| it.is_negated() || it.atom() != head)
                    .collect();
                rules.push(head, &body);
            }
            let (with, without) = (known(&rules, 1), known(&rules, usize::MAX));
            decided += without.iter().filter(|&&it| it & ALWAYS != 0).count();
            assert_eq!(with, without, "{rules:?}");
        }
        assert!(decided > 1000, "{decided} literals hold in all");
    }
}
