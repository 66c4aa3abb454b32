//! Atoms that only stand for something else: an atom with a single rule is replaced by its body, if the
//! body is one literal or the atom is used once.

use groundfrog_engine::Exceeded;
use groundfrog_engine::instantiate::{GroundLiteral, RuleStore};

use crate::pulse::Pulse;

/// What is known of an atom's rules and uses.
#[derive(Clone, Copy, Default)]
struct Use {
    rules: u32,
    /// Its last rule.
    rule: u32,
    positive: u32,
    negative: u32,
}

/// Replaces atoms that may be, and removes their rules. Returns whether anything changed; the heads of rules
/// that did are raised in `changed_heads`, which has an entry for each atom.
///
/// Bodies stay sets. A body that becomes contradictory is left: its rule never applies.
///
/// # Errors
/// A limit that was exceeded; the rules are then of no use.
pub fn inline(
    rules: &mut RuleStore,
    changed_heads: &mut [bool],
    may_go: impl Fn(u32) -> bool,
    pulse: &mut Pulse<'_>,
) -> Result<bool, Exceeded> {
    let atoms = changed_heads.len();
    let mut uses = vec![Use::default(); atoms];
    for (number, rule) in rules.iter().enumerate() {
        let head = &mut uses[rule.head as usize];
        head.rules += 1;
        head.rule = number as u32;
        for literal in rule.body {
            let atom = &mut uses[literal.atom() as usize];
            if literal.is_negated() { atom.negative += 1 } else { atom.positive += 1 }
        }
    }
    let defined = |atom: u32| {
        let it = uses[atom as usize];
        it.rules == 1 && it.positive + it.negative > 0 && may_go(atom)
    };
    let is_alias =
        |atom: u32| defined(atom) && rules.rule(uses[atom as usize].rule as usize).body.len() == 1;
    let is_used_once = |atom: u32| {
        let it = uses[atom as usize];
        defined(atom) && it.positive == 1 && it.negative == 0
    };
    // One kind at a time: the only use of an atom can be in the definition of an alias, which may be
    // negated elsewhere, and then the atom's body must not be taken apart.
    let mut state: Vec<State> = (0..atoms as u32).map(|it| State::new(is_alias(it))).collect();
    if !state.contains(&State::Goes) {
        state = (0..atoms as u32).map(|it| State::new(is_used_once(it))).collect();
    }
    if !state.contains(&State::Goes) {
        return Ok(false);
    }
    // An atom may stand for another that goes as well; those on a cycle stay.
    let mut inlining = Inlining { rules, uses: &uses, state: &mut state, path: Vec::new() };
    for atom in 0..atoms as u32 {
        inlining.break_cycles(atom);
    }
    if !state.contains(&State::Resolved) {
        return Ok(false);
    }
    let mut result = RuleStore::default();
    result.reserve(rules.len(), rules.literal_count());
    let mut body: Vec<GroundLiteral> = Vec::new();
    let mut agenda: Vec<GroundLiteral> = Vec::new();
    let goes = |literal: &GroundLiteral| state[literal.atom() as usize] == State::Resolved;
    for rule in rules.iter().take_while(|_| pulse.beat()) {
        if state[rule.head as usize] == State::Resolved {
            continue;
        }
        if !rule.body.iter().any(goes) {
            result.push(rule.head, rule.body);
            continue;
        }
        changed_heads[rule.head as usize] = true;
        body.clear();
        agenda.extend(rule.body.iter().rev());
        while let Some(literal) = agenda.pop() {
            if !goes(&literal) {
                if !body.contains(&literal) {
                    body.push(literal);
                }
                continue;
            }
            let definition = rules.rule(uses[literal.atom() as usize].rule as usize).body;
            let negated = literal.is_negated();
            let below = definition.iter().rev();
            agenda
                .extend(below.map(|it| GroundLiteral::new(it.atom(), it.is_negated() != negated)));
        }
        result.push(rule.head, &body);
    }
    pulse.finish()?;
    *rules = result;
    Ok(true)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Stays,
    Goes,
    OnPath,
    Resolved,
}

impl State {
    fn new(goes: bool) -> Self {
        if goes { State::Goes } else { State::Stays }
    }
}

struct Inlining<'run> {
    rules: &'run RuleStore,
    uses: &'run [Use],
    state: &'run mut [State],
    path: Vec<(u32, usize)>,
}

impl Inlining<'_> {
    /// Follows the definitions from an atom and keeps an atom of each cycle.
    fn break_cycles(&mut self, atom: u32) {
        if self.state[atom as usize] != State::Goes {
            return;
        }
        self.state[atom as usize] = State::OnPath;
        self.path.push((atom, 0));
        while let Some((atom, position)) = self.path.pop() {
            let body = self.rules.rule(self.uses[atom as usize].rule as usize).body;
            let Some(literal) = body.get(position) else {
                if self.state[atom as usize] == State::OnPath {
                    self.state[atom as usize] = State::Resolved;
                }
                continue;
            };
            self.path.push((atom, position + 1));
            let below = literal.atom();
            match self.state[below as usize] {
                State::Goes => {
                    self.state[below as usize] = State::OnPath;
                    self.path.push((below, 0));
                }
                State::OnPath => self.state[below as usize] = State::Stays,
                State::Stays | State::Resolved => {}
            }
        }
    }
}
