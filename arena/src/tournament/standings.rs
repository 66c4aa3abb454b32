//! What came of matches: points, ratings, and what went wrong.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::Pairing;
use crate::record::MatchRecord;

/// What the results of a tournament come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// Those with the better share of the points first.
    pub players: Vec<PlayerStanding>,
    /// Each seat of each game.
    pub seats: Vec<SeatScore>,
    /// Matches that were given up, or whose goals are not unique: nobody has points for them.
    pub without_result: u64,
    /// All matches.
    pub matches: u64,
}

/// The part of the points that were to be had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// In how many matches.
    pub matches: u64,
    /// Goal values divided by 100.
    pub points: f64,
}

/// A player in the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerStanding {
    /// The name.
    pub name: String,
    /// The place, from 1; equal ones share it.
    pub place: usize,
    /// Points and matches.
    pub share: Share,
    /// The interval that has the true share of the points with a probability of 95 % (Wilson), 0 to 1, as if matches were independent.
    pub interval: (f64, f64),
    /// More points than all others in the match; in games of one role than all others in the same round.
    pub wins: u64,
    /// As many points as the best other.
    pub draws: u64,
    /// Fewer.
    pub losses: u64,
    /// The skill by Weng and Lin (2011), 25 at first.
    pub rating: f64,
    /// Its standard deviation.
    pub uncertainty: f64,
    /// What went wrong.
    pub faults: FaultCounts,
    /// Against each other player, in the order of the standings.
    pub meetings: Vec<Meeting>,
}

/// A player against another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Meeting {
    /// The other one.
    pub name: String,
    /// The own points.
    pub share: Share,
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatScore {
    /// The game.
    pub game: String,
    /// The role.
    pub role: String,
    /// The points of all players on it.
    pub all: Share,
    /// By player, in the order of the standings.
    pub players: Vec<Share>,
}

impl Share {
    fn add(&mut self, goal: i64) {
        self.matches += 1;
        self.points += goal as f64 / 100.0;
    }

    /// Points by match, 0 to 1; none without a match.
    pub fn mean(self) -> Option<f64> {
        (self.matches > 0).then(|| self.points / self.matches as f64)
    }

    /// The interval of Wilson (1927) for a probability of 95 %. Goals between 0 and 100 spread less than wins and losses with the same mean, so that it
    /// is rather too wide than too narrow.
    pub fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.959_964;
        let Some(mean) = self.mean() else { return (0.0, 1.0) };
        let number = self.matches as f64;
        let weight = 1.0 + Z * Z / number;
        let middle = (mean + Z * Z / (2.0 * number)) / weight;
        let half =
            Z / weight * (mean * (1.0 - mean) / number + Z * Z / (4.0 * number * number)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }
}

/// Players with their goals, who are compared with each other.
type Contest = Vec<(usize, i64)>;

impl Standings {
    /// For players by name, and for games with their roles that need a player. `results` are in the order of the schedule, which ratings depend on.
    pub fn new(
        players: Vec<String>,
        games: Vec<(String, Vec<String>)>,
        results: &[MatchResult],
    ) -> Self {
        let (ratings, outcomes) = compare(players.len(), &contests(results));
        let mut shares = vec![Share::default(); players.len()];
        let mut faults = vec![FaultCounts::default(); players.len()];
        let mut meetings: BTreeMap<(usize, usize), Share> = BTreeMap::new();
        let mut seats: Vec<Vec<Vec<Share>>> = games
            .iter()
            .map(|(_, roles)| vec![vec![Share::default(); players.len()]; roles.len()])
            .collect();
        for result in results {
            let pairing = &result.pairing;
            for (seat, &player) in pairing.seats.iter().enumerate() {
                faults[player] += result.faults[seat];
                let Some(goals) = &result.goals else { continue };
                shares[player].add(goals[seat]);
                seats[pairing.game][seat][player].add(goals[seat]);
                for &other in pairing.seats.iter().filter(|&&it| it != player) {
                    meetings.entry((player, other)).or_default().add(goals[seat]);
                }
            }
        }
        let mean = |it: usize| shares[it].mean().unwrap_or(0.0);
        let better = |one: usize, other: usize| {
            mean(other)
                .total_cmp(&mean(one))
                .then(ratings[other].rating.total_cmp(&ratings[one].rating))
        };
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|&one, &other| better(one, other));
        let place = |player: usize| {
            1 + order.iter().filter(|&&it| better(it, player) == Ordering::Less).count()
        };
        let standing = |&player: &usize| {
            let [wins, draws, losses] = outcomes[player];
            let meeting = |&other: &usize| Meeting {
                name: players[other].clone(),
                share: meetings.get(&(player, other)).copied().unwrap_or_default(),
            };
            PlayerStanding {
                name: players[player].clone(),
                place: place(player),
                share: shares[player],
                interval: shares[player].interval(),
                wins,
                draws,
                losses,
                rating: ratings[player].rating,
                uncertainty: ratings[player].uncertainty,
                faults: faults[player],
                meetings: order.iter().filter(|&&it| it != player).map(meeting).collect(),
            }
        };
        let seat_scores = games.into_iter().zip(seats).flat_map(|((game, roles), seats)| {
            let scores = roles.into_iter().zip(seats).map(|(role, by_player)| {
                let mut all = Share::default();
                for share in &by_player {
                    all.matches += share.matches;
                    all.points += share.points;
                }
                let players = order.iter().map(|&it| by_player[it]).collect();
                SeatScore { game: game.clone(), role, all, players }
            });
            scores.collect::<Vec<_>>()
        });
        Standings {
            seats: seat_scores.collect(),
            players: order.iter().map(standing).collect(),
            without_result: results.iter().filter(|it| it.goals.is_none()).count() as u64,
            matches: results.len() as u64,
        }
    }
}

/// Who is compared with whom: those in a match, and in games of one role all who have played it in the same round.
fn contests(results: &[MatchResult]) -> Vec<Contest> {
    let mut contests: Vec<Contest> = Vec::new();
    let mut alone: BTreeMap<(u32, usize), usize> = BTreeMap::new();
    for result in results {
        let Some(goals) = &result.goals else { continue };
        let pairing = &result.pairing;
        let entries = pairing.seats.iter().copied().zip(goals.iter().copied());
        if pairing.seats.len() == 1 {
            let contest = *alone.entry((pairing.round, pairing.game)).or_insert(contests.len());
            if contest == contests.len() {
                contests.push(Contest::new());
            }
            contests[contest].extend(entries);
        } else {
            contests.push(entries.collect());
        }
    }
    contests.retain(|it| it.len() > 1);
    contests
}

/// Ratings, and wins, draws and losses, by player.
fn compare(players: usize, contests: &[Contest]) -> (Vec<WengLinRating>, Vec<[u64; 3]>) {
    let mut ratings = vec![WengLinRating::new(); players];
    let mut outcomes = vec![[0; 3]; players];
    for contest in contests {
        for &(player, goal) in contest {
            let others = contest.iter().filter(|it| it.0 != player).map(|it| it.1);
            outcomes[player][match others.max().map(|best| goal.cmp(&best)) {
                Some(Ordering::Greater) => 0,
                Some(Ordering::Equal) => 1,
                Some(Ordering::Less) => 2,
                None => continue,
            }] += 1;
        }
        let before: Vec<[WengLinRating; 1]> = contest.iter().map(|it| [ratings[it.0]]).collect();
        let rank = |goal: i64| 1 + contest.iter().filter(|it| it.1 > goal).count();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .zip(contest)
            .map(|(it, &(_, goal))| (&it[..], MultiTeamOutcome::new(rank(goal))))
            .collect();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
        for (&(player, _), new) in contest.iter().zip(after) {
            if let Some(&new) = new.first() {
                ratings[player] = new;
            }
        }
    }
    (ratings, outcomes)
}

/// What came of a match, as far as standings ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// The match.
    pub pairing: Pairing,
    /// The goal values by seat, 0 to 100; none if the match was given up or the goals are not unique.
    pub goals: Option<Vec<i64>>,
    /// Whether the match was given up before its end.
    pub is_aborted: bool,
    /// By seat: what went wrong.
    pub faults: Vec<FaultCounts>,
    /// Joint moves.
    pub turns: usize,
}

/// How often a player gave no legal move in time, START counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct FaultCounts {
    /// There was no answer in time.
    pub late: u64,
    /// The answer was no legal move.
    pub illegal: u64,
    /// There was nobody, the connection broke, or the answer was no message.
    pub connection: u64,
}

impl FaultCounts {
    /// All of them.
    pub fn total(self) -> u64 {
        self.late + self.illegal + self.connection
    }

    /// Counts what a record says.
    fn count(&mut self, error: &str) {
        match error.split(' ').next() {
            None | Some("") => {}
            Some("TO") => self.late += 1,
            Some("IL") => self.illegal += 1,
            Some(_) => self.connection += 1,
        }
    }
}

impl std::ops::AddAssign for FaultCounts {
    fn add_assign(&mut self, other: Self) {
        self.late += other.late;
        self.illegal += other.illegal;
        self.connection += other.connection;
    }
}

impl MatchResult {
    /// What a record says. `places` are the places of the seats among all roles.
    pub(super) fn new(pairing: Pairing, record: &MatchRecord, places: &[usize]) -> Self {
        let goals =
            places.iter().map(|&it| Some(record.goal_values.get(it).copied()??.clamp(0, 100)));
        let goals = goals.collect::<Option<Vec<i64>>>().filter(|_| record.is_completed);
        let mut faults = vec![FaultCounts::default(); places.len()];
        for errors in &record.errors {
            for (count, &place) in faults.iter_mut().zip(places) {
                count.count(errors.get(place).map_or("", String::as_str));
            }
        }
        MatchResult {
            pairing,
            goals,
            is_aborted: !record.is_completed,
            faults,
            turns: record.moves.len(),
        }
    }

    /// A match in which nothing went wrong.
    #[cfg(test)]
    pub(super) fn of_goals(pairing: Pairing, goals: Vec<i64>) -> Self {
        let faults = vec![FaultCounts::default(); goals.len()];
        MatchResult { pairing, goals: Some(goals), is_aborted: false, faults, turns: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pairing;
    use super::*;

    fn result(number: u32, game: usize, seats: &[usize], goals: &[i64]) -> MatchResult {
        let pairing = Pairing { round: 1, number, game, seats: seats.to_vec() };
        MatchResult::of_goals(pairing, goals.to_vec())
    }

    fn standings(results: &[MatchResult]) -> Standings {
        let names = ["ann", "bob", "cat"].map(str::to_owned).to_vec();
        let roles = |all: &[&str]| all.iter().map(|&it| it.to_owned()).collect();
        let games = vec![
            ("chess".to_owned(), roles(&["white", "black"])),
            ("puzzle".to_owned(), roles(&["solver"])),
            ("trio".to_owned(), roles(&["a", "b", "c"])),
        ];
        Standings::new(names, games, results)
    }

    #[test]
    fn a_constructed_tournament() {
        let mut results = vec![
            result(1, 0, &[0, 1], &[100, 0]),
            result(2, 0, &[1, 0], &[0, 100]),
            result(3, 0, &[0, 2], &[100, 0]),
            result(4, 0, &[2, 0], &[50, 50]),
            result(5, 0, &[1, 2], &[0, 100]),
            result(6, 0, &[2, 1], &[100, 0]),
            result(7, 1, &[1], &[40]),
            result(8, 1, &[0], &[100]),
            result(9, 1, &[2], &[100]),
            result(10, 2, &[2, 0, 1], &[100, 30, 30]),
        ];
        results[1].faults[0].late = 3;
        let mut given_up = result(11, 0, &[0, 1], &[0, 0]);
        given_up.goals = None;
        given_up.faults[1].illegal = 1;
        results.push(given_up);
        let all = standings(&results);
        assert_eq!((all.matches, all.without_result), (11, 1));
        let names: Vec<&str> = all.players.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["ann", "cat", "bob"]);
        let [ann, cat, bob] = &all.players[..] else { panic!("three players") };
        assert_eq!((ann.share.matches, ann.share.points), (6, 4.8));
        assert_eq!(
            (ann.wins, ann.draws, ann.losses),
            (3, 2, 1),
            "one of two who solved the puzzle"
        );
        assert_eq!((cat.wins, cat.draws, cat.losses), (3, 2, 1));
        assert_eq!((bob.wins, bob.draws, bob.losses), (0, 0, 6));
        assert_eq!((ann.place, cat.place, bob.place), (1, 2, 3));
        assert_eq!((bob.faults.late, bob.faults.illegal, ann.faults.total()), (3, 1, 0));
        assert!(ann.rating > 25.0 && bob.rating < 25.0 - bob.uncertainty, "{all:?}");
        assert!(all.players.iter().all(|it| it.uncertainty < 25.0 / 3.0));
        assert_eq!(ann.meetings[1].name, "bob");
        assert_eq!(ann.meetings[1].share, Share { matches: 3, points: 2.3 });
        let white = &all.seats[0];
        assert_eq!((white.game.as_str(), white.role.as_str()), ("chess", "white"));
        assert_eq!((white.all.matches, white.all.points), (6, 3.5));
        assert_eq!(white.players[0], Share { matches: 2, points: 2.0 });
    }

    #[test]
    fn nothing_played_is_no_fault() {
        let all = standings(&[]);
        assert!(all.players.iter().all(|it| it.place == 1 && it.share.mean().is_none()));
        assert_eq!(all.players[0].interval, (0.0, 1.0));
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        let close = |(low, high): (f64, f64), a: f64, b: f64| {
            assert!((low - a).abs() < 5e-4 && (high - b).abs() < 5e-4, "{low} {high}");
        };
        close(Share { matches: 10, points: 8.0 }.interval(), 0.4902, 0.9433);
        close(Share { matches: 400, points: 380.0 }.interval(), 0.9241, 0.9674);
        close(Share { matches: 5, points: 5.0 }.interval(), 0.5655, 1.0);
    }

    #[test]
    fn the_better_one_wins_more_and_more_surely() {
        let series = |matches: u32| {
            let one = |number: u32| {
                result(
                    number,
                    0,
                    &[0, 1],
                    if number.is_multiple_of(4) { &[0, 100] } else { &[100, 0] },
                )
            };
            let all = standings(&(1..=matches).map(one).collect::<Vec<_>>());
            (all.players[0].rating, all.players[0].uncertainty)
        };
        let (few, many) = (series(8), series(80));
        assert!(few.0 > 25.0 && many.0 > 25.0 && many.1 < few.1, "{few:?} {many:?}");
    }

    #[test]
    fn errors_and_goals_are_those_of_the_seats() {
        let text = |all: [&str; 3]| all.map(str::to_owned).to_vec();
        let record = MatchRecord {
            is_completed: true,
            goal_values: vec![Some(100), None, Some(50)],
            errors: vec![
                text(["TO", "", ""]),
                text(["IL (fly 9)", "", "CE"]),
                text(["", "", "CE"]),
            ],
            moves: vec![Vec::new(); 2],
            ..MatchRecord::default()
        };
        let pairing = Pairing { round: 1, number: 1, game: 0, seats: vec![4, 2] };
        let result = MatchResult::new(pairing.clone(), &record, &[0, 2]);
        assert_eq!(result.goals, Some(vec![100, 50]));
        assert_eq!(result.faults[0], FaultCounts { late: 1, illegal: 1, connection: 0 });
        assert_eq!((result.faults[1].connection, result.faults[1].total()), (2, 2));
        let given_up = MatchRecord { is_completed: false, ..record };
        let result = MatchResult::new(pairing, &given_up, &[0, 2]);
        assert!(result.goals.is_none() && result.is_aborted);
    }
}
