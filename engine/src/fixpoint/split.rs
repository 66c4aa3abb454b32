//! Projection inside the fixpoint: a rule that looks at far more rows than it derives tuples is split
//! (Schiffel's projection, applied to the computation of base and input).
//!
//! The sizes of the tables when this shows say whether it pays. A part of the body with a variable that the
//! rest does not need becomes an auxiliary predicate, whose tuples are joined once instead of once for each
//! value of that variable. Auxiliary predicates live as long as the evaluation.

use crate::plan::{self, Search};
use crate::program::{Argument, Atom, Literal, PredicateId, Rule};
use crate::projection::{self, Part, Piece, VariableSet, different, members, set_of};
use crate::statistics::{Measure, TableStatistics};
use crate::table::Tables;
use crate::tuning::LONG_BODY;

/// What takes the place of a rule.
pub(super) struct Split {
    /// The rule with auxiliary literals.
    pub(super) rule: Rule,
    /// The definitions of the auxiliary predicates, whose numbers follow those of the tables.
    pub(super) definitions: Vec<Rule>,
}

/// Splits a rule if that pays.
pub(super) fn split(
    rule: &Rule,
    tables: &Tables,
    statistics: &mut TableStatistics,
    grows: &dyn Fn(&Atom) -> bool,
) -> Option<Split> {
    if rule.body.len() > LONG_BODY || !projection::fits(rule) {
        return None;
    }
    let first = tables.iter().len();
    statistics.forget();
    let mut splitter = Splitter { tables, statistics, grows, definitions: Vec::new(), first };
    let mut rule = rule.clone();
    splitter.split(&mut rule);
    let mut next = 0;
    while let Some(mut definition) = splitter.definitions.get(next).cloned() {
        splitter.split(&mut definition);
        splitter.definitions[next] = definition;
        next += 1;
    }
    let definitions = splitter.definitions;
    statistics.forget();
    (!definitions.is_empty()).then_some(Split { rule, definitions })
}

struct Splitter<'run> {
    tables: &'run Tables,
    statistics: &'run mut TableStatistics,
    grows: &'run dyn Fn(&Atom) -> bool,
    definitions: Vec<Rule>,
    /// The number of the first auxiliary predicate.
    first: usize,
}

/// What a split costs.
struct Cost {
    /// Rows looked at, and those stored for the auxiliary predicate.
    rows: f64,
    /// The expected size of its table.
    table: Measure,
}

impl Splitter<'_> {
    /// Splits a rule as long as fewer rows are looked at, the best part first.
    fn split(&mut self, rule: &mut Rule) {
        loop {
            let before = self.order(&rule.body, Search::Thorough).cost;
            let head = set_of(rule.head.variables());
            let pieces: Vec<Piece> = rule.body.iter().map(piece).collect();
            let parts = projection::parts(&pieces, head).into_iter();
            let cost = |it: &Part, splitter: &mut Self| splitter.cost(rule, it, Search::Quick).rows;
            let parts = parts.map(|it| (cost(&it, self), it));
            let Some((_, part)) = parts.min_by(|left, right| left.0.total_cmp(&right.0)) else {
                return;
            };
            let cost = self.cost(rule, &part, Search::Thorough);
            if cost.rows >= before {
                return;
            }
            self.apply(rule, &part, cost.table);
        }
    }

    fn order(&mut self, body: &[Literal], search: Search) -> plan::Order {
        let body: Vec<(usize, &Atom)> = positive(body).enumerate().collect();
        let literals = body.iter().flat_map(|(_, atom)| atom.variables());
        let variables = literals.max().map_or(0, |it| it as usize + 1);
        let (tables, statistics) = (self.tables, &mut *self.statistics);
        plan::order(&body, None, variables, tables, statistics, self.grows, search)
    }

    fn cost(&mut self, rule: &Rule, part: &Part, search: Search) -> Cost {
        let (inner, mut rest) = part.divide(&rule.body);
        let own = self.order(&inner, search);
        let distinct: Vec<f64> =
            members(part.interface).map(|it| self.distinct(&inner, it)).collect();
        let rows = different(own.rows, distinct.iter().product());
        let table =
            Measure { rows, distinct: distinct.into_iter().map(|it| it.min(rows)).collect() };
        rest.push(self.literal(part.interface));
        self.statistics.assume(self.next_predicate(), table.clone());
        let others = self.order(&rest, search).cost;
        Cost { rows: own.cost + 2.0 * rows + others, table }
    }

    /// How many constants a variable can be.
    fn distinct(&mut self, body: &[Literal], variable: u32) -> f64 {
        let mut least = f64::INFINITY;
        for atom in positive(body) {
            let measure = self.statistics.measure(self.tables, atom.predicate);
            for (argument, &distinct) in atom.arguments.iter().zip(&measure.distinct) {
                if argument.variable() == Some(variable) {
                    least = least.min(distinct.max(1.0));
                }
            }
        }
        least
    }

    fn next_predicate(&self) -> PredicateId {
        PredicateId((self.first + self.definitions.len()) as u32)
    }

    /// The literal of the next auxiliary predicate.
    fn literal(&self, interface: VariableSet) -> Literal {
        Literal::Positive(Atom {
            predicate: self.next_predicate(),
            arguments: members(interface).map(Argument::Variable).collect(),
        })
    }

    fn apply(&mut self, rule: &mut Rule, part: &Part, table: Measure) {
        let (inner, mut rest) = part.divide(&rule.body);
        let literal = self.literal(part.interface);
        rest.push(literal.clone());
        rule.body = rest;
        self.statistics.assume(self.next_predicate(), table);
        if let Literal::Positive(head) = literal {
            self.definitions.push(Rule { head, body: inner, label: rule.label });
        }
    }
}

fn positive(body: &[Literal]) -> impl Iterator<Item = &Atom> {
    body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        _ => None,
    })
}

fn piece(literal: &Literal) -> Piece {
    let binds = matches!(literal, Literal::Positive(_));
    Piece {
        variables: set_of(literal.variables()),
        binds,
        restricts: !binds,
        may_be_unbound: false,
    }
}
