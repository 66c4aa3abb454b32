//! Views that need no evaluation: their rules stand where they are read.
//!
//! A view that holds *unless* some moves are made is replaced by these, so that what reads it holds unless they are made. A view
//! that only *collects* moves is replaced by each of them. Compact ground games say most frame rules by such views.

use super::super::transients::Transients;
use crate::network::code::Code;

/// Rules that may stand for a view that holds unless moves are made.
const MOST_RULES: usize = 8;
/// Literals that such a rule may have.
const LONGEST: usize = 4;
/// Such views that a rule may read.
const MOST_VIEWS: usize = 2;
/// Literals that views that collect moves may add; such views beyond are kept.
const MOST_COLLECTED: usize = 1 << 22;

/// What stands for views.
#[derive(Debug)]
pub(super) struct Substitutions<'run> {
    transients: &'run Transients<'run>,
    /// By view: the rules that stand for it, each of negated literals, and whether it has others.
    unless: Vec<(Vec<Vec<Code>>, bool)>,
    /// By view: the codes that it collects, if it does nothing else.
    collected: Vec<Option<Vec<Code>>>,
}

impl<'run> Substitutions<'run> {
    pub(super) fn new(transients: &'run Transients<'run>) -> Self {
        let views = transients.views.len();
        let mut substitutions = Substitutions {
            transients,
            unless: vec![(Vec::new(), true); views],
            collected: vec![None; views],
        };
        let mut is_negated = vec![false; views];
        for &code in transients.all_rules().flatten().filter(|&code| code & 1 == 1) {
            transients.view(code).into_iter().for_each(|view| is_negated[view] = true);
        }
        for view in (0..views).filter(|&view| !is_negated[view] && !transients.is_recursive(view)) {
            substitutions.find_unless(view);
        }
        for rule in transients.all_rules() {
            let read = || rule.iter().filter_map(|&code| substitutions.stands_unless(code));
            if read().count() > MOST_VIEWS {
                let read: Vec<usize> = read().collect();
                read.into_iter().for_each(|view| substitutions.unless[view] = (Vec::new(), true));
            }
        }
        substitutions.collect_moves();
        substitutions
    }

    /// Whether all literals of a rule are negated and about moves, or views of which only that is known.
    fn holds_unless(&self, rule: &[Code]) -> bool {
        let is_unless = |&code: &Code| match (code & 1, self.transients.view(code)) {
            (1, _) => self.transients.number(code).is_some(),
            (_, Some(view)) => !self.unless[view].1,
            _ => false,
        };
        (1..=LONGEST).contains(&rule.len()) && rule.iter().all(is_unless)
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
                self.without_unless(rule, |rule| found.push(rule.to_vec()));
            } else {
                others = true;
            }
        }
        if found.len() <= MOST_RULES && found.iter().all(|rule| rule.len() <= LONGEST) {
            self.unless[view] = (found, others);
        }
    }

    /// Finds the views all of whose rules have one literal, and that are the only ones in a rule that say what is made.
    fn collect_moves(&mut self) {
        let views = self.transients.views.len();
        let (mut uses, mut is_joined) = (vec![0usize; views], vec![false; views]);
        for rule in self.transients.all_rules() {
            self.without_unless(rule, |rule| {
                let is_made =
                    |&&code: &&Code| code & 1 == 0 && self.transients.number(code).is_some();
                let made = rule.iter().filter(is_made).count();
                for &code in rule {
                    let Some(view) = self.transients.view(code) else { continue };
                    uses[view] += 1;
                    is_joined[view] |= made > 1 - (code as usize & 1);
                }
            });
        }
        let mut room = MOST_COLLECTED;
        for view in
            (0..views).filter(|&view| !is_joined[view] && !self.transients.is_recursive(view))
        {
            let is_made = |rule: &[Code]| match *rule {
                [code] => code & 1 == 0 && self.transients.number(code).is_some(),
                _ => false,
            };
            if !self.transients.rules(view).all(is_made) {
                continue;
            }
            let rules = self.transients.rules(view);
            let mut codes: Vec<Code> =
                rules.flat_map(|rule| self.alternatives(&rule[0])).copied().collect();
            codes.sort_unstable();
            codes.dedup();
            if let Some(rest) = room.checked_sub(codes.len() * uses[view]) {
                room = rest;
                self.collected[view] = Some(codes);
            }
        }
    }

    /// The codes that a code collects; itself, if it is no such view.
    fn alternatives<'a>(&'a self, code: &'a Code) -> &'a [Code] {
        let view = self.transients.view(*code);
        let collected = view.and_then(|view| self.collected[view].as_deref());
        collected.unwrap_or(std::slice::from_ref(code))
    }

    /// Calls a function with the rules that a rule stands for when views that hold unless moves are made are replaced.
    fn without_unless(&self, rule: &[Code], mut visit: impl FnMut(&[Code])) {
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

    /// Calls a function with the rules that a rule stands for.
    pub(super) fn for_each_rule(&self, rule: &[Code], mut visit: impl FnMut(&[Code])) {
        let collects = |&code: &Code| self.alternatives(&code) != [code];
        self.without_unless(rule, |rule| {
            if !rule.iter().any(collects) {
                return visit(rule);
            }
            let mut body: Vec<Code> = Vec::new();
            for code in rule.iter().filter(|&code| code & 1 == 1 || !collects(code)) {
                match code & 1 {
                    1 if collects(code) => {
                        body.extend(self.alternatives(code).iter().map(|made| made | 1));
                    }
                    _ => body.push(*code),
                }
            }
            // At most one of the literals says what is made.
            match rule.iter().find(|&code| code & 1 == 0 && collects(code)) {
                None => visit(&body),
                Some(made) => {
                    for made in self.alternatives(made) {
                        body.push(*made);
                        visit(&body);
                        body.pop();
                    }
                }
            }
        });
    }

    /// The rules of a view that are left.
    pub(super) fn rules(&self, view: usize) -> impl Iterator<Item = &[Code]> {
        let has_unless = !self.unless[view].0.is_empty();
        let rules = self.transients.rules(view).filter(move |_| self.collected[view].is_none());
        rules.filter(move |rule| !has_unless || !self.holds_unless(rule))
    }
}
