//! Changes rules of a store in place.

use super::{GroundLiteral, RuleStore};

/// Rules to be dropped and bodies to be replaced, in the order of the rules.
#[derive(Debug, Default)]
pub struct Edits {
    rules: Vec<u32>,
    /// By edit: where the new body ends, or [`DROPPED`].
    ends: Vec<u32>,
    literals: Vec<GroundLiteral>,
}

const DROPPED: u32 = u32::MAX;

impl Edits {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Drops a rule, one behind those edited so far.
    pub fn drop(&mut self, rule: usize) {
        self.rules.push(rule as u32);
        self.ends.push(DROPPED);
    }

    /// Replaces the body of a rule, one behind those edited so far. The new body must be a set.
    pub fn replace(&mut self, rule: usize, body: &[GroundLiteral]) {
        self.rules.push(rule as u32);
        self.literals.extend_from_slice(body);
        self.ends.push(self.literals.len() as u32);
    }

    /// The edited rules with their new bodies, `None` for those that are dropped.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Option<&[GroundLiteral]>)> {
        let mut start = 0;
        self.rules.iter().zip(&self.ends).map(move |(&rule, &end)| {
            let body = (end != DROPPED).then(|| {
                let body = &self.literals[start..end as usize];
                start = end as usize;
                body
            });
            (rule as usize, body)
        })
    }
}

impl RuleStore {
    /// Applies edits; the other rules stay as they are, in their order.
    ///
    /// # Panics
    /// As [`RuleStore::push`].
    pub fn edit(&mut self, edits: &Edits) {
        let shift = self.most_growth(edits);
        let before = self.literals.len();
        if shift > 0 {
            self.literals.resize(before + shift, GroundLiteral::LAST);
            u32::try_from(self.literals.len()).expect("fewer than 2^32 literals");
            self.literals.copy_within(..before, shift);
        }
        let mut to = Position::default();
        let mut from = Position { rule: 0, literal: shift };
        for (rule, body) in edits.iter() {
            self.move_block(&mut from, &mut to, rule, shift);
            from = Position { rule: rule + 1, literal: self.ends[rule] as usize + shift };
            if let Some(body) = body {
                self.literals[to.literal..to.literal + body.len()].copy_from_slice(body);
                to.literal += body.len();
                self.heads[to.rule] = self.heads[rule];
                self.ends[to.rule] = to.literal as u32;
                to.rule += 1;
            }
        }
        self.move_block(&mut from, &mut to, self.len(), shift);
        self.truncate(to);
    }

    /// Rewrites the rules in place, in order. `rewrite` gets a head and a body that it may shorten, and
    /// returns the new length of the body, or `None` to drop the rule.
    ///
    /// # Errors
    /// What `rewrite` fails with; the rules from there on stay as they are.
    pub fn retain<E>(
        &mut self,
        mut rewrite: impl FnMut(u32, &mut [GroundLiteral]) -> Result<Option<usize>, E>,
    ) -> Result<(), E> {
        let mut done = Ok(());
        let mut to = Position::default();
        // Rules that stay as they are, from here on, are moved together.
        let mut from = Position::default();
        let mut start = 0;
        for rule in 0..self.len() {
            let end = self.ends[rule] as usize;
            let kept = match rewrite(self.heads[rule], &mut self.literals[start..end]) {
                Ok(kept) => kept,
                Err(error) => {
                    done = Err(error);
                    break;
                }
            };
            if kept != Some(end - start) {
                self.move_block(&mut from, &mut to, rule, 0);
                if let Some(length) = kept {
                    self.literals.copy_within(start..start + length, to.literal);
                    to.literal += length;
                    self.heads[to.rule] = self.heads[rule];
                    self.ends[to.rule] = to.literal as u32;
                    to.rule += 1;
                }
                from = Position { rule: rule + 1, literal: end };
            }
            start = end;
        }
        self.move_block(&mut from, &mut to, self.len(), 0);
        self.truncate(to);
        done
    }

    /// The most literals by which new bodies, up to any of them, are ahead of the old ones: if all bodies are
    /// first moved back so far, none is overwritten before it is read.
    fn most_growth(&self, edits: &Edits) -> usize {
        let (mut growth, mut most) = (0i64, 0i64);
        for (rule, body) in edits.iter() {
            growth += body.map_or(0, |it| it.len() as i64) - self.rule(rule).body.len() as i64;
            most = most.max(growth);
        }
        most as usize
    }

    fn truncate(&mut self, end: Position) {
        self.heads.truncate(end.rule);
        self.ends.truncate(end.rule);
        self.literals.truncate(end.literal);
    }

    /// Moves the rules up to `end` to the front.
    fn move_block(&mut self, from: &mut Position, to: &mut Position, end: usize, shift: usize) {
        if from.rule == end {
            return;
        }
        let last = self.ends[end - 1] as usize + shift;
        if from.literal != to.literal {
            self.literals.copy_within(from.literal..last, to.literal);
        }
        if from.rule != to.rule {
            self.heads.copy_within(from.rule..end, to.rule);
            self.ends.copy_within(from.rule..end, to.rule);
        }
        let (added, taken) = (to.literal as u32, (from.literal - shift) as u32);
        if added != taken {
            let ends = &mut self.ends[to.rule..to.rule + end - from.rule];
            ends.iter_mut().for_each(|it| *it = *it - taken + added);
        }
        to.rule += end - from.rule;
        to.literal += last - from.literal;
    }
}

/// Where the next rule and its literals are.
#[derive(Clone, Copy, Default)]
struct Position {
    rule: usize,
    literal: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_may_grow_and_shrink_and_rules_may_go() {
        let literals = |codes: &[u32]| -> Vec<GroundLiteral> {
            codes.iter().map(|&code| GroundLiteral::from_code(code)).collect()
        };
        let bodies: [&[u32]; 6] = [&[1], &[2, 3], &[], &[4, 5, 6], &[7], &[8, 9]];
        let new: [Option<&[u32]>; 4] = [Some(&[10, 11, 12]), None, Some(&[]), Some(&[13, 14])];
        // Which rules are edited: each choice of the six, with the new bodies in turn.
        for chosen in 0..1u32 << 6 {
            let (mut store, mut expected) = (RuleStore::default(), RuleStore::default());
            let (mut edits, mut next) = (Edits::default(), chosen as usize);
            for (rule, body) in bodies.iter().enumerate() {
                store.push(rule as u32, &literals(body));
                if chosen >> rule & 1 == 0 {
                    expected.push(rule as u32, &literals(body));
                    continue;
                }
                next += 1;
                match new[next % 4] {
                    Some(body) => {
                        edits.replace(rule, &literals(body));
                        expected.push(rule as u32, &literals(body));
                    }
                    None => edits.drop(rule),
                }
            }
            assert_eq!(edits.is_empty(), chosen == 0);
            store.edit(&edits);
            assert_eq!(store, expected, "{chosen:b}");
        }
    }
}
