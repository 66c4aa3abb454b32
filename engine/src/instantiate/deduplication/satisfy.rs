//! Whether conditions can hold together: a search for one answer of their join over small tables.

use super::conditions::Conditions;
use super::facts::Facts;
use super::terms::Terms;
use crate::program::{Argument, Constant};
use crate::table::Table;

/// Whether there may be an answer. A no is certain: conditions that would be too much work are left out, and
/// where the search takes too long there may be one.
pub(super) fn may_have_answer(
    conditions: &Conditions,
    terms: &Terms,
    facts: &mut Facts<'_>,
) -> bool {
    if !facts.spend(8 * conditions.positive.len()) {
        return true;
    }
    // What is not found soon is not worth all that may be done.
    let work = facts.work / 16;
    if work == 0 {
        return true;
    }
    let mut search = ConditionSearch::new(conditions, terms, facts, work);
    let may_have = loop {
        match search.component() {
            Some(steps) if !steps.is_empty() => {
                if !search.extend(&steps) {
                    break false;
                }
            }
            _ => break true,
        }
    };
    facts.work -= work - search.work;
    may_have
}

/// A literal whose rows are tried, and the tests that are possible then.
struct SearchStep {
    literal: usize,
    /// Columns, and the variables that they give a value.
    bind: Vec<(usize, u32)>,
    /// Columns, and what they have to be.
    equal: Vec<(usize, Argument)>,
    tests: Vec<Test>,
}

/// A condition all of whose variables have values; the number is its position among those of its kind.
enum Test {
    Present(usize),
    Absent(usize),
    Distinct(usize),
}

type Pattern<'run> = (&'run Table, Vec<Argument>);

struct ConditionSearch<'run> {
    positive: Vec<Pattern<'run>>,
    negative: Vec<Pattern<'run>>,
    distinct: Vec<Vec<(Argument, Argument)>>,
    /// By positive literal: whether it is in a step, or tested.
    placed: Vec<bool>,
    /// By variable, where a step before has given it one.
    values: Vec<Constant>,
    /// Rows of larger tables are not tried.
    most: usize,
    work: u64,
}

impl<'run> ConditionSearch<'run> {
    fn new(conditions: &Conditions, terms: &Terms, facts: &Facts<'run>, work: u64) -> Self {
        let tables = facts.tables;
        let resolved = |literals: &[(_, Vec<Argument>)]| -> Vec<Pattern<'run>> {
            let resolve = |it: &Vec<Argument>| it.iter().map(|&it| terms.resolve(it)).collect();
            literals.iter().map(|(predicate, it)| (&tables[*predicate], resolve(it))).collect()
        };
        let pairs = |pairs: &Vec<(Argument, Argument)>| {
            pairs.iter().map(|&(it, at)| (terms.resolve(it), terms.resolve(at))).collect()
        };
        let positive = resolved(&conditions.positive);
        let is_ground = |it: &Pattern<'_>| it.1.iter().all(|it| it.variable().is_none());
        ConditionSearch {
            // What has no variables has been looked up before.
            placed: positive.iter().map(is_ground).collect(),
            positive,
            negative: resolved(&conditions.negative),
            distinct: conditions.distinct.iter().map(pairs).collect(),
            values: vec![0; terms.len()],
            most: (work / 4) as usize,
            work,
        }
    }

    /// The steps for literals that are connected by variables: from small tables, and from one variable to the
    /// next. Empty if none is left; `None` if there is no work left.
    fn component(&mut self) -> Option<Vec<SearchStep>> {
        // By variable: the step that gives it a value.
        let mut bound: Vec<Option<usize>> = vec![None; self.values.len()];
        let is_bound = |bound: &[Option<usize>], it: &Argument| {
            it.variable().is_some_and(|it| bound[it as usize].is_some())
        };
        let conditions = self.positive.len() + self.negative.len() + self.distinct.len();
        let mut steps: Vec<SearchStep> = Vec::new();
        loop {
            self.work = self.work.checked_sub(conditions as u64)?;
            let is_next = |&place: &usize| {
                let (table, arguments) = &self.positive[place];
                !self.placed[place]
                    && table.len() <= self.most
                    && (steps.is_empty() || arguments.iter().any(|it| is_bound(&bound, it)))
            };
            let next = (0..self.positive.len()).filter(is_next);
            let Some(literal) = next.min_by_key(|&it| self.positive[it].0.len()) else {
                return Some(steps);
            };
            self.placed[literal] = true;
            let (mut bind, mut equal) = (Vec::new(), Vec::new());
            for (column, &argument) in self.positive[literal].1.iter().enumerate() {
                match argument {
                    Argument::Variable(variable) if !is_bound(&bound, &argument) => {
                        bound[variable as usize] = Some(steps.len());
                        bind.push((column, variable));
                    }
                    _ => equal.push((column, argument)),
                }
            }
            let tests = self.tests(&bound, steps.len());
            steps.push(SearchStep { literal, bind, equal, tests });
        }
    }

    /// The conditions all of whose variables have values now, some of them by this step.
    fn tests(&mut self, bound: &[Option<usize>], step: usize) -> Vec<Test> {
        let is_ready = |arguments: &mut dyn Iterator<Item = Argument>| {
            let (mut all, mut new) = (true, false);
            for variable in arguments.filter_map(|it| it.variable()) {
                all &= bound[variable as usize].is_some();
                new |= bound[variable as usize] == Some(step);
            }
            all && new
        };
        let mut tests = Vec::new();
        for (position, (_, arguments)) in self.positive.iter().enumerate() {
            if !self.placed[position] && is_ready(&mut arguments.iter().copied()) {
                self.placed[position] = true;
                tests.push(Test::Present(position));
            }
        }
        for (position, (_, arguments)) in self.negative.iter().enumerate() {
            if is_ready(&mut arguments.iter().copied()) {
                tests.push(Test::Absent(position));
            }
        }
        for (position, pairs) in self.distinct.iter().enumerate() {
            if is_ready(&mut pairs.iter().flat_map(|&(left, right)| [left, right])) {
                tests.push(Test::Distinct(position));
            }
        }
        tests
    }

    fn value(&self, argument: Argument) -> Constant {
        match argument {
            Argument::Constant(constant) => constant,
            Argument::Variable(variable) => self.values[variable as usize],
        }
    }

    /// Whether there may be rows for these steps.
    fn extend(&mut self, steps: &[SearchStep]) -> bool {
        let Some((step, rest)) = steps.split_first() else { return true };
        for row in self.positive[step.literal].0.rows() {
            match self.work.checked_sub(1) {
                Some(left) => self.work = left,
                None => return true,
            }
            for &(column, variable) in &step.bind {
                self.values[variable as usize] = row[column];
            }
            if step.equal.iter().all(|&(column, it)| row[column] == self.value(it))
                && step.tests.iter().all(|test| self.passes(test))
                && self.extend(rest)
            {
                return true;
            }
        }
        false
    }

    fn passes(&self, test: &Test) -> bool {
        let is_there = |(table, arguments): &Pattern<'_>| {
            let tuple: Vec<Constant> = arguments.iter().map(|&it| self.value(it)).collect();
            table.contains(&tuple)
        };
        match *test {
            Test::Present(position) => is_there(&self.positive[position]),
            Test::Absent(position) => !is_there(&self.negative[position]),
            Test::Distinct(position) => {
                self.distinct[position].iter().any(|&(it, at)| self.value(it) != self.value(at))
            }
        }
    }
}
