//! Rules specialised to forms: flat, over constants.

use fxhash::FxBuildHasher;
use groundfrog_engine::{Argument, Arguments};
use indexmap::IndexSet;
use smallvec::SmallVec;

use super::pattern::{
    Assignment, MarkedLiteral, Pattern, PatternAtom, PatternLiteral, PatternRule, PatternRules,
};
use super::{COMBINATION, FormLimits, FormsError, FormsErrorKind};
use crate::flat::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind, ShapeId,
};
use crate::ticker::Ticker;

/// Specialises rules to the forms that `infer` found.
///
/// Forms that no rule derives are added for negated atoms that are stored.
///
/// # Errors
/// More specialised rules than the limit allows; a limit of the budget, as the ticker reports.
pub fn flatten(
    rules: &PatternRules,
    forms: &mut Forms,
    limits: &FormLimits,
    ticker: &mut Ticker<'_>,
) -> Result<FlatProgram, FormsError> {
    let mut flattening = Flattening {
        rules,
        limits,
        ticker,
        program: FlatProgram::default(),
        made: 0,
        assignment: Assignment::default(),
        chosen: Vec::new(),
        first_variable: Vec::new(),
        shapes: Vec::new(),
        arguments: Arguments::new(),
        origin: 0,
    };
    for (index, rule) in rules.iter().enumerate() {
        flattening.origin = index as u32;
        flattening.assignment.reset(rule.variables);
        flattening.join(rule, 0, forms).map_err(|kind| FormsError { rule: index, kind })?;
    }
    Ok(flattening.program)
}

struct Flattening<'run, 'budget> {
    rules: &'run PatternRules,
    limits: &'run FormLimits,
    ticker: &'run mut Ticker<'budget>,
    program: FlatProgram,
    /// Specialisations of rules with variables so far.
    made: usize,
    assignment: Assignment,
    /// The forms of the literals that bind variables, as far as they are chosen.
    chosen: Vec<FormId>,
    /// By variable of the rule: the first of its flat variables.
    first_variable: Vec<u32>,
    /// The shapes of a sentence that is being put together.
    shapes: Vec<ShapeId>,
    /// Room for the arguments of a fact.
    arguments: Arguments,
    origin: u32,
}

impl Flattening<'_, '_> {
    fn join(
        &mut self,
        rule: &PatternRule,
        position: usize,
        forms: &mut Forms,
    ) -> Result<(), FormsErrorKind> {
        if position == rule.binder_count() {
            self.specialise(rule, forms);
            self.made += usize::from(rule.variables > 0);
            // A rule of large terms takes as long as many of small ones.
            let columns = self.first_variable.last().copied().unwrap_or(0);
            self.ticker.ticks(columns)?;
            let is_too_many = self.made > self.limits.rules;
            return if is_too_many { Err(FormsErrorKind::Rules) } else { Ok(()) };
        }
        let atom = self.rules.binder(rule, position);
        let choices =
            SmallVec::<[FormId; 4]>::from_slice(forms.candidates(atom.table, atom.ending));
        for form in choices {
            self.ticker.ticks(COMBINATION)?;
            let mark = self.assignment.mark();
            if self.assignment.matches(self.rules.arguments(atom), &forms.form(form).shapes, forms)
            {
                self.chosen.push(form);
                self.join(rule, position + 1, forms)?;
                self.chosen.pop();
            }
            self.assignment.undo(mark);
        }
        Ok(())
    }

    /// Adds the rule with the shapes of the present assignment.
    fn specialise(&mut self, rule: &PatternRule, forms: &mut Forms) {
        self.first_variable.clear();
        let mut next = 0;
        for variable in 0..rule.variables as u32 {
            self.first_variable.push(next);
            next += forms.holes(self.assignment.get(variable)) as u32;
        }
        let mut body = IndexSet::with_capacity_and_hasher(rule.body.len(), FxBuildHasher);
        let mut binders = 0;
        for (literal, mark) in &rule.body {
            match self.literal(literal, *mark, &mut binders, forms) {
                Specialised::Literal(literal) => _ = body.insert(literal),
                Specialised::Always => {}
                Specialised::Never => return,
            }
        }
        let body: Vec<FlatLiteral> = body.into_iter().collect();
        if body.is_empty() {
            let form = self.form(&rule.head, forms);
            let mut arguments = std::mem::take(&mut self.arguments);
            self.push_arguments(self.rules.arguments(&rule.head), forms, &mut arguments);
            self.program.fact_forms.push(form);
            self.program.fact_constants.extend(arguments.drain(..).map(
                |argument| match argument {
                    Argument::Constant(constant) => constant,
                    Argument::Variable(_) => unreachable!("a safe rule without body is ground"),
                },
            ));
            self.arguments = arguments;
            if !rule.stored {
                return;
            }
        }
        let head = self.atom(&rule.head, forms);
        let rule = FlatRule { head, body, origin: self.origin, stored: rule.stored };
        self.program.rules.push(rule);
    }

    fn literal(
        &mut self,
        literal: &PatternLiteral,
        mark: MarkedLiteral,
        binders: &mut usize,
        forms: &mut Forms,
    ) -> Specialised {
        let kind = match literal {
            PatternLiteral::Positive(atom) => {
                let form = self.chosen[*binders];
                *binders += 1;
                LiteralKind::Positive(self.atom_of(form, atom, forms))
            }
            PatternLiteral::Negative(atom) if mark.stored => {
                LiteralKind::Negative(self.atom(atom, forms))
            }
            PatternLiteral::Negative(atom) => {
                self.put_shapes(atom, forms);
                let form = forms.find(atom.table, &self.shapes);
                let Some(form) = form.filter(|&it| forms.is_derivable(it)) else {
                    return Specialised::Always;
                };
                LiteralKind::Negative(self.atom_of(form, atom, forms))
            }
            PatternLiteral::Distinct(left, right) => {
                let (left, right) = (self.rules.at(left), self.rules.at(right));
                let mut shape = |it| self.assignment.shape(it, forms, &mut self.shapes);
                if shape(left) != shape(right) {
                    return Specialised::Always;
                }
                let (left, right) = (self.arguments(left, forms), self.arguments(right, forms));
                if left == right {
                    return Specialised::Never;
                }
                let constant = |it: &Argument| matches!(it, Argument::Constant(_));
                let differ = |(left, right): (&Argument, &Argument)| {
                    constant(left) && constant(right) && left != right
                };
                if left.iter().zip(&right).any(differ) {
                    return Specialised::Always;
                }
                LiteralKind::Distinct(left, right)
            }
        };
        Specialised::Literal(FlatLiteral { kind, joined: mark.joined, stored: mark.stored })
    }

    fn atom(&mut self, atom: &PatternAtom, forms: &mut Forms) -> FlatAtom {
        let form = self.form(atom, forms);
        self.atom_of(form, atom, forms)
    }

    fn atom_of(&self, form: FormId, atom: &PatternAtom, forms: &Forms) -> FlatAtom {
        let mut arguments = Arguments::new();
        self.push_arguments(self.rules.arguments(atom), forms, &mut arguments);
        FlatAtom { form, name: atom.name, arguments }
    }

    fn form(&mut self, atom: &PatternAtom, forms: &mut Forms) -> FormId {
        self.put_shapes(atom, forms);
        forms.intern(atom.table, &self.shapes)
    }

    fn put_shapes(&mut self, atom: &PatternAtom, forms: &mut Forms) {
        self.shapes.clear();
        self.assignment.push_shapes(self.rules.arguments(atom), forms, &mut self.shapes);
    }

    fn arguments(&self, patterns: &[Pattern], forms: &Forms) -> Arguments {
        let mut arguments = Arguments::new();
        self.push_arguments(patterns, forms, &mut arguments);
        arguments
    }

    fn push_arguments(&self, patterns: &[Pattern], forms: &Forms, arguments: &mut Arguments) {
        // What a function holds stands behind it.
        for &pattern in patterns {
            match pattern {
                Pattern::Constant(constant) => arguments.push(Argument::Constant(constant.0)),
                Pattern::Variable(variable) => {
                    let first = self.first_variable[variable as usize];
                    let count = forms.holes(self.assignment.get(variable)) as u32;
                    arguments.extend((first..first + count).map(Argument::Variable));
                }
                Pattern::Function(..) => {}
            }
        }
    }
}

/// A literal specialised to shapes.
enum Specialised {
    Literal(FlatLiteral),
    /// True whatever the constants.
    Always,
    /// False whatever the constants.
    Never,
}
