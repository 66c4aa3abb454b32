//! From ground rules to components.

use fxhash::FxHashMap;
use groundfrog_engine::instantiate::GroundLiteral;

use super::network::{Component, ComponentKind, NetGoal, NetMove, PropNet};
use groundfrog::game::{AtomId, GroundGame};

const NONE: u32 = u32::MAX;

struct Builder<'game> {
    game: &'game GroundGame,
    components: Vec<Component>,
    /// By atom: its proposition.
    propositions: Vec<u32>,
    /// By proposition: its negation.
    negations: FxHashMap<u32, u32>,
    constants: [Option<u32>; 2],
}

impl PropNet {
    /// The network of a game.
    pub fn new(game: &GroundGame) -> Self {
        build(game)
    }
}

fn build(game: &GroundGame) -> PropNet {
    let mut builder = Builder {
        game,
        components: Vec::new(),
        propositions: vec![NONE; game.atom_count()],
        negations: FxHashMap::default(),
        constants: [None, None],
    };
    let bases: Vec<u32> =
        game.fluents().map(|atom| builder.proposition(ComponentKind::Base, atom)).collect();
    let inputs: Vec<u32> =
        game.moves().iter().map(|it| builder.proposition(ComponentKind::Input, it.does)).collect();
    builder.views();
    for (position, fluent) in game.fluents().enumerate() {
        let next = builder.holds(game.next(fluent));
        let transition = builder.add(ComponentKind::Transition, vec![next], None);
        builder.components[bases[position] as usize].inputs.push(transition);
    }
    let moves = game.moves().iter().zip(&inputs).map(|(it, &input)| NetMove {
        role: it.role.index(),
        input,
        legal: builder.holds(it.legal),
    });
    let moves = moves.collect();
    let goals = game.goals().iter().map(|it| NetGoal {
        role: it.role.index(),
        value: it.value,
        proposition: builder.holds(Some(it.atom)),
    });
    let goals = goals.collect();
    let terminal = builder.holds(game.terminal());
    let init = game.init().iter().map(|it| builder.propositions[it.index()]).collect();
    PropNet { components: builder.components, bases, init, moves, goals, terminal }
}

impl Builder<'_> {
    fn add(&mut self, kind: ComponentKind, inputs: Vec<u32>, atom: Option<AtomId>) -> u32 {
        let number = u32::try_from(self.components.len()).expect("fewer than 2^32 components");
        self.components.push(Component { kind, inputs, atom });
        number
    }

    fn proposition(&mut self, kind: ComponentKind, atom: AtomId) -> u32 {
        let number = self.add(kind, Vec::new(), Some(atom));
        self.propositions[atom.index()] = number;
        number
    }

    fn constant(&mut self, holds: bool) -> u32 {
        if let Some(known) = self.constants[usize::from(holds)] {
            return known;
        }
        let kind = if holds { ComponentKind::True } else { ComponentKind::False };
        let number = self.add(kind, Vec::new(), None);
        self.constants[usize::from(holds)] = Some(number);
        number
    }

    /// The proposition of an atom; the constant false if no rule derives it.
    fn holds(&mut self, atom: Option<AtomId>) -> u32 {
        match atom.map(|it| self.propositions[it.index()]) {
            None | Some(NONE) => self.constant(false),
            Some(number) => number,
        }
    }

    /// A proposition for each head, and what derives it.
    fn views(&mut self) {
        let rules = self.game.rules();
        let mut of_head: Vec<(u32, u32)> =
            rules.heads().iter().zip(0..).map(|(&head, rule)| (head, rule)).collect();
        of_head.sort_unstable();
        for heads in of_head.chunk_by(|one, other| one.0 == other.0) {
            self.proposition(ComponentKind::View, AtomId(heads[0].0));
        }
        for group in of_head.chunk_by(|one, other| one.0 == other.0) {
            let bodies: Vec<u32> =
                group.iter().map(|&(_, rule)| self.body(rules.rule(rule as usize).body)).collect();
            let input = match bodies[..] {
                [single] => single,
                _ => self.add(ComponentKind::Or, bodies, None),
            };
            let head = self.propositions[group[0].0 as usize];
            self.components[head as usize].inputs.push(input);
        }
    }

    fn body(&mut self, body: &[GroundLiteral]) -> u32 {
        let inputs: Vec<u32> = body.iter().map(|&literal| self.literal(literal)).collect();
        match inputs[..] {
            [] => self.constant(true),
            [single] => single,
            _ => self.add(ComponentKind::And, inputs, None),
        }
    }

    fn literal(&mut self, literal: GroundLiteral) -> u32 {
        let input = self.holds(Some(AtomId(literal.atom())));
        if !literal.is_negated() {
            return input;
        }
        if let Some(&known) = self.negations.get(&input) {
            return known;
        }
        let negation = self.add(ComponentKind::Not, vec![input], None);
        self.negations.insert(input, negation);
        negation
    }
}
