//! The answers of a few conditions with small tables.

use fxhash::FxHashMap;
use groundfrog_engine::projection::VariableSet;
use groundfrog_engine::{Argument, Tables};

use crate::compact::estimate::{literal_variables, variables};
use crate::domains::program::predicate;
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, LiteralKind};

/// Larger tables are not looked at.
const MOST_ROWS: usize = 200_000;
/// More answers are not made, on the way either.
const MOST_ANSWERS: usize = 200_000;
/// How many beats it takes to look at a row.
const A_ROW: u32 = 8;

/// The values of the variables 0, 1, ..., so many of them, for which literals hold: atoms that are not negated, which bind
/// all, and comparisons. None if there are too many.
pub(super) fn answers(
    literals: &[FlatLiteral],
    columns: usize,
    tables: &Tables,
    pulse: &mut Pulse<'_>,
) -> Option<Vec<Vec<u32>>> {
    let mut atoms: Vec<&FlatAtom> =
        literals.iter().filter(|it| it.is_positive()).filter_map(FlatLiteral::atom).collect();
    let mut bound: VariableSet = 0;
    let all = literals.iter().map(literal_variables).fold(0, |all, it| all | it);
    let mut answers = vec![vec![0; (VariableSet::BITS - all.leading_zeros()) as usize]];
    while !atoms.is_empty() {
        // The smallest of those that share variables with the ones before, if there are such.
        let shares = |it: &FlatAtom| variables(&it.arguments) & bound != 0;
        let size = |it: &FlatAtom| tables[predicate(it.form)].len();
        let next = (0..atoms.len()).min_by_key(|&at| (!shares(atoms[at]), size(atoms[at])))?;
        let atom = atoms.remove(next);
        answers = joined(&answers, atom, bound, tables, pulse)?;
        bound |= variables(&atom.arguments);
    }
    for literal in literals {
        let LiteralKind::Distinct(left, right) = &literal.kind else { continue };
        answers.retain(|answer| {
            left.iter().zip(right).any(|(one, other)| value(answer, one) != value(answer, other))
        });
    }
    answers.iter_mut().for_each(|it| it.truncate(columns));
    Some(answers)
}

/// The answers with those of an atom; the variables that are `bound` have values already.
fn joined(
    answers: &[Vec<u32>],
    atom: &FlatAtom,
    bound: VariableSet,
    tables: &Tables,
    pulse: &mut Pulse<'_>,
) -> Option<Vec<Vec<u32>>> {
    let table = &tables[predicate(atom.form)];
    if table.len() > MOST_ROWS {
        return None;
    }
    let is_known = |it: &Argument| it.variable().is_none_or(|variable| bound >> variable & 1 == 1);
    let mut by_known: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
    for (at, row) in table.rows().enumerate() {
        if !pulse.beats(A_ROW) {
            return None;
        }
        let known = atom.arguments.iter().zip(row.iter()).filter(|it| is_known(it.0));
        by_known.entry(known.map(|it| it.1).collect()).or_default().push(at as u32);
    }
    let mut found = Vec::new();
    for answer in answers {
        let known = atom.arguments.iter().filter(|it| is_known(it));
        let known: Vec<u32> = known.map(|it| value(answer, it)).collect();
        for &at in by_known.get(&known).map_or(&[][..], |it| it) {
            if !pulse.beats(A_ROW) || found.len() == MOST_ANSWERS {
                return None;
            }
            let mut answer = answer.clone();
            let row = table.row(at);
            for (argument, constant) in atom.arguments.iter().zip(row.iter()) {
                if let Some(variable) = argument.variable() {
                    answer[variable as usize] = constant;
                }
            }
            // A variable that is there twice has one value.
            if atom.arguments.iter().zip(row.iter()).all(|(it, own)| value(&answer, it) == own) {
                found.push(answer);
            }
        }
    }
    Some(found)
}

fn value(answer: &[u32], argument: &Argument) -> u32 {
    match *argument {
        Argument::Constant(it) => it,
        Argument::Variable(it) => answer[it as usize],
    }
}
