//! The rules of each predicate, and copies of rules whose variables are apart.

use fxhash::{FxHashMap, FxHashSet};

use crate::description::{Atom, Keywords, Predicate, Term};
use crate::rewrite::statics::Statics;
use crate::rules::{Literal, Rule, Rules, compound};
use crate::symbols::Symbol;
use crate::tuning::MOST_COMPARED;

/// Rules by what they derive.
pub(in crate::compact) struct Definitions<'r> {
    rules: &'r [Rule],
    pub(in crate::compact) keywords: Keywords,
    statics: &'r Statics,
    by_head: FxHashMap<Predicate, Vec<u32>>,
    /// How many names there are: variables of copies have numbers above.
    names: u32,
}

impl<'r> Definitions<'r> {
    pub(in crate::compact) fn new(rules: &'r Rules, statics: &'r Statics) -> Self {
        let mut by_head: FxHashMap<Predicate, Vec<u32>> = FxHashMap::default();
        for (number, rule) in (0..).zip(&rules.rules) {
            by_head.entry(rule.head.predicate()).or_default().push(number);
        }
        let (rules, keywords, symbols) = (&rules.rules, rules.keywords, &rules.symbols);
        Definitions { rules, keywords, statics, by_head, names: symbols.len() as u32 }
    }

    /// The rules of a predicate, in the order of the description.
    pub(in crate::compact) fn of(
        &self,
        predicate: Predicate,
    ) -> impl ExactSizeIterator<Item = &'r Rule> + Clone + use<'r, '_> {
        let numbers = self.by_head.get(&predicate).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|&it| &self.rules[it as usize])
    }

    pub(in crate::compact) fn is_dynamic(&self, predicate: Predicate) -> bool {
        self.statics.is_dynamic(predicate)
    }

    /// Whether a literal says the same in every state.
    pub(in crate::compact) fn is_static(&self, literal: &Literal) -> bool {
        literal.atom().is_none_or(|atom| !self.is_dynamic(atom.predicate()))
    }

    /// Whether a literal is a view of the state: dynamic, and no keyword.
    pub(in crate::compact) fn is_view(&self, atom: &Atom) -> bool {
        self.is_dynamic(atom.predicate()) && !self.keywords.contains(atom.predicate)
    }

    /// Whether a variable is one of the description, not of a copy.
    pub(in crate::compact) fn is_own(&self, variable: Symbol) -> bool {
        variable.0 < self.names
    }

    /// Whether a static literal is false whatever its variables are: it uses none of the facts that there are.
    pub(in crate::compact) fn is_false(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Positive(atom) if !self.is_dynamic(atom.predicate()) => {
                let mut facts = self.of(atom.predicate());
                facts.len() <= MOST_COMPARED as usize
                    && !facts.any(|fact| {
                        !fact.body.is_empty() || may_be(&fact.head.arguments, &atom.arguments)
                    })
            }
            Literal::Distinct(left, right) => left == right,
            Literal::Positive(_) | Literal::Negative(_) => false,
        }
    }

    /// Whether no facts of one argument have a value, or any value for a variable, that all these predicates have.
    pub(in crate::compact) fn have_no_value(&self, value: &Term, predicates: &[Predicate]) -> bool {
        let mut values = predicates.iter().map(|it| self.constants(*it));
        let Some(Some(mut common)) = values.next() else { return false };
        for others in values {
            let Some(others) = others else { return false };
            common.retain(|it| others.contains(it));
        }
        match value {
            Term::Variable(_) => common.is_empty(),
            Term::Constant(value) => !common.contains(value),
            Term::Compound(_) => true,
        }
    }

    /// The values of a predicate that has nothing but facts of a constant each.
    fn constants(&self, predicate: Predicate) -> Option<FxHashSet<Symbol>> {
        let facts = self.of(predicate);
        if facts.len() > MOST_COMPARED as usize {
            return None;
        }
        let constant = |fact: &Rule| match fact.head.arguments.as_slice() {
            [Term::Constant(it)] if fact.body.is_empty() => Some(*it),
            _ => None,
        };
        facts.map(constant).collect()
    }

    /// Copies of rules for a question.
    pub(in crate::compact) fn copies(&self) -> Copies {
        Copies { names: self.names, made: 0 }
    }
}

/// Whether the arguments of an atom may be those of a fact.
fn may_be(fact: &[Term], atom: &[Term]) -> bool {
    let is_constant = |it: &Term| matches!(it, Term::Constant(_));
    (0..atom.len()).all(|at| match (&atom[at], &fact[at]) {
        (Term::Constant(one), Term::Constant(other)) => one == other,
        (Term::Variable(_), value) if is_constant(value) => {
            let mut before = (0..at).filter(|&it| atom[it] == atom[at]);
            before.all(|it| !is_constant(&fact[it]) || fact[it] == *value)
        }
        _ => true,
    })
}

/// Makes copies of rules whose variables are those of no other rule.
#[derive(Clone)]
pub(in crate::compact) struct Copies {
    names: u32,
    made: u32,
}

impl Copies {
    /// A copy of a rule. `None` if there are too many.
    pub(in crate::compact) fn of(&mut self, rule: &Rule) -> Option<Rule> {
        self.made += 1;
        let shift = self.names.checked_mul(self.made)?;
        shift.checked_add(self.names)?;
        Some(Rule {
            head: atom(&rule.head, shift),
            body: rule.body.iter().map(|it| literal(it, shift)).collect(),
            span: rule.span,
        })
    }

    /// Whether a variable is of a copy that others have not made.
    pub(in crate::compact) fn is_newer(&self, others: &Copies, variable: Symbol) -> bool {
        variable.0 / self.names > others.made
    }
}

fn literal(of: &Literal, shift: u32) -> Literal {
    match of {
        Literal::Positive(it) => Literal::Positive(atom(it, shift)),
        Literal::Negative(it) => Literal::Negative(atom(it, shift)),
        Literal::Distinct(left, right) => Literal::Distinct(term(left, shift), term(right, shift)),
    }
}

fn atom(of: &Atom, shift: u32) -> Atom {
    Atom { arguments: of.arguments.iter().map(|it| term(it, shift)).collect(), ..*of }
}

fn term(of: &Term, shift: u32) -> Term {
    match of {
        Term::Variable(name) => Term::Variable(Symbol(name.0 + shift)),
        Term::Constant(_) => of.clone(),
        Term::Compound(it) => {
            compound(it.functor, it.arguments.iter().map(|it| term(it, shift)).collect())
        }
    }
}
