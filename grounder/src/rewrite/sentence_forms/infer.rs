//! Which forms can occur: the rules evaluated over shapes.

use fxhash::FxHashMap;

use super::pattern::{Assignment, PatternRule};
use super::shape::{FormId, Forms, ShapeId};
use crate::description::Predicate;

/// Limits that turn unbounded growth into an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormLimits {
    /// The deepest nesting of functions in a term.
    pub depth: usize,
    /// The most forms.
    pub forms: usize,
    /// The most specialisations of all rules together.
    pub rules: usize,
}

impl Default for FormLimits {
    fn default() -> Self {
        FormLimits { depth: 32, forms: 1 << 15, rules: 1 << 20 }
    }
}

/// Which limit was exceeded, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormsError {
    /// The rule, as a position in the list of rules.
    pub rule: usize,
    /// What there was too much of.
    pub kind: FormsErrorKind,
}

/// What there can be too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormsErrorKind {
    /// A term is nested deeper than the limit.
    Depth,
    /// There are more forms than the limit.
    Forms,
    /// There are more specialised rules than the limit.
    Rules,
}

/// Finds the forms that rules can derive, those of facts first.
///
/// # Errors
/// A limit that is exceeded: terms grow without bound, or there are too many combinations of shapes.
pub fn infer(rules: &[PatternRule], limits: &FormLimits) -> Result<Forms, FormsError> {
    let mut inference = Inference {
        forms: Forms::default(),
        agenda: Vec::new(),
        limits,
        work: 0,
        assignment: Assignment::default(),
        shapes: Vec::new(),
    };
    let mut readers: FxHashMap<Predicate, Vec<(usize, usize)>> = FxHashMap::default();
    for (index, rule) in rules.iter().enumerate() {
        for position in 0..rule.binders.len() {
            readers.entry(rule.binder(position).table).or_default().push((index, position));
        }
        if rule.binders.is_empty() {
            inference.assignment.reset(rule.variables);
            inference.derive(index, rule)?;
        }
    }
    let mut next = 0;
    while let Some(&form) = inference.agenda.get(next) {
        next += 1;
        let predicate = inference.forms.form(form).predicate;
        for &(index, position) in readers.get(&predicate).map_or(&[][..], Vec::as_slice) {
            inference.assignment.reset(rules[index].variables);
            inference.join(index, &rules[index], Some((position, form)), 0)?;
        }
    }
    Ok(inference.forms)
}

struct Inference<'run> {
    forms: Forms,
    agenda: Vec<FormId>,
    limits: &'run FormLimits,
    /// Combinations tried so far.
    work: usize,
    assignment: Assignment,
    /// The shapes of a sentence that is being put together.
    shapes: Vec<ShapeId>,
}

impl Inference<'_> {
    /// Goes through the forms of a rule's binders; `given` fixes the form of one of them.
    fn join(
        &mut self,
        index: usize,
        rule: &PatternRule,
        given: Option<(usize, FormId)>,
        position: usize,
    ) -> Result<(), FormsError> {
        if position == rule.binders.len() {
            return self.derive(index, rule);
        }
        let atom = rule.binder(position);
        let count = match given {
            Some((fixed, _)) if fixed == position => 1,
            _ => self.forms.derivable(atom.table).len(),
        };
        for choice in 0..count {
            let form = match given {
                Some((fixed, form)) if fixed == position => form,
                _ => self.forms.derivable(atom.table)[choice],
            };
            self.work += 1;
            if self.work > self.limits.rules.saturating_mul(8) {
                return Err(FormsError { rule: index, kind: FormsErrorKind::Rules });
            }
            let mark = self.assignment.mark();
            let shapes = &self.forms.form(form).shapes;
            if self.assignment.matches(&atom.arguments, shapes, &self.forms) {
                self.join(index, rule, given, position + 1)?;
            }
            self.assignment.undo(mark);
        }
        Ok(())
    }

    /// Derives the form of a rule's head.
    fn derive(&mut self, index: usize, rule: &PatternRule) -> Result<(), FormsError> {
        self.shapes.clear();
        self.assignment.push_shapes(&rule.head.arguments, &mut self.forms, &mut self.shapes);
        if self.shapes.iter().any(|&shape| self.forms.depth(shape) > self.limits.depth) {
            return Err(FormsError { rule: index, kind: FormsErrorKind::Depth });
        }
        let form = self.forms.intern(rule.head.table, &self.shapes);
        if self.forms.derive(form) {
            self.agenda.push(form);
            if self.agenda.len() > self.limits.forms {
                return Err(FormsError { rule: index, kind: FormsErrorKind::Forms });
            }
        }
        Ok(())
    }
}
