//! The dependency graph of the predicates of a description, and its cycles.
//!
//! An edge goes from the predicate of a rule's head to each predicate of its body; it is negative if the
//! literal is negated. Which predicates lie on a common cycle is a closure on `ascent`; it is taken of
//! those predicates only that are left when predicates without a way in or out are peeled off.

use std::collections::VecDeque;

use ascent::ascent;
use fxhash::{FxHashMap, FxHashSet};

use crate::description::{Atom, Predicate};
use crate::kif::{Diagnostic, Span};
use crate::rules::{Literal, Rules};
use crate::symbols::Symbol;

ascent! {
    struct Cycles;
    /// The first predicate has a rule with the second in its body.
    relation depends(u32, u32);
    /// There is a path from the first to the second.
    relation reaches(u32, u32);
    reaches(p, q) <-- depends(p, q);
    reaches(p, r) <-- reaches(p, q), depends(q, r);
    /// The predicates lie on a common cycle.
    relation together(u32, u32);
    together(p, q) <-- reaches(p, q), reaches(q, p);
}

/// The closure has a tuple for each pair of predicates: with more predicates on cycles than this it is not
/// computed.
pub const MAX_CYCLIC: usize = 1024;

/// A literal that makes a predicate depend on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the head's predicate.
    pub from: u32,
    /// The number of the literal's predicate.
    pub to: u32,
    /// Whether the literal is negated.
    pub negative: bool,
    /// The rule, by its position.
    pub rule: usize,
    /// The literal, by its position in the body.
    pub literal: usize,
    /// The literal's place.
    pub span: Span,
}

/// The dependency graph.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    predicates: Vec<Predicate>,
    numbers: FxHashMap<Predicate, u32>,
    arities: FxHashMap<Symbol, usize>,
    edges: Vec<Edge>,
    /// By predicate: its edges, as positions.
    outgoing: Vec<Vec<u32>>,
    /// By predicate: the least predicate that it lies on a common cycle with, if any.
    cycles: Vec<Option<u32>>,
    complete: bool,
}

impl Dependencies {
    /// The graph of rules.
    pub fn new(rules: &Rules) -> Self {
        let mut graph = Dependencies { complete: true, ..Self::default() };
        for (position, rule) in rules.rules.iter().enumerate() {
            if rule.body.is_empty() {
                continue;
            }
            let from = graph.number(rule.head.predicate());
            for (literal, it) in rule.body.iter().enumerate() {
                let Some(atom) = it.atom() else { continue };
                let to = graph.number(atom.predicate());
                let negative = matches!(it, Literal::Negative(_));
                let edge = Edge { from, to, negative, rule: position, literal, span: atom.span };
                graph.outgoing[from as usize].push(graph.edges.len() as u32);
                graph.edges.push(edge);
            }
        }
        graph.cycles = vec![None; graph.predicates.len()];
        graph.find_cycles();
        graph
    }

    fn number(&mut self, predicate: Predicate) -> u32 {
        let next = self.predicates.len() as u32;
        let number = *self.numbers.entry(predicate).or_insert(next);
        if number == next {
            self.predicates.push(predicate);
            self.outgoing.push(Vec::new());
            *self.arities.entry(predicate.name).or_default() += 1;
        }
        number
    }

    fn find_cycles(&mut self) {
        let core = self.core();
        let members: FxHashSet<u32> = core.iter().flat_map(|&(from, to)| [from, to]).collect();
        self.complete = members.len() <= MAX_CYCLIC;
        if core.is_empty() || !self.complete {
            return;
        }
        let mut cycles = Cycles { depends: core, ..Cycles::default() };
        cycles.run();
        for (one, other) in cycles.together {
            let least = &mut self.cycles[one as usize];
            *least = Some(least.map_or(other, |known| known.min(other)));
        }
    }

    /// The edges that are left when predicates without a way in or without a way out are peeled off.
    fn core(&self) -> Vec<(u32, u32)> {
        let pairs: FxHashSet<(u32, u32)> = self.edges.iter().map(|it| (it.from, it.to)).collect();
        let mut pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        for forwards in [true, false] {
            let count = self.predicates.len();
            let (mut degree, mut before) = (vec![0_u32; count], vec![Vec::new(); count]);
            for &(from, to) in &pairs {
                let (from, to) = if forwards { (from, to) } else { (to, from) };
                degree[from as usize] += 1;
                before[to as usize].push(from);
            }
            let mut peeled: Vec<usize> = (0..count).filter(|&it| degree[it] == 0).collect();
            while let Some(node) = peeled.pop() {
                for &from in &before[node] {
                    degree[from as usize] -= 1;
                    if degree[from as usize] == 0 {
                        peeled.push(from as usize);
                    }
                }
            }
            pairs.retain(|&(from, to)| degree[from as usize] > 0 && degree[to as usize] > 0);
        }
        pairs
    }

    /// Whether all cycles are known: there are few enough predicates on cycles.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// All edges, in the order of the text.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The predicate of a number.
    pub fn predicate(&self, number: u32) -> Predicate {
        self.predicates[number as usize]
    }

    /// The number of a predicate that occurs in a rule.
    pub fn find(&self, predicate: Predicate) -> Option<u32> {
        self.numbers.get(&predicate).copied()
    }

    /// How many predicates in rules with a body have this name.
    pub fn arities(&self, name: Symbol) -> usize {
        self.arities.get(&name).copied().unwrap_or(0)
    }

    /// The cycles that a predicate lies on, known by the least of their predicates.
    pub fn cycle_of(&self, predicate: u32) -> Option<u32> {
        self.cycles[predicate as usize]
    }

    /// Whether two atoms' predicates lie on a common cycle.
    pub fn together(&self, one: &Atom, other: &Atom) -> bool {
        let cycle = |atom: &Atom| self.find(atom.predicate()).and_then(|it| self.cycle_of(it));
        cycle(one).is_some_and(|it| cycle(other) == Some(it))
    }

    /// Whether an edge lies on a cycle.
    pub fn is_cyclic(&self, edge: &Edge) -> bool {
        let cycle = self.cycle_of(edge.from);
        cycle.is_some() && cycle == self.cycle_of(edge.to)
    }

    /// A shortest path of edges from a predicate to another one, which is reached by at least one edge,
    /// with only such predicates between them as `through` admits.
    pub fn path(
        &self,
        from: u32,
        goal: impl Fn(u32) -> bool,
        through: impl Fn(u32) -> bool,
    ) -> Option<Vec<Edge>> {
        let mut reached_by: FxHashMap<u32, u32> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &number in &self.outgoing[node as usize] {
                let to = self.edges[number as usize].to;
                if goal(to) {
                    return Some(self.trace(from, number, &reached_by));
                }
                if to != from && through(to) && !reached_by.contains_key(&to) {
                    reached_by.insert(to, number);
                    queue.push_back(to);
                }
            }
        }
        None
    }

    fn trace(&self, from: u32, last: u32, reached_by: &FxHashMap<u32, u32>) -> Vec<Edge> {
        let mut path = vec![self.edges[last as usize]];
        loop {
            let node = path.last().expect("has the last edge").from;
            if node == from {
                path.reverse();
                return path;
            }
            path.push(self.edges[reached_by[&node] as usize]);
        }
    }

    /// A shortest cycle through an edge that lies on one.
    pub fn cycle_through(&self, edge: Edge) -> Vec<Edge> {
        let mut cycle = vec![edge];
        if edge.from != edge.to {
            cycle.extend(self.path(edge.to, |it| it == edge.from, |_| true).into_iter().flatten());
        }
        cycle
    }
    /// The predicate's name; with its number of arguments if another predicate has the name too.
    pub fn name(&self, predicate: Predicate, rules: &Rules) -> String {
        let name = rules.symbols.name(predicate.name);
        let others = self.arities(predicate.name);
        if others > 1 { format!("{name}/{}", predicate.arity) } else { name.to_owned() }
    }

    /// Adds a path to a diagnostic: a label at each of its literals, and the path in one line.
    pub fn with_path(
        &self,
        mut diagnostic: Diagnostic,
        path: &[Edge],
        rules: &Rules,
    ) -> Diagnostic {
        let name = |number| self.name(self.predicate(number), rules);
        for (position, edge) in path.iter().enumerate() {
            let not = if edge.negative { "the negation of " } else { "" };
            let text = format!("`{}` depends on {not}`{}` here", name(edge.from), name(edge.to));
            diagnostic = match position {
                0 => diagnostic.with_remark(text),
                _ => diagnostic.with_label(edge.span, text),
            };
        }
        if path.len() > 1 {
            let first = path.iter().map(|edge| name(edge.from)).next().unwrap_or_default();
            let steps = path.iter().map(|edge| {
                let not = if edge.negative { "not " } else { "" };
                format!(" <- {not}{}", name(edge.to))
            });
            diagnostic =
                diagnostic.with_help(format!("the path: {first}{}", steps.collect::<String>()));
        }
        diagnostic
    }
}
