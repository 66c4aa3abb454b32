//! Use of the keywords, as the GDL specification has it (Love et al. 2008): which must be there, where each
//! may stand, and what it may depend on.

use super::dependencies::{Dependencies, Edge};
use crate::description::{Predicate, Term};
use crate::kif::{Diagnostic, Severity, Span};
use crate::rewrite::statics::Statics;
use crate::rules::{Rule, Rules};
use crate::symbols::Symbol;

/// Checks the use of the keywords.
pub fn check(rules: &Rules, graph: &Dependencies, found: &mut Vec<Diagnostic>) {
    let check = Check { rules, graph };
    check.presence(found);
    check.positions(found);
    check.roles(found);
    check.dependencies(found);
    check.goal_values(found);
}

/// An error for each predicate that must be known before what it depends on: there is no match that such rules describe.
pub fn unplayable(rules: &Rules, statics: &Statics) -> Vec<Diagnostic> {
    let keywords = &rules.keywords;
    let fixed = [(keywords.role, 1), (keywords.init, 1)];
    let before_moves = [(keywords.legal, 2), (keywords.goal, 2), (keywords.terminal, 0)];
    let predicate = |(name, arity)| Predicate { name, arity };
    let mut found = Vec::new();
    if fixed.into_iter().any(|it| statics.is_dynamic(predicate(it)))
        || before_moves.into_iter().any(|it| statics.depends_on_moves(predicate(it)))
    {
        let graph = Dependencies::new(rules);
        Check { rules, graph: &graph }.dependencies(&mut found);
        found.retain(|it| it.severity == Severity::Error);
    }
    found
}

/// Whether a description is one of GDL-II: it uses `sees`, or a player is called `random`.
pub fn is_gdl_ii(rules: &Rules) -> bool {
    let keywords = &rules.keywords;
    let random = rules.symbols.get("random").map(Term::Constant);
    rules.rules.iter().any(|rule| {
        let head = &rule.head;
        head.predicate == keywords.sees
            || (head.predicate == keywords.role && head.arguments.first() == random.as_ref())
    })
}

struct Check<'a> {
    rules: &'a Rules,
    graph: &'a Dependencies,
}

impl Check<'_> {
    fn name(&self, symbol: Symbol) -> &str {
        self.rules.symbols.name(symbol)
    }

    fn number(&self, name: Symbol) -> Option<u32> {
        let arity = self.rules.keywords.arity(name)?;
        self.graph.find(Predicate { name, arity })
    }

    /// What every game needs is there.
    fn presence(&self, found: &mut Vec<Diagnostic>) {
        let keywords = &self.rules.keywords;
        let first = self.rules.rules.first().map_or_else(Span::default, |rule| rule.head.span);
        let wanted = [
            (keywords.role, Severity::Error, "GF0401", "nobody plays", "(role robot)"),
            (
                keywords.legal,
                Severity::Warning,
                "GF0402",
                "nobody can ever move",
                "(legal robot wait)",
            ),
            (
                keywords.next,
                Severity::Warning,
                "GF0402",
                "every state after the first is empty",
                "(<= (next (light on)) (does robot push))",
            ),
            (
                keywords.terminal,
                Severity::Warning,
                "GF0402",
                "a match never ends",
                "(<= terminal (true (step 10)))",
            ),
            (
                keywords.goal,
                Severity::Warning,
                "GF0402",
                "no state is worth anything to anybody",
                "(<= (goal robot 100) (true (light on)))",
            ),
            (
                keywords.init,
                Severity::Note,
                "GF0403",
                "the first state is empty",
                "(init (light off))",
            ),
        ];
        for (name, severity, code, meaning, example) in wanted {
            if self.rules.rules.iter().any(|rule| rule.head.predicate == name) {
                continue;
            }
            let message =
                format!("there is no rule or fact about `{}`: {meaning}", self.name(name));
            let diagnostic = Diagnostic { severity, ..Diagnostic::error(code, message, first) };
            found.push(diagnostic.with_help(format!("for example: {example}")));
        }
    }

    /// `true` and `does` stand in bodies only, `next`, `init` and `sees` in heads only.
    fn positions(&self, found: &mut Vec<Diagnostic>) {
        let keywords = &self.rules.keywords;
        for rule in &self.rules.rules {
            let name = rule.head.predicate;
            if name == keywords.true_ || name == keywords.does {
                let (word, instead) = match name == keywords.true_ {
                    true => ("true", "what holds in the next state is derived with `next`"),
                    false => ("does", "which moves a player may make is derived with `legal`"),
                };
                let kind = if rule.body.is_empty() { "fact" } else { "rule" };
                let message = format!("`{word}` is the head of a {kind}");
                found.push(
                    Diagnostic::error("GF0406", message, rule.head.span)
                        .with_remark("it is given by the course of the match, not by rules")
                        .with_help(instead),
                );
            }
        }
        for edge in self.graph.edges() {
            let name = self.graph.predicate(edge.to).name;
            let instead = match name {
                _ if name == keywords.next => {
                    "give the condition a predicate of its own, and let both rules use it"
                }
                _ if name == keywords.init => "`true` is for the present state",
                _ if name == keywords.sees => {
                    "`sees` is for what players perceive; rules use `true` and `does`"
                }
                _ => continue,
            };
            let message = format!("`{}` stands in the body of a rule", self.name(name));
            found.push(
                Diagnostic::warning("GF0407", message, edge.span)
                    .with_remark("the specification allows it in heads only, and some players do not read it")
                    .with_help(instead),
            );
        }
    }

    /// Roles are ground facts.
    fn roles(&self, found: &mut Vec<Diagnostic>) {
        let role = self.rules.keywords.role;
        for rule in self.rules.rules.iter().filter(|rule| rule.head.predicate == role) {
            if !rule.body.is_empty() {
                found.push(
                    Diagnostic::warning("GF0404", "`role` is derived by a rule", rule.head.span)
                        .with_remark("the specification wants each role as a fact, and some players read nothing else")
                        .with_help("write one fact for each role, as in `(role robot)`"),
                );
            }
        }
    }

    /// What is the same in every state must not depend on the state or on moves, and what players may do
    /// or get must not depend on what they do.
    fn dependencies(&self, found: &mut Vec<Diagnostic>) {
        let keywords = &self.rules.keywords;
        let changing = [
            keywords.true_,
            keywords.does,
            keywords.next,
            keywords.legal,
            keywords.goal,
            keywords.terminal,
            keywords.sees,
        ];
        let domains = [keywords.base, keywords.input];
        for name in [[keywords.role, keywords.init], domains].concat() {
            let Some(path) = self.path(name, &changing) else { continue };
            let end = self.graph.predicate(path.last().expect("a path has edges").to).name;
            let message = format!(
                "`{}` depends on `{}`, which changes from state to state",
                self.name(name),
                self.name(end)
            );
            let diagnostic = self.chain("GF0405", message, &path);
            // They are computed anew.
            let is_used =
                || self.graph.edges().iter().any(|it| self.graph.predicate(it.to).name == name);
            found.push(match domains.contains(&name) && !is_used() {
                true => Diagnostic { severity: Severity::Warning, ..diagnostic },
                false => diagnostic,
            });
        }
        for name in [keywords.legal, keywords.goal, keywords.terminal] {
            let Some(path) = self.path(name, &[keywords.does]) else { continue };
            let message = format!("`{}` depends on `does`", self.name(name));
            found.push(self.chain("GF0408", message, &path).with_help(
                "moves are made after this is known: only `next` and `sees` can depend on them",
            ));
        }
    }

    fn path(&self, from: Symbol, to: &[Symbol]) -> Option<Vec<Edge>> {
        let graph = self.graph;
        let name = |number| graph.predicate(number).name;
        // That something derives `true` or `does` is an error of its own.
        let given = [self.rules.keywords.true_, self.rules.keywords.does];
        let through = |it| !given.contains(&name(it));
        graph.path(self.number(from)?, |it| to.contains(&name(it)), through)
    }

    fn chain(&self, code: &'static str, message: String, path: &[Edge]) -> Diagnostic {
        let diagnostic = Diagnostic::error(code, message, path[0].span);
        self.graph.with_path(diagnostic, path, self.rules)
    }

    /// Goal values are whole numbers from 0 to 100.
    fn goal_values(&self, found: &mut Vec<Diagnostic>) {
        let goals =
            self.rules.rules.iter().filter(|it| it.head.predicate == self.rules.keywords.goal);
        for rule in goals {
            let message = match &rule.head.arguments[1] {
                Term::Variable(_) => continue,
                Term::Constant(value) if is_goal_value(self.name(*value)) => continue,
                Term::Constant(value) => {
                    format!("the goal value `{}` {}", self.name(*value), OUT_OF_RANGE)
                }
                Term::Compound(compound) => {
                    let functor = self.name(compound.functor);
                    format!("the goal value `({functor} ...)` {OUT_OF_RANGE}")
                }
            };
            found.push(goal_value(Severity::Error, message, rule));
        }
    }
}

pub const OUT_OF_RANGE: &str = "is not a whole number from 0 to 100";

/// Whether a name is a whole number from 0 to 100, written as people write it.
pub fn is_goal_value(name: &str) -> bool {
    name.len() <= 3
        && name.bytes().all(|byte| byte.is_ascii_digit())
        && name.parse().is_ok_and(|value: u32| value <= 100)
}

fn goal_value(severity: Severity, message: String, rule: &Rule) -> Diagnostic {
    let help = "a state is worth 100 at the best and 0 at the worst";
    let diagnostic = Diagnostic::error("GF0409", message, rule.head.span).with_help(help);
    Diagnostic { severity, ..diagnostic }
}

/// Fails if no statement says who plays.
///
/// # Errors
/// What is wrong, without a place: nothing in the text is to blame.
pub fn roles(rules: &Rules) -> Result<(), Box<Diagnostic>> {
    let mut heads = rules.rules.iter().map(|rule| rule.head.predicate());
    if heads.any(|head| head.name == rules.keywords.role) {
        return Ok(());
    }
    let message = "the description has no roles: nobody plays this game";
    let fault = Diagnostic::error("GF0401", message, Span::default());
    Err(Box::new(fault.with_help("name each player by a fact such as `(role player)`")))
}

/// An error for each rule about `true` or `does`.
pub fn heads(rules: &Rules) -> Vec<Diagnostic> {
    let keywords = &rules.keywords;
    let error = |rule: &Rule| {
        let (word, instead) = match rule.head.predicate {
            name if name == keywords.true_ => (
                "true",
                "what holds in the first state is derived with `init`, in the next with `next`",
            ),
            name if name == keywords.does => {
                ("does", "which moves a player may make is derived with `legal`")
            }
            _ => return None,
        };
        let message = format!("`{word}` is the head of a rule or a fact");
        let diagnostic = Diagnostic::error("GF0406", message, rule.head.span);
        Some(diagnostic.with_help(instead))
    };
    let mut errors: Vec<Diagnostic> = rules.rules.iter().filter_map(error).collect();
    // An `or` makes several rules of one.
    errors.dedup_by_key(|it| it.span());
    errors
}
