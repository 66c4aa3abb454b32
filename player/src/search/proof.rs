//! What is proven of states, and how soon it is had.
//!
//! "The role gets at least `low` within `soon` moves, whatever the others do" and "the others hold it to `high` within `late` moves" are true of a
//! state for itself, by whatever way it was reached and in whatever order the proofs came, so that states that play comes back to do no
//! harm. A proof rests on those of the states after it, with one move less: who follows the soonest one comes nearer to the end with each
//! move. Where `random` chooses, bounds and numbers of moves are means. What the others do counts as far as it is not proven to be worse for them.

use std::cmp::Ordering;

use fxhash::FxHashMap;
use groundfrog::Budget;
use groundfrog_reasoner::{Machine, MoveId, State};
use smallvec::{SmallVec, smallvec};

use super::look_ahead::LookAhead;
use super::tree::{NONE, Node, Tree};
use crate::clock::Watch;
use crate::strategy::StrategyError;

/// Means that differ by less are the same.
pub(super) const SLIGHT: f64 = 1e-6;
/// Nodes with more joint moves prove nothing: each proof looks at all of them.
pub(super) const MOST_JOINT_MOVES: usize = 1000;

/// What is proven of a role's goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proof {
    /// It is at least that.
    pub(super) low: f64,
    /// It is at most that.
    pub(super) high: f64,
    /// Moves until `low` is had; infinite where only the rules say so.
    pub(super) soon: f32,
    /// Moves until the role is held to `high`.
    pub(super) late: f32,
}

/// By role.
type Proofs = SmallVec<[Proof; 2]>;
/// The position of a move of each role, that of chance being 0.
type Joint = SmallVec<[u16; 4]>;

impl Proof {
    /// By the rules alone.
    pub(super) fn open((low, high): (f64, f64)) -> Self {
        Proof { low, high, soon: f32::INFINITY, late: f32::INFINITY }
    }

    /// Of an end.
    pub(super) fn end(value: f64) -> Self {
        Proof { low: value, high: value, soon: 0.0, late: 0.0 }
    }

    pub(super) fn is_decided(&self) -> bool {
        self.low >= self.high - SLIGHT
    }

    /// Which of two moves with a proven value is better: by the value, or else the shorter win and the longer loss.
    pub(super) fn preference(&self, other: &Proof, (least, _): (f64, f64)) -> Ordering {
        if (self.low - other.low).abs() > SLIGHT {
            return self.low.total_cmp(&other.low);
        }
        if self.high <= least + SLIGHT && other.high <= least + SLIGHT {
            return self.late.total_cmp(&other.late);
        }
        other.soon.total_cmp(&self.soon)
    }

    /// One move before.
    fn before(self) -> Self {
        Proof { soon: self.soon + 1.0, late: self.late + 1.0, ..self }
    }

    /// What a role can get that chooses among these.
    fn best(of: impl Iterator<Item = Proof>) -> Self {
        let (low, high) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        of.fold(Proof { low, high, soon: f32::INFINITY, late: 0.0 }, |all, it| Proof {
            low: all.low.max(it.low),
            high: all.high.max(it.high),
            soon: match it.low - all.low {
                more if more > SLIGHT => it.soon,
                less if less < -SLIGHT => all.soon,
                _ => all.soon.min(it.soon),
            },
            late: all.late.max(it.late),
        })
    }

    /// What a role can get whichever of these others take. Those who can do nothing else `hold` it as soon as they can.
    fn any(of: impl Iterator<Item = Proof>, hold: bool) -> Self {
        let late = if hold { f32::INFINITY } else { 0.0 };
        let none = Proof { low: f64::INFINITY, high: f64::NEG_INFINITY, soon: 0.0, late };
        of.fold(none, |all, it| Proof {
            low: all.low.min(it.low),
            high: all.high.max(it.high),
            soon: all.soon.max(it.soon),
            late: if hold { all.late.min(it.late) } else { all.late.max(it.late) },
        })
    }

    /// Takes what is proven now where that tells more; whether it does.
    fn learn(&mut self, new: Proof) -> bool {
        let old = *self;
        if new.low > self.low + SLIGHT * SLIGHT {
            (self.low, self.soon) = (new.low, new.soon);
        } else if new.low >= self.low - SLIGHT {
            self.soon = self.soon.min(new.soon);
        }
        if new.high < self.high - SLIGHT * SLIGHT {
            (self.high, self.late) = (new.high, new.late);
        } else if new.high <= self.high + SLIGHT {
            self.late = self.late.min(new.late);
        }
        if self.is_decided() {
            self.low = self.high;
        }
        *self != old
    }
}

impl Tree {
    /// What is proven of a role's goal in a node.
    pub(super) fn proof(&self, node: u32, role: usize) -> Proof {
        match self.nodes.get(node as usize) {
            Some(found) => {
                let ((low, high), (soon, late)) = (found.bounds[role], found.within[role]);
                Proof { low, high, soon, late }
            }
            None => Proof::open(self.range[role]),
        }
    }

    /// Passes on to a node what is proven of its children. Says whether that is new.
    pub(super) fn prove(&mut self, node: u32) -> bool {
        let found = &self.nodes[node as usize];
        if found.moves.is_empty() {
            return false;
        }
        let proofs = match self.chooser(found) {
            Some(chooser) => Some(self.by_choice(found, chooser)),
            None => self.by_joint_moves(found),
        };
        let mut is_new = false;
        for (role, proof) in proofs.into_iter().flatten().enumerate() {
            let mut known = self.proof(node, role);
            if known.learn(proof.before()) {
                is_new = true;
                let found = &mut self.nodes[node as usize];
                found.bounds[role] = (known.low, known.high);
                found.within[role] = (known.soon, known.late);
            }
        }
        is_new
    }

    /// Where one role chooses.
    fn by_choice(&self, found: &Node, chooser: usize) -> Proofs {
        let moves = &found.moves[chooser];
        let own = Proof::best(moves.iter().map(|it| self.proof(it.child, chooser)));
        let is_decided = own.is_decided();
        let proof = |role: usize| {
            if role == chooser {
                return own;
            }
            // The chooser takes none that is proven to be worse; what it can get for sure it takes for sure.
            let taken = moves.iter().filter(|tried| {
                let known = self.proof(tried.child, chooser);
                (if is_decided { known.low } else { known.high }) >= own.low - SLIGHT
            });
            Proof::any(taken.map(|it| self.proof(it.child, role)), is_decided)
        };
        (0..self.roles).map(proof).collect()
    }

    /// Where several roles choose, or chance does.
    fn by_joint_moves(&self, found: &Node) -> Option<Proofs> {
        let outcomes = self.outcomes(found)?;
        let options: Vec<Vec<Proof>> =
            (0..self.roles).map(|role| self.options(found, role, &outcomes)).collect();
        let best: Proofs = options.iter().map(|it| Proof::best(it.iter().copied())).collect();
        let is_taken = |made: &Joint| {
            best.iter().zip(&options).zip(made).all(|((best, options), &position)| {
                let known = options[usize::from(position)];
                (if best.is_decided() { known.low } else { known.high }) >= best.low - SLIGHT
            })
        };
        let is_whole = outcomes.len() == self.joint_moves(found, None);
        let proof = |role: usize| {
            let taken = outcomes.iter().filter(|it| is_taken(&it.0)).map(|it| it.1[role]);
            let most = Proof::any(taken, false);
            if is_whole && most.high.is_finite() {
                return Proof { high: most.high, late: most.late, ..best[role] };
            }
            best[role]
        };
        Some((0..self.roles).map(proof).collect())
    }

    /// By move of a role in a node: what it gets by it, whatever the others do.
    pub(super) fn proofs_of_moves(&self, node: u32, role: usize) -> Vec<Proof> {
        let found = &self.nodes[node as usize];
        match self.chooser(found) {
            _ if found.moves.is_empty() || Some(role) == self.chance => Vec::new(),
            Some(chooser) if chooser == role => {
                found.moves[role].iter().map(|it| self.proof(it.child, role)).collect()
            }
            Some(_) => Vec::new(),
            None => self
                .outcomes(found)
                .map_or_else(Vec::new, |outcomes| self.options(found, role, &outcomes)),
        }
    }

    /// How many joint moves there are that chance may answer, with one role's move given or not.
    fn joint_moves(&self, found: &Node, given: Option<usize>) -> usize {
        let others = (0..self.roles).filter(|&it| Some(it) != self.chance && Some(it) != given);
        others.map(|it| found.moves[it].len()).fold(1, usize::saturating_mul)
    }

    fn options(&self, found: &Node, role: usize, outcomes: &[(Joint, Proofs)]) -> Vec<Proof> {
        let count = if Some(role) == self.chance { 1 } else { found.moves[role].len() };
        let wanted = self.joint_moves(found, Some(role));
        let mut options = vec![(0, Proof::any(std::iter::empty(), false)); count];
        for (made, proofs) in outcomes {
            let (known, all) = &mut options[usize::from(made[role])];
            *known += 1;
            *all = Proof::any([*all, proofs[role]].into_iter(), false);
        }
        let open = Proof::open(self.range[role]);
        options.into_iter().map(|(known, all)| if known == wanted { all } else { open }).collect()
    }

    /// What is proven after each joint move that is known, as a mean over what chance does; `None` if there are too many.
    fn outcomes(&self, found: &Node) -> Option<Vec<(Joint, Proofs)>> {
        if found.joint.len() > MOST_JOINT_MOVES {
            return None;
        }
        let chances = self.chance.map_or(1, |it| found.moves[it].len());
        let mut children: FxHashMap<Joint, SmallVec<[u32; 2]>> = FxHashMap::default();
        for (made, &child) in &found.joint {
            let mut key = Joint::from_slice(made);
            self.chance.into_iter().for_each(|it| key[it] = 0);
            children.entry(key).or_default().push(child);
        }
        if let Some(moves) = found.moves.get(found.mover as usize) {
            let known = moves.iter().map(|it| it.child).filter(|&it| it != NONE);
            children.insert(smallvec![0; self.roles], known.collect());
        }
        let mean = |(made, mut children): (Joint, SmallVec<[u32; 2]>)| {
            children.resize(chances, NONE);
            (made, (0..self.roles).map(|role| self.mean(&children, role)).collect())
        };
        let mut outcomes: Vec<(Joint, Proofs)> = children.into_iter().map(mean).collect();
        outcomes.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        Some(outcomes)
    }

    /// The mean of nodes that are alike likely. Only where there is something to get does it matter how soon.
    fn mean(&self, nodes: &[u32], role: usize) -> Proof {
        if let [only] = *nodes {
            return self.proof(only, role);
        }
        let least = self.range[role].0;
        let (mut mean, mut sum, mut count) = (Proof::end(0.0), 0.0, 0.0);
        for proof in nodes.iter().map(|&it| self.proof(it, role)) {
            let share = (proof.low - least) as f32;
            mean.low += proof.low;
            mean.high += proof.high;
            mean.late += proof.late;
            if share > 0.0 {
                mean.soon += share * proof.soon;
                sum += share;
            }
            count += 1.0;
        }
        let soon = if sum > 0.0 { mean.soon / sum } else { f32::INFINITY };
        let late = mean.late / count as f32;
        Proof { low: mean.low / count, high: mean.high / count, soon, late }
    }
}

/// How often all proofs are gone through at most: means over chance come closer and closer.
const ROUNDS: usize = 1000;

impl Tree {
    /// Makes sure of how soon an end is had: a search has its proofs in any order, and the first one need not be the shortest.
    ///
    /// Where something is proven of a role in a root, looks at all states that are nearer than the end that the proof leads to, as long as
    /// there is time and at most so many nodes, and proves anew. Then no end of that value can be forced sooner.
    pub(super) fn settle(
        &mut self,
        root: u32,
        role: usize,
        machine: &mut Machine,
        until: &Budget,
        most: usize,
    ) -> Result<(), StrategyError> {
        let mut ahead = LookAhead::new(machine);
        self.way += 1;
        self.nodes[root as usize].way = self.way;
        let (mut order, mut level, mut depth) = (vec![root], 0, 1.0);
        while depth < self.horizon(root, role) && level < order.len() {
            let next = order.len();
            for place in level..next {
                let node = order[place];
                if order.len() > most || !self.complete(node, machine, &mut ahead, until)? {
                    self.prove_all(&order, until);
                    return Ok(());
                }
                let children: Vec<u32> = self.nodes[node as usize].children().collect();
                for child in children {
                    let found = &mut self.nodes[child as usize];
                    if found.way != self.way {
                        found.way = self.way;
                        order.push(child);
                    }
                }
            }
            (level, depth) = (next, depth + 1.0);
            self.prove_all(&order, until);
        }
        Ok(())
    }

    /// Moves until the end that a proof leads to: 0 if nothing is proven.
    fn horizon(&self, root: u32, role: usize) -> f32 {
        let (proof, least) = (self.proof(root, role), self.range[role].0);
        let moves = if proof.low > least {
            proof.soon
        } else if proof.high <= least {
            proof.late
        } else {
            0.0
        };
        if moves.is_finite() { moves } else { 0.0 }
    }

    /// Proves nodes anew, the last ones first, until nothing is new.
    fn prove_all(&mut self, order: &[u32], until: &Budget) {
        for _ in 0..ROUNDS {
            let mut is_new = false;
            for &node in order.iter().rev() {
                is_new |= self.prove(node);
            }
            if !is_new || until.is_over() {
                break;
            }
        }
    }

    /// Makes all moves of a node, unless it has so many that it proves nothing, and looks at where they lead. Says whether there was time
    /// and room for it.
    fn complete(
        &mut self,
        node: u32,
        machine: &mut Machine,
        ahead: &mut LookAhead,
        until: &Budget,
    ) -> Result<bool, StrategyError> {
        let counts: Vec<usize> = self.nodes[node as usize].moves.iter().map(Vec::len).collect();
        let joint = counts.iter().copied().fold(1, usize::saturating_mul);
        if counts.is_empty() || joint > MOST_JOINT_MOVES {
            return Ok(true);
        }
        let mut watch = Watch::new(16);
        for mut number in 0..joint {
            if watch.is_due() && until.is_over() {
                return Ok(false);
            }
            let mut made: SmallVec<[u16; 4]> = SmallVec::new();
            for &count in &counts {
                made.push((number % count) as u16);
                number /= count;
            }
            let known = self.nodes[node as usize].child(&made);
            let child = match known {
                Some(child) => child,
                None => {
                    let next = self.state_after(node, &made, machine)?;
                    let Some(child) = self.node(&next, false) else { return Ok(false) };
                    self.link(node, &made, child);
                    child
                }
            };
            if !self.nodes[child as usize].looked_at {
                let seen = ahead.look(machine, &self.nodes[child as usize].state, until)?;
                self.look_at(child, seen);
            }
        }
        Ok(true)
    }

    /// The state after a joint move.
    pub(super) fn state_after(
        &self,
        node: u32,
        made: &[u16],
        machine: &mut Machine,
    ) -> Result<State, StrategyError> {
        let found = &self.nodes[node as usize];
        let moves = found.moves.iter().zip(made).map(|it| it.0[usize::from(*it.1)].it);
        let moves: SmallVec<[MoveId; 4]> = moves.collect();
        let mut next = found.state.clone();
        machine.advance_unchecked(&mut next, &moves)?;
        Ok(next)
    }
}
