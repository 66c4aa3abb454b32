//! Game descriptions: the statements of a GDL text.
//!
//! [`Description::parse`] takes KIF and [infix notation](crate::kif::infix), and what real descriptions contain: keywords in any case, comments
//! anywhere, facts written as rules, connectives nested in any way. Everything else that is
//! written keeps its spelling and its place, so that later stages can point at it.
//!
//! The result is well formed: each keyword has its number of arguments, heads are atoms, and
//! `or` and `and` have branches. Whether the rules make a game is checked by later stages.
//!
//! | Code | Meaning |
//! | --- | --- |
//! | GF0001 to GF0006 | an error of notation, see [`SyntaxError`](crate::kif::SyntaxError) |
//! | GF0101 | no statements |
//! | GF0102, GF0103 | an empty list; a list where a name should be |
//! | GF0104, GF0105 | a variable as a predicate; as a function |
//! | GF0106, GF0107, GF0108 | a rule without a head; with a connective as its head; inside another |
//! | GF0109 | a keyword with a wrong number of arguments |
//! | GF0110 | `or` or `and` without branches |
//! | GF0111 | infix notation that is not well formed, or in the middle of KIF |
//! | GF0112 | `knows` of GDL-III |
//! | GF0201 | warning: a predicate is used and never defined |
//! | GF0202 | warning: names differ only in case |
//! | GF0203 | warning: a word outside of any list |
//! | GF0204 | warning: `<=` inside a term |
//! | GF0205 | warning: a rule with another arrow |
//! | GF0206 | warning: `base` or `input` with a wrong number of arguments, or in the notation of 2011 |
//!
//! A message of the protocol that games are played by, `(START ID ROLE (RULES) ...)` or `(PREVIEW (RULES) ...)`, is
//! read as the rules in it.

mod ast;
mod builder;
mod domains;
mod error;
mod keywords;
mod language;
mod printer;
mod read;
mod usage;

use std::sync::Arc;
use web_time::Instant;

use crate::kif::{DEFAULT_NESTING, Diagnostic, NodeId, Parser, Sexprs, Span, decode, infix};
use crate::symbols::Symbols;
pub use ast::{Atom, Compound, Formula, Predicate, Statement, Term, Terms};
use builder::Builder;
pub use error::ParseError;
use error::StatementError;
pub use keywords::Keywords;
pub use language::Language;
pub use printer::Printer;
pub use read::{MAX_SOURCE_BYTES, ReadError};
use usage::Usage;
pub(crate) use usage::is_arrow;
pub use usage::slip;

/// The largest value of [`ParseOptions::max_nesting`]. Terms are walked and freed
/// recursively, which must fit the stack of any thread.
pub const MAX_NESTING: usize = 1024;

/// How rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Notation {
    /// Lists: `(legal ?x noop)`.
    Kif,
    /// `legal(X, noop) :- ...`.
    Infix,
}

/// How to read a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseOptions {
    /// Fold all names to lower case.
    pub fold_case: bool,
    /// How deep lists may be nested; no deeper than [`MAX_NESTING`] in any case.
    pub max_nesting: usize,
    /// What messages call the text, such as the name of its file.
    pub name: String,
    /// The language of the text, which is not guessed: see [`Language::of_text`].
    pub language: Language,
    /// How the rules are written, which is detected otherwise: see [`infix::is_infix`].
    pub notation: Option<Notation>,
    /// When reading has to be done; what takes longer is an error.
    pub deadline: Option<Instant>,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            fold_case: false,
            max_nesting: DEFAULT_NESTING,
            name: "<input>".to_owned(),
            language: Language::Gdl,
            notation: None,
            deadline: None,
        }
    }
}

/// A game description.
#[derive(Clone, Debug)]
pub struct Description {
    /// The names in it, and all keywords.
    pub symbols: Symbols,
    /// The symbols of the keywords.
    pub keywords: Keywords,
    /// The rules and facts, in the order of the text; at least one.
    pub statements: Vec<Statement>,
    /// The text that all places count in; see [`decode`] for where it differs from the bytes read.
    pub source: Arc<str>,
    /// What messages call the text.
    pub name: String,
    /// What its author should look at, in the order of the text.
    pub warnings: Vec<Diagnostic>,
    /// What is wrong with statements about `base` and `input`, which are left out: errors where those are used, and
    /// among the warnings in any case.
    pub domain_faults: Vec<Diagnostic>,
}

impl Description {
    /// Reads a description. What is in infix notation is made KIF on the same lines, and that is then the source.
    ///
    /// # Errors
    ///
    /// The first error of notation, such as an unbalanced parenthesis, together with the errors
    /// of the statements before it; or else the errors of all statements.
    pub fn parse(source: &[u8], options: &ParseOptions) -> Result<Self, ParseError> {
        let fail = |diagnostics, omitted, text| ParseError {
            diagnostics,
            omitted,
            text,
            name: options.name.clone(),
        };
        let source: Arc<str> = match decode(source) {
            Ok(text) => text.into(),
            Err((error, text)) => return Err(fail(vec![(&error).into()], 0, text.into())),
        };
        let source = match in_kif(&source, options) {
            Ok(kif) => kif.map_or(source, Arc::from),
            Err(error) => return Err(fail(vec![*error], 0, source)),
        };
        let mut builder = Builder::new(&source, options);
        let statements = match read(&source, options, &mut builder) {
            Some(statements) => statements,
            None => {
                let (mut errors, omitted) = (builder.errors, builder.omitted_errors);
                errors.sort_by_key(Diagnostic::span);
                return Err(fail(errors, omitted, source));
            }
        };
        let mut warnings = std::mem::take(&mut builder.warnings);
        let usage = Usage::new(&statements);
        if let Some(error) = usage.knowledge(&builder) {
            return Err(fail(vec![error], 0, source.clone()));
        }
        let undefined = usage.undefined(&builder, &mut warnings);
        usage.stray_words(&builder, &mut warnings);
        usage.arrows(&builder, &mut warnings);
        usage::letter_case(&builder, &undefined, &mut warnings);
        warnings.sort_by_key(|warning| (warning.span(), warning.code));
        let Builder { symbols, keywords, domain_faults, .. } = builder;
        let name = options.name.clone();
        Ok(Self { symbols, keywords, statements, source, name, warnings, domain_faults })
    }
}

/// The KIF of a text that is in infix notation.
fn in_kif(text: &str, options: &ParseOptions) -> Result<Option<String>, Box<Diagnostic>> {
    match options.notation {
        None if infix::is_infix(text) => {}
        Some(Notation::Infix) => {}
        _ => return Ok(None),
    }
    let is_late = || options.deadline.is_some_and(|it| Instant::now() >= it);
    match infix::translate(text, options.max_nesting, &is_late)? {
        Some(kif) => Ok(Some(kif)),
        None => Err(Box::new(late(Span::default()))),
    }
}

fn late(span: Span) -> Diagnostic {
    Diagnostic::error("GF0307", "reading the text takes longer than it may", span)
}

/// How many statements are read before the time is looked at again.
const BETWEEN_LOOKS: u64 = 64;

/// All statements of a text; `None` if there are errors, which are left in the builder.
fn read(source: &str, options: &ParseOptions, builder: &mut Builder<'_>) -> Option<Vec<Statement>> {
    let is_late = || options.deadline.is_some_and(|it| Instant::now() >= it);
    let mut parser = Parser::new(source, options.max_nesting.min(MAX_NESTING));
    // Only one statement's tree is kept at a time: trees of large files would take more memory
    // than the statements.
    let mut trees = Sexprs::new();
    let mut statements = Vec::new();
    for count in 0u64.. {
        trees.clear();
        match parser.read(&mut trees) {
            Ok(Some(node)) if builder.is_infix(&trees, node) => return None,
            Ok(Some(node)) => {
                if count % BETWEEN_LOOKS == 0 && is_late() {
                    builder.errors.push(late(trees.span(node)));
                    return None;
                }
                for_each_statement(source, &trees, node, |node| {
                    builder.statement(&trees, node, &mut statements);
                });
            }
            Ok(None) => break,
            Err(error) => {
                builder.errors.push((&error).into());
                return None;
            }
        }
    }
    if statements.is_empty() && builder.errors.is_empty() {
        builder.fail::<()>(Span::default(), StatementError::NoStatements);
    }
    builder.errors.is_empty().then_some(statements)
}

/// Calls `visit` with an outermost list, or with each rule of the message that it is.
fn for_each_statement(source: &str, trees: &Sexprs, node: NodeId, visit: impl FnMut(NodeId)) {
    match rules_of_message(source, trees, node) {
        Some(rules) => trees.children(rules).for_each(visit),
        None => [node].into_iter().for_each(visit),
    }
}

/// The list of rules of `(START ID ROLE (RULES) STARTCLOCK PLAYCLOCK)` or `(PREVIEW (RULES) CLOCK)`, if an outermost list
/// is such a message: as a fact it would have a list where a name should be.
fn rules_of_message(source: &str, trees: &Sexprs, node: NodeId) -> Option<NodeId> {
    let mut parts = trees.children(node);
    let word = parts.next().filter(|&it| trees.is_list(node) && !trees.is_list(it))?;
    let word = trees.span(word).text(source);
    let place = match word {
        _ if word.eq_ignore_ascii_case("start") => 2,
        _ if word.eq_ignore_ascii_case("preview") => 0,
        _ => return None,
    };
    let rules = parts.nth(place)?;
    let first = trees.is_list(rules).then(|| trees.children(rules).next()).flatten()?;
    trees.is_list(first).then_some(rules)
}
