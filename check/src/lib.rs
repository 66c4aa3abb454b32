//! What is wrong with a description, and what it can promise.
//!
//! [`check`] looks at a description from all sides, each in a module of its own:
//!
//! * `restrictions`, which grounding relies on as well: use of the keywords, safety, stratification, recursion,
//!   growth, each by its definition;
//! * `lints`: what is allowed and hardly meant;
//! * `slips`: names and numbers of arguments that are hardly meant, and what follows from them;
//! * [`explore`]: well-formedness, by visiting the states of the ground game. It is not part of [`check`];
//! * [`judge`]: whether a text is a game that can be played, as it was meant; not part of [`check`] either;
//! * [`knowledge`]: what roles know that do not see everything, likewise;
//! * [`verify`]: ground rules against rules with variables, by random matches and by recorded ones.
//!
//! Every finding is a [`Diagnostic`] with a code; [`codes`] lists and explains them,
//! and reports are written for programs by [`json`] and [`sarif`].

pub mod codes;
mod edit;
pub mod explore;
mod glance;
#[cfg(feature = "serde")]
pub mod json;
#[cfg(feature = "serde")]
pub mod judge;
pub mod knowledge;
mod lints;
mod report;
#[cfg(feature = "serde")]
pub mod sarif;
mod slips;
pub mod verify;

use std::time::Duration;

use fxhash::FxHashSet;
use groundfrog::description::{Description, Formula, ParseError, ParseOptions, Predicate};
use groundfrog::error::GroundError;
use groundfrog::ground::{self, Extents, Shaped};
use groundfrog::kif::{Diagnostic, Severity};
use groundfrog::options::Limits;
use groundfrog::restrictions::dependencies::{self, Dependencies};
use groundfrog::restrictions::stratification::{self, NegativeCycle, OnceGround};
use groundfrog::restrictions::{growth, keywords, recursion};
use groundfrog::rewrite::{or_elimination, statics};
use groundfrog::rules::{self, Rule, Rules, for_each_variable};
use groundfrog_engine::{Budget, EngineError};
use web_time::Instant;

pub use glance::check_and_glance;
pub use groundfrog::rules::MOST_LITERALS;
pub use report::{CheckReport, Counts, DomainCounts, Fragment};

/// What to check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// What the computation of what can hold may use.
    pub limits: Limits,
    /// Codes of findings to leave out.
    pub allowed: Vec<&'static str>,
}

impl Default for CheckOptions {
    /// Everything, within 5 seconds and 1 GiB.
    fn default() -> Self {
        let limits = Limits {
            time: Some(Duration::from_secs(5)),
            memory: Some(1 << 30),
            ..Limits::default()
        };
        CheckOptions { limits, allowed: Vec::new() }
    }
}

/// Reads and checks a text.
pub fn check_text(text: &[u8], parse: &ParseOptions, options: &CheckOptions) -> CheckReport {
    match Description::parse(text, parse) {
        Ok(description) => check(&description, options),
        Err(error) => unreadable(error).finish(options),
    }
}

/// The report about a text that is no description.
fn unreadable(error: ParseError) -> CheckReport {
    let is_large = error.is_too_large();
    let mut report = CheckReport::of_text(error.name, error.text, error.diagnostics);
    if is_large {
        report.leave_open(TOO_LARGE.to_owned());
    }
    report
}

/// Checks a description. What follows from a slip is marked as that, as far as there is time to check the description anew.
pub fn check(description: &Description, options: &CheckOptions) -> CheckReport {
    let start = Instant::now();
    // What is left out may be the cause of what is not.
    let all = CheckOptions { allowed: Vec::new(), ..options.clone() };
    let mut report = check_once(description, &all);
    slips::explain(&mut report, description, &all, start);
    report.finish(options)
}

fn check_once(description: &Description, options: &CheckOptions) -> CheckReport {
    let budget = options.limits.budget();
    let mut report = CheckReport::of_description(description, description.warnings.clone());
    let rules = match or_elimination::eliminate_or(description, &budget) {
        Ok(rules) => rules,
        Err(error @ GroundError::Limit { .. }) => {
            report.leave_open(format!("anything: {error}"));
            return report.finish(options);
        }
        Err(error) => {
            if matches!(error, GroundError::TooLarge(_)) {
                report.leave_open(TOO_LARGE.to_owned());
            }
            let faults = error.faults().map(|it| it.diagnostics.clone());
            report.diagnostics.extend(faults.unwrap_or_default());
            return report.finish(options);
        }
    };
    if report.is_over(&budget) {
        return report.finish(options);
    }
    // What follows takes its time with rules that are too long.
    let long = rules::too_long(&rules);
    if !long.is_empty() {
        report.diagnostics.extend(long);
        report.leave_open(TOO_LARGE.to_owned());
        return report.finish(options);
    }
    let graph = Dependencies::new(&rules);
    if report.is_over(&budget) {
        return report.finish(options);
    }
    keywords::check(&rules, &graph, &mut report.diagnostics);
    report.gdl_ii = keywords::is_gdl_ii(&rules);
    lints::order::check(description, &mut report.diagnostics);
    slips::find(description, &mut report.diagnostics);
    // What `sees` can tell is given for others.
    let percept = Predicate { name: rules.keywords.percept, arity: 2 };
    let needed = statics::analyse_with(&rules, &[percept]);
    lints::order::unused(&rules, &needed, &mut report.diagnostics);
    if report.is_over(&budget) {
        return report.finish(options);
    }
    let subject =
        Inspection { description, rules: &rules, graph: &graph, options, budget: &budget };
    let mut growth = subject.domains(&mut report);
    let unbounded = growth == Growth::Unbounded;
    let violations = recursion::violations(&rules, &graph);
    let violations = violations.map(|it| recursion::diagnostic(&it, unbounded, &graph, &rules));
    report.diagnostics.extend(violations);
    if !graph.is_complete() {
        if growth == Growth::Bounded {
            growth = Growth::Unknown;
        }
        report.undecided.get_or_insert_with(|| {
            let most = dependencies::MAX_CYCLIC;
            format!("the fragment of GDL: more than {most} predicates depend on themselves")
        });
    }
    let is_fault = |it: &Diagnostic| {
        let is_gdl = it.is_bound() || slips::is_slip(it) || it.code == explore::NO_END;
        it.severity == Severity::Error && !is_gdl
    };
    let is_ground = rules.rules.iter().all(rule_is_ground);
    report.fragment = match growth {
        _ if report.diagnostics.iter().any(is_fault) => Fragment::NotGdl,
        Growth::Unbounded => Fragment::Unbounded,
        Growth::Unknown => Fragment::Unknown,
        Growth::Bounded if is_ground => Fragment::Propositional,
        Growth::Bounded => Fragment::Bounded,
    };
    report.finish(options)
}

fn rule_is_ground(rule: &Rule) -> bool {
    let mut ground = true;
    rule.head.arguments.iter().for_each(|it| for_each_variable(it, &mut |_| ground = false));
    rule.body.iter().for_each(|it| it.for_each_variable(&mut |_| ground = false));
    ground
}

/// What is not decided of a description that is too large to look at.
const TOO_LARGE: &str = "the fragment of GDL, and what can hold: the description is too large";

/// What is known of how deep terms get, and of what else decides the fragment of GDL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Growth {
    Bounded,
    Unbounded,
    /// A limit was exceeded before it was known.
    Unknown,
}

/// What is checked.
struct Inspection<'a> {
    description: &'a Description,
    rules: &'a Rules,
    graph: &'a Dependencies,
    options: &'a CheckOptions,
    /// What all of it together may use.
    budget: &'a Budget,
}

impl Inspection<'_> {
    /// Safety, growth and stratification, which are decided with the help of sentence forms and of what can
    /// hold, and the lints that look at that. Returns whether terms can grow without bound.
    fn domains(&self, report: &mut CheckReport) -> Growth {
        let cycles = stratification::negative_cycles(self.graph);
        let growing = growth::growing_cycle(self.rules);
        let shaped = match Shaped::new(self.description, &self.options.limits, self.budget) {
            Ok(shaped) => shaped,
            Err(error) => {
                self.undecided(&cycles, "the description has other faults", report);
                return self.without_forms(error, growing.as_deref(), report);
            }
        };
        report.diagnostics.extend(shaped.warnings.iter().cloned());
        match shaped.complete(self.budget) {
            Ok(extents) => {
                for cycle in &cycles {
                    let once = once_ground(cycle, &extents, self.budget);
                    self.negative(cycle, &once, report);
                }
                report.counts.domains = Some(domain_counts(&extents));
                let linted = lints::check(&extents, self.budget, &mut report.diagnostics);
                report.undecided = linted.err().map(|exceeded| format!("some lints: {exceeded}"));
            }
            Err((shaped, error)) => return self.incomplete(&cycles, &shaped, error, report),
        }
        Growth::Bounded
    }

    fn negative(&self, cycle: &NegativeCycle, once: &OnceGround, report: &mut CheckReport) {
        report.diagnostics.push(stratification::diagnostic(cycle, once, self.graph, self.rules));
    }

    fn undecided(&self, cycles: &[NegativeCycle], reason: &str, report: &mut CheckReport) {
        for cycle in cycles {
            self.negative(cycle, &OnceGround::Undecided(reason.to_owned()), report);
        }
    }

    /// There are no sentence forms: terms grow without bound, or the description has faults.
    fn without_forms(
        &self,
        error: GroundError,
        growing: Option<&[growth::GrowthStep]>,
        report: &mut CheckReport,
    ) -> Growth {
        match (growing, &error) {
            (Some(cycle), GroundError::Unbounded(_) | GroundError::TooLarge(_)) => {
                report.diagnostics.push(growth::diagnostic(cycle, self.rules));
                return Growth::Unbounded;
            }
            (_, GroundError::Description(faults)) => {
                // No roles, rules about `true` and `does`, and what depends on them have been reported with more detail.
                let reported = ["GF0401", "GF0405", "GF0406", "GF0408"];
                let is_new = |it: &&Diagnostic| !reported.contains(&it.code);
                report.diagnostics.extend(faults.diagnostics.iter().filter(is_new).cloned());
            }
            (_, GroundError::TooLarge(faults)) => {
                report.diagnostics.extend(faults.diagnostics.iter().cloned());
                report.undecided = Some(TOO_LARGE.to_owned());
            }
            _ => {
                let what = "whether terms grow without bound, and what can hold";
                report.undecided = Some(format!("{what}: {error}"));
            }
        }
        Growth::Unknown
    }

    /// What can hold could not be computed.
    fn incomplete(
        &self,
        cycles: &[NegativeCycle],
        shaped: &Shaped,
        error: EngineError,
        report: &mut CheckReport,
    ) -> Growth {
        if let EngineError::NotStratified { cycle: names } = &error {
            for cycle in cycles {
                let own = shaped.names(&cycle.predicates);
                let once = match names.iter().any(|name| own.contains(name)) {
                    true => OnceGround::Static,
                    false => OnceGround::Undecided("another such cycle is in the way".to_owned()),
                };
                self.negative(cycle, &once, report);
            }
            return Growth::Bounded;
        }
        let reason = error.to_string();
        self.undecided(cycles, &reason, report);
        // Terms are bounded by their shapes; a negative cycle may remain once the rules are ground.
        let (what, growth) = match cycles.is_empty() {
            true => ("what can hold", Growth::Bounded),
            false => ("the fragment of GDL, and what can hold", Growth::Unknown),
        };
        report.undecided = Some(format!("{what}: {reason}"));
        growth
    }
}

fn domain_counts(extents: &Extents) -> DomainCounts {
    let keywords = extents.prepared().rules.keywords;
    let count = |name, arity| extents.count(Predicate { name, arity });
    DomainCounts {
        roles: count(keywords.role, 1),
        base: count(keywords.base, 1),
        input: count(keywords.input, 2),
    }
}

fn counts(description: &Description) -> Counts {
    let statements = &description.statements;
    let facts = statements.iter().filter(|it| it.body.is_empty()).count();
    let mut predicates = FxHashSet::default();
    let mut literals = 0;
    for statement in statements {
        predicates.insert(statement.head.predicate());
        statement.body.iter().for_each(|it| literals += count_literals(it));
    }
    let rules = statements.len() - facts;
    Counts { facts, rules, literals, predicates: predicates.len(), domains: None }
}

/// How many literals a formula has.
pub fn count_literals(formula: &Formula) -> usize {
    match formula {
        Formula::Atom(_) | Formula::Distinct(..) => 1,
        Formula::Not(formula, _) => count_literals(formula),
        Formula::Or(formulas, _) | Formula::And(formulas, _) => {
            formulas.iter().map(count_literals).sum()
        }
    }
}

// Whether a negative cycle remains once the rules are ground.

/// More ground rules than this are not looked at, nor do they take more bytes than this beside the tables that are there.
const MAX_RULES: u64 = 1 << 20;
const MAX_BYTES: u64 = 64 << 20;

/// Grounds the rules of a cycle's predicates and looks for a cycle among their atoms.
pub(crate) fn once_ground(cycle: &NegativeCycle, extents: &Extents, budget: &Budget) -> OnceGround {
    let bytes = extents.tables().bytes() + MAX_BYTES;
    let budget = budget.clone().with_rules(MAX_RULES).with_memory(bytes);
    let game = extents.ground_rules(&cycle.predicates, &budget);
    let found = game.and_then(|game| Ok(ground::once_ground(&game, &budget)?));
    found.unwrap_or_else(|error| OnceGround::Undecided(error.to_string()))
}
