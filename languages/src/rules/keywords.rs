//! Where keywords may stand, and what they may depend on.

use groundfrog::description::Predicate;
use groundfrog::kif::Diagnostic;
use groundfrog::restrictions::dependencies::Dependencies;
use groundfrog::rules::Rules;
use groundfrog::symbols::Symbol;

/// The keywords of a language by what their use is bound to.
#[derive(Clone, Debug, Default)]
pub struct KeywordUse {
    /// What the course of a match gives: it stands in bodies only.
    pub given: Vec<Predicate>,
    /// What is derived for the match: it stands in heads only. The word says what to do where it stands in a body.
    pub derived: Vec<(Predicate, &'static str)>,
    /// What is the same at all times.
    pub fixed: Vec<Predicate>,
    /// What changes in the course of a match.
    pub changing: Vec<Predicate>,
    /// What must be known before anything is made or received.
    pub before: Vec<Predicate>,
    /// What is made or received.
    pub made: Vec<Predicate>,
    /// Comparisons of numbers.
    pub comparisons: Vec<Symbol>,
}

impl KeywordUse {
    /// What is wrong with the use of keywords.
    pub(super) fn check(&self, rules: &Rules, graph: &Dependencies) -> Vec<Diagnostic> {
        let name = |it: Predicate| rules.symbols.name(it.name);
        let mut found = Vec::new();
        for rule in &rules.rules {
            let head = rule.head.predicate();
            let is_comparison = self.comparisons.contains(&head.name) && head.arity == 2;
            if self.given.contains(&head) || is_comparison {
                let kind = if rule.body.is_empty() { "fact" } else { "rule" };
                let message = format!("`{}` is the head of a {kind}", name(head));
                found.push(
                    Diagnostic::error("GF0406", message, rule.head.span)
                        .with_remark("it is given by the course of the match, not by rules"),
                );
            }
        }
        for edge in graph.edges() {
            let to = graph.predicate(edge.to);
            if let Some((_, instead)) = self.derived.iter().find(|it| it.0 == to) {
                let message = format!("`{}` stands in the body of a rule", name(to));
                let warning = Diagnostic::warning("GF0407", message, edge.span);
                found.push(warning.with_remark("it stands in heads only").with_help(*instead));
            }
        }
        let depends = [
            ("GF0405", &self.fixed, &self.changing, ", which changes in the course of a match"),
            ("GF0408", &self.before, &self.made, ""),
        ];
        for (code, of, on, why) in depends {
            for &from in of {
                let Some(number) = graph.find(from) else { continue };
                let is_end = |it| on.contains(&graph.predicate(it));
                let through = |it| !self.given.contains(&graph.predicate(it));
                let Some(path) = graph.path(number, is_end, through) else { continue };
                let end = graph.predicate(path[path.len() - 1].to);
                let message = format!("`{}` depends on `{}`{why}", name(from), name(end));
                let error = Diagnostic::error(code, message, path[0].span);
                found.push(graph.with_path(error, &path, rules));
            }
        }
        found
    }
}
