//! Warnings about predicates: used and never defined, or hardly meant as one.

use fxhash::{FxHashMap, FxHashSet};

use super::builder::Builder;
use super::error::arguments;
use super::{Formula, Predicate, Printer, Statement, Term};
use crate::kif::{Diagnostic, Span};
use crate::symbols::Symbol;

/// Which predicates the statements define and use.
pub(super) struct Usage<'a> {
    statements: &'a [Statement],
    defined: FxHashSet<Predicate>,
    /// With the place of the first use.
    used: FxHashMap<Predicate, Span>,
}

impl<'a> Usage<'a> {
    pub(super) fn new(statements: &'a [Statement]) -> Self {
        let mut defined = FxHashSet::default();
        let mut used = FxHashMap::default();
        let mut last = None;
        for statement in statements {
            let head = statement.head.predicate();
            // Facts of one predicate mostly stand together.
            if last != Some(head) {
                defined.insert(head);
                last = Some(head);
            }
            for formula in &statement.body {
                formula.for_each_atom(&mut |atom| {
                    used.entry(atom.predicate()).or_insert(atom.span);
                });
            }
        }
        Self { statements, defined, used }
    }

    /// Warns of each predicate that is used and never defined, and gives their names back.
    pub(super) fn undefined(
        &self,
        builder: &Builder<'_>,
        warnings: &mut Vec<Diagnostic>,
    ) -> FxHashSet<Symbol> {
        let keywords = &builder.keywords;
        // What holds of these is not for the description to say, or for it to leave out.
        let given = [keywords.true_, keywords.does, keywords.base, keywords.input];
        let mut undefined: Vec<(Predicate, Span)> = self
            .used
            .iter()
            .filter(|(used, _)| !self.defined.contains(used) && !given.contains(&used.name))
            .filter(|(used, _)| {
                let own = builder.language.own_arity(builder.symbols.name(used.name));
                own.flatten() != Some(used.arity)
            })
            .map(|(&predicate, &span)| (predicate, span))
            .collect();
        if undefined.is_empty() {
            return FxHashSet::default();
        }
        undefined.sort_unstable_by_key(|it| it.1);
        let fluents = self.fluents(builder);
        let unused = self.unused(builder);
        let mut arities: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
        for &Predicate { name, arity } in &self.defined {
            arities.entry(name).or_default().push(arity);
        }
        arities.values_mut().for_each(|arities| arities.sort_unstable());
        warnings.extend(undefined.iter().enumerate().map(|(number, &(predicate, span))| {
            let name = builder.symbols.name(predicate.name);
            let count = arguments(predicate.arity);
            let text = format!("`{name}` with {count} is used but never defined: it never holds");
            let mut warning = Diagnostic::warning("GF0201", text, span);
            for &arity in arities.get(&predicate.name).into_iter().flatten() {
                let help = format!("`{name}` is defined with {}", arguments(arity));
                warning = warning.with_help(help);
            }
            if number < MOST_SUGGESTIONS
                && let Some(other) = alike(predicate, &unused, builder)
            {
                warning = warning
                    .with_help(format!("`{other}` is defined but never used: is that meant?"));
            }
            warning.help.extend(self.in_place_of(predicate, span, builder));
            if fluents.contains(&predicate) {
                let atom = if predicate.arity == 0 { name } else { &format!("({name} ...)") };
                let help = format!("to test it in the present state, write `(true {atom})`");
                warning = warning.with_help(help);
            }
            warning
        }));
        undefined.into_iter().map(|(predicate, _)| predicate.name).collect()
    }

    /// What to write in the place of an operator for equality or inequality, of which GDL has none; the first use is at `span`.
    fn in_place_of(
        &self,
        predicate: Predicate,
        span: Span,
        builder: &Builder<'_>,
    ) -> Option<String> {
        let operator = builder.symbols.name(predicate.name);
        let is_equality = matches!(operator, "=" | "==");
        if predicate.arity != 2 || !(is_equality || is_inequality(operator)) {
            return None;
        }
        let mut sides = None;
        for formula in self.statements.iter().flat_map(|it| &it.body) {
            formula.for_each_atom(&mut |atom| {
                if atom.span == span {
                    sides = Some((atom.arguments[0].clone(), atom.arguments[1].clone()));
                }
            });
        }
        let (left, right) = sides?;
        let printer = Printer::new(&builder.symbols);
        let distinct = format!("(distinct {} {})", printer.term(&left), printer.term(&right));
        if !is_equality {
            return Some(format!("GDL has no `{operator}`: write `{distinct}`"));
        }
        // The term that takes the place of a variable.
        let (variable, term) = match (&left, &right) {
            (_, Term::Variable(_)) => (&right, &left),
            _ => (&left, &right),
        };
        let (variable, term) = (printer.term(variable), printer.term(term));
        Some(format!(
            "GDL has no `{operator}`: write `{term}` itself in the place of `{variable}`, or `(not {distinct})`; and `{distinct}` for \
             `(not ({operator} ...))`"
        ))
    }

    /// What is defined and never used, in the order of the text.
    fn unused(&self, builder: &Builder<'_>) -> Vec<Predicate> {
        let mut seen = FxHashSet::default();
        let heads = self.statements.iter().map(|it| it.head.predicate());
        let unused = heads.filter(|head| {
            !self.used.contains_key(head)
                && !builder.keywords.contains(head.name)
                && seen.insert(*head)
        });
        unused.take(MOST_UNUSED).collect()
    }

    /// Warns of words outside of any list, once for each word, unless a body uses it as a
    /// predicate.
    pub(super) fn stray_words(&self, builder: &Builder<'_>, warnings: &mut Vec<Diagnostic>) {
        let mut seen = FxHashSet::default();
        for statement in self.statements {
            let head = &statement.head;
            let predicate = head.predicate();
            let is_word = statement.body.is_empty()
                && predicate.arity == 0
                && !builder.source[head.span.range()].starts_with('(')
                && statement.span == head.span;
            if is_word
                && !builder.keywords.contains(head.predicate)
                && !self.used.contains_key(&predicate)
                && seen.insert(predicate)
            {
                let name = builder.symbols.name(head.predicate);
                let text = format!("the stray word `{name}` is taken for a fact");
                let help = "no rule uses it; are parentheses missing around it?";
                warnings.push(Diagnostic::warning("GF0203", text, head.span).with_help(help));
            }
        }
    }

    /// Warns of rules whose arrow is that of another language, or has a space in it: they are taken for facts.
    pub(super) fn arrows(&self, builder: &Builder<'_>, warnings: &mut Vec<Diagnostic>) {
        let is_equals = |term: &Term| match term {
            Term::Constant(name) => builder.symbols.name(*name) == "=",
            _ => false,
        };
        for Statement { head, .. } in self.statements.iter().filter(|it| it.body.is_empty()) {
            let arrow = builder.symbols.name(head.predicate);
            let is_split = || arrow == "<" && head.arguments.first().is_some_and(is_equals);
            if (is_arrow(arrow) || is_split())
                && !self.used.contains_key(&head.predicate())
                && head.arguments.iter().any(|it| self.is_sentence(it, builder))
            {
                let text = format!("`{arrow}` is taken for the predicate of a fact");
                let help = "a rule is written `(<= head condition ...)`";
                warnings.push(Diagnostic::warning("GF0205", text, head.span).with_help(help));
            }
        }
    }

    /// Whether a term would be a sentence about something that the game knows.
    fn is_sentence(&self, term: &Term, builder: &Builder<'_>) -> bool {
        let (name, arity) = match term {
            Term::Variable(_) => return false,
            Term::Constant(name) => (*name, 0),
            Term::Compound(it) => (it.functor, it.arguments.len()),
        };
        let Ok(arity) = u32::try_from(arity) else { return false };
        let predicate = Predicate { name, arity };
        builder.keywords.arity(name) == Some(arity)
            || self.defined.contains(&predicate)
            || self.used.contains_key(&predicate)
    }

    /// What can hold in a state, by name and number of arguments.
    fn fluents(&self, builder: &Builder<'_>) -> FxHashSet<Predicate> {
        let keywords = &builder.keywords;
        let mut fluents = FxHashSet::default();
        let mut see = |atom: &super::Atom| {
            if ![keywords.init, keywords.next, keywords.true_].contains(&atom.predicate) {
                return;
            }
            fluents.extend(atom.arguments.iter().filter_map(|term| match term {
                Term::Variable(_) => None,
                Term::Constant(name) => Some(Predicate { name: *name, arity: 0 }),
                Term::Compound(compound) => {
                    let arity = u32::try_from(compound.arguments.len()).ok()?;
                    Some(Predicate { name: compound.functor, arity })
                }
            }));
        };
        for statement in self.statements {
            see(&statement.head);
            statement.body.iter().for_each(|formula: &Formula| formula.for_each_atom(&mut see));
        }
        fluents
    }
}

/// So many of the undefined predicates, the first ones, are compared with what is spelled alike.
const MOST_SUGGESTIONS: usize = 256;
/// Names that are looked at to find one that is spelled alike.
const MOST_UNUSED: usize = 256;
/// Longer ones are not.
const LONGEST_NAME: usize = 64;

/// The name that is spelled most like that of a predicate, if there is one that differs in a letter or two.
fn alike<'b>(
    predicate: Predicate,
    unused: &[Predicate],
    builder: &'b Builder<'_>,
) -> Option<&'b str> {
    let name = builder.symbols.name(predicate.name);
    if name.len() > LONGEST_NAME {
        return None;
    }
    let differing = |other: &Predicate| {
        let other_name = builder.symbols.name(other.name);
        let is_near = other.arity == predicate.arity && other_name.len() <= LONGEST_NAME;
        let letters = strsim::osa_distance(&name.to_lowercase(), &other_name.to_lowercase());
        // In a short name two letters are much of it.
        let most = if name.chars().count() < 5 { 1 } else { 2 };
        let is_other = other_name != name && letters < name.chars().count();
        (is_near && is_other && letters <= most).then_some((letters, other_name))
    };
    unused.iter().filter_map(differing).min_by_key(|it| it.0).map(|it| it.1)
}

/// Whether a name says that two terms differ, in another language.
fn is_inequality(name: &str) -> bool {
    matches!(name, "!=" | "/=" | "\\=" | "<>" | "=/=" | "~=")
}

/// Whether a name is the arrow of a rule, here or in another language.
pub(crate) fn is_arrow(name: &str) -> bool {
    matches!(name, "=>" | "->" | "<-" | ":-" | "<==" | "<=")
}
