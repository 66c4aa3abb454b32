//! Matches that a clock ends: fluents each of which makes the next one hold, whatever is done, until the end.

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, GroundGame};

/// The joint moves after which every match is over, where a clock ends it: from a fluent of the initial state on, each makes the next
/// one hold by rules with one literal each, and the last one ends the match. It follows from the rules alone.
pub(crate) fn last_move(game: &GroundGame) -> Option<u64> {
    let terminal = game.terminal()?;
    // By atom: what holds where it does.
    let mut implied: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for rule in game.rules().iter() {
        if let [literal] = rule.body
            && !literal.is_negated()
        {
            implied.entry(literal.atom()).or_default().push(rule.head);
        }
    }
    let after: FxHashMap<AtomId, AtomId> =
        game.fluents().filter_map(|fluent| Some((game.next(fluent)?, fluent))).collect();
    let (mut met, mut here) = (vec![false; game.atom_count()], game.init().to_vec());
    for moves in 0.. {
        let mut following = Vec::new();
        while let Some(atom) = here.pop() {
            if std::mem::replace(&mut met[atom.index()], true) {
                continue;
            }
            if atom == terminal {
                return Some(moves);
            }
            following.extend(after.get(&atom));
            here.extend(implied.get(&atom.0).into_iter().flatten().map(|&it| AtomId(it)));
        }
        if following.is_empty() {
            break;
        }
        here = following;
    }
    None
}

#[cfg(test)]
mod tests {
    use groundfrog_reasoner::GroundReasoner;

    use super::*;

    fn last_move_of(text: &str) -> Option<u64> {
        last_move(GroundReasoner::of_text(text).expect("a game").game())
    }

    #[test]
    fn a_clock_ends_matches_and_nothing_else_does() {
        let rules = "(role a) (init (at 0)) (init (lamp off)) (succ 0 1) (succ 1 2) (succ 2 3) (legal a wait) (legal a switch)
            (<= (next (lamp on)) (does a switch)) (<= (next (lamp ?l)) (true (lamp ?l)) (does a wait)) (goal a 100)";
        let clock = "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))";
        let waits = "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does a switch)) (<= (next (at ?n)) (true (at ?n)) (does a wait))";
        let late = "(<= late (true (at 3))) (<= terminal late)";
        assert_eq!(last_move_of(&format!("{rules} {clock} {late}")), Some(3));
        assert_eq!(last_move_of(&format!("{rules} {clock} (<= terminal (true (at 2)))")), Some(2));
        assert_eq!(last_move_of(&format!("{rules} {waits} {late}")), None);
        let lit = "(<= terminal (true (at 3)) (true (lamp on)))";
        assert_eq!(last_move_of(&format!("{rules} {clock} {lit}")), None);
    }
}
