//! Who meets whom in a Swiss round.

use std::collections::BTreeSet;

use groundfrog_reasoner::Random;

use super::MatchResult;

/// Steps of the search for groups that have not met: it is complete for the numbers of players that there are, and is given up for huge ones.
const STEPS: u32 = 200_000;

/// Groups of `size` players for a round: the first plays with those next to it in the order of the results so far, whom it has met least often. Those
/// who are left over have a bye, which counts as much as a win: the last ones, but nobody twice before all had one. The first round is drawn by lot.
pub(super) fn groups(
    size: usize,
    players: usize,
    round: u32,
    random: &mut Random,
    results: &[&MatchResult],
) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..players).collect();
    random.shuffle(&mut order);
    let rounds = (1..round).map(|it| Round::new(it, players, results)).collect::<Vec<_>>();
    let total = |player: usize| rounds.iter().map(|it| it.scores[player]).sum::<f64>();
    order.sort_by(|&one, &other| total(other).total_cmp(&total(one)));
    for _ in 0..players % size {
        let byes = |player: usize| rounds.iter().filter(|it| it.has_bye(player)).count();
        let least = order.iter().map(|&it| byes(it)).min();
        let last = order.iter().rposition(|&it| Some(byes(it)) == least);
        last.map(|it| order.remove(it));
    }
    let met = |one: usize, other: usize| rounds.iter().filter(|it| it.met(one, other)).count();
    for most in 0.. {
        let allowed = |one: usize, other: usize| met(one, other) <= most;
        let mut search = Search { size, allowed: &allowed, steps: STEPS, groups: Vec::new() };
        if search.split(&order) {
            return search.groups;
        }
    }
    Vec::new()
}

/// What happened in a round.
struct Round {
    /// By player: the mean share of the points; 1 for a bye.
    scores: Vec<f64>,
    groups: BTreeSet<Vec<usize>>,
}

impl Round {
    fn new(round: u32, players: usize, results: &[&MatchResult]) -> Self {
        let mut sums = vec![(0.0, 0u32); players];
        let mut groups = BTreeSet::new();
        for result in results.iter().filter(|it| it.pairing.round == round) {
            let mut group = result.pairing.seats.clone();
            for (seat, &player) in group.iter().enumerate() {
                let goal = result.goals.as_ref().map_or(0, |it| it[seat]);
                sums[player].0 += goal as f64 / 100.0;
                sums[player].1 += 1;
            }
            group.sort_unstable();
            groups.insert(group);
        }
        let score =
            |(sum, matches): (f64, u32)| if matches == 0 { 1.0 } else { sum / f64::from(matches) };
        Round { scores: sums.into_iter().map(score).collect(), groups }
    }

    fn met(&self, one: usize, other: usize) -> bool {
        self.groups.iter().any(|it| it.contains(&one) && it.contains(&other))
    }

    fn has_bye(&self, player: usize) -> bool {
        !self.groups.iter().any(|it| it.contains(&player))
    }
}

/// Looks for groups of those who may meet, the first in order with the next ones.
struct Search<'s> {
    size: usize,
    allowed: &'s dyn Fn(usize, usize) -> bool,
    steps: u32,
    groups: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Splits all players into groups; whether that is possible.
    fn split(&mut self, order: &[usize]) -> bool {
        match order.split_first() {
            None => true,
            Some((&first, rest)) => self.fill(&mut vec![first], rest, 0),
        }
    }

    /// Completes a group with those who come after a place, and splits the others.
    fn fill(&mut self, group: &mut Vec<usize>, rest: &[usize], from: usize) -> bool {
        if group.len() == self.size {
            let others: Vec<usize> =
                rest.iter().copied().filter(|it| !group.contains(it)).collect();
            self.groups.push(group.clone());
            let found = self.split(&others);
            if !found {
                self.groups.pop();
            }
            return found;
        }
        for (place, &next) in rest.iter().enumerate().skip(from) {
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            if group.iter().all(|&it| (self.allowed)(it, next)) {
                group.push(next);
                if self.fill(group, rest, place + 1) {
                    return true;
                }
                group.pop();
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Format;
    use super::super::{Pairing, Schedule};
    use super::*;

    /// Plays a whole tournament in which a player with a smaller number wins; the matches by round.
    fn play(players: usize, seats: usize, rounds: u32) -> Vec<Vec<Pairing>> {
        let schedule = Schedule { format: Format::Swiss, seed: 3, players, seats: vec![seats] };
        let (mut results, mut all) = (Vec::new(), Vec::new());
        for round in 1..=rounds {
            let pairings = schedule.round(round, &results);
            assert_eq!(pairings.len() as u64, schedule.matches_in_round());
            for pairing in &pairings {
                let best = pairing.seats.iter().min();
                let goals = pairing.seats.iter().map(|it| if Some(it) == best { 100 } else { 0 });
                results.push(MatchResult::of_goals(pairing.clone(), goals.collect()));
            }
            all.push(pairings);
        }
        all
    }

    fn met(round: &[Pairing]) -> BTreeSet<Vec<usize>> {
        let sorted = |pairing: &Pairing| {
            let mut seats = pairing.seats.clone();
            seats.sort_unstable();
            seats
        };
        round.iter().map(sorted).collect()
    }

    #[test]
    fn nobody_meets_twice_before_everybody_has_met() {
        for (players, rounds) in [(8, 4), (7, 4), (6, 3), (16, 8), (2, 1)] {
            let mut seen = BTreeSet::new();
            for round in play(players, 2, rounds) {
                let groups = met(&round);
                assert_eq!(groups.len(), players / 2);
                for group in groups {
                    assert!(seen.insert(group.clone()), "{players} players: {group:?} meet again");
                }
            }
        }
        // When all have met, they meet again.
        let rounds = play(2, 2, 3);
        assert!(rounds.iter().all(|it| met(it).len() == 1));
    }

    #[test]
    fn equals_meet_and_byes_go_around() {
        let rounds = play(8, 2, 4);
        assert!(
            met(&rounds[2]).contains(&vec![0, 1])
                || met(&rounds[1]).contains(&vec![0, 1])
                || met(&rounds[0]).contains(&vec![0, 1])
                || met(&rounds[3]).contains(&vec![0, 1]),
            "the best two have met"
        );
        let mut byes = vec![0; 5];
        for round in play(5, 2, 5) {
            let playing: BTreeSet<usize> = round.iter().flat_map(|it| it.seats.clone()).collect();
            (0..5).filter(|it| !playing.contains(it)).for_each(|it| byes[it] += 1);
        }
        assert_eq!(byes, [1; 5]);
    }

    #[test]
    fn groups_of_three() {
        let rounds = play(7, 3, 3);
        for round in &rounds {
            assert_eq!((round.len(), met(round).len()), (6, 2), "two groups, three seats");
        }
        let pairs = |round: &[Pairing]| -> BTreeSet<(usize, usize)> {
            let all = met(round);
            all.iter().flat_map(|it| [(it[0], it[1]), (it[0], it[2]), (it[1], it[2])]).collect()
        };
        let (first, second) = (pairs(&rounds[0]), pairs(&rounds[1]));
        assert!(first.intersection(&second).count() <= 2, "{first:?} {second:?}");
    }
}
