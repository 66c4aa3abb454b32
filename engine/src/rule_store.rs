//! Ground rules in compressed sparse rows, and their literals.

mod edits;

use std::ops::Range;

use crate::rows::Rows;
pub use edits::Edits;

/// An atom number with a sign, in one `u32`: twice the number, plus one if negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    /// The greatest atom number that fits.
    pub const MAX_ATOM: u32 = u32::MAX >> 1;

    /// The negated literal of the greatest atom.
    pub(crate) const LAST: Self = GroundLiteral(u32::MAX);

    /// The literal of an atom below 2^31.
    #[inline]
    pub fn new(atom: u32, negated: bool) -> Self {
        debug_assert!(atom <= Self::MAX_ATOM);
        GroundLiteral(atom << 1 | u32::from(negated))
    }

    /// The literal with an encoded form, the inverse of [`GroundLiteral::code`].
    #[inline]
    pub fn from_code(code: u32) -> Self {
        GroundLiteral(code)
    }

    /// The atom's number.
    #[inline]
    pub fn atom(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is negated.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The encoded form.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }
}

/// Bodies of so many literals are copied in one piece.
pub(crate) const SHORT: usize = 8;

/// A ground rule of a [`RuleStore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundRule<'store> {
    /// The atom that the rule derives.
    pub head: u32,
    /// The conditions, a set: no literal occurs twice.
    pub body: &'store [GroundLiteral],
}

/// Ground rules: 4 bytes for the head, 4 for the end of the body, 4 a literal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleStore {
    heads: Vec<u32>,
    /// By rule: where its body ends. It begins where the one before ends.
    ends: Vec<u32>,
    literals: Vec<GroundLiteral>,
}

impl RuleStore {
    /// The number of rules.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The number of literals in all bodies.
    pub fn literal_count(&self) -> usize {
        self.literals.len()
    }

    /// A rule.
    #[inline]
    pub fn rule(&self, rule: usize) -> GroundRule<'_> {
        let start = if rule == 0 { 0 } else { self.ends[rule - 1] };
        let body = &self.literals[start as usize..self.ends[rule] as usize];
        GroundRule { head: self.heads[rule], body }
    }

    /// All rules, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = GroundRule<'_>> + '_ {
        let mut start = 0;
        self.heads.iter().zip(&self.ends).map(move |(&head, &end)| {
            let body = &self.literals[start..end as usize];
            start = end as usize;
            GroundRule { head, body }
        })
    }

    /// The heads, by rule.
    pub fn heads(&self) -> &[u32] {
        &self.heads
    }

    /// By atom numbered below `atoms` that is `needed`: its rules, ascending.
    pub fn by_head(&self, atoms: usize, needed: impl Fn(u32) -> bool) -> Rows<u32> {
        let heads = (0..).zip(&self.heads).filter(|&(_, &head)| needed(head));
        Rows::from_pairs(atoms, heads.map(|(rule, &head)| (head, rule)))
    }

    /// The literals of all bodies, one body after the other.
    pub fn literals(&self) -> &[GroundLiteral] {
        &self.literals
    }

    /// Adds a rule. Its body must be a set.
    ///
    /// # Panics
    /// If all bodies together have 2^32 literals or more. The store pass ends before ([`Limit::Numbers`](crate::Limit::Numbers)),
    /// and what comes later adds few.
    #[inline]
    pub fn push(&mut self, head: u32, body: &[GroundLiteral]) {
        self.heads.push(head);
        self.literals.extend_from_slice(body);
        self.ends.push(u32::try_from(self.literals.len()).expect("fewer than 2^32 literals"));
    }

    /// Adds a rule with a body of so many of these literals. They are all copied, and those behind cut off: that is
    /// faster than copying so many and no more.
    #[inline]
    pub(crate) fn push_short(&mut self, head: u32, literals: &[GroundLiteral; SHORT], len: usize) {
        debug_assert!(len <= SHORT);
        let end = self.literals.len() + len;
        self.heads.push(head);
        self.literals.extend_from_slice(literals);
        self.literals.truncate(end);
        self.ends.push(u32::try_from(end).expect("fewer than 2^32 literals"));
    }

    /// Adds so many rules that have a head and literals in common. Each column has what they differ in: the position of a
    /// literal behind the head, or 0 for the head itself, and the literal or the head of each rule.
    pub(crate) fn push_block(
        &mut self,
        count: usize,
        rule: &[GroundLiteral],
        columns: &[(usize, &[GroundLiteral])],
    ) {
        let (start, width) = (self.literals.len(), rule.len() - 1);
        let end = start + count * width;
        u32::try_from(end).expect("fewer than 2^32 literals");
        match columns.iter().find(|it| it.0 == 0) {
            Some((_, heads)) => self.heads.extend(heads[..count].iter().map(|it| it.atom())),
            None => self.heads.resize(self.heads.len() + count, rule[0].atom()),
        }
        self.ends.extend((1..=count).map(|it| (start + it * width) as u32));
        self.literals.resize(end, GroundLiteral::LAST);
        let (room, body) = (&mut self.literals[start..], &rule[1..]);
        match width {
            0 => {}
            1 => spread::<1>(room, body, columns),
            2 => spread::<2>(room, body, columns),
            3 => spread::<3>(room, body, columns),
            4 => spread::<4>(room, body, columns),
            5 => spread::<5>(room, body, columns),
            6 => spread::<6>(room, body, columns),
            7 => spread::<7>(room, body, columns),
            8 => spread::<8>(room, body, columns),
            9 => spread::<9>(room, body, columns),
            _ => {
                for (position, own) in room.chunks_exact_mut(width).enumerate() {
                    own.copy_from_slice(body);
                    for (slot, literals) in columns.iter().filter(|it| it.0 > 0) {
                        own[slot - 1] = literals[position];
                    }
                }
            }
        }
    }
    /// Makes room for more rules and literals.
    pub fn reserve(&mut self, rules: usize, literals: usize) {
        self.heads.reserve(rules);
        self.ends.reserve(rules);
        self.literals.reserve(literals);
    }

    /// Makes room for three times as many rules more than there are, once three quarters of the room are used. Memory without
    /// contents costs nothing, while an allocator that cannot grow in place copies all rules each time, and has them twice.
    pub(crate) fn grow_early(&mut self) {
        fn grow<T>(vector: &mut Vec<T>) {
            if vector.len() > vector.capacity() / 4 * 3 {
                // If there is not so much, it grows as vectors do.
                let _ = vector.try_reserve(vector.len() * 3);
            }
        }
        grow(&mut self.heads);
        grow(&mut self.ends);
        grow(&mut self.literals);
    }

    /// Adds the rules of another store, their literals mapped.
    pub fn append(&mut self, other: &RuleStore, map: impl Fn(GroundLiteral) -> GroundLiteral) {
        let offset = u32::try_from(self.literals.len()).expect("fewer than 2^32 literals");
        self.heads.extend_from_slice(&other.heads);
        self.literals.extend(other.literals.iter().map(|&literal| map(literal)));
        u32::try_from(self.literals.len()).expect("fewer than 2^32 literals");
        self.ends.extend(other.ends.iter().map(|end| end + offset));
    }

    /// Adds a range of the rules of another store.
    ///
    /// # Panics
    /// If all bodies together have 2^32 literals or more. The store pass ends before ([`Limit::Numbers`](crate::Limit::Numbers)),
    /// and what comes later adds few.
    pub fn extend(&mut self, other: &RuleStore, rules: Range<usize>) {
        if rules.is_empty() {
            return;
        }
        let start = if rules.start == 0 { 0 } else { other.ends[rules.start - 1] };
        let offset = self.literals.len();
        self.heads.extend_from_slice(&other.heads[rules.clone()]);
        let ends = &other.ends[rules];
        let end = ends[ends.len() - 1];
        self.literals.extend_from_slice(&other.literals[start as usize..end as usize]);
        u32::try_from(self.literals.len()).expect("fewer than 2^32 literals");
        self.ends.extend(ends.iter().map(|end| end - start + offset as u32));
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        ((self.heads.len() + self.ends.len() + self.literals.len()) * 4) as u64
    }
}

/// Fills room for bodies of one width with what they have in common, and the columns they differ in.
#[inline]
fn spread<const WIDTH: usize>(
    room: &mut [GroundLiteral],
    body: &[GroundLiteral],
    columns: &[(usize, &[GroundLiteral])],
) {
    let (bodies, _) = room.as_chunks_mut::<WIDTH>();
    bodies.fill(*body.first_chunk().expect("the bodies have this width"));
    for (slot, literals) in columns.iter().filter(|it| it.0 > 0) {
        let position = slot - 1;
        for (body, literal) in bodies.iter_mut().zip(*literals) {
            body[position] = *literal;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn literals(codes: &[u32]) -> Vec<GroundLiteral> {
        codes.iter().map(|&code| GroundLiteral::from_code(code)).collect()
    }

    #[test]
    fn rules_come_back_as_they_were_pushed() {
        let mut store = RuleStore::default();
        store.push(7, &literals(&[1, 2, 3]));
        store.push(8, &[]);
        store.push(9, &literals(&[4]));
        let rules: Vec<_> = store.iter().map(|rule| (rule.head, rule.body.to_vec())).collect();
        assert_eq!(rules, [(7, literals(&[1, 2, 3])), (8, vec![]), (9, literals(&[4]))]);
        assert_eq!(store.bytes(), 4 * (3 + 3 + 4));
    }

    #[test]
    fn rules_of_a_block_are_those_pushed_one_by_one() {
        let (heads, varied) = (literals(&[8, 6, 4]), literals(&[3, 5, 9]));
        for width in 0..10 {
            let rule = literals(&(20..=20 + width as u32).collect::<Vec<_>>());
            for slot in 0..=width {
                let mut columns = vec![(slot, &varied[..])];
                if slot % 2 == 1 {
                    columns.push((0, &heads[..]));
                }
                let (mut block, mut single) = (RuleStore::default(), RuleStore::default());
                block.push(1, &literals(&[2]));
                single.push(1, &literals(&[2]));
                block.push_block(3, &rule, &columns);
                for position in 0..3 {
                    let mut own = rule.clone();
                    columns.iter().for_each(|&(slot, column)| own[slot] = column[position]);
                    single.push(own[0].atom(), &own[1..]);
                }
                assert_eq!(block, single);
            }
        }
    }

    #[test]
    fn room_is_made_before_it_is_used_up() {
        let mut store = RuleStore::default();
        (0..8).for_each(|head| store.push(head, &literals(&[head, 10])));
        store.heads.shrink_to_fit();
        store.literals.reserve_exact(100);
        let (rules, room) = (store.clone(), store.literals.capacity());
        store.grow_early();
        assert_eq!(store, rules);
        assert!(store.heads.capacity() >= 4 * 8);
        assert_eq!(store.literals.capacity(), room, "most of it is free");
    }

    #[test]
    fn a_range_of_rules_can_be_copied() {
        let mut store = RuleStore::default();
        for head in 0..4 {
            store.push(head, &literals(&[head, 10, 11][..head as usize % 3]));
        }
        for (start, end) in (0..=4).flat_map(|start| (start..=4).map(move |end| (start, end))) {
            let mut expected = store.clone();
            let mut copy = store.clone();
            (start..end).for_each(|it| expected.push(store.rule(it).head, store.rule(it).body));
            copy.extend(&store, start..end);
            assert_eq!(copy, expected);
        }
    }

    #[test]
    fn retain_drops_rules_and_shortens_bodies() {
        let mut store = RuleStore::default();
        for head in 0..4 {
            store.push(head, &literals(&[head, 10, 11]));
        }
        let Ok(()) = store.retain(|head, body| {
            body.swap(0, 2);
            Ok::<_, Infallible>((head % 2 == 1).then(|| head as usize - 1))
        });
        let rules: Vec<_> = store.iter().map(|rule| (rule.head, rule.body.to_vec())).collect();
        assert_eq!(rules, [(1, vec![]), (3, literals(&[11, 10]))]);
    }
}
