//! What came of a match.

use super::Pairing;
use crate::record::MatchRecord;

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
    use super::*;

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
