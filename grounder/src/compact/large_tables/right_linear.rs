//! Recursion that passes its answer on: the context of the first call and the answer need no common table (Naughton,
//! Ramakrishnan, Sagiv and Ullman, "Argument reduction by factoring", 1989).
//!
//! ```text
//! (<= (count ?n) (count_from a1 0 ?n))
//! (<= (count_from ?x ?m ?n) (count_one ?x ?m ?k) (next_cell ?x ?y) (count_from ?y ?k ?n))
//! (<= (count_from ?x ?n ?n) (last ?x))
//! ```
//!
//! becomes
//!
//! ```text
//! (<= (count ?n) (count_from_end ?n))
//! (<= (count_from_step ?y ?k) (count_from_step ?x ?m) (count_one ?x ?m ?k) (next_cell ?x ?y))
//! (<= (count_from_end ?n) (count_from_step ?x ?n) (last ?x))
//! (count_from_step a1 0)
//! ```
//!
//! All that is called from elsewhere is one context of constants. Whatever follows from it by steps has its answers at the end,
//! and these are the answers of the first call.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Arguments};

use crate::compact::unfolding::{for_each_argument, variables_of};
use crate::description::Predicate;
use crate::flat::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind, ShapeId,
};
use crate::rewrite::statics::Statics;
use crate::symbols::{Symbols, fresh};

/// A predicate whose recursion passes its answer on.
struct Recursion {
    form: FormId,
    /// By column: whether it is a part of the answer.
    is_answer: Vec<bool>,
    /// What it is called with from elsewhere.
    context: Arguments,
}

/// Takes predicates apart whose recursion passes its answer on, but for those that are `fixed`. Returns the predicates that hold of
/// what is called only.
pub fn factor(
    flat: &mut FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    statics: &mut Statics,
    is_fixed: impl Fn(Predicate) -> bool,
) -> Vec<FormId> {
    let mut called = Vec::new();
    for recursion in recursions(flat, forms, |form| {
        let predicate = forms.form(form).predicate;
        statics.is_dynamic(predicate) && !is_fixed(predicate)
    }) {
        let name = forms.form(recursion.form).predicate.name;
        let mut part = |suffix: &str, of_answer: bool| {
            let columns = recursion.is_answer.iter().filter(|&&it| it == of_answer).count();
            let name = fresh(symbols, &format!("{}_{suffix}", symbols.name(name)));
            let predicate = Predicate { name, arity: columns as u32 };
            statics.set_dynamic(predicate);
            let form = forms.intern(predicate, &vec![ShapeId::HOLE; columns]);
            FlatAtom { form, name, arguments: Arguments::new() }
        };
        let [step, end] = [part("step", false), part("end", true)];
        let with = |part: &FlatAtom, atom: &FlatAtom, of_answer: bool| FlatAtom {
            arguments: columns(atom, &recursion.is_answer, of_answer).collect(),
            ..part.clone()
        };
        let of_step = |atom: &FlatAtom| with(&step, atom, false);
        let of_end = |atom: &FlatAtom| with(&end, atom, true);
        let mut first = None;
        for rule in &mut flat.rules {
            let call = rule.body.iter().position(|it| it.form() == Some(recursion.form));
            let is_own = rule.head.form == recursion.form;
            match (call, is_own) {
                (None, false) => {}
                // Elsewhere: it has been called with the context.
                (Some(_), false) => {
                    first.get_or_insert(rule.origin);
                    let calls = rule.body.iter_mut().filter(|it| it.form() == Some(recursion.form));
                    for literal in calls {
                        if let LiteralKind::Positive(atom) = &mut literal.kind {
                            *atom = of_end(atom);
                        }
                    }
                }
                (call, true) => {
                    let head = std::mem::replace(&mut rule.head, end.clone());
                    let taken = FlatLiteral {
                        kind: LiteralKind::Positive(of_step(&head)),
                        joined: true,
                        stored: true,
                    };
                    rule.head =
                        match call.map(|at| std::mem::replace(&mut rule.body[at], taken.clone())) {
                            Some(FlatLiteral { kind: LiteralKind::Positive(atom), .. }) => {
                                of_step(&atom)
                            }
                            _ => {
                                rule.body.push(taken);
                                of_end(&head)
                            }
                        };
                }
            }
        }
        called.push(step.form);
        let head = FlatAtom { arguments: recursion.context, ..step };
        let body = Vec::new();
        flat.rules.extend(first.map(|origin| FlatRule { head, body, origin, stored: true }));
    }
    called
}

/// The arguments of the answer, or those of the context.
fn columns<'a>(
    atom: &'a FlatAtom,
    is_answer: &'a [bool],
    of_answer: bool,
) -> impl Iterator<Item = Argument> + 'a {
    let all = atom.arguments.iter().zip(is_answer);
    all.filter(move |it| *it.1 == of_answer).map(|it| *it.0)
}

/// The predicates whose recursion passes its answer on, those first that come first.
fn recursions(
    flat: &FlatProgram,
    forms: &Forms,
    is_candidate: impl Fn(FormId) -> bool,
) -> Vec<Recursion> {
    let mut answers: FxHashMap<FormId, Vec<bool>> = FxHashMap::default();
    for rule in &flat.rules {
        let form = rule.head.form;
        let Some(call) = call(rule).filter(|_| is_candidate(form)) else { continue };
        let is_answer = answers.entry(form).or_insert_with(|| vec![true; forms.columns(form)]);
        for (column, is_answer) in is_answer.iter_mut().enumerate() {
            *is_answer &= passes_on(rule, call, column);
        }
    }
    let facts: FxHashSet<FormId> = flat.facts(forms).map(|it| it.0).collect();
    answers.retain(|form, is_answer| {
        !facts.contains(form) && is_answer.contains(&true) && is_answer.contains(&false)
    });
    let mut recursions: Vec<Recursion> = answers
        .into_iter()
        .filter_map(|(form, is_answer)| {
            let context = context(flat, form, &is_answer)?;
            Some(Recursion { form, is_answer, context })
        })
        .collect();
    recursions.sort_unstable_by_key(|it| it.form);
    recursions
}

/// The literal by which a rule calls the predicate that it derives.
fn call(rule: &FlatRule) -> Option<&FlatAtom> {
    rule.body.iter().filter_map(FlatLiteral::atom).find(|it| it.form == rule.head.form)
}

/// Whether a recursive rule does nothing with an argument but to pass it on.
fn passes_on(rule: &FlatRule, call: &FlatAtom, column: usize) -> bool {
    let variable = rule.head.arguments[column];
    let mut uses = 0;
    rule.head.arguments.iter().for_each(|&it| uses += usize::from(it == variable));
    for literal in &rule.body {
        for_each_argument(&literal.kind, &mut |it| uses += usize::from(it == variable));
    }
    variable.variable().is_some() && call.arguments[column] == variable && uses == 2
}

/// The constants that a predicate is called with from elsewhere; `None` if they are not the same everywhere, or its own rules
/// cannot be turned round.
fn context(flat: &FlatProgram, form: FormId, is_answer: &[bool]) -> Option<Arguments> {
    let mut context: Option<Arguments> = None;
    for rule in &flat.rules {
        let is_own = rule.head.form == form;
        let calls = rule.body.iter().filter(|it| it.form() == Some(form));
        for (number, literal) in calls.enumerate() {
            let LiteralKind::Positive(atom) = &literal.kind else { return None };
            let called: Arguments = columns(atom, is_answer, false).collect();
            if is_own {
                // What it calls with has to be bound by what is left.
                let mut bound: Vec<u32> =
                    columns(&rule.head, is_answer, false).filter_map(|it| it.variable()).collect();
                let joined = rule.body.iter().filter(|it| it.is_positive() && it.joined);
                let others = joined.filter(|it| it.form() != Some(form));
                others.for_each(|it| bound.extend(variables_of(it)));
                let mut variables = called.iter().filter_map(|it| it.variable());
                if number > 0 || !rule.stored || !variables.all(|it| bound.contains(&it)) {
                    return None;
                }
            } else if called.iter().any(|it| it.variable().is_some())
                || context.as_ref().is_some_and(|it| *it != called)
            {
                return None;
            } else {
                context = Some(called);
            }
        }
    }
    context
}
