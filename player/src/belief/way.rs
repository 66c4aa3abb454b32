//! A history that leads to a world.

use std::sync::Arc;

use groundfrog_reasoner::MoveId;

/// Joint moves from the initial state on. Ways that begin alike share their beginning.
#[derive(Clone, Debug, Default)]
pub struct Way(Option<Arc<Step>>);

#[derive(Debug)]
struct Step {
    moves: Box<[MoveId]>,
    before: Way,
}

impl Way {
    /// This way and one more joint move.
    pub(super) fn then(&self, moves: &[MoveId]) -> Self {
        Way(Some(Arc::new(Step { moves: moves.into(), before: self.clone() })))
    }

    /// The joint moves, each in the order of the roles.
    pub fn moves(&self) -> Vec<&[MoveId]> {
        let mut all = Vec::new();
        let mut way = self;
        while let Some(step) = &way.0 {
            all.push(&*step.moves);
            way = &step.before;
        }
        all.reverse();
        all
    }
}

impl Drop for Step {
    /// One step after the other: a long way takes no deep stack.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut step) = next.and_then(Arc::into_inner) {
            next = step.before.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_is_dropped_and_one_that_is_shared_stays() {
        let mut way = Way::default();
        let mut short = Way::default();
        for step in 0..200_000 {
            way = way.then(&[MoveId(step), MoveId(0)]);
            if step == 1 {
                short = way.clone();
            }
        }
        assert_eq!(way.moves().len(), 200_000);
        drop(way);
        assert_eq!(short.moves(), [[MoveId(0), MoveId(0)], [MoveId(1), MoveId(0)]]);
    }
}
