//! Small random games: safe, stratified, finite and playable.
//!
//! Views only use views that come before them (or themselves, positively), so the rules are
//! stratified. Arguments range over at most four constants, and no term grows. Each role can always
//! do `noop`, a step counter ends the game after at most six steps, and the goals of a role exclude
//! each other and leave no gap. In every other game roles perceive something.

mod bodies;
mod rough;

use super::pieces::SplitMix64;
use bodies::{Bodies, Shape};
pub use rough::random_rough_game;

/// Writes the game of a seed; the same seed always gives the same game.
pub fn random_game(seed: u64) -> String {
    let mut draft = Draft::new(seed);
    draft.statics();
    draft.fluents();
    draft.views();
    draft.moves();
    draft.frames_and_effects();
    draft.ends();
    draft.percepts();
    draft.text
}

/// A game being written, with the atoms that later rules may use.
struct Draft {
    rng: SplitMix64,
    /// Whether the game is one of [`random_rough_game`].
    is_rough: bool,
    text: String,
    values: Vec<String>,
    roles: Vec<String>,
    steps: usize,
    /// The fluents, as terms.
    fluents: Vec<Shape>,
    /// Atoms over static predicates.
    statics: Vec<Shape>,
    /// Atoms that hold in a state: statics, fluents and views.
    states: Vec<Shape>,
    /// The moves that are chosen: `(does role move)`.
    choices: Vec<Shape>,
}

impl Draft {
    fn new(seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let values =
            ["a", "b", "c", "d"][..rng.between(2, 4)].iter().map(ToString::to_string).collect();
        let roles = ["robin", "wren", "finch"][..rng.between(1, 3)]
            .iter()
            .map(ToString::to_string)
            .collect();
        let steps = rng.between(2, 6);
        let text = format!(
            "; random_game {seed}\n; A small game drawn from a seed, for comparing reasoners.\n\
             ; Part of Groundfrog, MIT OR Apache-2.0.\n\n"
        );
        Self {
            rng,
            is_rough: false,
            text,
            values,
            roles,
            steps,
            fluents: Vec::new(),
            statics: Vec::new(),
            states: Vec::new(),
            choices: Vec::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A rule over the atoms that hold in a state; `with` is a literal that it must have.
    fn rule(&mut self, head: &Shape, with: Option<&Shape>) {
        let mut bodies = Bodies { rng: &mut self.rng, values: &self.values, shapes: &self.states };
        let rule = bodies.rule(head, with);
        self.text.push_str(&rule);
    }

    /// Roles, constants, an order, a relation between the constants, and static views over them.
    fn statics(&mut self) {
        for role in self.roles.clone() {
            self.line(&format!("(role {role})"));
        }
        for value in self.values.clone() {
            self.line(&format!("(value {value})"));
        }
        for pair in self.values.clone().windows(2) {
            self.line(&format!("(after {})", pair.join(" ")));
        }
        for _ in 0..self.rng.between(1, 4) {
            let (one, other) = (self.rng.pick(&self.values), self.rng.pick(&self.values));
            let fact = format!("(linked {one} {other})");
            if !self.text.contains(&fact) {
                self.line(&fact);
            }
        }
        self.line("(<= (apart ?x ?y)\n    (value ?x)\n    (not (linked ?x ?y))\n    (value ?y))");
        let names = [("value", 1), ("after", 2), ("linked", 2), ("apart", 2)];
        self.statics.extend(names.map(|(name, arity)| Shape::of(name, arity)));
        if self.rng.chance(50) {
            self.line("(<= (reaches ?x ?y)\n    (linked ?x ?y))");
            self.line("(<= (reaches ?x ?z)\n    (reaches ?y ?z)\n    (linked ?x ?y))");
            self.statics.push(Shape::of("reaches", 2));
        }
        self.states.extend(self.statics.clone());
        self.line("");
    }

    /// The fluents, the step counter among them, and the first state.
    fn fluents(&mut self) {
        let kinds = ["flag", "(mark #)", "(seat #)", "(pair # #)", "(held (tag #))"];
        let most = if self.is_rough { 3 } else { kinds.len() };
        for kind in &kinds[..most] {
            if self.rng.chance(60) || *kind == "(mark #)" {
                self.fluents.push(Shape::new(*kind));
            }
        }
        for fluent in self.fluents.clone() {
            let init = fluent.inside("init");
            if self.rng.chance(20) {
                let mut bodies =
                    Bodies { rng: &mut self.rng, values: &self.values, shapes: &self.statics };
                let rule = bodies.rule(&init, None);
                self.text.push_str(&rule);
            } else {
                for arguments in self.tuples(fluent.arity()) {
                    if self.rng.chance(40) {
                        self.line(&init.with(&arguments));
                    }
                }
            }
            // Fluents are drawn twice as often as other atoms.
            self.states.extend([fluent.inside("true"), fluent.inside("true")]);
        }
        if self.steps == 0 {
            return;
        }
        self.line("\n(init (step t0))");
        for step in 0..self.steps {
            self.line(&format!("(tick t{step} t{})", step + 1));
            self.states
                .extend(self.rng.chance(25).then(|| Shape::new(format!("(true (step t{step}))"))));
        }
        self.line("(<= (next (step ?later))\n    (true (step ?now))\n    (tick ?now ?later))\n");
    }

    /// All tuples of constants of that length.
    fn tuples(&self, arity: usize) -> Vec<Vec<String>> {
        let mut tuples = vec![Vec::new()];
        for _ in 0..arity {
            tuples = tuples
                .into_iter()
                .flat_map(|tuple| {
                    self.values.iter().map(move |v| [&tuple[..], std::slice::from_ref(v)].concat())
                })
                .collect();
        }
        tuples
    }

    /// Views, each over those before it, and sometimes a recursive one.
    fn views(&mut self) {
        for number in 0..self.rng.between(1, 4) {
            let view = Shape::of(&format!("view{number}"), self.rng.between(0, 2));
            for _ in 0..self.rng.between(1, 2) {
                self.rule(&view, None);
            }
            self.states.push(view);
        }
        if self.rng.chance(50) {
            let spread = Shape::of("spread", 2);
            self.rule(&spread, None);
            let edge = *self.rng.pick(&["after", "linked", "apart"]);
            self.line(&format!("(<= (spread ?x ?z)\n    (spread ?x ?y)\n    ({edge} ?y ?z))"));
            self.states.push(spread);
        }
        self.line("");
    }

    /// `noop` for each role, a few other moves, and sometimes a view over `legal`.
    fn moves(&mut self) {
        self.line("(<= (legal ?role noop)\n    (role ?role))");
        for role in self.roles.clone() {
            for (kind, percent) in [("(take #)", 70), ("push", 40), ("(swap # #)", 40)] {
                if self.rng.chance(percent) {
                    let legal = Shape::new(format!("(legal {role} {kind})"));
                    self.rule(&legal, None);
                    self.choices.push(Shape::new(format!("(does {role} {kind})")));
                }
            }
            self.choices.push(Shape::new(format!("(does {role} noop)")));
        }
        if self.rng.chance(30) {
            let role = self.rng.pick(&self.roles).clone();
            self.line(&format!("(<= can_do\n    (legal {role} ?move)\n    (distinct ?move noop))"));
            self.states.push(Shape::of("can_do", 0));
        }
        self.line("");
    }

    /// What stays (fluent by fluent, or by one rule for all) and what is new in the next state.
    fn frames_and_effects(&mut self) {
        let one_frame = self.rng.chance(25) && !self.is_rough;
        if one_frame {
            self.line("(<= (next ?fluent)\n    (true ?fluent)\n    (not (ends ?fluent)))");
            self.line("(<= (ends (step ?now))\n    (true (step ?now)))");
        }
        for (number, fluent) in self.fluents.clone().into_iter().enumerate() {
            let (ends, frame) = if one_frame {
                (fluent.inside("ends"), String::new())
            } else {
                let ends = Shape::of(&format!("ends{number}"), fluent.arity());
                let variables = &bodies::HEAD[..fluent.arity()];
                let [next, now] = ["next", "true"].map(|key| fluent.inside(key).with(variables));
                let frame = format!("(<= {next}\n    {now}\n    (not {}))", ends.with(variables));
                (ends, frame)
            };
            if !frame.is_empty() {
                self.line(&frame);
            }
            for head in [ends, fluent.inside("next")] {
                for _ in 0..self.rng.between(1, 2) {
                    let choice = self.rng.pick(&self.choices).clone();
                    self.rule(&head, Some(&choice));
                }
            }
        }
        self.line("");
    }

    /// `terminal` by the step counter, perhaps earlier, and goals that exclude each other.
    fn ends(&mut self) {
        self.line(&format!("(<= terminal\n    (true (step t{})))", self.steps));
        if self.rng.chance(30) {
            self.rule(&Shape::of("stopped", 0), None);
            self.line("(<= terminal\n    stopped\n    (not (true (step t0))))");
        }
        for role in self.roles.clone() {
            let [good, fair] = ["good", "fair"].map(|name| format!("{name}_{role}"));
            self.rule(&Shape::of(&good, 0), None);
            self.line(&format!("(<= (goal {role} 100)\n    {good})"));
            if self.rng.chance(50) {
                self.rule(&Shape::of(&fair, 0), None);
                self.line(&format!("(<= (goal {role} 50)\n    (not {good})\n    {fair})"));
                self.line(&format!("(<= (goal {role} 0)\n    (not (or {good} {fair})))"));
            } else {
                self.line(&format!("(<= (goal {role} 0)\n    (not {good}))"));
            }
        }
    }

    /// What roles perceive, in every other game: of what is static, of the state, of moves, of state and moves; parts and whole
    /// terms; one role and all.
    fn percepts(&mut self) {
        if self.rng.chance(50) {
            return;
        }
        self.tell();
    }

    fn tell(&mut self) {
        self.line("");
        for number in 0..self.rng.between(1, 3) {
            let role = self.rng.pick(&self.roles).clone();
            let told = Shape::of(&format!("told{number}"), self.rng.between(0, 2));
            let (seen, other) = (told.inside(&format!("sees {role}")), self.rng.pick(&self.roles));
            match self.rng.below(6) {
                0 => self.line(&format!("(sees {role} {other})")),
                1 => self.line(&format!(
                    "(<= (sees {role} ?fluent)\n    (true ?fluent)\n    (not (true (step t1))))"
                )),
                2 => self.line("(<= (sees ?role ?move)\n    (does ?role ?move))"),
                3 => self.line(&format!("(<= (sees {role} ?move)\n    (does {other} ?move))")),
                4 => self.told(&seen),
                _ => {
                    self.told(&told);
                    let told = told.with(&bodies::HEAD);
                    self.line(&format!("(<= (sees ?role {told})\n    (role ?role)\n    {told})"));
                }
            }
        }
    }

    /// A rule about what is told, whose body is about statics, the state, moves, or state and moves.
    fn told(&mut self, head: &Shape) {
        let choice = self.rng.pick(&self.choices).clone();
        let (shapes, with) = match self.rng.below(4) {
            0 => (&self.statics, None),
            1 => (&self.states, None),
            2 => (&self.choices, Some(&choice)),
            _ => (&self.states, Some(&choice)),
        };
        let rule = Bodies { rng: &mut self.rng, values: &self.values, shapes }.rule(head, with);
        self.text.push_str(&rule);
    }
}
