//! Parts of a game as KIF.

use std::fmt::{self, Display, Formatter};

use super::{AtomId, GroundGame};
use crate::description::{Printer, Term};

impl GroundGame {
    /// The names of the roles as KIF, in the order of [`GroundGame::roles`].
    pub fn role_names(&self) -> impl ExactSizeIterator<Item = String> + '_ {
        self.roles().iter().map(|role| self.display_term(role).to_string())
    }

    /// A term as KIF.
    pub fn display_term<'game>(&'game self, term: &'game Term) -> impl Display + 'game {
        Printer::new(self.symbols()).term(term)
    }

    /// An atom as KIF, as it stands in the body of a rule.
    pub fn display(&self, atom: AtomId) -> impl Display + '_ {
        self.atom(atom).display(self.symbols())
    }

    /// A rule as KIF.
    ///
    /// # Panics
    /// If the game has no rule of that number; a mistaken number shows when the result is formatted.
    pub fn display_rule(&self, rule: usize) -> impl Display + '_ {
        ShownRule { game: self, rule }
    }
}

struct ShownRule<'game> {
    game: &'game GroundGame,
    rule: usize,
}

impl Display for ShownRule<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let rule = self.game.rules().rule(self.rule);
        let atom = |number| self.game.display(AtomId(number));
        let has_arguments = !self.game.atom(AtomId(rule.head)).shape.arguments.is_empty();
        if rule.body.is_empty() && has_arguments {
            return write!(out, "{}", atom(rule.head));
        }
        write!(out, "(<= {}", atom(rule.head))?;
        for literal in rule.body {
            match literal.is_negated() {
                true => write!(out, " (not {})", atom(literal.atom()))?,
                false => write!(out, " {}", atom(literal.atom()))?,
            }
        }
        out.write_str(")")
    }
}
