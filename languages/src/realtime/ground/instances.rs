//! The ground instances of rules.
//!
//! Lifetimes are left out of the rules, and negations too; what follows from the rest, when whatever is legal may be done and whatever
//! may be next may be true, is all that can ever hold. A predicate for each rule, with its variables, tells its instances.

use fxhash::FxHashMap;
use groundfrog::description::{Atom, Predicate, Term, Terms};
use groundfrog::kif::Span;
use groundfrog::options::Limits;
use groundfrog::rules::{Literal, PredicateGraph, Rule, Rules};
use groundfrog::symbols::{Symbol, Symbols, fresh};
use smallvec::SmallVec;

use super::sorts::Sorts;
use super::{Layer, Named, NotGroundable};
use crate::evaluation::{Context, Evaluator};
use crate::realtime::Lifetime;
use crate::realtime::interpreted::RealTimeKeywords;
use crate::rules::Rulebook;

/// A lifetime in a ground rule.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// One that stands in the text.
    Value(Lifetime),
    /// One that is passed on, numbered within the rule.
    Variable(usize),
}

/// A ground rule with symbolic lifetimes.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) head: u32,
    pub(super) slots: SmallVec<[Slot; 1]>,
    pub(super) positive: Vec<(u32, SmallVec<[Slot; 1]>)>,
    pub(super) negative: Vec<(u32, SmallVec<[Slot; 1]>)>,
    pub(super) distinct: Vec<(Slot, Slot)>,
    pub(super) variables: usize,
}

/// The ground rules of a game, and what their atoms are about.
#[derive(Clone, Debug, Default)]
pub(super) struct GroundRules {
    pub(super) atoms: usize,
    pub(super) on_event: Vec<Layer>,
    pub(super) on_state: Vec<Layer>,
    /// What holds at all times, where it has lifetimes.
    pub(super) fixed: Vec<(u32, SmallVec<[Lifetime; 1]>)>,
    pub(super) fluents: Named,
    pub(super) expired: Named,
    pub(super) moves: FxHashMap<(Term, Term), u32>,
    pub(super) next: Vec<(u32, Term)>,
    pub(super) legal: Vec<(u32, Term, Term)>,
    pub(super) goals: Vec<(u32, Term, Term)>,
    pub(super) sees: Vec<(u32, Term, Term)>,
    pub(super) terminal: Option<u32>,
}

/// Numbers atoms, without their lifetimes.
#[derive(Default)]
struct Atoms {
    numbers: FxHashMap<(Predicate, Terms), u32>,
}

impl Atoms {
    fn number(&mut self, predicate: Predicate, arguments: Terms) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((predicate, arguments)).or_insert(next)
    }
}

/// The rules without lifetimes and negations.
struct Relaxed<'r> {
    sorts: &'r Sorts,
    symbols: Symbols,
    names: FxHashMap<Predicate, Symbol>,
}

impl Relaxed<'_> {
    fn name(&mut self, predicate: Predicate) -> Symbol {
        let Relaxed { symbols, names, .. } = self;
        *names.entry(predicate).or_insert_with(|| {
            let name = format!("{}_{}", symbols.name(predicate.name), predicate.arity);
            fresh(symbols, &name)
        })
    }

    fn predicate(&mut self, predicate: Predicate) -> Predicate {
        let lifetimes = (0..predicate.arity as usize)
            .filter(|&it| self.sorts.is_lifetime(predicate, it))
            .count();
        Predicate { name: self.name(predicate), arity: predicate.arity - lifetimes as u32 }
    }

    /// The arguments that are no lifetimes.
    fn terms(&self, atom: &Atom) -> Terms {
        let predicate = atom.predicate();
        let terms = atom.arguments.iter().enumerate();
        terms
            .filter(|(it, _)| !self.sorts.is_lifetime(predicate, *it))
            .map(|(_, term)| term.clone())
            .collect()
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        let arguments = self.terms(atom);
        Atom { predicate: self.name(atom.predicate()), arguments, span: atom.span }
    }

    /// `head(x, ...) <- body(x, ...)` for two predicates of the game with as many terms.
    fn passes_on(&mut self, head: Predicate, body: Predicate) -> Rule {
        let arity = self.predicate(head).arity;
        let variables: Terms =
            (0..arity).map(|it| Term::Variable(self.symbols.intern(&format!("?x{it}")))).collect();
        let mut atom = |of: Predicate| Atom {
            predicate: self.name(of),
            arguments: variables.clone(),
            span: Span::default(),
        };
        let (head, body) = (atom(head), atom(body));
        Rule { head, body: vec![Literal::Positive(body)], span: Span::default() }
    }
}

impl GroundRules {
    pub(super) fn new(
        book: &Rulebook,
        keywords: &RealTimeKeywords,
        sorts: &Sorts,
        limits: &Limits,
    ) -> Result<Self, NotGroundable> {
        let budget = limits.budget();
        let source = &book.rules;
        let exact = Evaluator::new(source, &keywords.given(), None, &[], &budget)?;
        let context = Context { symbols: &source.symbols, budget: &budget };
        let exact_model = exact.evaluate(&exact.query(&[]), [], context)?;
        let mut relaxed =
            Relaxed { sorts, symbols: source.symbols.clone(), names: FxHashMap::default() };
        let mut rules = vec![
            relaxed.passes_on(keywords.true_, keywords.init),
            relaxed.passes_on(keywords.true_, keywords.next),
            relaxed.passes_on(keywords.expired, keywords.true_),
            relaxed.passes_on(keywords.does, keywords.legal),
        ];
        let mut tellers = Vec::new();
        for rule in &source.rules {
            let (teller, variables) = teller(rule, &mut relaxed, &mut rules);
            tellers.push((teller, variables));
        }
        let symbols = relaxed.symbols.clone();
        let relaxed_rules =
            Rules { symbols, keywords: source.keywords, rules, of_alternatives: Vec::new() };
        let possible = Evaluator::new(&relaxed_rules, &[], None, &[], &budget)?;
        let context = Context { symbols: &relaxed_rules.symbols, budget: &budget };
        let model = possible.evaluate(&possible.query(&[]), [], context)?;

        let mut atoms = Atoms::default();
        let mut instances: Vec<(Predicate, Instance)> = Vec::new();
        let mut made = GroundRules::default();
        for (rule, (teller, variables)) in source.rules.iter().zip(&tellers) {
            let head = rule.head.predicate();
            if !exact.varies(head) {
                continue;
            }
            let lifetimes = sorts.variables(rule);
            let maker = Maker { rule, variables, lifetimes: &lifetimes, symbols: &source.symbols };
            'rows: for row in model.rows(*teller) {
                let mut instance = Instance {
                    head: maker.atom(&rule.head, row, &relaxed, &mut atoms),
                    slots: maker.slots(&rule.head, sorts),
                    positive: Vec::new(),
                    negative: Vec::new(),
                    distinct: maker.distinct(),
                    variables: lifetimes.len(),
                };
                for literal in &rule.body {
                    let (atom, is_negative) = match literal {
                        Literal::Positive(atom) => (atom, false),
                        Literal::Negative(atom) => (atom, true),
                        Literal::Distinct(..) => continue,
                    };
                    let predicate = atom.predicate();
                    let terms = maker.terms(atom, row, &relaxed);
                    if !exact.varies(predicate) && !sorts.has_any(predicate) {
                        if exact_model.rows(predicate).contains(&terms) == is_negative {
                            continue 'rows;
                        }
                        continue;
                    }
                    let slots = maker.slots(atom, sorts);
                    let number = atoms.number(predicate, terms);
                    match is_negative {
                        true => instance.negative.push((number, slots)),
                        false => instance.positive.push((number, slots)),
                    }
                }
                instances.push((head, instance));
            }
        }
        // What is always the same and has lifetimes is given beforehand.
        let predicates = source
            .rules
            .iter()
            .flat_map(|rule| rule.body.iter().filter_map(Literal::atom).map(Atom::predicate));
        let mut lifetimed: Vec<Predicate> =
            predicates.filter(|&it| !exact.varies(it) && sorts.has_any(it)).collect();
        lifetimed.sort_unstable();
        lifetimed.dedup();
        for predicate in lifetimed {
            for row in exact_model.rows(predicate) {
                let atom = Atom {
                    predicate: predicate.name,
                    arguments: row.clone(),
                    span: Span::default(),
                };
                let number = atoms.number(predicate, relaxed.terms(&atom));
                let lifetimes = row.iter().enumerate().filter_map(|(it, term)| match term {
                    Term::Constant(name) if sorts.is_lifetime(predicate, it) => {
                        Lifetime::of_name(source.symbols.name(*name))
                    }
                    _ => None,
                });
                made.fixed.push((number, lifetimes.collect()));
            }
        }
        made.atoms = atoms.numbers.len();
        made.name(atoms, keywords);
        let layers = Layers::new(source);
        made.on_event = layers.of(&instances, &[keywords.next, keywords.sees]);
        let on_state = [keywords.legal, keywords.goal, keywords.terminal];
        made.on_state = layers.of(&instances, &on_state);
        Ok(made)
    }

    /// Notes what atoms are about.
    fn name(&mut self, atoms: Atoms, keywords: &RealTimeKeywords) {
        let mut all: Vec<((Predicate, Terms), u32)> = atoms.numbers.into_iter().collect();
        all.sort_unstable_by_key(|it| it.1);
        for ((predicate, terms), number) in all {
            let first = || terms[0].clone();
            let both = || (number, terms[0].clone(), terms[1].clone());
            match predicate {
                it if it == keywords.true_ => _ = self.fluents.insert(first(), number),
                it if it == keywords.expired => _ = self.expired.insert(first(), number),
                it if it == keywords.does => {
                    self.moves.insert((first(), terms[1].clone()), number);
                }
                it if it == keywords.next => self.next.push((number, first())),
                it if it == keywords.legal => self.legal.push(both()),
                it if it == keywords.goal => self.goals.push(both()),
                it if it == keywords.sees => self.sees.push(both()),
                it if it == keywords.terminal => self.terminal = Some(number),
                _ => {}
            }
        }
    }
}

/// Adds the rules about the instances of a rule; returns the predicate that tells them, and its variables.
fn teller(
    rule: &Rule,
    relaxed: &mut Relaxed<'_>,
    rules: &mut Vec<Rule>,
) -> (Predicate, Vec<Symbol>) {
    let lifetimes = relaxed.sorts.variables(rule);
    let mut variables: Vec<Symbol> = Vec::new();
    let mut note = |name: Symbol| {
        if !lifetimes.contains(&name) && !variables.contains(&name) {
            variables.push(name);
        }
    };
    rule.body.iter().for_each(|literal| literal.for_each_variable(&mut note));
    let name = fresh(&mut relaxed.symbols, "instance");
    let told = Atom {
        predicate: name,
        arguments: variables.iter().map(|&it| Term::Variable(it)).collect(),
        span: rule.span,
    };
    let is_lifetime = |term: &Term| match term {
        Term::Variable(it) => lifetimes.contains(it),
        _ => false,
    };
    let mut body = Vec::new();
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) => body.push(Literal::Positive(relaxed.atom(atom))),
            Literal::Distinct(left, right) if !is_lifetime(left) && !is_lifetime(right) => {
                body.push(literal.clone());
            }
            Literal::Negative(_) | Literal::Distinct(..) => {}
        }
    }
    let head = relaxed.atom(&rule.head);
    rules.push(Rule { head: told.clone(), body, span: rule.span });
    let predicate = told.predicate();
    rules.push(Rule { head, body: vec![Literal::Positive(told)], span: rule.span });
    (predicate, variables)
}

/// Makes instances of one rule.
struct Maker<'r> {
    rule: &'r Rule,
    variables: &'r [Symbol],
    lifetimes: &'r [Symbol],
    symbols: &'r Symbols,
}

impl Maker<'_> {
    fn terms(&self, atom: &Atom, row: &Terms, relaxed: &Relaxed<'_>) -> Terms {
        relaxed.terms(atom).iter().map(|it| self.filled(it, row)).collect()
    }

    fn atom(&self, atom: &Atom, row: &Terms, relaxed: &Relaxed<'_>, atoms: &mut Atoms) -> u32 {
        atoms.number(atom.predicate(), self.terms(atom, row, relaxed))
    }

    fn filled(&self, term: &Term, row: &Terms) -> Term {
        match term {
            Term::Variable(it) => {
                let place = self.variables.iter().position(|other| other == it);
                row[place.expect("rules are safe: the body has it")].clone()
            }
            Term::Constant(_) => term.clone(),
            Term::Compound(it) => groundfrog::rules::compound(
                it.functor,
                it.arguments.iter().map(|it| self.filled(it, row)).collect(),
            ),
        }
    }

    fn slot(&self, term: &Term) -> Slot {
        match term {
            Term::Variable(it) => {
                let place = self.lifetimes.iter().position(|other| other == it);
                Slot::Variable(place.expect("it is one of the rule's lifetimes"))
            }
            Term::Constant(name) => Slot::Value(
                Lifetime::of_name(self.symbols.name(*name))
                    .expect("what is no lifetime is refused"),
            ),
            Term::Compound(_) => unreachable!("what is no lifetime is refused"),
        }
    }

    fn slots(&self, atom: &Atom, sorts: &Sorts) -> SmallVec<[Slot; 1]> {
        let predicate = atom.predicate();
        let terms = atom.arguments.iter().enumerate();
        terms
            .filter(|(it, _)| sorts.is_lifetime(predicate, *it))
            .map(|(_, term)| self.slot(term))
            .collect()
    }

    /// The comparisons of lifetimes.
    fn distinct(&self) -> Vec<(Slot, Slot)> {
        let is_lifetime =
            |term: &Term| matches!(term, Term::Variable(it) if self.lifetimes.contains(it));
        let pairs = self.rule.body.iter().filter_map(|literal| match literal {
            Literal::Distinct(left, right) if is_lifetime(left) || is_lifetime(right) => {
                Some((self.slot(left), self.slot(right)))
            }
            _ => None,
        });
        pairs.collect()
    }
}

/// The order in which predicates are evaluated.
struct Layers {
    graph: PredicateGraph,
}

impl Layers {
    fn new(rules: &Rules) -> Self {
        Layers { graph: PredicateGraph::new(rules.rules.iter()) }
    }

    /// The instances that some predicates need, in the order of their evaluation.
    fn of(&self, instances: &[(Predicate, Instance)], wanted: &[Predicate]) -> Vec<Layer> {
        let mut graph = self.graph.clone();
        let wanted = wanted.iter().map(|&it| graph.number(it)).collect();
        let edges = graph.graph();
        let mut needed = vec![false; graph.predicates().len()];
        edges.reach(&mut needed, wanted);
        let components = edges.components();
        let mut layers: Vec<Layer> = (0..components.len())
            .map(|it| Layer { rules: Vec::new(), is_recursive: components.is_recursive(it) })
            .collect();
        for (head, instance) in instances {
            let number = graph.number(*head);
            if let Some(component) = components.of(number).filter(|_| needed[number as usize]) {
                layers[component].rules.push(instance.clone());
            }
        }
        layers.retain(|it| !it.rules.is_empty());
        layers
    }
}
