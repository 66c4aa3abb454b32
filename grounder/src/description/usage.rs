//! Warnings about names: predicates that are used and never defined, or hardly meant as one, and names that are nearly the same.

use fxhash::{FxHashMap, FxHashSet};

use super::builder::Builder;
use super::error::arguments;
use super::{Formula, Predicate, Printer, Statement, Term};
use crate::kif::{Diagnostic, Span};
use crate::symbols::Symbol;

/// Which predicates the statements define and use.
pub(super) struct Usage<'a> {
    statements: &'a [Statement],
    defined: FxHashSet<Predicate>,
    /// With the place of the first use.
    used: FxHashMap<Predicate, Span>,
}

impl<'a> Usage<'a> {
    pub(super) fn new(statements: &'a [Statement]) -> Self {
        let mut defined = FxHashSet::default();
        let mut used = FxHashMap::default();
        let mut last = None;
        for statement in statements {
            let head = statement.head.predicate();
            // Facts of one predicate mostly stand together.
            if last != Some(head) {
                defined.insert(head);
                last = Some(head);
            }
            for formula in &statement.body {
                formula.for_each_atom(&mut |atom| {
                    used.entry(atom.predicate()).or_insert(atom.span);
                });
            }
        }
        Self { statements, defined, used }
    }

    /// Warns of each predicate that is used and never defined, and gives their names back.
    pub(super) fn undefined(
        &self,
        builder: &Builder<'_>,
        warnings: &mut Vec<Diagnostic>,
    ) -> FxHashSet<Symbol> {
        let keywords = &builder.keywords;
        // What holds of these is not for the description to say, or for it to leave out.
        let given = [keywords.true_, keywords.does, keywords.base, keywords.input];
        let mut undefined: Vec<(Predicate, Span)> = self
            .used
            .iter()
            .filter(|(used, _)| !self.defined.contains(used) && !given.contains(&used.name))
            .filter(|(used, _)| {
                let own = builder.language.own_arity(builder.symbols.name(used.name));
                own.flatten() != Some(used.arity)
            })
            .map(|(&predicate, &span)| (predicate, span))
            .collect();
        if undefined.is_empty() {
            return FxHashSet::default();
        }
        undefined.sort_unstable_by_key(|it| it.1);
        let fluents = self.fluents(builder);
        let suggestions = self.suggestions(&fluents, builder);
        let mut arities: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
        for &Predicate { name, arity } in &self.defined {
            arities.entry(name).or_default().push(arity);
        }
        arities.values_mut().for_each(|arities| arities.sort_unstable());
        warnings.extend(undefined.iter().enumerate().map(|(number, &(predicate, span))| {
            let name = builder.symbols.name(predicate.name);
            let count = arguments(predicate.arity);
            let text = format!("`{name}` with {count} is used but never defined: it never holds");
            let mut warning = Diagnostic::warning("GF0201", text, span);
            for &arity in arities.get(&predicate.name).into_iter().flatten() {
                let help = format!("`{name}` is defined with {}", arguments(arity));
                warning = warning.with_help(help);
            }
            if number < MOST_SUGGESTIONS {
                warning.help.extend(alike(predicate, &suggestions, builder));
            }
            warning.help.extend(self.in_place_of(predicate, span, builder));
            if fluents.contains(&predicate) {
                let atom = if predicate.arity == 0 { name } else { &format!("({name} ...)") };
                let help = format!("to test it in the present state, write `(true {atom})`");
                warning = warning.with_help(help);
            }
            warning
        }));
        undefined.into_iter().map(|(predicate, _)| predicate.name).collect()
    }

    /// The first use of `knows` of GDL-III, where the description does not define it.
    pub(super) fn knowledge(&self, builder: &Builder<'_>) -> Option<Diagnostic> {
        let name = builder.symbols.get("knows")?;
        let uses = [1, 2].map(|arity| Predicate { name, arity });
        let is_own = |it: &Predicate| self.defined.contains(it);
        let place = uses.iter().filter_map(|it| self.used.get(it)).min();
        let (false, Some(&span)) = (uses.iter().any(is_own), place) else { return None };
        let message = "`knows` is a keyword of GDL-III, whose rules are about what players know";
        let help = "GDL and GDL-II are read, GDL-III is not; if `knows` is a predicate of your own, define it";
        Some(Diagnostic::error("GF0112", message, span).with_help(help))
    }

    /// What to write in the place of an operator for equality or inequality, of which GDL has none; the first use is at `span`.
    fn in_place_of(
        &self,
        predicate: Predicate,
        span: Span,
        builder: &Builder<'_>,
    ) -> Option<String> {
        let operator = builder.symbols.name(predicate.name);
        let is_equality = matches!(operator, "=" | "==");
        if predicate.arity != 2 || !(is_equality || is_inequality(operator)) {
            return None;
        }
        let mut sides = None;
        for formula in self.statements.iter().flat_map(|it| &it.body) {
            formula.for_each_atom(&mut |atom| {
                if atom.span == span {
                    sides = Some((atom.arguments[0].clone(), atom.arguments[1].clone()));
                }
            });
        }
        let (left, right) = sides?;
        let printer = Printer::new(&builder.symbols);
        let distinct = format!("(distinct {} {})", printer.term(&left), printer.term(&right));
        if !is_equality {
            return Some(format!("GDL has no `{operator}`: write `{distinct}`"));
        }
        // The term that takes the place of a variable.
        let (variable, term) = match (&left, &right) {
            (_, Term::Variable(_)) => (&right, &left),
            _ => (&left, &right),
        };
        let (variable, term) = (printer.term(variable), printer.term(term));
        Some(format!(
            "GDL has no `{operator}`: write `{term}` itself in the place of `{variable}`, or `(not {distinct})`; and `{distinct}` for \
             `(not ({operator} ...))`"
        ))
    }

    /// What an undefined name may be a slip for, the likeliest first: what is defined and never used, keywords, other predicates, fluents.
    fn suggestions(&self, fluents: &FxHashSet<Predicate>, builder: &Builder<'_>) -> Suggestions {
        let keywords = &builder.keywords;
        let sorted = |some: &FxHashSet<Predicate>| {
            let mut some: Vec<Predicate> = some.iter().copied().collect();
            some.sort_unstable_by_key(|it| (it.name, it.arity));
            some.truncate(MOST_COMPARED);
            some
        };
        let words = keywords.all().into_iter().filter(|&it| it != keywords.implied_by);
        let words =
            words.map(|name| Predicate { name, arity: keywords.arity(name).unwrap_or(ANY) });
        [self.unused(builder), words.collect(), sorted(&self.defined), sorted(fluents)]
    }

    /// What is defined and never used, in the order of the text.
    fn unused(&self, builder: &Builder<'_>) -> Vec<Predicate> {
        let mut seen = FxHashSet::default();
        let heads = self.statements.iter().map(|it| it.head.predicate());
        let unused = heads.filter(|head| {
            !self.used.contains_key(head)
                && !builder.keywords.contains(head.name)
                && seen.insert(*head)
        });
        unused.take(MOST_COMPARED).collect()
    }

    /// Warns of words outside of any list, once for each word, unless a body uses it as a
    /// predicate.
    pub(super) fn stray_words(&self, builder: &Builder<'_>, warnings: &mut Vec<Diagnostic>) {
        let mut seen = FxHashSet::default();
        for statement in self.statements {
            let head = &statement.head;
            let predicate = head.predicate();
            let is_word = statement.body.is_empty()
                && predicate.arity == 0
                && !builder.source[head.span.range()].starts_with('(')
                && statement.span == head.span;
            if is_word
                && !builder.keywords.contains(head.predicate)
                && !self.used.contains_key(&predicate)
                && seen.insert(predicate)
            {
                let name = builder.symbols.name(head.predicate);
                let text = format!("the stray word `{name}` is taken for a fact");
                let help = "no rule uses it; are parentheses missing around it?";
                warnings.push(Diagnostic::warning("GF0203", text, head.span).with_help(help));
            }
        }
    }

    /// Warns of rules whose arrow is that of another language, or has a space in it: they are taken for facts.
    pub(super) fn arrows(&self, builder: &Builder<'_>, warnings: &mut Vec<Diagnostic>) {
        let is_equals = |term: &Term| match term {
            Term::Constant(name) => builder.symbols.name(*name) == "=",
            _ => false,
        };
        for Statement { head, .. } in self.statements.iter().filter(|it| it.body.is_empty()) {
            let arrow = builder.symbols.name(head.predicate);
            let is_split = || arrow == "<" && head.arguments.first().is_some_and(is_equals);
            if (is_arrow(arrow) || is_split())
                && !self.used.contains_key(&head.predicate())
                && head.arguments.iter().any(|it| self.is_sentence(it, builder))
            {
                let text = format!("`{arrow}` is taken for the predicate of a fact");
                let help = "a rule is written `(<= head condition ...)`";
                warnings.push(Diagnostic::warning("GF0205", text, head.span).with_help(help));
            }
        }
    }

    /// Whether a term would be a sentence about something that the game knows.
    fn is_sentence(&self, term: &Term, builder: &Builder<'_>) -> bool {
        let (name, arity) = match term {
            Term::Variable(_) => return false,
            Term::Constant(name) => (*name, 0),
            Term::Compound(it) => (it.functor, it.arguments.len()),
        };
        let Ok(arity) = u32::try_from(arity) else { return false };
        let predicate = Predicate { name, arity };
        builder.keywords.arity(name) == Some(arity)
            || self.defined.contains(&predicate)
            || self.used.contains_key(&predicate)
    }

    /// What can hold in a state, by name and number of arguments.
    fn fluents(&self, builder: &Builder<'_>) -> FxHashSet<Predicate> {
        let keywords = &builder.keywords;
        let mut fluents = FxHashSet::default();
        let mut see = |atom: &super::Atom| {
            if ![keywords.init, keywords.next, keywords.true_].contains(&atom.predicate) {
                return;
            }
            fluents.extend(atom.arguments.iter().filter_map(|term| match term {
                Term::Variable(_) => None,
                Term::Constant(name) => Some(Predicate { name: *name, arity: 0 }),
                Term::Compound(compound) => {
                    let arity = u32::try_from(compound.arguments.len()).ok()?;
                    Some(Predicate { name: compound.functor, arity })
                }
            }));
        };
        for statement in self.statements {
            see(&statement.head);
            statement.body.iter().for_each(|formula: &Formula| formula.for_each_atom(&mut see));
        }
        fluents
    }
}

/// So many of the undefined predicates, the first ones, are compared with what is spelled alike.
const MOST_SUGGESTIONS: usize = 256;
/// Names of a kind that are looked at to find one that is spelled alike.
const MOST_COMPARED: usize = 256;
/// The number of arguments of what takes any number.
const ANY: u32 = u32::MAX;

/// What a name may be a slip for, by kind.
type Suggestions = [Vec<Predicate>; 4];

/// What may be meant by the name of a predicate that is never defined: what is spelled most like it and takes as many arguments.
fn alike(predicate: Predicate, suggestions: &Suggestions, builder: &Builder<'_>) -> Option<String> {
    let name = builder.symbols.name(predicate.name);
    let ranked = suggestions.iter().enumerate();
    let ranked = ranked.flat_map(|(rank, some)| some.iter().map(move |it| (rank, it)));
    let fits = |arity| arity == predicate.arity || arity == ANY;
    let near = ranked.filter(|(_, it)| fits(it.arity)).filter_map(|(rank, it)| {
        let other = builder.symbols.name(it.name);
        Some((super::slip(name, other)?, rank, other))
    });
    let (_, rank, other) = near.min_by_key(|it| (it.0, it.1))?;
    Some(match (rank, predicate.arity) {
        (0, _) => format!("did you mean `{other}`, which is defined and never used?"),
        (3, 0) => format!("did you mean `(true {other})`?"),
        (3, _) => format!("did you mean `(true ({other} ...))`?"),
        _ => format!("did you mean `{other}`?"),
    })
}

/// Whether a name says that two terms differ, in another language.
fn is_inequality(name: &str) -> bool {
    matches!(name, "!=" | "/=" | "\\=" | "<>" | "=/=" | "~=")
}

/// Whether a name is the arrow of a rule, here or in another language.
pub(crate) fn is_arrow(name: &str) -> bool {
    matches!(name, "=>" | "->" | "<-" | ":-" | "<==" | "<=")
}

/// Warns of each group of names that differ only in case. Variables do not count, and neither do
/// keywords where they are used as such.
///
/// `undefined` has the names of predicates that are used and never defined: there, most likely,
/// another name of the group is meant.
pub(super) fn letter_case(
    builder: &Builder<'_>,
    undefined: &FxHashSet<Symbol>,
    warnings: &mut Vec<Diagnostic>,
) {
    let symbols = &builder.symbols;
    let first_use = |symbol: Symbol| builder.first_uses.get(symbol.index()).copied().flatten();
    let mut groups: FxHashMap<String, Vec<(Span, Symbol)>> = FxHashMap::default();
    for (symbol, name) in symbols.iter() {
        if let Some(span) = first_use(symbol)
            && !name.starts_with('?')
            && name.chars().any(char::is_uppercase)
        {
            groups.entry(name.to_lowercase()).or_default().push((span, symbol));
        }
    }
    for (lower, mut group) in groups {
        if let Some(symbol) = symbols.get(&lower)
            && let Some(span) = first_use(symbol)
        {
            group.push((span, symbol));
        }
        group.sort_unstable();
        // Some capitals, such as the mathematical ones, have no small letter: then `symbol` was
        // there already.
        group.dedup();
        if group.len() > 1 {
            warnings.push(letter_case_warning(builder, undefined, &group));
        }
    }
}

fn letter_case_warning(
    builder: &Builder<'_>,
    undefined: &FxHashSet<Symbol>,
    group: &[(Span, Symbol)],
) -> Diagnostic {
    let quoted = |symbols: &mut dyn Iterator<Item = Symbol>| {
        let names: Vec<String> =
            symbols.map(|symbol| format!("`{}`", builder.symbols.name(symbol))).collect();
        names.join(" and ")
    };
    let names = quoted(&mut group.iter().map(|&(_, symbol)| symbol));
    let missing = group.iter().map(|&(_, symbol)| symbol).filter(|name| undefined.contains(name));
    let missing = quoted(&mut missing.into_iter());
    let text = match missing.is_empty() {
        true => format!("{names} differ only in case and are different names"),
        false => format!(
            "{names} differ only in case and are different names, and {missing} is never defined: \
             most likely one name is meant"
        ),
    };
    let (first, _) = group[0];
    let warning = Diagnostic::warning("GF0202", text, first);
    let warning = group[1..].iter().fold(warning, |warning, &(span, symbol)| {
        let text = format!("`{}` for the first time", builder.symbols.name(symbol));
        warning.with_label(span, text)
    });
    warning.with_help("if they are meant to be one name, fold case (`--fold-case`)")
}

/// Longer names are not compared.
const LONGEST: usize = 64;

/// How many letters two names differ in, if that is so few that the first may be a slip for the other: one in a short name, two
/// in a longer one. Case does not count, and names that differ in numbers alone, as `row1` and `row2`, differ on purpose.
///
/// ```
/// use groundfrog::description::slip;
/// assert_eq!(slip("termnal", "terminal"), Some(1));
/// assert_eq!(slip("lmap", "lamp"), Some(1));
/// assert_eq!(slip("row1", "row2"), None);
/// assert_eq!(slip("north", "south"), None);
/// ```
#[must_use]
pub fn slip(name: &str, other: &str) -> Option<usize> {
    let is_long = name.len() > LONGEST || other.len() > LONGEST;
    if name == other || is_long || name.len().abs_diff(other.len()) > 4 {
        return None;
    }
    let (name, other) = (name.to_lowercase(), other.to_lowercase());
    let letters = strsim::osa_distance(&name, &other);
    let length = name.chars().count();
    // In a short name two letters are much of it.
    let most = if length < 6 { 1 } else { 2 };
    // Numbers are different on purpose, and a letter or two beside one are a code.
    let without = |it: &str| it.replace(char::is_numeric, "");
    let (word, other_word) = (without(&name), without(&other));
    let is_numbered = word != name || other_word != other;
    let is_code = word == other_word || word.len().min(other_word.len()) < 3;
    let is_plain = letters == 0 || !is_numbered || !is_code;
    (letters <= most && letters < length && is_plain).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::slip;

    #[test]
    fn a_letter_or_two_may_be_a_slip() {
        for (name, other, letters) in [
            ("gaol", "goal", 1),
            ("Cell", "cell", 0),
            ("neigbor", "neighbour", 2),
            ("nxt", "next", 1),
        ] {
            assert_eq!(slip(name, other), Some(letters), "{name}");
        }
        for (name, other) in
            [("x", "y"), ("left", "right"), ("cell", "cell"), ("m12", "12"), ("x12", "x21")]
        {
            assert_eq!(slip(name, other), None, "{name}");
        }
    }
}
