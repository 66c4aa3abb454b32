//! What holds of every ground game.

use super::{AtomId, GroundGame, RulesByHead};

/// What is wrong with data that should be a ground game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidGame {
    /// It is not of this format, or of a version that is not known here.
    #[error(
        "format `{format}` version {version}; this is version {} of `{}`",
        Self::VERSION,
        Self::FORMAT
    )]
    Format {
        /// The format that the data state.
        format: String,
        /// The version that the data state.
        version: u32,
    },
    /// Something other than the rules is wrong.
    #[error("{part} {number}: {fault}")]
    Part {
        /// What is wrong: an atom, role or fluent.
        part: &'static str,
        /// Which one, counted from 0.
        number: usize,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A rule is wrong.
    #[error("rule {rule}: {fault}")]
    Rule {
        /// Which one, counted from 0.
        rule: usize,
        /// What is wrong with it.
        fault: &'static str,
    },
}

impl InvalidGame {
    /// The name of the format.
    pub const FORMAT: &str = "groundfrog-ground-game";
    /// The version of the format. It grows when a reader of the version before would misread the new one.
    pub const VERSION: u32 = 1;

    pub(super) fn part(part: &'static str, number: usize, fault: &'static str) -> Self {
        InvalidGame::Part { part, number, fault }
    }
}

impl GroundGame {
    /// Checks the invariants that this type states. Games made by this library have them; a game that is
    /// read from elsewhere is checked when it is read.
    ///
    /// # Errors
    /// The first that is broken.
    pub fn check_invariants(&self) -> Result<(), InvalidGame> {
        self.check_rules()?;
        self.check_sets()?;
        for (number, pair) in self.init.windows(2).enumerate() {
            if pair[0] >= pair[1] {
                return Err(InvalidGame::part("initial fluent", number + 1, "not ascending"));
            }
        }
        for (number, atom) in self.init.iter().enumerate() {
            if !self.fluents.contains(&atom.0) {
                return Err(InvalidGame::part("initial fluent", number, "not in base"));
            }
        }
        for (number, role) in self.roles.iter().enumerate() {
            if self.roles[..number].contains(role) {
                return Err(InvalidGame::part("role", number, "stated twice"));
            }
        }
        Ok(())
    }

    /// Atoms have numbers of this game, heads are not open.
    fn check_rules(&self) -> Result<(), InvalidGame> {
        let atoms = self.atom_count() as u64;
        for (rule, it) in self.rules.iter().enumerate() {
            let fail = |fault| Err(InvalidGame::Rule { rule, fault });
            if u64::from(it.head) >= atoms {
                return fail("its head is no atom of the game");
            }
            if self.is_open(AtomId(it.head)) {
                return fail("its head says `true` or `does`");
            }
            if it.body.iter().any(|literal| u64::from(literal.atom()) >= atoms) {
                return fail("its body has an atom that is not one of the game");
            }
        }
        Ok(())
    }

    /// Bodies are sets, and so are the rules.
    fn check_sets(&self) -> Result<(), InvalidGame> {
        let by_head = RulesByHead::new(self);
        let (mut literals, mut bodies) = (Vec::new(), Vec::new());
        for atom in (0..self.atom_count() as u32).map(AtomId) {
            literals.clear();
            bodies.clear();
            for &rule in by_head.rules(atom) {
                let start = literals.len();
                literals.extend_from_slice(self.rules.rule(rule as usize).body);
                let body = &mut literals[start..];
                body.sort_unstable();
                if body.windows(2).any(|pair| pair[0] == pair[1]) {
                    let fault = "a literal occurs twice";
                    return Err(InvalidGame::Rule { rule: rule as usize, fault });
                }
                bodies.push((start..literals.len(), rule));
            }
            bodies.sort_unstable_by(|(left, _), (right, _)| {
                literals[left.clone()].cmp(&literals[right.clone()])
            });
            for pair in bodies.windows(2) {
                if literals[pair[0].0.clone()] == literals[pair[1].0.clone()] {
                    let rule = pair[0].1.max(pair[1].1) as usize;
                    return Err(InvalidGame::Rule { rule, fault: "it occurs twice" });
                }
            }
        }
        Ok(())
    }
}
