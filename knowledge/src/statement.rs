//! What users state of a game, in KIF. `docs/knowledge.md` defines the syntax.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::Term;
use groundfrog::game::{Goal, GroundGame};
use groundfrog::kif::{DEFAULT_NESTING, Diagnostic, NodeId, Sexprs, Span};

use crate::condition::Condition;
use crate::property::{Claim, goal_value};

/// Quantifiers stand for so many conditions at most.
const MOST_CONDITIONS: usize = 1_000_000;

/// Something that is to be decided of a game.
///
/// ```
/// use groundfrog_knowledge::{AnalysisOptions, Property, Statement, Verdict, analyse};
/// use groundfrog_reasoner::GroundReasoner;
///
/// let mut rules = GroundReasoner::of_text(groundfrog_corpus::game("tictactoe").expect("a game").text)?;
/// let text = "(always (all (true (square ?x ?y cross)) (=> (true (square ?x ?y cross)) (not (true (square ?x ?y nought))))))";
/// let statements = Statement::parse(text, rules.game())?;
/// let found = analyse(&mut rules, &AnalysisOptions { statements, ..AnalysisOptions::default() })?;
/// let stated = found.findings.iter().find(|it| it.property == Property::Stated { text: text.to_owned() });
/// assert_eq!(stated.map(|it| &it.verdict), Some(&Verdict::Proved));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Statement {
    /// As it was written.
    pub text: String,
    pub(crate) claim: Claim,
    /// It is about the initial state alone.
    pub(crate) is_initial: bool,
}

/// What is wrong with the text of statements.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct StatementError(pub Box<Diagnostic>);

impl Statement {
    /// Reads statements about a game.
    ///
    /// # Errors
    /// The text is not KIF or no statement, a variable is not bound, or an atom is of no form that the ground game has.
    pub fn parse(text: &str, game: &GroundGame) -> Result<Vec<Self>, StatementError> {
        let trees = Sexprs::parse(text, DEFAULT_NESTING)
            .map_err(|error| StatementError(Box::new(Diagnostic::from(&error))))?;
        let mut reader = Reader {
            text,
            trees: &trees,
            game,
            atoms: FxHashMap::default(),
            left: MOST_CONDITIONS,
        };
        trees.roots().map(|node| reader.statement(node)).collect()
    }
}

/// What variables are; a goal value is a number, however it is written.
type Bindings = Vec<Binding>;

#[derive(Clone)]
struct Binding {
    name: String,
    term: Term,
    is_goal_value: bool,
}

/// The arguments of an atom, and what holds where it does.
type Instance = (Vec<Term>, Condition);

struct Reader<'text> {
    text: &'text str,
    trees: &'text Sexprs,
    game: &'text GroundGame,
    /// By predicate: all atoms.
    atoms: FxHashMap<&'static str, Vec<Instance>>,
    left: usize,
}

const PREDICATES: [&str; 6] = ["true", "next", "does", "legal", "goal", "terminal"];

impl<'text> Reader<'text> {
    fn statement(&mut self, node: NodeId) -> Result<Statement, StatementError> {
        let help = "write `(always FORMULA)` or `(initially FORMULA)`";
        let (word, arguments) =
            self.list(node).ok_or_else(|| self.error(node, "this is no statement", help))?;
        let is_initial = match word {
            "always" => false,
            "initially" => true,
            _ => return Err(self.error(node, &format!("`{word}` begins no statement"), help)),
        };
        let [formula] = arguments[..] else {
            return Err(self.error(node, &format!("`{word}` takes one formula"), help));
        };
        let condition = self.formula(formula, &mut Vec::new())?;
        let is_of_step = self.asks_step(formula);
        if is_initial && is_of_step {
            let message = "`initially` is about a state, and `next` and `does` about a joint move";
            return Err(self.error(node, message, "write `(always ...)`"));
        }
        // Parts of a conjunction are shown one by one.
        let parts = match condition {
            Condition::All(parts) => parts,
            other => vec![other],
        };
        let text = self.source(self.trees.span(node)).split_whitespace();
        let text = text.collect::<Vec<_>>().join(" ");
        Ok(Statement { text, claim: Claim { parts, is_of_step }, is_initial })
    }

    /// Whether a formula asks what is done or what comes next, by its text alone: so its forms mean the same. Patterns of `all` and `some`
    /// only bind variables.
    fn asks_step(&self, node: NodeId) -> bool {
        match self.list(node) {
            Some(("does" | "next", _)) => true,
            Some(("all" | "some", arguments)) => {
                arguments.iter().skip(1).any(|&it| self.asks_step(it))
            }
            Some(("true" | "legal" | "goal" | "distinct", _)) | None => false,
            Some((_, arguments)) => arguments.iter().any(|&it| self.asks_step(it)),
        }
    }

    fn formula(&mut self, node: NodeId, bound: &mut Bindings) -> Result<Condition, StatementError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            let message =
                format!("the statement stands for more than {MOST_CONDITIONS} conditions");
            self.error(node, &message, "use fewer quantifiers inside each other")
        })?;
        let word = self.list(node).map_or(self.word(node), |(word, _)| Some(word));
        let arguments = self.list(node).map_or_else(Vec::new, |(_, arguments)| arguments);
        let Some(word) = word else { return Err(self.no_formula(node)) };
        match (word, &arguments[..]) {
            (predicate, _) if PREDICATES.contains(&predicate) => self.atom(node, bound),
            ("not", &[inner]) => Ok(self.formula(inner, bound)?.negated()),
            ("and", parts) => Ok(Condition::All(self.formulae(parts, bound)?)),
            ("or", parts) => Ok(Condition::Any(self.formulae(parts, bound)?)),
            ("=>", &[one, other]) => {
                Ok(self.formula(one, bound)?.implies(self.formula(other, bound)?))
            }
            ("<=>", &[one, other]) => {
                let (one, other) = (self.formula(one, bound)?, self.formula(other, bound)?);
                let back = other.clone().implies(one.clone());
                Ok(Condition::All(vec![one.implies(other), back]))
            }
            ("distinct", &[one, other]) => {
                let texts = [self.term_text(one, bound)?, self.term_text(other, bound)?];
                let is_value = [one, other].iter().any(|&it| self.is_goal_value(it, bound));
                let is_same = match is_value {
                    true => is_one_number(&texts[0], &texts[1]),
                    false => texts[0] == texts[1],
                };
                Ok(if is_same { Condition::never() } else { Condition::All(vec![]) })
            }
            ("all" | "some", &[pattern, inner]) => {
                let mut parts = Vec::new();
                for (mut bindings, _) in self.instances(pattern, bound)? {
                    parts.push(self.formula(inner, &mut bindings)?);
                }
                Ok(if word == "all" { Condition::All(parts) } else { Condition::Any(parts) })
            }
            ("at-most" | "at-least" | "exactly", &[number, pattern]) => {
                let count = self.word(number).and_then(|it| it.parse::<usize>().ok());
                let Some(count) = count.filter(|&it| it <= 1000) else {
                    return Err(self.error(
                        number,
                        "this is no number from 0 to 1000",
                        "write a number",
                    ));
                };
                let instances = self.instances(pattern, bound)?;
                let mut atoms: Vec<Condition> = Vec::with_capacity(instances.len());
                let mut seen = FxHashSet::default();
                // A goal value that is written in two ways is one.
                let new = instances.into_iter().filter(|it| seen.insert(it.1.clone()));
                atoms.extend(new.map(|it| it.1));
                let least = match count {
                    0 => Condition::All(Vec::new()),
                    _ => Condition::AtMost(count - 1, atoms.clone()).negated(),
                };
                let most = Condition::AtMost(count, atoms);
                Ok(match word {
                    "at-most" => most,
                    "at-least" => least,
                    _ => Condition::All(vec![least, most]),
                })
            }
            _ => Err(self.no_formula(node)),
        }
    }

    fn formulae(
        &mut self,
        nodes: &[NodeId],
        bound: &mut Bindings,
    ) -> Result<Vec<Condition>, StatementError> {
        nodes.iter().map(|&node| self.formula(node, bound)).collect()
    }

    /// An atom all of whose variables are bound. One that the game does not have never holds, if others of its form are there.
    fn atom(&mut self, node: NodeId, bound: &Bindings) -> Result<Condition, StatementError> {
        let found = self.instances(node, bound)?;
        let is_bound = found.iter().all(|(bindings, _)| bindings.len() == bound.len());
        if let (false, Some(free)) = (is_bound, self.free_variable(node, bound)) {
            let message = format!("the variable `{free}` is not bound");
            let help = "bind it by `(all PATTERN FORMULA)` or `(some PATTERN FORMULA)`";
            return Err(self.error(node, &message, help));
        }
        Ok(found.into_iter().next().map_or_else(Condition::never, |(_, condition)| condition))
    }

    fn free_variable(&self, node: NodeId, bound: &Bindings) -> Option<String> {
        if let Some(word) = self.word(node) {
            let is_free = word.starts_with('?') && !bound.iter().any(|it| it.name == word);
            return is_free.then(|| word.to_owned());
        }
        self.trees.children(node).find_map(|child| self.free_variable(child, bound))
    }

    /// The atoms of the game that a pattern matches, each with what its variables are.
    fn instances(
        &mut self,
        pattern: NodeId,
        bound: &Bindings,
    ) -> Result<Vec<(Bindings, Condition)>, StatementError> {
        let listed = self.list(pattern);
        let word = listed.as_ref().map_or(self.word(pattern), |(word, _)| Some(*word));
        let known = word.and_then(|word| PREDICATES.into_iter().find(|&it| it == word));
        let Some(predicate) = known else {
            let message = "this is no pattern of atoms";
            let help = "patterns are of `true`, `next`, `does`, `legal`, `goal` or `terminal`";
            return Err(self.error(pattern, message, help));
        };
        let arguments = listed.map_or_else(Vec::new, |(_, arguments)| arguments);
        let game = self.game;
        let all = self.atoms.entry(predicate).or_insert_with(|| atoms_of(game, predicate));
        let all = std::mem::take(all);
        let (mut found, mut has_form) =
            (Vec::new(), predicate == "terminal" && arguments.is_empty());
        for (terms, condition) in &all {
            let matches = |bindings: &mut Bindings| {
                terms.len() == arguments.len()
                    && terms.iter().zip(&arguments).enumerate().all(|(place, (term, &node))| {
                        let is_goal_value = predicate == "goal" && place == 1;
                        self.matches(node, term, is_goal_value, bindings)
                    })
            };
            let mut bindings = bound.clone();
            if matches(&mut bindings) {
                found.push((bindings, condition.clone()));
            } else if !has_form {
                has_form = matches(&mut Vec::new());
            }
        }
        self.atoms.insert(predicate, all);
        if found.is_empty() && !has_form {
            let message = "no atom of the ground game looks like this";
            let help =
                "fluents that never change are taken out of a compact game: `--flat` keeps them";
            return Err(self.error(pattern, message, help));
        }
        Ok(found)
    }

    fn matches(
        &self,
        node: NodeId,
        term: &Term,
        is_goal_value: bool,
        bindings: &mut Bindings,
    ) -> bool {
        let name = |term: &Term| match term {
            Term::Constant(name) => Some(self.game.symbols().name(*name)),
            _ => None,
        };
        let is_same = |word: &str, term: &Term| match name(term) {
            Some(name) if is_goal_value => is_one_number(word, name),
            name => name == Some(word),
        };
        if let Some(word) = self.word(node) {
            if !word.starts_with('?') {
                return is_same(word, term);
            }
            if let Some(known) = bindings.iter().find(|it| it.name == word) {
                return known.term == *term
                    || name(&known.term).is_some_and(|it| is_same(it, term));
            }
            bindings.push(Binding { name: word.to_owned(), term: term.clone(), is_goal_value });
            return true;
        }
        let (Some((functor, arguments)), Term::Compound(it)) = (self.list(node), term) else {
            return false;
        };
        self.game.symbols().name(it.functor) == functor
            && it.arguments.len() == arguments.len()
            && arguments
                .iter()
                .zip(&it.arguments)
                .all(|(&node, term)| self.matches(node, term, false, bindings))
    }

    /// Whether it is a variable that stands for a goal value.
    fn is_goal_value(&self, node: NodeId, bound: &Bindings) -> bool {
        let word = self.word(node);
        bound.iter().any(|it| it.is_goal_value && Some(it.name.as_str()) == word)
    }

    /// A term whose variables are bound.
    fn term_text(&self, node: NodeId, bound: &Bindings) -> Result<String, StatementError> {
        let Some(word) = self.word(node) else {
            let parts: Result<Vec<String>, _> =
                self.trees.children(node).map(|child| self.term_text(child, bound)).collect();
            return Ok(format!("({})", parts?.join(" ")));
        };
        match bound.iter().find(|it| it.name == word) {
            Some(known) => Ok(self.game.display_term(&known.term).to_string()),
            None if word.starts_with('?') => {
                let message = format!("the variable `{word}` is not bound");
                Err(self.error(node, &message, "bind it by `(all PATTERN FORMULA)`"))
            }
            None => Ok(word.to_owned()),
        }
    }

    fn word(&self, node: NodeId) -> Option<&'text str> {
        (!self.trees.is_list(node)).then(|| self.source(self.trees.span(node)))
    }

    /// The first word of a list, and the rest.
    fn list(&self, node: NodeId) -> Option<(&'text str, Vec<NodeId>)> {
        let mut children = self.trees.children(node);
        let word = self.word(children.next()?)?;
        Some((word, children.collect()))
    }

    fn source(&self, span: Span) -> &'text str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn no_formula(&self, node: NodeId) -> StatementError {
        let help = "formulae are atoms, `not`, `and`, `or`, `=>`, `<=>`, `distinct`, `all`, `some`, `at-most`, `at-least` and \
                    `exactly`";
        self.error(node, "this is no formula", help)
    }

    fn error(&self, node: NodeId, message: &str, help: &str) -> StatementError {
        let error = Diagnostic::error("", message, self.trees.span(node));
        StatementError(Box::new(error.with_help(help)))
    }
}

/// Whether two words are the same, or the same number.
fn is_one_number(one: &str, other: &str) -> bool {
    let number = |word: &str| word.parse::<i64>().ok();
    one == other || number(one).is_some_and(|it| number(other) == Some(it))
}

/// All atoms of a predicate. What holds after a joint move is looked for under all fluents.
fn atoms_of(game: &GroundGame, predicate: &'static str) -> Vec<Instance> {
    let optional = |atom: Option<_>| atom.map_or_else(Condition::never, Condition::Atom);
    match predicate {
        "true" => {
            game.fluents().map(|it| (game.atom(it).arguments(), Condition::Atom(it))).collect()
        }
        "next" => {
            game.fluents().map(|it| (game.atom(it).arguments(), optional(game.next(it)))).collect()
        }
        "does" => {
            game.inputs().map(|it| (game.atom(it).arguments(), Condition::Atom(it))).collect()
        }
        "legal" => {
            let moves = game.moves().iter();
            moves.map(|it| (game.atom(it.does).arguments(), optional(it.legal))).collect()
        }
        "goal" => {
            let value = |it: &Goal| {
                Some((game.atom(it.atom).arguments(), goal_value(game, it.role, it.value?)))
            };
            game.goals().iter().filter_map(value).collect()
        }
        _ => vec![(Vec::new(), optional(game.terminal()))],
    }
}
