//! Decision diagrams: conditions that are too large for a table.
//!
//! `rings_once(bell, p1, ..., p9)`, that one of nine places has the bell, is static, but has a billion rows, and
//! demand does not help: whatever nine places can have is demanded. What matters of the first places is much
//! less than all of them: which bells are among them. So the static literals of a rule are not computed but
//! compiled, together, to a decision diagram over their variables, by the definitions of their predicates: what
//! the values chosen so far leave open is a *state*, and states that leave the same open are one. The diagram
//! then becomes a chain of static predicates, `step_1(p1, s1), step_2(s1, p2, s2), ..., step_9(s8, p9)`, which
//! takes the place of the literals; decomposition cuts the rule between any two of them.
//!
//! The chain has the same answers as the literals, so the rule has the same instances.

mod diagram;
mod unfolding;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::projection::MAX_VARIABLES;
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Argument, Arguments, Budget, Tables};
use indexmap::IndexSet;

use self::diagram::{Diagrams, Node};
use self::unfolding::{DiagramDefinitions, Unfolding, variables};
use super::demand::users;
use crate::compact::unfolding::map_arguments;
use crate::description::Predicate;
use crate::domains::Evaluator;
use crate::flat::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind, ShapeId, lowering,
};
use crate::symbols::{Symbol, Symbols, fresh};
use crate::ticker::Ticker;
use crate::tuning::{LARGE_STATIC, STEPS_PER_ROW};

/// The static predicates that diagrams may take the place of, with those in their definitions: literals with three variables or
/// more, of which no dynamic literal has two. What others bind together is only a filter. All, if diagrams are made `throughout`.
pub fn candidates(
    rules: &[FlatRule],
    is_static: impl Fn(FormId) -> bool,
    throughout: bool,
) -> FxHashSet<FormId> {
    let mut found = Vec::new();
    for rule in rules.iter().filter(|rule| !is_static(rule.head.form)) {
        let is_candidate = |literal: &&FlatLiteral| {
            let dynamic = rule.body.iter().filter(|it| it.stored);
            throughout || has_three(literal) && !binds_together(rule, &[literal], dynamic)
        };
        let conditions = rule.body.iter().filter(|it| it.is_positive() && it.joined && !it.stored);
        found.extend(conditions.filter(is_candidate).filter_map(FlatLiteral::form));
    }
    let found = below(rules, found);
    let derived = rules.iter().map(|it| it.head.form);
    derived.filter(|form| found.contains(form) && is_static(*form)).collect()
}

/// Predicates and those that they depend on.
fn below(rules: &[FlatRule], mut agenda: Vec<FormId>) -> FxHashSet<FormId> {
    let mut by_head: FxHashMap<FormId, Vec<&FlatRule>> = FxHashMap::default();
    if !agenda.is_empty() {
        rules.iter().for_each(|rule| by_head.entry(rule.head.form).or_default().push(rule));
    }
    let mut found = FxHashSet::default();
    while let Some(form) = agenda.pop() {
        if found.insert(form) {
            let bodies = by_head.get(&form).into_iter().flatten().flat_map(|rule| &rule.body);
            agenda.extend(bodies.filter_map(FlatLiteral::form));
        }
    }
    found
}

/// A predicate that is too large for a table.
pub struct LargeCondition<'run> {
    /// The predicate.
    pub form: FormId,
    /// How many steps all diagrams of a rule may have together: as many as the table has rows.
    pub most_steps: f64,
    /// By form: whether it is static, and looked at by nothing but rules.
    pub is_static: &'run [bool],
}

/// What became of the rules.
pub struct CompiledRules {
    /// All rules.
    pub rules: Vec<FlatRule>,
    /// The steps from state to state.
    pub steps: Vec<Steps>,
    /// Rules with diagrams.
    pub compiled: Vec<Compiled>,
    /// The predicates that nothing mentions any more.
    pub removed: FxHashSet<FormId>,
}

/// Compiles a predicate and all static ones that use it, in all rules. None if that is not possible, or not much smaller, or the
/// limits do not allow it.
pub fn compile(
    condition: &LargeCondition<'_>,
    flat: &FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    budget: &Budget,
) -> Option<CompiledRules> {
    let is_static = |form: FormId| condition.is_static[form.index()];
    let removed = users(&flat.rules, condition.form, forms.len(), |it| !is_static(it));
    let removed: FxHashSet<FormId> = removed.into_iter().filter(|&it| is_static(it)).collect();
    let tables = tables_below(&removed, flat, (forms, symbols), is_static, budget)?;
    let mut unfolded: FxHashMap<FormId, Vec<&FlatRule>> = FxHashMap::default();
    for rule in flat.rules.iter().filter(|rule| removed.contains(&rule.head.form)) {
        unfolded.entry(rule.head.form).or_default().push(rule);
    }
    let derived: FxHashSet<FormId> = flat.rules.iter().map(|it| it.head.form).collect();
    let is_known = |form: FormId| is_static(form) || !derived.contains(&form);
    if !unfolded
        .values()
        .flatten()
        .flat_map(|it| &it.body)
        .filter_map(FlatLiteral::form)
        .all(is_known)
    {
        return None;
    }
    let definitions = DiagramDefinitions { unfolded, is_known: &is_known, tables: &tables };
    let mut ticker = Ticker::new(budget, tables.bytes());
    let mut compiler =
        Compiler::new(&definitions, condition.most_steps, &mut ticker, forms, symbols);
    let mut rules = Vec::with_capacity(flat.rules.len());
    for rule in flat.rules.iter().filter(|rule| !removed.contains(&rule.head.form)) {
        if rule.body.iter().filter_map(FlatLiteral::form).any(|it| removed.contains(&it)) {
            rules.extend(compiler.rule(rule)?);
        } else {
            rules.push(rule.clone());
        }
    }
    let Compiler { steps, compiled, .. } = compiler;
    Some(CompiledRules { rules, steps, compiled, removed })
}

/// The tables of the static predicates that rules with the removed ones use, and facts. None if one is large as well.
fn tables_below(
    removed: &FxHashSet<FormId>,
    flat: &FlatProgram,
    (forms, symbols): (&Forms, &Symbols),
    is_static: impl Fn(FormId) -> bool,
    budget: &Budget,
) -> Option<Tables> {
    let has_removed = |rule: &&FlatRule| {
        removed.contains(&rule.head.form)
            || rule.body.iter().filter_map(FlatLiteral::form).any(|it| removed.contains(&it))
    };
    let bodies = flat.rules.iter().filter(has_removed).flat_map(|rule| &rule.body);
    let conditions = bodies.filter_map(FlatLiteral::form).filter(|&it| is_static(it));
    let needed = below(&flat.rules, conditions.collect());
    let is_needed = |rule: &FlatRule| {
        let form = rule.head.form;
        is_static(form) && needed.contains(&form) && !removed.contains(&form)
    };
    let program = lowering::program(flat, forms, symbols, is_needed);
    let mut tables = lowering::fact_tables(flat, forms, &program);
    let limited = budget.clone().with_table_rows(vec![LARGE_STATIC; forms.len()].into());
    Evaluator::Datafrog.evaluate(&program, &mut tables, &limited, &mut Silent).ok()?;
    Some(tables)
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

/// One variable of a chain.
#[derive(Debug)]
struct Layer {
    /// The state before it, its value, and the state after it. States are numbered from 1 within a layer.
    steps: Vec<[u32; 3]>,
    /// How many states there are after it.
    states: usize,
}

/// A chain of static predicates, one for each variable that is needed, which leads from state to state.
struct Chain {
    layers: Vec<(FormId, Symbol)>,
    /// How many states there are after each, and steps that lead there.
    sizes: Vec<(usize, usize)>,
}

/// A rule whose large literals were replaced.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The rule of the description that it comes from.
    pub origin: u32,
    /// The predicates whose literals were replaced, in order and each once.
    pub replaced: Vec<FormId>,
    /// The chain in their place: for each variable, how many states there are after it, and how many steps
    /// lead there.
    pub chain: Vec<(usize, usize)>,
    /// Whether another rule has the same chain.
    pub is_shared: bool,
}

/// The steps from state to state by one variable.
pub struct Steps {
    /// Their predicate.
    pub form: FormId,
    /// What is known of them.
    pub measure: Measure,
    /// The facts.
    pub facts: Vec<Vec<u32>>,
}

/// Rewrites rules.
struct Compiler<'run, 'budget> {
    definitions: &'run DiagramDefinitions<'run>,
    most_steps: f64,
    ticker: &'run mut Ticker<'budget>,
    forms: &'run mut Forms,
    symbols: &'run mut Symbols,
    /// All steps from state to state.
    steps: Vec<Steps>,
    /// The chain of each conjunction; none if it never holds.
    known: FxHashMap<Conjunction, Option<Chain>>,
    /// What was done.
    compiled: Vec<Compiled>,
}

impl<'run, 'budget> Compiler<'run, 'budget> {
    fn new(
        definitions: &'run DiagramDefinitions<'run>,
        most_steps: f64,
        ticker: &'run mut Ticker<'budget>,
        forms: &'run mut Forms,
        symbols: &'run mut Symbols,
    ) -> Self {
        let (steps, compiled, known) = (Vec::new(), Vec::new(), FxHashMap::default());
        Compiler { definitions, most_steps, ticker, forms, symbols, steps, known, compiled }
    }

    /// The rule with a chain in the place of its large literals; without any if it never applies. None if they cannot be compiled.
    fn rule(&mut self, rule: &FlatRule) -> Option<Option<FlatRule>> {
        let (taken, rest) = self.divide(rule)?;
        let of_taken: Vec<u32> = taken.iter().flat_map(|it| variables(&it.kind)).collect();
        let of_rest = rest.iter().flat_map(|it| variables(&it.kind));
        let of_head = rule.head.arguments.iter().filter_map(|it| it.variable());
        let needed_first = of_rest.chain(of_head).filter(|it| of_taken.contains(it));
        let mut order: IndexSet<u32> = needed_first.collect();
        let needed = order.len();
        order.extend(&of_taken);
        let literals = taken.iter().map(|it| renumbered(it, &order)).collect();
        let conjunction = Conjunction { literals, needed, variables: order.len() };
        let is_shared = self.known.contains_key(&conjunction);
        if !is_shared {
            let chain = self.compile(&conjunction)?;
            self.known.insert(conjunction.clone(), chain);
        }
        let Some(chain) = &self.known[&conjunction] else { return Some(None) };
        let all = rule.body.iter().flat_map(|it| variables(&it.kind));
        let mut next = all.max().map_or(0, |it| it + 1);
        let mut body: Vec<FlatLiteral> = rest.into_iter().cloned().collect();
        for (at, &(form, name)) in chain.layers.iter().enumerate() {
            let mut arguments = Arguments::new();
            if at > 0 {
                arguments.push(Argument::Variable(next));
                next += 1;
            }
            arguments.push(Argument::Variable(order[at]));
            if at + 1 < chain.layers.len() {
                arguments.push(Argument::Variable(next));
            }
            let kind = LiteralKind::Positive(FlatAtom { form, name, arguments });
            body.push(FlatLiteral { kind, joined: true, stored: false });
        }
        if next as usize > MAX_VARIABLES {
            return None;
        }
        let large = taken.iter().filter(|it| self.is_large(it));
        let mut replaced: Vec<FormId> = large.filter_map(|it| it.form()).collect();
        replaced.dedup();
        let chain = chain.sizes.clone();
        self.compiled.push(Compiled { origin: rule.origin, replaced, chain, is_shared });
        Some(Some(FlatRule { body, ..rule.clone() }))
    }

    /// Whether a literal is of a predicate that gets no table.
    fn is_large(&self, literal: &FlatLiteral) -> bool {
        literal.form().is_some_and(|form| self.definitions.unfolded.contains_key(&form))
    }

    /// The literals of a rule that are compiled, which are static, and the others: large ones and what is about the variables of
    /// positive ones alone. None if a large one is left, or the others bind together what is compiled.
    fn divide<'rule>(
        &self,
        rule: &'rule FlatRule,
    ) -> Option<(Vec<&'rule FlatLiteral>, Vec<&'rule FlatLiteral>)> {
        let is_static = |it: &FlatLiteral| it.joined && !it.stored;
        let positive = rule.body.iter().filter(|it| it.is_positive() && self.is_large(it));
        let bound: FxHashSet<u32> = positive.flat_map(|it| variables(&it.kind)).collect();
        let is_taken = |literal: &&FlatLiteral| {
            let is_about_them = variables(&literal.kind).all(|variable| bound.contains(&variable));
            is_static(literal)
                && is_about_them
                && literal.form().is_none_or(self.definitions.is_known)
        };
        let (taken, rest): (Vec<_>, Vec<_>) = rule.body.iter().partition(is_taken);
        let is_filter =
            self.most_steps.is_finite() && binds_together(rule, &taken, rest.iter().copied());
        (!is_filter && !rest.iter().any(|it| self.is_large(it))).then_some((taken, rest))
    }

    /// The chain for a conjunction, or nothing if it never holds. None if that would be too large, or not much smaller.
    fn compile(&mut self, conjunction: &Conjunction) -> Option<Option<Chain>> {
        let diagrams = Diagrams::new(self.ticker, (self.most_steps * STEPS_PER_ROW) as u64);
        let mut unfolding = Unfolding::new(self.definitions, diagrams);
        let root = unfolding.conjunction(conjunction)?;
        if root == Node::FALSE {
            return Some(None);
        }
        let layers = layers(&mut unfolding.diagrams, root, conjunction.needed as u32)?;
        let steps = layers.iter().map(|it| it.steps.len()).sum::<usize>();
        (steps as f64 <= self.most_steps).then(|| Some(self.chain(layers)))
    }

    /// Makes the predicates of a chain.
    fn chain(&mut self, layers: Vec<Layer>) -> Chain {
        let number = self.known.len() + 1;
        let mut chain = Chain { layers: Vec::new(), sizes: Vec::new() };
        let (count, mut before) = (layers.len(), 1);
        for (at, layer) in layers.into_iter().enumerate() {
            // The states before the first variable and after the last are not distinguished: there is one.
            let columns = usize::from(at == 0)..if at + 1 == count { 2 } else { 3 };
            let values: FxHashSet<u32> = layer.steps.iter().map(|it| it[1]).collect();
            let distinct = [before, values.len(), layer.states].map(|it| it as f64);
            let distinct = distinct[columns.clone()].to_vec();
            let measure = Measure { rows: layer.steps.len() as f64, distinct };
            before = layer.states;
            let arity = columns.len();
            let name = fresh(self.symbols, &format!("diagram_{number}_step_{}", at + 1));
            let predicate = Predicate { name, arity: arity as u32 };
            let form = self.forms.intern(predicate, &vec![ShapeId::HOLE; arity]);
            let mut fact = |&[from, value, to]: &[u32; 3]| {
                let [from, to] = [from, to].map(|it| self.symbols.intern(&it.to_string()).0);
                [from, value, to][columns.clone()].to_vec()
            };
            let facts = layer.steps.iter().map(&mut fact).collect();
            self.steps.push(Steps { form, measure, facts });
            chain.layers.push((form, name));
            chain.sizes.push((layer.states, layer.steps.len()));
        }
        chain
    }
}

impl Unfolding<'_, '_, '_> {
    /// The assignments to the variables that are needed for which a conjunction holds.
    fn conjunction(&mut self, conjunction: &Conjunction) -> Option<Node> {
        let body: Vec<&FlatLiteral> = conjunction.literals.iter().collect();
        for variable in 0..conjunction.variables as u32 {
            self.add_level(&body, variable)?;
        }
        let mut factors = Vec::with_capacity(body.len());
        for literal in body {
            factors.push(self.literal(&literal.kind, &|it| it)?);
        }
        let locals = conjunction.needed as u32..conjunction.variables as u32;
        let factors = self.eliminate(factors, locals.collect())?;
        self.diagrams.all(factors)
    }
}

/// The layers of a diagram that is not empty, from the one state before the first variable to the one after the last.
fn layers(diagrams: &mut Diagrams<'_, '_>, root: Node, variables: u32) -> Option<Vec<Layer>> {
    let mut before = vec![root];
    let mut layers: Vec<Layer> = Vec::new();
    for level in 0..variables {
        let mut after: IndexSet<Node> = IndexSet::new();
        let mut steps = Vec::new();
        for (from, &node) in (1..).zip(&before) {
            for position in 0..diagrams.values(level).len() {
                let child = diagrams.child(node, level, position);
                if child != Node::FALSE {
                    diagrams.ticker.tick().ok()?;
                    let to = after.insert_full(child).0 as u32 + 1;
                    steps.push([from, diagrams.values(level)[position], to]);
                }
            }
        }
        layers.push(Layer { steps, states: after.len() });
        before = after.into_iter().collect();
    }
    Some(layers)
}

/// A literal with its variables numbered by their places in a list.
fn renumbered(literal: &FlatLiteral, order: &IndexSet<u32>) -> FlatLiteral {
    let place = |it: u32| order.get_index_of(&it).expect("every variable has a place") as u32;
    let number =
        |it: Argument| it.variable().map_or(it, |variable| Argument::Variable(place(variable)));
    FlatLiteral { kind: map_arguments(&literal.kind, &number), ..*literal }
}

/// Whether the head or another literal has two variables of some literals.
fn binds_together<'rule>(
    rule: &FlatRule,
    literals: &[&FlatLiteral],
    mut others: impl Iterator<Item = &'rule FlatLiteral>,
) -> bool {
    let own: FxHashSet<u32> = literals.iter().flat_map(|it| variables(&it.kind)).collect();
    let has_two = |variables: &mut dyn Iterator<Item = u32>| {
        variables.filter(|it| own.contains(it)).collect::<FxHashSet<u32>>().len() > 1
    };
    has_two(&mut rule.head.arguments.iter().filter_map(|it| it.variable()))
        || others.any(|literal| has_two(&mut variables(&literal.kind)))
}

/// Whether a literal has three variables or more.
fn has_three(literal: &FlatLiteral) -> bool {
    variables(&literal.kind).collect::<FxHashSet<u32>>().len() > 2
}

#[cfg(test)]
mod tests;
