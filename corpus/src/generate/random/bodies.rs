//! Random rule bodies that are safe: each variable occurs in a positive literal.

use super::super::pieces::SplitMix64;

/// The head variables of a rule, as many of them as its head has arguments.
pub(super) const HEAD: [&str; 2] = ["?x", "?y"];

/// Variables that only bodies have.
const LOCAL: [&str; 2] = ["?u", "?v"];

/// What bodies are drawn from.
pub(super) struct Bodies<'a> {
    pub(super) rng: &'a mut SplitMix64,
    /// The constants of the game.
    pub(super) values: &'a [String],
    /// The atoms that may occur.
    pub(super) shapes: &'a [Shape],
}

impl Bodies<'_> {
    /// The rule of that head, with `HEAD` as its arguments, and a body that has the given literal, if
    /// any, and others.
    pub(super) fn rule(&mut self, head: &Shape, with: Option<&Shape>) -> String {
        let arguments = &HEAD[..head.arity()];
        let mut text = format!("(<= {}", head.with(arguments));
        for literal in self.literals(arguments, with) {
            text.push_str("\n    ");
            text.push_str(&literal);
        }
        text.push_str(")\n");
        text
    }

    fn literals(&mut self, head: &[&'static str], with: Option<&Shape>) -> Vec<String> {
        let pool: Vec<&str> = head.iter().chain(&LOCAL).copied().collect();
        let mut bound: Vec<&str> = Vec::new();
        let mut literals = Vec::new();
        let mut positives: Vec<Shape> = with.cloned().into_iter().collect();
        // A rule with a given literal is about the moves: the fewer conditions, the more happens.
        let (least, most) = if with.is_some() { (0, 1) } else { (1, 2) };
        for _ in 0..self.rng.between(least, most) {
            positives.push(self.rng.pick(self.shapes).clone());
        }
        for shape in positives {
            let arguments = self.arguments(&pool, shape.arity());
            bound.extend(pool.iter().filter(|v| arguments.iter().any(|a| a == *v)));
            literals.push(shape.with(&arguments));
        }
        for variable in head {
            if !bound.contains(variable) {
                literals.push(format!("(value {variable})"));
                bound.push(variable);
            }
        }
        if self.rng.chance(35) {
            literals.push(format!("(not {})", self.atom(&bound)));
        }
        if self.rng.chance(20) {
            literals.push(self.comparison(&bound));
        }
        if self.rng.chance(20) {
            literals.push(self.alternatives(&bound));
        }
        if self.rng.chance(10) {
            let connective = *self.rng.pick(&["or", "and"]);
            let (one, other) = (self.condition(&bound), self.condition(&bound));
            literals.push(format!("(not ({connective} {one} {other}))"));
        }
        self.shuffle(&mut literals);
        literals
    }

    /// Arguments drawn from the variables and, less often, from the constants.
    fn arguments(&mut self, variables: &[&str], count: usize) -> Vec<String> {
        (0..count)
            .map(|_| {
                if variables.is_empty() || self.rng.chance(20) {
                    self.rng.pick(self.values).clone()
                } else {
                    (*self.rng.pick(variables)).to_owned()
                }
            })
            .collect()
    }

    fn atom(&mut self, variables: &[&str]) -> String {
        let shape = self.rng.pick(self.shapes).clone();
        let arguments = self.arguments(variables, shape.arity());
        shape.with(&arguments)
    }

    fn comparison(&mut self, bound: &[&str]) -> String {
        let sides = self.arguments(bound, 2).join(" ");
        if self.rng.chance(25) {
            format!("(not (distinct {sides}))")
        } else {
            format!("(distinct {sides})")
        }
    }

    /// A literal over variables that are bound elsewhere.
    fn condition(&mut self, bound: &[&str]) -> String {
        match self.rng.below(4) {
            0 => self.comparison(bound),
            1 => format!("(not {})", self.atom(bound)),
            _ => self.atom(bound),
        }
    }

    /// An `or` of one to three branches; a branch may have a variable of its own.
    fn alternatives(&mut self, bound: &[&str]) -> String {
        let mut text = String::from("(or");
        for _ in 0..self.rng.between(1, 3) {
            let branch = match self.rng.below(4) {
                0 => format!("(and {} {})", self.condition(bound), self.condition(bound)),
                1 => {
                    let variables: Vec<&str> = bound.iter().copied().chain(["?w"]).collect();
                    self.atom(&variables)
                }
                _ => self.condition(bound),
            };
            text.push(' ');
            text.push_str(&branch);
        }
        text.push(')');
        text
    }

    fn shuffle(&mut self, literals: &mut [String]) {
        for last in (1..literals.len()).rev() {
            literals.swap(last, self.rng.below(last + 1));
        }
    }
}

// Shapes of atoms: what a rule of a random game can be made of.

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
