//! Which variables of a rule depend on others: given those there is a single value, so that nothing repeats
//! if it is not stored.

use crate::instantiate::request::Template;
use crate::program::{Argument, Atom};
use crate::table::{Constants, Table};
use crate::tables::Tables;

/// By variable: whether it has a single value, given the variables `known`. Tables of more than about `worth`
/// rows are not looked at.
pub(super) fn determined_variables(
    template: &Template,
    known: &[bool],
    tables: &Tables,
    worth: usize,
) -> Vec<bool> {
    let mut known = known.to_vec();
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
    let fits = |tuple: &Constants<'_>| {
        let constant =
            |it: &Argument| if let Argument::Constant(it) = *it { Some(it) } else { None };
        atom.arguments
            .iter()
            .zip(tuple.iter())
            .all(|(it, value)| constant(it).is_none_or(|it| it == value))
    };
    let mut keys = Table::new(columns.len());
    let mut key = Vec::new();
    table.rows().filter(fits).all(|tuple| {
        key.clear();
        key.extend(columns.iter().map(|&column| tuple[column]));
        keys.insert(&key).1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instantiate::StoredAtom;
    use crate::program::{Literal, Program, Rule};

    /// Which of the variables of `successor(X, Y), at(Y, Z)` depend on these.
    fn dependent(known: [bool; 3]) -> Vec<bool> {
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
            head: StoredAtom { space: 0, arguments: Vec::new().into() },
            body: Vec::new(),
        };
        determined_variables(&template, &known, &tables, 10)
    }

    #[test]
    fn what_follows_from_unique_rows_is_determined() {
        assert_eq!(dependent([true, false, false]), [true, true, true]);
        assert_eq!(dependent([false, true, false]), [true, true, true]);
        assert_eq!(dependent([false, false, true]), [false, false, true]);
    }
}
