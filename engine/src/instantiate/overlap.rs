//! Whether two templates, or two instances of one, can store the same rule.
//!
//! They can only if heads and literals can be made equal. Literals that have a single counterpart are made
//! equal first; what follows from that may leave others without a counterpart, contradict a `distinct`, or ask
//! for a row that no table has.

use std::cell::Cell;

use super::terms::{Side, Terms, unify};
use super::{StoredLiteral, Template};
use crate::program::{Argument, Constant, Literal, PredicateId};
use crate::table::{Table, Tables};

/// Searches in larger tables are counted.
const LARGE: usize = 1 << 13;

/// Finds out whether tables have rows of a certain form.
pub(super) struct Rows<'run> {
    pub(super) tables: &'run Tables,
    /// How many rows of large tables may still be looked at.
    left: Cell<u64>,
    /// Room for conditions.
    room: Cell<(Conditions, Vec<(usize, usize)>)>,
}

/// Columns and what they have to be.
type Conditions = Vec<(usize, Constant)>;

impl<'run> Rows<'run> {
    /// All large tables together are not searched much more often than once.
    pub(super) fn new(tables: &'run Tables) -> Self {
        let left = Cell::new(tables.tuple_count() + 16 * LARGE as u64);
        Rows { tables, left, room: Cell::default() }
    }

    /// Whether a table may have a row with these constants, and equal constants where a variable repeats.
    fn may_have(
        &self,
        predicate: PredicateId,
        pattern: impl Iterator<Item = Argument> + Clone,
    ) -> bool {
        let (mut constants, mut repeated) = self.room.take();
        constants.clear();
        repeated.clear();
        for (position, argument) in pattern.clone().enumerate() {
            match argument {
                Argument::Constant(constant) => constants.push((position, constant)),
                Argument::Variable(_) => {
                    let first = pattern.clone().take(position).position(|it| it == argument);
                    repeated.extend(first.map(|first| (first, position)));
                }
            }
        }
        let may_have = self.may_have_such(&self.tables[predicate], &constants, &repeated);
        self.room.set((constants, repeated));
        may_have
    }

    fn may_have_such(
        &self,
        table: &Table,
        constants: &[(usize, Constant)],
        repeated: &[(usize, usize)],
    ) -> bool {
        if constants.is_empty() && repeated.is_empty() {
            return !table.is_empty();
        }
        if table.len() > LARGE {
            let Some(left) = self.left.get().checked_sub(table.len() as u64) else { return true };
            self.left.set(left);
        }
        // One column alone is looked through much faster than rows.
        if let (&[(position, constant)], []) = (constants, repeated) {
            return table.column(position).any(|it| it == constant);
        }
        table.rows().any(|tuple| {
            constants.iter().all(|&(position, constant)| tuple[position] == constant)
                && repeated.iter().all(|&(first, position)| tuple[first] == tuple[position])
        })
    }
}

/// Whether some instances of two templates may be the same rule. A no is certain.
pub(super) fn may_coincide(left: &Template, right: &Template, rows: &Rows<'_>) -> bool {
    let [left, right] = Side::both(left, right);
    let mut terms = Terms::new(right.end());
    unify(&left, &left.template.head, &right, &right.template.head, &mut terms)
        && unify_bodies(&left, &right, &mut terms, rows)
        && [&left, &right].iter().all(|side| side.may_hold(&terms, rows))
}

/// Whether an instance of a template may have a literal twice. A no is certain.
pub(super) fn may_have_literal_twice(template: &Template, rows: &Rows<'_>) -> bool {
    let side = Side { template, offset: 0 };
    let body = &template.body;
    let may_equal = |left: &StoredLiteral, right: &StoredLiteral| {
        let mut terms = Terms::new(template.rule.variable_count());
        left.negated == right.negated
            && unify(&side, &left.atom, &side, &right.atom, &mut terms)
            && side.may_hold(&terms, rows)
    };
    let mut literals = body.iter().enumerate();
    literals.any(|(at, left)| body[..at].iter().any(|right| may_equal(left, right)))
}

/// Whether two instances of a template that differ in the needed variables may be the same rule. A no is certain.
pub(super) fn may_coincide_with_itself(
    template: &Template,
    needed: &[bool],
    rows: &Rows<'_>,
) -> bool {
    let [one, other] = Side::both(template, template);
    let mut terms = Terms::new(other.end());
    // Mostly the head has all variables that matter.
    unify(&one, &template.head, &other, &template.head, &mut terms)
        && !are_same(&terms, needed)
        && unify_bodies(&one, &other, &mut terms, rows)
        && !are_same(&terms, needed)
}

/// Whether two instances have the same constants for the needed variables.
pub(super) fn are_same(terms: &Terms, needed: &[bool]) -> bool {
    let of = |variable: usize| Argument::Variable(variable as u32);
    let variables = needed.len();
    (0..variables).all(|it| !needed[it] || terms.are_equal(of(it), of(it + variables)))
}

impl Side<'_> {
    /// Whether the rule's conditions can hold with what is equal.
    fn may_hold(&self, terms: &Terms, rows: &Rows<'_>) -> bool {
        self.template.rule.body.iter().all(|literal| match literal {
            Literal::Positive(atom) => {
                let resolve = |&it: &Argument| terms.resolve(self.term(it));
                rows.may_have(atom.predicate, atom.arguments.iter().map(resolve))
            }
            Literal::Negative(_) => true,
            Literal::Distinct(left, right) => left.iter().zip(right).any(|(&left, &right)| {
                terms.resolve(self.term(left)) != terms.resolve(self.term(right))
            }),
        })
    }
}

/// Makes equal what has to be. Returns whether it can be.
fn unify_bodies(left: &Side<'_>, right: &Side<'_>, terms: &mut Terms, rows: &Rows<'_>) -> bool {
    let mut done = vec![false; left.template.body.len() + right.template.body.len()];
    loop {
        let mut changed = false;
        for (one, other, first) in [(left, right, 0), (right, left, left.template.body.len())] {
            for (position, literal) in one.template.body.iter().enumerate() {
                if done[first + position] {
                    continue;
                }
                let has_space = |it: &&StoredLiteral| {
                    it.negated == literal.negated && it.atom.space == literal.atom.space
                };
                let mut possible = other.template.body.iter().filter(has_space);
                let Some(first_possible) = possible.next() else { return false };
                if possible.next().is_none() {
                    if !unify(one, &literal.atom, other, &first_possible.atom, terms) {
                        return false;
                    }
                    done[first + position] = true;
                    changed = true;
                    continue;
                }
                let mut counterparts: Vec<Terms> = Vec::new();
                for it in other.template.body.iter().filter(has_space) {
                    let mut equal = terms.clone();
                    if unify(one, &literal.atom, other, &it.atom, &mut equal) {
                        counterparts.push(equal);
                    }
                }
                if counterparts.len() > 1 {
                    let may_hold =
                        |equal: &Terms| [one, other].iter().all(|it| it.may_hold(equal, rows));
                    counterparts.retain(may_hold);
                }
                match counterparts.as_slice() {
                    [] => return false,
                    [equal] => {
                        terms.clone_from(equal);
                        done[first + position] = true;
                        changed = true;
                    }
                    _ => {}
                }
            }
        }
        if !changed {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instantiate::StoredAtom;
    use crate::program::{Atom, Program, Rule};

    const X: Argument = Argument::Variable(0);
    const Y: Argument = Argument::Variable(1);

    /// `head(X) <- at(arguments), conditions`, where `at` has the rows (1, 2) and (2, 1).
    fn overlap(rules: [(&[Argument], Vec<Literal>); 2]) -> bool {
        let mut program = Program::default();
        let at = program.add_predicate("at", 2);
        let mut tables = Tables::new(&program);
        tables.insert(at, &[1, 2]);
        tables.insert(at, &[2, 1]);
        let [left, right] = rules.map(|(arguments, conditions)| {
            let atom = Atom { predicate: at, arguments: arguments.to_vec() };
            let stored = StoredAtom { space: 1, arguments: arguments.to_vec() };
            let mut body = vec![Literal::Positive(atom.clone())];
            body.extend(conditions);
            Template {
                rule: Rule::new(atom, body),
                head: StoredAtom { space: 0, arguments: vec![X] },
                body: vec![StoredLiteral { atom: stored, negated: false, source: Some(0) }],
            }
        });
        may_coincide(&left, &right, &Rows::new(&tables))
    }

    #[test]
    fn rules_over_the_same_atoms_may_coincide() {
        assert!(overlap([(&[X, Y], vec![]), (&[X, Y], vec![])]));
        assert!(overlap([(&[X, Y], vec![]), (&[X, Argument::Constant(1)], vec![])]));
    }

    #[test]
    fn equal_literals_can_contradict_a_distinct() {
        let differ = || vec![Literal::Distinct(vec![X], vec![Y])];
        assert!(!overlap([(&[X, Y], differ()), (&[X, X], vec![])]));
        assert!(overlap([(&[X, Y], differ()), (&[X, Y], vec![])]));
    }

    /// `head(...) <- at(X, Y), at(Y, Z)`, where `at` has these rows.
    fn chain_may_repeat(rows: &[[Constant; 2]], head: &[Argument]) -> bool {
        let mut program = Program::default();
        let at = program.add_predicate("at", 2);
        let mut tables = Tables::new(&program);
        for row in rows {
            tables.insert(at, row);
        }
        let pairs = [vec![X, Y], vec![Y, Argument::Variable(2)]];
        let stored = |(source, arguments): (usize, &Vec<Argument>)| StoredLiteral {
            atom: StoredAtom { space: 1, arguments: arguments.clone() },
            negated: false,
            source: Some(source),
        };
        let atom = |arguments: &Vec<Argument>| Atom { predicate: at, arguments: arguments.clone() };
        let template = Template {
            rule: Rule::new(
                atom(&pairs[0]),
                pairs.iter().map(atom).map(Literal::Positive).collect(),
            ),
            head: StoredAtom { space: 0, arguments: head.to_vec() },
            body: pairs.iter().enumerate().map(stored).collect(),
        };
        may_have_literal_twice(&template, &Rows::new(&tables))
            || may_coincide_with_itself(&template, &[true; 3], &Rows::new(&tables))
    }

    #[test]
    fn a_rule_may_have_a_literal_twice_only_if_there_is_such_a_row() {
        assert!(chain_may_repeat(&[[1, 1]], &[X]));
        assert!(!chain_may_repeat(&[[1, 2], [2, 3]], &[X]));
    }

    #[test]
    fn literals_that_may_change_places_may_give_a_rule_again() {
        assert!(chain_may_repeat(&[[1, 2], [2, 1]], &[]));
        assert!(!chain_may_repeat(&[[1, 2], [2, 1]], &[X]));
    }

    #[test]
    fn equal_literals_can_ask_for_a_row_that_is_not_there() {
        assert!(!overlap([(&[X, Y], vec![]), (&[X, X], vec![])]));
        let three = Argument::Constant(3);
        assert!(!overlap([(&[X, Y], vec![]), (&[X, three], vec![])]));
    }
}
