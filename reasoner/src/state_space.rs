//! The place for visiting states: all joint moves of a state ([`Expander`]), the states that were met ([`States`]), and
//! ways through them ([`longest_way`]).
//!
//! Many states are expanded at once by [`expansion`](crate::expansion).

mod table;

use groundfrog::game::RoleId;

use crate::{GroundReasoner, MoveId, State, Vocabulary};
pub use table::{Bucket, Shard, States};

/// Goes on to the next joint move, the moves of the last role changing fastest: `chosen` has by role the position of its move, of
/// `count` moves. Returns the first role whose position changed; `None` if there is no next one, and all positions are 0 again.
#[inline]
pub fn next_joint_move(chosen: &mut [usize], count: impl Fn(usize) -> usize) -> Option<usize> {
    for role in (0..chosen.len()).rev() {
        chosen[role] += 1;
        if chosen[role] < count(role) {
            return Some(role);
        }
        chosen[role] = 0;
    }
    None
}

/// What a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// The match is over.
    Terminal,
    /// This role has no legal move.
    Stuck(RoleId),
    /// The match goes on.
    Moves,
}

/// Goes through the joint moves of states.
#[derive(Debug)]
pub struct Expander<'run> {
    /// The rules.
    pub reasoner: &'run mut GroundReasoner,
    state: State,
    is_ascending: bool,
    /// By role: its legal moves.
    legal: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
}

impl<'run> Expander<'run> {
    /// Goes through moves in the order in which the reasoner has them.
    pub fn new(reasoner: &'run mut GroundReasoner) -> Self {
        let roles = reasoner.roles().len();
        Expander {
            reasoner,
            state: State::default(),
            is_ascending: false,
            legal: vec![Vec::new(); roles],
            joint: vec![MoveId(0); roles],
        }
    }

    /// Goes through the moves of each role in ascending order.
    pub fn ascending(reasoner: &'run mut GroundReasoner) -> Self {
        Expander { is_ascending: true, ..Expander::new(reasoner) }
    }

    /// Makes a state the present one.
    pub fn load(&mut self, words: &[u64]) {
        self.state.copy_from(words);
        self.reasoner.visit(&self.state);
    }

    /// Calls `visit` with each joint move of the present state and its successor, until it returns `false`: from the one on of which
    /// the role's moves have the positions `chosen`, or from the first. Then `chosen` says where to go on, and is empty if there is no more.
    #[inline]
    pub fn expand(
        &mut self,
        chosen: &mut Vec<usize>,
        mut visit: impl FnMut(&[MoveId], &[u64]) -> bool,
    ) -> StateKind {
        if self.reasoner.is_over() {
            return StateKind::Terminal;
        }
        let roles = self.legal.len();
        chosen.resize(roles, 0);
        for role in 0..roles {
            self.reasoner.moves_here(role, &mut self.legal[role]);
            if self.is_ascending {
                self.legal[role].sort_unstable();
            }
            let Some(&made) = self.legal[role].get(chosen[role]) else {
                chosen.clear();
                return StateKind::Stuck(RoleId(role as u32));
            };
            self.joint[role] = made;
        }
        loop {
            let goes_on = visit(&self.joint, self.reasoner.after(&self.joint));
            let Some(changed) = next_joint_move(chosen, |role| self.legal[role].len()) else {
                chosen.clear();
                return StateKind::Moves;
            };
            if !goes_on {
                return StateKind::Moves;
            }
            let chosen = self.legal.iter().zip(&*chosen).map(|(legal, &at)| legal[at]);
            self.joint.iter_mut().zip(chosen).skip(changed).for_each(|(made, it)| *made = it);
        }
    }

    /// How many joint moves the state has that was expanded last.
    pub fn branching(&self) -> u64 {
        self.legal.iter().fold(1, |all, it| all.saturating_mul(it.len() as u64))
    }

    /// Joint moves that lead from each of these states to the next one, as far as there are some.
    pub fn moves_along<'s>(
        &mut self,
        states: impl IntoIterator<Item = &'s [u64]>,
    ) -> Vec<Vec<MoveId>> {
        let mut states = states.into_iter();
        let Some(mut here) = states.next() else { return Vec::new() };
        let mut moves = Vec::new();
        for there in states {
            self.load(here);
            self.expand(&mut Vec::new(), |joint, next| {
                let leads_there = next == there;
                if leads_there {
                    moves.push(joint.to_vec());
                }
                !leads_there
            });
            here = there;
        }
        moves
    }
}

/// States are entered by their numbers; the length of the longest way from them, or one of these.
const NEW: u32 = u32::MAX;
const OPEN: u32 = u32::MAX - 1;
/// Bytes of an open state, its successors aside.
const ENTRY_BYTES: u64 = 32;

/// The steps of the longest way from a state, depth first: `Ok` if no way comes back to one of its states, or else a way that does, whose
/// last state was met before. Numbers of states are below `numbers`; `successors` are those of a state, the last of which is entered first.
/// `None` where it returns `None`, or `has_room` says that there is none for so many bytes.
pub fn longest_way(
    first: u32,
    numbers: usize,
    mut successors: impl FnMut(u32) -> Option<Vec<u32>>,
    has_room: impl Fn(u64) -> bool,
) -> Option<Result<u32, Vec<u32>>> {
    let mut lengths = vec![NEW; numbers];
    // Open states, each with its successors that are still to be looked at, and the length of the longest way by the others.
    let mut open: Vec<(u32, Vec<u32>, u32)> = Vec::new();
    let mut pending = 0;
    let bytes = |successors: &Vec<u32>| successors.capacity() as u64 * 4 + ENTRY_BYTES;
    let mut enter = Some(first);
    loop {
        if let Some(state) = enter.take() {
            lengths[state as usize] = OPEN;
            let (mut after, mut longest) = (successors(state)?, 0);
            after.retain(|&it| {
                let length = lengths[it as usize];
                let is_done = length < OPEN;
                if is_done {
                    longest = longest.max(length + 1);
                }
                !is_done
            });
            after.shrink_to_fit();
            pending += bytes(&after);
            if !has_room(numbers as u64 * 4 + pending) {
                return None;
            }
            open.push((state, after, longest));
        }
        let Some((state, after, longest)) = open.last_mut() else {
            return Some(Ok(lengths[first as usize]));
        };
        match after.pop() {
            None => {
                lengths[*state as usize] = *longest;
                let length = *longest;
                pending -= bytes(after);
                open.pop();
                if let Some((.., longest)) = open.last_mut() {
                    *longest = length.saturating_add(1).max(*longest);
                }
            }
            Some(next) => match lengths[next as usize] {
                NEW => enter = Some(next),
                OPEN => return Some(Err(open.iter().map(|it| it.0).chain([next]).collect())),
                length => *longest = (*longest).max(length + 1),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest way from state 0.
    fn longest(successors: &[&[u32]]) -> Option<Result<u32, Vec<u32>>> {
        longest_way(0, successors.len(), |it| Some(successors[it as usize].to_vec()), |_| true)
    }

    #[test]
    fn ways_have_a_length_or_come_back() {
        assert_eq!(longest(&[&[]]), Some(Ok(0)));
        assert_eq!(longest(&[&[1, 2], &[3], &[1, 3], &[]]), Some(Ok(3)), "by 2, 1 and 3");
        assert_eq!(longest(&[&[2, 1], &[3], &[1, 3], &[]]), Some(Ok(3)));
        assert_eq!(longest(&[&[1], &[2], &[1]]), Some(Err(vec![0, 1, 2, 1])));
        assert_eq!(longest(&[&[0]]), Some(Err(vec![0, 0])));
        assert_eq!(longest_way(0, 1, |_| None, |_| true), None);
        assert_eq!(longest_way(0, 1, |_| Some(Vec::new()), |_| false), None);
    }

    #[test]
    fn joint_moves_are_counted_through() {
        let (counts, mut chosen) = ([2, 1, 3], [0; 3]);
        let mut all = vec![chosen];
        while next_joint_move(&mut chosen, |role| counts[role]).is_some() {
            all.push(chosen);
        }
        let expected = (0..2).flat_map(|one| (0..3).map(move |last| [one, 0, last]));
        assert_eq!(all, expected.collect::<Vec<_>>());
        assert_eq!(chosen, [0; 3]);
    }
}
