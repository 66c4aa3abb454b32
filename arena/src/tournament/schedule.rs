//! Which matches are played.

use std::collections::BTreeSet;

use groundfrog_reasoner::Random;

use super::MatchResult;
use super::plan::Format;

/// A match of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Pairing {
    /// The round, from 1.
    pub round: u32,
    /// Its number within the round, from 1.
    pub number: u32,
    /// The game, by its number from 0.
    pub game: usize,
    /// The players, by their numbers from 0, in the order of the roles that need one.
    pub seats: Vec<usize>,
}

/// What a schedule depends on.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// How the matches of a round are chosen.
    pub format: Format,
    /// Seed of the lots that are drawn.
    pub seed: u64,
    /// How many players there are.
    pub players: usize,
    /// For each game: how many roles need a player.
    pub seats: Vec<usize>,
}

impl Schedule {
    /// How many matches a round has.
    pub fn matches_in_round(&self) -> u64 {
        let groups = |seats: usize| match self.format {
            _ if seats == 1 => self.players as u64,
            Format::RoundRobin => choose(self.players as u64, seats as u64),
            Format::Swiss => (self.players / seats) as u64,
        };
        let all = self.seats.iter().map(|&it| groups(it).saturating_mul(it as u64));
        all.fold(0, u64::saturating_add)
    }

    /// The matches of a round, in the order in which they are played. All games are played by all groups of players, in as many matches as
    /// the game has seats, so that each sits once on each of them; games of one role by each player alone. A round robin has all groups, a Swiss
    /// round those of players who have done equally well in the rounds before, of which `results` tells.
    pub fn round(&self, round: u32, results: &[MatchResult]) -> Vec<Pairing> {
        let mut random = Random::new(self.seed ^ (u64::from(round) << 32));
        let mut pairings = Vec::new();
        let mut sizes = self.seats.clone();
        sizes.sort_unstable();
        sizes.dedup();
        for size in sizes {
            let groups = match self.format {
                _ if size == 1 => (0..self.players).map(|it| vec![it]).collect(),
                Format::RoundRobin => combinations(self.players, size),
                Format::Swiss => {
                    let matches = results
                        .iter()
                        .filter(|it| it.pairing.round < round && it.pairing.seats.len() == size);
                    groups(size, self.players, round, &mut random, &matches.collect::<Vec<_>>())
                }
            };
            let games = || (0..self.seats.len()).filter(|&it| self.seats[it] == size);
            for group in groups {
                for game in games() {
                    let mut seats = group.clone();
                    random.shuffle(&mut seats);
                    for _ in 0..size {
                        pairings.push(Pairing { round, number: 0, game, seats: seats.clone() });
                        seats.rotate_left(1);
                    }
                }
            }
        }
        random.shuffle(&mut pairings);
        (1..).zip(&mut pairings).for_each(|(number, it)| it.number = number);
        pairings
    }
}

/// The seed of what is drawn in a match: the same for the same place in the schedule.
pub(super) fn match_seed(seed: u64, pairing: &Pairing) -> u64 {
    let place = (u64::from(pairing.round) << 32) | u64::from(pairing.number);
    Random::new(seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_word() >> 1
}

/// How many groups of `k` there are among `n`.
fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    // Every division leaves no rest: what is divided is a product of successive numbers.
    (1..=k.min(n - k))
        .try_fold(1u64, |all, it| Some(all.checked_mul(n + 1 - it)? / it))
        .unwrap_or(u64::MAX)
}

/// All groups of so many of the numbers below `n`, in order.
fn combinations(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |group: Vec<usize>| {
            let next = group.last().map_or(0, |it| it + 1);
            (next..n).map(move |it| [&group[..], &[it]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

// Who meets whom in a Swiss round.

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
    use super::*;
    use std::collections::BTreeMap;

    use super::super::plan::Format;
    use super::super::{Pairing, Schedule};

    fn round_robin(players: usize, seats: &[usize], seed: u64) -> Schedule {
        Schedule { format: Format::RoundRobin, seed, players, seats: seats.to_vec() }
    }

    #[test]
    fn each_group_meets_on_each_seat_equally_often() {
        for (players, seats) in [(2, 2), (5, 2), (4, 3), (6, 4), (3, 1)] {
            let schedule = round_robin(players, &[seats, seats], 7);
            let pairings = schedule.round(1, &[]);
            assert_eq!(pairings.len() as u64, schedule.matches_in_round());
            let mut counts: BTreeMap<(usize, Vec<usize>, usize, usize), u32> = BTreeMap::new();
            for pairing in &pairings {
                let mut group = pairing.seats.clone();
                group.sort_unstable();
                group.dedup();
                assert_eq!(group.len(), seats, "nobody plays against itself");
                for (seat, &player) in pairing.seats.iter().enumerate() {
                    *counts.entry((pairing.game, group.clone(), player, seat)).or_default() += 1;
                }
            }
            assert!(counts.values().all(|&it| it == 1), "{counts:?}");
            let groups = choose(players as u64, seats as u64) as usize;
            assert_eq!(
                counts.len(),
                2 * groups * seats * seats,
                "{players} players, {seats} seats"
            );
        }
    }

    #[test]
    fn the_seed_gives_the_schedule() {
        let bytes = |seed| {
            let rounds = (1..4).map(|it| round_robin(5, &[2, 1, 3], seed).round(it, &[]));
            serde_json::to_string(&rounds.collect::<Vec<_>>()).expect("it can be written")
        };
        assert_eq!(bytes(1), bytes(1));
        assert_ne!(bytes(1), bytes(2));
        let pairings = round_robin(5, &[2, 1, 3], 1).round(1, &[]);
        let numbers: Vec<u32> = pairings.iter().map(|it| it.number).collect();
        assert_eq!(numbers, (1..=numbers.len() as u32).collect::<Vec<_>>());
        let seeds: std::collections::BTreeSet<u64> =
            pairings.iter().map(|it| match_seed(1, it)).collect();
        assert_eq!(seeds.len(), pairings.len(), "each match has random moves of its own");
    }

    #[test]
    fn sizes_are_known_before() {
        assert_eq!((choose(5, 2), choose(200, 6), choose(3, 4)), (10, 82_408_626_300, 0));
        assert_eq!(round_robin(1000, &[100], 1).matches_in_round(), u64::MAX);
    }

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
