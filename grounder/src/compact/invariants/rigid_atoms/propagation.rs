//! What follows from fluents that always hold: atoms that hold in every reachable state, and atoms that hold in none.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};
use groundfrog_engine::rows::Rows;

use super::{Keeping, kept};
use crate::game::TransitionMap;
use crate::ticker::Ticker;

/// What is known of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// It holds in some states, as far as is known.
    Varies,
    Always,
    Never,
}

/// Of a rule that never applies.
const IDLE: u32 = u32::MAX;

/// What is known of the atoms, and what each rule still waits for.
pub(super) struct RigidPropagation<'run> {
    rules: &'run RuleStore,
    transition_map: &'run TransitionMap,
    /// By code of a literal: the rules in whose bodies it is.
    occurrences: &'run Rows<u32>,
    /// By literal.
    known: Vec<Truth>,
    /// By rule: how many of its literals vary, or [`IDLE`]. What keeps a fluent of the first state does not count the fluent
    /// itself: that one rule says so is enough.
    varying: Vec<u32>,
    /// By atom: how many rules may derive it. What keeps a fluent of no first state counts for nothing: it has to come
    /// about otherwise.
    supports: Vec<u32>,
    /// Literals that always hold, that have not been propagated to rules.
    news: Vec<GroundLiteral>,
    /// The rules for fluents of the first state.
    of_initial: Vec<u32>,
}

impl<'run> RigidPropagation<'run> {
    /// Nothing is known but what rules without a body say.
    pub(super) fn new(
        (rules, occurrences): (&'run RuleStore, &'run Rows<u32>),
        transition_map: &'run TransitionMap,
        atoms: usize,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, Exceeded> {
        let mut propagation = RigidPropagation {
            rules,
            transition_map,
            occurrences,
            known: vec![Truth::Varies; 2 * atoms],
            varying: Vec::with_capacity(rules.len()),
            supports: vec![0; atoms],
            news: Vec::new(),
            of_initial: Vec::new(),
        };
        for (number, rule) in (0..).zip(rules.iter()) {
            ticker.tick()?;
            let mut varying = rule.body.len() as u32;
            let mut supports = 1;
            if let Some(fluent) = transition_map.leads_to(rule.head) {
                let needs_it = depends_on(rule, fluent);
                if transition_map.is_initial(fluent) {
                    varying -= u32::from(needs_it);
                    propagation.of_initial.push(number);
                } else {
                    supports = u32::from(!needs_it);
                }
            }
            propagation.varying.push(varying);
            propagation.supports[rule.head as usize] += supports;
            if varying == 0 {
                propagation.always_follows(rule.head);
            }
        }
        Ok(propagation)
    }

    /// What is known of a literal.
    #[inline]
    fn known(&self, literal: GroundLiteral) -> Truth {
        self.known[literal.code() as usize]
    }

    /// What is known, by literal.
    pub(super) fn into_known(self) -> Vec<Truth> {
        self.known
    }

    /// Of these atoms some rule says so in every state.
    pub(super) fn all_follow(&mut self, heads: &[u32]) {
        heads.iter().for_each(|&head| self.always_follows(head));
    }

    /// Finds all that follows.
    pub(super) fn close(&mut self, ticker: &mut Ticker<'_>) -> Result<(), Exceeded> {
        loop {
            self.propagate(ticker)?;
            let heads = self.kept_now(ticker)?;
            self.all_follow(&heads);
            if self.news.is_empty() {
                return Ok(());
            }
        }
    }

    /// Fluents that keep each other by rules that use nothing else any more.
    fn kept_now(&mut self, ticker: &mut Ticker<'_>) -> Result<Vec<u32>, Exceeded> {
        let (rules, transition_map, known) = (self.rules, self.transition_map, &self.known);
        let varies = |it: GroundLiteral| known[it.code() as usize] == Truth::Varies;
        let varying = &self.varying;
        ticker.ticks(self.of_initial.len() as u32)?;
        self.of_initial.retain(|&rule| {
            let head = GroundLiteral::new(rules.heads()[rule as usize], false);
            varying[rule as usize] != IDLE && varies(head)
        });
        let rule = |it: &u32| rules.rule(*it as usize);
        let keeping = |it: GroundRule<'run>| Keeping::new(it, transition_map, |it| !varies(it));
        let keeping: Vec<_> = self.of_initial.iter().map(rule).filter_map(keeping).collect();
        kept(&keeping, transition_map, |literal| !varies(literal), ticker)
    }

    /// Tells the rules what is new, and what follows from that.
    fn propagate(&mut self, ticker: &mut Ticker<'_>) -> Result<(), Exceeded> {
        let occurrences = self.occurrences;
        while let Some(literal) = self.news.pop() {
            for &number in occurrences.row(literal.code() as usize) {
                ticker.tick()?;
                self.holds_in(number);
            }
            for &number in occurrences.row(literal.code() as usize ^ 1) {
                ticker.tick()?;
                self.fails_in(number);
            }
        }
        Ok(())
    }

    /// A literal of a rule always holds.
    fn holds_in(&mut self, number: u32) {
        let head = self.rules.heads()[number as usize];
        let is_known = self.known(GroundLiteral::new(head, false)) != Truth::Varies;
        let varying = &mut self.varying[number as usize];
        if *varying == IDLE || is_known {
            return;
        }
        *varying -= 1;
        if *varying == 0 {
            self.always_follows(head);
        }
    }

    /// A literal of a rule never holds.
    fn fails_in(&mut self, number: u32) {
        if std::mem::replace(&mut self.varying[number as usize], IDLE) == IDLE {
            return;
        }
        let rule = self.rules.rule(number as usize);
        if self.known(GroundLiteral::new(rule.head, false)) != Truth::Varies {
            return;
        }
        let keeps =
            |&fluent: &u32| !self.transition_map.is_initial(fluent) && depends_on(rule, fluent);
        if self.transition_map.leads_to(rule.head).as_ref().is_some_and(keeps) {
            return;
        }
        let supports = &mut self.supports[rule.head as usize];
        *supports -= 1;
        if *supports == 0 {
            self.never_follows(rule.head);
        }
    }

    /// Some rule always says that an atom holds; so it does in the next state, if it says what is true then.
    fn always_follows(&mut self, head: u32) {
        self.note_always(GroundLiteral::new(head, false));
        if let Some(fluent) =
            self.transition_map.leads_to(head).filter(|&it| self.transition_map.is_initial(it))
        {
            self.note_always(GroundLiteral::new(fluent, false));
        }
    }

    /// No rule ever says that an atom holds; so it never does in a next state, nor at first.
    fn never_follows(&mut self, head: u32) {
        self.note_always(GroundLiteral::new(head, true));
        if let Some(atom) =
            self.transition_map.leads_to(head).filter(|&it| !self.transition_map.is_initial(it))
        {
            self.note_always(GroundLiteral::new(atom, true));
        }
    }

    /// A literal always holds.
    fn note_always(&mut self, literal: GroundLiteral) {
        let code = literal.code() as usize;
        if self.known[code] == Truth::Varies {
            (self.known[code], self.known[code ^ 1]) = (Truth::Always, Truth::Never);
            self.news.push(literal);
        }
    }
}

/// Whether a rule uses an atom.
fn depends_on(rule: GroundRule<'_>, atom: u32) -> bool {
    rule.body.contains(&GroundLiteral::new(atom, false))
}
