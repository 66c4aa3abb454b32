//! Reading rules of rtGDL and MSL, and what both languages demand of them.
//!
//! Numbers are equal by value in both: a constant that looks like a number is replaced by the one way in which [`number`] writes it,
//! so that `1.0` and `1` are the same term.

mod keywords;
mod safety;

use fxhash::FxHashMap;
use groundfrog::description::{
    Atom, Description, Formula, Language, ParseOptions, Predicate, Term,
};
use groundfrog::error::GroundError;
use groundfrog::kif::{DEFAULT_NESTING, Diagnostic, NodeId, Severity, Sexprs, Span, locate};
use groundfrog::options::Limits;
use groundfrog::restrictions::dependencies::Dependencies;
use groundfrog::restrictions::recursion;
use groundfrog::restrictions::stratification::{self, OnceGround};
use groundfrog::rewrite::or_elimination::eliminate_or;
use groundfrog::rules::{Rules, compound, too_long};
use groundfrog::symbols::{Symbol, Symbols};

pub use keywords::KeywordUse;
pub use safety::unsafe_variables;
pub(crate) use safety::{binding, is_comparison, variables_bound};

use crate::number;

/// A description in rtGDL or MSL with its rules, `or` being eliminated.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// What was read; its terms have numbers in their one form.
    pub description: Description,
    /// The rules.
    pub rules: Rules,
}

impl Rulebook {
    /// Reads a description in a language other than GDL.
    ///
    /// # Errors
    /// The text is no description in this language, has a number that is too long, or stands for too many rules.
    pub fn read(
        text: &[u8],
        language: Language,
        name: &str,
        limits: &Limits,
    ) -> Result<Self, GroundError> {
        let options = ParseOptions { name: name.to_owned(), language, ..ParseOptions::default() };
        let mut description = Description::parse(text, &options)?;
        let errors = normalise(&mut description);
        if !errors.is_empty() {
            return Err(GroundError::description(&description, errors));
        }
        let rules = eliminate_or(&description, &limits.budget())?;
        let long = too_long(&rules);
        if !long.is_empty() {
            return Err(GroundError::description(&description, long));
        }
        Ok(Rulebook { description, rules })
    }

    /// What holds of rules in either language: which keywords may stand where, safety, stratification, the recursion restriction.
    pub(crate) fn findings(
        &self,
        keywords: &KeywordUse,
        tested: Option<Symbol>,
    ) -> Vec<Diagnostic> {
        let graph = Dependencies::new(&self.rules);
        let mut found = keywords.check(&self.rules, &graph);
        found.extend(unsafe_variables(&self.rules, &keywords.comparisons, tested));
        let cycles = stratification::negative_cycles(&graph);
        found.extend(cycles.iter().map(|cycle| {
            let mut error =
                stratification::diagnostic(cycle, &OnceGround::Static, &graph, &self.rules);
            error.help = vec!["what is negated must be known before".to_owned()];
            error
        }));
        let recursive = recursion::violations(&self.rules, &graph);
        found.extend(recursive.map(|it| recursion::diagnostic(&it, false, &graph, &self.rules)));
        found
    }

    /// What is found where there is no rule about some predicates: with how severe it is, its code, and what it means.
    pub(crate) fn missing(
        &self,
        needed: &[(Predicate, Severity, &'static str, &str)],
    ) -> Vec<Diagnostic> {
        let rules = &self.rules.rules;
        let place = rules.first().map_or_else(Span::default, |rule| rule.head.span);
        let is_missing = |of: Predicate| !rules.iter().any(|it| it.head.predicate() == of);
        let missing = needed.iter().filter(|it| is_missing(it.0));
        let found = missing.map(|&(predicate, severity, code, meaning)| {
            let name = self.rules.symbols.name(predicate.name);
            let message = format!("there is no rule or fact about `{name}`: {meaning}");
            Diagnostic { severity, ..Diagnostic::error(code, message, place) }
        });
        found.collect()
    }

    /// The symbol of a name, which is added if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        self.rules.symbols.intern(name)
    }
}

/// Puts findings in the order of the text, each once, after the warnings about the description.
pub(crate) fn in_order(description: &Description, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut all = description.warnings.clone();
    all.extend(found);
    all.sort_by(|one, other| {
        (one.span(), one.code, &one.message).cmp(&(other.span(), other.code, &other.message))
    });
    all.dedup();
    all
}

/// Writes all numbers in their one form; returns the errors about those that are too long.
fn normalise(description: &mut Description) -> Vec<Diagnostic> {
    let mut forms: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    let mut long = None;
    let names: Vec<(Symbol, String)> = description
        .symbols
        .iter()
        .filter(|(_, name)| number::looks_like_number(name))
        .map(|(symbol, name)| (symbol, name.to_owned()))
        .collect();
    for (symbol, name) in names {
        match number::parse(&name) {
            Some(value) => {
                let form = number::to_symbol(&value, &mut description.symbols);
                if form != symbol {
                    forms.insert(symbol, form);
                }
            }
            None if name.len() > number::MOST_DIGITS => long = Some(name),
            // A fraction with 0 below is a name like others.
            None => {}
        }
    }
    if let Some(name) = long {
        let start = description.source.find(&name).unwrap_or_default();
        let message = format!("a number with more than {} digits", number::MOST_DIGITS);
        let span = Span::new(start, start + name.len());
        return vec![
            Diagnostic::error("GF0805", message, span).with_help("no time or price needs them"),
        ];
    }
    let name = |it: Symbol, is_functor: bool| match forms.get(&it) {
        Some(&form) if !is_functor => form,
        _ => it,
    };
    let term = |it: &Term| renamed(it, &name);
    let atom = |it: &Atom| Atom { arguments: it.arguments.iter().map(term).collect(), ..*it };
    for statement in &mut description.statements {
        statement.head = atom(&statement.head);
        statement.body = statement.body.iter().map(|it| mapped(it, &atom, &term)).collect();
    }
    Vec::new()
}

/// A term with other names in the place of its own; it is said of each whether it is a function's.
pub(crate) fn renamed(term: &Term, name: &impl Fn(Symbol, bool) -> Symbol) -> Term {
    match term {
        Term::Variable(it) => Term::Variable(name(*it, false)),
        Term::Constant(it) => Term::Constant(name(*it, false)),
        Term::Compound(it) => {
            let arguments = it.arguments.iter().map(|it| renamed(it, name)).collect();
            compound(name(it.functor, true), arguments)
        }
    }
}

/// A formula with other atoms in the place of its own, and other terms in its comparisons.
pub(crate) fn mapped(
    formula: &Formula,
    atom: &impl Fn(&Atom) -> Atom,
    term: &impl Fn(&Term) -> Term,
) -> Formula {
    let all = |formulas: &[Formula]| formulas.iter().map(|it| mapped(it, atom, term)).collect();
    match formula {
        Formula::Atom(it) => Formula::Atom(atom(it)),
        Formula::Not(inner, span) => Formula::Not(Box::new(mapped(inner, atom, term)), *span),
        Formula::Or(formulas, span) => Formula::Or(all(formulas), *span),
        Formula::And(formulas, span) => Formula::And(all(formulas), *span),
        Formula::Distinct(one, other, span) => Formula::Distinct(term(one), term(other), *span),
    }
}

/// Why a text is no ground term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermError {
    /// It is not one list or word of KIF.
    #[error("expected one word or one list in parentheses")]
    Syntax,
    /// It has a variable, or a list where a name should be.
    #[error("expected a term without variables, each list beginning with a name")]
    Term,
    /// It has a number that is too long.
    #[error("a number has more than {} digits", number::MOST_DIGITS)]
    LongNumber,
}

/// The elements of a list in parentheses, each as its text.
pub fn list(text: &str) -> Option<Vec<&str>> {
    let trees = Sexprs::parse(text, DEFAULT_NESTING).ok()?;
    let mut roots = trees.roots();
    let root = roots.next().filter(|&it| roots.next().is_none() && trees.is_list(it))?;
    Some(trees.children(root).map(|it| trees.span(it).text(text)).collect())
}

/// Why a script cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ScriptFault {
    /// The line, counted from 1.
    pub line: u32,
    /// What is wrong.
    pub fault: String,
}

/// Reads the lists of a script, each of three parts. Of anything else it is said what is expected.
pub(crate) fn read_script(
    text: &str,
    expected: &str,
    mut read: impl FnMut([&str; 3]) -> Result<(), String>,
) -> Result<(), ScriptFault> {
    let mismatch = || ScriptFault { line: 1, fault: "the parentheses do not match".to_owned() };
    let trees = Sexprs::parse(text, DEFAULT_NESTING).map_err(|_| mismatch())?;
    for root in trees.roots() {
        let item = trees.span(root);
        let parts = list(item.text(text)).unwrap_or_default();
        let fault = match parts[..] {
            [when, who, what] => read([when, who, what]),
            _ => Err(format!("`{}`: {expected}", item.text(text))),
        };
        fault.map_err(|fault| ScriptFault { line: locate(text, item.start).line, fault })?;
    }
    Ok(())
}

/// The ground term that a text stands for, numbers in their one form; new names are added.
///
/// # Errors
/// It is no ground term.
pub fn ground_term(text: &str, symbols: &mut Symbols) -> Result<Term, TermError> {
    let trees = Sexprs::parse(text, DEFAULT_NESTING).map_err(|_| TermError::Syntax)?;
    let mut roots = trees.roots();
    let root = roots.next().filter(|_| roots.next().is_none()).ok_or(TermError::Syntax)?;
    term_of(root, &trees, text, symbols)
}

fn term_of(
    node: NodeId,
    trees: &Sexprs,
    text: &str,
    symbols: &mut Symbols,
) -> Result<Term, TermError> {
    if !trees.is_list(node) {
        let word = trees.span(node).text(text);
        if word.starts_with('?') {
            return Err(TermError::Term);
        }
        if number::looks_like_number(word) && word.len() > number::MOST_DIGITS {
            return Err(TermError::LongNumber);
        }
        return Ok(Term::Constant(match number::parse(word) {
            Some(value) => number::to_symbol(&value, symbols),
            None => symbols.intern(word),
        }));
    }
    let mut parts = trees.children(node);
    let functor = parts.next().filter(|&it| !trees.is_list(it)).ok_or(TermError::Term)?;
    let functor = trees.span(functor).text(text);
    if functor.starts_with('?') {
        return Err(TermError::Term);
    }
    let functor = symbols.intern(functor);
    let arguments: Result<_, _> = parts.map(|it| term_of(it, trees, text, symbols)).collect();
    Ok(compound(functor, arguments?))
}

/// A ground term as text.
pub fn term_text(term: &Term, symbols: &Symbols) -> String {
    groundfrog::description::Printer::new(symbols).term(term).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_by_value() {
        let text = b"(role a) (init 1.0 (f 007 (g 2/4)))";
        let book = Rulebook::read(text, Language::RealTime, "t", &Limits::default());
        let book = book.expect("rules");
        let shown = groundfrog::description::Printer::new(&book.rules.symbols)
            .statement(&book.rules.rules[1].statement())
            .to_string();
        assert_eq!(shown, "(init 1 (f 7 (g 0.5)))");
    }

    #[test]
    fn long_numbers_are_refused() {
        let text = format!("(role a) (init {} f)", "9".repeat(1000));
        let read = Rulebook::read(text.as_bytes(), Language::RealTime, "t", &Limits::default());
        assert!(read.expect_err("too long").to_string().contains("more than 100 digits"));
    }

    #[test]
    fn ground_terms_are_read() {
        let mut symbols = Symbols::new();
        let mut read =
            |text: &str| ground_term(text, &mut symbols).map(|it| term_text(&it, &symbols));
        assert_eq!(read("( f 1.50\n(g) )").as_deref(), Ok("(f 1.5 (g))"));
        assert_eq!(read("?x"), Err(TermError::Term));
        assert_eq!(read("(f ?x)"), Err(TermError::Term));
        assert_eq!(read("(f"), Err(TermError::Syntax));
        assert_eq!(read("a b"), Err(TermError::Syntax));
        assert_eq!(list("(a (b c) 1)"), Some(vec!["a", "(b c)", "1"]));
        assert_eq!(list("a"), None);
    }
}
