//! What a rule and the legality of its move say of the same things.

use crate::compact::definitions::Definitions;
use crate::compact::invariants::state_invariants::single_valued::{Claim, Relation};
use crate::description::{Atom, Term};
use crate::rules::{Literal, Rule, Substitution, argument_of, variables_of};
use crate::symbols::Symbol;

/// Makes atoms that a rule and the legality of its move use the same where they must be: fluents, and what static
/// predicates say of them. Returns the variables of such literals of the rule. `None` if that cannot be.
pub(super) fn link(
    (rule, made): (&Rule, &Atom),
    body: &[Literal],
    values: &mut Substitution,
    definitions: &Definitions<'_>,
    holds: &mut dyn FnMut(Claim) -> bool,
) -> Option<Vec<Symbol>> {
    let needed = single(&rule.body, definitions);
    let legal = single(body, definitions);
    let implied = variables_of(&made.arguments);
    let mut linked: Vec<Symbol> = Vec::new();
    loop {
        let mut is_new = false;
        for &(of, arguments) in &needed {
            for &(_, others) in legal.iter().filter(|it| it.0 == of) {
                let variables = variables_of(arguments);
                let is_static = matches!(of, Relation::Static(_));
                let is_linked = !is_static || variables.iter().any(|it| linked.contains(it));
                if !is_linked && !variables.iter().any(|it| implied.contains(it)) {
                    continue;
                }
                let arity = arguments.len();
                let is_same = |at: &usize| values.are_same(&others[*at], &arguments[*at]);
                let key: u64 = (0..arity).filter(is_same).map(|at| 1 << at).sum();
                if key.count_ones() as usize != arity {
                    if is_static && key == 0 || !holds(Claim { of, key }) {
                        continue;
                    }
                    if !values.unify_all(others, arguments) {
                        return None;
                    }
                    is_new = true;
                }
                let before = linked.len();
                linked.extend(variables.into_iter().filter(|_| is_linked));
                linked.sort_unstable();
                linked.dedup();
                is_new |= linked.len() > before;
            }
        }
        if !is_new {
            return Some(linked);
        }
    }
}

/// The literals of a body that may have one value for a key: fluents and static predicates, with their arguments.
fn single<'b>(body: &'b [Literal], definitions: &Definitions<'_>) -> Vec<(Relation, &'b [Term])> {
    let arguments = body.iter().filter_map(|literal| {
        let Literal::Positive(atom) = literal else { return None };
        let (of, arguments) = match argument_of(atom, definitions.keywords.true_) {
            Some(Term::Compound(it)) => {
                (Relation::Fluents(it.functor, it.arguments.len()), &it.arguments)
            }
            Some(Term::Constant(_) | Term::Variable(_)) => return None,
            None if definitions.is_static(literal) => {
                (Relation::Static(atom.predicate()), &atom.arguments)
            }
            None => return None,
        };
        (arguments.len() <= 64).then_some((of, arguments.as_slice()))
    });
    arguments.collect()
}
