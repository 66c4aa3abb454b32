//! Generators: families of games, each with a few numeric parameters, and small random games.
//!
//! A [`Family`] lists its [`Parameter`]s, so that a program can offer all families without knowing
//! any of them. The text of a game depends on the parameters alone.

mod boards;
mod hidden;
mod parameters;
mod pieces;
mod puzzles;
mod random;
mod stress;
mod turing;

pub use hidden::random_hidden_game;
pub use parameters::{GenerateError, Parameter, Parameters};
pub(crate) use pieces::SplitMix64;
pub use random::{random_game, random_rough_game};
pub use turing::{BUSY_BEAVER, TuringError, TuringMachine, turing_machine};

use parameters::Values;

/// A family of games of one kind and of any size.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    name: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    /// What the ranges of the single parameters cannot express, as a reason why there is no game.
    conflict: fn(&Values<'_>) -> Option<String>,
    body: fn(&Values<'_>) -> String,
}

impl Family {
    /// The name by which a family is chosen, in lower case with underscores.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What the family's games are, and what they exercise, in a sentence.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The parameters, in the order in which the header of a game states them.
    pub fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    /// Writes the game for the given parameters; those not given take their defaults.
    ///
    /// # Errors
    /// If a parameter does not belong to the family or is out of its range, or if the parameters do
    /// not go together.
    pub fn generate(&self, given: &Parameters) -> Result<String, GenerateError> {
        let values = Values::resolve(self.name, self.parameters, given)?;
        if let Some(reason) = (self.conflict)(&values) {
            return Err(GenerateError::Conflict { family: self.name, reason });
        }
        let mut text = format!("; {}\n; {}\n; Parameters:", self.name, self.summary);
        for (index, (name, value)) in values.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            text.push_str(&format!("{separator} {name} = {value}"));
        }
        text.push_str(".\n; Part of Groundfrog, MIT OR Apache-2.0.\n\n");
        text.push_str((self.body)(&values).trim_start());
        Ok(text)
    }
}

/// All families, sorted by name.
pub fn families() -> &'static [Family] {
    FAMILIES
}

/// The family of that name.
pub fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

static FAMILIES: &[Family] = &[
    boards::BREAKTHROUGH,
    puzzles::CHANGE_RINGING,
    boards::CONNECT_FOUR,
    stress::DOMAIN_PRODUCT,
    puzzles::HANOI,
    boards::HEX,
    puzzles::LIGHTS_OUT,
    boards::NIM,
    stress::RULE_WIDTH,
    puzzles::SLIDING_PUZZLE,
    boards::TIC_TAC_TOE,
];

#[cfg(test)]
mod tests;

/// Fails unless a text is balanced and has what every description needs.
#[cfg(test)]
pub(crate) fn check_text(name: &str, text: &str) {
    let mut depth = 0_usize;
    for line in text.lines() {
        assert!(line.len() <= 1000 && !line.ends_with(' '), "{name}: {line}");
        for character in line.split(';').next().unwrap_or_default().chars() {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.checked_sub(1).unwrap_or_else(|| panic!("{name}: too many )")),
                _ => {}
            }
        }
    }
    assert_eq!(depth, 0, "{name}: a ) is missing");
    let lower = text.to_lowercase();
    for keyword in ["role", "legal", "next", "terminal", "goal"] {
        assert!(lower.contains(keyword), "{name} has no {keyword}");
    }
}
