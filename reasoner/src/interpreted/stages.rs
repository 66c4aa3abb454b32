//! The rules in an order in which they can be evaluated, also where only their ground instances are
//! stratified.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::instantiate::{
    self, AtomSpace, Request, StoredAtom, StoredLiteral, Template,
};
use groundfrog_engine::observe::Silent;
use groundfrog_engine::strata::{self, Component};
use groundfrog_engine::{
    Budget, EngineError, Literal, PredicateId, Program, Repeated, Rule, Tables, fixpoint,
};

use groundfrog::simplify::residual_within;
use groundfrog::ticker::Ticker;

/// By predicate: its facts.
pub(super) type Facts = FxHashMap<PredicateId, Vec<Box<[u32]>>>;

/// A part of the rules.
#[derive(Clone, Debug)]
enum Stage {
    /// Evaluated by the fixpoint, once.
    Once(Program),
    /// The same, for one state after the other.
    Repeated(Box<Repeated>),
    /// A component with a predicate that depends on its own negation: its rules are instantiated, and the
    /// instances are evaluated.
    Ground {
        /// Without the negative literals on the component itself: an upper bound.
        relaxed: Program,
        templates: Vec<Template>,
        /// By space.
        predicates: Vec<PredicateId>,
    },
}

/// Rules in the order of their evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    stages: Vec<Stage>,
}

fn with_rules<'a>(program: &Program, rules: impl IntoIterator<Item = &'a Rule>) -> Program {
    let mut part = Program::default();
    for predicate in program.predicates() {
        part.add_predicate(predicate.name.clone(), predicate.arity);
    }
    rules.into_iter().for_each(|rule| part.add_rule(rule.clone()));
    part
}

/// Whether a rule of the component negates a predicate of it.
fn negates_itself(component: &Component, rules: &[Rule]) -> bool {
    component.rules.iter().flat_map(|&it| &rules[it].body).any(|literal| match literal {
        Literal::Negative(atom) => component.predicates.contains(&atom.predicate),
        _ => false,
    })
}

impl Stages {
    /// Orders the rules of a program that is evaluated once.
    pub(super) fn once(program: &Program) -> Self {
        Self::new(program, &Stage::Once)
    }

    /// Orders the rules of a program that is evaluated again and again, with what varies by predicate.
    pub(super) fn repeated(program: &Program, varies: &[bool]) -> Self {
        Self::new(program, &|part| {
            let repeated = Repeated::new(part, varies.to_vec());
            Stage::Repeated(Box::new(repeated.expect("these rules are stratified")))
        })
    }

    fn new(program: &Program, sound_stage: &dyn Fn(Program) -> Stage) -> Self {
        if strata::components(program).is_ok() {
            return Stages { stages: vec![sound_stage(program.clone())] };
        }
        let positive = |rule: &Rule| {
            let body = rule.body.iter().map(|literal| match literal {
                Literal::Negative(atom) => Literal::Positive(atom.clone()),
                other => other.clone(),
            });
            Rule { body: body.collect(), ..rule.clone() }
        };
        let all_positive: Vec<Rule> = program.rules().iter().map(positive).collect();
        let components = strata::components(&with_rules(program, &all_positive))
            .expect("rules without negation are stratified");
        let rules = program.rules();
        let mut affected: FxHashSet<PredicateId> = FxHashSet::default();
        let mut sound = Vec::new();
        let mut stages = Vec::new();
        for component in &components {
            let reads = component.rules.iter().flat_map(|&it| &rules[it].body);
            let reads_affected = reads.into_iter().any(|literal| match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    affected.contains(&atom.predicate)
                }
                Literal::Distinct(..) => false,
            });
            let own = component.rules.iter().map(|&it| &rules[it]);
            if negates_itself(component, rules) {
                affected.extend(&component.predicates);
                stages.push(ground_stage(program, component));
            } else if reads_affected {
                affected.extend(&component.predicates);
                stages.push(sound_stage(with_rules(program, own)));
            } else {
                sound.extend(own);
            }
        }
        stages.insert(0, sound_stage(with_rules(program, sound)));
        Stages { stages }
    }

    /// Completes the tables. `facts` are the tuples that rules without bodies have put there.
    ///
    /// # Errors
    /// A limit that is exceeded, or ground rules that are not stratified.
    pub(super) fn evaluate(
        &mut self,
        tables: &mut Tables,
        facts: &Facts,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        for stage in &mut self.stages {
            match stage {
                Stage::Once(program) => {
                    fixpoint::evaluate(program, tables, budget, &mut Silent)?;
                }
                Stage::Repeated(repeated) => repeated.evaluate(tables, budget)?,
                Stage::Ground { relaxed, templates, predicates } => {
                    fixpoint::evaluate(relaxed, tables, budget, &mut Silent)?;
                    solve(relaxed, templates, predicates, tables, facts, budget)?;
                }
            }
        }
        Ok(())
    }
}

fn ground_stage(program: &Program, component: &Component) -> Stage {
    let space_of =
        |predicate: PredicateId| component.predicates.iter().position(|&it| it == predicate);
    let mut relaxed_rules = Vec::new();
    let mut templates = Vec::new();
    for rule in component.rules.iter().map(|&it| &program.rules()[it]) {
        let mut joined = Rule { body: Vec::new(), ..rule.clone() };
        let mut body = Vec::new();
        for literal in &rule.body {
            let own = match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    space_of(atom.predicate).map(|space| StoredAtom {
                        space: space as u32,
                        arguments: atom.arguments.clone(),
                    })
                }
                Literal::Distinct(..) => None,
            };
            match (literal, own) {
                (Literal::Negative(_), Some(atom)) => {
                    body.push(StoredLiteral { atom, negated: true, source: None });
                }
                (_, own) => {
                    let source = Some(joined.body.len());
                    body.extend(own.map(|atom| StoredLiteral { atom, negated: false, source }));
                    joined.body.push(literal.clone());
                }
            }
        }
        let head = StoredAtom {
            space: space_of(rule.head.predicate).expect("a rule of this component") as u32,
            arguments: rule.head.arguments.clone(),
        };
        relaxed_rules.push(joined.clone());
        templates.push(Template { rule: joined, head, body });
    }
    Stage::Ground {
        relaxed: with_rules(program, &relaxed_rules),
        templates,
        predicates: component.predicates.to_vec(),
    }
}

/// Replaces the candidates in the tables of a component by what holds in the well-founded model.
fn solve(
    program: &Program,
    templates: &[Template],
    predicates: &[PredicateId],
    tables: &mut Tables,
    facts: &Facts,
    budget: &Budget,
) -> Result<(), EngineError> {
    let mut spaces = Vec::new();
    let mut next = 0;
    for &predicate in predicates {
        spaces.push(AtomSpace { predicate, start: next });
        next += tables[predicate].len() as u32;
    }
    let request = Request {
        program,
        tables,
        spaces: &spaces,
        first_extra: next,
        templates,
        drop_extra: false,
        threads: 1,
    };
    let mut stored = instantiate::instantiate(&request, budget, &mut Silent)?;
    for space in &spaces {
        for fact in facts.get(&space.predicate).into_iter().flatten() {
            let row = tables[space.predicate].find(fact).expect("facts are in their tables");
            stored.rules.push(space.start + row, &[]);
        }
    }
    let atoms = next as usize + stored.extra.len();
    residual_within(&mut stored.rules, atoms, |_| false, &mut Ticker::new(budget, tables.bytes()))?;
    if let Some(rule) = stored.rules.iter().find(|rule| !rule.body.is_empty()) {
        let space = spaces.partition_point(|space| space.start <= rule.head) - 1;
        let name = program[spaces[space].predicate].name.clone();
        return Err(EngineError::NotStratified { cycle: vec![name] });
    }
    let mut holds = vec![false; atoms];
    stored.rules.heads().iter().for_each(|&head| holds[head as usize] = true);
    for space in spaces {
        let table = tables.take(space.predicate);
        for (row, tuple) in table.rows().enumerate() {
            if holds[space.start as usize + row] {
                tables.insert_row(space.predicate, tuple);
            }
        }
    }
    Ok(())
}
