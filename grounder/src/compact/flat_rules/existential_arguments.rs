//! Arguments whose values nobody uses (Ramakrishnan, Beeri & Krishnamurthy, "Optimizing existential Datalog queries",
//! 1988): a view goes without them.
//!
//! ```text
//! (<= (reach ?k ?x) (true (king ?k)) (near ?k ?x))
//! (<= (reach ?k ?y) (reach ?k ?x) (not (true (wall ?x))) (near ?x ?y))
//! (<= home (reach ?k 9))
//! ```
//!
//! Which king gets home does not matter, so that `reach` need not say whose cells it is about. An argument of a use is
//! *existential* if it is a variable that stands nowhere else in its rule's body, and in the head only in arguments that are
//! existential in every use. What all uses of a view, those in its own rules included, have there goes: the view
//! without the argument holds where the view holds for any value. By induction over the strata and the steps of the least
//! model, the shortened rules derive exactly that.
//!
//! Whether a use needs the value may depend on a condition that can be moved to where the recursion begins, see
//! [`selections`], or to where it ends, see [`factoring`].

mod factoring;
mod passed_on;
mod passing;
mod queries;
mod query;
mod recursive_views;
mod selections;

use fxhash::{FxHashMap, FxHashSet};
use groundfrog_engine::{Argument, Exceeded};
use smallvec::SmallVec;

use super::linear_recursion::Closure;
use super::redundant_arguments::Filtered;
use crate::compact::variables::{for_each_argument, renumbered};
use crate::description::Predicate;
use crate::flat::{
    FlatAtom, FlatLiteral, FlatProgram, FlatRule, FormId, Forms, LiteralKind, ShapeId,
};
use crate::rewrite::statics::Statics;
use crate::symbols::{Symbol, Symbols, fresh};
use crate::ticker::Ticker;

/// Rules, and what is known of their predicates.
#[derive(Debug)]
pub struct Definitions<'run> {
    /// The rules and facts.
    pub flat: &'run mut FlatProgram,
    /// The forms of their predicates.
    pub forms: &'run mut Forms,
    /// The names of these.
    pub symbols: &'run mut Symbols,
    /// Which of them depend on the state.
    pub statics: &'run mut Statics,
    /// The name of what holds in the state.
    pub true_: Symbol,
    /// The name of what the roles do.
    pub does: Symbol,
    /// Predicates that only hold of what is demanded: they need not be restricted to that.
    pub met: Vec<Predicate>,
}

impl Definitions<'_> {
    /// A view with some columns of another.
    fn shortened(&mut self, view: FormId, called: &str, kept: usize) -> FormId {
        let of_view = self.forms.form(view).predicate;
        let name = fresh(self.symbols, &format!("{}_{called}", self.symbols.name(of_view.name)));
        let predicate = Predicate { name, arity: kept as u32 };
        self.statics.set_dynamic(predicate, true);
        self.forms.intern(predicate, &vec![ShapeId::HOLE; kept])
    }

    /// Puts a view with these of its columns in the place of an atom's.
    fn shorten(&self, atom: &mut FlatAtom, rest: FormId, kept: &[usize]) {
        atom.arguments = kept.iter().map(|&column| atom.arguments[column]).collect();
        atom.form = rest;
        atom.name = self.forms.form(rest).predicate.name;
    }
}

/// Removes the arguments of views that are not `fixed` whose values nobody uses. Transitive closures that have lost some
/// are none that can be stored otherwise. Returns the views that have lost some.
///
/// # Errors
/// A limit that was exceeded.
pub fn project(
    definitions: &mut Definitions<'_>,
    closures: &mut Vec<Closure>,
    is_fixed: impl Fn(Predicate) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    // A view that comes of this is none that the game needs.
    let views: Vec<bool> = views(definitions, is_fixed);
    if !views.contains(&true) {
        return Ok(Vec::new());
    }
    let is_view = |form: FormId| views.get(form.index()).is_none_or(|it| *it);
    let projected = project_views(definitions, &is_view, ticker)?;
    if !projected.is_empty() {
        closures.retain(|it| it.is_among(&definitions.flat.rules));
        passed_on::unfold(definitions.flat, definitions.forms, &projected, ticker)?;
    }
    Ok(projected)
}

/// By form: whether it is a view with arguments that may lose some.
fn views(definitions: &Definitions<'_>, is_fixed: impl Fn(Predicate) -> bool) -> Vec<bool> {
    let Definitions { flat, forms, statics, .. } = definitions;
    let mut views = vec![false; forms.len()];
    for rule in &flat.rules {
        let (form, is_view) = (rule.head.form, &mut views[rule.head.form.index()]);
        if !*is_view && !rule.head.arguments.is_empty() {
            let predicate = forms.form(form).predicate;
            *is_view = statics.is_dynamic(predicate) && !is_fixed(predicate);
        }
    }
    views
}

fn project_views(
    definitions: &mut Definitions<'_>,
    is_view: &impl Fn(FormId) -> bool,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Filtered>, Exceeded> {
    let mut projected = Vec::new();
    loop {
        let uses = Uses::new(definitions, is_view, ticker)?;
        if uses.any_existential() {
            projected.extend(drop_existential(definitions, &uses));
        }
        let restricted = recursive_views::restrict(definitions, is_view, ticker)?;
        if restricted.is_empty() {
            return Ok(projected);
        }
        projected.extend(restricted);
    }
}

/// How often the body of a rule has each variable.
pub(super) struct Occurrences(SmallVec<[u32; 32]>);

impl Occurrences {
    fn of(rule: &FlatRule) -> Self {
        let mut counts: SmallVec<[u32; 32]> = SmallVec::new();
        let mut count = |it: Argument| {
            let Some(variable) = it.variable().map(|it| it as usize) else { return };
            if counts.len() <= variable {
                counts.resize(variable + 1, 0);
            }
            counts[variable] += 1;
        };
        rule.body.iter().for_each(|literal| for_each_argument(&literal.kind, &mut count));
        Occurrences(counts)
    }

    fn is_single(&self, variable: u32) -> bool {
        self.0.get(variable as usize) == Some(&1)
    }
}

/// Which arguments are demanded.
struct Uses {
    /// By form: where its columns begin.
    first: Vec<usize>,
    /// By column of a form: whether its values are demanded.
    is_asked: Vec<bool>,
}

impl Uses {
    fn new(
        definitions: &Definitions<'_>,
        is_view: &impl Fn(FormId) -> bool,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        let forms = &definitions.forms;
        let mut uses = Uses { first: Vec::with_capacity(forms.len() + 1), is_asked: Vec::new() };
        for (form, _) in forms.iter() {
            uses.first.push(uses.is_asked.len());
            uses.is_asked.resize(uses.is_asked.len() + forms.columns(form), !is_view(form));
        }
        uses.first.push(uses.is_asked.len());
        let mut is_used = vec![false; forms.len()];
        // What is demanded of a head is demanded of a literal.
        let mut passed: Vec<(usize, usize)> = Vec::new();
        for rule in &definitions.flat.rules {
            if !ticker.ticks(rule.body.len() as u32) {
                break;
            }
            let concerns = |it: &FlatLiteral| it.form().is_some_and(is_view);
            if !rule.body.iter().any(concerns) {
                continue;
            }
            let occurrences = Occurrences::of(rule);
            for literal in rule.body.iter().filter(|it| concerns(it)) {
                let Some(atom) = literal.atom() else { continue };
                is_used[atom.form.index()] |= atom.form != rule.head.form;
                for (column, it) in atom.arguments.iter().enumerate() {
                    let place = uses.first[atom.form.index()] + column;
                    let is_alone = |it: u32| literal.is_positive() && occurrences.is_single(it);
                    if !it.variable().is_some_and(is_alone) {
                        uses.is_asked[place] = true;
                        continue;
                    }
                    let of_head = uses.first[rule.head.form.index()]..;
                    let same = of_head.zip(&rule.head.arguments).filter(|(_, other)| *other == it);
                    passed.extend(same.map(|(of_head, _)| (of_head, place)));
                }
            }
        }
        // What no rule uses is nobody's business here: `relevance` drops it.
        for form in (0..forms.len()).filter(|&it| !is_used[it]) {
            uses.is_asked[uses.first[form]..uses.first[form + 1]].fill(true);
        }
        let mut has_changed = true;
        while has_changed && ticker.ticks(passed.len() as u32) {
            has_changed = false;
            for &(of_head, place) in &passed {
                if uses.is_asked[of_head] && !uses.is_asked[place] {
                    uses.is_asked[place] = true;
                    has_changed = true;
                }
            }
        }
        ticker.finish()?;
        Ok(uses)
    }

    fn any_existential(&self) -> bool {
        self.is_asked.contains(&false)
    }

    /// The columns of a form that are demanded.
    fn kept(&self, form: FormId) -> Vec<usize> {
        let columns = &self.is_asked[self.first[form.index()]..self.first[form.index() + 1]];
        (0..columns.len()).filter(|&it| columns[it]).collect()
    }
}

/// Drops the arguments whose values nobody uses.
fn drop_existential(definitions: &mut Definitions<'_>, uses: &Uses) -> Vec<Filtered> {
    let mut rest: FxHashMap<FormId, (FormId, Vec<usize>)> = FxHashMap::default();
    let mut projected = Vec::new();
    let columns: Vec<usize> =
        definitions.forms.iter().map(|(form, _)| definitions.forms.columns(form)).collect();
    for (form, columns) in (0..).map(FormId).zip(columns) {
        let kept = uses.kept(form);
        if kept.len() < columns {
            let shortened = definitions.shortened(form, "any", kept.len());
            rest.insert(form, (shortened, kept));
            projected.push(Filtered { view: form, rest: shortened });
        }
    }
    let all = std::mem::take(&mut definitions.flat.rules);
    let mut rules = Vec::with_capacity(all.len());
    let has_changed = |atom: &FlatAtom| rest.contains_key(&atom.form);
    let shorten = |atom: &mut FlatAtom| {
        if let Some((form, kept)) = rest.get(&atom.form) {
            definitions.shorten(atom, *form, kept);
        }
    };
    let mut known: FxHashSet<(FlatAtom, Vec<FlatLiteral>)> = FxHashSet::default();
    for mut rule in all {
        let is_shortened = has_changed(&rule.head);
        if !is_shortened && !rule.body.iter().filter_map(FlatLiteral::atom).any(has_changed) {
            rules.push(rule);
            continue;
        }
        shorten(&mut rule.head);
        let body = std::mem::take(&mut rule.body);
        for mut literal in body {
            if let LiteralKind::Positive(atom) | LiteralKind::Negative(atom) = &mut literal.kind {
                shorten(atom);
            }
            if !rule.body.contains(&literal) {
                rule.body.push(literal);
            }
        }
        let rule = renumbered(&rule);
        let is_known = is_shortened && !known.insert((rule.head.clone(), rule.body.clone()));
        if !is_known && !derives_itself(&rule) {
            rules.push(rule);
        }
    }
    definitions.flat.rules = rules;
    let shortened = |form: FormId| rest.get(&form).map(|(form, kept)| (*form, kept.as_slice()));
    definitions.flat.project_facts(shortened, definitions.forms);
    projected
}

/// Whether a rule needs what it derives.
fn derives_itself(rule: &FlatRule) -> bool {
    let is_head = |it: &FlatLiteral| it.is_positive() && it.atom() == Some(&rule.head);
    rule.body.iter().any(is_head)
}
