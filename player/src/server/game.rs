//! One match that a player plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

use groundfrog::{Description, ParseOptions};
use groundfrog_reasoner::Random;
use groundfrog_reasoner::open::is_imperfect;

use super::{MOST_STRAYS, ServerOptions};
use crate::clock::Deadlines;
use crate::follower::{Follower, Known};
use crate::position::MOST_LISTED;
use crate::protocol::News;
use crate::seat_thread::{Order, SeatThread, Unanswered};
use crate::strategy::{Decision, StrategyError, StrategyOptions, Turn};
use crate::text;

/// How long a turn may be looked at before the strategy hears of it.
const LOOK: Duration = Duration::from_millis(200);

/// The case that the server writes names in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LetterCase {
    /// As its description does.
    AsWritten,
    Upper,
    Lower,
}

impl LetterCase {
    /// That of a text which is not as the description has it.
    fn of(text: &str) -> Self {
        match (text.chars().any(char::is_lowercase), text.chars().any(char::is_uppercase)) {
            (false, true) => LetterCase::Upper,
            (true, false) => LetterCase::Lower,
            _ => LetterCase::AsWritten,
        }
    }

    fn apply(self, text: String) -> String {
        match self {
            LetterCase::AsWritten => text,
            LetterCase::Upper => text.to_uppercase(),
            LetterCase::Lower => text.to_lowercase(),
        }
    }
}

/// What START says besides the rules.
#[derive(Clone, Debug)]
pub(super) struct StartFields {
    pub(super) id: String,
    pub(super) role: String,
    pub(super) start_clock: Duration,
    pub(super) play_clock: Duration,
}

/// A match under way.
pub(super) struct Game {
    pub(super) fields: StartFields,
    /// `None` if there are too many strategies that do not end.
    strategy: Option<SeatThread>,
    follower: Follower,
    imperfect: bool,
    letter_case: LetterCase,
    turn: u32,
    /// The last own move, as the description writes it.
    own: Option<String>,
    random: Random,
    stop: Arc<AtomicBool>,
}

impl Drop for Game {
    /// A strategy that does not end is not to keep what follows the match alive.
    fn drop(&mut self) {
        self.follower.close();
    }
}

/// An answer to PLAY.
#[derive(Clone, Debug)]
pub(super) struct PlayAnswer {
    /// As it is sent.
    pub(super) text: String,
    /// Joint moves made before it.
    pub(super) turn: u32,
    /// What the strategy reported, if anything.
    pub(super) decision: Option<Decision>,
    /// Why the strategy's move is not what is answered.
    pub(super) instead: Option<String>,
    /// The deadline that was waited for, if one was: the strategy's, or the own one where the strategy missed both.
    pub(super) awaited: Option<Instant>,
}

impl Game {
    /// Begins a match and lets the strategy prepare until it is ready or the clock ends.
    ///
    /// # Errors
    /// What is wrong with the message: the rules or the role.
    pub(super) fn start(
        fields: StartFields,
        rules: &str,
        options: &ServerOptions,
        alive: &Arc<()>,
        deadlines: Deadlines,
        stop: Arc<AtomicBool>,
    ) -> Result<(Self, Option<String>), String> {
        let reading = ParseOptions { deadline: Some(deadlines.answer), ..ParseOptions::default() };
        // Twice the margin where the clock is long enough, as there is nothing to gain by being ready at the last moment: grounding goes on.
        let margin = deadlines.end.saturating_duration_since(deadlines.choose);
        let twice = (margin * 2).min(fields.start_clock / 2);
        let choose = deadlines.end.checked_sub(twice).unwrap_or(deadlines.choose);
        let deadlines = Deadlines { choose, answer: deadlines.choose, ..deadlines };
        let parsed = Description::parse(rules.as_bytes(), &reading);
        let description = Arc::new(parsed.map_err(|error| format!("the rules: {error}"))?);
        let memory = options.memory.map(|it| it / 2 / options.matches.max(1) as u64);
        let bounds = options.process.bounds(&stop);
        let has_room = Arc::strong_count(alive) <= 2 * options.matches + MOST_STRAYS;
        let system = |error| format!("no thread for the match: {error}");
        let strategy_options = StrategyOptions {
            seed: options.seed,
            threads: options.threads,
            ponders: true,
            opponents: options.opponents.clone(),
            memory,
            stop: Some(Arc::new(bounds.clone().with_stop(Arc::clone(alive) as _))),
            ..StrategyOptions::default()
        };
        let follower = Follower::start(Arc::clone(&description), &fields.role, &strategy_options);
        let follower = follower.map_err(system)?;
        let strategy_options = StrategyOptions {
            stop: Some(Arc::new(bounds)),
            follower: Some(follower.clone()),
            ..strategy_options
        };
        let strategy = has_room.then(|| {
            let (description, role) = (Arc::clone(&description), fields.role.clone());
            let source = options.strategy.clone();
            let make = move || source.make(&description, &role, &strategy_options);
            SeatThread::of_strategy(Box::new(make), Arc::clone(alive)).map_err(system)
        });
        let mut game = Game {
            strategy: strategy.transpose()?,
            follower,
            imperfect: is_imperfect(&description),
            letter_case: LetterCase::AsWritten,
            turn: 0,
            own: None,
            random: Random::new(options.seed),
            stop,
            fields,
        };
        let prepared = game.prepare(deadlines);
        let failed = prepared.err().map(|it| it.to_string());
        match game.follower.wait(deadlines.answer) {
            Some(Known { fault: Some(Unanswered::Failed(fault)), role: None, .. }) => {
                Err(fault.to_string())
            }
            Some(Known { role: Some(role), .. }) if role != game.fields.role => {
                game.letter_case = LetterCase::of(&game.fields.role);
                Ok((game, failed))
            }
            _ => Ok((game, failed)),
        }
    }

    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    fn prepare(&mut self, deadlines: Deadlines) -> Result<(), Unanswered> {
        let Some(strategy) = &mut self.strategy else { return Ok(()) };
        let number = strategy.order(Order::Prepare(deadlines.choose));
        let strategy = self.strategy.as_ref();
        let outcome = strategy.map(|it| it.wait(number, deadlines.answer, &|| self.goes_on()));
        outcome.map_or(Ok(()), |it| it.result.map(drop))
    }

    /// Hears what has happened and chooses a move.
    ///
    /// # Errors
    /// What is wrong with the message, and whether the fault is the own one.
    pub(super) fn play(
        &mut self,
        news: &News,
        deadlines: Deadlines,
    ) -> Result<PlayAnswer, (bool, String)> {
        self.hear(news, deadlines).map_err(|it| (false, it))?;
        let number = self.strategy.as_mut().map(|it| it.order(Order::Choose(deadlines.choose)));
        let outcome =
            self.strategy.as_ref().zip(number).map(|(strategy, number)| {
                strategy.wait(number, deadlines.answer, &|| self.goes_on())
            });
        let awaited = outcome.as_ref().and_then(|outcome| match outcome.result {
            Err(Unanswered::Late) => Some(deadlines.answer),
            _ => (outcome.at >= deadlines.choose).then_some(deadlines.choose),
        });
        let (decision, mut instead) = match outcome.map(|it| it.result) {
            Some(Ok(decision)) => (decision, None),
            Some(Err(failure)) => (None, Some(failure.to_string())),
            None => (None, Some("too many strategies of other matches do not end".to_owned())),
        };
        // The last resort is to wait until the clock has ended: a late answer is better than none.
        let patience = if decision.is_some() { deadlines.answer } else { deadlines.end };
        let known = self.follower.wait(patience);
        let legal = known.as_ref().and_then(|it| it.legal.as_deref()).filter(|it| !it.is_empty());
        let chosen = match (&decision, legal) {
            (Some(decision), None) => Ok(decision.action.clone()),
            // Not all that are legal are listed.
            (Some(decision), Some(legal)) if legal.len() >= MOST_LISTED => {
                Ok(find(&decision.action, legal).unwrap_or_else(|| decision.action.clone()))
            }
            (Some(decision), Some(legal)) => find(&decision.action, legal).ok_or_else(|| {
                instead = Some(format!("the strategy's `{}` is not legal", decision.action));
                legal
            }),
            (None, Some(legal)) => Err(legal),
            (None, None) => {
                let guessed = self.follower.guess(&mut self.random);
                let fault = known.and_then(|it| it.fault).map_or_else(
                    || "the rules take too long to evaluate".to_owned(),
                    |it| it.to_string(),
                );
                let fault = format!("no legal move is known: {fault}");
                let guessed = guessed.ok_or((true, fault.clone()))?;
                instead = Some(fault);
                Ok(guessed)
            }
        };
        let chosen = chosen
            .unwrap_or_else(|legal| legal[self.random.below(legal.len() as u32) as usize].clone());
        self.own = Some(chosen.clone());
        let text = self.letter_case.apply(chosen);
        Ok(PlayAnswer { text, turn: self.turn, decision, instead, awaited })
    }

    /// Goes on to what the message reports, unless that has been reported before.
    fn hear(&mut self, news: &News, deadlines: Deadlines) -> Result<(), String> {
        let turn = match news {
            News::List(None) => return Ok(()),
            News::List(Some(seen)) if self.imperfect => {
                if self.own.is_none() {
                    return Ok(());
                }
                Turn::Percepts { own: self.own.clone(), percepts: seen.clone() }
            }
            News::List(Some(moves)) if moves.is_empty() => return Ok(()),
            News::List(Some(moves)) => Turn::Moves(moves.clone()),
            News::Percepts { own: None, .. } => return Ok(()),
            News::Percepts { turn, .. } if *turn <= u64::from(self.turn) => return Ok(()),
            News::Percepts { own, percepts, .. } => {
                Turn::Percepts { own: own.clone(), percepts: percepts.clone() }
            }
        };
        self.follower.observe(turn.clone());
        let now = Instant::now();
        let look = deadlines.choose.saturating_duration_since(now) / 4;
        if let Some(known) = self.follower.wait(now + look.min(LOOK)) {
            if let Some(Unanswered::Failed(StrategyError::Turn(fault))) = known.fault {
                return Err(fault);
            }
            let made = match &turn {
                Turn::Moves(moves) => moves.concat(),
                Turn::Percepts { own, .. } => own.clone().unwrap_or_default(),
            };
            if known.folded {
                self.letter_case = LetterCase::of(&made);
            } else if made.chars().any(char::is_alphabetic) {
                self.letter_case = LetterCase::AsWritten;
            }
        }
        if let Some(strategy) = &mut self.strategy {
            strategy.order(Order::Observe(turn));
        }
        self.turn += 1;
        Ok(())
    }
}

/// The legal move that is written so, in whatever case.
fn find(action: &str, legal: &[String]) -> Option<String> {
    let action = text::compact(action)?;
    let exact = legal.iter().find(|it| **it == action);
    let folded = || legal.iter().find(|it| it.eq_ignore_ascii_case(&action));
    exact.or_else(folded).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Margin;

    #[test]
    fn a_match_begins_where_answers_were_very_late_before() {
        let clock = Duration::from_secs(2);
        let mut margin = Margin::measure(1);
        margin.record(Duration::from_secs(10));
        let rules =
            "(role a) (init on) (legal a wait) (<= (next on) (true on)) (<= terminal (true off))
            (goal a 50)";
        let fields = StartFields {
            id: "m".to_owned(),
            role: "a".to_owned(),
            start_clock: clock,
            play_clock: clock,
        };
        let deadlines = Deadlines::new(Instant::now(), clock, &margin);
        let (options, stop) = (ServerOptions::default(), Arc::default());
        let started = Game::start(fields, rules, &options, &Arc::default(), deadlines, stop);
        assert_eq!(started.err(), None, "half of the clock is left to read the rules");
    }
}
