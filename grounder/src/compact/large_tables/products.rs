//! Large static predicates that are joins of small tables, as the direction from each cell of a large board to each
//! other: their rules take the place of their literals.
//!
//! ```text
//! (<= (direction ?x ?y ?u ?v ?d) (along ?x ?u ?h) (along ?y ?v ?w) (compass ?h ?w ?d))
//! ```
//!
//! For 50 rows and columns `direction` has six million rows, `along` 2500. A literal is replaced only if the rule has
//! as many instances as it has heads: the variables that the head lacks depend on those that it has. So no rule
//! has more instances than before, and they are the same as far as they are stored.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Table, Tables};

use crate::compact::unfolding::unfold_all;
use crate::description::Predicate;
use crate::flat::lowering::predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind};
use crate::tuning::{LARGEST_PART, LEAST_COLUMNS};

/// The predicates that are products, if their tables are small. `is_fixed` are those that have to have tables.
pub fn candidates(
    flat: &FlatProgram,
    forms: &Forms,
    is_fixed: impl Fn(Predicate) -> bool,
) -> Vec<FormId> {
    let is_wide = |form: &FormId| forms.columns(*form) >= LEAST_COLUMNS;
    let is_fixed = |form: &FormId| is_fixed(forms.form(*form).predicate);
    let wide: FxHashSet<FormId> =
        forms.iter().map(|(form, _)| form).filter(|it| is_wide(it) && !is_fixed(it)).collect();
    if wide.is_empty() {
        return Vec::new();
    }
    let given: FxHashSet<FormId> = flat.facts(forms).map(|it| it.0).collect();
    let mut own: FxHashMap<FormId, Vec<&FlatRule>> = FxHashMap::default();
    for rule in flat.rules.iter().filter(|rule| wide.contains(&rule.head.form)) {
        own.entry(rule.head.form).or_default().push(rule);
    }
    let literals = || flat.rules.iter().flat_map(|rule| &rule.body);
    let used_elsewhere: FxHashSet<FormId> =
        literals().filter(|it| !is_joined_only(it)).filter_map(FlatLiteral::form).collect();
    let is_candidate = |(form, rules): &(FormId, Vec<&FlatRule>)| {
        !given.contains(form)
            && !used_elsewhere.contains(form)
            && matches!(rules[..], [only] if is_product(only))
    };
    let mut found: Vec<FormId> = own.into_iter().filter(is_candidate).map(|it| it.0).collect();
    found.sort_unstable();
    found
}

/// Whether a literal says that an atom holds and is not stored.
pub(crate) fn is_joined_only(literal: &FlatLiteral) -> bool {
    matches!(literal.kind, LiteralKind::Positive(_)) && literal.joined && !literal.stored
}

/// Whether a rule joins other predicates, perhaps under conditions, and no variable is twice in its head.
pub(crate) fn is_join(rule: &FlatRule) -> bool {
    let FlatRule { head, body, stored, .. } = rule;
    let is_twice = |(column, it): (usize, &Argument)| {
        it.variable().is_some() && head.arguments[..column].contains(it)
    };
    !stored
        && body.len() > 1
        && body.iter().all(|it| it.joined && !it.stored && it.form() != Some(head.form))
        && !head.arguments.iter().enumerate().any(is_twice)
}

/// Whether a rule joins other predicates and its head has different variables.
fn is_product(rule: &FlatRule) -> bool {
    is_join(rule)
        && rule.body.iter().all(FlatLiteral::is_positive)
        && rule.head.arguments.iter().all(|it| it.variable().is_some())
}

/// The rule of a predicate that is a join of others, if it is: it is the only one, its head has different variables,
/// and the predicate occurs positive in other rules alone.
fn definition(rules: &[FlatRule], form: FormId) -> Option<usize> {
    let mut own = (0..rules.len()).filter(|&it| rules[it].head.form == form);
    let (Some(only), None) = (own.next(), own.next()) else { return None };
    let mut uses = rules.iter().flat_map(|rule| &rule.body).filter(|it| it.form() == Some(form));
    (is_product(&rules[only]) && uses.all(is_joined_only)).then_some(only)
}

/// Puts the rule of a predicate in the place of its literals, if it is a product of complete tables that are small
/// compared with this many rows.
pub fn unfold(rules: &mut Vec<FlatRule>, form: FormId, tables: &Tables, rows: u64) -> bool {
    let Some(own) = definition(rules, form) else { return false };
    let small = |literal: &FlatLiteral| literal.form().map_or(0, |it| tables[predicate(it)].len());
    let together: usize = rules[own].body.iter().map(small).sum();
    if (together * LARGEST_PART) as u64 > rows || !is_determined(&rules[own], tables) {
        return false;
    }
    let definition = rules.remove(own);
    let mut room = usize::MAX;
    let mut unfolded = |rule| {
        unfold_all(rule, form, &[&definition], &mut room).expect("it is used positively alone")
    };
    *rules = std::mem::take(rules).into_iter().flat_map(&mut unfolded).collect();
    true
}

/// Whether the variables of the head determine the others.
pub(crate) fn is_determined(rule: &FlatRule, tables: &Tables) -> bool {
    let mut known: FxHashSet<u32> =
        rule.head.arguments.iter().filter_map(|it| it.variable()).collect();
    let binds = rule.body.iter().filter(|it| it.is_positive());
    let mut rest: Vec<&FlatAtom> = binds.filter_map(FlatLiteral::atom).collect();
    loop {
        let before = rest.len();
        rest.retain(|atom| {
            let depends = determines(&tables[predicate(atom.form)], &atom.arguments, &known);
            if depends {
                known.extend(atom.arguments.iter().filter_map(|it| it.variable()));
            }
            !depends
        });
        if rest.is_empty() || rest.len() == before {
            return rest.is_empty();
        }
    }
}

/// Whether no two rows agree in the columns whose arguments are known.
fn determines(table: &Table, arguments: &[Argument], known: &FxHashSet<u32>) -> bool {
    let is_known = |it: Argument| it.variable().is_none_or(|it| known.contains(&it));
    let columns: Vec<usize> =
        (0..arguments.len()).filter(|&column| is_known(arguments[column])).collect();
    columns.len() == arguments.len() || table.firsts(&columns).all(|(row, first)| row == first)
}

#[cfg(test)]
mod tests;
