//! Which static predicates would have tables too large to compute, estimated from the facts alone.

use std::rc::Rc;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Program, strata};

use crate::compact::estimate::{bindings, fits, variables};
use crate::description::Keywords;
use crate::flat::lowering;
use crate::flat::{FlatLiteral, FlatProgram, FlatRule, FormId, Forms};
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
        !rule.stored && !self.names.contains(&rule.head.name)
    }
}

/// The expected sizes of static predicates.
pub(super) struct Sizes {
    /// By form: how many rows are expected.
    rows: Vec<f64>,
    /// Those with rules, none of them recursive.
    derived: FxHashSet<FormId>,
    /// The rules of all that have some.
    pub(super) by_head: FxHashMap<FormId, Vec<usize>>,
    /// What has rules that are no [`StaticRules`], as roles may have.
    others: FxHashSet<FormId>,
}

impl Sizes {
    /// The sizes of some predicates and of those that they depend on. None if these are not stratified.
    pub(super) fn new(
        of: &[FormId],
        flat: &FlatProgram,
        forms: &Forms,
        symbols: &Symbols,
        statics: &StaticRules,
    ) -> Option<Self> {
        let (by_head, needed) = below(of, flat, forms, statics);
        let mut program = Program::default();
        for (form, _) in forms.iter() {
            program.add_predicate("", forms.columns(form));
        }
        let mut rules: Vec<usize> = by_head.values().flatten().copied().collect();
        rules.sort_unstable();
        let rules: Vec<&FlatRule> = rules.into_iter().map(|rule| &flat.rules[rule]).collect();
        rules.iter().for_each(|rule| program.add_rule(lowering::joined_rule(rule)));
        let components = strata::components(&program).ok()?;
        let (rows, derived) = (vec![0.0; forms.len()], FxHashSet::default());
        let others = flat.rules.iter().filter(|rule| !statics.contain(rule));
        let others = others.map(|rule| rule.head.form).collect();
        let mut sizes = Sizes { rows, derived, by_head, others };
        let mut measures = measures_of_facts(flat, forms, &needed);
        let mut known: Vec<Rc<Measure>> = measures.iter().cloned().map(Rc::new).collect();
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
                    continue;
                }
                let of_head = variables(&head.arguments);
                let size = |form: FormId| Rc::clone(&known[form.index()]);
                let bindings = bindings(rules[rule].body.iter(), of_head, size);
                let count = bindings.count();
                measure.rows += count;
                for (argument, distinct) in head.arguments.iter().zip(&mut measure.distinct) {
                    let domain = argument.variable().map_or(1.0, |it| bindings.domain(it));
                    *distinct = distinct.max(domain.min(count));
                }
            }
            for predicate in component.predicates {
                let measure = &measures[predicate.index()];
                sizes.rows[predicate.index()] = measure.rows;
                if !component.rules.is_empty() {
                    known[predicate.index()] = Rc::new(measure.clone());
                }
            }
        }
        Some(sizes)
    }

    /// How many rows a predicate is expected to have.
    pub(super) fn rows(&self, form: FormId) -> f64 {
        self.rows[form.index()]
    }

    /// Whether a predicate has rules that are not looked at here.
    pub(super) fn has_others(&self, form: FormId) -> bool {
        self.others.contains(&form)
    }

    /// Whether a predicate has rules, none recursive, and is expected to have more rows than this.
    pub(super) fn is_above(&self, form: FormId, rows: u64) -> bool {
        self.rows[form.index()] > rows as f64 && self.derived.contains(&form)
    }
}

/// The static rules of some predicates and of all that they depend on, by head; and by form whether it is among
/// these.
fn below(
    of: &[FormId],
    flat: &FlatProgram,
    forms: &Forms,
    statics: &StaticRules,
) -> (FxHashMap<FormId, Vec<usize>>, Vec<bool>) {
    let mut by_head: FxHashMap<FormId, Vec<usize>> = FxHashMap::default();
    for (number, rule) in flat.rules.iter().enumerate() {
        if statics.contain(rule) {
            by_head.entry(rule.head.form).or_default().push(number);
        }
    }
    let mut needed = vec![false; forms.len()];
    let mut agenda = of.to_vec();
    while let Some(form) = agenda.pop() {
        if !std::mem::replace(&mut needed[form.index()], true) {
            for &rule in by_head.get(&form).into_iter().flatten() {
                agenda.extend(flat.rules[rule].body.iter().filter_map(FlatLiteral::form));
            }
        }
    }
    by_head.retain(|form, _| needed[form.index()]);
    (by_head, needed)
}

fn measures_of_facts(flat: &FlatProgram, forms: &Forms, needed: &[bool]) -> Vec<Measure> {
    let columns = |form| if needed[FormId::index(form)] { forms.columns(form) } else { 0 };
    let mut constants: Vec<Vec<Vec<u32>>> =
        forms.iter().map(|(form, _)| vec![Vec::new(); columns(form)]).collect();
    let mut rows = vec![0.0; forms.len()];
    for (form, fact) in flat.facts(forms) {
        rows[form.index()] += 1.0;
        for (&constant, column) in fact.iter().zip(&mut constants[form.index()]) {
            column.push(constant);
        }
    }
    let distinct = |mut column: Vec<u32>| {
        column.sort_unstable();
        column.dedup();
        column.len() as f64
    };
    let measure = |(rows, columns): (f64, Vec<Vec<u32>>)| Measure {
        rows,
        distinct: columns.into_iter().map(distinct).collect(),
    };
    rows.into_iter().zip(constants).map(measure).collect()
}
