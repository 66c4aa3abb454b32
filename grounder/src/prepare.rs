//! From a description to rules that the later stages rely on.

use fxhash::FxHashSet;
use groundfrog_engine::Budget;

use crate::description::{Atom, Description, Predicate, Term};
use crate::error::GroundError;
use crate::kif::{Diagnostic, Span};
use crate::options::{Domains, Limits};
use crate::restrictions::{keywords, safety};
use crate::rewrite::marking::{self, GivenDomains, renamed};
use crate::rewrite::or_elimination;
use crate::rewrite::sentence_forms::{MarkedLiteral, MarkedRule};
use crate::rewrite::statics::{self, Statics};
use crate::rules::{self, Literal, PredicateGraph, Rule, Rules};
use crate::symbols::fresh;

/// The rules of a description after or-elimination.
///
/// Every rule is safe. The description's own `base` and `input` are renamed apart, and only rules that
/// the game needs, or that are dynamic, are left.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The rules.
    pub rules: Rules,
    /// Which predicates are dynamic, and which are needed.
    pub statics: Statics,
    /// What the description's own `base` and `input` are called.
    pub given: GivenDomains,
    /// What was found on the way.
    pub warnings: Vec<Diagnostic>,
}

/// Or-elimination, renaming apart, static/dynamic split and safety. The description's own `base` and `input` are looked
/// at only where rules use them.
///
/// # Errors
/// Faults of the description: an `or` of too many combinations, no roles, a rule about `true` or `does`,
/// an unsafe rule, a rule that is too long, a first state or moves that depend on what comes after them. A limit.
pub fn prepare(description: &Description, limits: &Limits) -> Result<Prepared, GroundError> {
    prepare_within(description, Domains::OneStep, &limits.budget())
}

/// Prepares a description for some domains, within what is left of a budget.
///
/// # Errors
/// As [`prepare`]. Of [given](Domains::Given) domains also the faults of rules that only those need.
pub fn prepare_within(
    description: &Description,
    domains: Domains,
    budget: &Budget,
) -> Result<Prepared, GroundError> {
    let mut rules = or_elimination::eliminate_or(description, budget)?;
    keywords::roles(&rules).map_err(|it| GroundError::description(description, vec![*it]))?;
    let given = marking::rename_given(&mut rules);
    let mut statics = statics::analyse(&rules);
    let mut errors = keywords::heads(&rules);
    let is_used =
        domains == Domains::Given || [given.base, given.input].iter().any(|it| rules.read(it.name));
    if is_used {
        errors.extend(description.domain_faults.iter().cloned());
    }
    let long = rules::too_long(&rules);
    let before = rules.rules.len();
    let mut warnings = Vec::new();
    // What is looked at here takes its time with rules that are too long.
    if long.is_empty() {
        let all = (domains == Domains::Given)
            .then(|| statics::analyse_with(&rules, &[given.base, given.input]));
        let needed = all.as_ref().unwrap_or(&statics);
        let unsafe_rules;
        (unsafe_rules, warnings) = safety::check(&mut rules, needed, &description.statements);
        errors.extend(unsafe_rules);
        if rules.rules.len() != before {
            statics = statics::analyse(&rules);
        }
        errors.extend(keywords::unplayable(&rules, &statics));
    }
    if errors.is_empty() && !long.is_empty() {
        return Err(GroundError::too_large(description, long));
    }
    errors.extend(long);
    if !errors.is_empty() {
        return Err(GroundError::description(description, errors));
    }
    Ok(Prepared { rules, statics, given, warnings })
}

impl Prepared {
    /// The rules that connect the domains: they define base and input.
    pub fn connections(&mut self, domains: Domains) -> Vec<Rule> {
        let Prepared { rules, given, .. } = self;
        let keywords = rules.keywords;
        let [fact, role, action] =
            ["?fact", "?role", "?move"].map(|name| Term::Variable(fresh(&mut rules.symbols, name)));
        let atom = |predicate, arguments: &[&Term]| Atom {
            predicate,
            arguments: arguments.iter().map(|&it| it.clone()).collect(),
            span: Span::default(),
        };
        let rule = |head, body: Vec<Atom>| Rule {
            head,
            body: body.into_iter().map(Literal::Positive).collect(),
            span: Span::default(),
        };
        let base = atom(keywords.base, &[&fact]);
        let pair = [&role, &action];
        let moves = |name| rule(atom(keywords.input, &pair), vec![atom(name, &pair)]);
        let derived = || {
            let initial = rule(base.clone(), vec![atom(keywords.init, &[&fact])]);
            vec![initial, rule(base.clone(), vec![atom(keywords.next, &[&fact])])]
        };
        match domains {
            Domains::Given => {
                vec![rule(base, vec![atom(given.base.name, &[&fact])]), moves(given.input.name)]
            }
            Domains::OneStep => derived(),
            Domains::Iterative => [derived(), vec![moves(keywords.legal)]].concat(),
        }
    }

    /// All rules with the part that each literal has, and after them the [connections](Self::connections).
    ///
    /// Rules about static predicates that nothing needs are left out; the positions of the others are
    /// those in the result, not in [`Prepared::rules`].
    pub fn marked<'r>(&'r self, connections: &'r [Rule], domains: Domains) -> Vec<MarkedRule<'r>> {
        let keywords = self.rules.keywords;
        let next_is_base = domains == Domains::OneStep && !self.rules.read(keywords.next);
        let base = Predicate { name: keywords.base, arity: 1 };
        let legal = Predicate { name: keywords.legal, arity: 2 };
        // In one step, what `next` derives is in base and what `legal` derives is input: one table each.
        let table = |predicate: Predicate| match renamed(predicate, &keywords) {
            it if it.name == keywords.next && next_is_base => base,
            it if it.name == keywords.input && domains == Domains::OneStep => legal,
            it => it,
        };
        let for_given = match domains {
            Domains::Given => self.below(&[self.given.base, self.given.input]),
            Domains::OneStep | Domains::Iterative => FxHashSet::default(),
        };
        let needed = |rule: &&'r Rule| {
            let head = rule.head.predicate();
            self.statics.is_used(head) || for_given.contains(&head)
        };
        let mark = |rule: &'r Rule| {
            let marks = rule.body.iter().map(|literal| MarkedLiteral {
                joined: marking::is_joined(literal, &self.statics),
                stored: marking::is_stored(literal, &self.statics),
                table: literal.atom().map(|atom| table(atom.predicate())),
            });
            let head = rule.head.predicate();
            MarkedRule {
                marks: marks.collect(),
                head_table: table(head),
                stored: self.statics.is_dynamic(head),
                rule,
            }
        };
        let mut marked: Vec<MarkedRule<'r>> =
            self.rules.rules.iter().filter(needed).map(mark).collect();
        let connect = |rule: &'r Rule| {
            let marks = rule.body.iter().map(|literal| MarkedLiteral {
                joined: true,
                stored: false,
                table: literal.atom().map(Atom::predicate),
            });
            MarkedRule {
                marks: marks.collect(),
                head_table: rule.head.predicate(),
                stored: false,
                rule,
            }
        };
        marked.extend(connections.iter().map(connect));
        marked
    }

    /// These predicates and all that they depend on.
    fn below(&self, roots: &[Predicate]) -> FxHashSet<Predicate> {
        let mut predicates = PredicateGraph::new(self.rules.rules.iter());
        let roots = roots.iter().map(|&it| predicates.number(it)).collect();
        let mut is_below = vec![false; predicates.predicates().len()];
        predicates.graph().reach(&mut is_below, roots);
        let all = predicates.predicates().iter().zip(is_below);
        all.filter(|it| it.1).map(|it| *it.0).collect()
    }
}
