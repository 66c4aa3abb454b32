//! Markets by a script: what traders send in which step, and what the maker does.

use std::collections::BTreeMap;
use std::fmt::Write;

use groundfrog::description::Term;

use super::{Letter, MOST_MESSAGES, Market, MarketError, MarketState, Policy};
use crate::rules::{ScriptFault, ground_term, read_script};

/// What happens from outside in a market.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// By step: the messages.
    pub letters: BTreeMap<u64, Vec<Letter>>,
    /// By step: what the maker is to do. In other steps its policy decides.
    pub actions: BTreeMap<u64, Term>,
}

impl Script {
    /// Reads a script: a list `(STEP TRADER MESSAGE)` for each message, and `(STEP does ACTION)` for what the maker is to do.
    ///
    /// # Errors
    /// A list is neither.
    pub fn read(text: &str, market: &mut Market) -> Result<Self, ScriptFault> {
        let names = market.trader_names();
        let mut script = Script::default();
        let expected = "expected `(STEP TRADER MESSAGE)` or `(STEP does ACTION)`";
        read_script(text, expected, |[step, who, what]| {
            let step: u64 =
                step.parse().ok().filter(|it| *it > 0).ok_or_else(|| {
                    format!("`{step}` is no step: expected a whole number from 1 on")
                })?;
            let term = ground_term(what, market.symbols());
            let term = term.map_err(|it| format!("`{what}`: {it}"))?;
            if who == "does" {
                script.actions.insert(step, term);
                return Ok(());
            }
            let trader = names.iter().position(|it| it == who).ok_or_else(|| {
                format!("nobody trades as `{who}`: the traders are {}", names.join(", "))
            })?;
            let letters = script.letters.entry(step).or_default();
            if letters.len() >= MOST_MESSAGES {
                return Err(format!("more than {MOST_MESSAGES} messages in a step"));
            }
            letters.push((trader, term));
            Ok(())
        })?;
        Ok(script)
    }
}

/// Runs a market until it is over, for so many steps at the most, and tells each step in lines of text.
///
/// # Errors
/// The rules cannot be evaluated, or the market is not over by then.
pub fn run(
    market: &mut Market,
    script: &Script,
    policy: &mut Policy,
    most: u64,
    tell: &mut dyn FnMut(&str) -> bool,
) -> Result<MarketState, MarketError> {
    let names = market.trader_names();
    let mut state = market.initial();
    loop {
        let outlook = market.outlook(&state)?;
        let mut lines = String::new();
        let mut line = |text: String| _ = writeln!(lines, "{}  {text}", state.time);
        if outlook.is_terminal {
            line("closed".to_owned());
            tell(&lines);
            return Ok(state);
        }
        if state.time > most {
            return Err(MarketError::Steps(most));
        }
        let letters = script.letters.get(&state.time).cloned().unwrap_or_default();
        let admitted = market.admits(&state, &letters)?;
        let mut received = Vec::new();
        for (letter, is_admitted) in letters.into_iter().zip(admitted) {
            let (name, text) = (&names[letter.0], market.text(&letter.1));
            match is_admitted {
                true => {
                    line(format!("receive {name} {text}"));
                    received.push(letter);
                }
                false => line(format!("refused {name} {text}")),
            }
        }
        let scripted = script.actions.get(&state.time);
        if let Some(other) = scripted.filter(|it| !outlook.legal.contains(it)) {
            line(format!("not legal: {}", market.text(other)));
        }
        let scripted = scripted.filter(|it| outlook.legal.contains(it));
        let action = scripted.or_else(|| policy.choose(&outlook.legal));
        if let Some(action) = action {
            line(format!("does {}", market.text(action)));
        }
        let outcome = market.step(&state, &received, action)?;
        for (trader, message) in &outcome.mail {
            line(format!("send {} {}", names[*trader], market.text(message)));
        }
        if !tell(&lines) {
            return Ok(outcome.state);
        }
        state = outcome.state;
    }
}
