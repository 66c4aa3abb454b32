//! Which rules can fire at all, as far as names show: each positive literal is matched with the heads of rules that can.

use fxhash::{FxHashMap, FxHashSet};

use crate::description::{Atom, Keywords, Predicate, Term};
use crate::kif::Span;
use crate::rules::{Literal, Rule, Rules};

/// Heads that are compared with the literals of rules; with more, it is taken that they match.
const MOST_COMPARED: usize = 1 << 22;

/// The heads of the rules that may fire.
pub(super) struct Firing<'r> {
    rules: &'r Rules,
    /// By predicate: the rules about it, by their positions.
    about: FxHashMap<Predicate, Vec<usize>>,
    can_fire: Vec<bool>,
    compared: std::cell::Cell<usize>,
}

impl<'r> Firing<'r> {
    /// The least set of rules whose positive literals are all about predicates that one of them derives.
    pub(super) fn new(rules: &'r Rules) -> Self {
        let mut about: FxHashMap<Predicate, Vec<usize>> = FxHashMap::default();
        // By predicate: the rules that read it.
        let mut readers: FxHashMap<Predicate, Vec<usize>> = FxHashMap::default();
        let mut lacking = Vec::with_capacity(rules.rules.len());
        for (position, rule) in rules.rules.iter().enumerate() {
            about.entry(rule.head.predicate()).or_default().push(position);
            let read: FxHashSet<Predicate> = positive(rule).map(Atom::predicate).collect();
            lacking.push(read.len());
            read.into_iter().for_each(|it| readers.entry(it).or_default().push(position));
        }
        let mut can_fire = vec![false; rules.rules.len()];
        let mut derived = FxHashSet::default();
        let mut agenda: Vec<usize> = (0..lacking.len()).filter(|&it| lacking[it] == 0).collect();
        while let Some(position) = agenda.pop() {
            can_fire[position] = true;
            for predicate in gives(rules.rules[position].head.predicate(), &rules.keywords) {
                if !derived.insert(predicate) {
                    continue;
                }
                for &reader in readers.get(&predicate).into_iter().flatten() {
                    lacking[reader] -= 1;
                    if lacking[reader] == 0 {
                        agenda.push(reader);
                    }
                }
            }
        }
        Firing { rules, about, can_fire, compared: std::cell::Cell::new(0) }
    }

    /// A positive literal of a rule that no head matches, or a comparison of a term with itself, if there is one.
    pub(super) fn never_holds(&self, rule: &Rule) -> Option<Span> {
        let alike = rule.body.iter().find_map(|literal| match literal {
            Literal::Distinct(left, right) if left == right => Some(rule.span),
            _ => None,
        });
        let unmatched = || positive(rule).find(|it| !self.may_hold(it)).map(|it| it.span);
        alike.or_else(unmatched)
    }

    fn may_hold(&self, atom: &Atom) -> bool {
        let keywords = &self.rules.keywords;
        let predicate = |name| Predicate { name, ..atom.predicate() };
        let heads = match atom.predicate {
            name if name == keywords.true_ => vec![keywords.init, keywords.next],
            name if name == keywords.does => vec![keywords.legal],
            name => vec![name],
        };
        let rules = heads.into_iter().filter_map(|it| self.about.get(&predicate(it))).flatten();
        let mut firing = rules.filter(|&&it| self.can_fire[it]);
        firing.any(|&rule| {
            self.compared.set(self.compared.get() + 1);
            self.compared.get() > MOST_COMPARED || atoms_match(atom, &self.rules.rules[rule].head)
        })
    }
}

fn positive(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        _ => None,
    })
}

/// What holds, in some state, where a predicate is derived.
fn gives(predicate: Predicate, keywords: &Keywords) -> impl Iterator<Item = Predicate> {
    let in_play = match predicate.name {
        name if name == keywords.init || name == keywords.next => Some(keywords.true_),
        name if name == keywords.legal => Some(keywords.does),
        _ => None,
    };
    in_play.map(|name| Predicate { name, ..predicate }).into_iter().chain([predicate])
}

/// Whether two atoms of one predicate may have a common instance: no two of their names clash.
fn atoms_match(one: &Atom, other: &Atom) -> bool {
    one.arguments.iter().zip(&other.arguments).all(|(one, other)| may_match(one, other))
}

fn may_match(one: &Term, other: &Term) -> bool {
    match (one, other) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Compound(one), Term::Compound(other)) => {
            one.functor == other.functor
                && one.arguments.len() == other.arguments.len()
                && one
                    .arguments
                    .iter()
                    .zip(&other.arguments)
                    .all(|(one, other)| may_match(one, other))
        }
        _ => false,
    }
}
