//! Base and input round by round (Vittaut & Méhat, section 4.1).
//!
//! First a fake match: from the initial state all players make all their legal moves at once, negation
//! left out, and the facts that `next` gives are the next state, until a state brings no fact and no move
//! that was not met before. Then base and input grow: with all facts and moves met so far, `next` and
//! `legal` are evaluated in full, until there is nothing new.
//!
//! The other way takes one step (section 4.2): the rules `base(F) <- init(F)` and `base(F) <- next(F)` stand beside g(R), and
//! the table of `legal` is that of `input`, so that one evaluation gives the tables of all predicates.

use groundfrog_engine::instantiate::{self, Instantiation};
use groundfrog_engine::observe::{EvaluationStatistics, Observer};
use groundfrog_engine::{
    Budget, Constant, EngineError, PredicateId, Program, Table, Tables, fixpoint, naive,
};

use crate::options::Engine;

/// A fact that passes from one table to another when a round ends: `next` to `base`, `legal` to `input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Where it is derived.
    pub from: PredicateId,
    /// Where it goes.
    pub to: PredicateId,
    /// Whether it is a move.
    pub is_move: bool,
}

/// What the iterative computation works on.
#[derive(Debug)]
pub struct Request<'run> {
    /// Rules about static predicates.
    pub static_program: &'run Program,
    /// All other rules; `base` and `input` are given to them.
    pub dynamic_program: &'run Program,
    /// The initial facts go here from their own tables before the first round.
    pub initial: &'run [Feedback],
    /// What passes when a round ends.
    pub feedback: &'run [Feedback],
    /// The tables that a round computes anew, without the facts about them.
    pub derived: &'run [PredicateId],
    /// What evaluates the rules.
    pub evaluator: Evaluator,
    /// The limits.
    pub budget: &'run Budget,
}

/// How long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// States of the fake match.
    pub fake_match: u64,
    /// Rounds of growth, the last one, which finds nothing, included.
    pub growth: u64,
}

/// Completes all tables. `tables` holds the facts.
///
/// # Errors
/// As the evaluator.
pub fn complete(
    request: &Request<'_>,
    tables: &mut Tables,
    observer: &mut dyn Observer,
) -> Result<(EvaluationStatistics, Iterations), EngineError> {
    let mut counts =
        request.evaluator.evaluate(request.static_program, tables, request.budget, observer)?;
    let facts = request.derived.iter().map(|&it| (it, tables[it].clone())).collect();
    let mut run = IterativeRun { request, observer, facts, rounds: 0, matches: 0 };
    let mut iterations = Iterations::default();
    for feedback in request.initial {
        pass(feedback, tables, None);
    }
    let passes = request.initial.iter().chain(request.feedback);
    let mut targets: Vec<PredicateId> = passes.map(|it| it.to).collect();
    targets.sort_unstable();
    targets.dedup();
    let mut met = tables.clone();
    loop {
        iterations.fake_match += 1;
        if !run.play(tables, &mut met, &targets)? {
            break;
        }
    }
    // The facts and moves of the match seed the growth.
    for &target in &targets {
        for tuple in met[target].rows() {
            tables.insert_row(target, tuple);
        }
    }
    loop {
        iterations.growth += 1;
        run.evaluate(tables)?;
        let mut grown = false;
        for feedback in request.feedback {
            grown |= pass(feedback, tables, None);
        }
        if !grown {
            break;
        }
    }
    counts.rounds += run.rounds;
    counts.matches += run.matches;
    counts.tuples = tables.tuple_count();
    Ok((counts, iterations))
}

struct IterativeRun<'run> {
    request: &'run Request<'run>,
    observer: &'run mut dyn Observer,
    /// The facts about derived predicates, which every round begins with.
    facts: Vec<(PredicateId, Table)>,
    rounds: u64,
    matches: u64,
}

impl IterativeRun<'_> {
    /// Computes the derived tables anew.
    fn evaluate(&mut self, tables: &mut Tables) -> Result<(), EngineError> {
        for (predicate, facts) in &self.facts {
            tables.clear(*predicate);
            for tuple in facts.rows() {
                tables.insert_row(*predicate, tuple);
            }
        }
        let Request { evaluator, budget, dynamic_program, .. } = self.request;
        let counts = evaluator.evaluate(dynamic_program, tables, budget, self.observer)?;
        self.rounds += counts.rounds;
        self.matches += counts.matches;
        Ok(())
    }

    /// One state of the fake match: all legal moves, then the next state. Returns whether anything was met
    /// for the first time.
    fn play(
        &mut self,
        tables: &mut Tables,
        met: &mut Tables,
        targets: &[PredicateId],
    ) -> Result<bool, EngineError> {
        let is_move = |feedback: &&Feedback| feedback.is_move;
        // Without moves `legal` is complete, since it does not depend on `does`.
        for feedback in self.request.feedback.iter().filter(is_move) {
            tables.clear(feedback.to);
        }
        self.evaluate(tables)?;
        let mut news = false;
        for feedback in self.request.feedback.iter().filter(is_move) {
            pass(feedback, tables, None);
            news |= copy_new(tables, met, feedback.to);
        }
        self.evaluate(tables)?;
        let takes_moves =
            |target| self.request.feedback.iter().any(|it| it.to == target && is_move(&it));
        for &target in targets.iter().filter(|&&it| !takes_moves(it)) {
            tables.clear(target);
        }
        for feedback in self.request.feedback.iter().filter(|it| !is_move(it)) {
            pass(feedback, tables, Some((&mut *met, &mut news)));
        }
        Ok(news)
    }
}

/// Adds the tuples of one table to another. Returns whether any was new; with `met`, also notes them
/// there.
fn pass(
    feedback: &Feedback,
    tables: &mut Tables,
    mut met: Option<(&mut Tables, &mut bool)>,
) -> bool {
    let mut grown = false;
    let mut tuple: Vec<Constant> = Vec::new();
    for row in 0..tables[feedback.from].len() as u32 {
        tuple.clear();
        tuple.extend(tables[feedback.from].row(row).iter());
        grown |= tables.insert(feedback.to, &tuple).1;
        if let Some((met, news)) = &mut met {
            **news |= met.insert(feedback.to, &tuple).1;
        }
    }
    grown
}

fn copy_new(tables: &Tables, met: &mut Tables, predicate: PredicateId) -> bool {
    let mut news = false;
    for tuple in tables[predicate].rows() {
        news |= met.insert_row(predicate, tuple).1;
    }
    news
}

/// Evaluates programs and instantiates rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluator {
    /// Semi-naive rounds on datafrog, planned joins.
    Datafrog,
    /// The textbook evaluator.
    Naive,
}

impl Evaluator {
    /// The evaluator of an engine; of both that are compared, the one whose result is kept.
    pub fn of(engine: Engine) -> Self {
        match engine {
            Engine::Naive => Evaluator::Naive,
            Engine::Datafrog | Engine::Compare => Evaluator::Datafrog,
        }
    }

    /// Completes the tables of a program.
    ///
    /// # Errors
    /// As [`fixpoint::evaluate`].
    pub fn evaluate(
        self,
        program: &Program,
        tables: &mut Tables,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<EvaluationStatistics, EngineError> {
        match self {
            Evaluator::Datafrog => fixpoint::evaluate(program, tables, budget, observer),
            Evaluator::Naive => naive::evaluate(program, tables, budget, observer),
        }
    }

    /// Stores every instance of every template.
    ///
    /// # Errors
    /// As [`instantiate::instantiate`].
    pub fn instantiate(
        self,
        request: &instantiate::Request<'_>,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Instantiation, EngineError> {
        match self {
            Evaluator::Datafrog => instantiate::instantiate(request, budget, observer),
            Evaluator::Naive => naive::instantiate(request, budget, observer),
        }
    }
}
