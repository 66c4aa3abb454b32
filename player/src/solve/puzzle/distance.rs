//! How far states are from the best end of a puzzle.

use std::sync::Arc;

use groundfrog::RulesByHead;
use groundfrog::game::{AtomId, GroundGame, RoleId};
use groundfrog_reasoner::{FluentId, State};

/// More than anything costs.
const FAR: u32 = 1 << 16;

/// Where an atom's cost comes from.
#[derive(Clone, Debug)]
enum Source {
    Fluent(FluentId),
    /// Bodies: atoms by their positions in the order, and whether they are negated.
    Rules(Vec<Vec<(u32, bool)>>),
}

/// How far a state is from the best end of a puzzle: how many fluents would have to change.
///
/// A conjunction costs the sum of its parts and a disjunction the least of them, as in heuristics for planning (Bonet &
/// Geffner, "Planning as heuristic search", 2001) without looking ahead. It orders states and proves nothing.
///
/// It has the atoms that the wanted end depends on, each after those it depends on. Clones share all but the costs.
#[derive(Clone, Debug)]
pub(crate) struct Distance {
    sources: Arc<[Source]>,
    /// By atom: what it costs to let it hold, and to let it not hold.
    costs: Vec<(u32, u32)>,
    wanted: Arc<[u32]>,
    /// The value of the ends.
    pub(crate) value: i64,
}

impl Distance {
    /// The distance from the ends with this value.
    pub(crate) fn new(game: &GroundGame, value: i64) -> Self {
        let by_head = RulesByHead::new(game);
        let goals = game.goals_of(RoleId(0)).filter(|it| it.value == Some(value)).map(|it| it.atom);
        let wanted: Vec<AtomId> = goals.chain(game.terminal()).collect();
        let order = order(game, &by_head, &wanted);
        let mut positions = vec![u32::MAX; game.atom_count()];
        for (position, atom) in order.iter().enumerate() {
            positions[atom.index()] = position as u32;
        }
        let first = game.fluents().next().map_or(0, |it| it.0);
        let fluents = first..first + game.fluents().len() as u32;
        let source = |atom: &AtomId| {
            if fluents.contains(&atom.0) {
                return Source::Fluent(FluentId(atom.0 - first));
            }
            let bodies = by_head.rules(*atom).iter().map(|&rule| {
                let body = game.rules().rule(rule as usize).body.iter();
                body.map(|it| (positions[it.atom() as usize], it.is_negated())).collect()
            });
            Source::Rules(bodies.collect())
        };
        let sources: Arc<[Source]> = order.iter().map(source).collect();
        let wanted = wanted.iter().map(|it| positions[it.index()]).collect();
        Distance { costs: vec![(FAR, 0); sources.len()], sources, wanted, value }
    }

    /// How far a state is.
    pub(crate) fn of(&mut self, state: &State) -> u32 {
        for (position, source) in self.sources.iter().enumerate() {
            self.costs[position] = match source {
                Source::Fluent(fluent) => {
                    let holds = state.contains(*fluent);
                    (u32::from(!holds), u32::from(holds))
                }
                Source::Rules(bodies) => {
                    let (mut hold, mut fail) = (FAR, 0_u32);
                    for body in bodies {
                        let (mut all, mut one) = (0_u32, FAR);
                        for &(atom, negated) in body {
                            let (yes, no) = self.costs[atom as usize];
                            let (yes, no) = if negated { (no, yes) } else { (yes, no) };
                            all = all.saturating_add(yes);
                            one = one.min(no);
                        }
                        hold = hold.min(all);
                        fail = fail.saturating_add(one);
                    }
                    (hold.min(FAR), fail.min(FAR))
                }
            };
        }
        self.wanted.iter().map(|&it| self.costs[it as usize].0).sum()
    }
}

/// The atoms that some depend on, each after those it depends on, but for recursion.
fn order(game: &GroundGame, by_head: &RulesByHead, wanted: &[AtomId]) -> Vec<AtomId> {
    let mut seen = vec![false; game.atom_count()];
    let mut order = Vec::new();
    // An atom, and whether what it depends on is in order.
    let mut stack: Vec<(AtomId, bool)> = wanted.iter().map(|&it| (it, false)).collect();
    while let Some((atom, done)) = stack.pop() {
        if done {
            order.push(atom);
            continue;
        }
        if std::mem::replace(&mut seen[atom.index()], true) {
            continue;
        }
        stack.push((atom, true));
        for &rule in by_head.rules(atom) {
            stack.extend(
                game.rules().rule(rule as usize).body.iter().map(|it| (AtomId(it.atom()), false)),
            );
        }
    }
    order
}
