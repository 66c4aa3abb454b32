//! How a dynamic closure is stored: whichever way has the fewest ground rules.

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Exceeded, Table, Tables};

use super::Closure;
use crate::domains::program::predicate;
use crate::pulse::Pulse;
use crate::rewrite::sentence_forms::{FlatAtom, FlatLiteral, FlatRule, Forms, LiteralKind};
use crate::rewrite::statics::Statics;
use crate::symbols::Symbol;

/// Chooses, once the tables are complete, how each dynamic closure is stored: with the step first, with the
/// step last, or as the description has it. The number of instances of each is counted, so that no
/// choice is worse than the description's.
///
/// Closures that are computed on demand stay as they are.
///
/// # Errors
/// A limit that was exceeded.
pub fn settle(
    closures: &[Closure],
    rules: &mut Vec<FlatRule>,
    forms: &Forms,
    statics: &mut Statics,
    tables: &Tables,
    pulse: &mut Pulse<'_>,
) -> Result<(), Exceeded> {
    for closure in closures.iter().filter(|it| it.composition.stored) {
        let at = |wanted: &FlatRule| rules.iter().position(|rule| rule == wanted);
        let (Some(linear), Some(copy)) = (at(&closure.linear), at(&closure.copy)) else { continue };
        let reversed = closure.reversed();
        let copies = tables[predicate(closure.step)].len() as u64;
        let quadratic = instances(&closure.composition, tables, pulse)?;
        let step_first = copies + instances(&closure.linear, tables, pulse)?;
        let step_last = copies + instances(&reversed, tables, pulse)?;
        if quadratic < step_first.min(step_last) {
            rules[linear] = closure.composition.clone();
            rules.remove(copy);
            let head = &closure.composition.head;
            for rule in rules.iter_mut().filter(|rule| rule.head.form == closure.step) {
                (rule.head.form, rule.head.name) = (head.form, head.name);
            }
            statics.set_dynamic(forms.form(closure.step).predicate, false);
        } else if step_last < step_first {
            rules[linear] = reversed;
        }
    }
    Ok(())
}

impl Closure {
    /// `p(x, y) <- p(x, z), step(z, y)`.
    fn reversed(&self) -> FlatRule {
        let swap = |literal: &FlatLiteral| {
            let mut literal = literal.clone();
            if let LiteralKind::Positive(atom) = &mut literal.kind {
                let head = &self.composition.head;
                let to_step = atom.form == head.form;
                atom.form = if to_step { self.step } else { head.form };
                atom.name = if to_step { self.step_name() } else { head.name };
            }
            literal
        };
        FlatRule { body: self.linear.body.iter().map(swap).collect(), ..self.linear.clone() }
    }

    fn step_name(&self) -> Symbol {
        match &self.copy.body[0].kind {
            LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => atom.name,
            LiteralKind::Distinct(..) => unreachable!("a copy has one atom"),
        }
    }
}

/// How many instances a rule has whose body is two atoms of distinct variables.
fn instances(rule: &FlatRule, tables: &Tables, pulse: &mut Pulse<'_>) -> Result<u64, Exceeded> {
    let atoms: Vec<&FlatAtom> = rule
        .body
        .iter()
        .filter_map(|literal| match &literal.kind {
            LiteralKind::Positive(atom) => Some(atom),
            _ => None,
        })
        .collect();
    let [first, second] = atoms[..] else { return Ok(0) };
    let table = |atom: &FlatAtom| &tables[predicate(atom.form)];
    let position = |wanted: &Argument| second.arguments.iter().position(|it| it == wanted);
    let shared = first.arguments.iter().enumerate();
    let keys: Vec<(usize, usize)> =
        shared.filter_map(|(at, argument)| Some((at, position(argument)?))).collect();
    let (left, right): (Vec<usize>, Vec<usize>) = keys.into_iter().unzip();
    let counts = group(table(first), &left, pulse)?;
    let others = group(table(second), &right, pulse)?;
    let pairs = |(key, count): (&Vec<u32>, &u64)| count * others.get(key).copied().unwrap_or(0);
    Ok(counts.iter().map(pairs).sum())
}

/// How many rows there are for each binding of some columns.
fn group(
    table: &Table,
    columns: &[usize],
    pulse: &mut Pulse<'_>,
) -> Result<FxHashMap<Vec<u32>, u64>, Exceeded> {
    let mut counts: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    let mut key = Vec::with_capacity(columns.len());
    for row in table.rows() {
        if !pulse.beat() {
            break;
        }
        key.clear();
        key.extend(columns.iter().map(|&column| row[column]));
        match counts.get_mut(&key) {
            Some(count) => *count += 1,
            None => {
                counts.insert(key.clone(), 1);
            }
        }
    }
    pulse.finish()?;
    Ok(counts)
}
