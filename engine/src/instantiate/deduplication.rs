//! Which templates can give the same ground rule, so that only those pay for looking.
//!
//! Two instances are the same rule if their heads and their sets of literals are. What is the same in both follows from the
//! head, from literals that no other one of the body can be, and from tables in which these determine the rest.

use std::borrow::Cow;

use fxhash::FxHashMap;

use super::{Compiled, Task};
use super::{StoredAtom, StoredLiteral, Template};
use crate::plan::{Plan, Step};
use crate::program::{Argument, Atom, Literal};
use crate::table::Tables;
use crate::table::{Constants, Table};
use crate::tuning::PAIRWISE;

/// Head space and the set of signed body spaces.
type Signature = (u32, Vec<(u32, bool)>);

fn signature(template: &Template) -> Signature {
    let mut body: Vec<_> = template.body.iter().map(|it| (it.atom.space, it.negated)).collect();
    body.sort_unstable();
    body.dedup();
    (template.head.space, body)
}

/// Puts templates into tasks: those of different tasks never give the same rule.
pub(super) fn tasks(
    compiled: Vec<Compiled>,
    templates: &[Cow<'_, Template>],
    tables: &Tables,
) -> Vec<Task> {
    let mut groups: FxHashMap<Signature, Vec<Compiled>> = FxHashMap::default();
    for mut it in compiled {
        let template = &templates[it.index];
        it.repeats = repeats(template, &it.plan, tables);
        it.doubles = doubles(template);
        groups.entry(signature(template)).or_default().push(it);
    }
    let mut tasks: Vec<Task> =
        groups.into_values().flat_map(|it| apart(it, templates, tables)).collect();
    tasks.sort_by_key(|task| task.templates[0].index);
    tasks
}

/// Divides templates of one signature by what can be the same. Where they are too many to be compared, all can.
fn apart(group: Vec<Compiled>, templates: &[Cow<'_, Template>], tables: &Tables) -> Vec<Task> {
    let may_be_same = |one: &Compiled, other: &Compiled| {
        let worth = (one.plan.cost.max(other.plan.cost) / 32.0) as usize;
        !are_apart([one, other].map(|it| &*templates[it.index]), tables, worth)
    };
    let mut together: Vec<Vec<Compiled>> = Vec::new();
    if group.len() > PAIRWISE {
        together.push(group);
    } else {
        for member in group {
            let (same, others): (Vec<_>, Vec<_>) =
                together.into_iter().partition(|it| it.iter().any(|it| may_be_same(it, &member)));
            together = others;
            let mut same: Vec<Compiled> = same.into_iter().flatten().collect();
            same.sort_by_key(|it| it.index);
            same.push(member);
            together.push(same);
        }
    }
    let task = |templates: Vec<Compiled>| {
        let may_repeat = templates.len() > 1 || templates[0].repeats;
        Task { templates, may_repeat }
    };
    together.into_iter().map(task).collect()
}

/// Whether two templates of one signature never give the same rule: where heads, and the only literals of a kind, are the same, a
/// condition fails. Tables of more than `worth` rows are not looked at.
fn are_apart(pair: [&Template; 2], tables: &Tables, worth: usize) -> bool {
    let Some(terms) = Terms::of_same(pair) else { return true };
    let conditions = || {
        let of = |side: usize| pair[side].rule.body.iter().map(move |it| (side, it));
        of(0).chain(of(1))
    };
    let fails = |(side, condition): (usize, &Literal)| match condition {
        Literal::Distinct(left, right) => {
            left.iter().zip(right).all(|(&it, &at)| terms.value(side, it) == terms.value(side, at))
        }
        Literal::Positive(atom) => {
            let table = &tables[atom.predicate];
            let tuple = terms.tuple(side, atom);
            table.len() <= worth && !table.rows().any(|row| fits(&tuple, row))
        }
        Literal::Negative(atom) => {
            let tuple = terms.tuple(side, atom);
            conditions().any(|(side, it)| {
                matches!(it, Literal::Positive(it)
                    if it.predicate == atom.predicate && terms.tuple(side, it) == tuple)
            })
        }
    };
    conditions().any(fails)
}

/// Whether a row has these constants, and equal constants where a variable repeats.
fn fits(pattern: &[Argument], row: Constants<'_>) -> bool {
    pattern.iter().zip(row.iter()).enumerate().all(|(column, (&it, value))| match it {
        Argument::Constant(constant) => constant == value,
        Argument::Variable(_) => {
            let first = pattern[..column].iter().position(|&other| other == it);
            first.is_none_or(|first| row[first] == value)
        }
    })
}

/// What the variables of two rules stand for: constants, or each other.
struct Terms {
    /// How many variables the first rule has.
    first: usize,
    values: Vec<Argument>,
}

impl Terms {
    /// What follows from the heads of two templates, and the only literals of each kind, being the same; `None` if they cannot be.
    fn of_same(pair: [&Template; 2]) -> Option<Self> {
        let [first, second] = pair.map(|it| it.rule.variable_count());
        let values = (0..(first + second) as u32).map(Argument::Variable).collect();
        let mut terms = Terms { first, values };
        let only = |template: &'_ Template, kind: (u32, bool)| {
            let mut alike = template.body.iter().filter(|it| (it.atom.space, it.negated) == kind);
            alike.next().filter(|_| alike.next().is_none()).map(|it| it.atom.clone())
        };
        let kinds = pair[0].body.iter().map(|it| (it.atom.space, it.negated));
        let alone = kinds.filter_map(|kind| only(pair[0], kind).zip(only(pair[1], kind)));
        let heads = (pair[0].head.clone(), pair[1].head.clone());
        for (one, other) in alone.chain([heads]) {
            for (&one, &other) in one.arguments.iter().zip(&other.arguments) {
                let (one, other) = (terms.value(0, one), terms.value(1, other));
                match (one, other) {
                    _ if one == other => {}
                    (Argument::Variable(variable), value)
                    | (value, Argument::Variable(variable)) => {
                        terms.values[variable as usize] = value;
                    }
                    _ => return None,
                }
            }
        }
        Some(terms)
    }

    /// What the arguments of an atom of one of the rules stand for.
    fn tuple(&self, side: usize, atom: &Atom) -> Vec<Argument> {
        atom.arguments.iter().map(|&it| self.value(side, it)).collect()
    }

    /// What an argument of one of the rules stands for.
    fn value(&self, side: usize, argument: Argument) -> Argument {
        let offset = if side == 0 { 0 } else { self.first as u32 };
        let mut value = match argument {
            Argument::Constant(_) => return argument,
            Argument::Variable(variable) => Argument::Variable(variable + offset),
        };
        while let Argument::Variable(variable) = value {
            let next = self.values[variable as usize];
            if next == value {
                break;
            }
            value = next;
        }
        value
    }
}

/// Whether two atoms have different constants in a column.
fn differ(one: &StoredAtom, other: &StoredAtom) -> bool {
    let mut pairs = one.arguments.iter().zip(&other.arguments);
    pairs.any(
        |pair| matches!(pair, (Argument::Constant(one), Argument::Constant(other)) if one != other),
    )
}

/// Whether two instances of a template may be the same rule.
fn repeats(template: &Template, plan: &Plan, tables: &Tables) -> bool {
    let known = determined(template, tables, plan.cost as usize / 4);
    let binds_lost = |step: &Step| step.bind.iter().any(|&(_, it)| !known[it as usize]);
    plan.steps[..plan.significant].iter().any(|step| !step.once && binds_lost(step))
}

/// The pairs of slots of a body that may have the same literal.
fn doubles(template: &Template) -> Vec<(usize, usize)> {
    let is_distinct = |pair: (&Argument, &Argument)| {
        template.rule.body.iter().any(|it| match it {
            Literal::Distinct(left, right) => {
                matches!((&left[..], &right[..]), ([left], [right])
                    if (left, right) == pair || (right, left) == pair)
            }
            _ => false,
        })
    };
    let may_be_same = |one: &StoredLiteral, other: &StoredLiteral| {
        (one.negated, one.atom.space) == (other.negated, other.atom.space)
            && !differ(&one.atom, &other.atom)
            && !one.atom.arguments.iter().zip(&other.atom.arguments).any(is_distinct)
    };
    let body = &template.body;
    let pairs = (0..body.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
    let doubles = pairs.filter(|&(one, other)| may_be_same(&body[one], &body[other]));
    // The first slot is that of the head.
    doubles.map(|(one, other)| (one + 1, other + 1)).collect()
}

/// By variable: whether it has the same constant in all instances that are the same rule. Tables of more than about `worth` rows
/// are not looked at.
fn determined(template: &Template, tables: &Tables, worth: usize) -> Vec<bool> {
    let mut known = vec![false; template.rule.variable_count()];
    let body = &template.body;
    let is_other = |it: &StoredLiteral, other: &StoredLiteral| {
        (it.atom.space, it.negated) != (other.atom.space, other.negated)
            || differ(&it.atom, &other.atom)
    };
    let alone = (0..body.len())
        .filter(|&it| (0..body.len()).all(|at| at == it || is_other(&body[it], &body[at])));
    let stored = alone.map(|it| &body[it].atom).chain([&template.head]);
    for variable in stored.flat_map(|it| &it.arguments).filter_map(|it| it.variable()) {
        known[variable as usize] = true;
    }
    let mut atoms: Vec<&Atom> = template.rule.positive_atoms().collect();
    loop {
        let found = atoms.iter().position(|atom| {
            atom.variables().any(|it| !known[it as usize])
                && tables[atom.predicate].len() <= worth
                && is_key(atom, &known, &tables[atom.predicate])
        });
        let Some(found) = found else { return known };
        let atom = atoms.swap_remove(found);
        atom.variables().for_each(|it| known[it as usize] = true);
    }
}

/// Whether the rows that fit an atom differ in the columns that are known.
fn is_key(atom: &Atom, known: &[bool], table: &Table) -> bool {
    let is_known = |&column: &usize| match atom.arguments[column] {
        Argument::Constant(_) => true,
        Argument::Variable(variable) => known[variable as usize],
    };
    let columns: Vec<usize> = (0..table.arity()).filter(is_known).collect();
    let mut keys = Table::new(columns.len());
    let mut key = Vec::new();
    table.rows().filter(|row| fits(&atom.arguments, *row)).all(|tuple| {
        key.clear();
        key.extend(columns.iter().map(|&column| tuple[column]));
        keys.insert(&key).1
    })
}

/// Whether instances of a template may be the same as others, of any template, if negated literals are left out of them.
pub(super) fn shortened(
    compiled: &Compiled,
    templates: &[Cow<'_, Template>],
    tables: &Tables,
) -> bool {
    let without_negated = |template: &Template| {
        let mut shortened = template.clone();
        shortened.body.retain(|literal| !literal.negated);
        shortened
    };
    let template = without_negated(&templates[compiled.index]);
    let (signature, worth) = (signature(&template), (compiled.plan.cost / 16.0) as usize);
    let others = templates.iter().enumerate().filter(|it| it.0 != compiled.index);
    repeats(&template, &compiled.plan, tables)
        || others
            .filter(|(_, it)| it.head.space == template.head.space)
            .map(|(_, it)| without_negated(it))
            .any(|it| {
                self::signature(&it) == signature && !are_apart([&it, &template], tables, worth)
            })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Literal, Program, Rule};

    /// Which of the variables of `successor(X, Y), at(Y, Z)` are the same where those of the head are.
    fn dependent(head: &[u32]) -> Vec<bool> {
        let mut program = Program::default();
        let successor = program.add_predicate("successor", 2);
        let at = program.add_predicate("at", 2);
        let mut tables = Tables::new(&program);
        for (predicate, row) in
            [(successor, [1, 2]), (successor, [2, 3]), (at, [2, 7]), (at, [3, 7])]
        {
            tables.insert(predicate, &row);
        }
        let atom = |predicate, variables: [u32; 2]| Atom {
            predicate,
            arguments: variables.map(Argument::Variable).to_vec().into(),
        };
        let body = [atom(successor, [0, 1]), atom(at, [1, 2])].map(Literal::Positive).to_vec();
        let template = Template {
            rule: Rule::new(atom(successor, [0, 1]), body),
            head: StoredAtom {
                space: 0,
                arguments: head.iter().map(|&it| Argument::Variable(it)).collect(),
            },
            body: Vec::new(),
        };
        determined(&template, &tables, 10)
    }

    #[test]
    fn what_follows_from_unique_rows_is_determined() {
        assert_eq!(dependent(&[0]), [true, true, true]);
        assert_eq!(dependent(&[1]), [true, true, true]);
        assert_eq!(dependent(&[2]), [false, false, true]);
    }
}
