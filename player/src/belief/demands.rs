//! Which moves what was perceived demands.
//!
//! Ground rules are read backwards: a percept needs a rule about it whose body holds, a fluent needs to hold initially or a rule
//! about it one step before, and so on down to moves. Where there are several rules one is drawn, and another if it leads
//! nowhere. What must not hold is left to those who follow the moves.

use fxhash::{FxHashMap, FxHashSet};
use groundfrog::RoleId;
use groundfrog::description::Printer;
use groundfrog::game::{AtomId, AtomKind, GroundGame, RulesByHead};
use groundfrog_reasoner::{MoveId, Random};

use super::Experience;

/// Atoms that are looked at in one attempt, at most.
const MOST: usize = 20_000;

/// By step and role: the move that is demanded.
pub(super) type Demanded = FxHashMap<(usize, RoleId), MoveId>;

/// The rules of a game, read backwards.
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
