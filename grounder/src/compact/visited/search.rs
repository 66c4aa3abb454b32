//! Which predicates search with a list of what they have visited: the shape of their rules.

use fxhash::{FxHashMap, FxHashSet};

use super::components::components;
use crate::description::{Predicate, Term};
use crate::prepare::Prepared;
use crate::rewrite::statics::Statics;
use crate::rules::{Literal, Rule, Rules, for_each_variable};
use crate::symbols::Symbol;
use crate::tuning::visited::search::MAX_CHOICES;

/// Predicates that depend on each other, with the argument of each that may be a list of what is visited.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The predicates with the position of the argument.
    pub(super) positions: Vec<(Predicate, usize)>,
    /// Their rules.
    pub(super) steps: Vec<Step>,
    /// Where rules of other predicates use them: positions of the rule and of the literal.
    pub(super) entries: Vec<(usize, usize)>,
}

/// A rule of a search.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its position in the description.
    pub(super) rule: usize,
    /// The position of the literal that goes on with the search.
    pub(super) call: Option<usize>,
    /// The variable for the list in the head.
    pub(super) list: Symbol,
    /// The positions of the literals that look at the list.
    pub(super) guards: Vec<usize>,
    /// What is visited here, if anything.
    pub(super) element: Option<Term>,
}

impl Search {
    /// The position of the list among the arguments of a predicate of the search.
    pub(super) fn position(&self, predicate: Predicate) -> Option<usize> {
        self.positions.iter().find(|(it, _)| *it == predicate).map(|it| it.1)
    }

    /// The list that a literal of a rule passes on, and the literal's predicate.
    pub(super) fn passed<'r>(
        &self,
        rule: &'r Rule,
        literal: usize,
    ) -> Option<(Predicate, &'r Term)> {
        let atom = rule.body[literal].atom()?;
        Some((atom.predicate(), &atom.arguments[self.position(atom.predicate())?]))
    }
}

/// Whether there can be a list at all: a static rule makes or takes apart a term. It takes little time to see.
pub(super) fn has_terms(prepared: &Prepared) -> bool {
    let Prepared { rules, statics, given, .. } = prepared;
    let is_open = |term: &Term| {
        let mut found = false;
        if let Term::Compound(_) = term {
            for_each_variable(term, &mut |_| found = true);
        }
        found
    };
    rules.rules.iter().any(|rule| {
        !rule.body.is_empty()
            && rule.head.arguments.iter().any(is_open)
            && !rules.keywords.contains(rule.head.predicate)
            && ![given.base, given.input].contains(&rule.head.predicate())
            && !statics.is_dynamic(rule.head.predicate())
    })
}

/// The rules that mention each predicate, by their numbers.
fn mentions(rules: &Rules) -> FxHashMap<Predicate, Vec<usize>> {
    let mut mentions: FxHashMap<Predicate, Vec<usize>> = FxHashMap::default();
    for (number, rule) in rules.rules.iter().enumerate() {
        let of_body = rule.body.iter().filter_map(Literal::atom);
        for atom in [&rule.head].into_iter().chain(of_body) {
            mentions.entry(atom.predicate()).or_default().push(number);
        }
    }
    mentions
}

/// All searches of a description, with each choice of arguments.
pub(super) fn searches(rules: &Rules, statics: &Statics) -> Vec<Search> {
    let mut found = Vec::new();
    let mut known = None;
    for component in components(rules) {
        if component.iter().any(|it| rules.keywords.contains(it.name)) {
            continue;
        }
        let own: FxHashSet<Predicate> = component.iter().copied().collect();
        let is_own =
            |literal: &Literal| literal.atom().is_some_and(|it| own.contains(&it.predicate()));
        let (mut heads, mut entries) = (Vec::new(), Vec::new());
        let mentions = known.get_or_insert_with(|| mentions(rules));
        let mut about: Vec<usize> =
            component.iter().filter_map(|it| mentions.get(it)).flatten().copied().collect();
        about.sort_unstable();
        about.dedup();
        for number in about {
            let rule = &rules.rules[number];
            let literals = rule.body.iter().enumerate().filter(|it| is_own(it.1));
            if own.contains(&rule.head.predicate()) {
                let mut calls = literals;
                let call = calls.next().map(|it| it.0);
                heads.push((number, call, calls.next().is_none()));
            } else {
                entries.extend(literals.map(|it| (number, it.0)));
            }
        }
        let is_linear = heads.iter().all(|&(rule, call, is_single)| {
            let is_positive =
                |at: usize| matches!(rules.rules[rule].body[at], Literal::Positive(_));
            is_single && call.is_none_or(is_positive)
        });
        if !is_linear || entries.is_empty() {
            continue;
        }
        let heads: Vec<(usize, Option<usize>)> = heads.iter().map(|it| (it.0, it.1)).collect();
        for positions in choices(rules, &component, &heads, &entries) {
            let mut search = Search { positions, steps: Vec::new(), entries: entries.clone() };
            let steps: Option<Vec<Step>> = heads
                .iter()
                .map(|&(rule, call)| step(rules, statics, &search, rule, call))
                .collect();
            let Some(steps) = steps else { continue };
            search.steps = steps;
            let grows = |step: &Step| {
                let rule = &rules.rules[step.rule];
                let passed = step.call.and_then(|call| search.passed(rule, call));
                passed.is_some_and(|(_, list)| *list != Term::Variable(step.list))
            };
            if search.steps.iter().any(grows) {
                found.push(search);
            }
        }
    }
    found
}

/// The ways to choose an argument of each predicate: a variable in each head, and from outside a term.
fn choices(
    rules: &Rules,
    component: &[Predicate],
    heads: &[(usize, Option<usize>)],
    entries: &[(usize, usize)],
) -> Vec<Vec<(Predicate, usize)>> {
    let mut ways: Vec<Vec<(Predicate, usize)>> = vec![Vec::new()];
    for &predicate in component {
        let of_heads = || heads.iter().map(|it| &rules.rules[it.0].head);
        let of_entries = entries.iter().filter_map(|it| rules.rules[it.0].body[it.1].atom());
        let called: Vec<_> = of_entries.filter(|it| it.predicate() == predicate).collect();
        let fits = |&at: &usize| {
            let is_term = |term: &Term| !matches!(term, Term::Variable(_));
            of_heads()
                .filter(|it| it.predicate() == predicate)
                .all(|it| !is_term(&it.arguments[at]))
                && called.iter().all(|it| is_term(&it.arguments[at]))
        };
        let fitting: Vec<usize> = (0..predicate.arity as usize).filter(fits).collect();
        if ways.len() * fitting.len() > MAX_CHOICES {
            return Vec::new();
        }
        let extended = |way: &Vec<(Predicate, usize)>| {
            let with = |&at: &usize| [way.as_slice(), &[(predicate, at)]].concat();
            fitting.iter().map(with).collect::<Vec<_>>()
        };
        ways = ways.iter().flat_map(extended).collect();
    }
    ways
}

/// What a rule does with the list, if nothing but static guards looks at it.
fn step(
    rules: &Rules,
    statics: &Statics,
    search: &Search,
    number: usize,
    call: Option<usize>,
) -> Option<Step> {
    let rule = &rules.rules[number];
    let position = search.position(rule.head.predicate())?;
    let Term::Variable(list) = rule.head.arguments[position] else { return None };
    let passed = match call {
        Some(call) => Some(search.passed(rule, call)?.1),
        None => None,
    };
    let lists: Vec<Symbol> = match passed {
        Some(Term::Variable(next)) => vec![list, *next],
        _ => vec![list],
    };
    let is_guard = |literal: &Literal| {
        let mut looks = false;
        literal.for_each_variable(&mut |it| looks |= lists.contains(&it));
        looks
    };
    let (mut guards, mut outside) = (Vec::new(), FxHashSet::default());
    let mut arguments = |of: &[Term], but: usize| {
        let others = of.iter().enumerate().filter(|it| it.0 != but).map(|it| it.1);
        others.for_each(|it| for_each_variable(it, &mut |it| _ = outside.insert(it)));
    };
    arguments(&rule.head.arguments, position);
    for (at, literal) in rule.body.iter().enumerate() {
        if Some(at) == call {
            let atom = literal.atom()?;
            arguments(&atom.arguments, search.position(atom.predicate())?);
        }
    }
    for (at, literal) in rule.body.iter().enumerate().filter(|it| Some(it.0) != call) {
        if is_guard(literal) {
            if literal.atom().is_some_and(|it| statics.is_dynamic(it.predicate())) {
                return None;
            }
            guards.push(at);
        } else {
            literal.for_each_variable(&mut |it| _ = outside.insert(it));
        }
    }
    if lists.iter().any(|it| outside.contains(it)) {
        return None;
    }
    let mut looked_at: Vec<&Term> = passed.into_iter().collect();
    for &guard in &guards {
        looked_at.extend(terms(&rule.body[guard]));
    }
    let element = element(&looked_at, &outside)?;
    let passes_on = passed.is_none_or(|it| *it == Term::Variable(list));
    let is_plain = element.is_some() || passes_on;
    is_plain.then_some(Step { rule: number, call, list, guards, element })
}

/// The terms of a literal.
pub(super) fn terms(literal: &Literal) -> Vec<&Term> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => atom.arguments.iter().collect(),
        Literal::Distinct(left, right) => vec![left, right],
    }
}

/// The one term through which variables from elsewhere occur; `None` if there is no such term, and
/// `Some(None)` if there are no such variables.
pub(super) fn element(of: &[&Term], outside: &FxHashSet<Symbol>) -> Option<Option<Term>> {
    let mut variables: Vec<Symbol> = Vec::new();
    for term in of {
        for_each_variable(term, &mut |it| {
            if outside.contains(&it) && !variables.contains(&it) {
                variables.push(it);
            }
        });
    }
    match variables[..] {
        [] => return Some(None),
        [single] => return Some(Some(Term::Variable(single))),
        _ => {}
    }
    let mut counts: FxHashMap<&Term, usize> = FxHashMap::default();
    let mut agenda: Vec<&Term> = of.to_vec();
    while let Some(term) = agenda.pop() {
        if is_flat_over(term, &variables) {
            *counts.entry(term).or_default() += 1;
        } else {
            match term {
                Term::Variable(it) if variables.contains(it) => return None,
                Term::Compound(it) => agenda.extend(&it.arguments),
                Term::Variable(_) | Term::Constant(_) => {}
            }
        }
    }
    let mut found = counts.into_keys();
    let one = found.next()?;
    found.next().is_none().then(|| Some(one.clone()))
}

/// Whether a term is a function of these variables and constants, not nested.
fn is_flat_over(term: &Term, variables: &[Symbol]) -> bool {
    let Term::Compound(it) = term else { return false };
    let mut any = false;
    let is_flat = it.arguments.iter().all(|it| match it {
        Term::Variable(it) => {
            any = true;
            variables.contains(it)
        }
        Term::Constant(_) => true,
        Term::Compound(_) => false,
    });
    is_flat && any
}
