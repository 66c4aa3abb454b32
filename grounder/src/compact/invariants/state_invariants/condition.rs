//! Static conditions on variables of a rule, and the literals that say them.

use fxhash::FxHashMap;

use crate::description::{Atom, Term};
use crate::kif::Span;
use crate::rewrite::parts;
use crate::rules::{Literal, Rule, for_each_variable, is_safe, variables_of};
use crate::symbols::{Symbol, Symbols, fresh};

/// One way in which a condition holds: values for the variables, if static literals hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ConditionAlternative {
    /// By variable of the condition.
    pub(super) values: Vec<Term>,
    pub(super) body: Vec<Literal>,
}

/// A condition on variables of a rule: that one of the ways holds, or that none does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) variables: Vec<Symbol>,
    pub(super) alternatives: Vec<ConditionAlternative>,
    pub(super) holds: bool,
}

impl Condition {
    /// Whether the only way requires nothing of values but that these literals hold.
    fn plain(&self) -> Option<&[Literal]> {
        let [alternative] = self.alternatives.as_slice() else { return None };
        let own = self.variables.iter().map(|&it| Term::Variable(it));
        let all = parts::variables(&alternative.body);
        let is_plain = own.eq(alternative.values.iter().cloned())
            && all.iter().all(|it| self.variables.contains(it));
        is_plain.then_some(alternative.body.as_slice())
    }

    /// The literal that says the condition without an auxiliary predicate, if there is one.
    pub(super) fn literal(&self) -> Option<Literal> {
        if let Some([literal]) = self.plain() {
            return match (literal, self.holds) {
                (_, true) => Some(literal.clone()),
                (Literal::Positive(atom), false) => Some(Literal::Negative(atom.clone())),
                (Literal::Negative(atom), false) => Some(Literal::Positive(atom.clone())),
                (Literal::Distinct(..), false) => None,
            };
        }
        match (self.variables.as_slice(), self.alternatives.as_slice()) {
            (&[variable], [ConditionAlternative { values, body }])
                if body.is_empty() && !self.holds =>
            {
                let value = values.first()?;
                let mut is_ground = true;
                for_each_variable(value, &mut |_| is_ground = false);
                is_ground.then(|| Literal::Distinct(Term::Variable(variable), value.clone()))
            }
            _ => None,
        }
    }

    /// The variables of the rule that it is about, with those that others are the same as.
    pub(super) fn all_variables(&self) -> Vec<Symbol> {
        let mut all = self.variables.clone();
        all.extend(self.alternatives.iter().flat_map(|it| variables_of(&it.values)));
        all
    }

    /// The variable that has one value, and this value, if that is all.
    pub(super) fn value(&self) -> Option<(Symbol, &Term)> {
        match (self.variables.as_slice(), self.alternatives.as_slice()) {
            (&[variable], [ConditionAlternative { values, body }])
                if body.is_empty() && self.holds =>
            {
                Some((variable, values.first()?))
            }
            _ => None,
        }
    }

    /// Whether an auxiliary predicate can say it: every value is bound in each way.
    pub(super) fn is_safe(&self) -> bool {
        self.alternatives.iter().all(|alternative| is_safe(&alternative.values, &alternative.body))
    }
}

/// The auxiliary predicates that say conditions.
pub(super) struct ConditionAuxiliaries<'run> {
    symbols: &'run mut Symbols,
    /// By ways with numbered variables.
    known: FxHashMap<Vec<ConditionAlternative>, Symbol>,
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
        let alternatives: Vec<ConditionAlternative> =
            condition.alternatives.iter().map(|it| self.numbered(it)).collect();
        let mut unique: Vec<ConditionAlternative> = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            if !unique.contains(&alternative) {
                unique.push(alternative);
            }
        }
        let predicate = match self.known.get(&unique) {
            Some(&known) => known,
            None => self.define(unique, span),
        };
        let arguments = condition.variables.iter().map(|&it| Term::Variable(it)).collect();
        let atom = Atom { predicate, arguments, span };
        if condition.holds { Literal::Positive(atom) } else { Literal::Negative(atom) }
    }

    fn define(&mut self, alternatives: Vec<ConditionAlternative>, span: Span) -> Symbol {
        let predicate = fresh(self.symbols, &format!("reachable_{}", self.known.len() + 1));
        self.rules.extend(alternatives.iter().map(|alternative| Rule {
            head: Atom { predicate, arguments: alternative.values.iter().cloned().collect(), span },
            body: alternative.body.clone(),
            span,
        }));
        self.known.insert(alternatives, predicate);
        predicate
    }

    /// A way with its variables numbered in the order in which they occur.
    fn numbered(&mut self, alternative: &ConditionAlternative) -> ConditionAlternative {
        let head = Atom {
            predicate: Symbol(0),
            arguments: alternative.values.iter().cloned().collect(),
            span: Span::default(),
        };
        let head = Literal::Positive(head);
        let all = parts::variables(std::iter::once(&head).chain(&alternative.body));
        let names: FxHashMap<Symbol, Symbol> = all
            .into_iter()
            .enumerate()
            .map(|(number, it)| (it, self.symbols.intern(&format!("?{number}"))))
            .collect();
        let values = match parts::rename(&head, &names) {
            Literal::Positive(head) => head.arguments.to_vec(),
            Literal::Negative(_) | Literal::Distinct(..) => Vec::new(),
        };
        let body = alternative.body.iter().map(|it| parts::rename(it, &names)).collect();
        ConditionAlternative { values, body }
    }
}
