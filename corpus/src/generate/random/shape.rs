//! Shapes of atoms: what a rule of a random game can be made of.

/// The text of an atom with a `#` for each argument.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pattern: String,
}

impl Shape {
    /// A shape given as text, such as `(true (mark #))`.
    pub(super) fn new(pattern: impl Into<String>) -> Self {
        Self { pattern: pattern.into() }
    }

    /// The shape `name`, `(name #)`, `(name # #)` and so on.
    pub(super) fn of(name: &str, arity: usize) -> Self {
        Self::new(match arity {
            0 => name.to_owned(),
            _ => format!("({name}{})", " #".repeat(arity)),
        })
    }

    /// The shape that stands inside a keyword: `(keyword shape)`.
    pub(super) fn inside(&self, keyword: &str) -> Self {
        Self::new(format!("({keyword} {})", self.pattern))
    }

    /// How many arguments there are.
    pub(super) fn arity(&self) -> usize {
        self.pattern.matches('#').count()
    }

    /// The atom with these arguments, of which there must be enough.
    pub(super) fn with<S: AsRef<str>>(&self, arguments: &[S]) -> String {
        let mut pieces = self.pattern.split('#');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for (piece, argument) in pieces.zip(arguments) {
            text.push_str(argument.as_ref());
            text.push_str(piece);
        }
        text
    }
}
