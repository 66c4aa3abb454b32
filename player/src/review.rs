//! A match looked at afterwards: what a search thinks of each state, and where that turned.

use std::sync::Arc;
use std::time::Duration;

use groundfrog::Description;
use web_time::Instant;

use crate::search::Uct;
use crate::strategy::{Decision, Strategy, StrategyError, StrategyOptions, Turn};

/// What a role is thought to get, state by state.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct RoleReview {
    /// The role.
    pub role: String,
    /// By state but the last: the goal value that is expected, 0 to 100; `None` where that is not known.
    pub values: Vec<Option<f64>>,
    /// By state but the last: whether the value is proven.
    pub proven: Vec<bool>,
    /// By state but the last: the move that the search would have made.
    pub best: Vec<String>,
}

impl RoleReview {
    /// The turn, counted from 0, in which the estimate turned for good: after it, it is nearer to the last one than to the first
    /// one. `None` if both are nearly the same.
    pub fn turning_point(&self) -> Option<usize> {
        let known: Vec<(usize, f64)> =
            self.values.iter().enumerate().filter_map(|it| Some((it.0, (*it.1)?))).collect();
        let (first, last) = (known.first()?.1, known.last()?.1);
        if (last - first).abs() < LEAST_TURN {
            return None;
        }
        let middle = (first + last) / 2.0;
        let is_before = |value: f64| (value < middle) == (first < middle);
        known.iter().rev().find(|it| is_before(it.1)).map(|it| it.0)
    }
}

/// Estimates that differ by less have not turned.
const LEAST_TURN: f64 = 10.0;

/// Searches from each state of a match but the last, for so long for each role in turn. `moves` are the joint moves that were made,
/// as KIF. `ways` instead of the time makes the result depend on the seed alone.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use groundfrog::{Description, ParseOptions};
/// use groundfrog_player::{review::review, strategy::StrategyOptions};
/// let rules = groundfrog_corpus::game("nim").expect("a game").text;
/// let nim = Arc::new(Description::parse(rules.as_bytes(), &ParseOptions::default())?);
/// let moves = [vec!["(take d 7)".to_owned(), "noop".to_owned()]];
/// let roles = ["first".to_owned(), "second".to_owned()];
/// let options = StrategyOptions::default();
/// let reviews = review(&nim, &roles, &moves, Duration::from_secs(5), Some(5000), &options)?;
/// // 1 xor 3 xor 5 xor 7 is 0: who begins has lost.
/// assert!(reviews[0].values[0].is_some_and(|it| it < 50.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The game cannot be played, or a move cannot have been made.
pub fn review(
    description: &Arc<Description>,
    roles: &[String],
    moves: &[Vec<String>],
    time: Duration,
    ways: Option<u64>,
    options: &StrategyOptions,
) -> Result<Vec<RoleReview>, StrategyError> {
    let of_role = |role: &String| {
        let player = Uct::new(Arc::clone(description), role, options.clone());
        let mut player = match ways {
            Some(ways) => player.with_most(ways),
            None => player,
        };
        player.prepare(Instant::now() + PREPARING)?;
        let mut review = RoleReview { role: role.clone(), ..RoleReview::default() };
        for made in moves {
            let Decision { action, value, proven, .. } = player.choose(Instant::now() + time)?;
            review.values.push(value);
            review.proven.push(proven);
            review.best.push(action);
            player.observe(&Turn::Moves(made.clone()))?;
        }
        Ok(review)
    };
    roles.iter().map(of_role).collect()
}

/// Time to ground the rules and to learn from playouts.
const PREPARING: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    fn turning_point(values: &[f64]) -> Option<usize> {
        let values = values.iter().map(|&it| Some(it)).collect();
        RoleReview { values, ..RoleReview::default() }.turning_point()
    }

    #[test]
    fn an_estimate_turns_where_it_is_nearer_to_its_end_for_good() {
        assert_eq!(turning_point(&[50.0, 55.0, 20.0, 60.0, 10.0, 0.0]), Some(3));
        assert_eq!(turning_point(&[50.0, 51.0, 90.0, 100.0]), Some(1));
        assert_eq!(turning_point(&[50.0, 90.0, 52.0]), None);
        assert_eq!(turning_point(&[]), None);
    }
}
