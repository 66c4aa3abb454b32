//! Turing machines as games, after Saffidine's proof that GDL is Turing complete.
//!
//! The text of a machine has one statement a line; what follows a `;` is a comment:
//!
//! ```text
//! blank 0              ; the symbol of empty cells
//! start A              ; the first state
//! accept H             ; one or more states in which the machine has accepted
//! input 1 0 1          ; what is on the tape, from the head to the right; may be left out
//! A 0 -> 1 R B         ; in state A on symbol 0: write 1, go right (or L), go on in state B
//! ```
//!
//! Names are words without parentheses, `;` and `?`. Several lines for one state and symbol make the
//! machine nondeterministic; the player chooses.
//!
//! In the game a move is a transition, so a match takes as many steps as the machine. The tape is one
//! fluent: the cells left of the head as a list from the head outwards, the symbol under the head, and the
//! cells on the right. The transitions are facts, one for each line, beside a fixed set of rules: the game
//! is linear in the table. It is GDL, but not bounded: the lists grow.

use std::fmt::Write;

use thiserror::Error;

/// The table of the busy beaver with three states and two symbols.
pub const BUSY_BEAVER: &str = include_str!("../../busy_beaver.tm");

/// What is wrong with the text of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TuringError {
    /// A line is none of those that the format has.
    #[error(
        "line {line}: expected `STATE SYMBOL -> SYMBOL L|R STATE`, `blank SYMBOL`, `start STATE`, \
         `accept STATE ...` or `input SYMBOL ...`, not `{text}`"
    )]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// The line's text.
        text: String,
    },
    /// A name cannot be one in GDL.
    #[error("line {line}: `{name}` cannot be a name: it has one of `(`, `)` and `?`")]
    Name {
        /// The line, counted from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A head moves neither left nor right.
    #[error("line {line}: the head can go `L` or `R`, not `{way}`")]
    Way {
        /// The line, counted from 1.
        line: usize,
        /// What stands there.
        way: String,
    },
    /// A statement is there twice.
    #[error("line {line}: `{keyword}` is given a second time")]
    Twice {
        /// The line, counted from 1.
        line: usize,
        /// `blank`, `start` or `input`.
        keyword: String,
    },
    /// A statement is missing.
    #[error("the machine has no `{0}` line")]
    Missing(&'static str),
    /// There is not a single transition.
    #[error("the machine has no transitions, such as `A 0 -> 1 R B`")]
    NoTransitions,
}

/// A Turing machine with its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TuringMachine {
    blank: String,
    start: String,
    accept: Vec<String>,
    input: Vec<String>,
    transitions: Vec<Transition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Transition {
    from: String,
    read: String,
    write: String,
    way: &'static str,
    to: String,
}

impl TuringMachine {
    /// Reads the text of a machine.
    ///
    /// # Errors
    /// The first line that is wrong, or what is missing.
    pub fn parse(text: &str) -> Result<Self, TuringError> {
        let (mut blank, mut start, mut input) = (None, None, None);
        let (mut accept, mut transitions) = (Vec::new(), Vec::new());
        for (number, text) in text.lines().enumerate() {
            let line = number + 1;
            let words: Vec<&str> =
                text.split(';').next().unwrap_or_default().split_whitespace().collect();
            if let Some(name) = words.iter().find(|it| it.contains(['(', ')', '?'])) {
                return Err(TuringError::Name { line, name: (*name).to_owned() });
            }
            let set = |known: &mut Option<Vec<String>>, names: &[&str]| {
                if known.is_some() {
                    return Err(TuringError::Twice { line, keyword: words[0].to_owned() });
                }
                *known = Some(names.iter().map(|&name| name.to_owned()).collect());
                Ok(())
            };
            match words.as_slice() {
                [] => {}
                [from, read, "->", write, way, to] => {
                    let way = match *way {
                        "L" => "left",
                        "R" => "right",
                        way => return Err(TuringError::Way { line, way: way.to_owned() }),
                    };
                    let [from, read, write, to] =
                        [from, read, write, to].map(|it| (*it).to_owned());
                    transitions.push(Transition { from, read, write, way, to });
                }
                ["blank", symbol] => set(&mut blank, &[symbol])?,
                ["start", state] => set(&mut start, &[state])?,
                ["accept", states @ ..] if !states.is_empty() => {
                    accept.extend(states.iter().map(|&it| it.to_owned()));
                }
                ["input", symbols @ ..] => set(&mut input, symbols)?,
                _ => return Err(TuringError::Line { line, text: text.trim().to_owned() }),
            }
        }
        let one = |names: Option<Vec<String>>, keyword| {
            names.and_then(|mut it| it.pop()).ok_or(TuringError::Missing(keyword))
        };
        if accept.is_empty() {
            return Err(TuringError::Missing("accept"));
        }
        if transitions.is_empty() {
            return Err(TuringError::NoTransitions);
        }
        let (blank, start) = (one(blank, "blank")?, one(start, "start")?);
        Ok(TuringMachine { blank, start, accept, input: input.unwrap_or_default(), transitions })
    }

    /// The game in which a match is a run of the machine; who comes to an accepting state has won.
    pub fn game(&self) -> String {
        let mut text = String::from(HEADER);
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            text.write_fmt(arguments).expect("a string takes everything");
            text.push('\n');
        };
        line(format_args!(
            "(role machine)\n\n; State, symbol read, symbol written, way, next state."
        ));
        for Transition { from, read, write, way, to } in &self.transitions {
            line(format_args!("(transition {from} {read} {write} {way} {to})"));
        }
        for state in &self.accept {
            line(format_args!("(accepting {state})"));
        }
        let read = self.input.first().unwrap_or(&self.blank);
        let mut right = "end".to_owned();
        for symbol in self.input.iter().skip(1).rev() {
            right = format!("(cell {symbol} {right})");
        }
        line(format_args!("\n(init (state {}))\n(init (tape end {read} {right}))", self.start));
        text.push_str(&RULES.replace("BLANK", &self.blank));
        text
    }
}

/// The game of a machine, straight from its text.
///
/// # Errors
/// As [`TuringMachine::parse`].
pub fn turing_machine(text: &str) -> Result<String, TuringError> {
    TuringMachine::parse(text).map(|machine| machine.game())
}

const HEADER: &str = "; turing_machine
; A machine reads and writes a tape without an end; a move is a step of the machine.
; Exercises: function terms that grow without bound, so it can be played but not grounded.
; Part of Groundfrog, MIT OR Apache-2.0.

";

const RULES: &str = include_str!("rules/turing_machine.rules");

#[cfg(test)]
mod tests {
    use super::super::check_text;
    use super::*;

    #[test]
    fn the_game_is_linear_in_the_table() {
        let game = turing_machine(BUSY_BEAVER).expect("a machine");
        check_text("busy beaver", &game);
        assert_eq!(game.matches("(transition ").count(), 6 + 2);
        assert!(game.contains("(transition A 1 1 right H)\n"));
        assert!(game.contains("(init (tape end 0 end))\n"));
        let more = turing_machine(&format!("{BUSY_BEAVER}\nH 0 -> 0 L H\ninput 1 0 1"));
        let more = more.expect("a machine");
        assert_eq!(more.lines().count(), game.lines().count() + 1);
        assert!(more.contains("(init (tape end 1 (cell 0 (cell 1 end))))\n"));
    }

    #[test]
    fn errors_name_the_line() {
        let wrong = |text: &str| turing_machine(text).expect_err(text).to_string();
        let table = "blank 0\nstart A\naccept H\n";
        assert_eq!(wrong(table), "the machine has no transitions, such as `A 0 -> 1 R B`");
        assert_eq!(
            wrong(&format!("{table}A 0 -> 1 U B")),
            "line 4: the head can go `L` or `R`, not `U`"
        );
        assert!(wrong(&format!("{table}A 0 1 R B")).starts_with("line 4: expected `STATE SYMBOL"));
        assert_eq!(
            wrong("blank ?b"),
            "line 1: `?b` cannot be a name: it has one of `(`, `)` and `?`"
        );
        assert_eq!(wrong("start A\nstart B"), "line 2: `start` is given a second time");
        assert_eq!(wrong("start A\naccept H\nA 0 -> 1 R B"), "the machine has no `blank` line");
        assert_eq!(wrong(""), "the machine has no `accept` line");
    }
}
