//! The literals of a rule that use a move together, and the rules in which each group uses it by itself.

use groundfrog_engine::Argument;
use groundfrog_engine::projection::VariableSet;

use crate::compact::estimate::{fits, literal_variables, variables};
use crate::compact::variables::{map_arguments, renumbered, variables_of};
use crate::flat::{FlatLiteral, FlatRule};

/// The head, or literals, that use a move once.
#[derive(Default, PartialEq)]
struct MoveUse {
    /// The arguments of the move that they need.
    needed: VariableSet,
    /// The other variables that they have.
    others: VariableSet,
    literals: Vec<usize>,
}

/// What makes a group of literals.
#[derive(Clone, Copy)]
enum Bond {
    /// They have variables in common that are no arguments of the move.
    Variables,
    /// They need the same arguments of the move.
    Arguments,
}

/// The arguments of the literal `at`, and its role.
struct MoveLiteral {
    at: usize,
    own: VariableSet,
    of_role: VariableSet,
}

/// The rules that use a move of a rule once for each group, with names of their own for its arguments.
pub(super) fn parted(rule: &FlatRule, at: usize) -> Vec<FlatRule> {
    let atom = rule.body[at].atom();
    let Some((&role, arguments)) = atom.and_then(|it| it.arguments.split_first()) else {
        return Vec::new();
    };
    let of_role = variables(&[role]);
    let one = MoveLiteral { at, own: variables(arguments) & !of_role, of_role };
    let groups = |bond| groups(rule, &one, bond);
    let (first, second) = (groups(Bond::Variables), groups(Bond::Arguments));
    let second = (second != first).then_some(second);
    let all = [Some(first), second].into_iter().flatten();
    all.filter_map(|groups| parted_by(rule, &one, &groups)).collect()
}

/// The rule that uses a move once for each group that needs arguments of it; none if there are not several.
fn parted_by(rule: &FlatRule, one: &MoveLiteral, groups: &[MoveUse]) -> Option<FlatRule> {
    if groups.iter().filter(|it| it.needed != 0).count() < 2 {
        return None;
    }
    let mut next = rule.body.iter().flat_map(variables_of).max()? + 1;
    let mut body = Vec::new();
    for (position, group) in groups.iter().enumerate() {
        // The head keeps its names.
        let kept = if position == 0 { group.needed } else { 0 };
        let first = next;
        let name = |argument: Argument| match argument.variable() {
            Some(own) if one.own & !kept & (1 << own) != 0 => Argument::Variable(first + own),
            _ => argument,
        };
        let renamed = |at: usize| {
            let literal = &rule.body[at];
            FlatLiteral { kind: map_arguments(&literal.kind, &name), ..*literal }
        };
        let own_move = (group.needed != 0).then_some(one.at);
        body.extend(own_move.into_iter().chain(group.literals.iter().copied()).map(renamed));
        next = first + VariableSet::BITS;
    }
    let parted = renumbered(&FlatRule { body, ..rule.clone() });
    fits(&parted).then_some(parted)
}

/// The head, and the groups of the rest of a rule's body.
fn groups(rule: &FlatRule, one: &MoveLiteral, bond: Bond) -> Vec<MoveUse> {
    let head = variables(&rule.head.arguments) & one.own;
    let mut groups = vec![MoveUse { needed: head, ..MoveUse::default() }];
    let mut about_move_alone = Vec::new();
    for it in (0..rule.body.len()).filter(|&it| it != one.at) {
        let all = literal_variables(&rule.body[it]);
        let (needed, others) = (all & one.own, all & !(one.own | one.of_role));
        if others == 0 && needed != 0 {
            about_move_alone.push((it, needed));
            continue;
        }
        let mut group = MoveUse { needed, others, literals: vec![it] };
        let is_bound = |other: &MoveUse| match bond {
            Bond::Variables => other.others & others != 0,
            Bond::Arguments => other.needed == needed && needed != 0,
        };
        // Most literals of a long body have no variables.
        if needed | others != 0 {
            for other in groups.extract_if(1.., |other| is_bound(other)) {
                group.needed |= other.needed;
                group.others |= other.others;
                group.literals.extend(other.literals);
            }
        }
        group.literals.sort_unstable();
        groups.push(group);
    }
    // What restricts a move stands wherever its arguments are needed; what is stored, once.
    for (it, needed) in about_move_alone {
        let mut places = groups.iter_mut().filter(|group| needed & !group.needed == 0).peekable();
        if places.peek().is_none() {
            drop(places);
            groups.push(MoveUse { needed, others: 0, literals: vec![it] });
        } else {
            let count = if rule.body[it].stored { 1 } else { usize::MAX };
            places.take(count).for_each(|group| group.literals.push(it));
        }
    }
    groups
}
