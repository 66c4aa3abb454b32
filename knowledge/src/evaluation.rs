//! What a state that is no end may be worth: the degree to which it fulfils goals.
//!
//! [`FuzzyGoals`] are formulae of goals over fluents, with degrees instead of truth (Schiffel & Thielscher, "Fluxplayer",
//! 2007). A fluent that holds counts p, another one 1 - p, or less where its piece or number is far from it. Or is Yager's
//! S(a, b, ..) = min(1, (a^q + b^q + ..)^(1/q)), and is T(a, b, ..) = 1 - S(1 - a, 1 - b, ..). A conjunction of n literals that do not hold is
//! above 0 only if q > ln n / ln(1 / p), so q is chosen by the longest conjunction of the goals.
//!
//! [`Grades`] are distances of pieces from their places, and of numbers from their values. [`Kinds`] are what stands on boards.

use fxhash::FxHashMap;
use groundfrog::AtomKind;
use groundfrog::game::{AtomId, GroundGame};
use groundfrog_reasoner::{FluentId, State};

use crate::bodies::{Bodies, Body};
use crate::structures::contents::{Location, locations};
use crate::structures::{AxisKind, Structures};

/// How much a fluent counts that holds.
pub const HOLDS: f64 = 0.9;
/// Goals with more parts are not unfolded.
const MOST_PARTS: usize = 100_000;
/// Views may stand so deep upon each other.
const DEEPEST: usize = 500;

/// Degrees of literals and how they are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yager {
    /// What a fluent counts that holds, above 1/2.
    pub holds: f64,
    /// The exponent.
    pub exponent: f64,
}

impl Yager {
    /// The exponent for conjunctions of so many literals: twice the least that keeps a conjunction of none that holds above 0.
    pub fn for_length(length: usize, holds: f64) -> Self {
        let least = (length.max(2) as f64).ln() / (1.0 / holds).ln();
        Yager { holds, exponent: 2.0 * least }
    }

    /// The degree of a disjunction.
    pub fn any(&self, degrees: impl Iterator<Item = f64> + Clone) -> f64 {
        // Scaled by the greatest, as small degrees to a great power are 0.
        let greatest = degrees.clone().fold(0.0, f64::max);
        if greatest <= 0.0 {
            return 0.0;
        }
        let sum: f64 = degrees.map(|it| (it / greatest).powf(self.exponent)).sum();
        (greatest * sum.powf(1.0 / self.exponent)).min(1.0)
    }

    /// The degree of a conjunction.
    pub fn all(&self, degrees: impl Iterator<Item = f64> + Clone) -> f64 {
        1.0 - self.any(degrees.map(|it| 1.0 - it))
    }
}

/// A part of a formula; parts come before those that they are in.
#[derive(Clone, Debug)]
enum Node {
    Fluent(FluentId),
    /// Parts, each with whether it is negated.
    All(Vec<(usize, bool)>),
    Any(Vec<usize>),
}

/// Goals as formulae over fluents that share their parts.
#[derive(Clone, Debug)]
pub struct FuzzyGoals {
    nodes: Vec<Node>,
    /// By goal: its part.
    goals: Vec<usize>,
    /// How literals are put together.
    pub yager: Yager,
    grades: Grades,
}

impl FuzzyGoals {
    /// Unfolds atoms of a game, such as goals, down to fluents. None if one depends on itself or on moves, or they are too large. The grades
    /// tell how far a fluent is that does not hold; [`Grades::default`] tells nothing.
    pub fn new(game: &GroundGame, atoms: &[AtomId], grades: Grades) -> Option<Self> {
        let first = game.fluents().next().map_or(0, |it| it.0);
        let mut unfolding = Unfolding {
            bodies: Bodies::new(game),
            first,
            nodes: Vec::new(),
            parts: 0,
            known: FxHashMap::default(),
            longest: 1,
        };
        let goals = atoms.iter().map(|&it| unfolding.atom(it, DEEPEST));
        let goals: Vec<usize> = goals.collect::<Option<_>>()?;
        let yager = Yager::for_length(unfolding.longest, HOLDS);
        Some(FuzzyGoals { nodes: unfolding.nodes, goals, yager, grades })
    }

    /// By goal: the degree to which a state fulfils it, from 0 to 1.
    pub fn degrees(&self, state: &State) -> Vec<f64> {
        let mut degrees: Vec<f64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let degree = match node {
                Node::Fluent(fluent) if state.contains(*fluent) => self.yager.holds,
                Node::Fluent(fluent) => self.grades.degree(*fluent, state, self.yager.holds),
                Node::All(parts) => self.yager.all(parts.iter().map(|&(part, is_negated)| {
                    if is_negated { 1.0 - degrees[part] } else { degrees[part] }
                })),
                Node::Any(parts) => self.yager.any(parts.iter().map(|&part| degrees[part])),
            };
            degrees.push(degree);
        }
        self.goals.iter().map(|&it| degrees[it]).collect()
    }
}

struct Unfolding<'game> {
    bodies: Bodies<'game>,
    first: u32,
    nodes: Vec<Node>,
    /// Nodes and literals so far.
    parts: usize,
    /// By atom: its part, or none while it is being unfolded.
    known: FxHashMap<AtomId, Option<usize>>,
    longest: usize,
}

impl Unfolding<'_> {
    fn atom(&mut self, atom: AtomId, depth: usize) -> Option<usize> {
        if let Some(&known) = self.known.get(&atom) {
            return known;
        }
        let depth = depth.checked_sub(1).filter(|_| self.parts <= MOST_PARTS)?;
        if self.bodies.game.is_open(atom) {
            let is_fluent = self.bodies.game.kind(atom) == AtomKind::True;
            let fluent = Node::Fluent(FluentId(atom.0.checked_sub(self.first)?));
            return is_fluent.then(|| self.push(atom, fluent));
        }
        self.known.insert(atom, None);
        let mut ways: Vec<usize> = Vec::new();
        for body in self.bodies.of(atom).collect::<Vec<Body<'_>>>() {
            self.parts += 1 + body.len();
            let mut parts: Vec<(usize, bool)> = Vec::new();
            for literal in body {
                parts.push((self.atom(AtomId(literal.atom()), depth)?, literal.is_negated()));
            }
            self.longest = self.longest.max(parts.len());
            if let [(only, false)] = parts[..] {
                ways.push(only);
            } else {
                self.nodes.push(Node::All(parts));
                ways.push(self.nodes.len() - 1);
            }
        }
        if let [only] = ways[..] {
            self.known.insert(atom, Some(only));
            return Some(only);
        }
        Some(self.push(atom, Node::Any(ways)))
    }

    fn push(&mut self, atom: AtomId, node: Node) -> usize {
        self.nodes.push(node);
        self.known.insert(atom, Some(self.nodes.len() - 1));
        self.nodes.len() - 1
    }
}

/// Fluents of which one at most holds, each at a point.
#[derive(Clone, Debug, Default)]
struct GoalGroup {
    fluents: Vec<FluentId>,
    points: Vec<Vec<i32>>,
    /// By axis: how long it is if it goes round.
    rings: Vec<Option<i32>>,
    /// The greatest distance, and one.
    length: f64,
}

/// What is known of distances between fluents.
#[derive(Clone, Debug, Default)]
pub struct Grades {
    groups: Vec<GoalGroup>,
    /// By fluent: its group, and its number there.
    places: FxHashMap<u32, (usize, usize)>,
}

impl Grades {
    /// Distances of pieces on boards whose axes are in order, as far as they are proved to be on one cell at most.
    pub fn new(structures: &Structures, game: &GroundGame) -> Self {
        let mut grades = Grades::default();
        let mut of_piece: FxHashMap<(usize, String), usize> = FxHashMap::default();
        for (fluent, location) in locations(structures, game).into_iter().enumerate() {
            let Some(location) = location else { continue };
            let board = &structures.boards[location.board];
            let is_ordered = board.axes.iter().all(|it| it.kind != AxisKind::Unordered);
            let is_piece =
                board.markers.iter().any(|it| it.is_piece && it.content == location.content);
            let [cell] = location.cells[..] else { continue };
            let point = board.cells[cell].coordinates.clone();
            if !is_ordered || !is_piece || point.len() != board.axes.len() || point.is_empty() {
                continue;
            }
            let next = grades.groups.len();
            let group = *of_piece.entry((location.board, location.content)).or_insert(next);
            if group == next {
                let rings = board
                    .axes
                    .iter()
                    .map(|it| (it.kind == AxisKind::Ring).then_some(it.values.len() as i32));
                grades.groups.push(GoalGroup { rings: rings.collect(), ..GoalGroup::default() });
            }
            grades.groups[group].fluents.push(FluentId(fluent as u32));
            grades.groups[group].points.push(point);
        }
        grades.finish();
        grades
    }

    /// Fluents of which one at most holds, each with its point on axes that are lines.
    pub fn of_points(fluents: Vec<FluentId>, points: Vec<Vec<i32>>) -> Self {
        let rings = vec![None; points.first().map_or(0, Vec::len)];
        let group = GoalGroup { fluents, points, rings, length: 0.0 };
        let mut grades = Grades { groups: vec![group], places: FxHashMap::default() };
        grades.finish();
        grades
    }

    fn finish(&mut self) {
        for (number, group) in self.groups.iter_mut().enumerate() {
            let axes = group.rings.len();
            let span = |axis: usize| -> i32 {
                let values = || group.points.iter().map(|it| it[axis]);
                let length = values().max().unwrap_or(0) - values().min().unwrap_or(0);
                group.rings[axis].map_or(length, |it| it / 2)
            };
            group.length = f64::from((0..axes).map(span).sum::<i32>()) + 1.0;
            for (at, fluent) in group.fluents.iter().enumerate() {
                self.places.insert(fluent.0, (number, at));
            }
        }
    }

    /// The degree of a fluent that does not hold: (1 - p) (1 - d / length), where d is the distance to the fluent of the group that
    /// does, and the length is the greatest distance and one.
    fn degree(&self, fluent: FluentId, state: &State, holds: f64) -> f64 {
        let Some(&(group, wanted)) = self.places.get(&fluent.0) else { return 1.0 - holds };
        let group = &self.groups[group];
        let Some(at) = group.fluents.iter().position(|it| state.contains(*it)) else {
            return (1.0 - holds) / group.length;
        };
        let apart = (0..group.rings.len()).map(|axis| {
            let apart = (group.points[at][axis] - group.points[wanted][axis]).abs();
            group.rings[axis].map_or(apart, |length| apart.min(length - apart))
        });
        (1.0 - holds) * (1.0 - f64::from(apart.sum::<i32>()) / group.length)
    }
}

/// No more kinds of pieces are counted.
const MOST_PIECES: usize = 40;

/// What stands on boards, by kind: pieces of one kind are worth the same, wherever they are, but for their places.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// What they are, one for each board and content.
    pub names: Vec<String>,
    /// By fluent: the number of the kind that it places on a board, if it does.
    pub of: Vec<Option<usize>>,
}

/// The kinds of what stands on the boards of a game, at most 40 of each board.
pub fn kinds(structures: &Structures, game: &GroundGame) -> Kinds {
    let mut names = Vec::new();
    let mut numbers: FxHashMap<(usize, &str), usize> = FxHashMap::default();
    for (board, found) in structures.boards.iter().enumerate() {
        for marker in found.markers.iter().take(MOST_PIECES) {
            numbers.insert((board, &marker.content), names.len());
            names.push(marker.content.clone());
        }
    }
    let kind = |it: Location| numbers.get(&(it.board, it.content.as_str())).copied();
    let of = locations(structures, game).into_iter().map(|it| it.and_then(kind)).collect();
    Kinds { names, of }
}
