//! A match looked at afterwards: what each role is thought to get in each state, and which moves gave that away.

use std::sync::Arc;
use std::time::Duration;

use groundfrog::{Description, RoleId};
use groundfrog_reasoner::open::is_imperfect;
use groundfrog_reasoner::{Machine, MoveId, OpenLimits, State};
use serde::Serialize;
use web_time::Instant;

use crate::position::joint_move;
use crate::search::{InformationSets, Uct};
use crate::strategy::{Decision, Strategy, StrategyError, StrategyOptions, Turn};

/// What a role is thought to get: a goal value, 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Whether nobody can change it any more by good play, or it is the goal that the role got.
    pub proven: bool,
}

/// What a role is thought to get, state by state.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RoleReview {
    /// The role.
    pub role: String,
    /// By state, the last one included; `None` where it is not known.
    pub values: Vec<Option<Estimate>>,
    /// By turn: the move that the search would have made; `None` where the role had no choice.
    pub best: Vec<Option<String>>,
}

/// Where what a role is thought to get turned for good.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Turning {
    /// The turn, counted from 0; the first of several where the states between are not known.
    pub turn: usize,
    /// The turn after it, or after the last of several.
    pub until: usize,
    /// Before it.
    pub from: Estimate,
    /// After it.
    pub to: Estimate,
}

/// A move by which a role gave away what another move would have kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistake {
    /// The turn, counted from 0.
    pub turn: usize,
    /// Who made it.
    pub role: String,
    /// Its place among all roles, chance included.
    pub place: usize,
    /// The move.
    pub made: String,
    /// A move that was better.
    pub better: String,
    /// What the better move is worth to the role.
    pub from: Estimate,
    /// What the move that was made is worth to it.
    pub to: Estimate,
}

/// What is thought of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Review {
    /// All roles but chance.
    pub roles: Vec<RoleReview>,
    /// In the order of the turns.
    pub mistakes: Vec<Mistake>,
    /// Whether the match came to an end, so that the last values are the goals that roles got.
    pub ended: bool,
    /// In what the record and the rules differ.
    pub remarks: Vec<String>,
}

impl RoleReview {
    /// Where the value turned for good: after it, it is nearer to the last one than to the first one. `None` if both are nearly
    /// the same, or not known.
    pub fn turning(&self) -> Option<Turning> {
        let known: Vec<(usize, Estimate)> =
            self.values.iter().enumerate().filter_map(|it| Some((it.0, (*it.1)?))).collect();
        let (first, last) = (known.first()?.1, known.last()?.1);
        if !differ(first, last) {
            return None;
        }
        let middle = (first.value + last.value) / 2.0;
        let is_before = |it: Estimate| (it.value < middle) == (first.value < middle);
        let place = known.iter().rposition(|it| is_before(it.1))?;
        let ((turn, from), (until, to)) = (known[place], *known.get(place + 1)?);
        Some(Turning { turn, until, from, to })
    }
}

/// Estimates that differ by less are taken to be the same.
const LEAST_TURN: f64 = 10.0;
/// Where several choose at once, moves that were tried less often are not compared.
const LEAST_VISITS: u64 = 32;

/// Whether two values are not only different estimates of one.
fn differ(one: Estimate, other: Estimate) -> bool {
    let least = if one.proven && other.proven { f64::MIN_POSITIVE } else { LEAST_TURN };
    (one.value - other.value).abs() >= least
}

/// Searches from each state of a match for each role in turn, so long if `options` do not say how much, and blames moves after which a role has less than after another one.
///
/// `moves` are the joint moves that were made, as KIF, and `goals` what the roles got, as far as that is known; without them the rules say it,
/// if the last state is terminal. Where the last state is no end, it is searched from, too. A role is blamed for what it could know: where
/// several choose at once, or chance does, its moves are compared before it is known what the others do; where it does not see the state, by what
/// it has perceived.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use groundfrog::{Description, ParseOptions};
/// use groundfrog_player::review::review;
/// use groundfrog_player::strategy::StrategyOptions;
/// let rules = groundfrog_corpus::game("nim").expect("a game").text;
/// let nim = Arc::new(Description::parse(rules.as_bytes(), &ParseOptions::default())?);
/// let moves = [vec!["(reduce d 0)".to_owned(), "noop".to_owned()]];
/// let options = StrategyOptions { most: Some(5000), ..StrategyOptions::default() };
/// let review = review(&nim, &moves, &[], Duration::from_secs(5), &options)?;
/// // 1 xor 3 xor 5 xor 7 is 0: who begins has lost.
/// assert!(review.roles[0].values[0].is_some_and(|it| it.value < 50.0));
/// assert!(review.mistakes.is_empty() && !review.ended);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The game cannot be played, or a move cannot have been made.
pub fn review(
    description: &Arc<Description>,
    moves: &[Vec<String>],
    goals: &[Option<i64>],
    time: Duration,
    options: &StrategyOptions,
) -> Result<Review, StrategyError> {
    let StrategyOptions { memory, ref stop, .. } = *options;
    let limits = OpenLimits { memory, stop: stop.clone(), ..OpenLimits::default() };
    let machine = match options.rules.machine(description, &limits)? {
        Some(machine) => machine,
        None => Machine::interpreted(description, &limits)?,
    };
    let mut played = Played::new(machine, is_imperfect(description), moves)?;
    let roles: Vec<RoleId> = played.machine.role_ids().collect();
    if !goals.is_empty() && goals.len() != roles.len() {
        let fault = format!("{} goal values for {} roles", goals.len(), roles.len());
        return Err(StrategyError::Turn(fault));
    }
    let mut found = Review::default();
    let ends = played.ends(goals, &mut found)?;
    let chance = played.machine.chance_role();
    for role in roles.into_iter().filter(|&it| Some(it) != chance) {
        let mut reviewer = Reviewer { description, time, options, played: &mut played, role };
        let end = ends.as_ref().map(|it| it[role.index()]);
        let (review, decisions) = reviewer.values(end)?;
        for (turn, decision) in decisions.iter().enumerate() {
            found.mistakes.extend(reviewer.mistake(turn, decision, review.values[turn + 1])?);
        }
        found.roles.push(review);
    }
    found.mistakes.sort_by_key(|it| it.turn);
    Ok(found)
}

/// What happened in a match.
struct Played {
    machine: Machine,
    /// One more than there were turns.
    states: Vec<State>,
    /// By turn and role, as the game writes them.
    moves: Vec<Vec<String>>,
    /// By turn and role, where roles do not see everything.
    percepts: Option<Vec<Vec<Vec<String>>>>,
    /// By turn and role: how many legal moves it had.
    choices: Vec<Vec<usize>>,
}

impl Played {
    fn new(
        mut machine: Machine,
        is_imperfect: bool,
        moves: &[Vec<String>],
    ) -> Result<Self, StrategyError> {
        let mut state = machine.initial().clone();
        let (mut states, mut texts, mut choices) = (vec![state.clone()], Vec::new(), Vec::new());
        let (mut percepts, mut legal) = (Vec::new(), Vec::new());
        for (turn, made) in moves.iter().enumerate() {
            let at_turn = |error| match error {
                StrategyError::Turn(fault) => {
                    StrategyError::Turn(format!("turn {}: {fault}", turn + 1))
                }
                error => error,
            };
            if machine.is_terminal(&state)? {
                let fault = "by the rules the match is over before".to_owned();
                return Err(at_turn(StrategyError::Turn(fault)));
            }
            let made: Vec<MoveId> = joint_move(&mut machine, &state, made).map_err(at_turn)?;
            let mut counts = Vec::new();
            for role in machine.role_ids().collect::<Vec<_>>() {
                machine.legal_moves(&state, role, &mut legal)?;
                counts.push(legal.len());
            }
            choices.push(counts);
            if is_imperfect {
                let mut perceived = Vec::new();
                machine.perceive(&state, &made, &mut perceived)?;
                percepts.push(machine.percept_texts(&perceived));
            }
            texts.push(made.iter().map(|&it| machine.move_text(it)).collect());
            let mut next = State::default();
            machine.next_state(&state, &made, &mut next)?;
            states.push(next.clone());
            state = next;
        }
        let percepts = is_imperfect.then_some(percepts);
        Ok(Played { machine, states, moves: texts, percepts, choices })
    }

    /// What a role learns of a turn.
    fn turn(&self, turn: usize, role: RoleId) -> Turn {
        match &self.percepts {
            None => Turn::Moves(self.moves[turn].clone()),
            Some(percepts) => Turn::Percepts {
                own: Some(self.moves[turn][role.index()].clone()),
                percepts: percepts[turn][role.index()].clone(),
            },
        }
    }

    /// What each role got, as far as it is known; `None` if the match did not come to an end.
    fn ends(
        &mut self,
        goals: &[Option<i64>],
        found: &mut Review,
    ) -> Result<Option<Vec<Option<Estimate>>>, StrategyError> {
        let last = self.states[self.states.len() - 1].clone();
        let is_over = self.machine.is_terminal(&last)?;
        found.ended = is_over || goals.iter().any(Option::is_some);
        if !found.ended {
            return Ok(None);
        }
        if !is_over {
            found.remarks.push("by the rules the last state is no end".to_owned());
        }
        let mut ends = Vec::new();
        for role in self.machine.role_ids().collect::<Vec<_>>() {
            let own = if is_over {
                self.machine.only_goal(&last, role)?.map(|it| it as f64)
            } else {
                None
            };
            let recorded = goals.get(role.index()).copied().flatten().map(|it| it as f64);
            if let (Some(own), Some(recorded)) = (own, recorded)
                && own != recorded
            {
                let role = self.machine.role_text(role);
                let remark = format!("`{role}` got {recorded}, which by the rules is {own}");
                found.remarks.push(remark);
            }
            ends.push(recorded.or(own).map(|value| Estimate { value, proven: true }));
        }
        Ok(Some(ends))
    }
}

/// Who looks at a match for a role.
struct Reviewer<'run> {
    description: &'run Arc<Description>,
    /// How long to search from each state, if `options` do not say how much.
    time: Duration,
    options: &'run StrategyOptions,
    played: &'run mut Played,
    role: RoleId,
}

impl Reviewer<'_> {
    /// What searches the states of the match, or the information sets of the role where it does not see the state.
    fn searcher(&self) -> Result<Box<dyn Strategy>, StrategyError> {
        let role = self.played.machine.role_text(self.role);
        let (game, options) = (Arc::clone(self.description), self.options.clone());
        let mut searcher: Box<dyn Strategy> = if self.played.percepts.is_some() {
            Box::new(InformationSets::new(game, &role, options))
        } else {
            Box::new(Uct::new(game, &role, options).looking_always())
        };
        searcher.prepare(Instant::now() + PREPARING)?;
        Ok(searcher)
    }

    /// Whether a search can prove anything: what a role gets on average of all states that may be is not what it gets.
    fn proves(&self) -> bool {
        self.played.percepts.is_none()
    }

    /// What the search thinks of the state that a player is in; nothing of one in which the role has no move.
    fn look(
        &self,
        searcher: &mut dyn Strategy,
    ) -> Result<(Decision, Option<Estimate>), StrategyError> {
        let decision = match searcher.choose(Instant::now() + self.time) {
            Err(StrategyError::NoMove { .. }) => return Ok((Decision::default(), None)),
            decision => decision?,
        };
        let proven = self.proves() && decision.proven;
        let value = decision.value.map(|value| Estimate { value, proven });
        Ok((decision, value))
    }

    /// The values of all states, the last of which may be known, and what would have been decided in each turn.
    fn values(
        &mut self,
        end: Option<Option<Estimate>>,
    ) -> Result<(RoleReview, Vec<Decision>), StrategyError> {
        let role = self.played.machine.role_text(self.role);
        let mut review = RoleReview { role, ..RoleReview::default() };
        let (mut searcher, mut decisions) = (self.searcher()?, Vec::new());
        for turn in 0..self.played.moves.len() {
            let (decision, value) = self.look(&mut *searcher)?;
            review.values.push(value);
            let has_choice = self.played.choices[turn][self.role.index()] > 1;
            review.best.push(has_choice.then(|| decision.action.clone()));
            decisions.push(decision);
            searcher.observe(&self.played.turn(turn, self.role))?;
        }
        review.values.push(match end {
            Some(end) => end,
            None => self.look(&mut *searcher)?.1,
        });
        Ok((review, decisions))
    }

    /// The mistake that the role made in a turn, if it made one: the search knows a move that is worth more than the one made.
    fn mistake(
        &mut self,
        turn: usize,
        decision: &Decision,
        after: Option<Estimate>,
    ) -> Result<Option<Mistake>, StrategyError> {
        let own = self.role.index();
        let choices = self.played.choices[turn].iter().enumerate();
        let with_choice: Vec<usize> = choices.filter(|it| *it.1 > 1).map(|it| it.0).collect();
        if !with_choice.contains(&own) {
            return Ok(None);
        }
        let made = self.played.moves[turn][own].clone();
        let found = match with_choice.len() {
            1 if self.played.percepts.is_none() => self.by_states(turn, &made, decision, after)?,
            _ => by_candidates(&made, decision, self.proves()),
        };
        let is_worse = |&(_, from, to): &(String, Estimate, Estimate)| {
            from.value > to.value && differ(from, to)
        };
        let role = self.played.machine.role_text(self.role);
        Ok(found.filter(is_worse).map(|(better, from, to)| Mistake {
            turn,
            role,
            place: own,
            made,
            better,
            from,
            to,
        }))
    }

    /// Where nobody else has a choice: the states after the move that was made and after the search's are compared, each searched from alike.
    fn by_states(
        &mut self,
        turn: usize,
        made: &str,
        decision: &Decision,
        after: Option<Estimate>,
    ) -> Result<Option<(String, Estimate, Estimate)>, StrategyError> {
        let (Some(to), Some(hoped)) = (after, decision.value) else { return Ok(None) };
        let better = decision.action.clone();
        let hoped = Estimate { value: hoped, proven: decision.proven };
        if better == *made || hoped.value <= to.value || !differ(hoped, to) {
            return Ok(None);
        }
        let mut joint = self.played.moves[turn].clone();
        joint[self.role.index()].clone_from(&better);
        let machine = &mut self.played.machine;
        let state = &self.played.states[turn];
        let ids = joint_move(machine, state, &joint)?;
        let mut next = State::default();
        machine.next_state(state, &ids, &mut next)?;
        let from = if machine.is_terminal(&next)? {
            let goal = machine.only_goal(&next, self.role)?;
            goal.map(|it| Estimate { value: it as f64, proven: true })
        } else {
            let mut searcher = self.searcher()?;
            (0..turn).try_for_each(|it| searcher.observe(&self.played.turn(it, self.role)))?;
            searcher.observe(&Turn::Moves(joint))?;
            self.look(&mut *searcher)?.1
        };
        Ok(from.map(|from| (better, from, to)))
    }
}

/// Where others choose at once, or the state is not seen: the moves are compared as the search tried them, before it was known what the others do.
fn by_candidates(
    made: &str,
    decision: &Decision,
    proves: bool,
) -> Option<(String, Estimate, Estimate)> {
    let tried = decision.candidates.iter().filter(|it| it.proven || it.visits >= LEAST_VISITS);
    let valued = tried.filter_map(|it| {
        Some((it.action.as_str(), Estimate { value: it.value?, proven: it.proven && proves }))
    });
    let valued: Vec<(&str, Estimate)> = valued.collect();
    let to = valued.iter().find(|it| it.0 == made)?.1;
    let best = valued.iter().max_by(|one, other| one.1.value.total_cmp(&other.1.value))?;
    Some((best.0.to_owned(), best.1, to))
}

/// Time to ground the rules and to learn from playouts.
const PREPARING: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    fn turning(values: &[Option<f64>]) -> Option<(usize, usize, f64, f64)> {
        let estimate = |value: f64| Estimate { value, proven: false };
        let values = values.iter().map(|it| it.map(estimate)).collect();
        let found = RoleReview { values, ..RoleReview::default() }.turning();
        found.map(|it| (it.turn, it.until, it.from.value, it.to.value))
    }

    #[test]
    fn an_estimate_turns_where_it_is_nearer_to_its_end_for_good() {
        let known =
            |values: &[f64]| turning(&values.iter().map(|&it| Some(it)).collect::<Vec<_>>());
        assert_eq!(known(&[50.0, 55.0, 20.0, 60.0, 10.0, 0.0]), Some((3, 4, 60.0, 10.0)));
        assert_eq!(known(&[50.0, 51.0, 90.0, 100.0]), Some((1, 2, 51.0, 90.0)));
        assert_eq!(known(&[50.0, 90.0, 52.0]), None);
        assert_eq!(known(&[]), None);
        // What is not known is no 0.
        assert_eq!(turning(&[Some(90.0), None, None, Some(10.0)]), Some((0, 3, 90.0, 10.0)));
        assert_eq!(turning(&[Some(90.0), None, None]), None);
        assert_eq!(turning(&[None, None]), None);
    }

    fn reviewed(rules: &str, moves: &[&[&str]], goals: &[Option<i64>]) -> Review {
        let description = Description::parse(rules.as_bytes(), &Default::default());
        let description = Arc::new(description.expect("it parses"));
        let joint = |it: &&[&str]| it.iter().map(|&it| it.to_owned()).collect();
        let moves: Vec<Vec<String>> = moves.iter().map(joint).collect();
        let options = StrategyOptions { most: Some(3000), ..StrategyOptions::default() };
        review(&description, &moves, goals, Duration::from_secs(60), &options)
            .expect("it can be followed")
    }

    /// By mistake: the turn, the role, and what was made and was better, from what to what.
    fn mistakes(review: &Review) -> Vec<(usize, &str, &str, &str, f64, f64)> {
        let fields = |it: &'_ Mistake| (it.turn, it.from.value, it.to.value);
        let all = review.mistakes.iter();
        all.map(|it| {
            let (turn, from, to) = fields(it);
            (turn, it.role.as_str(), it.made.as_str(), it.better.as_str(), from, to)
        })
        .collect()
    }

    /// `a` chooses twice, and what it chooses last decides.
    const LAST: &str = "(role a) (role b) (init (at 1)) (<= (legal a left) (true (at ?n))) (<= (legal a right) (true (at ?n)))
        (legal b noop) (<= (next (at 2)) (true (at 1)))
        (<= (next (at won)) (true (at 2)) (does a left)) (<= (next (at lost)) (true (at 2)) (does a right))
        (<= terminal (true (at won))) (<= terminal (true (at lost)))
        (<= (goal a 100) (true (at won))) (<= (goal b 0) (true (at won)))
        (<= (goal a 0) (true (at lost))) (<= (goal b 100) (true (at lost)))";

    #[test]
    fn a_win_that_the_last_move_gives_away_is_seen_by_how_the_match_ended() {
        let moves: &[&[&str]] = &[&["right", "noop"], &["right", "noop"]];
        for goals in [&[][..], &[Some(0), Some(100)]] {
            let found = reviewed(LAST, moves, goals);
            assert_eq!(mistakes(&found), [(1, "a", "right", "left", 100.0, 0.0)]);
            let turning = found.roles[0].turning().expect("it turned");
            assert_eq!((turning.turn, turning.from.value, turning.to.value), (1, 100.0, 0.0));
            assert!(found.ended && found.remarks.is_empty(), "{found:?}");
            // What others give away is no mistake of `b`'s.
            assert_eq!(found.roles[1].turning().map(|it| it.turn), Some(1));
        }
        // It ended well: nothing was given away.
        let found = reviewed(LAST, &[&["right", "noop"], &["left", "noop"]], &[]);
        assert_eq!(mistakes(&found), []);
        // The match was given up before.
        let found = reviewed(LAST, &moves[..1], &[]);
        assert!(!found.ended && found.mistakes.is_empty());
        assert_eq!(found.roles[0].values[1], Some(Estimate { value: 100.0, proven: true }));
        // The record says something else than the rules.
        let found = reviewed(LAST, moves, &[Some(40), None]);
        assert_eq!(found.roles[0].values[2].map(|it| it.value), Some(40.0));
        assert_eq!(found.remarks.len(), 1, "{found:?}");
    }

    #[test]
    fn who_had_no_better_move_is_not_blamed() {
        // After `go` everything loses; `stay` would have kept 50.
        let rules = "(role a) (role b) (init (at start)) (init (turn a))
            (<= (legal a go) (true (at start))) (<= (legal a stay) (true (at start)))
            (<= (legal a m1) (true (at pit))) (<= (legal a m2) (true (at pit)))
            (legal b noop)
            (<= (next (at pit)) (does a go)) (<= (next (at even)) (does a stay))
            (<= (next (at lost)) (true (at pit)))
            (<= terminal (true (at even))) (<= terminal (true (at lost)))
            (<= (goal a 50) (true (at even))) (<= (goal b 50) (true (at even)))
            (<= (goal a 0) (true (at lost))) (<= (goal b 100) (true (at lost)))";
        let found = reviewed(rules, &[&["go", "noop"], &["m2", "noop"]], &[]);
        assert_eq!(mistakes(&found), [(0, "a", "go", "stay", 50.0, 0.0)]);
    }

    #[test]
    fn chance_and_guesses_are_nobodys_mistakes() {
        let guess = "(role a) (role b) (init s) (legal a heads) (legal a tails) (legal b heads) (legal b tails)
            (<= (next same) (does a ?x) (does b ?x)) (<= (next over) (true s)) (<= terminal (true over))
            (<= (goal a 100) (true same)) (<= (goal b 0) (true same))
            (<= (goal a 0) (not (true same))) (<= (goal b 100) (not (true same)))";
        let found = reviewed(guess, &[&["heads", "tails"]], &[Some(0), Some(100)]);
        assert_eq!(mistakes(&found), []);
        let chance = "(role a) (role random) (init s) (legal a bet) (legal a pass) (legal random good) (legal random bad)
            (<= (next won) (does a bet) (does random good)) (<= (next lost) (does a bet) (does random bad))
            (<= (next even) (does a pass)) (<= terminal (not (true s)))
            (<= (goal a 100) (true won)) (<= (goal a 0) (true lost)) (<= (goal a 20) (true even)) (goal random 0)";
        let found = reviewed(chance, &[&["bet", "bad"]], &[Some(0), Some(0)]);
        assert_eq!(found.roles.len(), 1, "chance is no role that is reviewed");
        assert_eq!(mistakes(&found), []);
        // To pass is worth 20 whatever happens, and to bet 50.
        let found = reviewed(chance, &[&["pass", "good"]], &[Some(20), Some(0)]);
        let [it] = &found.mistakes[..] else { panic!("{found:?}") };
        assert_eq!((it.made.as_str(), it.better.as_str()), ("pass", "bet"));
        assert!(it.from.value > 40.0 && it.from.value < 60.0 && it.to.value == 20.0, "{it:?}");
    }

    #[test]
    fn what_is_hidden_is_not_held_against_anybody() {
        // `b` hides a coin, which `a` does not see, and `a` guesses.
        let rules = "(role a) (role b) (init (step 1)) (init hidden)
            (<= (legal a noop) (true (step 1))) (<= (legal a left) (true (step 2))) (<= (legal a right) (true (step 2)))
            (<= (legal b left) (true (step 1))) (<= (legal b right) (true (step 1))) (<= (legal b noop) (true (step 2)))
            (<= (next (coin ?x)) (does b ?x) (true (step 1))) (<= (next (coin ?x)) (true (coin ?x)))
            (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
            (<= (next right_guess) (does a ?x) (true (coin ?x)) (true (step 2)))
            (<= (sees b ?m) (does a ?m)) (<= terminal (true (step 3)))
            (<= (goal a 100) (true right_guess)) (<= (goal a 0) (not (true right_guess)))
            (<= (goal b 0) (true right_guess)) (<= (goal b 100) (not (true right_guess)))";
        let found =
            reviewed(rules, &[&["noop", "left"], &["right", "noop"]], &[Some(0), Some(100)]);
        assert_eq!(mistakes(&found), []);
        let guessed = found.roles[0].values[1].expect("it was searched");
        assert!(!guessed.proven && (30.0..70.0).contains(&guessed.value), "{guessed:?}");
    }

    #[test]
    fn moves_that_cannot_have_been_made_are_told_by_their_turn() {
        let description = Description::parse(LAST.as_bytes(), &Default::default());
        let description = Arc::new(description.expect("it parses"));
        let options = StrategyOptions { most: Some(1), ..StrategyOptions::default() };
        for (moves, told) in [
            (vec![vec!["right", "noop"], vec!["up", "noop"]], "turn 2: `up` is not legal for `a`"),
            (vec![vec!["right"]], "turn 1: 1 moves are given for 2 roles"),
            (vec![vec!["left", "noop"]; 3], "turn 3: by the rules the match is over before"),
        ] {
            let moves: Vec<Vec<String>> =
                moves.into_iter().map(|it| it.into_iter().map(str::to_owned).collect()).collect();
            let error = review(&description, &moves, &[], Duration::ZERO, &options)
                .expect_err("it cannot be");
            assert!(error.to_string().ends_with(told), "{error}");
        }
    }
}
