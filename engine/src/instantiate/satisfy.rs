//! Whether conditions can hold together: a search for one answer of their join over small tables.

use super::consequences::Conditions;
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
    let mut search = Search::new(conditions, terms, facts, work);
    let may_have = loop {
        let steps = search.component();
        if steps.is_empty() {
            break true;
        }
        if !search.extend(&steps) {
            break false;
        }
    };
    facts.work -= work - search.work;
    may_have
}

/// A literal whose rows are tried, and the tests that are possible then.
struct Step {
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

struct Search<'run> {
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

impl<'run> Search<'run> {
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
        Search {
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
    /// next. Empty if none is left.
    fn component(&mut self) -> Vec<Step> {
        let mut bound: Vec<Argument> = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        loop {
            let is_next = |&it: &usize| {
                let (table, arguments) = &self.positive[it];
                let mut variables = arguments.iter().filter(|it| it.variable().is_some());
                !self.placed[it]
                    && table.len() <= self.most
                    && (bound.is_empty() || variables.any(|it| bound.contains(it)))
            };
            let next = (0..self.positive.len()).filter(is_next);
            let Some(literal) = next.min_by_key(|&it| self.positive[it].0.len()) else {
                return steps;
            };
            self.placed[literal] = true;
            let known = bound.clone();
            let (mut bind, mut equal) = (Vec::new(), Vec::new());
            for (column, &argument) in self.positive[literal].1.iter().enumerate() {
                match argument {
                    Argument::Variable(variable) if !bound.contains(&argument) => {
                        bound.push(argument);
                        bind.push((column, variable));
                    }
                    _ => equal.push((column, argument)),
                }
            }
            let tests = self.tests(&known, &bound);
            steps.push(Step { literal, bind, equal, tests });
        }
    }

    /// The conditions about variables in `bound` that are not all in `known`.
    fn tests(&mut self, known: &[Argument], bound: &[Argument]) -> Vec<Test> {
        let is_ready = |arguments: &mut dyn Iterator<Item = Argument>| {
            let (mut all, mut new) = (true, false);
            for it in arguments.filter(|it| it.variable().is_some()) {
                all &= bound.contains(&it);
                new |= !known.contains(&it);
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
    fn extend(&mut self, steps: &[Step]) -> bool {
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
