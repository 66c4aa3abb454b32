//! What proofs rest on, as logic programs for an answer set solver.
//!
//! A proof by induction has a base, about the initial state, and a step: from states that are as claimed a joint move leads to a
//! state that violates the claim. Each is a program that has no answer set if the proof is right. A refutation is a program that
//! has one. The rules of the game stand in them as they are, for later states with names that begin with `s1_`, `s2_`.

use std::fmt::Write as _;

use groundfrog::AtomKind;
use groundfrog::emit::asp;
use groundfrog::game::{AtomId, GroundGame};

use crate::condition::Condition;
use crate::induction::Proof;
use crate::measure::Measure;
use crate::property::{Claim, Property};

/// Longer matches are not written as programs: each state has a copy of the rules.
const LONGEST_WAY: usize = 20;

/// A logic program that confirms a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The property.
    pub property: Property,
    /// Which part of the proof it is: `base`, `base-1` for the state after the initial one, `step`, `rest` that not too many
    /// joint moves in a row leave a measure the same, or `way` to where it fails.
    pub part: String,
    /// Whether the program has to have an answer set; if not, it must have none.
    pub has_answer_set: bool,
    /// The program.
    pub text: String,
}

/// The obligations of claims that were proved: those about states in `proofs`, those about joint moves from all of them.
pub(crate) fn obligations(
    game: &GroundGame,
    proofs: &[Proof],
    claims: &[(Property, Claim)],
) -> Vec<Obligation> {
    let atoms = asp::atom_texts(game);
    let mut found = Vec::new();
    for (property, claim) in claims {
        let mut add = |part: String, has_answer_set: bool, program: Program<'_>| {
            let (property, text) = (property.clone(), program.text);
            found.push(Obligation { property, part, has_answer_set, text });
        };
        let new = || Program::new(game, &atoms);
        let is_own = |own: &&Claim| {
            own.is_of_step == claim.is_of_step && own.parts.starts_with(&claim.parts)
        };
        let number = proofs.iter().position(|proof| proof.claims.iter().any(|it| is_own(&it)));
        let Some(number) = number else {
            let mut program = new();
            program.any_state();
            program.assume_lemmas(proofs, 0, 0);
            program.goes_on(0, None);
            program.violates(claim, 0);
            add("step".to_owned(), false, program);
            if let [Condition::Grows(measure)] = &claim.parts[..]
                && measure.rests > 0
            {
                let mut program = new();
                program.any_state();
                program.assume_lemmas(proofs, 0, 0);
                let strict = Condition::Grows(Measure { rests: 0, ..measure.clone() });
                for state in 0..=measure.rests {
                    program.goes_on(state, None);
                    let grows = program.condition(&strict, state);
                    program.line(&format!(":- {grows}."));
                }
                add("rest".to_owned(), false, program);
            }
            continue;
        };
        let proof = &proofs[number];
        let whole = proof.claims.iter().find(is_own).unwrap_or(claim);
        for last in 0..proof.depth {
            let mut program = new();
            program.initial_state();
            (0..last).for_each(|state| program.goes_on(state, None));
            program.assume_lemmas(&proofs[..number], 0, last);
            program.violates(whole, last);
            let part = if last == 0 { "base".to_owned() } else { format!("base-{last}") };
            add(part, false, program);
        }
        let mut program = new();
        program.any_state();
        (0..proof.depth).for_each(|state| program.goes_on(state, None));
        program.assume_lemmas(&proofs[..number], 0, proof.depth);
        program.assume_lemmas(std::slice::from_ref(proof), 0, proof.depth - 1);
        program.violates(whole, proof.depth);
        add("step".to_owned(), false, program);
    }
    found
}

/// The match that refutes a claim, if it is short.
pub(crate) fn refutation(
    game: &GroundGame,
    property: &Property,
    claim: &Claim,
    way: &[Vec<usize>],
) -> Option<Obligation> {
    if way.len() > LONGEST_WAY {
        return None;
    }
    let atoms = asp::atom_texts(game);
    let mut program = Program::new(game, &atoms);
    program.initial_state();
    way.iter().enumerate().for_each(|(state, joint)| program.goes_on(state, Some(joint)));
    let last = way.len() - usize::from(claim.is_of_step);
    program.violates(claim, last);
    Some(Obligation {
        property: property.clone(),
        part: "way".to_owned(),
        has_answer_set: true,
        text: program.text,
    })
}

struct Program<'game> {
    game: &'game GroundGame,
    atoms: &'game [String],
    text: String,
    /// States whose rules are written.
    states: usize,
    conditions: usize,
}

fn prefix(state: usize) -> String {
    if state == 0 { String::new() } else { format!("s{state}_") }
}

impl<'game> Program<'game> {
    fn new(game: &'game GroundGame, atoms: &'game [String]) -> Self {
        let text = asp::facts(game) + "#defined init/1.\n#defined input/2.\n#defined base/1.\n";
        Program { game, atoms, text, states: 0, conditions: 0 }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn any_state(&mut self) {
        self.line("{ true(F) : base(F) }.");
        self.need_state(0);
    }

    fn initial_state(&mut self) {
        self.line("true(F) :- init(F).");
        self.need_state(0);
    }

    fn atom(&self, state: usize, atom: AtomId) -> String {
        prefix(state) + &self.atoms[atom.index()]
    }

    /// Writes the rules of states up to one.
    fn need_state(&mut self, state: usize) {
        while self.states <= state {
            let number = self.states;
            self.states += 1;
            if let Some(before) = number.checked_sub(1) {
                let (own, before) = (prefix(number), prefix(before));
                self.line(&format!("{own}true(F) :- {before}next(F)."));
            }
            for name in ["true/1", "next/1", "does/2", "legal/2", "terminal/0"] {
                self.line(&format!("#defined {}{name}.", prefix(number)));
            }
            for rule in self.game.rules().iter() {
                let mut text = self.atom(number, AtomId(rule.head));
                for (place, literal) in rule.body.iter().enumerate() {
                    text.push_str(if place == 0 { " :- " } else { ", " });
                    text.push_str(if literal.is_negated() { "not " } else { "" });
                    text.push_str(&self.atom(number, AtomId(literal.atom())));
                }
                text.push('.');
                self.line(&text);
            }
        }
    }

    /// The state is not terminal, and each role makes a legal move, or the one that is given.
    fn goes_on(&mut self, state: usize, joint: Option<&Vec<usize>>) {
        let own = prefix(state);
        match joint {
            None => {
                self.line(&format!("1 {{ {own}does(R,M) : input(R,M) }} 1 :- role(R)."));
            }
            Some(joint) => {
                for &made in joint {
                    let does = self.atom(state, self.game.moves()[made].does);
                    self.line(&format!("{does}."));
                }
            }
        }
        self.line(&format!(":- {own}does(R,M), not {own}legal(R,M)."));
        self.line(&format!(":- {own}terminal."));
        self.need_state(state + 1);
    }

    /// What was proved of states holds in these.
    fn assume_lemmas(&mut self, proofs: &[Proof], first: usize, last: usize) {
        for claim in proofs.iter().flat_map(|proof| &proof.claims) {
            if claim.is_of_step {
                continue;
            }
            for state in first..=last {
                for part in &claim.parts {
                    let condition = self.condition(part, state);
                    self.line(&format!(":- not {condition}."));
                }
            }
        }
    }

    /// There is an answer set only where the claim does not hold.
    fn violates(&mut self, claim: &Claim, state: usize) {
        for part in &claim.parts {
            let condition = self.condition(part, state);
            self.line(&format!("violated :- not {condition}."));
        }
        self.line("#defined violated/0.");
        self.line(":- not violated.");
    }

    /// An atom that holds just where a condition does, with the rules for it.
    fn condition(&mut self, condition: &Condition, state: usize) -> String {
        if let Condition::Atom(atom) = condition {
            if self.game.kind(*atom) == AtomKind::Next {
                self.need_state(state);
            }
            return self.atom(state, *atom);
        }
        let bodies: Vec<String> = match condition {
            Condition::Atom(_) => Vec::new(),
            Condition::Not(inner) => vec![format!("not {}", self.condition(inner, state))],
            Condition::All(parts) => {
                let parts: Vec<String> = parts.iter().map(|it| self.condition(it, state)).collect();
                vec![parts.join(", ")]
            }
            Condition::Any(parts) => parts.iter().map(|it| self.condition(it, state)).collect(),
            Condition::AtMost(most, parts) => {
                let parts = parts.iter().enumerate();
                let elements: Vec<String> = parts
                    .map(|(number, it)| format!("{number} : {}", self.condition(it, state)))
                    .collect();
                vec![format!("#count {{ {} }} {most}", elements.join("; "))]
            }
            Condition::Sum { sum, choices } => vec![self.sum(*sum, choices, state)],
            Condition::Grows(measure) => {
                // The first level that changes grows.
                let mut bodies = Vec::new();
                let mut stays = String::new();
                for weights in &measure.levels {
                    let change = self.change(weights, state);
                    bodies.push(format!("{stays}1 #sum {{ {change} }}"));
                    let _ = write!(stays, "0 #sum {{ {change} }} 0, ");
                }
                bodies.extend((measure.rests > 0).then(|| stays.trim_end_matches(", ").to_owned()));
                bodies
            }
            Condition::Total { sum, groups } => {
                let weighed = groups.iter().flatten().enumerate();
                let elements: Vec<String> = weighed
                    .map(|(number, &(fluent, weight))| {
                        format!("{weight},{number} : {}", self.atom(state, fluent))
                    })
                    .collect();
                vec![format!("{sum} #sum {{ {} }} {sum}", elements.join("; "))]
            }
        };
        let own = format!("c({})", self.conditions);
        self.conditions += 1;
        for body in bodies {
            let text =
                if body.is_empty() { format!("{own}.") } else { format!("{own} :- {body}.") };
            self.line(&text);
        }
        self.text.push_str("#defined c/1.\n");
        own
    }

    /// The elements of the sum by which weights change with the joint move.
    fn change(&self, weights: &[(AtomId, i64)], state: usize) -> String {
        let mut elements = Vec::new();
        for (number, &(fluent, weight)) in weights.iter().enumerate() {
            elements.push(format!("{},{number},0 : {}", -weight, self.atom(state, fluent)));
            if let Some(next) = self.game.next(fluent) {
                elements.push(format!("{weight},{number},1 : {}", self.atom(state, next)));
            }
        }
        elements.join("; ")
    }

    /// The body of a condition that no choice of one atom of each list has another sum.
    fn sum(&mut self, sum: i128, choices: &[Vec<(AtomId, i64)>], state: usize) -> String {
        let number = self.conditions;
        self.conditions += 1;
        for (list, choice) in choices.iter().enumerate() {
            for &(atom, value) in choice {
                let text = format!("value({number},{list},{value}) :- {}.", self.atom(state, atom));
                self.line(&text);
            }
        }
        let mut other = format!("c({number}) :- ");
        for list in 0..choices.len() {
            let _ = write!(other, "value({number},{list},V{list}), ");
        }
        let all: Vec<String> = (0..choices.len()).map(|list| format!("V{list}")).collect();
        let _ = write!(other, "{} != {sum}.", all.join("+"));
        self.line("#defined value/3.");
        self.line(&other);
        format!("not c({number})")
    }
}
