//! A puzzle as a planning task in SAS+ (version 3 of the translator format of Fast Downward): plans are the ways to goal 100.
//!
//! Each fluent is a variable, and so is each atom that rules define, which axioms derive. A joint move takes two operators: one
//! chooses a legal move, at cost 1, and one sets all fluents to what `next` says, at cost 0.

use std::io::{self, Write};

use super::layers;
use crate::game::{AtomId, AtomKind, GroundGame, RoleId};

/// Why a game has no planning task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SasError {
    /// Planning is for one role.
    #[error("the game has {0} roles, and planning is for puzzles, which have one")]
    Roles(usize),
    /// No state has goal 100.
    #[error("no state has the goal 100")]
    NoGoal,
    /// Ground rules are not stratified.
    #[error("an atom depends on its own negation")]
    NegativeCycle,
}

/// Variables beside those of atoms: the move that is chosen, and whether one is.
const EXTRA: usize = 2;

/// The task of a puzzle, as text.
///
/// # Errors
/// The game is no puzzle.
pub fn text(game: &GroundGame) -> Result<String, SasError> {
    if game.roles().len() != 1 {
        return Err(SasError::Roles(game.roles().len()));
    }
    let goal = game.goals_of(RoleId(0)).find(|goal| goal.value == Some(100));
    let goal = goal.ok_or(SasError::NoGoal)?.atom;
    let layers = layers(game).ok_or(SasError::NegativeCycle)?;
    let mut out = Vec::new();
    Task { game, layers, goal }.write(&mut out).expect("memory takes everything");
    Ok(String::from_utf8(out).expect("names are UTF-8"))
}

struct Task<'game> {
    game: &'game GroundGame,
    /// By atom: axioms of a layer read what those of lower ones derive, and negations of nothing else.
    layers: Vec<u32>,
    goal: AtomId,
}

impl Task<'_> {
    /// The variable of an atom that is a fluent or has rules.
    fn variable(&self, atom: AtomId) -> usize {
        EXTRA + atom.index()
    }

    /// A condition that an atom holds, or does not.
    fn condition(&self, atom: AtomId, holds: bool) -> Option<(usize, usize)> {
        if self.game.kind(atom) == AtomKind::Does {
            let made = self.game.moves().iter().position(|made| made.does == atom)?;
            // That another move is chosen is derived.
            return Some(if holds { (0, made) } else { (self.variable(atom), 1) });
        }
        Some((self.variable(atom), usize::from(!holds)))
    }

    fn write(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let game = self.game;
        let (moves, atoms) = (game.moves(), game.atom_count());
        writeln!(out, "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric")?;
        writeln!(out, "{}", EXTRA + atoms)?;
        self.variable_text(out, "move", -1, moves.len() + 1, |value| match moves.get(value) {
            Some(made) => format!("Atom {}", self.name(made.does)),
            None => "<none of those>".to_owned(),
        })?;
        self.variable_text(out, "chosen", -1, 2, |value| {
            if value == 0 { "Atom chosen" } else { "NegatedAtom chosen" }.to_owned()
        })?;
        for atom in (0..atoms as u32).map(AtomId) {
            let layer = match game.kind(atom) {
                AtomKind::True => -1,
                _ => i64::from(self.layers[atom.index()]),
            };
            let name = self.name(atom);
            self.variable_text(out, &name, layer, 2, |value| {
                format!("{} {name}", if value == 0 { "Atom" } else { "NegatedAtom" })
            })?;
        }
        writeln!(out, "0\nbegin_state\n{}\n1", moves.len())?;
        for atom in (0..atoms as u32).map(AtomId) {
            let holds = game.init().binary_search(&atom).is_ok();
            writeln!(out, "{}", usize::from(!holds))?;
        }
        writeln!(out, "end_state\nbegin_goal")?;
        let ends = game.terminal().map(|terminal| (self.variable(terminal), 0));
        let goals: Vec<(usize, usize)> =
            ends.into_iter().chain([(self.variable(self.goal), 0)]).collect();
        conditions(out, &goals)?;
        writeln!(out, "end_goal\n{}", moves.len() + 1)?;
        for (number, made) in moves.iter().enumerate() {
            let mut before: Vec<(usize, usize)> =
                made.legal.iter().map(|&it| (self.variable(it), 0)).collect();
            before.extend(game.terminal().map(|terminal| (self.variable(terminal), 1)));
            writeln!(out, "begin_operator\n{}", self.name(made.does))?;
            conditions(out, &before)?;
            writeln!(out, "2\n0 0 -1 {number}\n0 1 1 0\n1\nend_operator")?;
        }
        self.advance(out)?;
        self.axioms(out)
    }

    /// The operator that sets all fluents.
    fn advance(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let game = self.game;
        writeln!(out, "begin_operator\nadvance\n0\n{}", 2 + 2 * game.fluents().len())?;
        writeln!(out, "0 0 -1 {}\n0 1 0 1", game.moves().len())?;
        for fluent in game.fluents() {
            let variable = self.variable(fluent);
            match game.next(fluent) {
                Some(next) => {
                    let next = self.variable(next);
                    writeln!(out, "1 {next} 0 {variable} -1 0\n1 {next} 1 {variable} -1 1")?;
                }
                // Two effects in any case, so that the number is right.
                None => writeln!(out, "0 {variable} -1 1\n0 {variable} -1 1")?,
            }
        }
        writeln!(out, "0\nend_operator")
    }

    fn axioms(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let game = self.game;
        let moves = game.moves();
        writeln!(out, "{}", game.rules().len() + moves.len())?;
        for (number, made) in moves.iter().enumerate() {
            writeln!(out, "begin_rule\n1\n0 {number}\n{} 1 0\nend_rule", self.variable(made.does))?;
        }
        for rule in game.rules().iter() {
            let body = rule.body.iter().filter_map(|literal| {
                self.condition(AtomId(literal.atom()), !literal.is_negated())
            });
            let body: Vec<(usize, usize)> = body.collect();
            writeln!(out, "begin_rule")?;
            conditions(out, &body)?;
            writeln!(out, "{} 1 0\nend_rule", self.variable(AtomId(rule.head)))?;
        }
        Ok(())
    }

    fn name(&self, atom: AtomId) -> String {
        let text = self.game.display(atom).to_string();
        text.replace(['(', ')'], " ").split_whitespace().collect::<Vec<_>>().join("-")
    }

    fn variable_text(
        &self,
        out: &mut Vec<u8>,
        name: &str,
        layer: i64,
        values: usize,
        value: impl Fn(usize) -> String,
    ) -> io::Result<()> {
        writeln!(out, "begin_variable\n{name}\n{layer}\n{values}")?;
        (0..values).try_for_each(|it| writeln!(out, "{}", value(it)))?;
        writeln!(out, "end_variable")
    }
}

fn conditions(out: &mut Vec<u8>, conditions: &[(usize, usize)]) -> io::Result<()> {
    writeln!(out, "{}", conditions.len())?;
    conditions.iter().try_for_each(|(variable, value)| writeln!(out, "{variable} {value}"))
}
