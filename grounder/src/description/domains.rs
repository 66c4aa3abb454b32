//! Statements about `base` and `input` with another number of arguments than they have.
//!
//! Descriptions of 2011 say `(base cell (1 2 3) (1 2 3) (x o b))`: a name, and for each argument a list of what can stand
//! there. Such a fact stands for all combinations. Others mean nothing and are left out. As base and input are computed
//! anew, neither stops a game that does not use them.

use super::builder::Builder;
use super::error::StatementError;
use super::{Atom, Compound, Language, Statement, Term, Terms};
use crate::kif::{Diagnostic, NodeId, Sexprs};
use crate::symbols::Symbol;

/// One fact may stand for at most this many.
const MOST_COMBINATIONS: usize = 1 << 16;

impl Builder<'_> {
    /// `base` or `input`, if an atom is one of these and has another number of arguments than they have.
    pub(super) fn odd_domain(&self, trees: &Sexprs, node: NodeId) -> Option<Symbol> {
        if self.language != Language::Gdl {
            return None;
        }
        let mut parts = trees.children(node);
        let word = match parts.next() {
            Some(first) if trees.is_list(first) => return None,
            Some(first) => trees.span(first),
            None => trees.span(node),
        };
        let word = word.text(self.source);
        let name = match word.len() {
            4 if word.eq_ignore_ascii_case("base") => self.keywords.base,
            5 if word.eq_ignore_ascii_case("input") => self.keywords.input,
            _ => return None,
        };
        (self.keywords.arity(name) != Some(parts.count() as u32)).then_some(name)
    }

    /// Keeps the fault of an atom about `base` or `input` for where they are used, and warns of it.
    pub(super) fn domain_fault(&mut self, trees: &Sexprs, node: NodeId, name: Symbol) {
        let found = trees.children(node).skip(1).count();
        let expected = self.keywords.arity(name).unwrap_or_default();
        let name = self.symbols.name(name).to_owned();
        let error = StatementError::Arity { name, expected, found };
        let mut fault = Diagnostic::error(error.code(), error.to_string(), trees.span(node));
        fault.help.extend(error.help().map(str::to_owned));
        let mut warning = Diagnostic::warning("GF0206", fault.message.clone(), trees.span(node));
        warning.help.clone_from(&fault.help);
        let remark = "left out, as nothing uses it: it is computed from the other rules";
        self.warnings.push(warning.with_remark(remark));
        self.domain_faults.push(fault);
    }

    /// The facts that a fact in the notation of 2011 stands for; none if it is something else.
    pub(super) fn old_domain(
        &mut self,
        trees: &Sexprs,
        node: NodeId,
        name: Symbol,
    ) -> Vec<Statement> {
        let Some(facts) = self.combinations(trees, node, name) else {
            self.domain_fault(trees, node, name);
            return Vec::new();
        };
        let span = trees.span(node);
        let text = format!("`{}` in the notation of 2011", self.symbols.name(name));
        let remark = match facts.len() {
            1 => "taken as one fact".to_owned(),
            count => {
                format!("taken as {count} facts, one for each combination of what is in the lists")
            }
        };
        let help =
            "now each fact has one term, as `(base (cell 1 1 b))`, and rules can say so for many";
        let warning = Diagnostic::warning("GF0206", text, span).with_remark(remark);
        self.warnings.push(warning.with_help(help));
        let statement = |arguments| {
            let head = Atom { predicate: name, arguments, span };
            Statement { head, body: Vec::new(), span }
        };
        facts.into_iter().map(statement).collect()
    }

    /// The arguments of each fact that `(base NAME LIST ...)` or `(input ROLE NAME LIST ...)` stands for.
    fn combinations(&mut self, trees: &Sexprs, node: NodeId, name: Symbol) -> Option<Vec<Terms>> {
        let mut parts = trees.children(node).skip(1);
        let roles = match name == self.keywords.input {
            true => Some(self.choices(trees, parts.next()?)?),
            false => None,
        };
        let functor = parts.next().filter(|&it| !trees.is_list(it))?;
        let Some(Term::Constant(functor)) = self.ground_term(trees, functor) else { return None };
        let mut combinations = vec![Vec::new()];
        for part in parts {
            let choices = self.choices(trees, part)?;
            if combinations.len().checked_mul(choices.len())? > MOST_COMBINATIONS {
                return None;
            }
            let with_each = |before: &Vec<Term>| {
                let with = |it: &Term| [before.as_slice(), std::slice::from_ref(it)].concat();
                choices.iter().map(with).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(with_each).collect();
        }
        let term = |arguments: Vec<Term>| match arguments.is_empty() {
            true => Term::Constant(functor),
            false => {
                let arguments = arguments.into_iter().collect();
                Term::Compound(Compound { functor, arguments }.into())
            }
        };
        let terms = combinations.into_iter().map(term);
        let Some(roles) = roles else {
            return Some(terms.map(|it| [it].into_iter().collect()).collect());
        };
        let for_each = |term: Term| roles.iter().map(move |it| [it.clone(), term.clone()]);
        Some(terms.flat_map(for_each).map(|it| it.into_iter().collect()).collect())
    }

    /// What can stand at an argument: what is in a list, or a word.
    fn choices(&mut self, trees: &Sexprs, node: NodeId) -> Option<Vec<Term>> {
        if !trees.is_list(node) {
            return Some(vec![self.ground_term(trees, node)?]);
        }
        trees.children(node).map(|it| self.ground_term(trees, it)).collect()
    }

    /// A word that is no variable.
    fn ground_term(&mut self, trees: &Sexprs, node: NodeId) -> Option<Term> {
        match (!trees.is_list(node)).then(|| self.term(trees, node))? {
            Some(Term::Constant(name)) => Some(Term::Constant(name)),
            _ => None,
        }
    }
}
