//! Which static predicates would have tables too large to compute, estimated from the facts alone.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Program, Tables, strata};

use crate::compact::estimate::{Estimates, fits, variables};
use crate::description::Keywords;
use crate::domains::program;
use crate::rewrite::sentence_forms::{FlatProgram, FlatRule, FormId, Forms, LiteralKind};
use crate::rewrite::statics::always_dynamic;
use crate::symbols::{Symbol, Symbols};

/// The rules about static predicates that mean nothing outside the rules.
pub(super) struct StaticRules {
    names: Vec<Symbol>,
}

impl StaticRules {
    pub(super) fn new(keywords: &Keywords) -> Self {
        let domains = [keywords.role, keywords.init, keywords.base, keywords.input];
        let names = always_dynamic(keywords).map(|it| it.name).into_iter().chain(domains);
        StaticRules { names: names.collect() }
    }

    pub(super) fn contain(&self, rule: &FlatRule) -> bool {
        !rule.stored && !rule.body.is_empty() && !self.names.contains(&rule.head.name)
    }
}

/// Whether a table can be large at all: a quick look, as most games have none.
pub(super) fn can_be_large(
    flat: &FlatProgram,
    forms: &Forms,
    constants: usize,
    statics: &StaticRules,
    large: u64,
) -> bool {
    let mut candidates = flat.rules.iter().filter(|rule| statics.contain(rule)).peekable();
    if candidates.peek().is_none() {
        return false;
    }
    let mut rows = vec![0u64; forms.len()];
    flat.facts(forms).for_each(|(form, _)| rows[form.index()] += 1);
    for rule in &flat.rules {
        rows[rule.head.form.index()] = u64::MAX;
    }
    let mut bounds: FxHashMap<FormId, u64> = FxHashMap::default();
    candidates.any(|rule| {
        // A variable has no more values than the shortest list of facts that it is in.
        let most = |variable: u32| {
            let of_literal = |kind: &LiteralKind| match kind {
                LiteralKind::Positive(atom)
                    if atom.arguments.iter().any(|it| it.variable() == Some(variable)) =>
                {
                    Some(rows[atom.form.index()])
                }
                _ => None,
            };
            let least = rule.body.iter().filter_map(|it| of_literal(&it.kind)).min();
            least.unwrap_or(u64::MAX).min(constants as u64)
        };
        let mut seen = Vec::new();
        let mut product = 1u64;
        for variable in rule.head.arguments.iter().filter_map(|it| it.variable()) {
            if !seen.contains(&variable) {
                seen.push(variable);
                product = product.saturating_mul(most(variable));
            }
        }
        let bound = bounds.entry(rule.head.form).or_default();
        *bound = bound.saturating_add(product);
        *bound > large
    })
}

/// The static predicates with rules whose tables are expected to be larger than a number of rows.
pub(super) struct Sizes {
    /// By form.
    rows: Vec<f64>,
    /// Those with rules, none of them recursive.
    derived: FxHashSet<FormId>,
}

impl Sizes {
    /// The expected rows of static predicates. None if these are not stratified.
    pub(super) fn new(
        flat: &FlatProgram,
        forms: &Forms,
        symbols: &Symbols,
        statics: &StaticRules,
    ) -> Option<Self> {
        let rules: Vec<&FlatRule> = flat.rules.iter().filter(|it| statics.contain(it)).collect();
        let mut program = Program::default();
        for (form, _) in forms.iter() {
            program.add_predicate("", forms.columns(form));
        }
        rules.iter().for_each(|rule| program.add_rule(program::joined_rule(rule)));
        let components = strata::components(&program).ok()?;
        let no_tables = Tables::new(&Program::default());
        let mut estimates = Estimates::new(&no_tables, 0);
        let mut sizes = Sizes { rows: vec![0.0; forms.len()], derived: FxHashSet::default() };
        let mut measures = measures_of_facts(flat, forms);
        measures.iter().for_each(|it| estimates.add(it.clone()));
        for component in components {
            if !component.recursive {
                sizes.derived.extend(component.rules.iter().map(|&rule| rules[rule].head.form));
            }
            for &rule in &component.rules {
                let head = &rules[rule].head;
                let measure = &mut measures[head.form.index()];
                if component.recursive || !fits(rules[rule]) {
                    // Whatever it is: it is computed as it always was.
                    let most = symbols.len() as f64;
                    *measure = Measure { rows: most, distinct: vec![most; head.arguments.len()] };
                    sizes.derived.remove(&head.form);
                } else {
                    let bindings =
                        estimates.bindings(rules[rule].body.iter(), variables(&head.arguments));
                    let count = bindings.count();
                    measure.rows += count;
                    for (argument, distinct) in head.arguments.iter().zip(&mut measure.distinct) {
                        let domain = argument.variable().map_or(1.0, |it| bindings.domain(it));
                        *distinct = distinct.max(domain.min(count));
                    }
                }
            }
            for predicate in component.predicates {
                let measure = &measures[predicate.index()];
                sizes.rows[predicate.index()] = measure.rows;
                estimates.replace(FormId(predicate.0), measure.clone());
            }
        }
        Some(sizes)
    }

    /// How many rows a predicate is expected to have.
    pub(super) fn rows(&self, form: FormId) -> f64 {
        self.rows[form.index()]
    }

    /// Whether a predicate has rules, none recursive, and is expected to have more rows than this.
    pub(super) fn is_above(&self, form: FormId, rows: u64) -> bool {
        self.rows[form.index()] > rows as f64 && self.derived.contains(&form)
    }
}

fn measures_of_facts(flat: &FlatProgram, forms: &Forms) -> Vec<Measure> {
    let mut constants: Vec<Vec<FxHashSet<u32>>> =
        forms.iter().map(|(form, _)| vec![FxHashSet::default(); forms.columns(form)]).collect();
    let mut rows = vec![0.0; forms.len()];
    for (form, fact) in flat.facts(forms) {
        rows[form.index()] += 1.0;
        for (&constant, column) in fact.iter().zip(&mut constants[form.index()]) {
            column.insert(constant);
        }
    }
    let measure = |(rows, columns): (f64, Vec<FxHashSet<u32>>)| Measure {
        rows,
        distinct: columns.iter().map(|column| column.len() as f64).collect(),
    };
    rows.into_iter().zip(constants).map(measure).collect()
}
