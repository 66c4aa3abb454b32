//! The pipeline, from a description to its ground game: one stage after the other.

mod analysis;
mod base_input;
mod decompose;
mod errors;
mod flatten;
mod large_tables;
mod passes;
mod report;
mod tables;

use std::collections::BTreeSet;

use groundfrog_engine::instantiate::{Instantiation, Request, StoredAtom, StoredLiteral, Template};
use groundfrog_engine::observe::Observer;
use groundfrog_engine::{Budget, Program, Tables};

use crate::description::Description;
use crate::domains::Evaluator;
#[doc(hidden)]
pub use crate::domains::Iterations;
use crate::error::GroundError;
use crate::flat::lowering::joined_rule;
use crate::flat::{FlatAtom, FlatRule, LiteralKind};
use crate::game::{GroundGame, Layout};
use crate::kif::Diagnostic;
use crate::options::{Domains, Engine, GroundOptions, Passes};
use crate::ticker::Ticker;
#[doc(hidden)]
pub use analysis::{Extents, Shaped};
use base_input::Computed;
pub use base_input::{BaseInput, base_input, difference};
use decompose::decompose;
#[doc(hidden)]
pub(crate) use errors::engine_error;
pub use errors::once_ground;
use flatten::flatten;
pub(crate) use flatten::flatten_rules;
pub use flatten::{bounded_forms, bounded_tables};
pub(crate) use passes::{Found, PassObserver, Seen, Unobserved, wanted};
use passes::{
    GroundProgram, are_any_on, run_on_ground_rules, simplify, subsume, tell_remedies, tell_steps,
};
pub use passes::{PASSES, Pass, ProgramKind};
pub use report::{Report, Stage, StageTime};
pub(crate) use tables::Flattened;

/// A ground game with what was noticed on the way.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The ground game.
    pub game: GroundGame,
    /// What grounding did.
    pub report: Report,
    /// Warnings about the description.
    pub warnings: Vec<Diagnostic>,
}

/// Grounds a description.
///
/// # Errors
/// Faults of the description, terms that grow without bound, a limit that is exceeded; simplified, an atom
/// that depends on its own negation.
pub fn ground(
    description: &Description,
    options: &GroundOptions,
    observer: &mut dyn Observer,
) -> Result<Grounding, GroundError> {
    let budget = options.limits.budget();
    match options.engine {
        Engine::Compare => ground_with_both(description, options, &budget, observer),
        Engine::Datafrog | Engine::Naive => {
            ground_observed(description, options, &budget, observer, &mut Unobserved)
        }
    }
}

/// Grounds with both evaluators; the result is that of datafrog. What they found is compared before the passes over ground
/// rules: these follow the numbers of atoms, which are theirs alone.
fn ground_with_both(
    description: &Description,
    options: &GroundOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Grounding, GroundError> {
    let mut with = |engine, report: &mut Report| {
        let options = GroundOptions { engine, ..options.clone() };
        evaluate(description, &options, budget, (observer, &mut Unobserved), report)
    };
    let mut report = Report::default();
    let datafrog = with(Engine::Datafrog, &mut report)?;
    let naive = with(Engine::Naive, &mut Report::default())?;
    match first_difference(&datafrog.clone().game(), &naive.game()) {
        Some(difference) => Err(GroundError::Disagreement(difference)),
        None => conclude(description, datafrog, options, budget, &mut Unobserved, report),
    }
}

/// Grounds with one evaluator, within what is left of a budget. `passes` is called with what each pass does.
///
/// # Errors
/// As [`ground`].
pub(crate) fn ground_observed(
    description: &Description,
    options: &GroundOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
    passes: &mut dyn PassObserver,
) -> Result<Grounding, GroundError> {
    let mut report = Report::default();
    let evaluated = evaluate(description, options, budget, (observer, passes), &mut report)?;
    conclude(description, evaluated, options, budget, passes, report)
}

/// What an evaluator found: the flat program, or its residual.
#[derive(Clone)]
struct Evaluated {
    flattened: Flattened,
    tables: Tables,
    layout: Layout,
    stored: Instantiation,
    rules_with_variables: Vec<Template>,
    warnings: Vec<Diagnostic>,
}

impl Evaluated {
    fn game(self) -> GroundGame {
        let Evaluated { flattened, tables, layout, stored, .. } = self;
        GroundGame::assemble(&flattened.forms, &flattened.prepared, tables, layout, stored)
    }
}

/// All up to the passes over ground rules.
///
/// # Errors
/// As [`ground`].
fn evaluate(
    description: &Description,
    options: &GroundOptions,
    budget: &Budget,
    (observer, passes): (&mut dyn Observer, &mut dyn PassObserver),
    report: &mut Report,
) -> Result<Evaluated, GroundError> {
    let Joinable { mut flattened, program, tables, layout, warnings } =
        joinable(description, options, budget, (observer, passes), report)?;
    let mut rules_with_variables = Vec::new();
    let mut stored = report
        .time(Stage::Store, |_| {
            rules_with_variables = templates(std::mem::take(&mut flattened.flat.rules), &layout);
            let request = Request {
                drop_extra: options.simplify,
                ..request(&program, &tables, &layout, &rules_with_variables, options.threads)
            };
            Evaluator::of(options.engine).instantiate(&request, budget, observer)
        })
        .map_err(|error| engine_error(description, &flattened, error))?;
    report.answers = stored.answers;
    report.flat_rules = stored.rules.len() as u64;
    passes.after("store", None, &Found::Rules, Seen::GroundRules(&stored.rules));
    if options.simplify {
        let mut ticker = Ticker::new(budget, tables.bytes() + stored.rules.bytes());
        report
            .time(Stage::Simplify, |_| simplify(&mut stored, &layout, &mut ticker))
            .map_err(|exceeded| engine_error(description, &flattened, exceeded.into()))?;
        let residual = Seen::GroundRules(&stored.rules);
        passes.after("simplification to the residual", None, &Found::Rules, residual);
        let atoms = (&tables, &layout);
        check_residual(description, &flattened, atoms, &mut stored, options.passes, &mut ticker)?;
    }
    Ok(Evaluated { flattened, tables, layout, stored, rules_with_variables, warnings })
}

/// The passes over ground rules, and the game.
///
/// # Errors
/// As [`ground`].
fn conclude(
    description: &Description,
    mut evaluated: Evaluated,
    options: &GroundOptions,
    budget: &Budget,
    observer: &mut dyn PassObserver,
    mut report: Report,
) -> Result<Grounding, GroundError> {
    let Evaluated { flattened, tables, layout, stored, rules_with_variables, warnings } =
        &mut evaluated;
    let warnings = [description.warnings.as_slice(), warnings].concat();
    if options.simplify && are_any_on(ProgramKind::GroundRules, options.passes) {
        let ticker = Ticker::new(budget, tables.bytes() + stored.rules.bytes());
        let mut program = GroundProgram {
            stored: &mut *stored,
            flattened: &mut *flattened,
            templates: rules_with_variables,
            layout,
            tables,
            passes: options.passes,
            ticker,
            observer,
            changed: Vec::new(),
        };
        report
            .time(Stage::Compact, |_| run_on_ground_rules(&mut program))
            .map_err(|exceeded| engine_error(description, flattened, exceeded.into()))?;
    }
    report.rule_bytes = stored.rules.bytes();
    let game = report.time(Stage::Assemble, |_| evaluated.game());
    Ok(Grounding { game, report, warnings })
}

/// Fails if the residual has an atom that depends on its own negation, which inlining would hide.
///
/// # Errors
/// Such an atom, or a limit.
fn check_residual(
    description: &Description,
    flattened: &Flattened,
    (tables, layout): (&Tables, &Layout),
    stored: &mut Instantiation,
    passes: Passes,
    ticker: &mut Ticker<'_>,
) -> Result<(), GroundError> {
    if flattened.prepared.rules.are_stratified() {
        return Ok(());
    }
    if !passes.are_flat() {
        subsume(stored, layout, ticker)
            .map_err(|exceeded| engine_error(description, flattened, exceeded.into()))?;
    }
    errors::check_stratified(description, flattened, (tables, layout), stored, ticker)
}

/// Rules that are ready for the store pass.
pub(crate) struct Joinable {
    pub(crate) flattened: Flattened,
    pub(crate) program: Program,
    /// The tables of all that is joined.
    pub(crate) tables: Tables,
    pub(crate) layout: Layout,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// What comes before the store pass: rewriting, the passes that rewrite rules, and the tables.
///
/// # Errors
/// As [`ground`].
pub(crate) fn joinable(
    description: &Description,
    options: &GroundOptions,
    budget: &Budget,
    (observer, passes): (&mut dyn Observer, &mut dyn PassObserver),
    report: &mut Report,
) -> Result<Joinable, GroundError> {
    let (mut flattened, mut warnings) =
        report.time(Stage::Rewrite, |_| flatten(description, options, budget, passes))?;
    let (evaluator, wanted) = (Evaluator::of(options.engine), options.passes);
    let with = (options.domains, evaluator);
    let (mut program, mut tables) = report
        .time(Stage::Domains, |report| {
            flattened.complete_with_remedies(options, budget, observer, report)
        })
        .map_err(|error| engine_error(description, &flattened, error))?;
    if options.domains == Domains::Given {
        let misses = given_misses(description, options, &flattened, &tables, budget, observer)?;
        warnings.extend(misses);
    }
    tell_remedies(&flattened, wanted, &tables, passes);
    let auxiliaries = if are_any_on(ProgramKind::CompleteTables, wanted) {
        let made = report
            .time(Stage::Decompose, |_| {
                decompose(
                    &mut flattened,
                    (&mut program, &mut tables),
                    wanted,
                    with,
                    budget,
                    observer,
                )
            })
            .map_err(|error| engine_error(description, &flattened, error))?;
        tell_steps(&flattened, wanted, &made, &tables, passes);
        made.dynamic
    } else {
        Vec::new()
    };
    let layout = Layout::new(&flattened.forms, &flattened.prepared, &tables, &auxiliaries)
        .map_err(|exceeded| engine_error(description, &flattened, exceeded.into()))?;
    Ok(Joinable { flattened, program, tables, layout, warnings })
}

/// What the given base and input lack of what one step finds.
fn given_misses(
    description: &Description,
    options: &GroundOptions,
    given: &Flattened,
    tables: &Tables,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Vec<Diagnostic>, GroundError> {
    let options = GroundOptions { domains: Domains::OneStep, ..options.clone() };
    let (flattened, _) = flatten(description, &options, budget, &mut Unobserved)?;
    let (_, found) = flattened
        .complete(options.domains, Evaluator::Datafrog, budget, observer, &mut Report::default())
        .map_err(|error| engine_error(description, &flattened, error))?;
    let own = Computed { forms: &given.forms, tables, symbols: &given.prepared.rules.symbols };
    let one_step = Computed {
        forms: &flattened.forms,
        tables: &found,
        symbols: &flattened.prepared.rules.symbols,
    };
    let place = description.statements.first().map(|it| it.span).unwrap_or_default();
    let keywords = &given.prepared.rules.keywords;
    let is_given = |name| {
        let domains = &given.prepared.given;
        let own = if name == keywords.base { domains.base } else { domains.input };
        given.prepared.rules.rules.iter().any(|it| it.head.predicate() == own)
    };
    base_input::missing(own, one_step, keywords, is_given, place, budget)
        .map_err(|exceeded| engine_error(description, &flattened, exceeded.into()))
}

/// The first fact or rule, in alphabetical order, that one of two ground games has and the other has not.
fn first_difference(datafrog: &GroundGame, naive: &GroundGame) -> Option<String> {
    let (left, right) = (sentences(datafrog), sentences(naive));
    left.symmetric_difference(&right).next().map(|sentence| {
        let (one, other) =
            if left.contains(sentence) { ("datafrog", "naive") } else { ("naive", "datafrog") };
        format!("only {one} derives `{sentence}`, {other} does not")
    })
}

fn sentences(game: &GroundGame) -> BTreeSet<String> {
    crate::emit::canonical::lines(game).chain(crate::emit::kif::facts(game)).collect()
}

/// What is joined and what is stored, for each rule that is stored.
pub(crate) fn templates(rules: Vec<FlatRule>, layout: &Layout) -> Vec<Template> {
    let rules = rules.into_iter().filter(|rule| rule.stored);
    rules.map(|rule| template(rule, |atom| layout.space(atom.name, atom.form))).collect()
}

/// What is joined and what is stored of a rule; `space` gives the space of an atom.
fn template(rule: FlatRule, space: impl Fn(&FlatAtom) -> u32) -> Template {
    let joined = joined_rule(&rule);
    let stored = |atom: FlatAtom| StoredAtom { space: space(&atom), arguments: atom.arguments };
    let mut body: Vec<StoredLiteral> = Vec::with_capacity(rule.body.len());
    let mut position = 0;
    for literal in rule.body {
        let (atom, negated) = match literal.kind {
            LiteralKind::Positive(atom) => (Some(atom), false),
            LiteralKind::Negative(atom) => (Some(atom), true),
            LiteralKind::Distinct(..) => (None, false),
        };
        if let (true, Some(atom)) = (literal.stored, atom) {
            let source = (!negated).then_some(position);
            let new = StoredLiteral { atom: stored(atom), negated, source };
            if !body.iter().any(|it| it.atom == new.atom && it.negated == negated) {
                body.push(new);
            }
        }
        position += usize::from(literal.joined);
    }
    Template { rule: joined, head: stored(rule.head), body }
}

/// All that the store pass needs.
pub(crate) fn request<'run>(
    program: &'run Program,
    tables: &'run Tables,
    layout: &'run Layout,
    templates: &'run [Template],
    threads: usize,
) -> Request<'run> {
    Request {
        program,
        tables,
        spaces: layout.atom_spaces(),
        first_extra: layout.first_extra(),
        templates,
        drop_extra: false,
        threads,
    }
}
