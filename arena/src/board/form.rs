//! Forms of terms: what is the same in terms that differ in constants only.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::description::Term;
use groundfrog::symbols::Symbols;
use groundfrog_reasoner::Reasoner;

use super::Layout;
use super::sample::Sample;

/// A term with its constants left out, but for that of a term that is one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Signature(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Functor(String, usize),
    Leaf,
}

impl Signature {
    /// The functions within the term.
    pub(super) fn functors(&self) -> impl Iterator<Item = &str> {
        self.0.iter().skip(1).filter_map(|it| match it {
            Part::Functor(name, _) => Some(name.as_str()),
            Part::Leaf => None,
        })
    }
}

/// A form, and what its terms can be.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) signature: Signature,
    /// The functions of the term that are no content: its own, and those with a single argument list.
    pub(super) name: String,
    /// For each leaf the constants that can stand there, as met.
    pub(super) domains: Vec<Vec<String>>,
    /// For each term its leaves.
    pub(super) terms: Vec<Vec<String>>,
    /// In each sampled state the terms that hold, as positions in `terms`.
    pub(super) held: Vec<Vec<usize>>,
    /// Whether one term holds at a time, and which one depends only on how many moves were made.
    pub(super) is_clock: bool,
}

fn is_clock(held: &[Vec<usize>], steps: &[usize]) -> bool {
    let mut at: FxHashMap<usize, usize> = FxHashMap::default();
    let mut goes_on = false;
    let is_one = held.iter().zip(steps).all(|(held, &step)| {
        goes_on |= step > 0;
        matches!(held[..], [term] if *at.entry(step).or_insert(term) == term)
    });
    is_one && goes_on
}

/// All forms of some terms.
#[derive(Debug)]
pub(super) struct Forms {
    pub(super) forms: Vec<Form>,
    /// The sampled states.
    pub(super) states: Vec<Vec<usize>>,
}

impl Forms {
    /// Sorts terms into forms.
    pub(super) fn new(terms: &[Term], sample: &Sample, symbols: &Symbols) -> Self {
        let states = &sample.states;
        let mut forms: Vec<Form> = Vec::new();
        let mut known: FxHashMap<Signature, usize> = FxHashMap::default();
        let mut of: Vec<(usize, usize)> = Vec::with_capacity(terms.len());
        let mut seen: Vec<Vec<FxHashSet<String>>> = Vec::new();
        for term in terms {
            let (signature, leaves) = flatten(term, symbols);
            let number = *known.entry(signature.clone()).or_insert_with(|| {
                let name = name(term, symbols);
                let domains = vec![Vec::new(); leaves.len()];
                seen.push(vec![FxHashSet::default(); leaves.len()]);
                let held = vec![Vec::new(); states.len()];
                forms.push(Form {
                    signature,
                    name,
                    domains,
                    terms: Vec::new(),
                    held,
                    is_clock: false,
                });
                forms.len() - 1
            });
            for (leaf, constant) in leaves.iter().enumerate() {
                if seen[number][leaf].insert(constant.clone()) {
                    forms[number].domains[leaf].push(constant.clone());
                }
            }
            of.push((number, forms[number].terms.len()));
            forms[number].terms.push(leaves);
        }
        for (number, state) in states.iter().enumerate() {
            for &(form, term) in state.iter().filter_map(|&it| of.get(it)) {
                forms[form].held[number].push(term);
            }
        }
        for form in &mut forms {
            form.is_clock = is_clock(&form.held, &sample.steps);
        }
        Forms { forms, states: states.to_vec() }
    }

    /// The fluents of the initial state.
    pub(super) fn initial(&self, reasoner: &dyn Reasoner) -> Vec<usize> {
        reasoner.initial().fluents().map(|it| it.index()).collect()
    }

    /// How many places of a board any fluent can be on.
    pub(super) fn places(&self, layout: &Layout, board: usize) -> usize {
        let mut places = FxHashSet::default();
        for form in &self.forms {
            let Some(drawn) = layout.fluents.get(&form.signature) else { continue };
            let kind = drawn.kind;
            if !drawn.boards.contains(&board) {
                continue;
            }
            for leaves in &form.terms {
                let is_here = kind
                    .layer
                    .is_none_or(|it| layout.boards[board].layer.as_ref() == Some(&leaves[it]));
                if is_here {
                    let row = kind.row.map_or("", |it| leaves[it].as_str());
                    places.insert((leaves[kind.column].as_str(), row));
                }
            }
        }
        places.len()
    }
}

/// The signature and the constants of a term.
pub(super) fn flatten(term: &Term, symbols: &Symbols) -> (Signature, Vec<String>) {
    fn walk(term: &Term, symbols: &Symbols, parts: &mut Vec<Part>, leaves: &mut Vec<String>) {
        match term {
            Term::Compound(it) => {
                parts.push(Part::Functor(symbols.name(it.functor).to_owned(), it.arguments.len()));
                it.arguments.iter().for_each(|it| walk(it, symbols, parts, leaves));
            }
            Term::Constant(name) | Term::Variable(name) => {
                parts.push(Part::Leaf);
                leaves.push(symbols.name(*name).to_owned());
            }
        }
    }
    let (mut parts, mut leaves) = (Vec::new(), Vec::new());
    if let Term::Constant(name) = term {
        return (Signature(vec![Part::Functor(symbols.name(*name).to_owned(), 0)]), leaves);
    }
    walk(term, symbols, &mut parts, &mut leaves);
    (Signature(parts), leaves)
}

/// How many constants a term has.
pub(super) fn leaf_count(term: &Term) -> usize {
    match term {
        Term::Compound(it) => it.arguments.iter().map(leaf_count).sum(),
        Term::Constant(_) | Term::Variable(_) => 1,
    }
}

/// The term's function, and those that its only argument is made by.
fn name(term: &Term, symbols: &Symbols) -> String {
    match term {
        Term::Constant(name) | Term::Variable(name) => symbols.name(*name).to_owned(),
        Term::Compound(it) => {
            let own = symbols.name(it.functor).to_owned();
            match &it.arguments[..] {
                [inner @ Term::Compound(_)] => format!("{own} {}", name(inner, symbols)),
                _ => own,
            }
        }
    }
}
