//! Puts chains in the place of large literals.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::projection::MAX_VARIABLES;
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Argument, Arguments, Exceeded};

use super::chain::{Layer, layers};
use super::diagram::{Diagrams, Node};
use super::sizes::Sizes;
use super::unfolding::{DiagramDefinitions, Unfolding, variables};
use crate::compact::variables::map_arguments;
use crate::description::Predicate;
use crate::flat::{FlatAtom, FlatLiteral, FlatRule, FormId, Forms, LiteralKind, ShapeId};
use crate::symbols::{Symbol, Symbols, fresh};
use crate::ticker::Ticker;
use crate::tuning::STEPS_PER_ROW;

/// What becomes of a rule.
pub(super) enum Replaced {
    /// It stays as it is.
    Nothing,
    /// Another takes its place.
    By(FlatRule),
    /// It never applies.
    Never,
}

/// Literals with their variables numbered: first those that the rest of the rule needs, in its order.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Conjunction {
    literals: Vec<FlatLiteral>,
    /// How many of the variables the rest of the rule needs.
    needed: usize,
    /// How many variables there are.
    variables: usize,
}

/// A chain of static predicates: by layer, the variable, the predicate, and how many states there are after
/// it and steps that lead there.
struct Chain {
    layers: Vec<(u32, FormId, Symbol)>,
    sizes: Vec<(usize, usize)>,
}

/// What a conjunction is compiled to.
enum Outcome {
    /// Chains whose conjunction it is.
    Chains(Vec<Chain>),
    /// It never holds.
    Never,
    /// That would be too large, or not much smaller.
    TooLarge,
}

/// A rule whose large literals were replaced.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The rule of the description that it comes from.
    pub origin: u32,
    /// The predicates whose literals were replaced, in order and each once.
    pub replaced: Vec<FormId>,
    /// The chains in their place: for each variable, how many states there are after it, and how many steps
    /// lead there.
    pub chains: Vec<Vec<(usize, usize)>>,
    /// Whether another rule has the same chains.
    pub is_shared: bool,
}

/// Rewrites rules.
pub(super) struct Compiler<'run, 'budget> {
    definitions: &'run DiagramDefinitions<'run>,
    sizes: &'run Sizes,
    large: u64,
    ticker: &'run mut Ticker<'budget>,
    forms: &'run mut Forms,
    symbols: &'run mut Symbols,
    /// The steps from state to state.
    pub(super) facts: Vec<(FormId, Vec<u32>)>,
    /// How many there are.
    pub(super) measures: Vec<(FormId, Measure)>,
    known: FxHashMap<Conjunction, Outcome>,
    /// What was done.
    pub(super) compiled: Vec<Compiled>,
}

impl<'run, 'budget> Compiler<'run, 'budget> {
    pub(super) fn new(
        definitions: &'run DiagramDefinitions<'run>,
        (sizes, large): (&'run Sizes, u64),
        ticker: &'run mut Ticker<'budget>,
        forms: &'run mut Forms,
        symbols: &'run mut Symbols,
    ) -> Self {
        let (facts, measures, compiled) = (Vec::new(), Vec::new(), Vec::new());
        let known = FxHashMap::default();
        Compiler {
            definitions,
            sizes,
            large,
            ticker,
            forms,
            symbols,
            facts,
            measures,
            known,
            compiled,
        }
    }

    /// Replaces the large literals of a rule.
    pub(super) fn rule(&mut self, rule: &FlatRule) -> Result<Replaced, Exceeded> {
        // What others bind together is only a filter.
        let divided = self
            .divide(rule)
            .filter(|(taken, rest)| self.large == 0 || !binds_together(rule, taken, rest));
        let Some((taken, rest)) = divided else { return Ok(Replaced::Nothing) };
        let of_taken: Vec<u32> = taken.iter().flat_map(|it| variables(&it.kind)).collect();
        let of_rest = rest.iter().flat_map(|it| variables(&it.kind));
        let of_head = rule.head.arguments.iter().filter_map(|it| it.variable());
        let mut order: Vec<u32> = Vec::new();
        for variable in of_rest.chain(of_head).filter(|it| of_taken.contains(it)) {
            if !order.contains(&variable) {
                order.push(variable);
            }
        }
        let needed = order.len();
        for variable in of_taken {
            if !order.contains(&variable) {
                order.push(variable);
            }
        }
        let literals = taken.iter().map(|it| renumbered(it, &order)).collect();
        let conjunction = Conjunction { literals, needed, variables: order.len() };
        let is_shared = self.known.contains_key(&conjunction);
        if !is_shared {
            let outcome = self.compile(&conjunction)?;
            self.known.insert(conjunction.clone(), outcome);
        }
        let chains = match &self.known[&conjunction] {
            Outcome::Chains(chains) => chains,
            Outcome::Never => return Ok(Replaced::Never),
            Outcome::TooLarge => return Ok(Replaced::Nothing),
        };
        let all = rule.body.iter().flat_map(|it| variables(&it.kind));
        let mut next = all.max().map_or(0, |it| it + 1);
        let mut body = rest;
        for chain in chains {
            let last = chain.layers.len() - 1;
            for (at, &(variable, form, name)) in chain.layers.iter().enumerate() {
                let mut arguments = Arguments::new();
                if at > 0 {
                    arguments.push(Argument::Variable(next));
                    next += 1;
                }
                arguments.push(Argument::Variable(order[variable as usize]));
                if at < last {
                    arguments.push(Argument::Variable(next));
                }
                let kind = LiteralKind::Positive(FlatAtom { form, name, arguments });
                body.push(FlatLiteral { kind, joined: true, stored: false });
            }
        }
        if next as usize > MAX_VARIABLES {
            return Ok(Replaced::Nothing);
        }
        let large = taken.iter().filter_map(|it| self.large_form(it));
        let mut replaced: Vec<FormId> = large.collect();
        replaced.dedup();
        let chains = chains.iter().map(|it| it.sizes.clone()).collect();
        self.compiled.push(Compiled { origin: rule.origin, replaced, chains, is_shared });
        Ok(Replaced::By(FlatRule { body, ..rule.clone() }))
    }

    /// The predicate of a static literal, if it can be compiled and is large.
    fn large_form(&self, literal: &FlatLiteral) -> Option<FormId> {
        match &literal.kind {
            LiteralKind::Positive(atom) if literal.joined && !literal.stored => {
                let can_be = self.definitions.unfolded.contains_key(&atom.form);
                (can_be && self.sizes.is_above(atom.form, self.large)).then_some(atom.form)
            }
            _ => None,
        }
    }

    /// The literals of a rule that are compiled, which are static, and the others: large ones and what is
    /// about their variables alone. None if none is large.
    fn divide(&self, rule: &FlatRule) -> Option<(Vec<FlatLiteral>, Vec<FlatLiteral>)> {
        let is_static = |it: &FlatLiteral| it.joined && !it.stored;
        let is_large = |it: &FlatLiteral| self.large_form(it).is_some();
        let large = rule.body.iter().filter(|it| is_large(it));
        let bound: FxHashSet<u32> = large.flat_map(|it| variables(&it.kind)).collect();
        if !rule.body.iter().any(is_large) {
            return None;
        }
        let is_taken = |it: &FlatLiteral| {
            let is_about_them = variables(&it.kind).all(|variable| bound.contains(&variable));
            is_static(it) && is_about_them && self.definitions.cover(&it.kind)
        };
        Some(rule.body.iter().cloned().partition(is_taken))
    }

    fn compile(&mut self, conjunction: &Conjunction) -> Result<Outcome, Exceeded> {
        let large = conjunction.literals.iter().filter_map(|it| self.large_form(it));
        let large: FxHashSet<FormId> = large.collect();
        let rows: f64 = large.into_iter().map(|form| self.sizes.rows(form)).sum();
        // If nothing is too small to be large, nothing is too small to be worth it.
        let rows = if self.large == 0 { f64::INFINITY } else { rows };
        let diagrams = Diagrams::new(self.ticker, (rows * STEPS_PER_ROW) as u64);
        let layers = Unfolding::new(self.definitions, diagrams).layers(conjunction);
        self.ticker.finish()?;
        let is_worth = |chains: &Vec<Vec<Layer>>| {
            let steps = chains.iter().flatten().map(|it| it.steps.len()).sum::<usize>();
            steps as f64 <= rows
        };
        Ok(match layers.filter(is_worth) {
            None => Outcome::TooLarge,
            Some(chains) if chains.iter().any(Vec::is_empty) => Outcome::Never,
            Some(chains) => {
                let number = self.known.len() + 1;
                let chain = |layers| self.chain(number, layers);
                Outcome::Chains(chains.into_iter().map(chain).collect())
            }
        })
    }

    /// Makes the predicates of a chain.
    fn chain(&mut self, number: usize, layers: Vec<Layer>) -> Chain {
        let mut chain = Chain { layers: Vec::new(), sizes: Vec::new() };
        let (last, mut before) = (layers.len() - 1, 1);
        for (at, layer) in layers.into_iter().enumerate() {
            // The states before the first variable and after the last are not distinguished: there is one.
            let columns = usize::from(at == 0)..if at == last { 2 } else { 3 };
            let values: FxHashSet<u32> = layer.steps.iter().map(|it| it[1]).collect();
            let distinct = [before, values.len(), layer.states].map(|it| it as f64);
            let distinct = distinct[columns.clone()].to_vec();
            let measure = Measure { rows: layer.steps.len() as f64, distinct };
            before = layer.states;
            let arity = columns.len();
            let name = fresh(self.symbols, &format!("diagram_{number}_step_{}", layer.level + 1));
            let predicate = Predicate { name, arity: arity as u32 };
            let form = self.forms.intern(predicate, &vec![ShapeId::HOLE; arity]);
            for &[from, value, to] in &layer.steps {
                let [from, to] = [from, to].map(|it| self.symbols.intern(&it.to_string()).0);
                self.facts.push((form, [from, value, to][columns.clone()].to_vec()));
            }
            self.measures.push((form, measure));
            chain.layers.push((layer.level, form, name));
            chain.sizes.push((layer.states, layer.steps.len()));
        }
        chain
    }
}

impl Unfolding<'_, '_, '_> {
    /// Chains of layers for a conjunction, as few as can be made without getting too large. Of one that never
    /// holds one chain is empty.
    fn layers(&mut self, conjunction: &Conjunction) -> Option<Vec<Vec<Layer>>> {
        let body: Vec<&FlatLiteral> = conjunction.literals.iter().collect();
        for variable in 0..conjunction.variables as u32 {
            self.add_level(&body, variable)?;
        }
        let mut factors = Vec::with_capacity(body.len());
        for literal in body {
            factors.push(self.literal(&literal.kind, &|it| it)?);
        }
        let locals = conjunction.needed as u32..conjunction.variables as u32;
        let mut factors = self.eliminate(factors, locals.collect())?;
        self.diagrams.sort(&mut factors);
        let mut groups: Vec<Node> = Vec::new();
        for factor in factors {
            self.diagrams.begin();
            let last = groups.last_mut();
            let both = last.and_then(|last| Some((self.diagrams.and(*last, factor)?, last)));
            match both {
                Some((both, last)) => *last = both,
                None => groups.push(factor),
            }
        }
        if groups.contains(&Node::FALSE) {
            return Some(vec![Vec::new()]);
        }
        let mut chains = Vec::with_capacity(groups.len());
        let mut open: Vec<u32> = (0..conjunction.needed as u32).collect();
        for &group in groups.iter().filter(|&&it| it != Node::TRUE) {
            let layers = layers(&mut self.diagrams, group)?;
            open.retain(|&level| layers.iter().all(|layer| layer.level != level));
            chains.push(layers);
        }
        // All combinations of their values will do.
        for level in open {
            let steps = self.diagrams.values(level).iter().map(|&it| [1, it, 1]).collect();
            chains.push(vec![Layer { level, steps, states: 1 }]);
        }
        Some(chains)
    }
}

/// A literal with its variables numbered by their places in a list.
fn renumbered(literal: &FlatLiteral, order: &[u32]) -> FlatLiteral {
    let number = |argument: Argument| match argument {
        Argument::Variable(variable) => {
            let place = order.iter().position(|&it| it == variable);
            Argument::Variable(place.expect("every variable has a place") as u32)
        }
        constant => constant,
    };
    FlatLiteral { kind: map_arguments(&literal.kind, &number), ..*literal }
}

/// Whether another literal or the head has two variables of the large literals.
fn binds_together(rule: &FlatRule, taken: &[FlatLiteral], rest: &[FlatLiteral]) -> bool {
    let own: FxHashSet<u32> = taken.iter().flat_map(|it| variables(&it.kind)).collect();
    let has_two = |variables: &mut dyn Iterator<Item = u32>| {
        variables.filter(|it| own.contains(it)).collect::<FxHashSet<u32>>().len() > 1
    };
    has_two(&mut rule.head.arguments.iter().filter_map(|it| it.variable()))
        || rest.iter().any(|literal| has_two(&mut variables(&literal.kind)))
}
