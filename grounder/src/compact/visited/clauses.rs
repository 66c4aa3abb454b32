//! Rules in the form that resolution works with.

use fxhash::FxHashMap;

use super::terms::{Functor, TermId, Terms};
use crate::description::{Atom, Predicate, Term};
use crate::rewrite::statics::Statics;
use crate::rules::{Literal, Rules};
use crate::symbols::Symbol;
use crate::tuning::visited::clauses::MAX_BODY;

/// A term of a clause; its variables are numbered from 0.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    Variable(u32),
    Ground(TermId),
    /// The arguments begin at this place of [`Clauses::code`].
    Function(Functor, u32),
}

/// What a literal asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Holds(usize),
    Fails(usize),
    Differs,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) question: Question,
    /// Where its arguments begin in [`Clauses::code`].
    pub(super) start: u32,
    pub(super) arity: u32,
}

#[derive(Debug)]
pub(super) struct Clause {
    /// Where the arguments of the head begin in [`Clauses::code`].
    pub(super) start: u32,
    pub(super) arity: u32,
    pub(super) variables: u32,
    pub(super) body: Vec<Goal>,
}

/// A predicate that some clause uses.
#[derive(Debug)]
pub(super) struct Definition {
    predicate: Predicate,
    is_compiled: bool,
    /// Its clauses, as positions in [`Clauses::clauses`].
    pub(super) clauses: Vec<usize>,
    /// Whether it has ground facts only.
    pub(super) has_facts_only: bool,
}

/// Clauses of the predicates that were demanded so far.
///
/// Views of the state are there without what depends on the state itself, and with more answers for it.
#[derive(Debug)]
pub(super) struct Clauses<'r> {
    rules: &'r Rules,
    statics: &'r Statics,
    by_head: FxHashMap<Predicate, Vec<usize>>,
    pub(super) code: Vec<Code>,
    pub(super) clauses: Vec<Clause>,
    pub(super) definitions: Vec<Definition>,
    numbers: FxHashMap<Predicate, usize>,
}

/// The variables of a clause, and a term that counts as one.
#[derive(Default)]
struct Names<'t> {
    variables: FxHashMap<Symbol, u32>,
    opaque: Option<(&'t Term, u32)>,
    count: u32,
}

impl<'r> Clauses<'r> {
    pub(super) fn new(rules: &'r Rules, statics: &'r Statics) -> Self {
        let mut by_head: FxHashMap<Predicate, Vec<usize>> = FxHashMap::default();
        for (number, rule) in rules.rules.iter().enumerate() {
            by_head.entry(rule.head.predicate()).or_default().push(number);
        }
        Clauses {
            rules,
            statics,
            by_head,
            code: Vec::new(),
            clauses: Vec::new(),
            definitions: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// The rules of a predicate, as positions in the description.
    pub(super) fn rules_of(&self, predicate: Predicate) -> &[usize] {
        self.by_head.get(&predicate).map_or(&[], Vec::as_slice)
    }

    pub(super) fn number(&mut self, predicate: Predicate) -> usize {
        let new = self.definitions.len();
        let number = *self.numbers.entry(predicate).or_insert(new);
        if number == new {
            self.definitions.push(Definition {
                predicate,
                is_compiled: false,
                clauses: Vec::new(),
                has_facts_only: false,
            });
        }
        number
    }

    pub(super) fn is_complete(&self, number: usize) -> bool {
        self.definitions[number].is_compiled
    }

    /// The arguments of a fact, if there is no variable among them.
    pub(super) fn ground_head(&self, clause: usize) -> Option<Vec<TermId>> {
        let Clause { start, arity, .. } = self.clauses[clause];
        let head = &self.code[start as usize..(start + arity) as usize];
        let value = |code: &Code| if let Code::Ground(term) = code { Some(*term) } else { None };
        head.iter().map(value).collect()
    }

    /// Compiles the rules of a predicate when it is first demanded. `None` if a body is too long.
    pub(super) fn complete(&mut self, number: usize, terms: &mut Terms) -> Option<()> {
        if std::mem::replace(&mut self.definitions[number].is_compiled, true) {
            return Some(());
        }
        let rules = self.rules;
        let of_predicate = self.rules_of(self.definitions[number].predicate).to_vec();
        let mut has_facts_only = true;
        let mut clauses = Vec::with_capacity(of_predicate.len());
        for rule in of_predicate {
            let rule = &rules.rules[rule];
            has_facts_only &= rule.body.is_empty();
            let body: Vec<&Literal> = rule.body.iter().filter(|it| self.is_known(it)).collect();
            clauses.push(self.clause(&rule.head.arguments, &body, &[], None, terms)?);
        }
        let definition = &mut self.definitions[number];
        definition.clauses = clauses;
        definition.has_facts_only = has_facts_only;
        Some(())
    }

    /// Whether a literal is static, or a view.
    fn is_known(&self, literal: &Literal) -> bool {
        let is_static = |atom: &Atom| !self.statics.is_dynamic(atom.predicate());
        match literal {
            Literal::Positive(atom) => {
                is_static(atom) || !self.rules.keywords.contains(atom.predicate)
            }
            Literal::Negative(atom) => is_static(atom),
            Literal::Distinct(..) => true,
        }
    }

    /// Adds a clause. The variables in `first` get the first numbers, `opaque` the number after them: it
    /// stands for any one term wherever it occurs. `None` if the body is too long.
    pub(super) fn clause(
        &mut self,
        head: &[Term],
        body: &[&Literal],
        first: &[Symbol],
        opaque: Option<&Term>,
        terms: &mut Terms,
    ) -> Option<usize> {
        if body.len() > MAX_BODY {
            return None;
        }
        let mut names = Names::default();
        for &variable in first {
            names.number(variable);
        }
        if let Some(term) = opaque {
            names.opaque = Some((term, names.count));
            names.count += 1;
        }
        let start = self.sequence(head, &mut names, terms);
        let mut goals = Vec::with_capacity(body.len());
        for literal in body {
            let (question, arguments) = match literal {
                Literal::Positive(atom) => {
                    (Question::Holds(self.number(atom.predicate())), atom.arguments.as_slice())
                }
                Literal::Negative(atom) => {
                    (Question::Fails(self.number(atom.predicate())), atom.arguments.as_slice())
                }
                Literal::Distinct(left, right) => {
                    let code = [left, right].map(|it| self.compile(it, &mut names, terms));
                    let start = self.code.len() as u32;
                    self.code.extend(code);
                    goals.push(Goal { question: Question::Differs, start, arity: 2 });
                    continue;
                }
            };
            let start = self.sequence(arguments, &mut names, terms);
            goals.push(Goal { question, start, arity: arguments.len() as u32 });
        }
        let arity = head.len() as u32;
        self.clauses.push(Clause { start, arity, variables: names.count, body: goals });
        Some(self.clauses.len() - 1)
    }

    /// Terms one after the other; returns where they begin.
    fn sequence(&mut self, of: &[Term], names: &mut Names<'_>, terms: &mut Terms) -> u32 {
        let code: Vec<Code> = of.iter().map(|it| self.compile(it, names, terms)).collect();
        let start = self.code.len() as u32;
        self.code.extend(code);
        start
    }

    fn compile(&mut self, term: &Term, names: &mut Names<'_>, terms: &mut Terms) -> Code {
        if let Some((_, number)) = names.opaque.filter(|(opaque, _)| *opaque == term) {
            return Code::Variable(number);
        }
        match term {
            Term::Variable(variable) => Code::Variable(names.number(*variable)),
            Term::Constant(name) => Code::Ground(terms.constant(*name)),
            Term::Compound(it) => {
                let arguments: Vec<Code> =
                    it.arguments.iter().map(|it| self.compile(it, names, terms)).collect();
                let functor = Functor { name: it.functor, arity: Some(it.arguments.len() as u32) };
                let value =
                    |code: &Code| if let Code::Ground(term) = code { Some(*term) } else { None };
                if let Some(ground) = arguments.iter().map(value).collect::<Option<Vec<_>>>() {
                    return Code::Ground(terms.intern(functor, &ground));
                }
                let start = self.code.len() as u32;
                self.code.extend(arguments);
                Code::Function(functor, start)
            }
        }
    }
}

impl Names<'_> {
    fn number(&mut self, variable: Symbol) -> u32 {
        let next = self.count;
        let number = *self.variables.entry(variable).or_insert(next);
        self.count += u32::from(number == next);
        number
    }
}
