//! Static predicates as decision diagrams, by their definitions and without their tables.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Tables};

use super::diagram::{Diagrams, MOST_LEVELS, Node};
use crate::flat::lowering::predicate;
use crate::flat::{FlatLiteral, FlatRule, FormId, LiteralKind};

/// What static predicates are: small ones have tables, large ones rules.
pub(super) struct DiagramDefinitions<'run> {
    /// The rules of the predicates that are unfolded.
    pub(super) unfolded: FxHashMap<FormId, Vec<&'run FlatRule>>,
    /// Whether it is known when a predicate holds.
    pub(super) is_known: &'run dyn Fn(FormId) -> bool,
    /// The tables; of those that are unfolded, only facts.
    pub(super) tables: &'run Tables,
}

/// Makes diagrams over the variables of one rule.
pub(super) struct Unfolding<'a, 'ticker, 'run> {
    pub(super) definitions: &'a DiagramDefinitions<'a>,
    pub(super) diagrams: Diagrams<'ticker, 'run>,
    /// By predicate and arguments, whose variables are levels.
    known: FxHashMap<(FormId, Vec<Argument>), Node>,
    /// By predicate and column: the constants there.
    columns: FxHashMap<(FormId, usize), Rc<BTreeSet<u32>>>,
    depth: usize,
}

impl<'a, 'ticker, 'run> Unfolding<'a, 'ticker, 'run> {
    pub(super) fn new(
        definitions: &'a DiagramDefinitions<'a>,
        diagrams: Diagrams<'ticker, 'run>,
    ) -> Self {
        let (known, columns) = (FxHashMap::default(), FxHashMap::default());
        Unfolding { definitions, diagrams, known, columns, depth: 0 }
    }

    /// One definition further down, if none is recursive.
    fn descend(&mut self) -> Option<()> {
        self.depth += 1;
        // The last is a table.
        (self.depth <= MOST_LEVELS.min(self.definitions.unfolded.len() + 1)).then_some(())
    }

    /// One more variable, with the constants that it can be in some literals. None if no positive one has it.
    pub(super) fn add_level(&mut self, body: &[&FlatLiteral], variable: u32) -> Option<u32> {
        let values = self.constants(body.iter().copied(), variable)?;
        self.diagrams.add_level(values.into_iter().collect())
    }

    /// The constants that a variable can be by the positive literals.
    fn constants<'rule>(
        &mut self,
        body: impl Iterator<Item = &'rule FlatLiteral>,
        variable: u32,
    ) -> Option<BTreeSet<u32>> {
        let mut common: Option<BTreeSet<u32>> = None;
        for literal in body {
            let LiteralKind::Positive(atom) = &literal.kind else { continue };
            for (column, argument) in atom.arguments.iter().enumerate() {
                if argument.variable() == Some(variable) {
                    let own = self.column(atom.form, column)?;
                    common = Some(common.map_or_else(|| (*own).clone(), |it| &it & &own));
                }
            }
        }
        common
    }

    /// The constants that a column can have.
    fn column(&mut self, form: FormId, column: usize) -> Option<Rc<BTreeSet<u32>>> {
        if let Some(known) = self.columns.get(&(form, column)) {
            return Some(known.clone());
        }
        let definitions = self.definitions;
        let rows = definitions.tables[predicate(form)].rows();
        let mut constants: BTreeSet<u32> = rows.map(|row| row[column]).collect();
        self.descend()?;
        for rule in definitions.unfolded.get(&form).into_iter().flatten() {
            match rule.head.arguments[column] {
                Argument::Constant(constant) => {
                    constants.insert(constant);
                }
                Argument::Variable(variable) => {
                    constants.extend(self.constants(rule.body.iter(), variable)?);
                }
            }
        }
        self.depth -= 1;
        let constants = Rc::new(constants);
        self.columns.insert((form, column), constants.clone());
        Some(constants)
    }

    /// The assignments that make a literal true; `arguments` gives what stands for its variables.
    pub(super) fn literal(
        &mut self,
        kind: &LiteralKind,
        arguments: &impl Fn(Argument) -> Argument,
    ) -> Option<Node> {
        let all =
            |of: &[Argument]| -> Vec<Argument> { of.iter().map(|&it| arguments(it)).collect() };
        match kind {
            LiteralKind::Positive(atom) => self.atom(atom.form, all(&atom.arguments)),
            LiteralKind::Negative(atom) => {
                let node = self.atom(atom.form, all(&atom.arguments))?;
                self.diagrams.not(node)
            }
            LiteralKind::Distinct(left, right) => self.diagrams.distinct(&all(left), &all(right)),
        }
    }

    fn atom(&mut self, form: FormId, arguments: Vec<Argument>) -> Option<Node> {
        let key = (form, arguments);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let definitions = self.definitions;
        let rows = definitions.tables[predicate(form)].rows();
        let mut any = self.diagrams.relation(rows, &key.1)?;
        if let Some(rules) = definitions.unfolded.get(&form) {
            self.descend()?;
            for rule in rules {
                let node = self.rule(rule, &key.1)?;
                any = self.diagrams.or(any, node)?;
            }
            self.depth -= 1;
        }
        self.known.insert(key, any);
        Some(any)
    }

    /// The assignments for which a rule derives its head with these arguments.
    fn rule(&mut self, rule: &FlatRule, arguments: &[Argument]) -> Option<Node> {
        let mut bound: FxHashMap<u32, Argument> = FxHashMap::default();
        let mut factors = Vec::with_capacity(rule.body.len());
        for (&parameter, &argument) in rule.head.arguments.iter().zip(arguments) {
            let other = match parameter {
                Argument::Constant(_) => Some(parameter),
                Argument::Variable(variable) => bound.insert(variable, argument),
            };
            if let Some(other) = other {
                factors.push(self.diagrams.equal(argument, other)?);
            }
        }
        let body: Vec<&FlatLiteral> = rule.body.iter().collect();
        let mut locals = Vec::new();
        for literal in &body {
            for variable in variables(&literal.kind) {
                if let Entry::Vacant(place) = bound.entry(variable) {
                    let level = self.add_level(&body, variable)?;
                    place.insert(Argument::Variable(level));
                    locals.push(level);
                }
            }
        }
        let argument = |it: Argument| it.variable().map_or(it, |variable| bound[&variable]);
        for literal in body {
            factors.push(self.literal(&literal.kind, &argument)?);
        }
        let factors = self.eliminate(factors, locals)?;
        self.diagrams.all(factors)
    }

    /// Sets whose intersection is that of some others with variables eliminated: one variable after the
    /// other, that first whose sets have the fewest variables together.
    pub(super) fn eliminate(
        &mut self,
        mut factors: Vec<Node>,
        mut locals: Vec<u32>,
    ) -> Option<Vec<Node>> {
        let mut supports: Vec<BTreeSet<u32>> =
            factors.iter().map(|&it| self.diagrams.support(it)).collect();
        while !locals.is_empty() {
            let width = |local: &u32| {
                let with = supports.iter().filter(|it| it.contains(local));
                with.flatten().collect::<FxHashSet<_>>().len()
            };
            let (at, _) = locals.iter().map(width).enumerate().min_by_key(|it| it.1)?;
            let local = locals.remove(at);
            let (with, mut others): (Vec<_>, Vec<_>) =
                factors.into_iter().zip(supports).partition(|(_, it)| it.contains(&local));
            let product = self.diagrams.all(with.into_iter().map(|it| it.0).collect())?;
            let projected = self.diagrams.exists(local, product)?;
            others.push((projected, self.diagrams.support(projected)));
            (factors, supports) = others.into_iter().unzip();
        }
        Some(factors)
    }
}

/// The variables of a literal, in order and with repetitions.
pub(super) fn variables(kind: &LiteralKind) -> impl Iterator<Item = u32> {
    let (one, other): (&[Argument], &[Argument]) = match kind {
        LiteralKind::Positive(atom) | LiteralKind::Negative(atom) => (&atom.arguments, &[]),
        LiteralKind::Distinct(left, right) => (left, right),
    };
    one.iter().chain(other).filter_map(|it| it.variable())
}
