//! Histories that agree with everything from the beginning, by depth-first search.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::RoleId;
use groundfrog::description::Printer;
use groundfrog::game::{AtomId, AtomKind, GroundGame, RulesByHead};
use groundfrog_reasoner::{MoveId, Random};

use super::steps::{JointMoves, drawn, product};
use super::{BeliefLimits, Experience, Merged, Steps, World, initial};
use crate::strategy::StrategyError;

/// Joint moves that are tried for one state before some are drawn at random.
const MOST_JOINT_MOVES: usize = 1024;
/// Histories that are looked for. They stand for all that agree.
const WANTED: usize = 64;
/// The search ends after so many histories, one after the other, that lead where others have led.
const ALIKE: usize = 4;
/// Each search for one history has this part of all joint moves.
const PART: usize = 16;

/// Worlds of histories that agree with a role's experience, whose moves are those that the percepts demand.
pub(super) fn search(
    steps: &mut Steps<'_>,
    demands: Option<&Demands<'_>>,
    history: &[Experience],
    limits: BeliefLimits,
    random: &mut Random,
) -> Result<Vec<World>, StrategyError> {
    let mut found = Merged::default();
    let (mut left, mut alike, mut attempts) = (limits.search, 0, 0);
    while alike < ALIKE && attempts < WANTED && left > 0 {
        // What is demanded is one way of many, and there may be none: sometimes all moves are tried.
        let is_free = attempts % 4 == 3 && alike == 0;
        let demanded = demands.filter(|_| !is_free).and_then(|it| it.derive(history, random));
        let is_free = demanded.is_none();
        let part = (limits.search / PART).max(history.len()).min(left);
        let mut search = Search { steps, history, demanded: demanded.unwrap_or_default(), part };
        let world = search.run(random)?;
        left = left.saturating_sub((part - search.part).max(1));
        let is_exhausted = is_free && search.part > 0;
        match world {
            Some(world) => {
                attempts += 1;
                alike = if found.add(world) { 0 } else { alike + 1 };
            }
            None if is_exhausted && found.is_empty() => break,
            None if !found.is_empty() => alike += 1,
            None => {}
        }
    }
    Ok(found.into_worlds())
}

/// The search for one history.
struct Search<'search, 'run> {
    steps: &'search mut Steps<'run>,
    history: &'search [Experience],
    demanded: Demanded,
    /// Joint moves that may still be followed.
    part: usize,
}

/// A world on the way, and the joint moves that are yet to be tried in it, each with a weight.
struct Branch {
    world: World,
    moves: Vec<(Vec<MoveId>, f64)>,
}

impl Search<'_, '_> {
    fn run(&mut self, random: &mut Random) -> Result<Option<World>, StrategyError> {
        let first = initial(self.steps.machine);
        let mut path = vec![self.node(first, 0, random)?];
        while let Some(node) = path.last_mut() {
            let Some((moves, weight)) = node.moves.pop() else {
                path.pop();
                continue;
            };
            if self.part == 0 {
                return Ok(None);
            }
            self.part -= 1;
            let world = node.world.clone();
            let depth = path.len();
            let next = self.steps.follow(&world, &moves, &self.history[depth - 1].seen)?;
            let Some(mut next) = next else { continue };
            next.weight *= weight;
            if depth == self.history.len() {
                return Ok(Some(next));
            }
            path.push(self.node(next, depth, random)?);
        }
        Ok(None)
    }

    /// A world with the joint moves of a step in random order, the likely ones sooner. What is drawn is not weighed again; what is
    /// demanded weighs what it is likely.
    fn node(
        &mut self,
        world: World,
        step: usize,
        random: &mut Random,
    ) -> Result<Branch, StrategyError> {
        let choices = self.steps.choices(&world.state, self.history[step].own)?;
        let Some(mut choices) = choices else { return Ok(Branch { world, moves: Vec::new() }) };
        let mut weight = 1.0;
        for (role, choice) in self.steps.machine.role_ids().zip(&mut choices) {
            if let Some(&demanded) = self.demanded.get(&(step, role)) {
                choice.retain(|it| it.0 == demanded);
                let Some(&(_, likely)) = choice.first() else {
                    return Ok(Branch { world, moves: Vec::new() });
                };
                weight *= likely;
            }
        }
        let mut moves: Vec<(f64, Vec<MoveId>)> = Vec::new();
        if product(&choices).is_some_and(|it| it <= MOST_JOINT_MOVES) {
            let mut joint = JointMoves::new(&choices);
            while let Some((made, likely)) = joint.next() {
                // The least of exponential variables is each with a probability in proportion to its rate.
                moves.push((-(1.0 - random.fraction()).ln() / likely, made.to_vec()));
            }
            moves.sort_by(|one, other| other.0.total_cmp(&one.0));
        } else {
            for _ in 0..MOST_JOINT_MOVES {
                moves.push((0.0, choices.iter().map(|it| drawn(it, random)).collect()));
            }
        }
        Ok(Branch { world, moves: moves.into_iter().map(|it| (it.1, weight)).collect() })
    }
}

/// Atoms that are looked at in one attempt, at most.
const MOST: usize = 20_000;

/// By step and role: the move that is demanded.
pub(super) type Demanded = FxHashMap<(usize, RoleId), MoveId>;

/// Which moves what was perceived demands: the rules of a game, read backwards.
///
/// A percept needs a rule about it whose body holds, a fluent needs to hold initially or a rule about it one step before, and so on down to
/// moves. Where there are several rules one is drawn, and another if it leads nowhere. What must not hold is left to those who follow the
/// moves.
pub(super) struct Demands<'game> {
    game: &'game GroundGame,
    role: RoleId,
    rules: RulesByHead,
    init: FxHashSet<AtomId>,
    /// By text in lower case: what the role may see.
    percepts: FxHashMap<String, Vec<AtomId>>,
    /// By `does` atom.
    moves: FxHashMap<AtomId, MoveId>,
}

/// An atom that must hold in a step, and what else must.
#[derive(Clone, Copy)]
struct Want {
    atom: AtomId,
    step: usize,
    /// The number of the next one.
    rest: Option<usize>,
}

/// Rules about an atom that are still to be tried.
struct Choice {
    rules: Vec<u32>,
    step: usize,
    rest: Option<usize>,
    /// How many demands there were.
    demanded: usize,
    /// How many atoms there were that are cared for.
    cared: usize,
    /// How many wants there were.
    wants: usize,
}

impl<'game> Demands<'game> {
    pub(super) fn new(game: &'game GroundGame, role: RoleId) -> Self {
        let printer = Printer::new(game.symbols());
        let mut percepts: FxHashMap<String, Vec<AtomId>> = FxHashMap::default();
        for atom in game.atoms_of(AtomKind::Sees) {
            if let [who, what] = game.atom(atom).arguments().as_slice()
                && *who == game.roles()[role.index()]
            {
                let text = printer.term(what).to_string().to_lowercase();
                percepts.entry(text).or_default().push(atom);
            }
        }
        let moves = game.moves().iter().zip(0..).map(|(it, number)| (it.does, MoveId(number)));
        let init = game.init().iter().copied().collect();
        let rules = RulesByHead::new(game);
        Demands { game, role, rules, init, percepts, moves: moves.collect() }
    }

    /// Moves that let the percepts of a history be seen, as far as they are demanded; `None` if none were found.
    pub(super) fn derive(&self, history: &[Experience], random: &mut Random) -> Option<Demanded> {
        let mut wants: Vec<Want> = Vec::new();
        let mut head = None;
        for (step, experience) in history.iter().enumerate() {
            let own = experience.own.and_then(|it| self.game.moves()[it.index()].legal);
            let seen = experience.seen.texts().iter().filter_map(|text| {
                let alike = self.percepts.get(&text.to_lowercase())?;
                alike.first().copied()
            });
            for atom in own.into_iter().chain(seen) {
                wants.push(Want { atom, step, rest: head });
                head = Some(wants.len() - 1);
            }
        }
        let own = history.iter().enumerate().filter_map(|(step, it)| Some((step, it.own?)));
        let mut demanded: Demanded = own.map(|(step, it)| ((step, self.role), it)).collect();
        let mut order: Vec<(usize, RoleId)> = Vec::new();
        let (mut cared, mut cared_order) = (FxHashSet::default(), Vec::new());
        let mut choices: Vec<Choice> = Vec::new();
        for _ in 0..MOST {
            let Some(number) = head else { return Some(demanded) };
            let Want { atom, step, rest } = wants[number];
            let is_met = if !cared.insert((atom, step)) {
                Some(true)
            } else {
                cared_order.push((atom, step));
                self.meet(atom, step, &mut demanded, &mut order)
            };
            if is_met == Some(true) {
                head = rest;
                continue;
            }
            if is_met.is_none() {
                let at = self.rules_at(atom, step);
                let mut rules = at.map_or_else(Vec::new, |it| self.rules.rules(it.0).to_vec());
                random.shuffle(&mut rules);
                let step = at.map_or(step, |it| it.1);
                let (demanded, cared) = (order.len(), cared_order.len());
                choices.push(Choice { rules, step, rest, demanded, cared, wants: wants.len() });
            }
            // The next rule that is left.
            let (rule, step, rest) = loop {
                let choice = choices.last_mut()?;
                for it in order.drain(choice.demanded..) {
                    demanded.remove(&it);
                }
                for it in cared_order.drain(choice.cared..) {
                    cared.remove(&it);
                }
                wants.truncate(choice.wants);
                match choice.rules.pop() {
                    Some(rule) => break (rule, choice.step, choice.rest),
                    None => drop(choices.pop()),
                }
            };
            head = rest;
            for literal in self.game.rules().rule(rule as usize).body {
                if !literal.is_negated() {
                    wants.push(Want { atom: AtomId(literal.atom()), step, rest: head });
                    head = Some(wants.len() - 1);
                }
            }
        }
        None
    }

    /// Whether an atom holds as things are, or a move lets it hold; `None` if that is for rules to say.
    fn meet(
        &self,
        atom: AtomId,
        step: usize,
        demanded: &mut Demanded,
        order: &mut Vec<(usize, RoleId)>,
    ) -> Option<bool> {
        match self.game.kind(atom) {
            AtomKind::True if step == 0 => Some(self.init.contains(&atom)),
            AtomKind::Does => {
                let made = self.moves[&atom];
                let role = self.game.moves()[made.index()].role;
                if let Some(&other) = demanded.get(&(step, role)) {
                    return Some(other == made);
                }
                demanded.insert((step, role), made);
                order.push((step, role));
                Some(true)
            }
            _ => None,
        }
    }

    /// The atom whose rules tell whether an atom holds in a step, and the step that they look at.
    fn rules_at(&self, atom: AtomId, step: usize) -> Option<(AtomId, usize)> {
        match self.game.kind(atom) {
            AtomKind::True => Some((self.game.next(atom)?, step - 1)),
            _ => Some((atom, step)),
        }
    }
}
