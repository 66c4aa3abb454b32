//! The tables stage: programs for the engine, and base and input in one of the three ways.

use groundfrog_engine::observe::Observer;
use groundfrog_engine::{Budget, EngineError, Program, Tables};

use super::evaluator::Evaluator;
use super::report::Report;
use crate::compact::decomposition;
use crate::description::Predicate;
use crate::domains::iterative::{self, Feedback};
use crate::domains::{one_step, program};
use crate::options::Domains;
use crate::prepare::Prepared;
use crate::rewrite::sentence_forms::{FlatProgram, FlatRule, FormId, Forms};

/// The flat rules of a description, with what is needed to look them up.
pub(super) struct Flattened {
    pub(super) prepared: Prepared,
    pub(super) forms: Forms,
    pub(super) flat: FlatProgram,
    /// By origin: the place of the rule in the text.
    pub(super) spans: Vec<crate::kif::Span>,
}

impl Flattened {
    /// A program with a predicate for each form and all rules.
    pub(super) fn program(&self, include: impl Fn(&FlatRule) -> bool) -> Program {
        program::program(&self.flat, &self.forms, &self.prepared.rules.symbols, include)
    }

    /// Completes all tables.
    pub(super) fn complete(
        &self,
        domains: Domains,
        evaluator: Evaluator,
        budget: &Budget,
        observer: &mut dyn Observer,
        report: &mut Report,
    ) -> Result<(Program, Tables), EngineError> {
        let all = self.program(|_| true);
        let mut tables = program::fact_tables(&self.flat, &self.forms, &all);
        let statistics = if domains == Domains::Iterative {
            let (statistics, iterations) =
                self.iterate(&mut tables, evaluator, budget, observer)?;
            report.iterations = Some(iterations);
            statistics
        } else {
            one_step::complete(&all, &mut tables, evaluator, budget, observer)?
        };
        report.tuples = statistics.tuples;
        report.rounds = statistics.rounds;
        report.matches = statistics.matches;
        report.table_bytes = tables.bytes();
        Ok((all, tables))
    }

    /// Splits the rules and completes the tables of the auxiliary predicates. Returns those that are
    /// stored.
    pub(super) fn decompose(
        &mut self,
        all: &mut Program,
        tables: &mut Tables,
        evaluator: Evaluator,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Vec<FormId>, EngineError> {
        let before = self.forms.len();
        let rules = std::mem::take(&mut self.flat.rules);
        let symbols = &mut self.prepared.rules.symbols;
        let (rules, auxiliaries) =
            decomposition::decompose(rules, &mut self.forms, symbols, tables);
        self.flat.rules = rules;
        for index in before..self.forms.len() {
            let form = FormId(index as u32);
            let columns = self.forms.columns(form);
            all.add_predicate(program::form_name(form, &self.forms, symbols), columns);
            tables.add(columns);
        }
        let definitions = FlatProgram::of_rules(auxiliaries.rules);
        let program = program::program(&definitions, &self.forms, symbols, |_| true);
        evaluator.evaluate(&program, tables, budget, observer)?;
        self.flat.rules.extend(definitions.rules);
        Ok(auxiliaries.dynamic)
    }

    fn iterate(
        &self,
        tables: &mut Tables,
        evaluator: Evaluator,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<(groundfrog_engine::observe::Statistics, iterative::Iterations), EngineError> {
        let keywords = self.prepared.rules.keywords;
        let of = |form: FormId| self.forms.form(form).predicate;
        let is_domain = |it: Predicate| it.name == keywords.base || it.name == keywords.input;
        let is_derived = |it: Predicate| self.prepared.statics.is_dynamic(it) && !is_domain(it);
        let static_program =
            self.program(|rule| !is_derived(of(rule.head.form)) && !is_domain(of(rule.head.form)));
        let dynamic_program = self.program(|rule| is_derived(of(rule.head.form)));
        let (mut initial, mut feedback, mut derived) = (Vec::new(), Vec::new(), Vec::new());
        for (id, form) in self.forms.iter() {
            let from = program::predicate(id);
            let base = Predicate { name: keywords.base, arity: 1 };
            let to_base = || self.forms.find(base, &form.shapes).map(program::predicate);
            if form.predicate == (Predicate { name: keywords.init, arity: 1 }) {
                initial.extend(to_base().map(|to| Feedback { from, to, is_move: false }));
            } else if form.predicate == (Predicate { name: keywords.next, arity: 1 }) {
                feedback.extend(to_base().map(|to| Feedback { from, to, is_move: false }));
            } else if form.predicate == (Predicate { name: keywords.legal, arity: 2 }) {
                feedback.extend(self.moves(id));
            }
            if is_derived(form.predicate) {
                derived.push(from);
            }
        }
        let request = iterative::Request {
            static_program: &static_program,
            dynamic_program: &dynamic_program,
            initial: &initial,
            feedback: &feedback,
            derived: &derived,
        };
        iterative::complete(&request, tables, evaluator, budget, observer)
    }

    /// How legal moves of a form become inputs.
    fn moves(&self, legal: FormId) -> Option<Feedback> {
        let input = Predicate { name: self.prepared.rules.keywords.input, arity: 2 };
        let input = self.forms.find(input, &self.forms.form(legal).shapes)?;
        let (from, to) = (program::predicate(legal), program::predicate(input));
        Some(Feedback { from, to, is_move: true })
    }
}
