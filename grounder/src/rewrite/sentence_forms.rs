//! Sentence forms: function terms are compiled away before the engine sees the rules.
//!
//! A *form* is a predicate with the shapes of its arguments: `(true (cell _ _ _))` is a flat predicate
//! with three columns of constants. Which forms can occur is found by a fixpoint over shapes alone
//! (`infer`); each rule is then specialised to the shapes that its variables can take (`flatten`), so a
//! variable over whole terms, as in `(next ?f)`, becomes a few variables over constants.
//!
//! Forms grow without end exactly where terms do: outside bounded GDL. A limit on the depth of terms turns
//! that into an error that shows the rule.

mod flatten;
mod pattern;

use fxhash::FxHashMap;
use groundfrog_engine::Exceeded;
use smallvec::SmallVec;

use crate::description::Predicate;
use crate::flat::{Ending, FlatProgram, FormId, Forms, ShapeId};
use crate::ticker::Ticker;
use flatten::flatten;
use pattern::{Assignment, PatternRule};
pub use pattern::{MarkedLiteral, MarkedRule, PatternRules};

/// Finds the forms that rules can derive, and specialises the rules to them. What is too much of the shapes is within.
///
/// # Errors
/// A limit of the budget.
pub fn specialise(
    rules: &PatternRules,
    limits: &FormLimits,
    ticker: &mut Ticker<'_>,
) -> Result<Result<(Forms, FlatProgram), FormsError>, Exceeded> {
    let made = infer(rules, limits, ticker).and_then(|mut forms| {
        let flat = flatten(rules, &mut forms, limits, ticker)?;
        Ok((forms, flat))
    });
    match made {
        Err(FormsError { kind: FormsErrorKind::Stopped(exceeded), .. }) => Err(exceeded),
        made => Ok(made),
    }
}

/// Limits that turn unbounded growth into an error. Rules without variables, of which there may be millions, do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormLimits {
    /// The deepest nesting of functions in a term.
    pub depth: usize,
    /// The most constants that a sentence may hold.
    pub columns: usize,
    /// The most forms that rules with variables derive.
    pub forms: usize,
    /// The most specialisations of all rules with variables together.
    pub rules: usize,
    /// Whether forms that would be deeper are left out instead of being an error. The rules that derive them are
    /// specialised, but nothing is joined with them.
    pub leaves_out: bool,
}

impl Default for FormLimits {
    fn default() -> Self {
        FormLimits {
            depth: 32,
            columns: 1 << 12,
            forms: 1 << 15,
            rules: 1 << 20,
            leaves_out: false,
        }
    }
}

/// How many ticks a combination takes.
const COMBINATION: u32 = 16;

/// Which limit was exceeded, and by which rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormsError {
    /// The rule, as a position in the list of rules.
    pub rule: usize,
    /// What there was too much of.
    pub kind: FormsErrorKind,
}

/// What there can be too much of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormsErrorKind {
    /// A term is nested deeper than the limit.
    Depth,
    /// A sentence holds more constants than the limit.
    Columns,
    /// There are more forms than the limit.
    Forms,
    /// There are more specialised rules than the limit.
    Rules,
    /// A limit of the budget is exceeded.
    Stopped(Exceeded),
}

impl From<Exceeded> for FormsErrorKind {
    fn from(exceeded: Exceeded) -> Self {
        FormsErrorKind::Stopped(exceeded)
    }
}

/// Finds the forms that rules can derive, those of facts first.
///
/// # Errors
/// A limit that is exceeded: terms grow without bound, or there are too many combinations of shapes.
fn infer(
    rules: &PatternRules,
    limits: &FormLimits,
    ticker: &mut Ticker<'_>,
) -> Result<Forms, FormsError> {
    let readers = Readers::new(rules);
    let progress = |rule: &PatternRule| RuleProgress {
        lacking: rule.binder_count(),
        ..RuleProgress::default()
    };
    let mut inference = Inference {
        rules,
        forms: Forms::default(),
        agenda: Vec::new(),
        readers: &readers,
        has_form: vec![false; readers.len()],
        progress: rules.iter().map(progress).collect(),
        limits,
        ticker,
        work: 0,
        found: 0,
        assignment: Assignment::default(),
        shapes: Vec::new(),
    };
    for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.binder_count() == 0) {
        inference.assignment.reset(rule.variables);
        inference.derive(index, rule)?;
    }
    let mut next = 0;
    while let Some(&form) = inference.agenda.get(next) {
        next += 1;
        let predicate = inference.forms.form(form).predicate;
        let ending = inference.forms.ending(form);
        // The last rule joined, and how many forms there were then.
        let mut joined = None;
        for reader in readers.of(predicate, ending) {
            let (index, position) = (reader.rule, reader.position);
            let rule = rules.rule(index);
            // The only form of the predicate was at all binders that read it.
            let is_only = inference.forms.derivable(predicate).len() == 1;
            let now = Some((index, inference.agenda.len()));
            if is_only && joined == now || !inference.progress[index].may_find_more(rule) {
                continue;
            }
            joined = now;
            inference.join_with(index, rule, position, form)?;
        }
    }
    Ok(inference.forms)
}

/// How far a rule has come.
#[derive(Clone, Default)]
struct RuleProgress {
    /// How many of its binders have no form yet that they may read.
    lacking: usize,
    /// How many such forms its binders have together.
    forms: usize,
    /// Whether the only combination has been tried, when each binder had one form.
    is_tried: bool,
}

impl RuleProgress {
    /// Whether there are combinations to be tried, now that one more form is looked at. Rules with many
    /// binders would be joined in vain for each of them.
    fn may_find_more(&mut self, rule: &PatternRule) -> bool {
        let is_only = self.forms == rule.binder_count();
        self.lacking == 0 && !(is_only && std::mem::replace(&mut self.is_tried, true))
    }
}

struct Inference<'run, 'budget> {
    rules: &'run PatternRules,
    forms: Forms,
    agenda: Vec<FormId>,
    readers: &'run Readers,
    /// By reader: whether there is a form that it may read.
    has_form: Vec<bool>,
    /// By rule.
    progress: Vec<RuleProgress>,
    limits: &'run FormLimits,
    ticker: &'run mut Ticker<'budget>,
    /// Combinations tried so far, of rules with variables.
    work: usize,
    /// Forms that they have derived.
    found: usize,
    assignment: Assignment,
    /// The shapes of a sentence that is being put together.
    shapes: Vec<ShapeId>,
}

impl Inference<'_, '_> {
    fn tick(&mut self, rule: usize) -> Result<(), FormsError> {
        let ticked = self.ticker.ticks(COMBINATION);
        ticked.map_err(|exceeded| FormsError { rule, kind: exceeded.into() })
    }

    /// Goes through the combinations of forms of a rule's binders in which one of them has this form.
    fn join_with(
        &mut self,
        index: usize,
        rule: &PatternRule,
        given: usize,
        form: FormId,
    ) -> Result<(), FormsError> {
        self.tick(index)?;
        self.assignment.reset(rule.variables);
        let arguments = self.rules.arguments(self.rules.binder(rule, given));
        let shapes = &self.forms.form(form).shapes;
        if !self.assignment.matches(arguments, shapes, &self.forms) {
            return Ok(());
        }
        self.join(index, rule, given, 0)
    }

    /// Goes through the forms of a rule's binders but the given one, which has its form.
    fn join(
        &mut self,
        index: usize,
        rule: &PatternRule,
        given: usize,
        position: usize,
    ) -> Result<(), FormsError> {
        if position == rule.binder_count() {
            return self.derive(index, rule);
        }
        if position == given {
            return self.join(index, rule, given, position + 1);
        }
        let atom = self.rules.binder(rule, position);
        // Those that are found on the way have their turn later.
        let candidates = self.forms.candidates(atom.table, atom.ending);
        let forms = SmallVec::<[FormId; 4]>::from_slice(candidates);
        for form in forms {
            self.work += usize::from(rule.variables > 0);
            if self.work > self.limits.rules.saturating_mul(8) {
                return Err(FormsError { rule: index, kind: FormsErrorKind::Rules });
            }
            self.tick(index)?;
            let mark = self.assignment.mark();
            let shapes = &self.forms.form(form).shapes;
            if self.assignment.matches(self.rules.arguments(atom), shapes, &self.forms) {
                self.join(index, rule, given, position + 1)?;
            }
            self.assignment.undo(mark);
        }
        Ok(())
    }

    /// Derives the form of a rule's head.
    fn derive(&mut self, index: usize, rule: &PatternRule) -> Result<(), FormsError> {
        self.shapes.clear();
        self.assignment.push_shapes(
            self.rules.arguments(&rule.head),
            &mut self.forms,
            &mut self.shapes,
        );
        if self.shapes.iter().any(|&shape| self.forms.depth(shape) > self.limits.depth) {
            return match self.limits.leaves_out {
                true => Ok(()),
                false => Err(FormsError { rule: index, kind: FormsErrorKind::Depth }),
            };
        }
        // Terms are shared: few functions hold many constants if they hold each other several times.
        let columns = self.shapes.iter().map(|&it| self.forms.holes(it));
        if columns.fold(0, usize::saturating_add) > self.limits.columns {
            return Err(FormsError { rule: index, kind: FormsErrorKind::Columns });
        }
        let form = self.forms.intern(rule.head.table, &self.shapes);
        if self.forms.derive(form) {
            self.agenda.push(form);
            for reader in self.readers.of(rule.head.table, self.forms.ending(form)) {
                let is_first = !std::mem::replace(&mut self.has_form[reader.number], true);
                let progress = &mut self.progress[reader.rule];
                progress.forms += 1;
                progress.lacking -= usize::from(is_first);
            }
            self.found += usize::from(rule.variables > 0);
            if self.found > self.limits.forms {
                return Err(FormsError { rule: index, kind: FormsErrorKind::Forms });
            }
        }
        Ok(())
    }
}

/// A literal of a rule that binds variables.
#[derive(Clone, Copy)]
struct Reader {
    /// Its number among all.
    number: usize,
    /// The rule, as a position in the list of rules.
    rule: usize,
    /// Its position among those of the rule that bind variables.
    position: usize,
}

/// The readers of each predicate.
struct Readers {
    /// Those of an ending, or those of any, in the order of the rules.
    of_ending: FxHashMap<(Predicate, Option<Ending>), Vec<Reader>>,
    count: usize,
}

impl Readers {
    fn new(rules: &PatternRules) -> Self {
        let mut of_ending: FxHashMap<_, Vec<Reader>> = FxHashMap::default();
        let mut number = 0;
        for (index, rule) in rules.iter().enumerate() {
            for position in 0..rule.binder_count() {
                let atom = rules.binder(rule, position);
                let reader = Reader { number, rule: index, position };
                of_ending.entry((atom.table, atom.ending)).or_default().push(reader);
                number += 1;
            }
        }
        Readers { of_ending, count: number }
    }

    /// How many there are.
    fn len(&self) -> usize {
        self.count
    }

    /// Those that may read the forms of a predicate with an ending, in the order of the rules.
    fn of(&self, predicate: Predicate, ending: Option<Ending>) -> impl Iterator<Item = Reader> {
        let of = |it| self.of_ending.get(&(predicate, it)).map_or(&[][..], Vec::as_slice);
        let mut chosen = SmallVec::<[Reader; 8]>::from_slice(of(None));
        if ending.is_some() {
            chosen.extend_from_slice(of(ending));
            chosen.sort_unstable_by_key(|reader| reader.number);
        }
        chosen.into_iter()
    }
}
