//! Recursive views that are used from one place alone: what they come to and what they end with are told apart
//! (Naughton, Ramakrishnan, Sagiv & Ullman, "Argument reduction by factoring", 1989).
//!
//! ```text
//! (<= (path ?x ?z) (true (road ?x ?z)))
//! (<= (path ?x ?z) (true (road ?x ?y)) (path ?y ?z))
//! (<= (next (served ?z)) (path depot ?z))
//! ```
//!
//! All uses begin at the depot, and where a path ends is passed on as it is. One view says what a path from the depot comes
//! to, another one what it ends with:
//!
//! ```text
//! (path_met depot)
//! (<= (path_met ?y) (path_met ?x) (true (road ?x ?y)))
//! (<= (path_any ?z) (path_met ?x) (true (road ?x ?z)))
//! (<= (next (served ?z)) (path_any ?z))
//! ```
//!
//! With n places there are n instances of the last rule for each place that has roads, and not for each pair of places. `path`
//! holds for the depot and `z` if `path_any` holds for `z`: a derivation of one, read from its other end, is one of the other.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Arguments};

use crate::compact::variables::for_each_argument;
use crate::description::Predicate;
use crate::flat::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind, ShapeId,
};
use crate::rewrite::statics::Statics;
use crate::symbols::{Symbols, fresh};

/// A recursive view that is used from one place alone.
struct Recursion {
    view: FormId,
    /// By column: whether recursive rules pass it on.
    is_passed: Vec<bool>,
    /// What all uses have in the other columns.
    start: Arguments,
}

/// Replaces the views that are used from one place alone. Returns them, as nothing mentions them any more, each with the
/// predicate of what it comes to. What is `fixed` stays.
pub fn reduce(
    flat: &mut FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    statics: &mut Statics,
    is_fixed: impl Fn(FormId) -> bool,
) -> Vec<(FormId, Predicate)> {
    let passing = |rule: &&FlatRule| {
        rule.stored && own_literal(rule).is_some_and(|it| passed(rule, it).contains(&true))
    };
    let mut views: Vec<FormId> =
        flat.rules.iter().filter(passing).map(|rule| rule.head.form).collect();
    views.sort_unstable();
    views.dedup();
    let mut reduced = Vec::new();
    for view in views {
        if is_fixed(view) || flat.facts(forms).any(|(form, _)| form == view) {
            continue;
        }
        let recursion = recursion(&flat.rules, view);
        let factored = recursion.and_then(|it| factored(&it, &flat.rules, forms, symbols, statics));
        if let Some((rules, met)) = factored {
            flat.rules = rules;
            reduced.push((view, met));
        }
    }
    reduced
}

/// Where a rule's body has the view of its head.
fn own_literal(rule: &FlatRule) -> Option<usize> {
    rule.body.iter().position(|literal| literal.form() == Some(rule.head.form))
}

/// By column: whether a recursive rule passes it on, as a variable that stands nowhere else.
fn passed(rule: &FlatRule, at: usize) -> Vec<bool> {
    let mut uses: FxHashMap<Argument, u32> = FxHashMap::default();
    let mut count = |argument| *uses.entry(argument).or_insert(0) += 1;
    rule.head.arguments.iter().for_each(|&argument| count(argument));
    rule.body.iter().for_each(|literal| for_each_argument(&literal.kind, &mut count));
    let own = rule.body[at].atom().into_iter().flat_map(|atom| &atom.arguments);
    let columns = rule.head.arguments.iter().zip(own);
    columns.map(|(one, other)| one == other && one.variable().is_some() && uses[one] == 2).collect()
}

/// How a view is used and recurs, if it may be replaced.
fn recursion(rules: &[FlatRule], view: FormId) -> Option<Recursion> {
    let mut is_passed: Option<Vec<bool>> = None;
    for rule in rules.iter().filter(|rule| rule.head.form == view) {
        let Some(at) = own_literal(rule) else { continue };
        let literal = &rule.body[at];
        let is_only = !rule.body[at + 1..].iter().any(|other| other.form() == Some(view));
        if !(literal.is_positive() && literal.joined && literal.stored && is_only) {
            return None;
        }
        let passed = passed(rule, at);
        is_passed = Some(match is_passed {
            Some(all) => all.iter().zip(passed).map(|(&one, other)| one && other).collect(),
            None => passed,
        });
    }
    let is_passed = is_passed.filter(|it| it.contains(&true) && it.contains(&false))?;
    let others = rules.iter().filter(|rule| rule.head.form != view).flat_map(|rule| &rule.body);
    let uses = others.filter_map(FlatLiteral::atom).filter(|atom| atom.form == view);
    let mut starts = uses.map(|atom| columns(atom, &is_passed, false));
    let start = starts.next()?;
    if starts.any(|other| other != start) {
        return None;
    }
    start.iter().all(|argument| argument.variable().is_none()).then_some(Recursion {
        view,
        is_passed,
        start,
    })
}

/// The arguments in the columns that are passed on, or in the others.
fn columns(atom: &FlatAtom, is_passed: &[bool], wanted: bool) -> Arguments {
    let columns = atom.arguments.iter().zip(is_passed);
    columns.filter(|&(_, &is_passed)| is_passed == wanted).map(|(&argument, _)| argument).collect()
}

/// All rules, with two views in the place of one, and what the recursion comes to; nothing if some would have variables that
/// nothing binds.
fn factored(
    recursion: &Recursion,
    rules: &[FlatRule],
    forms: &mut Forms,
    symbols: &mut Symbols,
    statics: &mut Statics,
) -> Option<(Vec<FlatRule>, Predicate)> {
    let Recursion { view, is_passed, start } = recursion;
    let is_own = |rule: &&FlatRule| rule.head.form == *view;
    if !rules.iter().filter(is_own).all(|rule| is_bound_from_met(rule, is_passed)) {
        return None;
    }
    let mut new = |suffix, columns: usize| {
        let name = symbols.name(forms.form(*view).predicate.name);
        let name = fresh(symbols, &format!("{name}_{suffix}"));
        let predicate = Predicate { name, arity: columns as u32 };
        statics.set_dynamic(predicate, true);
        (forms.intern(predicate, &vec![ShapeId::HOLE; columns]), name)
    };
    let (met, any) = (new("met", start.len()), new("any", is_passed.len() - start.len()));
    let part = |(form, name), atom: &FlatAtom, wanted| FlatAtom {
        form,
        name,
        arguments: columns(atom, is_passed, wanted),
    };
    let mut result = Vec::with_capacity(rules.len() + 1);
    for rule in rules {
        let mut rule = rule.clone();
        if is_own(&&rule) {
            let before = LiteralKind::Positive(part(met, &rule.head, false));
            rule.head = match own_literal(&rule).map(|at| rule.body.remove(at).kind) {
                Some(LiteralKind::Positive(atom)) => part(met, &atom, false),
                _ => part(any, &rule.head, true),
            };
            rule.body.insert(0, FlatLiteral { kind: before, joined: true, stored: true });
        }
        for literal in &mut rule.body {
            if let LiteralKind::Positive(atom) | LiteralKind::Negative(atom) = &mut literal.kind
                && atom.form == *view
            {
                *atom = part(any, atom, true);
            }
        }
        result.push(rule);
    }
    let origin = rules.iter().find(is_own)?.origin;
    let head = FlatAtom { form: met.0, name: met.1, arguments: start.clone() };
    result.push(FlatRule { head, body: Vec::new(), origin, stored: true });
    Some((result, forms.form(met.0).predicate))
}

/// Whether what a rule of a recursive view needs is bound where its head is met and its own view is not looked at.
fn is_bound_from_met(rule: &FlatRule, is_passed: &[bool]) -> bool {
    let own = own_literal(rule);
    let rest = || (0..).zip(&rule.body).filter(|&(at, _)| Some(at) != own).map(|it| it.1);
    let mut bound: FxHashSet<Argument> =
        columns(&rule.head, is_passed, false).into_iter().collect();
    rest().filter(|it| it.is_positive() && it.joined).for_each(|literal| {
        for_each_argument(&literal.kind, &mut |argument| _ = bound.insert(argument));
    });
    let mut is_bound = true;
    let mut check = |argument: Argument| {
        is_bound &= argument.variable().is_none() || bound.contains(&argument);
    };
    rest().for_each(|literal| for_each_argument(&literal.kind, &mut check));
    match own.and_then(|at| rule.body[at].atom()) {
        Some(atom) => columns(atom, is_passed, false).into_iter().for_each(check),
        None => columns(&rule.head, is_passed, true).into_iter().for_each(check),
    }
    is_bound
}
