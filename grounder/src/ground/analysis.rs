//! What can hold, for the checks: the tables of the domain computation without the store pass.

use fxhash::FxHashSet;
use groundfrog_engine::observe::Silent;
use groundfrog_engine::{Budget, Constants, EngineError, Limit, Program, Table, Tables};

use super::base_input::Computed;
use super::flatten::flatten_prepared;
use super::report::Report;
use super::tables::Flattened;
use super::{request, templates};
use crate::description::{Description, Predicate, Term};
use crate::domains::Evaluator;
use crate::error::GroundError;
use crate::flat::{Ending, FlatRule, FormId, Forms, form_name, lowering};
use crate::game::{GroundGame, Layout};
use crate::kif::{Diagnostic, Span};
use crate::options::{Domains, GroundOptions, Limits, Passes};
use crate::prepare::{Prepared, prepare_within};
use crate::rewrite::statics;

/// The rules of a description over sentence forms.
pub struct Shaped {
    flattened: Flattened,
    options: GroundOptions,
    /// Warnings of the rewriting.
    pub warnings: Vec<Diagnostic>,
}

impl Shaped {
    /// Rewrites a description.
    ///
    /// # Errors
    /// As [`super::ground`].
    pub fn new(
        description: &Description,
        limits: &Limits,
        budget: &Budget,
    ) -> Result<Self, GroundError> {
        let options = GroundOptions {
            domains: Domains::OneStep,
            limits: limits.clone(),
            ..GroundOptions::flat()
        };
        let mut prepared = prepare_within(description, Domains::OneStep, budget)?;
        // The description's own base and input are compared with what is computed.
        let given = [prepared.given.base, prepared.given.input];
        prepared.statics = statics::analyse_with(&prepared.rules, &given);
        let (mut flattened, _, warnings) =
            flatten_prepared(description, prepared, &options, budget)?;
        flattened.extra_roots.extend(given);
        Ok(Shaped { flattened, options, warnings })
    }

    /// Computes what can hold; where a table would be large, only what the game uses.
    ///
    /// # Errors
    /// Static predicates that are not stratified; a limit.
    pub fn complete(mut self, budget: &Budget) -> Result<Extents, (Box<Self>, EngineError)> {
        let mut open = FxHashSet::default();
        let forms = self.flattened.forms.len();
        let completed = match self.flattened.complete_unless_large(budget) {
            Err(EngineError::Limit(exceeded)) if exceeded.limit == Limit::TableRows => {
                let all = self.flattened.flat.rules.clone();
                let options = GroundOptions { passes: Passes::ALL, ..self.options.clone() };
                let report = &mut Report::default();
                let completed =
                    self.flattened.complete_with_remedies(&options, budget, &mut Silent, report);
                open = not_computed(&self.flattened, &all);
                completed
            }
            completed => completed,
        };
        match completed {
            Ok((program, tables)) => {
                let Shaped { flattened, .. } = self;
                Ok(Extents { flattened, program, tables, open, forms })
            }
            Err(error) => Err((Box::new(self), error)),
        }
    }

    /// What messages call the forms of predicates.
    pub fn names(&self, of: &FxHashSet<Predicate>) -> FxHashSet<String> {
        let Flattened { forms, prepared, .. } = &self.flattened;
        let forms_of = forms.iter().filter(|(_, form)| of.contains(&form.predicate));
        forms_of.map(|(id, _)| form_name(id, forms, &prepared.rules.symbols)).collect()
    }
}

/// The statements with rules that are about predicates on demand, or that nothing needs. `all` are the
/// rules before demand.
fn not_computed(flattened: &Flattened, all: &[FlatRule]) -> FxHashSet<Span> {
    let kept: FxHashSet<FormId> = flattened.flat.rules.iter().map(|it| it.head.form).collect();
    let is_open = |rule: &&FlatRule| {
        flattened.demanded.contains(&rule.head.form) || !kept.contains(&rule.head.form)
    };
    all.iter().filter(is_open).map(|it| flattened.spans[it.origin as usize]).collect()
}

/// The atoms that can hold in some state, negation in the present state left out of account: whatever can
/// hold is among them, but for predicates on demand, of which there is what the game uses.
pub struct Extents {
    flattened: Flattened,
    program: Program,
    tables: Tables,
    /// Statements that there are not all rules of.
    open: FxHashSet<Span>,
    /// Forms of the description; more were made for demand.
    forms: usize,
}

impl Extents {
    /// The rules without `or`. The description's own `base` and `input` are renamed apart.
    pub fn prepared(&self) -> &Prepared {
        &self.flattened.prepared
    }

    /// A predicate's name in the description.
    pub fn name(&self, predicate: Predicate) -> &str {
        let Prepared { given, rules, .. } = self.prepared();
        match predicate {
            it if it == given.base => "base",
            it if it == given.input => "input",
            it => rules.symbols.name(it.name),
        }
    }

    /// All sentence forms.
    pub fn forms(&self) -> &Forms {
        &self.flattened.forms
    }

    /// The rules over forms, without those that say what is demanded.
    pub fn rules(&self) -> impl Iterator<Item = &FlatRule> {
        self.flattened.flat.rules.iter().filter(|it| it.head.form.index() < self.forms)
    }

    /// The statement that a rule over forms comes from.
    pub fn span(&self, rule: &FlatRule) -> Span {
        self.flattened.spans[rule.origin as usize]
    }

    /// Whether the tables of a predicate, as [`Extents::forms_of`] names them, have all that can hold.
    pub fn is_complete(&self, predicate: Predicate) -> bool {
        let demanded = &self.flattened.demanded;
        demanded.is_empty() || self.forms_of(predicate).iter().all(|it| !demanded.contains(it))
    }

    /// Whether all rules of a statement are there, and not only what the game needs of them.
    pub fn has_all_of(&self, statement: Span) -> bool {
        !self.open.contains(&statement)
    }

    /// The tables of all forms.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// All that was computed.
    pub fn computed(&self) -> Computed<'_> {
        let Flattened { forms, prepared, .. } = &self.flattened;
        Computed { forms, tables: &self.tables, symbols: &prepared.rules.symbols }
    }

    /// The table of a form.
    pub fn table(&self, form: FormId) -> &Table {
        &self.tables[lowering::predicate(form)]
    }

    /// The forms under which atoms of a predicate of the description are looked up: `next` is looked up in
    /// base, and `does` among the legal moves, where these have no table of their own.
    pub fn forms_of(&self, predicate: Predicate) -> &[FormId] {
        self.forms_with(predicate, None)
    }

    /// Those of them that may end so: none is missing that does.
    pub fn forms_with(&self, predicate: Predicate, ending: Option<Ending>) -> &[FormId] {
        let keywords = &self.prepared().rules.keywords;
        let named = |name| Predicate { name, ..predicate };
        let candidates: &[_] = match predicate.name {
            name if name == keywords.true_ || name == keywords.next => {
                if name == keywords.next && !self.forms().derivable(predicate).is_empty() {
                    &[keywords.next]
                } else {
                    &[keywords.base]
                }
            }
            name if name == keywords.does || name == keywords.input => {
                &[keywords.input, keywords.legal]
            }
            name => &[name],
        };
        let mut tables = candidates.iter().map(|&name| named(name));
        let table = tables.find(|&it| !self.forms().derivable(it).is_empty());
        table.map_or(&[], |it| self.forms().candidates(it, ending))
    }

    /// How many atoms of a predicate can hold.
    pub fn count(&self, predicate: Predicate) -> usize {
        self.forms_of(predicate).iter().map(|&form| self.table(form).len()).sum()
    }

    /// The terms of an atom: a row of the table of a form.
    pub fn terms(&self, form: FormId, row: Constants<'_>) -> Vec<Term> {
        let mut constants = row.iter();
        let shapes = &self.forms().form(form).shapes;
        shapes.iter().map(|&shape| self.forms().term(shape, &mut constants)).collect()
    }

    /// The ground rules about some predicates, and no others.
    ///
    /// # Errors
    /// A limit.
    pub fn ground_rules(
        &self,
        about: &FxHashSet<Predicate>,
        budget: &Budget,
    ) -> Result<GroundGame, EngineError> {
        let Flattened { prepared, forms, flat, .. } = &self.flattened;
        let layout = Layout::new(forms, prepared, &self.tables, &[])?;
        let of_head = |rule: &&FlatRule| about.contains(&forms.form(rule.head.form).predicate);
        let chosen: Vec<FlatRule> = flat.rules.iter().filter(of_head).cloned().collect();
        let templates = templates(chosen, &layout);
        let request = request(&self.program, &self.tables, &layout, &templates, 1);
        let stored = Evaluator::Datafrog.instantiate(&request, budget, &mut Silent)?;
        Ok(GroundGame::assemble(forms, prepared, self.tables.clone(), layout, stored))
    }
}
