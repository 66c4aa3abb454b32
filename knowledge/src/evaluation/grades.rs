//! How far a fluent is from holding: by the distance of a piece from its place, or of a number from its value.

use fxhash::FxHashMap;
use groundfrog::game::GroundGame;
use groundfrog_reasoner::{FluentId, State};

use crate::structures::contents::locations;
use crate::structures::{AxisKind, Structures};

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
    pub(super) fn degree(&self, fluent: FluentId, state: &State, holds: f64) -> f64 {
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
