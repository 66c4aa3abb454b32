//! Projection of existential variables (Schiffel 2016, "Optimizations"), on rules as people write them.
//!
//! A variable that occurs in one positive literal and nowhere else is not multiplied with the values of the
//! other literals: the literal is replaced by an auxiliary predicate without it, `p(X,Y)` by `project(X)`
//! with `project(X) :- p(X,Y)`. The grounder of the other system then does what ours does by itself.

use fxhash::{FxHashMap, FxHashSet};

use crate::description::{Atom, Compound, Term};
use crate::prepare::Prepared;
use crate::rewrite::base_input_renaming::fresh;
use crate::rewrite::statics;
use crate::rules::{Literal, Rule, for_each_variable};
use crate::symbols::{Symbol, Symbols};

/// Projects the existential variables of all rules. The rules mean the same; those of the auxiliary
/// predicates stand behind the others.
pub fn project(prepared: &mut Prepared) {
    let mut projection = Projection {
        symbols: &mut prepared.rules.symbols,
        known: FxHashMap::default(),
        rules: Vec::new(),
    };
    for rule in &mut prepared.rules.rules {
        projection.rule(rule);
    }
    let auxiliary = projection.rules;
    prepared.rules.rules.extend(auxiliary);
    prepared.statics = statics::analyse(&prepared.rules);
}

struct Projection<'run> {
    symbols: &'run mut Symbols,
    /// The auxiliary predicate for an atom with numbered variables, and how many of them are kept.
    known: FxHashMap<(Atom, usize), Symbol>,
    rules: Vec<Rule>,
}

impl Projection<'_> {
    fn rule(&mut self, rule: &mut Rule) {
        // How many literals, or the head, mention a variable.
        let mut uses: FxHashMap<Symbol, u32> = FxHashMap::default();
        let mut count = |variables: FxHashSet<Symbol>| {
            variables.into_iter().for_each(|it| *uses.entry(it).or_default() += 1);
        };
        count(variables_of(&Literal::Positive(rule.head.clone())).into_iter().collect());
        let of_literals: Vec<Vec<Symbol>> = rule.body.iter().map(variables_of).collect();
        of_literals.iter().for_each(|it| count(it.iter().copied().collect()));
        if of_literals.iter().filter(|it| !it.is_empty()).count() < 2 {
            return;
        }
        for (literal, variables) in rule.body.iter_mut().zip(&of_literals) {
            let Literal::Positive(atom) = literal else { continue };
            let (kept, projected): (Vec<Symbol>, Vec<Symbol>) =
                variables.iter().partition(|it| uses[it] > 1);
            if !projected.is_empty() {
                *atom = self.auxiliary(atom, &kept, &projected, rule.span);
            }
        }
    }

    /// The auxiliary atom over the variables that are kept.
    fn auxiliary(
        &mut self,
        atom: &Atom,
        kept: &[Symbol],
        projected: &[Symbol],
        span: crate::kif::Span,
    ) -> Atom {
        let names: FxHashMap<Symbol, Symbol> = kept
            .iter()
            .chain(projected)
            .enumerate()
            .map(|(number, &it)| (it, self.symbols.intern(&format!("?{number}"))))
            .collect();
        let arguments = atom.arguments.iter().map(|term| rename(term, &names)).collect();
        let source = Atom { arguments, span: crate::kif::Span::default(), ..atom.clone() };
        let over = |variables: &[Symbol], predicate| Atom {
            predicate,
            arguments: variables.iter().map(|&it| Term::Variable(it)).collect(),
            span,
        };
        let key = (source.clone(), kept.len());
        let predicate = match self.known.get(&key) {
            Some(&predicate) => predicate,
            None => {
                let wanted = format!("project_{}", self.known.len() + 1);
                let predicate = fresh(self.symbols, &wanted);
                let numbered: Vec<Symbol> = kept.iter().map(|it| names[it]).collect();
                let body = vec![Literal::Positive(source)];
                self.rules.push(Rule { head: over(&numbered, predicate), body, span });
                self.known.insert(key, predicate);
                predicate
            }
        };
        over(kept, predicate)
    }
}

fn rename(term: &Term, names: &FxHashMap<Symbol, Symbol>) -> Term {
    match term {
        Term::Variable(name) => Term::Variable(names[name]),
        Term::Constant(_) => term.clone(),
        Term::Compound(it) => Term::Compound(Box::new(Compound {
            functor: it.functor,
            arguments: it.arguments.iter().map(|term| rename(term, names)).collect(),
        })),
    }
}

/// The variables of a literal in the order of the text, each once.
fn variables_of(literal: &Literal) -> Vec<Symbol> {
    let mut variables = Vec::new();
    let mut add = |it| {
        if !variables.contains(&it) {
            variables.push(it);
        }
    };
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            atom.arguments.iter().for_each(|term| for_each_variable(term, &mut add));
        }
        Literal::Distinct(left, right) => {
            for_each_variable(left, &mut add);
            for_each_variable(right, &mut add);
        }
    }
    variables
}
