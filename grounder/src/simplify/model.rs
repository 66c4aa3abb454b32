//! The well-founded model of ground rules with open atoms.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, GroundRule, RuleStore};

use crate::pulse::Pulse;

const POSSIBLE: u8 = 1;
const CERTAIN: u8 = 2;
const OPEN: u8 = 4;

/// How often rules are passed, which is fast and mostly enough, before atoms are followed to the rules that
/// they occur in.
const MOST_PASSES: usize = 8;

/// Which atoms are possible and which are certain.
pub(super) struct Model {
    marks: Vec<u8>,
    certain: usize,
    changes: bool,
}

/// What there is among the rules.
#[derive(Default)]
struct Survey {
    /// A rule that cannot apply.
    dead: bool,
    /// A rule whose literals are all negated and always hold.
    begins: bool,
    /// A literal that always holds.
    always: bool,
}

impl Model {
    pub(super) fn new(
        rules: &RuleStore,
        atoms: usize,
        is_open: impl Fn(u32) -> bool,
        pulse: &mut Pulse<'_>,
    ) -> Result<Self, Exceeded> {
        let mut marks = vec![0u8; atoms];
        for (atom, mark) in marks.iter_mut().enumerate() {
            if is_open(atom as u32) {
                *mark = OPEN | POSSIBLE;
            }
        }
        // An upper bound to begin with: it is the least set where every rule's positive atoms have
        // rules, which holds of rules that a fixpoint has derived.
        for &head in rules.heads() {
            marks[head as usize] |= POSSIBLE;
        }
        let mut model = Model { marks, certain: 0, changes: false };
        let mut found = model.survey(rules, pulse)?;
        model.changes = found.dead || found.begins || found.always;
        let mut occurrences = None;
        if found.dead && model.restrict_possible(rules, &mut occurrences, pulse)? {
            found = model.survey(rules, pulse)?;
        }
        while found.begins && model.extend_certain(rules, &mut occurrences, pulse)? {
            let blocks = |it: &GroundLiteral| it.is_negated() && model.is_certain(it.atom());
            if !rules.literals().iter().any(blocks)
                || !model.restrict_possible(rules, &mut occurrences, pulse)?
            {
                break;
            }
            found = model.survey(rules, pulse)?;
        }
        Ok(model)
    }

    /// Whether the residual is not the rules themselves.
    pub(super) fn changes(&self) -> bool {
        self.changes
    }

    /// Once through all rules.
    fn survey(&self, rules: &RuleStore, pulse: &mut Pulse<'_>) -> Result<Survey, Exceeded> {
        let mut found = Survey::default();
        for rule in rules.iter().take_while(|_| pulse.beat()) {
            if self.is_settled(rule.body) && !rule.body.is_empty() {
                continue;
            }
            let mut begins = true;
            for literal in rule.body {
                let mark = self.marks[literal.atom() as usize];
                let (possible, certain) = (mark & POSSIBLE != 0, mark & CERTAIN != 0);
                let negated = literal.is_negated();
                found.dead |= if negated { certain } else { !possible };
                found.always |= if negated { !possible } else { certain };
                begins &= negated && !possible;
            }
            found.begins |= begins;
        }
        pulse.finish()?;
        Ok(found)
    }

    /// Whether all atoms of a body are possible and none is certain, as mostly: it stays as it is.
    #[inline]
    pub(super) fn is_settled(&self, body: &[GroundLiteral]) -> bool {
        let unlike = |it: &GroundLiteral| self.marks[it.atom() as usize] ^ POSSIBLE;
        body.iter().fold(0, |all, it| all | unlike(it)) & (POSSIBLE | CERTAIN) == 0
    }

    pub(super) fn is_possible(&self, atom: u32) -> bool {
        self.marks[atom as usize] & POSSIBLE != 0
    }

    pub(super) fn is_certain(&self, atom: u32) -> bool {
        self.marks[atom as usize] & CERTAIN != 0
    }

    pub(super) fn has_certain(&self) -> bool {
        self.certain > 0
    }

    fn is_open(&self, atom: u32) -> bool {
        self.marks[atom as usize] & OPEN != 0
    }

    /// Takes back what is not possible, given what is certain. Returns whether anything changed.
    fn restrict_possible(
        &mut self,
        rules: &RuleStore,
        occurrences: &mut Option<Occurrences>,
        pulse: &mut Pulse<'_>,
    ) -> Result<bool, Exceeded> {
        let allowed = |model: &Model, rule: GroundRule<'_>| {
            !rule.body.iter().any(|it| it.is_negated() && model.is_certain(it.atom()))
        };
        let derived = self.least(rules, occurrences, allowed, true, pulse)?;
        let mut changed = false;
        for (mark, derived) in self.marks.iter_mut().zip(derived) {
            if *mark & POSSIBLE != 0 && *mark & OPEN == 0 && !derived {
                *mark &= !POSSIBLE;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Adds what is certain, given what is possible. Returns whether anything changed.
    fn extend_certain(
        &mut self,
        rules: &RuleStore,
        occurrences: &mut Option<Occurrences>,
        pulse: &mut Pulse<'_>,
    ) -> Result<bool, Exceeded> {
        let allowed = |model: &Model, rule: GroundRule<'_>| {
            !rule.body.iter().any(|it| it.is_negated() && model.is_possible(it.atom()))
        };
        let derived = self.least(rules, occurrences, allowed, false, pulse)?;
        let before = self.certain;
        for (mark, derived) in self.marks.iter_mut().zip(derived) {
            if derived && *mark & (CERTAIN | OPEN) == 0 {
                *mark |= CERTAIN;
                self.certain += 1;
            }
        }
        Ok(self.certain > before)
    }

    /// The least set of atoms that the allowed rules derive by their positive literals; open atoms count as
    /// derived or not.
    fn least(
        &self,
        rules: &RuleStore,
        occurrences: &mut Option<Occurrences>,
        allowed: impl Fn(&Model, GroundRule<'_>) -> bool,
        open_holds: bool,
        pulse: &mut Pulse<'_>,
    ) -> Result<Vec<bool>, Exceeded> {
        const NEVER: u32 = u32::MAX;
        let mut derived = vec![false; self.marks.len()];
        let may_hold =
            |it: &GroundLiteral| it.is_negated() || open_holds || !self.is_open(it.atom());
        let holds = |it: &GroundLiteral, derived: &[bool]| {
            it.is_negated() || self.is_open(it.atom()) || derived[it.atom() as usize]
        };
        // Once through all rules, then through those that may still derive something.
        let mut left: Vec<u32> = Vec::new();
        for (number, rule) in (0..).zip(rules.iter()).take_while(|_| pulse.beat()) {
            let may_derive = !derived[rule.head as usize]
                && rule.body.iter().all(may_hold)
                && allowed(self, rule);
            if may_derive && rule.body.iter().all(|it| holds(it, &derived)) {
                derived[rule.head as usize] = true;
            } else if may_derive {
                left.push(number);
            }
        }
        for _ in 1..MOST_PASSES {
            let before = left.len();
            left.retain(|&number| {
                let rule = rules.rule(number as usize);
                let is_done = derived[rule.head as usize] || !pulse.beat();
                let derives = !is_done && rule.body.iter().all(|it| holds(it, &derived));
                derived[rule.head as usize] |= derives;
                !is_done && !derives
            });
            pulse.finish()?;
            if left.len() == before {
                return Ok(derived);
            }
        }
        derived.fill(false);
        let occurrences = occurrences.get_or_insert_with(|| Occurrences::new(self, rules));
        let mut agenda: Vec<u32> = Vec::new();
        let mut missing: Vec<u32> = Vec::with_capacity(rules.len());
        for rule in rules.iter().take_while(|_| pulse.beat()) {
            let positive = rule.body.iter().filter(|literal| !literal.is_negated());
            let (mut open, mut closed) = (0, 0);
            positive.for_each(|it| if self.is_open(it.atom()) { open += 1 } else { closed += 1 });
            let blocked = (open > 0 && !open_holds) || !allowed(self, rule);
            missing.push(if blocked { NEVER } else { closed });
            if !blocked && closed == 0 && !std::mem::replace(&mut derived[rule.head as usize], true)
            {
                agenda.push(rule.head);
            }
        }
        pulse.finish()?;
        while let Some(atom) = agenda.pop() {
            for &rule in occurrences.of(atom) {
                if !pulse.beat() {
                    agenda.clear();
                    break;
                }
                let missing = &mut missing[rule as usize];
                if *missing == NEVER {
                    continue;
                }
                *missing -= 1;
                let head = rules.heads()[rule as usize];
                if *missing == 0 && !std::mem::replace(&mut derived[head as usize], true) {
                    agenda.push(head);
                }
            }
        }
        pulse.finish()?;
        Ok(derived)
    }
}

/// In which rules each atom that is not open occurs positively.
struct Occurrences {
    offsets: Vec<u32>,
    rules: Vec<u32>,
}

impl Occurrences {
    fn new(model: &Model, rules: &RuleStore) -> Self {
        let closed = |rule: GroundRule<'_>, visit: &mut dyn FnMut(u32)| {
            for literal in rule.body {
                if !literal.is_negated() && !model.is_open(literal.atom()) {
                    visit(literal.atom());
                }
            }
        };
        let mut offsets = vec![0u32; model.marks.len() + 1];
        for rule in rules.iter() {
            closed(rule, &mut |atom| offsets[atom as usize + 1] += 1);
        }
        for atom in 0..model.marks.len() {
            offsets[atom + 1] += offsets[atom];
        }
        let mut next = offsets.clone();
        let mut of = vec![0u32; *offsets.last().expect("has at least one") as usize];
        for (number, rule) in rules.iter().enumerate() {
            closed(rule, &mut |atom| {
                of[next[atom as usize] as usize] = number as u32;
                next[atom as usize] += 1;
            });
        }
        Occurrences { offsets, rules: of }
    }

    fn of(&self, atom: u32) -> &[u32] {
        let range = self.offsets[atom as usize] as usize..self.offsets[atom as usize + 1] as usize;
        &self.rules[range]
    }
}
