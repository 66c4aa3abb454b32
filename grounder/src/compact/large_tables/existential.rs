//! Arguments whose values nobody uses: a view goes without them (Ramakrishnan, Beeri and Krishnamurthy, "Optimizing existential
//! Datalog queries", 1988).
//!
//! ```text
//! (<= (reach ?k ?x) (true (king ?k)) (near ?k ?x))
//! (<= (reach ?k ?y) (reach ?k ?x) (not (true (wall ?x))) (near ?x ?y))
//! (<= home (reach ?k 9))
//! ```
//!
//! Which king gets home does not matter, so that `reach` need not say whose cells it is about. An argument of a use is existential
//! if it is a variable that stands nowhere else in its rule's body, and in the head only in arguments that are existential in every
//! use. The view without the argument holds where the view holds for any value.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Arguments};

use crate::compact::unfolding::{for_each_argument, renumbered};
use crate::description::Predicate;
use crate::flat::{FlatAtom, FlatProgram, FlatRule, FormId, Forms, LiteralKind, ShapeId};
use crate::rewrite::statics::Statics;
use crate::symbols::{Symbols, fresh};

/// By form: which of its columns are used.
type Uses = Vec<Vec<bool>>;

/// Drops the arguments of dynamic predicates whose values nobody uses, but for those that are `fixed`.
pub fn project(
    flat: &mut FlatProgram,
    forms: &mut Forms,
    symbols: &mut Symbols,
    statics: &mut Statics,
    is_fixed: impl Fn(Predicate) -> bool,
) {
    let uses = uses(flat, forms, |form| {
        let predicate = forms.form(form).predicate;
        statics.is_dynamic(predicate) && !is_fixed(predicate)
    });
    let mut shorter: FxHashMap<FormId, FlatAtom> = FxHashMap::default();
    for (form, used) in (0..).map(FormId).zip(&uses).filter(|it| it.1.contains(&false)) {
        let columns = used.iter().filter(|&&it| it).count();
        let of_view = symbols.name(forms.form(form).predicate.name);
        let name = fresh(symbols, &format!("{of_view}_any"));
        let predicate = Predicate { name, arity: columns as u32 };
        statics.set_dynamic(predicate);
        let form_without = forms.intern(predicate, &vec![ShapeId::HOLE; columns]);
        shorter.insert(form, FlatAtom { form: form_without, name, arguments: Arguments::new() });
    }
    if shorter.is_empty() {
        return;
    }
    let shorten = |atom: &mut FlatAtom| {
        let Some(without) = shorter.get(&atom.form) else { return };
        let used = atom.arguments.iter().zip(&uses[atom.form.index()]).filter(|it| *it.1);
        *atom = FlatAtom { arguments: used.map(|it| *it.0).collect(), ..without.clone() };
    };
    // Rules that differ in what is dropped become the same.
    let mut present = FxHashSet::default();
    flat.rules.retain_mut(|rule| {
        let before = rule.clone();
        shorten(&mut rule.head);
        for literal in &mut rule.body {
            if let LiteralKind::Positive(atom) | LiteralKind::Negative(atom) = &mut literal.kind {
                shorten(atom);
            }
        }
        if *rule == before {
            return true;
        }
        let mut literals = FxHashSet::default();
        rule.body.retain(|it| literals.insert(it.clone()));
        *rule = renumbered(rule);
        let derives_itself =
            rule.body.iter().any(|it| it.is_positive() && it.atom() == Some(&rule.head));
        !derives_itself && present.insert((rule.head.clone(), rule.body.clone()))
    });
}

/// Which columns of candidates are used; of other forms all are.
fn uses(flat: &FlatProgram, forms: &Forms, is_candidate: impl Fn(FormId) -> bool) -> Uses {
    let all = |form, used| vec![used; forms.columns(form)];
    let mut uses: Uses = forms.iter().map(|(form, _)| all(form, !is_candidate(form))).collect();
    flat.facts(forms).for_each(|(form, _)| uses[form.index()].fill(true));
    let mut is_called = vec![false; forms.len()];
    // An argument of a literal that is used if that of the head is: the forms and columns of both.
    let mut passed_on = Vec::new();
    for rule in &flat.rules {
        let places = places(rule);
        for literal in &rule.body {
            let Some(atom) = literal.atom() else { continue };
            is_called[atom.form.index()] |= atom.form != rule.head.form;
            for (column, argument) in atom.arguments.iter().enumerate() {
                if !literal.is_positive() || places.get(argument) != Some(&1) {
                    uses[atom.form.index()][column] = true;
                    continue;
                }
                for (of_head, other) in rule.head.arguments.iter().enumerate() {
                    if other == argument {
                        passed_on
                            .push(((rule.head.form.index(), of_head), (atom.form.index(), column)));
                    }
                }
            }
        }
    }
    // What nobody calls is nobody's business here.
    let nowhere = (0..forms.len()).filter(|&it| !is_called[it]);
    nowhere.for_each(|form| uses[form].fill(true));
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for &((head, of_head), (form, column)) in &passed_on {
            if uses[head][of_head] && !uses[form][column] {
                uses[form][column] = true;
                has_changed = true;
            }
        }
    }
    uses
}

/// By variable: in how many places it stands in the body of a rule.
fn places(rule: &FlatRule) -> FxHashMap<Argument, u32> {
    let mut places = FxHashMap::default();
    for literal in &rule.body {
        for_each_argument(&literal.kind, &mut |argument| {
            if argument.variable().is_some() {
                *places.entry(argument).or_default() += 1;
            }
        });
    }
    places
}
