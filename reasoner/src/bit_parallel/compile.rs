//! Compiles a ground game to gates that are cheap to compute in one pass.
//!
//! Each role makes exactly one move, so the disjunction of many of its moves is the negation of the
//! disjunction of the others. That shrinks frame rules, which have one instance for almost every move.

use fxhash::FxHashMap;

use crate::BuildError;
use crate::dependencies::{Dependencies, range_of};
use crate::ground_rules::atom_codes::AtomCodes;
use crate::ground_rules::code::{Code, FALSE, TRUE};
use crate::ground_rules::compile::{check_playable, role_of, source_codes};
use crate::ground_rules::gates::Gates;
use crate::ground_rules::views;
use groundfrog::game::{AtomId, AtomKind, GroundGame, RoleId};

/// What is computed, in the order of the gates.
#[derive(Debug)]
pub(super) struct Compiled {
    /// Nodes: fluents, moves, gates.
    pub(super) gates: Gates,
    /// Gates for legal moves and the end, and for what goals and the next state share, up to here.
    pub(super) legal_end: usize,
    /// Then those of goals, up to here.
    pub(super) goals_end: usize,
    /// Then those of the next state, up to here; the rest is for percepts.
    pub(super) next_end: usize,
    /// By role: the move and the code of its legal atom.
    pub(super) legal: Vec<Vec<(u32, Code)>>,
    pub(super) terminal: Code,
    pub(super) goals: Vec<(RoleId, Option<i64>, Code)>,
    /// By fluent.
    pub(super) next: Vec<Code>,
    /// By percept, as [`GroundReasoner`](crate::GroundReasoner) numbers them.
    pub(super) percepts: Vec<(RoleId, Code)>,
}

/// Compiles disjunctions, each once.
struct Compiler<'run> {
    game: &'run GroundGame,
    dependencies: &'run Dependencies,
    gates: Gates,
    codes: AtomCodes,
    /// By atom: the move that it is the `does` of.
    move_of: FxHashMap<u32, u32>,
    /// By role: its moves.
    moves: Vec<Vec<u32>>,
    selections: FxHashMap<Vec<Code>, Code>,
}

pub(super) fn compile(game: &GroundGame) -> Result<Compiled, BuildError> {
    let dependencies = Dependencies::new(game)?;
    check_playable(game, &dependencies)?;
    let mut moves = vec![Vec::new(); game.roles().len()];
    for (number, it) in game.moves().iter().enumerate() {
        moves[it.role.index()].push(number as u32);
    }
    let mut compiler = Compiler {
        game,
        dependencies: &dependencies,
        gates: Gates::new(game.fluents().len() + game.moves().len()),
        codes: source_codes(game, &dependencies),
        move_of: game.moves().iter().zip(0..).map(|(it, number)| (it.does.0, number)).collect(),
        moves,
        selections: FxHashMap::default(),
    };
    let terminal = game.terminal();
    let always = game.moves().iter().filter_map(|it| it.legal).chain(terminal);
    compiler.views(&compiler.needed(always));
    // Goals are computed only where a match is over: what the next state and percepts need of them is computed always.
    let goals = compiler.needed(game.goals().iter().map(|it| it.atom));
    let next = compiler.needed(compiler.read_by_next().into_iter());
    let sees = compiler.needed(game.atoms_of(AtomKind::Sees));
    let others = next.iter().zip(&sees).map(|(&one, &other)| one || other);
    let shared: Vec<bool> = goals.iter().zip(others).map(|(&one, other)| one && other).collect();
    compiler.views(&shared);
    let legal_end = compiler.gates.len();
    compiler.views(&goals);
    let goals_end = compiler.gates.len();
    let next = compiler.next(&next);
    let next_end = compiler.gates.len();
    let percepts = compiler.percepts(&sees);
    let legal = |role: usize| {
        let of_move = |&it: &u32| Some((it, compiler.codes.get(game.moves()[it as usize].legal?)));
        compiler.moves[role].iter().filter_map(of_move).filter(|it| it.1 != FALSE).collect()
    };
    Ok(Compiled {
        legal_end,
        goals_end,
        next_end,
        legal: (0..game.roles().len()).map(legal).collect(),
        terminal: terminal.map_or(FALSE, |it| compiler.codes.get(it)),
        goals: game
            .goals()
            .iter()
            .map(|it| (it.role, it.value, compiler.codes.get(it.atom)))
            .collect(),
        next,
        percepts,
        gates: compiler.gates,
    })
}

impl Compiler<'_> {
    /// By atom: whether it is one of some views or they depend on it.
    fn needed(&self, roots: impl Iterator<Item = AtomId>) -> Vec<bool> {
        let mut needed = vec![false; self.game.atom_count()];
        roots.for_each(|it| needed[it.index()] = true);
        views::close(&mut needed, self.dependencies, self.game);
        needed
    }

    /// Compiles the views that are needed and not compiled yet.
    fn views(&mut self, needed: &[bool]) {
        for component in self.dependencies.components() {
            let atom = self.dependencies.first(component);
            if !needed[atom.index()] || self.codes.is_known(atom) {
                continue;
            }
            if self.dependencies.is_recursive(component) {
                let (members, game) = (self.dependencies.members(component), self.game);
                let (gates, codes) = (&mut self.gates, &mut self.codes);
                views::recursive(gates, codes, members, self.dependencies, game);
                continue;
            }
            let code = self.disjunction(self.dependencies.rules_of(atom));
            self.codes.set(atom, code);
        }
    }

    /// What the rules about `next` read.
    fn read_by_next(&self) -> Vec<AtomId> {
        let read = self.dependencies.next_rules().iter();
        let read = read.flat_map(|&it| self.game.rules().rule(it as usize).body);
        let mut roots: Vec<AtomId> = read.map(|it| AtomId(it.atom())).collect();
        // Where rules read `next`, it is a view.
        let next = range_of(self.game, AtomKind::Next).map(AtomId);
        roots.extend(next.filter(|&it| self.dependencies.component_of(it).is_some()));
        roots
    }

    /// The conditions of all fluents in the next state, whose views are `needed`.
    fn next(&mut self, needed: &[bool]) -> Vec<Code> {
        let (game, dependencies) = (self.game, self.dependencies);
        let next = range_of(game, AtomKind::Next);
        self.views(needed);
        let mut rules: Vec<Vec<u32>> = vec![Vec::new(); next.len()];
        for &rule in dependencies.next_rules() {
            let head = game.rules().heads()[rule as usize];
            rules[(head - next.start) as usize].push(rule);
        }
        let code = |fluent: AtomId| match game.next(fluent) {
            None => FALSE,
            Some(atom) if dependencies.component_of(atom).is_some() => self.codes.get(atom),
            Some(atom) => self.disjunction(&rules[(atom.0 - next.start) as usize]),
        };
        game.fluents().map(code).collect()
    }

    /// The conditions of all percepts, whose views are `needed`.
    fn percepts(&mut self, needed: &[bool]) -> Vec<(RoleId, Code)> {
        self.views(needed);
        let percepts = self.game.atoms_of(AtomKind::Sees);
        percepts.filter_map(|it| Some((role_of(self.game, it)?, self.codes.get(it)))).collect()
    }

    /// The disjunction of the bodies of rules.
    fn disjunction(&mut self, rules: &[u32]) -> Code {
        // By the literals that are no moves, and by role: the moves that go with them.
        let mut groups: FxHashMap<(usize, Vec<Code>), Vec<u32>> = FxHashMap::default();
        let mut order: Vec<(usize, Vec<Code>)> = Vec::new();
        let mut bodies: Vec<Code> = Vec::new();
        for &rule in rules {
            let body = self.game.rules().rule(rule as usize).body;
            let made = body.iter().position(|literal| {
                !literal.is_negated() && self.move_of.contains_key(&literal.atom())
            });
            let rest = body.iter().enumerate().filter(|&(position, _)| Some(position) != made);
            let mut rest: Vec<Code> = rest.map(|(_, &it)| self.codes.literal(it)).collect();
            let Some(made) = made else {
                bodies.push(self.gates.and(&mut rest));
                continue;
            };
            rest.sort_unstable();
            let it = self.move_of[&body[made].atom()];
            let role = self.game.moves()[it as usize].role.index();
            let key = (role, rest);
            let moves = groups.entry(key).or_insert_with_key(|key| {
                order.push(key.clone());
                Vec::new()
            });
            moves.push(it);
        }
        for key in order {
            let moves = groups.remove(&key).expect("in the order of the groups");
            let selection = self.selection(key.0, moves);
            let mut body = key.1;
            body.push(selection);
            bodies.push(self.gates.and(&mut body));
        }
        self.gates.or(&mut bodies)
    }

    /// Whether a role makes one of these moves.
    fn selection(&mut self, role: usize, mut moves: Vec<u32>) -> Code {
        moves.sort_unstable();
        moves.dedup();
        let all = &self.moves[role];
        if moves.len() == all.len() {
            return TRUE;
        }
        let first = self.game.fluents().len() as u32;
        let code = |it: &u32| (first + it) << 1;
        let negate = moves.len() * 2 > all.len();
        let mut inputs: Vec<Code> = if negate {
            let others = all.iter().filter(|it| moves.binary_search(it).is_err());
            others.map(code).collect()
        } else {
            moves.iter().map(code).collect()
        };
        let known = self.selections.get(&inputs).copied();
        let code = known.unwrap_or_else(|| {
            let key = inputs.clone();
            let code = self.gates.or(&mut inputs);
            self.selections.insert(key, code);
            code
        });
        code ^ u32::from(negate)
    }
}
