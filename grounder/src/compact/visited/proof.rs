//! Whether every search succeeds with its list that succeeds without it: the conditions of the argument in
//! [`super`].

mod guards;
mod symmetry;

use fxhash::{FxHashMap, FxHashSet};

use super::resolution::{Resolution, Wanted};
use super::search::{Search, Step};
use crate::compact::definitions::Definitions;
use crate::description::{Predicate, Term, Terms};
use crate::rules::{Literal, Rule, Rules, for_each_variable};
use crate::symbols::Symbol;
use crate::ticker::Ticker;
use crate::tuning::visited::proof::MAX_ELEMENTS;
use symmetry::Universe;

/// Which atom of a step an element belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    /// The one that is demanded.
    Head,
    /// The one that the step goes on with.
    Call,
}

/// A search and where it is from.
pub(super) struct Proof<'d, 'r, 's, 'p, 'b> {
    rules: &'r Rules,
    search: &'s Search,
    resolution: Resolution<'d, 'r, 'p, 'b>,
}

/// How a list begins.
struct Beginning {
    list: Term,
    /// What the list begins with, if anything.
    element: Option<Term>,
}

impl<'d, 'r, 's, 'p, 'b> Proof<'d, 'r, 's, 'p, 'b> {
    pub(super) fn new(
        rules: &'r Rules,
        definitions: &'d Definitions<'r>,
        search: &'s Search,
        ticker: &'p mut Ticker<'b>,
    ) -> Self {
        Proof { rules, search, resolution: Resolution::new(definitions, ticker) }
    }

    /// Whether the list decides nothing. Returns how many things can be visited; `None` if it may decide, or
    /// if that takes too long to find out.
    pub(super) fn elements(&mut self) -> Option<usize> {
        [Anchor::Head, Anchor::Call].into_iter().find_map(|anchor| self.elements_by(anchor))
    }

    fn elements_by(&mut self, anchor: Anchor) -> Option<usize> {
        let (predicate, columns) = self.anchor(anchor)?;
        let mut universe = Universe::default();
        for step in &self.search.steps {
            let Some(element) = &step.element else { continue };
            let rule = self.rule(step);
            let atom = self.anchored(step, anchor)?;
            let is_call = |at: usize| Some(at) == step.call;
            let others: Vec<&Literal> = rule
                .body
                .iter()
                .enumerate()
                .filter(|(at, _)| !step.guards.contains(at) && !is_call(*at))
                .map(|it| it.1)
                .collect();
            self.add(element, atom, &columns, &others, &mut universe)?;
        }
        let beginnings = self.beginnings(anchor, predicate, &columns, &mut universe)?;
        universe.check()?;
        self.guards_are_symmetric(&universe, &beginnings)?;
        self.guards_hold(&universe, &beginnings)?;
        Some(universe.elements.len())
    }

    fn rule(&self, step: &Step) -> &'r Rule {
        &self.rules.rules[step.rule]
    }

    /// The arguments of the atom that a step's element belongs to.
    fn anchored(&self, step: &Step, anchor: Anchor) -> Option<&'r [Term]> {
        let rule = self.rule(step);
        match anchor {
            Anchor::Head => Some(&rule.head.arguments),
            Anchor::Call => Some(&rule.body[step.call?].atom()?.arguments),
        }
    }

    /// The one predicate that elements belong to, and those of its arguments that can change on the way.
    fn anchor(&self, anchor: Anchor) -> Option<(Predicate, Vec<usize>)> {
        let mut found: Option<Predicate> = None;
        for step in self.search.steps.iter().filter(|it| it.element.is_some()) {
            let rule = self.rule(step);
            let predicate = match anchor {
                Anchor::Head => rule.head.predicate(),
                Anchor::Call => rule.body[step.call?].atom()?.predicate(),
            };
            if found.is_some_and(|it| it != predicate) {
                return None;
            }
            found = Some(predicate);
        }
        let predicate = found?;
        let list = self.search.position(predicate)?;
        let changes = |&at: &usize| at != list && self.changes(predicate, at);
        Some((predicate, (0..predicate.arity as usize).filter(changes).collect()))
    }

    /// Whether an argument of a predicate can be another one when the search comes back to it.
    fn changes(&self, predicate: Predicate, argument: usize) -> bool {
        // By predicate: the arguments that are sure to be what the one was at the start.
        let all = |it: &(Predicate, usize)| (0..it.0.arity as usize).collect::<FxHashSet<usize>>();
        let mut same: FxHashMap<Predicate, FxHashSet<usize>> =
            self.search.positions.iter().map(|it| (it.0, all(it))).collect();
        same.insert(predicate, FxHashSet::from_iter([argument]));
        loop {
            let mut is_stable = true;
            for step in &self.search.steps {
                let rule = self.rule(step);
                let Some(call) = step.call.and_then(|call| rule.body[call].atom()) else {
                    continue;
                };
                let of_head = &same[&rule.head.predicate()];
                let is_same = |at: &usize| {
                    of_head.iter().any(|&it| rule.head.arguments[it] == call.arguments[*at])
                };
                let of_call = &same[&call.predicate()];
                let kept: FxHashSet<usize> = of_call.iter().copied().filter(is_same).collect();
                if kept.len() < of_call.len() {
                    if call.predicate() == predicate {
                        return true;
                    }
                    is_stable = false;
                    same.insert(call.predicate(), kept);
                }
            }
            if is_stable {
                return false;
            }
        }
    }

    /// Adds the values of an element, by the literals beside it; each must be for one atom only.
    fn add(
        &mut self,
        element: &Term,
        atom: &[Term],
        columns: &[usize],
        literals: &[&Literal],
        universe: &mut Universe,
    ) -> Option<()> {
        let head: Terms =
            [element].into_iter().chain(columns.iter().map(|&at| &atom[at])).cloned().collect();
        let mut variables: FxHashSet<Symbol> = FxHashSet::default();
        head.iter().for_each(|it| for_each_variable(it, &mut |it| _ = variables.insert(it)));
        let definitions = self.resolution.definitions;
        let binders = |is_static: bool, wanted: &FxHashSet<Symbol>| -> Vec<&Literal> {
            let binds = |literal: &&Literal| {
                let Literal::Positive(atom) = literal else { return false };
                let mut binds = false;
                literal.for_each_variable(&mut |it| binds |= wanted.contains(&it));
                let is_known = match is_static {
                    true => definitions.is_static(literal),
                    false => definitions.is_view(atom),
                };
                binds && is_known && self.search.position(atom.predicate()).is_none()
            };
            literals.iter().copied().filter(binds).collect()
        };
        let mut body = binders(true, &variables);
        // A view of the state says of the others what they can be.
        for literal in &body {
            literal.for_each_variable(&mut |it| _ = variables.remove(&it));
        }
        body.extend(binders(false, &variables));
        let body = body.into_iter().cloned().collect();
        for answer in self.resolution.answers(head, body, Wanted::All)? {
            universe.add(&answer[0], &answer[1..])?;
        }
        (universe.elements.len() <= MAX_ELEMENTS).then_some(())
    }

    /// How lists begin, where others use the search. What a list begins with belongs to the atom that is
    /// demanded.
    fn beginnings(
        &mut self,
        anchor: Anchor,
        predicate: Predicate,
        columns: &[usize],
        universe: &mut Universe,
    ) -> Option<Vec<Beginning>> {
        let mut beginnings = Vec::new();
        let entries =
            || self.search.entries.iter().map(|&(rule, at)| (&self.rules.rules[rule], at));
        let is_open = |&(rule, at): &(&Rule, usize)| {
            self.search.passed(rule, at).is_some_and(|it| is_open(it.1))
        };
        // Those with variables first, as they can add elements.
        let (open, closed): (Vec<_>, Vec<_>) = entries().partition(is_open);
        for (rule, at) in open.into_iter().chain(closed) {
            let (called, list) = self.search.passed(rule, at)?;
            let element = universe.beginning(list)?;
            if let Some(element) = &element {
                if anchor != Anchor::Call || called != predicate {
                    return None;
                }
                let literals: Vec<&Literal> = rule.body.iter().collect();
                let atom = rule.body[at].atom()?;
                self.add(element, &atom.arguments, columns, &literals, universe)?;
            }
            let list = list.clone();
            if !beginnings.iter().any(|it: &Beginning| it.list == list && it.element == element) {
                beginnings.push(Beginning { list, element });
            }
        }
        Some(beginnings)
    }
}

fn is_open(term: &Term) -> bool {
    let mut found = false;
    for_each_variable(term, &mut |_| found = true);
    found
}
