//! Rules of views stand where the views are read.
//!
//! A rule by which a view holds *unless* some moves are made is put into the rules that read the view, which then hold unless
//! they are made: that needs no evaluation. Compact ground games say so of most frame rules.

use super::super::transients::Transients;
use crate::network::code::Code;
use crate::tuning::{LONGEST_SUBSTITUTED, MOST_SUBSTITUTED_RULES, MOST_SUBSTITUTED_VIEWS};

/// What stands for views.
#[derive(Debug)]
pub(super) struct Substitutions<'run> {
    transients: &'run Transients<'run>,
    /// By view: the rules that stand for it, each of negated literals, and whether it has others.
    unless: Vec<(Vec<Vec<Code>>, bool)>,
}

impl<'run> Substitutions<'run> {
    pub(super) fn new(transients: &'run Transients<'run>) -> Self {
        let views = transients.views.len();
        let mut substitutions =
            Substitutions { transients, unless: vec![(Vec::new(), true); views] };
        let mut is_negated = vec![false; views];
        for &code in transients.all_rules().flatten().filter(|&code| code & 1 == 1) {
            transients.view(code).into_iter().for_each(|view| is_negated[view] = true);
        }
        for view in (0..views).filter(|&view| {
            !is_negated[view] && !transients.is_recursive(transients.moves() + view)
        }) {
            substitutions.find_unless(view);
        }
        for rule in transients.all_rules() {
            let read = || rule.iter().filter_map(|&code| substitutions.stands_unless(code));
            if read().count() > MOST_SUBSTITUTED_VIEWS {
                let read: Vec<usize> = read().collect();
                read.into_iter().for_each(|view| substitutions.unless[view] = (Vec::new(), true));
            }
        }
        substitutions
    }

    /// Whether all literals of a rule are negated and about moves, or views of which only that is known.
    fn holds_unless(&self, rule: &[Code]) -> bool {
        let is_unless = |&code: &Code| match (code & 1, self.transients.view(code)) {
            (1, _) => self.transients.number(code).is_some(),
            (_, Some(view)) => !self.unless[view].1,
            _ => false,
        };
        (1..=LONGEST_SUBSTITUTED).contains(&rule.len()) && rule.iter().all(is_unless)
    }

    /// The view that a code is, if rules stand for it.
    fn stands_unless(&self, code: Code) -> Option<usize> {
        let view = self.transients.view(code).filter(|_| code & 1 == 0)?;
        (!self.unless[view].0.is_empty()).then_some(view)
    }

    fn find_unless(&mut self, view: usize) {
        let (mut found, mut others) = (Vec::new(), false);
        for rule in self.transients.rules(view) {
            if self.holds_unless(rule) {
                self.for_each_rule(rule, |rule| found.push(rule.to_vec()));
            } else {
                others = true;
            }
        }
        if found.len() <= MOST_SUBSTITUTED_RULES
            && found.iter().all(|rule| rule.len() <= LONGEST_SUBSTITUTED)
        {
            self.unless[view] = (found, others);
        }
    }

    /// Calls a function with the rules that a rule stands for when views that hold unless moves are made are replaced.
    pub(super) fn for_each_rule(&self, rule: &[Code], mut visit: impl FnMut(&[Code])) {
        if !rule.iter().any(|&code| self.stands_unless(code).is_some()) {
            return visit(rule);
        }
        let mut bodies = vec![Vec::new()];
        for &code in rule {
            let view = self.stands_unless(code);
            let (unless, others) = view
                .map_or((&[][..], true), |view| (&self.unless[view].0[..], self.unless[view].1));
            let own = [code];
            let choices = unless.iter().map(Vec::as_slice).chain(others.then_some(&own[..]));
            bodies = choices
                .flat_map(|choice| bodies.iter().map(move |body| [body, choice].concat()))
                .collect();
        }
        bodies.iter().for_each(|body| visit(body));
    }

    /// The rules of a view that are left.
    pub(super) fn rules(&self, view: usize) -> impl Iterator<Item = &[Code]> {
        let has_unless = !self.unless[view].0.is_empty();
        let rules = self.transients.rules(view);
        rules.filter(move |rule| !has_unless || !self.holds_unless(rule))
    }
}
