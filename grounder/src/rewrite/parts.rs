//! Parts of rules as predicates of their own, on rules as people write them.

use fxhash::{FxBuildHasher, FxHashMap};
use indexmap::IndexSet;

use crate::description::{Atom, Term};
use crate::kif::Span;
use crate::rules::{Literal, Rule, compound};
use crate::symbols::{Symbol, Symbols, fresh};

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
    symbols: &'run mut Symbols,
    /// The auxiliary predicate for a body with numbered variables of which the first so many are kept.
    known: FxHashMap<(Vec<Literal>, usize), Symbol>,
    pub rules: Vec<Rule>,
}

impl<'run> Projection<'run> {
    pub fn new(symbols: &'run mut Symbols, rules: Vec<Rule>) -> Self {
        Projection { symbols, known: FxHashMap::default(), rules }
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
        let predicate = known
            .unwrap_or_else(|| fresh(self.symbols, &format!("project_{}", self.known.len() + 1)));
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
    let atom = |atom: &Atom| Atom {
        arguments: atom.arguments.iter().map(|it| term(it, names)).collect(),
        predicate: atom.predicate,
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
