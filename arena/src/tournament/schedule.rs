//! Which matches are played.

use groundfrog_reasoner::Random;

use super::plan::Format;
use super::{MatchResult, swiss};

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
                    swiss::groups(
                        size,
                        self.players,
                        round,
                        &mut random,
                        &matches.collect::<Vec<_>>(),
                    )
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

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
}
