//! Ground terms, each stored once.

use fxhash::FxHashMap;

use crate::symbols::Symbol;

/// The number of a ground term; equal terms have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TermId(pub(super) u32);

/// A name with the number of arguments, if it is a function: `(f)` is another term than `f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Functor {
    pub(super) name: Symbol,
    pub(super) arity: Option<u32>,
}

/// Ground terms.
#[derive(Debug, Default)]
pub(super) struct Terms {
    functors: Vec<Functor>,
    /// By term: where its arguments begin.
    starts: Vec<u32>,
    arguments: Vec<TermId>,
    numbers: FxHashMap<Box<[u32]>, TermId>,
    key: Vec<u32>,
}

impl Terms {
    /// The number of a term.
    pub(super) fn intern(&mut self, functor: Functor, arguments: &[TermId]) -> TermId {
        self.key.clear();
        self.key.extend([functor.name.0, functor.arity.map_or(0, |arity| arity + 1)]);
        self.key.extend(arguments.iter().map(|it| it.0));
        if let Some(&known) = self.numbers.get(self.key.as_slice()) {
            return known;
        }
        let new = TermId(self.functors.len() as u32);
        self.functors.push(functor);
        self.starts.push(self.arguments.len() as u32);
        self.arguments.extend(arguments);
        self.numbers.insert(self.key.as_slice().into(), new);
        new
    }

    pub(super) fn constant(&mut self, name: Symbol) -> TermId {
        self.intern(Functor { name, arity: None }, &[])
    }

    pub(super) fn functor(&self, term: TermId) -> Functor {
        self.functors[term.0 as usize]
    }

    pub(super) fn arguments(&self, term: TermId) -> &[TermId] {
        let start = self.starts[term.0 as usize] as usize;
        &self.arguments[start..start + self.functor(term).arity.unwrap_or(0) as usize]
    }

    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.functors.len()
    }
}
