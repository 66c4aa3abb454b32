//! The semi-naive plans for the new facts of a predicate.

use fxhash::FxHashMap;
use smallvec::SmallVec;

use super::delta::Delta;
use crate::program::{Argument, Constant, Literal, PredicateId, Program};
use crate::strata::Component;
use crate::table::Constants;

/// The plans of a predicate.
#[derive(Default)]
pub(super) struct Deltas {
    pub(super) all: Vec<Delta>,
    pub(super) by_constants: Option<ByConstants>,
    /// The largest size of the component's tables that all plans are good for.
    largest_size: usize,
    meets_own: bool,
}

/// Plans by what they want in some columns. A description that is ground has thousands, of which a fact concerns a few.
pub(super) struct ByConstants {
    columns: Vec<usize>,
    with: FxHashMap<DeltaKey, Vec<u32>>,
    /// Those that do not want a constant in each of the columns.
    pub(super) others: Vec<u32>,
}

type DeltaKey = SmallVec<[Constant; 4]>;

impl ByConstants {
    /// Those, ascending, that want the constants in the columns that a fact has there.
    pub(super) fn with(&self, fact: Constants<'_>) -> &[u32] {
        let key: DeltaKey = self.columns.iter().map(|&it| fact[it]).collect();
        self.with.get(&key).map_or(&[], Vec::as_slice)
    }
}

impl Deltas {
    /// The plans for some rules of a component, by predicate of the new fact.
    pub(super) fn add(
        deltas: &mut FxHashMap<u32, Deltas>,
        program: &Program,
        component: &Component,
        rules: &[usize],
    ) {
        let mut changed: Vec<PredicateId> = Vec::new();
        for &rule in rules {
            for (position, literal) in program.rules()[rule].body.iter().enumerate() {
                let Literal::Positive(atom) = literal else { continue };
                if component.contains(atom.predicate) {
                    let of = deltas.entry(atom.predicate.0).or_default();
                    of.all.push(Delta::new(rule, position));
                    changed.push(atom.predicate);
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        for predicate in changed {
            if let Some(of) = deltas.get_mut(&predicate.0) {
                of.arrange(program);
            }
        }
    }

    /// Forgets the plans of a rule.
    pub(super) fn remove(&mut self, rule: usize, program: &Program) {
        let before = self.all.len();
        self.all.retain(|delta| delta.rule != rule);
        if self.all.len() < before {
            self.arrange(program);
        }
    }

    /// Finds the columns by which the plans are looked up: those in which most want a constant.
    fn arrange(&mut self, program: &Program) {
        self.largest_size = 0;
        self.by_constants = None;
        let arguments = |delta: &Delta| match &program.rules()[delta.rule].body[delta.literal] {
            Literal::Positive(atom) => atom.arguments.as_slice(),
            _ => unreachable!("new facts are of positive literals"),
        };
        let mut counts: Vec<usize> = Vec::new();
        for delta in &self.all {
            for (column, argument) in arguments(delta).iter().enumerate() {
                counts.resize(counts.len().max(column + 1), 0);
                counts[column] += usize::from(argument.variable().is_none());
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return;
        }
        let columns: Vec<usize> = (0..counts.len()).filter(|&it| counts[it] == most).collect();
        let mut with: FxHashMap<DeltaKey, Vec<u32>> = FxHashMap::default();
        let mut others = Vec::new();
        for (number, delta) in (0..).zip(&self.all) {
            let wanted = columns.iter().map(|&column| match arguments(delta)[column] {
                Argument::Constant(constant) => Some(constant),
                Argument::Variable(_) => None,
            });
            match wanted.collect::<Option<DeltaKey>>() {
                Some(key) => with.entry(key).or_default().push(number),
                None => others.push(number),
            }
        }
        self.by_constants = Some(ByConstants { columns, with, others });
    }

    /// Whether some have no plan, or one for much smaller tables than these.
    pub(super) fn need_plans(&self, size: usize) -> bool {
        size > self.largest_size
    }

    /// To be called when all have plans.
    pub(super) fn have_plans(&mut self) {
        self.largest_size = self.all.iter().map(Delta::largest_size).min().unwrap_or(usize::MAX);
        self.meets_own = self.all.iter().any(Delta::meets_own);
    }

    /// Whether facts have to be joined one by one: see [`Delta::meets_own`].
    pub(super) fn meet_own(&self) -> bool {
        self.meets_own
    }
}
