//! The general recursion restriction: no term grows, neither within a state nor from one to the next.
//!
//! Saffidine's Definition 8 takes the recursion restriction over the dependency graph with the edges
//! `true <- next`, `true <- init` and `does <- legal` added, so that a fluent which is made from itself is
//! a cycle as well. Read to the letter, over whole arguments, it would forbid every rule such as
//! `(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))`, where the argument of `true` is a compound
//! term. What it is for is that terms stay bounded, and that is what is checked here, argument by
//! argument, as *argument-restricted* programs are (Lierler & Lifschitz 2009):
//!
//! Each argument of each predicate, for fluents and moves and other compound terms apart by their
//! function, gets a rank, the least solution of: if a variable stands at depth e in the head's argument and
//! at depth d in an argument of rank r of a positive literal, the head's argument has rank r + e - d at
//! least; of several such literals the one that says least counts. If all ranks are finite they bound the
//! depth of terms, and the description can be grounded. If one grows without end, the chain of rules that
//! raised it is a cycle, and that is the violation.

use std::collections::BTreeSet;

use fxhash::FxHashMap;

use crate::description::{Atom, Predicate, Term};
use crate::kif::{Diagnostic, Span};
use crate::rules::{Literal, Rules};
use crate::symbols::Symbol;

/// What stands at an argument, as far as ranks distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outermost {
    /// A constant.
    Constant,
    /// A function with so many arguments.
    Function(Symbol, u32),
    /// What a variable stood for inside another term: anything.
    Anything,
}

/// An argument of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// The predicate.
    pub predicate: Predicate,
    /// The argument, counted from 0.
    pub argument: u32,
    /// What stands there.
    pub outermost: Outermost,
}

/// A step of a cycle along which a term grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowthStep {
    /// The rule, by its position; none for the course of the match, such as from `next` to `true`.
    pub rule: Option<usize>,
    /// What the variable passes into: an argument of the head.
    pub to: Slot,
    /// Where it comes from: an argument of a literal of the body.
    pub from: Slot,
    /// The place of that literal.
    pub literal: Span,
    /// The variable.
    pub variable: Symbol,
    /// By how much the term gets deeper; less than 0 where it gets shallower.
    pub growth: i64,
}

/// The finding about a cycle.
pub fn diagnostic(cycle: &[GrowthStep], rules: &Rules) -> Diagnostic {
    let shown = |slot: &Slot| slot.display(rules);
    let growing = cycle.iter().find_map(|step| Some((step, step.rule?)));
    let Some((step, rule)) = growing else {
        unreachable!("the course of the match makes no term deeper");
    };
    let rule = &rules.rules[rule];
    let message = format!("the terms in {} can grow without bound", shown(&step.to));
    let variable = rules.symbols.name(step.variable);
    let mut diagnostic = Diagnostic::warning("GF0503", message, rule.head.span)
        .with_remark(format!("here `{variable}` is {} deeper than below", step.growth))
        .with_label(step.literal, format!("`{variable}` comes from here: {}", shown(&step.from)));
    for step in cycle.iter().filter(|it| *it != step) {
        if let Some(rule) = step.rule {
            let text = format!("{} comes from {}", shown(&step.to), shown(&step.from));
            diagnostic = diagnostic.with_label(rules.rules[rule].head.span, text);
        }
    }
    let names =
        cycle.iter().map(|step| shown(&step.to)).chain(cycle.last().map(|it| shown(&it.from)));
    let names: Vec<String> = names.collect();
    diagnostic.with_help(format!("the cycle: {}", names.join(" <- "))).with_help(
        "where terms are counters, count with constants instead, as in `(succ 1 2)`; then the \
         description can be grounded",
    )
}

impl Slot {
    /// The slot in words: `argument 2 of legal`, or a pattern such as `(true (step ...))`.
    fn display(&self, rules: &Rules) -> String {
        let name = rules.symbols.name(self.predicate.name);
        match self.outermost {
            Outermost::Function(functor, _) => {
                let before = "_ ".repeat(self.argument as usize);
                let after = " _".repeat((self.predicate.arity - self.argument - 1) as usize);
                format!("`({name} {before}({} ...){after})`", rules.symbols.name(functor))
            }
            _ => format!("argument {} of `{name}`", self.argument + 1),
        }
    }
}

/// A cycle along which a term grows, if there is one. It ends where it begins; each step comes from the
/// one after it.
pub fn growing_cycle(rules: &Rules) -> Option<Vec<GrowthStep>> {
    let mut ranking = Ranking::new(rules);
    let mut readers: FxHashMap<(Predicate, u32), Vec<usize>> = FxHashMap::default();
    for (index, flow) in ranking.flows.iter().enumerate() {
        for from in &flow.from {
            readers.entry((from.predicate, from.argument)).or_default().push(index);
        }
    }
    // Round and round, in the order of the rules.
    let mut agenda: BTreeSet<usize> = (0..ranking.flows.len()).collect();
    let mut last = 0;
    while let Some(&index) = agenda.range(last..).next().or(agenda.first()) {
        agenda.remove(&index);
        last = index;
        match ranking.apply(index) {
            Raised::No => {}
            Raised::Yes => {
                let Occurrence { predicate, argument, .. } = ranking.flows[index].to;
                agenda.extend(readers.get(&(predicate, argument)).into_iter().flatten());
            }
            Raised::TooFar(slot) => return Some(ranking.cycle(slot)),
        }
    }
    None
}

/// Where a variable stands in a term: in which function and how deep.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    predicate: Predicate,
    argument: u32,
    /// `Anything` if the variable is the whole argument.
    outermost: Outermost,
    depth: i64,
    span: Span,
}

/// A variable that passes from the body to an argument of the head.
#[derive(Debug)]
struct Flow {
    rule: Option<usize>,
    variable: Symbol,
    to: Occurrence,
    /// The positive literals that bind the variable.
    from: Vec<Occurrence>,
}

enum Raised {
    No,
    Yes,
    TooFar(Slot),
}

struct Ranking {
    flows: Vec<Flow>,
    ranks: FxHashMap<Slot, (i64, Option<GrowthStep>)>,
    /// By predicate and argument: what can stand there.
    outermost: FxHashMap<(Predicate, u32), Vec<Outermost>>,
    /// A rank above this has gone round a cycle.
    limit: i64,
}

impl Ranking {
    fn new(rules: &Rules) -> Self {
        let mut ranking = Ranking {
            flows: Vec::new(),
            ranks: FxHashMap::default(),
            outermost: FxHashMap::default(),
            limit: 0,
        };
        let mut deepest = 0;
        for (position, rule) in rules.rules.iter().enumerate() {
            for (argument, term) in rule.head.arguments.iter().enumerate() {
                let slot = |outermost| Slot {
                    predicate: rule.head.predicate(),
                    argument: argument as u32,
                    outermost,
                };
                match term {
                    Term::Variable(_) => {}
                    Term::Constant(_) => {
                        ranking.raise(slot(Outermost::Constant), 0, None);
                    }
                    Term::Compound(_) => {
                        deepest = deepest.max(depth(term));
                        ranking.raise(slot(outermost(term)), depth(term), None);
                    }
                }
            }
            if !rule.body.is_empty() {
                ranking.add_flows(Some(position), &rule.head, &rule.body);
            }
        }
        ranking.add_transitions(rules);
        let growth: i64 = ranking.flows.iter().map(|flow| flow.to.depth).sum();
        ranking.limit = deepest + growth;
        ranking
    }

    /// The flows of one rule.
    fn add_flows(&mut self, rule: Option<usize>, head: &Atom, body: &[Literal]) {
        let mut targets: Vec<(Symbol, Occurrence)> = Vec::new();
        occurrences(head, &mut targets);
        if targets.is_empty() {
            return;
        }
        let mut sources = Vec::new();
        for literal in body {
            if let Literal::Positive(atom) = literal {
                occurrences(atom, &mut sources);
            }
        }
        for (variable, to) in targets {
            let from = sources.iter().filter(|(it, _)| *it == variable).map(|&(_, it)| it);
            self.flows.push(Flow { rule, variable, to, from: from.collect() });
        }
    }

    /// `true <- init`, `true <- next` and `does <- legal`.
    fn add_transitions(&mut self, rules: &Rules) {
        let keywords = &rules.keywords;
        let transitions = [
            (keywords.true_, keywords.init, 1),
            (keywords.true_, keywords.next, 1),
            (keywords.does, keywords.legal, 2),
        ];
        for (to, from, arity) in transitions {
            for argument in 0..arity {
                let at = |name| Occurrence {
                    predicate: Predicate { name, arity },
                    argument,
                    outermost: Outermost::Anything,
                    depth: 0,
                    span: Span::default(),
                };
                let (to, from) = (at(to), vec![at(from)]);
                self.flows.push(Flow { rule: None, variable: keywords.true_, to, from });
            }
        }
    }

    fn rank(&self, slot: Slot) -> Option<i64> {
        self.ranks.get(&slot).map(|&(rank, _)| rank)
    }

    fn raise(&mut self, slot: Slot, rank: i64, step: Option<GrowthStep>) -> Raised {
        match self.ranks.get_mut(&slot) {
            Some((known, _)) if *known >= rank => return Raised::No,
            Some(known) => *known = (rank, step),
            None => {
                self.ranks.insert(slot, (rank, step));
                let at = self.outermost.entry((slot.predicate, slot.argument)).or_default();
                at.push(slot.outermost);
            }
        }
        if rank > self.limit && step.is_some() { Raised::TooFar(slot) } else { Raised::Yes }
    }

    /// The slots that an occurrence can read.
    fn slots(&self, from: &Occurrence) -> impl Iterator<Item = Slot> {
        let all =
            self.outermost.get(&(from.predicate, from.argument)).map_or(&[][..], Vec::as_slice);
        let &Occurrence { predicate, argument, outermost: wanted, .. } = from;
        let fits = move |outermost: &&Outermost| {
            wanted == Outermost::Anything
                || **outermost == wanted
                || **outermost == Outermost::Anything
        };
        all.iter().filter(fits).map(move |&outermost| Slot { predicate, argument, outermost })
    }

    /// How deep a whole argument with this function, or anything, can be.
    fn bound_of(
        &self,
        source: &Occurrence,
        outermost: Outermost,
    ) -> Option<(i64, Slot, Occurrence)> {
        let &Occurrence { predicate, argument, .. } = source;
        let at = |outermost| Slot { predicate, argument, outermost };
        let rank = |slot| self.rank(slot).map(|rank| (rank, slot, *source));
        let (exactly, anything) = (rank(at(outermost)), rank(at(Outermost::Anything)));
        exactly.into_iter().chain(anything).max_by_key(|&(rank, ..)| rank)
    }

    fn apply(&mut self, index: usize) -> Raised {
        let flow = &self.flows[index];
        let whole = |it: &Occurrence| it.outermost == Outermost::Anything;
        let mut raises: Vec<(Slot, i64, GrowthStep)> = Vec::new();
        let slot = |outermost| Slot {
            predicate: flow.to.predicate,
            argument: flow.to.argument,
            outermost,
        };
        let step = |to, from, source: &Occurrence| GrowthStep {
            rule: flow.rule,
            to,
            from,
            literal: source.span,
            variable: flow.variable,
            growth: flow.to.depth - source.depth,
        };
        if whole(&flow.to) && flow.from.iter().all(whole) {
            // The argument is passed on as it is: what stands there keeps its function.
            let Some(first) = flow.from.first() else { return Raised::No };
            let more = flow.from[1..].iter().flat_map(|source| self.slots(source));
            let kinds: BTreeSet<Outermost> =
                self.slots(first).chain(more).map(|it| it.outermost).collect();
            for outermost in kinds {
                let bound = |source: &Occurrence| self.bound_of(source, outermost);
                let ranks: Option<Vec<_>> = flow.from.iter().map(bound).collect();
                let least = ranks.and_then(|it| it.into_iter().min_by_key(|&(rank, ..)| rank));
                if let Some((rank, from, source)) = least {
                    let to = slot(outermost);
                    raises.push((to, rank, step(to, from, &source)));
                }
            }
        } else {
            let to = slot(flow.to.outermost);
            let bound = |source: &Occurrence| {
                let ranks = self.slots(source).map(|it| (self.rank(it).unwrap_or(0), it));
                let (rank, from) = ranks.max_by_key(|&(rank, _)| rank)?;
                Some(((rank - source.depth).max(0) + flow.to.depth, from, *source))
            };
            let bounds: Option<Vec<_>> = flow.from.iter().map(bound).collect();
            let least = bounds.and_then(|it| it.into_iter().min_by_key(|&(rank, ..)| rank));
            if let Some((rank, from, source)) = least {
                raises.push((to, rank, step(to, from, &source)));
            }
        }
        let mut result = Raised::No;
        for (to, rank, step) in raises {
            match self.raise(to, rank, Some(step)) {
                Raised::No => {}
                Raised::Yes => result = Raised::Yes,
                too_far @ Raised::TooFar(_) => return too_far,
            }
        }
        result
    }

    /// The cycle that a rank has gone round: from each slot back to the one that raised it last.
    fn cycle(&self, start: Slot) -> Vec<GrowthStep> {
        let mut steps: Vec<GrowthStep> = Vec::new();
        let mut slot = start;
        while let Some(&(_, Some(step))) = self.ranks.get(&slot) {
            if let Some(begin) = steps.iter().position(|it| it.to == slot) {
                steps.drain(..begin);
                break;
            }
            steps.push(step);
            slot = step.from;
        }
        // Show the rule in which the term grows first.
        let growing = steps.iter().position(|it| it.growth > 0).unwrap_or(0);
        steps.rotate_left(growing);
        steps
    }
}

/// Where variables stand in an atom, the deepest place of each in each argument.
fn occurrences(atom: &Atom, found: &mut Vec<(Symbol, Occurrence)>) {
    for (argument, term) in atom.arguments.iter().enumerate() {
        let at = |outermost, depth| Occurrence {
            predicate: atom.predicate(),
            argument: argument as u32,
            outermost,
            depth,
            span: atom.span,
        };
        match term {
            Term::Constant(_) => {}
            Term::Variable(variable) => found.push((*variable, at(Outermost::Anything, 0))),
            Term::Compound(_) => {
                let start = found.len();
                variables(term, 0, &mut |variable, depth| match found[start..]
                    .iter_mut()
                    .find(|(it, _)| *it == variable)
                {
                    Some((_, known)) => known.depth = known.depth.max(depth),
                    None => found.push((variable, at(outermost(term), depth))),
                });
            }
        }
    }
}

fn variables(term: &Term, depth: i64, visit: &mut impl FnMut(Symbol, i64)) {
    match term {
        Term::Variable(variable) => visit(*variable, depth),
        Term::Constant(_) => {}
        Term::Compound(compound) => {
            compound.arguments.iter().for_each(|term| variables(term, depth + 1, visit));
        }
    }
}

fn outermost(term: &Term) -> Outermost {
    match term {
        Term::Variable(_) => Outermost::Anything,
        Term::Constant(_) => Outermost::Constant,
        Term::Compound(it) => Outermost::Function(it.functor, it.arguments.len() as u32),
    }
}

/// How deep functions are nested in a term.
fn depth(term: &Term) -> i64 {
    match term {
        Term::Variable(_) | Term::Constant(_) => 0,
        Term::Compound(compound) => 1 + compound.arguments.iter().map(depth).max().unwrap_or(0),
    }
}
