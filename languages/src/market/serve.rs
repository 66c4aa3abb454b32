//! Markets by the clock, for traders over the network.
//!
//! Messages are [lines](crate::lines). A trader says `(join NAME)`, with its name in the rules, and gets `(start NAME ROUND (RULES)
//! SECONDS)` at the beginning of each round. Each step begins with `(time T)`; until it ends the trader may say `(message MESSAGE)`. What is
//! not admitted comes back as `(refused T MESSAGE)`, mail as `(mail T MESSAGE)`, and the end of the round is `(closed T)`.

use std::time::{Duration, Instant};

use super::{Letter, MOST_MESSAGES, Market, MarketError, Policy};
use crate::lines::{Arrival, Hub, Received};
use crate::number;
use crate::rules::{ground_term, list};

/// How long nothing is looked at but what comes.
const INTERVAL: Duration = Duration::from_millis(50);

/// How a market is run by the clock.
#[derive(Clone, Debug)]
pub struct MarketClock {
    /// How long traders are waited for to join.
    pub join: Duration,
    /// How long a step takes.
    pub step: Duration,
    /// How often the market is held, one time after the other.
    pub rounds: u64,
    /// A round ends after so many steps at the latest.
    pub most_steps: u64,
}

/// How a market went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarketReport {
    /// Messages that were received.
    pub received: usize,
    /// Messages that were not admitted, and lines that were none.
    pub refused: usize,
    /// By round: what the maker did.
    pub actions: Vec<Vec<String>>,
}

/// A market under way.
pub struct MarketHouse<'m> {
    hub: &'m Hub,
    market: &'m mut Market,
    names: Vec<String>,
    /// By trader: its connection.
    peers: Vec<Option<usize>>,
    report: MarketReport,
}

impl<'m> MarketHouse<'m> {
    /// A market whose traders come over a hub.
    pub fn new(hub: &'m Hub, market: &'m mut Market) -> Self {
        let names = market.trader_names();
        let peers = vec![None; names.len()];
        MarketHouse { hub, market, names, peers, report: MarketReport::default() }
    }

    /// Waits for the traders, holds the market and tells each step as lines of text. `rules` is the description on one line.
    ///
    /// # Errors
    /// The rules cannot be evaluated.
    pub fn run(
        mut self,
        rules: &str,
        clock: &MarketClock,
        policy: &mut Policy,
        is_stopped: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(&str),
    ) -> Result<MarketReport, MarketError> {
        let deadline = Instant::now() + clock.join;
        while self.peers.contains(&None) && Instant::now() < deadline && !is_stopped() {
            if let Some(received) = self.hub.receive(INTERVAL) {
                self.join(&received);
            }
        }
        let seconds = number::text(&number::of_duration(clock.step));
        for round in 1..=clock.rounds {
            if is_stopped() {
                break;
            }
            for (name, peer) in self.names.iter().zip(&self.peers) {
                let line = format!("(start {name} {round} ({rules}) {seconds})");
                peer.iter().for_each(|&it| self.hub.send(it, &line));
            }
            self.report.actions.push(Vec::new());
            self.round(clock, policy, is_stopped, tell)?;
        }
        self.peers.iter().flatten().for_each(|&peer| self.hub.close(peer));
        Ok(self.report)
    }

    fn join(&mut self, received: &Received) {
        match &received.arrival {
            Arrival::Closed => self.leave(received.peer),
            Arrival::Line(line) => {
                let parts = list(line).unwrap_or_default();
                let trader = match parts[..] {
                    ["join", name] => self.names.iter().position(|it| it == name),
                    _ => None,
                };
                let is_new = !self.peers.contains(&Some(received.peer));
                match trader.filter(|&it| self.peers[it].is_none() && is_new) {
                    Some(trader) if self.hub.join(received.peer) => {
                        self.peers[trader] = Some(received.peer);
                    }
                    _ => self.hub.send(received.peer, "(refused)"),
                }
            }
        }
    }

    fn leave(&mut self, peer: usize) {
        self.peers.iter_mut().filter(|it| **it == Some(peer)).for_each(|it| *it = None);
    }

    fn tell_trader(&self, trader: usize, line: &str) {
        self.peers[trader].iter().for_each(|&peer| self.hub.send(peer, line));
    }

    fn tell_all(&self, line: &str) {
        (0..self.names.len()).for_each(|it| self.tell_trader(it, line));
    }

    fn round(
        &mut self,
        clock: &MarketClock,
        policy: &mut Policy,
        is_stopped: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), MarketError> {
        let mut state = self.market.initial();
        let mut end = Instant::now();
        loop {
            let outlook = self.market.outlook(&state)?;
            let time = state.time;
            if outlook.is_terminal || is_stopped() || time > clock.most_steps {
                self.tell_all(&format!("(closed {time})"));
                tell(&format!("{time}  closed"));
                return Ok(());
            }
            self.tell_all(&format!("(time {time})"));
            end += clock.step;
            let letters = self.collect(end);
            let admitted = self.market.admits(&state, &letters)?;
            let mut received = Vec::new();
            for (letter, is_admitted) in letters.into_iter().zip(admitted) {
                let text = self.market.text(&letter.1);
                let name = &self.names[letter.0];
                if is_admitted {
                    tell(&format!("{time}  receive {name} {text}"));
                    self.report.received += 1;
                    received.push(letter);
                } else {
                    tell(&format!("{time}  refused {name} {text}"));
                    self.report.refused += 1;
                    self.tell_trader(letter.0, &format!("(refused {time} {text})"));
                }
            }
            let action = policy.choose(&outlook.legal);
            if let Some(action) = action {
                let text = self.market.text(action);
                tell(&format!("{time}  does {text}"));
                self.report.actions.last_mut().into_iter().for_each(|it| it.push(text.clone()));
            }
            let outcome = self.market.step(&state, &received, action)?;
            for (trader, message) in &outcome.mail {
                let text = self.market.text(message);
                tell(&format!("{time}  send {} {text}", self.names[*trader]));
                self.tell_trader(*trader, &format!("(mail {time} {text})"));
            }
            state = outcome.state;
        }
    }

    /// The messages that come before the end of a step.
    fn collect(&mut self, end: Instant) -> Vec<Letter> {
        let mut letters = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Some(received) = self.hub.receive(left.min(INTERVAL)) else {
                match left.is_zero() {
                    true => return letters,
                    false => continue,
                }
            };
            let trader = self.peers.iter().position(|it| *it == Some(received.peer));
            let line = match (&received.arrival, trader) {
                (Arrival::Line(line), Some(_)) => line,
                (Arrival::Closed, _) => {
                    self.leave(received.peer);
                    continue;
                }
                _ => {
                    self.join(&received);
                    continue;
                }
            };
            let parts = list(line).unwrap_or_default();
            let term = match parts[..] {
                ["message", it] => ground_term(it, self.market.symbols()).ok(),
                _ => None,
            };
            match term.zip(trader) {
                Some((term, trader)) if letters.len() < MOST_MESSAGES => {
                    letters.push((trader, term));
                }
                _ => {
                    self.report.refused += 1;
                    self.hub.send(received.peer, "(refused)");
                }
            }
            if left.is_zero() {
                return letters;
            }
        }
    }
}
