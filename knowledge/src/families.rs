//! Groups of fluents of which one at most may hold at a time.
//!
//! The fluents of a form, as `(cell x y c)`, are told apart by their arguments. Some of these are the key and the rest the
//! content: with the key `x y`, the fluents of each cell are a group. All choices of keys are looked at; those stay that no
//! state of the sample refutes, and of these the ones with the smallest keys, as they imply the others.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fxhash::FxHashMap;
use groundfrog::game::{AtomId, AtomShape, GroundGame, TermShape};
use groundfrog::symbols::{Symbol, Symbols};
use groundfrog_reasoner::{FluentId, State};

/// So many states are looked at before any other.
const FEW_STATES: usize = 100;
/// No more single groups of a form are looked at.
const MOST_SINGLE_GROUPS: usize = 40;
/// Forms with more arguments are not looked at.
const MOST_ARGUMENTS: usize = 8;

/// The fluents of a form by key: at most one of each group holds in every state of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    /// As KIF, with `_` for arguments of the key and `*` for the rest.
    pub(crate) pattern: String,
    pub(crate) groups: Vec<Vec<AtomId>>,
    /// Whether just one of each group holds in every state of the sample.
    pub(crate) is_exact: bool,
}

/// The fluents of one form.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) shape: AtomShape,
    pub(crate) fluents: Vec<AtomId>,
    /// By fluent: its constants.
    pub(crate) rows: Vec<Vec<u32>>,
}

impl Form {
    /// The pattern with `*` for the arguments of a content, a set of bits, and `_` for the others.
    pub(crate) fn pattern(&self, content: u32, symbols: &Symbols) -> String {
        self.written(symbols, |hole| if content >> hole & 1 == 1 { "*" } else { "_" })
    }

    /// The patterns of which every fluent is among these, with their fluents: the form's, or those with one argument given.
    pub(crate) fn patterns_of(
        &self,
        is_among: impl Fn(&AtomId) -> bool,
        symbols: &Symbols,
    ) -> Vec<(String, Vec<AtomId>)> {
        if self.fluents.iter().all(&is_among) {
            return vec![(self.pattern(0, symbols), self.fluents.clone())];
        }
        let mut patterns = Vec::new();
        for argument in 0..self.rows.first().map_or(0, Vec::len) {
            let whole = self.by_constant(argument).into_iter();
            let whole = whole.filter(|(_, fluents)| fluents.iter().all(&is_among));
            patterns.extend(whole.map(|(constant, fluents)| {
                let name = symbols.name(Symbol(constant));
                (self.written(symbols, |hole| if hole == argument { name } else { "_" }), fluents)
            }));
        }
        patterns
    }

    /// The fluents by the constant that stands in a place.
    pub(crate) fn by_constant(&self, place: usize) -> BTreeMap<u32, Vec<AtomId>> {
        let mut of_constant: BTreeMap<u32, Vec<AtomId>> = BTreeMap::new();
        for (&fluent, row) in self.fluents.iter().zip(&self.rows) {
            of_constant.entry(row[place]).or_default().push(fluent);
        }
        of_constant
    }

    fn written<'text>(&self, symbols: &Symbols, argument: impl Fn(usize) -> &'text str) -> String {
        let mut text = String::new();
        if let Some(fluent) = self.shape.arguments.first() {
            write_pattern(&mut text, fluent, &mut 0, symbols, &argument);
        }
        text
    }
}

fn write_pattern<'text>(
    text: &mut String,
    shape: &TermShape,
    hole: &mut usize,
    symbols: &Symbols,
    written: &impl Fn(usize) -> &'text str,
) {
    match shape {
        TermShape::Constant => {
            text.push_str(written(*hole));
            *hole += 1;
        }
        TermShape::Function(functor, arguments) => {
            let _ = write!(text, "({}", symbols.name(*functor));
            for argument in arguments {
                text.push(' ');
                write_pattern(text, argument, hole, symbols, written);
            }
            text.push(')');
        }
    }
}

/// A shape as KIF, with `_` for constants.
pub(crate) fn pattern_of(shape: &AtomShape, symbols: &Symbols) -> String {
    let name = symbols.name(shape.predicate);
    if shape.arguments.is_empty() {
        return name.to_owned();
    }
    let mut text = format!("({name}");
    for argument in &shape.arguments {
        text.push(' ');
        write_pattern(&mut text, argument, &mut 0, symbols, &|_| "_");
    }
    text.push(')');
    text
}

/// The forms of the fluents of a game, in the order of their first fluents.
pub(crate) fn forms(game: &GroundGame) -> Vec<Form> {
    forms_of(game, game.fluents())
}

/// The forms of atoms, in the order of their first ones.
pub(crate) fn forms_of(game: &GroundGame, atoms: impl IntoIterator<Item = AtomId>) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut of_shape: FxHashMap<AtomShape, usize> = FxHashMap::default();
    for fluent in atoms {
        let atom = game.atom(fluent);
        let number = *of_shape.entry(atom.shape.clone()).or_insert_with(|| {
            forms.push(Form { shape: atom.shape.clone(), fluents: Vec::new(), rows: Vec::new() });
            forms.len() - 1
        });
        forms[number].fluents.push(fluent);
        forms[number].rows.push(atom.constants.iter().collect());
    }
    forms
}

/// The families of a game that no state of a sample refutes.
pub(crate) fn families(game: &GroundGame, forms: &[Form], states: &[&State]) -> Vec<Family> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let mut found = families_of(game, forms, states, first);
    found.extend(across(game, forms, states, first));
    found
}

/// The families within forms; the first fluent of the states has this number.
pub(crate) fn families_of(
    game: &GroundGame,
    forms: &[Form],
    states: &[&State],
    first: u32,
) -> Vec<Family> {
    let mut found = Vec::new();
    for form in forms {
        let arguments = form.rows.first().map_or(0, Vec::len);
        if arguments == 0 || arguments > MOST_ARGUMENTS {
            continue;
        }
        let row_of: FxHashMap<u32, &Vec<u32>> =
            form.fluents.iter().map(|fluent| fluent.0 - first).zip(&form.rows).collect();
        let few = states.iter().step_by(states.len().div_ceil(FEW_STATES).max(1));
        let held: Vec<Vec<&Vec<u32>>> = few
            .map(|state| state.fluents().filter_map(|it| row_of.get(&it.0).copied()).collect())
            .collect();
        let mut contents: Vec<u32> = (1..1u32 << arguments).collect();
        contents.sort_by_key(|content| (std::cmp::Reverse(content.count_ones()), *content));
        let mut kept: Vec<u32> = Vec::new();
        for content in contents {
            if kept.iter().any(|larger| larger & content == content) {
                continue;
            }
            let key = |row: &Vec<u32>| -> Vec<u32> {
                let open = row.iter().enumerate().filter(|&(hole, _)| content >> hole & 1 == 0);
                open.map(|(_, &constant)| constant).collect()
            };
            let is_double = |held: &Vec<&Vec<u32>>| {
                let mut keys: Vec<Vec<u32>> = held.iter().map(|row| key(row)).collect();
                keys.sort_unstable();
                keys.windows(2).any(|pair| pair[0] == pair[1])
            };
            if held.iter().any(is_double) {
                continue;
            }
            let groups = grouped(&form.fluents, form.rows.iter().map(key));
            if groups.iter().all(|group| group.len() < 2) {
                continue;
            }
            if let Some(is_exact) = fits(&groups, states, first) {
                kept.push(content);
                let pattern = form.pattern(content, game.symbols());
                found.push(Family { pattern, groups, is_exact });
            }
        }
    }
    found
}

/// Families over all forms with the same number of arguments, keyed by these: `(ecks m board)` and `(ohs m board)`.
fn across(game: &GroundGame, forms: &[Form], states: &[&State], first: u32) -> Vec<Family> {
    let mut found = Vec::new();
    for arguments in 0..=MOST_ARGUMENTS {
        let alike: Vec<&Form> = forms
            .iter()
            .filter(|form| form.rows.first().map_or(0, Vec::len) == arguments)
            .filter(|form| form.shape.arguments != [TermShape::Constant])
            .collect();
        let domains = |form: &&Form| -> Vec<Vec<u32>> {
            let mut rows = form.rows.clone();
            rows.sort_unstable();
            rows
        };
        let mut of_domain: Vec<(Vec<Vec<u32>>, Vec<&Form>)> = Vec::new();
        for form in alike {
            let rows = domains(&form);
            match of_domain.iter_mut().find(|(known, _)| *known == rows) {
                Some((_, forms)) => forms.push(form),
                None => of_domain.push((rows, vec![form])),
            }
        }
        for (_, forms) in of_domain.into_iter().filter(|(_, forms)| forms.len() > 1) {
            let fluents: Vec<AtomId> = forms.iter().flat_map(|form| form.fluents.clone()).collect();
            let groups = grouped(&fluents, forms.iter().flat_map(|form| form.rows.clone()));
            if let Some(is_exact) = fits(&groups, states, first) {
                let patterns: Vec<String> =
                    forms.iter().map(|form| form.pattern(0, game.symbols())).collect();
                found.push(Family { pattern: patterns.join(" | "), groups, is_exact });
            }
        }
    }
    found
}

/// Groups of the fluents of a form with a constant at one place, of which one at most holds in every state of a sample, and one
/// in some: what is in one place at a time, though others of its kind are not. With each, whether one always does.
pub(crate) fn single_groups(
    game: &GroundGame,
    forms: &[Form],
    states: &[&State],
) -> Vec<(Vec<AtomId>, bool)> {
    let first = game.fluents().next().map_or(0, |fluent| fluent.0);
    let mut found = Vec::new();
    for form in forms {
        let arguments = form.rows.first().map_or(0, Vec::len);
        for place in (0..arguments).filter(|_| arguments > 1) {
            let groups = grouped(&form.fluents, form.rows.iter().map(|row| vec![row[place]]));
            let single = groups.into_iter().filter_map(|group| {
                let (mut least, mut most) = (1, 0);
                for state in states {
                    let held = group.iter().filter(|it| state.contains(FluentId(it.0 - first)));
                    let count = held.take(2).count();
                    (least, most) = (count.min(least), count.max(most));
                    if most > 1 {
                        return None;
                    }
                }
                (most == 1 && group.len() > 1).then_some((group, least == 1))
            });
            found.extend(single.take(MOST_SINGLE_GROUPS));
        }
    }
    found
}

fn grouped(fluents: &[AtomId], keys: impl Iterator<Item = Vec<u32>>) -> Vec<Vec<AtomId>> {
    let mut groups: Vec<Vec<AtomId>> = Vec::new();
    let mut of_key: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    for (&fluent, key) in fluents.iter().zip(keys) {
        let number = *of_key.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(fluent);
    }
    groups
}

/// Whether each state has at most one fluent of each group, and if so, whether each has just one.
fn fits(groups: &[Vec<AtomId>], states: &[&State], first: u32) -> Option<bool> {
    let mut group_of: FxHashMap<u32, usize> = FxHashMap::default();
    for (number, group) in groups.iter().enumerate() {
        group_of.extend(group.iter().map(|fluent| (fluent.0 - first, number)));
    }
    let mut is_exact = true;
    let mut met = vec![usize::MAX; groups.len()];
    for (number, state) in states.iter().enumerate() {
        let mut count = 0;
        for FluentId(fluent) in state.fluents() {
            if let Some(&group) = group_of.get(&fluent) {
                if met[group] == number {
                    return None;
                }
                met[group] = number;
                count += 1;
            }
        }
        is_exact &= count == groups.len();
    }
    Some(is_exact)
}
