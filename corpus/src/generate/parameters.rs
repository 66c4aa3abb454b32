//! The parameters of a family, and the values given for them.

use std::collections::BTreeMap;

use thiserror::Error;

/// One number that a family takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The name, in lower case.
    pub name: &'static str,
    /// The value that is taken if none is given.
    pub default: u32,
    /// The least value allowed.
    pub min: u32,
    /// The greatest value allowed.
    pub max: u32,
    /// What the number means.
    pub meaning: &'static str,
}

impl Parameter {
    pub(super) const fn new(
        name: &'static str,
        default: u32,
        (min, max): (u32, u32),
        meaning: &'static str,
    ) -> Self {
        Self { name, default, min, max, meaning }
    }
}

/// The values that a caller gives, by name; what is left out takes its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    given: BTreeMap<String, u32>,
}

impl Parameters {
    /// No values: all defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one value more; a name given twice takes the later value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: u32) -> Self {
        self.set(name, value);
        self
    }

    /// Gives a value.
    pub fn set(&mut self, name: impl Into<String>, value: u32) {
        self.given.insert(name.into(), value);
    }

    /// The value given under that name, if any.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.given.get(name).copied()
    }
}

/// A value for every parameter of a family, each within its range.
pub(super) struct Values<'a> {
    parameters: &'a [Parameter],
    values: Vec<u32>,
}

impl<'a> Values<'a> {
    /// Fills in the defaults; fails on an unknown name or a value out of range.
    pub(super) fn resolve(
        family: &'static str,
        parameters: &'a [Parameter],
        given: &Parameters,
    ) -> Result<Self, GenerateError> {
        if let Some(name) =
            given.given.keys().find(|name| parameters.iter().all(|p| p.name != **name))
        {
            let known: Vec<_> = parameters.iter().map(|p| p.name).collect();
            return Err(GenerateError::UnknownParameter {
                family,
                name: name.clone(),
                known: known.join(", "),
            });
        }
        let values = parameters
            .iter()
            .map(|&Parameter { name, default, min, max, .. }| {
                let value = given.get(name).unwrap_or(default);
                if (min..=max).contains(&value) {
                    Ok(value)
                } else {
                    Err(GenerateError::OutOfRange { family, name, value, min, max })
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { parameters, values })
    }

    /// The value of one of the family's own parameters.
    pub(super) fn get(&self, name: &str) -> u32 {
        self.iter()
            .find_map(|(known, value)| (known == name).then_some(value))
            .expect("a family reads only the parameters that it declares")
    }

    /// Names and values, in the family's order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.parameters.iter().map(|p| p.name).zip(self.values.iter().copied())
    }
}

// Why there is no game for some parameters.

/// Why a family cannot write a game for the given parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// The family has no parameter of that name.
    #[error("{family} has no parameter `{name}`; it has {known}")]
    UnknownParameter {
        /// The family.
        family: &'static str,
        /// The name that it does not know.
        name: String,
        /// The names that it knows, for the message.
        known: String,
    },
    /// A parameter's value is too small or too large.
    #[error("{family}: {name} must be from {min} to {max}, not {value}")]
    OutOfRange {
        /// The family.
        family: &'static str,
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: u32,
        /// The least value there is.
        min: u32,
        /// The greatest value there is.
        max: u32,
    },
    /// Each value is in its range, but together they make no game.
    #[error("{family}: {reason}")]
    Conflict {
        /// The family.
        family: &'static str,
        /// What does not go together.
        reason: String,
    },
}
