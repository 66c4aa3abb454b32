//! The tables stage: programs for the engine, and base and input in one of the three ways.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::observe::{EvaluationStatistics, Observer, Silent};
use groundfrog_engine::statistics::Measure;
use groundfrog_engine::{Budget, EngineError, Program, Tables};

use super::report::Report;
use crate::compact::large_tables::diagrams::Compiled;
use crate::description::Predicate;
use crate::domains::{self, Evaluator, Feedback, Iterations};
use crate::flat::{FlatProgram, FlatRule, Form, FormId, Forms, lowering};
use crate::game::{Codes, Layout};
use crate::kif::Span;
use crate::options::Domains;
use crate::prepare::Prepared;
use crate::rewrite::statics::always_dynamic;
use crate::symbols::Symbol;
use crate::tuning::LARGE_STATIC;

/// The flat rules of a description, with what is needed to look them up.
#[derive(Clone, Debug)]
pub(crate) struct Flattened {
    pub(crate) prepared: Prepared,
    pub(crate) forms: Forms,
    pub(crate) flat: FlatProgram,
    /// By origin: the place of the rule in the text.
    pub(crate) spans: Vec<Span>,
    /// The predicates that lead through decision diagrams, and their sizes.
    pub(crate) steps: FxHashMap<FormId, Measure>,
    /// The rules with decision diagrams.
    pub(crate) compiled: Vec<Compiled>,
    /// Predicates that are looked at besides those that every game has: they are never on demand.
    pub(crate) extra_roots: Vec<Predicate>,
    /// The forms whose tables have only what is demanded.
    pub(crate) demanded: FxHashSet<FormId>,
    /// The first of the forms that only say what is demanded, if there are any.
    pub(crate) first_demand: Option<FormId>,
}

/// The predicates that are never on demand.
pub(super) struct Roots {
    names: Vec<Symbol>,
    others: Vec<Predicate>,
}

impl Roots {
    pub(super) fn contain(&self, predicate: Predicate) -> bool {
        self.names.contains(&predicate.name) || self.others.contains(&predicate)
    }
}

impl Flattened {
    /// Rules over constants, as sentence forms make them; `spans` are the places of the rules that they come from.
    pub(super) fn new(
        prepared: Prepared,
        forms: Forms,
        flat: FlatProgram,
        spans: Vec<Span>,
    ) -> Self {
        Flattened {
            prepared,
            forms,
            flat,
            spans,
            extra_roots: Vec::new(),
            demanded: FxHashSet::default(),
            first_demand: None,
            steps: FxHashMap::default(),
            compiled: Vec::new(),
        }
    }

    pub(super) fn roots(&self) -> Roots {
        let keywords = &self.prepared.rules.keywords;
        let mut names = vec![keywords.role, keywords.init, keywords.base, keywords.input];
        names.extend(always_dynamic(keywords).map(|it| it.name));
        Roots { names, others: self.extra_roots.clone() }
    }

    /// Numbers for atoms that do not depend on how they are numbered.
    pub(super) fn codes_of_atoms(&self, layout: &Layout) -> Codes {
        Codes::new(layout, &self.forms, &self.prepared.rules.symbols)
    }

    /// A program with a predicate for each form and all rules.
    pub(crate) fn program(&self, include: impl Fn(&FlatRule) -> bool) -> Program {
        lowering::program(&self.flat, &self.forms, &self.prepared.rules.symbols, include)
    }

    /// The program of some rules, and tables of the facts.
    pub(super) fn incomplete(&self, include: impl Fn(&FlatRule) -> bool) -> (Program, Tables) {
        let all = self.program(include);
        let tables = lowering::fact_tables(&self.flat, &self.forms, &all);
        (all, tables)
    }

    /// Completes all tables.
    pub(crate) fn complete(
        &self,
        domains: Domains,
        evaluator: Evaluator,
        budget: &Budget,
        observer: &mut dyn Observer,
        report: &mut Report,
    ) -> Result<(Program, Tables), EngineError> {
        let (all, mut tables) = self.incomplete(|_| true);
        let statistics = if domains == Domains::Iterative {
            let (statistics, iterations) =
                self.iterate(&mut tables, evaluator, budget, observer)?;
            report.iterations = Some(iterations);
            statistics
        } else {
            evaluator.evaluate(&all, &mut tables, budget, observer)?
        };
        report.note(&statistics, &tables);
        Ok((all, tables))
    }

    /// Completes all tables, if those of views and static predicates do not become large.
    pub(super) fn complete_unless_large(
        &self,
        budget: &Budget,
    ) -> Result<(Program, Tables), EngineError> {
        let roots = self.roots();
        let is_root = |form: &Form| roots.contain(form.predicate);
        let most = |(_, form)| if is_root(form) { u64::MAX } else { LARGE_STATIC };
        let rows: Vec<u64> = self.forms.iter().map(most).collect();
        let probe = budget.clone().with_table_rows(rows.into());
        self.complete(
            Domains::OneStep,
            Evaluator::Datafrog,
            &probe,
            &mut Silent,
            &mut Report::default(),
        )
    }

    fn iterate(
        &self,
        tables: &mut Tables,
        evaluator: Evaluator,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<(EvaluationStatistics, Iterations), EngineError> {
        let keywords = self.prepared.rules.keywords;
        let of = |form: FormId| self.forms.form(form).predicate;
        let is_domain = |it: Predicate| it.name == keywords.base || it.name == keywords.input;
        let is_derived = |it: Predicate| self.prepared.statics.is_dynamic(it) && !is_domain(it);
        let static_program =
            self.program(|rule| !is_derived(of(rule.head.form)) && !is_domain(of(rule.head.form)));
        let dynamic_program = self.program(|rule| is_derived(of(rule.head.form)));
        let (mut initial, mut feedback, mut derived) = (Vec::new(), Vec::new(), Vec::new());
        for (id, form) in self.forms.iter() {
            let from = lowering::predicate(id);
            let passes_to = |name, arity, is_move| {
                let to = self.forms.find(Predicate { name, arity }, &form.shapes)?;
                Some(Feedback { from, to: lowering::predicate(to), is_move })
            };
            match form.predicate {
                it if it == (Predicate { name: keywords.init, arity: 1 }) => {
                    initial.extend(passes_to(keywords.base, 1, false));
                }
                it if it == (Predicate { name: keywords.next, arity: 1 }) => {
                    feedback.extend(passes_to(keywords.base, 1, false));
                }
                it if it == (Predicate { name: keywords.legal, arity: 2 }) => {
                    feedback.extend(passes_to(keywords.input, 2, true));
                }
                _ => {}
            }
            if is_derived(form.predicate) {
                derived.push(from);
            }
        }
        let request = domains::Request {
            static_program: &static_program,
            dynamic_program: &dynamic_program,
            initial: &initial,
            feedback: &feedback,
            derived: &derived,
            evaluator,
            budget,
        };
        domains::complete(&request, tables, observer)
    }
}
