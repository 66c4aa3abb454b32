//! From lists and words to statements.

use std::sync::Arc;

use super::error::StatementError;
use super::keywords::{self, Keywords};
use super::{Atom, Compound, Formula, Language, ParseOptions, Statement, Term, Terms};
use crate::kif::{Diagnostic, NodeId, Sexprs, Span};
use crate::symbols::{Symbol, Symbols};

/// How many errors are kept; more are only counted.
const MAX_ERRORS: usize = 50;

/// Turns trees into statements, and keeps count of what is wrong with them.
///
/// A part that is wrong is reported and yields `None`; the parts beside it are still looked at.
pub(super) struct Builder<'s> {
    pub(super) source: &'s str,
    fold_case: bool,
    pub(super) language: Language,
    /// A name being folded.
    folded: String,
    pub(super) symbols: Symbols,
    pub(super) keywords: Keywords,
    /// Where each symbol is written for the first time, other than as a keyword.
    pub(super) first_uses: Vec<Option<Span>>,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) omitted_errors: usize,
    pub(super) warnings: Vec<Diagnostic>,
    /// What is wrong with statements about `base` and `input`, which matter only where these are used.
    pub(super) domain_faults: Vec<Diagnostic>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s str, options: &ParseOptions) -> Self {
        let mut symbols = Symbols::new();
        let keywords = Keywords::intern(&mut symbols);
        Self {
            source,
            fold_case: options.fold_case,
            language: options.language,
            folded: String::new(),
            symbols,
            keywords,
            first_uses: Vec::new(),
            errors: Vec::new(),
            omitted_errors: 0,
            warnings: Vec::new(),
            domain_faults: Vec::new(),
        }
    }

    /// An outermost list or word as a rule or a fact, or as the facts that it stands for.
    pub(super) fn statement(
        &mut self,
        trees: &Sexprs,
        node: NodeId,
        statements: &mut Vec<Statement>,
    ) -> Option<()> {
        let span = trees.span(node);
        let name = self.name(trees, node)?;
        if name != self.keywords.implied_by {
            if self.odd_domain(trees, node) == Some(name) {
                statements.extend(self.old_domain(trees, node, name));
                return Some(());
            }
            let head = self.head(trees, node)?;
            statements.push(Statement { head, body: Vec::new(), span });
            return Some(());
        }
        let mut parts = trees.children(node).skip(1);
        let Some(head) = parts.next() else {
            return self.fail(span, StatementError::NoHead);
        };
        if let Some(name) = self.odd_domain(trees, head) {
            self.domain_fault(trees, head, name);
            return self.formulas(trees, parts).map(|_| ());
        }
        let head = self.head(trees, head);
        let body = self.formulas(trees, parts);
        statements.push(Statement { head: head?, body: body?, span });
        Some(())
    }

    /// Whether an outermost word is a keyword that is written before the parenthesis of its arguments. What was wrong before
    /// that follows from the same, so this alone is reported.
    pub(super) fn is_infix(&mut self, trees: &Sexprs, node: NodeId) -> bool {
        let span = trees.span(node);
        let follows = self.source.as_bytes().get(span.end as usize);
        if trees.is_list(node) || follows != Some(&b'(') {
            return false;
        }
        let word = span.text(self.source);
        let symbol = self.symbols.get(keywords::fold(word).unwrap_or(word));
        if symbol.and_then(|it| self.keywords.arity(it)).is_none_or(|arity| arity == 0) {
            return false;
        }
        self.errors.clear();
        self.omitted_errors = 0;
        self.fail::<()>(span, StatementError::Infix(word.to_owned()));
        true
    }

    fn head(&mut self, trees: &Sexprs, node: NodeId) -> Option<Atom> {
        let name = self.name(trees, node)?;
        let span = trees.span(node);
        if name == self.keywords.implied_by {
            return self.fail(span, StatementError::NestedRule);
        }
        if self.keywords.is_connective(name) {
            let name = self.symbols.name(name).to_owned();
            return self.fail(span, StatementError::ConnectiveAsHead(name));
        }
        self.atom(trees, node, name)
    }

    fn formulas(
        &mut self,
        trees: &Sexprs,
        nodes: impl Iterator<Item = NodeId> + Clone,
    ) -> Option<Vec<Formula>> {
        let count = nodes.clone().count();
        let mut formulas = Vec::with_capacity(count);
        formulas.extend(nodes.filter_map(|node| self.formula(trees, node)));
        (formulas.len() == count).then_some(formulas)
    }

    fn formula(&mut self, trees: &Sexprs, node: NodeId) -> Option<Formula> {
        let name = self.name(trees, node)?;
        let span = trees.span(node);
        let keywords = self.keywords;
        let compares = name == keywords.implied_by && self.is_comparison(trees, node);
        if !keywords.is_connective(name) || compares {
            return Some(Formula::Atom(self.atom(trees, node, name)?));
        }
        let mut parts = trees.children(node).skip(1);
        if name == keywords.implied_by {
            return self.fail(span, StatementError::NestedRule);
        }
        self.check_arity(trees, node, name)?;
        if name == keywords.distinct {
            let (left, right) = (parts.next()?, parts.next()?);
            let (left, right) = (self.term(trees, left), self.term(trees, right));
            return Some(Formula::Distinct(left?, right?, span));
        }
        let mut formulas = self.formulas(trees, parts)?;
        if name == keywords.not {
            return Some(Formula::Not(Box::new(formulas.pop()?), span));
        }
        if formulas.is_empty() {
            let name = self.symbols.name(name).to_owned();
            return self.fail(span, StatementError::NoBranches(name));
        }
        Some(match name == keywords.or {
            true => Formula::Or(formulas, span),
            false => Formula::And(formulas, span),
        })
    }

    /// Whether a list with `<=` in front compares two words, in a language that has comparisons.
    fn is_comparison(&self, trees: &Sexprs, node: NodeId) -> bool {
        let mut operands = trees.children(node).skip(1);
        self.language.compares() && operands.all(|it| !trees.is_list(it))
    }

    /// The atom at `node`, whose name is known already.
    fn atom(&mut self, trees: &Sexprs, node: NodeId, predicate: Symbol) -> Option<Atom> {
        let complete = self.check_arity(trees, node, predicate);
        let arguments = self.arguments(trees, node);
        complete?;
        Some(Atom { predicate, arguments: arguments?, span: trees.span(node) })
    }

    fn check_arity(&mut self, trees: &Sexprs, node: NodeId, name: Symbol) -> Option<()> {
        let own = self.language.own_arity(self.symbols.name(name));
        let Some(expected) = own.unwrap_or_else(|| self.keywords.arity(name)) else {
            return Some(());
        };
        let found = trees.children(node).skip(1).count();
        if found == expected as usize {
            return Some(());
        }
        let name = self.symbols.name(name).to_owned();
        let form = self.language.form(&name);
        let known = self.errors.len();
        let error = StatementError::Arity { name, expected, found };
        self.fail::<()>(trees.span(node), error);
        if let (Some(form), Some(error)) = (form, self.errors.get_mut(known)) {
            error.help = vec![form.to_owned()];
        }
        None
    }

    fn arguments(&mut self, trees: &Sexprs, node: NodeId) -> Option<Terms> {
        let (mut terms, mut is_complete) = (Terms::new(), true);
        for node in trees.children(node).skip(1) {
            match self.term(trees, node) {
                Some(term) => terms.push(term),
                None => is_complete = false,
            }
        }
        is_complete.then_some(terms)
    }

    pub(super) fn term(&mut self, trees: &Sexprs, node: NodeId) -> Option<Term> {
        let span = trees.span(node);
        if !trees.is_list(node) {
            let name = self.intern(span);
            return Some(match self.is_variable(span) {
                true => Term::Variable(name),
                false => Term::Constant(name),
            });
        }
        let word = self.first_word(trees, node)?;
        if self.is_variable(word) {
            let name = word.text(self.source).to_owned();
            return self.fail(word, StatementError::VariableAsFunction(name));
        }
        let functor = self.intern(word);
        if functor == self.keywords.implied_by {
            let text = "`<=` stands inside a term and is taken for a function";
            let warning = Diagnostic::warning("GF0204", text, span);
            self.warnings.push(warning.with_help("is a `)` missing before it?"));
        }
        let arguments = self.arguments(trees, node)?;
        Some(Term::Compound(Arc::new(Compound { functor, arguments })))
    }

    /// The name of a predicate or connective: the word at `node`, or the first of the list there.
    /// Keywords are recognised in any case.
    fn name(&mut self, trees: &Sexprs, node: NodeId) -> Option<Symbol> {
        let span = match trees.is_list(node) {
            true => self.first_word(trees, node)?,
            false => trees.span(node),
        };
        let word = span.text(self.source);
        if self.is_variable(span) {
            return self.fail(span, StatementError::VariableAsPredicate(word.to_owned()));
        }
        if let Some(keyword) = keywords::fold(word) {
            return Some(self.symbols.intern(keyword));
        }
        let symbol = self.intern_only(span);
        if !self.keywords.contains(symbol) {
            self.note_use(symbol, span);
        }
        Some(symbol)
    }

    fn first_word(&mut self, trees: &Sexprs, list: NodeId) -> Option<Span> {
        let Some(first) = trees.children(list).next() else {
            return self.fail(trees.span(list), StatementError::EmptyList);
        };
        let span = trees.span(first);
        match trees.is_list(first) {
            true => self.fail(span, StatementError::ListAsName),
            false => Some(span),
        }
    }

    fn is_variable(&self, word: Span) -> bool {
        self.source.as_bytes()[word.start as usize] == b'?'
    }

    /// The symbol of a word that is not used as a keyword.
    fn intern(&mut self, word: Span) -> Symbol {
        let symbol = self.intern_only(word);
        self.note_use(symbol, word);
        symbol
    }

    fn intern_only(&mut self, word: Span) -> Symbol {
        let mut name = word.text(self.source);
        if self.fold_case && name.chars().any(char::is_uppercase) {
            self.folded = name.to_lowercase();
            name = &self.folded;
        }
        self.symbols.intern(name)
    }

    fn note_use(&mut self, symbol: Symbol, word: Span) {
        if symbol.index() >= self.first_uses.len() {
            self.first_uses.resize(self.symbols.len(), None);
        }
        self.first_uses[symbol.index()].get_or_insert(word);
    }

    /// Reports an error. The caller has nothing to return.
    pub(super) fn fail<T>(&mut self, span: Span, error: StatementError) -> Option<T> {
        if self.errors.len() >= MAX_ERRORS {
            self.omitted_errors += 1;
            return None;
        }
        let mut diagnostic = Diagnostic::error(error.code(), error.to_string(), span);
        diagnostic.help.extend(error.help().map(str::to_owned));
        self.errors.push(diagnostic);
        None
    }
}
