//! Which rules read a form.

use fxhash::FxHashMap;
use smallvec::SmallVec;

use super::pattern::PatternRules;
use crate::description::Predicate;
use crate::flat::Ending;

/// A literal of a rule that binds variables.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    /// Its number among all.
    pub(super) number: usize,
    /// The rule, as a position in the list of rules.
    pub(super) rule: usize,
    /// Its position among those of the rule that bind variables.
    pub(super) position: usize,
}

/// The readers of each predicate.
pub(super) struct Readers {
    /// Those of an ending, or those of any, in the order of the rules.
    of_ending: FxHashMap<(Predicate, Option<Ending>), Vec<Reader>>,
    count: usize,
}

impl Readers {
    pub(super) fn new(rules: &PatternRules) -> Self {
        let mut of_ending: FxHashMap<_, Vec<Reader>> = FxHashMap::default();
        let mut number = 0;
        for (index, rule) in rules.iter().enumerate() {
            for position in 0..rule.binder_count() {
                let atom = rules.binder(rule, position);
                let reader = Reader { number, rule: index, position };
                of_ending.entry((atom.table, atom.ending)).or_default().push(reader);
                number += 1;
            }
        }
        Readers { of_ending, count: number }
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
        let of = |it| self.of_ending.get(&(predicate, it)).map_or(&[][..], Vec::as_slice);
        let mut chosen = SmallVec::<[Reader; 8]>::from_slice(of(None));
        if ending.is_some() {
            chosen.extend_from_slice(of(ending));
            chosen.sort_unstable_by_key(|reader| reader.number);
        }
        chosen.into_iter()
    }
}
