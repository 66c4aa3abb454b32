//! The rules of each atom, while there is no game yet that could be asked.

use groundfrog_engine::instantiate::RuleStore;

/// Which rules have each atom as their head, in compressed sparse rows.
pub(crate) struct AtomRules {
    /// By atom: where its rules end; they begin where those of the atom before end.
    ends: Vec<u32>,
    rules: Vec<u32>,
}

impl AtomRules {
    /// The rules for atoms below `atoms` that are `asked` for.
    pub(crate) fn new(rules: &RuleStore, atoms: usize, asked: impl Fn(u32) -> bool) -> Self {
        // Counts, then where each atom's rules begin, then where they end.
        let mut offsets = vec![0u32; atoms + 1];
        let mut all: Vec<u32> = Vec::new();
        for (rule, &head) in (0..).zip(rules.heads()) {
            if asked(head) {
                offsets[head as usize] += 1;
                all.push(rule);
            }
        }
        let mut count = 0;
        for offset in &mut offsets {
            count += std::mem::replace(offset, count);
        }
        let mut by_head = vec![0; all.len()];
        for rule in all {
            let next = &mut offsets[rules.heads()[rule as usize] as usize];
            by_head[*next as usize] = rule;
            *next += 1;
        }
        AtomRules { ends: offsets, rules: by_head }
    }

    pub(crate) fn of(&self, atom: u32) -> &[u32] {
        let start = if atom == 0 { 0 } else { self.ends[atom as usize - 1] };
        &self.rules[start as usize..self.ends[atom as usize] as usize]
    }
}

/// Whether some atom depends on itself, by rules of atoms numbered below `atoms`.
pub(crate) fn has_cycle(rules: &RuleStore, atoms: usize) -> bool {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum State {
        New,
        OnPath,
        Done,
    }
    let by_head = AtomRules::new(rules, atoms, |_| true);
    let mut state = vec![State::New; atoms];
    // The atoms on the path, each with the rule and the literal to go on with.
    let mut path: Vec<(u32, usize, usize)> = Vec::new();
    for atom in 0..atoms as u32 {
        if state[atom as usize] == State::New {
            state[atom as usize] = State::OnPath;
            path.push((atom, 0, 0));
        }
        while let Some((atom, rule, literal)) = path.pop() {
            let Some(&number) = by_head.of(atom).get(rule) else {
                state[atom as usize] = State::Done;
                continue;
            };
            let Some(below) = rules.rule(number as usize).body.get(literal) else {
                path.push((atom, rule + 1, 0));
                continue;
            };
            path.push((atom, rule, literal + 1));
            match state[below.atom() as usize] {
                State::New => {
                    state[below.atom() as usize] = State::OnPath;
                    path.push((below.atom(), 0, 0));
                }
                State::OnPath => return true,
                State::Done => {}
            }
        }
    }
    false
}
