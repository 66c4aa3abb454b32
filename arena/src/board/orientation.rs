//! Which way up boards are.

use groundfrog_reasoner::Reasoner;

use super::{Layout, Part, Place};

impl Layout {
    /// Whether the first row is to be drawn below: where things fall to it, that is, some moves are columns alone; where letters go
    /// across and numbers upwards, as in chess; or where otherwise the first role's things would be above those of the second
    /// in the initial state. It is the same for a game whatever the state of a match.
    pub(super) fn find_orientation(&mut self, reasoner: &dyn Reasoner) {
        let Some(board) = self.boards.first() else { return };
        let falls = self.moves.values().any(|steps| {
            steps.iter().all(|step| {
                self.grounds[step.ground].boards.first() == Some(&0) && step.part == Part::Column
            })
        });
        let is_letter = |it: &String| it.len() == 1 && it.as_bytes()[0].is_ascii_alphabetic();
        let is_number = |it: &String| it.bytes().all(|it| it.is_ascii_digit());
        let is_chess = board.columns.iter().all(is_letter)
            && board.rows.iter().all(|it| !it.is_empty() && is_number(it));
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); reasoner.roles().len()];
        for fluent in reasoner.initial().fluents() {
            let place = self.place(&reasoner.fluent(fluent), reasoner.symbols());
            let Place::Cell { board: 0, row, content, .. } = place else { continue };
            let known = board.contents.iter().find(|it| it.text == content);
            if let Some(owner) = known.and_then(|it| it.owner) {
                rows[owner].push(row);
            }
        }
        let mean = |it: &Vec<usize>| it.iter().sum::<usize>() as f64 / it.len() as f64;
        let means: Vec<f64> = rows.iter().filter(|it| !it.is_empty()).map(mean).collect();
        self.first_row_below = match means[..] {
            [first, second, ..] if first != second => first < second,
            _ => falls || is_chess,
        };
    }
}
