//! Goal-directed evaluation of static rules: SLD resolution, where negation is failure of a ground atom.
//!
//! Lists and counters make tables without end, so these rules are not evaluated bottom-up: a question is
//! resolved with the rules that its predicates have. What is ground is answered once and remembered. All
//! stacks are explicit, and work and memory are bounded: beyond that there is no answer.

mod stacks;
mod unify;

use fxhash::{FxHashMap, FxHashSet};

use super::clauses::{Clauses, Goal, Question};
use super::terms::{TermId, Terms};
use crate::description::{Atom, Predicate, Term};
use crate::kif::Span;
use crate::rewrite::statics::Statics;
use crate::rules::{Literal, Rules};
use crate::symbols::Symbol;
use crate::ticker::Ticker;
use crate::tuning::visited::resolution::{MAX_ANSWERS, MAX_SIZE, MAX_STEPS};
use stacks::{Cell, Choice, Group, Level, Marks, NONE, Stacks};

/// Answers: the terms of the clause's head.
pub(super) type Answers = Vec<Box<[TermId]>>;

/// Whether one answer is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    First,
    All,
}

/// What is known, and the question that is being answered.
pub(super) struct Resolution<'r, 'p, 'b> {
    pub(super) terms: Terms,
    pub(super) clauses: Clauses<'r>,
    ticker: &'p mut Ticker<'b>,
    steps: u64,
    /// Ground atoms: number of the predicate, arguments.
    known: FxHashMap<Box<[u32]>, bool>,
    stacks: Stacks,
    choices: Vec<Choice>,
    levels: Vec<Level>,
    values: Vec<TermId>,
}

/// What comes next.
enum Next {
    Solve(u32),
    Fail,
}

impl<'r, 'p, 'b> Resolution<'r, 'p, 'b> {
    pub(super) fn new(rules: &'r Rules, statics: &'r Statics, ticker: &'p mut Ticker<'b>) -> Self {
        Resolution {
            terms: Terms::default(),
            clauses: Clauses::new(rules, statics),
            ticker,
            steps: 0,
            known: FxHashMap::default(),
            stacks: Stacks::default(),
            choices: Vec::new(),
            levels: Vec::new(),
            values: Vec::new(),
        }
    }

    /// One step. `None` if there were too many, or a limit of the user is exceeded.
    pub(super) fn step(&mut self) -> Option<()> {
        self.steps += 1;
        let size = self.stacks.cells.len().max(self.stacks.groups.len()).max(self.choices.len());
        let size = size.max(self.levels.len()).max(self.terms.len());
        (self.ticker.tick() && self.steps < MAX_STEPS && size < MAX_SIZE).then_some(())
    }

    /// The heads of a clause for which its body holds, each once; `first` are the values of its first
    /// variables. `None` if that is not known: it takes too long, or something is left open.
    pub(super) fn answers(
        &mut self,
        clause: usize,
        first: &[TermId],
        wanted: Wanted,
    ) -> Option<Answers> {
        self.stacks.undo(Marks::default());
        self.choices.clear();
        self.levels.clear();
        let variables = self.stacks.frame(self.clauses.clauses[clause].variables);
        for (number, &value) in (0..).zip(first) {
            self.stacks.variables[(variables + number) as usize] =
                self.stacks.cell(Cell::Ground(value));
        }
        self.stacks.complete_frame(variables, self.clauses.clauses[clause].variables);
        let start = self.group(clause, variables, NONE);
        let mut found = Answers::new();
        let mut seen = FxHashSet::default();
        let mut next = Next::Solve(start);
        loop {
            self.step()?;
            next = match next {
                Next::Solve(NONE) => match self.levels.pop() {
                    Some(level) => self.leave(level, true),
                    None => {
                        let answer = self.head(clause, variables)?;
                        if seen.insert(answer.clone()) {
                            found.push(answer);
                        }
                        if wanted == Wanted::First || found.len() == MAX_ANSWERS {
                            return (wanted == Wanted::First).then_some(found);
                        }
                        Next::Fail
                    }
                },
                Next::Solve(group) => self.solve(group)?,
                Next::Fail => {
                    let base = self.levels.last().map_or(0, |level| level.choices);
                    if self.choices.len() > base {
                        self.retry()?
                    } else if let Some(level) = self.levels.pop() {
                        self.leave(level, false)
                    } else {
                        return Some(found);
                    }
                }
            };
        }
    }

    /// All rows of a predicate.
    pub(super) fn table(&mut self, predicate: Predicate) -> Option<Answers> {
        // The names of variables mean nothing outside of a clause.
        let arguments = (0..predicate.arity).map(|it| Term::Variable(Symbol(it))).collect();
        let span = Span::default();
        let atom = Atom { predicate: predicate.name, arguments, span };
        let asked = Literal::Positive(atom.clone());
        let clause = self.clauses.clause(&atom.arguments, &[&asked], &[], None, &mut self.terms)?;
        self.answers(clause, &[], Wanted::All)
    }

    /// The head of the clause that is demanded.
    fn head(&mut self, clause: usize, variables: u32) -> Option<Box<[TermId]>> {
        let (start, arity) =
            (self.clauses.clauses[clause].start, self.clauses.clauses[clause].arity);
        let mut answer = Vec::with_capacity(arity as usize);
        for place in start..start + arity {
            answer.push(self.ground(place, variables)?);
        }
        Some(answer.into())
    }

    /// The body of a clause.
    fn group(&mut self, clause: usize, variables: u32, next: u32) -> u32 {
        let length = self.clauses.clauses[clause].body.len() as u32;
        let remaining = u128::MAX.checked_shr(128 - length).unwrap_or(0);
        self.stacks.push(Group { clause, variables, remaining, next })
    }

    /// The next literal of a group: one without open variables, else the one with the most arguments that
    /// have none. Order means nothing in a body, and so most goals are about terms that are known.
    fn solve(&mut self, number: u32) -> Option<Next> {
        let group = self.stacks.groups[number as usize];
        if group.remaining == 0 {
            return Some(Next::Solve(group.next));
        }
        let mut best: Option<(u32, usize)> = None;
        let mut bits = group.remaining;
        while bits != 0 {
            let at = bits.trailing_zeros();
            bits &= bits - 1;
            let goal = self.clauses.clauses[group.clause].body[at as usize];
            let values = self.values.len();
            let mut bound = 0;
            for place in goal.start..goal.start + goal.arity {
                self.step()?;
                if let Some(value) = self.ground(place, group.variables) {
                    self.values.push(value);
                    bound += 1;
                }
            }
            let rest = Group { remaining: group.remaining & !(1 << at), ..group };
            if bound == goal.arity as usize {
                let next = self.ask(goal.question, values, rest);
                self.values.truncate(values);
                return next;
            }
            self.values.truncate(values);
            let is_call = matches!(goal.question, Question::Holds(_));
            if is_call && best.is_none_or(|(_, most)| bound > most) {
                best = Some((at, bound));
            }
        }
        // What is left are literals that no positive one binds: the rules are not safe.
        let (at, _) = best?;
        let rest = Group { remaining: group.remaining & !(1 << at), ..group };
        let goal = self.clauses.clauses[group.clause].body[at as usize];
        self.call(goal, rest)
    }

    /// A goal without open variables. Its arguments are the values from some place on.
    fn ask(&mut self, question: Question, values: usize, rest: Group) -> Option<Next> {
        let arguments = &self.values[values..];
        let (predicate, wanted) = match question {
            Question::Differs if arguments[0] == arguments[1] => return Some(Next::Fail),
            Question::Differs => return Some(Next::Solve(self.stacks.push(rest))),
            Question::Holds(predicate) => (predicate, true),
            Question::Fails(predicate) => (predicate, false),
        };
        let key: Box<[u32]> =
            [predicate as u32].into_iter().chain(arguments.iter().map(|it| it.0)).collect();
        let known = match self.known.get(&key) {
            Some(&known) => Some(known),
            None => {
                self.define(predicate)?;
                let has_facts_only = self.clauses.definitions[predicate].has_facts_only;
                has_facts_only.then(|| self.known.get(&key).copied().unwrap_or(false))
            }
        };
        if let Some(known) = known {
            return Some(if known == wanted {
                Next::Solve(self.stacks.push(rest))
            } else {
                Next::Fail
            });
        }
        let next = self.stacks.push(rest);
        let marks = self.stacks.marks();
        let start = self.stacks.cells.len() as u32;
        self.stacks.cells.extend(self.values[values..].iter().map(|&it| Cell::Ground(it)));
        self.levels.push(Level { key, wanted, next, choices: self.choices.len(), marks });
        self.choose(predicate, start, NONE)
    }

    /// A positive goal with open variables.
    fn call(&mut self, goal: Goal, rest: Group) -> Option<Next> {
        let Question::Holds(predicate) = goal.question else { return None };
        self.define(predicate)?;
        let next = self.stacks.push(rest);
        let start = self.build(goal.start, goal.arity, rest.variables);
        self.choose(predicate, start, next)
    }

    /// The clauses of a predicate for arguments that begin at some cell.
    fn choose(&mut self, predicate: usize, arguments: u32, next: u32) -> Option<Next> {
        let marks = self.stacks.marks();
        self.choices.push(Choice { predicate, arguments, next, clause: 0, marks });
        self.retry()
    }

    /// The next clause of the last choice.
    fn retry(&mut self) -> Option<Next> {
        loop {
            self.step()?;
            let Some(choice) = self.choices.last_mut() else { return Some(Next::Fail) };
            let definition = &self.clauses.definitions[choice.predicate];
            let Some(&clause) = definition.clauses.get(choice.clause) else {
                self.choices.pop();
                return Some(Next::Fail);
            };
            choice.clause += 1;
            let (choice, is_last) = (*choice, choice.clause == definition.clauses.len());
            self.stacks.undo(choice.marks);
            let variables = self.stacks.frame(self.clauses.clauses[clause].variables);
            if self.unify_head(clause, variables, choice.arguments)? {
                if is_last {
                    self.choices.pop();
                }
                self.stacks.complete_frame(variables, self.clauses.clauses[clause].variables);
                return Some(Next::Solve(self.group(clause, variables, choice.next)));
            }
        }
    }

    /// The end of a question about a ground atom. It has bound nothing that was there before.
    fn leave(&mut self, level: Level, holds: bool) -> Next {
        self.choices.truncate(level.choices);
        self.stacks.undo(level.marks);
        self.known.insert(level.key, holds);
        if holds == level.wanted { Next::Solve(level.next) } else { Next::Fail }
    }

    /// Compiles a predicate; its ground facts are known from now on.
    fn define(&mut self, predicate: usize) -> Option<()> {
        let is_new = !self.clauses.is_complete(predicate);
        self.clauses.complete(predicate, &mut self.terms)?;
        if is_new && self.clauses.definitions[predicate].has_facts_only {
            for position in 0..self.clauses.definitions[predicate].clauses.len() {
                let clause = self.clauses.definitions[predicate].clauses[position];
                let arguments = self.clauses.ground_head(clause)?;
                let key = [predicate as u32].into_iter().chain(arguments.iter().map(|it| it.0));
                self.known.insert(key.collect(), true);
            }
        }
        Some(())
    }
}
