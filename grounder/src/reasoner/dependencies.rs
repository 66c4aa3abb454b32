//! How the atoms of a ground game depend on each other: components, and what depends on moves.

use groundfrog_engine::instantiate::GroundRule;

use super::BuildError;
use crate::game::{AtomId, AtomKind, GroundGame};

/// A set of atoms that depend on each other, or a single atom.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    start: u32,
    end: u32,
    /// Whether an atom depends on itself.
    pub recursive: bool,
}

/// The dependency graph of the *views* of a ground game: the atoms that are heads of rules, but for those
/// `(next f)` that no rule reads.
///
/// Ground rules are stratified if no atom depends on its own negation. That is weaker than what a
/// description promises, where predicates are looked at instead of atoms.
#[derive(Clone, Debug)]
pub struct Dependencies {
    offsets: Vec<u32>,
    rules: Vec<u32>,
    order: Vec<AtomId>,
    components: Vec<Component>,
    component_of: Vec<u32>,
    transient: Vec<bool>,
    /// The rules about `(next f)` that are not among those of views.
    next_rules: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Dependencies {
    /// Analyses the rules of a game.
    ///
    /// # Errors
    /// [`BuildError::NegativeCycle`].
    pub fn new(game: &GroundGame) -> Result<Self, BuildError> {
        let next = range_of(game, AtomKind::Next);
        let reads_next = game
            .rules()
            .iter()
            .any(|rule| rule.body.iter().any(|literal| next.contains(&literal.atom())));
        let is_view = |head: u32| reads_next || !next.contains(&head);
        let mut offsets = vec![0u32; game.atom_count() + 1];
        let mut next_rules = Vec::new();
        for (number, &head) in game.rules().heads().iter().enumerate() {
            if is_view(head) {
                offsets[head as usize + 1] += 1;
            } else {
                next_rules.push(number as u32);
            }
        }
        for atom in 0..game.atom_count() {
            offsets[atom + 1] += offsets[atom];
        }
        let mut fill = offsets.clone();
        let mut rules = vec![0; game.rules().len() - next_rules.len()];
        for (number, &head) in game.rules().heads().iter().enumerate() {
            if is_view(head) {
                rules[fill[head as usize] as usize] = number as u32;
                fill[head as usize] += 1;
            }
        }
        let mut dependencies = Dependencies {
            offsets,
            rules,
            order: Vec::new(),
            components: Vec::new(),
            component_of: vec![NONE; game.atom_count()],
            transient: vec![false; game.atom_count()],
            next_rules,
        };
        dependencies.find_components(game);
        dependencies.check_stratified(game)?;
        dependencies.mark_transient(game);
        Ok(dependencies)
    }

    /// The rules of a view.
    pub fn rules_of(&self, atom: AtomId) -> &[u32] {
        let range = self.offsets[atom.index()] as usize..self.offsets[atom.index() + 1] as usize;
        &self.rules[range]
    }

    /// The rules about `(next f)` that are not among those of views.
    pub fn next_rules(&self) -> &[u32] {
        &self.next_rules
    }

    /// The components, each after those that it reads.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The views of a component.
    pub fn members(&self, component: Component) -> &[AtomId] {
        &self.order[component.start as usize..component.end as usize]
    }

    /// The component of a view.
    pub fn component_of(&self, atom: AtomId) -> Option<usize> {
        let component = self.component_of[atom.index()];
        (component != NONE).then_some(component as usize)
    }

    /// Whether an atom depends on the moves that are made: `does` atoms, and views that depend on them.
    pub fn is_transient(&self, atom: AtomId) -> bool {
        self.transient[atom.index()]
    }

    fn is_view(&self, atom: u32) -> bool {
        self.offsets[atom as usize] < self.offsets[atom as usize + 1]
    }

    /// Tarjan's algorithm with an explicit stack.
    fn find_components(&mut self, game: &GroundGame) {
        let count = game.atom_count();
        let (mut number, mut low) = (vec![NONE; count], vec![0u32; count]);
        let (mut open, mut calls) = (Vec::new(), Vec::<(u32, u32, u32)>::new());
        let mut next_number = 0;
        for root in 0..count as u32 {
            if !self.is_view(root) || number[root as usize] != NONE {
                continue;
            }
            let mut entered = Some(root);
            loop {
                if let Some(atom) = entered.take() {
                    number[atom as usize] = next_number;
                    low[atom as usize] = next_number;
                    next_number += 1;
                    open.push(atom);
                    calls.push((atom, self.offsets[atom as usize], 0));
                }
                let Some(call) = calls.last_mut() else { break };
                let atom = call.0 as usize;
                'search: while call.1 < self.offsets[atom + 1] {
                    let body = game.rules().rule(self.rules[call.1 as usize] as usize).body;
                    while let Some(literal) = body.get(call.2 as usize) {
                        call.2 += 1;
                        let child = literal.atom();
                        if self.offsets[child as usize] == self.offsets[child as usize + 1] {
                            continue;
                        }
                        if number[child as usize] == NONE {
                            entered = Some(child);
                            break 'search;
                        }
                        if self.component_of[child as usize] == NONE {
                            low[atom] = low[atom].min(number[child as usize]);
                        }
                    }
                    call.1 += 1;
                    call.2 = 0;
                }
                if entered.is_some() {
                    continue;
                }
                calls.pop();
                if let Some(parent) = calls.last() {
                    let parent = parent.0 as usize;
                    low[parent] = low[parent].min(low[atom]);
                }
                if low[atom] == number[atom] {
                    self.close(atom as u32, &mut open, game);
                }
            }
        }
    }

    /// Takes a finished component from the stack of open atoms.
    fn close(&mut self, root: u32, open: &mut Vec<u32>, game: &GroundGame) {
        let first = open.iter().rposition(|&atom| atom == root).expect("the root is open");
        let start = self.order.len() as u32;
        let component = self.components.len() as u32;
        self.order.extend(open.drain(first..).map(AtomId));
        self.order[start as usize..].sort_unstable();
        let end = self.order.len() as u32;
        for &member in &self.order[start as usize..] {
            self.component_of[member.index()] = component;
        }
        let own = AtomId(root);
        let reads_itself =
            || self.bodies(own, game).any(|body| body.body.iter().any(|it| it.atom() == root));
        let recursive = end - start > 1 || reads_itself();
        self.components.push(Component { start, end, recursive });
    }

    fn bodies<'game>(
        &self,
        atom: AtomId,
        game: &'game GroundGame,
    ) -> impl Iterator<Item = GroundRule<'game>> {
        self.rules_of(atom).iter().map(|&rule| game.rules().rule(rule as usize))
    }

    fn check_stratified(&self, game: &GroundGame) -> Result<(), BuildError> {
        for (number, &component) in self.components.iter().enumerate() {
            if !component.recursive {
                continue;
            }
            for &atom in self.members(component) {
                for literal in self.bodies(atom, game).flat_map(|rule| rule.body) {
                    let own = self.component_of[literal.atom() as usize] == number as u32;
                    if literal.is_negated() && own {
                        return Err(self.negative_cycle(atom, AtomId(literal.atom()), game));
                    }
                }
            }
        }
        Ok(())
    }

    /// The cycle closed by a negative literal `to` in a rule of `from`.
    fn negative_cycle(&self, from: AtomId, to: AtomId, game: &GroundGame) -> BuildError {
        let component = self.component_of[from.index()];
        let mut parent = fxhash::FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([to]);
        parent.insert(to, to);
        while let Some(atom) = queue.pop_front() {
            if atom == from {
                break;
            }
            for literal in self.bodies(atom, game).flat_map(|rule| rule.body) {
                let child = AtomId(literal.atom());
                if self.component_of[child.index()] == component && !parent.contains_key(&child) {
                    parent.insert(child, atom);
                    queue.push_back(child);
                }
            }
        }
        let mut path = vec![from];
        while let Some(&before) = path.last().filter(|&&it| it != to).and_then(|it| parent.get(it))
        {
            path.push(before);
        }
        // From `from` by its negative literal to `to`, and so on back to `from`.
        let mut cycle: Vec<String> =
            path.iter().rev().map(|&atom| game.display(atom).to_string()).collect();
        cycle.rotate_right(1);
        cycle.push(cycle[0].clone());
        BuildError::NegativeCycle { cycle }
    }

    fn mark_transient(&mut self, game: &GroundGame) {
        for atom in game.inputs() {
            self.transient[atom.index()] = true;
        }
        for component in self.components.clone() {
            let members = component.start as usize..component.end as usize;
            let transient = self.order[members.clone()].iter().any(|&atom| {
                let mut literals = self.bodies(atom, game).flat_map(|rule| rule.body);
                literals.any(|literal| self.transient[literal.atom() as usize])
            });
            if transient {
                for &atom in &self.order[members] {
                    self.transient[atom.index()] = true;
                }
            }
        }
    }
}

/// The numbers of the atoms of a kind, which stand together.
pub(crate) fn range_of(game: &GroundGame, kind: AtomKind) -> std::ops::Range<u32> {
    let mut atoms = game.atoms_of(kind);
    let Some(first) = atoms.next() else { return 0..0 };
    first.0..atoms.last().map_or(first.0 + 1, |last| last.0 + 1)
}
