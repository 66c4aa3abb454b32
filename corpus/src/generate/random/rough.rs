//! Random games with all that a solver has to be honest about.

use super::super::pieces::SplitMix64;
use super::Draft;
use super::bodies::Shape;

/// Writes the game of a seed, smaller than those of [`random_game`](super::random_game) and rougher: roles choose in turn or at once, play
/// may go round for ever, a state may have no legal move, an end several goals or none, chance may move, and roles may be kept
/// from knowing the state. The same seed always gives the same game.
pub fn random_rough_game(seed: u64) -> String {
    let mut draft = Draft::new(seed);
    draft.become_rough(seed);
    draft.statics();
    draft.fluents();
    draft.views();
    let takes_turns = draft.rng.chance(50);
    draft.rough_moves(takes_turns);
    draft.frames_and_effects();
    draft.rough_ends();
    if draft.rng.chance(25) {
        draft.tell();
    }
    draft.text
}

/// The values that the goals of a role may have, the best first.
const GOALS: [[u32; 3]; 4] = [[100, 50, 0], [90, 60, 20], [100, 0, 0], [75, 30, 10]];

impl Draft {
    fn become_rough(&mut self, seed: u64) {
        let mut rng = SplitMix64::new(!seed);
        self.is_rough = true;
        self.values = ["a", "b"].map(str::to_owned).to_vec();
        let roles = *rng.pick(&[1, 2, 2, 2, 2, 3]);
        self.roles = ["robin", "wren", "finch"][..roles].iter().map(ToString::to_string).collect();
        if rng.chance(30) {
            self.roles.truncate(2);
            self.roles.push("random".to_owned());
        }
        self.steps = if rng.chance(60) { 0 } else { rng.between(1, 4) };
        self.text = format!(
            "; random_rough_game {seed}\n; A small game drawn from a seed, for comparing solvers.\n\
             ; Part of Groundfrog, MIT OR Apache-2.0.\n\n"
        );
        self.rng = rng;
    }

    /// Moves of who has the turn, or of all at once. Mostly there is one that is always legal.
    fn rough_moves(&mut self, takes_turns: bool) {
        let is_playable = self.rng.chance(85);
        if takes_turns {
            self.line(&format!("(init (turn {}))", self.roles[0]));
            for (number, role) in self.roles.clone().iter().enumerate() {
                let next = self.roles[(number + 1) % self.roles.len()].clone();
                self.line(&format!("(<= (next (turn {next}))\n    (true (turn {role})))"));
            }
            self.line("(<= (legal ?role noop)\n    (role ?role)\n    (not (true (turn ?role))))");
        }
        for role in self.roles.clone() {
            let turn = takes_turns.then(|| Shape::new(format!("(true (turn {role}))")));
            for (kind, percent) in [("(take #)", 70), ("push", 60)] {
                if self.rng.chance(percent) {
                    self.rule(&Shape::new(format!("(legal {role} {kind})")), turn.as_ref());
                    self.choices.push(Shape::new(format!("(does {role} {kind})")));
                }
            }
            let wait = Shape::new(format!("(legal {role} wait)"));
            match turn {
                Some(turn) if is_playable => {
                    self.line(&format!("(<= (legal {role} wait)\n    {})", turn.with::<&str>(&[])))
                }
                None if is_playable => self.line(&format!("(legal {role} wait)")),
                turn => self.rule(&wait, turn.as_ref()),
            }
            self.choices.push(Shape::new(format!("(does {role} wait)")));
        }
        self.line("");
    }

    /// `terminal` in some states, and after the last step where steps are counted; goals of which a state may have several or none.
    fn rough_ends(&mut self) {
        if self.steps > 0 {
            self.line(&format!("(<= terminal\n    (true (step t{})))", self.steps));
        }
        if self.steps == 0 || self.rng.chance(30) {
            self.rule(&Shape::of("stopped", 0), None);
            let later = if self.rng.chance(90) { "\n    (not (true fresh))" } else { "" };
            self.line(&format!("(init fresh)\n(<= terminal\n    stopped{later})"));
        }
        let players: Vec<String> =
            self.roles.iter().filter(|it| *it != "random").cloned().collect();
        let is_zero_sum = players.len() == 2 && self.rng.chance(60);
        let mut values = *self.rng.pick(&GOALS);
        for (number, role) in players.iter().enumerate() {
            let of = if is_zero_sum { &players[0] } else { role };
            let [good, fair] = ["good", "fair"].map(|name| format!("{name}_{of}"));
            if of == role {
                self.rule(&Shape::of(&good, 0), None);
                self.rule(&Shape::of(&fair, 0), None);
            }
            if is_zero_sum && number == 1 {
                values = values.map(|it| 100 - it);
            } else {
                values = *self.rng.pick(&GOALS);
            }
            let conditions = match self.rng.below(20) {
                0 => [good.clone(), fair, format!("(not {good})")],
                1 => [good.clone(), format!("(not {good})\n    {fair}"), "never".to_owned()],
                _ => [
                    good.clone(),
                    format!("(not {good})\n    {fair}"),
                    format!("(not {good})\n    (not {fair})"),
                ],
            };
            for (value, condition) in values.iter().zip(conditions) {
                self.line(&format!("(<= (goal {role} {value})\n    {condition})"));
            }
        }
    }
}
