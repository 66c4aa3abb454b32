//! Parts of rules as predicates of their own, on rules as people write them.

use fxhash::{FxBuildHasher, FxHashMap, FxHashSet};
use indexmap::IndexSet;

use crate::description::{Atom, Term};
use crate::kif::Span;
use crate::rules::{Literal, Rule, Rules, compound};
use crate::symbols::{Symbol, Symbols, fresh};

/// Projects, in rules from these places, each literal with variables that stand nowhere else in its rule.
///
/// Where terms have several shapes a rule is specialised to each combination of the shapes of its variables. What
/// nothing uses multiplies only the rules of the new predicates.
pub fn project_anonymous(rules: &mut Rules, places: &FxHashSet<Span>) {
    let all = std::mem::take(&mut rules.rules);
    let count = all.len();
    let mut projection = Projection::new("part", &mut rules.symbols, all);
    for rule in 0..count {
        if places.contains(&projection.rules[rule].span) {
            while let Some(part) = anonymous(&projection.rules[rule]) {
                projection.split(rule, &part);
            }
        }
    }
    rules.rules = projection.rules;
}

/// Whether there is such a literal in one of these rules.
pub fn any_anonymous(rules: &[Rule], places: &FxHashSet<Span>) -> bool {
    let mut crowded = rules.iter().filter(|rule| places.contains(&rule.span));
    !places.is_empty() && crowded.any(|rule| anonymous(rule).is_some())
}

/// The first literal with variables that stand nowhere else, if there are others.
fn anonymous(rule: &Rule) -> Option<Part> {
    if rule.body.len() < 2 {
        return None;
    }
    let mut uses: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut add = |it: &Literal| it.for_each_variable(&mut |it| *uses.entry(it).or_default() += 1);
    add(&Literal::Positive(rule.head.clone()));
    rule.body.iter().for_each(&mut add);
    let kept = |it: &Literal| -> Vec<Symbol> {
        variables([it]).into_iter().filter(|it| uses[it] > 1).collect()
    };
    let is_wider = |it: &&Literal| {
        matches!(it, Literal::Positive(_)) && kept(it).len() < variables([*it]).len()
    };
    let at = rule.body.iter().position(|it| is_wider(&it))?;
    let literal = &rule.body[at];
    let taken = (0..rule.body.len()).map(|it| it == at).collect();
    Some(Part { taken, interface: kept(literal), variables: variables([literal]).len() })
}

/// A part of a body that becomes an auxiliary predicate.
pub struct Part {
    /// By literal of the body.
    pub taken: Vec<bool>,
    /// The variables that the rest of the rule needs as well.
    pub interface: Vec<Symbol>,
    /// How many variables it has.
    pub variables: usize,
}

/// Rules, and the auxiliary predicates that parts of them have become.
pub struct Projection<'run> {
    /// What the names of the predicates begin with.
    name: &'static str,
    symbols: &'run mut Symbols,
    /// The auxiliary predicate for a body with numbered variables of which the first so many are kept.
    known: FxHashMap<(Vec<Literal>, usize), Symbol>,
    pub rules: Vec<Rule>,
}

impl<'run> Projection<'run> {
    pub fn new(name: &'static str, symbols: &'run mut Symbols, rules: Vec<Rule>) -> Self {
        Projection { name, symbols, known: FxHashMap::default(), rules }
    }

    /// Puts an atom of an auxiliary predicate in the place of a part of a rule.
    pub fn split(&mut self, rule: usize, part: &Part) {
        let rule = &mut self.rules[rule];
        let span = rule.span;
        let mut taken = part.taken.iter();
        let inner: Vec<Literal> =
            rule.body.extract_if(.., |_| taken.next().is_some_and(|&it| it)).collect();
        let over = |variables: &[Symbol], predicate| Atom {
            predicate,
            arguments: variables.iter().map(|&it| Term::Variable(it)).collect(),
            span,
        };
        let mut variables: Variables = part.interface.iter().copied().collect();
        inner.iter().for_each(|it| add_variables(it, &mut variables));
        let number = |(number, &it)| (it, self.symbols.intern(&format!("?{number}")));
        let names: FxHashMap<Symbol, Symbol> = variables.iter().enumerate().map(number).collect();
        let body: Vec<Literal> = inner.iter().map(|it| rename(it, &names)).collect();
        let key = (body, part.interface.len());
        let known = self.known.get(&key).copied();
        let predicate = known.unwrap_or_else(|| {
            fresh(self.symbols, &format!("{}_{}", self.name, self.known.len() + 1))
        });
        rule.body.push(Literal::Positive(over(&part.interface, predicate)));
        if known.is_none() {
            let kept: Vec<Symbol> = part.interface.iter().map(|it| names[it]).collect();
            self.rules.push(Rule { head: over(&kept, predicate), body: key.0.clone(), span });
            self.known.insert(key, predicate);
        }
    }
}

/// A literal with other names for its variables.
pub fn rename(literal: &Literal, names: &FxHashMap<Symbol, Symbol>) -> Literal {
    fn term(it: &Term, names: &FxHashMap<Symbol, Symbol>) -> Term {
        match it {
            Term::Variable(name) => Term::Variable(names[name]),
            Term::Constant(_) => it.clone(),
            Term::Compound(it) => {
                let arguments = it.arguments.iter().map(|it| term(it, names)).collect();
                compound(it.functor, arguments)
            }
        }
    }
    let atom = |it: &Atom| Atom {
        arguments: it.arguments.iter().map(|it| term(it, names)).collect(),
        predicate: it.predicate,
        span: Span::default(),
    };
    match literal {
        Literal::Positive(it) => Literal::Positive(atom(it)),
        Literal::Negative(it) => Literal::Negative(atom(it)),
        Literal::Distinct(left, right) => Literal::Distinct(term(left, names), term(right, names)),
    }
}

/// Variables in the order of the text, each once.
type Variables = IndexSet<Symbol, FxBuildHasher>;

/// The variables of literals in the order of the text, each once.
pub fn variables<'a>(literals: impl IntoIterator<Item = &'a Literal>) -> Vec<Symbol> {
    let mut variables = Variables::default();
    literals.into_iter().for_each(|it| add_variables(it, &mut variables));
    variables.into_iter().collect()
}

fn add_variables(literal: &Literal, variables: &mut Variables) {
    literal.for_each_variable(&mut |it| _ = variables.insert(it));
}
