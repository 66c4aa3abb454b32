//! Safety: each variable of the head, of a negated literal and of a `distinct` must occur in a positive
//! literal.
//!
//! An unsafe rule that the game does not need, or that can never fire, does no harm: it is left out.

use fxhash::{FxHashMap, FxHashSet};

use crate::description::{Atom, Formula, Keywords, Predicate, Printer, Statement, Term, is_arrow};
use crate::kif::{Diagnostic, Span};
use crate::rewrite::statics::Statics;
use crate::rules::{Literal, Rule, Rules, for_each_variable, may_be_same};
use crate::symbols::{Symbol, Symbols};

/// A variable that no positive literal binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbound {
    /// The variable.
    pub variable: Symbol,
    /// The head or the negated atom that it is in; none if it is in a `distinct`.
    pub place: Option<Span>,
}

/// The first variable of a rule that no positive literal binds, if any. `bound` is room for those that one does.
fn find_unsafe(rule: &Rule, bound: &mut Vec<Symbol>) -> Option<Unbound> {
    if rule.is_safe() {
        return None;
    }
    bound.clear();
    for literal in &rule.body {
        if let Literal::Positive(_) = literal {
            literal.for_each_variable(&mut |variable| {
                if !bound.contains(&variable) {
                    bound.push(variable);
                }
            });
        }
    }
    let mut found = None;
    let mut visit = |variable, place| {
        if !bound.contains(&variable) {
            found = found.or(Some(Unbound { variable, place }));
        }
    };
    let in_head = &mut |variable| visit(variable, Some(rule.head.span));
    rule.head.arguments.iter().for_each(|term| for_each_variable(term, in_head));
    for literal in &rule.body {
        let place = literal.atom().map(|it| it.span);
        literal.for_each_variable(&mut |variable| visit(variable, place));
    }
    found
}

/// Removes the unsafe rules that the game does not need, or that can never fire. Returns the errors about the others,
/// and the warnings about these.
pub fn check(
    rules: &mut Rules,
    statics: &Statics,
    statements: &[Statement],
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut last = None;
    let mut bound = Vec::new();
    if rules.rules.iter().all(|rule| find_unsafe(rule, &mut bound).is_none()) {
        return (errors, warnings);
    }
    let firing = Firing::new(rules);
    let never: Vec<Option<Span>> = rules
        .rules
        .iter()
        .map(|rule| {
            let matters =
                find_unsafe(rule, &mut bound).is_some() && statics.is_needed(rule.head.predicate());
            if matters { firing.never_holds(rule) } else { None }
        })
        .collect();
    let symbols = &rules.symbols;
    let mut never = never.into_iter();
    rules.rules.retain(|rule| {
        let never = never.next().flatten();
        let unbound = find_unsafe(rule, &mut bound);
        let Some(Unbound { variable, place }) = unbound else { return true };
        let is_fault = statics.is_needed(rule.head.predicate()) && never.is_none();
        // The rules that a statement with `or` stands for come one after the other.
        if last.is_some_and(|(span, was_fault)| span == rule.span && (was_fault || !is_fault)) {
            return false;
        }
        last = Some((rule.span, is_fault));
        let place = place.or_else(|| {
            let statement = statements.iter().find(|it| it.span == rule.span)?;
            statement.body.iter().find_map(|it| distinct_with(variable, it))
        });
        let span = place.unwrap_or(rule.span);
        let name = symbols.name(variable);
        let message = format!("the variable `{name}` is not bound by a positive literal");
        let found = if is_fault { &mut errors } else { &mut warnings };
        let diagnostic = match never {
            _ if is_fault => Diagnostic::error("GF0302", message, span),
            Some(literal) => Diagnostic::warning("GF0303", message, span)
                .with_remark("left out: the rule can never fire")
                .with_label(literal, "this never holds"),
            None => Diagnostic::warning("GF0303", message, span)
                .with_remark("left out: nothing that the game needs depends on this rule"),
        };
        found.push(diagnostic.with_help(if in_other_notation(rule, symbols) {
            "a rule is written `(<= head condition ...)`".to_owned()
        } else {
            negation_of_any(rule, place, &bound, symbols).unwrap_or_else(|| {
                format!("add a literal without `not` that says which values `{name}` can have")
            })
        }));
        false
    });
    (errors, warnings)
}

/// What to write where a negated atom has variables of its own: mostly it is meant to say that there is none at all.
fn negation_of_any(
    rule: &Rule,
    place: Option<Span>,
    bound: &[Symbol],
    symbols: &Symbols,
) -> Option<String> {
    let atom = rule.body.iter().find_map(|literal| match literal {
        Literal::Negative(atom) if Some(atom.span) == place => Some(atom),
        _ => None,
    })?;
    let mut kept: Vec<&str> = Vec::new();
    for term in &atom.arguments {
        for_each_variable(term, &mut |variable| {
            if bound.contains(&variable) && !kept.contains(&symbols.name(variable)) {
                kept.push(symbols.name(variable));
            }
        });
    }
    let name = match atom.arguments.first() {
        Some(Term::Compound(term)) if atom.arguments.len() == 1 => term.functor,
        _ => atom.predicate,
    };
    let view = match kept.is_empty() {
        true => format!("some_{}", symbols.name(name)),
        false => format!("(some_{} {})", symbols.name(name), kept.join(" ")),
    };
    let atom = Printer::new(symbols).atom(atom).to_string();
    Some(format!(
        "if it means that there is none at all, say when there is one, `(<= {view} {atom})`, and write `(not {view})` \
         here"
    ))
}

/// Whether something is taken for a fact that was meant for a rule: its arrow is that of another language.
fn in_other_notation(rule: &Rule, symbols: &Symbols) -> bool {
    let is_arrow = |symbol| is_arrow(symbols.name(symbol));
    let mut names = rule.head.arguments.iter().filter_map(|term| match term {
        Term::Constant(name) => Some(*name),
        Term::Compound(compound) => Some(compound.functor),
        Term::Variable(_) => None,
    });
    rule.body.is_empty() && (is_arrow(rule.head.predicate) || names.any(is_arrow))
}

/// The first `distinct` of a formula with a variable.
fn distinct_with(variable: Symbol, formula: &Formula) -> Option<Span> {
    match formula {
        Formula::Atom(_) => None,
        Formula::Distinct(left, right, span) => {
            let mut found = None;
            let mut look = |it| found = found.or((it == variable).then_some(*span));
            for_each_variable(left, &mut look);
            for_each_variable(right, &mut look);
            found
        }
        Formula::Not(inner, _) => distinct_with(variable, inner),
        Formula::Or(all, _) | Formula::And(all, _) => {
            all.iter().find_map(|it| distinct_with(variable, it))
        }
    }
}

/// Heads that are compared with the literals of rules; with more, it is taken that they match.
const MOST_COMPARED: usize = 1 << 22;

/// The heads of the rules that may fire.
struct Firing<'r> {
    rules: &'r Rules,
    /// By predicate: the rules about it, by their positions.
    about: FxHashMap<Predicate, Vec<usize>>,
    can_fire: Vec<bool>,
    compared: std::cell::Cell<usize>,
}

impl<'r> Firing<'r> {
    /// The least set of rules whose positive literals are all about predicates that one of them derives.
    fn new(rules: &'r Rules) -> Self {
        let mut about: FxHashMap<Predicate, Vec<usize>> = FxHashMap::default();
        // By predicate: the rules that read it.
        let mut readers: FxHashMap<Predicate, Vec<usize>> = FxHashMap::default();
        let mut lacking = Vec::with_capacity(rules.rules.len());
        for (position, rule) in rules.rules.iter().enumerate() {
            about.entry(rule.head.predicate()).or_default().push(position);
            let read: FxHashSet<Predicate> = rule.positive_atoms().map(Atom::predicate).collect();
            lacking.push(read.len());
            read.into_iter().for_each(|it| readers.entry(it).or_default().push(position));
        }
        let mut can_fire = vec![false; rules.rules.len()];
        let mut derived = FxHashSet::default();
        let mut agenda: Vec<usize> = (0..lacking.len()).filter(|&it| lacking[it] == 0).collect();
        while let Some(position) = agenda.pop() {
            can_fire[position] = true;
            for predicate in gives(rules.rules[position].head.predicate(), &rules.keywords) {
                if !derived.insert(predicate) {
                    continue;
                }
                for &reader in readers.get(&predicate).into_iter().flatten() {
                    lacking[reader] -= 1;
                    if lacking[reader] == 0 {
                        agenda.push(reader);
                    }
                }
            }
        }
        Firing { rules, about, can_fire, compared: std::cell::Cell::new(0) }
    }

    /// A positive literal of a rule that no head matches, or a comparison of a term with itself, if there is one.
    fn never_holds(&self, rule: &Rule) -> Option<Span> {
        let alike = rule.body.iter().find_map(|literal| match literal {
            Literal::Distinct(left, right) if left == right => Some(rule.span),
            _ => None,
        });
        let unmatched = || rule.positive_atoms().find(|it| !self.may_hold(it)).map(|it| it.span);
        alike.or_else(unmatched)
    }

    fn may_hold(&self, atom: &Atom) -> bool {
        let keywords = &self.rules.keywords;
        let predicate = |name| Predicate { name, ..atom.predicate() };
        let heads = match atom.predicate {
            name if name == keywords.true_ => vec![keywords.init, keywords.next],
            name if name == keywords.does => vec![keywords.legal],
            name => vec![name],
        };
        let rules = heads.into_iter().filter_map(|it| self.about.get(&predicate(it))).flatten();
        let mut firing = rules.filter(|&&it| self.can_fire[it]);
        firing.any(|&rule| {
            self.compared.set(self.compared.get() + 1);
            let head = &self.rules.rules[rule].head;
            let mut pairs = atom.arguments.iter().zip(&head.arguments);
            self.compared.get() > MOST_COMPARED || pairs.all(|(one, other)| may_be_same(one, other))
        })
    }
}

/// What holds, in some state, where a predicate is derived.
fn gives(predicate: Predicate, keywords: &Keywords) -> impl Iterator<Item = Predicate> {
    let in_play = match predicate.name {
        name if name == keywords.init || name == keywords.next => Some(keywords.true_),
        name if name == keywords.legal => Some(keywords.does),
        _ => None,
    };
    in_play.map(|name| Predicate { name, ..predicate }).into_iter().chain([predicate])
}
