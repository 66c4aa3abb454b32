//! The rules for the forms that states and moves have taken so far, with their tables.

use std::borrow::Cow;

use groundfrog_engine::{Atom, Budget, Literal, Program, Tables};

use super::sentences::{FormIndex, Seed};
use super::sentences::{Located, Sentences};
use super::specialised::Specialised;
use super::stages::{Facts, Stages};
use crate::ReasonerError;
use groundfrog::description::{Predicate, Term};
use groundfrog::flat::lowering::{fact_tables, predicate, program};
use groundfrog::flat::{FlatLiteral, FlatRule, FormId, Forms, LiteralKind};
use groundfrog::ground::bounded_tables;
use groundfrog::prepare::Prepared;

/// Everything that is compiled for a set of forms, with the tables.
#[derive(Clone, Debug)]
pub(super) struct CompiledRules {
    pub(super) forms: Forms,
    pub(super) tables: Tables,
    pub(super) base: FormIndex,
    pub(super) input: FormIndex,
    /// The rules that depend on the state alone: those that legal moves, the end and the next state need, and the rest, which
    /// is for goals, and for percepts that need no move.
    state: Stages,
    goals: Stages,
    /// Those that depend on moves: what the next state needs, and the rest, which is for percepts.
    moves: Stages,
    percepts: Stages,
    /// The fluents and the moves by their numbers, as facts.
    fluents: Located,
    made: Located,
    /// The sentences about legal moves and about the next state, with the numbers of what they are about.
    pub(super) legal: Sentences,
    pub(super) next: Sentences,
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
        let check = || budget.check(0, 0);
        check()?;
        let static_rules = part(&|rule| !is_dynamic(of(rule.head.form)));
        check()?;
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
                (Cow::Owned(bounded_tables(budget, &forms)), Some((deeper, depth)))
            }
            None => (Cow::Borrowed(budget), None),
        };
        Stages::once(&static_rules).evaluate(&mut tables, &facts, &within)?;
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
        check()?;
        let move_rules = part(&|rule| is_moved(of(rule.head.form)) && may_apply(rule));
        check()?;
        let move_forms: Vec<FormId> =
            ids().filter(|it| it.1 == input || is_moved(it.1)).map(|it| it.0).collect();
        let state_forms: Vec<FormId> = ids()
            .filter(|it| it.1 == base || (is_dynamic(it.1) && !is_moved(it.1)))
            .map(|it| it.0)
            .collect();
        let mut varies = vec![false; forms.len()];
        state_forms.iter().chain(&move_forms).for_each(|it| varies[predicate(*it).index()] = true);
        let queried = [(keywords.legal, 2), (keywords.terminal, 0), (keywords.next, 1)];
        let queried = queried.map(|(name, arity)| Predicate { name, arity });
        let roots = ids().filter(|it| queried.contains(&it.1)).map(|it| it.0);
        let in_play = needed(roots, [&state_rules, &move_rules], forms.len());
        let [state, goals] = parts(state_rules, &in_play).map(|it| Stages::repeated(&it, &varies));
        let [moves, percepts] =
            parts(move_rules, &in_play).map(|it| Stages::repeated(&it, &varies));
        let compiled = CompiledRules {
            base: FormIndex::new(&forms, base),
            input: FormIndex::new(&forms, input),
            state,
            goals,
            moves,
            percepts,
            fluents: Located::default(),
            made: Located::default(),
            legal: Sentences::new(forms.derivable(queried[0])),
            next: Sentences::new(forms.derivable(queried[2])),
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

    /// Computes what depends on the state alone, but for what only goals and percepts need. Fluents are numbers of these terms. Returns
    /// `false` if a fluent has a form that is not known.
    pub(super) fn enter(
        &mut self,
        fluents: impl Iterator<Item = u32>,
        terms: &[Term],
        budget: &Budget,
    ) -> Result<bool, ReasonerError> {
        Self::reset(&mut self.tables, &self.state_forms, &self.facts);
        for fluent in fluents {
            let locate = || self.base.locate(&[&terms[fluent as usize]]);
            let Some((id, constants)) = self.fluents.get(fluent, locate) else { return Ok(false) };
            self.tables.insert(id, constants);
        }
        let within = within(&self.deeper, &self.forms, budget);
        self.state.evaluate(&mut self.tables, &self.facts, &within)?;
        self.check_depth().map(|()| true)
    }

    /// Computes what goals and percepts need besides of the state.
    pub(super) fn judge(&mut self, budget: &Budget) -> Result<(), ReasonerError> {
        let within = within(&self.deeper, &self.forms, budget);
        self.goals.evaluate(&mut self.tables, &self.facts, &within)?;
        self.check_depth()
    }

    /// Computes what depends on the moves made, but for what only percepts need. By role: the number of the move, the role and
    /// its term. Returns `false` if a move has a form that is not known.
    pub(super) fn make<'a>(
        &mut self,
        moves: impl Iterator<Item = (u32, [&'a Term; 2])>,
        budget: &Budget,
    ) -> Result<bool, ReasonerError> {
        Self::reset(&mut self.tables, &self.move_forms, &self.facts);
        for (number, it) in moves {
            let Some((id, constants)) = self.made.get(number, || self.input.locate(&it)) else {
                return Ok(false);
            };
            self.tables.insert(id, constants);
        }
        let within = within(&self.deeper, &self.forms, budget);
        self.moves.evaluate(&mut self.tables, &self.facts, &within)?;
        self.check_depth().map(|()| true)
    }

    /// Computes what percepts need besides, where [`judge`](Self::judge) has computed what they need of the state.
    pub(super) fn perceive(&mut self, budget: &Budget) -> Result<(), ReasonerError> {
        let within = within(&self.deeper, &self.forms, budget);
        self.percepts.evaluate(&mut self.tables, &self.facts, &within)?;
        self.check_depth()
    }

    /// Whether any sentence of a predicate holds.
    pub(super) fn has_any(&self, of: Predicate) -> bool {
        self.forms.derivable(of).iter().any(|&form| !self.tables[predicate(form)].is_empty())
    }

    /// The arguments of all sentences of a predicate that hold.
    pub(super) fn sentences(&self, of: Predicate) -> impl Iterator<Item = Vec<Term>> + '_ {
        self.forms.derivable(of).iter().flat_map(move |&form| {
            let rows = self.tables[predicate(form)].rows();
            rows.map(move |row| super::sentences::arguments(form, row, &self.forms))
        })
    }
}

/// What the rules may use, where some forms are deeper than is looked at.
fn within<'budget>(
    deeper: &Option<(Vec<FormId>, usize)>,
    forms: &Forms,
    budget: &'budget Budget,
) -> Cow<'budget, Budget> {
    match deeper {
        Some(_) => Cow::Owned(bounded_tables(budget, forms)),
        None => Cow::Borrowed(budget),
    }
}

/// By predicate: whether the rules of some programs need it for these forms.
fn needed(
    roots: impl Iterator<Item = FormId>,
    programs: [&Program; 2],
    predicates: usize,
) -> Vec<bool> {
    let rules = || programs.into_iter().flat_map(Program::rules);
    let mut rules_of = vec![Vec::new(); predicates];
    rules().for_each(|rule| rules_of[rule.head.predicate.index()].push(rule));
    let mut needed = vec![false; predicates];
    let mut agenda: Vec<_> = roots.map(predicate).collect();
    while let Some(it) = agenda.pop() {
        if !std::mem::replace(&mut needed[it.index()], true) {
            let atoms =
                rules_of[it.index()].iter().flat_map(|rule| rule.body.iter().filter_map(atom));
            agenda.extend(atoms.map(|atom| atom.predicate));
        }
    }
    needed
}

fn atom(literal: &Literal) -> Option<&Atom> {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
        Literal::Distinct(..) => None,
    }
}

/// The rules for what is needed, and those for the rest.
fn parts(mut program: Program, needed: &[bool]) -> [Program; 2] {
    let mut other = program.clone();
    let (own, rest) = program
        .replace_rules(Vec::new())
        .into_iter()
        .partition(|rule| needed[rule.head.predicate.index()]);
    program.replace_rules(own);
    other.replace_rules(rest);
    [program, other]
}
