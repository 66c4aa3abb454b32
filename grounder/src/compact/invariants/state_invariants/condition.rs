//! Static conditions on variables of a rule, and the literals that say them.

use fxhash::FxHashMap;

use crate::description::{Atom, Term};
use crate::kif::Span;
use crate::rewrite::parts;
use crate::rules::{Literal, Rule, is_safe};
use crate::symbols::{Symbol, Symbols, fresh};

/// A condition on variables of a rule: they have these values, if static literals hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) variables: Vec<Symbol>,
    /// By variable.
    pub(super) values: Vec<Term>,
    pub(super) body: Vec<Literal>,
}

impl Condition {
    /// The literal that says the condition without an auxiliary predicate, if there is one.
    pub(super) fn literal(&self) -> Option<Literal> {
        let [literal] = self.body.as_slice() else { return None };
        let own = self.variables.iter().map(|&it| Term::Variable(it));
        let all = parts::variables(&self.body);
        let is_plain =
            own.eq(self.values.iter().cloned()) && all.iter().all(|it| self.variables.contains(it));
        is_plain.then(|| literal.clone())
    }

    /// The variable that has one value, and this value, if that is all.
    pub(super) fn value(&self) -> Option<(Symbol, &Term)> {
        match (self.variables.as_slice(), self.values.as_slice()) {
            (&[variable], [value]) if self.body.is_empty() => Some((variable, value)),
            _ => None,
        }
    }

    /// Whether an auxiliary predicate can say it: every value is bound.
    pub(super) fn is_safe(&self) -> bool {
        is_safe(&self.values, &self.body)
    }
}

/// Values and literals with numbered variables.
type Numbered = (Vec<Term>, Vec<Literal>);

/// The auxiliary predicates that say conditions.
pub(super) struct ConditionAuxiliaries<'run> {
    symbols: &'run mut Symbols,
    known: FxHashMap<Numbered, Symbol>,
    pub(super) rules: Vec<Rule>,
}

impl<'run> ConditionAuxiliaries<'run> {
    pub(super) fn new(symbols: &'run mut Symbols) -> Self {
        ConditionAuxiliaries { symbols, known: FxHashMap::default(), rules: Vec::new() }
    }

    /// The literal that says a condition of a rule.
    pub(super) fn literal(&mut self, condition: &Condition, span: Span) -> Literal {
        if let Some(literal) = condition.literal() {
            return literal;
        }
        let numbered = self.numbered(condition);
        let predicate = match self.known.get(&numbered) {
            Some(&known) => known,
            None => self.define(numbered, span),
        };
        let arguments = condition.variables.iter().map(|&it| Term::Variable(it)).collect();
        Literal::Positive(Atom { predicate, arguments, span })
    }

    fn define(&mut self, numbered: Numbered, span: Span) -> Symbol {
        let predicate = fresh(self.symbols, &format!("reachable_{}", self.known.len() + 1));
        let (values, body) = &numbered;
        let head = Atom { predicate, arguments: values.iter().cloned().collect(), span };
        self.rules.push(Rule { head, body: body.clone(), span });
        self.known.insert(numbered, predicate);
        predicate
    }

    /// A condition with its variables numbered in the order in which they occur.
    fn numbered(&mut self, condition: &Condition) -> Numbered {
        let head = Atom {
            predicate: Symbol(0),
            arguments: condition.values.iter().cloned().collect(),
            span: Span::default(),
        };
        let head = Literal::Positive(head);
        let all = parts::variables(std::iter::once(&head).chain(&condition.body));
        let names: FxHashMap<Symbol, Symbol> = all
            .into_iter()
            .enumerate()
            .map(|(number, it)| (it, self.symbols.intern(&format!("?{number}"))))
            .collect();
        let values = match parts::rename(&head, &names) {
            Literal::Positive(head) => head.arguments.to_vec(),
            Literal::Negative(_) | Literal::Distinct(..) => Vec::new(),
        };
        (values, condition.body.iter().map(|it| parts::rename(it, &names)).collect())
    }
}
