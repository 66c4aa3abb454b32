//! How a dynamic closure is stored: whichever way has the fewest ground rules.

use fxhash::FxHashMap;
use groundfrog_engine::{Argument, Exceeded, Tables};

use super::Closure;
use crate::compact::holds::holds;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatRule, Forms, LiteralKind};
use crate::rewrite::statics::Statics;
use crate::ticker::Ticker;

/// Chooses, once the tables are complete, how each dynamic closure is stored: with the step first, with the
/// step last, or as the description has it. The number of instances of each is counted, so that no
/// choice is worse than the description's.
///
/// Closures that are computed on demand stay as they are.
///
/// # Errors
/// A limit that was exceeded.
pub fn choose(
    closures: &[Closure],
    rules: &mut Vec<FlatRule>,
    forms: &Forms,
    statics: &mut Statics,
    tables: &Tables,
    ticker: &mut Ticker<'_>,
) -> Result<(), Exceeded> {
    for closure in closures.iter().filter(|it| it.composition.stored) {
        let at = |wanted: &FlatRule| rules.iter().position(|rule| rule == wanted);
        let (Some(linear), Some(copy)) = (at(&closure.step_first), at(&closure.copy)) else {
            continue;
        };
        let mut count = |rule: &FlatRule| instances(rule, closure.order, tables, ticker);
        let copies = tables[predicate(closure.step)].len() as u64;
        let quadratic = count(&closure.composition)?;
        let step_first = copies + count(&closure.step_first)?;
        let step_last = copies + count(&closure.step_last)?;
        if quadratic < step_first.min(step_last) {
            rules[linear] = closure.composition.clone();
            rules.remove(copy);
            let head = &closure.composition.head;
            for rule in rules.iter_mut().filter(|rule| rule.head.form == closure.step) {
                (rule.head.form, rule.head.name) = (head.form, head.name);
            }
            statics.set_dynamic(forms.form(closure.step).predicate, false);
        } else if step_last < step_first {
            rules[linear] = closure.step_last.clone();
        }
    }
    Ok(())
}

/// How many instances a rule has that composes two atoms.
fn instances(
    rule: &FlatRule,
    order: [usize; 2],
    tables: &Tables,
    ticker: &mut Ticker<'_>,
) -> Result<u64, Exceeded> {
    let [LiteralKind::Positive(first), LiteralKind::Positive(second)] =
        order.map(|it| &rule.body[it].kind)
    else {
        return Ok(0);
    };
    let mut shared = first.arguments.clone();
    shared.retain(|it| second.arguments.contains(it));
    let counts = group(first, &shared, tables, ticker)?;
    let others = group(second, &shared, tables, ticker)?;
    let conditions: Vec<&LiteralKind> = rule
        .body
        .iter()
        .enumerate()
        .filter(|(at, literal)| !order.contains(at) && literal.joined)
        .map(|(_, literal)| &literal.kind)
        .collect();
    let mut pairs = 0;
    let column = |it: &Argument| shared.iter().position(|other| other == it);
    for (key, count) in &counts {
        let Some(other) = others.get(key) else { continue };
        let value = |it: &Argument| match it {
            Argument::Constant(it) => *it,
            variable => key[column(variable).expect("conditions are on what the two share")],
        };
        if ticker.tick() && conditions.iter().all(|it| holds(it, value, tables)) {
            pairs += count * other;
        }
    }
    ticker.finish()?;
    Ok(pairs)
}

/// How many rows an atom has for each binding of some of its variables.
fn group(
    atom: &FlatAtom,
    variables: &[Argument],
    tables: &Tables,
    ticker: &mut Ticker<'_>,
) -> Result<FxHashMap<Vec<u32>, u64>, Exceeded> {
    let column = |wanted: &Argument| atom.arguments.iter().position(|it| it == wanted);
    let columns: Vec<usize> = variables.iter().filter_map(column).collect();
    let mut counts: FxHashMap<Vec<u32>, u64> = FxHashMap::default();
    let mut key = Vec::with_capacity(columns.len());
    for row in tables[predicate(atom.form)].rows() {
        if !ticker.tick() {
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
    ticker.finish()?;
    Ok(counts)
}
