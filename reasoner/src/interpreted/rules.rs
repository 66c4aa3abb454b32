//! The rules for the forms that states and moves have taken so far, with their tables.

use std::borrow::Cow;

use groundfrog_engine::{Budget, Tables};

use super::specialised::Specialised;
use super::stages::{Facts, Stages};
use super::terms::{FormIndex, Seed};
use crate::ReasonerError;
use groundfrog::description::{Predicate, Term};
use groundfrog::domains::program::{fact_tables, predicate, program};
use groundfrog::ground::bounded;
use groundfrog::prepare::Prepared;
use groundfrog::rewrite::sentence_forms::{FlatLiteral, FlatRule, FormId, Forms, LiteralKind};

/// Everything that is compiled for a set of forms, with the tables.
#[derive(Clone, Debug)]
pub(super) struct CompiledRules {
    pub(super) forms: Forms,
    pub(super) tables: Tables,
    pub(super) base: FormIndex,
    pub(super) input: FormIndex,
    /// The rules that depend on the state alone, and those that depend on moves.
    state: Stages,
    moves: Stages,
    /// The forms whose tables change with the state, and those that change with the moves.
    state_forms: Vec<FormId>,
    move_forms: Vec<FormId>,
    facts: Facts,
    /// Where terms are bounded by values alone: the forms that are deeper than is looked at, which nothing may have, and how
    /// deep that is.
    deeper: Option<(Vec<FormId>, usize)>,
}

impl CompiledRules {
    /// Compiles the rules for the forms of some fluents and moves, and evaluates those that are static.
    pub(super) fn new(
        prepared: &Prepared,
        fluents: &[Seed],
        moves: &[Seed],
        term_depth: usize,
        budget: &Budget,
    ) -> Result<Self, ReasonerError> {
        let keywords = prepared.rules.keywords;
        let Specialised { forms, flat, cut_at } =
            Specialised::new(prepared, (fluents, moves), term_depth, budget)?;
        let of = |form: FormId| forms.form(form).predicate;
        let base = Predicate { name: keywords.base, arity: 1 };
        let input = Predicate { name: keywords.input, arity: 2 };
        let is_open = |it: Predicate| it == base || it == input;
        let is_moved = |it: Predicate| prepared.statics.depends_on_moves(it);
        let is_dynamic = |it: Predicate| prepared.statics.is_dynamic(it);
        let part = |include: &dyn Fn(&FlatRule) -> bool| {
            program(&flat, &forms, &prepared.rules.symbols, include)
        };
        let static_rules = part(&|rule| !is_dynamic(of(rule.head.form)));
        let mut tables = fact_tables(&flat, &forms, &static_rules);
        let ids = || forms.iter().map(|(id, form)| (id, form.predicate));
        ids().filter(|it| is_open(it.1)).for_each(|it| tables.clear(predicate(it.0)));
        let mut facts = Facts::default();
        for (form, constants) in flat.facts(&forms).filter(|it| !is_open(of(it.0))) {
            facts.entry(predicate(form)).or_default().push(constants.into());
        }
        let (within, deeper) = match cut_at {
            Some(depth) => {
                let is_deeper = |it: &FormId| !forms.is_derivable(*it);
                let deeper = forms.iter().map(|it| it.0).filter(is_deeper).collect();
                (Cow::Owned(bounded::within(budget, &forms)), Some((deeper, depth)))
            }
            None => (Cow::Borrowed(budget), None),
        };
        Stages::new(&static_rules).evaluate(&mut tables, &facts, &within)?;
        // Most rules about shapes that are cut are about some that nothing has.
        let never_holds = |literal: &FlatLiteral| match &literal.kind {
            LiteralKind::Positive(atom) => {
                let predicate_of = of(atom.form);
                let is_static = !is_dynamic(predicate_of) && !is_open(predicate_of);
                is_static && tables[predicate(atom.form)].is_empty()
            }
            _ => false,
        };
        let may_apply = |rule: &FlatRule| cut_at.is_none() || !rule.body.iter().any(never_holds);
        let state_rules = part(&|rule| {
            let head = of(rule.head.form);
            is_dynamic(head) && !is_moved(head) && may_apply(rule)
        });
        let move_rules = part(&|rule| is_moved(of(rule.head.form)) && may_apply(rule));
        let move_forms: Vec<FormId> =
            ids().filter(|it| it.1 == input || is_moved(it.1)).map(|it| it.0).collect();
        let state_forms = ids()
            .filter(|it| it.1 == base || (is_dynamic(it.1) && !is_moved(it.1)))
            .map(|it| it.0)
            .collect();
        let compiled = CompiledRules {
            base: FormIndex::new(&forms, base),
            input: FormIndex::new(&forms, input),
            state: Stages::new(&state_rules),
            moves: Stages::new(&move_rules),
            state_forms,
            move_forms,
            forms,
            tables,
            facts,
            deeper,
        };
        compiled.check_depth()?;
        Ok(compiled)
    }

    /// What the rules may use.
    fn within<'budget>(&self, budget: &'budget Budget) -> Cow<'budget, Budget> {
        match self.deeper {
            Some(_) => Cow::Owned(bounded::within(budget, &self.forms)),
            None => Cow::Borrowed(budget),
        }
    }

    /// Whether nothing is deeper than the limit.
    fn check_depth(&self) -> Result<(), ReasonerError> {
        let Some((deeper, depth)) = &self.deeper else { return Ok(()) };
        match deeper.iter().any(|&it| !self.tables[predicate(it)].is_empty()) {
            true => {
                Err(ReasonerError::Forms(format!("a term is nested deeper than {depth} functions")))
            }
            false => Ok(()),
        }
    }

    fn reset(tables: &mut Tables, forms: &[FormId], facts: &Facts) {
        for &form in forms {
            let id = predicate(form);
            tables.clear(id);
            for fact in facts.get(&id).into_iter().flatten() {
                tables.insert(id, fact);
            }
        }
    }

    /// Computes what depends on the state alone. Returns `false` if a fluent has a form that is not known.
    pub(super) fn enter<'a>(
        &mut self,
        fluents: impl Iterator<Item = &'a Term>,
        budget: &Budget,
    ) -> Result<bool, ReasonerError> {
        Self::reset(&mut self.tables, &self.state_forms, &self.facts);
        for fluent in fluents {
            let Some((form, constants)) = self.base.locate(&[fluent]) else { return Ok(false) };
            self.tables.insert(predicate(form), &constants);
        }
        let within = self.within(budget);
        self.state.evaluate(&mut self.tables, &self.facts, &within)?;
        self.check_depth().map(|()| true)
    }

    /// Computes what depends on the moves made. Returns `false` if a move has a form that is not known.
    pub(super) fn make<'a>(
        &mut self,
        moves: impl Iterator<Item = [&'a Term; 2]>,
        budget: &Budget,
    ) -> Result<bool, ReasonerError> {
        Self::reset(&mut self.tables, &self.move_forms, &self.facts);
        for it in moves {
            let Some((form, constants)) = self.input.locate(&it) else { return Ok(false) };
            self.tables.insert(predicate(form), &constants);
        }
        let within = self.within(budget);
        self.moves.evaluate(&mut self.tables, &self.facts, &within)?;
        self.check_depth().map(|()| true)
    }

    /// The arguments of all sentences of a predicate that hold.
    pub(super) fn sentences(&self, of: Predicate) -> impl Iterator<Item = Vec<Term>> + '_ {
        self.forms.derivable(of).iter().flat_map(move |&form| {
            let rows = self.tables[predicate(form)].rows();
            rows.map(move |row| super::terms::arguments(form, row, &self.forms))
        })
    }
}
