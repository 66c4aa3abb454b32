//! Which rules read a form.

use fxhash::FxHashMap;
use smallvec::SmallVec;

use super::pattern::PatternRules;
use crate::description::Predicate;
use crate::flat::Ending;

/// Of so many readers of a predicate, those of an ending are looked up; of fewer, each is looked at.
const MANY_READERS: usize = 32;

/// A literal of a rule that binds variables.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    /// Its number among all.
    pub(super) number: usize,
    /// The rule, as a position in the list of rules.
    pub(super) rule: usize,
    /// Its position among those of the rule that bind variables.
    pub(super) position: usize,
    /// How the forms end that it reads, if all do so.
    ending: Option<Ending>,
}

/// The readers of each predicate, in the order of the rules.
pub(super) struct Readers {
    all: FxHashMap<Predicate, Vec<Reader>>,
    /// Where among these the ones of an ending are, or those of any, for predicates that have many.
    of_ending: FxHashMap<(Predicate, Option<Ending>), Vec<u32>>,
    count: usize,
}

impl Readers {
    pub(super) fn new(rules: &PatternRules) -> Self {
        let mut all: FxHashMap<Predicate, Vec<Reader>> = FxHashMap::default();
        let mut number = 0;
        for (index, rule) in rules.iter().enumerate() {
            for position in 0..rule.binder_count() {
                let atom = rules.binder(rule, position);
                let reader = Reader { number, rule: index, position, ending: atom.ending };
                all.entry(atom.table).or_default().push(reader);
                number += 1;
            }
        }
        let mut of_ending: FxHashMap<_, Vec<u32>> = FxHashMap::default();
        for (&predicate, readers) in all.iter().filter(|(_, it)| it.len() >= MANY_READERS) {
            for (at, reader) in (0..).zip(readers) {
                of_ending.entry((predicate, reader.ending)).or_default().push(at);
            }
        }
        Readers { all, of_ending, count: number }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Those that may read the forms of a predicate with an ending, in the order of the rules.
    pub(super) fn of(
        &self,
        predicate: Predicate,
        ending: Option<Ending>,
    ) -> impl Iterator<Item = Reader> {
        let all = self.all.get(&predicate).map_or(&[][..], Vec::as_slice);
        let mut chosen = SmallVec::<[u32; 32]>::new();
        if all.len() >= MANY_READERS {
            let of = |it| self.of_ending.get(&(predicate, it)).map_or(&[][..], Vec::as_slice);
            chosen.extend_from_slice(of(None));
            if ending.is_some() {
                chosen.extend_from_slice(of(ending));
                chosen.sort_unstable();
            }
        } else {
            let may_read = |it: &Reader| it.ending.is_none() || it.ending == ending;
            chosen.extend((0..).zip(all).filter(|(_, it)| may_read(it)).map(|(at, _)| at));
        }
        chosen.into_iter().map(|at| all[at as usize])
    }
}
